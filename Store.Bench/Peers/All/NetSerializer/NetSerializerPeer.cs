// NetSerializer by its direct calls, which box nothing and write no type id. Streams only.

using System.Runtime.CompilerServices;

namespace Store.Bench.Peers;

/// <summary>NetSerializer.</summary>
internal readonly struct NetSerializerPeer : IAnyPeer
{
    private static readonly NetSerializer.Serializer Serializer = new(PeerTypes.All);

    [ModuleInitializer]
    internal static void Register() => PeerRows.Add(new AnyPeerRow<NetSerializerPeer>("NetSerializer"));

    public byte[] Serialize<T>(T value)
    {
        MemoryStream output = PeerStreams.Start();
        Serializer.SerializeDirect(output, value);
        return output.ToArray();
    }

    public void Write<T>(PeerBuffer buffer, T value) => Serializer.SerializeDirect(buffer.StartStream(), value);

    public T Deserialize<T>(byte[] payload)
    {
        Serializer.DeserializeDirect(PeerStreams.Over(payload), out T value);
        return value;
    }
}
