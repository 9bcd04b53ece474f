using Store.IO;
using Store.Log;
using Store.Retention;
using Store.Tests.Log;
using Store.Tests.Simulation;

namespace Store.Tests.Retention;

/// <summary>Removing the beginning of the log: what goes, what stays, who is told.</summary>
public class RetentionTests
{
    /// <summary>A store whose log has so many segments, each record an int that is its sequence.</summary>
    internal static NinoStore Grown(IStoreDirectory directory, int segments, int seed = 1, Func<NinoStoreOptions, NinoStoreOptions>? change = null)
    {
        NinoStore store = Simulated.Open(directory, seed, o => (change ?? (static x => x))(o with { SegmentSizeBytes = 64 * 1024, FirstSegmentSizeBytes = 4096 }));
        Grow(store, directory, segments);
        return store;
    }

    internal static void Grow(NinoStore store, IStoreDirectory directory, int segments)
    {
        while (Segments(directory).Length < segments)
        {
            for (int i = 0; i < 100; i++) store.Append((int)store.LastSequence + 1);
            Simulated.Commit(store);
        }
    }

    internal static long[] Segments(IStoreDirectory directory) => [.. directory.List().Select(f => SegmentFormat.TryParseName(f.Name, out long number) ? number : 0).Where(n => n > 0)];

    /// <summary>A reader of the folder. Not disposed: that would close the folder under the store.</summary>
    internal static StoreReader Look(IStoreDirectory directory) => StoreReader.Open(directory, "sim", null, static _ => false);

    internal static void IsWhole(NinoStore store)
    {
        // Asked once: a store that is open for reading only looks at the folder for it.
        long first = store.FirstSequence;
        LogRecord<int>[] read = [.. store.Read<int>()];
        Assert.Equal(store.LastSequence - first + 1, read.Length);
        for (int i = 0; i < read.Length; i++) Assert.Equal((first + i, (int)(first + i)), (read[i].Sequence, read[i].Value));
    }

    [Fact]
    public void WholeSegmentsGoAndTheRestOpensAgain()
    {
        var directory = new SimDirectory();
        long last;
        using (NinoStore store = Grown(directory, segments: 5))
        {
            long third = First(directory, 3);
            TruncateResult none = store.TruncateBefore(First(directory, 2) - 1);
            Assert.Equal((1L, 0, null), (none.FirstSequence, none.SegmentsRemoved, none.HeldBy));

            TruncateResult result = store.TruncateBefore(third + 5);

            Assert.Equal((third, 2), (result.FirstSequence, result.SegmentsRemoved));
            Assert.True(result.BytesRemoved >= 8192);
            Assert.Equal(third, store.FirstSequence);
            Assert.Equal([3, 4, 5], Segments(directory));
            Assert.Equal(third, store.ReadRecords().First().Sequence);
            IsWhole(store);
            Assert.Equal((third, 0), (store.TruncateBefore(1).FirstSequence, store.TruncateBefore(1).SegmentsRemoved));
            last = store.LastSequence;
        }

        using NinoStore again = Simulated.Open(directory, seed: 2);
        Assert.Equal(last, again.LastSequence);
        Assert.True(again.Recovery.CleanClose);
        Assert.Empty(again.Recovery.Damage);
        IsWhole(again);
        Assert.Equal(last + 1, again.Append((int)last + 1));
    }

    [Fact]
    public void TheSegmentThatIsWrittenIsNeverRemoved()
    {
        var directory = new SimDirectory();
        using NinoStore store = Grown(directory, segments: 3);

        Assert.Equal(First(directory, 3), store.TruncateBefore(long.MaxValue).FirstSequence);
        Assert.Equal([3], Segments(directory));
        IsWhole(store);
    }

    [Fact]
    public async Task WhatASnapshotNeedsStaysUnlessAskedOtherwise()
    {
        var directory = new SimDirectory();
        using NinoStore store = Grown(directory, segments: 2);
        await store.CheckpointAsync(new List<int> { 1 });
        long covered = store.LastSequence;
        Grow(store, directory, 5);

        TruncateResult held = store.TruncateBefore(long.MaxValue);
        Assert.InRange(held.FirstSequence, 1, covered + 1);
        Assert.Contains("snapshot", held.HeldBy, StringComparison.Ordinal);
        await store.RestoreAsync<List<int>, int>(static (state, value) => state.Add(value));

        Assert.True(store.TruncateBefore(long.MaxValue, RetentionHolds.Snapshots).FirstSequence > covered + 1);
        LogTruncatedException e = await Assert.ThrowsAsync<LogTruncatedException>(async () => await store.RestoreAsync<List<int>, int>(static (state, value) => state.Add(value)));
        Assert.Equal(store.FirstSequence, e.FirstSequence);
    }

    [Fact]
    public async Task ARestoreWithoutASnapshotRefusesALogThatBeginsLater()
    {
        var directory = new SimDirectory();
        using NinoStore store = Grown(directory, segments: 3);
        store.TruncateBefore(long.MaxValue);

        await Assert.ThrowsAsync<LogTruncatedException>(async () => await store.RestoreAsync<List<int>, int>(static (state, value) => state.Add(value)));
    }

