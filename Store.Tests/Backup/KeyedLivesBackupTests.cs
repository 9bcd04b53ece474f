// Keyed states were copied, forgotten and begun anew, and the next backup is interrupted: by a power failure, a kill, a cancelled token or a failing call, at its every step. At each of them a copy has what the store had at the record with
// which the copy ends, and the next backup makes it the store.

using Store.IO;
using Store.KeyValue;
using Store.Retention;
using Store.Tests.Log;
using Store.Tests.Simulation;
using Xunit.Abstractions;

namespace Store.Tests.Backup;

public class KeyedLivesBackupTests(ITestOutputHelper output)
{
    /// <summary>What the copy has of the forgotten life ends at the record behind which the next one begins: only what is in the mark tells one from the other.</summary>
    [Fact]
    public void ACheckpointAtTheVeryRecordOfTheNewBeginningIsNeverTakenForTheNewOne()
    {
        SimDirectory first = new();
        using KeyedLivesBed bed = Copied(first, "names", isCheckpointAtItsEnd: true);
        long end = bed.Store.LastSequence;
        bed.Forget("names");
        bed.Truncate();
        Assert.Equal(end, bed.Begin("names"));
        bed.Change("names");

        Interrupt(bed, first, "a keyed state that was begun anew where its checkpoint stands");
    }

    /// <summary>As long as the copy's log does not reach the new beginning, the copy has the state as it was.</summary>
    [Fact]
    public void UntilTheLogReachesTheNewBeginningTheCopyHasTheStateAsItWas()
    {
        SimDirectory first = new();
        using KeyedLivesBed bed = Copied(first, "names");
        long before = bed.AssertHolds(first);
        bed.Forget("names");
        bed.Truncate();
        bed.Grow(2);
        long since = bed.Begin("names");
        Assert.True(since > before + 100);
        bed.Change("names");
        bed.Grow();
        int asItWas = 0;

        Interrupt(bed, first, "a keyed state that was begun anew far behind the copy's end", left =>
        {
            if (CursorMarks.TryFind(left, bed.Store.StoreId, "names", MarkerKind.KeyedState)!.Value.Since == 0) asItWas++;
        });

        Assert.True(asItWas > 30, $"{asItWas} as it was");
    }

    [Fact]
    public void OfSeveralStatesEachGoesOverWhereItBeginsAlsoTwiceOrForTheFirstTime()
    {
        SimDirectory first = new();
        using var bed = new KeyedLivesBed();
        Live(bed, "kept", "once", "twice", "never");
        bed.Change("kept", 5);
        Assert.Empty(bed.Store.BackupTo(first).Omitted);
        bed.AssertHolds(first, isExact: true);

        bed.Forget("once");
        bed.Forget("twice");
        bed.Truncate();
        bed.Begin("twice");
        bed.Forget("twice");
        bed.Grow();
        bed.Begin("once");
        bed.Change("once");
        bed.Change("kept", 5);
        bed.Begin("twice");
        bed.Begin("late");
        bed.Change("late");
        bed.Change("twice");
        bed.Grow();
        bed.Checkpoint("kept");
        bed.Change("once", 3);

        Interrupt(bed, first, "four keyed states, two of them begun anew and one begun");
    }

    /// <summary>What was cut off by an interruption is begun anew once more before the next backup.</summary>
    [Fact]
    public void AStateThatIsBegunAnewAgainBehindAnInterruptedBackupGoesOverOnceMore()
    {
        SimDirectory first = new();
        using KeyedLivesBed bed = Copied(first, "names", isCheckpointAtItsEnd: true);
        bed.Forget("names");
        bed.Truncate();
        bed.Begin("names");
        List<SimDirectory> interrupted = [.. Interrupted(bed, first, static _ => { }).Where(static (_, i) => i % 9 == 0)];
        bed.Forget("names");
        bed.Grow();
        bed.Begin("names");
        bed.Change("names");
        int states = 0;
        foreach (SimDirectory left in interrupted)
        {
            states++;
            bed.AssertHolds(left);
            foreach (SimDirectory again in Interrupted(bed, left, static _ => { }, step: 7)) bed.AssertHolds(again);
            Assert.Empty(bed.Store.BackupTo(left).Omitted);
            Assert.Equal(bed.Store.LastSequence, bed.AssertHolds(left, isExact: true));
        }

        Assert.True(states > 10, $"{states} states");
    }

