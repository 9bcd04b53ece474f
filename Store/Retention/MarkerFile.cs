// One number that must survive: where the log begins, how far it reaches, or how far a reader has come. A file with two slots, each with a checksum: an update writes the one
// that does not hold the newest value and syncs, so that a crash in between leaves the value before. Format page: docs/formats/marker.md.
//
//   slots at offset 0 and 4096, each:
//   offset  size  field
//        0     8  magic "NINOMRK1"
//        8     4  format version, 1
//       12     4  kind: 1 start of the log, 2 cursor, 3 keyed state, 4 source of a follower, 5 end of the log, 6 state
//       16    16  store id
//       32     8  generation: the slot with the greater one counts
//       40     8  sequence: of a start, the first kept; of an end, one up to which all was durable; of the others, the last one dealt with
//       48     8  number of the first kept segment, of an end of the newest begun; of a cursor, keyed state or state that was ahead of the log and was moved into it, where it stood; else 0
//       56     8  when it was written, UTC ticks
//       64     4  bytes of name
//       68   184  name in UTF-8, then zeros; "closed" in the end of a log that was closed
//      244     8  in the room of the name: of an end the writer, a random number of each opening; of a keyed state and a state the sequence it was begun behind
//      252     4  CRC-32C of bytes 0..251

using System.Buffers.Binary;
using System.Text;
using Store.Framing;
using Store.IO;

namespace Store.Retention;

/// <summary>The content of one slot.</summary>
internal readonly record struct Marker
{
    public required MarkerKind Kind { get; init; }

    public required Guid StoreId { get; init; }

    public required long Generation { get; init; }

    public required long Sequence { get; init; }

    /// <summary>Of a start and an end. Of a position the sequence at which it stood when the log was found to end before it; 0 when it was not, or a position was committed since.</summary>
    public long Segment { get; init; }

    public required long Ticks { get; init; }

    public string Name { get; init; }

    /// <summary>Of an end: a random number that the opening drew which wrote it; 0 when nobody had the log open. Else 0.</summary>
    public ulong Writer { get; init; }

    /// <summary>Of a keyed state and a state: records up to here hold nothing of it. It was begun when the log no longer reached back to its first record. Else 0.</summary>
    public long Since { get; init; }

    /// <summary>
    /// The mark of a position in a log that reaches from one record to another: the same, or, when it is ahead of that log, inside it, with a note of where it stood. A cursor stands at the log's end: it has dealt with
    /// all there is. A state stands at its beginning, or its own: the checkpoints that let it go that far covered records that are lost, so they cannot be used, and what is left of the log is needed again.
    /// </summary>
    public Marker Within(long first, long last)
    {
        if (Sequence <= last) return this;
        long since = Math.Min(Since, last);
        return this with { Sequence = Kind == MarkerKind.Cursor ? last : Math.Clamp(since, Math.Min(first - 1, last), last), Since = since, Segment = Math.Max(Segment, Sequence) };
    }
}

/// <summary>Who wrote a slot of an end, and which one, as its bytes say: they need not verify.</summary>
/// <param name="Generation">The generation; 0 when there is no whole slot.</param>
/// <param name="Writer">The writer.</param>
internal readonly record struct SlotOwner(long Generation, ulong Writer);

/// <summary>What a marker file holds.</summary>
/// <param name="Newest">The slot with the greater generation; null when no slot verifies.</param>
/// <param name="LowestSequence">The lower of the sequences of the slots that verify: the newer may be in the system's cache only.</param>
/// <param name="HighestSequence">The higher of them.</param>
/// <param name="IsNewerVersion">True when a slot that verifies has a later format version.</param>
/// <param name="BothVerify">True when both slots verify: the newest is the last that was written.</param>
/// <param name="Unreadable">What the disk said that cannot read one of the slots, where nothing can be written in place then; null when it can.</param>
internal readonly record struct MarkerContent(Marker? Newest, long LowestSequence, long HighestSequence, bool IsNewerVersion, bool BothVerify, IOException? Unreadable);

/// <summary>Reads and writes marker files. Calls for one file are the caller's to order.</summary>
internal static class MarkerFile
{
    public const int SlotSize = 256;
    public const int SecondSlot = 4096;
    public const int LengthBytes = SecondSlot + SlotSize;
    public const int MaxNameBytes = 184;

    private const int Version = 1;
    private const int ChecksumAt = SlotSize - 4;
    private const int NameAt = 68;
    private const int LastFieldAt = ChecksumAt - 8;

