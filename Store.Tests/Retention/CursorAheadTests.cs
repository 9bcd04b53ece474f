using Store.IO;
using Store.Log;
using Store.Retention;
using Store.Tests.Log;
using Store.Tests.Simulation;
using Xunit.Abstractions;

namespace Store.Tests.Retention;

/// <summary>A cursor that is ahead of the log, which was salvaged or is an older copy, passes over no record that is appended later, whoever opens it and when.</summary>
public class CursorAheadTests(ITestOutputHelper output)
{
    private static NinoStoreOptions Salvage(NinoStoreOptions options) => options with { Recovery = RecoveryMode.Salvage };

    // What a keyed state's checkpoints leave behind.
    private static void KeepForKeyedState(NinoStore store, string name, long sequence) => store.Opened.Cursors.Open(name, MarkerKind.KeyedState).Advance(sequence);

    // A closed store of four segments with cursors and a keyed state's mark at its end, of which the last two segments are gone.
    private static SimDirectory Shortened(out long stood)
    {
        var directory = new SimDirectory();
        using (NinoStore store = RetentionTests.Grown(directory, segments: 4))
        {
            stood = store.LastSequence;
            foreach (string name in new[] { "a", "b" }) CursorTests.Commit(store.OpenCursor(name), stood);
            CursorTests.Commit(store.OpenCursor("low"), 7);
            KeepForKeyedState(store, "state", stood);
        }

        directory.Delete(SegmentFormat.Name(3));
        directory.Delete(SegmentFormat.Name(4));
        directory.SyncDirectory();
        return directory;
    }

    private static void Append(NinoStore store, int count)
    {
        for (int i = 0; i < count; i++) store.Append((int)store.LastSequence + 1);
        Simulated.Commit(store);
    }

    private static void StandsAtWithAllBehind(NinoStore store, LogCursor cursor, long end)
    {
        Assert.Equal((end, true), (cursor.Position, cursor.WasAhead));
        Assert.Equal(store.LastSequence - end, store.Read<int>(new ReadOptions { FromSequence = cursor.Position + 1 }).LongCount());
    }

    [Fact]
    public void WhatIsAppendedBeforeACursorAheadIsOpenedIsNotPassedOver()
    {
        SimDirectory directory = Shortened(out long stood);
        long end = RetentionTests.First(directory, 2) - 1;
        using (NinoStore salvaged = Simulated.Open(directory, 2, Salvage))
        {
            end = salvaged.LastSequence;
            StoreDamage[] moved = [.. salvaged.Recovery.Damage.Where(d => CursorName.IsCursor(d.File))];
            Assert.Equal(["cursor-a.nino", "cursor-b.nino", "keyed-state.nino"], moved.Select(d => d.File));
            Assert.All(moved, d => Assert.Contains($"stands at record {stood}, and the log ends with record {end}", d.Message, StringComparison.Ordinal));
            Append(salvaged, (int)(stood - end) + 20);
            StandsAtWithAllBehind(salvaged, salvaged.OpenCursor("a"), end);
            Assert.Equal((7L, false), (salvaged.OpenCursor("low").Position, salvaged.OpenCursor("low").WasAhead));
            Assert.Equal([end, end, 7], salvaged.Cursors.Select(c => c.Position));
        }

        // Nobody has opened "b" yet, and "a" committed nothing: both are told again.
        for (int opening = 3; opening < 5; opening++)
        {
            using NinoStore again = Simulated.Open(directory, opening);
            Assert.Empty(again.Recovery.Damage);
            foreach (string name in new[] { "a", "b" }) StandsAtWithAllBehind(again, again.OpenCursor(name), end);
            Append(again, 5);
        }

        using (NinoStore store = Simulated.Open(directory, 5))
        {
            CursorTests.Commit(store.OpenCursor("a"), end);
            CursorTests.Commit(store.OpenCursor("b"), end + 1);
        }

        using NinoStore last = Simulated.Open(directory, 6);
        Assert.Equal((end, false), (last.OpenCursor("a").Position, last.OpenCursor("a").WasAhead));
        Assert.Equal((end + 1, false), (last.OpenCursor("b").Position, last.OpenCursor("b").WasAhead));
    }

