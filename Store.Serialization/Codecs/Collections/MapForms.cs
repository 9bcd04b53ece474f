// The forms of the framework's dictionaries. Hashed ones keep a comparer that has a mark and lose others, as long as no two keys become equal; ordered
// ones keep the default comparer and those with a mark, and refuse others: with them the order would be lost.

using System.Collections.Concurrent;
using System.Collections.Frozen;
using System.Collections.Immutable;
using System.Collections.ObjectModel;

namespace Store.Serialization.Codecs;

/// <summary>Ordered by key.</summary>
public readonly struct SortedDictionaryForm<TKey, TValue> : IMapForm<SortedDictionary<TKey, TValue>, TKey, TValue> where TKey : notnull
{
    /// <inheritdoc/>
    public static byte ComparerOf(SortedDictionary<TKey, TValue> map, KeyValuePair<TKey, TValue>[] pairs) => (byte)KnownComparers.OfOrdered(map.Comparer);

    /// <inheritdoc/>
    public static SortedDictionary<TKey, TValue> Create(ref NinoReader reader, KeyValuePair<TKey, TValue>[] pairs, byte comparer)
    {
        var map = new SortedDictionary<TKey, TValue>(KnownComparers.Order<TKey>((KnownComparer)comparer));
        foreach ((TKey key, TValue value) in pairs) map[key] = value;
        return map;
    }
}

/// <summary>Ordered by key.</summary>
public readonly struct SortedListForm<TKey, TValue> : IMapForm<SortedList<TKey, TValue>, TKey, TValue> where TKey : notnull
{
    /// <inheritdoc/>
    public static byte ComparerOf(SortedList<TKey, TValue> map, KeyValuePair<TKey, TValue>[] pairs) => (byte)KnownComparers.OfOrdered(map.Comparer);

    /// <inheritdoc/>
    public static SortedList<TKey, TValue> Create(ref NinoReader reader, KeyValuePair<TKey, TValue>[] pairs, byte comparer)
    {
        // Inserting keys that come in the wrong order one by one would cost their square: they are sorted first.
        IComparer<TKey>? order = KnownComparers.Order<TKey>((KnownComparer)comparer);
        Array.Sort(pairs, (a, b) => (order ?? Comparer<TKey>.Default).Compare(a.Key, b.Key));
        var map = new SortedList<TKey, TValue>(pairs.Length, order);
        foreach ((TKey key, TValue value) in pairs) map[key] = value;
        return map;
    }
}

/// <summary>In the order of insertion.</summary>
public readonly struct OrderedDictionaryForm<TKey, TValue> : IMapForm<OrderedDictionary<TKey, TValue>, TKey, TValue> where TKey : notnull
{
    /// <inheritdoc/>
    public static byte ComparerOf(OrderedDictionary<TKey, TValue> map, KeyValuePair<TKey, TValue>[] pairs) => Hashed.ComparerOf(map.Comparer, pairs);

    /// <inheritdoc/>
    public static OrderedDictionary<TKey, TValue> Create(ref NinoReader reader, KeyValuePair<TKey, TValue>[] pairs, byte comparer)
    {
        var map = new OrderedDictionary<TKey, TValue>(pairs.Length, KnownComparers.Equality<TKey>((KnownComparer)comparer));
        KeyAudit.Check(ref reader, pairs, map.Capacity);
        foreach ((TKey key, TValue value) in pairs) map[key] = value;
        return map;
    }
}

/// <summary>A moment of a dictionary that other threads may change meanwhile.</summary>
public readonly struct ConcurrentDictionaryForm<TKey, TValue> : IMapForm<ConcurrentDictionary<TKey, TValue>, TKey, TValue> where TKey : notnull
{
    /// <inheritdoc/>
    public static KeyValuePair<TKey, TValue>[] PairsOf(ConcurrentDictionary<TKey, TValue> map) => map.ToArray();

    /// <inheritdoc/>
    public static byte ComparerOf(ConcurrentDictionary<TKey, TValue> map, KeyValuePair<TKey, TValue>[] pairs) => Hashed.ComparerOf(map.Comparer, pairs);

    /// <inheritdoc/>
    public static ConcurrentDictionary<TKey, TValue> Create(ref NinoReader reader, KeyValuePair<TKey, TValue>[] pairs, byte comparer)
    {
        IEqualityComparer<TKey>? equality = KnownComparers.Equality<TKey>((KnownComparer)comparer);
        ConcurrentDictionary<TKey, TValue> map = KeyChains.AreCounted<TKey>(pairs.Length) ? new(concurrencyLevel: -1, KeyAudit.ConcurrentRoom(ref reader, pairs), equality) : new(equality);
        foreach ((TKey key, TValue value) in pairs) map[key] = value;
        return map;
    }
}

/// <summary>A view; read over a dictionary of its own.</summary>
public readonly struct ReadOnlyDictionaryForm<TKey, TValue> : IMapForm<ReadOnlyDictionary<TKey, TValue>, TKey, TValue> where TKey : notnull
{
    /// <inheritdoc/>
    public static KeyValuePair<TKey, TValue>[]? PairsOf(ReadOnlyDictionary<TKey, TValue> map) => null;

    /// <inheritdoc/>
    public static byte ComparerOf(ReadOnlyDictionary<TKey, TValue> map, KeyValuePair<TKey, TValue>[] pairs) => Hashed.ComparerOf(null, pairs, isUnknown: true);

    /// <inheritdoc/>
    public static ReadOnlyDictionary<TKey, TValue> Create(ref NinoReader reader, KeyValuePair<TKey, TValue>[] pairs, byte comparer) => new(Hashed.Create(ref reader, pairs, comparer));
}

