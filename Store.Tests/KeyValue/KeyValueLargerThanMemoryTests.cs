// Does keyed state many times its memory read back, from the disk, on every path?

using Store.Faster;
using Store.KeyValue;
using Store.Tests.Simulation;

namespace Store.Tests.KeyValue;

public class KeyValueLargerThanMemoryTests
{
    private const int Records = 4000;

    [Fact]
    public async Task EverythingIsReadBackFromTheDiskByManyThreads()
    {
        using var folder = new TemporaryFolder();
        await using NinoStore store = NinoStore.Open(folder.Path);
        using var kv = (FasterKeyValueStore<int, string>)store.OpenKeyValue<int, string>("big", KeyValueBed.Tiny);
        Fill(kv);
        Assert.True(kv.State.Engine.HeadAddress > 50 * KeyValueBed.Tiny.MemorySizeBytes, "The state fits its memory: nothing is tested.");
        await Task.WhenAll(Enumerable.Range(0, 4).Select(thread => Task.Factory.StartNew(() =>
        {
            var random = new Random(thread);
            for (int i = 0; i < 2000; i++)
            {
                int key = random.Next(Records);
                Assert.True(kv.TryGet(key, out string? value));
                Assert.Equal(ValueOf(key), value);
            }

            Assert.False(kv.TryGet(-1 - thread, out _));
        }, TaskCreationOptions.LongRunning)));

        // All of it by several scans at once, each beside the others.
        await Task.WhenAll(Enumerable.Range(0, 3).Select(async _ =>
        {
            var seen = new HashSet<int>();
            await foreach ((int key, string value) in kv.ScanAsync())
            {
                Assert.True(seen.Add(key), $"{key} came twice");
                Assert.Equal(ValueOf(key), value);
            }

            Assert.Equal(Records, seen.Count);
        }));
    }

    [Fact]
    public async Task ItIsCheckpointedAndComesBackWithLessMemoryThanBefore()
    {
        using var folder = new TemporaryFolder();
        await using NinoStore store = NinoStore.Open(folder.Path);
        using (IKeyValueStore<int, string> kv = store.OpenKeyValue<int, string>("big", KeyValueBed.Tiny with { MemorySizeBytes = 1 << 20 }))
        {
            Fill(kv);
            await kv.CheckpointAsync();
            for (int key = 0; key < Records; key += 3) Assert.True(kv.Delete(key));
            await kv.CheckpointAsync();
        }

        using IKeyValueStore<int, string> again = store.OpenKeyValue<int, string>("big", KeyValueBed.Tiny);
        Assert.Equal((false, 0L), (again.Recovery.RebuiltFromLog, again.Recovery.ChangesReplayed));
        AssertThirdsGone(again);

        // What recovery moved from the snapshot to the record log is part of the next checkpoint.
        again.Put(0, ValueOf(0));
        again.Delete(0);
        await again.CheckpointAsync();
        again.Dispose();
        using IKeyValueStore<int, string> third = store.OpenKeyValue<int, string>("big", KeyValueBed.Tiny with { MemorySizeBytes = 1 << 18 });
        Assert.Equal((false, 0L), (third.Recovery.RebuiltFromLog, third.Recovery.ChangesReplayed));
        AssertThirdsGone(third);
    }

    /// <summary>FASTER 2.6 counts one page too few when it makes room for a tail that stands at the very start of a page.</summary>
    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(2)]
    public async Task ItComesBackWithLessMemoryAlsoWhenTheLastPageIsFullToTheByte(int recordsMore)
    {
        var log = new MemoryChangeLog();
        using var directory = new SimDirectory();
        var expected = new Dictionary<long, int>();
        using (FasterKeyValueStore<long, int> kv = KeyValueBed.Open<long, int>(log, directory, KeyValueBed.Tiny with { MemorySizeBytes = 1 << 18 }))
        {
            int page = KeyValueBed.Tiny.PageSizeBytes, more = recordsMore;
            for (long key = 0; more > 0 || kv.State.Engine.TailAddress < 40 * page || (recordsMore == 0 && kv.State.Engine.TailAddress % page != 0); key++)
            {
                kv.Put(key, expected[key] = (int)-key);
                if (kv.State.Engine.TailAddress >= 40 * page && kv.State.Engine.TailAddress % page != 0) more--;
                Assert.True(key < 100_000, "No record ended with its page.");
            }

            await kv.CheckpointAsync();
        }

        // Twice: what the first opening moved to the record log is in its checkpoint.
        for (int opening = 0; opening < 2; opening++)
        {
            using FasterKeyValueStore<long, int> again = KeyValueBed.Open<long, int>(log, directory);
            Assert.Equal((false, 0L), (again.Recovery.RebuiltFromLog, again.Recovery.ChangesReplayed));
            KeyValueBed.AssertHolds(again, expected);
            again.Put(-1, 1);
            expected[-1] = 1;
            await again.CheckpointAsync();
        }
    }

    [Fact]
    public void AChainOfThousandsOfRecordsOnTheDiskTakesNoStack()
    {
        // 64 buckets for 20,000 keys: a lookup follows hundreds of records of other keys, each read from the disk inside the callback of the one before.
        var log = new MemoryChangeLog();
        using var directory = new SimDirectory();
        using FasterKeyValueStore<int, int> kv = KeyValueBed.Open<int, int>(log, directory);
        for (int key = 0; key < 20_000; key++) kv.Put(key, key);
        Exception? failure = null;
        var thread = new Thread(() => failure = Record.Exception(() =>
        {
            for (int key = 0; key < 20_000; key += 997)
            {
                Assert.True(kv.TryGet(key, out int value));
                Assert.Equal(key, value);
            }
        }), maxStackSize: 256 * 1024);
        thread.Start();
        thread.Join();
        Assert.Null(failure);
    }

    private static void Fill(IKeyValueStore<int, string> kv)
    {
        for (int key = 0; key < Records; key++) kv.Put(key, ValueOf(key));
    }

    private static void AssertThirdsGone(IKeyValueStore<int, string> kv) =>
        KeyValueBed.AssertHolds(kv, Enumerable.Range(0, Records).Where(key => key % 3 != 0).ToDictionary(key => key, ValueOf), Enumerable.Range(0, Records));

    private static string ValueOf(int key) => $"{key}:{new string((char)('a' + (key % 26)), key % 900)}";
}
