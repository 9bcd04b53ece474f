// The facade's checkpoints, and opening what they wrote.

using Microsoft.Extensions.Logging;
using Store.Framing;
using Store.Log;
using Store.Serialization;
using Store.Snapshots;
using Store.Threading;

namespace Store;

public sealed partial class NinoStore
{
    /// <summary>
    /// Writes a snapshot of the state, linked to the last sequence appended before the call. Durable on return, and so is the log up to that sequence. At the call the state holds the effect of every
    /// record appended so far, or restoring never applies what is missing: one lock around "append and apply", taken for the call, sees to it; or give the sequence. The state must not change until the call completes; appends may go on.
    /// </summary>
    /// <remarks>
    /// Keyed states and state holders that are open on this store are checkpointed after it, as by <see cref="CheckpointAllAsync"/>. When one of them fails, that failure is thrown, and the snapshot is
    /// there and whole all the same.
    /// <para>Generations are counted only when they are whole and the type reads them. The first checkpoint after a start therefore reads those before it (<see cref="NinoStoreOptions.SnapshotGenerations"/> − 1 of them, every byte, decoded into an
    /// object that is dropped at once, without a report of progress) after the new one is published and before it returns, except the first part of one that <see cref="RestoreAsync{TState, TRecord}(Action{TState, TRecord}, CancellationToken)"/> took on this store; one that was opened with <see cref="SnapshotVerification.All"/> is decoded, and not verified again.</para>
    /// </remarks>
    /// <param name="state">The state that results from the records up to now.</param>
    /// <param name="cancellationToken">
    /// Cancelling before the snapshot is complete leaves nothing behind, and <see cref="OperationCanceledException"/> says so: there is no snapshot of this call. Once it is published, cancelling only puts
    /// the removal of older ones off to the next checkpoint: the call completes, with what was opened on the store checkpointed too.
    /// </param>
    /// <exception cref="InvalidOperationException">The store is a one-file log, which holds no snapshots; or it was asked for inside a callback of something that is open on the store, for whose end it would wait.</exception>
    /// <exception cref="IOException">Writing failed; earlier snapshots stay.</exception>
    /// <exception cref="ObjectDisposedException">The store was closed before, or before the snapshot was complete.</exception>
    /// <exception cref="AggregateException">Several of what is open on the store failed, as by <see cref="CheckpointAllAsync"/>.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled before the snapshot was complete.</exception>
    public ValueTask<SnapshotInfo> CheckpointAsync<T>(T state, CancellationToken cancellationToken = default) => CheckpointAsync(state, null, cancellationToken);

    /// <summary>As the other form, telling how far it is.</summary>
    /// <param name="state">The state that results from the records up to now.</param>
    /// <param name="progress">Told at every MiB written and at the end, on the writing thread; the state is the part with the empty name.</param>
    /// <param name="cancellationToken">As in the other form.</param>
    /// <inheritdoc cref="CheckpointAsync{T}(T, CancellationToken)" path="/remarks"/>
    /// <inheritdoc cref="CheckpointAsync{T}(T, CancellationToken)" path="/exception"/>
    public ValueTask<SnapshotInfo> CheckpointAsync<T>(T state, IProgress<SnapshotProgress>? progress, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(state);
        ThrowIfOneFile();
        return CheckpointCoreAsync([new SnapshotState<T>("", NinoCodec<T>.Default, state)], progress, cancellationToken);
    }

    /// <summary>As the other form, of a state that stands at a sequence of the log, whatever was appended behind it: for one that is replaced and never changed, or that is fed by reading the log.</summary>
    /// <param name="state">The state that results from the records up to the sequence.</param>
    /// <param name="sequence">Last sequence whose effect the state holds; 0 for none.</param>
    /// <param name="progress">Told at every MiB written and at the end, on the writing thread; or null.</param>
    /// <param name="cancellationToken">As in the other form.</param>
    /// <exception cref="ArgumentOutOfRangeException">The sequence is below 0 or above the log's last.</exception>
    /// <exception cref="LogTruncatedException">Retention has removed records behind the sequence: the snapshot could not be restored from. It was not written.</exception>
    /// <inheritdoc cref="CheckpointAsync{T}(T, CancellationToken)" path="/remarks"/>
    /// <inheritdoc cref="CheckpointAsync{T}(T, CancellationToken)" path="/exception"/>
    public ValueTask<SnapshotInfo> CheckpointAsync<T>(T state, long sequence, IProgress<SnapshotProgress>? progress = null, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(state);
        ArgumentOutOfRangeException.ThrowIfNegative(sequence);
        ThrowIfOneFile();
        return CheckpointCoreAsync([new SnapshotState<T>("", NinoCodec<T>.Default, state)], progress, cancellationToken, sequence);
    }

