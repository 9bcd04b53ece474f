// The power fails at every operation, and every state it can leave is opened again.

using Store.IO;
using Store.Serialization;
using Store.Snapshots;
using Store.Tests.Simulation;
using Xunit.Abstractions;
using static Store.Tests.Snapshots.SnapshotSamples;

namespace Store.Tests.Snapshots;

public class SnapshotCrashTests(ITestOutputHelper output)
{
    private static readonly int Seed = Effort.Seed(20261124);
    private static readonly int StatesPerCrash = 600 * Effort.CrashScale;

    /// <summary>Ends every test log: below it nothing is ahead.</summary>
    private const long LogEnd = 1000;

    /// <summary>
    /// Checkpoints with retention, one after another. Whatever a power failure leaves, what restores is the last acknowledged state or the one being
    /// written, as many whole generations as were promised are there, and opening again changes nothing.
    /// </summary>
    [Fact]
    public void AfterAPowerFailureTheOldOrTheNewStateIsThereAndNeverAMix()
    {
        const int checkpoints = 5, generations = 2;
        var statistics = new SimStatistics();
        foreach (long operation in Effort.Points(every: 1, Effort.CrashScale, out _))
        {
            using var folder = new SimDirectory(statistics: statistics) { PowerOffAt = operation };
            (int acknowledged, long oldest) = CheckpointUntilPowerFails(folder, checkpoints, generations);
            foreach (SimDirectory state in folder.CrashStates(StatesPerCrash, Seed))
                Examine(state, acknowledged, oldest, generations, $"seed {Seed}, operation {operation}, acknowledged {acknowledged}");
            if (!folder.IsPowerOff) break;
        }

        long states = statistics.ExhaustiveStates + statistics.SampledStates;
        Effort.Tell(output, "crash states", states, $"SEED={Seed}", $"snapshots, {statistics.Describe(Seed)}");
        Assert.True(states > (Effort.IsSlice ? 0 : 500), statistics.Describe(Seed));
    }

    /// <summary>The power fails again while opening clears away what the first failure left.</summary>
    [Fact]
    public void APowerFailureDuringRecoveryLosesNothingEither()
    {
        var statistics = new SimStatistics();
        int leftovers = 0;
        foreach (long operation in Effort.Points(every: 1, Effort.CrashScale, out _))
        {
            using var folder = new SimDirectory(statistics: statistics) { PowerOffAt = operation };
            (int acknowledged, long oldest) = CheckpointUntilPowerFails(folder, checkpoints: 3, generations: 2);
            foreach (SimDirectory first in folder.CrashStates(40 * Effort.CrashScale, Seed))
            {
                for (long again = 1; ; again++)
                {
                    SimDirectory second = first.KillProcess();
                    second.PowerOffAt = again;
                    Recover(second);
                    foreach (SimDirectory state in second.CrashStates(40, Seed))
                        Examine(state, acknowledged, oldest, 2, $"seed {Seed}, operations {operation} and {again}");
                    if (!second.IsPowerOff) break;
                    leftovers++;
                }
            }

            if (!folder.IsPowerOff) break;
        }

        Effort.Tell(output, "crash states", statistics.ExhaustiveStates + statistics.SampledStates, $"SEED={Seed}", $"snapshots, {leftovers} crashed again during recovery; {statistics.Describe(Seed)}");
        Assert.True(leftovers > (Effort.IsSlice ? 0 : 10), $"{leftovers} failures during recovery");
    }

    /// <summary>A snapshot that is ahead of the log stays out of use whatever happens while it is set aside.</summary>
    [Fact]
    public void APowerFailureWhileASnapshotIsSetAsideNeverBringsItBackIntoUse()
    {
        int states = 0;
        foreach (long operation in Effort.Points(every: 1, Effort.CrashScale, out _))
        {
            using var folder = new SimDirectory();
            foreach (int sequence in new[] { 5, 9 }) Checkpoint(Over(folder), sequence);
            folder.PowerOffAt = folder.OperationCount + operation;
            bool recovered = Recover(folder, logEnd: 8);
            foreach (SimDirectory state in folder.CrashStates(StatesPerCrash, Seed))
            {
                // An acknowledged recovery is durable, so that appends may follow; otherwise the next opening does it again.
                states++;
                if (!recovered) Recover(state, logEnd: 8);
                Assert.Equal(5, Restore(state, logEnd: LogEnd)?.Info.Sequence);
            }

            if (!folder.IsPowerOff) break;
        }

        Effort.Tell(output, "crash states", states, $"SEED={Seed}", "snapshots that are set aside");
    }

