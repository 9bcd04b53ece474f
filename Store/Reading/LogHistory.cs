// Is this the log that a snapshot was taken of? One that lost records and grew over their sequences with others gives the same numbers again: the mark of the record that the snapshot stands behind tells them apart.

using Store.Snapshots;

namespace Store.Reading;

/// <summary>Marks of records of a log. Safe for any number of threads.</summary>
/// <param name="reading">The log.</param>
/// <param name="durableOnly">True for a log that is being written. The record that a snapshot stands behind is on the disk before the snapshot is, so asking for it flushes nothing and waits for nobody; and a failure of the log, which its next caller or closing it has to tell, is not met here.</param>
internal sealed class LogHistory(LogReading reading, bool durableOnly) : ISnapshotHistory
{
    public uint MarkOf(long sequence) => Find(sequence) ?? SnapshotFormat.NoMark;

    public bool Has(long sequence, uint mark) => mark == SnapshotFormat.NoMark || Find(sequence) is not { } found || found == mark;

    private uint? Find(long sequence)
    {
        if (sequence == 0) return null;
        try
        {
            foreach (LogRecord record in reading.Records(new ReadOptions { FromSequence = sequence, ToSequence = sequence, DurableOnly = durableOnly })) return RecordMark.Of(in record);
            return null;
        }
        catch (Exception e) when (e is IOException or StoreException)
        {
            // What is wrong with the log is told to whoever reads it; of the snapshot it says nothing.
            return null;
        }
    }
}
