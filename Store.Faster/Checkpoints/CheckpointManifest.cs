// What must be true for a checkpoint to be used? Everything its manifest says. Format page: docs/formats/key-value-checkpoint.md. It lists
// what is edited together: also KeyHash.cs, because the index is bound to the hash, and another hash is another version.
//
//   offset  size  field
//        0     8  magic             "NINOKVC\0"
//        8     4  version           3
//       12     4  pageSizeBytes     page of the record log
//       16    16  storeId           the store whose log this continues
//       32    16  token             FASTER's name of the checkpoint
//       48     8  generation        number in the file names; the highest is the newest
//       56     8  sequence          last record of the log whose effect is included
//       64     8  count             keys
//       72     8  anchorSequence    the last change included, 0 when there is none
//       80     4  anchorMark        CRC-32C of that record's time, schema and bytes (RecordMark): tells this history of the log from another
//       84     4  sequenceMark      the same of record "sequence", of whatever kind
//       88     8  logEndAddress     the record log belongs to the checkpoint below this
//       96     8  logBeginAddress   and from here on; what lies before was given up by compaction
//      104     8  compactedBytes    length of the record log after its last compaction, 0 without one
//      112     …  name, key schema, value schema, index metadata, log metadata: each a 4-byte length and the bytes
//        …     …  blocks of the record log, the snapshot, the index: each a 4-byte count, then per block offset (8), length (4), CRC-32C (4)
//     last     4  checksum          CRC-32C of everything before
//
// Blocks of snapshot and index are those of one file each, from its first byte on, one behind the other. All numbers are little-endian.

using System.Buffers;
using System.Buffers.Binary;
using System.Diagnostics.CodeAnalysis;
using System.Text;
using Store.Faster.Engine;
using Store.Framing;

namespace Store.Faster.Checkpoints;

/// <summary>The description of a complete checkpoint. A checkpoint without a valid manifest does not exist.</summary>
internal sealed record CheckpointManifest
{
    private const int Version = 3;
    private const int FixedBytes = 112;
    private const int BlockBytes = 16;

    /// <summary>No manifest is longer: one that would be is refused before it is in force.</summary>
    public const int MaxFileBytes = 1 << 30;

    private static ReadOnlySpan<byte> Magic => "NINOKVC\0"u8;

    public required int PageSizeBytes { get; init; }

    public required Guid StoreId { get; init; }

    public required Guid Token { get; init; }

    public required long Generation { get; init; }

    public required long Sequence { get; init; }

    public required long Count { get; init; }

    public required long AnchorSequence { get; init; }

    public required uint AnchorMark { get; init; }

    public required uint SequenceMark { get; init; }

    public required long LogEndAddress { get; init; }

    public required long LogBeginAddress { get; init; }

    public required long CompactedBytes { get; init; }

    public required string Name { get; init; }

    public required byte[] KeySchema { get; init; }

    public required byte[] ValueSchema { get; init; }

    public required byte[] IndexMetadata { get; init; }

    public required byte[] LogMetadata { get; init; }

    public required WrittenBlock[] LogBlocks { get; init; }

    public required WrittenBlock[] SnapshotBlocks { get; init; }

    public required WrittenBlock[] IndexBlocks { get; init; }

    /// <summary>True when the blocks of the record log cover it without a gap. It is written in whole pages, so a log that ends inside its first page has none on the disk.</summary>
    public bool CoversLog
    {
        get
        {
            if (PageSizeBytes <= 0 || LogBeginAddress < 0) return false;
            long start = LogBeginAddress - (LogBeginAddress % PageSizeBytes), end = start;
            if (LogEndAddress < start) return false;
            foreach (WrittenBlock block in LogBlocks)
            {
                if (block.Offset != end) return false;
                end += block.LengthBytes;
            }

            return end == LogEndAddress || (end == start && LogEndAddress - start < PageSizeBytes);
        }
    }

    /// <summary>
    /// True when the blocks of the index and those of the snapshot each follow one another from the beginning of their file. FASTER writes them so; others would be read as often as they are named, and be remembered one by one.
    /// </summary>
    public bool CoversItsFiles => IsInOnePiece(IndexBlocks) && IsInOnePiece(SnapshotBlocks);

