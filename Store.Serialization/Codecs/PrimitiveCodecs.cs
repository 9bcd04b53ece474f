using System.Runtime.CompilerServices;

namespace Store.Serialization.Codecs;

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
    public static void WriteFixed(ref byte destination, in int value) => Unsafe.WriteUnaligned(ref destination, value);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int ReadFixed(ref readonly byte source) => Unsafe.ReadUnaligned<int>(in source);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void Write(ref NinoWriter writer, in int value) => WriteFixed(ref writer.Take(4), in value);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int Read(ref NinoReader reader) => ReadFixed(in reader.Take(4));
}
