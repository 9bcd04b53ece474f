// The contract between generated code, built-in codecs and the engine. Codecs are empty structs, so that a loop over ListCodec<Trade, TradeCodec>
// is compiled with direct, inlined calls: no delegate, no interface call, no boxing. The split into two interfaces is for the code that the
// runtime shares between all reference types: it can resolve *constants* there only on a non-generic interface (static members of a generic one
// become a lookup and an indirect call an element), and *calls* only as instance members on default(TCodec). Checked in the disassembly.

using Store.Serialization.Evolution;

namespace Store.Serialization;

/// <summary>What is constant about a codec. Collection codecs branch on it; the branches vanish when they are compiled for one codec.</summary>
public interface INinoCodec
{
    /// <summary>Which of the optional members of <see cref="INinoCodec{T}"/> the codec has.</summary>
    static virtual CodecForm Form => CodecForm.Value;

    /// <summary>The least number of bytes that <see cref="INinoCodec{T}.Write"/> takes for any value, at least 1: an object without members writes one zero byte, so that no element of a collection is free. A count read from input is checked against it before anything is allocated.</summary>
    static abstract int MinSize { get; }

    /// <summary>Fixed forms: the number of bytes of every value; else 0.</summary>
    static virtual int FixedSize => 0;

    /// <summary>Object form: the least number of bytes of any body, at least 1; else 0.</summary>
    static virtual int MinBodySize => 0;

    /// <summary>Object form: the number of bytes of every body where all bodies are equally long, else 0. Where it is not 0 the codec has <see cref="INinoCodec{T}.WriteFixedBody"/> and <see cref="INinoCodec{T}.ReadFixedBody"/>.</summary>
    static virtual int FixedBodySize => 0;

    /// <summary>
    /// Fixed forms whose value is nothing but plain fields whose encodings are their memory: two bytes for each field in the order of the encoding, its size and
    /// what limits its bits (0: nothing, 1: it is a bool, 2: it is a <see cref="DateTime"/>). Arrays of such values are moved without a call an element. Empty where that is not known.
    /// </summary>
    static virtual ReadOnlySpan<byte> Memory => [];

    /// <summary>True when the codec has <see cref="INinoCodec{T}.ReadInto"/> (of the object form also <see cref="INinoCodec{T}.ReadBodyInto"/>): reading can use what a variable holds already. Callers go by way of <see cref="NinoReuse"/>, which asks.</summary>
    static virtual bool CanReadInto => false;

    /// <summary>True when the codec has <see cref="INinoCodec{T}.WriteAt"/>, <see cref="INinoCodec{T}.ReadAt"/> and <see cref="INinoCodec{T}.ReadBehindHead"/>: its values are members of a fixed width and a few strings, which are mostly short.</summary>
    static virtual bool IsFlat => false;

    /// <summary>Flat values: the number of bytes of the members of a fixed width, which come first.</summary>
    static virtual int HeadSize => 0;

    /// <summary>
    /// True when the codec has <see cref="INinoCodec{T}.IsStorable"/>, and <see cref="INinoCodec{T}.WriteAt"/> or a fixed size of bodies, and nothing else can fail when it writes: the members are fields, or properties that are
    /// nothing but one, and their codecs store every value. Then no failure has to be caught and given its place.
    /// </summary>
    static virtual bool IsSimple => false;

    /// <summary>Codecs of the engine: true when the codec has <see cref="INinoCodec{T}.TryReadOlder"/>.</summary>
    internal static virtual bool HasOlderElements => false;

    /// <summary>Describes the encoding, for the schema stored beside the records.</summary>
    /// <param name="builder">Collects the definitions of named types, each once, so that recursive types end.</param>
    static abstract SchemaNode Describe(SchemaBuilder builder);
}

/// <summary>
/// Writes and reads values of <typeparamref name="T"/> in the record format (docs/formats/record.md). Implemented by empty structs, most of them generated,
/// and called as <c>default(TCodec).Write(...)</c>. Stateless and safe for any number of threads. A member that a codec does not have throws <see cref="NotSupportedException"/>: the constants of <see cref="INinoCodec"/> say which it has.
/// </summary>
/// <typeparam name="T">The type of the value.</typeparam>
public interface INinoCodec<T> : INinoCodec
{
    /// <summary>Writes one value.</summary>
    /// <exception cref="NinoSerializationException">The value has no encoding (null, where the type does not allow it), or as <see cref="NinoWriter.Reserve"/>.</exception>
    /// <exception cref="InvalidOperationException">A collection was changed while it was written, or as <see cref="NinoWriter.Reserve"/>.</exception>
    void Write(ref NinoWriter writer, in T value);

    /// <summary>Reads one value. Every byte is checked.</summary>
    /// <exception cref="NinoSerializationException">The bytes are no value: nothing else is thrown on input that no writer produced.</exception>
    T Read(ref NinoReader reader);

    /// <summary>Fixed forms: stores a value. Bound: the caller has reserved <see cref="INinoCodec.FixedSize"/> bytes at <paramref name="destination"/>; all of them are stored.</summary>
    void WriteFixed(ref byte destination, in T value) => throw new NotSupportedException();

    /// <summary>Fixed forms: loads a value and validates its bits. Bound: the caller has checked that <see cref="INinoCodec.FixedSize"/> bytes are readable at <paramref name="source"/>.</summary>
    T ReadFixed(ref readonly byte source) => throw new NotSupportedException();

