using System.Runtime.CompilerServices;
using Store.Serialization.Evolution;

namespace Store.Serialization.Codecs;

/// <summary>
/// A codec that the user wrote, as generated code uses it: every call goes straight through, and what it says of itself is held against the schema it
/// describes, because files are read by the schema alone.
/// </summary>
/// <typeparam name="T">The value.</typeparam>
/// <typeparam name="TCodec">The user's codec.</typeparam>
public readonly struct CustomCodec<T, TCodec> : INinoCodec<T> where TCodec : struct, INinoCodec<T>
{
    /// <inheritdoc/>
    public static CodecForm Form => TCodec.Form;

    /// <inheritdoc/>
    public static int MinSize => TCodec.MinSize;

    /// <inheritdoc/>
    public static int FixedSize => TCodec.FixedSize;

    /// <inheritdoc/>
    public static int MinBodySize => TCodec.MinBodySize;

    /// <inheritdoc/>
    public static int FixedBodySize => TCodec.FixedBodySize;

    /// <inheritdoc/>
    public static bool CanReadInto => TCodec.CanReadInto;

    /// <summary>The schema node of the user's codec.</summary>
    /// <exception cref="InvalidOperationException">The codec contradicts it.</exception>
    public static SchemaNode Describe(SchemaBuilder builder)
    {
        SchemaNode node = TCodec.Describe(builder);
        bool isFixed = Form is CodecForm.Fixed or CodecForm.Blittable;
        if (node.HasPresenceByte != (Form == CodecForm.Object)) throw Contradiction($"its form is {Form} and its schema {(node.HasPresenceByte ? "an object of a reference type" : node.Kind)}");
        if (MinSize < 1) throw Contradiction("its MinSize is below 1");
        // Of types with fields the width is known only when the whole schema is.
        if (node.Definition is ObjectDefinition || node is { Kind: SchemaKind.Nullable, Element.Definition: ObjectDefinition }) return node;
        int size = SchemaShape.FixedSizeOf(node);
        if (size != (isFixed ? FixedSize : 0)) throw Contradiction($"its schema is {node.Kind} of {(size == 0 ? "variable width" : size + " bytes")} and its form {Form} of {FixedSize} bytes");
        node = node.WithRule(SchemaRule.As(typeof(TCodec)));
        return node.HasNull && typeof(T).IsValueType ? node.WithZero(() => Zero(node)) : node;
    }

    /// <inheritdoc/>
    /// <exception cref="NinoSerializationException">The codec wrote less than it says that it always writes, or into another buffer writer: nobody could read that.</exception>
    public void Write(ref NinoWriter writer, in T value)
    {
        WriterMark mark = writer.Mark();
        default(TCodec).Write(ref writer, in value);
        if (!writer.IsAhead(mark, MinSize)) Throw.WroteTooLittle(typeof(TCodec), MinSize);
    }

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public T Read(ref NinoReader reader) => default(TCodec).Read(ref reader);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WriteFixed(ref byte destination, in T value) => default(TCodec).WriteFixed(ref destination, in value);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public T ReadFixed(ref readonly byte source) => default(TCodec).ReadFixed(in source);

    /// <inheritdoc/>
    /// <inheritdoc cref="Write" path="/exception"/>
    public void WriteBody(ref NinoWriter writer, in T value)
    {
        WriterMark mark = writer.Mark();
        default(TCodec).WriteBody(ref writer, in value);
        if (!writer.IsAhead(mark, MinBodySize)) Throw.WroteTooLittle(typeof(TCodec), MinBodySize);
    }

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public T ReadBody(ref NinoReader reader) => default(TCodec).ReadBody(ref reader);

    /// <inheritdoc/>
    public void WriteFixedBody(ref byte destination, in T value) => default(TCodec).WriteFixedBody(ref destination, in value);

    /// <inheritdoc/>
    public T ReadFixedBody(ref readonly byte source) => default(TCodec).ReadFixedBody(in source);

    /// <inheritdoc/>
    public void ReadInto(ref NinoReader reader, ref T value) => default(TCodec).ReadInto(ref reader, ref value);

    /// <inheritdoc/>
    public void ReadBodyInto(ref NinoReader reader, ref T value) => default(TCodec).ReadBodyInto(ref reader, ref value);

    // A codec that has no encoding for the default of its struct is asked to read null.
    private static byte[] Zero(SchemaNode node) => DefaultFields.TryEncode<T, CustomCodec<T, TCodec>>(default!) ?? new byte[node.NullSize];

    private static InvalidOperationException Contradiction(string what) =>
        new($"The codec '{typeof(TCodec)}' of '{typeof(T)}' contradicts the schema it describes: {what}. Records would be written that tools cannot read.");
}
