using Store.KeyValue;
using Store.Serialization;

namespace Store.Faster.Changes;

/// <summary>The write-ahead log of a keyed state, as much as is needed of it. NinoStore stands behind it; tests put a log of their own there.</summary>
internal interface IChangeLog
{
    /// <summary>Identity of the store whose log this is.</summary>
    Guid StoreId { get; }

    /// <summary>Sequence of the last record, of whatever kind; 0 when there is none.</summary>
    long LastSequence { get; }

    /// <summary>Largest record it takes, alone or in a batch.</summary>
    int MaxRecordSizeBytes => int.MaxValue;

    /// <summary>Appends a record; the bytes are copied.</summary>
    long Append(NinoSchema schema, ReadOnlySpan<byte> record);

    /// <summary>Completes with a sequence when everything appended so far is as durable as the store's options say.</summary>
    ValueTask<long> WaitAsync(long sequence, CancellationToken cancellationToken = default);

    /// <summary>Appends records, each with its length in front as a compact number, as one frame.</summary>
    /// <returns>Sequence of the first.</returns>
    long AppendBatch(NinoSchema schema, ReadOnlySpan<byte> records, int count);

    /// <summary>Reads records of all kinds from a sequence on, in order, up to the last one appended before the call. A record's bytes are valid until the next one is taken.</summary>
    IEnumerable<LogRecord> Read(long fromSequence);

    /// <summary>Completes when everything appended so far survives a power failure.</summary>
    ValueTask CommitAsync(CancellationToken cancellationToken);

    /// <summary>Says that what the last call threw reached a logger only: a log that failed tells it when it is closed.</summary>
    void FailureWasOnlyLogged()
    {
    }

    /// <summary>Sequence behind which the changes of the keyed state begin; 0 for the log's first record.</summary>
    long Since => 0;

    /// <summary>From now on retention keeps the records after a sequence only, over restarts too; durable on return. A log without retention need not do anything.</summary>
    void KeepAfter(long sequence)
    {
    }

    /// <summary>The keyed state has begun, even if it cannot be opened to the end: what it has is in files that need the log behind them.</summary>
    void BeginsWithFiles()
    {
    }

    /// <summary>From now on retention keeps the records after a sequence again; durable on return. Called before the checkpoints go that made them superfluous.</summary>
    void KeepAgain(long sequence)
    {
    }
}

/// <summary>NinoStore's log.</summary>
/// <param name="store">The store.</param>
/// <param name="holding">What the keyed state holds of it.</param>
internal sealed class NinoStoreChangeLog(NinoStore store, KeyValueHolding holding) : IChangeLog
{
    public Guid StoreId => store.StoreId;

    public long LastSequence => store.LastSequence;

    public int MaxRecordSizeBytes => store.Options.MaxRecordSizeBytes;

    public long Append(NinoSchema schema, ReadOnlySpan<byte> record) => store.Opened.Log.Append(schema, record, by: holding.Changes);

    public ValueTask<long> WaitAsync(long sequence, CancellationToken cancellationToken = default) => store.Opened.Log.WaitAsync(store.Options.Durability, sequence, cancellationToken, isAppended: true);

    public long AppendBatch(NinoSchema schema, ReadOnlySpan<byte> records, int count) => store.Opened.Log.AppendBatch(schema, records, count, by: holding.Changes);

    public IEnumerable<LogRecord> Read(long fromSequence) => store.ReadRecords(fromSequence);

    public ValueTask CommitAsync(CancellationToken cancellationToken) => store.CommitAsync(cancellationToken);

    public long Since => holding.Mark.Since;

    public void KeepAfter(long sequence) => holding.Mark.Advance(sequence);

    public void BeginsWithFiles() => holding.HasBegun = true;

    public void FailureWasOnlyLogged() => store.Opened.Log.Failure.WasOnlyLogged();

    public void KeepAgain(long sequence) => store.KeepBehind(holding.Mark, sequence);
}
