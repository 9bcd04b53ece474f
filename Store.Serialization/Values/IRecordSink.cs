// What decoding a record without its CLR type tells: JSON, a tree and a look ahead are listeners to one walk, so there is one
// place that trusts no byte.

namespace Store.Serialization.Values;

/// <summary>
/// Hears the values of one record in encoding order. Implemented by structs, so that the walk is compiled once per listener with direct calls.
/// Spans are parts of the record: valid during the call.
/// </summary>
internal interface IRecordSink
{
    void Null(PlanNode node);

    /// <summary>A value of fixed width: everything but strings, lists, maps and objects. Its bits are validated. Also a <see cref="SchemaKind.BigInteger"/>: its bytes, however many.</summary>
    void Scalar(PlanNode node, ReadOnlySpan<byte> bytes);

    /// <summary>A string: one byte a character (Latin-1) or two (UTF-16, little-endian, lone surrogates possible).</summary>
    void Text(PlanNode node, ReadOnlySpan<byte> characters, bool isUtf16);

    /// <summary>A list of <see cref="SchemaKind.Byte"/>, whole.</summary>
    void Bytes(PlanNode node, ReadOnlySpan<byte> bytes);

    /// <param name="node">The object; of a polymorphic value the case that it is.</param>
    /// <param name="isCase">True when the declaration does not say which type the object has.</param>
    /// <param name="number">The object's number in the record, from 1, when it may be referred to; else 0.</param>
    void BeginObject(PlanNode node, bool isCase, int number);
    void Field(PlanNode node, int index);
    void EndObject(PlanNode node, bool isCase, int number);

    /// <summary>An object that was met before, or that is being met: it has this number.</summary>
    void Reference(PlanNode node, int number);

    void BeginList(PlanNode node, int count);
    void Item(int index);
    void EndList(PlanNode node, int count);

    /// <param name="node">The map.</param>
    /// <param name="count">Number of pairs.</param>
    /// <param name="ahead">A copy of the reader, before the first key: a listener may look ahead with it.</param>
    /// <returns>Whatever the listener wants to be reminded of at the map's other calls.</returns>
    bool BeginMap(PlanNode node, int count, NinoReader ahead);
    void Key(int index, bool reminder);
    void Value(bool reminder);
    void EndPair(bool reminder);
    void EndMap(PlanNode node, int count, bool reminder);
}
