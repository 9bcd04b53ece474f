// One entry of a snapshot's section table. Format page: docs/formats/snapshot.md, "section table".
//
//   offset  size  field     meaning
//        0     2  kind      SnapshotSectionKind
//        2     2  flags     bit 0: a reader that does not know the kind may ignore the section
//        4     4  checksum  CRC-32C of the section's bytes; 0 for data, which the page table covers
//        8     8  offset    where it starts, a multiple of 64
//       16     8  length    bytes, without the zeros up to the next section
//       24     4  part      sections of the same part belong together; 0 is the state
//       28     4  reserved  0

using System.Buffers.Binary;

namespace Store.Snapshots;

/// <summary>A section of a snapshot file.</summary>
/// <param name="Kind">What it holds; a number that this version does not name is from a newer one.</param>
/// <param name="Part">Sections of the same part belong together; 0 is the first.</param>
/// <param name="IsOptional">True when a reader that does not know the kind may ignore it.</param>
/// <param name="Offset">Where it starts in the file, in bytes; a multiple of 64.</param>
/// <param name="LengthBytes">Its length in bytes.</param>
/// <param name="Checksum">CRC-32C of its bytes; 0 for <see cref="SnapshotSectionKind.Data"/>, which the page table covers.</param>
public readonly record struct SnapshotSection(SnapshotSectionKind Kind, int Part, bool IsOptional, long Offset, long LengthBytes, uint Checksum)
{
    private const ushort OptionalFlag = 1;

    /// <summary>Offset of the first byte after the section.</summary>
    public long EndOffset => Offset + LengthBytes;

    internal void Encode(Span<byte> entry)
    {
        BinaryPrimitives.WriteUInt16LittleEndian(entry, (ushort)Kind);
        BinaryPrimitives.WriteUInt16LittleEndian(entry[2..], IsOptional ? OptionalFlag : (ushort)0);
        BinaryPrimitives.WriteUInt32LittleEndian(entry[4..], Checksum);
        BinaryPrimitives.WriteInt64LittleEndian(entry[8..], Offset);
        BinaryPrimitives.WriteInt64LittleEndian(entry[16..], LengthBytes);
        BinaryPrimitives.WriteInt32LittleEndian(entry[24..], Part);
        BinaryPrimitives.WriteInt32LittleEndian(entry[28..], 0);
    }

    internal static SnapshotSection Decode(ReadOnlySpan<byte> entry) => new(
        (SnapshotSectionKind)BinaryPrimitives.ReadUInt16LittleEndian(entry),
        BinaryPrimitives.ReadInt32LittleEndian(entry[24..]),
        (BinaryPrimitives.ReadUInt16LittleEndian(entry[2..]) & OptionalFlag) != 0,
        BinaryPrimitives.ReadInt64LittleEndian(entry[8..]),
        BinaryPrimitives.ReadInt64LittleEndian(entry[16..]),
        BinaryPrimitives.ReadUInt32LittleEndian(entry[4..]));
}

/// <summary>What a section holds. The numbers are written into files: they are never reused or changed.</summary>
public enum SnapshotSectionKind : ushort
{
    /// <summary>Canonical bytes of the schema of the part's data.</summary>
    Schema = 1,

    /// <summary>One record of the part's schema, or blocks of such records when the part has an item index.</summary>
    Data = 2,

    /// <summary>CRC-32C of each page of the part's data, in order.</summary>
    PageTable = 3,

    /// <summary>Where the blocks of items begin in the part's data, which then is a stream of items instead of one record.</summary>
    ItemIndex = 4,

    /// <summary>Name of the part, UTF-8. A part without one is called by the empty name.</summary>
    Name = 5,

    /// <summary>Up to which sequence of the log the state of an open <c>StateStore</c> holds each event, by their names.</summary>
    Events = 6,
}
