// Dictionaries other than Dictionary<TKey, TValue>: a map (see MapCodecs.cs) and the mark of a comparer that is kept (see KnownComparer), each with a
// form that says which comparer it has and how it is made.

namespace Store.Serialization.Codecs;

/// <summary>How a dictionary is made, and which comparer it has.</summary>
/// <typeparam name="TMap">The dictionary.</typeparam>
/// <typeparam name="TKey">The key.</typeparam>
/// <typeparam name="TValue">The value.</typeparam>
public interface IMapForm<TMap, TKey, TValue>
    where TMap : class, IReadOnlyCollection<KeyValuePair<TKey, TValue>>
{
    /// <summary>What null in the bytes is read as.</summary>
    static virtual TMap? OfNull => default;

    /// <summary>The pairs, all of one moment where other threads may change the dictionary meanwhile. Null where anything may be behind it: it is enumerated as long as the record has room.</summary>
    static virtual KeyValuePair<TKey, TValue>[]? PairsOf(TMap map) => map.ToArray();

    /// <summary>The number of the comparer's mark, 0 for none.</summary>
    /// <exception cref="NinoSerializationException">With its comparer lost the dictionary could not be read again.</exception>
    static abstract byte ComparerOf(TMap map, KeyValuePair<TKey, TValue>[] pairs);

    /// <summary>Makes the dictionary; of two equal keys the last one stays, and the caller notices by the count. The reader counts comparisons where keys are found by hash code.</summary>
    static abstract TMap Create(ref NinoReader reader, KeyValuePair<TKey, TValue>[] pairs, byte comparer);
}

/// <summary>A dictionary by its form.</summary>
/// <typeparam name="TMap">The dictionary.</typeparam>
/// <typeparam name="TKey">The key.</typeparam>
/// <typeparam name="TValue">The value.</typeparam>
/// <typeparam name="TKeyCodec">Codec of the key.</typeparam>
/// <typeparam name="TValueCodec">Codec of the value.</typeparam>
/// <typeparam name="TForm">How it is made.</typeparam>
public readonly struct MapFormCodec<TMap, TKey, TValue, TKeyCodec, TValueCodec, TForm> : INinoCodec<TMap>, ICountedElements<KeyValuePair<TKey, TValue>>
    where TMap : class, IReadOnlyCollection<KeyValuePair<TKey, TValue>>
    where TKey : notnull
    where TKeyCodec : struct, INinoCodec<TKey>
    where TValueCodec : struct, INinoCodec<TValue>
    where TForm : struct, IMapForm<TMap, TKey, TValue>
{
    /// <inheritdoc/>
    public static int MinSize => 1;

    /// <inheritdoc/>
    public static SchemaNode Describe(SchemaBuilder builder) => DictionaryCodec<TKey, TValue, TKeyCodec, TValueCodec>.Describe(builder);

    /// <inheritdoc/>
    public void Write(ref NinoWriter writer, in TMap value)
    {
        if (value is null)
        {
            writer.WriteCompact(0);
            return;
        }

        // Copied once, so that the count written is the count enumerated.
        KeyValuePair<TKey, TValue>[] pairs = TForm.PairsOf(value) ?? Enumerated.PairsOf<TKey, TValue, TKeyCodec, TValueCodec>(value, in writer);
        writer.WriteComparer((KnownComparer)TForm.ComparerOf(value, pairs));
        Pairs<TKey, TValue, TKeyCodec, TValueCodec>.Write(ref writer, pairs);
    }

    /// <inheritdoc/>
    public TMap Read(ref NinoReader reader)
    {
        KeyValuePair<TKey, TValue>[]? pairs = Pairs<TKey, TValue, TKeyCodec, TValueCodec>.Read(ref reader, out KnownComparer comparer);
        if (pairs is null) return TForm.OfNull!;
        // Also for a form that has but one comparer: the mark of another may be there, where another dictionary was written into this place.
        if (comparer != KnownComparer.Default) KnownComparers.Of<TKey>(comparer);
        TMap map = TForm.Create(ref reader, pairs, (byte)comparer);
        if (map.Count != pairs.Length) Throw.EqualKeys(pairs.Length - map.Count);
        return map;
    }
}

/// <summary>The pairs of a map, as every dictionary but the plain one writes and reads them.</summary>
internal static class Pairs<TKey, TValue, TKeyCodec, TValueCodec>
    where TKey : notnull
    where TKeyCodec : struct, INinoCodec<TKey>
    where TValueCodec : struct, INinoCodec<TValue>
{
    public static void Write(ref NinoWriter writer, KeyValuePair<TKey, TValue>[] pairs)
    {
        writer.WriteCompact((uint)pairs.Length + 1);
        foreach (ref readonly KeyValuePair<TKey, TValue> pair in pairs.AsSpan())
        {
            TKey key = pair.Key;
            TValue value = pair.Value;
            if (DictionaryCodec<TKey, TValue, TKeyCodec, TValueCodec>.IsNull(in key)) Throw.NullKeyToWrite();
            default(TKeyCodec).Write(ref writer, in key);
            default(TValueCodec).Write(ref writer, in value);
        }
    }

    /// <summary>The pairs, none of them with a null key, or null.</summary>
    public static KeyValuePair<TKey, TValue>[]? Read(ref NinoReader reader, out KnownComparer comparer)
    {
        int count = DictionaryCodec<TKey, TValue, TKeyCodec, TValueCodec>.ReadCount(ref reader, out comparer);
        if (count < 0) return null;

        // Room grows with what was read: a count is cheap to claim.
        var pairs = new KeyValuePair<TKey, TValue>[Math.Min(count, HashedRoom.Max(in reader))];
        for (int i = 0; i < count; i++)
        {
            if (i == pairs.Length) Array.Resize(ref pairs, (int)Math.Min(count, 2L * i));
            TKey key = default(TKeyCodec).Read(ref reader);
            if (DictionaryCodec<TKey, TValue, TKeyCodec, TValueCodec>.IsNull(in key)) Throw.NullKey(i);
            pairs[i] = new KeyValuePair<TKey, TValue>(key, default(TValueCodec).Read(ref reader));
        }

        return pairs;
    }
}
