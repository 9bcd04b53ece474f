// The beginning of a shipment: frames on their way through a stream. Format page: docs/formats/shipment.md. It lists what is edited together.
//
//   offset  size  field
//        0     8  magic "NINOSHP1"
//        8     4  format version, 1
//       12     4  size of this head, 64
//       16    16  store id of the source
//       32     8  shipment id: random; seeds the header checksum of every frame, together with its place in the stream
//       40     8  sequence asked for: every record from it on follows
//       48     8  when it began, UTC ticks
//       56     4  zeros
//       60     4  CRC-32C of bytes 0..59
//       64     …  frames: schemas and records; the last one is a mark with the closed flag

using System.Buffers.Binary;
using Store.Framing;

namespace Store.Shipping;

/// <summary>The head of a shipment.</summary>
internal readonly record struct ShipmentHead(Guid StoreId, ulong ShipmentId, long FromSequence, long Ticks)
{
    public const int Size = 64;
    public const int Version = 1;
    private const int ChecksumAt = Size - 4;

    private static ReadOnlySpan<byte> Magic => "NINOSHP1"u8;

    /// <summary>Writes the head. Bound: <paramref name="destination"/> holds <see cref="Size"/> bytes.</summary>
    public void Write(Span<byte> destination)
    {
        destination = destination[..Size];
        destination.Clear();
        Magic.CopyTo(destination);
        BinaryPrimitives.WriteInt32LittleEndian(destination[8..], Version);
        BinaryPrimitives.WriteInt32LittleEndian(destination[12..], Size);
        StoreId.TryWriteBytes(destination[16..]);
        BinaryPrimitives.WriteUInt64LittleEndian(destination[32..], ShipmentId);
        BinaryPrimitives.WriteInt64LittleEndian(destination[40..], FromSequence);
        BinaryPrimitives.WriteInt64LittleEndian(destination[48..], Ticks);
        BinaryPrimitives.WriteUInt32LittleEndian(destination[ChecksumAt..], Crc32C.Compute(destination[..ChecksumAt]));
    }

    /// <summary>Reads a head; false when it is none that verifies.</summary>
    public static bool TryRead(ReadOnlySpan<byte> source, out ShipmentHead head, out bool isNewerVersion)
    {
        head = default;
        isNewerVersion = false;
        if (source.Length < Size || !source.StartsWith(Magic)) return false;
        source = source[..Size];
        if (BinaryPrimitives.ReadUInt32LittleEndian(source[ChecksumAt..]) != Crc32C.Compute(source[..ChecksumAt])) return false;
        isNewerVersion = BinaryPrimitives.ReadInt32LittleEndian(source[8..]) != Version;
        head = new ShipmentHead(new Guid(source.Slice(16, 16)), BinaryPrimitives.ReadUInt64LittleEndian(source[32..]), BinaryPrimitives.ReadInt64LittleEndian(source[40..]), BinaryPrimitives.ReadInt64LittleEndian(source[48..]));
        return !isNewerVersion && head.FromSequence >= 1;
    }
}
