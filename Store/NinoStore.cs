// The facade: checks arguments, serializes outside the log's gate, and hands on. No byte logic, no files.

using System.IO.Pipelines;
using Store.Backup;
using Store.Buffers;
using Store.Framing;
using Store.IO;
using Store.Log;
using Store.Reading;
using Store.Retention;
using Store.Serialization;
using Store.Snapshots;

namespace Store;

/// <summary>
/// An embedded store: an append log of typed records and snapshots of state in one folder. One writer at a time (a lock file); any number of
/// readers. All members are safe for any number of threads.
/// </summary>
public sealed class NinoStore : IAsyncDisposable, IDisposable
{
    internal const int MaxBatchBytes = 256 * 1024 * 1024;

    private readonly OpenedStore _opened;
    private readonly AppendLog _log;
    private readonly SnapshotStore _snapshots;
    private readonly NinoStoreOptions _options;
    private readonly LogReading _reading;
    private int _disposed;

    internal NinoStore(OpenedStore opened, NinoStoreOptions options)
    {
        _opened = opened;
        _log = opened.Log;
        _snapshots = opened.Snapshots;
        _options = options;
        _reading = new LogReading(new LiveLogFiles(opened.Directory, opened.Log), HorizonOf, options.RunsInline);
        Recovery = opened.Report;
    }

    /// <summary>
    /// Opens a store, creating it or recovering it after a crash. A path that names an existing file, or that does not exist and has an extension, is a
    /// one-file log (see <see cref="NinoLog"/>); any other is a folder.
    /// </summary>
    /// <param name="path">Folder or file.</param>
    /// <param name="options">Settings, or null for the defaults.</param>
    /// <exception cref="StoreInUseException">Somebody else has it open for writing.</exception>
    /// <exception cref="StoreCorruptException">Acknowledged records are damaged or missing, or the file is none of ours. Nothing was changed.</exception>
    /// <exception cref="StoreVersionException">A newer version wrote it. Nothing was changed.</exception>
    /// <exception cref="StoreReadOnlyException">The folder cannot be written.</exception>
    /// <exception cref="IOException">The disk fails.</exception>
    public static NinoStore Open(string path, NinoStoreOptions? options = null) => StoreOpener.Open(path, options ?? new NinoStoreOptions(), mustBeNewFile: false);

    /// <summary>What opening found and did; after a restore also what that did.</summary>
    public RecoveryReport Recovery { get; private set; }

    /// <summary>The folder or file.</summary>
    public string Path => _opened.Path;

    /// <summary>Identity of the store, written into every file.</summary>
    public Guid StoreId => _opened.StoreId;

    /// <summary>Sequence of the first record that is still in the log, whether it is there yet or not: 1 until retention removes something.</summary>
    public long FirstSequence => _reading.FirstSequence;

    /// <summary>Sequence of the last record appended; 0 when there is none.</summary>
    public long LastSequence => _log.LastSequence;

    /// <summary>Highest sequence known to survive a power failure.</summary>
    public long DurableSequence => _log.DurableSequence;

    /// <summary>The snapshots that are whole, newest first. Their data is not read.</summary>
    public IReadOnlyList<SnapshotInfo> Snapshots => _snapshots.List();

    /// <summary>The folder's files, for engines that keep their own beside the log.</summary>
    internal OpenedStore Opened => _opened;

    internal NinoStoreOptions Options => _options;

    /// <summary>What was opened on this store: checkpointed with it and closed before its log.</summary>
    internal StoreCompanions Companions { get; } = new();

    /// <summary>
    /// Appends a record to the buffer and returns its sequence at once. Written to the operating system within
    /// <see cref="NinoStoreOptions.FlushIntervalMs"/>, durable after the next commit. Allocates nothing.
    /// </summary>
    /// <param name="value">The record; may change as soon as the call returns.</param>
    /// <exception cref="ArgumentNullException">The value is null.</exception>
    /// <exception cref="NinoTypeNotRegisteredException">No generated code knows the type.</exception>
    /// <exception cref="RecordTooLargeException">Larger than <see cref="NinoStoreOptions.MaxRecordSizeBytes"/>.</exception>
    /// <exception cref="NinoSerializationException">The value has no encoding, for example because it contains itself.</exception>
    /// <exception cref="StoreFailedException">A write failed earlier.</exception>
    public long Append<T>(T value) => AppendCore(in value, 0);

