using Store.Log;
using Store.Retention;
using Store.Tests.Log;
using Store.Tests.Simulation;

namespace Store.Tests.Recovery;

/// <summary>A log that was closed is opened without looking behind its last frame, and only that: whatever was written since is looked at.</summary>
public class CleanCloseTests
{
    private const int Records = 20;
    private const int CapacityBytes = 1024 * 1024;

    private static NinoStore Open(Store.IO.IStoreDirectory directory, int seed = 1) => Simulated.Open(directory, seed, static o => o with { FirstSegmentSizeBytes = CapacityBytes, SegmentSizeBytes = CapacityBytes, Durability = Durability.PageCache });

    private static SimDirectory Closed()
    {
        var directory = new SimDirectory();
        using NinoStore store = Open(directory);
        for (int i = 1; i <= Records; i++) store.Append(i);
        return directory;
    }

    private static LogEnd Mark(SimDirectory directory) => LogEnd.Read(directory, out _)!.Value;

    private static int[] Values(NinoStore store) => [.. store.Read<int>().Select(static r => r.Value)];

    private static int EndOf(SimDirectory directory) => FileBytes.Of(directory, SegmentFormat.Name(1)).AsSpan().LastIndexOfAnyExcept((byte)0) + 1;

    [Fact]
    public void OpeningAClosedLogReadsNothingBehindItsLastFrame()
    {
        SimDirectory directory = Closed();
        var counting = new CountingDirectory(directory);
        using (NinoStore store = Open(counting, 2))
        {
            Assert.True(store.Recovery.CleanClose);

            // One read ahead of the frames, not the segment.
            Assert.InRange(counting.BytesRead, 1, CapacityBytes / 2);
            Assert.Equal(Enumerable.Range(1, Records), Values(store));
        }

        directory = Killed(directory);
        counting = new CountingDirectory(directory);
        using NinoStore again = Open(counting, 3);
        Assert.False(again.Recovery.CleanClose);
        Assert.InRange(counting.BytesRead, CapacityBytes, long.MaxValue);
    }

    [Fact]
    public void OpeningAndClosingAClosedLogChangesTheGenerationOfItsMarkOnly()
    {
        SimDirectory directory = Closed();
        LogEnd before = Mark(directory);
        List<string> operations = [];
        directory.OnOperation = (_, what) => operations.Add(what);
        for (int i = 0; i < 3; i++) Open(directory, 2 + i).Dispose();
        Assert.DoesNotContain(operations, static o => (o.StartsWith("write", StringComparison.Ordinal) && o != $"write {LogEnd.FileName}") || o.StartsWith("create", StringComparison.Ordinal) || o.StartsWith("rename", StringComparison.Ordinal));
        LogEnd after = Mark(directory);
        Assert.Equal(before with { Generation = before.Generation + 3, Writer = after.Writer }, after);
        Assert.NotEqual(before.Writer, after.Writer);
        Assert.True(before.IsClosed);
    }

    [Fact]
    public void TheMarkIsTakenBackAndSyncedBeforeTheFirstByteIsWritten()
    {
        SimDirectory directory = Closed();
        List<string> operations = [];
        using NinoStore store = Open(directory, 2);
        store.Append(Records + 1);
        Assert.True(Mark(directory).IsClosed);
        directory.OnOperation = (_, what) => operations.Add(what);
        Simulated.Commit(store);
        directory.OnOperation = null;

        int segment = operations.FindIndex(static o => o.Contains(SegmentFormat.Name(1), StringComparison.Ordinal));
        List<string> first = operations[..segment];
        Assert.Equal(2, first.Count);
        Assert.All(first, static o => Assert.Contains(LogEnd.FileName, o, StringComparison.Ordinal));
        Assert.Contains("write", first[0], StringComparison.OrdinalIgnoreCase);
        Assert.Contains("sync", first[1], StringComparison.OrdinalIgnoreCase);
        Assert.False(Mark(directory).IsClosed);
    }

    // The classic: of two unsynced writes the power failure keeps the second. What is left looks like the log that was closed, with a frame behind a hole.
    [Fact]
    public void AHoleBehindTheClosingMarkIsSeenWhenTheLogWasWrittenSince()
    {
        SimDirectory directory = Closed();
        int closedAt = EndOf(directory);
        directory = Killed(directory);
        byte[] bytes = FileBytes.Of(directory, SegmentFormat.Name(1));
        bytes.AsSpan((closedAt + 7) & ~7, 48).Clear();
        FileBytes.Put(directory, SegmentFormat.Name(1), bytes);

        using NinoStore store = Open(directory, 3);
        Assert.False(store.Recovery.CleanClose);
        Assert.Single(store.Recovery.Damage);
        Assert.Equal(Enumerable.Range(1, Records), Values(store));
    }

    [Fact]
    public void AMarkOfWhichOneCopyIsDamagedNoLongerSaysThatTheLogWasClosed()
    {
        foreach (int slot in new[] { 0, MarkerFile.SecondSlot })
        {
            SimDirectory directory = Closed();
            byte[] mark = FileBytes.Of(directory, LogEnd.FileName);
            mark[slot + 50] ^= 1;
            FileBytes.Put(directory, LogEnd.FileName, mark);
            Assert.False(Mark(directory).IsClosed);
            var counting = new CountingDirectory(directory);
            using NinoStore store = Open(counting, 2);
            Assert.InRange(counting.BytesRead, CapacityBytes, long.MaxValue);
            Assert.Equal(Enumerable.Range(1, Records), Values(store));
        }
    }

