// One number that must survive: where the log begins, how far it reaches, or how far a reader has come. A file with two slots, each with a checksum: an update writes the one
// that does not hold the newest value and syncs, so that a crash in between leaves the value before. Format page: docs/formats/marker.md.
//
//   slots at offset 0 and 4096, each:
//   offset  size  field
//        0     8  magic "NINOMRK1"
//        8     4  format version, 1
//       12     4  kind: 1 start of the log, 2 cursor, 3 keyed state, 4 source of a follower, 5 end of the log
//       16    16  store id
//       32     8  generation: the slot with the greater one counts
//       40     8  sequence: of a start, the first kept; of an end, one up to which all was durable; of the others, the last one dealt with
//       48     8  number of the first kept segment, of an end of the newest begun; 0 in the others
//       56     8  when it was written, UTC ticks
//       64     4  bytes of name
//       68   184  name in UTF-8, then zeros; "closed" in the end of a log that was closed
//      252     4  CRC-32C of bytes 0..251

using System.Buffers.Binary;
using System.Text;
using Store.Framing;
using Store.IO;

namespace Store.Retention;

/// <summary>What a marker file is about.</summary>
internal enum MarkerKind
{
    Start = 1,
    Cursor = 2,
    KeyedState = 3,
    Source = 4,
    End = 5,
}

/// <summary>The content of one slot.</summary>
internal readonly record struct Marker
{
    public required MarkerKind Kind { get; init; }

    public required Guid StoreId { get; init; }

    public required long Generation { get; init; }

    public required long Sequence { get; init; }

    public long Segment { get; init; }

    public required long Ticks { get; init; }

    public string Name { get; init; }
}

/// <summary>What a marker file holds.</summary>
/// <param name="Newest">The slot with the greater generation; null when no slot verifies.</param>
/// <param name="LowestSequence">The lower of the sequences of the slots that verify: the newer may be in the system's cache only.</param>
/// <param name="IsNewerVersion">True when a slot that verifies has a later format version.</param>
/// <param name="BothVerify">True when both slots verify: the newest is the last that was written.</param>
internal readonly record struct MarkerContent(Marker? Newest, long LowestSequence, bool IsNewerVersion, bool BothVerify);

/// <summary>Reads and writes marker files. Calls for one file are the caller's to order.</summary>
internal static class MarkerFile
{
    public const int SlotSize = 256;
    public const int SecondSlot = 4096;
    public const int MaxNameBytes = 184;

    private const int Version = 1;
    private const int ChecksumAt = SlotSize - 4;

    private static ReadOnlySpan<byte> Magic => "NINOMRK1"u8;

    /// <summary>Creates the file, or replaces it, with the value in both slots. Durable on return.</summary>
    public static void Publish(IStoreDirectory directory, string fileName, Marker marker) => AtomicFile.Publish(directory, fileName, file =>
    {
        byte[] bytes = new byte[SecondSlot + SlotSize];
        Write(bytes, marker);
        Write(bytes.AsSpan(SecondSlot), marker);
        file.Write(bytes, 0);
    });

    /// <summary>Writes the value into the slot of its generation. Durable on return; when it throws, the value before or this one is found later.</summary>
    public static void Update(IStoreDirectory directory, string fileName, Marker marker)
    {
        Span<byte> slot = stackalloc byte[SlotSize];
        Write(slot, marker);
        using IStoreFile file = directory.OpenWrite(fileName);
        file.Write(slot, (marker.Generation & 1) * SecondSlot);
        file.SyncData();
    }

    /// <summary>Reads both slots.</summary>
    /// <exception cref="FileNotFoundException">There is no such file.</exception>
    public static MarkerContent Read(IStoreDirectory directory, string fileName)
    {
        Span<byte> slot = stackalloc byte[SlotSize];
        using IStoreFile file = directory.OpenRead(fileName);
        Marker? newest = null;
        long lowest = long.MaxValue;
        bool isNewer = false;
        int verified = 0;
        for (int at = 0; at <= SecondSlot; at += SecondSlot)
        {
            int read = file.Read(slot, at);
            if (!TryRead(slot[..read], out Marker marker, out bool newer))
            {
                isNewer |= newer;
                continue;
            }

            verified++;
            lowest = Math.Min(lowest, marker.Sequence);
            if (newest is null || marker.Generation > newest.Value.Generation) newest = marker;
        }

        return new MarkerContent(newest, newest is null ? 0 : lowest, isNewer, verified == 2);
    }

