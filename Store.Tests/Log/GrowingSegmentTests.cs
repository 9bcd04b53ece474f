using Store.Framing;
using Store.IO;
using Store.Log;
using Store.Tests.Retention;
using Store.Tests.Simulation;

namespace Store.Tests.Log;

/// <summary>A segment that has a successor in memory and is not written to its end yet: begun shorter than planned, for want of room, it grows while it is read.</summary>
public class GrowingSegmentTests
{
    [Fact]
    public void WhatIsWrittenAfterAFollowerHasOpenedTheSegmentIsReadToo()
    {
        SimDirectory whole = new(), growing = new();
        RetentionTests.Grown(whole, segments: 2).Dispose();
        List<PlacedFrame> frames = Frames.WithPlaces(whole, 1);
        PlacedFrame half = frames[frames.Count / 2];
        byte[] first = FileBytes.Of(whole, SegmentFormat.Name(1));
        FileBytes.Put(growing, SegmentFormat.Name(1), first.AsSpan(0, (int)half.End));
        FileBytes.Put(growing, SegmentFormat.Name(2), FileBytes.Of(whole, SegmentFormat.Name(2)));
        SegmentHeader[] segments = [HeaderOf(whole, 1), HeaderOf(whole, 2)];

        using var scan = new RecordScan(new TwoSegments(growing, segments), ReadOptions.All, new LogSpan(segments, half.Header.LastSequence));
        List<long> seen = [];
        while (scan.NextFrame()) seen.Add(scan.Scanner.Frame.LastSequence);
        using (IStoreFile file = growing.OpenWrite(SegmentFormat.Name(1))) file.Write(first.AsSpan((int)half.End), half.End);
        scan.Extend(new LogSpan(segments, segments[1].FirstSequence - 1));
        while (scan.NextFrame()) seen.Add(scan.Scanner.Frame.LastSequence);

        Assert.Equal(frames.Where(static f => f.Header.Kind == FrameKind.Records).Select(static f => f.Header.LastSequence), seen);
        Assert.Equal(segments[1].FirstSequence - 1, seen[^1]);
    }

    private static SegmentHeader HeaderOf(IStoreDirectory directory, long number)
    {
        using IStoreFile file = directory.OpenRead(SegmentFormat.Name(number));
        Assert.Equal(SegmentHeaderStatus.Valid, SegmentHeader.TryRead(file, out SegmentHeader header));
        return header;
    }

    private sealed class TwoSegments(IStoreDirectory directory, SegmentHeader[] segments) : ILogFiles
    {
        public IStoreDirectory Directory => directory;

        public IReadOnlyList<SegmentHeader> Segments => segments;

        public LogSpan Span(bool durableOnly) => new(segments, segments[1].FirstSequence - 1);

        public string NameOf(SegmentHeader header) => SegmentFormat.Name(header.Number);

        public bool IsRetired(SegmentHeader header) => false;

        public SegmentIndex? IndexOf(IStoreFile file, SegmentHeader header, SegmentHeader? successor) => null;
    }
}
