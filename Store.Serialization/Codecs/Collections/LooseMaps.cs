// Dictionaries without type arguments: maps of what is declared as object. Comparers of theirs are not to be seen from outside, and are not kept.

using System.Collections;
using System.Collections.Specialized;
using System.Dynamic;

namespace Store.Serialization.Codecs;

/// <summary>How a dictionary without type arguments becomes pairs and is made of them again.</summary>
/// <typeparam name="TMap">The dictionary.</typeparam>
/// <typeparam name="TKey">Its keys: objects or strings.</typeparam>
public interface ILooseMapForm<TMap, TKey>
{
    /// <summary>The pairs in the dictionary's own order, one by one: whoever derives from it, or implements the interface, may show more than a record can hold.</summary>
    static abstract IEnumerable<KeyValuePair<TKey, object>> Pairs(TMap map);

    /// <summary><see cref="Pairs"/> has held the keys against each other already, as they are when they are read: their hash codes are not asked.</summary>
    static virtual bool HasComparedKeys => false;

    /// <summary>Makes the dictionary; of two equal keys the last one may stay, which the caller notices by the count. The reader counts comparisons where keys are found by hash code.</summary>
    static abstract TMap Create(ref NinoReader reader, KeyValuePair<TKey, object>[] pairs);

    /// <summary>How many pairs the dictionary has.</summary>
    static abstract int Count(TMap map);
}

/// <summary>A dictionary without type arguments, or null.</summary>
/// <typeparam name="TMap">The dictionary.</typeparam>
/// <typeparam name="TKey">Its keys: objects or strings.</typeparam>
/// <typeparam name="TKeyCodec">Codec of the keys.</typeparam>
/// <typeparam name="TCodec">Codec of objects.</typeparam>
/// <typeparam name="TForm">How it is made.</typeparam>
public readonly struct LooseMapCodec<TMap, TKey, TKeyCodec, TCodec, TForm> : INinoCodec<TMap>
    where TMap : class
    where TKey : notnull
    where TKeyCodec : struct, INinoCodec<TKey>
    where TCodec : struct, INinoCodec<object>
    where TForm : struct, ILooseMapForm<TMap, TKey>
{
    /// <inheritdoc/>
    public static int MinSize => 1;

    /// <inheritdoc/>
    public static SchemaNode Describe(SchemaBuilder builder) => DictionaryCodec<TKey, object, TKeyCodec, TCodec>.Describe(builder);

    /// <inheritdoc/>
    public void Write(ref NinoWriter writer, in TMap value)
    {
        if (value is null)
        {
            writer.WriteCompact(0);
            return;
        }

        KeyValuePair<TKey, object>[] pairs = Enumerated.PairsOf<TKey, object, TKeyCodec, TCodec>(TForm.Pairs(value), in writer);
        if (!TForm.HasComparedKeys) KnownComparers.CheckDistinct(pairs.Select(static pair => pair.Key), pairs.Length, "keys of a dictionary");
        Pairs<TKey, object, TKeyCodec, TCodec>.Write(ref writer, pairs);
    }

    /// <inheritdoc/>
    public TMap Read(ref NinoReader reader)
    {
        KeyValuePair<TKey, object>[]? pairs = Pairs<TKey, object, TKeyCodec, TCodec>.Read(ref reader, out KnownComparer comparer);
        if (comparer != KnownComparer.Default) Throw.ComparerNotKept(typeof(TMap));
        if (pairs is null) return null!;
        TMap map = TForm.Create(ref reader, pairs);
        if (TForm.Count(map) != pairs.Length) Throw.EqualKeys(pairs.Length - TForm.Count(map));
        return map;
    }
}

/// <summary>In its own order, which is another in each process.</summary>
public readonly struct HashtableForm : ILooseMapForm<Hashtable, object>
{
    /// <inheritdoc/>
    public static IEnumerable<KeyValuePair<object, object>> Pairs(Hashtable map) => LooseMaps.Pairs(map);

    /// <inheritdoc/>
    public static Hashtable Create(ref NinoReader reader, KeyValuePair<object, object>[] pairs) => LooseMaps.Fill(new Hashtable(HashtableProbes.Room(ref reader, pairs)), pairs);

    /// <inheritdoc/>
    public static int Count(Hashtable map) => map.Count;
}

/// <summary>Ordered by key.</summary>
public readonly struct LooseSortedListForm : ILooseMapForm<SortedList, object>
{
    /// <inheritdoc/>
    public static IEnumerable<KeyValuePair<object, object>> Pairs(SortedList map)
    {
        // Read again it is ordered by the default comparer, which must not find the keys out of order, equal, or beyond comparing.
        int i = 0;
        object? before = null;
        foreach (KeyValuePair<object, object> pair in LooseMaps.Pairs(map))
        {
            if (before is not null && !AreInOrder(before, pair.Key)) Throw.OtherOrder(typeof(SortedList), i);
            before = pair.Key;
            i++;
            yield return pair;
        }
    }

    /// <inheritdoc/>
    public static bool HasComparedKeys => true;

    /// <inheritdoc/>
    public static SortedList Create(ref NinoReader reader, KeyValuePair<object, object>[] pairs)
    {
        // Inserting keys that come in the wrong order one by one would cost their square: they are sorted first.
        Array.Sort(pairs, static (a, b) => Comparer.Default.Compare(a.Key, b.Key));
        return LooseMaps.Fill(new SortedList(pairs.Length), pairs);
    }

    /// <inheritdoc/>
    public static int Count(SortedList map) => map.Count;

    private static bool AreInOrder(object first, object second)
    {
        try
        {
            return Comparer.Default.Compare(first, second) < 0;
        }
        catch (ArgumentException)
        {
            // Neither of them is comparable with the other: told by what is thrown for it.
            return false;
        }
    }
}