    [Fact]
    public void AKeyedStateAheadOfTheLogNeedsAllThatIsLeftOfIt()
    {
        SimDirectory directory = Shortened(out long stood);
        using NinoStore salvaged = Simulated.Open(directory, 2, Salvage);
        long end = salvaged.LastSequence;
        foreach (string name in new[] { "a", "b", "low" }) salvaged.DeleteCursor(name);
        RetentionTests.Grow(salvaged, directory, 6);
        Assert.True(salvaged.LastSequence > stood + 100);

        TruncateResult result = salvaged.TruncateBefore(long.MaxValue);

        // Its checkpoints covered records that are lost: they are rejected when it is opened, and it is made anew.
        Assert.Contains("the keyed state 'state', after record 0", result.HeldBy, StringComparison.Ordinal);
        Assert.Equal(1, result.FirstSequence);
        KeepForKeyedState(salvaged, "state", end + 1);
        Assert.Equal(0, MarkerFile.Read(directory, "keyed-state.nino").Newest!.Value.Segment);
    }

    [Fact]
    public void SalvagedASecondTimeACursorStillTellsAndStandsAtTheEnd()
    {
        SimDirectory directory = Shortened(out long stood);
        Simulated.Open(directory, 2, Salvage).Dispose();
        directory.Delete(SegmentFormat.Name(2));
        directory.SyncDirectory();
        using NinoStore salvaged = Simulated.Open(directory, 3, Salvage);
        long end = salvaged.LastSequence;
        Append(salvaged, 50);
        StandsAtWithAllBehind(salvaged, salvaged.OpenCursor("a"), end);
        Assert.Equal(stood, MarkerFile.Read(directory, "cursor-a.nino").Newest!.Value.Segment);
    }

    [Fact]
    public void WhereverThePowerFailsWhileCursorsAreMovedNoRecordIsPassedOver()
    {
        int states = 0, seed = Effort.Seed(1);
        SimDirectory shortened = Shortened(out long stood);
        long end = 0;
        for (long at = 1; ; at++)
        {
            SimDirectory directory = shortened.KillProcess();
            directory.PowerOffAt = at;
            var trouble = new DiskTrouble();
            try
            {
                using NinoStore store = Simulated.Open(directory, 2, Salvage);
                end = store.LastSequence;
            }
            catch (Exception e) when (trouble.Ends(e))
            {
                // What it left is opened below.
                trouble.ThrowOther();
            }

            foreach (SimDirectory crashed in directory.CrashStates(limit: 20, seed: seed + (int)at).Append(directory.KillProcess()))
            {
                states++;
                using (NinoStore store = Simulated.Open(crashed, 3, Salvage))
                {
                    end = store.LastSequence;
                    Append(store, (int)(stood - end) + 20);
                }

                // The power fails once more before anybody opens a cursor: what was moved in the cache only would come back.
                SimDirectory image = crashed.Crash(new Random(seed + (int)at));
                using NinoStore again = Simulated.Open(image, 4);
                Assert.True(again.LastSequence > stood);
                foreach (string name in new[] { "a", "b" }) StandsAtWithAllBehind(again, again.OpenCursor(name), end);
                Assert.Equal((7L, false), (again.OpenCursor("low").Position, again.OpenCursor("low").WasAhead));
                Assert.Equal(0, MarkerFile.Read(image, "keyed-state.nino").HighestSequence);
            }

            if (!directory.IsPowerOff) break;
        }

        Effort.Tell(output, "crash states", states, $"SEED={seed}", "cursors moved to the log's end");
        Assert.True(states > 150, $"{states} states");
    }

