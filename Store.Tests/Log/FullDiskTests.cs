using Microsoft.Extensions.Logging.Abstractions;
using Store.IO;
using Store.Log;
using Store.Retention;
using Store.Tests.Retention;
using Store.Tests.Simulation;
using Xunit.Abstractions;

namespace Store.Tests.Log;

/// <summary>A disk that is full, at every size it may have: nothing acknowledged is lost, the store opens again, and what retention frees can be written.</summary>
public class FullDiskTests(ITestOutputHelper output)
{
    private const int PageBytes = SimContent.PageSize;

    [Theory]
    [InlineData(Durability.Disk, 0)]
    [InlineData(Durability.PageCache, 4096)]
    public void WhereverTheDiskIsFullNothingAcknowledgedIsLostAndRetentionMakesRoom(Durability durability, int freeBytes)
    {
        const int MarkBytes = 8 * 1024;
        int full = 0, freed = 0;
        for (long capacity = 2 * PageBytes; ; capacity += PageBytes)
        {
            var disk = new SimDirectory { CapacityBytes = capacity };
            (long acknowledged, bool wasFull) = Fill(disk, durability, wantedSegments: 6);
            if (!wasFull) break;
            full++;

            // Before there is a store, one is made: that needs room.
            SimDirectory after = disk.KillProcess();
            if (acknowledged == 0) continue;
            after.CapacityBytes = after.UsedBytes + freeBytes;
            using (NinoStore store = Simulated.Open(after, seed: 2))
            {
                Assert.True(store.LastSequence >= acknowledged, $"{capacity}: {store.LastSequence} records, and {acknowledged} were acknowledged");
                RetentionTests.IsWhole(store);
                after.CapacityBytes = after.UsedBytes + MarkBytes;
                if (store.TruncateBefore(long.MaxValue).BytesRemoved < 16 * 1024) continue;
                freed++;
                for (int i = 0; i < 100; i++) store.Append((int)store.LastSequence + 1);
                Simulated.Commit(store);
                RetentionTests.IsWhole(store);

                var copy = new SimDirectory();
                store.BackupTo(copy);
                using NinoStore copied = Simulated.Open(copy, seed: 3);
                Assert.Equal((store.FirstSequence, store.LastSequence), (copied.FirstSequence, copied.LastSequence));
                RetentionTests.IsWhole(copied);
            }

            using NinoStore again = Simulated.Open(after, seed: 4);
            Assert.True(again.Recovery.CleanClose);
            RetentionTests.IsWhole(again);
        }

        Assert.True(full > 50 && freed > 20, $"full {full} times, and retention freed room {freed} times");
        Effort.Tell(output, "full disks", full, "no chance in it", $"{durability}; retention freed room {freed} times");
    }

    // The old segment is complete by then: the next opening needs no room, and what is appended does.
    [Fact]
    public void ARollThatFailedForWantOfRoomLetsTheStoreOpenAndTruncate()
    {
        var directory = new SimDirectory();
        NinoStore store = RetentionTests.Grown(directory, segments: 4);
        directory.CapacityBytes = directory.UsedBytes;
        Exception? failure = Record.Exception(() => RetentionTests.Grow(store, directory, 5));
        Assert.Equal(IoFailure.NoSpace, Assert.IsType<StoreFailedException>(failure).InnerException!.HResult);
        long acknowledged = store.DurableSequence;
        store.Dispose();

        using NinoStore reopened = Simulated.Open(directory, seed: 2);
        Assert.Equal([1, 2, 3, 4], RetentionTests.Segments(directory));
        Assert.Equal(acknowledged, reopened.LastSequence);
        directory.CapacityBytes += 8 * 1024;
        Assert.Equal(3, reopened.TruncateBefore(long.MaxValue).SegmentsRemoved);
        Assert.Equal(acknowledged + 1, reopened.Append((int)acknowledged + 1));
        Simulated.Commit(reopened);
        Assert.Equal([4, 5], RetentionTests.Segments(directory));
        RetentionTests.IsWhole(reopened);
    }

