// Is this the log that a snapshot was taken of? One that lost records and grew over their sequences with others gives the same numbers again: the mark of the record that the snapshot stands behind tells them apart.

using Store.Snapshots;

namespace Store.Reading;

/// <summary>Marks of records of a log. Safe for any number of threads.</summary>
internal sealed class LogHistory(LogReading reading) : ISnapshotHistory
{
    public uint MarkOf(long sequence) => Find(sequence) ?? SnapshotFormat.NoMark;

    public bool Has(long sequence, uint mark) => mark == SnapshotFormat.NoMark || Find(sequence) is not { } found || found == mark;

    private uint? Find(long sequence)
    {
        if (sequence == 0) return null;
        try
        {
            foreach (LogRecord record in reading.Records(new ReadOptions { FromSequence = sequence, ToSequence = sequence })) return RecordMark.Of(in record);
            return null;
        }
        catch (Exception e) when (e is IOException or StoreException)
        {
            // What is wrong with the log is told to whoever reads it; of the snapshot it says nothing.
            return null;
        }
    }
}
