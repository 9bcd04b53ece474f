namespace Store.KeyValue;

/// <summary>
/// Keyed state beside a log. Every change is appended to the store's log first and applied then, so that the log alone can rebuild it. The
/// interface knows nothing of the engine or of files, so that other engines can stand behind it. Safe for any number of threads.
/// </summary>
/// <remarks>Keys and values are encoded before a call returns, an asynchronous one too, and what an update gives when its callback does: the objects stay their owner's, who may change them then. What a read or a
/// callback is given is a copy of its own. Disposing releases the engine and writes nothing, unless its options ask for a last checkpoint: what was not checkpointed is read from the log again when it is opened next. The store it belongs to disposes
/// it when it is disposed itself; afterwards every member throws <see cref="ObjectDisposedException"/>. Disposing it inside one of its own callbacks is an <see cref="InvalidOperationException"/>, and it stays open. Disposing may wait for a checkpoint that is being written; <see cref="IAsyncDisposable.DisposeAsync"/> does the same without blocking its caller, and has
/// closed it when it completes.</remarks>
/// <typeparam name="TKey">Type of the keys: anything registered with the serializer; two keys are equal when their records are equal bytes.</typeparam>
/// <typeparam name="TValue">Type of the values: anything registered with the serializer.</typeparam>
public interface IKeyValueStore<TKey, TValue> : IDisposable, IAsyncDisposable
{
    /// <summary>Sets the value of a key. As durable as an <c>Append</c>: after the next commit. Changes of one key take effect in the order of their sequences.</summary>
    /// <returns>Sequence of the change in the log.</returns>
    /// <exception cref="ArgumentNullException">The key or the value is null.</exception>
    /// <exception cref="RecordTooLargeException">The change fits neither the log's nor the engine's limit. Nothing was appended.</exception>
    /// <exception cref="StoreFailedException">The log or the engine failed earlier; open the store again.</exception>
    long Put(TKey key, TValue value);

    /// <summary>
    /// As <see cref="Put"/>, completing when the change is as durable as <see cref="NinoStoreOptions.Durability"/> says (default: on the disk); concurrent callers share one sync. The change
    /// is made before that, and seen by every reader. Never blocks the caller on a read of its own from the disk; another thread's change of a key that shares a lock with this one, or a scan, may be at one while it holds that lock. Cancelling gives up the wait, never the change.
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

    /// <summary>As <see cref="PutBatch"/>, completing when all of it is as durable as <see cref="NinoStoreOptions.Durability"/> says. Never blocks the caller on a read of its own from the disk; a lock is waited for as by <see cref="PutAsync"/>. Cancelling gives up the wait, never the change.</summary>
    /// <param name="pairs">Keys and values. They are encoded before the call returns: the memory may change then.</param>
    /// <param name="cancellationToken">Noticed before anything is done, and by the wait.</param>
    /// <returns>Sequence of the first change; the others follow it.</returns>
    /// <inheritdoc cref="Put" path="/exception"/>
    ValueTask<long> PutBatchAsync(ReadOnlyMemory<KeyValuePair<TKey, TValue>> pairs, CancellationToken cancellationToken = default);

    /// <summary>
    /// Changes the value of a key depending on what it is, as one step: no other change of the key comes in between. The result is what the log gets, not the calculation, so replaying
    /// needs no callback. As durable as an <c>Append</c>. An exception of the callback reaches the caller and changes nothing.
    /// </summary>
    /// <param name="key">The key.</param>
    /// <param name="update">Looks at the value and gives the next one. It must neither change this keyed state nor scan it, ask for a checkpoint of it or dispose it; it may read it. A scan that is open is not moved there either: that ends it. It may be disposed, and ends behind the callback (one of <see cref="ScanAsync"/> that is just reading ahead, when that is done).</param>
    /// <returns>Sequence of the change, or 0 when the callback left everything as it was.</returns>
    /// <exception cref="InvalidOperationException">A callback changed the keyed state that it is called by, or asked for what waits until it ends. Nothing was appended.</exception>
    /// <inheritdoc cref="Put" path="/exception"/>
    long Update<TUpdate>(TKey key, ref TUpdate update) where TUpdate : struct, IKeyValueUpdate<TValue>;

