// What a collection shows of itself, once: what is written is counted after it was seen. What is not the framework's own may show more than any record can hold, and no end.

namespace Store.Serialization.Codecs;

/// <summary>The elements of a collection that may be anything behind an interface, or is the user's own: no more than the record has room for.</summary>
/// <remarks>
/// By its enumerator: a Count and a CopyTo may speak of two moments, where other threads change the collection meanwhile, or of something else, where they
/// are of one's own. LINQ's ToArray asks for both.
/// </remarks>
internal static class Enumerated
{
    /// <summary>All of what reading has made, which the record had room for.</summary>
    public static T[] Of<T>(IEnumerable<T> source)
    {
        var elements = new List<T>();
        foreach (T element in source) elements.Add(element);
        return [.. elements];
    }

    /// <inheritdoc cref="ListOf"/>
    public static T[] Of<T, TCodec>(IEnumerable<T> source, ref readonly NinoWriter writer) where TCodec : struct, INinoCodec<T> => [.. ListOf<T, TCodec>(source, in writer)];

    /// <summary>The elements.</summary>
    /// <param name="source">What is enumerated.</param>
    /// <param name="writer">It bounds the record.</param>
    /// <exception cref="NinoSerializationException">There are more: the record would be larger than <see cref="NinoLimits.MaxRecordBytes"/>.</exception>
    public static List<T> ListOf<T, TCodec>(IEnumerable<T> source, ref readonly NinoWriter writer) where TCodec : struct, INinoCodec<T>
    {
        var room = new RecordRoom(in writer);
        var elements = new List<T>();
        foreach (T element in source)
        {
            room.Take<T, TCodec>(element);
            elements.Add(element);
        }

        return elements;
    }

    /// <summary>The pairs of a dictionary.</summary>
    /// <inheritdoc cref="ListOf"/>
    public static KeyValuePair<TKey, TValue>[] PairsOf<TKey, TValue, TKeyCodec, TValueCodec>(IEnumerable<KeyValuePair<TKey, TValue>> source, ref readonly NinoWriter writer)
        where TKeyCodec : struct, INinoCodec<TKey>
        where TValueCodec : struct, INinoCodec<TValue>
    {
        var room = new RecordRoom(in writer);
        var pairs = new List<KeyValuePair<TKey, TValue>>();
        foreach (KeyValuePair<TKey, TValue> pair in source)
        {
            room.Take<TKey, TKeyCodec>(pair.Key);
            room.Take<TValue, TValueCodec>(pair.Value);
            pairs.Add(pair);
        }

        return [.. pairs];
    }
}

/// <summary>What a record has room for, of elements that are held before they are written.</summary>
internal ref struct RecordRoom(ref readonly NinoWriter writer)
{
    private readonly int _maxRecordBytes = writer.MaxRecordBytes;
    private long _left = writer.RecordBytesLeft;

    /// <exception cref="NinoSerializationException">With this element the record is larger than <see cref="NinoLimits.MaxRecordBytes"/>.</exception>
    public void Take<T, TCodec>(T element) where TCodec : struct, INinoCodec<T>
    {
        _left -= LeastBytes<T, TCodec>(element);
        if (_left < 0) Throw.RecordTooLarge(_maxRecordBytes);
    }

    /// <summary>Of a count that may be the word of anybody, before memory is made for it.</summary>
    /// <exception cref="NinoSerializationException">It is negative, or with as many elements the record is larger than <see cref="NinoLimits.MaxRecordBytes"/>.</exception>
    public readonly void Check<T, TCodec>(int count) where TCodec : struct, INinoCodec<T>
    {
        if (count < 0) Throw.NegativeCount(count);
        if ((long)count * LeastBytes<T, TCodec>(default!) > _left) Throw.RecordTooLarge(_maxRecordBytes);
    }

    // What is known of an element before it is written. Of a codec of one's own its claim, but for one of none.
    private static int LeastBytes<T, TCodec>(T element) where TCodec : struct, INinoCodec<T>
    {
        if (TCodec.Form == CodecForm.Object) return element is null ? 1 : Math.Max(TCodec.MinBodySize, 1);
        int least = Math.Max(TCodec.MinSize, 1);
        return (typeof(TCodec) == typeof(StringCodec) || typeof(T) == typeof(object)) && element is string text ? least + text.Length : least;
    }
}