    [Fact]
    public void AStoreThatIsOpenedOnACompleteSegmentAndClosedWasClosedCleanly()
    {
        SimDirectory directory = WithACompleteSegment();
        using (NinoStore looked = Simulated.Open(directory, seed: 2)) Assert.False(looked.Recovery.CleanClose);

        using NinoStore again = Simulated.Open(directory, seed: 3);
        Assert.True(again.Recovery.CleanClose);
        RetentionTests.IsWhole(again);
        Assert.Equal(again.LastSequence + 1, again.Append((int)again.LastSequence + 1));
        Simulated.Commit(again);
        Assert.Equal([1, 2, 3, 4], RetentionTests.Segments(directory));
    }

    [Fact]
    public void APolicyIsAppliedBeforeASegmentIsBegunThatTheDiskHasNoRoomFor()
    {
        SimDirectory directory = WithACompleteSegment();
        directory.CapacityBytes = directory.UsedBytes + (8 * 1024);
        using NinoStore store = Simulated.Open(directory, seed: 2, static o => o with { Retention = new RetentionPolicy { MaxRecords = 1 } });
        store.AppendBatch<int>([.. Enumerable.Range((int)store.LastSequence + 1, 2_800)]);
        Simulated.Commit(store);
        Assert.Equal(4, Assert.Single(RetentionTests.Segments(directory)));
        RetentionTests.IsWhole(store);
    }

    // A torn tail needs room for its side file, and what the same crash left of the next segment has it.
    [Fact]
    public void WhatACrashLeftGivesItsRoomBackBeforeRecoveryNeedsAny()
    {
        var directory = new SimDirectory();
        NinoStore store = RetentionTests.Grown(directory, segments: 3);
        long acknowledged = store.LastSequence;
        store.AppendBatch<int>([.. Enumerable.Range((int)acknowledged + 1, 1_000)]);
        Assert.Equal(acknowledged + 1_000, store.Read<int>().Count());
        SimDirectory killed = directory.KillProcess();
        string last = SegmentFormat.Name(RetentionTests.Segments(killed)[^1]);
        byte[] bytes = FileBytes.Of(killed, last);
        bytes[bytes.AsSpan().LastIndexOfAnyExcept((byte)0)] ^= 1;
        FileBytes.Put(killed, last, bytes);
        FileBytes.Put(killed, SegmentFormat.PreparedName(null, 7), [.. Enumerable.Repeat((byte)1, 16 * 1024)]);
        killed.CapacityBytes = killed.UsedBytes;

        using NinoStore opened = Simulated.Open(killed, seed: 2);

        Assert.Equal(acknowledged, opened.LastSequence);
        Assert.InRange(opened.Recovery.BytesCut, 2_000, 16 * 1024);
        RetentionTests.IsWhole(opened);
    }

    // A new file for the mark would need room. The one that is there has two copies: first the older goes, then the other.
    [Fact]
    public void OnADiskWithoutAnyRoomALogThatWasTruncatedBeforeIsTruncatedAgain()
    {
        bool isDone = false;
        for (long at = 1; !isDone; at++)
        {
            Assert.True(at < 100, "the power fails at every call, and there is no end of them");
            var directory = new SimDirectory();
            NinoStore store = RetentionTests.Grown(directory, segments: 3);
            store.TruncateBefore(RetentionTests.First(directory, 2));
            RetentionTests.Grow(store, directory, 5);
            directory.CapacityBytes = directory.UsedBytes;
            directory.PowerOffAt = directory.OperationCount + at;
            TruncateResult? result = null;
            Exception? failure = Record.Exception(() => result = store.TruncateBefore(RetentionTests.First(directory, 5)));
            isDone = failure is null;

            // Where the power fails while a new mark is given up for want of room, that is what is told.
            Assert.True(isDone || (directory.IsPowerOff && (DiskTrouble.IsCauseOf(failure!) || failure is IOException { HResult: IoFailure.NoSpace })), $"{failure}");
            foreach (SimDirectory crashed in directory.CrashStates(limit: 20, seed: (int)at).Append(directory.KillProcess()))
            {
                using NinoStore opened = Simulated.Open(crashed, seed: 2);
                RetentionTests.IsWhole(opened);
                if (failure is null) Assert.Equal(5, LogStart.Read(crashed, out _)!.Value.Segment);
            }

            if (!isDone) continue;
            Assert.Equal(3, result!.SegmentsRemoved);
            Assert.True(MarkerFile.Read(directory, LogStart.FileName).LowestSequence == store.FirstSequence);
        }
    }