    /// <summary>
    /// As <see cref="Update"/>, completing when the change is as durable as <see cref="NinoStoreOptions.Durability"/> says. Never blocks the caller on a read of its own from the disk (the callback is called on another thread then); a lock is waited for as by <see cref="PutAsync"/>.
    /// Cancelling gives up the wait, never the change.
    /// </summary>
    /// <param name="key">The key.</param>
    /// <param name="update">Looks at the value and gives the next one. It must neither change this keyed state nor scan it, ask for a checkpoint of it or dispose it; it may read it. A scan that is open is not moved there either: that ends it. It may be disposed, and ends behind the callback (one of <see cref="ScanAsync"/> that is just reading ahead, when that is done).</param>
    /// <param name="cancellationToken">Noticed before anything is done, and by the wait.</param>
    /// <returns>Sequence of the change, or 0 when the callback left everything as it was, and the callback with what it carries out.</returns>
    /// <exception cref="InvalidOperationException">A callback changed the keyed state that it is called by, or asked for what waits until it ends. Nothing was appended.</exception>
    /// <inheritdoc cref="Put" path="/exception"/>
    ValueTask<KeyValueUpdated<TUpdate>> UpdateAsync<TUpdate>(TKey key, TUpdate update, CancellationToken cancellationToken = default) where TUpdate : struct, IKeyValueUpdate<TValue>;

    /// <summary>Gets the value of a key: the caller's own copy.</summary>
    /// <exception cref="Serialization.NinoSerializationException">The stored value is damaged.</exception>
    /// <exception cref="StoreFailedException">The engine failed, now or earlier; open the store again.</exception>
    bool TryGet(TKey key, [System.Diagnostics.CodeAnalysis.MaybeNullWhen(false)] out TValue value);

    /// <summary>As <see cref="TryGet"/>, without blocking the caller on a read from the disk: completed on return when the value is in memory. Cancelling gives up the wait.</summary>
    /// <inheritdoc cref="TryGet" path="/exception"/>
    ValueTask<KeyValueResult<TValue>> TryGetAsync(TKey key, CancellationToken cancellationToken = default);

    /// <summary>Gets the values of several keys, each as <see cref="TryGet"/> does: no moment at which all of them were so. For one call instead of many.</summary>
    /// <param name="keys">The keys; one may occur twice.</param>
    /// <param name="results">At each key's place what was found: at least as many places as keys. The rest is left as it is.</param>
    /// <returns>How many are there.</returns>
    /// <exception cref="ArgumentException">There are fewer places than keys. Nothing was read.</exception>
    /// <inheritdoc cref="TryGet" path="/exception"/>
    int TryGetBatch(ReadOnlySpan<TKey> keys, Span<KeyValueResult<TValue>> results);

    /// <summary>
    /// As <see cref="TryGetBatch"/>, without blocking the caller on a read from the disk: completed on return when all values are in memory. Cancelling gives up the wait.
    /// </summary>
    /// <param name="keys">The keys; one may occur twice. They are encoded before the call returns: the memory may change then.</param>
    /// <param name="cancellationToken">Noticed before anything is done, and by the wait.</param>
    /// <returns>At each key's place what was found: an array of the caller's own, as long as the keys.</returns>
    /// <inheritdoc cref="TryGet" path="/exception"/>
    ValueTask<KeyValueResult<TValue>[]> TryGetBatchAsync(ReadOnlyMemory<TKey> keys, CancellationToken cancellationToken = default);

    /// <summary>
    /// Reads all keys and values, in no order. A key that is there from the beginning to the end comes exactly once, with a value it had meanwhile; one that comes or goes meanwhile comes once
    /// or not at all. Changes, reads and checkpoints go on. Memory: a page or two, and the keys that change while it runs.
    /// </summary>
    /// <exception cref="ObjectDisposedException">While it is enumerated: this was disposed, before or meanwhile.</exception>
    /// <inheritdoc cref="TryGet" path="/exception"/>
    IEnumerable<KeyValuePair<TKey, TValue>> Scan();

