// MemoryPack: its attribute on the workloads' types, the usual buffer writer for the reused rows.

using System.Buffers;
using System.Runtime.CompilerServices;
using MemoryPack;

namespace Store.Bench.Peers;

/// <summary>MemoryPack.</summary>
internal readonly struct MemoryPackPeer : IAppendingPeer
{
    [ModuleInitializer]
    internal static void Register()
    {
        PeerRows.Add(new AnyPeerRow<MemoryPackPeer>("MemoryPack"));
        EnqueueLoops.AddShapes<MemoryPackPeer>("MemoryPack");
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public byte[] Serialize<T>(T value) => MemoryPackSerializer.Serialize(in value);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Write<T>(PeerBuffer buffer, T value)
    {
        ArrayBufferWriter<byte> output = buffer.StartBytes();
        MemoryPackSerializer.Serialize(in output, in value);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Append<T>(PeerBuffer buffer, T value)
    {
        ArrayBufferWriter<byte> output = buffer.Bytes;
        MemoryPackSerializer.Serialize(in output, in value);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public T Deserialize<T>(byte[] payload) => MemoryPackSerializer.Deserialize<T>(payload)!;
}
