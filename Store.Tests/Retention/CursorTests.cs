using Store.IO;
using Store.Retention;
using Store.Tests.Log;
using Store.Tests.Simulation;
using Xunit.Abstractions;

namespace Store.Tests.Retention;

/// <summary>Named positions: they survive, they are listed, they are deleted, they never stand ahead of the log.</summary>
public class CursorTests(ITestOutputHelper output)
{
    internal static void Commit(LogCursor cursor, long sequence)
    {
        ValueTask commit = cursor.CommitAsync(sequence);
        Assert.True(commit.IsCompleted);
        commit.GetAwaiter().GetResult();
    }

    [Fact]
    public void APositionSurvivesTheProcessAndThePower()
    {
        var directory = new SimDirectory();
        NinoStore store = RetentionTests.Grown(directory, segments: 2);
        LogCursor cursor = store.OpenCursor("mail");
        Assert.Equal(0, cursor.Position);
        for (int i = 10; i <= 50; i += 10) Commit(cursor, i);
        Assert.Same(cursor, store.OpenCursor("mail"));

        foreach (SimDirectory after in directory.CrashStates(limit: 20, seed: 1).Append(directory.KillProcess()))
        {
            using NinoStore again = Simulated.Open(after, seed: 2);
            Assert.Equal(50, again.OpenCursor("mail").Position);
            Assert.Equal(("mail", 50L, null), Assert.Single(again.Cursors.Select(c => (c.Name, c.Position, c.Problem))));
        }
    }

    [Fact]
    public void ANameOfHalfACharacterIsRefusedSayingWhere()
    {
        using NinoStore store = Simulated.Open(new SimDirectory());
        ArgumentException refused = Assert.Throws<ArgumentException>(() => store.OpenCursor("mail\ud800"));
        Assert.Equal("name", refused.ParamName);
        Assert.Contains("the character at index 4", refused.Message, StringComparison.Ordinal);
        Assert.Empty(store.Cursors);
    }

    [Fact]
    public void ADisposedStoreListsNeitherCursorsNorSnapshots()
    {
        NinoStore store = Simulated.Open(new SimDirectory());
        store.OpenCursor("mail");
        store.Dispose();
        Assert.Equal(typeof(NinoStore).FullName, Assert.Throws<ObjectDisposedException>(() => store.Cursors).ObjectName);
        Assert.Equal(typeof(NinoStore).FullName, Assert.Throws<ObjectDisposedException>(() => store.Snapshots).ObjectName);
    }

    /// <summary>Of a cursor that is open elsewhere, and of one that is not open: its file has the position before as well.</summary>
    [Fact]
    public void TheListHasThePositionThatWasCommittedLast()
    {
        var directory = new SimDirectory();
        using (NinoStore store = RetentionTests.Grown(directory, segments: 2))
        {
            Commit(store.OpenCursor("mail"), 40);
            using NinoStore beside = Simulated.Open(directory, seed: 2, static o => o with { ReadOnly = true });
            Assert.Equal(40, Assert.Single(beside.Cursors).Position);
        }

        using NinoStore again = Simulated.Open(directory, seed: 3);
        Assert.Equal(40, Assert.Single(again.Cursors).Position);
        Assert.Equal(40, again.OpenCursor("mail").Position);
    }

    [Fact]
    public void ACommittedPositionMakesTheRecordsBeforeItDurable()
    {
        var directory = new SimDirectory();
        NinoStore store = Simulated.Open(directory);
        LogCursor cursor = store.OpenCursor("fast");
        for (int i = 1; i <= 10; i++) store.Append(i);
        Assert.Equal(0, store.DurableSequence);

        Commit(cursor, 7);

        Assert.Equal(10, store.DurableSequence);
        foreach (SimDirectory after in directory.CrashStates(limit: 20, seed: 1))
        {
            using NinoStore again = Simulated.Open(after, seed: 2);
            Assert.Equal(7, again.OpenCursor("fast").Position);
            Assert.True(again.LastSequence >= 7);
        }
    }

    [Fact]
    public async Task APositionThatTurnsOutToBeBackwardsIsCheckedAgainstTheLogAsItIsThen()
    {
        var directory = new SimDirectory();
        using NinoStore store = RetentionTests.Grown(directory, segments: 4, change: static o => o with { RunsInline = false, FlushIntervalMs = 1 });
        LogCursor cursor = store.OpenCursor("mail");
        await cursor.CommitAsync(50);
        using ManualResetEventSlim held = new(), goesOn = new();
        cursor.BeforeWriting = () =>
        {
            // The first one only.
            cursor.BeforeWriting = null;
            held.Set();
            Assert.True(goesOn.Wait(TimeSpan.FromSeconds(60)));
        };

        // It sees a cursor at 50 and waits; meanwhile the cursor goes on, and the log is removed behind it.
        Task late = Task.Run(() => cursor.CommitAsync(100).AsTask());
        Assert.True(held.Wait(TimeSpan.FromSeconds(60)));
        await cursor.CommitAsync(store.LastSequence);
        long first = store.TruncateBefore(long.MaxValue).FirstSequence;
        Assert.True(first > 101);
        goesOn.Set();

        Assert.Equal(first, (await Assert.ThrowsAsync<LogTruncatedException>(() => late)).FirstSequence);
        Assert.Equal(store.LastSequence, cursor.Position);
    }