/// <summary>In the order of insertion.</summary>
public readonly struct LooseOrderedDictionaryForm : ILooseMapForm<OrderedDictionary, object>
{
    /// <inheritdoc/>
    public static IEnumerable<KeyValuePair<object, object>> Pairs(OrderedDictionary map) => LooseMaps.Pairs(map);

    /// <inheritdoc/>
    public static OrderedDictionary Create(ref NinoReader reader, KeyValuePair<object, object>[] pairs) => LooseMaps.Fill(new OrderedDictionary(HashtableProbes.Room(ref reader, pairs)), pairs);

    /// <inheritdoc/>
    public static int Count(OrderedDictionary map) => map.Count;
}

/// <summary>In the order of insertion. Each key that is added is compared with all before it.</summary>
public readonly struct ListDictionaryForm : ILooseMapForm<ListDictionary, object>
{
    /// <inheritdoc/>
    public static IEnumerable<KeyValuePair<object, object>> Pairs(ListDictionary map) => LooseMaps.Pairs(map);

    /// <inheritdoc/>
    public static ListDictionary Create(ref NinoReader reader, KeyValuePair<object, object>[] pairs)
    {
        if (pairs.Length > KeyChains.FreeKeys) reader.SpendKeyComparisons((long)pairs.Length * (pairs.Length - 1) / 2);
        ListDictionary map = LooseMaps.Fill(new ListDictionary(), pairs);
        LooseMaps.AskHashCodes(pairs);
        return map;
    }

    /// <inheritdoc/>
    public static int Count(ListDictionary map) => map.Count;
}

/// <summary>In the order of insertion while there are few, which it keeps in a list; else in that of a <see cref="Hashtable"/>.</summary>
public readonly struct HybridDictionaryForm : ILooseMapForm<HybridDictionary, object>
{
    /// <inheritdoc/>
    public static IEnumerable<KeyValuePair<object, object>> Pairs(HybridDictionary map) => LooseMaps.Pairs(map);

    /// <inheritdoc/>
    public static HybridDictionary Create(ref NinoReader reader, KeyValuePair<object, object>[] pairs)
    {
        HybridDictionary map = LooseMaps.Fill(new HybridDictionary(HashtableProbes.Room(ref reader, pairs)), pairs);
        if (pairs.Length <= KeyChains.FreeKeys) LooseMaps.AskHashCodes(pairs);
        return map;
    }

    /// <inheritdoc/>
    public static int Count(HybridDictionary map) => map.Count;
}

/// <summary>The interface; read as <see cref="Dictionary{TKey, TValue}"/> of objects.</summary>
public readonly struct LooseDictionaryForm : ILooseMapForm<IDictionary, object>
{
    /// <inheritdoc/>
    public static IEnumerable<KeyValuePair<object, object>> Pairs(IDictionary map) => LooseMaps.Pairs(map);

    /// <inheritdoc/>
    public static IDictionary Create(ref NinoReader reader, KeyValuePair<object, object>[] pairs) => Hashed.Create(ref reader, pairs, (byte)KnownComparer.Default);

    /// <inheritdoc/>
    public static int Count(IDictionary map) => map.Count;
}

/// <summary>Its members by name, in the order in which they were set; who observes it is not kept.</summary>
public readonly struct ExpandoForm : ILooseMapForm<ExpandoObject, string>
{
    /// <inheritdoc/>
    public static IEnumerable<KeyValuePair<string, object>> Pairs(ExpandoObject map)
    {
        CheckCount(Count(map));
        return map!;
    }

    /// <inheritdoc/>
    public static ExpandoObject Create(ref NinoReader reader, KeyValuePair<string, object>[] pairs)
    {
        CheckCount(pairs.Length);
        ExpandoStart? start = ExpandoStart.For(pairs);
        ExpandoObject map = start?.Create() ?? new ExpandoObject();
        foreach ((string name, object value) in pairs) ((IDictionary<string, object>)map!)[name] = value;
        start?.TakeFrom(map);
        return map;
    }

    /// <inheritdoc/>
    public static int Count(ExpandoObject map) => ((IDictionary<string, object>)map!).Count;

    private const int MaxMembers = 1024;

    // Each new name is compared with all before it: past some hundreds that costs their square.
    private static void CheckCount(int members)
    {
        if (members > MaxMembers) throw new NinoSerializationException($"An ExpandoObject has {members} members; at most {MaxMembers} are stored and read. Store a Dictionary<string, object>.");
    }
}

/// <summary>What forms without type arguments share.</summary>
internal static class LooseMaps
{
    public static IEnumerable<KeyValuePair<object, object>> Pairs(IDictionary map)
    {
        foreach (DictionaryEntry entry in map) yield return new(entry.Key, entry.Value!);
    }

    /// <summary>For dictionaries that find keys without hash codes. Written, the keys are held against each other by them: keys that have none would be read and could never be written again.</summary>
    public static void AskHashCodes(KeyValuePair<object, object>[] pairs)
    {
        if (pairs.Length > 1) foreach ((object key, _) in pairs) key.GetHashCode();
    }

    public static TMap Fill<TMap>(TMap map, KeyValuePair<object, object>[] pairs) where TMap : IDictionary
    {
        for (int i = 0; i < pairs.Length; i++)
        {
            map[pairs[i].Key] = pairs[i].Value;
            // At once: an OrderedDictionary looks for a key that it has already from its first one on.
            if (map.Count != i + 1) Throw.DuplicateKey(i);
        }

        return map;
    }
}