    private static ReadOnlySpan<byte> Magic => "NINOMRK1"u8;

    /// <summary>Creates the file, or replaces it, with the value in both slots. Durable on return.</summary>
    public static void Publish(IStoreDirectory directory, string fileName, Marker marker) => AtomicFile.Publish(directory, fileName, file => WriteBoth(file, marker));

    /// <summary>As <see cref="Publish"/>, for a file that is not there.</summary>
    /// <exception cref="IOException">It is there: somebody was faster (<see cref="IoFailure.IsExists"/>).</exception>
    public static void PublishNew(IStoreDirectory directory, string fileName, Marker marker) => AtomicFile.Publish(directory, fileName, file => WriteBoth(file, marker), replaces: false);

    /// <summary>
    /// As <see cref="Publish"/>, in the place of a value that is there. Where the disk has no room for a new file, that one is written in place, one copy after the other: a full disk must keep nobody from what is on it. Durable on return.
    /// </summary>
    /// <param name="directory">The folder.</param>
    /// <param name="fileName">The file.</param>
    /// <param name="was">The newest value that it holds.</param>
    /// <param name="marker">The value. Its generation counts in a new file only.</param>
    /// <returns>The value as it was written.</returns>
    public static Marker Replace(IStoreDirectory directory, string fileName, Marker was, Marker marker)
    {
        try
        {
            Publish(directory, fileName, marker);
            return marker;
        }
        catch (IOException e) when (IoFailure.IsNoRoom(e) && Read(directory, fileName).Newest == was)
        {
            // Not where the new one has its name already: what had no room was the folder's sync, and a power failure may take the name away again. The newest value first, as it is: it may be in the system's cache only.
            Update(directory, fileName, was);
            Update(directory, fileName, marker with { Generation = was.Generation + 1 });
            marker = marker with { Generation = was.Generation + 2 };
            Update(directory, fileName, marker);

            // The file that is there may be of a process that was killed before it synced the folder.
            directory.SyncDirectory();
            return marker;
        }
    }

    /// <summary>Writes the value into the slot of its generation. Durable on return; when it throws, the value before or this one is found later.</summary>
    public static void Update(IStoreDirectory directory, string fileName, Marker marker)
    {
        Span<byte> slot = stackalloc byte[SlotSize];
        Write(slot, marker);
        using IStoreFile file = directory.OpenWrite(fileName);
        file.Write(slot, SlotOf(marker.Generation));
        file.SyncData();
    }

    /// <summary>Writes the value over the other slot too, which holds one before it. Not synced: whatever a power failure leaves there, this value is in its own slot.</summary>
    public static void Repeat(IStoreDirectory directory, string fileName, Marker marker)
    {
        Span<byte> slot = stackalloc byte[SlotSize];
        Write(slot, marker);
        using IStoreFile file = directory.OpenWrite(fileName);
        file.Write(slot, SlotOf(marker.Generation + 1));
    }

    /// <summary>Writes the value over both slots of a file of which neither verifies. Durable on return.</summary>
    public static void Overwrite(IStoreDirectory directory, string fileName, Marker marker)
    {
        using IStoreFile file = directory.OpenWrite(fileName);
        WriteBoth(file, marker);
        file.SyncData();
    }

    /// <summary>Who wrote the slots of an end, the one at offset 0 first: one read, and nothing is allocated.</summary>
    public static (SlotOwner First, SlotOwner Second) OwnersOf(IStoreFile file)
    {
        Span<byte> bytes = stackalloc byte[LengthBytes];
        bytes = bytes[..file.Read(bytes, 0)];
        return (OwnerOf(bytes), bytes.Length > SecondSlot ? OwnerOf(bytes[SecondSlot..]) : default);
    }

    /// <summary>Where the value of a generation is written.</summary>
    public static long SlotOf(long generation) => (generation & 1) * SecondSlot;

