// Bits in order, as an object of a reference type:
//
//   Length  Int32: how many bits
//   Bits    list of Byte: eight bits each, the first in the lowest; unused ones are 0

using System.Collections;

namespace Store.Serialization.Codecs;

/// <summary>A <see cref="BitArray"/> or null.</summary>
public readonly struct BitArrayCodec : INinoCodec<BitArray>
{
    /// <inheritdoc/>
    public static CodecForm Form => CodecForm.Object;

    /// <inheritdoc/>
    public static int MinSize => 1;

    /// <inheritdoc/>
    public static int MinBodySize => 5;

    /// <inheritdoc/>
    public static SchemaNode Describe(SchemaBuilder builder) => builder.Object(typeof(BitArray), "System.Collections.BitArray", isReference: true, static fields =>
    {
        fields.Add("Length", 0, SchemaNode.Primitive(SchemaKind.Int32));
        fields.Add("Bits", 0, SchemaNode.List(SchemaNode.Primitive(SchemaKind.Byte)));
    });

    /// <inheritdoc/>
    public void Write(ref NinoWriter writer, in BitArray value)
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
    public BitArray Read(ref NinoReader reader) => reader.ReadPresence() ? ReadBody(ref reader) : null!;

    /// <inheritdoc/>
    public void WriteBody(ref NinoWriter writer, in BitArray value)
    {
        byte[] bits = new byte[BytesFor(value.Length)];
        value.CopyTo(bits, 0);
        if ((value.Length & 7) != 0) bits[^1] &= (byte)((1 << (value.Length & 7)) - 1);
        default(Int32Codec).Write(ref writer, value.Length);
        ElementsCodec<byte, ByteCodec>.Write(ref writer, bits);
    }

    /// <inheritdoc/>
    public BitArray ReadBody(ref NinoReader reader)
    {
        int length = default(Int32Codec).Read(ref reader);
        int count = ElementsCodec<byte, ByteCodec>.ReadCount(ref reader, out _);
        if (length < 0 || count != BytesFor(length)) Throw.BadBits(length, count);
        byte[] bits = reader.TakeSpan(count).ToArray();
        if ((length & 7) != 0 && bits[^1] >> (length & 7) != 0) Throw.BadBits(length, count);
        return new BitArray(bits) { Length = length };
    }

    private static int BytesFor(int length) => (int)(((long)length + 7) / 8);
}
