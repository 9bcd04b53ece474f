using Store.IO;
using Store.Log;
using Store.Retention;
using Store.Tests.Log;
using Store.Tests.Retention;
using Store.Tests.Simulation;
using Xunit.Abstractions;

namespace Store.Tests.Recovery;

/// <summary>A log whose newest files are missing, or older than they were, is told from one that never went further; a crash never looks like that.</summary>
public class MissingEndTests(ITestOutputHelper output)
{
    private static NinoStoreOptions Salvage(NinoStoreOptions options) => options with { Recovery = RecoveryMode.Salvage };

    private static SimDirectory Stored(int segments, bool close)
    {
        var directory = new SimDirectory();
        NinoStore store = RetentionTests.Grown(directory, segments);
        if (!close) return directory.KillProcess();
        store.Dispose();
        return directory;
    }

    private static void Remove(SimDirectory directory, params IEnumerable<long> numbers)
    {
        foreach (long number in numbers) directory.Delete(SegmentFormat.Name(number));
        directory.SyncDirectory();
    }

    private static StoreCorruptException Refused(SimDirectory directory)
    {
        foreach (RecoveryMode mode in new[] { RecoveryMode.Strict, RecoveryMode.TruncateTorn })
        {
            Assert.Throws<StoreCorruptException>(() => Simulated.Open(directory, 9, o => o with { Recovery = mode }));
            Assert.Throws<StoreCorruptException>(() => Simulated.Open(directory, 9, o => o with { Recovery = mode, ReadOnly = true }));
        }

        return Assert.Throws<StoreCorruptException>(() => Simulated.Open(directory, 9));
    }

    [Theory]
    [InlineData(true, 1)]
    [InlineData(true, 2)]
    [InlineData(true, 3)]
    [InlineData(false, 1)]
    [InlineData(false, 3)]
    public void NewestSegmentsThatSomebodyRemovedAreNamed(bool close, int removed)
    {
        SimDirectory directory = Stored(segments: 4, close);
        long first = RetentionTests.First(directory, 5 - removed);
        Remove(directory, Enumerable.Range(5 - removed, removed).Select(static n => (long)n));

        Assert.Contains($"segments {5 - removed} to 4 are missing", Refused(directory).Message, StringComparison.Ordinal);
        Assert.True(RetentionTests.Look(directory).Verify().IsCorrupt);
        using (NinoStore reading = Simulated.Open(directory, 9, o => Salvage(o) with { ReadOnly = true }))
        {
            Assert.Contains("missing", Assert.Single(reading.Recovery.Damage).Message, StringComparison.Ordinal);
            Assert.Equal(first - 1, reading.LastSequence);
        }

        using (NinoStore salvaged = Simulated.Open(directory, 9, Salvage))
        {
            Assert.Contains("the log ends here now", Assert.Single(salvaged.Recovery.Damage).Message, StringComparison.Ordinal);
            Assert.False(salvaged.Recovery.CleanClose);
            Assert.Equal(first - 1, salvaged.LastSequence);
            RetentionTests.IsWhole(salvaged);
            Assert.Equal(first, salvaged.Append((int)first));
        }

        using NinoStore again = Simulated.Open(directory, 10);
        Assert.Empty(again.Recovery.Damage);
        RetentionTests.IsWhole(again);
    }

