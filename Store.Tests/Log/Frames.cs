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

internal static class FileBytes
{
    public static byte[] Of(IStoreDirectory directory, string name)
    {
        using IStoreFile file = directory.OpenRead(name);
        byte[] bytes = new byte[file.LengthBytes];
        Assert.Equal(bytes.Length, file.Read(bytes, 0));
        return bytes;
    }

    public static void Put(IStoreDirectory directory, string name, ReadOnlySpan<byte> bytes)
    {
        using IStoreFile file = directory.List().Any(f => f.Name == name) ? directory.OpenWrite(name) : directory.Create(name);
        if (file.LengthBytes > bytes.Length) file.Truncate(bytes.Length);
        file.Write(bytes, 0);
        file.SyncData();
        directory.SyncDirectory();
    }
}
