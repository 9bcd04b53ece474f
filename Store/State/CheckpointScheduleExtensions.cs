using Store.Serialization;
using Store.State;

namespace Store;

/// <summary>Checkpoints by themselves for states that are the program's own (docs/state.md, "a state of your own"). A <see cref="StateStore{TState}"/> has its own policy and needs none of this.</summary>
public static class CheckpointScheduleExtensions
{
    /// <summary>
    /// Begins to write checkpoints when the policy says so, in the background, while appends go on. <paramref name="capture"/> is called when one is due, on a thread of the pool, and never twice at a
    /// time: it keeps the state still while it calls <see cref="Capture"/>, and no longer; what it returns is written and disposed.
    /// </summary>
    /// <param name="store">The store; it disposes the schedule when it is disposed, and waits for the callback: not under a lock that it takes.</param>
    /// <param name="policy">When. What <see cref="NinoStore.RestoreAsync{TState, TRecord}(Action{TState, TRecord}, CancellationToken)"/> has replayed on this store counts too, records and their bytes; of several restores, the one that replayed most.</param>
    /// <param name="capture">Gives the state: <c>() => { lock (gate) return store.Capture(state); }</c>.</param>
    /// <exception cref="InvalidOperationException">The store is a one-file log, which holds no snapshots.</exception>
    /// <exception cref="StoreReadOnlyException">The store is open for reading only.</exception>
    public static CheckpointSchedule CheckpointEvery(this NinoStore store, CheckpointPolicy policy, Func<StateCapture> capture)
    {
        ArgumentNullException.ThrowIfNull(capture);
        return Begin(store, policy, endsWhenDisposed: false, async cancellationToken =>
        {
            using StateCapture captured = capture() ?? throw new InvalidOperationException("No state was captured for the checkpoint that is due.");
            if (captured.Store != store) throw new InvalidOperationException("The state was captured for another store.");
            return await store.WriteSnapshotAsync([captured.Content], captured.Sequence, null, cancellationToken).ConfigureAwait(false);
        });
    }

    /// <summary>As the other form, for what a capture cannot hold: parts, streams of items larger than memory, immutable states that need no copy. <paramref name="checkpoint"/> writes the checkpoint itself.</summary>
    /// <param name="store">The store; it disposes the schedule when it is disposed.</param>
    /// <param name="policy">When.</param>
    /// <param name="checkpoint">Calls <see cref="NinoStore.CheckpointAsync{T}(T, CancellationToken)"/> or <see cref="NinoStore.CheckpointPartsAsync(Snapshots.SnapshotParts, IProgress{Snapshots.SnapshotProgress}?, CancellationToken)"/>, on a thread of the pool, with what these ask for kept still. Its token is cancelled when the schedule is disposed while it runs; the one that <see cref="CheckpointPolicy.OnDispose"/> asks for has none.</param>
    /// <inheritdoc cref="CheckpointEvery(NinoStore, CheckpointPolicy, Func{StateCapture})" path="/exception"/>
    public static CheckpointSchedule CheckpointEvery(this NinoStore store, CheckpointPolicy policy, Func<CancellationToken, ValueTask<SnapshotInfo>> checkpoint)
    {
        ArgumentNullException.ThrowIfNull(checkpoint);
        return Begin(store, policy, endsWhenDisposed: true, checkpoint);
    }

    /// <summary>
    /// Serializes a state into memory as it is now. The state must stand still for the call, and so must what is appended to it: nobody appends a record that changes the state before the call without
    /// the state having been changed by it. One lock around "append and apply", taken here too, is enough; or give the sequence that goes with the state.
    /// </summary>
    /// <param name="store">The store.</param>
    /// <param name="state">The state: any registered type.</param>
    /// <param name="sequence">Last sequence whose effect the state holds; null for the last that was appended.</param>
    /// <exception cref="ArgumentOutOfRangeException">The sequence is below 0 or above the log's last.</exception>
    /// <exception cref="NinoTypeNotRegisteredException">No generated code knows the type.</exception>
    public static StateCapture Capture<T>(this NinoStore store, T state, long? sequence = null)
    {
        ArgumentNullException.ThrowIfNull(store);
        ArgumentNullException.ThrowIfNull(state);
        long last = store.LastSequence, covered = sequence ?? last;
        ArgumentOutOfRangeException.ThrowIfNegative(covered, nameof(sequence));
        ArgumentOutOfRangeException.ThrowIfGreaterThan(covered, last, nameof(sequence));
        return StateCapture.Of(store, NinoCodec<T>.Default, in state, covered);
    }

    private static CheckpointSchedule Begin(NinoStore store, CheckpointPolicy policy, bool endsWhenDisposed, Func<CancellationToken, ValueTask<SnapshotInfo>> checkpoint)
    {
        ArgumentNullException.ThrowIfNull(store);
        ArgumentNullException.ThrowIfNull(policy);
        store.ThrowIfOneFile();
        store.ThrowIfReadOnly();
        var schedule = new CheckpointSchedule(store, policy, endsWhenDisposed, checkpoint);
        store.Companions.Add(schedule);
        schedule.Start();
        return schedule;
    }
}
