using System.Text.Json;
using Store.Serialization.Values;

namespace Store.Serialization;

/// <summary>
/// Writes records as JSON from their bytes and their schema: no CLR type, no tree, no allocation per record. Nothing is rounded and nothing
/// depends on culture or machine: values are told apart but where the list below says otherwise.
/// </summary>
/// <remarks>
/// <list type="bullet">
/// <item>Objects: JSON objects, fields in encoding order under their names. One whose name begins with <c>$</c> has another in front of it: <c>$$type</c> is a field <c>$type</c>.</item>
/// <item>Integers to 64 bits, <c>decimal</c>: JSON numbers with all their digits (a decimal zero without a sign). <c>Int128</c>, <c>UInt128</c>, <c>BigInteger</c>: strings of digits (of more
/// than 2,048 bytes: <c>0x</c> and hexadecimal digits).</item>
/// <item><c>double</c>, <c>float</c>, <c>Half</c>: the shortest number that reads back the same; <c>"NaN"</c> whatever its bits, <c>"Infinity"</c>, <c>"-Infinity"</c> as strings.</item>
/// <item>Enums: their name; flags joined by <c>", "</c>; numbers without a name as numbers.</item>
/// <item><c>DateTime</c>: ISO 8601 with seven decimals; UTC ends in Z, local and unspecified times are the wall time without an offset (the offset of the
/// machine that wrote them is not stored). <c>DateTimeOffset</c>: with its offset. <c>DateOnly</c>, <c>TimeOnly</c>: ISO 8601. <c>TimeSpan</c>: constant format "c".</item>
/// <item><c>Guid</c>: format "D". <c>char</c>, <c>Rune</c>: strings. Strings with half a surrogate pair keep it as <c>\uD8xx</c>.</item>
/// <item>Objects of a polymorphic base: with their type's name as a first property <c>$type</c>. Objects to which references are kept: with their number in the
/// record as <c>$id</c>, in front of it; where one occurs again, <c>{"$ref": "number"}</c>.</item>
/// <item>Lists: arrays; lists of bytes: base64. Null: <c>null</c>. Comparers of sets and maps are not shown.</item>
/// <item>Maps with keys that are strings, characters, integers, enums or Guids: objects, in the map's order. When two keys would be one name, or a key is
/// null, half a surrogate pair or longer than 100,000 characters, and for all other keys: an array of <c>{"key": …, "value": …}</c>.</item>
/// </list>
/// </remarks>
public static class NinoJson
{
    /// <summary>Writes one record as one JSON value.</summary>
    /// <param name="writer">Where to. After an exception it holds part of a value: reset it.</param>
    /// <param name="schema">What describes the record.</param>
    /// <param name="record">The record's bytes, all of them.</param>
    /// <param name="limits">Bounds; <see cref="NinoLimits.Default"/> when null.</param>
    /// <exception cref="NinoSerializationException">The bytes are no record of the schema, or nest deeper than a limit or than the writer allows.</exception>
    /// <remarks>Thread-safe for different writers.</remarks>
    public static void Write(Utf8JsonWriter writer, NinoSchema schema, ReadOnlySpan<byte> record, NinoLimits? limits = null)
    {
        ArgumentNullException.ThrowIfNull(writer);
        ArgumentNullException.ThrowIfNull(schema);
        MapKeys keys = MapKeys.Rent();
        var sink = new JsonSink(writer, keys);
        RecordDecoder.Decode(schema, record, limits, ref sink);
        keys.Return();
    }
}
