// How binary and decimal fractions are stored. Bits of floating-point numbers are kept as they are, payloads of NaN and the sign of zero too.
// Bound of the Unsafe stores and loads: FixedSize bytes, as stated at INinoCodec<T>.WriteFixed and ReadFixed.

using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics;

namespace Store.Serialization.Codecs;

/// <summary>A 16-bit floating-point number.</summary>
public readonly struct HalfCodec : INinoCodec<Half>
{
    /// <inheritdoc/>
    public static CodecForm Form => CanonicalLayout.Form(CanonicalLayout.OfHalf);

    /// <inheritdoc/>
    public static int FixedSize => 2;

    /// <inheritdoc/>
    public static int MinSize => 2;

    /// <inheritdoc/>
    public static SchemaNode Describe(SchemaBuilder builder) => SchemaNode.Primitive(SchemaKind.Half);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WriteFixed(ref byte destination, in Half value) => Unsafe.WriteUnaligned(ref destination, BitConverter.HalfToUInt16Bits(value));

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public Half ReadFixed(ref readonly byte source) => BitConverter.UInt16BitsToHalf(Unsafe.ReadUnaligned<ushort>(in source));

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Write(ref NinoWriter writer, in Half value) => WriteFixed(ref writer.Take(2), in value);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public Half Read(ref NinoReader reader) => ReadFixed(in reader.Take(2));
}

/// <summary>A 32-bit floating-point number.</summary>
public readonly struct SingleCodec : INinoCodec<float>
{
    /// <inheritdoc/>
    public static CodecForm Form => CodecForm.Blittable;

    /// <inheritdoc/>
    public static int FixedSize => 4;

    /// <inheritdoc/>
    public static int MinSize => 4;

    /// <inheritdoc/>
    public static SchemaNode Describe(SchemaBuilder builder) => SchemaNode.Primitive(SchemaKind.Single);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WriteFixed(ref byte destination, in float value) => Unsafe.WriteUnaligned(ref destination, value);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public float ReadFixed(ref readonly byte source) => Unsafe.ReadUnaligned<float>(in source);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Write(ref NinoWriter writer, in float value) => WriteFixed(ref writer.Take(4), in value);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public float Read(ref NinoReader reader) => ReadFixed(in reader.Take(4));
}

/// <summary>A 64-bit floating-point number.</summary>
public readonly struct DoubleCodec : INinoCodec<double>
{
    /// <inheritdoc/>
    public static CodecForm Form => CodecForm.Blittable;

    /// <inheritdoc/>
    public static int FixedSize => 8;

    /// <inheritdoc/>
    public static int MinSize => 8;

    /// <inheritdoc/>
    public static SchemaNode Describe(SchemaBuilder builder) => SchemaNode.Primitive(SchemaKind.Double);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WriteFixed(ref byte destination, in double value) => Unsafe.WriteUnaligned(ref destination, value);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public double ReadFixed(ref readonly byte source) => Unsafe.ReadUnaligned<double>(in source);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Write(ref NinoWriter writer, in double value) => WriteFixed(ref writer.Take(8), in value);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public double Read(ref NinoReader reader) => ReadFixed(in reader.Take(8));
}

/// <summary>A decimal: low, middle, high and flags word. The scale is kept: 1.0 and 1.00 are different bytes.</summary>
public readonly struct DecimalCodec : INinoCodec<decimal>
{
    /// <inheritdoc/>
    public static CodecForm Form => CodecForm.Fixed;

    /// <inheritdoc/>
    public static int FixedSize => 16;

    /// <inheritdoc/>
    public static int MinSize => 16;

    /// <inheritdoc/>
    public static SchemaNode Describe(SchemaBuilder builder) => SchemaNode.Primitive(SchemaKind.Decimal);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WriteFixed(ref byte destination, in decimal value) => Unsafe.WriteUnaligned(ref destination, DecimalBits.Of(in value));

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public decimal ReadFixed(ref readonly byte source) => DecimalBits.From(Unsafe.ReadUnaligned<Vector128<int>>(in source));

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Write(ref NinoWriter writer, in decimal value) => WriteFixed(ref writer.Take(16), in value);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public decimal Read(ref NinoReader reader) => ReadFixed(in reader.Take(16));
}
