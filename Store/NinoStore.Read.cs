// The facade's reading members: by sequence, time and type, following, scanning. LogReading does the work.

using System.Runtime.CompilerServices;
using Store.IO;
using Store.Log;
using Store.Reading;
using Store.Serialization;

namespace Store;

public sealed partial class NinoStore
{
    /// <summary>
    /// Reads the records of one type, from a sequence on, up to what was appended when the enumeration began (your own writes included, committed or not).
    /// Records of other types are skipped; those stored in an earlier shape of the type are read into the present one. Reading never holds up appends.
    /// </summary>
    /// <param name="fromSequence">First sequence. Where retention has removed it, reading begins with the first record that is kept, without an exception: compare the first record's sequence, or use a cursor.</param>
    /// <exception cref="SchemaMismatchException">Records of the type are stored in a shape that cannot be read as the one it has now.</exception>
    /// <exception cref="NinoSerializationException">A record holds a value that the type cannot.</exception>
    /// <exception cref="StoreCorruptException">A record in the range, or one shortly before it, is damaged; records before it have been returned.</exception>
    /// <exception cref="LogTruncatedException">Retention removed what follows while it was read.</exception>
    /// <exception cref="StoreFailedException">A write failed earlier: open the store again to read what it holds.</exception>
    /// <exception cref="IOException">The disk cannot read a file.</exception>
    /// <exception cref="NinoTypeNotRegisteredException">There is no codec for the type.</exception>
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
    /// <param name="fromSequence">As of <see cref="Read{T}(long)"/>.</param>
    /// <inheritdoc cref="Read{T}(long)" path="/exception"/>
    public IEnumerable<LogRecord> ReadRecords(long fromSequence = 1) => ReadRecords(From(fromSequence));

    /// <summary>As <see cref="ReadRecords(long)"/>, by sequence, by time, by type, in either direction.</summary>
    /// <inheritdoc cref="Read{T}(long)" path="/exception"/>
    public IEnumerable<LogRecord> ReadRecords(ReadOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        ObjectDisposedException.ThrowIf(_disposed != 0, this);
        return _reading.Records(options);
    }

    /// <summary>As <see cref="Read{T}(long)"/>, reading on the thread pool, 256 records or about 1 MiB at a time, at least a record: the caller awaits the disk once a batch and never blocks on it.</summary>
    /// <param name="fromSequence">As of <see cref="Read{T}(long)"/>.</param>
    /// <param name="cancellationToken">Ends the reading with an <see cref="OperationCanceledException"/>.</param>
    /// <inheritdoc cref="Read{T}(long)" path="/exception"/>
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
    /// is disposed, after the last record that was appended; with the last sequence of the range; or when the token is cancelled. Waits without polling. What the caller has not
    /// taken when the store is disposed is read from the files afterwards: they must still be there, and a folder that the caller opened (<see cref="NinoStoreOptions.Directory"/>) still be open.
    /// </summary>
    /// <param name="fromSequence">First sequence; where retention has removed it, following begins with the first record that is kept.</param>
    /// <param name="cancellationToken">Ends the following with an <see cref="OperationCanceledException"/>.</param>
    /// <exception cref="ArgumentException">The options ask for the newest record first; or for durable records only of a store that is open for reading only.</exception>
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

    private static ReadOptions From(long fromSequence)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(fromSequence, 1);
        return fromSequence == 1 ? ReadOptions.All : new ReadOptions { FromSequence = fromSequence };
    }

    // What may be read: everything appended so far, which is in the files when this returns.
    private LogSpan HorizonOf(ReadOptions options)
    {
        LogSpan span = _opened.Files.Span(options.DurableOnly);
        if (!options.DurableOnly) _log?.Wait(Durability.PageCache);
        return span;
    }

    private IAsyncEnumerable<T> Follow<T>(ReadOptions options, bool mustReachBack, RecordMaker<T> make, CancellationToken cancellationToken)
    {
        ObjectDisposedException.ThrowIf(_disposed != 0, this);
        if (_log is null)
        {
            options.ThrowUnlessFollowedFromOutside(nameof(options));
            return FollowFiles(options, make, cancellationToken);
        }

        if (options.NewestFirst) throw ReadOptions.GoesBackward(nameof(options));
        return new LogFollower(FollowedFiles(_log.Progress), _log.Progress, _options.RunsInline).FollowAsync(options, mustReachBack, scan => new FrameBatch<T>(scan, make), cancellationToken);
    }

    // A folder that the caller opened is there as long as he wants it.
    private ILogFiles FollowedFiles(LogProgress progress) => _options.Directory is not null ? _reading.Files : new FollowedLogFiles(_reading.Files, progress, DiskDirectory.OpenReadOnly(_opened.Directory.Name), _opened.OneFileName);

    // Somebody else may write the log.
    private async IAsyncEnumerable<T> FollowFiles<T>(ReadOptions options, RecordMaker<T> make, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        using var ended = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken, _ended.Token);
        if (_disposed != 0) yield break;
        using FolderWatch? watch = _opened.Directory is DiskDirectory ? FolderWatch.TryCreate(_opened.Directory.Name) : null;
        var follower = new FileFollower(_opened.Directory, _opened.OneFileName, watch);
        await using IAsyncEnumerator<LogRecord> records = follower.FollowAsync(options, RecordScan.FirstSegment(_reading.Files.Segments, options), ended.Token).GetAsyncEnumerator(CancellationToken.None);
        while (await MovesOnAsync(records, cancellationToken).ConfigureAwait(false))
        {
            LogRecord record = records.Current;
            yield return make(new ScannedRecord(record.Sequence, record.Timestamp.UtcTicks, record.Schema, record.Payload.Span));
        }
    }

    // As in a store that is written, disposing it ends the following quietly.
    private async ValueTask<bool> MovesOnAsync(IAsyncEnumerator<LogRecord> records, CancellationToken cancellationToken)
    {
        try
        {
            return await records.MoveNextAsync().ConfigureAwait(false);
        }
        catch (Exception e) when (e is OperationCanceledException or ObjectDisposedException && _disposed != 0 && !cancellationToken.IsCancellationRequested)
        {
            return false;
        }
    }
}
