// One frame header in memory, and its 48 bytes on disk. Layout: FrameFormat.cs; format page: docs/formats/frame.md.

using System.Buffers.Binary;

namespace Store.Framing;

/// <summary>The header of a frame. A value that was read has passed its checksum, which is bound to the segment's id and the frame's offset.</summary>
internal readonly record struct FrameHeader
{
    public required FrameKind Kind { get; init; }

    /// <summary>Bit 0, of a mark: the log was closed here.</summary>
    public byte Flags { get; init; }

    public required int PayloadLength { get; init; }

    public required uint PayloadChecksum { get; init; }

    /// <summary>Schema of every record, or 0 when each record names its own.</summary>
    public ushort SchemaId { get; init; }

    public int RecordCount { get; init; }

    /// <summary>Sequence of the first record; of a frame without records, of the next one.</summary>
    public required long FirstSequence { get; init; }

    public required long TimeTicks { get; init; }

    public required long SyncedThrough { get; init; }

    /// <summary>Sequence of the last record up to and including this frame.</summary>
    public long LastSequence => FirstSequence + RecordCount - 1;

    /// <summary>Bytes of the whole frame on disk.</summary>
    public long FrameLength => FrameFormat.SizeOf(PayloadLength);

    /// <summary>Writes the header and returns its checksum. Bound: <paramref name="destination"/> holds <see cref="FrameFormat.HeaderSize"/> bytes.</summary>
    public uint Write(Span<byte> destination, ulong segmentId, long offset)
    {
        destination = destination[..FrameFormat.HeaderSize];
        BinaryPrimitives.WriteInt32LittleEndian(destination[4..], PayloadLength);
        BinaryPrimitives.WriteUInt32LittleEndian(destination[8..], PayloadChecksum);
        destination[12] = (byte)Kind;
        destination[13] = Flags;
        BinaryPrimitives.WriteUInt16LittleEndian(destination[14..], SchemaId);
        BinaryPrimitives.WriteInt32LittleEndian(destination[16..], RecordCount);
        BinaryPrimitives.WriteInt32LittleEndian(destination[20..], 0);
        BinaryPrimitives.WriteInt64LittleEndian(destination[24..], FirstSequence);
        BinaryPrimitives.WriteInt64LittleEndian(destination[32..], TimeTicks);
        BinaryPrimitives.WriteInt64LittleEndian(destination[40..], SyncedThrough);
        uint checksum = Checksum(destination, segmentId, offset);
        BinaryPrimitives.WriteUInt32LittleEndian(destination, checksum);
        return checksum;
    }

    /// <summary>Reads a header. False when the checksum does not belong to these bytes at this place in this segment; nothing in the bytes is believed before that.</summary>
    public static bool TryRead(ReadOnlySpan<byte> source, ulong segmentId, long offset, out FrameHeader header)
    {
        header = default;
        if (source.Length < FrameFormat.HeaderSize) return false;
        source = source[..FrameFormat.HeaderSize];
        if (BinaryPrimitives.ReadUInt32LittleEndian(source) != Checksum(source, segmentId, offset)) return false;
        header = new FrameHeader
        {
            PayloadLength = BinaryPrimitives.ReadInt32LittleEndian(source[4..]),
            PayloadChecksum = BinaryPrimitives.ReadUInt32LittleEndian(source[8..]),
            Kind = (FrameKind)source[12],
            Flags = source[13],
            SchemaId = BinaryPrimitives.ReadUInt16LittleEndian(source[14..]),
            RecordCount = BinaryPrimitives.ReadInt32LittleEndian(source[16..]),
            FirstSequence = BinaryPrimitives.ReadInt64LittleEndian(source[24..]),
            TimeTicks = BinaryPrimitives.ReadInt64LittleEndian(source[32..]),
            SyncedThrough = BinaryPrimitives.ReadInt64LittleEndian(source[40..]),
        };
        return true;
    }

    /// <summary>The checksum of a stored header: what the next segment repeats of this one's footer.</summary>
    public static uint StoredChecksum(ReadOnlySpan<byte> source) => BinaryPrimitives.ReadUInt32LittleEndian(source);

    /// <summary>True when the fields make sense together. Checked after the checksum: a header that a correct writer sealed always passes.</summary>
    public bool IsPlausible =>
        PayloadLength >= 0 && RecordCount >= 0 && FirstSequence >= 1 && SyncedThrough >= 0 && SyncedThrough < FirstSequence
        && TimeTicks >= 0 && TimeTicks <= DateTime.MaxValue.Ticks && FirstSequence <= long.MaxValue - RecordCount
        && (Kind == FrameKind.Records) == (RecordCount > 0) && Kind is >= FrameKind.Records and <= FrameKind.Index && Flags <= FrameFormat.ClosedFlag;

    /// <summary>A cheap test that rules out most bytes that are no header. Bound: <paramref name="source"/> holds a header's size.</summary>
    public static bool CouldBe(ReadOnlySpan<byte> source) => source[12] is >= 1 and <= 6 && source[13] <= 1 && BinaryPrimitives.ReadInt32LittleEndian(source[20..]) == 0;

    private static uint Checksum(ReadOnlySpan<byte> header, ulong segmentId, long offset)
    {
        Span<byte> place = stackalloc byte[16];
        BinaryPrimitives.WriteUInt64LittleEndian(place, segmentId);
        BinaryPrimitives.WriteInt64LittleEndian(place[8..], offset);
        return Crc32C.Append(Crc32C.Compute(place), header[4..]);
    }
}
