// Collections of the user's own without type arguments, as they were written before there were any: classes derived from ArrayList, Hashtable and the like, or from CollectionBase and DictionaryBase, and what
// implements IList or IDictionary itself. Their elements are objects. Nearly all that these bases do can be overridden, so what a new one makes of the elements is always tried before they are written.

using System.Collections;
using System.Collections.Specialized;

namespace Store.Serialization.Codecs;

/// <summary>A collection type of the user's without a type argument, encoded as a list. Written as it enumerates itself, read by adding.</summary>
/// <typeparam name="TCollection">The type.</typeparam>
/// <typeparam name="T">The element.</typeparam>
/// <typeparam name="TCodec">Its codec.</typeparam>
/// <typeparam name="TForm">How elements are put into it.</typeparam>
public readonly struct OwnLooseCodec<TCollection, T, TCodec, TForm> : INinoCodec<TCollection>
    where TCollection : IEnumerable, new()
    where T : class
    where TCodec : struct, INinoCodec<T>
    where TForm : struct, IOwnLooseForm<TCollection, T>
{
    /// <inheritdoc/>
    public static int MinSize => 1;

    /// <inheritdoc/>
    public static SchemaNode Describe(SchemaBuilder builder)
    {
        SchemaNode node = ElementsCodec<T, TCodec>.Describe(builder).WithRule(SchemaRule.As(typeof(TCollection)));
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

        TCollection collection = Filled(new TCollection(), elements);
        int unfinished = typeof(TCollection).IsValueType ? -1 : reader.OutermostUnfinished(elements);
        if (unfinished >= 0 && !TForm.AsksNothing(collection)) FillAgain(in reader, unfinished, collection, elements);
        return collection;
    }

    private static void Write(ref NinoWriter writer, TCollection value)
    {
        T[] elements = Elements(value, in writer);
        T[] trial = TrialElements.Of(elements);
        OwnLoose.CheckOrder(trial, Elements(Filled(new TCollection(), trial), in writer), typeof(TCollection));
        ElementsCodec<T, TCodec>.Write(ref writer, elements);
    }

    private static T[] Elements(TCollection value, ref readonly NinoWriter writer)
    {
        T[] elements = Enumerated.Of<T, TCodec>(Each(value), in writer);
        if (TForm.IsLastFirst) Array.Reverse(elements);
        return elements;
    }

    // By the enumerator without a type argument: that of an interface with one may show something else.
    private static IEnumerable<T> Each(IEnumerable value)
    {
        foreach (object? element in value) yield return (T)element!;
    }

    // Apart, so that nothing is made for it where nothing waits.
    private static void FillAgain(ref readonly NinoReader reader, int unfinished, TCollection collection, T[] elements) => reader.Await(unfinished, (ref NinoReader _) =>
    {
        try
        {
            TForm.Clear(ref collection);
        }
        catch (Exception error) when (NinoFillable.IsRefusal(error))
        {
            throw Throw.CannotBeEmptied(typeof(TCollection), error);
        }

        Filled(collection, elements);
    });

    // Returned, because a struct is filled where it is: here.
    private static TCollection Filled(TCollection collection, T[] elements)
    {
        for (int i = 0; i < elements.Length; i++)
        {
            try
            {
                TForm.Add(ref collection, elements[i]);
            }
            catch (Exception error) when (OwnLoose.IsRefusal(error))
            {
                throw Throw.RefusedByAdd(typeof(TCollection), i, error);
            }
        }

        if (TForm.Count(collection) != elements.Length) Throw.OwnCollectionLoses(typeof(TCollection), elements.Length, TForm.Count(collection));
        return collection;
    }
}

