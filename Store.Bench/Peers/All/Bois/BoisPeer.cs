// Salar.Bois through its own buffer writer and reader over arrays, both reused. It sets members after construction: no ImmutablePoco.

using System.Runtime.CompilerServices;
using Salar.BinaryBuffers;
using Salar.Bois;
using Store.Bench.Workloads;

namespace Store.Bench.Peers;

/// <summary>Salar.Bois.</summary>
internal readonly struct BoisPeer : IAnyPeer
{
    // Its writer does not grow: large enough for the largest batch.
    private static readonly byte[] Buffer = new byte[4 * 1024 * 1024];

    private static readonly BoisSerializer Serializer = new();
    private static readonly BinaryBufferWriter Writer = new(Buffer);
    private static readonly BinaryBufferReader Reader = new(Buffer);

    [ModuleInitializer]
    internal static void Register() => PeerRows.Add(new AnyPeerRow<BoisPeer>("Salar.Bois") { Without = [typeof(ImmutablePoco), typeof(List<ImmutablePoco>)] });

    public byte[] Serialize<T>(T value)
    {
        Writer.ResetBuffer(Buffer);
        Serializer.Serialize(value, Writer);
        return Buffer.AsSpan(0, Writer.WrittenLength).ToArray();
    }

    public void Write<T>(PeerBuffer buffer, T value)
    {
        Writer.ResetBuffer(Buffer);
        Serializer.Serialize(value, Writer);
    }

    public T Deserialize<T>(byte[] payload)
    {
        Reader.ResetBuffer(payload);
        return Serializer.Deserialize<T>(Reader);
    }

    public byte[] Written(PeerBuffer buffer) => Buffer.AsSpan(0, Writer.WrittenLength).ToArray();
}
