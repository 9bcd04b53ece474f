// Pairs read into a dictionary that is there. As long as the stored keys are those that are there, in the same order, keys stay and values are filled; from the
// first other key on the dictionary is cleared, which keeps its room, and holds afterwards what was stored, in the stored order.

using System.Buffers;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Store.Serialization.Codecs;

internal static class MapReuse<TKey, TValue, TKeyCodec, TValueCodec>
    where TKey : notnull
    where TKeyCodec : struct, INinoCodec<TKey>
    where TValueCodec : struct, INinoCodec<TValue>
{
    public static void Read(ref NinoReader reader, ref Dictionary<TKey, TValue>? value)
    {
        Dictionary<TKey, TValue>? map = value;
        if (map is null || map.GetType() != typeof(Dictionary<TKey, TValue>))
        {
            value = default(DictionaryCodec<TKey, TValue, TKeyCodec, TValueCodec>).Read(ref reader);
            return;
        }

        int count = DictionaryCodec<TKey, TValue, TKeyCodec, TValueCodec>.ReadCount(ref reader, out KnownComparer comparer);
        if (count < 0)
        {
            value = null;
            return;
        }

        if (!KnownComparers.TryFind(map.Comparer, out KnownComparer present) || present != comparer) value = map = new Dictionary<TKey, TValue>(comparer == KnownComparer.Default ? null : KnownComparers.Equality<TKey>(comparer));
        int kept = 0;
        TKey key = default!;
        bool isOther = false;
        if (KeptKeys<TKey, TKeyCodec>.Any)
        {
            foreach (KeyValuePair<TKey, TValue> pair in map)
            {
                if (kept == count) break;
                TKey known = pair.Key;
                key = known;
                NinoReuse.Read<TKey, TKeyCodec>(ref reader, ref key);
                isOther = !SameBits.Of(in key, in known);
                if (isOther) break;
                TValue old = pair.Value, element = old;
                NinoReuse.Read<TValue, TValueCodec>(ref reader, ref element);
                if (!SameBits.Of(in element, in old)) Replace(map, key, element);
                kept++;
            }
        }

        // What is taken out behind it, the enumerator does not notice.
        if (map.Count < kept) Throw.ChangedWhileFilled(map.GetType());
        if (kept < count || map.Count > kept) ReadRest(ref reader, map, kept, count, isOther, key);
    }

    // The key was found by enumerating, so it is there, unless another thread takes it out meanwhile.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void Replace(Dictionary<TKey, TValue> map, TKey key, TValue value)
    {
        ref TValue place = ref CollectionsMarshal.GetValueRefOrNullRef(map, key);
        if (Unsafe.IsNullRef(ref place)) throw new InvalidOperationException("The dictionary was changed while it was filled.");
        place = value;
    }

    /// <summary>Everything behind the first pairs, which are as stored.</summary>
    /// <param name="reader">Behind them, or behind the key of the next one.</param>
    /// <param name="map">What is filled.</param>
    /// <param name="kept">How many are as stored.</param>
    /// <param name="count">How many are stored.</param>
    /// <param name="hasKey">The key of the next one is read already.</param>
    /// <param name="key">That key.</param>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void ReadRest(ref NinoReader reader, Dictionary<TKey, TValue> map, int kept, int count, bool hasKey, TKey key)
    {
        // Cleared even when pairs are only added: those would go where earlier ones were removed, and the order would be another than the stored one.
        KeyValuePair<TKey, TValue>[]? first = kept > 0 ? ArrayPool<KeyValuePair<TKey, TValue>>.Shared.Rent(kept) : null;
        if (first is not null)
        {
            int i = 0;
            foreach (KeyValuePair<TKey, TValue> pair in map)
            {
                if (i == kept) break;
                first[i++] = pair;
            }

            if (i < kept) Throw.ChangedWhileFilled(map.GetType());
        }

        map.Clear();
        map.EnsureCapacity(Math.Min(count, HashedRoom.Max(in reader)));
        bool areCounted = KeyChains.AreCounted<TKey>(count);
        if (areCounted) ManyPairs<TKey, TValue, TKeyCodec, TValueCodec>.Read(ref reader, map, count, first.AsSpan(0, kept), hasKey, key);
        else for (int i = 0; i < kept; i++) map.Add(first![i].Key, first[i].Value);
        if (first is not null) ArrayPool<KeyValuePair<TKey, TValue>>.Shared.Return(first, clearArray: true);
        if (areCounted) return;

        for (int i = kept; i < count; i++)
        {
            if (!hasKey) key = default(TKeyCodec).Read(ref reader);
            hasKey = false;
            if (DictionaryCodec<TKey, TValue, TKeyCodec, TValueCodec>.IsNull(in key)) Throw.NullKey(i);
            if (!map.TryAdd(key, default(TValueCodec).Read(ref reader))) Throw.DuplicateKey(i);
        }

        if (map.Count != count) Throw.ChangedWhileFilled(map.GetType());
    }
}
