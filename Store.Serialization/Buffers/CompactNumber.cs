namespace Store.Serialization;

/// <summary>
/// The compact form of lengths and counts: 0-252 is the value itself; 253 is followed by two bytes, 254 by four, little-endian; 255 is never written (in front of a collection's header it marks a comparer).
/// Only the shortest form is valid, so every number has exactly one encoding. Format page: docs/formats/record.md.
/// </summary>
internal static class CompactNumber
{
    public const byte Marker16 = 253;
    public const byte Marker32 = 254;
    public const int MaxBytes = 5;

    /// <summary>In front of the header of a set or map: the number of a comparer follows (docs/formats/record.md, "comparers").</summary>
    public const byte ComparerMark = 255;

    public static int SizeOf(uint value) => value < Marker16 ? 1 : value <= ushort.MaxValue ? 3 : 5;
}