    // No crash leaves this: somebody wrote into the file. Opening does not look for it; recovery after a crash takes it for the torn tail that it looks like.
    [Fact]
    public void BytesThatSomebodyPutBehindAClosedLogAreCutAfterTheNextCrash()
    {
        SimDirectory directory = Closed();
        byte[] bytes = FileBytes.Of(directory, SegmentFormat.Name(1));
        bytes.AsSpan(EndOf(directory) + 100, 300).Fill(0xAB);
        FileBytes.Put(directory, SegmentFormat.Name(1), bytes);

        using (NinoStore store = Open(directory, 2))
        {
            Assert.Empty(store.Recovery.Damage);
            store.Append(Records + 1);
            Simulated.Commit(store);
            directory = directory.KillProcess();
        }

        using NinoStore again = Open(directory, 3);
        Assert.Equal(StoreDamageKind.TornTail, Assert.Single(again.Recovery.Damage).Kind);
        Assert.Equal(Enumerable.Range(1, Records + 1), Values(again));
    }

    [Fact]
    public void WhereverThePowerFailsAfterOpeningAgainNothingAcknowledgedIsLost()
    {
        int states = 0;
        for (int point = 1; ; point++)
        {
            SimDirectory directory = Closed();
            int acknowledged = Records;
            directory.PowerOffAt = directory.OperationCount + point;
            var trouble = new DiskTrouble();
            try
            {
                using NinoStore store = Open(directory, 2);
                for (int i = Records + 1; i <= Records + 20; i++)
                {
                    // To the file without a sync: the power failure may keep any of them.
                    AppendToTheFile(store, i);
                    if (i % 5 != 0) continue;
                    Simulated.Commit(store);
                    acknowledged = i;
                }
            }
            catch (Exception e) when (trouble.Ends(e))
            {
                trouble.ThrowOther();
            }

            foreach (SimDirectory state in directory.CrashStates(limit: 64, seed: point))
            {
                states++;
                using NinoStore store = Open(state, 3);
                int[] values = Values(store);
                Assert.InRange(values.Length, acknowledged, Records + 20);
                Assert.Equal(Enumerable.Range(1, values.Length), values);

                // What was cut stays cut: the same records after more of them and another look.
                store.Append(-1);
                store.Dispose();
                using NinoStore again = Open(state, 4);
                Assert.Equal([.. values, -1], Values(again));
            }

            if (!directory.IsPowerOff) break;
        }

        Assert.InRange(states, 200, int.MaxValue);
    }

    // The mark is taken back in the cache, the disk never gets it: the process died there, or the sync failed. Whoever opens next must not rest on it.
    [Fact]
    public void ATakeBackThatDidNotReachTheDiskIsMadeAgain()
    {
        SimDirectory directory = Closed();
        NinoStore failing = Open(directory, 2);
        directory.OnOperation = static (_, what) =>
        {
            if (what == $"sync {LogEnd.FileName}") throw new IOException("No.");
        };
        failing.Append(Records + 1);
        Assert.Throws<StoreFailedException>(() => Simulated.Commit(failing));
        directory.OnOperation = null;
        directory = directory.KillProcess();
        Assert.False(Mark(directory).IsClosed);

        NinoStore written = Open(directory, 3);
        for (int i = 1; i <= 4; i++) AppendToTheFile(written, Records + i);
        int states = 0;
        foreach (SimDirectory state in directory.CrashStates(limit: 1000, seed: 1))
        {
            states++;
            NinoStore store = Open(state, 4);
            int[] values = Values(store);
            Assert.Equal(Enumerable.Range(1, values.Length), values);

            // As long as the record that may have been lost: what is behind it would go on from there.
            AppendToTheFile(store, Records + 1);
            using NinoStore again = Open(state.KillProcess(), 5);
            Assert.Equal([.. values, Records + 1], Values(again));
        }

        Assert.InRange(states, 16, int.MaxValue);
    }

    [Fact]
    public void ACutThatWasInterruptedIsMadeAgainThoughTheLogWasClosed()
    {
        int states = 0;
        byte[] garbage = [.. Enumerable.Repeat((byte)0xAB, 16)];
        for (int point = 1; ; point++)
        {
            SimDirectory directory = Closed();
            byte[] bytes = FileBytes.Of(directory, SegmentFormat.Name(1));
            int end = (EndOf(directory) + 7) & ~7;
            bytes.AsSpan(end, 2000).Fill(0xAB);
            FileBytes.Put(directory, SegmentFormat.Name(1), bytes);
            directory.PowerOffAt = directory.OperationCount + point;
            var trouble = new DiskTrouble();
            try
            {
                using NinoStore store = Open(directory, 2);
                Assert.Single(store.Recovery.Damage);
            }
            catch (Exception e) when (trouble.Ends(e))
            {
                trouble.ThrowOther();
            }

            foreach (SimDirectory state in directory.CrashStates(limit: 64, seed: point))
            {
                Open(state, 3).Dispose();
                Assert.Equal(-1, FileBytes.Of(state, SegmentFormat.Name(1)).AsSpan().IndexOf(garbage));
                states++;
            }

            if (!directory.IsPowerOff) break;
        }

        Assert.InRange(states, 10, int.MaxValue);
    }

    // Opened again, written, and killed: everything is in the file, nothing was synced.
    private static SimDirectory Killed(SimDirectory directory)
    {
        NinoStore store = Open(directory, 2);
        for (int i = 1; i <= 3; i++) AppendToTheFile(store, -i);

        return directory.KillProcess();
    }

    // The flusher runs inline: nothing is waited for.
    private static void AppendToTheFile(NinoStore store, int value) => store.AppendAsync(value).AsTask().GetAwaiter().GetResult();
}
