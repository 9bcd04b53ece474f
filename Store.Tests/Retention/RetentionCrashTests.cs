using Store.IO;
using Store.Tests.Log;
using Store.Tests.Simulation;
using Xunit.Abstractions;

namespace Store.Tests.Retention;

/// <summary>Truncation with a power failure, or a failing call, at every step. The log always opens, begins where it was asked to or earlier, and is whole from there on.</summary>
public class RetentionCrashTests(ITestOutputHelper output)
{
    [Fact]
    public void WhereverThePowerFailsTheLogOpensAndHoldsWhatWasToBeKept()
    {
        int states = 0, points = 0;
        for (int seed = 1; seed <= 2; seed++)
        {
            for (long at = 1; ; at++, points++)
            {
                var directory = new SimDirectory { PowerOffAt = at };
                Outcome outcome = Work(directory, seed);
                foreach (SimDirectory after in directory.CrashStates(limit: 12, seed: (seed * 10_000) + (int)at))
                {
                    states++;
                    if (states % 4 == 0)
                    {
                        // Recovery crashes as well.
                        after.PowerOffAt = after.OperationCount + 1 + (states / 4 % 8);
                        try
                        {
                            Simulated.Open(after, seed: 7).Dispose();
                        }
                        catch (Exception e) when (DiskTrouble.IsCauseOf(e))
                        {
                            // What is left must recover like the first time.
                        }

                        Check(after.Crash(new Random(states)), outcome);
                        continue;
                    }

                    Check(after, outcome);
                }

                if (!directory.IsPowerOff) break;
            }
        }

        Effort.Tell(output, "crash states", states, "no chance in it", $"truncation, {points} crash points");
        Assert.True(states > 1000);
    }

    [Fact]
    public void WhicheverCallFailsTheLogOpensAndHoldsWhatWasToBeKept()
    {
        int failed = 0;
        foreach (FaultKind kind in Enum.GetValues<FaultKind>())
        {
            for (long at = 1; ; at++)
            {
                var disk = new SimDirectory();
                var faulty = new FaultDirectory(disk, seed: 1) { Fault = new Fault(at, kind, IsForever: at % 3 == 0) };
                Outcome outcome = Work(faulty, seed: 1);
                if (faulty.Failures == 0) break;
                failed++;
                foreach (SimDirectory after in disk.CrashStates(limit: 2, seed: (int)at).Append(disk.KillProcess())) Check(after, outcome);
            }
        }

        Effort.Tell(output, "injected faults", failed, "no chance in it", "truncation");
        Assert.True(failed > 150);
    }

    // What a killed process wrote is in the system's cache, and nobody knows whether it is on the disk: the next opening goes on removing by a mark that a power failure could take back.
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void WhereverThePowerFailsWhileTheTruncationOfAKilledProcessIsFinishedTheLogOpens(bool isFull)
    {
        int states = 0, points = 0;
        for (long at = 1; ; at++)
        {
            var disk = new SimDirectory();
            NinoStore store = RetentionTests.Grown(disk, segments: 5);
            long last = store.LastSequence, first = RetentionTests.First(disk, 4);
            if (isFull)
            {
                // There is a mark, which is written in place where the disk has no room for another.
                store.TruncateBefore(RetentionTests.First(disk, 2));
                disk.CapacityBytes = disk.UsedBytes;
            }

            SimDirectory? killed = null;
            long killAt = disk.OperationCount + at;
            disk.OnOperation = (number, _) => killed = number == killAt ? disk.KillProcess() : killed;
            Assert.Equal(first, store.TruncateBefore(first).FirstSequence);
            disk.OnOperation = null;
            store.Dispose();
            if (killed is null) break;
            for (long power = 1; ; power++, points++)
            {
                SimDirectory opened = killed.KillProcess();
                opened.CapacityBytes = isFull ? opened.UsedBytes : null;
                opened.PowerOffAt = power;
                Exception? failure = Record.Exception(() => Simulated.Open(opened, seed: 7).Dispose());

                // Of a disk that was full, and then without power, the first is told.
                Assert.True(failure is null || DiskTrouble.IsCauseOf(failure) || (isFull && opened.IsPowerOff && failure is IOException full && IoFailure.IsNoRoom(full)), $"{failure}");
                foreach (SimDirectory after in opened.CrashStates(limit: 40, seed: (int)((at * 1000) + power)))
                {
                    states++;
                    using NinoStore left = Simulated.Open(after, seed: 9);
                    RetentionTests.IsWhole(left);
                    Assert.Equal(last, left.LastSequence);
                    Assert.InRange(left.FirstSequence, 1, first);
                }

                if (!opened.IsPowerOff) break;
            }
        }

        Effort.Tell(output, "crash states", states, "no chance in it", $"a truncation that a killed process did not finish, {points} crash points{(isFull ? ", on a full disk" : "")}");
        Assert.True(states > 100, $"{states} states");
    }

