// Can an engine be written with what is public alone? One was (samples/OwnEngine), and it does all that an engine must.

using OwnEngine;
using Store.Conformance;
using Store.Faster;
using Store.KeyValue;
using Store.Tests.Simulation;

namespace Store.Tests.KeyValue;

public class OwnEngineTests
{
    public static TheoryData<string> Cases => [.. KeyValueConformance.Cases.Select(one => one.Name)];

    [Theory]
    [MemberData(nameof(Cases))]
    public async Task AnEngineOfPublicMembersAloneDoesWhatAnEngineMust(string name)
    {
        using var folder = new TemporaryFolder();
        await KeyValueConformance.Cases.Single(one => one.Name == name).Run(new MemoryEngine(), folder.Path).WaitAsync(TimeSpan.FromMinutes(2));
    }

    [Fact]
    public void EnginesReadEachOthersChanges()
    {
        using var directory = new SimDirectory();
        using NinoStore store = NinoStore.Open("sim", new NinoStoreOptions { Directory = directory, RunsInline = true });
        using (IKeyValueStore<string, int> memory = store.OpenInMemory<string, int>("state"))
        {
            memory.Put("a", 1);
            memory.PutBatch([new("b", 2), new("c", 3)]);
            memory.Delete("a");
        }

        using (IKeyValueStore<string, int> faster = store.OpenKeyValue<string, int>("state"))
        {
            KeyValueBed.AssertHolds(faster, new Dictionary<string, int> { ["b"] = 2, ["c"] = 3 }, ["a"]);
            faster.Update("b", n => n + 10);
        }

        using IKeyValueStore<string, int> again = store.OpenInMemory<string, int>("state");
        KeyValueBed.AssertHolds(again, new Dictionary<string, int> { ["b"] = 12, ["c"] = 3 }, ["a"]);
    }

    /// <summary>Whatever bit of its checkpoint is flipped and wherever the power fails: the state is what the log amounts to.</summary>
    [Fact]
    public async Task ItsCheckpointsAreDamagedAndItsPowerFailsAsThoseOfTheStore()
    {
        var random = new Random(Effort.Seed(20261122));
        NinoStoreOptions Options(SimDirectory directory) => new() { Directory = directory, RunsInline = true, FirstSegmentSizeBytes = 4096 };
        int rejected = 0;
        for (long at = 1; ; at++)
        {
            using var directory = new SimDirectory { PowerOffAt = at };
            long durable = 0;
            var trouble = new DiskTrouble();
            try
            {
                using NinoStore store = NinoStore.Open("sim", Options(directory));
                using IKeyValueStore<int, string> kv = store.OpenInMemory<int, string>("state");
                for (int round = 0; round < 3; round++)
                {
                    for (int i = 0; i < 10; i++) kv.Put(i, $"{round}.{i}");
                    kv.Delete(round);
                    long last = store.LastSequence;
                    await kv.CheckpointAsync();
                    durable = last;
                }
            }
            catch (Exception e) when (trouble.Ends(e))
            {
                // What is left is looked at.
                trouble.ThrowOther();
            }

            foreach (SimDirectory left in directory.CrashStates(limit: 3, seed: (int)at)) Examine(left, durable);
            if (directory.IsPowerOff) continue;
            Assert.Equal(33, durable);
            break;
        }

        Assert.True(rejected > 10, $"{rejected} checkpoints were rejected");

        void Examine(SimDirectory left, long durable)
        {
            string? file = left.List().Select(static entry => entry.Name).Where(static name => name.StartsWith("kv-state." + MemoryCheckpoint.Prefix, StringComparison.Ordinal)).Max();
            bool isDamaged = file is not null && random.Next(2) == 0;
            if (isDamaged)
            {
                byte[] bytes = left.Bytes(file!);
                bytes[random.Next(bytes.Length)] ^= (byte)(1 << random.Next(8));
                left.Replace(file!, bytes);
            }

            using NinoStore store = NinoStore.Open("sim", Options(left));
            Assert.True(store.LastSequence >= durable);
            using IKeyValueStore<int, string> kv = store.OpenInMemory<int, string>("state");
            var expected = new Dictionary<int, string>();
            LogReplay.Apply(store.ReadRecords(), "state", expected);
            KeyValueBed.AssertHolds(kv, expected);
            Assert.Equal(isDamaged, kv.Recovery.Rejected.Any(checkpoint => checkpoint.File == file![file!.IndexOf(MemoryCheckpoint.Prefix, StringComparison.Ordinal)..]));
            if (isDamaged) rejected++;
        }
    }
}
