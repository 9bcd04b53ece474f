// Constants of the snapshot format. Format page: docs/formats/snapshot.md. It lists what is edited together.
//
//   header (128 bytes), section table (32 bytes a section), zeros to a multiple of 64
//   for each part: [name], schema section (its canonical bytes), [events] ┐ each starts at a multiple of 64,
//   for each part: data section (one record, or blocks of items),        │ zeros before it; together they
//                  [item index section],                                 │ end exactly at the end of the file
//                  page table section (CRC-32C of each page of the data) ┘

namespace Store.Snapshots;

internal static class SnapshotFormat
{
    /// <summary>"NINOSNAP" read as a little-endian number.</summary>
    public const ulong Magic = 0x50414E534F4E494E;

    public const ushort Version = 1;

    /// <summary>Where the record's mark is in the header, and its size.</summary>
    public const int RecordMarkOffset = 84, RecordMarkSize = 4;

    /// <summary>Where it is said in which frame of the log that record is.</summary>
    public const int RecordPlaceOffset = 88;

    /// <summary>In place of a record's mark: there is none.</summary>
    public const uint NoMark = 0;

    /// <summary>Header without the section table.</summary>
    public const int FixedHeaderSize = 128;

    public const int SectionEntrySize = 32;

    public const int Alignment = 64;

    /// <summary>Largest header with its section table: what a reader looks at before it knows anything.</summary>
    public const int MaxHeaderSize = 64 * 1024;

    public const int DefaultPageSize = 64 * 1024;
    public const int MinPageSize = 64;
    public const int MaxPageSize = 16 * 1024 * 1024;

    /// <summary>Most parts of one snapshot: their sections fit the header.</summary>
    public const int MaxParts = 256;

    /// <summary>Longest name of a part, in UTF-8 bytes.</summary>
    public const int MaxNameLength = 256;

    /// <summary>Bytes of one page's checksum in the page table.</summary>
    public const int PageChecksumSize = 4;

    public static long Align(long offset) => checked(offset + (Alignment - 1)) & ~(long)(Alignment - 1);

    public static int HeaderSizeOf(int sectionCount) => (int)Align(FixedHeaderSize + (SectionEntrySize * sectionCount));

    public static long PageCountOf(long dataLength, int pageSize) => (dataLength / pageSize) + (dataLength % pageSize == 0 ? 0 : 1);
}
