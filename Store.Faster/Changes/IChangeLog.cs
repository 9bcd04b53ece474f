using Store.Serialization;

namespace Store.Faster.Changes;

/// <summary>The write-ahead log of a keyed state, as much as is needed of it. NinoStore stands behind it; tests put a log of their own there.</summary>
internal interface IChangeLog
{
    /// <summary>Identity of the store whose log this is.</summary>
    Guid StoreId { get; }

    /// <summary>Sequence of the last record, of whatever kind; 0 when there is none.</summary>
    long LastSequence { get; }

    /// <summary>Appends a record; the bytes are copied.</summary>
    long Append(NinoSchema schema, ReadOnlySpan<byte> record);

    /// <summary>Completes with a sequence when everything appended so far is as durable as the store's options say.</summary>
    ValueTask<long> WaitAsync(long sequence);

    /// <summary>Appends records, each with its length in front as a compact number, as one frame.</summary>
    /// <returns>Sequence of the first.</returns>
    long AppendBatch(NinoSchema schema, ReadOnlySpan<byte> records, int count);

    /// <summary>Reads records of all kinds from a sequence on, in order, up to the last one appended before the call. A record's bytes are valid until the next one is taken.</summary>
    IEnumerable<LogRecord> Read(long fromSequence);

    /// <summary>Completes when everything appended so far survives a power failure.</summary>
    ValueTask CommitAsync(CancellationToken cancellationToken);

    /// <summary>From now on retention keeps the records after a sequence for a keyed state, over restarts; durable on return. A log without retention need not do anything.</summary>
    void Keep(string name, long afterSequence)
    {
    }
}

/// <summary>NinoStore's log.</summary>
internal sealed class NinoStoreChangeLog(NinoStore store) : IChangeLog
{
    public Guid StoreId => store.StoreId;

    public long LastSequence => store.LastSequence;

    public long Append(NinoSchema schema, ReadOnlySpan<byte> record) => store.AppendRecord(schema, record);

    public ValueTask<long> WaitAsync(long sequence) => store.Opened.Log.WaitAsync(store.Options.Durability, sequence);

    public long AppendBatch(NinoSchema schema, ReadOnlySpan<byte> records, int count) => store.Opened.Log.AppendBatch(schema, records, count);

    public IEnumerable<LogRecord> Read(long fromSequence) => store.ReadRecords(fromSequence);

    public ValueTask CommitAsync(CancellationToken cancellationToken) => store.CommitAsync(cancellationToken);

    public void Keep(string name, long afterSequence) => store.KeepForKeyedState(name, afterSequence);
}