    // The mark may be there although the truncation has failed: the next opening goes by it.
    [Fact]
    public void WhicheverCallOfATruncationFailsACursorOpenedThenFindsItsRecordsWhenTheStoreIsOpenedAgain()
    {
        int failed = 0, states = 0;
        foreach (FaultKind kind in Enum.GetValues<FaultKind>())
        {
            for (long at = 1; TruncateWithAFault(at, kind, powerOffAt: 0, ref states); at++)
            {
                failed++;

                // It is tried again, and then the power fails: nothing may be removed before its mark is durable.
                for (long power = 1; TruncateWithAFault(at, kind, power, ref states); power++) { }
            }
        }

        Effort.Tell(output, "injected faults", failed, "no chance in it", $"a truncation that is tried again, {states} states opened afterwards");
        Assert.True(failed > 20, $"{failed} faults");
    }

    // True when there was such a fault and, where it is asked for, such a point.
    private static bool TruncateWithAFault(long at, FaultKind kind, long powerOffAt, ref int states)
    {
        var disk = new SimDirectory();
        var faulty = new FaultDirectory(disk, seed: (int)at);
        NinoStore store = RetentionTests.Grown(faulty, segments: 4);
        (long first, long last) = (RetentionTests.First(disk, 3), store.LastSequence);
        faulty.Fault = new Fault(at, kind);
        IsTheDisks(Record.Exception(() => store.TruncateBefore(first)));
        bool struck = faulty.Failures > 0;
        faulty.Fault = null;
        long reads = struck && powerOffAt == 0 ? store.OpenCursor("x").Position + 1 : long.MaxValue;
        if (powerOffAt > 0)
        {
            disk.PowerOffAt = disk.OperationCount + powerOffAt;
            IsTheDisks(Record.Exception(() => store.TruncateBefore(long.MaxValue)));
        }

        foreach (SimDirectory after in disk.CrashStates(limit: 8, seed: (int)(at + powerOffAt)).Append(disk.KillProcess()))
        {
            states++;
            using NinoStore opened = Simulated.Open(after, seed: 3);
            RetentionTests.IsWhole(opened);
            Assert.InRange(opened.FirstSequence, 1, reads);
            Assert.Equal(last, opened.LastSequence);
        }

        IsTheDisks(Record.Exception(store.Dispose));
        return struck && (powerOffAt == 0 || disk.IsPowerOff);

        static void IsTheDisks(Exception? failure) => Assert.True(failure is null || DiskTrouble.IsCauseOf(failure), $"{failure}");
    }

    private static void Check(SimDirectory after, Outcome outcome)
    {
        using NinoStore store = Simulated.Open(after, seed: 9);
        Assert.InRange(store.FirstSequence, outcome.Removed, outcome.MayBeRemoved);
        Assert.True(store.LastSequence >= outcome.Acknowledged);
        Assert.All(store.Recovery.Damage, damage => Assert.Equal(StoreDamageKind.TornTail, damage.Kind));
        RetentionTests.IsWhole(store);
        Assert.False(RetentionTests.Look(after).Verify().IsCorrupt);
        Assert.Equal(store.LastSequence + 1, store.Append((int)store.LastSequence + 1));
    }

    private sealed record Outcome
    {
        /// <summary>First sequence that a truncation which returned has left.</summary>
        public long Removed { get; set; } = 1;

        /// <summary>First sequence that any truncation was allowed to leave.</summary>
        public long MayBeRemoved { get; set; } = 1;

        public long Acknowledged { get; set; }
    }

    private static Outcome Work(IStoreDirectory directory, int seed)
    {
        var outcome = new Outcome();
        var random = new Random(seed);
        var trouble = new DiskTrouble();
        try
        {
            for (int opening = 0; opening < 2; opening++)
            {
                using NinoStore store = Simulated.Open(directory, seed + opening, o => o with { SegmentSizeBytes = 64 * 1024 });
                for (int step = 0; step < 12; step++)
                {
                    int[] batch = [.. Enumerable.Range((int)store.LastSequence + 1, random.Next(100, 900))];
                    store.AppendBatch<int>(batch);
                    Simulated.Commit(store);
                    outcome.Acknowledged = store.LastSequence;
                    if (step % 4 != 3) continue;
                    long before = store.LastSequence - random.Next(500, 2000);
                    outcome.MayBeRemoved = Math.Max(outcome.MayBeRemoved, before);
                    outcome.Removed = store.TruncateBefore(before).FirstSequence;
                }
            }
        }
        catch (Exception e) when (trouble.Ends(e))
        {
            // What was promised until now is checked.
            trouble.ThrowOther();
        }

        return outcome;
    }
}
