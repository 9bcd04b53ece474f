// Collections that are elements in order, and neither arrays nor lists: encoded as a list (see ElementsCodec), each with a form that says how its
// elements are got and how it is made of them.

using System.Buffers;
using System.Diagnostics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Store.Serialization.Codecs;

/// <summary>How a collection becomes elements in order and is made of them again.</summary>
/// <typeparam name="TCollection">The collection.</typeparam>
/// <typeparam name="T">The element.</typeparam>
public interface ISequenceForm<TCollection, T>
{
    /// <summary>False for a collection that cannot be null: null in the bytes is damage.</summary>
    static virtual bool HasNull => true;

    /// <summary>True for a collection that refuses elements which are equal.</summary>
    static virtual bool IsSet => false;

    /// <summary>What null in the bytes is read as.</summary>
    static virtual TCollection OfNull => default!;

    /// <summary>True for null, or what a struct has for it.</summary>
    static virtual bool IsNull(TCollection value) => value is null;

    /// <summary>The elements in the order of the encoding: a span of the collection's own, or of <paramref name="rented"/>, which the caller returns.</summary>
    static virtual ReadOnlySpan<T> Elements(TCollection value, ref T[]? rented) => throw new UnreachableException();

    /// <summary>How many elements it says it has, where that is not the framework's own count and memory is made for as many: no more than the record has room for. 0 for all others.</summary>
    static virtual int Claimed(TCollection value) => 0;

    /// <summary>What is copied in place of <see cref="Elements"/>, as long as the record has room for as many as it counts: the count may be anybody's. Null for all others.</summary>
    static virtual ICollection<T>? Counted(TCollection value) => null;

    /// <summary>What is enumerated in place of <see cref="Elements"/>, where anything may be behind an interface, as long as the record has room. Null for all others.</summary>
    static virtual IEnumerable<T>? OneByOne(TCollection value) => null;

    /// <summary>True where <see cref="OneByOne"/> begins with what is stored last.</summary>
    static virtual bool IsLastFirst => false;

    /// <summary>Makes the collection. The array is its own from now on.</summary>
    static abstract TCollection Create(T[] elements);
}

/// <summary>A collection of elements in order.</summary>
/// <typeparam name="TCollection">The collection.</typeparam>
/// <typeparam name="T">The element.</typeparam>
/// <typeparam name="TCodec">Its codec.</typeparam>
/// <typeparam name="TForm">How elements are got and put.</typeparam>
public readonly struct SequenceCodec<TCollection, T, TCodec, TForm> : INinoCodec<TCollection>, ICountedElements<T>
    where TCodec : struct, INinoCodec<T>
    where TForm : struct, ISequenceForm<TCollection, T>
{
    /// <inheritdoc/>
    public static int MinSize => 1;

    /// <inheritdoc/>
    public static SchemaNode Describe(SchemaBuilder builder)
    {
        SchemaNode node = ElementsCodec<T, TCodec>.Describe(builder);
        if (TForm.IsSet) node = node.WithRule(SchemaRule.Distinct);
        return TForm.HasNull ? node : node.WithRule(SchemaRule.NoNull).WithZero(static () => NinoGenerated.Encode<TCollection, SequenceCodec<TCollection, T, TCodec, TForm>>(default!));
    }

    /// <inheritdoc/>
    public void Write(ref NinoWriter writer, in TCollection value)
    {
        if (TForm.HasNull && TForm.IsNull(value))
        {
            writer.WriteCompact(0);
            return;
        }

        if (TForm.OneByOne(value) is { } source)
        {
            List<T> elements = Enumerated.ListOf<T, TCodec>(source, in writer);
            if (TForm.IsLastFirst) elements.Reverse();
            ElementsCodec<T, TCodec>.Write(ref writer, CollectionsMarshal.AsSpan(elements));
            return;
        }

        T[]? rented = null;
        try
        {
            if (TForm.Counted(value) is { } counted)
            {
                int count = counted.Count;
                new RecordRoom(in writer).Check<T, TCodec>(count);
                ElementsCodec<T, TCodec>.Write(ref writer, Borrowed.Copy(counted, count, ref rented));
                return;
            }

            if (TForm.Claimed(value) is not 0 and int claimed) new RecordRoom(in writer).Check<T, TCodec>(claimed);
            ElementsCodec<T, TCodec>.Write(ref writer, TForm.Elements(value, ref rented));
        }
        finally
        {
            if (rented is not null) ArrayPool<T>.Shared.Return(rented, RuntimeHelpers.IsReferenceOrContainsReferences<T>());
        }
    }

    /// <inheritdoc/>
    public TCollection Read(ref NinoReader reader)
    {
        T[]? elements = ElementsCodec<T, TCodec>.ReadArray(ref reader);
        if (elements is not null)
        {
            TCollection collection = TForm.Create(elements);
            if (!typeof(TCollection).IsValueType) KeptElements.Of(in reader, collection as IEnumerable<T>);
            return collection;
        }

        if (!TForm.HasNull) Throw.NullOf(typeof(TCollection));
        return TForm.OfNull;
    }
}

/// <summary>What forms share.</summary>
internal static class Borrowed
{
    /// <summary>A rented array of at least <paramref name="count"/> elements.</summary>
    public static T[] Rent<T>(int count, ref T[]? rented) => rented = ArrayPool<T>.Shared.Rent(count);

    /// <summary>The elements of a collection that nobody changes meanwhile, copied into a rented array.</summary>
    public static ReadOnlySpan<T> Copy<T>(ICollection<T> source, int count, ref T[]? rented)
    {
        T[] elements = Rent(count, ref rented);

        // One of the user's may copy fewer than it counts: what others left in the pool goes into no record.
        elements.AsSpan(0, count).Clear();
        source.CopyTo(elements, 0);
        return elements.AsSpan(0, count);
    }

    public static T[] Reversed<T>(T[] elements)
    {
        Array.Reverse(elements);
        return elements;
    }
}
