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
    /// <param name="leastBytes">What an element takes at least.</param>
    /// <exception cref="NinoSerializationException">There are more: the record would be larger than <see cref="NinoLimits.MaxRecordBytes"/>.</exception>
    public static List<T> ListOf<T>(IEnumerable<T> source, ref readonly NinoWriter writer, int leastBytes)
    {
        long most = writer.RecordBytesLeft / Math.Max(leastBytes, 1);
        var elements = new List<T>();
        foreach (T element in source)
        {
            if (elements.Count >= most) Throw.RecordTooLarge(writer.MaxRecordBytes);
            elements.Add(element);
        }

        return elements;
    }
}
