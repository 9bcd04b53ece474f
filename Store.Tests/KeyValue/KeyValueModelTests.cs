// Is keyed state the dictionary it claims to be, over thousands of random operations, checkpoints, closings and memory that holds a fraction of it?

using Store.Faster;
using Store.KeyValue;
using Store.Tests.Simulation;
using Xunit.Abstractions;

namespace Store.Tests.KeyValue;

public class KeyValueModelTests(ITestOutputHelper output)
{
    private const int Keys = 700;
    /// <summary>The second seed once found a page that recovery with less memory lost.</summary>
    [Theory]
    [InlineData(null)]
    [InlineData(1320834435)]
    public Task ItAgreesWithADictionaryThroughCheckpointsAndReopenings(int? seed) => Run(Effort.KeyedOperations, indexSizeBytes: 4096, new NinoStoreOptions { Directory = new SimDirectory(), RunsInline = true }, seed);

    [Fact]
    public Task ItAgreesWithADictionaryOnTheDiskToo() => Run(4000, indexSizeBytes: 64 * 1024, new NinoStoreOptions(), fixedSeed: null);

    private async Task Run(int operations, int indexSizeBytes, NinoStoreOptions storeOptions, int? fixedSeed)
    {
        int seed = fixedSeed ?? Effort.Seed(Random.Shared.Next());
        output.WriteLine($"SEED={seed}");
        var random = new Random(seed);
        var model = new Dictionary<string, string>();
        using var folder = new TemporaryFolder();
        FasterOptions options = KeyValueBed.Tiny with { IndexSizeBytes = indexSizeBytes };
        int reopened = 0, checkpoints = 0, rebuilt = 0;
        NinoStore store = NinoStore.Open(folder.Path, storeOptions);
        IKeyValueStore<string, string> kv = store.OpenKeyValue<string, string>("model", options);
        try
        {
            for (int i = 0; i < operations; i++)
            {
                string key = $"key {random.Next(Keys)}";
                switch (random.Next(1000))
                {
                    case < 500:
                        string value = new((char)random.Next('a', 'z'), random.Next(random.Next(8) == 0 ? 1500 : 60));
                        kv.Put(key, value);
                        model[key] = value;
                        break;
                    case < 650:
                        Assert.Equal(model.Remove(key), kv.Delete(key));
                        break;
                    case < 996:
                        Assert.Equal(model.TryGetValue(key, out string? expected), kv.TryGet(key, out string? found));
                        Assert.Equal(expected, found);
                        break;
                    case < 998:
                        store.Append(i);
                        await kv.CheckpointAsync();
                        checkpoints++;
                        break;
                    default:
                        kv.Dispose();
                        if (random.Next(3) == 0)
                        {
                            store.Dispose();
                            store = NinoStore.Open(folder.Path, storeOptions);
                        }

                        // The memory may change between openings; the checkpoint does not mind.
                        FasterOptions now = options with { MemorySizeBytes = options.MemorySizeBytes << random.Next(5) };
                        kv = store.OpenKeyValue<string, string>("model", now);
                        reopened++;
                        if (kv.Recovery.RebuiltFromLog) rebuilt++;
                        Assert.Empty(kv.Recovery.Rejected);
                        KeyValueBed.AssertHolds(kv, model, Enumerable.Range(0, Keys).Select(k => $"key {k}"));
                        break;
                }

                Assert.Equal(model.Count, kv.Count);
            }

            Assert.True(rebuilt < reopened, "No checkpoint was ever used.");
            KeyValueBed.AssertHolds(kv, model, Enumerable.Range(0, Keys).Select(k => $"key {k}"));
            Effort.Tell(output, "operations of keyed state", operations, $"SEED={seed}", $"{checkpoints} checkpoints, {reopened} reopenings of which {rebuilt} from the whole log, {model.Count} keys at the end");
        }
        finally
        {
            kv.Dispose();
            store.Dispose();
        }
    }
}
