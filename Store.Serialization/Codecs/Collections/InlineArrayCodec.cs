using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Store.Serialization.Codecs;

/// <summary>A struct marked [InlineArray], as a list of exactly its elements.</summary>
/// <typeparam name="TBuffer">The struct.</typeparam>
/// <typeparam name="T">Its element.</typeparam>
/// <typeparam name="TCodec">Codec of the element.</typeparam>
public readonly struct InlineArrayCodec<TBuffer, T, TCodec> : INinoCodec<TBuffer> where TBuffer : struct where TCodec : struct, INinoCodec<T>
{
    // An inline array is its one field repeated, without anything between or after.
    private static int Length => Unsafe.SizeOf<TBuffer>() / Unsafe.SizeOf<T>();

    /// <inheritdoc/>
    public static int MinSize => 1;

    /// <inheritdoc/>
    public static SchemaNode Describe(SchemaBuilder builder) => ElementsCodec<T, TCodec>.Describe(builder);

    /// <inheritdoc/>
    public void Write(ref NinoWriter writer, in TBuffer value) => ElementsCodec<T, TCodec>.Write(ref writer, Elements(ref Unsafe.AsRef(in value)));

    /// <inheritdoc/>
    public TBuffer Read(ref NinoReader reader)
    {
        int count = ElementsCodec<T, TCodec>.ReadCount(ref reader, out bool hasNulls);
        if (count != Length) Throw.BadInlineArray(count, Length);
        TBuffer value = default;
        bool anyNull = false;
        ElementsCodec<T, TCodec>.Read(ref reader, Elements(ref value), hasNulls, ref anyNull);
        if (hasNulls && !anyNull) Throw.NoNullElement();
        return value;
    }

    // Bound: Length elements lie inside the struct.
    private static Span<T> Elements(ref TBuffer value) => MemoryMarshal.CreateSpan(ref Unsafe.As<TBuffer, T>(ref value), Length);
}