    /// <summary>How long it is in a file.</summary>
    public long LengthBytes => FixedBytes + (5L + 3 + 1) * sizeof(int) + Encoding.UTF8.GetByteCount(Name) + KeySchema.Length + ValueSchema.Length + IndexMetadata.Length + LogMetadata.Length
        + ((long)LogBlocks.Length + SnapshotBlocks.Length + IndexBlocks.Length) * BlockBytes;

    public byte[] Encode()
    {
        var output = new ArrayBufferWriter<byte>(4096 + (LogBlocks.Length + SnapshotBlocks.Length + IndexBlocks.Length) * BlockBytes);
        Span<byte> head = output.GetSpan(FixedBytes)[..FixedBytes];
        head.Clear();
        Magic.CopyTo(head);
        BinaryPrimitives.WriteInt32LittleEndian(head[8..], Version);
        BinaryPrimitives.WriteInt32LittleEndian(head[12..], PageSizeBytes);
        StoreId.TryWriteBytes(head[16..]);
        Token.TryWriteBytes(head[32..]);
        BinaryPrimitives.WriteInt64LittleEndian(head[48..], Generation);
        BinaryPrimitives.WriteInt64LittleEndian(head[56..], Sequence);
        BinaryPrimitives.WriteInt64LittleEndian(head[64..], Count);
        BinaryPrimitives.WriteInt64LittleEndian(head[72..], AnchorSequence);
        BinaryPrimitives.WriteUInt32LittleEndian(head[80..], AnchorMark);
        BinaryPrimitives.WriteUInt32LittleEndian(head[84..], SequenceMark);
        BinaryPrimitives.WriteInt64LittleEndian(head[88..], LogEndAddress);
        BinaryPrimitives.WriteInt64LittleEndian(head[96..], LogBeginAddress);
        BinaryPrimitives.WriteInt64LittleEndian(head[104..], CompactedBytes);
        output.Advance(FixedBytes);

        WriteBytes(output, Encoding.UTF8.GetBytes(Name));
        WriteBytes(output, KeySchema);
        WriteBytes(output, ValueSchema);
        WriteBytes(output, IndexMetadata);
        WriteBytes(output, LogMetadata);
        WriteBlocks(output, LogBlocks);
        WriteBlocks(output, SnapshotBlocks);
        WriteBlocks(output, IndexBlocks);
        WriteInt32(output, (int)Crc32C.Compute(output.WrittenSpan));
        return output.WrittenSpan.ToArray();
    }

    /// <summary>Reads a manifest. Every length is checked against the bytes there are before anything is allocated.</summary>
    /// <param name="bytes">The whole file.</param>
    /// <param name="manifest">The manifest.</param>
    /// <param name="problem">Why there is none.</param>
    public static bool TryParse(ReadOnlySpan<byte> bytes, [NotNullWhen(true)] out CheckpointManifest? manifest, [NotNullWhen(false)] out string? problem)
    {
        manifest = null;
        if (bytes.Length < FixedBytes + 4) return Refuse($"It has {bytes.Length} bytes, a manifest has at least {FixedBytes + 4}.", out problem);
        if (bytes.Length > MaxFileBytes) return Refuse($"It has {bytes.Length} bytes, more than any manifest.", out problem);
        if (!bytes.StartsWith(Magic)) return Refuse("It is not a checkpoint manifest.", out problem);
        int version = BinaryPrimitives.ReadInt32LittleEndian(bytes[8..]);
        if (version != Version) return Refuse($"It has version {version}; this program reads version {Version}.", out problem);
        ReadOnlySpan<byte> body = bytes[..^4];
        if (Crc32C.Compute(body) != BinaryPrimitives.ReadUInt32LittleEndian(bytes[^4..])) return Refuse("Its checksum does not match.", out problem);

        ReadOnlySpan<byte> rest = body[FixedBytes..];
        if (!TryReadBytes(ref rest, out byte[] name) || !TryReadBytes(ref rest, out byte[] keySchema) || !TryReadBytes(ref rest, out byte[] valueSchema)
            || !TryReadBytes(ref rest, out byte[] indexMetadata) || !TryReadBytes(ref rest, out byte[] logMetadata)
            || !TryReadBlocks(ref rest, out WrittenBlock[] log) || !TryReadBlocks(ref rest, out WrittenBlock[] snapshot) || !TryReadBlocks(ref rest, out WrittenBlock[] index)
            || !rest.IsEmpty || !IsInOnePiece(snapshot) || !IsInOnePiece(index))
        {
            return Refuse("Its lengths do not add up.", out problem);
        }

        problem = null;
        manifest = new CheckpointManifest
        {
            PageSizeBytes = BinaryPrimitives.ReadInt32LittleEndian(body[12..]),
            StoreId = new Guid(body.Slice(16, 16)),
            Token = new Guid(body.Slice(32, 16)),
            Generation = BinaryPrimitives.ReadInt64LittleEndian(body[48..]),
            Sequence = BinaryPrimitives.ReadInt64LittleEndian(body[56..]),
            Count = BinaryPrimitives.ReadInt64LittleEndian(body[64..]),
            AnchorSequence = BinaryPrimitives.ReadInt64LittleEndian(body[72..]),
            AnchorMark = BinaryPrimitives.ReadUInt32LittleEndian(body[80..]),
            SequenceMark = BinaryPrimitives.ReadUInt32LittleEndian(body[84..]),
            LogEndAddress = BinaryPrimitives.ReadInt64LittleEndian(body[88..]),
            LogBeginAddress = BinaryPrimitives.ReadInt64LittleEndian(body[96..]),
            CompactedBytes = BinaryPrimitives.ReadInt64LittleEndian(body[104..]),
            Name = Encoding.UTF8.GetString(name),
            KeySchema = keySchema,
            ValueSchema = valueSchema,
            IndexMetadata = indexMetadata,
            LogMetadata = logMetadata,
            LogBlocks = log,
            SnapshotBlocks = snapshot,
            IndexBlocks = index,
        };
        return true;
    }