/// <summary>A dictionary type of the user's without type arguments, encoded as a map. Written as it enumerates itself, read by adding.</summary>
/// <typeparam name="TMap">The type.</typeparam>
/// <typeparam name="TKeyCodec">Codec of the keys.</typeparam>
/// <typeparam name="TCodec">Codec of the values.</typeparam>
public readonly struct OwnLooseMapCodec<TMap, TKeyCodec, TCodec> : INinoCodec<TMap>
    where TMap : IDictionary, new()
    where TKeyCodec : struct, INinoCodec<object>
    where TCodec : struct, INinoCodec<object>
{
    /// <inheritdoc/>
    public static int MinSize => 1;

    /// <inheritdoc/>
    public static SchemaNode Describe(SchemaBuilder builder)
    {
        SchemaNode node = DictionaryCodec<object, object, TKeyCodec, TCodec>.Describe(builder).WithRule(SchemaRule.As(typeof(TMap)));
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
        KeyValuePair<object, object>[]? pairs = Pairs<object, object, TKeyCodec, TCodec>.Read(ref reader, out KnownComparer comparer);
        if (comparer != KnownComparer.Default) Throw.ComparerNotKept(typeof(TMap));
        if (pairs is null)
        {
            if (typeof(TMap).IsValueType) Throw.NullOf(typeof(TMap));
            return default!;
        }

        TMap map = Filled(ref reader, new TMap(), pairs);
        int unfinished = typeof(TMap).IsValueType ? -1 : reader.OutermostUnfinished(pairs);
        if (unfinished >= 0) FillAgain(in reader, unfinished, map, pairs);
        return map;
    }

    private static void Write(ref NinoWriter writer, TMap value)
    {
        KeyValuePair<object, object>[] pairs = Enumerated.PairsOf<object, object, TKeyCodec, TCodec>(LooseMaps.Pairs(value), in writer);
        if (Array.Exists(pairs, static pair => pair.Key is null)) Throw.NullKeyToWrite();
        KeyValuePair<object, object>[] trial = TrialElements.Of(pairs);
        TMap copy = new();
        for (int i = 0; i < trial.Length; i++) Add(ref copy, trial[i], i);
        if (copy.Count != trial.Length) Throw.OwnCollectionLoses(typeof(TMap), trial.Length, copy.Count);
        OwnLoose.CheckPairs(trial, Enumerated.PairsOf<object, object, TKeyCodec, TCodec>(LooseMaps.Pairs(copy), in writer), typeof(TMap), hasOrder: value is SortedList or IOrderedDictionary or ListDictionary);
        Pairs<object, object, TKeyCodec, TCodec>.Write(ref writer, pairs);
    }

    private static TMap Filled(ref NinoReader reader, TMap map, KeyValuePair<object, object>[] pairs)
    {
        OwnLoose.CountComparisons(ref reader, map, pairs);
        for (int i = 0; i < pairs.Length; i++)
        {
            Add(ref map, pairs[i], i);
            if (i >= KeyChains.FreeKeys && map is SortedList sorted) OwnLoose.CountMoves(ref reader, sorted, pairs[i].Key);
        }

        if (map.Count > pairs.Length) Throw.OwnCollectionLoses(typeof(TMap), pairs.Length, map.Count);
        if (map.Count < pairs.Length) Throw.EqualKeys(pairs.Length - map.Count);
        return map;
    }

    private static void FillAgain(ref readonly NinoReader reader, int unfinished, TMap map, KeyValuePair<object, object>[] pairs) => reader.Await(unfinished, (ref NinoReader later) =>
    {
        try
        {
            map.Clear();
        }
        catch (Exception error) when (NinoFillable.IsRefusal(error))
        {
            throw Throw.CannotBeEmptied(typeof(TMap), error);
        }

        Filled(ref later, map, pairs);
    });

    // By reference: a struct is changed itself.
    private static void Add(ref TMap map, KeyValuePair<object, object> pair, int index)
    {
        try
        {
            map.Add(pair.Key, pair.Value);
        }
        catch (Exception error) when (OwnLoose.IsRefusal(error))
        {
            throw Throw.RefusedByAdd(typeof(TMap), index, error);
        }
    }
}
