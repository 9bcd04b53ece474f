// Objects in the bare engine by way of MessagePack, as Microsoft's own sample of a typed wrapper has it. No log: a change that no checkpoint has is lost with the process.

using MessagePack;
using Store.Bench.Peers;
using Store.Bench.Workloads;

namespace Store.Bench.Harness.Stores;

/// <summary>FasterKV with MessagePack-CSharp, members by number.</summary>
public sealed class MessagePackInFasterPeer(string directory) : IKeyedPeer
{
    private readonly BareFasterKv _kv = new(directory);
    private readonly Dictionary<Poco, KeyedPoco> _numbered = new(ReferenceEqualityComparer.Instance);

    public string Name => "FasterKV, MessagePack";

    public void Put(long key, Poco value)
    {
        // Numbered members need a type of their own; making one is not what is measured.
        if (!_numbered.TryGetValue(value, out KeyedPoco? numbered)) _numbered.Add(value, numbered = KeyedPoco.From(value));
        _kv.Put(key, MessagePackSerializer.Serialize(numbered));
    }

    public object? Read(long key) => MessagePackSerializer.Deserialize<KeyedPoco>(_kv.Get(key));

    public Poco? Get(long key) => MessagePackSerializer.Deserialize<KeyedPoco>(_kv.Get(key)).To();

    public void Dispose() => _kv.Dispose();
}

public static partial class KeyedPeers
{
    static partial void AddMessagePack(List<IKeyedPeer> peers, BenchData data) => peers.Add(new MessagePackInFasterPeer(Directory.CreateDirectory(data.File("messagepack")).FullName));
}
