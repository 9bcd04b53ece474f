// Collections without a type argument: lists of what is declared as object. Their elements are of the types that an object member may hold, and of no others.
// Copied by their own ToArray, which holds the lock of a synchronized one: a Count and a CopyTo would be of two moments.

using System.Buffers;
using System.Collections;
using System.Collections.Specialized;

namespace Store.Serialization.Codecs;

/// <summary>An <see cref="ArrayList"/>.</summary>
public readonly struct ArrayListForm : ISequenceForm<ArrayList, object>
{
    /// <inheritdoc/>
    public static int Claimed(ArrayList value) => value.Count;

    /// <inheritdoc/>
    public static ReadOnlySpan<object> Elements(ArrayList value, ref object[]? rented) => value.ToArray()!;

    /// <inheritdoc/>
    public static ArrayList Create(object[] elements) => new(elements);
}

/// <summary>First in, first out.</summary>
public readonly struct LooseQueueForm : ISequenceForm<Queue, object>
{
    /// <inheritdoc/>
    public static ReadOnlySpan<object> Elements(Queue value, ref object[]? rented) => value.ToArray()!;

    /// <inheritdoc/>
    public static Queue Create(object[] elements) => new(elements);
}

/// <summary>Last in, first out; bottom first.</summary>
public readonly struct LooseStackForm : ISequenceForm<Stack, object>
{
    /// <inheritdoc/>
    public static ReadOnlySpan<object> Elements(Stack value, ref object[]? rented) => Borrowed.Reversed<object>(value.ToArray()!);

    /// <inheritdoc/>
    public static Stack Create(object[] elements) => new(elements);
}

/// <summary>Strings, without a type argument.</summary>
public readonly struct StringCollectionForm : ISequenceForm<StringCollection, string>
{
    /// <inheritdoc/>
    public static ReadOnlySpan<string> Elements(StringCollection value, ref string[]? rented)
    {
        int count = value.Count;
        value.CopyTo(Borrowed.Rent(count, ref rented), 0);
        return rented.AsSpan(0, count);
    }

    /// <inheritdoc/>
    public static StringCollection Create(string[] elements)
    {
        var made = new StringCollection();
        made.AddRange(elements);
        return made;
    }
}

/// <summary>A list behind an interface without a type argument, or null. Written like a list whatever is behind it; read as <see cref="List{T}"/> of object.</summary>
/// <typeparam name="TCollection"><see cref="IEnumerable"/>, <see cref="ICollection"/> or <see cref="IList"/>.</typeparam>
/// <typeparam name="TCodec">Codec of objects.</typeparam>
public readonly struct LooseListCodec<TCollection, TCodec> : INinoCodec<TCollection>
    where TCollection : class, IEnumerable
    where TCodec : struct, INinoCodec<object>
{
    /// <inheritdoc/>
    public static int MinSize => 1;

    /// <inheritdoc/>
    public static SchemaNode Describe(SchemaBuilder builder) => ElementsCodec<object, TCodec>.Describe(builder);

    /// <inheritdoc/>
    public void Write(ref NinoWriter writer, in TCollection value)
    {
        // As in CollectionCodec: of nothing else it is known that it enumerates what it holds.
        if (value is null) writer.WriteCompact(0);
        else if (value.GetType() == typeof(List<object>)) default(ListCodec<object, TCodec>).Write(ref writer, (List<object>)(object)value);
        else if (value.GetType() == typeof(object[])) ElementsCodec<object, TCodec>.Write(ref writer, new ReadOnlySpan<object>((object[])(object)value));
        else WriteEnumerated(ref writer, value);
    }

    /// <inheritdoc/>
    public TCollection Read(ref NinoReader reader) => (TCollection)(object)ElementsCodec<object, TCodec>.ReadList(ref reader);

    // One after the other: what only can be enumerated has no count, and a count may be wrong.
    private static void WriteEnumerated(ref NinoWriter writer, TCollection value)
    {
        var room = new RecordRoom(in writer);
        object[] rented = ArrayPool<object>.Shared.Rent(16);
        int count = 0;
        try
        {
            foreach (object element in value)
            {
                room.Take<object, TCodec>(element);
                if (count == rented.Length)
                {
                    object[] more = ArrayPool<object>.Shared.Rent(2 * count);
                    rented.CopyTo(more, 0);
                    ArrayPool<object>.Shared.Return(rented, clearArray: true);
                    rented = more;
                }

                rented[count++] = element;
            }

            ElementsCodec<object, TCodec>.Write(ref writer, rented.AsSpan(0, count));
        }
        finally
        {
            ArrayPool<object>.Shared.Return(rented, clearArray: true);
        }
    }
}
