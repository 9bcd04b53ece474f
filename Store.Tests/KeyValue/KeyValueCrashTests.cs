// The power fails at every operation of a store with keyed state. In every state it can leave: the log has everything that was committed, and the keyed state is
// exactly what the log amounts to, whichever checkpoint it came from; opening once more gives the same.

using Store.Faster;
using Store.KeyValue;
using Store.Tests.Simulation;
using Xunit.Abstractions;

namespace Store.Tests.KeyValue;

public class KeyValueCrashTests(ITestOutputHelper output)
{
    private const string Name = "state";

    [Fact]
    public void WhereverThePowerFailsTheKeyedStateIsWhatTheLogSays()
    {
        const int seed = 20261121;
        var statistics = new SimStatistics();
        var untouched = new Workload(new SimDirectory(statistics: statistics));
        untouched.Run();
        long operations = untouched.Directory.OperationCount;
        var random = new Random(seed);
        int states = 0, fromCheckpoint = 0;
        for (long at = 1; at <= operations; at++)
        {
            var work = new Workload(new SimDirectory(statistics: statistics) { PowerOffAt = at });
            work.Run();
            foreach (SimDirectory crashed in work.Directory.CrashStates(limit: 2, seed: seed + (int)at))
            {
                states++;
                if (CheckState(crashed, work.Committed, crashAgain: random.Next(4) == 0 ? random : null)) fromCheckpoint++;
            }
        }

        output.WriteLine($"{statistics.Describe(seed)}; {operations} points, {states} states opened, {fromCheckpoint} from a checkpoint");
        Assert.True(fromCheckpoint > states / 4, "Hardly any state came from a checkpoint.");
    }

    private static bool CheckState(SimDirectory crashed, long committed, Random? crashAgain)
    {
        if (crashAgain is not null)
        {
            // The power fails during recovery, and what that leaves must be as good.
            crashed.PowerOffAt = crashed.OperationCount + crashAgain.Next(1, 30);
            UntilThePowerFails(crashed, () => Open(crashed, (_, _) => { }));
            crashed = crashed.Crash(crashAgain);
        }

        bool fromCheckpoint = false;
        Open(crashed, (store, kv) =>
        {
            Assert.True(store.LastSequence >= committed, $"{committed} records were committed, {store.LastSequence} are there.");
            AssertEqualsLog(store, kv);
            // A manifest promises that all it describes was durable before it: no power failure makes a liar of one.
            Assert.Empty(kv.Recovery.Rejected);
            fromCheckpoint = !kv.Recovery.RebuiltFromLog;
            kv.Put(1, "after the crash");
            kv.Delete(2);
        });
        Open(crashed, AssertEqualsLog);
        return fromCheckpoint;
    }

    private static void AssertEqualsLog(NinoStore store, IKeyValueStore<int, string> kv)
    {
        var expected = new Dictionary<int, string>();
        LogReplay.Apply(store.ReadRecords(), Name, expected);
        KeyValueBed.AssertHolds(kv, expected, Enumerable.Range(0, Workload.Keys));
    }

    private static void Open(SimDirectory directory, Action<NinoStore, IKeyValueStore<int, string>> use)
    {
        using NinoStore store = NinoStore.Open("sim", new NinoStoreOptions { Directory = directory, RunsInline = true, FirstSegmentSizeBytes = 16 * 1024 });
        using IKeyValueStore<int, string> kv = store.OpenKeyValue<int, string>(Name, KeyValueBed.Tiny);
        use(store, kv);
    }

    private static void UntilThePowerFails(SimDirectory directory, Action work)
    {
        try
        {
            work();
        }
        catch (Exception e) when (directory.IsPowerOff && e is SimulatedPowerFailure or StoreFailedException or IOException)
        {
            // The power is off: what is on the disk is looked at next.
        }
    }

    /// <summary>Changes with three checkpoints and a reopening, several times the engine's memory.</summary>
    private sealed class Workload(SimDirectory directory)
    {
        public const int Keys = 40;

        public SimDirectory Directory { get; } = directory;

        public long Committed { get; private set; }

        public void Run() => UntilThePowerFails(Directory, () =>
        {
            Open(Directory, (store, kv) =>
            {
                Change(store, kv, 1);
                Checkpoint(store, kv);
                Change(store, kv, 2);
                Checkpoint(store, kv);
                Change(store, kv, 3);
            });
            Open(Directory, (store, kv) =>
            {
                Change(store, kv, 4);
                Checkpoint(store, kv);
                Change(store, kv, 5);
            });
        });

        private void Change(NinoStore store, IKeyValueStore<int, string> kv, int round)
        {
            var random = new Random(round);
            for (int i = 0; i < 60; i++)
            {
                int key = random.Next(Keys);
                if (random.Next(5) == 0) kv.Delete(key);
                else kv.Put(key, $"{round}.{i} {new string('v', random.Next(400))}");
                if (i % 20 == 19) Commit(store);
            }
        }

        private void Commit(NinoStore store)
        {
            long last = store.LastSequence;
            store.Commit();
            Committed = last;
        }

        private void Checkpoint(NinoStore store, IKeyValueStore<int, string> kv)
        {
            long last = store.LastSequence;
            kv.CheckpointAsync().AsTask().GetAwaiter().GetResult();
            Committed = last;
        }
    }
}
