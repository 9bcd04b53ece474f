namespace Store.KeyValue;

/// <summary>An engine of a keyed state as its store knows it: checkpointed with it, and closed before its log.</summary>
/// <param name="log">The log of the state; given back with this.</param>
/// <param name="engine">The engine; disposed with this.</param>
internal sealed class KeyValueCompanion<TKey, TValue>(KeyValueLog<TKey, TValue> log, IKeyValueStore<TKey, TValue> engine) : IStoreCompanion
{
    // Asked of the engine itself: it refuses everything before it gives its log back.
    public bool IsClosed
    {
        get
        {
            try
            {
                _ = engine.Count;
                return log.IsDisposed;
            }
            catch (ObjectDisposedException)
            {
                return true;
            }
        }
    }

    public (string Name, object Engine)? KeyedState => (log.Name, engine);

    public string Title => $"the keyed state '{log.Name}'";

    public bool IsInsideCallback => log.IsInsideCallback;

    public ValueTask CheckpointAsync(CancellationToken cancellationToken) => engine.CheckpointAsync(cancellationToken);

    // Whether the engine gives its log back or not, it is off the store.
    public void Dispose()
    {
        try
        {
            engine.Dispose();
        }
        finally
        {
            log.Dispose();
        }
    }
}
