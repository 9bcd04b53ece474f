// Collections of the user's own: anything with elements that can be added one by one, made by its parameterless constructor. What that constructor's
// comparer, or Add, makes of the elements is known only by trying: a record that could not be read again is not written.

using System.Collections.Concurrent;
using System.Collections.ObjectModel;
using System.Runtime.CompilerServices;

namespace Store.Serialization.Codecs;

/// <summary>A collection type of the user's, encoded as a list. Written as it enumerates itself, read by adding.</summary>
/// <typeparam name="TCollection">The type.</typeparam>
/// <typeparam name="T">The element.</typeparam>
/// <typeparam name="TCodec">Its codec.</typeparam>
public readonly struct OwnCollectionCodec<TCollection, T, TCodec> : INinoCodec<TCollection>, ICountedElements<T>
    where TCollection : ICollection<T>, new()
    where TCodec : struct, INinoCodec<T>
{
    /// <inheritdoc/>
    public static int MinSize => 1;

    /// <inheritdoc/>
    public static SchemaNode Describe(SchemaBuilder builder)
    {
        SchemaNode node = ElementsCodec<T, TCodec>.Describe(builder);
        bool isList = typeof(List<T>).IsAssignableFrom(typeof(TCollection)) || typeof(LinkedList<T>).IsAssignableFrom(typeof(TCollection));
        if (!isList) node = node.WithRule(SchemaRule.As(typeof(TCollection)));
        if (typeof(ISet<T>).IsAssignableFrom(typeof(TCollection))) node = node.WithRule(SchemaRule.Distinct);
        return typeof(TCollection).IsValueType ? node.WithZero(static () => [1]) : node;
    }

    /// <inheritdoc/>
    public void Write(ref NinoWriter writer, in TCollection value)
    {
        if (value is null) writer.WriteCompact(0);
        else Write(ref writer, value);
    }

    /// <inheritdoc/>
    public TCollection Read(ref NinoReader reader)
    {
        T[]? elements = ElementsCodec<T, TCodec>.ReadArray(ref reader);
        if (elements is null)
        {
            if (typeof(TCollection).IsValueType) Throw.NullOf(typeof(TCollection));
            return default!;
        }

        TCollection collection = Filled(ref reader, new TCollection(), elements);
        int unfinished = typeof(TCollection).IsValueType ? -1 : reader.OutermostUnfinished(elements);
        if (unfinished < 0) return collection;
        if (OwnCollections.AsksNothing<T>(collection)) KeptElements.Of(in reader, collection);
        else FillAgain(in reader, unfinished, collection, elements);
        return collection;
    }

    private static void Write(ref NinoWriter writer, TCollection value)
    {
        T[] elements = Enumerated.Of<T, TCodec>(value, in writer);
        if (!OwnCollections<TCollection>.Keeps(value, Comparer, static one => one.Count, static one => (Action<T>)one.Add))
        {
            T[] trial = TrialElements.Of(elements);
            TCollection copy = Fill(new TCollection(), trial);
            if (copy.Count != trial.Length) Throw.OwnCollectionLoses(typeof(TCollection), trial.Length, copy.Count);
            if (copy is IList<T> or IReadOnlyList<T>) CheckOrder(trial, Enumerated.Of<T, TCodec>(copy, in writer));
            else if (OwnCollections.AreTold<T>()) OwnCollections.CheckSame(trial, Enumerated.Of<T, TCodec>(copy, in writer), typeof(TCollection));
        }

        ElementsCodec<T, TCodec>.Write(ref writer, elements);
    }

    // Only a list has an order; what else enumerates as it likes.
    private static void CheckOrder(T[] elements, T[] copy)
    {
        HashSet<T>? all = null;
        for (int i = 0; i < elements.Length; i++)
        {
            // An Add that makes an object of its own of each may be right: without Equals, nobody can tell. One of the others' is not.
            T found = i < copy.Length ? copy[i] : default!;
            if (IsSame(elements[i], found)) continue;
            if (typeof(T).IsValueType || (all ??= [.. elements]).Contains(found)) Throw.OwnCollectionReorders(typeof(TCollection), i);
        }

        static bool IsSame(T one, T other) => typeof(T).IsValueType ? EqualityComparer<T>.Default.Equals(one, other) : ReferenceEquals(one, other) || EqualityComparer<T>.Default.Equals(one, other);
    }

    private static TCollection Filled(ref NinoReader reader, TCollection collection, T[] elements)
    {
        if (elements.Length > KeyChains.FreeKeys && collection is HashSet<T> set) KeyAudit.Check(ref reader, elements, set.EnsureCapacity(elements.Length), set.Comparer);
        // A struct is filled as a copy.
        collection = Fill(collection, elements);
        if (collection.Count != elements.Length) Throw.EqualElements(elements.Length - collection.Count);
        return collection;
    }

    // Apart, so that nothing is made for it where nothing waits.
    private static void FillAgain(ref readonly NinoReader reader, int unfinished, TCollection collection, T[] elements) => reader.Await(unfinished, (ref NinoReader later) =>
    {
        if (NinoFillable.TryEmpty(collection) is { } error) throw Throw.CannotBeEmptied(typeof(TCollection), error);
        Filled(ref later, collection, elements);
    });

    // Returned, because a struct is filled where it is: here.
    private static TCollection Fill(TCollection collection, T[] elements)
    {
        for (int i = 0; i < elements.Length; i++)
        {
            try
            {
                collection.Add(elements[i]);
            }
            catch (Exception error) when (NinoFillable.IsRefusal(error))
            {
                throw Throw.RefusedByAdd(typeof(TCollection), i, error);
            }
        }

        return collection;
    }

    private static object? Comparer(TCollection collection) => collection switch
    {
        // Whatever is added to a list stays apart; not to a Collection<T>, as a KeyedCollection is one.
        List<T> or LinkedList<T> => OwnCollections.NoComparer,
        HashSet<T> set => set.Comparer,
        SortedSet<T> set => set.Comparer,
        _ => null,
    };
}

