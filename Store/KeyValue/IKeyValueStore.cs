namespace Store.KeyValue;

/// <summary>
/// Keyed state beside a log. Every change is appended to the store's log first and applied then, so that the log alone can rebuild it. The
/// interface knows nothing of the engine or of files, so that other engines can stand behind it. Safe for any number of threads.
/// </summary>
/// <remarks>Disposing releases the engine and writes nothing: what was not checkpointed is read from the log again when it is opened next.
/// Dispose it before the store it belongs to; afterwards every member throws <see cref="ObjectDisposedException"/>.</remarks>
/// <typeparam name="TKey">Type of the keys: anything registered with the serializer; two keys are equal when their records are equal bytes.</typeparam>
/// <typeparam name="TValue">Type of the values: anything registered with the serializer.</typeparam>
public interface IKeyValueStore<TKey, TValue> : IDisposable
{
    /// <summary>Sets the value of a key. As durable as an <c>Append</c>: after the next commit. Changes of one key take effect in the order of their sequences.</summary>
    /// <returns>Sequence of the change in the log.</returns>
    /// <exception cref="ArgumentNullException">The key or the value is null.</exception>
    /// <exception cref="RecordTooLargeException">The change fits neither the log's nor the engine's limit. Nothing was appended.</exception>
    /// <exception cref="StoreFailedException">The log or the engine failed earlier; open the store again.</exception>
    long Put(TKey key, TValue value);

    /// <summary>Gets the value of a key: the caller's own copy.</summary>
    /// <exception cref="Serialization.NinoSerializationException">The stored value is damaged.</exception>
    /// <exception cref="StoreFailedException">The engine failed, now or earlier; open the store again.</exception>
    bool TryGet(TKey key, [System.Diagnostics.CodeAnalysis.MaybeNullWhen(false)] out TValue value);

    /// <summary>Removes a key. As durable as an <c>Append</c>. A key that is not there costs no change in the log.</summary>
    /// <returns>True when the key was there.</returns>
    /// <exception cref="StoreFailedException">The log or the engine failed earlier; open the store again.</exception>
    bool Delete(TKey key);

    /// <summary>Number of keys, exact when nobody changes any meanwhile.</summary>
    long Count { get; }

    /// <summary>What opening found and did.</summary>
    KeyValueRecovery Recovery { get; }

    /// <summary>
    /// Writes a checkpoint of the keyed state, linked to the log, so that opening need not replay what came before. Durable on return, and so is the log up to it.
    /// Reads go on meanwhile; changes wait while memory is copied to the operating system, not for the disk. Cancelling leaves the checkpoint before in force.
    /// </summary>
    ValueTask CheckpointAsync(CancellationToken cancellationToken = default);
}
