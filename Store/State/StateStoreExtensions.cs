using Store.State;

namespace Store;

/// <summary>Event-sourced state on a store (docs/state.md).</summary>
public static class StateStoreExtensions
{
    /// <summary>
    /// Opens a state: the newest snapshot of <typeparamref name="TState"/> that is whole (or a new state), and every event behind it in the log. Events are appended through it
    /// only. <see cref="NinoStore.Recovery"/> tells which snapshot was used, what was replayed and what was damaged.
    /// </summary>
    /// <param name="store">The store. Several states may share one, each with events of its own or the same; disposing the store disposes them.</param>
    /// <param name="events">Names the events and what each does: <c>on => on.On&lt;Deposited&gt;((bank, e) => bank.Apply(e))</c>.</param>
    /// <param name="options">When checkpoints are written; null for the defaults.</param>
    /// <param name="cancellationToken">Stops between records; nothing is left open.</param>
    /// <exception cref="ArgumentException">There is no event, or one twice.</exception>
    /// <exception cref="SchemaMismatchException">The snapshot or an event is stored in another shape than its type has now.</exception>
    /// <exception cref="StoreCorruptException">The log no longer has events that no usable snapshot holds.</exception>
    public static async ValueTask<StateStore<TState>> OpenStateAsync<TState>(this NinoStore store, Action<StateHandlers<TState>> events, StateOptions? options = null, CancellationToken cancellationToken = default)
        where TState : class, new()
    {
        ArgumentNullException.ThrowIfNull(store);
        ArgumentNullException.ThrowIfNull(events);
        var handlers = new StateHandlers<TState>();
        events(handlers);
        if (handlers.IsEmpty) throw new ArgumentException("A state needs an event that changes it.", nameof(events));
        store.ThrowIfOneFile();
        TState state = await store.RestoreCoreAsync(handlers.Replay(), cancellationToken).ConfigureAwait(false);
        var opened = new StateStore<TState>(store, handlers, options ?? new StateOptions(), state, store.Recovery.RecordsReplayed);
        store.Companions.Add(opened);
        return opened;
    }
}
