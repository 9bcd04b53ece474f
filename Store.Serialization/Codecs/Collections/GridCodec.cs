// Arrays of more than one dimension, as an object of a reference type named like "Int32[,]":
//
//   Lengths   list of Int32: the length of each dimension
//   Elements  list: the elements, the last index changing fastest
//
// So a grid without elements keeps its shape. The product of the lengths is the count of the elements.

using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Store.Serialization.Codecs;

/// <summary>An array of two or more dimensions, each counted from 0, or null.</summary>
/// <typeparam name="TArray">The array, for example <c>int[,]</c>.</typeparam>
/// <typeparam name="T">Its element.</typeparam>
/// <typeparam name="TCodec">Codec of the element.</typeparam>
public readonly struct GridCodec<TArray, T, TCodec> : INinoCodec<TArray> where TArray : class where TCodec : struct, INinoCodec<T>
{
    private static int Rank => typeof(TArray).GetArrayRank();

    private static bool IsNesting => Nesting<TArray, GridCodec<TArray, T, TCodec>>.Counts;

    /// <inheritdoc/>
    public static CodecForm Form => CodecForm.Object;

    /// <inheritdoc/>
    public static int MinSize => 1;

    /// <inheritdoc/>
    public static int MinBodySize => 2;

    /// <inheritdoc/>
    public static SchemaNode Describe(SchemaBuilder builder)
    {
        SchemaNode element = TCodec.Describe(builder);
        return builder.Shape(NinoSchema.NamesOf(element).Select(static name => $"{name}[{new string(',', Rank - 1)}]"), isReference: true, fields =>
        {
            fields.Add("Lengths", 0, SchemaNode.List(SchemaNode.Primitive(SchemaKind.Int32)));
            fields.Add("Elements", 0, SchemaNode.List(element));
        });
    }

    /// <inheritdoc/>
    public void Write(ref NinoWriter writer, in TArray value)
    {
        if (value is null)
        {
            writer.Take(1) = 0;
            return;
        }

        writer.Take(1) = 1;
        WriteBody(ref writer, in value);
    }

    /// <inheritdoc/>
    public TArray Read(ref NinoReader reader) => reader.ReadPresence() ? ReadBody(ref reader) : null!;

    /// <inheritdoc/>
    public void WriteBody(ref NinoWriter writer, in TArray value)
    {
        var array = (Array)(object)value;
        Span<int> lengths = stackalloc int[array.Rank];
        for (int i = 0; i < lengths.Length; i++)
        {
            if (array.GetLowerBound(i) != 0) Throw.LowerBound(typeof(TArray));
            lengths[i] = array.GetLength(i);
        }

        CheckedCount(lengths);
        bool isNesting = IsNesting;
        if (isNesting) writer.Enter();
        ElementsCodec<int, Int32Codec>.Write(ref writer, lengths);
        ElementsCodec<T, TCodec>.Write(ref writer, Elements(array));
        if (isNesting) writer.Leave();
    }

    /// <inheritdoc/>
    public TArray ReadBody(ref NinoReader reader)
    {
        bool isNesting = IsNesting;
        if (isNesting) reader.Enter();
        int[]? lengths = ElementsCodec<int, Int32Codec>.ReadArray(ref reader);
        if (lengths is null || lengths.Length != Rank) Throw.BadRank(lengths?.Length ?? 0, Rank);
        long count = CheckedCount(lengths);
        int stored = ElementsCodec<T, TCodec>.ReadCount(ref reader, out bool hasNulls);
        if (stored != count) Throw.BadGrid(Math.Max(stored, 0), count);
        Array array = ReadElements(ref reader, lengths, stored, hasNulls);
        if (isNesting) reader.Leave();
        return (TArray)(object)array;
    }

    // Into the array itself, but where room grows with what was really read: then it is made when all elements are there.
    private static Array ReadElements(ref NinoReader reader, int[] lengths, int count, bool hasNulls)
    {
        T[]? elements = ElementsCodec<T, TCodec>.RoomFor(in reader, count) < count ? ElementsCodec<T, TCodec>.ReadArray(ref reader, count, hasNulls) : null;
        Array array = Array.CreateInstanceFromArrayType(typeof(TArray), lengths);
        if (elements is null) ElementsCodec<T, TCodec>.ReadAll(ref reader, Elements(array), hasNulls);
        else elements.AsSpan().CopyTo(Elements(array));
        return array;
    }

    /// <summary>How many elements the lengths make; none may be so long that it could not stand beside the others without the empty ones.</summary>
    private static long CheckedCount(ReadOnlySpan<int> lengths)
    {
        long full = 1;
        bool isEmpty = false;
        foreach (int length in lengths)
        {
            if (length < 0) Throw.BadLength(length);
            isEmpty |= length == 0;
            if (length > 0) full *= length;
            if (full > Array.MaxLength) Throw.GridTooLarge();
        }

        return isEmpty ? 0 : full;
    }

    // Bound: an array's elements lie one after the other, as many as its Length. Of reference types the array may be one of a derived type: its
    // elements are then only read, and what is written to is an array made here, of exactly T.
    private static Span<T> Elements(Array array) => MemoryMarshal.CreateSpan(ref Unsafe.As<byte, T>(ref MemoryMarshal.GetArrayDataReference(array)), array.Length);
}
