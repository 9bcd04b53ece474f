// What a collection shows of itself, once: what is written is counted after it was seen.

namespace Store.Serialization.Codecs;

/// <summary>The elements of a collection that may be anything behind an interface.</summary>
internal static class Enumerated
{
    /// <summary>
    /// By its enumerator: a Count and a CopyTo may speak of two moments, where other threads change the collection meanwhile, or of something else, where they
    /// are of one's own. LINQ's ToArray asks for both.
    /// </summary>
    public static T[] Of<T>(IEnumerable<T> source) => [.. ListOf(source)];

    /// <inheritdoc cref="Of"/>
    public static List<T> ListOf<T>(IEnumerable<T> source)
    {
        var elements = new List<T>();
        foreach (T element in source) elements.Add(element);
        return elements;
    }

    /// <summary>As <see cref="ListOf{T}(IEnumerable{T})"/>, of what may never end, as an iterator: no more than the record has room for.</summary>
    /// <param name="source">What is enumerated.</param>
    /// <param name="writer">It bounds the record.</param>
    /// <exception cref="NinoSerializationException">There are more: the record would be larger than <see cref="NinoLimits.MaxRecordBytes"/>.</exception>
    public static List<T> ListOf<T, TCodec>(IEnumerable<T> source, ref readonly NinoWriter writer) where TCodec : struct, INinoCodec<T>
    {
        long left = writer.RecordBytesLeft;
        var elements = new List<T>();
        foreach (T element in source)
        {
            left -= LeastBytes<T, TCodec>(element);
            if (left < 0) Throw.RecordTooLarge(writer.MaxRecordBytes);
            elements.Add(element);
        }

        return elements;
    }

    // What is known of an element before it is written. Of a codec of one's own its claim, but for one of none.
    private static int LeastBytes<T, TCodec>(T element) where TCodec : struct, INinoCodec<T>
    {
        if (element is null) return 1;
        if (typeof(TCodec) == typeof(StringCodec)) return 1 + ((string)(object)element).Length;
        return Math.Max(TCodec.Form == CodecForm.Object ? TCodec.MinBodySize : TCodec.MinSize, 1);
    }
}
