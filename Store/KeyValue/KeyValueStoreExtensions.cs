using Store.KeyValue;

namespace Store;

/// <summary>Shorter forms.</summary>
public static class KeyValueStoreExtensions
{
    /// <summary>Changes a value by a function of it, as <see cref="IKeyValueStore{TKey, TValue}.Update"/>: <c>counts.Update("visits", n => n + 1)</c>. A key that is not there begins with a default.</summary>
    /// <returns>Sequence of the change.</returns>
    public static long Update<TKey, TValue>(this IKeyValueStore<TKey, TValue> store, TKey key, Func<TValue?, TValue> update)
    {
        ArgumentNullException.ThrowIfNull(store);
        ArgumentNullException.ThrowIfNull(update);
        var callback = new Function<TValue>(update);
        return store.Update(key, ref callback);
    }

    /// <summary>As the other form, by <see cref="IKeyValueStore{TKey, TValue}.UpdateAsync"/>.</summary>
    /// <returns>Sequence of the change, when it is as durable as <see cref="NinoStoreOptions.Durability"/> says.</returns>
    public static async ValueTask<long> UpdateAsync<TKey, TValue>(this IKeyValueStore<TKey, TValue> store, TKey key, Func<TValue?, TValue> update, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(store);
        ArgumentNullException.ThrowIfNull(update);
        return (await store.UpdateAsync(key, new Function<TValue>(update), cancellationToken).ConfigureAwait(false)).Sequence;
    }

    private readonly struct Function<TValue>(Func<TValue?, TValue> update) : IKeyValueUpdate<TValue>
    {
        public KeyValueUpdate Update(bool isThere, ref TValue? value)
        {
            value = update(value);
            return KeyValueUpdate.Put;
        }
    }
}