    /// <summary>As <see cref="Append{T}(T)"/>, only if the record gets the given sequence: for writers that decided on what the log held before it.</summary>
    /// <param name="value">The record.</param>
    /// <param name="expectedSequence">From 1 on: one more than the last sequence that was taken into account.</param>
    /// <exception cref="SequenceConflictException">Somebody appended since. Nothing was appended.</exception>
    /// <inheritdoc cref="Append{T}(T)" path="/exception"/>
    public long Append<T>(T value, long expectedSequence)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(expectedSequence, 1);
        return AppendCore(in value, expectedSequence);
    }

    /// <summary>Appends a record that is already serialized. The bytes are copied; that they are a record of the schema is not checked.</summary>
    /// <inheritdoc cref="Append{T}(T)" path="/exception"/>
    public long AppendRecord(NinoSchema schema, ReadOnlySpan<byte> record)
    {
        ArgumentNullException.ThrowIfNull(schema);
        return _log.Append(schema, record);
    }

    /// <summary>
    /// Appends records as one frame: after a crash all of them are there, or none. As durable as <see cref="Append{T}(T)"/>. Returns the sequence of the first;
    /// of an empty batch, the sequence that the next record will get.
    /// </summary>
    /// <exception cref="ArgumentNullException">A value is null; nothing was appended.</exception>
    /// <exception cref="RecordTooLargeException">A record is too large, or all together exceed 256 MiB; nothing was appended.</exception>
    /// <inheritdoc cref="Append{T}(T)" path="/exception"/>
    public long AppendBatch<T>(ReadOnlySpan<T> values) => AppendBatchCore(values, 0);

    /// <summary>As <see cref="AppendBatch{T}(ReadOnlySpan{T})"/>, only if the first record gets the given sequence.</summary>
    /// <exception cref="SequenceConflictException">Somebody appended since. Nothing was appended.</exception>
    /// <inheritdoc cref="AppendBatch{T}(ReadOnlySpan{T})" path="/exception"/>
    public long AppendBatch<T>(ReadOnlySpan<T> values, long expectedSequence)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(expectedSequence, 1);
        return AppendBatchCore(values, expectedSequence);
    }

    private long AppendBatchCore<T>(ReadOnlySpan<T> values, long expectedSequence)
    {
        NinoCodec<T> codec = NinoCodec<T>.Default;
        RecordBuffer buffer = RecordBuffer.Rent(MaxBatchBytes, "batch");
        try
        {
            int prefix = 1;
            foreach (ref readonly T value in values) prefix = AddToBatch(buffer, codec, in value, prefix);
            return _log.AppendBatch(codec.Schema, buffer.WrittenWithinLimit, values.Length, expectedSequence);
        }
        finally
        {
            buffer.Return();
        }
    }

    /// <inheritdoc cref="AppendBatch{T}(ReadOnlySpan{T})"/>
    public long AppendBatch<T>(IReadOnlyList<T> values)
    {
        ArgumentNullException.ThrowIfNull(values);
        NinoCodec<T> codec = NinoCodec<T>.Default;
        RecordBuffer buffer = RecordBuffer.Rent(MaxBatchBytes, "batch");
        try
        {
            int prefix = 1;
            int count = values.Count;
            for (int i = 0; i < count; i++)
            {
                T value = values[i];
                prefix = AddToBatch(buffer, codec, in value, prefix);
            }

            return _log.AppendBatch(codec.Schema, buffer.WrittenWithinLimit, count);
        }
        finally
        {
            buffer.Return();
        }
    }

    /// <summary>
    /// Appends a record and completes when it is as durable as <see cref="NinoStoreOptions.Durability"/> says (default: on the disk); concurrent callers share
    /// one sync. Cancelling gives up the wait, never the write.
    /// </summary>
    /// <returns>The sequence of the record.</returns>
    /// <inheritdoc cref="Append{T}(T)" path="/exception"/>
    public ValueTask<long> AppendAsync<T>(T value, CancellationToken cancellationToken = default) => AppendCoreAsync(in value, 0, cancellationToken);

    /// <summary>As <see cref="AppendAsync{T}(T, CancellationToken)"/>, only if the record gets the given sequence: for writers that decided on what the log held before it.</summary>
    /// <inheritdoc cref="Append{T}(T, long)" path="/param"/>
    /// <exception cref="SequenceConflictException">Somebody appended since. Nothing was appended.</exception>
    /// <inheritdoc cref="Append{T}(T)" path="/exception"/>
    public ValueTask<long> AppendAsync<T>(T value, long expectedSequence, CancellationToken cancellationToken = default)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(expectedSequence, 1);
        return AppendCoreAsync(in value, expectedSequence, cancellationToken);
    }

    /// <summary>
    /// The log as a plain <see cref="PipeWriter"/>, for bytes that are nobody's type: what is written between two flushes is one record, which <c>Read&lt;byte[]&gt;</c> gives back. A flush completes
    /// when the record is as durable as <see cref="NinoStoreOptions.Durability"/> says. Any number of writers at a time, each for one thread; completing one leaves the store open.
    /// </summary>
    /// <exception cref="ObjectDisposedException">The store is disposed.</exception>
    public PipeWriter OpenPipe()
    {
        ObjectDisposedException.ThrowIf(_disposed != 0, this);
        return new RecordPipeWriter(_log, _options.MaxRecordSizeBytes, _options.Durability);
    }

    /// <summary>Completes when everything appended before the call is on the disk; concurrent callers share one sync. Cancelling gives up the wait, never the write.</summary>
    /// <exception cref="StoreFailedException">A write failed: what was not yet acknowledged may be lost.</exception>
    public ValueTask CommitAsync(CancellationToken cancellationToken = default)
    {
        cancellationToken.ThrowIfCancellationRequested();
        ValueTask commit = _log.CommitAsync();
        return !cancellationToken.CanBeCanceled || commit.IsCompleted ? commit : new ValueTask(commit.AsTask().WaitAsync(cancellationToken));
    }

    /// <summary>
    /// As <see cref="CommitAsync"/>, blocking. The calling thread writes and syncs itself unless that is under way, which is the quickest way to the disk for a single writer.
    /// </summary>
    /// <exception cref="StoreFailedException">A write failed: what was not yet acknowledged may be lost.</exception>
    public void Commit() => _log.Wait(Durability.Disk);

    /// <summary>
    /// Reads the records of one type, from a sequence on, up to what was appended when the enumeration began (your own writes included, committed or not).
    /// Records of other types are skipped; those stored in an earlier shape of the type are read into the present one. Reading never holds up appends.
    /// </summary>
    /// <exception cref="SchemaMismatchException">Records of the type are stored in a shape that cannot be read as the one it has now.</exception>
    /// <exception cref="NinoSerializationException">A record holds a value that the type cannot.</exception>
    /// <exception cref="StoreCorruptException">A record in the range, or one shortly before it, is damaged; records before it have been returned.</exception>
    /// <exception cref="LogTruncatedException">Retention removed what follows while it was read.</exception>
    /// <exception cref="StoreFailedException">A write failed earlier: open the store again to read what it holds.</exception>
    public IEnumerable<LogRecord<T>> Read<T>(long fromSequence = 1) => Read<T>(From(fromSequence));

    /// <summary>As <see cref="Read{T}(long)"/>, by sequence, by time, in either direction. <see cref="ReadOptions.Types"/> is not looked at.</summary>
    /// <inheritdoc cref="Read{T}(long)" path="/exception"/>
    public IEnumerable<LogRecord<T>> Read<T>(ReadOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        ObjectDisposedException.ThrowIf(_disposed != 0, this);
        return _reading.Values<T>(options);
    }

    /// <summary>As <see cref="Read{T}(long)"/>, records of all types as they are stored. A record's payload is valid until the enumerator moves on.</summary>
    public IEnumerable<LogRecord> ReadRecords(long fromSequence = 1) => ReadRecords(From(fromSequence));

    /// <summary>As <see cref="ReadRecords(long)"/>, by sequence, by time, by type, in either direction.</summary>
    /// <inheritdoc cref="Read{T}(long)" path="/exception"/>
    public IEnumerable<LogRecord> ReadRecords(ReadOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        ObjectDisposedException.ThrowIf(_disposed != 0, this);
        return _reading.Records(options);
    }

    /// <summary>As <see cref="Read{T}(long)"/>, reading ahead on the thread pool (about 1 MiB, at least a record) so that the caller never waits on the disk.</summary>
    public IAsyncEnumerable<LogRecord<T>> ReadAsync<T>(long fromSequence = 1, CancellationToken cancellationToken = default) => ReadAsync<T>(From(fromSequence), cancellationToken);

    /// <summary>As <see cref="ReadAsync{T}(long, CancellationToken)"/>, by sequence, by time, in either direction.</summary>
    public IAsyncEnumerable<LogRecord<T>> ReadAsync<T>(ReadOptions options, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(options);
        ObjectDisposedException.ThrowIf(_disposed != 0, this);
        return _reading.ValuesAsync<T>(options, cancellationToken);
    }

    /// <summary>
    /// Follows the log: returns the records of one type that are there and then those that come, in order, without gap or duplicate, as soon as they have reached
    /// the operating system (a commit, or <see cref="NinoStoreOptions.FlushIntervalMs"/>; with <see cref="ReadOptions.DurableOnly"/> the disk). Ends when the store
    /// is disposed, with the last sequence of the range, or when the token is cancelled. Waits without polling.
    /// </summary>
    /// <param name="fromSequence">First sequence; where retention has removed it, following begins with the first record that is kept.</param>
    /// <param name="cancellationToken">Ends the following with an <see cref="OperationCanceledException"/>.</param>
    /// <exception cref="LogTruncatedException">Retention removed what follows: the follower is too slow, and no cursor held the log.</exception>
    /// <exception cref="StoreFailedException">A write failed; what was in the files before has been returned.</exception>
    public IAsyncEnumerable<LogRecord<T>> TailAsync<T>(long fromSequence = 1, CancellationToken cancellationToken = default) => TailAsync<T>(From(fromSequence), cancellationToken);

    /// <summary>As <see cref="TailAsync{T}(long, CancellationToken)"/>, from a time on, up to a sequence or time, or durable records only.</summary>
    /// <inheritdoc cref="TailAsync{T}(long, CancellationToken)" path="/exception"/>
    public IAsyncEnumerable<LogRecord<T>> TailAsync<T>(ReadOptions options, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(options);
        return Follow(options with { Types = NinoCodec<T>.Default.Schema.Names }, mustReachBack: false, static (in ScannedRecord record) => new LogRecord<T>(record.Sequence, record.Timestamp, record.As<T>()), cancellationToken);
    }

    /// <summary>As <see cref="TailAsync{T}(long, CancellationToken)"/>, from behind a cursor's position, which must be in the log. Commit the cursor to move it.</summary>
    /// <inheritdoc cref="TailAsync{T}(long, CancellationToken)" path="/exception"/>
    public IAsyncEnumerable<LogRecord<T>> TailAsync<T>(LogCursor cursor, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(cursor);
        var options = new ReadOptions { FromSequence = cursor.Position + 1, Types = NinoCodec<T>.Default.Schema.Names };
        return Follow(options, mustReachBack: true, static (in ScannedRecord record) => new LogRecord<T>(record.Sequence, record.Timestamp, record.As<T>()), cancellationToken);
    }

    /// <summary>As <see cref="TailAsync{T}(ReadOptions, CancellationToken)"/>, records of all types as they are stored. Their bytes are the caller's.</summary>
    /// <inheritdoc cref="TailAsync{T}(long, CancellationToken)" path="/exception"/>
    public IAsyncEnumerable<LogRecord> TailRecordsAsync(ReadOptions? options = null, CancellationToken cancellationToken = default) =>
        Follow(options ?? ReadOptions.All, mustReachBack: false, static (in ScannedRecord record) => new LogRecord(record.Sequence, record.Timestamp, record.Schema, record.Payload.ToArray()), cancellationToken);

    /// <summary>
    /// The fastest way through the log: records as they are stored, verified, without a copy and without garbage, for <c>foreach</c> on one thread.
    /// <see cref="LogScan"/> says how long a record's bytes are valid.
    /// </summary>
    /// <param name="options">Which records; all when null.</param>
    /// <exception cref="ArgumentException">The options ask for the newest record first.</exception>
    /// <exception cref="StoreFailedException">A write failed earlier: open the store again to read what it holds.</exception>
    public LogScan Scan(ReadOptions? options = null)
    {
        ObjectDisposedException.ThrowIf(_disposed != 0, this);
        return _reading.Scan(options ?? ReadOptions.All);
    }

    /// <summary>
    /// Writes a snapshot of the state, linked to the last sequence appended before the call. Durable on return, and so is the log up to that sequence. The
    /// state must not change meanwhile; appends may go on.
    /// </summary>
    /// <remarks>Keyed states and state holders that are open on this store are checkpointed after it, as by <see cref="CheckpointAllAsync"/>.</remarks>
    /// <param name="state">The state that results from the records up to now.</param>
    /// <param name="cancellationToken">Cancelling before the snapshot is complete leaves nothing behind.</param>
    /// <exception cref="InvalidOperationException">The store is a one-file log, which holds no snapshots.</exception>
    /// <exception cref="IOException">Writing failed; earlier snapshots stay.</exception>
    public ValueTask<SnapshotInfo> CheckpointAsync<T>(T state, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(state);
        ThrowIfOneFile();
        return CheckpointCoreAsync([new SnapshotState<T>("", NinoCodec<T>.Default, state)], null, cancellationToken);
    }

    /// <summary>
    /// Writes a snapshot of named parts, values and streams of items larger than memory, linked to the last sequence appended before the call. Durable on return, and so is the
    /// log up to that sequence. Memory: about 2 MiB and 20 bytes for each 64 KiB written. The parts must not change meanwhile; appends may go on. Generations are counted by the type
    /// of the first part.
    /// </summary>
    /// <param name="parts">What it holds.</param>
    /// <param name="progress">Told at every MiB written and at the end of each part, on the writing thread.</param>
    /// <param name="cancellationToken">Noticed at every item and every MiB; cancelling before the snapshot is complete leaves nothing behind.</param>
    /// <exception cref="InvalidOperationException">There is no part, or the store is a one-file log, which holds no snapshots.</exception>
    /// <exception cref="IOException">Writing failed; earlier snapshots stay.</exception>
    public ValueTask<SnapshotInfo> CheckpointPartsAsync(SnapshotParts parts, IProgress<SnapshotProgress>? progress = null, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(parts);
        ThrowIfOneFile();
        return CheckpointCoreAsync(parts.Create(), progress, cancellationToken);
    }

    /// <summary>
    /// Opens the newest snapshot that can be used: mapped, its description verified, in microseconds whatever its size. Read the records behind its
    /// <see cref="SnapshotInfo.Sequence"/> after it. Those passed over are in <see cref="Recovery"/>. With <see cref="SnapshotVerification.OnFirstTouch"/> damaged data shows when it is read.
    /// </summary>
    /// <param name="typeName">Only snapshots of this type (<see cref="SnapshotInfo.TypeName"/>), or null for any.</param>
    /// <param name="verification">When the data is verified.</param>
    /// <returns>The snapshot, which the caller disposes, or null when there is none.</returns>
    public SnapshotFile? OpenSnapshot(string? typeName = null, SnapshotVerification verification = SnapshotVerification.OnFirstTouch) =>
        OpenSnapshot(typeName is null ? null : [typeName], verification);

    /// <summary>As the other form, only snapshots of a state of <typeparamref name="TState"/>, under its name or a former one.</summary>
    /// <inheritdoc cref="OpenSnapshot(string?, SnapshotVerification)"/>
    public SnapshotFile? OpenSnapshot<TState>(SnapshotVerification verification = SnapshotVerification.OnFirstTouch) => OpenSnapshot(NinoCodec<TState>.Default.Schema.Names, verification);

    private SnapshotFile? OpenSnapshot(IReadOnlyCollection<string>? typeNames, SnapshotVerification verification)
    {
        ObjectDisposedException.ThrowIf(_disposed != 0, this);
        ThrowIfOneFile();
        List<StoreDamage> damage = [];
        SnapshotFile? file = _snapshots.OpenNewest(typeNames, verification, _log.LastSequence, damage);
        Recovery = Recovery with { SnapshotUsed = file?.Info.FileName, Damage = [.. _opened.Report.Damage, .. damage] };
        return file;
    }

    /// <summary>
    /// Checkpoints everything that was opened on this store: keyed states and state holders. Each is cut at a sequence of its own, when its turn comes, and durable when its turn is over; the first
    /// failure ends it. Opening brings all of them to the end of the log, so they agree again whatever their cuts were; the caller holds nothing still (docs/state.md, "consistent cuts").
    /// </summary>
    public ValueTask CheckpointAllAsync(CancellationToken cancellationToken = default)
    {
        ObjectDisposedException.ThrowIf(_disposed != 0, this);
        return Companions.CheckpointAsync(cancellationToken);
    }

    /// <summary>
    /// Restores the newest snapshot of <typeparamref name="TState"/> that is whole (or starts from a new state) and applies every later record of
    /// <typeparamref name="TRecord"/>. <see cref="Recovery"/> then tells which snapshot was used and what was damaged.
    /// </summary>
    /// <param name="apply">Gives the state after a record.</param>
    /// <param name="cancellationToken">Stops between records.</param>
    /// <exception cref="SchemaMismatchException">The snapshot or a record is stored in a shape that cannot be read as the one its type has now.</exception>
    public ValueTask<TState> RestoreAsync<TState, TRecord>(Func<TState, TRecord, TState> apply, CancellationToken cancellationToken = default) where TState : new()
    {
        ArgumentNullException.ThrowIfNull(apply);
        NinoSchema schema = NinoCodec<TRecord>.Default.Schema;
        return RestoreCoreAsync<TState>((state, record) => record.Is(schema) ? apply(state, record.As<TRecord>()) : state, cancellationToken);
    }

    /// <inheritdoc cref="RestoreAsync{TState, TRecord}(Func{TState, TRecord, TState}, CancellationToken)"/>
    public ValueTask<TState> RestoreAsync<TState, TRecord>(Action<TState, TRecord> apply, CancellationToken cancellationToken = default) where TState : class, new()
    {
        ArgumentNullException.ThrowIfNull(apply);
        return RestoreAsync<TState, TRecord>((state, record) =>
        {
            apply(state, record);
            return state;
        }, cancellationToken);
    }

    /// <summary>As the typed form, over records of all types. A record's payload is valid only inside <paramref name="apply"/>.</summary>
    public ValueTask<TState> RestoreAsync<TState>(Action<TState, LogRecord> apply, CancellationToken cancellationToken = default) where TState : class, new()
    {
        ArgumentNullException.ThrowIfNull(apply);
        return RestoreCoreAsync<TState>((state, record) =>
        {
            apply(state, record);
            return state;
        }, cancellationToken);
    }

    /// <summary>
    /// Removes old records: the segments that hold nothing but records below <paramref name="sequence"/>. What a snapshot, a cursor or a keyed state still needs
    /// stays, and so does the segment that is written. The removal is durable on return. Readers at work go on to the end of the segment they are in, and then
    /// get a <see cref="LogTruncatedException"/>.
    /// </summary>
    /// <param name="sequence">First sequence to keep.</param>
    /// <param name="ignore">What may be left without the records it needs: a state whose records are gone cannot be restored.</param>
    /// <exception cref="InvalidOperationException">The store is a one-file log, which is one segment.</exception>
    /// <exception cref="IOException">A file could not be removed. The log begins later all the same, and the next truncation or opening removes the file.</exception>
    public TruncateResult TruncateBefore(long sequence, RetentionHolds ignore = RetentionHolds.None)
    {
        ThrowUnlessFolder("is one segment, of which nothing can be removed");
        return _opened.Retention.TruncateBefore(sequence, ignore);
    }

    /// <summary>Removes what a policy gives up. As durable as <see cref="TruncateBefore"/>.</summary>
    /// <param name="policy">The policy; the one of <see cref="NinoStoreOptions.Retention"/> when null, which is applied by itself whenever a segment is begun.</param>
    /// <exception cref="InvalidOperationException">There is no policy, or the store is a one-file log.</exception>
    /// <inheritdoc cref="TruncateBefore" path="/exception"/>
    public TruncateResult ApplyRetention(RetentionPolicy? policy = null)
    {
        ThrowUnlessFolder("is one segment, of which nothing can be removed");
        return _opened.Retention.Apply(policy ?? _options.Retention ?? throw new InvalidOperationException("There is no policy: set NinoStoreOptions.Retention or pass one."));
    }

    /// <summary>The cursors of the store.</summary>
    public IReadOnlyList<CursorInfo> Cursors => _opened.IsOneFile ? [] : [.. _opened.Cursors.List().Where(static c => c.Kind == MarkerKind.Cursor).Select(static c => c.Info)];

    /// <summary>
    /// Opens a cursor: a position in the log that is kept under a name and holds back retention. A new one stands before the first record that is in the log,
    /// durable on return. Opening a name twice gives the same cursor.
    /// </summary>
    /// <param name="name">1 to 184 bytes of UTF-8.</param>
    /// <param name="position">Where a new cursor stands: the last sequence not to be read.</param>
    /// <exception cref="InvalidOperationException">The store is a one-file log.</exception>
    /// <exception cref="StoreCorruptException">Its file is damaged: delete the cursor and open it anew.</exception>
    /// <exception cref="IOException">Writing failed.</exception>
    public LogCursor OpenCursor(string name, long? position = null)
    {
        ThrowUnlessFolder("holds no cursors");
        ObjectDisposedException.ThrowIf(_disposed != 0, this);
        return _opened.Cursors.Open(name, MarkerKind.Cursor, position);
    }

    /// <summary>Deletes a cursor, damaged or not; durable on return. False when there is none.</summary>
    public bool DeleteCursor(string name)
    {
        ThrowUnlessFolder("holds no cursors");
        ObjectDisposedException.ThrowIf(_disposed != 0, this);
        return _opened.Cursors.Delete(name, MarkerKind.Cursor);
    }

    /// <summary>
    /// Copies the store to a folder while it goes on working: the log up to the last record appended before the call, the snapshots that it reaches and the
    /// cursors. The copy is a store that opens; it is durable on return. Into the folder of an earlier backup, only what is new is copied, and what the store has
    /// removed is removed. Every frame is verified before it is copied. Whatever interrupts it, the folder holds a store that opens. Truncations wait meanwhile.
    /// Files of keyed states are not copied: they are made anew from the log, which must reach back far enough for that.
    /// </summary>
    /// <param name="folder">The folder; created when it is not there.</param>
    /// <param name="cancellationToken">Stops between MiBs; the folder keeps what was copied.</param>
    /// <exception cref="InvalidOperationException">The store is a one-file log: copy the closed file.</exception>
    /// <exception cref="StoreInUseException">Somebody has the copy open.</exception>
    /// <exception cref="StoreException">The folder holds something else than an earlier backup of this store.</exception>
    /// <exception cref="StoreCorruptException">The log is damaged; what was copied before stays.</exception>
    /// <exception cref="IOException">Reading or writing failed.</exception>
    public ValueTask<BackupResult> BackupToAsync(string folder, CancellationToken cancellationToken = default)
    {
        ArgumentException.ThrowIfNullOrEmpty(folder);
        ThrowUnlessFolder("is copied as the file it is, when it is closed");
        ObjectDisposedException.ThrowIf(_disposed != 0, this);
        return RunAsync(() =>
        {
            using DiskDirectory target = DiskDirectory.Open(folder, create: true);
            return BackupTo(target, cancellationToken);
        }, cancellationToken);
    }

    /// <summary>As the public form, to a folder that need not be on a disk.</summary>
    internal BackupResult BackupTo(IStoreDirectory target, CancellationToken cancellationToken = default)
    {
        _log.Wait(Durability.Disk);
        return _opened.Retention.Without(() =>
        {
            using IDisposable held = target.TryLock(SegmentFormat.LockName) ?? throw new StoreInUseException($"{target.Name}: the copy is open for writing. Close it first.", target.Name);
            return new StoreBackup(_opened.Directory, StoreId, _log.Segments, _log.DurableSequence, target, cancellationToken).Run(_options.TimeProvider.GetUtcNow().UtcTicks);
        });
    }

    /// <summary>
    /// Lets go what is kept of the log for a keyed state that is no longer wanted; durable on return. Its files are the caller's to remove. A keyed state that is
    /// opened again holds the log again, and is refused when what it needs is gone by then. False when nothing was kept for it.
    /// </summary>
    public bool ForgetKeyedState(string name)
    {
        ThrowUnlessFolder("holds no keyed state");
        ObjectDisposedException.ThrowIf(_disposed != 0, this);
        return _opened.Cursors.Delete(name, MarkerKind.KeyedState);
    }

    /// <summary>Retention keeps the records after a sequence for a keyed state. Moves forward only.</summary>
    internal void KeepForKeyedState(string name, long afterSequence) => _opened.Cursors.Open(name, MarkerKind.KeyedState).Advance(afterSequence);

    /// <summary>Closes what was opened on it (keyed states, state holders), commits everything and closes. Afterwards members that read or write throw <see cref="ObjectDisposedException"/>.</summary>
    /// <exception cref="StoreFailedException">The last commit failed and nobody has been told yet.</exception>
    public void Dispose()
    {
        if (Interlocked.Exchange(ref _disposed, 1) != 0) return;
        try
        {
            Companions.Close();
        }
        finally
        {
            _opened.Dispose();
        }
    }

    /// <inheritdoc cref="Dispose"/>
    public ValueTask DisposeAsync() => new(_options.RunsInline ? DisposeInline() : Task.Run(Dispose));

    private Task DisposeInline()
    {
        Dispose();
        return Task.CompletedTask;
    }

    private long AppendCore<T>(in T value, long expectedSequence)
    {
        NinoCodec<T> codec = NinoCodec<T>.Default;
        RecordBuffer buffer = RecordBuffer.Rent(_options.MaxRecordSizeBytes);
        try
        {
            codec.Encode(buffer, in value);
            return _log.Append(codec.Schema, buffer.Written, expectedSequence);
        }
        finally
        {
            buffer.Return();
        }
    }

    private ValueTask<long> AppendCoreAsync<T>(in T value, long expectedSequence, CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        NinoCodec<T> codec = NinoCodec<T>.Default;
        RecordBuffer buffer = RecordBuffer.Rent(_options.MaxRecordSizeBytes);
        ValueTask<long> wait;
        try
        {
            codec.Encode(buffer, in value);
            wait = _log.AppendAsync(codec.Schema, buffer.Written, _options.Durability, expectedSequence);
        }
        finally
        {
            buffer.Return();
        }

        return !cancellationToken.CanBeCanceled || wait.IsCompleted ? wait : new ValueTask<long>(wait.AsTask().WaitAsync(cancellationToken));
    }

    private static ReadOptions From(long fromSequence)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(fromSequence, 1);
        return fromSequence == 1 ? ReadOptions.All : new ReadOptions { FromSequence = fromSequence };
    }

    // What may be read: everything appended so far, which is in the files when this returns.
    private long HorizonOf(ReadOptions options)
    {
        if (options.DurableOnly) return _log.DurableSequence;
        long last = _log.LastSequence;
        _log.Wait(Durability.PageCache);
        return last;
    }

    internal int AddToBatch<T>(RecordBuffer buffer, NinoCodec<T> codec, in T value, int prefix)
    {
        int start = buffer.BeginRecord(prefix);
        codec.Encode(buffer, in value);
        int length = buffer.Written.Length - start;
        if (length > _options.MaxRecordSizeBytes)
            throw new RecordTooLargeException($"A record of {length} bytes in the batch exceeds the limit of {_options.MaxRecordSizeBytes} (NinoStoreOptions.MaxRecordSizeBytes). Nothing was appended.");
        return buffer.EndRecord(start, prefix);
    }

    private async ValueTask<SnapshotInfo> CheckpointCoreAsync(IReadOnlyList<SnapshotContent> parts, IProgress<SnapshotProgress>? progress, CancellationToken cancellationToken)
    {
        long sequence = _log.LastSequence;
        cancellationToken.ThrowIfCancellationRequested();
        ValueTask<SnapshotInfo> write = _options.RunsInline ? WriteSnapshotAsync(parts, sequence, progress, cancellationToken) : new(Task.Run(() => WriteSnapshotAsync(parts, sequence, progress, cancellationToken).AsTask(), CancellationToken.None));
        SnapshotInfo info = await write.ConfigureAwait(false);
        await Companions.CheckpointAsync(cancellationToken).ConfigureAwait(false);
        return info;
    }

    /// <summary>Makes the log durable up to now, writes a snapshot that covers it up to a sequence, and notes it in the log. Blocks for the disk; completes on return unless there are items to wait for.</summary>
    internal async ValueTask<SnapshotInfo> WriteSnapshotAsync(IReadOnlyList<SnapshotContent> parts, long sequence, IProgress<SnapshotProgress>? progress, CancellationToken cancellationToken)
    {
        _log.Wait(Durability.Disk);
        SnapshotInfo info = await _snapshots.WriteAsync(parts, sequence, _options.TimeProvider.GetUtcNow(), progress, cancellationToken).ConfigureAwait(false);
        _log.AppendNote(FrameKind.Checkpoint, CheckpointNote.Encode(info));
        return info;
    }

    internal ValueTask<TState> RestoreCoreAsync<TState>(Func<TState, LogRecord, TState> apply, CancellationToken cancellationToken) where TState : new()
    {
        NinoCodec<TState> codec = NinoCodec<TState>.Default;
        return RunAsync(() =>
        {
            List<StoreDamage> damage = [];
            SnapshotRestore<TState>? restored = _opened.IsOneFile ? null : _snapshots.TryRestoreNewest(codec, _log.LastSequence, damage);
            TState state = restored is null ? new TState() : restored.State;
            long from = (restored?.Info.Sequence ?? 0) + 1;
            long replayed = 0;
            foreach (LogRecord record in _reading.Records(From(from), mustReachBack: true))
            {
                cancellationToken.ThrowIfCancellationRequested();
                if (record.Sequence != from + replayed)
                    throw new StoreCorruptException($"{Path}: restoring needs record {from + replayed}, and the next one in the log is {record.Sequence}: the records between are gone, and no usable snapshot holds their effect. Restore the folder from a backup.", Path);
                state = apply(state, record);
                replayed++;
            }

            Recovery = Recovery with { SnapshotUsed = restored?.Info.FileName, RecordsReplayed = replayed, Damage = [.. _opened.Report.Damage, .. damage] };
            return state;
        }, cancellationToken);
    }

    internal ValueTask<TResult> RunAsync<TResult>(Func<TResult> work, CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        return _options.RunsInline ? new ValueTask<TResult>(work()) : new ValueTask<TResult>(Task.Run(work, CancellationToken.None));
    }

    private IAsyncEnumerable<T> Follow<T>(ReadOptions options, bool mustReachBack, RecordMaker<T> make, CancellationToken cancellationToken)
    {
        ObjectDisposedException.ThrowIf(_disposed != 0, this);
        if (options.NewestFirst) throw new ArgumentException("Following goes forward only.", nameof(options));
        return new LogFollower(_reading.Files, _log.Progress, _options.RunsInline).FollowAsync(options, mustReachBack, make, cancellationToken);
    }

    private void ThrowUnlessFolder(string what)
    {
        if (_opened.IsOneFile) throw new InvalidOperationException($"{Path}: a one-file log {what}. Open a folder with NinoStore.Open for that.");
    }

    internal void ThrowIfOneFile()
    {
        if (_opened.IsOneFile) throw new InvalidOperationException($"{Path}: a one-file log holds no snapshots. Open a folder with NinoStore.Open for checkpoints.");
    }
}