    [Fact]
    public void WhatACursorHasNotReadStaysUnlessAskedOtherwise()
    {
        var directory = new SimDirectory();
        using NinoStore store = Grown(directory, segments: 5);
        LogCursor cursor = store.OpenCursor("slow");
        long second = First(directory, 2), third = First(directory, 3);

        Assert.Contains("cursor 'slow'", store.TruncateBefore(long.MaxValue).HeldBy, StringComparison.Ordinal);
        Assert.Equal(1, store.FirstSequence);
        CursorTests.Commit(cursor, third - 2);
        Assert.Equal(second, store.TruncateBefore(long.MaxValue).FirstSequence);
        CursorTests.Commit(cursor, third - 1);
        Assert.Equal(third, store.TruncateBefore(long.MaxValue).FirstSequence);
        Assert.Throws<LogTruncatedException>(() => CursorTests.Commit(cursor, third - 2));
        Assert.Equal(First(directory, 5), store.TruncateBefore(long.MaxValue, RetentionHolds.Cursors).FirstSequence);
    }

    [Fact]
    public void ADamagedCursorHoldsEverythingUntilItIsDeleted()
    {
        var directory = new SimDirectory();
        using NinoStore store = Grown(directory, segments: 3);
        FileBytes.Put(directory, "cursor-broken.nino", new byte[5000]);

        Assert.Contains("neither of its two copies", store.TruncateBefore(long.MaxValue).HeldBy, StringComparison.Ordinal);
        Assert.Throws<StoreCorruptException>(() => store.OpenCursor("broken"));
        Assert.True(store.DeleteCursor("broken"));
        Assert.Equal(2, store.TruncateBefore(long.MaxValue).SegmentsRemoved);
    }

    [Fact]
    public void RetentionByCountAgeAndSizeIsAppliedWheneverASegmentIsBegun()
    {
        foreach (RetentionPolicy policy in new RetentionPolicy[] { new() { MaxRecords = 1000 }, new() { MaxBytes = 200 * 1024 }, new() { MaxAge = TimeSpan.FromMilliseconds(400) } })
        {
            var directory = new SimDirectory();
            using NinoStore store = Simulated.Open(directory, change: o => o with { Retention = policy });
            while (store.LastSequence < 60_000)
            {
                for (int i = 0; i < 100; i++) store.Append((int)store.LastSequence + 1);
                Simulated.Commit(store);
            }

            long[] segments = Segments(directory);
            Assert.InRange(segments.Length, 1, 6);
            Assert.True(segments[0] > 3, $"{policy}: {segments.Length} segments from {segments[0]} on");
            Assert.True(store.LastSequence - store.FirstSequence + 1 >= (policy.MaxRecords ?? 1));
            IsWhole(store);
        }
    }

    [Fact]
    public void APolicyCanBeAppliedByHand()
    {
        var directory = new SimDirectory();
        using NinoStore store = Grown(directory, segments: 5);

        Assert.Throws<InvalidOperationException>(() => store.ApplyRetention());
        TruncateResult result = store.ApplyRetention(new RetentionPolicy { MaxRecords = 10 });
        Assert.InRange(result.SegmentsRemoved, 3, 4);
        Assert.True(store.LastSequence - store.FirstSequence + 1 >= 10);
        Assert.Throws<ArgumentOutOfRangeException>(() => new RetentionPolicy { MaxRecords = 0 });
        Assert.Throws<ArgumentOutOfRangeException>(() => new RetentionPolicy { MaxBytes = -1 });
        Assert.Throws<ArgumentOutOfRangeException>(() => new RetentionPolicy { MaxAge = TimeSpan.Zero });
    }

    [Fact]
    public void AOneFileLogHasNothingToRemove()
    {
        using var folder = new TemporaryFolder();
        using NinoStore log = NinoLog.Create(folder["log.bin"]);
        log.Append(1);

        Assert.Throws<InvalidOperationException>(() => log.TruncateBefore(2));
        Assert.Throws<InvalidOperationException>(() => log.OpenCursor("x"));
        Assert.Empty(log.Cursors);
    }

    // Kept for who wants to look at them: as long as their segment is.
    [Fact]
    public void WhatWasCutOfASegmentIsRemovedWithIt()
    {
        var directory = new SimDirectory();
        Grown(directory, segments: 2).Dispose();
        string name = SegmentFormat.Name(2);
        using (IStoreFile file = directory.OpenWrite(name)) file.Write([1, 2, 3], file.LengthBytes - 8);
        directory.Delete(LogEnd.FileName);
        using NinoStore store = Grown(directory, segments: 5, seed: 2);
        string cut = Assert.Single(directory.List(), static f => f.Name.Contains(".cut-", StringComparison.Ordinal)).Name;
        Assert.Equal(store.Recovery.CutBytesFile, cut);

        store.TruncateBefore(First(directory, 2));
        Assert.Contains(cut, directory.List().Select(static f => f.Name));
        Assert.Equal(1, store.TruncateBefore(First(directory, 3)).SegmentsRemoved);

        Assert.DoesNotContain(directory.List(), static f => f.Name.Contains(".cut-", StringComparison.Ordinal));
    }

    internal static long First(IStoreDirectory directory, long number)
    {
        using IStoreFile file = directory.OpenRead(SegmentFormat.Name(number));
        Assert.Equal(SegmentHeaderStatus.Valid, SegmentHeader.TryRead(file, out SegmentHeader header));
        return header.FirstSequence;
    }
}