    [Fact]
    public void ACopyOfWhichOnlyTheOlderSlotIsAheadIsWrittenAnewToo()
    {
        SimDirectory directory = Shortened(out long stood);
        Marker ahead = MarkerFile.Read(directory, "cursor-a.nino").Newest!.Value;
        MarkerFile.Update(directory, "cursor-a.nino", ahead with { Generation = ahead.Generation + 1, Sequence = 9 });
        Assert.Equal(stood, MarkerFile.Read(directory, "cursor-a.nino").HighestSequence);

        using NinoStore salvaged = Simulated.Open(directory, 2, Salvage);

        Assert.Equal(9, MarkerFile.Read(directory, "cursor-a.nino").HighestSequence);
        Assert.Equal((9L, false), (salvaged.OpenCursor("a").Position, salvaged.OpenCursor("a").WasAhead));
        Assert.DoesNotContain(salvaged.Recovery.Damage, d => d.File == "cursor-a.nino");
    }

    [Fact]
    public void OpeningForReadingOnlyTellsAndChangesNothing()
    {
        SimDirectory directory = Shortened(out long stood);
        Dictionary<string, string> before = directory.List().ToDictionary(f => f.Name, f => Convert.ToHexString(FileBytes.Of(directory, f.Name)));

        using (NinoStore store = Simulated.Open(directory, 2, o => Salvage(o) with { ReadOnly = true }))
        {
            Assert.Equal(["cursor-a.nino", "cursor-b.nino", "keyed-state.nino"], store.Recovery.Damage.Where(d => CursorName.IsCursor(d.File)).Select(d => d.File));
            Assert.Contains("opening the store for writing moves it to the log's end", store.Recovery.Damage[^2].Message, StringComparison.Ordinal);
            Assert.Contains("opening the store for writing keeps the log from its beginning for it", store.Recovery.Damage[^1].Message, StringComparison.Ordinal);
        }

        Assert.Equal(before, directory.List().ToDictionary(f => f.Name, f => Convert.ToHexString(FileBytes.Of(directory, f.Name))));
        Assert.True(stood > 0);
    }

    // Segment and mark of a closed log are put back as they were when it was closed before: in the log nothing tells it, only who has been further.
    private static SimDirectory PutBack(Action<NinoStore> stand)
    {
        var directory = new SimDirectory();
        RetentionTests.Grown(directory, segments: 2).Dispose();
        byte[] earlier = FileBytes.Of(directory, SegmentFormat.Name(2)), mark = FileBytes.Of(directory, LogEnd.FileName);
        using (NinoStore store = Simulated.Open(directory, 2))
        {
            Append(store, 5);
            stand(store);
        }

        FileBytes.Put(directory, SegmentFormat.Name(2), earlier);
        FileBytes.Put(directory, LogEnd.FileName, mark);
        return directory;
    }

    [Theory]
    [InlineData("cursor")]
    [InlineData("keyed state")]
    [InlineData("snapshot")]
    public void AStoreWithACursorOrASnapshotAheadOfItsLogWasNotClosedCleanly(string what)
    {
        SimDirectory directory = PutBack(store =>
        {
            if (what == "cursor") CursorTests.Commit(store.OpenCursor("a"), store.LastSequence);
            else if (what == "keyed state") KeepForKeyedState(store, "a", store.LastSequence);
            else Assert.True(store.CheckpointAsync(new List<int> { 1 }).IsCompletedSuccessfully);
        });

        VerifyReport verified = RetentionTests.Look(directory).Verify();
        Assert.True(verified.IsCorrupt);
        Assert.Contains(what, Assert.Single(verified.Damage).Message, StringComparison.Ordinal);
        if (what != "snapshot")
        {
            using NinoStore reading = Simulated.Open(directory, 2, static o => o with { ReadOnly = true });
            Assert.False(reading.Recovery.CleanClose);
            Assert.Single(reading.Recovery.Damage);
        }

        using (NinoStore store = Simulated.Open(directory, 3))
        {
            Assert.False(store.Recovery.CleanClose);
            Assert.Single(store.Recovery.Damage);
        }

        // Moved to the end, or set aside: now it is closed as it is.
        Assert.Empty(RetentionTests.Look(directory).Verify().Damage);
        using NinoStore again = Simulated.Open(directory, 4);
        Assert.True(again.Recovery.CleanClose);
        Assert.Empty(again.Recovery.Damage);
    }

