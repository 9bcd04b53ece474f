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

/// <summary>An interface; read as <see cref="List{T}"/> of object.</summary>
/// <typeparam name="TCollection"><see cref="IEnumerable"/>, <see cref="ICollection"/> or <see cref="IList"/>.</typeparam>
public readonly struct LooseListForm<TCollection> : ISequenceForm<TCollection, object> where TCollection : class, IEnumerable
{
    /// <inheritdoc/>
    public static ReadOnlySpan<object> Elements(TCollection value, ref object[]? rented)
    {
        // One after the other: what only can be enumerated has no count, and a count may be wrong.
        rented = ArrayPool<object>.Shared.Rent(16);
        int count = 0;
        foreach (object element in value)
        {
            if (count == rented.Length)
            {
                object[] more = ArrayPool<object>.Shared.Rent(2 * count);
                rented.CopyTo(more, 0);
                ArrayPool<object>.Shared.Return(rented, clearArray: true);
                rented = more;
            }

            rented[count++] = element;
        }

        return rented.AsSpan(0, count);
    }

    /// <inheritdoc/>
    public static TCollection Create(object[] elements) => (TCollection)(object)new List<object>(elements);
}
