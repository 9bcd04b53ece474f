using System.Buffers;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Store.Serialization.Evolution;

namespace Store.Serialization.Codecs;

/// <summary>A struct marked [InlineArray], as a list of exactly its elements.</summary>
/// <typeparam name="TBuffer">The struct.</typeparam>
/// <typeparam name="T">Its element.</typeparam>
/// <typeparam name="TCodec">Codec of the element.</typeparam>
public readonly struct InlineArrayCodec<TBuffer, T, TCodec> : INinoCodec<TBuffer> where TBuffer : struct where TCodec : struct, INinoCodec<T>
{
    // Lengths multiply where inline arrays hold each other.
    private const int MinMax = 1 << 20;

    // An inline array is its one field repeated, without anything between or after.
    private static int Length => Unsafe.SizeOf<TBuffer>() / Unsafe.SizeOf<T>();

    /// <inheritdoc/>
    public static int MinSize => (int)Math.Min(1 + ((long)Length * (TCodec.Form == CodecForm.Object ? 1 : TCodec.MinSize)), MinMax);

    /// <inheritdoc/>
    public static SchemaNode Describe(SchemaBuilder builder)
    {
        SchemaNode node = ElementsCodec<T, TCodec>.Describe(builder).WithRule(SchemaRule.Exactly(Length));
        return node.WithZero(() => ZeroOf(node.Element!));
    }

    /// <inheritdoc/>
    public void Write(ref NinoWriter writer, in TBuffer value) => ElementsCodec<T, TCodec>.Write(ref writer, Elements(ref Unsafe.AsRef(in value)));

    /// <inheritdoc/>
    public TBuffer Read(ref NinoReader reader)
    {
        int count = ElementsCodec<T, TCodec>.ReadCount(ref reader, out bool hasNulls);
        if (count != Length) Throw.BadInlineArray(count, Length);
        TBuffer value = default;
        ElementsCodec<T, TCodec>.ReadAll(ref reader, Elements(ref value), hasNulls);
        return value;
    }

    // Of elements what is zero of them, and not what default is written as: they may refuse that.
    private static byte[] ZeroOf(SchemaNode element)
    {
        byte[] zero = ZeroValue.Of(element);
        var output = new ArrayBufferWriter<byte>();
        var writer = new NinoWriter(output);
        writer.WriteCompact((element.HasPresenceByte ? ((uint)Length << 1) | 1 : (uint)Length) + 1);
        for (int i = 0; i < Length; i++) writer.WriteBytes(zero);
        writer.Flush();
        return output.WrittenSpan.ToArray();
    }

    // Bound: Length elements lie inside the struct.
    private static Span<T> Elements(ref TBuffer value) => MemoryMarshal.CreateSpan(ref Unsafe.As<TBuffer, T>(ref value), Length);
}
