// Integers of the platform's width are stored as 64 bits everywhere, so that a record does not depend on who wrote it.
// Bound of the Unsafe stores and loads: FixedSize bytes, as stated at INinoCodec<T>.WriteFixed and ReadFixed.

using System.Collections.Specialized;
using System.Runtime.CompilerServices;

namespace Store.Serialization.Codecs;

/// <summary>A native-width integer as 64 bits. A process of 32 bits refuses numbers that it cannot hold.</summary>
public readonly struct IntPtrCodec : INinoCodec<nint>
{
    /// <inheritdoc/>
    public static CodecForm Form => Unsafe.SizeOf<nint>() == 8 ? CodecForm.Blittable : CodecForm.Fixed;

    /// <inheritdoc/>
    public static int FixedSize => 8;

    /// <inheritdoc/>
    public static int MinSize => 8;

    /// <inheritdoc/>
    public static SchemaNode Describe(SchemaBuilder builder) => SchemaNode.Primitive(SchemaKind.Int64);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WriteFixed(ref byte destination, in nint value) => Unsafe.WriteUnaligned(ref destination, (long)value);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public nint ReadFixed(ref readonly byte source)
    {
        long value = Unsafe.ReadUnaligned<long>(in source);
        if (value != (nint)value) Throw.TooWideForThisProcess(value.ToString(System.Globalization.CultureInfo.InvariantCulture));
        return (nint)value;
    }

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Write(ref NinoWriter writer, in nint value) => WriteFixed(ref writer.Take(8), in value);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public nint Read(ref NinoReader reader) => ReadFixed(in reader.Take(8));
}

/// <summary>An unsigned native-width integer as 64 bits. A process of 32 bits refuses numbers that it cannot hold.</summary>
public readonly struct UIntPtrCodec : INinoCodec<nuint>
{
    /// <inheritdoc/>
    public static CodecForm Form => Unsafe.SizeOf<nuint>() == 8 ? CodecForm.Blittable : CodecForm.Fixed;

    /// <inheritdoc/>
    public static int FixedSize => 8;

    /// <inheritdoc/>
    public static int MinSize => 8;

    /// <inheritdoc/>
    public static SchemaNode Describe(SchemaBuilder builder) => SchemaNode.Primitive(SchemaKind.UInt64);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WriteFixed(ref byte destination, in nuint value) => Unsafe.WriteUnaligned(ref destination, (ulong)value);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public nuint ReadFixed(ref readonly byte source)
    {
        ulong value = Unsafe.ReadUnaligned<ulong>(in source);
        if (value != (nuint)value) Throw.TooWideForThisProcess(value.ToString(System.Globalization.CultureInfo.InvariantCulture));
        return (nuint)value;
    }

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Write(ref NinoWriter writer, in nuint value) => WriteFixed(ref writer.Take(8), in value);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public nuint Read(ref NinoReader reader) => ReadFixed(in reader.Take(8));
}

/// <summary>A <see cref="BitVector32"/> as the number it is.</summary>
public readonly struct BitVector32Codec : INinoCodec<BitVector32>
{
    /// <inheritdoc/>
    public static CodecForm Form => CodecForm.Fixed;

    /// <inheritdoc/>
    public static int FixedSize => 4;

    /// <inheritdoc/>
    public static int MinSize => 4;

    /// <inheritdoc/>
    public static SchemaNode Describe(SchemaBuilder builder) => SchemaNode.Primitive(SchemaKind.Int32);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WriteFixed(ref byte destination, in BitVector32 value) => Unsafe.WriteUnaligned(ref destination, value.Data);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public BitVector32 ReadFixed(ref readonly byte source) => new(Unsafe.ReadUnaligned<int>(in source));

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Write(ref NinoWriter writer, in BitVector32 value) => WriteFixed(ref writer.Take(4), in value);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public BitVector32 Read(ref NinoReader reader) => ReadFixed(in reader.Take(4));
}
