using Store.Serialization;
using Store.State;

namespace Store;

/// <summary>Event-sourced state on a store (docs/state.md).</summary>
public static class StateStoreExtensions
{
    /// <summary>
    /// Opens a state: the newest snapshot of <typeparamref name="TState"/> that is whole (or a new state), and every event behind it in the log. Events are appended through it
    /// only: while it is open, appending one to the store, or importing it, is refused. From here on retention keeps the log that a restart needs, until <see cref="NinoStore.ForgetState"/>. <see cref="NinoStore.Recovery"/> tells which snapshot was used, what was replayed and what was damaged.
    /// </summary>
    /// <param name="store">The store. Several states may share one, each of a type and with events of its own; disposing the store disposes them.</param>
    /// <param name="events">Names the events and what each does: <c>on => on.On&lt;Deposited&gt;((bank, e) => bank.Apply(e))</c>.</param>
    /// <param name="options">When checkpoints are written; null for the defaults.</param>
    /// <param name="cancellationToken">Stops between records; nothing is left open.</param>
    /// <exception cref="ArgumentException">There is no event, or one twice; or one changes in place what <see cref="StateOptions.StateIsImmutable"/> says is not changed.</exception>
    /// <exception cref="InvalidOperationException">A state of the type is open on the store, or one of another type with one of the events; or the store is a one-file log; or the state would miss events that its snapshot's program did not know (<see cref="StateOptions.AllowMissedEvents"/>), or that were before it was begun anew under another name of its type.</exception>
    /// <exception cref="StoreReadOnlyException">The store is open for reading only: restore with <see cref="NinoStore.RestoreAsync{TState, TRecord}(Action{TState, TRecord}, CancellationToken)"/>.</exception>
    /// <exception cref="SchemaMismatchException">The snapshot or an event is stored in a shape that cannot be read as the one its type has now, or the type refuses a value of the snapshot.</exception>
    /// <exception cref="StoreCorruptException">The log no longer has events that no usable snapshot holds: the message names each snapshot and what is wrong with it. Nothing was changed.</exception>
    /// <exception cref="LogTruncatedException">There is no snapshot of the state, and retention has removed the beginning of the log: <see cref="StateOptions.AllowTruncatedHistory"/> begins with what is left.</exception>
    public static ValueTask<StateStore<TState>> OpenStateAsync<TState>(this NinoStore store, Action<StateHandlers<TState>> events, StateOptions? options = null, CancellationToken cancellationToken = default)
        where TState : class, new() => store.OpenStateAsync(static () => new TState(), events, options, cancellationToken);

    /// <summary>As the other form, of a state whose type has no constructor without parameters.</summary>
    /// <param name="store">The store.</param>
    /// <param name="initial">Gives the state before its first event; called once, when there is no snapshot. It must give the same state at every opening.</param>
    /// <param name="events">Names the events and what each does.</param>
    /// <param name="options">When checkpoints are written; null for the defaults.</param>
    /// <param name="cancellationToken">Stops between records; nothing is left open.</param>
    /// <exception cref="InvalidOperationException"><paramref name="initial"/> gave null; or a state of the type is open on the store, or one of another type with one of the events; or the store is a one-file log; or the state would miss events that its snapshot's program did not know (<see cref="StateOptions.AllowMissedEvents"/>), or that were before it was begun anew under another name of its type.</exception>
    /// <inheritdoc cref="OpenStateAsync{TState}(NinoStore, Action{StateHandlers{TState}}, StateOptions, CancellationToken)" path="/exception[@cref!='T:System.InvalidOperationException']"/>
    public static async ValueTask<StateStore<TState>> OpenStateAsync<TState>(this NinoStore store, Func<TState> initial, Action<StateHandlers<TState>> events, StateOptions? options = null, CancellationToken cancellationToken = default)
        where TState : class
    {
        ArgumentNullException.ThrowIfNull(store);
        ArgumentNullException.ThrowIfNull(initial);
        ArgumentNullException.ThrowIfNull(events);
        var handlers = new StateHandlers<TState>();
        events(handlers);
        handlers.Complete();
        if (handlers.IsEmpty) throw new ArgumentException("A state needs an event that changes it.", nameof(events));
        store.ThrowIfOneFile();
        store.ThrowIfReadOnly();
        options ??= new StateOptions();
        if (options.StateIsImmutable) handlers.ThrowIfInPlace();
        StateOpening opening = StateOpening.Begin(store, NinoCodec<TState>.Default.Schema, handlers.Names, options);
        StateStore<TState>? opened = null;
        try
        {
            TState state = await store.RestoreCoreAsync(Begin, handlers.Replay(), opening.BeginsBehind, opening.Complete, cancellationToken, opening.CheckEvents).ConfigureAwait(false);
            opened = new StateStore<TState>(store, handlers, options, state, opening);
            store.Companions.Add(opened);
            opened.Start();
            return opened;
        }
        catch
        {
            // Also at the last step, when the store knows it already: what stayed there would write checkpoints of a state that gets no events any more.
            if (opened is null) opening.Dispose();
            else opened.GiveUp();
            throw;
        }

        TState Begin() => initial() ?? throw new InvalidOperationException($"The callback that gives the state '{typeof(TState).Name}' before its first event gave null. Nothing was opened.");
    }
}
