using Store.Serialization;

namespace Store;

/// <summary>
/// An embedded store: an append log of typed records and snapshots of state in one folder. One writer at a time (a lock file); any number of
/// readers. All members are safe for any number of threads.
/// </summary>
public sealed class NinoStore : IAsyncDisposable, IDisposable
{
    /// <summary>Opens the store in a folder, creating it or recovering it after a crash. A path that names a file, or ends in an extension, opens the one-file form (<see cref="NinoLog"/> tells more).</summary>
    public static NinoStore Open(string path, NinoStoreOptions? options = null) => throw new NotImplementedException();

    /// <summary>What opening found and did.</summary>
    public RecoveryReport Recovery => throw new NotImplementedException();

    /// <summary>The folder or file.</summary>
    public string Path => throw new NotImplementedException();

    /// <summary>Identity of the store, written into every file.</summary>
    public Guid StoreId => throw new NotImplementedException();

    /// <summary>Sequence of the last record appended; 0 when there is none.</summary>
    public long LastSequence => throw new NotImplementedException();

    /// <summary>Highest sequence known to survive a power failure.</summary>
    public long DurableSequence => throw new NotImplementedException();

    /// <summary>Appends a record to the buffer and returns its sequence at once. Durable after the next commit; written to the operating system within <see cref="NinoStoreOptions.FlushIntervalMs"/>.</summary>
    public long Append<T>(T value) => throw new NotImplementedException();

    /// <summary>Appends a record that is already serialized. The bytes are copied; they must be a record of the schema (not checked).</summary>
    public long AppendRecord(NinoSchema schema, ReadOnlySpan<byte> record) => throw new NotImplementedException();

    /// <summary>Appends records as one frame: after a crash all of them are there, or none. Returns the sequence of the first.</summary>
    public long AppendBatch<T>(ReadOnlySpan<T> values) => throw new NotImplementedException();

    /// <inheritdoc cref="AppendBatch{T}(ReadOnlySpan{T})"/>
    public long AppendBatch<T>(IReadOnlyList<T> values) => throw new NotImplementedException();

    /// <summary>Appends a record and completes when it is as durable as <see cref="NinoStoreOptions.Durability"/> says; concurrent callers share one sync. Cancelling gives up the wait, never the write.</summary>
    public ValueTask<long> AppendAsync<T>(T value, CancellationToken cancellationToken = default) => throw new NotImplementedException();

    /// <summary>Completes when everything appended before the call is on the disk. Cancelling gives up the wait, never the write.</summary>
    public ValueTask CommitAsync(CancellationToken cancellationToken = default) => throw new NotImplementedException();

    /// <summary>Reads the records of one type, from a sequence on, up to what was appended when the enumeration began. Records of other types are skipped.</summary>
    public IEnumerable<LogRecord<T>> Read<T>(long fromSequence = 1) => throw new NotImplementedException();

    /// <summary>Reads records of all types as they are stored.</summary>
    public IEnumerable<LogRecord> ReadRecords(long fromSequence = 1) => throw new NotImplementedException();

    /// <summary>As <see cref="Read{T}"/>, without blocking the caller on the disk.</summary>
    public IAsyncEnumerable<LogRecord<T>> ReadAsync<T>(long fromSequence = 1, CancellationToken cancellationToken = default) => throw new NotImplementedException();

    /// <summary>Writes a snapshot of the state, linked to the last sequence appended before the call; durable on return, and so is the log up to that sequence. The state must not change meanwhile.</summary>
    public ValueTask<SnapshotInfo> CheckpointAsync<T>(T state, CancellationToken cancellationToken = default) => throw new NotImplementedException();

    /// <summary>Restores the newest valid snapshot of <typeparamref name="TState"/> (or a new one) and applies every later record of <typeparamref name="TRecord"/>.</summary>
    public ValueTask<TState> RestoreAsync<TState, TRecord>(Func<TState, TRecord, TState> apply, CancellationToken cancellationToken = default) where TState : new() => throw new NotImplementedException();

    /// <inheritdoc cref="RestoreAsync{TState, TRecord}(Func{TState, TRecord, TState}, CancellationToken)"/>
    public ValueTask<TState> RestoreAsync<TState, TRecord>(Action<TState, TRecord> apply, CancellationToken cancellationToken = default) where TState : class, new() => throw new NotImplementedException();

    /// <summary>As the typed form, over records of all types. A record's payload is valid only inside <paramref name="apply"/>.</summary>
    public ValueTask<TState> RestoreAsync<TState>(Action<TState, LogRecord> apply, CancellationToken cancellationToken = default) where TState : class, new() => throw new NotImplementedException();

    /// <summary>Commits everything and closes. Afterwards every member throws <see cref="ObjectDisposedException"/>.</summary>
    public ValueTask DisposeAsync() => throw new NotImplementedException();

    /// <inheritdoc cref="DisposeAsync"/>
    public void Dispose() => throw new NotImplementedException();
}

/// <summary>The one-file form of a log: for bulk export and for shipping a log to somebody.</summary>
public static class NinoLog
{
    /// <summary>Creates a log in one new file; disposing it seals the file to its exact size.</summary>
    public static NinoStore Create(string path, NinoStoreOptions? options = null) => throw new NotImplementedException();
}

/// <summary>A snapshot that was written or found.</summary>
/// <param name="FileName">Its file.</param>
/// <param name="Sequence">Last sequence whose effect it holds.</param>
/// <param name="Timestamp">When it was written (UTC).</param>
/// <param name="LengthBytes">Size of the file.</param>
/// <param name="TypeName">Schema name of the state.</param>
public sealed record SnapshotInfo(string FileName, long Sequence, DateTimeOffset Timestamp, long LengthBytes, string TypeName);
