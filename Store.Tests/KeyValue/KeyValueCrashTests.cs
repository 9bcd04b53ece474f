// The power fails, the process is killed, or a file call fails at every operation of a store with keyed state. In every state that this can leave: the log has everything that was acknowledged, and
// the keyed state is exactly what the log amounts to, whichever checkpoint it came from; opening once more gives the same.

using Store.IO;
using Store.Tests.Simulation;
using Xunit.Abstractions;
using Xunit.Sdk;

namespace Store.Tests.KeyValue;

public class KeyValueCrashTests(ITestOutputHelper output)
{
    private static readonly int Seed = Effort.Seed(20261121);

    [Fact]
    public void TheLifeThatIsInterruptedHasEverything()
    {
        using var cut = new SimDirectory();
        var truncating = new KeyedWorkload(cut, goesOn: false, truncates: true);
        truncating.Run();
        Assert.True(truncating.SegmentsRemoved > 2, $"{truncating.SegmentsRemoved} segments were removed.");
        Assert.True(truncating.Examine(cut.KillProcess()));
        using var directory = new SimDirectory();
        var work = new KeyedWorkload(directory, goesOn: false);
        work.Run();
        Assert.True(work.HasCompacted, "Nothing was compacted.");
        Assert.True(work.Examine(directory.KillProcess()));
        output.WriteLine($"{work.Operations} operations in {directory.OperationCount} file operations");
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void WhereverThePowerFailsTheKeyedStateIsWhatTheLogSays(bool truncates)
    {
        var statistics = new SimStatistics();
        var random = new Random(Seed);
        int states = 0, fromCheckpoint = 0, again = 0, removed = 0;
        long points = 0, operations = Operations(truncates);
        foreach (long at in Effort.Points(every: 2, Effort.CrashScale, out int statesEach).TakeWhile(at => at <= operations))
        {
            using var directory = new SimDirectory(statistics: statistics) { PowerOffAt = at };
            var work = new KeyedWorkload(directory, goesOn: false, truncates);
            UntilThePowerFails(directory, work.Run);
            removed = Math.Max(removed, work.SegmentsRemoved);
            Assert.True(directory.IsPowerOff, $"Operation {at} of {operations} was not met.");
            points++;
            foreach (SimDirectory crashed in directory.CrashStates(limit: statesEach, seed: Seed + (int)at))
            {
                states++;
                SimDirectory left = crashed;
                if (random.Next(4) == 0)
                {
                    // The power fails during recovery too, and what that leaves must be as good.
                    crashed.PowerOffAt = crashed.OperationCount + random.Next(1, 30);
                    UntilThePowerFails(crashed, () => KeyedWorkload.Open(crashed, (_, _) => { }, truncates: truncates));
                    left = crashed.Crash(random);
                    again++;
                }

                if (work.Examine(left)) fromCheckpoint++;
            }
        }

        Effort.Tell(output, "crash states", states, $"SEED={Seed}", $"keyed state{(truncates ? " with a truncated log" : "")}, {points} crash points, {again} crashed again during recovery, {fromCheckpoint} opened from a checkpoint; {statistics.Describe(Seed)}");
        Assert.True(fromCheckpoint > states / 4, "Hardly any state came from a checkpoint.");
        Assert.True(Effort.IsSlice || truncates == removed > 0, $"{removed} segments were removed.");
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void WhereverTheProcessIsKilledTheKeyedStateIsWhatTheLogSays(bool truncates)
    {
        int states = 0;
        long operations = Operations(truncates);
        foreach (long at in Effort.Points(every: 3, Effort.CrashScale, out _).TakeWhile(at => at <= operations))
        {
            using var directory = new SimDirectory { PowerOffAt = at };
            var work = new KeyedWorkload(directory, goesOn: false, truncates);
            UntilThePowerFails(directory, work.Run);
            Assert.True(directory.IsPowerOff, $"Operation {at} of {operations} was not met.");
            work.Examine(directory.KillProcess());
            states++;
        }

        Effort.Tell(output, "simulated kills", states, "no chance in it", $"keyed state{(truncates ? " with a truncated log" : "")}");
    }

    // The check finds what it is there to find.
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void AKeyedStateThatSyncsTheLogsFolderInPlaceOfItsOwnIsFoundOut(bool truncates)
    {
        long operations = Operations(truncates);
        for (long at = 1; at <= operations; at++)
        {
            using var directory = new SimDirectory { PowerOffAt = at };
            var work = new KeyedWorkload(new OneFolderForAll(directory), goesOn: false, truncates);
            UntilThePowerFails(directory, work.Run);
            foreach (SimDirectory left in directory.CrashStates(limit: 2, seed: (int)at))
            {
                Exception? wrong = Record.Exception(() => work.Examine(left));
                if (wrong is null) continue;
                Assert.True(wrong is StoreException or XunitException, wrong.ToString());
                output.WriteLine($"At operation {at} of {operations}: {wrong.Message}");
                return;
            }
        }

        Assert.Fail("A keyed state whose folder is never synced was not found out.");
    }

    /// <summary>The life goes on after what failed, as far as the store lets it: what it acknowledges then counts too.</summary>
    [Theory]
    [InlineData(nameof(FaultKind.IoError), false, false)]
    [InlineData(nameof(FaultKind.IoError), true, false)]
    [InlineData(nameof(FaultKind.ShortWrite), false, false)]
    [InlineData(nameof(FaultKind.NoSpace), true, false)]
    [InlineData(nameof(FaultKind.IoError), false, true)]
    [InlineData(nameof(FaultKind.IoError), true, true)]
    [InlineData(nameof(FaultKind.NoSpace), false, true)]
    public void WhicheverCallFailsNothingAcknowledgedIsLost(string kind, bool isForever, bool truncates)
    {
        int faults = 0, states = 0;
        var undisturbed = new FaultDirectory(new SimDirectory()) { Fault = new Fault(long.MaxValue, Enum.Parse<FaultKind>(kind)) };
        new KeyedWorkload(undisturbed, goesOn: false, truncates).Run();
        foreach (long n in Effort.Points(every: 6, Effort.FaultScale, out int statesEach).TakeWhile(n => n <= undisturbed.Counted))
        {
            using var directory = new SimDirectory();
            var faulty = new FaultDirectory(directory, (int)n) { Fault = new Fault(n, Enum.Parse<FaultKind>(kind), isForever) };
            var work = new KeyedWorkload(faulty, goesOn: true, truncates);
            work.Run();
            Assert.True(faulty.Failures > 0, $"Call {n} of {undisturbed.Counted} was not met.");
            faults++;
            foreach (SimDirectory left in directory.CrashStates(limit: statesEach, seed: Seed + (int)n).Prepend(directory.KillProcess()))
            {
                work.Examine(left, mayReject: truncates);
                states++;
            }
        }

        Effort.Tell(output, "injected faults", faults, $"SEED={Seed}", $"keyed state{(truncates ? " with a truncated log" : "")}, {kind}{(isForever ? " for ever" : " once")}, {states} states opened afterwards");
        Assert.True(faults > (Effort.IsSlice ? 0 : 8), $"{faults} faults");
    }

    private sealed class OneFolderForAll(IStoreDirectory inner) : PassThroughDirectory(inner)
    {
        public override void SyncDirectory(string prefix) => base.SyncDirectory();
    }

    // Of the life that nothing interrupts.
    private static long Operations(bool truncates)
    {
        using var directory = new SimDirectory();
        new KeyedWorkload(directory, goesOn: false, truncates).Run();
        return directory.OperationCount;
    }

    private static void UntilThePowerFails(SimDirectory directory, Action work)
    {
        var trouble = new DiskTrouble();
        try
        {
            work();
        }
        catch (Exception e) when (trouble.Ends(e))
        {
            // The power is off: what is on the disk is looked at next.
            trouble.ThrowOther();
        }
    }
}