    /// <summary>Reads both slots.</summary>
    /// <exception cref="FileNotFoundException">There is no such file.</exception>
    /// <exception cref="IOException">It cannot be opened, or the disk can read neither slot that verifies.</exception>
    public static MarkerContent Read(IStoreDirectory directory, string fileName)
    {
        Span<byte> slot = stackalloc byte[SlotSize];
        using IStoreFile file = directory.OpenRead(fileName);
        Marker? newest = null;
        long lowest = long.MaxValue, highest = 0;
        bool isNewer = false;
        IOException? unreadable = null;
        int verified = 0;
        for (int at = 0; at <= SecondSlot; at += SecondSlot)
        {
            int read = ReadSlot(file, slot, at, ref unreadable);
            if (!TryRead(slot[..read], out Marker marker, out bool newer))
            {
                isNewer |= newer;
                continue;
            }

            verified++;
            lowest = Math.Min(lowest, marker.Sequence);
            highest = Math.Max(highest, marker.Sequence);
            if (newest is null || marker.Generation > newest.Value.Generation) newest = marker;
        }

        // Nothing is known of it: the failure may pass.
        if (newest is null && unreadable is not null) throw unreadable;
        return new MarkerContent(newest, newest is null ? 0 : lowest, highest, isNewer, verified == 2, unreadable);
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
        int length = Encoding.UTF8.GetBytes(marker.Name ?? "", destination[NameAt..NameEnd(marker.Kind)]);
        BinaryPrimitives.WriteInt32LittleEndian(destination[64..], length);
        if (marker.Kind == MarkerKind.End) BinaryPrimitives.WriteUInt64LittleEndian(destination[LastFieldAt..], marker.Writer);
        else if (HasLastField(marker.Kind)) BinaryPrimitives.WriteInt64LittleEndian(destination[LastFieldAt..], marker.Since);
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
        var kind = (MarkerKind)BinaryPrimitives.ReadInt32LittleEndian(source[12..]);
        if (isNewerVersion || nameLength < 0 || nameLength > NameEnd(kind) - NameAt) return false;
        marker = new Marker
        {
            Kind = kind,
            StoreId = new Guid(source.Slice(16, 16)),
            Generation = BinaryPrimitives.ReadInt64LittleEndian(source[32..]),
            Sequence = BinaryPrimitives.ReadInt64LittleEndian(source[40..]),
            Segment = BinaryPrimitives.ReadInt64LittleEndian(source[48..]),
            Ticks = BinaryPrimitives.ReadInt64LittleEndian(source[56..]),
            Name = Encoding.UTF8.GetString(source.Slice(NameAt, nameLength)),
            Writer = kind == MarkerKind.End ? BinaryPrimitives.ReadUInt64LittleEndian(source[LastFieldAt..]) : 0,
            Since = kind != MarkerKind.End && HasLastField(kind) ? BinaryPrimitives.ReadInt64LittleEndian(source[LastFieldAt..]) : 0,
        };
        bool fits = marker.Kind switch
        {
            MarkerKind.Start => marker.Segment > 0 && marker.Sequence > 0,
            MarkerKind.End => marker.Segment > 0,
            MarkerKind.Cursor or MarkerKind.KeyedState or MarkerKind.State => marker.Since >= 0 && (marker.Segment == 0 || marker.Segment > marker.Sequence),
            MarkerKind.Source => marker.Segment == 0,
            _ => false,
        };
        return fits && marker.Generation > 0 && marker.Sequence >= 0 && marker.Ticks is >= 0 and <= 3155378975999999999L;
    }

    // One that the disk cannot read, also when it is asked again, does not verify: the other will do.
    private static int ReadSlot(IStoreFile file, Span<byte> slot, long at, ref IOException? unreadable)
    {
        for (int tries = 1; ; tries++)
        {
            try
            {
                return file.Read(slot, at);
            }
            catch (IOException e) when (IoFailure.IsUnreadable(e))
            {
                if (tries < 2) continue;
                unreadable = e;
                return 0;
            }
        }
    }

    private static bool HasLastField(MarkerKind kind) => kind is MarkerKind.End or MarkerKind.KeyedState or MarkerKind.State;

    private static int NameEnd(MarkerKind kind) => HasLastField(kind) ? LastFieldAt : NameAt + MaxNameBytes;

    private static SlotOwner OwnerOf(ReadOnlySpan<byte> slot) =>
        slot.Length < SlotSize ? default : new SlotOwner(BinaryPrimitives.ReadInt64LittleEndian(slot[32..]), BinaryPrimitives.ReadUInt64LittleEndian(slot[LastFieldAt..]));

    private static void WriteBoth(IStoreFile file, Marker marker)
    {
        byte[] bytes = new byte[LengthBytes];
        Write(bytes, marker);
        Write(bytes.AsSpan(SecondSlot), marker);
        file.Write(bytes, 0);
    }
}
