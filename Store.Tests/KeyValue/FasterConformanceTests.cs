// FASTER behind the public conformance cases, with plenty of memory and with nearly none. That each case can fail is shown by engines that do otherwise: WrongEngineTests.

using Store.Conformance;
using Store.Faster;
using Store.Faster.Checkpoints;
using Store.KeyValue;

namespace Store.Tests.KeyValue;

public class FasterConformanceTests
{
    public static TheoryData<string, bool> Cases
    {
        get
        {
            var data = new TheoryData<string, bool>();
            foreach (ConformanceCase one in KeyValueConformance.Cases)
            {
                data.Add(one.Name, false);
                data.Add(one.Name, true);
            }

            return data;
        }
    }

    // The default sizes, but for the index, which is written with every checkpoint: cases have few keys and many checkpoints.
    private static FasterOptions Plenty { get; } = new() { IndexSizeBytes = 1 << 20 };

    [Theory]
    [MemberData(nameof(Cases))]
    public async Task FasterDoesWhatAnEngineMust(string name, bool isTiny)
    {
        using var folder = new TemporaryFolder();
        await KeyValueConformance.Cases.Single(one => one.Name == name).Run(new FasterEngineUnderTest(isTiny ? KeyValueBed.Tiny : Plenty), folder.Path).WaitAsync(TimeSpan.FromMinutes(5));
    }

    private sealed class FasterEngineUnderTest(FasterOptions options) : KeyValueEngine
    {
        public override IKeyValueStore<TKey, TValue> Open<TKey, TValue>(NinoStore store, string name) => store.OpenKeyValue<TKey, TValue>(name, options);

        public override IKeyValueStore<TKey, TValue> OpenCheckpointing<TKey, TValue>(NinoStore store, string name, int everyChanges) =>
            store.OpenKeyValue<TKey, TValue>(name, options with { CheckpointEveryChanges = everyChanges });

        public override int KeptCheckpoints => CheckpointCatalog.KeptGenerations;

        public override IDisposable FailCheckpoints(NinoStore store, string name) => new TakenNames(Path.Combine(store.Path, $"kv-{name}"));
    }

    /// <summary>Folders in the places of the manifests that checkpoints would write next: no file can be written there.</summary>
    private sealed class TakenNames : IDisposable
    {
        private readonly List<string> _folders = [];

        public TakenNames(string folder)
        {
            for (int generation = 1; generation <= 50; generation++)
            {
                string manifest = Path.Combine(folder, CheckpointNames.Manifest(generation));
                if (!File.Exists(manifest)) _folders.Add(Directory.CreateDirectory(manifest + ".tmp").FullName);
            }
        }

        public void Dispose()
        {
            foreach (string folder in _folders) Directory.Delete(folder);
        }
    }
}
