// What the first bytes of a snapshot say, and whether they can be believed. Format page: docs/formats/snapshot.md.
//
//   offset  size  field              meaning
//        0     8  magic              "NINOSNAP"
//        8     4  headerChecksum     CRC-32C of bytes 12 .. headerSize-1
//       12     4  headerSize         bytes of header and section table, a multiple of 64
//       16     2  formatVersion      1          (bytes 0..17 mean the same in every version)
//       18     2  sectionCount       entries of the section table
//       20     4  generation         1, 2, … among snapshots of the same sequence
//       24     8  snapshotId         random
//       32    16  storeId            the store it belongs to
//       48     8  sequence           last sequence whose effect the state holds
//       56     8  timeTicks          UTC ticks when it was written
//       64     8  fileLength         exact length of the file
//       72     8  schemaFingerprint  fingerprint of the schema of part 0
//       80     4  pageSize           bytes of a data page, a power of two from 64 to 16 MiB; 65,536 is written
//       84     4  recordMark         mark of the record of that sequence (RecordMark); 0 for none
//       88     8  recordSegment      number of the segment in which that record was written; 0 where it is not known
//       96     8  frameOffset        where its frame is in it
//      104     4  frameChecksum      headerChecksum of that frame (docs/formats/frame.md)
//      108    20  reserved           0
//      128    32  × sectionCount     section table (SnapshotSection.cs), then zeros to headerSize

using System.Buffers.Binary;
using System.Numerics;
using Store.Framing;

namespace Store.Snapshots;

internal sealed record SnapshotHeader
{
    private const int ChecksumOffset = 8;
    private const int CheckedFrom = 12;

    public required SnapshotStamp Stamp { get; init; }
    public required long FileLength { get; init; }
    public required ulong SchemaFingerprint { get; init; }
    public required int PageSize { get; init; }

    /// <summary>In file order.</summary>
    public required SnapshotSection[] Sections { get; init; }

    public int Size => SnapshotFormat.HeaderSizeOf(Sections.Length);

    /// <summary>The sections of each part, by number.</summary>
    public required SnapshotPartSections[] Parts { get; init; }

    /// <summary>Fills exactly <see cref="Size"/> bytes.</summary>
    public void Encode(Span<byte> header)
    {
        header = header[..Size];
        header.Clear();
        BinaryPrimitives.WriteUInt64LittleEndian(header, SnapshotFormat.Magic);
        BinaryPrimitives.WriteInt32LittleEndian(header[12..], Size);
        BinaryPrimitives.WriteUInt16LittleEndian(header[16..], SnapshotFormat.Version);
        BinaryPrimitives.WriteUInt16LittleEndian(header[18..], checked((ushort)Sections.Length));
        BinaryPrimitives.WriteUInt32LittleEndian(header[20..], Stamp.Generation);
        BinaryPrimitives.WriteUInt64LittleEndian(header[24..], Stamp.SnapshotId);
        Stamp.StoreId.TryWriteBytes(header[32..48]);
        BinaryPrimitives.WriteInt64LittleEndian(header[48..], Stamp.Sequence);
        BinaryPrimitives.WriteInt64LittleEndian(header[56..], Stamp.Time.UtcTicks);
        BinaryPrimitives.WriteInt64LittleEndian(header[64..], FileLength);
        BinaryPrimitives.WriteUInt64LittleEndian(header[72..], SchemaFingerprint);
        BinaryPrimitives.WriteInt32LittleEndian(header[80..], PageSize);
        BinaryPrimitives.WriteUInt32LittleEndian(header[SnapshotFormat.RecordMarkOffset..], Stamp.Tie.Mark);
        BinaryPrimitives.WriteInt64LittleEndian(header[SnapshotFormat.RecordPlaceOffset..], Stamp.Tie.Segment);
        BinaryPrimitives.WriteInt64LittleEndian(header[(SnapshotFormat.RecordPlaceOffset + 8)..], Stamp.Tie.FrameOffset);
        BinaryPrimitives.WriteUInt32LittleEndian(header[(SnapshotFormat.RecordPlaceOffset + 16)..], Stamp.Tie.FrameChecksum);
        for (int i = 0; i < Sections.Length; i++)
            Sections[i].Encode(header[(SnapshotFormat.FixedHeaderSize + (i * SnapshotFormat.SectionEntrySize))..]);
        BinaryPrimitives.WriteUInt32LittleEndian(header[ChecksumOffset..], Crc32C.Compute(header[CheckedFrom..]));
    }

