// Collections of the user's own: anything with elements that can be added one by one, made by its parameterless constructor.

namespace Store.Serialization.Codecs;

/// <summary>A collection type of the user's, encoded as a list. Written as it enumerates itself, read by adding.</summary>
/// <typeparam name="TCollection">The type.</typeparam>
/// <typeparam name="T">The element.</typeparam>
/// <typeparam name="TCodec">Its codec.</typeparam>
public readonly struct OwnCollectionCodec<TCollection, T, TCodec> : INinoCodec<TCollection>
    where TCollection : ICollection<T>, new()
    where TCodec : struct, INinoCodec<T>
{
    /// <inheritdoc/>
    public static int MinSize => 1;

    /// <inheritdoc/>
    public static SchemaNode Describe(SchemaBuilder builder) => ElementsCodec<T, TCodec>.Describe(builder);

    /// <inheritdoc/>
    public void Write(ref NinoWriter writer, in TCollection value)
    {
        if (value is null) writer.WriteCompact(0);
        else ElementsCodec<T, TCodec>.Write(ref writer, Enumerated.Of<T>(value));
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

        var collection = new TCollection();
        foreach (T element in elements) collection.Add(element);
        return collection;
    }
}

/// <summary>A dictionary type of the user's, encoded as a map. Written as it enumerates itself, read by adding.</summary>
/// <typeparam name="TMap">The type.</typeparam>
/// <typeparam name="TKey">The key.</typeparam>
/// <typeparam name="TValue">The value.</typeparam>
/// <typeparam name="TKeyCodec">Codec of the key.</typeparam>
/// <typeparam name="TValueCodec">Codec of the value.</typeparam>
public readonly struct OwnMapCodec<TMap, TKey, TValue, TKeyCodec, TValueCodec> : INinoCodec<TMap>
    where TMap : IDictionary<TKey, TValue>, new()
    where TKey : notnull
    where TKeyCodec : struct, INinoCodec<TKey>
    where TValueCodec : struct, INinoCodec<TValue>
{
    /// <inheritdoc/>
    public static int MinSize => 1;

    /// <inheritdoc/>
    public static SchemaNode Describe(SchemaBuilder builder) => DictionaryCodec<TKey, TValue, TKeyCodec, TValueCodec>.Describe(builder);

    /// <inheritdoc/>
    public void Write(ref NinoWriter writer, in TMap value)
    {
        if (value is null) writer.WriteCompact(0);
        else Pairs<TKey, TValue, TKeyCodec, TValueCodec>.Write(ref writer, Enumerated.Of<KeyValuePair<TKey, TValue>>(value));
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
        var map = new TMap();
        foreach ((TKey key, TValue value) in pairs) map.Add(key, value);
        return map;
    }
}

/// <summary>What a collection shows of itself, once.</summary>
internal static class Enumerated
{
    /// <summary>By its enumerator: a Count or CopyTo of one's own may say something else.</summary>
    public static T[] Of<T>(IEnumerable<T> source)
    {
        var elements = new List<T>();
        foreach (T element in source) elements.Add(element);
        return [.. elements];
    }
}