    /// <summary>The process is killed at every operation: the operating system keeps what was written.</summary>
    [Fact]
    public void AfterTheProcessIsKilledTheOldOrTheNewStateIsThere()
    {
        foreach (long operation in Effort.Points(every: 1, Effort.CrashScale, out _))
        {
            using var folder = new SimDirectory { PowerOffAt = operation };
            (int acknowledged, long oldest) = CheckpointUntilPowerFails(folder, checkpoints: 4, generations: 2);
            Examine(folder.KillProcess(), acknowledged, oldest, 2, $"operation {operation}");
            if (!folder.IsPowerOff) break;
        }
    }

    private static void Examine(SimDirectory state, int acknowledged, long oldest, int generations, string context)
    {
        Recover(state);
        IReadOnlyList<StoreFileEntry> once = state.List();
        Recover(state);
        Assert.True(once.SequenceEqual(state.List()), $"{context}: opening twice gave two results");
        Assert.True(once.All(f => SnapshotName.TryParse(f.Name, out _)), $"{context}: {string.Join(", ", once)}");

        int whole = 0;
        foreach (StoreFileEntry entry in once)
        {
            using SnapshotFile file = SnapshotFile.Open(state, entry.Name, SnapshotVerification.All);
            Assert.Equal(Counter.Numbered((int)file.Info.Sequence), file.Read<Counter>());
            Assert.True(file.Info.Sequence >= oldest, $"{context}: {entry.Name} came back, and the log below {oldest} may be gone");
            if (file.Info.Sequence <= acknowledged) whole++;
        }

        Assert.True(whole >= Math.Min(acknowledged, generations - 1), $"{context}: {whole} acknowledged generations are left");
        Assert.True(once.Count >= Math.Min(acknowledged, generations), $"{context}: {once.Count} generations are left");
        SnapshotRestore<Counter>? restored = Restore(state, LogEnd);
        long sequence = restored?.Info.Sequence ?? 0;
        Assert.True(sequence == acknowledged || sequence == acknowledged + 1, $"{context}: restored {sequence}");
        Assert.True(restored is null || restored.State.Equals(Counter.Numbered((int)sequence)), $"{context}: a mix was restored");
    }

    /// <returns>How many checkpoints were acknowledged, their sequences being 1, 2, …, and what was last said to be the oldest snapshot kept.</returns>
    private static (int Acknowledged, long Oldest) CheckpointUntilPowerFails(SimDirectory folder, int checkpoints, int generations)
    {
        int acknowledged = 0;
        long oldest = 0;
        try
        {
            SnapshotStore store = Over(folder, generations);
            while (acknowledged < checkpoints && !folder.IsPowerOff)
            {
                Checkpoint(store, acknowledged + 1);
                acknowledged++;
                oldest = store.Needed!.Value.Sequence;
            }
        }
        catch (SimulatedPowerFailure)
        {
            Assert.True(folder.IsPowerOff);
        }

        return (acknowledged, oldest);
    }

    private static bool Recover(SimDirectory folder, long logEnd = LogEnd)
    {
        try
        {
            Over(folder).Recover(logEnd, []);
            return true;
        }
        catch (SimulatedPowerFailure)
        {
            return false;
        }
    }

    private static SnapshotRestore<Counter>? Restore(SimDirectory folder, long logEnd)
    {
        var damage = new List<StoreDamage>();
        SnapshotRestore<Counter>? restored = Over(folder).TryRestoreNewest(NinoCodec<Counter>.Default, logEnd, damage);
        Assert.Empty(damage);
        return restored;
    }

    private static void Checkpoint(SnapshotStore store, int sequence) => store.Write(NinoCodec<Counter>.Default, Counter.Numbered(sequence), sequence, Time);

    private static SnapshotStore Over(SimDirectory folder, int generations = 2) => new(folder, StoreId, new NinoStoreOptions { SnapshotGenerations = generations });
}
