// How do a state and the log of its events stay one thing? An event is appended and applied under one lock, so the order of the log is the order in which the state
// changed, and the state at any moment is what replaying the log up to its sequence gives. Who changes it and who takes its bytes for a checkpoint come one after the other; readers
// wait only for the event that is being applied: they share a second lock with it, in which no event waits for a checkpoint.

using Store.Buffers;
using Store.Log;
using Store.Serialization;
using Store.Snapshots;
using Store.Threading;

namespace Store.State;

/// <summary>
/// A state that is the sum of its events: opened from the newest snapshot and the events behind it, changed only by appending one, checkpointed by itself now and then.
/// Opened by <see cref="StateStoreExtensions.OpenStateAsync{TState}(NinoStore, Action{StateHandlers{TState}}, StateOptions, CancellationToken)"/>. Safe for any number of threads; disposed before its store, or by it.
/// </summary>
/// <typeparam name="TState">The state: a registered type.</typeparam>
public sealed partial class StateStore<TState> : IAsyncDisposable, IDisposable, IStoreCompanion where TState : class
{
    private readonly NinoStore _store;
    private readonly AppendLog _log;
    private readonly StateHandlers<TState> _handlers;
    private readonly StateCheckpoints<TState> _checkpoints;
    private readonly StateOpening _opening;

    // Taken in this order, by who applies; by who captures, the first alone.
    private readonly Lock _order = new();
    private readonly ReaderWriterLockSlim _lock = new();
    private TState _state;
    private long _lastSequence;
    private Exception? _failure;
    private bool _disposed;

    /// <param name="store">The store.</param>
    /// <param name="handlers">Its events.</param>
    /// <param name="options">When checkpoints are written.</param>
    /// <param name="state">What the log amounts to.</param>
    /// <param name="opening">What it holds of the store; given back when it is disposed.</param>
    internal StateStore(NinoStore store, StateHandlers<TState> handlers, StateOptions options, TState state, StateOpening opening)
    {
        (_store, _handlers, _state, _opening) = (store, handlers, state, opening);
        _log = store.Opened.Log;
        _lastSequence = store.LastSequence;
        _checkpoints = new StateCheckpoints<TState>(this, store, options, opening);
    }

    /// <summary>The store knows it and closes it: time begins to count.</summary>
    internal void Start() => _checkpoints.Start();

    /// <summary>Every event up to this sequence of the log has been applied.</summary>
    public long LastSequence => Volatile.Read(ref _lastSequence);

    /// <summary>The last automatic checkpoint's failure, or null when it succeeded or there was none. The events are safe in the log all the same; the next one tries again.</summary>
    public Exception? CheckpointFailure => _checkpoints.Failure;

    /// <summary>
    /// Appends an event and applies it, as one step. As durable as <see cref="NinoStore.Append{T}(T)"/>: after the next commit. The event belongs to the state from here on:
    /// it must not change any more, and members that are not serialized must not matter. Allocates nothing by itself.
    /// </summary>
    /// <returns>Sequence of the event.</returns>
    /// <exception cref="ArgumentException">The event has no handler. Nothing was appended.</exception>
    /// <exception cref="ArgumentNullException">The event is null. Nothing was appended.</exception>
    /// <exception cref="RecordTooLargeException">The event is too large. Nothing was appended.</exception>
    /// <exception cref="StoreFailedException">The log failed, or a handler threw, now or earlier. The state may be half changed, so nothing more is accepted: open the store again, or only the state where a handler threw.</exception>
    /// <exception cref="LockRecursionException">Called inside <see cref="Read{TResult}"/>, <see cref="Decide{TCommand, TEvent}(TCommand, Func{TState, TCommand, TEvent})"/>, a handler, or code of the state while it is serialized.</exception>
    public long Apply<TEvent>(TEvent e)
    {
        StateHandler<TState, TEvent> handler = _handlers.Of<TEvent>();
        RecordBuffer buffer = RecordBuffer.Rent(_store.Options.MaxRecordSizeBytes, typeName: handler.Schema.Name);
        long sequence;
        try
        {
            handler.Codec.Encode(buffer, in e, _store.Options.RecordLimits);
            using (Exclusively()) sequence = AppendLocked(handler, e, buffer);
        }
        finally
        {
            buffer.Return();
        }

        _checkpoints.StartIfDue();
        return sequence;
    }

