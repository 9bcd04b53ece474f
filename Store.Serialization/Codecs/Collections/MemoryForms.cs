// The forms of what looks at memory, and of immutable collections. Read ones own an array that is exactly as long as they are.

using System.Buffers;
using System.Collections.Immutable;
using System.Runtime.InteropServices;

namespace Store.Serialization.Codecs;

/// <summary>Never null.</summary>
public readonly struct MemoryForm<T> : ISequenceForm<Memory<T>, T>
{
    /// <inheritdoc/>
    public static bool HasNull => false;

    /// <inheritdoc/>
    public static ReadOnlySpan<T> Elements(Memory<T> value, ref T[]? rented) => value.Span;

    /// <inheritdoc/>
    public static Memory<T> Create(T[] elements) => elements;
}

/// <summary>Never null.</summary>
public readonly struct ReadOnlyMemoryForm<T> : ISequenceForm<ReadOnlyMemory<T>, T>
{
    /// <inheritdoc/>
    public static bool HasNull => false;

    /// <inheritdoc/>
    public static ReadOnlySpan<T> Elements(ReadOnlyMemory<T> value, ref T[]? rented) => value.Span;

    /// <inheritdoc/>
    public static ReadOnlyMemory<T> Create(T[] elements) => elements;
}

/// <summary>Null when it has no array.</summary>
public readonly struct ArraySegmentForm<T> : ISequenceForm<ArraySegment<T>, T>
{
    /// <inheritdoc/>
    public static bool IsNull(ArraySegment<T> value) => value.Array is null;

    /// <inheritdoc/>
    public static ReadOnlySpan<T> Elements(ArraySegment<T> value, ref T[]? rented) => new(value.Array, value.Offset, value.Count);   // AsSpan refuses an array of a derived type.

    /// <inheritdoc/>
    public static ArraySegment<T> Create(T[] elements) => new(elements);
}

/// <summary>Never null; its segments become one.</summary>
public readonly struct ReadOnlySequenceForm<T> : ISequenceForm<ReadOnlySequence<T>, T>
{
    /// <inheritdoc/>
    public static bool HasNull => false;

    /// <inheritdoc/>
    public static ReadOnlySpan<T> Elements(ReadOnlySequence<T> value, ref T[]? rented)
    {
        if (value.IsSingleSegment) return value.FirstSpan;
        if (value.Length > Array.MaxLength) Throw.RecordTooLarge(Array.MaxLength);
        int count = (int)value.Length;
        value.CopyTo(Borrowed.Rent(count, ref rented));
        return rented.AsSpan(0, count);
    }

    /// <inheritdoc/>
    public static ReadOnlySequence<T> Create(T[] elements) => new(elements);
}

/// <summary>Null when it is default.</summary>
public readonly struct ImmutableArrayForm<T> : ISequenceForm<ImmutableArray<T>, T>
{
    /// <inheritdoc/>
    public static bool IsNull(ImmutableArray<T> value) => value.IsDefault;

    /// <inheritdoc/>
    public static ReadOnlySpan<T> Elements(ImmutableArray<T> value, ref T[]? rented) => value.AsSpan();

    /// <inheritdoc/>
    public static ImmutableArray<T> Create(T[] elements) => ImmutableCollectionsMarshal.AsImmutableArray(elements);
}

/// <summary><see cref="ImmutableList{T}"/>, or <see cref="IImmutableList{T}"/> read as one.</summary>
/// <typeparam name="TList">One of both.</typeparam>
/// <typeparam name="T">The element.</typeparam>
public readonly struct ImmutableListForm<TList, T> : ISequenceForm<TList, T> where TList : class, IImmutableList<T>
{
    /// <inheritdoc/>
    public static IEnumerable<T>? OneByOne(TList value) => value is ImmutableList<T> or ImmutableArray<T> ? null : value;

    /// <inheritdoc/>
    public static ReadOnlySpan<T> Elements(TList value, ref T[]? rented) => value.ToArray();

    /// <inheritdoc/>
    public static TList Create(T[] elements) => (TList)(object)ImmutableList.Create(elements);
}

/// <summary><see cref="ImmutableQueue{T}"/>, or <see cref="IImmutableQueue{T}"/> read as one.</summary>
/// <typeparam name="TQueue">One of both.</typeparam>
/// <typeparam name="T">The element.</typeparam>
public readonly struct ImmutableQueueForm<TQueue, T> : ISequenceForm<TQueue, T> where TQueue : class, IImmutableQueue<T>
{
    /// <inheritdoc/>
    public static IEnumerable<T>? OneByOne(TQueue value) => value is ImmutableQueue<T> ? null : value;

    /// <inheritdoc/>
    public static ReadOnlySpan<T> Elements(TQueue value, ref T[]? rented) => value.ToArray();

    /// <inheritdoc/>
    public static TQueue Create(T[] elements) => (TQueue)(object)ImmutableQueue.Create(elements);
}

/// <summary><see cref="ImmutableStack{T}"/>, or <see cref="IImmutableStack{T}"/> read as one; bottom first.</summary>
/// <typeparam name="TStack">One of both.</typeparam>
/// <typeparam name="T">The element.</typeparam>
public readonly struct ImmutableStackForm<TStack, T> : ISequenceForm<TStack, T> where TStack : class, IImmutableStack<T>
{
    /// <inheritdoc/>
    public static bool IsLastFirst => true;

    /// <inheritdoc/>
    public static IEnumerable<T>? OneByOne(TStack value) => value is ImmutableStack<T> ? null : value;

    /// <inheritdoc/>
    public static ReadOnlySpan<T> Elements(TStack value, ref T[]? rented) => Borrowed.Reversed(value.ToArray());

    /// <inheritdoc/>
    public static TStack Create(T[] elements) => (TStack)(object)ImmutableStack.Create(elements);
}
