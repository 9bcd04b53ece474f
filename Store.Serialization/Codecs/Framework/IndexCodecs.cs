// Index and Range as fields of value types:
//
//   index  FromEnd (1 byte, 0 or 1), Value (4 bytes, not negative)
//   range  Start (index), End (index)
//
// Bound of the Unsafe stores and loads: FixedSize bytes, as stated at INinoCodec<T>.WriteFixed and ReadFixed.

using System.Runtime.CompilerServices;

namespace Store.Serialization.Codecs;

/// <summary>A position from the start or from the end.</summary>
public readonly struct IndexCodec : INinoCodec<Index>
{
    /// <inheritdoc/>
    public static CodecForm Form => CodecForm.Fixed;

    /// <inheritdoc/>
    public static int FixedSize => 5;

    /// <inheritdoc/>
    public static int MinSize => 5;

    /// <inheritdoc/>
    public static SchemaNode Describe(SchemaBuilder builder) => builder.Object(typeof(Index), "System.Index", isReference: false, static fields =>
    {
        fields.Add("FromEnd", 0, SchemaNode.Primitive(SchemaKind.Boolean));
        fields.Add("Value", 0, SchemaNode.Primitive(SchemaKind.Int32));
    });

    /// <inheritdoc/>
    public void WriteFixed(ref byte destination, in Index value)
    {
        destination = value.IsFromEnd ? (byte)1 : (byte)0;
        Unsafe.WriteUnaligned(ref Unsafe.Add(ref destination, 1), value.Value);
    }

    /// <inheritdoc/>
    public Index ReadFixed(ref readonly byte source)
    {
        bool fromEnd = default(BooleanCodec).ReadFixed(in source);
        int value = Unsafe.ReadUnaligned<int>(in Unsafe.Add(ref Unsafe.AsRef(in source), 1));
        if (value < 0) Throw.BadIndex(value);
        return new Index(value, fromEnd);
    }

    /// <inheritdoc/>
    public void Write(ref NinoWriter writer, in Index value) => WriteFixed(ref writer.Take(5), in value);

    /// <inheritdoc/>
    public Index Read(ref NinoReader reader) => ReadFixed(in reader.Take(5));
}

/// <summary>A range of positions.</summary>
public readonly struct RangeCodec : INinoCodec<Range>
{
    /// <inheritdoc/>
    public static CodecForm Form => CodecForm.Fixed;

    /// <inheritdoc/>
    public static int FixedSize => 10;

    /// <inheritdoc/>
    public static int MinSize => 10;

    /// <inheritdoc/>
    public static SchemaNode Describe(SchemaBuilder builder) => builder.Object(typeof(Range), "System.Range", isReference: false, static fields =>
    {
        fields.Add("Start", 0, IndexCodec.Describe(fields.Builder));
        fields.Add("End", 0, IndexCodec.Describe(fields.Builder));
    });

    /// <inheritdoc/>
    public void WriteFixed(ref byte destination, in Range value)
    {
        default(IndexCodec).WriteFixed(ref destination, value.Start);
        default(IndexCodec).WriteFixed(ref Unsafe.Add(ref destination, 5), value.End);
    }

    /// <inheritdoc/>
    public Range ReadFixed(ref readonly byte source) =>
        new(default(IndexCodec).ReadFixed(in source), default(IndexCodec).ReadFixed(in Unsafe.Add(ref Unsafe.AsRef(in source), 5)));

    /// <inheritdoc/>
    public void Write(ref NinoWriter writer, in Range value) => WriteFixed(ref writer.Take(10), in value);

    /// <inheritdoc/>
    public Range Read(ref NinoReader reader) => ReadFixed(in reader.Take(10));
}