/// <summary>Made once for reading.</summary>
public readonly struct FrozenDictionaryForm<TKey, TValue> : IMapForm<FrozenDictionary<TKey, TValue>, TKey, TValue> where TKey : notnull
{
    /// <inheritdoc/>
    public static byte ComparerOf(FrozenDictionary<TKey, TValue> map, KeyValuePair<TKey, TValue>[] pairs) => Hashed.ComparerOf(map.Comparer, pairs);

    /// <inheritdoc/>
    public static FrozenDictionary<TKey, TValue> Create(ref NinoReader reader, KeyValuePair<TKey, TValue>[] pairs, byte comparer) =>
        Hashed.Create(ref reader, pairs, comparer).ToFrozenDictionary(KnownComparers.Equality<TKey>((KnownComparer)comparer));
}

/// <summary><see cref="ImmutableDictionary{TKey, TValue}"/>, or <see cref="IImmutableDictionary{TKey, TValue}"/> read as one. The comparer of values is not kept.</summary>
/// <typeparam name="TMap">One of both.</typeparam>
/// <typeparam name="TKey">The key.</typeparam>
/// <typeparam name="TValue">The value.</typeparam>
public readonly struct ImmutableDictionaryForm<TMap, TKey, TValue> : IMapForm<TMap, TKey, TValue>
    where TMap : class, IImmutableDictionary<TKey, TValue>
    where TKey : notnull
{
    /// <inheritdoc/>
    public static KeyValuePair<TKey, TValue>[]? PairsOf(TMap map) => map is ImmutableDictionary<TKey, TValue> ? map.ToArray() : null;

    /// <inheritdoc/>
    public static byte ComparerOf(TMap map, KeyValuePair<TKey, TValue>[] pairs) => Hashed.ComparerOf((map as ImmutableDictionary<TKey, TValue>)?.KeyComparer, pairs, map is not ImmutableDictionary<TKey, TValue>);

    /// <inheritdoc/>
    public static TMap Create(ref NinoReader reader, KeyValuePair<TKey, TValue>[] pairs, byte comparer)
    {
        KeyAudit.Check(ref reader, pairs, BucketCounts.AtLeast(pairs.Length));
        ImmutableDictionary<TKey, TValue>.Builder map = ImmutableDictionary.CreateBuilder<TKey, TValue>(KnownComparers.Equality<TKey>((KnownComparer)comparer));
        foreach ((TKey key, TValue value) in pairs) map[key] = value;
        return (TMap)(object)map.ToImmutable();
    }
}

/// <summary>Ordered by key. The comparer of values is not kept.</summary>
public readonly struct ImmutableSortedDictionaryForm<TKey, TValue> : IMapForm<ImmutableSortedDictionary<TKey, TValue>, TKey, TValue> where TKey : notnull
{
    /// <inheritdoc/>
    public static byte ComparerOf(ImmutableSortedDictionary<TKey, TValue> map, KeyValuePair<TKey, TValue>[] pairs) => (byte)KnownComparers.OfOrdered(map.KeyComparer);

    /// <inheritdoc/>
    public static ImmutableSortedDictionary<TKey, TValue> Create(ref NinoReader reader, KeyValuePair<TKey, TValue>[] pairs, byte comparer)
    {
        ImmutableSortedDictionary<TKey, TValue>.Builder map = ImmutableSortedDictionary.CreateBuilder<TKey, TValue>(KnownComparers.Order<TKey>((KnownComparer)comparer));
        foreach ((TKey key, TValue value) in pairs) map[key] = value;
        return map.ToImmutable();
    }
}

/// <summary>What hashed forms share.</summary>
internal static class Hashed
{
    public static byte ComparerOf<TKey, TValue>(IEqualityComparer<TKey>? comparer, KeyValuePair<TKey, TValue>[] pairs, bool isUnknown = false)
    {
        KnownComparer known = KnownComparer.Default;
        if (isUnknown) KnownComparers.CheckDistinct(pairs.Select(static pair => pair.Key), pairs.Length, "keys of a dictionary");
        else known = KnownComparers.OfHashed(comparer, pairs.Select(static pair => pair.Key), pairs.Length, "keys of a dictionary");
        return (byte)known;
    }

    public static Dictionary<TKey, TValue> Create<TKey, TValue>(ref NinoReader reader, KeyValuePair<TKey, TValue>[] pairs, byte comparer) where TKey : notnull
    {
        var map = new Dictionary<TKey, TValue>(pairs.Length, KnownComparers.Equality<TKey>((KnownComparer)comparer));
        KeyAudit.Check(ref reader, pairs, map.Capacity);
        foreach ((TKey key, TValue value) in pairs) map[key] = value;
        return map;
    }

    public static HashSet<T> Create<T>(ref NinoReader reader, T[] elements, KnownComparer comparer)
    {
        var set = new HashSet<T>(elements.Length, KnownComparers.Equality<T>(comparer));
        KeyAudit.Check(ref reader, elements, set.Capacity);
        foreach (T element in elements) set.Add(element);
        return set;
    }
}
