// What does a checkpoint hold whose records are still being written while more is changed than memory has room for? FASTER notes how far its record log is on the disk when the records of the checkpoint are
// written, not when its line is drawn; past the line that would be records that are none of the checkpoint's.

using Store.Faster;
using Store.KeyValue;
using Store.Tests.Log;
using Store.Tests.Simulation;

namespace Store.Tests.KeyValue;

public class KeyValueFastWriterTests
{
    private const string Name = "fast";

    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);

    private readonly SimDirectory _directory = new();

    /// <summary>New keys of three times the memory come while the first write of the checkpoint's records stands still: they wait for it at the latest when memory is full. Then the process dies.</summary>
    [Theory]
    [InlineData(4, 1.5)]
    [InlineData(4, 3.0)]
    [InlineData(16, 0.7)]
    [InlineData(16, 1.2)]
    [InlineData(16, 6.0)]
    public async Task ACheckpointBesideMoreChangesThanMemoryHoldsIsWhatItWasAtItsLine(int pages, double timesMemory)
    {
        FasterOptions options = KeyValueBed.Tiny with { MemorySizeBytes = pages * KeyValueBed.Tiny.PageSizeBytes };
        const int Before = 700;
        int after = (int)(timesMemory * options.MemorySizeBytes / 130);
        using (NinoStore store = Simulated.Open(_directory))
        {
            IKeyValueStore<int, string> kv = store.OpenKeyValue<int, string>(Name, options);
            for (int i = 0; i < Before; i++) kv.Put(i, KeyValueBed.ValueOf(i));
            Task? changes = null;
            int changed = 0, during = 0;
            _directory.OnOperation = (_, operation) =>
            {
                if (changes is not null || !operation.StartsWith("write", StringComparison.Ordinal) || !operation.Contains(".snapshot", StringComparison.Ordinal)) return;
                changes = Task.Factory.StartNew(() =>
                {
                    for (int i = 0; i < after; i++)
                    {
                        kv.Put(Before + i, KeyValueBed.ValueOf(Before + i));
                        Volatile.Write(ref changed, i + 1);
                    }
                }, TaskCreationOptions.LongRunning);

                // Until they are made, or wait for this; a busy machine may not have come to the first yet.
                long begun = Environment.TickCount64;
                for (int seen = -1; (seen != Volatile.Read(ref changed) || (seen == 0 && Environment.TickCount64 - begun < Patience.TotalMilliseconds)) && !changes.IsCompleted;)
                {
                    seen = Volatile.Read(ref changed);
                    changes.Wait(300);
                }

                during = Volatile.Read(ref changed);
            };
            await kv.CheckpointAsync().AsTask().WaitAsync(Patience);
            _directory.OnOperation = null;
            await changes!.WaitAsync(Patience);
            Assert.True(during > 0, "Nothing was changed beside the checkpoint.");
            await store.CommitAsync();
        }

        // Twice on what the process left, without another checkpoint; then with more changes than memory holds, a checkpoint, and again.
        SimDirectory left = _directory.KillProcess();
        int keys = Before + after;
        for (int opening = 0; opening < 2; opening++)
        {
            using NinoStore store = Simulated.Open(left);
            using IKeyValueStore<int, string> kv = store.OpenKeyValue<int, string>(Name, options);
            AssertHolds(kv, keys);
            Assert.False(kv.Recovery.RebuiltFromLog);
        }

        for (int opening = 2; opening < 5; opening++)
        {
            using NinoStore store = Simulated.Open(left);
            using IKeyValueStore<int, string> kv = store.OpenKeyValue<int, string>(Name, options);
            AssertHolds(kv, keys);
            int more = keys + (int)(2 * options.MemorySizeBytes / 130);
            for (; keys < more; keys++) kv.Put(keys, KeyValueBed.ValueOf(keys));
            AssertHolds(kv, keys);
            await kv.CheckpointAsync();
            AssertHolds(kv, keys);
        }
    }

    private static void AssertHolds(IKeyValueStore<int, string> kv, int keys)
    {
        Assert.Empty(kv.Recovery.Rejected);
        KeyValueBed.AssertHolds(kv, Enumerable.Range(0, keys).ToDictionary(static key => key, KeyValueBed.ValueOf));
    }
}
