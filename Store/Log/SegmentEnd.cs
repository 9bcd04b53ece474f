// What does the end of a sealed segment say? Its footer, at a place that the successor's header names, and the index that the footer names.

using Store.Framing;
using Store.IO;

namespace Store.Log;

internal static class SegmentEnd
{
    /// <summary>The footer that ends at an offset; null when there is none that verifies.</summary>
    public static SegmentFooter? ReadFooter(IStoreFile file, SegmentHeader header, long end)
    {
        long offset = end - SegmentFormat.FooterFrameSize;
        if (offset < SegmentFormat.HeaderSize) return null;
        Span<byte> bytes = stackalloc byte[SegmentFormat.FooterFrameSize];
        int read = ReadOrNothing(file, bytes, offset);
        if (!FrameHeader.TryRead(bytes[..read], header.SegmentId, offset, out FrameHeader frame) || frame.Kind != FrameKind.Footer || frame.PayloadLength != SegmentFooter.Size) return null;
        ReadOnlySpan<byte> payload = bytes.Slice(FrameFormat.HeaderSize, SegmentFooter.Size);
        return Crc32C.Compute(payload) == frame.PayloadChecksum && SegmentFooter.TryRead(payload, out SegmentFooter footer) ? footer : null;
    }

    /// <summary>The index in front of the footer that ends at an offset; null when there is none that verifies.</summary>
    public static SegmentIndex? ReadIndex(IStoreFile file, SegmentHeader header, long end)
    {
        if (ReadFooter(file, header, end) is not { } footer) return null;
        long offset = footer.IndexOffset, length = end - SegmentFormat.FooterFrameSize - offset;
        if (offset < SegmentFormat.HeaderSize || length < FrameFormat.HeaderSize || length > SegmentIndex.MaxFrameSize) return null;
        byte[] bytes = new byte[length];
        if (ReadOrNothing(file, bytes, offset) != bytes.Length) return null;
        if (!FrameHeader.TryRead(bytes, header.SegmentId, offset, out FrameHeader frame) || !frame.IsPlausible || frame.Kind != FrameKind.Index || frame.FrameLength != length) return null;
        ReadOnlySpan<byte> payload = bytes.AsSpan(FrameFormat.HeaderSize, frame.PayloadLength);
        return Crc32C.Compute(payload) == frame.PayloadChecksum && SegmentIndex.TryRead(payload, offset, out SegmentIndex index) ? index : null;
    }

    /// <summary>The index that a segment should have, from its frames up to the first one that does not verify or that the disk cannot read.</summary>
    public static SegmentIndex BuildIndex(IStoreFile file, SegmentHeader header)
    {
        var builder = new SegmentIndexBuilder();
        using var scanner = new SegmentScanner(file, header);
        try
        {
            while (scanner.Next() == FrameReadStatus.Frame) builder.Add(scanner.Frame.Kind, scanner.FrameOffset, scanner.Frame.FirstSequence, scanner.Frame.TimeTicks);
        }
        catch (IOException e) when (IoFailure.IsUnreadable(e))
        {
            // An index only shortens the way: what is behind its last entry is read from there on, and whoever needs the bytes that cannot be read is told of them then.
        }

        return builder.ToIndex();
    }

    // The end of a segment is a hint, and the records before it are whole: a sector of it that the disk cannot read keeps nobody from them.
    private static int ReadOrNothing(IStoreFile file, Span<byte> destination, long offset)
    {
        try
        {
            return file.Read(destination, offset);
        }
        catch (IOException e) when (IoFailure.IsUnreadable(e))
        {
            return 0;
        }
    }
}
