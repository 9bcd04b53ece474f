// Where in a segment is a sequence, or a time? A sparse index: one entry about every 32 KiB, and the places of the schemas that a reader needs who starts
// in the middle. It is a hint: a reader verifies the frame it leads to, and scans the segment when it is absent, damaged or wrong.
// Format page: docs/formats/segment.md.
//
//   offset  size  field
//        0     4  entries
//        4     4  schemas
//        8  24 n  per entry: sequence of the first record of a frame, its time in UTC ticks, the frame's offset; ascending
//           8 m   offset of each schema frame; ascending

using System.Buffers.Binary;
using Store.Framing;

namespace Store.Log;

/// <summary>One place in a segment.</summary>
/// <param name="Sequence">Sequence of the first record of the frame.</param>
/// <param name="Ticks">Time of the frame, UTC ticks.</param>
/// <param name="Offset">Where the frame starts.</param>
internal readonly record struct IndexEntry(long Sequence, long Ticks, long Offset);

/// <summary>The sparse index of one segment as it was at one moment. Immutable; safe for any number of threads.</summary>
internal sealed class SegmentIndex
{
    public const int HeadSize = 8;
    public const int EntrySize = 24;
    public const int SchemaSize = 8;

    /// <summary>Most entries of an index: a log in one file may become as long as the disk, and its index gets coarser instead of longer.</summary>
    public const int MaxEntries = 32 * 1024;

    /// <summary>Most bytes of an index frame that a correct writer writes.</summary>
    public static readonly long MaxFrameSize = FrameSize(MaxEntries, ushort.MaxValue);

    private readonly ReadOnlyMemory<IndexEntry> _entries;
    private readonly ReadOnlyMemory<long> _schemas;

    /// <param name="entries">The entries; they never change any more.</param>
    /// <param name="schemas">The offsets of the schema frames; they never change any more.</param>
    public SegmentIndex(ReadOnlyMemory<IndexEntry> entries, ReadOnlyMemory<long> schemas) => (_entries, _schemas) = (entries, schemas);

    /// <summary>The entries, ascending.</summary>
    public ReadOnlySpan<IndexEntry> Entries => _entries.Span;

    /// <summary>Offsets of the schema frames, ascending.</summary>
    public ReadOnlySpan<long> Schemas => _schemas.Span;

    /// <summary>Bytes of the frame that holds an index of so many entries.</summary>
    public static long FrameSize(int entries, int schemas) => FrameFormat.SizeOf(HeadSize + ((long)entries * EntrySize) + ((long)schemas * SchemaSize));

    /// <summary>The last entry at or before a sequence; null when the segment is to be read from its start.</summary>
    public IndexEntry? FindSequence(long sequence)
    {
        ReadOnlySpan<IndexEntry> entries = Entries;
        int low = 0, high = entries.Length;
        while (low < high)
        {
            int middle = low + ((high - low) / 2);
            if (entries[middle].Sequence <= sequence) low = middle + 1;
            else high = middle;
        }

        return low == 0 ? null : entries[low - 1];
    }

    /// <summary>The last entry before a time (the frames after it may have that time); null when the segment is to be read from its start.</summary>
    public IndexEntry? FindTime(long ticks)
    {
        ReadOnlySpan<IndexEntry> entries = Entries;
        int low = 0, high = entries.Length;
        while (low < high)
        {
            int middle = low + ((high - low) / 2);
            if (entries[middle].Ticks < ticks) low = middle + 1;
            else high = middle;
        }

        return low == 0 ? null : entries[low - 1];
    }

    /// <summary>True when the beginning of a segment holds nothing of a range, so that looking into the index is worth it.</summary>
    public static bool IsWorthwhile(ReadOptions options, SegmentHeader header) => options.FromSequence > header.FirstSequence || options.FromTime.UtcTicks > header.CreatedTicks;

    /// <summary>The last entry with nothing of a range before it; null when the segment is to be read from its start.</summary>
    public IndexEntry? Find(ReadOptions options)
    {
        IndexEntry? bySequence = FindSequence(options.FromSequence), byTime = FindTime(options.FromTime.UtcTicks);
        return byTime is null || bySequence?.Sequence >= byTime.Value.Sequence ? bySequence : byTime;
    }

