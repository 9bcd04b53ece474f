// The payload of a footer frame: the summary of a sealed segment. Format page: docs/formats/segment.md.
//
//   offset  size  field
//        0     8  first sequence
//        8     8  last sequence
//       16     8  records
//       24     8  frames, without the footer
//       32     8  time of the first record frame, UTC ticks; 0 when there is none
//       40     8  time of the last record frame
//       48     8  offset of the index frame; 0 when there is none

using System.Buffers.Binary;

namespace Store.Log;

internal readonly record struct SegmentFooter(long FirstSequence, long LastSequence, long Records, long Frames, long FirstTicks, long LastTicks, long IndexOffset = 0)
{
    public const int Size = 56;

    /// <summary>Writes the payload. Bound: <paramref name="destination"/> holds <see cref="Size"/> bytes.</summary>
    public void Write(Span<byte> destination)
    {
        BinaryPrimitives.WriteInt64LittleEndian(destination, FirstSequence);
        BinaryPrimitives.WriteInt64LittleEndian(destination[8..], LastSequence);
        BinaryPrimitives.WriteInt64LittleEndian(destination[16..], Records);
        BinaryPrimitives.WriteInt64LittleEndian(destination[24..], Frames);
        BinaryPrimitives.WriteInt64LittleEndian(destination[32..], FirstTicks);
        BinaryPrimitives.WriteInt64LittleEndian(destination[40..], LastTicks);
        BinaryPrimitives.WriteInt64LittleEndian(destination[48..], IndexOffset);
    }

    /// <summary>Reads the payload of a verified footer frame; false when it has another length.</summary>
    public static bool TryRead(ReadOnlySpan<byte> source, out SegmentFooter footer)
    {
        footer = default;
        if (source.Length != Size) return false;
        footer = new SegmentFooter(
            BinaryPrimitives.ReadInt64LittleEndian(source),
            BinaryPrimitives.ReadInt64LittleEndian(source[8..]),
            BinaryPrimitives.ReadInt64LittleEndian(source[16..]),
            BinaryPrimitives.ReadInt64LittleEndian(source[24..]),
            BinaryPrimitives.ReadInt64LittleEndian(source[32..]),
            BinaryPrimitives.ReadInt64LittleEndian(source[40..]),
            BinaryPrimitives.ReadInt64LittleEndian(source[48..]));
        return true;
    }
}
