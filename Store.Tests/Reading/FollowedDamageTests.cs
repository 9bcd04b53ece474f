using Store.Framing;
using Store.IO;
using Store.Log;
using Store.Reading;
using Store.Retention;
using Store.Tests.Log;
using Store.Tests.Retention;
using Store.Tests.Simulation;

namespace Store.Tests.Reading;

/// <summary>A follower from outside names damage wherever it is, waits for whatever a writer may still finish, and never looks more often than it says.</summary>
public class FollowedDamageTests
{
    private const int Rounds = 12;

    private enum Harm
    {
        Header,
        Payload,
        ZeroedFrame,
    }

    // A store of one segment or one file, with frames of a few records each.
    private static NinoStore Written(SimDirectory directory, bool oneFile, bool commit)
    {
        NinoStoreOptions options = Simulated.Options(directory) with { FirstSegmentSizeBytes = 64 * 1024 };
        NinoStore store = oneFile ? NinoLog.Create("log.bin", options) : NinoStore.Open("sim", options);
        for (int i = 0; i < Rounds; i++) AppendFrame(store, commit);
        return store;
    }

    private static void AppendFrame(NinoStore store, bool commit)
    {
        for (int i = 0; i < 5; i++) store.Append((int)store.LastSequence + 1);
        if (commit) Simulated.Commit(store);
        else store.Opened.Log.Wait(Durability.PageCache);
    }

    private static string NameOf(bool oneFile) => oneFile ? "log.bin" : SegmentFormat.Name(1);

    private static SegmentHeader HeaderOf(IStoreDirectory directory, string name)
    {
        using IStoreFile file = directory.OpenRead(name);
        Assert.Equal(SegmentHeaderStatus.Valid, SegmentHeader.TryRead(file, out SegmentHeader header));
        return header;
    }

    private static List<(long Offset, FrameHeader Frame)> FramesOf(IStoreDirectory directory, string name)
    {
        List<(long, FrameHeader)> frames = [];
        using IStoreFile file = directory.OpenRead(name);
        using var scanner = new SegmentScanner(file, HeaderOf(directory, name));
        while (scanner.Next() == FrameReadStatus.Frame) frames.Add((scanner.FrameOffset, scanner.Frame));
        return frames;
    }

    // A frame of records in the middle, so that others are before and behind it.
    private static (long Offset, FrameHeader Frame) Middle(IStoreDirectory directory, string name)
    {
        (long Offset, FrameHeader Frame)[] frames = [.. FramesOf(directory, name).Where(static f => f.Frame.Kind == FrameKind.Records)];
        Assert.InRange(frames.Length, 8, int.MaxValue);
        return frames[frames.Length / 2];
    }

    private static void Damage(SimDirectory directory, string name, long offset, FrameHeader frame, Harm harm)
    {
        byte[] bytes = FileBytes.Of(directory, name);
        if (harm == Harm.ZeroedFrame) bytes.AsSpan((int)offset, (int)frame.FrameLength).Clear();
        else bytes[offset + (harm == Harm.Header ? 8 : FrameFormat.HeaderSize + 3)] ^= 1;
        FileBytes.Put(directory, name, bytes);
    }

    private static async Task<(List<long> Seen, Exception? Failure)> FollowAsync(FileFollower follower, SegmentHeader first, Ticking time, ReadOptions? range = null)
    {
        List<long> seen = [];
        Exception? failure = await Record.ExceptionAsync(async () =>
        {
            await foreach (LogRecord record in follower.FollowAsync(range ?? ReadOptions.All, first, time.Stop).ConfigureAwait(false)) seen.Add(record.Sequence);
        });
        return (seen, failure);
    }

