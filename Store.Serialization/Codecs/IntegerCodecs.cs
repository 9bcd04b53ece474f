// How integers are stored: little-endian, their own width. Unsafe here is one unaligned store or load of FixedSize bytes; the bound is the one
// stated at INinoCodec<T>.WriteFixed and ReadFixed.

using System.Runtime.CompilerServices;

namespace Store.Serialization.Codecs;

/// <summary>A signed byte.</summary>
public readonly struct SByteCodec : INinoCodec<sbyte>
{
    /// <inheritdoc/>
    public static CodecForm Form => CodecForm.Blittable;

    /// <inheritdoc/>
    public static int FixedSize => 1;

    /// <inheritdoc/>
    public static int MinSize => 1;

    /// <inheritdoc/>
    public static SchemaNode Describe(SchemaBuilder builder) => SchemaNode.Primitive(SchemaKind.SByte);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WriteFixed(ref byte destination, in sbyte value) => Unsafe.WriteUnaligned(ref destination, value);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public sbyte ReadFixed(ref readonly byte source) => Unsafe.ReadUnaligned<sbyte>(in source);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Write(ref NinoWriter writer, in sbyte value) => WriteFixed(ref writer.Take(1), in value);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public sbyte Read(ref NinoReader reader) => ReadFixed(in reader.Take(1));
}

/// <summary>A byte.</summary>
public readonly struct ByteCodec : INinoCodec<byte>
{
    /// <inheritdoc/>
    public static CodecForm Form => CodecForm.Blittable;

    /// <inheritdoc/>
    public static int FixedSize => 1;

    /// <inheritdoc/>
    public static int MinSize => 1;

    /// <inheritdoc/>
    public static SchemaNode Describe(SchemaBuilder builder) => SchemaNode.Primitive(SchemaKind.Byte);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WriteFixed(ref byte destination, in byte value) => Unsafe.WriteUnaligned(ref destination, value);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public byte ReadFixed(ref readonly byte source) => Unsafe.ReadUnaligned<byte>(in source);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Write(ref NinoWriter writer, in byte value) => WriteFixed(ref writer.Take(1), in value);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public byte Read(ref NinoReader reader) => ReadFixed(in reader.Take(1));
}

/// <summary>A 16-bit integer.</summary>
public readonly struct Int16Codec : INinoCodec<short>
{
    /// <inheritdoc/>
    public static CodecForm Form => CodecForm.Blittable;

    /// <inheritdoc/>
    public static int FixedSize => 2;

    /// <inheritdoc/>
    public static int MinSize => 2;

    /// <inheritdoc/>
    public static SchemaNode Describe(SchemaBuilder builder) => SchemaNode.Primitive(SchemaKind.Int16);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WriteFixed(ref byte destination, in short value) => Unsafe.WriteUnaligned(ref destination, value);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public short ReadFixed(ref readonly byte source) => Unsafe.ReadUnaligned<short>(in source);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Write(ref NinoWriter writer, in short value) => WriteFixed(ref writer.Take(2), in value);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public short Read(ref NinoReader reader) => ReadFixed(in reader.Take(2));
}

/// <summary>An unsigned 16-bit integer.</summary>
public readonly struct UInt16Codec : INinoCodec<ushort>
{
    /// <inheritdoc/>
    public static CodecForm Form => CodecForm.Blittable;

    /// <inheritdoc/>
    public static int FixedSize => 2;

    /// <inheritdoc/>
    public static int MinSize => 2;

    /// <inheritdoc/>
    public static SchemaNode Describe(SchemaBuilder builder) => SchemaNode.Primitive(SchemaKind.UInt16);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WriteFixed(ref byte destination, in ushort value) => Unsafe.WriteUnaligned(ref destination, value);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ushort ReadFixed(ref readonly byte source) => Unsafe.ReadUnaligned<ushort>(in source);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Write(ref NinoWriter writer, in ushort value) => WriteFixed(ref writer.Take(2), in value);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ushort Read(ref NinoReader reader) => ReadFixed(in reader.Take(2));
}

/// <summary>A 32-bit integer.</summary>
public readonly struct Int32Codec : INinoCodec<int>
{
    /// <inheritdoc/>
    public static CodecForm Form => CodecForm.Blittable;

    /// <inheritdoc/>
    public static int FixedSize => 4;

    /// <inheritdoc/>
    public static int MinSize => 4;

    /// <inheritdoc/>
    public static SchemaNode Describe(SchemaBuilder builder) => SchemaNode.Primitive(SchemaKind.Int32);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WriteFixed(ref byte destination, in int value) => Unsafe.WriteUnaligned(ref destination, value);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public int ReadFixed(ref readonly byte source) => Unsafe.ReadUnaligned<int>(in source);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Write(ref NinoWriter writer, in int value) => WriteFixed(ref writer.Take(4), in value);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public int Read(ref NinoReader reader) => ReadFixed(in reader.Take(4));
}

/// <summary>An unsigned 32-bit integer.</summary>
public readonly struct UInt32Codec : INinoCodec<uint>
{
    /// <inheritdoc/>
    public static CodecForm Form => CodecForm.Blittable;

    /// <inheritdoc/>
    public static int FixedSize => 4;

    /// <inheritdoc/>
    public static int MinSize => 4;

    /// <inheritdoc/>
    public static SchemaNode Describe(SchemaBuilder builder) => SchemaNode.Primitive(SchemaKind.UInt32);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WriteFixed(ref byte destination, in uint value) => Unsafe.WriteUnaligned(ref destination, value);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public uint ReadFixed(ref readonly byte source) => Unsafe.ReadUnaligned<uint>(in source);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Write(ref NinoWriter writer, in uint value) => WriteFixed(ref writer.Take(4), in value);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public uint Read(ref NinoReader reader) => ReadFixed(in reader.Take(4));
}

/// <summary>A 64-bit integer.</summary>
public readonly struct Int64Codec : INinoCodec<long>
{
    /// <inheritdoc/>
    public static CodecForm Form => CodecForm.Blittable;

    /// <inheritdoc/>
    public static int FixedSize => 8;

    /// <inheritdoc/>
    public static int MinSize => 8;

    /// <inheritdoc/>
    public static SchemaNode Describe(SchemaBuilder builder) => SchemaNode.Primitive(SchemaKind.Int64);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WriteFixed(ref byte destination, in long value) => Unsafe.WriteUnaligned(ref destination, value);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public long ReadFixed(ref readonly byte source) => Unsafe.ReadUnaligned<long>(in source);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Write(ref NinoWriter writer, in long value) => WriteFixed(ref writer.Take(8), in value);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public long Read(ref NinoReader reader) => ReadFixed(in reader.Take(8));
}

/// <summary>An unsigned 64-bit integer.</summary>
public readonly struct UInt64Codec : INinoCodec<ulong>
{
    /// <inheritdoc/>
    public static CodecForm Form => CodecForm.Blittable;

    /// <inheritdoc/>
    public static int FixedSize => 8;

    /// <inheritdoc/>
    public static int MinSize => 8;

    /// <inheritdoc/>
    public static SchemaNode Describe(SchemaBuilder builder) => SchemaNode.Primitive(SchemaKind.UInt64);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WriteFixed(ref byte destination, in ulong value) => Unsafe.WriteUnaligned(ref destination, value);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ulong ReadFixed(ref readonly byte source) => Unsafe.ReadUnaligned<ulong>(in source);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Write(ref NinoWriter writer, in ulong value) => WriteFixed(ref writer.Take(8), in value);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ulong Read(ref NinoReader reader) => ReadFixed(in reader.Take(8));
}
