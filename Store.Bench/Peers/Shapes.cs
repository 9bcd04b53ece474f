// The twelve shapes, each once for all peers that implement IAnyPeer: the place where the type argument is exact. A shape that was generic over its type
// too would be shared code again.

using System.Runtime.CompilerServices;
using Store.Bench.Workloads;

namespace Store.Bench.Peers;

internal readonly struct OfSimpleClass<TPeer> : IPeer<SimpleClass> where TPeer : struct, IAnyPeer
{
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public byte[] Serialize(SimpleClass value) => default(TPeer).Serialize(value);
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Write(PeerBuffer buffer, SimpleClass value) => default(TPeer).Write(buffer, value);
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public SimpleClass Deserialize(byte[] payload) => default(TPeer).Deserialize<SimpleClass>(payload);
    public byte[] Written(PeerBuffer buffer) => default(TPeer).Written(buffer);
}

internal readonly struct OfSimpleClassList<TPeer> : IPeer<List<SimpleClass>> where TPeer : struct, IAnyPeer
{
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public byte[] Serialize(List<SimpleClass> value) => default(TPeer).Serialize(value);
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Write(PeerBuffer buffer, List<SimpleClass> value) => default(TPeer).Write(buffer, value);
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public List<SimpleClass> Deserialize(byte[] payload) => default(TPeer).Deserialize<List<SimpleClass>>(payload);
    public byte[] Written(PeerBuffer buffer) => default(TPeer).Written(buffer);
}

internal readonly struct OfSimpleStruct<TPeer> : IPeer<SimpleStruct> where TPeer : struct, IAnyPeer
{
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public byte[] Serialize(SimpleStruct value) => default(TPeer).Serialize(value);
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Write(PeerBuffer buffer, SimpleStruct value) => default(TPeer).Write(buffer, value);
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public SimpleStruct Deserialize(byte[] payload) => default(TPeer).Deserialize<SimpleStruct>(payload);
    public byte[] Written(PeerBuffer buffer) => default(TPeer).Written(buffer);
}

internal readonly struct OfSimpleStructArray<TPeer> : IPeer<SimpleStruct[]> where TPeer : struct, IAnyPeer
{
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public byte[] Serialize(SimpleStruct[] value) => default(TPeer).Serialize(value);
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Write(PeerBuffer buffer, SimpleStruct[] value) => default(TPeer).Write(buffer, value);
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public SimpleStruct[] Deserialize(byte[] payload) => default(TPeer).Deserialize<SimpleStruct[]>(payload);
    public byte[] Written(PeerBuffer buffer) => default(TPeer).Written(buffer);
}

internal readonly struct OfPoco<TPeer> : IPeer<Poco> where TPeer : struct, IAnyPeer
{
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public byte[] Serialize(Poco value) => default(TPeer).Serialize(value);
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Write(PeerBuffer buffer, Poco value) => default(TPeer).Write(buffer, value);
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public Poco Deserialize(byte[] payload) => default(TPeer).Deserialize<Poco>(payload);
    public byte[] Written(PeerBuffer buffer) => default(TPeer).Written(buffer);
}

internal readonly struct OfPocoList<TPeer> : IPeer<List<Poco>> where TPeer : struct, IAnyPeer
{
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public byte[] Serialize(List<Poco> value) => default(TPeer).Serialize(value);
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Write(PeerBuffer buffer, List<Poco> value) => default(TPeer).Write(buffer, value);
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public List<Poco> Deserialize(byte[] payload) => default(TPeer).Deserialize<List<Poco>>(payload);
    public byte[] Written(PeerBuffer buffer) => default(TPeer).Written(buffer);
}

internal readonly struct OfImmutablePoco<TPeer> : IPeer<ImmutablePoco> where TPeer : struct, IAnyPeer
{
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public byte[] Serialize(ImmutablePoco value) => default(TPeer).Serialize(value);
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Write(PeerBuffer buffer, ImmutablePoco value) => default(TPeer).Write(buffer, value);
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ImmutablePoco Deserialize(byte[] payload) => default(TPeer).Deserialize<ImmutablePoco>(payload);
    public byte[] Written(PeerBuffer buffer) => default(TPeer).Written(buffer);
}

internal readonly struct OfImmutablePocoList<TPeer> : IPeer<List<ImmutablePoco>> where TPeer : struct, IAnyPeer
{
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public byte[] Serialize(List<ImmutablePoco> value) => default(TPeer).Serialize(value);
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Write(PeerBuffer buffer, List<ImmutablePoco> value) => default(TPeer).Write(buffer, value);
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public List<ImmutablePoco> Deserialize(byte[] payload) => default(TPeer).Deserialize<List<ImmutablePoco>>(payload);
    public byte[] Written(PeerBuffer buffer) => default(TPeer).Written(buffer);
}

internal readonly struct OfSimpleModel<TPeer> : IPeer<SimpleModel> where TPeer : struct, IAnyPeer
{
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public byte[] Serialize(SimpleModel value) => default(TPeer).Serialize(value);
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Write(PeerBuffer buffer, SimpleModel value) => default(TPeer).Write(buffer, value);
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public SimpleModel Deserialize(byte[] payload) => default(TPeer).Deserialize<SimpleModel>(payload);
    public byte[] Written(PeerBuffer buffer) => default(TPeer).Written(buffer);
}

internal readonly struct OfSimpleModelList<TPeer> : IPeer<List<SimpleModel>> where TPeer : struct, IAnyPeer
{
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public byte[] Serialize(List<SimpleModel> value) => default(TPeer).Serialize(value);
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Write(PeerBuffer buffer, List<SimpleModel> value) => default(TPeer).Write(buffer, value);
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public List<SimpleModel> Deserialize(byte[] payload) => default(TPeer).Deserialize<List<SimpleModel>>(payload);
    public byte[] Written(PeerBuffer buffer) => default(TPeer).Written(buffer);
}

internal readonly struct OfNineInts<TPeer> : IPeer<NineInts> where TPeer : struct, IAnyPeer
{
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public byte[] Serialize(NineInts value) => default(TPeer).Serialize(value);
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Write(PeerBuffer buffer, NineInts value) => default(TPeer).Write(buffer, value);
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public NineInts Deserialize(byte[] payload) => default(TPeer).Deserialize<NineInts>(payload);
    public byte[] Written(PeerBuffer buffer) => default(TPeer).Written(buffer);
}

internal readonly struct OfNineIntsList<TPeer> : IPeer<List<NineInts>> where TPeer : struct, IAnyPeer
{
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public byte[] Serialize(List<NineInts> value) => default(TPeer).Serialize(value);
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Write(PeerBuffer buffer, List<NineInts> value) => default(TPeer).Write(buffer, value);
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public List<NineInts> Deserialize(byte[] payload) => default(TPeer).Deserialize<List<NineInts>>(payload);
    public byte[] Written(PeerBuffer buffer) => default(TPeer).Written(buffer);
}