    [Fact]
    public void AllSegmentsRemovedAreNoNewStore()
    {
        SimDirectory directory = Stored(segments: 1, close: true);
        Remove(directory, 1);

        foreach (RecoveryMode mode in Enum.GetValues<RecoveryMode>())
            Assert.Contains("the log was removed", Assert.Throws<StoreCorruptException>(() => Simulated.Open(directory, 9, o => o with { Recovery = mode })).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void AfterACleanCloseACutBetweenFramesIsNamed()
    {
        SimDirectory directory = Stored(segments: 2, close: true);
        using (NinoStore store = Simulated.Open(directory, 2))
        {
            for (int i = 0; i < 5; i++)
            {
                store.Append((int)store.LastSequence + 1);
                Simulated.Commit(store);
            }
        }

        byte[] whole = FileBytes.Of(directory, SegmentFormat.Name(2));
        long last = LastOf(whole);
        int refused = 0;
        foreach ((long offset, long next) in FrameStarts(directory, 2))
        {
            byte[] cut = (byte[])whole.Clone();
            cut.AsSpan((int)offset).Clear();
            FileBytes.Put(directory, SegmentFormat.Name(2), cut);
            if (next == last + 1) continue;
            Assert.Contains($"ends with record {next - 1}", Refused(directory).Message, StringComparison.Ordinal);
            Assert.True(RetentionTests.Look(directory).Verify().IsCorrupt);
            refused++;
        }

        Assert.True(refused > 2);
        output.WriteLine($"{refused} cuts");
    }

    [Fact]
    public void ANewestSegmentPutBackFromEarlierIsNamed()
    {
        SimDirectory directory = Stored(segments: 2, close: true);
        byte[] earlier = FileBytes.Of(directory, SegmentFormat.Name(2));
        using (NinoStore store = Simulated.Open(directory, 2)) store.Append((int)store.LastSequence + 1);
        FileBytes.Put(directory, SegmentFormat.Name(2), earlier);

        Assert.Contains(LogEnd.FileName, Refused(directory).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void ATornTailBehindTheMarkIsCutAndOneBeforeItRefused()
    {
        // A log that is being written again: what lies behind its end may be what a crash left.
        SimDirectory written = Stored(segments: 2, close: true);
        NinoStore writing = Simulated.Open(written, 2);
        writing.Append((int)writing.LastSequence + 1);
        Simulated.Commit(writing);
        written = written.KillProcess();
        byte[] torn = FileBytes.Of(written, SegmentFormat.Name(2));
        torn.AsSpan((int)LastOf(torn) + 16, 9).Fill(0xAA);
        FileBytes.Put(written, SegmentFormat.Name(2), torn);
        using (NinoStore store = Simulated.Open(written, 3)) Assert.Equal(StoreDamageKind.TornTail, Assert.Single(store.Recovery.Damage).Kind);

        SimDirectory directory = Stored(segments: 2, close: true);
        byte[] bytes = FileBytes.Of(directory, SegmentFormat.Name(2));
        // The last frame of records and all behind it: no frame is left that says that it was durable, the mark of the end does.
        long from = FrameStarts(directory, 2).Where(f => f.Next <= LastOf(bytes)).Max(static f => f.Offset);
        torn = (byte[])bytes.Clone();
        torn.AsSpan((int)from).Clear();
        torn.AsSpan((int)from + 60, 9).Fill(0xAA);
        FileBytes.Put(directory, SegmentFormat.Name(2), torn);
        Assert.Contains("acknowledged as durable and are lost", Refused(directory).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void AMarkOfAnotherStoreOrOneThatCannotBeReadIsTold()
    {
        SimDirectory directory = Stored(segments: 2, close: true);
        new LogEnd(Guid.NewGuid(), 1, 5, 1).Publish(directory, 0);
        Assert.Contains("belongs to the store", Refused(directory).Message, StringComparison.Ordinal);

        FileBytes.Put(directory, LogEnd.FileName, [1, 2, 3]);
        Assert.True(RetentionTests.Look(directory).Verify().IsCorrupt);
        using (NinoStore store = Simulated.Open(directory, 2))
        {
            Assert.Contains("written anew", Assert.Single(store.Recovery.Damage).Message, StringComparison.Ordinal);
            RetentionTests.IsWhole(store);
        }

        directory.Delete(LogEnd.FileName);
        Simulated.Open(directory, 3).Dispose();
        Assert.Equal((2L, (string?)null), (LogEnd.Read(directory, out string? problem)!.Value.Segment, problem));
    }

    // Whatever the power failure left: what was acknowledged in a segment that is then removed is missed, and what was not never looks like a removal.
    [Fact]
    public void WhereverThePowerFailsARemovedSegmentWithAcknowledgedRecordsIsMissed()
    {
        int states = 0, removals = 0, unknown = 0, seed = Effort.Seed(1);
        long operations = Work(new SimDirectory(), out _).OperationCount;
        for (long at = 1; at <= operations; at++)
        {
            SimDirectory directory = Work(new SimDirectory { PowerOffAt = at }, out long acknowledged);
            foreach (SimDirectory crashed in directory.CrashStates(limit: 12, seed: seed + (int)at))
            {
                states++;
                long[] numbers = RetentionTests.Segments(crashed);
                SimDirectory image = crashed.KillProcess();
                using (NinoStore store = Simulated.Open(image, 7))
                {
                    Assert.True(store.LastSequence >= acknowledged);
                    Assert.All(store.Recovery.Damage, static d => Assert.Equal(StoreDamageKind.TornTail, d.Kind));
                }

                if (numbers.Length < 2) continue;
                long first = RetentionTests.First(crashed, numbers[^1]);
                Remove(crashed, numbers[^1]);
                removals++;
                try
                {
                    using NinoStore store = Simulated.Open(crashed, 8);
                    Assert.True(acknowledged < first, $"crash at {at}: {acknowledged} records were acknowledged, the segment removed began with {first}, and nobody missed it");
                    unknown++;
                }
                catch (StoreCorruptException)
                {
                    // Missed, as it should be.
                }
            }
        }

        Effort.Tell(output, "crash states", states, $"SEED={seed}", $"{removals} newest segments removed afterwards, {unknown} of them without a record that was acknowledged and not missed");
        Assert.True(removals > 100 && unknown < removals / 2, $"{states} states, {removals} removals, {unknown} not missed");

    }

    // A killed process leaves a mark that the operating system has and the disk may not: whoever goes on from there must not rest on it.
    [Fact]
    public void AMarkThatAKilledProcessDidNotSyncIsNotBelieved()
    {
        int states = 0, missed = 0, seed = Effort.Seed(1);
        long operations = Work(new SimDirectory(), out _).OperationCount;
        for (long at = 1; at <= operations; at++)
        {
            SimDirectory killed = Work(new SimDirectory { PowerOffAt = at }, out _).KillProcess();
            NinoStore store = Simulated.Open(killed, 7);
            for (int i = 0; i < 5; i++) store.Append((int)store.LastSequence + 1);
            Simulated.Commit(store);
            long acknowledged = store.LastSequence;
            foreach (SimDirectory crashed in killed.CrashStates(limit: 6, seed: seed + (int)at))
            {
                states++;
                long[] numbers = RetentionTests.Segments(crashed);
                if (numbers.Length < 2 || RetentionTests.First(crashed, numbers[^1]) > acknowledged) continue;
                Remove(crashed, numbers[^1]);
                missed++;
                Assert.Throws<StoreCorruptException>(() => Simulated.Open(crashed, 8));
            }
        }

        Effort.Tell(output, "crash states", states, $"SEED={seed}", $"after a process that was killed; {missed} newest segments removed, all missed");
        Assert.True(missed > 20, $"{states} states, {missed} missed");
    }

    private static SimDirectory Work(SimDirectory directory, out long acknowledged)
    {
        acknowledged = 0;
        var trouble = new DiskTrouble();
        try
        {
            using NinoStore store = Simulated.Open(directory, 1);
            while (RetentionTests.Segments(directory).Length < 3)
            {
                for (int i = 0; i < 150; i++) store.Append((int)store.LastSequence + 1);
                Simulated.Commit(store);
                acknowledged = store.LastSequence;
            }
        }
        catch (Exception e) when (trouble.Ends(e))
        {
            // The power failed; what was promised until then counts.
            trouble.ThrowOther();
        }

        return directory;
    }

    private static long LastOf(byte[] whole)
    {
        var copy = new SimDirectory();
        FileBytes.Put(copy, SegmentFormat.Name(2), whole);
        return FrameStarts(copy, 2)[^1].Next - 1;
    }

    // Where each frame begins, and the sequence that comes next there.
    private static List<(long Offset, long Next)> FrameStarts(SimDirectory directory, long number)
    {
        List<(long, long)> starts = [];
        using IStoreFile file = directory.OpenRead(SegmentFormat.Name(number));
        Assert.Equal(SegmentHeaderStatus.Valid, SegmentHeader.TryRead(file, out SegmentHeader header));
        using var scanner = new SegmentScanner(file, header);
        (long offset, long next) = (scanner.Offset, scanner.NextSequence);
        while (scanner.Next() == Store.Framing.FrameReadStatus.Frame)
        {
            starts.Add((offset, next));
            (offset, next) = (scanner.Offset, scanner.NextSequence);
        }

        starts.Add((offset, next));
        return starts;
    }
}