    private static bool IsInOnePiece(WrittenBlock[] blocks)
    {
        long end = 0;
        foreach (WrittenBlock block in blocks)
        {
            if (block.Offset != end) return false;
            end += block.LengthBytes;
        }

        return true;
    }

    private static bool Refuse(string reason, out string problem)
    {
        problem = reason;
        return false;
    }

    private static void WriteInt32(ArrayBufferWriter<byte> output, int value)
    {
        BinaryPrimitives.WriteInt32LittleEndian(output.GetSpan(4), value);
        output.Advance(4);
    }

    private static void WriteBytes(ArrayBufferWriter<byte> output, ReadOnlySpan<byte> bytes)
    {
        WriteInt32(output, bytes.Length);
        output.Write(bytes);
    }

    private static void WriteBlocks(ArrayBufferWriter<byte> output, WrittenBlock[] blocks)
    {
        WriteInt32(output, blocks.Length);
        foreach (WrittenBlock block in blocks)
        {
            Span<byte> bytes = output.GetSpan(BlockBytes);
            BinaryPrimitives.WriteInt64LittleEndian(bytes, block.Offset);
            BinaryPrimitives.WriteInt32LittleEndian(bytes[8..], block.LengthBytes);
            BinaryPrimitives.WriteUInt32LittleEndian(bytes[12..], block.Checksum);
            output.Advance(BlockBytes);
        }
    }

    private static bool TryReadLength(ref ReadOnlySpan<byte> rest, int unitBytes, out int length)
    {
        length = 0;
        if (rest.Length < 4) return false;
        length = BinaryPrimitives.ReadInt32LittleEndian(rest);
        rest = rest[4..];
        return length >= 0 && (long)length * unitBytes <= rest.Length;
    }

    private static bool TryReadBytes(ref ReadOnlySpan<byte> rest, out byte[] bytes)
    {
        bytes = [];
        if (!TryReadLength(ref rest, 1, out int length)) return false;
        bytes = rest[..length].ToArray();
        rest = rest[length..];
        return true;
    }

    private static bool TryReadBlocks(ref ReadOnlySpan<byte> rest, out WrittenBlock[] blocks)
    {
        blocks = [];
        if (!TryReadLength(ref rest, BlockBytes, out int count)) return false;
        blocks = new WrittenBlock[count];
        for (int i = 0; i < count; i++)
        {
            blocks[i] = new WrittenBlock(BinaryPrimitives.ReadInt64LittleEndian(rest), BinaryPrimitives.ReadInt32LittleEndian(rest[8..]), BinaryPrimitives.ReadUInt32LittleEndian(rest[12..]));
            if (blocks[i].Offset < 0 || blocks[i].LengthBytes <= 0 || blocks[i].Offset > long.MaxValue - blocks[i].LengthBytes) return false;
            rest = rest[BlockBytes..];
        }

        return true;
    }
}