/// <summary>A dictionary type of the user's, encoded as a map. Written as it enumerates itself, read by adding.</summary>
/// <typeparam name="TMap">The type.</typeparam>
/// <typeparam name="TKey">The key.</typeparam>
/// <typeparam name="TValue">The value.</typeparam>
/// <typeparam name="TKeyCodec">Codec of the key.</typeparam>
/// <typeparam name="TValueCodec">Codec of the value.</typeparam>
public readonly struct OwnMapCodec<TMap, TKey, TValue, TKeyCodec, TValueCodec> : INinoCodec<TMap>, ICountedElements<KeyValuePair<TKey, TValue>>
    where TMap : IDictionary<TKey, TValue>, new()
    where TKey : notnull
    where TKeyCodec : struct, INinoCodec<TKey>
    where TValueCodec : struct, INinoCodec<TValue>
{
    /// <inheritdoc/>
    public static int MinSize => 1;

    /// <inheritdoc/>
    public static SchemaNode Describe(SchemaBuilder builder)
    {
        SchemaNode node = DictionaryCodec<TKey, TValue, TKeyCodec, TValueCodec>.Describe(builder).WithRule(SchemaRule.As(typeof(TMap)));
        return typeof(TMap).IsValueType ? node.WithZero(static () => [1]) : node;
    }

    /// <inheritdoc/>
    public void Write(ref NinoWriter writer, in TMap value)
    {
        if (value is null) writer.WriteCompact(0);
        else Write(ref writer, value);
    }

    /// <inheritdoc/>
    public TMap Read(ref NinoReader reader)
    {
        KeyValuePair<TKey, TValue>[]? pairs = Pairs<TKey, TValue, TKeyCodec, TValueCodec>.Read(ref reader, out KnownComparer comparer);
        if (pairs is null)
        {
            if (typeof(TMap).IsValueType) Throw.NullOf(typeof(TMap));
            return default!;
        }

        // Whoever writes another dictionary into this place may leave its mark: this type has the comparer that its constructor gives it.
        KnownComparers.Of<TKey>(comparer);
        TMap map = Filled(ref reader, new TMap(), pairs);
        int unfinished = typeof(TMap).IsValueType ? -1 : reader.OutermostUnfinished(pairs);
        if (unfinished >= 0) FillAgain(in reader, unfinished, map, pairs);
        return map;
    }

    private static void Write(ref NinoWriter writer, TMap value)
    {
        KeyValuePair<TKey, TValue>[] pairs = Enumerated.PairsOf<TKey, TValue, TKeyCodec, TValueCodec>(value, in writer);
        if (!OwnCollections<TMap>.Keeps(value, Comparer, static one => one.Count, static one => (Action<TKey, TValue>)one.Add))
        {
            TMap copy = Fill(new TMap(), TrialElements.Of(pairs));
            if (copy.Count != pairs.Length) Throw.OwnCollectionLoses(typeof(TMap), pairs.Length, copy.Count);
            OwnCollections.CheckSame(pairs, Enumerated.PairsOf<TKey, TValue, TKeyCodec, TValueCodec>(copy, in writer), typeof(TMap));
        }

        Pairs<TKey, TValue, TKeyCodec, TValueCodec>.Write(ref writer, pairs);
    }

    private static TMap Filled(ref NinoReader reader, TMap map, KeyValuePair<TKey, TValue>[] pairs)
    {
        // Where what the type is derived from tells what buckets it has. A struct is derived from nothing.
        if (pairs.Length > KeyChains.FreeKeys && !typeof(TMap).IsValueType) NinoFill.MakeRoom(ref reader, map, pairs);
        map = Fill(map, pairs);
        if (map.Count != pairs.Length) Throw.EqualKeys(pairs.Length - map.Count);
        return map;
    }

    private static void FillAgain(ref readonly NinoReader reader, int unfinished, TMap map, KeyValuePair<TKey, TValue>[] pairs) => reader.Await(unfinished, (ref NinoReader later) =>
    {
        if (NinoFillable.TryEmpty(map) is { } error) throw Throw.CannotBeEmptied(typeof(TMap), error);
        Filled(ref later, map, pairs);
    });

    // Returned, because a struct is filled where it is: here.
    private static TMap Fill(TMap map, KeyValuePair<TKey, TValue>[] pairs)
    {
        for (int i = 0; i < pairs.Length; i++)
        {
            try
            {
                map.Add(pairs[i].Key, pairs[i].Value);
            }
            catch (Exception error) when (NinoFillable.IsRefusal(error))
            {
                throw Throw.RefusedByAdd(typeof(TMap), i, error);
            }
        }

        return map;
    }

    private static object? Comparer(TMap map) => map switch
    {
        Dictionary<TKey, TValue> known => known.Comparer,
        SortedDictionary<TKey, TValue> known => known.Comparer,
        SortedList<TKey, TValue> known => known.Comparer,
        OrderedDictionary<TKey, TValue> known => known.Comparer,
        ConcurrentDictionary<TKey, TValue> known => known.Comparer,
        _ => null,
    };
}

