// The power fails, the process is killed, or a file call fails at every operation of a store with keyed state. In every state that this can leave: the log has everything that was acknowledged, and
// the keyed state is exactly what the log amounts to, whichever checkpoint it came from; opening once more gives the same.

using Store.Tests.Simulation;
using Xunit.Abstractions;

namespace Store.Tests.KeyValue;

public class KeyValueCrashTests(ITestOutputHelper output)
{
    private const int Seed = 20261121;

    /// <summary>How much of everything: 1 in a run of all tests, more for the full proof.</summary>
    private static readonly int Scale = int.Parse(Environment.GetEnvironmentVariable("KEY_VALUE_SCALE") ?? "1", System.Globalization.CultureInfo.InvariantCulture);

    [Fact]
    public void TheLifeThatIsInterruptedHasEverything()
    {
        using var directory = new SimDirectory();
        var work = new KeyedWorkload(directory, goesOn: false);
        work.Run();
        Assert.True(work.HasCompacted, "Nothing was compacted.");
        Assert.True(work.Examine(directory.KillProcess()));
        output.WriteLine($"{work.Operations} operations in {directory.OperationCount} file operations");
    }

    [Fact]
    public void WhereverThePowerFailsTheKeyedStateIsWhatTheLogSays()
    {
        var statistics = new SimStatistics();
        var random = new Random(Seed);
        int states = 0, fromCheckpoint = 0, again = 0;
        long points = 0;
        for (long at = 1; ; at += Scale > 1 ? 1 : 2)
        {
            using var directory = new SimDirectory(statistics: statistics) { PowerOffAt = at };
            var work = new KeyedWorkload(directory, goesOn: false);
            UntilThePowerFails(directory, work.Run);
            if (!directory.IsPowerOff) break;
            points++;
            foreach (SimDirectory crashed in directory.CrashStates(limit: Scale, seed: Seed + (int)at))
            {
                states++;
                SimDirectory left = crashed;
                if (random.Next(4) == 0)
                {
                    // The power fails during recovery too, and what that leaves must be as good.
                    crashed.PowerOffAt = crashed.OperationCount + random.Next(1, 30);
                    UntilThePowerFails(crashed, () => KeyedWorkload.Open(crashed, (_, _) => { }));
                    left = crashed.Crash(random);
                    again++;
                }

                if (work.Examine(left)) fromCheckpoint++;
            }
        }

        output.WriteLine($"{statistics.Describe(Seed)}; {points} points, {states} crash states of keyed state opened, {again} of them after a crash in recovery, {fromCheckpoint} from a checkpoint");
        Assert.True(fromCheckpoint > states / 4, "Hardly any state came from a checkpoint.");
    }

    [Fact]
    public void WhereverTheProcessIsKilledTheKeyedStateIsWhatTheLogSays()
    {
        int states = 0;
        for (long at = 1; ; at += Scale > 1 ? 1 : 3)
        {
            using var directory = new SimDirectory { PowerOffAt = at };
            var work = new KeyedWorkload(directory, goesOn: false);
            UntilThePowerFails(directory, work.Run);
            work.Examine(directory.KillProcess());
            states++;
            if (!directory.IsPowerOff) break;
        }

        output.WriteLine($"{states} kills of a process with keyed state");
    }

    /// <summary>The life goes on after what failed, as far as the store lets it: what it acknowledges then counts too.</summary>
    [Theory]
    [InlineData(nameof(FaultKind.IoError), false)]
    [InlineData(nameof(FaultKind.IoError), true)]
    [InlineData(nameof(FaultKind.ShortWrite), false)]
    [InlineData(nameof(FaultKind.NoSpace), true)]
    public void WhicheverCallFailsNothingAcknowledgedIsLost(string kind, bool isForever)
    {
        int faults = 0, states = 0, step = Scale > 1 ? 1 : 6;
        for (int n = 1 + (Seed % step); ; n += step)
        {
            using var directory = new SimDirectory();
            var faulty = new FaultDirectory(directory, n) { Fault = new Fault(n, Enum.Parse<FaultKind>(kind), isForever) };
            var work = new KeyedWorkload(faulty, goesOn: true);
            work.Run();
            if (faulty.Failures == 0) break;
            faults++;
            foreach (SimDirectory left in directory.CrashStates(limit: Scale, seed: Seed + n).Prepend(directory.KillProcess()))
            {
                work.Examine(left, mayReject: true);
                states++;
            }
        }

        output.WriteLine($"{faults} faults ({kind}, {(isForever ? "from there on" : "once")}) in the life of a keyed state, {states} states examined, seed {Seed}");
        Assert.True(faults > 8, $"{faults} faults");
    }

    private static void UntilThePowerFails(SimDirectory directory, Action work)
    {
        try
        {
            work();
        }
        catch (Exception e) when (directory.IsPowerOff && e is IOException or StoreException or AggregateException)
        {
            // The power is off: what is on the disk is looked at next.
        }
    }
}