    /// <summary>Reads the newest value of a file of one kind that need not be there.</summary>
    /// <param name="directory">The folder.</param>
    /// <param name="fileName">The file.</param>
    /// <param name="kind">What the file is about.</param>
    /// <param name="says">What the mark says, for the problem: "where the log begins".</param>
    /// <param name="problem">What is wrong with a mark that cannot be read; null when there is none or it is right.</param>
    /// <returns>The value; null when there is none that can be read.</returns>
    /// <exception cref="StoreVersionException">A newer version wrote it.</exception>
    public static MarkerContent? ReadKind(IStoreDirectory directory, string fileName, MarkerKind kind, string says, out string? problem)
    {
        problem = null;
        MarkerContent content;
        try
        {
            content = Read(directory, fileName);
        }
        catch (FileNotFoundException)
        {
            // Each kind says what its absence means.
            return null;
        }

        if (content is { Newest: null, IsNewerVersion: true }) throw new StoreVersionException($"{directory.Name}: {fileName} has a newer format version than this NinoStore reads. Use a newer version; nothing was changed.", directory.Name);
        if (content.Newest is { } newest && newest.Kind == kind) return content;
        problem = $"neither copy of the mark that says {says} verifies";
        return null;
    }

    /// <summary>Writes one slot. Bound: <paramref name="destination"/> holds <see cref="SlotSize"/> bytes.</summary>
    public static void Write(Span<byte> destination, Marker marker)
    {
        destination = destination[..SlotSize];
        destination.Clear();
        Magic.CopyTo(destination);
        BinaryPrimitives.WriteInt32LittleEndian(destination[8..], Version);
        BinaryPrimitives.WriteInt32LittleEndian(destination[12..], (int)marker.Kind);
        marker.StoreId.TryWriteBytes(destination[16..]);
        BinaryPrimitives.WriteInt64LittleEndian(destination[32..], marker.Generation);
        BinaryPrimitives.WriteInt64LittleEndian(destination[40..], marker.Sequence);
        BinaryPrimitives.WriteInt64LittleEndian(destination[48..], marker.Segment);
        BinaryPrimitives.WriteInt64LittleEndian(destination[56..], marker.Ticks);
        int length = Encoding.UTF8.GetBytes(marker.Name ?? "", destination.Slice(68, MaxNameBytes));
        BinaryPrimitives.WriteInt32LittleEndian(destination[64..], length);
        BinaryPrimitives.WriteUInt32LittleEndian(destination[ChecksumAt..], Crc32C.Compute(destination[..ChecksumAt]));
    }

    /// <summary>Reads one slot; false when it does not verify, or is of a later version.</summary>
    public static bool TryRead(ReadOnlySpan<byte> source, out Marker marker, out bool isNewerVersion)
    {
        marker = default;
        isNewerVersion = false;
        if (source.Length < SlotSize || !source.StartsWith(Magic)) return false;
        source = source[..SlotSize];
        if (BinaryPrimitives.ReadUInt32LittleEndian(source[ChecksumAt..]) != Crc32C.Compute(source[..ChecksumAt])) return false;
        isNewerVersion = BinaryPrimitives.ReadInt32LittleEndian(source[8..]) != Version;
        int nameLength = BinaryPrimitives.ReadInt32LittleEndian(source[64..]);
        if (isNewerVersion || nameLength is < 0 or > MaxNameBytes) return false;
        marker = new Marker
        {
            Kind = (MarkerKind)BinaryPrimitives.ReadInt32LittleEndian(source[12..]),
            StoreId = new Guid(source.Slice(16, 16)),
            Generation = BinaryPrimitives.ReadInt64LittleEndian(source[32..]),
            Sequence = BinaryPrimitives.ReadInt64LittleEndian(source[40..]),
            Segment = BinaryPrimitives.ReadInt64LittleEndian(source[48..]),
            Ticks = BinaryPrimitives.ReadInt64LittleEndian(source[56..]),
            Name = Encoding.UTF8.GetString(source.Slice(68, nameLength)),
        };
        bool fits = marker.Kind switch
        {
            MarkerKind.Start => marker.Segment > 0 && marker.Sequence > 0,
            MarkerKind.End => marker.Segment > 0,
            MarkerKind.Cursor or MarkerKind.KeyedState or MarkerKind.Source => marker.Segment == 0,
            _ => false,
        };
        return fits && marker.Generation > 0 && marker.Sequence >= 0 && marker.Ticks is >= 0 and <= 3155378975999999999L;
    }
}