    /// <summary>As <see cref="Apply"/>, completing when the event is as durable as <see cref="NinoStoreOptions.Durability"/> says (default: on the disk). Readers may see it before. Cancelling gives up the wait, never the event.</summary>
    /// <inheritdoc cref="Apply" path="/returns"/>
    /// <inheritdoc cref="Apply" path="/exception"/>
    public ValueTask<long> ApplyAsync<TEvent>(TEvent e, CancellationToken cancellationToken = default)
    {
        cancellationToken.ThrowIfCancellationRequested();
        return WhenDurable(Apply(e), cancellationToken);
    }

    /// <summary>Appends events as one frame and applies them as one step: after a crash all of them are there, or none, and no reader sees a part of them.</summary>
    /// <returns>Sequence of the first; of an empty batch, the sequence that the next record will get.</returns>
    /// <inheritdoc cref="Apply" path="/exception"/>
    public long ApplyBatch<TEvent>(ReadOnlySpan<TEvent> events)
    {
        StateHandler<TState, TEvent> handler = _handlers.Of<TEvent>();
        RecordBuffer buffer = RecordBuffer.Rent(NinoStore.MaxBatchBytes, "batch");
        long first;
        try
        {
            int prefix = 1;
            foreach (ref readonly TEvent e in events) prefix = _store.AddToBatch(buffer, handler.Codec, in e, prefix);
            using (Exclusively())
            {
                ThrowIfUnusable();
                first = _log.AppendBatch(handler.Schema, buffer.WrittenWithinLimit, events.Length, by: _opening.Events);
                for (int i = 0; i < events.Length; i++) ApplyLocked(handler, events[i], first + i);
                _checkpoints.Note(events.Length, buffer.Written.Length);
            }
        }
        finally
        {
            buffer.Return();
        }

        _checkpoints.StartIfDue();
        return first;
    }

    /// <inheritdoc cref="ApplyBatch{TEvent}(ReadOnlySpan{TEvent})"/>
    public long ApplyBatch<TEvent>(IReadOnlyList<TEvent> events)
    {
        ArgumentNullException.ThrowIfNull(events);
        return ApplyBatch(events is TEvent[] array ? array : new ReadOnlySpan<TEvent>([.. events]));
    }

    /// <summary>As <see cref="ApplyBatch{TEvent}(ReadOnlySpan{TEvent})"/>, completing when all of them are as durable as <see cref="NinoStoreOptions.Durability"/> says (default: on the disk). Readers may see them before. Cancelling gives up the wait, never the events.</summary>
    /// <returns>Sequence of the first; of an empty batch, the sequence that the next record will get, and what was appended before is waited for.</returns>
    /// <inheritdoc cref="Apply" path="/exception"/>
    public ValueTask<long> ApplyBatchAsync<TEvent>(ReadOnlySpan<TEvent> events, CancellationToken cancellationToken = default)
    {
        cancellationToken.ThrowIfCancellationRequested();
        return WhenDurable(ApplyBatch(events), cancellationToken);
    }

    /// <inheritdoc cref="ApplyBatchAsync{TEvent}(ReadOnlySpan{TEvent}, CancellationToken)"/>
    public ValueTask<long> ApplyBatchAsync<TEvent>(IReadOnlyList<TEvent> events, CancellationToken cancellationToken = default)
    {
        cancellationToken.ThrowIfCancellationRequested();
        return WhenDurable(ApplyBatch(events), cancellationToken);
    }

