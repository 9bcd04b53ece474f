namespace Store.Serialization.Streaming;

/// <summary>
/// Items one after the other, their number not known in advance:
/// <code>
/// magic    8 bytes "NINOITM", 0
/// version  1 byte, 1
/// schema   length in bytes (compact), canonical bytes
/// item*    length in bytes + 1 (compact), the record
/// end      0: without it the stream was cut
/// </code>
/// Format page: docs/formats/items.md.
/// </summary>
internal static class ItemFormat
{
    public const byte Version = 1;

    public static ReadOnlySpan<byte> Magic => "NINOITM\0"u8;
}
