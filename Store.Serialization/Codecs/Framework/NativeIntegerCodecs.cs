// Integers of the platform's width are stored as 64 bits everywhere, so that a record does not depend on who wrote it.
// Bound of the Unsafe stores and loads: FixedSize bytes, as stated at INinoCodec<T>.WriteFixed and ReadFixed.

using System.Collections.Specialized;
using System.Globalization;
using System.Numerics;
using System.Runtime.CompilerServices;

namespace Store.Serialization.Codecs;

/// <summary>A native-width integer as 64 bits. A process of 32 bits refuses numbers that it cannot hold.</summary>
/// <typeparam name="T"><c>nint</c> or <c>nuint</c>.</typeparam>
/// <typeparam name="TStored"><c>long</c> or <c>ulong</c>.</typeparam>
public readonly struct NativeIntegerCodec<T, TStored> : INinoCodec<T> where T : unmanaged, IBinaryInteger<T> where TStored : unmanaged, IBinaryInteger<TStored>
{
    /// <inheritdoc/>
    public static CodecForm Form => Unsafe.SizeOf<T>() == 8 ? CodecForm.Blittable : CodecForm.Fixed;

    /// <inheritdoc/>
    public static int FixedSize => 8;

    /// <inheritdoc/>
    public static int MinSize => 8;

    /// <inheritdoc/>
    public static SchemaNode Describe(SchemaBuilder builder) => SchemaNode.Primitive(typeof(TStored) == typeof(long) ? SchemaKind.Int64 : SchemaKind.UInt64);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WriteFixed(ref byte destination, in T value) => Unsafe.WriteUnaligned(ref destination, TStored.CreateTruncating(value));

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public T ReadFixed(ref readonly byte source)
    {
        TStored stored = Unsafe.ReadUnaligned<TStored>(in source);
        T value = T.CreateTruncating(stored);
        if (TStored.CreateTruncating(value) != stored) Throw.TooWideForThisProcess(stored.ToString(null, CultureInfo.InvariantCulture));
        return value;
    }

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Write(ref NinoWriter writer, in T value) => WriteFixed(ref writer.Take(8), in value);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public T Read(ref NinoReader reader) => ReadFixed(in reader.Take(8));
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