    /// <summary>Reads the state while no event is applied. Any number of readers at once. What is returned must not refer to parts of the state that events change: return copies or values.</summary>
    /// <exception cref="ObjectDisposedException">It is disposed.</exception>
    /// <exception cref="StoreFailedException">A handler threw earlier: the state may be half changed.</exception>
    /// <exception cref="LockRecursionException">Called inside another call of this state.</exception>
    public TResult Read<TResult>(Func<TState, TResult> read)
    {
        ArgumentNullException.ThrowIfNull(read);
        return Read(read, static (state, read) => read(state));
    }

    /// <summary>As <see cref="Read{TResult}"/>, with an argument, so that the callback need not capture anything.</summary>
    /// <inheritdoc cref="Read{TResult}" path="/exception"/>
    public TResult Read<TArgument, TResult>(TArgument argument, Func<TState, TArgument, TResult> read)
    {
        ArgumentNullException.ThrowIfNull(read);
        try
        {
            _lock.EnterReadLock();
        }
        catch (LockRecursionException)
        {
            throw new LockRecursionException($"A callback of the state '{typeof(TState).Name}', or a handler, reads the state again, which would wait for itself. Use the state that it was given.");
        }

        try
        {
            ThrowIfUnusable();
            return read(_state, argument);
        }
        finally
        {
            _lock.ExitReadLock();
        }
    }

    /// <summary>Completes when every event appended before the call is on the disk.</summary>
    /// <inheritdoc cref="NinoStore.CommitAsync" path="/exception"/>
    public ValueTask CommitAsync(CancellationToken cancellationToken = default) => _store.CommitAsync(cancellationToken);

    /// <summary>
    /// Writes a snapshot of the state as it is when its turn comes. Durable on return, and so is the log up to it. Events wait while the state is serialized into memory (its
    /// size in bytes, for that long), not for the disk; with <see cref="StateOptions.StateIsImmutable"/> they do not wait. Readers never do. One at a time: calls queue up.
    /// </summary>
    /// <param name="cancellationToken">Cancelling before the snapshot is complete leaves nothing behind; once it is published, the call completes.</param>
    /// <exception cref="IOException">Writing failed; earlier snapshots stay.</exception>
    /// <exception cref="StoreFailedException">The log failed, or a handler threw earlier.</exception>
    /// <exception cref="LockRecursionException">Called inside a callback of this state, a handler, or code of the state while it is serialized, for which it would wait.</exception>
    public ValueTask<SnapshotInfo> CheckpointAsync(CancellationToken cancellationToken = default) => CheckpointAsync(null, cancellationToken);

    /// <summary>As the other form, telling how far it is.</summary>
    /// <param name="progress">Told at every MiB written and at the end, on the writing thread, when events go on again; the state is the part with the empty name.</param>
    /// <param name="cancellationToken">As in the other form.</param>
    /// <inheritdoc cref="CheckpointAsync(CancellationToken)" path="/exception"/>
    public ValueTask<SnapshotInfo> CheckpointAsync(IProgress<SnapshotProgress>? progress, CancellationToken cancellationToken = default)
    {
        ThrowIfInsideCallback("asks for its checkpoint");
        return _checkpoints.WriteAsync(progress, cancellationToken);
    }

    /// <summary>Waits for the checkpoint under way (with <see cref="StateOptions.CheckpointOnDispose"/>, writes one), and refuses everything from then on. The store stays open.</summary>
    /// <exception cref="LockRecursionException">Called inside a callback of this state, a handler, or code of the state while it is serialized, for which it would wait. Nothing was closed.</exception>
    public void Dispose()
    {
        ThrowIfInsideCallback("disposes it");
        Close(writesLast: true);
    }

    /// <summary>Its opening fails: nobody gets it, nothing of it is left on the store, and no checkpoint is written for it.</summary>
    internal void GiveUp() => Close(writesLast: false);

    private void Close(bool writesLast)
    {
        try
        {
            if (!_checkpoints.Close(writesLast)) return;
        }
        finally
        {
            // Also when the last checkpoint failed: what it would have covered is in the log.
            Uninterrupted.Wait(_lock, static gate => gate.EnterWriteLock());
            bool isFirst = !_disposed;
            _disposed = true;
            _lock.ExitWriteLock();
            _store.Companions.Remove(this);

            // Once only: by the second time they may be another's.
            if (isFirst) _opening.Dispose();
        }
    }