    [Fact]
    public void ASegmentIsShorterWhereTheDiskHasNoRoomForAllOfIt()
    {
        var directory = new SimDirectory();
        using NinoStore store = RetentionTests.Grown(directory, segments: 3);
        directory.CapacityBytes = directory.UsedBytes + (6 * PageBytes);
        RetentionTests.Grow(store, directory, 4);
        Assert.InRange(directory.List().Single(static f => f.Name == SegmentFormat.Name(4)).LengthBytes, 1, 6 * PageBytes);

        // Room again: it grows to the size it was to have.
        directory.CapacityBytes = null;
        RetentionTests.Grow(store, directory, 5);
        Assert.Equal(32 * 1024, directory.List().Single(static f => f.Name == SegmentFormat.Name(4)).LengthBytes);
        RetentionTests.IsWhole(store);
    }

    [Fact]
    public void ALogInOneFileUsesTheRoomThatIsLeftBeforeItGivesUp()
    {
        var directory = new SimDirectory();
        NinoStoreOptions options = Simulated.Options(directory);
        var log = new AppendLog(directory, options, new LogTail { StoreId = Guid.NewGuid(), Segments = [], NextSequence = 1, Writer = 1 }, "one.nino", NullLogger.Instance);
        byte[] record = new byte[1000];
        while (directory.UsedBytes < 64 * 1024) Append();
        directory.CapacityBytes = directory.UsedBytes + (40 * 1024);
        long before = log.DurableSequence;
        StoreFailedException full = Assert.Throws<StoreFailedException>((Action)(() =>
        {
            while (true) Append();
        }));

        // It doubles otherwise: 64 KiB at least.
        Assert.Equal(IoFailure.NoSpace, full.InnerException!.HResult);
        Assert.InRange(log.DurableSequence - before, 36, 200);
        Assert.InRange(directory.CapacityBytes.Value - directory.UsedBytes, 0, PageBytes);
        log.Dispose();

        void Append()
        {
            log.Append(Store.Serialization.NinoSerializer.SchemaOf<byte[]>(), record);
            log.Wait(Durability.Disk);
        }
    }

    // Three segments, the last of them with its footer: what a roll leaves that failed.
    private static SimDirectory WithACompleteSegment()
    {
        var directory = new SimDirectory();
        var faulty = new FaultDirectory(directory);
        NinoStore store = RetentionTests.Grown(faulty, segments: 3);
        faulty.Fault = new Fault(1, FaultKind.IoError, Strikes: static operation => operation is IoOperation.Rename);
        Assert.IsType<StoreFailedException>(Record.Exception(() => RetentionTests.Grow(store, directory, 4)));
        store.Dispose();
        return directory;
    }

    private static (long Acknowledged, bool WasFull) Fill(SimDirectory disk, Durability durability, int wantedSegments)
    {
        long acknowledged = 0;
        NinoStore? store = null;
        try
        {
            store = Simulated.Open(disk, change: o => o with { Durability = durability, SegmentSizeBytes = 64 * 1024, FirstSegmentSizeBytes = 4096 });
            while (RetentionTests.Segments(disk).Length < wantedSegments)
            {
                for (int i = 0; i < 50; i++) store.Append((int)store.LastSequence + 1);
                if (durability == Durability.Disk) Simulated.Commit(store);
                else store.AppendAsync((int)store.LastSequence + 1).AsTask().GetAwaiter().GetResult();
                acknowledged = store.LastSequence;
            }

            return (acknowledged, false);
        }
        catch (Exception e) when (e is IOException { HResult: IoFailure.NoSpace } || e.InnerException is IOException { HResult: IoFailure.NoSpace })
        {
            return (acknowledged, true);
        }
        finally
        {
            // The failure was told.
            Record.Exception(() => store?.Dispose());
        }
    }
}
