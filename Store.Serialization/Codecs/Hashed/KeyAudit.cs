// Keys that are read before their collection is made: all are counted first, with the buckets that it is going to have.

namespace Store.Serialization.Codecs;

internal static class KeyAudit
{
    /// <summary>Counts what adding the keys of these pairs takes. Nothing for few of them, and for strings.</summary>
    /// <param name="reader">Counts for the record.</param>
    /// <param name="pairs">In the order in which they are going to be added.</param>
    /// <param name="buckets">How many buckets there are, from the first key to the last.</param>
    /// <param name="comparer">Null for the default one; one of the program's may be any.</param>
    /// <exception cref="NinoSerializationException">More than the record may take.</exception>
    public static void Check<TKey, TValue>(ref NinoReader reader, KeyValuePair<TKey, TValue>[] pairs, int buckets, IEqualityComparer<TKey>? comparer = null) =>
        Check<KeyValuePair<TKey, TValue>, TKey, KeyOfPair<TKey, TValue>>(ref reader, pairs, buckets, comparer);

    /// <inheritdoc cref="Check{TKey, TValue}(ref NinoReader, KeyValuePair{TKey, TValue}[], int, IEqualityComparer{TKey})"/>
    public static void Check<T>(ref NinoReader reader, T[] keys, int buckets, IEqualityComparer<T>? comparer = null) => Check<T, T, Itself<T>>(ref reader, keys, buckets, comparer);

    /// <summary>As <see cref="Check{T}(ref NinoReader, T[], int, IEqualityComparer{T})"/>, of what has keys.</summary>
    public static void Check<T, TKey, TGet>(ref NinoReader reader, T[] entries, int buckets, IEqualityComparer<TKey>? comparer) where TGet : struct, IKeyOf<T, TKey>
    {
        if (entries.Length <= KeyChains.FreeKeys || IsSeeded(comparer)) return;
        KeyChains chains = default;
        chains.Begin(buckets);
        for (int i = chains.Distance() - 1; i < entries.Length; i += chains.Distance())
        {
            if (!chains.Look(HashOf(TGet.Of(entries[i]), comparer))) continue;
            chains.BeginAll(buckets);
            foreach (T entry in entries) chains.Add(ref reader, HashOf(TGet.Of(entry), comparer));
            break;
        }

        chains.Return();
    }

    private static uint HashOf<TKey>(TKey key, IEqualityComparer<TKey>? comparer) => comparer is null || key is null ? KeyChains.HashOf(key) : (uint)comparer.GetHashCode(key);

    /// <summary>
    /// What room to make in a ConcurrentDictionary for so many keys. It grows nevertheless where its locks' shares of them are uneven, to twice as many buckets and twice again,
    /// and never while they are four times the keys: the keys are counted for all three.
    /// </summary>
    public static int ConcurrentRoom<TKey, TValue>(ref NinoReader reader, KeyValuePair<TKey, TValue>[] pairs)
    {
        int first = BucketCounts.AtLeast(pairs.Length), second = BucketCounts.AtLeast(first + 1);
        Check(ref reader, pairs, first);
        Check(ref reader, pairs, second);
        Check(ref reader, pairs, BucketCounts.AtLeast(second + 1));
        return first;
    }

    /// <summary>
    /// Counts what adding these pairs one by one takes to a ConcurrentDictionary that others made, without a capacity of their own: as it grows it has each of these counts of
    /// buckets, and four times as many keys at most before the next.
    /// </summary>
    public static void CheckGrowing<TKey, TValue>(ref NinoReader reader, KeyValuePair<TKey, TValue>[] pairs, IEqualityComparer<TKey> comparer)
    {
        if (pairs.Length <= KeyChains.FreeKeys || IsSeeded(comparer)) return;
        for (int buckets = SmallestCounted; ; buckets = BucketCounts.AtLeast(buckets + 1))
        {
            Check(ref reader, pairs.AsSpan(0, (int)Math.Min(pairs.Length, 4L * buckets)).ToArray(), buckets, comparer);
            if (buckets >= 4L * pairs.Length || buckets == BucketCounts.Max) return;
        }
    }

    // The count before the first of BucketCounts: of fewer buckets, four times as many keys are few.
    private const int SmallestCounted = 919;

    // Strings under a comparer that the runtime seeds.
    private static bool IsSeeded<TKey>(IEqualityComparer<TKey>? comparer) => typeof(TKey) == typeof(string) && KnownComparers.TryFind(comparer, out _);

    private readonly struct KeyOfPair<TKey, TValue> : IKeyOf<KeyValuePair<TKey, TValue>, TKey>
    {
        public static TKey Of(KeyValuePair<TKey, TValue> entry) => entry.Key;
    }

    private readonly struct Itself<T> : IKeyOf<T, T>
    {
        public static T Of(T entry) => entry;
    }
}

/// <summary>What the key of something is.</summary>
internal interface IKeyOf<T, TKey>
{
    static abstract TKey Of(T entry);
}
