// How 128-bit integers are stored: the low eight bytes, then the high eight, each little-endian. They are library types, so their memory layout is
// not relied on. Bound of the Unsafe stores and loads: FixedSize bytes, as stated at INinoCodec<T>.WriteFixed and ReadFixed.

using System.Runtime.CompilerServices;

namespace Store.Serialization.Codecs;

/// <summary>A 128-bit integer.</summary>
public readonly struct Int128Codec : INinoCodec<Int128>
{
    /// <inheritdoc/>
    public static CodecForm Form => CanonicalLayout.Form(CanonicalLayout.OfInt128);

    /// <inheritdoc/>
    public static int FixedSize => 16;

    /// <inheritdoc/>
    public static int MinSize => 16;

    /// <inheritdoc/>
    public static SchemaNode Describe(SchemaBuilder builder) => SchemaNode.Primitive(SchemaKind.Int128);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WriteFixed(ref byte destination, in Int128 value)
    {
        Unsafe.WriteUnaligned(ref destination, (ulong)value);
        Unsafe.WriteUnaligned(ref Unsafe.Add(ref destination, 8), (ulong)(value >> 64));
    }

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public Int128 ReadFixed(ref readonly byte source) => new(Unsafe.ReadUnaligned<ulong>(in Unsafe.Add(ref Unsafe.AsRef(in source), 8)), Unsafe.ReadUnaligned<ulong>(in source));

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Write(ref NinoWriter writer, in Int128 value) => WriteFixed(ref writer.Take(16), in value);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public Int128 Read(ref NinoReader reader) => ReadFixed(in reader.Take(16));
}

/// <summary>An unsigned 128-bit integer.</summary>
public readonly struct UInt128Codec : INinoCodec<UInt128>
{
    /// <inheritdoc/>
    public static CodecForm Form => CanonicalLayout.Form(CanonicalLayout.OfUInt128);

    /// <inheritdoc/>
    public static int FixedSize => 16;

    /// <inheritdoc/>
    public static int MinSize => 16;

    /// <inheritdoc/>
    public static SchemaNode Describe(SchemaBuilder builder) => SchemaNode.Primitive(SchemaKind.UInt128);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WriteFixed(ref byte destination, in UInt128 value)
    {
        Unsafe.WriteUnaligned(ref destination, (ulong)value);
        Unsafe.WriteUnaligned(ref Unsafe.Add(ref destination, 8), (ulong)(value >> 64));
    }

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public UInt128 ReadFixed(ref readonly byte source) => new(Unsafe.ReadUnaligned<ulong>(in Unsafe.Add(ref Unsafe.AsRef(in source), 8)), Unsafe.ReadUnaligned<ulong>(in source));

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Write(ref NinoWriter writer, in UInt128 value) => WriteFixed(ref writer.Take(16), in value);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public UInt128 Read(ref NinoReader reader) => ReadFixed(in reader.Take(16));
}
