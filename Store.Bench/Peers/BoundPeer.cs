// Hand-written code for exactly these types (folder Bound): what the others are measured against.

using Store.Bench.Bound;
using Store.Bench.Workloads;

namespace Store.Bench.Peers;

/// <summary>The bound.</summary>
internal static class BoundPeer
{
    public struct OfSimpleClass : IPeer<SimpleClass>
    {
        public readonly byte[] Serialize(SimpleClass value) => BoundSimpleClass.ToArray(value);
        public readonly void Write(PeerBuffer buffer, SimpleClass value) => BoundSimpleClass.Write(buffer.StartBytes(), value);
        public readonly SimpleClass Deserialize(byte[] payload) => BoundSimpleClass.Read(payload);
    }

    public struct OfSimpleClassList : IPeer<List<SimpleClass>>
    {
        public readonly byte[] Serialize(List<SimpleClass> value) => BoundSimpleClass.ToArray(value);
        public readonly void Write(PeerBuffer buffer, List<SimpleClass> value) => BoundSimpleClass.Write(buffer.StartBytes(), value);
        public readonly List<SimpleClass> Deserialize(byte[] payload) => BoundSimpleClass.ReadMany(payload);
    }

    public struct OfSimpleStruct : IPeer<SimpleStruct>
    {
        public readonly byte[] Serialize(SimpleStruct value) => BoundSimpleStruct.ToArray(value);
        public readonly void Write(PeerBuffer buffer, SimpleStruct value) => BoundSimpleStruct.Write(buffer.StartBytes(), value);
        public readonly SimpleStruct Deserialize(byte[] payload) => BoundSimpleStruct.Read(payload);
    }

    public struct OfSimpleStructArray : IPeer<SimpleStruct[]>
    {
        public readonly byte[] Serialize(SimpleStruct[] value) => BoundSimpleStruct.ToArray(value);
        public readonly void Write(PeerBuffer buffer, SimpleStruct[] value) => BoundSimpleStruct.Write(buffer.StartBytes(), value);
        public readonly SimpleStruct[] Deserialize(byte[] payload) => BoundSimpleStruct.ReadMany(payload);
    }

    public struct OfPoco : IPeer<Poco>
    {
        public readonly byte[] Serialize(Poco value) => BoundPoco<Poco, PocoMembers>.ToArray(value);
        public readonly void Write(PeerBuffer buffer, Poco value) => BoundPoco<Poco, PocoMembers>.Write(buffer.StartBytes(), value);
        public readonly Poco Deserialize(byte[] payload) => BoundPoco<Poco, PocoMembers>.Read(payload);
    }

    public struct OfPocoList : IPeer<List<Poco>>
    {
        public readonly byte[] Serialize(List<Poco> value) => BoundPoco<Poco, PocoMembers>.ToArray(value);
        public readonly void Write(PeerBuffer buffer, List<Poco> value) => BoundPoco<Poco, PocoMembers>.Write(buffer.StartBytes(), value);
        public readonly List<Poco> Deserialize(byte[] payload) => BoundPoco<Poco, PocoMembers>.ReadMany(payload);
    }

    public struct OfImmutablePoco : IPeer<ImmutablePoco>
    {
        public readonly byte[] Serialize(ImmutablePoco value) => BoundPoco<ImmutablePoco, ImmutablePocoMembers>.ToArray(value);
        public readonly void Write(PeerBuffer buffer, ImmutablePoco value) => BoundPoco<ImmutablePoco, ImmutablePocoMembers>.Write(buffer.StartBytes(), value);
        public readonly ImmutablePoco Deserialize(byte[] payload) => BoundPoco<ImmutablePoco, ImmutablePocoMembers>.Read(payload);
    }

    public struct OfImmutablePocoList : IPeer<List<ImmutablePoco>>
    {
        public readonly byte[] Serialize(List<ImmutablePoco> value) => BoundPoco<ImmutablePoco, ImmutablePocoMembers>.ToArray(value);
        public readonly void Write(PeerBuffer buffer, List<ImmutablePoco> value) => BoundPoco<ImmutablePoco, ImmutablePocoMembers>.Write(buffer.StartBytes(), value);
        public readonly List<ImmutablePoco> Deserialize(byte[] payload) => BoundPoco<ImmutablePoco, ImmutablePocoMembers>.ReadMany(payload);
    }

    public struct OfSimpleModel : IPeer<SimpleModel>
    {
        public readonly byte[] Serialize(SimpleModel value) => BoundSimpleModel.ToArray(value);
        public readonly void Write(PeerBuffer buffer, SimpleModel value) => BoundSimpleModel.Write(buffer.StartBytes(), value);
        public readonly SimpleModel Deserialize(byte[] payload) => BoundSimpleModel.Read(payload);
    }

    public struct OfSimpleModelList : IPeer<List<SimpleModel>>
    {
        public readonly byte[] Serialize(List<SimpleModel> value) => BoundSimpleModel.ToArray(value);
        public readonly void Write(PeerBuffer buffer, List<SimpleModel> value) => BoundSimpleModel.Write(buffer.StartBytes(), value);
        public readonly List<SimpleModel> Deserialize(byte[] payload) => BoundSimpleModel.ReadMany(payload);
    }

    public struct OfNineInts : IPeer<NineInts>
    {
        public readonly byte[] Serialize(NineInts value) => BoundNineInts.ToArray(value);
        public readonly void Write(PeerBuffer buffer, NineInts value) => BoundNineInts.Write(buffer.StartBytes(), value);
        public readonly NineInts Deserialize(byte[] payload) => BoundNineInts.Read(payload);
    }

    public struct OfNineIntsList : IPeer<List<NineInts>>
    {
        public readonly byte[] Serialize(List<NineInts> value) => BoundNineInts.ToArray(value);
        public readonly void Write(PeerBuffer buffer, List<NineInts> value) => BoundNineInts.Write(buffer.StartBytes(), value);
        public readonly List<NineInts> Deserialize(byte[] payload) => BoundNineInts.ReadMany(payload);
    }
}
