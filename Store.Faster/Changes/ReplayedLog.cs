using Store.Serialization;

namespace Store.Faster.Changes;

/// <summary>A log as far as it was replayed: what a checkpoint that opening writes takes for the whole log. Nothing is appended to it, and it releases nothing: until the state is open, what it was begun with may be needed again.</summary>
/// <param name="log">The log.</param>
internal sealed class ReplayedLog(IChangeLog log) : IChangeLog
{
    public Guid StoreId => log.StoreId;

    /// <summary>Sequence of the last record that was replayed.</summary>
    public long LastSequence { get; set; }

    public long Since => log.Since;

    public IEnumerable<LogRecord> Read(long fromSequence) => log.Read(fromSequence);

    public ValueTask CommitAsync(CancellationToken cancellationToken) => log.CommitAsync(cancellationToken);

    public void BeginsWithFiles() => log.BeginsWithFiles();

    public void FailureWasOnlyLogged() => log.FailureWasOnlyLogged();

    public long Append(NinoSchema schema, ReadOnlySpan<byte> record) => throw Replaying();

    public long AppendBatch(NinoSchema schema, ReadOnlySpan<byte> records, int count) => throw Replaying();

    public ValueTask<long> WaitAsync(long sequence, CancellationToken cancellationToken = default) => throw Replaying();

    private static InvalidOperationException Replaying() => new("A keyed state that is being opened changes nothing.");
}