    /// <inheritdoc cref="Dispose"/>
    public ValueTask DisposeAsync()
    {
        ThrowIfInsideCallback("disposes it");
        if (!_store.Options.RunsInline) return new ValueTask(Task.Run(Dispose));
        Dispose();
        return ValueTask.CompletedTask;
    }

    bool IStoreCompanion.IsClosed => _checkpoints.IsClosed;

    string IStoreCompanion.Title => $"the state '{NinoCodec<TState>.Default.Schema.Name}'";

    bool IStoreCompanion.IsInsideCallback => IsInsideCallback;

    private void ThrowIfInsideCallback(string what)
    {
        if (IsInsideCallback) throw new LockRecursionException($"A callback of the state '{typeof(TState).Name}' {what}, which would wait for the callback to end. Do it afterwards.");
    }

    private ValueTask<long> WhenDurable(long sequence, CancellationToken cancellationToken) => _log.WaitAsync(_store.Options.Durability, sequence, cancellationToken, isAppended: true);

    private bool IsInsideCallback => _order.IsHeldByCurrentThread || _lock.IsReadLockHeld || _checkpoints.IsSerializing;

    async ValueTask IStoreCompanion.CheckpointAsync(CancellationToken cancellationToken) => await CheckpointAsync(cancellationToken).ConfigureAwait(false);

    /// <summary>Lets somebody take what he needs of the state as it is now. The sequence covers every event in it and no other: none is appended meanwhile, and nobody else appends any.</summary>
    internal long Capture(Action<TState> take)
    {
        // Not as a reader: an event that waits for readers to leave lets no other in.
        lock (_order)
        {
            ThrowIfUnusable();
            take(_state);
            return _store.LastSequence;
        }
    }

    /// <exception cref="LockRecursionException">This thread is inside a callback.</exception>
    private Exclusive Exclusively()
    {
        if (IsInsideCallback) throw new LockRecursionException($"A callback of the state '{typeof(TState).Name}', a handler, or code of the state that is called while it is serialized, changes the state: that would wait for itself. Do it afterwards.");
        _order.Enter();
        try
        {
            _lock.EnterWriteLock();
        }
        catch
        {
            _order.Exit();
            throw;
        }

        return new Exclusive(this);
    }

    private long AppendLocked<TEvent>(StateHandler<TState, TEvent> handler, TEvent e, RecordBuffer buffer)
    {
        ThrowIfUnusable();
        long sequence = _log.Append(handler.Schema, buffer.Written, by: _opening.Events);
        ApplyLocked(handler, e, sequence);
        _checkpoints.Note(1, buffer.Written.Length);
        return sequence;
    }

    /// <summary>Applies what was appended. Called by who changes the state.</summary>
    internal void ApplyLocked<TEvent>(StateHandler<TState, TEvent> handler, TEvent e, long sequence)
    {
        try
        {
            _state = handler.Apply(_state, e);
        }
        catch (Exception failure)
        {
            _failure = failure;
            throw Failed(failure);
        }

        Volatile.Write(ref _lastSequence, sequence);
    }

    private void ThrowIfUnusable()
    {
        ObjectDisposedException.ThrowIf(_disposed, this);
        if (_failure is { } failure) throw Failed(failure);
    }

    private StoreFailedException Failed(Exception failure) =>
        new($"{_store.Path}: a handler of the state '{NinoCodec<TState>.Default.Schema.Name}' threw behind sequence {LastSequence} ({failure.Message}). Its event is in the log and the state may be half changed, so nothing more is accepted. "
            + "Correct the handler, dispose the state and open it again: opening replays the event.", _store.Path, failure);

    /// <summary>Nobody else reads, changes or captures the state until it is disposed.</summary>
    private readonly ref struct Exclusive(StateStore<TState> state)
    {
        public void Dispose()
        {
            state._lock.ExitWriteLock();
            state._order.Exit();
        }
    }
}
