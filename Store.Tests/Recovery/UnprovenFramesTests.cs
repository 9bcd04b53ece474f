using Store.Log;
using Store.Recovery;

namespace Store.Tests.Recovery;

/// <summary>How much of a segment is known to be durable is never overstated, and exact as long as few frames are in doubt.</summary>
public class UnprovenFramesTests
{
    [Fact]
    public void WhatALaterFrameConfirmsIsDurableToTheByte()
    {
        var frames = new UnprovenFrames();
        Assert.Equal(SegmentFormat.HeaderSize, frames.DurableOffset);
        for (int i = 1; i <= 10; i++) frames.Add(1000 * i, 5 * i);
        frames.Prove(4);
        Assert.Equal(SegmentFormat.HeaderSize, frames.DurableOffset);
        frames.Prove(26);
        Assert.Equal(5000, frames.DurableOffset);
        frames.Prove(50);
        Assert.Equal(10_000, frames.DurableOffset);
    }

    [Fact]
    public void OfVeryManyAFewAreHeldForLessDurableThanTheyAreAndNoneForMore()
    {
        var random = new Random(7);
        var frames = new UnprovenFrames();
        long synced = 0, last = 0;
        for (long i = 1; i <= 50L * UnprovenFrames.Max; i++)
        {
            frames.Add(1000 * i, i);
            if (random.Next(UnprovenFrames.Max) == 0) synced = random.NextInt64(synced, i + 1);
            frames.Prove(synced);
            Assert.InRange(frames.DurableOffset, last, Math.Max(SegmentFormat.HeaderSize, 1000 * synced));
            last = frames.DurableOffset;
        }

        // Everything confirmed: the last frame is always remembered.
        frames.Prove(long.MaxValue);
        Assert.Equal(1000 * 50L * UnprovenFrames.Max, frames.DurableOffset);
    }

    [Fact]
    public void AMillionFramesInDoubtTakeNoMoreMemoryThanAFew()
    {
        var frames = new UnprovenFrames();
        for (long i = 1; i <= 2 * UnprovenFrames.Max; i++) frames.Add(i, i);
        Assert.Equal(0, Allocated.Least(() =>
        {
            for (long i = 1; i <= 1_000_000; i++) frames.Add(i, i);
        }));
    }
}
