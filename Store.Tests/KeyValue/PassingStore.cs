// What has an engine that is right but for one thing in common with the right one? Everything that it does not override.

using System.Diagnostics.CodeAnalysis;
using Store.KeyValue;

namespace Store.Tests.KeyValue;

/// <summary>A keyed state that asks another for everything.</summary>
internal abstract class PassingStore<TKey, TValue>(IKeyValueStore<TKey, TValue> inner) : IKeyValueStore<TKey, TValue>
{
    public virtual long Count => inner.Count;

    public KeyValueRecovery Recovery => inner.Recovery;

    public Exception? CheckpointFailure => inner.CheckpointFailure;

    protected IKeyValueStore<TKey, TValue> Inner => inner;

    public virtual long Put(TKey key, TValue value) => inner.Put(key, value);

    public virtual ValueTask<long> PutAsync(TKey key, TValue value, CancellationToken cancellationToken = default) => inner.PutAsync(key, value, cancellationToken);

    public virtual long PutBatch(ReadOnlySpan<KeyValuePair<TKey, TValue>> pairs) => inner.PutBatch(pairs);

    public virtual ValueTask<long> PutBatchAsync(ReadOnlyMemory<KeyValuePair<TKey, TValue>> pairs, CancellationToken cancellationToken = default) => inner.PutBatchAsync(pairs, cancellationToken);

    public virtual long Update<TUpdate>(TKey key, ref TUpdate update) where TUpdate : struct, IKeyValueUpdate<TValue> => inner.Update(key, ref update);

    public virtual ValueTask<KeyValueUpdated<TUpdate>> UpdateAsync<TUpdate>(TKey key, TUpdate update, CancellationToken cancellationToken = default) where TUpdate : struct, IKeyValueUpdate<TValue> =>
        inner.UpdateAsync(key, update, cancellationToken);

    public virtual bool TryGet(TKey key, [MaybeNullWhen(false)] out TValue value) => inner.TryGet(key, out value);

    public virtual ValueTask<KeyValueResult<TValue>> TryGetAsync(TKey key, CancellationToken cancellationToken = default) => inner.TryGetAsync(key, cancellationToken);

    public virtual int TryGetBatch(ReadOnlySpan<TKey> keys, Span<KeyValueResult<TValue>> results) => inner.TryGetBatch(keys, results);

    public virtual ValueTask<KeyValueResult<TValue>[]> TryGetBatchAsync(ReadOnlyMemory<TKey> keys, CancellationToken cancellationToken = default) => inner.TryGetBatchAsync(keys, cancellationToken);

    public virtual IEnumerable<KeyValuePair<TKey, TValue>> Scan() => inner.Scan();

    public virtual IAsyncEnumerable<KeyValuePair<TKey, TValue>> ScanAsync(CancellationToken cancellationToken = default) => inner.ScanAsync(cancellationToken);

    public virtual bool Delete(TKey key) => inner.Delete(key);

    public virtual ValueTask<bool> DeleteAsync(TKey key, CancellationToken cancellationToken = default) => inner.DeleteAsync(key, cancellationToken);

    public virtual int DeleteBatch(ReadOnlySpan<TKey> keys) => inner.DeleteBatch(keys);

    public virtual ValueTask<int> DeleteBatchAsync(ReadOnlyMemory<TKey> keys, CancellationToken cancellationToken = default) => inner.DeleteBatchAsync(keys, cancellationToken);

    public virtual ValueTask CheckpointAsync(CancellationToken cancellationToken = default) => inner.CheckpointAsync(cancellationToken);

    public void Dispose() => inner.Dispose();
}
