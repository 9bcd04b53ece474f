namespace Store.Serialization;

/// <summary>
/// How a value is encoded. The numbers are written into files: they are never reused or changed (docs/formats/record.md, "kinds").
/// </summary>
public enum SchemaKind : byte
{
    /// <summary>One byte, 0 or 1.</summary>
    Boolean = 1,
    /// <summary>One byte, signed.</summary>
    SByte = 2,
    /// <summary>One byte.</summary>
    Byte = 3,
    /// <summary>Two bytes, signed.</summary>
    Int16 = 4,
    /// <summary>Two bytes.</summary>
    UInt16 = 5,
    /// <summary>Four bytes, signed.</summary>
    Int32 = 6,
    /// <summary>Four bytes.</summary>
    UInt32 = 7,
    /// <summary>Eight bytes, signed.</summary>
    Int64 = 8,
    /// <summary>Eight bytes.</summary>
    UInt64 = 9,
    /// <summary>Sixteen bytes, signed.</summary>
    Int128 = 10,
    /// <summary>Sixteen bytes.</summary>
    UInt128 = 11,
    /// <summary>IEEE 754, two bytes.</summary>
    Half = 12,
    /// <summary>IEEE 754, four bytes.</summary>
    Single = 13,
    /// <summary>IEEE 754, eight bytes.</summary>
    Double = 14,
    /// <summary>Sixteen bytes: low, middle, high, flags as <c>decimal.GetBits</c> gives them; flags validated.</summary>
    Decimal = 15,
    /// <summary>One UTF-16 code unit, two bytes; any value, lone surrogates too.</summary>
    Char = 16,
    /// <summary>One Unicode scalar value, four bytes, validated.</summary>
    Rune = 17,
    /// <summary>Sixteen bytes as <c>Guid.TryWriteBytes</c> gives them.</summary>
    Guid = 18,
    /// <summary>Eight bytes: ticks in the low 62 bits, validated, and in the high two <c>DateTimeKind</c>, or 3 for the first of the two local times that a clock which is set back shows alike.</summary>
    DateTime = 19,
    /// <summary>Ten bytes: local ticks (8), offset in minutes (2); validated.</summary>
    DateTimeOffset = 20,
    /// <summary>Eight bytes: ticks.</summary>
    TimeSpan = 21,
    /// <summary>Four bytes: day number, validated.</summary>
    DateOnly = 22,
    /// <summary>Eight bytes: ticks of the day, validated.</summary>
    TimeOnly = 23,
    /// <summary>An integer of any size: its length in bytes as a compact number, then two's complement in as few bytes as hold it.</summary>
    BigInteger = 24,

    /// <summary>Header ((length &lt;&lt; 1) | isUtf16) + 1 as a compact number, 0 for null; then one byte a char (Latin-1) or two.</summary>
    String = 64,
    /// <summary>Header ((length &lt;&lt; 1) | isUtf16) + 1 as a compact number, 0 for null, length in bytes; then UTF-8, or UTF-16 where half a surrogate pair stands alone.</summary>
    Utf8String = 65,

    /// <summary>A presence byte, then the element; a fixed-width element takes its bytes even when absent (zeros), so that offsets stay constant.</summary>
    Nullable = 80,
    /// <summary>Count + 1 as a compact number, 0 for null, then the elements (arrays, lists, sets). With elements that are objects of a reference type the number is ((count &lt;&lt; 1) | hasNulls) + 1, and each element has a presence byte only when hasNulls is 1.</summary>
    List = 81,
    /// <summary>Count + 1 as a compact number, 0 for null, then pairs of key and value.</summary>
    Map = 82,

    /// <summary>A named type with fields; refers to a definition of the schema.</summary>
    Object = 96,
    /// <summary>A named set of numbers; refers to a definition of the schema.</summary>
    Enum = 97,
    /// <summary>An object of one of several types, or null: a tag, then the case; refers to a definition of the schema.</summary>
    Union = 98,
}
