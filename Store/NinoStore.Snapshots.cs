// The facade's checkpoints and restores.

using Store.Framing;
using Store.Log;
using Store.Reading;
using Store.Serialization;
using Store.Snapshots;

namespace Store;

public sealed partial class NinoStore
{
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
        SnapshotFile? file = _snapshots.OpenNewest(typeNames, verification, LastSequence, damage);
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
        ThrowIfReadOnly();
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
        return RestoreCoreAsync(new TypedReplay<TState, TRecord>(apply), cancellationToken);
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
        return RestoreThenAsync<TState>((state, from) =>
        {
            long next = from;
            foreach (LogRecord record in _reading.Records(From(from), mustReachBack: true))
            {
                cancellationToken.ThrowIfCancellationRequested();
                CheckNext(next++, record.Sequence);
                apply(state, record);
            }

            return (state, next - from);
        }, cancellationToken);
    }

    private async ValueTask<SnapshotInfo> CheckpointCoreAsync(IReadOnlyList<SnapshotContent> parts, IProgress<SnapshotProgress>? progress, CancellationToken cancellationToken)
    {
        long sequence = Log.LastSequence;
        cancellationToken.ThrowIfCancellationRequested();
        ValueTask<SnapshotInfo> write = _options.RunsInline ? WriteSnapshotAsync(parts, sequence, progress, cancellationToken) : new(Task.Run(() => WriteSnapshotAsync(parts, sequence, progress, cancellationToken).AsTask(), CancellationToken.None));
        SnapshotInfo info = await write.ConfigureAwait(false);
        await Companions.CheckpointAsync(cancellationToken).ConfigureAwait(false);
        return info;
    }

    /// <summary>Makes the log durable up to now, writes a snapshot that covers it up to a sequence, and notes it in the log. Blocks for the disk; completes on return unless there are items to wait for.</summary>
    internal async ValueTask<SnapshotInfo> WriteSnapshotAsync(IReadOnlyList<SnapshotContent> parts, long sequence, IProgress<SnapshotProgress>? progress, CancellationToken cancellationToken)
    {
        Log.Wait(Durability.Disk);
        SnapshotInfo info = await _snapshots.WriteAsync(parts, sequence, _options.TimeProvider.GetUtcNow(), progress, cancellationToken).ConfigureAwait(false);
        Log.AppendNote(FrameKind.Checkpoint, CheckpointNote.Encode(info));
        return info;
    }

    /// <summary>Restores the newest snapshot and carries the records behind it over into it, where they lie: no copy and no object for each.</summary>
    internal ValueTask<TState> RestoreCoreAsync<TState>(IRecordReplay<TState> replay, CancellationToken cancellationToken) where TState : new() => RestoreThenAsync<TState>((state, from) =>
    {
        long next = from;
        using RecordScan scan = _reading.Frames(From(from), mustReachBack: true);
        while (scan.NextFrame())
        {
            ReadOnlySpan<byte> frame = scan.Scanner.PayloadSpan;
            SegmentScanner.FrameRecords records = scan.Scanner.Records();
            while (records.MoveNext(frame))
            {
                if (!scan.Wants(in records)) continue;
                cancellationToken.ThrowIfCancellationRequested();
                CheckNext(next++, records.Sequence);
                (int start, int length) = records.Place;
                state = replay.Apply(state, records.Sequence, records.Schema, frame.Slice(start, length));
            }
        }

        return (state, next - from);
    }, cancellationToken);

    /// <param name="replay">From the state and the sequence behind it to the state now, and how many records that took.</param>
    /// <param name="cancellationToken">Stops between records.</param>
    private ValueTask<TState> RestoreThenAsync<TState>(Func<TState, long, (TState State, long Replayed)> replay, CancellationToken cancellationToken) where TState : new()
    {
        NinoCodec<TState> codec = NinoCodec<TState>.Default;
        return RunAsync(() =>
        {
            List<StoreDamage> damage = [];
            SnapshotRestore<TState>? restored = _opened.IsOneFile ? null : _snapshots.TryRestoreNewest(codec, LastSequence, damage);
            (TState state, long replayed) = replay(restored is null ? new TState() : restored.State, (restored?.Info.Sequence ?? 0) + 1);
            Recovery = Recovery with { SnapshotUsed = restored?.Info.FileName, RecordsReplayed = replayed, Damage = [.. _opened.Report.Damage, .. damage] };
            return state;
        }, cancellationToken);
    }

    private void CheckNext(long expected, long sequence)
    {
        if (sequence != expected)
            throw new StoreCorruptException($"{Path}: restoring needs record {expected}, and the next one in the log is {sequence}: the records between are gone, and no usable snapshot holds their effect. Restore the folder from a backup.", Path);
    }
}
