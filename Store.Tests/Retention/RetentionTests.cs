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
    public void AReaderAtWorkEndsItsSegmentAndIsToldWhereTheLogBegins()
    {
        var directory = new SimDirectory();
        using NinoStore store = Grown(directory, segments: 5);
        long second = First(directory, 2);
        using IEnumerator<LogRecord<int>> reader = store.Read<int>().GetEnumerator();
        Assert.True(reader.MoveNext());
        store.TruncateBefore(long.MaxValue);

        long read = 1;
        LogTruncatedException e = Assert.Throws<LogTruncatedException>(() =>
        {
            while (reader.MoveNext()) Assert.Equal(++read, reader.Current.Sequence);
        });

        Assert.Equal(second - 1, read);
        Assert.Equal(store.FirstSequence, e.FirstSequence);
        Assert.Equal(store.LastSequence - store.FirstSequence + 1, store.Read<int>().Count());
    }

    [Fact]
    public void AReadThatRetentionOvertookRightUpToItsLastRecordIsToldAndNotEmpty()
    {
        var directory = new SimDirectory();
        using NinoStore store = Grown(directory, segments: 4);
        using NinoStore resting = Simulated.Open(directory, seed: 2, o => o with { ReadOnly = true });
        ILogFiles files = store.Opened.Files;
        LogSpan before = files.Span(durableOnly: false);
        // Fits no segment that has something in it, so the next one begins with it.
        store.AppendBatch<int>(new int[40_000]);
        Simulated.Commit(store);

        store.TruncateBefore(long.MaxValue);

        Assert.Equal(before.LastSequence + 1, store.FirstSequence);
        using var forward = new RecordScan(files, ReadOptions.All, before);
        Assert.Equal(store.FirstSequence, Assert.Throws<LogTruncatedException>(() => forward.NextFrame()).FirstSequence);
        Assert.Equal(store.FirstSequence, Assert.Throws<LogTruncatedException>(() => new ReverseScan(files, new ReadOptions { NewestFirst = true }, before).Records().Count()).FirstSequence);
        Assert.Equal(store.FirstSequence, Assert.Throws<LogTruncatedException>(() => resting.ReadRecords().Count()).FirstSequence);
        Assert.Equal(40_000, store.Read<int>().Count());
    }

    [Theory]
    [InlineData(0)]
    [InlineData(3)]
    public void AFollowerThatMustReachBackIsToldWhatWasRemovedBeforeItBegan(int segments)
    {
        var directory = new SimDirectory();
        using NinoStore store = Grown(directory, segments);
        LogSpan before = store.Opened.Files.Span(durableOnly: false);
        using var waiting = new RecordScan(store.Opened.Files, new ReadOptions { FromSequence = before.LastSequence + 1 }, before, mustReachBack: true);
        Assert.False(waiting.NextFrame());
        Grow(store, directory, segments: 5);
        store.TruncateBefore(long.MaxValue);

        LogTruncatedException e = Assert.Throws<LogTruncatedException>(() =>
        {
            waiting.Extend(store.Opened.Files.Span(durableOnly: false));
            waiting.NextFrame();
        });
        Assert.Equal(store.FirstSequence, e.FirstSequence);
    }

    [Fact]
    public void AReaderOfAnotherProcessIsToldToo()
    {
        var directory = new SimDirectory();
        using NinoStore store = Grown(directory, segments: 5);
        StoreReader reader = Look(directory);
        store.TruncateBefore(long.MaxValue);

        Assert.Equal(store.FirstSequence, Assert.Throws<LogTruncatedException>(() => reader.Records().Count()).FirstSequence);
        Assert.False(reader.Verify().IsCorrupt);
        StoreReader again = Look(directory);
        Assert.Empty(again.Verify().Damage);
        Assert.Equal(store.FirstSequence, again.Records().First().Sequence);
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
    public void ARemovedFirstSegmentIsToldFromARetainedOne()
    {
        var directory = new SimDirectory();
        using (NinoStore store = Grown(directory, segments: 5)) store.TruncateBefore(First(directory, 3));
        directory.Delete(SegmentFormat.Name(3));
        directory.SyncDirectory();

        StoreCorruptException e = Assert.Throws<StoreCorruptException>(() => Simulated.Open(directory, seed: 2));
        Assert.Contains("segments 3 to 3 are missing", e.Message, StringComparison.Ordinal);
        Assert.Contains("segments 3 to 3", Assert.Single(Look(directory).Verify().Damage).Message, StringComparison.Ordinal);

        using (NinoStore salvaged = Simulated.Open(directory, 3, o => o with { Recovery = RecoveryMode.Salvage }))
        {
            Assert.Equal(First(directory, 4), salvaged.FirstSequence);
            Assert.Contains("begins here now", Assert.Single(salvaged.Recovery.Damage).Message, StringComparison.Ordinal);
            IsWhole(salvaged);
        }

        using NinoStore again = Simulated.Open(directory, seed: 4);
        Assert.Empty(again.Recovery.Damage);
    }

    [Fact]
    public void AllSegmentsMissingBehindTheMarkIsNoNewStore()
    {
        var directory = new SimDirectory();
        using (NinoStore store = Grown(directory, segments: 3)) store.TruncateBefore(long.MaxValue);
        byte[] kept = FileBytes.Of(directory, SegmentFormat.Name(3));
        directory.Delete(SegmentFormat.Name(3));
        Assert.Throws<StoreCorruptException>(() => Simulated.Open(directory, seed: 2));

        FileBytes.Put(directory, SegmentFormat.Name(2), kept);
        Assert.Contains("begins with segment 3", Assert.Throws<StoreCorruptException>(() => Simulated.Open(directory, seed: 2)).Message, StringComparison.Ordinal);
        Assert.Equal([2], Segments(directory));
    }

    [Theory]
    [InlineData(RecoveryMode.Strict)]
    [InlineData(RecoveryMode.TruncateTorn)]
    public void ADamagedMarkIsNeverBelieved(RecoveryMode mode)
    {
        var directory = new SimDirectory();
        using (NinoStore store = Grown(directory, segments: 4)) store.TruncateBefore(First(directory, 3));
        byte[] mark = FileBytes.Of(directory, LogStart.FileName);
        mark[45] ^= 1;
        FileBytes.Put(directory, LogStart.FileName, mark);
        Simulated.Open(directory, 2, o => o with { Recovery = mode }).Dispose();

        mark[MarkerFile.SecondSlot + 45] ^= 1;
        FileBytes.Put(directory, LogStart.FileName, mark);
        StoreCorruptException e = Assert.Throws<StoreCorruptException>(() => Simulated.Open(directory, 2, o => o with { Recovery = mode }));
        Assert.Contains("neither copy", e.Message, StringComparison.Ordinal);

        using NinoStore salvaged = Simulated.Open(directory, 3, o => o with { Recovery = RecoveryMode.Salvage });
        Assert.Equal(First(directory, 3), salvaged.FirstSequence);
        IsWhole(salvaged);
    }

    [Fact]
    public void ADamagedMarkBesideAWholeLogIsWrittenAnew()
    {
        var directory = new SimDirectory();
        Grown(directory, segments: 3).Dispose();
        FileBytes.Put(directory, LogStart.FileName, [1, 2, 3]);

        using (NinoStore store = Simulated.Open(directory, seed: 2))
        {
            Assert.Equal(1, store.FirstSequence);
            Assert.Single(store.Recovery.Damage);
            IsWhole(store);
        }

        using NinoStore again = Simulated.Open(directory, seed: 3);
        Assert.Empty(again.Recovery.Damage);
    }

    [Fact]
    public void TheMarkOfAnotherStoreIsRefused()
    {
        var directory = new SimDirectory();
        Grown(directory, segments: 3).Dispose();
        new LogStart(Guid.NewGuid(), 2, First(directory, 2)).Publish(directory, 0);

        Assert.Contains("belongs to the store", Assert.Throws<StoreCorruptException>(() => Simulated.Open(directory, seed: 2)).Message, StringComparison.Ordinal);
        Assert.Equal([1, 2, 3], Segments(directory));
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

    [Fact]
    public void ReadersUnderATruncatingWriterSeeNoWrongRecordAndNoCrash()
    {
        using var folder = new TemporaryFolder();
        using NinoStore store = NinoStore.Open(folder["store"], new NinoStoreOptions { FirstSegmentSizeBytes = 64 * 1024, SegmentSizeBytes = 64 * 1024, Retention = new RetentionPolicy { MaxBytes = 256 * 1024 } });
        using var stop = new CancellationTokenSource();
        long scans = 0;
        Thread[] readers = [.. Enumerable.Range(0, 2).Select(i => new Thread(() => Read(scanning: i == 0)))];
        Exception? failure = null;
        foreach (Thread reader in readers) reader.Start();
        for (int i = 1; i <= 200_000 && failure is null; i++)
        {
            store.Append((long)i);
            if (i % 2000 == 0) store.Commit();
        }

        stop.Cancel();
        foreach (Thread reader in readers) reader.Join();
        Assert.Null(failure);
        Assert.True(store.FirstSequence > 1);
        Assert.True(scans > 0);

        void Read(bool scanning)
        {
            try
            {
                while (!stop.IsCancellationRequested)
                {
                    try
                    {
                        long next = 0;
                        if (scanning)
                        {
                            foreach (ScannedRecord record in store.Scan())
                            {
                                if (record.As<long>() != record.Sequence || (next != 0 && next != record.Sequence)) throw new InvalidOperationException($"record {record.Sequence} is wrong");
                                next = record.Sequence + 1;
                            }
                        }
                        else
                        {
                            foreach (LogRecord<long> record in store.Read<long>())
                            {
                                if (record.Value != record.Sequence || (next != 0 && next != record.Sequence)) throw new InvalidOperationException($"record {record.Sequence} is wrong");
                                next = record.Sequence + 1;
                            }
                        }

                        Interlocked.Increment(ref scans);
                    }
                    catch (LogTruncatedException)
                    {
                        // The writer was faster; the next pass begins where the log begins now.
                        Interlocked.Increment(ref scans);
                    }
                }
            }
            catch (Exception e)
            {
                failure = e;
            }
        }
    }

    internal static long First(IStoreDirectory directory, long number)
    {
        using IStoreFile file = directory.OpenRead(SegmentFormat.Name(number));
        Assert.Equal(SegmentHeaderStatus.Valid, SegmentHeader.TryRead(file, out SegmentHeader header));
        return header.FirstSequence;
    }
}
