// Objects in the bare engine by way of MessagePack, as Microsoft's own sample of a typed wrapper has it, into and from buffers that are reused. No log: a change that no checkpoint has is lost with the process.

using System.Buffers;
using MessagePack;
using Store.Bench.Peers;
using Store.Bench.Workloads;

namespace Store.Bench.Harness.Stores;

/// <summary>FasterKV with MessagePack-CSharp, members by number.</summary>
public sealed class MessagePackInFasterPeer(string directory) : IKeyedPeer
{
    private readonly BareFasterKv _kv = new(directory);
    private readonly ArrayBufferWriter<byte> _written = new(256);
    private byte[] _read = new byte[256];

    public string Name => "FasterKV, MessagePack";

    /// <summary>Numbered members need a type of their own.</summary>
    public object Prepare(Poco value) => KeyedPoco.From(value);

    public void Put(long key, object value)
    {
        _written.ResetWrittenCount();
        MessagePackSerializer.Serialize(_written, (KeyedPoco)value);
        _kv.Put(key, _written.WrittenSpan);
    }

    public object? Read(long key) => ReadNumbered(key);

    public Poco? Get(long key) => ReadNumbered(key).To();

    public void Dispose() => _kv.Dispose();

    // The length first: reading may put another buffer in the place of this one.
    private KeyedPoco ReadNumbered(long key)
    {
        int length = _kv.Read(key, ref _read);
        return MessagePackSerializer.Deserialize<KeyedPoco>(_read.AsMemory(0, length));
    }
}

public static partial class KeyedPeers
{
    static partial void AddMessagePack(List<IKeyedPeer> peers, BenchData data) => peers.Add(new MessagePackInFasterPeer(Directory.CreateDirectory(data.File("messagepack")).FullName));
}
