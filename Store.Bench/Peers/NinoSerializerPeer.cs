// The library under test, called as a user calls it: the static verbs with the type known.

using System.Runtime.CompilerServices;
using Store.Serialization;

namespace Store.Bench.Peers;

/// <summary>NinoStore's serializer.</summary>
internal readonly struct NinoSerializerPeer : IAppendingPeer
{
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public byte[] Serialize<T>(T value) => NinoSerializer.Serialize(in value);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Write<T>(PeerBuffer buffer, T value) => NinoSerializer.Serialize(buffer.StartBytes(), in value);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Append<T>(PeerBuffer buffer, T value) => NinoSerializer.Serialize(buffer.Bytes, in value);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public T Deserialize<T>(byte[] payload) => NinoSerializer.Deserialize<T>(payload);
}