    /// <summary>
    /// As <see cref="Scan"/>, without blocking the caller on a read from the disk. It begins when the first record is asked for. What comes next may be read ahead of the caller, a bounded amount of it, so a
    /// value may be as old as that.
    /// </summary>
    /// <param name="cancellationToken">Noticed before each record and by the wait for it; so is the token of <c>WithCancellation</c>.</param>
    /// <exception cref="OperationCanceledException">While it is enumerated: a token was cancelled. The scan has ended, or ends with the read that is under way.</exception>
    /// <exception cref="ObjectDisposedException">While it is enumerated: this was disposed, before or meanwhile.</exception>
    /// <inheritdoc cref="TryGet" path="/exception"/>
    IAsyncEnumerable<KeyValuePair<TKey, TValue>> ScanAsync(CancellationToken cancellationToken = default);

    /// <summary>Removes a key. As durable as an <c>Append</c>. A key that is not there costs no change in the log.</summary>
    /// <returns>True when the key was there.</returns>
    /// <exception cref="StoreFailedException">The log or the engine failed earlier; open the store again.</exception>
    bool Delete(TKey key);

    /// <summary>
    /// As <see cref="Delete"/>, completing when the change is as durable as <see cref="NinoStoreOptions.Durability"/> says; at once when the key was not there. Never blocks the caller on a read of its own from the disk; a lock is waited for as by <see cref="PutAsync"/>.
    /// Cancelling gives up the wait, never the change.
    /// </summary>
    /// <returns>True when the key was there.</returns>
    /// <inheritdoc cref="Delete" path="/exception"/>
    ValueTask<bool> DeleteAsync(TKey key, CancellationToken cancellationToken = default);

    /// <summary>
    /// Removes several keys as one step: one frame of the log, as <see cref="PutBatch"/>. Keys that are not there cost no change in the log; one that occurs twice counts once.
    /// </summary>
    /// <returns>How many were there.</returns>
    /// <exception cref="ArgumentNullException">A key is null. Nothing was appended.</exception>
    /// <exception cref="StoreFailedException">The log or the engine failed earlier; open the store again.</exception>
    int DeleteBatch(ReadOnlySpan<TKey> keys);

    /// <summary>
    /// As <see cref="DeleteBatch"/>, completing when all of it is as durable as <see cref="NinoStoreOptions.Durability"/> says; at once when no key was there. Never blocks the caller on a read of its own from the disk; a lock is waited for as by <see cref="PutAsync"/>.
    /// Cancelling gives up the wait, never the change.
    /// </summary>
    /// <param name="keys">The keys. They are encoded before the call returns: the memory may change then.</param>
    /// <param name="cancellationToken">Noticed before anything is done, and by the wait.</param>
    /// <returns>How many were there.</returns>
    /// <inheritdoc cref="DeleteBatch" path="/exception"/>
    ValueTask<int> DeleteBatchAsync(ReadOnlyMemory<TKey> keys, CancellationToken cancellationToken = default);

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
    /// <exception cref="InvalidOperationException">It was asked for inside a callback of this keyed state, for whose end it would wait.</exception>
    /// <exception cref="IOException">Writing failed: this checkpoint does not exist, the one before is in force. Once it exists nothing throws: see <see cref="CheckpointFailure"/>.</exception>
    /// <exception cref="StoreFailedException">The log or the engine failed, now or earlier; open the store again.</exception>
    ValueTask CheckpointAsync(CancellationToken cancellationToken = default);

    /// <summary>Disposes on a thread of the pool; inside a callback on this one, where <see cref="IDisposable.Dispose"/> knows whose callback it is. An engine of one thread has its own.</summary>
    ValueTask IAsyncDisposable.DisposeAsync()
    {
        if (!KeyValueCallback.IsInsideAny) return new ValueTask(Task.Run(Dispose));
        Dispose();
        return ValueTask.CompletedTask;
    }
}
