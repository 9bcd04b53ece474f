// Objects in the bare engine as JSON: what is quickly done with FASTER and the framework alone. No log: a change that no checkpoint has is lost with the process.

using System.Text.Json;
using Store.Bench.Workloads;

namespace Store.Bench.Harness.Stores;

/// <summary>FasterKV with System.Text.Json.</summary>
public sealed class JsonInFasterPeer(string directory) : IKeyedPeer
{
    private readonly BareFasterKv _kv = new(directory);

    public string Name => "FasterKV, System.Text.Json";

    public void Put(long key, Poco value) => _kv.Put(key, JsonSerializer.SerializeToUtf8Bytes(value));

    public Poco? Get(long key) => JsonSerializer.Deserialize<Poco>(_kv.Get(key));

    public void Dispose() => _kv.Dispose();
}
