// Hyperion with its fastest settings: types known beforehand, no references kept, no version tolerance. Streams only. A session is for one message, so each
// call makes its own, as the library's own overloads without a session do.

using System.Runtime.CompilerServices;
using Hyperion;

namespace Store.Bench.Peers;

/// <summary>Hyperion.</summary>
internal readonly struct HyperionPeer : IAnyPeer
{
    private static readonly Serializer Serializer = new(SerializerOptions.Default.WithVersionTolerance(false).WithPreserveObjectReferences(false).WithKnownTypes(PeerTypes.All));

    [ModuleInitializer]
    internal static void Register() => PeerRows.Add(new AnyPeerRow<HyperionPeer>("Hyperion"));

    public byte[] Serialize<T>(T value)
    {
        MemoryStream output = PeerStreams.Start();
        Serializer.Serialize(value, output);
        return output.ToArray();
    }

    public void Write<T>(PeerBuffer buffer, T value) => Serializer.Serialize(value, buffer.StartStream());

    public T Deserialize<T>(byte[] payload) => Serializer.Deserialize<T>(PeerStreams.Over(payload));
}