    /// <summary>Reads the payload of a verified index frame; false when it is not one that a correct writer wrote.</summary>
    /// <param name="payload">The payload.</param>
    /// <param name="end">Offset of the index frame: everything it names lies before.</param>
    /// <param name="index">The index.</param>
    public static bool TryRead(ReadOnlySpan<byte> payload, long end, out SegmentIndex index)
    {
        index = null!;
        if (payload.Length < HeadSize) return false;
        int entries = BinaryPrimitives.ReadInt32LittleEndian(payload), schemas = BinaryPrimitives.ReadInt32LittleEndian(payload[4..]);
        if (entries < 0 || schemas < 0 || payload.Length != HeadSize + ((long)entries * EntrySize) + ((long)schemas * SchemaSize)) return false;
        payload = payload[HeadSize..];
        var read = new IndexEntry[entries];
        IndexEntry last = new(0, 0, SegmentFormat.HeaderSize - 1);
        foreach (ref IndexEntry entry in read.AsSpan())
        {
            entry = new IndexEntry(BinaryPrimitives.ReadInt64LittleEndian(payload), BinaryPrimitives.ReadInt64LittleEndian(payload[8..]), BinaryPrimitives.ReadInt64LittleEndian(payload[16..]));
            if (entry.Sequence <= last.Sequence || entry.Ticks < last.Ticks || entry.Offset <= last.Offset || entry.Offset >= end) return false;
            last = entry;
            payload = payload[EntrySize..];
        }

        var places = new long[schemas];
        long lastPlace = SegmentFormat.HeaderSize - 1;
        foreach (ref long place in places.AsSpan())
        {
            place = BinaryPrimitives.ReadInt64LittleEndian(payload);
            if (place <= lastPlace || place >= end) return false;
            lastPlace = place;
            payload = payload[SchemaSize..];
        }

        index = new SegmentIndex(read, places);
        return true;
    }
}

/// <summary>Gathers the index of a segment frame by frame, in file order. Not thread-safe; the indexes it gives are.</summary>
internal sealed class SegmentIndexBuilder
{
    private const int FirstIntervalBytes = 32 * 1024;

    // Only ever added to: an index that was given away is a beginning of them, and costs no copy.
    private IndexEntry[] _entries = [];
    private long[] _schemas = [];
    private int _entryCount;
    private int _schemaCount;
    private long _intervalBytes = FirstIntervalBytes;

    /// <summary>Room that the index and the footer will take after one more frame with records and one more schema.</summary>
    public long ReservedBytes => SegmentIndex.FrameSize(_entryCount + 1, _schemaCount + 1) + SegmentFormat.FooterFrameSize;

    /// <summary>Bytes of the index frame as it is now.</summary>
    public long FrameSize => SegmentIndex.FrameSize(_entryCount, _schemaCount);

    /// <summary>Takes a frame into account.</summary>
    public void Add(FrameKind kind, long offset, long firstSequence, long ticks)
    {
        if (kind == FrameKind.Schema) Add(ref _schemas, ref _schemaCount, offset);
        if (kind != FrameKind.Records || (_entryCount > 0 && offset - _entries[_entryCount - 1].Offset < _intervalBytes)) return;
        if (_entryCount == SegmentIndex.MaxEntries) Thin();
        Add(ref _entries, ref _entryCount, new IndexEntry(firstSequence, ticks, offset));
    }

    /// <summary>The index as it is now.</summary>
    public SegmentIndex ToIndex() => new(_entries.AsMemory(0, _entryCount), _schemas.AsMemory(0, _schemaCount));

    /// <summary>The payload of the index frame.</summary>
    public byte[] ToPayload()
    {
        byte[] payload = new byte[SegmentIndex.HeadSize + (_entryCount * SegmentIndex.EntrySize) + (_schemaCount * SegmentIndex.SchemaSize)];
        BinaryPrimitives.WriteInt32LittleEndian(payload, _entryCount);
        BinaryPrimitives.WriteInt32LittleEndian(payload.AsSpan(4), _schemaCount);
        Span<byte> rest = payload.AsSpan(SegmentIndex.HeadSize);
        foreach (ref readonly IndexEntry entry in _entries.AsSpan(0, _entryCount))
        {
            BinaryPrimitives.WriteInt64LittleEndian(rest, entry.Sequence);
            BinaryPrimitives.WriteInt64LittleEndian(rest[8..], entry.Ticks);
            BinaryPrimitives.WriteInt64LittleEndian(rest[16..], entry.Offset);
            rest = rest[SegmentIndex.EntrySize..];
        }

        foreach (long offset in _schemas.AsSpan(0, _schemaCount))
        {
            BinaryPrimitives.WriteInt64LittleEndian(rest, offset);
            rest = rest[SegmentIndex.SchemaSize..];
        }

        return payload;
    }

    /// <summary>Forgets everything: a new segment begins.</summary>
    public void Clear()
    {
        (_entries, _schemas, _entryCount, _schemaCount) = ([], [], 0, 0);
        _intervalBytes = FirstIntervalBytes;
    }

    private void Thin()
    {
        var half = new IndexEntry[_entries.Length];
        for (int i = 0; i < _entryCount / 2; i++) half[i] = _entries[2 * i];
        (_entries, _entryCount) = (half, _entryCount / 2);
        _intervalBytes *= 2;
    }

    private static void Add<T>(ref T[] items, ref int count, T item)
    {
        if (count == items.Length) Array.Resize(ref items, Math.Max(16, count * 2));
        items[count++] = item;
    }
}
