namespace Store.KeyValue;

/// <summary>
/// Keyed state beside a log. Every change is appended to the store's log first and applied then, so that the log alone can rebuild it. The
/// interface knows nothing of the engine or of files, so that other engines can stand behind it. Safe for any number of threads.
/// </summary>
/// <remarks>Disposing releases the engine and writes nothing, unless its options ask for a last checkpoint: what was not checkpointed is read from the log again when it is opened next. The store it belongs to disposes
/// it when it is disposed itself; afterwards every member throws <see cref="ObjectDisposedException"/>.</remarks>
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

    /// <summary>
    /// As <see cref="Put"/>, completing when the change is as durable as <see cref="NinoStoreOptions.Durability"/> says (default: on the disk); concurrent callers share one sync. The change
    /// is made before that, and seen by every reader. Never blocks the caller on a read from the disk. Cancelling gives up the wait, never the change.
    /// </summary>
    /// <returns>Sequence of the change in the log.</returns>
    /// <inheritdoc cref="Put" path="/exception"/>
    ValueTask<long> PutAsync(TKey key, TValue value, CancellationToken cancellationToken = default);

    /// <summary>
    /// Sets several values as one step: one frame of the log, so that after a crash all of them are there or none, and no checkpoint holds a part of them. Readers may see some before the
    /// others. A key that occurs twice ends with its last value. As durable as an <c>Append</c>.
    /// </summary>
    /// <returns>Sequence of the first change; the others follow it. Of an empty batch, the sequence that the next record will get.</returns>
    /// <inheritdoc cref="Put" path="/exception"/>
    long PutBatch(ReadOnlySpan<KeyValuePair<TKey, TValue>> pairs);

    /// <summary>
    /// Changes the value of a key depending on what it is, as one step: no other change of the key comes in between. The result is what the log gets, not the calculation, so replaying
    /// needs no callback. As durable as an <c>Append</c>. An exception of the callback reaches the caller and changes nothing.
    /// </summary>
    /// <param name="key">The key.</param>
    /// <param name="update">Looks at the value and gives the next one. It must not change this keyed state.</param>
    /// <returns>Sequence of the change, or 0 when the callback left everything as it was.</returns>
    /// <exception cref="InvalidOperationException">A callback changed the keyed state that it is called by. Nothing was appended.</exception>
    /// <inheritdoc cref="Put" path="/exception"/>
    long Update<TUpdate>(TKey key, ref TUpdate update) where TUpdate : struct, IKeyValueUpdate<TValue>;

    /// <summary>Gets the value of a key: the caller's own copy.</summary>
    /// <exception cref="Serialization.NinoSerializationException">The stored value is damaged.</exception>
    /// <exception cref="StoreFailedException">The engine failed, now or earlier; open the store again.</exception>
    bool TryGet(TKey key, [System.Diagnostics.CodeAnalysis.MaybeNullWhen(false)] out TValue value);

    /// <summary>As <see cref="TryGet"/>, without blocking the caller on a read from the disk: completed on return when the value is in memory. Cancelling gives up the wait.</summary>
    /// <inheritdoc cref="TryGet" path="/exception"/>
    ValueTask<KeyValueResult<TValue>> TryGetAsync(TKey key, CancellationToken cancellationToken = default);

    /// <summary>
    /// Reads all keys and values, in no order. A key that is there from the beginning to the end comes exactly once, with a value it had meanwhile; one that comes or goes meanwhile comes once
    /// or not at all. Changes, reads and checkpoints go on. Memory: a page or two, and the keys that change while it runs.
    /// </summary>
    /// <inheritdoc cref="TryGet" path="/exception"/>
    IEnumerable<KeyValuePair<TKey, TValue>> Scan();

    /// <summary>Removes a key. As durable as an <c>Append</c>. A key that is not there costs no change in the log.</summary>
    /// <returns>True when the key was there.</returns>
    /// <exception cref="StoreFailedException">The log or the engine failed earlier; open the store again.</exception>
    bool Delete(TKey key);

    /// <summary>Number of keys, exact when nobody changes any meanwhile.</summary>
    long Count { get; }

    /// <summary>What opening found and did.</summary>
    KeyValueRecovery Recovery { get; }

    /// <summary>
    /// What went wrong with checkpoints and reached no caller: an automatic one that failed, or, of one that is in force, the removal of what it makes superfluous. Null when all is well. No
    /// change is lost by either, and the next checkpoint tries again.
    /// </summary>
    Exception? CheckpointFailure { get; }

    /// <summary>
    /// Writes a checkpoint of the keyed state, linked to the log, so that opening need not replay what came before. Durable on return, and so is the log up to it.
    /// Reads go on meanwhile, and so do changes, but for the moment in which the engine draws its line between what belongs to the checkpoint and what does not. Cancelling leaves the checkpoint
    /// before in force.
    /// </summary>
    /// <exception cref="IOException">Writing failed: this checkpoint does not exist, the one before is in force. Once it exists nothing throws: see <see cref="CheckpointFailure"/>.</exception>
    /// <exception cref="StoreFailedException">The log or the engine failed, now or earlier; open the store again.</exception>
    ValueTask CheckpointAsync(CancellationToken cancellationToken = default);
}
