using System.Runtime.CompilerServices;

namespace Store.Serialization.Codecs;

/// <summary>Reads pairs into a dictionary, with their keys counted: see <see cref="KeyChains"/>.</summary>
internal static class ManyPairs<TKey, TValue, TKeyCodec, TValueCodec>
    where TKey : notnull
    where TKeyCodec : struct, INinoCodec<TKey>
    where TValueCodec : struct, INinoCodec<TValue>
{
    /// <summary>Reads all pairs. (With few arguments: others would be made room for by who has few pairs too.)</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static Dictionary<TKey, TValue> Read(ref NinoReader reader, Dictionary<TKey, TValue> map, int count)
    {
        Read(ref reader, map, count, [], hasKey: false, default!);
        return map;
    }

    /// <summary>Reads all pairs but the first ones, which are known.</summary>
    /// <param name="reader">Behind the first ones, or behind the key of the next one.</param>
    /// <param name="map">An empty dictionary with room and the default comparer.</param>
    /// <param name="count">How many pairs it will have.</param>
    /// <param name="first">The first ones.</param>
    /// <param name="hasKey">The key of the next one is read already.</param>
    /// <param name="key">That key.</param>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void Read(ref NinoReader reader, Dictionary<TKey, TValue> map, int count, ReadOnlySpan<KeyValuePair<TKey, TValue>> first, bool hasKey, TKey key)
    {
        KeyChains chains = default;
        chains.Begin(map.Capacity);
        int i = 0, look = chains.Distance();
        for (; i < first.Length; i++)
        {
            if (i == look) look += Look(ref reader, ref chains, map, first[i].Key);
            map.Add(first[i].Key, first[i].Value);
        }

        // What is between two keys that are looked at is read as in a dictionary of few.
        while (i < count)
        {
            if (!hasKey && i < look)
            {
                int end = Math.Min(look, count);
                ReadRun(ref reader, map, i, end);
                i = end;
                if (i == count) break;
            }

            if (!hasKey) key = default(TKeyCodec).Read(ref reader);
            hasKey = false;
            if (DictionaryCodec<TKey, TValue, TKeyCodec, TValueCodec>.IsNull(in key)) Throw.NullKey(i);
            TValue value = default(TValueCodec).Read(ref reader);
            if (i == look) look += Look(ref reader, ref chains, map, key);
            if (!map.TryAdd(key, value)) Throw.DuplicateKey(i);
            i++;
        }

        chains.Return();
    }

    // Apart from the loop around it, which would take its registers.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void ReadRun(ref NinoReader reader, Dictionary<TKey, TValue> map, int start, int end)
    {
        for (int i = start; i < end; i++)
        {
            TKey key = default(TKeyCodec).Read(ref reader);
            if (DictionaryCodec<TKey, TValue, TKeyCodec, TValueCodec>.IsNull(in key)) Throw.NullKey(i);
            if (!map.TryAdd(key, default(TValueCodec).Read(ref reader))) Throw.DuplicateKey(i);
        }
    }

    /// <summary>Looks at a key that is about to be added, and tells when to look again.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static int Look(ref NinoReader reader, ref KeyChains chains, Dictionary<TKey, TValue> map, TKey key)
    {
        if (chains.BeginIfGrown(map.Count, map.Capacity))
        {
            foreach (KeyValuePair<TKey, TValue> pair in map) chains.Count(KeyChains.HashOf(pair.Key));
        }

        uint hash = KeyChains.HashOf(key);
        if (!chains.CountsAll)
        {
            if (!chains.Look(hash)) return chains.Distance();
            chains.BeginAll(map.Capacity);
            foreach (KeyValuePair<TKey, TValue> pair in map) chains.Add(ref reader, KeyChains.HashOf(pair.Key));
        }

        chains.Add(ref reader, hash);
        return 1;
    }
}
