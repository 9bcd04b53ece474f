using Store.Framing;
using Store.IO;
using Store.Log;

namespace Store.Tests.Log;

/// <summary>The frames of a segment, as the scanner reads them.</summary>
internal static class Frames
{
    public static List<FrameHeader> Of(IStoreDirectory directory, long segment) => WithPlaces(directory, segment).ConvertAll(static frame => frame.Header);

    public static List<PlacedFrame> WithPlaces(IStoreDirectory directory, long segment)
    {
        List<PlacedFrame> frames = [];
        string name = SegmentFormat.Name(segment);
        if (directory.List().All(f => f.Name != name)) return frames;
        using IStoreFile file = directory.OpenRead(name);
        Assert.Equal(SegmentHeaderStatus.Valid, SegmentHeader.TryRead(file, out SegmentHeader header));
        using var scanner = new SegmentScanner(file, header);
        FrameReadStatus status;
        while ((status = scanner.Next()) == FrameReadStatus.Frame) frames.Add(new PlacedFrame(scanner.FrameOffset, scanner.Frame));
        Assert.Equal(FrameReadStatus.End, status);
        return frames;
    }
}

/// <summary>A frame and where it begins in its segment.</summary>
internal sealed record PlacedFrame(long Offset, FrameHeader Header)
{
    /// <summary>The first byte behind it.</summary>
    public long End => Offset + Header.FrameLength;

    /// <summary>True when a byte is one that the payload's checksum covers.</summary>
    public bool HoldsInPayload(long at) => at >= Offset + FrameFormat.HeaderSize && at < Offset + FrameFormat.HeaderSize + Header.PayloadLength;
}