    [Fact]
    public void AFirstBackupThatWasInterruptedLeavesNothingOfAForgottenLife()
    {
        using var bed = new KeyedLivesBed();
        Live(bed, "names");
        List<SimDirectory> interrupted = [.. Interrupted(bed, new SimDirectory(), static _ => { })];
        Assert.Contains(interrupted, static left => KeyedLivesBed.Files(left, "names").Length > 0);
        bed.Forget("names");
        Assert.Equal(bed.Store.LastSequence, bed.Begin("names"));
        bed.Change("names");
        foreach (SimDirectory left in interrupted)
        {
            Assert.Empty(bed.Store.BackupTo(left).Omitted);
            Assert.Equal(bed.Store.LastSequence, bed.AssertHolds(left, isExact: true));
            Assert.Empty(KeyedLivesBed.Files(left, "names"));
        }
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void WhicheverCallFailsTheCopyHasTheOneOrTheOther(bool isFull)
    {
        SimDirectory first = new();
        using KeyedLivesBed bed = Copied(first, "names", isCheckpointAtItsEnd: true);
        bed.Forget("names");
        bed.Truncate();
        bed.Begin("names");
        bed.Change("names");
        for (long at = 1; ; at += isFull ? 3 : 1)
        {
            SimDirectory copied = Copy(first);
            FaultDirectory copy = new(copied, seed: (int)at) { Fault = isFull ? new Fault(at, FaultKind.NoSpace, IsForever: true) : new Fault(at, FaultKind.IoError, IsForever: false) };
            try
            {
                bed.Store.BackupTo(copy);
            }
            catch (Exception e) when (DiskTrouble.IsCauseOf(e))
            {
                // The failure that was asked for.
            }

            foreach (SimDirectory left in copied.CrashStates(limit: 2, seed: (int)at).Append(copied.KillProcess())) bed.AssertHolds(left);
            Assert.Empty(bed.Store.BackupTo(copied).Omitted);
            Assert.Equal(bed.Store.LastSequence, bed.AssertHolds(copied, isExact: true));
            if (copy.Failures == 0) break;
        }
    }

    /// <summary>The backup has written a checkpoint of it aside; then it is forgotten and begun anew, before the log is copied or behind what is.</summary>
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void AStateThatIsBegunAnewWhileItIsCopiedIsTheOneOrTheOther(bool isBeforeTheLog)
    {
        SimDirectory first = new();
        using var bed = new KeyedLivesBed();
        Live(bed, "a", "b");
        Assert.Empty(bed.Store.BackupTo(first).Omitted);
        bed.Grow();
        bed.Checkpoint("a");
        bed.Checkpoint("b");
        bool isDone = false;
        SimDirectory copy = Copy(first);
        copy.OnOperation = (_, what) =>
        {
            // The other's turn, or the first segment's.
            if (isDone || !(isBeforeTheLog ? what.StartsWith("create kv-b.", StringComparison.Ordinal) : what.StartsWith("create segment", StringComparison.Ordinal))) return;
            isDone = true;
            bed.Forget("a");
            bed.Begin("a");
            bed.Change("a");
            bed.Grow();
        };

        BackupResult result = bed.Store.BackupTo(copy);

        copy.OnOperation = null;
        Assert.True(isDone);
        Assert.Empty(result.Omitted);
        bed.AssertHolds(copy);
        Assert.Empty(bed.Store.BackupTo(copy).Omitted);
        Assert.Equal(bed.Store.LastSequence, bed.AssertHolds(copy, isExact: true));
        Assert.Empty(KeyedLivesBed.Files(copy, "a"));
    }

    /// <summary>For a reader the log ends where it did when the store was opened for reading: before the new beginning.</summary>
    [Fact]
    public void AStateThatIsBegunAnewBehindTheEndThatAReaderKnowsIsNamedAndTheCopyKeepsTheOneBefore()
    {
        SimDirectory copy = new();
        using KeyedLivesBed bed = Copied(copy, "names");
        using NinoStore reader = Simulated.Open(new View(bed.Directory), 2, static o => o with { ReadOnly = true });
        long end = reader.LastSequence;
        bed.Forget("names");
        bed.Truncate();
        bed.Grow();
        Assert.True(bed.Begin("names") > end);
        bed.Change("names");

        BackupOmission omitted = Assert.Single(reader.BackupTo(copy).Omitted);

        Assert.Equal("names", omitted.Name);
        Assert.Contains("begun anew", omitted.Reason, StringComparison.Ordinal);
        Assert.NotEmpty(KeyedLivesBed.Files(copy, "names"));
        Assert.Equal(end, bed.AssertHolds(copy, isExact: true));
        Assert.Empty(bed.Store.BackupTo(copy).Omitted);
        Assert.Equal(bed.Store.LastSequence, bed.AssertHolds(copy, isExact: true));
    }

    /// <summary>A machine that was put back to an earlier image, where the state was begun anew then: what is in the copy may be all there is of the one before.</summary>
    [Fact]
    public void AStoreThatWentAnotherWayAndBeganAStateAnewTakesNothingFromTheCopy()
    {
        SimDirectory copy = new();
        using KeyedLivesBed bed = Copied(copy, "names");
        SimDirectory image = bed.Directory.KillProcess();
        bed.Store.AppendBatch<int>([1, 2, 3]);
        bed.Store.Commit();
        Assert.Empty(bed.Store.BackupTo(copy).Omitted);
        string[] files = KeyedLivesBed.Files(copy, "names");
        using NinoStore back = KeyedBackupBed.Open(image, seed: 5);
        Assert.True(back.ForgetKeyedState("names"));
        foreach (string file in KeyedLivesBed.Files(image, "names")) image.Delete(file);
        back.TruncateBefore(long.MaxValue);
        using IKeyValueStore<int, string> anew = KeyedLivesBed.Open(back, "names");
        for (int i = 0; i < 20; i++) anew.Put(i, "another");
        back.Commit();
        Assert.True(back.LastSequence > bed.Store.LastSequence);

        Assert.Contains("went on", Assert.Throws<StoreException>(() => back.BackupTo(copy)).Message, StringComparison.Ordinal);

        Assert.Equal(files, KeyedLivesBed.Files(copy, "names"));
        Assert.Equal(bed.Store.LastSequence, bed.AssertHolds(copy, isExact: true));
    }

    /// <summary>A state with a checkpoint, whose changes the log does not have any more, in a copy that is complete.</summary>
    private static KeyedLivesBed Copied(SimDirectory copy, string name, bool isCheckpointAtItsEnd = false)
    {
        var bed = new KeyedLivesBed();
        Live(bed, name);
        if (!isCheckpointAtItsEnd) bed.Grow();
        Assert.Empty(bed.Store.BackupTo(copy).Omitted);
        Assert.NotEmpty(KeyedLivesBed.Files(copy, name));
        bed.AssertHolds(copy, isExact: true);
        return bed;
    }

    // States with checkpoints, and a log that has nothing of them any more.
    private static void Live(KeyedLivesBed bed, params string[] names)
    {
        foreach (string name in names)
        {
            Assert.Equal(0, bed.Begin(name));
            bed.Change(name);
        }

        for (int round = 0; round < 2; round++)
        {
            bed.Grow(2);
            foreach (string name in names) bed.Checkpoint(name);
        }

        bed.Truncate();
        Assert.True(bed.Store.FirstSequence > 1);
    }

    private void Interrupt(KeyedLivesBed bed, SimDirectory first, string what, Action<SimDirectory>? examine = null)
    {
        int states = 0;
        List<string> leftBehind = [];
        foreach (SimDirectory left in Interrupted(bed, first, left =>
        {
            bed.AssertHolds(left);
            examine?.Invoke(left);
        }))
        {
            states++;
            Assert.Empty(bed.Store.BackupTo(left).Omitted);
            Assert.Equal(bed.Store.LastSequence, bed.AssertHolds(left, isExact: true));
            leftBehind.AddRange(left.List().Select(static f => f.Name).Where(static f => f.StartsWith("kv-", StringComparison.Ordinal) && FolderExchange.IsItsOwn(f[(f.IndexOf('.', StringComparison.Ordinal) + 1)..])));
        }

        Assert.Empty(leftBehind);
        Effort.Tell(output, "crash states", states, "no chance in it", what);
        Assert.True(states > 100, $"{states} states");
    }

    // Two folders as a power failure leaves them, one of a kill and one of a cancelled token, for every operation on the copy.
    private static IEnumerable<SimDirectory> Interrupted(KeyedLivesBed bed, SimDirectory first, Action<SimDirectory> examine, int step = 1)
    {
        for (long at = 1; ; at += step)
        {
            SimDirectory failed = Copy(first), cancelled = Copy(first);
            failed.PowerOffAt = failed.OperationCount + at;
            using var stop = new CancellationTokenSource();
            int steps = 0;
            cancelled.OnOperation = (_, _) =>
            {
                if (++steps == at) stop.Cancel();
            };
            try
            {
                bed.Store.BackupTo(failed);
            }
            catch (Exception e) when (DiskTrouble.IsCauseOf(e))
            {
                // What it left is looked at.
            }

            try
            {
                bed.Store.BackupTo(cancelled, cancellationToken: stop.Token);
            }
            catch (OperationCanceledException)
            {
                // As it was left.
            }

            cancelled.OnOperation = null;
            foreach (SimDirectory left in failed.CrashStates(limit: 2, seed: (int)at).Append(failed.KillProcess()).Append(cancelled.KillProcess()))
            {
                examine(left);
                yield return left;
            }

            if (!failed.IsPowerOff) yield break;
        }
    }

    private static SimDirectory Copy(SimDirectory directory)
    {
        SimDirectory copy = directory.KillProcess();
        copy.SyncAllFolders();
        return copy;
    }

    private sealed class View(IStoreDirectory inner) : LookOnlyDirectory(inner);
}
