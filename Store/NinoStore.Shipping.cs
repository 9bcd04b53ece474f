// The facade's members about other stores that hold the same log: frames out, frames in.

using Store.Log;
using Store.Reading;
using Store.Shipping;

namespace Store;

public sealed partial class NinoStore
{
    private const int ImportCommitMs = 1000;

    private readonly Lazy<FrameImporter> _importer;

    /// <summary>
    /// Gives the log's finished frames as they are stored, from the one that holds the record before a sequence up to the last that is durable when the reading begins, with the schemas they
    /// need before them: what <see cref="Import"/> of another store takes. The record before is what ties them to the log they go to; where retention has removed it, they begin with the
    /// sequence. Every frame is verified. Holds nothing up. Retention does not wait for it: a cursor holds the log for a follower.
    /// </summary>
    /// <param name="fromSequence">First sequence wanted: one more than the last that the other side has.</param>
    /// <returns>Frames whose payload is valid until the enumeration moves on.</returns>
    /// <exception cref="LogTruncatedException">The log begins later by now, or retention removed what follows.</exception>
    /// <exception cref="StoreCorruptException">A frame is damaged; those before it have been returned.</exception>
    /// <exception cref="ShipmentException">The log ends before the record in front of <paramref name="fromSequence"/>: whoever has that one follows another history.</exception>
    public IEnumerable<RawFrame> ReadFrames(long fromSequence = 1)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(fromSequence, 1);
        ObjectDisposedException.ThrowIf(_disposed != 0, this);
        return Frames();

