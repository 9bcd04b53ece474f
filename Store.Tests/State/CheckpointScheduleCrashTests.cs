// The power fails, or a file call fails, at every step of a program that keeps its own state and has it checkpointed from captures. Whatever is left: the restored state is exactly what the log amounts to.

using Store.State;
using Store.Tests.Log;
using Store.Tests.Simulation;
using Xunit.Abstractions;

namespace Store.Tests.State;

public class CheckpointScheduleCrashTests(ITestOutputHelper output)
{
    private static readonly int Seed = Effort.Seed(20261122);

    [Fact]
    public async Task WhereverThePowerFailsTheStateIsWhatTheLogSays()
    {
        int states = 0, fromSnapshot = 0;
        foreach (long at in Effort.Points(every: 1, Effort.CrashScale, out int statesEach))
        {
            using var directory = new SimDirectory { PowerOffAt = at };
            long durable = await LiveAsync(directory);
            foreach (SimDirectory crashed in directory.CrashStates(limit: 4 * statesEach, seed: Seed + (int)at))
            {
                states++;
                if (await ExamineAsync(crashed, durable)) fromSnapshot++;
            }

            if (!directory.IsPowerOff) break;
        }

        Effort.Tell(output, "crash states", states, $"SEED={Seed}", $"a state of the program's own, {fromSnapshot} restored from a snapshot");
        Assert.True(fromSnapshot > states / 4, $"{fromSnapshot} of {states} came from a snapshot");
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task WhicheverCallFailsNothingAcknowledgedIsLost(bool isForever)
    {
        int failures = 0;
        foreach (long n in Effort.Points(every: 1, Effort.FaultScale, out int statesEach))
        {
            using var directory = new SimDirectory();
            var faulty = new FaultDirectory(directory, (int)n) { Fault = new Fault(n, FaultKind.IoError, isForever) };
            long durable = await LiveAsync(faulty);
            failures += faulty.Failures > 0 ? 1 : 0;
            foreach (SimDirectory crashed in directory.CrashStates(limit: 2 * statesEach, seed: Seed + (int)n)) await ExamineAsync(crashed, durable);
            if (faulty.Failures == 0) break;
        }

        Effort.Tell(output, "injected faults", failures, $"SEED={Seed}", $"a state of the program's own{(isForever ? ", for ever" : ", once")}");
        Assert.True(failures > (Effort.IsSlice ? 0 : 50), $"{failures} faults");
    }

    /// <summary>Every third capture is of the state some records ago, with its own sequence.</summary>
    /// <returns>The last sequence that was acknowledged as durable.</returns>
    private static async Task<long> LiveAsync(Store.IO.IStoreDirectory directory)
    {
        long durable = 0;
        var trouble = new DiskTrouble();
        try
        {
            for (int life = 0; life < 2; life++)
            {
                using NinoStore store = Simulated.Open(directory, seed: life);
                Tally current = await RestoreAsync(store), earlier = current;
                long earlierSequence = store.LastSequence;
                bool isEarlier = false;
                using CheckpointSchedule schedule = store.CheckpointEvery(new CheckpointPolicy { OnDispose = life == 1 }, () => isEarlier ? store.Capture(earlier, earlierSequence) : store.Capture(current));
                for (int i = 1; i <= 18; i++)
                {
                    store.Append(new Deposited("ann", i));
                    current = new Tally(current.Sum + i);
                    if (i % 5 == 0)
                    {
                        await store.CommitAsync();
                        durable = store.LastSequence;
                    }

                    if (i % 4 != 0) continue;
                    isEarlier = i % 12 == 0;
                    durable = Math.Max(durable, (await schedule.CheckpointAsync()).Sequence);
                    (earlier, earlierSequence) = (current, store.LastSequence);
                }

                isEarlier = false;
            }
        }
        catch (Exception e) when (trouble.Ends(e))
        {
            // What is on the disk is looked at next.
            trouble.ThrowOther();
        }

        return durable;
    }

    private static async Task<bool> ExamineAsync(SimDirectory directory, long durable)
    {
        await using NinoStore store = Simulated.Open(directory, seed: 7);
        Assert.True(store.LastSequence >= durable, $"{durable} was acknowledged, {store.LastSequence} is there");
        Assert.Equal(store.Read<Deposited>().Sum(static r => r.Value.Amount), (await RestoreAsync(store)).Sum);
        Assert.DoesNotContain(store.Recovery.Damage, static d => d.Kind == StoreDamageKind.Corruption);
        return store.Recovery.SnapshotUsed is not null;
    }

    private static ValueTask<Tally> RestoreAsync(NinoStore store) => store.RestoreAsync<Tally, Deposited>(static (tally, e) => new Tally(tally.Sum + e.Amount));
}