    /// <summary>Reads and verifies the header of a file.</summary>
    /// <returns>Null and the header, or what is wrong.</returns>
    public static SnapshotFailure? Read(SnapshotWindow window, out SnapshotHeader? header)
    {
        header = null;
        int length = (int)Math.Min(window.FileLengthBytes, SnapshotFormat.FixedHeaderSize);
        if (window.Look(0, length, out ReadOnlySpan<byte> start) is { } unreadable) return unreadable;

        // It says itself how long it is; whether that can be believed is seen when so much has been read.
        int claimed = length < SnapshotFormat.FixedHeaderSize ? length : BinaryPrimitives.ReadInt32LittleEndian(start[12..]);
        length = (int)Math.Min(window.FileLengthBytes, Math.Clamp(claimed, length, SnapshotFormat.MaxHeaderSize));
        return window.Look(0, length, out start) ?? Parse(start, window.FileLengthBytes, window.FileName, out header);
    }

    /// <summary>Verifies the bytes of a header. Nothing is believed before the checksum is right, and everything is checked after it too.</summary>
    /// <param name="start">The first bytes of the file: as many as the header says that it has, or all of a shorter file.</param>
    /// <param name="fileLength">Length of the file.</param>
    /// <param name="fileName">For messages.</param>
    /// <param name="header">The header, when null is returned.</param>
    public static SnapshotFailure? Parse(ReadOnlySpan<byte> start, long fileLength, string fileName, out SnapshotHeader? header)
    {
        header = null;
        if (start.Length < SnapshotFormat.FixedHeaderSize)
            return Fail(SnapshotFailureKind.WrongLength, 0, $"The file has {fileLength} bytes; a snapshot's header alone has {SnapshotFormat.FixedHeaderSize}.");
        if (BinaryPrimitives.ReadUInt64LittleEndian(start) != SnapshotFormat.Magic)
            return Fail(SnapshotFailureKind.NotASnapshot, 0, start.ContainsAnyExcept((byte)0) ? "The file does not start like a snapshot." : "The file starts with zeros: it was never written, or its contents are lost.");

        int headerSize = BinaryPrimitives.ReadInt32LittleEndian(start[12..]);
        if (headerSize < SnapshotFormat.FixedHeaderSize || headerSize > SnapshotFormat.MaxHeaderSize || headerSize % SnapshotFormat.Alignment != 0)
            return Fail(SnapshotFailureKind.HeaderDamaged, 12, $"The header's size of {headerSize} bytes is impossible: the header is damaged.");
        if (headerSize > start.Length)
            return Fail(SnapshotFailureKind.WrongLength, 12, $"The header should have {headerSize} bytes, and the file has {fileLength}: it is cut or damaged.");
        start = start[..headerSize];
        if (Crc32C.Compute(start[CheckedFrom..]) != BinaryPrimitives.ReadUInt32LittleEndian(start[ChecksumOffset..]))
            return Fail(SnapshotFailureKind.HeaderDamaged, 0, "The header's checksum is wrong: the header is damaged.");

        ushort version = BinaryPrimitives.ReadUInt16LittleEndian(start[16..]);
        if (version > SnapshotFormat.Version)
            return Fail(SnapshotFailureKind.NewerVersion, 16, $"The snapshot has format version {version}; this program reads up to {SnapshotFormat.Version}. Use a newer NinoStore.");
        if (version == 0) return Fail(SnapshotFailureKind.HeaderDamaged, 16, "The snapshot has format version 0, which does not exist.");

        long stated = BinaryPrimitives.ReadInt64LittleEndian(start[64..]);
        if (stated != fileLength)
            return Fail(SnapshotFailureKind.WrongLength, Math.Clamp(stated, 0, fileLength), $"The file has {fileLength} bytes and should have {stated}: it is {(fileLength < stated ? "cut" : "too long")}.");

        int sectionCount = BinaryPrimitives.ReadUInt16LittleEndian(start[18..]);
        if (headerSize != SnapshotFormat.HeaderSizeOf(sectionCount))
            return Fail(SnapshotFailureKind.HeaderDamaged, 18, $"A header of {headerSize} bytes cannot have {sectionCount} sections.");
        long sequence = BinaryPrimitives.ReadInt64LittleEndian(start[48..]);
        if (sequence < 0) return Fail(SnapshotFailureKind.HeaderDamaged, 48, $"The sequence {sequence} is impossible.");
        long ticks = BinaryPrimitives.ReadInt64LittleEndian(start[56..]);
        if ((ulong)ticks > (ulong)DateTime.MaxValue.Ticks) return Fail(SnapshotFailureKind.HeaderDamaged, 56, $"The time of {ticks} ticks is impossible.");
        int pageSize = BinaryPrimitives.ReadInt32LittleEndian(start[80..]);
        if (pageSize is < SnapshotFormat.MinPageSize or > SnapshotFormat.MaxPageSize || !BitOperations.IsPow2(pageSize))
            return Fail(SnapshotFailureKind.HeaderDamaged, 80, $"A page size of {pageSize} bytes is impossible.");

        var sections = new SnapshotSection[sectionCount];
        for (int i = 0; i < sections.Length; i++)
            sections[i] = SnapshotSection.Decode(start[(SnapshotFormat.FixedHeaderSize + (i * SnapshotFormat.SectionEntrySize))..]);
        if (CheckSections(sections, headerSize, fileLength, pageSize, fileName, out SnapshotPartSections[] parts) is { } failure) return failure;

        header = new SnapshotHeader
        {
            Stamp = new SnapshotStamp(
                new Guid(start[32..48]),
                BinaryPrimitives.ReadUInt64LittleEndian(start[24..]),
                sequence,
                BinaryPrimitives.ReadUInt32LittleEndian(start[20..]),
                new DateTimeOffset(ticks, TimeSpan.Zero),
                new RecordTie(
                    BinaryPrimitives.ReadUInt32LittleEndian(start[SnapshotFormat.RecordMarkOffset..]),
                    BinaryPrimitives.ReadInt64LittleEndian(start[SnapshotFormat.RecordPlaceOffset..]),
                    BinaryPrimitives.ReadInt64LittleEndian(start[(SnapshotFormat.RecordPlaceOffset + 8)..]),
                    BinaryPrimitives.ReadUInt32LittleEndian(start[(SnapshotFormat.RecordPlaceOffset + 16)..]))),
            FileLength = fileLength,
            SchemaFingerprint = BinaryPrimitives.ReadUInt64LittleEndian(start[72..]),
            PageSize = pageSize,
            Sections = sections,
            Parts = parts,
        };
        return null;

        SnapshotFailure Fail(SnapshotFailureKind kind, long offset, string message) => new(kind, fileName, offset, fileLength - offset, message);
    }