        IEnumerable<RawFrame> Frames()
        {
            LogSpan span = _reading.Files.Span(durableOnly: true);
            using var scan = new RecordScan(_reading.Files, FramesFrom(fromSequence), span, mustReachBack: true);
            foreach (RawFrame frame in new FrameSource(scan, StoreId, _options.NewId()).Frames()) yield return frame;
        }
    }

    /// <summary>
    /// As <see cref="ReadFrames"/>, and then the frames that come, as soon as they are durable. Payloads are the caller's. Ends when the store is disposed or the token is cancelled. A follower
    /// in this process is a loop: <c>await foreach (var frame in store.TailFramesAsync(follower.LastSequence + 1)) follower.Import(frame);</c>
    /// </summary>
    /// <param name="fromSequence">First sequence.</param>
    /// <param name="cancellationToken">Ends the following with an <see cref="OperationCanceledException"/>.</param>
    /// <exception cref="StoreReadOnlyException">The store is open for reading only: what it holds is given by <see cref="ReadFrames"/>.</exception>
    /// <inheritdoc cref="ReadFrames" path="/exception"/>
    public IAsyncEnumerable<RawFrame> TailFramesAsync(long fromSequence = 1, CancellationToken cancellationToken = default)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(fromSequence, 1);
        ThrowIfReadOnly();
        return FollowFrames(FramesFrom(fromSequence), cancellationToken);
    }

    /// <summary>
    /// Writes frames to a stream, as docs/formats/shipment.md says: from a sequence on up to the last that is durable at the call, or following the log. The stream stays open, and is
    /// flushed at the end; while following, after every frame.
    /// </summary>
    /// <param name="stream">Where they go: a file, a pipe, a connection.</param>
    /// <param name="fromSequence">First sequence: one more than the last that the other side has.</param>
    /// <param name="follow">True to go on with what is appended, until the store is disposed or the token is cancelled.</param>
    /// <param name="cancellationToken">Stops between frames; the shipment has no end then, which the other side is told.</param>
    /// <returns>The last sequence shipped; <paramref name="fromSequence"/> - 1 when there was none.</returns>
    /// <exception cref="IOException">The stream fails.</exception>
    /// <inheritdoc cref="ReadFrames" path="/exception"/>
    public async ValueTask<long> ShipToAsync(Stream stream, long fromSequence = 1, bool follow = false, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(stream);
        ArgumentOutOfRangeException.ThrowIfLessThan(fromSequence, 1);
        ObjectDisposedException.ThrowIf(_disposed != 0, this);
        if (follow) ThrowIfReadOnly();
        long durable = DurableSequence, last = fromSequence - 1;
        ReadOptions options = FramesFrom(fromSequence);
        var writer = new ShipmentWriter(stream, new ShipmentHead(StoreId, _options.NewId(), fromSequence, _options.TimeProvider.GetUtcNow().UtcTicks));
        await writer.BeginAsync(cancellationToken).ConfigureAwait(false);
        if (follow || durable >= options.FromSequence)
        {
            await foreach (RawFrame frame in FollowFrames(options with { ToSequence = follow ? long.MaxValue : durable }, cancellationToken).ConfigureAwait(false))
            {
                await writer.WriteAsync(frame, cancellationToken).ConfigureAwait(false);
                last = frame.LastSequence;
                if (follow) await writer.FlushAsync(cancellationToken).ConfigureAwait(false);
            }
        }

        await writer.EndAsync(last, _options.TimeProvider.GetUtcNow().UtcTicks, cancellationToken).ConfigureAwait(false);
        return last;
    }

    /// <summary>
    /// Appends a frame of another store as it is: same sequences, same times, same bytes under the checksum they had there. The store must be empty, begun as a backup of the other one, or have
    /// followed it before. What is there already, with the same bytes, is passed over, so shipping may begin again anywhere. As durable as <see cref="Append{T}(T)"/>.
    /// </summary>
    /// <param name="frame">The next frame, in the order of one reading from its beginning on, which holds the record before the first new one: so it is known that the two logs agree there. Copied.</param>
    /// <returns>True when records were appended; false for a schema and for a frame that was there.</returns>
    /// <exception cref="ShipmentException">The frame is damaged, leaves a gap, contradicts the log, or comes from another store than the log follows. Nothing was appended.</exception>
    /// <exception cref="InvalidOperationException">The store is a one-file log; or the records are those of a state that is open, which alone appends them.</exception>
    /// <exception cref="StoreCorruptException">The file that says which store is followed, or the record that the frame repeats, is damaged.</exception>
    /// <exception cref="StoreReadOnlyException">The store is open for reading only.</exception>
    /// <exception cref="StoreFailedException">A write failed earlier.</exception>
    /// <exception cref="IOException">What is there already cannot be read.</exception>
    public bool Import(RawFrame frame)
    {
        ThrowUnlessFolder("follows no other store");
        ObjectDisposedException.ThrowIf(_disposed != 0, this);
        return _importer.Value.Import(in frame);
    }

    /// <summary>
    /// Imports a shipment that <see cref="ShipToAsync"/> of another store wrote. Everything imported is durable when this completes; meanwhile it commits about once a second, also while nothing comes. When it throws, what
    /// came before is imported, and <see cref="LastSequence"/> + 1 is where to ship from again.
    /// </summary>
    /// <param name="stream">Where it comes from. Read up to the end of the shipment, not further; stays open.</param>
    /// <param name="cancellationToken">Stops between frames.</param>
    /// <exception cref="ShipmentException">The stream is cut off or damaged, or a frame was refused.</exception>
    /// <exception cref="StoreVersionException">A newer NinoStore wrote it.</exception>
    /// <exception cref="IOException">The stream fails.</exception>
    /// <inheritdoc cref="Import" path="/exception"/>
    public async ValueTask<ImportResult> ImportAsync(Stream stream, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(stream);
        ThrowUnlessFolder("follows no other store");
        ThrowIfReadOnly();
        var reader = new ShipmentReader(stream);
        await reader.BeginAsync(cancellationToken).ConfigureAwait(false);
        long imported = 0, repeated = 0, records = 0;

        // From the first frame behind a commit on; null while nothing waits for one.
        Task? due = null;
        try
        {
            while (await NextAsync().ConfigureAwait(false) is { } frame)
            {
                if (Import(frame))
                {
                    imported++;
                    records += frame.RecordCount;
                    due ??= Task.Delay(TimeSpan.FromMilliseconds(ImportCommitMs), _options.TimeProvider, CancellationToken.None);
                }
                else if (!frame.IsSchema)
                {
                    repeated++;
                }

                if (due is { IsCompleted: true }) await CommitDueAsync().ConfigureAwait(false);
            }
        }
        finally
        {
            if (_importer.IsValueCreated) _importer.Value.EndReading();
        }

        await CommitAsync(cancellationToken).ConfigureAwait(false);
        return new ImportResult(LastSequence, imported, repeated, records);

        // The other side may rest for hours: what came before is durable by then.
        async ValueTask<RawFrame?> NextAsync()
        {
            ValueTask<RawFrame?> next = reader.NextAsync(cancellationToken);
            if (due is null || next.IsCompleted) return await next.ConfigureAwait(false);
            Task<RawFrame?> coming = next.AsTask();
            if (await Task.WhenAny(coming, due).ConfigureAwait(false) == due)
            {
                // Where that fails, nobody waits for the stream any more.
                _ = coming.ContinueWith(static task => task.Exception, CancellationToken.None, TaskContinuationOptions.OnlyOnFaulted | TaskContinuationOptions.ExecuteSynchronously, TaskScheduler.Default);
                await CommitDueAsync().ConfigureAwait(false);
            }

            return await coming.ConfigureAwait(false);
        }

        async ValueTask CommitDueAsync()
        {
            await CommitAsync(cancellationToken).ConfigureAwait(false);
            due = null;
        }
    }

    // The frame of the record before comes first: whoever imports it sees whether the two logs agree there.
    private ReadOptions FramesFrom(long fromSequence)
    {
        // Of a store that is open for reading only, more may be durable than its frames say.
        long end = _log is null ? LastSequence : DurableSequence;
        if (fromSequence - 1 > end)
            throw new ShipmentException(ShipmentProblem.Conflict, -1, $"{_opened.Directory.Name}: nothing was shipped from record {fromSequence} on: the log ends with record {end}. Whoever has record {fromSequence - 1} follows another history: this store was put back from an older backup, or has lost its end. Begin the follower anew with a backup of it.", _opened.Directory.Name);
        return new() { FromSequence = Math.Max(fromSequence - 1, Math.Min(fromSequence, FirstSequence)), DurableOnly = true };
    }

    private IAsyncEnumerable<RawFrame> FollowFrames(ReadOptions options, CancellationToken cancellationToken)
    {
        ObjectDisposedException.ThrowIf(_disposed != 0, this);
        ulong shipment = _options.NewId();
        return new LogFollower(_log is null ? _reading.Files : FollowedFiles(_log.Progress), _log?.Progress ?? LogProgress.EndedAt(LastSequence, DurableSequence), _options.RunsInline).FollowAsync(options, mustReachBack: true, scan => new FrameSource(scan, StoreId, shipment), cancellationToken);
    }
}
