// What does an engine look like that keeps the objects themselves? As a right one, until somebody changes one of them.

using System.Collections.Concurrent;
using System.Diagnostics.CodeAnalysis;
using Store.KeyValue;
using Store.Serialization;

namespace Store.Tests.KeyValue;

/// <summary>A keyed state that does not copy, in one place.</summary>
internal sealed class LiveObjectStore<TKey, TValue>(IKeyValueStore<TKey, TValue> inner, EngineFault fault) : PassingStore<TKey, TValue>(inner)
{
    private readonly ConcurrentDictionary<string, (TKey Key, TValue Value)> _live = new();

    public override long Put(TKey key, TValue value)
    {
        long sequence = base.Put(key, value);
        Keep(key, value);
        return sequence;
    }

    public override async ValueTask<long> PutBatchAsync(ReadOnlyMemory<KeyValuePair<TKey, TValue>> pairs, CancellationToken cancellationToken = default)
    {
        // On another thread, when the caller's has gone on: its array is empty then.
        if (fault == EngineFault.EncodesABatchLater)
        {
            await Task.Delay(20, cancellationToken);
            if (pairs.Span.IndexOf(default(KeyValuePair<TKey, TValue>)) >= 0) return await base.PutBatchAsync(ReadOnlyMemory<KeyValuePair<TKey, TValue>>.Empty, cancellationToken);
        }

        return await base.PutBatchAsync(pairs, cancellationToken);
    }

    public override bool TryGet(TKey key, [MaybeNullWhen(false)] out TValue value)
    {
        bool isThere = base.TryGet(key, out value);
        if (isThere && _live.TryGetValue(Name(key), out (TKey Key, TValue Value) live))
        {
            if (fault == EngineFault.KeepsTheCallersObject) value = Copy(live.Value);
            if (fault == EngineFault.HandsOutItsOwnObject) value = live.Value;
        }

        return isThere;
    }

    public override long Update<TUpdate>(TKey key, ref TUpdate update)
    {
        if (fault != EngineFault.HandsItsObjectToCallbacks || !_live.TryGetValue(Name(key), out (TKey Key, TValue Value) live)) return base.Update(key, ref update);
        TValue? value = live.Value;
        switch (update.Update(true, ref value))
        {
            case KeyValueUpdate.Put: return Put(key, value!);

            // What the callback did to the object is done.
            case KeyValueUpdate.Keep: return base.Put(key, live.Value);
            default: return Delete(key) ? 1 : 0;
        }
    }

    public override IEnumerable<KeyValuePair<TKey, TValue>> Scan() =>
        base.Scan().Select(pair => fault == EngineFault.HandsOutTheCallersKey && _live.TryGetValue(Name(pair.Key), out (TKey Key, TValue Value) live) ? new(live.Key, pair.Value) : pair);

    private static string Name(TKey key) => Convert.ToHexString(NinoSerializer.Serialize(key));

    private static T Copy<T>(T value) => NinoSerializer.Deserialize<T>(NinoSerializer.Serialize(value))!;

    private void Keep(TKey key, TValue value) => _live[Name(key)] = (key, fault == EngineFault.KeepsTheCallersObject ? value : Copy(value));
}
