using Store.KeyValue;

namespace Store.Tests.KeyValue;

/// <summary>An engine that holds nothing and counts.</summary>
internal sealed class CountingEngine<TKey, TValue> : IKeyValueStore<TKey, TValue>
{
    public int Checkpoints { get; private set; }

    public int Disposals { get; private set; }

    public Action? Closing { get; set; }

    public bool IsClosed { get; private set; }

    public Exception? Failure { get; init; }

    public long Count => IsClosed ? throw new ObjectDisposedException(nameof(CountingEngine<,>)) : 0;

    public KeyValueRecovery Recovery { get; } = new();

    public Exception? CheckpointFailure => null;

    public long Put(TKey key, TValue value) => 0;

    public ValueTask<long> PutAsync(TKey key, TValue value, CancellationToken cancellationToken = default) => default;

    public long PutBatch(ReadOnlySpan<KeyValuePair<TKey, TValue>> pairs) => 0;

    public ValueTask<long> PutBatchAsync(ReadOnlyMemory<KeyValuePair<TKey, TValue>> pairs, CancellationToken cancellationToken = default) => default;

    public ValueTask<KeyValueUpdated<TUpdate>> UpdateAsync<TUpdate>(TKey key, TUpdate update, CancellationToken cancellationToken = default) where TUpdate : struct, IKeyValueUpdate<TValue> => default;

    public ValueTask<bool> DeleteAsync(TKey key, CancellationToken cancellationToken = default) => default;

    public int DeleteBatch(ReadOnlySpan<TKey> keys) => 0;

    public ValueTask<int> DeleteBatchAsync(ReadOnlyMemory<TKey> keys, CancellationToken cancellationToken = default) => default;

    public ValueTask<KeyValueResult<TValue>[]> TryGetBatchAsync(ReadOnlyMemory<TKey> keys, CancellationToken cancellationToken = default) => default;

    public int TryGetBatch(ReadOnlySpan<TKey> keys, Span<KeyValueResult<TValue>> results) => 0;

    public long Update<TUpdate>(TKey key, ref TUpdate update) where TUpdate : struct, IKeyValueUpdate<TValue> => 0;

    public bool TryGet(TKey key, [System.Diagnostics.CodeAnalysis.MaybeNullWhen(false)] out TValue value)
    {
        value = default;
        return false;
    }

    public ValueTask<KeyValueResult<TValue>> TryGetAsync(TKey key, CancellationToken cancellationToken = default) => default;

    public IEnumerable<KeyValuePair<TKey, TValue>> Scan() => [];

    public IAsyncEnumerable<KeyValuePair<TKey, TValue>> ScanAsync(CancellationToken cancellationToken = default) => AsyncEnumerable.Empty<KeyValuePair<TKey, TValue>>();

    public bool Delete(TKey key) => false;

    public ValueTask CheckpointAsync(CancellationToken cancellationToken = default)
    {
        ObjectDisposedException.ThrowIf(IsClosed, this);
        if (Failure is { } failure) throw failure;
        Checkpoints++;
        return default;
    }

    public void Dispose()
    {
        IsClosed = true;
        Closing?.Invoke();
        Disposals++;
    }
}