    // The lower position may be the one on the disk: the next opening believes it, and must find the records behind it.
    [Fact]
    public void ACursorWhoseWayBackFailedHoldsTheLogFromWhereItWasToGo()
    {
        var directory = new SimDirectory();
        RetentionTests.Grown(directory, segments: 6).Dispose();
        long second = RetentionTests.First(directory, 2);
        var faulty = new FaultDirectory(directory, seed: 1);
        using (NinoStore store = Simulated.Open(faulty, 2))
        {
            LogCursor cursor = store.OpenCursor("mail", 0);
            Commit(cursor, store.LastSequence);
            faulty.Fault = new Fault(1, FaultKind.IoError, Strikes: static operation => operation == IoOperation.SyncData, Files: static name => CursorName.IsCursor(name));
            Assert.Throws<StoreFailedException>(() => Commit(cursor, second));

            TruncateResult result = store.TruncateBefore(store.LastSequence);

            Assert.Equal(second, result.FirstSequence);
            Assert.Equal(second, Assert.Single(store.Cursors).Position);
        }

        using NinoStore again = Simulated.Open(directory.KillProcess(), 3);
        LogCursor found = again.OpenCursor("mail");
        Assert.Equal(second, found.Position);
        Assert.Equal(second + 1, again.ReadRecords(found.Position + 1).First().Sequence);
    }

    // The copy that is lost may be the one that says so: the other must not pass records over.
    [Theory]
    [InlineData(0)]
    [InlineData(MarkerFile.SecondSlot)]
    public void ACursorThatWentBackStandsThereWhicheverCopyIsLost(int copy)
    {
        var directory = new SimDirectory();
        using (NinoStore store = RetentionTests.Grown(directory, segments: 2))
        {
            LogCursor cursor = store.OpenCursor("mail", 0);
            Commit(cursor, 90);
            Commit(cursor, 100);
            Commit(cursor, 50);
        }

        string file = CursorName.FileOf("mail", MarkerKind.Cursor);
        using (IStoreFile written = directory.OpenWrite(file)) written.Write([0xFF], copy + 40);

        using NinoStore again = Simulated.Open(directory, 2);
        Assert.Equal(50, again.OpenCursor("mail").Position);
    }

    [Fact]
    public void ANewCursorStandsBeforeTheFirstRecordOrWhereItIsPut()
    {
        var directory = new SimDirectory();
        using NinoStore store = RetentionTests.Grown(directory, segments: 4);
        store.TruncateBefore(RetentionTests.First(directory, 3));

        Assert.Equal(store.FirstSequence - 1, store.OpenCursor("first").Position);
        Assert.Equal(store.LastSequence, store.OpenCursor("last", store.LastSequence).Position);
        Assert.Throws<LogTruncatedException>(() => store.OpenCursor("gone", 3));
        Assert.Throws<ArgumentOutOfRangeException>(() => store.OpenCursor("future", store.LastSequence + 1));
        Assert.Equal(["first", "last"], store.Cursors.Select(c => c.Name));
    }

    [Fact]
    public void ADeletedCursorIsGoneForGood()
    {
        var directory = new SimDirectory();
        using NinoStore store = RetentionTests.Grown(directory, segments: 2);
        LogCursor cursor = store.OpenCursor("x");
        Commit(cursor, 5);

        Assert.True(store.DeleteCursor("x"));
        Assert.False(store.DeleteCursor("x"));
        Assert.Throws<InvalidOperationException>(() => Commit(cursor, 6));
        Assert.Empty(store.Cursors);
        foreach (SimDirectory after in directory.CrashStates(limit: 20, seed: 1))
        {
            using NinoStore again = Simulated.Open(after, seed: 2);
            Assert.Empty(again.Cursors);
        }

        Assert.Equal(0, store.OpenCursor("x").Position);
    }

    [Fact]
    public void AClosedStoresCursorWritesNothingAnyMore()
    {
        var directory = new SimDirectory();
        NinoStore store = RetentionTests.Grown(directory, segments: 2);
        LogCursor cursor = store.OpenCursor("x");
        Commit(cursor, 5);
        store.Dispose();
        using NinoStore next = Simulated.Open(directory, seed: 2);
        long operations = directory.OperationCount;

        Assert.Throws<ObjectDisposedException>(() => Commit(cursor, 6));
        Assert.Throws<ObjectDisposedException>(() => Commit(cursor, 4));
        Assert.Throws<ObjectDisposedException>(() => cursor.Advance(7));

        Assert.Equal(operations, directory.OperationCount);
        Assert.Equal(5, cursor.Position);
        Assert.Equal(5, next.OpenCursor("x").Position);
    }

