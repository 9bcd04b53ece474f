using Store.Framing;
using Store.IO;
using Store.Log;

namespace Store.Tests.Log;

/// <summary>The frames of a segment, as the scanner reads them.</summary>
internal static class Frames
{
    public static List<FrameHeader> Of(IStoreDirectory directory, long segment)
    {
        List<FrameHeader> frames = [];
        string name = SegmentFormat.Name(segment);
        if (directory.List().All(f => f.Name != name)) return frames;
        using IStoreFile file = directory.OpenRead(name);
        Assert.Equal(SegmentHeaderStatus.Valid, SegmentHeader.TryRead(file, out SegmentHeader header));
        using var scanner = new SegmentScanner(file, header);
        FrameReadStatus status;
        while ((status = scanner.Next()) == FrameReadStatus.Frame) frames.Add(scanner.Frame);
        Assert.Equal(FrameReadStatus.End, status);
        return frames;
    }
}