    /// <summary>The sections must follow each other without a gap but the alignment's, so that every byte of the file is covered by some check.</summary>
    private static SnapshotFailure? CheckSections(SnapshotSection[] sections, long start, long fileLength, int pageSize, string fileName, out SnapshotPartSections[] parts)
    {
        parts = [];
        long end = start;
        var found = new SnapshotPartSections[Math.Min(sections.Length, SnapshotFormat.MaxParts)];
        int count = 0;
        for (int i = 0; i < sections.Length; i++)
        {
            SnapshotSection section = sections[i];
            if (section.Offset != SnapshotFormat.Align(end) || section.LengthBytes < 0 || section.LengthBytes > fileLength - section.Offset)
                return Fail(SnapshotFailureKind.HeaderDamaged, i, $"Section {i}, {section.LengthBytes} bytes from {section.Offset}, does not follow the one before or does not fit into the file.");
            end = section.EndOffset;

            // Nothing that this version writes is optional.
            if (section.IsOptional) continue;
            bool isKnown = section.Kind is >= SnapshotSectionKind.Schema and <= SnapshotSectionKind.Events && section.Part >= 0 && section.Part < found.Length;
            if (!isKnown) return Fail(SnapshotFailureKind.NewerVersion, i, $"The snapshot has a section of kind {(int)section.Kind} in part {section.Part} that this program does not know. Use a newer NinoStore.");
            if (!found[section.Part].TryAdd(section)) return Fail(SnapshotFailureKind.HeaderDamaged, i, $"The section {section.Kind} of part {section.Part} appears twice.");
            count = Math.Max(count, section.Part + 1);
        }

        if (end != fileLength) return Fail(SnapshotFailureKind.HeaderDamaged, 0, $"The sections end at {end}, the file at {fileLength}.");
        if (count == 0) return Fail(SnapshotFailureKind.HeaderDamaged, 0, "The snapshot has no part.");
        for (int part = 0; part < count; part++)
        {
            if (!found[part].IsComplete) return Fail(SnapshotFailureKind.HeaderDamaged, 0, $"The schema, the data or the page table of part {part} is missing.");
            if (found[part].Problem(pageSize) is { } problem) return Fail(SnapshotFailureKind.HeaderDamaged, 0, problem);
        }

        parts = found[..count];
        return null;

        SnapshotFailure Fail(SnapshotFailureKind kind, int index, string message)
        {
            long offset = SnapshotFormat.FixedHeaderSize + ((long)index * SnapshotFormat.SectionEntrySize);
            return new SnapshotFailure(kind, fileName, offset, SnapshotFormat.SectionEntrySize, message);
        }
    }
}