    /// <summary>Object form: writes a value that is not null, without the presence byte that <see cref="Write"/> puts in front.</summary>
    void WriteBody(ref NinoWriter writer, in T value) => throw new NotSupportedException();

    /// <summary>Object form: reads what <see cref="WriteBody"/> wrote; never null.</summary>
    T ReadBody(ref NinoReader reader) => throw new NotSupportedException();

    /// <summary>
    /// Stores what <see cref="WriteBody"/> writes (not of the object form: what <see cref="Write"/> does) without a writer, so that a loop over many values keeps the place in a register. Bound: nothing outside of <paramref name="room"/> bytes is stored.
    /// </summary>
    /// <param name="destination">The first of them.</param>
    /// <param name="room">How many bytes there are: a <c>long</c>, as the distance of two references is.</param>
    /// <param name="value">Not null.</param>
    /// <returns>How many bytes the value takes, or -1 when it may need more or has a long string: then it is written the other way, whatever was stored.</returns>
    int WriteAt(ref byte destination, long room, in T value) => throw new NotSupportedException();

    /// <summary>Of simple values (<see cref="INinoCodec.IsSimple"/>): false for an object of a derived type, which is refused by name; true for every other value.</summary>
    /// <param name="value">Not null.</param>
    bool IsStorable(in T value) => throw new NotSupportedException();

    /// <summary>Reads what <see cref="WriteAt"/> stored without a reader. Strings that are equal are not looked for. Bound: loads the head, and nothing outside of <paramref name="length"/> bytes.</summary>
    /// <param name="head">The members of a fixed width: <see cref="INinoCodec.HeadSize"/> bytes in front of the strings, or anywhere else. Of no use before the strings were found.</param>
    /// <param name="source">The first of the bytes where the strings are.</param>
    /// <param name="length">How many bytes there are.</param>
    /// <param name="position">Where in them the strings begin, at least 0.</param>
    /// <param name="value">The value, or nothing of use.</param>
    /// <returns>Where the strings end, or -1 when one is not a usual one, or the bytes end too soon: then the value is read the other way, which tells.</returns>
    /// <exception cref="NinoSerializationException">A member of a fixed width has bits that no value has.</exception>
    int ReadAt(ref readonly byte head, ref readonly byte source, int length, int position, out T value) => throw new NotSupportedException();

    /// <summary>Flat values: reads the strings at the reader and the members of a fixed width elsewhere. What a reader does besides, it does here too: strings that are equal are looked for.</summary>
    /// <param name="reader">In front of the strings; then behind them.</param>
    /// <param name="head">The members of a fixed width. Bound: <see cref="INinoCodec.HeadSize"/> bytes are readable.</param>
    /// <exception cref="NinoSerializationException">The bytes are no value.</exception>
    T ReadBehindHead(ref NinoReader reader, ref readonly byte head) => throw new NotSupportedException();

    /// <summary>Lists and arrays: reads one whose elements have an older shape, without rewriting it first.</summary>
    /// <param name="reader">In front of it.</param>
    /// <param name="plan">What becomes of an element: only its members of a fixed width change.</param>
    /// <param name="maxBytes">How long it may be in the shape that it is read as.</param>
    /// <param name="begun">Counts the elements that were begun: for who catches what one of them throws.</param>
    /// <param name="value">The list, or nothing of use.</param>
    /// <returns>False where there is something else to it: then it is rewritten, which tells.</returns>
    internal bool TryReadOlder(ref NinoReader reader, FlatPlan plan, long maxBytes, ref int begun, out T value) => throw new NotSupportedException();

    /// <summary>Bodies of a fixed size: stores what <see cref="WriteBody"/> writes. Bound: the caller has reserved <see cref="INinoCodec.FixedBodySize"/> bytes at <paramref name="destination"/>; all of them are stored.</summary>
    void WriteFixedBody(ref byte destination, in T value) => throw new NotSupportedException();

    /// <summary>Bodies of a fixed size: loads what <see cref="WriteFixedBody"/> stored and validates its bits. Bound: the caller has checked that <see cref="INinoCodec.FixedBodySize"/> bytes are readable at <paramref name="source"/>.</summary>
    T ReadFixedBody(ref readonly byte source) => throw new NotSupportedException();

    /// <summary>Reads what <see cref="Read"/> reads, and uses the memory of what the variable holds (docs/reading-into.md): it may end up with the same object, filled anew, or with another one.</summary>
    void ReadInto(ref NinoReader reader, ref T value) => throw new NotSupportedException();

    /// <summary>Object form: as <see cref="ReadInto"/>, of what <see cref="WriteBody"/> wrote. The variable may hold null before and never does afterwards.</summary>
    void ReadBodyInto(ref NinoReader reader, ref T value) => throw new NotSupportedException();
}

/// <summary>Which optional members a codec has.</summary>
public enum CodecForm
{
    /// <summary>Only <c>Write</c> and <c>Read</c>; null, where the type has one, is part of the encoding (strings, collections).</summary>
    Value,

    /// <summary>Every value takes <c>FixedSize</c> bytes, so generated code puts it at a constant offset behind one check for the whole fixed prefix of an object.</summary>
    Fixed,

    /// <summary>Fixed, and the encoding is the value's memory with every bit pattern valid: arrays are one copy. Only for primitives whose layout the language fixes and for types whose memory was compared with their encoding, on little-endian machines.</summary>
    Blittable,

    /// <summary>A reference type: <c>Write</c> is a presence byte (0 or 1) and the body; a list says in its header whether it holds any null and else stores bare bodies.</summary>
    Object,
}