    [Fact]
    public void ACursorOfAnotherStoreIsRefused()
    {
        var other = new SimDirectory();
        using (NinoStore store = RetentionTests.Grown(other, segments: 2, seed: 5)) store.OpenCursor("x");
        var directory = new SimDirectory();
        using NinoStore mine = RetentionTests.Grown(directory, segments: 2);
        FileBytes.Put(directory, "cursor-x.nino", FileBytes.Of(other, "cursor-x.nino"));

        Assert.Contains("belongs to the store", Assert.Throws<StoreCorruptException>(() => mine.OpenCursor("x")).Message, StringComparison.Ordinal);
        Assert.Contains("belongs to the store", Assert.Single(mine.Cursors).Problem, StringComparison.Ordinal);
    }

    [Fact]
    public void ACursorAheadOfASalvagedLogStandsAtItsEnd()
    {
        var directory = new SimDirectory();
        using (NinoStore store = RetentionTests.Grown(directory, segments: 4)) Commit(store.OpenCursor("x"), store.LastSequence);
        long third = RetentionTests.First(directory, 3);
        directory.Delete(Store.Log.SegmentFormat.Name(3));
        directory.SyncDirectory();

        using NinoStore salvaged = Simulated.Open(directory, 2, o => o with { Recovery = RecoveryMode.Salvage });
        LogCursor cursor = salvaged.OpenCursor("x");
        Assert.Equal((third - 1, true), (cursor.Position, cursor.WasAhead));

        // Until a position is committed.
        Assert.True(salvaged.OpenCursor("x").WasAhead);
        Commit(cursor, third - 2);
        Assert.False(salvaged.OpenCursor("x").WasAhead);
    }

    [Fact]
    public void WhereverThePowerFailsACursorStandsWhereItWasPutLastOrIsAboutToBe()
    {
        int states = 0;
        for (long at = 1; ; at++)
        {
            var directory = new SimDirectory { PowerOffAt = at };
            (long acknowledged, long tried) = CommitSome(directory);
            foreach (SimDirectory after in directory.CrashStates(limit: 16, seed: (int)at))
            {
                states++;
                using NinoStore again = Simulated.Open(after, seed: 2);
                long position = again.OpenCursor("mail", 0).Position;
                Assert.InRange(position, acknowledged, tried);
                Assert.True(position <= again.LastSequence);
                Assert.DoesNotContain(after.List(), f => f.Name.EndsWith(".tmp", StringComparison.Ordinal) && f.Name.StartsWith("cursor", StringComparison.Ordinal));
            }

            if (!directory.IsPowerOff) break;
        }

        Assert.True(states > 100, $"{states} states");
        Effort.Tell(output, "crash states", states, "no chance in it", "cursor");
    }

    [Fact]
    public void WhicheverCallFailsACursorTellsAndKeepsWhatWasAcknowledged()
    {
        int failed = 0;
        foreach (FaultKind kind in Enum.GetValues<FaultKind>())
        {
            for (long at = 1; ; at++)
            {
                var disk = new SimDirectory();
                var faulty = new FaultDirectory(disk, seed: 1) { Fault = new Fault(at, kind, IsForever: at % 2 == 0) };
                (long acknowledged, long tried) = CommitSome(faulty);
                if (faulty.Failures == 0) break;
                failed++;
                foreach (SimDirectory after in disk.CrashStates(limit: 3, seed: (int)at).Append(disk.KillProcess()))
                {
                    using NinoStore again = Simulated.Open(after, seed: 2);
                    Assert.InRange(again.OpenCursor("mail", 0).Position, acknowledged, tried);
                }
            }
        }

        Assert.True(failed > 100);
        Effort.Tell(output, "injected faults", failed, "no chance in it", "cursor");
    }

    // Opens twice, commits positions, and returns the last that was acknowledged and the greatest that was tried.
    private static (long Acknowledged, long Tried) CommitSome(Store.IO.IStoreDirectory directory)
    {
        long acknowledged = 0, tried = 0;
        var trouble = new DiskTrouble();
        try
        {
            for (int opening = 0; opening < 2; opening++)
            {
                using NinoStore store = Simulated.Open(directory, opening + 1);
                LogCursor cursor = store.OpenCursor("mail", 0);
                Assert.Equal(acknowledged, cursor.Position);
                for (int i = 0; i < 4; i++)
                {
                    for (int r = 0; r < 5; r++) store.Append(r);
                    tried = store.LastSequence;
                    Commit(cursor, tried);
                    acknowledged = tried;
                }
            }
        }
        catch (Exception e) when (trouble.Ends(e))
        {
            // What was promised until now is checked.
            trouble.ThrowOther();
        }

        return (acknowledged, tried);
    }
}