    /// <summary>
    /// Writes a snapshot of named parts, values and streams of items larger than memory, linked to the last sequence appended before the call, whose effect and that of every record before the parts hold at the call. Durable on return, and so is the
    /// log up to that sequence. One snapshot of a store is written at a time: while items are waited for, other checkpoints wait too. Memory: up to six MiB and 20 bytes for each 64 KiB written. The parts must not change meanwhile; appends may go on. Generations are counted by the type
    /// of the first part. The first checkpoint after a start may read the one before it too: see <see cref="CheckpointAsync{T}(T, CancellationToken)"/>.
    /// </summary>
    /// <remarks>
    /// Keyed states and state holders that are open on this store are checkpointed after it, as by <see cref="CheckpointAllAsync"/>: a state holder's own snapshot is newer then, so open the parts by their type
    /// (<see cref="OpenSnapshot(string?, SnapshotVerification)"/>, <see cref="SnapshotInfo.TypeName"/>). The first part, where it is a value, is what <see cref="RestoreAsync{TState, TRecord}(Action{TState, TRecord}, CancellationToken)"/> of its type restores: the
    /// other parts are read by <see cref="RestorePartsAsync{TState, TRecord}(Func{SnapshotFile?, TState}, Func{TState, TRecord, TState}, string?, CancellationToken)"/>, or by opening the snapshot.
    /// </remarks>
    /// <param name="parts">What it holds.</param>
    /// <param name="progress">Told at every MiB written and at the end of each part, on the writing thread.</param>
    /// <param name="cancellationToken">
    /// Noticed at every item, while an asynchronous stream is waited for, and at every MiB. Cancelling before the snapshot is complete leaves nothing behind; once it is published, it only puts the removal of older ones off to the next checkpoint.
    /// </param>
    /// <exception cref="InvalidOperationException">There is no part, or the store is a one-file log, which holds no snapshots; or it was asked for inside a callback of something that is open on the store.</exception>
    /// <exception cref="IOException">Writing failed; earlier snapshots stay.</exception>
    /// <exception cref="ObjectDisposedException">The store was closed before, or before the snapshot was complete: while it is closed, an item of an asynchronous stream is waited for five seconds and no longer.</exception>
    public ValueTask<SnapshotInfo> CheckpointPartsAsync(SnapshotParts parts, IProgress<SnapshotProgress>? progress = null, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(parts);
        ThrowIfOneFile();
        return CheckpointCoreAsync(parts.Create(), progress, cancellationToken);
    }

    /// <summary>As the other form, of parts that stand at a sequence of the log, whatever was appended behind it: for those that enumerate the state they had then, as immutable collections do, or that are fed by reading the log.</summary>
    /// <param name="parts">What it holds.</param>
    /// <param name="sequence">Last sequence whose effect the parts hold; 0 for none.</param>
    /// <param name="progress">Told at every MiB written and at the end of each part, on the writing thread; or null.</param>
    /// <param name="cancellationToken">As in the other form.</param>
    /// <exception cref="ArgumentOutOfRangeException">The sequence is below 0 or above the log's last.</exception>
    /// <exception cref="LogTruncatedException">Retention has removed records behind the sequence: the snapshot could not be restored from. It was not written.</exception>
    /// <inheritdoc cref="CheckpointPartsAsync(SnapshotParts, IProgress{SnapshotProgress}?, CancellationToken)" path="/remarks"/>
    /// <inheritdoc cref="CheckpointPartsAsync(SnapshotParts, IProgress{SnapshotProgress}?, CancellationToken)" path="/exception"/>
    public ValueTask<SnapshotInfo> CheckpointPartsAsync(SnapshotParts parts, long sequence, IProgress<SnapshotProgress>? progress = null, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(parts);
        ArgumentOutOfRangeException.ThrowIfNegative(sequence);
        ThrowIfOneFile();
        return CheckpointCoreAsync(parts.Create(), progress, cancellationToken, sequence);
    }

