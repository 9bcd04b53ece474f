using System.Runtime.CompilerServices;
using Store.Serialization.Evolution;

namespace Store.Serialization.Codecs;

/// <summary>
/// A codec that the user wrote, as generated code uses it: what it says of itself is held against the schema it
/// describes, because files are read by the schema alone, and against what it takes.
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
    /// <exception cref="NinoSerializationException">The codec wrote another number of bytes than it says of itself, or into another buffer writer: nobody could read that.</exception>
    public void Write(ref NinoWriter writer, in T value)
    {
        WriterMark mark = writer.Lend();
        default(TCodec).Write(ref writer, in value);
        long written = writer.TakeBack(in mark);
        if (IsWrong(written, written == 1 && writer.IsLastByteOtherThan0)) Miswritten(ref writer, in mark, written, Least, Size);
    }

    /// <inheritdoc/>
    /// <exception cref="NinoSerializationException">The codec read another number of bytes than it says of itself, or from elsewhere: what is behind the value would be read from the wrong place.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public T Read(ref NinoReader reader)
    {
        int before = reader.Lend(out int start);
        T value = default(TCodec).Read(ref reader);
        TakeBack(ref reader, start, before);
        return value;
    }

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
        WriterMark mark = writer.Lend();
        default(TCodec).WriteBody(ref writer, in value);
        long written = writer.TakeBack(in mark);
        if (IsWrongBody(written)) Miswritten(ref writer, in mark, written, MinBodySize, FixedBodySize);
    }

    /// <inheritdoc/>
    /// <inheritdoc cref="Read" path="/exception"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public T ReadBody(ref NinoReader reader)
    {
        int before = reader.Lend(out int start);
        T value = default(TCodec).ReadBody(ref reader);
        TakeBackBehindBody(ref reader, start, before);
        return value;
    }

    /// <inheritdoc/>
    public void WriteFixedBody(ref byte destination, in T value) => default(TCodec).WriteFixedBody(ref destination, in value);

    /// <inheritdoc/>
    public T ReadFixedBody(ref readonly byte source) => default(TCodec).ReadFixedBody(in source);

    /// <inheritdoc/>
    /// <inheritdoc cref="Read" path="/exception"/>
    public void ReadInto(ref NinoReader reader, ref T value)
    {
        int before = reader.Lend(out int start);
        default(TCodec).ReadInto(ref reader, ref value);
        TakeBack(ref reader, start, before);
    }

    /// <inheritdoc/>
    /// <inheritdoc cref="Read" path="/exception"/>
    public void ReadBodyInto(ref NinoReader reader, ref T value)
    {
        int before = reader.Lend(out int start);
        default(TCodec).ReadBodyInto(ref reader, ref value);
        TakeBackBehindBody(ref reader, start, before);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void TakeBack(ref NinoReader reader, int start, int before)
    {
        int read = reader.TakeBack(start, before);
        if (IsWrong(read, read == 1 && reader.IsLastByteOtherThan0)) Misread(ref reader, start, read, Least, Size);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void TakeBackBehindBody(ref NinoReader reader, int start, int before)
    {
        int read = reader.TakeBack(start, before);
        if (IsWrongBody(read)) Misread(ref reader, start, read, MinBodySize, FixedBodySize);
    }

    // An object has its presence byte in front of its body. A null has that only, and so has an object that the codec takes for one: who took one byte, took 0.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static bool IsWrong(long taken, bool isOneOtherThan0)
    {
        if (Form is CodecForm.Fixed or CodecForm.Blittable) return taken != FixedSize;
        if (Form != CodecForm.Object) return taken < MinSize;
        return taken == 1 ? isOneOtherThan0 || taken < MinSize : IsWrongBody(taken - 1);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static bool IsWrongBody(long taken) => FixedBodySize > 0 ? taken != FixedBodySize : taken < MinBodySize;

    private static int Least => Form == CodecForm.Object ? 1 + MinBodySize : MinSize;

    private static int Size => Form is CodecForm.Fixed or CodecForm.Blittable ? FixedSize : Form == CodecForm.Object && FixedBodySize > 0 ? 1 + FixedBodySize : 0;

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Miswritten(ref NinoWriter writer, in WriterMark mark, long written, int least, int size)
    {
        writer.Blame(in mark);
        Throw.WroteOther(typeof(TCodec), written, least, size);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Misread(ref NinoReader reader, int start, int read, int least, int size)
    {
        reader.Blame(start);
        Throw.ReadOther(typeof(TCodec), read, least, size);
    }

    // A codec that has no encoding for the default of its struct is asked to read null.
    private static byte[] Zero(SchemaNode node) => DefaultFields.TryEncode<T, CustomCodec<T, TCodec>>(default!) ?? new byte[node.NullSize];

    private static InvalidOperationException Contradiction(string what) =>
        new($"The codec '{typeof(TCodec)}' of '{typeof(T)}' contradicts the schema it describes: {what}. Records would be written that tools cannot read.");
}
