// Makes checksums right, so that edits reach what is checked behind them. Only what the checksums cover decides where they are; bytes that lead nowhere are left as they are.

using System.Buffers.Binary;
using Store.Framing;
using Store.Log;
using Store.Retention;
using Store.Shipping;
using Store.Snapshots;

namespace Store.Fuzz.Targets;

internal static class Seals
{
    /// <summary>The header of a segment and its frames, up to the first that leads out of the file.</summary>
    public static byte[] Segment(byte[] file)
    {
        byte[] bytes = [.. file];
        if (bytes.Length < SegmentFormat.HeaderSize) return bytes;
        BinaryPrimitives.WriteUInt32LittleEndian(bytes.AsSpan(124), Crc32C.Compute(bytes.AsSpan(0, 124)));
        Frames(bytes, BinaryPrimitives.ReadUInt64LittleEndian(bytes.AsSpan(32)), SegmentFormat.HeaderSize);
        return bytes;
    }

    /// <summary>The head of a shipment and its frames.</summary>
    public static byte[] Shipment(byte[] stream)
    {
        byte[] bytes = [.. stream];
        if (bytes.Length < ShipmentHead.Size) return bytes;
        BinaryPrimitives.WriteUInt32LittleEndian(bytes.AsSpan(60), Crc32C.Compute(bytes.AsSpan(0, 60)));
        Frames(bytes, BinaryPrimitives.ReadUInt64LittleEndian(bytes.AsSpan(32)), ShipmentHead.Size);
        return bytes;
    }

    /// <summary>Both slots of a marker file.</summary>
    public static byte[] Marker(byte[] file)
    {
        byte[] bytes = [.. file];
        foreach (int at in (int[])[0, MarkerFile.SecondSlot])
        {
            if (bytes.Length < at + MarkerFile.SlotSize) continue;
            Span<byte> slot = bytes.AsSpan(at, MarkerFile.SlotSize);
            BinaryPrimitives.WriteUInt32LittleEndian(slot[^4..], Crc32C.Compute(slot[..^4]));
        }

        return bytes;
    }

    /// <summary>The description of a checkpoint of keyed state.</summary>
    public static byte[] Manifest(byte[] file)
    {
        byte[] bytes = [.. file];
        if (bytes.Length >= 4) BinaryPrimitives.WriteUInt32LittleEndian(bytes.AsSpan(bytes.Length - 4), Crc32C.Compute(bytes.AsSpan(0, bytes.Length - 4)));
        return bytes;
    }

    /// <summary>A snapshot: its length, the pages, the sections, the header.</summary>
    public static byte[] Snapshot(byte[] file)
    {
        byte[] bytes = [.. file];
        if (bytes.Length < SnapshotFormat.FixedHeaderSize) return bytes;
        int headerSize = BinaryPrimitives.ReadInt32LittleEndian(bytes.AsSpan(12));
        if (headerSize < SnapshotFormat.FixedHeaderSize || headerSize > bytes.Length) return bytes;
        BinaryPrimitives.WriteInt64LittleEndian(bytes.AsSpan(64), bytes.Length);
        int pageSize = BinaryPrimitives.ReadInt32LittleEndian(bytes.AsSpan(80));
        int count = Math.Min(BinaryPrimitives.ReadUInt16LittleEndian(bytes.AsSpan(18)), (headerSize - SnapshotFormat.FixedHeaderSize) / SnapshotFormat.SectionEntrySize);
        SnapshotSection[] sections = [.. Enumerable.Range(0, count).Select(i => SnapshotSection.Decode(bytes.AsSpan(EntryAt(i))))];
        foreach (SnapshotSection table in sections.Where(section => section.Kind == SnapshotSectionKind.PageTable && Fits(section)))
        {
            SnapshotSection data = sections.FirstOrDefault(section => section.Kind == SnapshotSectionKind.Data && section.Part == table.Part);
            if (data.Kind != SnapshotSectionKind.Data || !Fits(data) || pageSize <= 0) continue;
            for (long page = 0; page * pageSize < data.LengthBytes && (page + 1) * 4 <= table.LengthBytes; page++)
            {
                int length = (int)Math.Min(pageSize, data.LengthBytes - (page * pageSize));
                BinaryPrimitives.WriteUInt32LittleEndian(bytes.AsSpan((int)(table.Offset + (page * 4))), Crc32C.Compute(bytes.AsSpan((int)(data.Offset + (page * pageSize)), length)));
            }
        }

        for (int i = 0; i < sections.Length; i++)
        {
            if (sections[i].Kind == SnapshotSectionKind.Data || !Fits(sections[i])) continue;
            BinaryPrimitives.WriteUInt32LittleEndian(bytes.AsSpan(EntryAt(i) + 4), Crc32C.Compute(bytes.AsSpan((int)sections[i].Offset, (int)sections[i].LengthBytes)));
        }

        BinaryPrimitives.WriteUInt32LittleEndian(bytes.AsSpan(8), Crc32C.Compute(bytes.AsSpan(12, headerSize - 12)));
        return bytes;

        static int EntryAt(int i) => SnapshotFormat.FixedHeaderSize + (i * SnapshotFormat.SectionEntrySize);

        bool Fits(SnapshotSection section) => section.Offset >= 0 && section.LengthBytes >= 0 && section.LengthBytes <= bytes.Length && section.Offset <= bytes.Length - section.LengthBytes;
    }

    private static void Frames(Span<byte> bytes, ulong id, int at)
    {
        Span<byte> place = stackalloc byte[16];
        while (bytes.Length - at >= FrameFormat.HeaderSize)
        {
            Span<byte> header = bytes.Slice(at, FrameFormat.HeaderSize);
            if (!header.ContainsAnyExcept((byte)0)) return;
            int payload = BinaryPrimitives.ReadInt32LittleEndian(header[4..]);
            bool fits = payload >= 0 && payload <= bytes.Length - at - FrameFormat.HeaderSize;
            if (fits) BinaryPrimitives.WriteUInt32LittleEndian(header[8..], Crc32C.Compute(bytes.Slice(at + FrameFormat.HeaderSize, payload)));
            BinaryPrimitives.WriteUInt64LittleEndian(place, id);
            BinaryPrimitives.WriteInt64LittleEndian(place[8..], at);
            BinaryPrimitives.WriteUInt32LittleEndian(header, Crc32C.Append(Crc32C.Compute(place), header[4..]));
            if (!fits) return;
            at += (int)Math.Min(FrameFormat.SizeOf(payload), bytes.Length - at);
        }
    }
}