    /// <summary>
    /// Opens the newest snapshot that can be used: mapped, its description verified, in microseconds whatever its size; the first time that this opening of the store looks at a snapshot which it did not write, it also reads one record of the log, the one that the snapshot stands behind. Read the records behind its
    /// <see cref="SnapshotInfo.Sequence"/> after it. Those passed over are in <see cref="Recovery"/>. With <see cref="SnapshotVerification.OnFirstTouch"/> damaged data shows when it is read: as long as the store is open that snapshot is passed over from then on, also when the file was put back meanwhile (one that the disk could not read is tried again), and <see cref="SnapshotFile.Open(string, SnapshotVerification)"/> still opens it.
    /// </summary>
    /// <param name="typeName">Only snapshots of this type (<see cref="SnapshotInfo.TypeName"/>), or null for any.</param>
    /// <param name="verification">When the data is verified.</param>
    /// <returns>The snapshot, which the caller disposes, or null when there is none.</returns>
    /// <exception cref="StoreException">The store is open for reading only, its writer has replaced every snapshot since it was opened, and the log did not reach back to its first record then: open it again.</exception>
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
        HashSet<string> newer = [];
        SnapshotFile? file = _snapshots.OpenNewest(typeNames, verification, LastSequence, damage, newer);
        if (file is null && newer.Count > 0 && FirstSequence > 1) throw WentOn(typeNames is null ? "the store" : $"'{typeNames.First()}'", newer);
        Recovery = Recovery with { SnapshotUsed = file?.Info.FileName, Damage = [.. _opened.Report.Damage, .. damage] };
        return file;
    }

    /// <summary>
    /// Checkpoints everything that was opened on this store: keyed states and state holders. Each is cut at a sequence of its own, when its turn comes, and durable when its turn is over. One that fails keeps no other
    /// from its turn: its failure is thrown at the end. Cancelling ends it between two: those that had their turn stay. Opening brings all of them to the end of the log, so they agree again whatever their cuts were; the caller holds nothing still (docs/state.md, "consistent cuts").
    /// </summary>
    /// <exception cref="InvalidOperationException">Called inside a callback of one of them, for whose end it would wait.</exception>
    /// <exception cref="OperationCanceledException">It was cancelled, and none had failed.</exception>
    /// <exception cref="AggregateException">Several of them failed; a single failure is thrown as it is. Or it was cancelled when some had failed: their failures, and the <see cref="OperationCanceledException"/> last.</exception>
    public ValueTask CheckpointAllAsync(CancellationToken cancellationToken = default)
    {
        ObjectDisposedException.ThrowIf(_disposed != 0, this);
        ThrowIfReadOnly();
        Companions.ThrowIfInsideCallback("asks for a checkpoint of");
        return cancellationToken.IsCancellationRequested ? ValueTask.FromCanceled(cancellationToken) : Companions.CheckpointAsync(cancellationToken);
    }

    private async ValueTask<SnapshotInfo> CheckpointCoreAsync(IReadOnlyList<SnapshotContent> parts, IProgress<SnapshotProgress>? progress, CancellationToken cancellationToken, long? given = null)
    {
        cancellationToken.ThrowIfCancellationRequested();
        Companions.ThrowIfInsideCallback("asks for a checkpoint of");

        // Nothing is waited for before: what is appended from here on is behind the cut.
        AppendLog log = Log;
        using SnapshotHold hold = _snapshots.Holds.Add("a checkpoint under way");
        long last = log.LastSequence, sequence = given ?? last;
        ArgumentOutOfRangeException.ThrowIfGreaterThan(sequence, last);

        // Closing the store ends the wait for items that do not come: it would hold up everybody behind it.
        foreach (SnapshotContent part in parts) part.Closing = _ended.Token;
        ValueTask<SnapshotInfo> write = _options.RunsInline ? WriteAsync() : new(Task.Run(() => WriteAsync().AsTask(), CancellationToken.None));
        SnapshotInfo info = await write.ConfigureAwait(false);

        // It is there, and no cancellation takes it back: the companions finish what the caller was told about.
        await Companions.CheckpointAsync(CancellationToken.None).ConfigureAwait(false);
        return info;

        ValueTask<SnapshotInfo> WriteAsync()
        {
            WaitForTruncation();
            if (FirstSequence > sequence + 1) throw new LogTruncatedException($"{Path}: a snapshot of sequence {sequence} could not be restored from: the log begins with record {FirstSequence}. It was not written.", Path, FirstSequence);
            hold.Sequence = sequence;
            return WriteSnapshotAsync(parts, sequence, progress, cancellationToken);
        }
    }

    /// <summary>Keeps the log as it is until it is moved forward or disposed.</summary>
    internal SnapshotHold HoldLog(string what)
    {
        SnapshotHold hold = _snapshots.Holds.Add(what);
        if (!_opened.IsOneFile) WaitForTruncation();
        return hold;
    }

    /// <inheritdoc cref="SnapshotRetention.ReachOf"/>
    internal long? SnapshotReachOf(string typeName) => _snapshots.ReachOf(typeName);

    // One that has not seen what was held just now has ended, and with it where the log begins is as it stays.
    private void WaitForTruncation()
    {
        using (Uninterrupted.Enter(_opened.Cursors.Gate))
        {
        }
    }

    /// <summary>Makes the log durable up to now, writes a snapshot that covers it up to a sequence, and notes it in the log, durably too. Blocks for the disk; completes on return unless there are items to wait for.</summary>
    /// <param name="parts">What it holds.</param>
    /// <param name="sequence">The sequence.</param>
    /// <param name="progress">Told of the writing.</param>
    /// <param name="cancellationToken">Until it is published.</param>
    /// <param name="isOfOpenState">True for the state itself, when it is open: nobody else writes a snapshot that its next opening would take for its own.</param>
    internal async ValueTask<SnapshotInfo> WriteSnapshotAsync(IReadOnlyList<SnapshotContent> parts, long sequence, IProgress<SnapshotProgress>? progress, CancellationToken cancellationToken, bool isOfOpenState = false)
    {
        if (!isOfOpenState && !parts[0].HasItems && parts[0].Schema.Names.FirstOrDefault(name => Companions.IsClaimed(StoreCompanions.State, name)) is { } claimed)
            throw new InvalidOperationException($"The state '{claimed}' is open: its snapshots are written by StateStore.CheckpointAsync. Another one of the same type would be taken for it when it is opened next.");
        Log.Wait(Durability.Disk);
        SnapshotInfo info = await _snapshots.WriteAsync(parts, sequence, _options.TimeProvider.GetUtcNow(), progress, cancellationToken).ConfigureAwait(false);
        Note(info);
        return info;
    }

    // Durable on return, as the snapshot is. That is in force with the note or without, also where a crash comes between: nobody needs the note to find it. A log that has failed meanwhile, or was closed, tells whoever appends next.
    private void Note(SnapshotInfo info)
    {
        try
        {
            Log.AppendNote(FrameKind.Checkpoint, new CheckpointNote(info.Sequence, info.SnapshotId, info.FileName).Encode());
            Log.Sync();
        }
        catch (Exception e) when (e is StoreFailedException or ObjectDisposedException)
        {
            LogMissingNote(UnfailingLogger.Of<NinoStore>(_options.LoggerFactory), e, Path, info.FileName);
            Log.Failure.WasOnlyLogged();
        }
    }

    [LoggerMessage(1, LogLevel.Warning, "{Path}: the snapshot {Snapshot} is published, and the log, which cannot be written any more, may not name it.")]
    private static partial void LogMissingNote(ILogger logger, Exception exception, string path, string snapshot);
}
