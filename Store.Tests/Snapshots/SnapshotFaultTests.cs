// Every file call of a checkpoint, of a restore and of recovery fails once, or from there on.

using Store.IO;
using Store.Serialization;
using Store.Snapshots;
using Store.Tests.Simulation;
using Xunit.Abstractions;
using static Store.Tests.Snapshots.SnapshotSamples;

namespace Store.Tests.Snapshots;

public class SnapshotFaultTests(ITestOutputHelper output)
{
    private static readonly int Seed = Effort.Seed(20261125);

    public static TheoryData<string, bool> Faults
    {
        get
        {
            var data = new TheoryData<string, bool>();
            foreach (FaultKind kind in Enum.GetValues<FaultKind>())
            {
                data.Add(kind.ToString(), false);
                data.Add(kind.ToString(), true);
            }

            return data;
        }
    }

    [Theory]
    [MemberData(nameof(Faults))]
    public void AFailedCheckpointLeavesTheEarlierOnesAndNothingElse(string kind, bool isForever)
    {
        int failed = 0;
        long faults = 0;
        foreach (long n in Effort.Points(every: 1, Effort.FaultScale, out int statesEach))
        {
            using SimDirectory sim = WithTwo();
            var faulty = new FaultDirectory(sim, (int)n) { Fault = new Fault(n, Enum.Parse<FaultKind>(kind), isForever) };
            Exception? failure = Record.Exception(() => Checkpoint(faulty, 3));
            string context = $"{kind}, {(isForever ? "from" : "only")} call {n}: {string.Join(", ", faulty.Trace.Calls.Select(c => c.Operation))}; {failure?.Message}";
            if (failure is not null)
            {
                failed++;
                Assert.IsType<InjectedFault>(failure);
            }

            // In the running process: the old ones are there. When only one call failed, nothing of the new one is.
            long restored = Restore(sim);
            Assert.True(failure is null ? restored == 3 : restored == 2 || (isForever && restored == 3), $"{context}: restored {restored}");
            if (failure is not null && !isForever) Assert.True(sim.List().Select(f => f.Name).SequenceEqual([NameOf(1), NameOf(2)]), context);

            // After a power failure on top: what was acknowledged is there, an unfinished file is gone.
            foreach (SimDirectory state in sim.CrashStates(200 * statesEach, Seed))
            {
                Over(state).Recover(1000, []);
                Assert.True(state.List().All(f => SnapshotName.TryParse(f.Name, out _)), context);
                long later = Restore(state);
                Assert.True(failure is null ? later == 3 : later is 2 or 3, $"{context}: restored {later} after a power failure");
            }

            // The next checkpoint succeeds as if nothing had been.
            Checkpoint(sim, 4);
            Assert.Equal(4, Restore(sim));
            if (faulty.Failures == 0) break;
            faults++;
        }

        Effort.Tell(output, "injected faults", faults, $"SEED={Seed}", $"snapshots, {kind}{(isForever ? " for ever" : " once")}");
        Assert.True(failed >= (Effort.IsSlice ? 0 : 2), $"only {failed} calls failed the checkpoint");
    }

    [Fact]
    public void ACheckpointWhoseRetentionFailsIsStillACheckpointAndTheNextOneTidiesUp()
    {
        using SimDirectory sim = WithTwo();
        // The first removal is that of an unfinished file under the new name.
        var faulty = new FaultDirectory(sim) { Fault = new Fault(2, FaultKind.IoError, IsForever: true, operation => operation == IoOperation.Delete) };
        SnapshotStore store = Over(faulty);
        Checkpoint(store, 3);
        Assert.Equal([3, 2, 1], store.List().Select(s => s.Sequence));
        faulty.Fault = null;
        Checkpoint(store, 4);
        Assert.Equal([4, 3], store.List().Select(s => s.Sequence));
    }

    /// <summary>The log may only lose what no snapshot needs that a power failure can bring back.</summary>
    [Fact]
    public void ASnapshotCountsAsKeptUntilItsRemovalIsDurable()
    {
        using SimDirectory sim = WithTwo();
        var faulty = new FaultDirectory(sim) { Fault = new Fault(2, FaultKind.IoError, Strikes: operation => operation == IoOperation.SyncDirectory) };
        SnapshotStore store = Over(faulty);
        Checkpoint(store, 3);
        Assert.Equal([3, 2], store.List().Select(s => s.Sequence));
        Assert.Equal(1, store.Needed!.Value.Sequence);
        Checkpoint(store, 4);
        Assert.Equal(3, store.Needed!.Value.Sequence);
    }

    /// <summary>What cannot be read is reported, and what restores is a state that was written. A read that succeeds the second time, as some of a failing disk do, is none that cannot be read.</summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void AFailedReadIsReportedAndNeverAWrongState(bool isForever)
    {
        for (int n = 1; ; n++)
        {
            using SimDirectory sim = WithTwo();
            var faulty = new FaultDirectory(sim) { Fault = new Fault(n, FaultKind.IoError, isForever) };
            var damage = new List<StoreDamage>();
            SnapshotRestore<Counter>? restored = null;
            Exception? failure = Record.Exception(() => restored = Over(faulty).TryRestoreNewest(NinoCodec<Counter>.Default, 1000, damage));
            if (failure is not null) Assert.IsType<InjectedFault>(failure);
            else if (faulty.Failures > 0 && (isForever || restored?.Info.Sequence != 2)) Assert.NotEmpty(damage);
            else Assert.Equal(2, restored!.Info.Sequence);
            if (restored is not null) Assert.Equal(Counter.Numbered((int)restored.Info.Sequence), restored.State);
            if (faulty.Failures == 0) break;
        }
    }

    [Theory]
    [MemberData(nameof(Faults))]
    public void AFailedRecoveryIsDoneAgainByTheNextOpening(string kind, bool isForever)
    {
        for (int n = 1; ; n++)
        {
            using SimDirectory sim = WithTwo();
            sim.Create(NameOf(3) + AtomicFile.TemporarySuffix).Dispose();
            var faulty = new FaultDirectory(sim) { Fault = new Fault(n, Enum.Parse<FaultKind>(kind), isForever) };
            Exception? failure = Record.Exception(() => Over(faulty).Recover(logLastSequence: 1, []));
            if (failure is not null) Assert.IsType<InjectedFault>(failure);
            if (faulty.Failures == 0) Assert.Null(failure);

            Over(sim).Recover(logLastSequence: 1, []);
            Assert.Equal([NameOf(1), NameOf(2) + SnapshotName.AheadSuffix], sim.List().Select(f => f.Name));
            Assert.Equal(1, Restore(sim));
            if (faulty.Failures == 0) break;
        }
    }

    private static SimDirectory WithTwo()
    {
        var sim = new SimDirectory();
        Checkpoint(sim, 1);
        Checkpoint(sim, 2);
        return sim;
    }

    private static void Checkpoint(IStoreDirectory folder, int sequence) => Checkpoint(Over(folder), sequence);

    private static void Checkpoint(SnapshotStore store, int sequence) => store.Write(NinoCodec<Counter>.Default, Counter.Numbered(sequence), sequence, Time);

    private static long Restore(IStoreDirectory folder)
    {
        SnapshotRestore<Counter>? restored = Over(folder).TryRestoreNewest(NinoCodec<Counter>.Default, 1000, []);
        if (restored is null) return 0;
        Assert.Equal(Counter.Numbered((int)restored.Info.Sequence), restored.State);
        return restored.Info.Sequence;
    }

    private static SnapshotStore Over(IStoreDirectory folder) => new(folder, StoreId, new NinoStoreOptions());
}
