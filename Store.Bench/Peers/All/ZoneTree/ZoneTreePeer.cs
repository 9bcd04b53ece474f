// Objects in ZoneTree with its default write-ahead log, which a thread of its own compresses and writes: what its documentation recommends for throughput. It has no batches: each put is one call. It keeps
// the arrays that it is given, so every value is a new one.

using Store.Bench.Workloads;
using Store.Serialization;
using ZoneTree;
using ZoneTree.Logger;

namespace Store.Bench.Harness.Stores;

/// <summary>ZoneTree as bytes by number.</summary>
public sealed class ZoneTreePeer : IKeyedPeer
{
    private readonly IZoneTree<long, byte[]> _tree;
    private readonly IMaintainer _maintainer;

    public ZoneTreePeer(string directory)
    {
        _tree = new ZoneTreeFactory<long, byte[]>().SetDataDirectory(directory).SetLogLevel(LogLevel.Error).OpenOrCreate();
        _maintainer = _tree.CreateMaintainer();
    }

    public string Name => "ZoneTree, asynchronous WAL";

    public void Put(long key, object value) => _tree.Upsert(key, NinoSerializer.Serialize((Poco)value));

    public Poco? Get(long key) => _tree.TryGet(key, out byte[] bytes) ? NinoSerializer.Deserialize<Poco>(bytes) : null;

    public void Dispose()
    {
        _maintainer.Dispose();
        _tree.Dispose();
    }
}

public static partial class KeyedPeers
{
    static partial void AddZoneTree(List<IKeyedPeer> peers, BenchData data) => peers.Add(new ZoneTreePeer(data.File("keyed.zonetree")));
}