    [Theory]
    [InlineData(true, true)]
    [InlineData(true, false)]
    [InlineData(false, true)]
    [InlineData(false, false)]
    public async Task DamageIsNamedWhereAFrameBehindItSaysThatItWasOnTheDisk(bool oneFile, bool isClosed)
    {
        foreach (Harm harm in Enum.GetValues<Harm>())
        {
            var live = new SimDirectory();
            NinoStore store = Written(live, oneFile, commit: true);
            if (isClosed) store.Dispose();
            SimDirectory directory = live.KillProcess();
            string name = NameOf(oneFile);
            (long offset, FrameHeader frame) = Middle(directory, name);
            Damage(directory, name, offset, frame, harm);
            var time = new Ticking(mostWaits: 200);

            (List<long> seen, Exception? failure) = await FollowAsync(new FileFollower(directory, oneFile ? name : null, null, time), HeaderOf(directory, name), time);

            var corrupt = Assert.IsType<StoreCorruptException>(failure);
            Assert.Equal(offset, corrupt.Offset);
            Assert.Contains(name, corrupt.Message, StringComparison.Ordinal);
            Assert.Contains("inspect verify", corrupt.Message, StringComparison.Ordinal);
            Assert.Equal(Enumerable.Range(1, (int)frame.FirstSequence - 1).Select(static n => (long)n), seen);
            Assert.InRange(time.Waits, 4, 12);
        }
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task DamageIsNamedWhereTheWriterGoesOnBehindItAlsoWithoutASync(bool oneFile)
    {
        foreach (Harm harm in Enum.GetValues<Harm>())
        {
            var directory = new SimDirectory();
            using NinoStore store = Written(directory, oneFile, commit: false);
            string name = NameOf(oneFile);
            (long offset, FrameHeader frame) = Middle(directory, name);
            Damage(directory, name, offset, frame, harm);

            // Nothing proves it as long as the writer rests.
            var resting = new Ticking(mostWaits: 100);
            Assert.IsAssignableFrom<OperationCanceledException>((await FollowAsync(new FileFollower(directory, oneFile ? name : null, null, resting), HeaderOf(directory, name), resting)).Failure);
            var time = new Ticking(mostWaits: 200) { OnWait = wait => { if (wait == 20) AppendFrame(store, commit: false); } };

            (List<long> seen, Exception? failure) = await FollowAsync(new FileFollower(directory, oneFile ? name : null, null, time), HeaderOf(directory, name), time);

            Assert.Equal(offset, Assert.IsType<StoreCorruptException>(failure).Offset);
            Assert.Equal(frame.FirstSequence - 1, seen.Count);
            Assert.InRange(time.Waits, 20, 30);
        }
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task AFrameThatASlowWriterHasNotFinishedIsWaitedForHoweverLongItTakes(bool oneFile)
    {
        var directory = new SimDirectory();
        using NinoStore store = Written(directory, oneFile, commit: true);
        string name = NameOf(oneFile);
        (long offset, FrameHeader frame) = FramesOf(directory, name).Last(static f => f.Frame.Kind == FrameKind.Records);
        int cuts = 0;
        for (long end = offset; end < offset + frame.FrameLength; end += cuts % 2 == 0 ? 1 : 3)
        {
            cuts++;
            var slow = new SlowDirectory(directory, end);
            var time = new Ticking(mostWaits: 80) { OnWait = wait => { if (wait == 60) slow.Finish(); } };

            (List<long> seen, Exception? failure) = await FollowAsync(new FileFollower(slow, oneFile ? name : null, null, time), HeaderOf(directory, name), time);

            Assert.IsAssignableFrom<OperationCanceledException>(failure);
            Assert.Equal(store.LastSequence, seen.Count);
            Assert.Equal(store.LastSequence, seen[^1]);
        }

        Assert.True(cuts > 30);
    }

    // Later sectors may survive a power failure that earlier ones do not: nobody was told, and the writer's next opening goes on from there.
    [Fact]
    public async Task WhatAPowerFailureToreIsWaitedForUntilTheWriterHasCutIt()
    {
        var live = new SimDirectory();
        Written(live, oneFile: false, commit: false);
        SimDirectory directory = live.KillProcess();
        string name = NameOf(oneFile: false);
        (long offset, FrameHeader frame) = Middle(directory, name);
        Damage(directory, name, offset, frame, Harm.ZeroedFrame);
        NinoStore? again = null;
        var time = new Ticking(mostWaits: 150)
        {
            OnWait = wait =>
            {
                if (wait == 100) again = Simulated.Open(directory, 5);
                if (wait is > 100 and < 120) AppendFrame(again!, commit: true);
            },
        };

        (List<long> seen, Exception? failure) = await FollowAsync(new FileFollower(directory, null, null, time), HeaderOf(directory, name), time);

        Assert.IsAssignableFrom<OperationCanceledException>(failure);
        Assert.Equal(again!.LastSequence, seen.Count);
        Assert.Equal(frame.FirstSequence - 1 + (19 * 5), seen[^1]);
        Assert.Equal(StoreDamageKind.TornTail, Assert.Single(again.Recovery.Damage).Kind);
    }

    [Fact]
    public async Task WhileNothingHappensLooksAreAtMost64MillisecondsApartAndNeverCloserThanTheyGrow()
    {
        var directory = new SimDirectory();
        using NinoStore store = Written(directory, oneFile: false, commit: true);
        var time = new Ticking(mostWaits: 1000);
        var follower = new FileFollower(directory, null, null, time);

        await FollowAsync(follower, HeaderOf(directory, SegmentFormat.Name(1)), time);

        // 1, 2, 4 ... 64, 64: a busy loop would wait for nothing.
        Assert.Equal(1000, time.Waits);
        Assert.InRange(follower.IdleLooks, 1000, 1001);
        Assert.Equal([1, 2, 4, 8, 16, 32, 64, 64], time.Asked.Take(8).Select(static t => (int)t.TotalMilliseconds));
        Assert.Equal(63 + (64 * (1000 - 6)), time.Asked.Sum(static t => (int)t.TotalMilliseconds));

        // A record that comes makes the next looks close again, and no more looks than that.
        var busy = new Ticking(mostWaits: 100) { OnWait = wait => { if (wait == 50) AppendFrame(store, commit: true); } };
        follower = new FileFollower(directory, null, null, busy);
        (List<long> seen, _) = await FollowAsync(follower, HeaderOf(directory, SegmentFormat.Name(1)), busy);
        Assert.Equal(store.LastSequence, seen[^1]);
        Assert.Equal([64, 1, 2], busy.Asked.Skip(49).Take(3).Select(static t => (int)t.TotalMilliseconds));
        Assert.InRange(follower.IdleLooks, 100, 101);
    }

    // A watch that never tells anything, as of a folder that others write to through a network, and one of which the system has said so.
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task WhereNoNoticesComeLooksAreAtMost64MillisecondsApart(bool isDead)
    {
        var directory = new SimDirectory();
        using NinoStore store = Written(directory, oneFile: false, commit: true);
        using var watch = new SilentWatch { IsDead = isDead };
        var time = new Ticking(mostWaits: 400) { OnWait = wait => { if (wait == 100) AppendFrame(store, commit: true); } };

        (List<long> seen, _) = await FollowAsync(new FileFollower(directory, null, watch, time), HeaderOf(directory, SegmentFormat.Name(1)), time);

        Assert.Equal(store.LastSequence, seen[^1]);
        int LongestOf(IEnumerable<TimeSpan> waits) => (int)waits.Max().TotalMilliseconds;
        Assert.Equal(isDead ? 64 : 500, LongestOf(time.Asked.Take(100)));
        Assert.Equal(64, LongestOf(time.Asked.Skip(105)));
    }

    private sealed class SilentWatch : IFolderWatch
    {
        private readonly TaskCompletionSource _never = new();

        public Task Changed => _never.Task;

        public bool HasTold => false;

        public bool IsDead { get; init; }

        public void Dispose() { }
    }

    // What a look costs while nothing happens: a header at the end of the log; once nothing came for three looks, what lies behind, a mebibyte a look until all of it was seen, and then 64 KiB a look.
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task AFollowerThatWaitsReadsAHeaderALookAndNoMoreThanAPieceOfWhatLiesBehind(bool isTruncated)
    {
        const int LengthBytes = 4 * 1024 * 1024, Stride = 64 * 1024, OverlapBytes = FrameFormat.HeaderSize;
        var directory = new SimDirectory();
        using NinoStore store = Simulated.Open(directory, change: static o => o with { FirstSegmentSizeBytes = LengthBytes, SegmentSizeBytes = LengthBytes, BufferSizeBytes = 16 * 1024 * 1024 });
        if (isTruncated)
        {
            while (RetentionTests.Segments(directory).Length < 2)
            {
                store.AppendBatch<int>([.. Enumerable.Range((int)store.LastSequence + 1, 5000)]);
                Simulated.Commit(store);
            }

            Assert.True(store.TruncateBefore(long.MaxValue).SegmentsRemoved > 0);
        }

        AppendFrame(store, commit: true);
        string name = SegmentFormat.Name(RetentionTests.Segments(directory)[^1]);
        long end = FramesOf(directory, name)[^1] is var (offset, frame) ? offset + frame.FrameLength : 0;
        var counting = new CountingDirectory(directory);
        List<long> bytes = [];
        var time = new Ticking(mostWaits: 150) { OnWait = _ => bytes.Add(counting.BytesRead) };

        (List<long> seen, _) = await FollowAsync(new FileFollower(counting, null, null, time), HeaderOf(directory, name), time);

        Assert.Equal(store.LastSequence, seen[^1]);
        Assert.Equal(150, bytes.Count);

        // Both copies of the mark that says where the log begins, where there is one: has retention overtaken it?
        int marks = isTruncated ? 2 * MarkerFile.SlotSize : 0;

        // Every sixteenth look opens the file by its name: is it still the one that is read?
        long Cost(int look) => bytes[look] - bytes[look - 1] - marks - ((look + 1) % 16 == 0 ? SegmentFormat.HeaderSize + (2 * FrameFormat.HeaderSize) : 0);
        Assert.All(Enumerable.Range(1, 2), look => Assert.Equal(FrameFormat.HeaderSize, Cost(look)));
        Assert.All(Enumerable.Range(3, 3), look => Assert.Equal(FrameFormat.HeaderSize + (16 * (Stride + OverlapBytes)), Cost(look)));
        Assert.All(Enumerable.Range(7, 143), look => Assert.InRange(Cost(look), FrameFormat.HeaderSize + 1, FrameFormat.HeaderSize + Stride + OverlapBytes));
        Assert.Equal(FrameFormat.HeaderSize + Stride + OverlapBytes, Cost(7));

        // So often the rest of the file is gone through again.
        long pass = (LengthBytes - end + Stride - 1) / Stride;
        Assert.Equal(Cost(10), Cost(10 + (int)pass));
    }

    /// <summary>The log's file ends in the middle of a frame until its writer has finished it.</summary>
    private sealed class SlowDirectory(IStoreDirectory inner, long end) : LookOnlyDirectory(inner)
    {
        private long _end = end;

        public void Finish() => Volatile.Write(ref _end, long.MaxValue);

        public override IStoreFile OpenRead(string name) => new SlowFile(base.OpenRead(name), this);

        private sealed class SlowFile(IStoreFile inner, SlowDirectory owner) : PassThroughFile(inner)
        {
            public override int Read(Span<byte> destination, long offset)
            {
                int read = base.Read(destination, offset);
                long end = Volatile.Read(ref owner._end);
                if (offset + read > end) destination[(int)Math.Max(0, end - offset)..read].Clear();
                return read;
            }
        }
    }
}