    [Fact]
    public void BesideAWriterThatCommitsACursorNothingIsAhead()
    {
        var directory = new SimDirectory();
        using NinoStore writer = RetentionTests.Grown(directory, segments: 2);
        LogCursor cursor = writer.OpenCursor("busy");
        int disturbed = 0;
        var disturbing = new DisturbedDirectory(directory, _ =>
        {
            if (disturbed++ > 30) return;
            Append(writer, 3);
            CursorTests.Commit(cursor, writer.LastSequence);
        });

        using NinoStore reader = Simulated.Open(disturbing, 2, o => o with { ReadOnly = true });

        Assert.True(disturbed > 2);
        Assert.Empty(reader.Recovery.Damage);
    }

    [Fact]
    public void ACursorCommittedWhileTheLogIsCopiedStandsAtTheEndOfTheCopy()
    {
        SimDirectory directory = new(), copy = new();
        using NinoStore store = RetentionTests.Grown(directory, segments: 2);
        LogCursor cursor = store.OpenCursor("mail");
        KeepForKeyedState(store, "state", 3);
        CursorTests.Commit(cursor, 5);
        long durable = store.LastSequence;
        bool isAtWork = false;
        copy.OnOperation = (_, what) =>
        {
            if (isAtWork || !what.StartsWith("create", StringComparison.Ordinal)) return;
            isAtWork = true;
            Append(store, 30);
            CursorTests.Commit(cursor, store.LastSequence);
            KeepForKeyedState(store, "state", store.LastSequence);
        };

        Assert.Equal(durable, store.BackupTo(copy).LastSequence);

        Assert.True(cursor.Position > durable);
        copy.OnOperation = null;
        foreach (SimDirectory after in copy.CrashStates(limit: 3, seed: 1))
        {
            using NinoStore restored = Simulated.Open(after, seed: 2);
            Assert.Empty(restored.Recovery.Damage);
            Append(restored, 60);
            StandsAtWithAllBehind(restored, restored.OpenCursor("mail"), durable);
            Assert.Contains("the keyed state 'state', after record 0", restored.TruncateBefore(long.MaxValue, RetentionHolds.Cursors).HeldBy, StringComparison.Ordinal);
        }

        // The next backup has what the store has by now.
        store.BackupTo(copy);
        using NinoStore second = Simulated.Open(copy.KillProcess(), seed: 3);
        Assert.Equal((store.LastSequence, false), (second.OpenCursor("mail").Position, second.OpenCursor("mail").WasAhead));
    }

    [Fact]
    public void ADamagedCursorIsCopiedAsItIs()
    {
        SimDirectory directory = new(), copy = new();
        using NinoStore store = RetentionTests.Grown(directory, segments: 2);
        FileBytes.Put(directory, "cursor-x.nino", [1, 2, 3]);

        store.BackupTo(copy);

        Assert.Equal([1, 2, 3], FileBytes.Of(copy, "cursor-x.nino"));
        using NinoStore opened = Simulated.Open(copy.KillProcess(), seed: 2);
        Assert.Contains("neither of its two copies verifies", Assert.Single(opened.Cursors).Problem, StringComparison.Ordinal);
    }

    /// <summary>Something happens in the folder whenever a file is opened.</summary>
    private sealed class DisturbedDirectory(IStoreDirectory inner, Action<string> opening) : LookOnlyDirectory(inner)
    {
        public override IStoreFile OpenRead(string name)
        {
            opening(name);
            return base.OpenRead(name);
        }
    }
}
