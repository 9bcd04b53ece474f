// FASTER behind the public conformance cases, with plenty of memory and with nearly none.

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

    [Theory]
    [MemberData(nameof(Cases))]
    public async Task FasterDoesWhatAnEngineMust(string name, bool isTiny)
    {
        using var folder = new TemporaryFolder();
        await KeyValueConformance.Cases.Single(one => one.Name == name).Run(new FasterEngineUnderTest(isTiny ? KeyValueBed.Tiny : null), folder.Path).WaitAsync(TimeSpan.FromMinutes(2));
    }

    /// <summary>A case that no engine could fail would be none: an engine that forgets deletions fails.</summary>
    [Fact]
    public async Task AnEngineThatDoesOtherwiseIsFound()
    {
        using var folder = new TemporaryFolder();
        ConformanceCase independence = KeyValueConformance.Cases.Single(one => one.Name.StartsWith("States of one store", StringComparison.Ordinal));
        await Assert.ThrowsAnyAsync<Exception>(() => independence.Run(new OneForAll(), folder.Path));
    }

    /// <summary>An engine whose failed checkpoints are reported as taken fails too.</summary>
    [Fact]
    public async Task AnEngineThatHidesAFailedCheckpointIsFound()
    {
        using var folder = new TemporaryFolder();
        ConformanceCase failing = KeyValueConformance.Cases.Single(one => one.Name.StartsWith("A checkpoint that fails", StringComparison.Ordinal));
        await Assert.ThrowsAsync<ConformanceException>(() => failing.Run(new NeverFailing(), folder.Path));
    }

    private class FasterEngineUnderTest(FasterOptions? options) : KeyValueEngine
    {
        public override IKeyValueStore<TKey, TValue> Open<TKey, TValue>(NinoStore store, string name) => store.OpenKeyValue<TKey, TValue>(name, options);

        public override IKeyValueStore<TKey, TValue> OpenCheckpointing<TKey, TValue>(NinoStore store, string name, int everyChanges) =>
            store.OpenKeyValue<TKey, TValue>(name, (options ?? new FasterOptions()) with { CheckpointEveryChanges = everyChanges });

        public override IDisposable FailCheckpoints(NinoStore store, string name) => new TakenNames(Path.Combine(store.Path, $"kv-{name}"));
    }

    private sealed class OneForAll() : FasterEngineUnderTest(null)
    {
        public override IKeyValueStore<TKey, TValue> Open<TKey, TValue>(NinoStore store, string name) => base.Open<TKey, TValue>(store, "the same");
    }

    private sealed class NeverFailing() : FasterEngineUnderTest(null)
    {
        public override IDisposable FailCheckpoints(NinoStore store, string name) => new MemoryStream();
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
