using Store;
using Store.Conformance;
using Store.KeyValue;

namespace OwnEngine;

/// <summary>The engine as the conformance cases use it.</summary>
public class MemoryEngine : KeyValueEngine
{
    public override IKeyValueStore<TKey, TValue> Open<TKey, TValue>(NinoStore store, string name) => store.OpenInMemory<TKey, TValue>(name);

    public override IKeyValueStore<TKey, TValue> OpenCheckpointing<TKey, TValue>(NinoStore store, string name, int everyChanges) => store.OpenInMemory<TKey, TValue>(name, everyChanges);

    // A folder with something in it, where the file would go: it can be neither created nor replaced.
    public override IDisposable FailCheckpoints(NinoStore store, string name) => new TakenName(Path.Combine(store.Path, $"kv-{name}", MemoryCheckpoint.Temporary));

    private sealed class TakenName : IDisposable
    {
        private readonly string _path;

        public TakenName(string path) => _path = Directory.CreateDirectory(path).FullName;

        public void Dispose() => Directory.Delete(_path);
    }
}
