namespace Store.KeyValue;

/// <summary>
/// Keyed state beside a log. Every change is appended to the store's log first and applied then, so that the log alone can rebuild it. The
/// interface knows nothing of the engine or of files, so that other engines can stand behind it. Safe for any number of threads.
/// </summary>
/// <typeparam name="TKey">Type of the keys: anything registered with the serializer; two keys are equal when their records are equal bytes.</typeparam>
/// <typeparam name="TValue">Type of the values: anything registered with the serializer.</typeparam>
public interface IKeyValueStore<TKey, TValue> : IDisposable
{
    /// <summary>Sets the value of a key. As durable as an <c>Append</c>: after the next commit.</summary>
    /// <returns>Sequence of the change in the log.</returns>
    long Put(TKey key, TValue value);

    /// <summary>Gets the value of a key.</summary>
    bool TryGet(TKey key, [System.Diagnostics.CodeAnalysis.MaybeNullWhen(false)] out TValue value);

    /// <summary>Removes a key. As durable as an <c>Append</c>.</summary>
    /// <returns>True when the key was there.</returns>
    bool Delete(TKey key);

    /// <summary>Number of keys.</summary>
    long Count { get; }

    /// <summary>Writes a checkpoint of the keyed state, linked to the log, so that opening need not replay what came before. Durable on return.</summary>
    ValueTask CheckpointAsync(CancellationToken cancellationToken = default);
}
