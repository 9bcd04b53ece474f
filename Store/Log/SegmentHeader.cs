// The first 128 bytes of a segment. Format page: docs/formats/segment.md.
//
//   offset  size  field
//        0     8  magic "NINOSEG1"
//        8     4  format version, 1
//       12     4  header size, 128
//       16    16  store id
//       32     8  segment id: random; seeds the checksum of every frame header
//       40     8  segment number, the first is 1
//       48     8  sequence of the first record that can be in it
//       56     8  epoch: one more than the greatest found at opening
//       64     8  creation time, UTC ticks
//       72     8  predecessor: its final size, up to and including its footer; 0 in the first segment
//       80     8  predecessor: last sequence
//       88     4  predecessor: header checksum of its footer
//       92     4  flags: bit 0 = one-file log
//       96    28  zeros
//      124     4  CRC-32C of bytes 0..123

using System.Buffers.Binary;
using Store.Framing;

namespace Store.Log;

internal readonly record struct SegmentHeader
{
    public required Guid StoreId { get; init; }

    public required ulong SegmentId { get; init; }

    public required long Number { get; init; }

    public required long FirstSequence { get; init; }

    public required long Epoch { get; init; }

    public required long CreatedTicks { get; init; }

    public long PreviousLength { get; init; }

    public long PreviousLastSequence { get; init; }

    public uint PreviousChecksum { get; init; }

    public bool IsOneFile { get; init; }

    private static ReadOnlySpan<byte> Magic => "NINOSEG1"u8;

    /// <summary>Writes the header. Bound: <paramref name="destination"/> holds <see cref="SegmentFormat.HeaderSize"/> bytes.</summary>
    public void Write(Span<byte> destination)
    {
        destination = destination[..SegmentFormat.HeaderSize];
        destination.Clear();
        Magic.CopyTo(destination);
        BinaryPrimitives.WriteInt32LittleEndian(destination[8..], SegmentFormat.Version);
        BinaryPrimitives.WriteInt32LittleEndian(destination[12..], SegmentFormat.HeaderSize);
        StoreId.TryWriteBytes(destination[16..]);
        BinaryPrimitives.WriteUInt64LittleEndian(destination[32..], SegmentId);
        BinaryPrimitives.WriteInt64LittleEndian(destination[40..], Number);
        BinaryPrimitives.WriteInt64LittleEndian(destination[48..], FirstSequence);
        BinaryPrimitives.WriteInt64LittleEndian(destination[56..], Epoch);
        BinaryPrimitives.WriteInt64LittleEndian(destination[64..], CreatedTicks);
        BinaryPrimitives.WriteInt64LittleEndian(destination[72..], PreviousLength);
        BinaryPrimitives.WriteInt64LittleEndian(destination[80..], PreviousLastSequence);
        BinaryPrimitives.WriteUInt32LittleEndian(destination[88..], PreviousChecksum);
        BinaryPrimitives.WriteInt32LittleEndian(destination[92..], IsOneFile ? 1 : 0);
        BinaryPrimitives.WriteUInt32LittleEndian(destination[124..], Crc32C.Compute(destination[..124]));
    }

    /// <summary>Reads and checks a header.</summary>
    public static SegmentHeaderStatus TryRead(ReadOnlySpan<byte> source, out SegmentHeader header)
    {
        header = default;
        if (source.Length < Magic.Length || !source.StartsWith(Magic))
            return source.ContainsAnyExcept((byte)0) ? SegmentHeaderStatus.NotASegment : SegmentHeaderStatus.Empty;
        if (source.Length < SegmentFormat.HeaderSize) return SegmentHeaderStatus.TooShort;
        source = source[..SegmentFormat.HeaderSize];
        // Later versions keep magic, version and the checksum over the first 128 bytes, so a damaged version number is not taken for a new one.
        if (BinaryPrimitives.ReadUInt32LittleEndian(source[124..]) != Crc32C.Compute(source[..124])) return SegmentHeaderStatus.BadChecksum;
        if (BinaryPrimitives.ReadInt32LittleEndian(source[8..]) != SegmentFormat.Version) return SegmentHeaderStatus.NewerVersion;
        header = new SegmentHeader
        {
            StoreId = new Guid(source.Slice(16, 16)),
            SegmentId = BinaryPrimitives.ReadUInt64LittleEndian(source[32..]),
            Number = BinaryPrimitives.ReadInt64LittleEndian(source[40..]),
            FirstSequence = BinaryPrimitives.ReadInt64LittleEndian(source[48..]),
            Epoch = BinaryPrimitives.ReadInt64LittleEndian(source[56..]),
            CreatedTicks = BinaryPrimitives.ReadInt64LittleEndian(source[64..]),
            PreviousLength = BinaryPrimitives.ReadInt64LittleEndian(source[72..]),
            PreviousLastSequence = BinaryPrimitives.ReadInt64LittleEndian(source[80..]),
            PreviousChecksum = BinaryPrimitives.ReadUInt32LittleEndian(source[88..]),
            IsOneFile = (BinaryPrimitives.ReadInt32LittleEndian(source[92..]) & 1) != 0,
        };
        return header.Number >= 1 && header.FirstSequence >= 1 && header.PreviousLength >= 0 && header.CreatedTicks is >= 0 and <= 3155378975999999999L
            ? SegmentHeaderStatus.Valid
            : SegmentHeaderStatus.BadChecksum;
    }

    /// <summary>Reads the header of a file.</summary>
    public static SegmentHeaderStatus TryRead(IO.IStoreFile file, out SegmentHeader header)
    {
        Span<byte> bytes = stackalloc byte[SegmentFormat.HeaderSize];
        int read = file.Read(bytes, 0);
        return TryRead(bytes[..read], out header);
    }
}

/// <summary>What the first bytes of a file are.</summary>
internal enum SegmentHeaderStatus
{
    Valid,
    Empty,
    NotASegment,
    TooShort,
    BadChecksum,
    NewerVersion,
}
