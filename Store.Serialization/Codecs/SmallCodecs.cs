// Booleans, characters and identifiers: fixed widths, and every bit pattern that no writer produces is refused.
// Bound of the Unsafe stores and loads: FixedSize bytes, as stated at INinoCodec<T>.WriteFixed and ReadFixed.

using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Text;

namespace Store.Serialization.Codecs;

/// <summary>A boolean: 0 or 1.</summary>
public readonly struct BooleanCodec : INinoCodec<bool>
{
    /// <inheritdoc/>
    public static CodecForm Form => CodecForm.Fixed;

    /// <inheritdoc/>
    public static ReadOnlySpan<byte> Memory => [1, (byte)MemoryBits.Boolean];

    /// <inheritdoc/>
    public static int FixedSize => 1;

    /// <inheritdoc/>
    public static int MinSize => 1;

    /// <inheritdoc/>
    public static SchemaNode Describe(SchemaBuilder builder) => SchemaNode.Primitive(SchemaKind.Boolean);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WriteFixed(ref byte destination, in bool value) => destination = value ? (byte)1 : (byte)0;

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool ReadFixed(ref readonly byte source)
    {
        if (source > 1) Throw.BadBoolean(source);
        return source != 0;
    }

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Write(ref NinoWriter writer, in bool value) => WriteFixed(ref writer.Take(1), in value);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool Read(ref NinoReader reader) => ReadFixed(in reader.Take(1));
}

/// <summary>One UTF-16 code unit; lone surrogates are kept.</summary>
public readonly struct CharCodec : INinoCodec<char>
{
    /// <inheritdoc/>
    public static CodecForm Form => CodecForm.Blittable;

    /// <inheritdoc/>
    public static int FixedSize => 2;

    /// <inheritdoc/>
    public static int MinSize => 2;

    /// <inheritdoc/>
    public static SchemaNode Describe(SchemaBuilder builder) => SchemaNode.Primitive(SchemaKind.Char);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WriteFixed(ref byte destination, in char value) => Unsafe.WriteUnaligned(ref destination, value);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public char ReadFixed(ref readonly byte source) => Unsafe.ReadUnaligned<char>(in source);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Write(ref NinoWriter writer, in char value) => WriteFixed(ref writer.Take(2), in value);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public char Read(ref NinoReader reader) => ReadFixed(in reader.Take(2));
}

/// <summary>One Unicode scalar value.</summary>
public readonly struct RuneCodec : INinoCodec<Rune>
{
    /// <inheritdoc/>
    public static CodecForm Form => CodecForm.Fixed;

    /// <inheritdoc/>
    public static int FixedSize => 4;

    /// <inheritdoc/>
    public static int MinSize => 4;

    /// <inheritdoc/>
    public static SchemaNode Describe(SchemaBuilder builder) => SchemaNode.Primitive(SchemaKind.Rune);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WriteFixed(ref byte destination, in Rune value) => Unsafe.WriteUnaligned(ref destination, value.Value);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public Rune ReadFixed(ref readonly byte source)
    {
        uint value = Unsafe.ReadUnaligned<uint>(in source);
        if (!Rune.IsValid(value)) Throw.BadRune(value);
        return new Rune(value);
    }

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Write(ref NinoWriter writer, in Rune value) => WriteFixed(ref writer.Take(4), in value);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public Rune Read(ref NinoReader reader) => ReadFixed(in reader.Take(4));
}

/// <summary>An identifier, in the byte order of <see cref="Guid.TryWriteBytes(Span{byte})"/>.</summary>
public readonly struct GuidCodec : INinoCodec<Guid>
{
    /// <inheritdoc/>
    public static CodecForm Form => CanonicalLayout.Form(CanonicalLayout.OfGuid);

    /// <inheritdoc/>
    public static int FixedSize => 16;

    /// <inheritdoc/>
    public static int MinSize => 16;

    /// <inheritdoc/>
    public static SchemaNode Describe(SchemaBuilder builder) => SchemaNode.Primitive(SchemaKind.Guid);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WriteFixed(ref byte destination, in Guid value) => value.TryWriteBytes(MemoryMarshal.CreateSpan(ref destination, 16));

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public Guid ReadFixed(ref readonly byte source) => new(MemoryMarshal.CreateReadOnlySpan(in source, 16));

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Write(ref NinoWriter writer, in Guid value) => WriteFixed(ref writer.Take(16), in value);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public Guid Read(ref NinoReader reader) => ReadFixed(in reader.Take(16));
}
