// What does a replay find in the log, and what can it not take? A gap, an end that comes too early, a change without a conversion, one that is damaged or does not fit a page: whoever goes through once without an engine knows that
// a replay will fail at none of them.

using System.Buffers;
using Store.Faster.Engine;
using Store.KeyValue.Changes;
using Store.Serialization;

namespace Store.Faster.Changes;

/// <summary>Takes a change of the log, in the shape of the program's types.</summary>
/// <param name="record">Its record; valid during the call.</param>
/// <param name="change">The change; valid during the call.</param>
internal delegate void TakeChange(in LogRecord record, in Change change);

/// <summary>The changes of one keyed state in the log, as a replay reads them. Used by one thread.</summary>
/// <param name="log">The log.</param>
/// <param name="format">What changes look like in it.</param>
/// <param name="options">Settings: the page size is the largest change's limit.</param>
/// <param name="path">The folder of the keyed state, for messages.</param>
/// <param name="token">Noticed before each record.</param>
internal sealed class LoggedChanges(IChangeLog log, ChangeFormat format, FasterOptions options, string path, CancellationToken token)
{
    private readonly ArrayBufferWriter<byte> _mapped = new();

    /// <summary>Goes through all records from one on, in order, to the log's end.</summary>
    /// <param name="from">Sequence of the first.</param>
    /// <param name="take">Takes each change; null where it is enough that a replay could.</param>
    /// <param name="passed">Told the sequence of each record, of whatever kind, when it is done with.</param>
    /// <returns>Sequence of the last record.</returns>
    /// <exception cref="StoreCorruptException">Records are missing or damaged.</exception>
    /// <exception cref="SchemaMismatchException">A change cannot be read as the program's types.</exception>
    /// <exception cref="RecordTooLargeException">A change does not fit a page.</exception>
    /// <exception cref="NinoSerializationException">A change is damaged.</exception>
    /// <exception cref="OperationCanceledException">It was given up.</exception>
    public long Read(long from, TakeChange? take = null, Action<long>? passed = null)
    {
        long next = from, last = log.LastSequence;
        foreach (LogRecord record in log.Read(next))
        {
            token.ThrowIfCancellationRequested();
            if (record.Sequence != next) throw new StoreCorruptException($"Record {record.Sequence} of the log follows {next - 1}: the keyed state '{format.Name}' cannot be rebuilt over a gap.", path);
            next++;
            if (record.Schema.Name == format.Schema.Name)
            {
                Change change = Parse(record);
                take?.Invoke(record, change);
            }

            passed?.Invoke(record.Sequence);
        }

        if (next <= last) throw new StoreCorruptException($"The log ends at record {next - 1} where {last} was promised; the keyed state '{format.Name}' cannot be rebuilt.", path);
        return next - 1;
    }

    private Change Parse(in LogRecord record)
    {
        Change change = ChangeFormat.Take(format.Read(record, _mapped, out ChangeParts parts).Span, parts);
        if (change.Operation == ChangeOperation.Put && !FasterEngine.Fits(options.PageSizeBytes, change.Key.Length, change.Value.Length))
        {
            throw new RecordTooLargeException($"Record {record.Sequence} of the log, a change of '{format.Name}', does not fit a page. "
                + $"Open it with the {nameof(FasterOptions)}.{nameof(FasterOptions.PageSizeBytes)} it was written with, or a larger one.");
        }

        return change;
    }
}