/// <summary>What a collection of the user's is when its constructor has made it.</summary>
internal static class OwnCollections<TCollection> where TCollection : new()
{
    // Found once: constructors give every one the same comparer. Two threads that come first find it twice.
    private static object? s_comparer;

    /// <summary>True when a new collection is known to keep apart what this one does: both have the same comparer. Else that is tried.</summary>
    /// <param name="value">It.</param>
    /// <param name="comparerOf">Gives the comparer; null where none is known.</param>
    /// <param name="countOf">Gives the number of elements.</param>
    /// <param name="addOf">Gives the method by which elements are added, where a class can have one of its own.</param>
    public static bool Keeps(TCollection value, Func<TCollection, object?> comparerOf, Func<TCollection, int> countOf, Func<TCollection, Delegate>? addOf = null)
    {
        if (comparerOf(value) is not { } comparer) return false;
        if (s_comparer is null)
        {
            // One that has elements when it is new has more when it is read, and an Add of its own may do anything: no comparer is like this one.
            var made = new TCollection();
            s_comparer = countOf(made) == 0 && (addOf is null || OwnCollections.IsOfFramework(addOf(made))) ? comparerOf(made) ?? new object() : new object();
        }

        return comparer.Equals(s_comparer);
    }
}

/// <summary>What there is of <see cref="OwnCollections{TCollection}"/> once.</summary>
internal static class OwnCollections
{
    /// <summary>The comparer of what needs none.</summary>
    public static readonly object NoComparer = new();

    /// <summary>Two values of a type are told apart by what they are: texts, numbers and structs of these. An Add that makes an object of its own of each of others may be right.</summary>
    public static bool AreTold<T>() => typeof(T) == typeof(string) || !RuntimeHelpers.IsReferenceOrContainsReferences<T>();

    /// <summary>A collection that no program derives from one of the framework: what that does with elements is known.</summary>
    public static bool IsOfFramework(Type type) => type.Namespace?.StartsWith("System.Collections", StringComparison.Ordinal) == true;

    /// <summary>What is no list enumerates in which order it likes, but the same elements.</summary>
    public static void CheckSame<T>(T[] elements, T[] copy, Type type)
    {
        HashSet<T> all = [.. elements];
        foreach (T found in copy)
        {
            if (!all.Contains(found)) Throw.OwnCollectionChanges(type);
        }
    }

    /// <summary>As <see cref="CheckSame{T}"/>, of a dictionary. Keys that only its own comparer keeps apart have no value that is the one of each.</summary>
    public static void CheckSame<TKey, TValue>(KeyValuePair<TKey, TValue>[] pairs, KeyValuePair<TKey, TValue>[] copy, Type type) where TKey : notnull
    {
        if (!AreTold<TKey>()) return;
        var all = new Dictionary<TKey, TValue>(pairs.Length);
        foreach ((TKey key, TValue value) in pairs)
        {
            if (!all.TryAdd(key, value)) return;
        }

        foreach ((TKey key, TValue value) in copy)
        {
            if (!all.TryGetValue(key, out TValue? stored) || (AreTold<TValue>() && !EqualityComparer<TValue>.Default.Equals(value, stored))) Throw.OwnCollectionChanges(type);
        }
    }

    /// <summary>It asks no element for a key or an order: a list, or exactly a Collection or ObservableCollection, of which derived ones may ask (KeyedCollection does).</summary>
    public static bool AsksNothing<T>(ICollection<T> collection) => (collection is List<T> or LinkedList<T> && IsOfFramework((Action<T>)collection.Add)) || collection.GetType() == typeof(Collection<T>) || collection.GetType() == typeof(ObservableCollection<T>);

    /// <summary>The method is a collection's of the framework, and not one by which a class that is derived from it implements its interface again.</summary>
    public static bool IsOfFramework(Delegate add) => add.Method.DeclaringType is { Namespace: "System.Collections.Generic" or "System.Collections.Concurrent" };
}
