// Constants of the frame format. Format page: docs/formats/frame.md. It lists what is edited together.
//
//   offset  size  field            meaning
//        0     4  headerChecksum   CRC-32C of bytes 4..47, seeded with the segment's id and the frame's offset in the file
//        4     4  payloadLength    bytes of payload, without the zero padding to a multiple of 8
//        8     4  payloadChecksum  CRC-32C of the payload, position-independent
//       12     1  kind             FrameKind
//       13     1  flags            bit 0, of a mark or footer: closed here
//       14     2  schemaId         schema of every record of the frame, 0 when each record names its own
//       16     4  recordCount      records in the frame
//       20     4  reserved         0
//       24     8  firstSequence    sequence of the first record; of a frame without records, of the next one
//       32     8  timeTicks        UTC ticks of all records of the frame, never less than the frame before
//       40     8  syncedThrough    highest sequence known durable when the frame was written
//       48     …  payload, then zeros to a multiple of 8

namespace Store.Framing;

internal static class FrameFormat
{
    public const int HeaderSize = 48;
    public const int Alignment = 8;

    /// <summary>Flag of a mark or footer: the log was closed, or the segment ended, here.</summary>
    public const byte ClosedFlag = 1;

    /// <summary>Bytes of a frame on disk with a payload of so many bytes.</summary>
    public static long SizeOf(long payloadLength) => HeaderSize + ((payloadLength + (Alignment - 1)) & ~(long)(Alignment - 1));
}

/// <summary>What a frame holds. Zero is reserved, so that zero-written space never looks like a frame.</summary>
internal enum FrameKind : byte
{
    /// <summary>Records: for each a compact length and its bytes; when the header's schema id is 0, a compact schema id before the length.</summary>
    Records = 1,

    /// <summary>A schema: compact schema id, then the canonical bytes of the schema. Comes before the first frame of the segment that uses it.</summary>
    Schema = 2,

    /// <summary>Nothing: carries a newer syncedThrough when the log falls idle or closes.</summary>
    Mark = 3,

    /// <summary>A snapshot was published: its covered sequence (8 bytes), then its file name in UTF-8.</summary>
    Checkpoint = 5,

    /// <summary>The end of a sealed segment, with its summary (docs/formats/segment.md).</summary>
    Footer = 4,

    /// <summary>Where sequences and times are in the segment: a hint for readers, before the footer (docs/formats/segment.md).</summary>
    Index = 6,
}