/// <summary>The sections of one part.</summary>
internal struct SnapshotPartSections
{
    private const int Required = (1 << (int)SnapshotSectionKind.Schema) | (1 << (int)SnapshotSectionKind.Data) | (1 << (int)SnapshotSectionKind.PageTable);

    /// <summary>Far above any real schema: what a reader is willing to parse.</summary>
    private const int MaxSchemaLength = 16 * 1024 * 1024;

    private int _kinds;

    public SnapshotSection Schema { get; private set; }

    public SnapshotSection Data { get; private set; }

    public SnapshotSection PageTable { get; private set; }

    public SnapshotSection ItemIndex { get; private set; }

    public SnapshotSection Name { get; private set; }

    public SnapshotSection Events { get; private set; }

    /// <summary>True when the data is a stream of items.</summary>
    public readonly bool HasItems => Has(SnapshotSectionKind.ItemIndex);

    public readonly bool HasName => Has(SnapshotSectionKind.Name);

    public readonly bool HasEvents => Has(SnapshotSectionKind.Events);

    public readonly bool IsComplete => (_kinds & Required) == Required;

    /// <returns>False when the part has a section of that kind already.</returns>
    public bool TryAdd(SnapshotSection section)
    {
        if (Has(section.Kind)) return false;
        _kinds |= 1 << (int)section.Kind;
        switch (section.Kind)
        {
            case SnapshotSectionKind.Schema: Schema = section; break;
            case SnapshotSectionKind.Data: Data = section; break;
            case SnapshotSectionKind.PageTable: PageTable = section; break;
            case SnapshotSectionKind.ItemIndex: ItemIndex = section; break;
            case SnapshotSectionKind.Name: Name = section; break;
            default: Events = section; break;
        }

        return true;
    }

    /// <summary>What is impossible about the lengths, or null.</summary>
    public readonly string? Problem(int pageSize)
    {
        if (Schema.LengthBytes > MaxSchemaLength) return $"A schema of {Schema.LengthBytes} bytes is impossible.";
        if (HasName && Name.LengthBytes is < 1 or > SnapshotFormat.MaxNameLength) return $"A part's name of {Name.LengthBytes} bytes is impossible.";
        if (HasEvents && Events.LengthBytes is < 1 or > SnapshotEvents.MaxLength) return $"Names of events in {Events.LengthBytes} bytes are impossible.";
        if (HasItems && (ItemIndex.LengthBytes is < SnapshotItemFormat.CountSize or > int.MaxValue || (ItemIndex.LengthBytes - SnapshotItemFormat.CountSize) % SnapshotItemFormat.EntrySize != 0))
            return $"An item index of {ItemIndex.LengthBytes} bytes is impossible.";
        long tableLength = SnapshotFormat.PageCountOf(Data.LengthBytes, pageSize) * SnapshotFormat.PageChecksumSize;
        return PageTable.LengthBytes == tableLength && tableLength <= int.MaxValue ? null : $"The page table has {PageTable.LengthBytes} bytes; {Data.LengthBytes} bytes of data need {tableLength}.";
    }

    private readonly bool Has(SnapshotSectionKind kind) => (_kinds & (1 << (int)kind)) != 0;
}

/// <summary>Which snapshot of which store this is.</summary>
/// <param name="StoreId">The store it belongs to.</param>
/// <param name="SnapshotId">Random; stays when the file is copied or renamed.</param>
/// <param name="Sequence">Last sequence whose effect the state holds.</param>
/// <param name="Generation">1, 2, … among snapshots of the same sequence.</param>
/// <param name="Time">When it was written (UTC).</param>
/// <param name="Tie">Tells the record of that sequence from another of the same number.</param>
internal readonly record struct SnapshotStamp(Guid StoreId, ulong SnapshotId, long Sequence, uint Generation, DateTimeOffset Time, RecordTie Tie = default);
