// An integer of any size:
//
//   length  compact number: how many bytes follow, at least 1
//   bytes   two's complement, little-endian, as few as hold the sign: 0 is one byte 0
//
// Format page: docs/formats/record.md, "BigInteger".

using System.Numerics;

namespace Store.Serialization.Codecs;

/// <summary>An integer of any size.</summary>
public readonly struct BigIntegerCodec : INinoCodec<BigInteger>
{
    // The framework's own limit on a BigInteger is 2^31 bits.
    private const int MaxBytes = 1 << 28;

    /// <inheritdoc/>
    public static int MinSize => 2;

    /// <inheritdoc/>
    public static SchemaNode Describe(SchemaBuilder builder) => SchemaNode.Primitive(SchemaKind.BigInteger);

    /// <inheritdoc/>
    public void Write(ref NinoWriter writer, in BigInteger value)
    {
        int length = value.GetByteCount();
        if (length >= MaxBytes) Throw.BigIntegerTooLong(length);
        writer.WriteCompact((uint)length);
        value.TryWriteBytes(System.Runtime.InteropServices.MemoryMarshal.CreateSpan(ref writer.Take(length), length), out _);
    }

    /// <inheritdoc/>
    public BigInteger Read(ref NinoReader reader) => new(Take(ref reader));

    /// <summary>Moves over a number and returns its bytes, checked: at least one, and none too many.</summary>
    internal static ReadOnlySpan<byte> Take(scoped ref NinoReader reader)
    {
        uint length = reader.ReadCompact();
        if (length is 0 or >= MaxBytes) Throw.BigIntegerTooLong(length);
        ReadOnlySpan<byte> bytes = reader.TakeSpan((int)length);
        if (length > 1 && (bytes[^1] == 0 && bytes[^2] < 0x80 || bytes[^1] == 0xFF && bytes[^2] >= 0x80)) Throw.NotShortestForm();
        return bytes;
    }
}
