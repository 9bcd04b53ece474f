// The library under test, called as a user calls it: the static verbs with the type known.

using Store.Bench.Workloads;
using Store.Serialization;

namespace Store.Bench.Peers;

/// <summary>NinoStore's serializer.</summary>
internal static class NinoStorePeer
{
    public struct OfSimpleClass : IPeer<SimpleClass>
    {
        public readonly byte[] Serialize(SimpleClass value) => NinoSerializer.Serialize(in value);
        public readonly void Write(PeerBuffer buffer, SimpleClass value) => NinoSerializer.Serialize(buffer.StartBytes(), in value);
        public readonly SimpleClass Deserialize(byte[] payload) => NinoSerializer.Deserialize<SimpleClass>(payload);
    }

    public struct OfSimpleClassList : IPeer<List<SimpleClass>>
    {
        public readonly byte[] Serialize(List<SimpleClass> value) => NinoSerializer.Serialize(in value);
        public readonly void Write(PeerBuffer buffer, List<SimpleClass> value) => NinoSerializer.Serialize(buffer.StartBytes(), in value);
        public readonly List<SimpleClass> Deserialize(byte[] payload) => NinoSerializer.Deserialize<List<SimpleClass>>(payload);
    }

    public struct OfSimpleStruct : IPeer<SimpleStruct>
    {
        public readonly byte[] Serialize(SimpleStruct value) => NinoSerializer.Serialize(in value);
        public readonly void Write(PeerBuffer buffer, SimpleStruct value) => NinoSerializer.Serialize(buffer.StartBytes(), in value);
        public readonly SimpleStruct Deserialize(byte[] payload) => NinoSerializer.Deserialize<SimpleStruct>(payload);
    }

    public struct OfSimpleStructArray : IPeer<SimpleStruct[]>
    {
        public readonly byte[] Serialize(SimpleStruct[] value) => NinoSerializer.Serialize(in value);
        public readonly void Write(PeerBuffer buffer, SimpleStruct[] value) => NinoSerializer.Serialize(buffer.StartBytes(), in value);
        public readonly SimpleStruct[] Deserialize(byte[] payload) => NinoSerializer.Deserialize<SimpleStruct[]>(payload);
    }

    public struct OfPoco : IPeer<Poco>
    {
        public readonly byte[] Serialize(Poco value) => NinoSerializer.Serialize(in value);
        public readonly void Write(PeerBuffer buffer, Poco value) => NinoSerializer.Serialize(buffer.StartBytes(), in value);
        public readonly Poco Deserialize(byte[] payload) => NinoSerializer.Deserialize<Poco>(payload);
    }

    public struct OfPocoList : IPeer<List<Poco>>
    {
        public readonly byte[] Serialize(List<Poco> value) => NinoSerializer.Serialize(in value);
        public readonly void Write(PeerBuffer buffer, List<Poco> value) => NinoSerializer.Serialize(buffer.StartBytes(), in value);
        public readonly List<Poco> Deserialize(byte[] payload) => NinoSerializer.Deserialize<List<Poco>>(payload);
    }

    public struct OfImmutablePoco : IPeer<ImmutablePoco>
    {
        public readonly byte[] Serialize(ImmutablePoco value) => NinoSerializer.Serialize(in value);
        public readonly void Write(PeerBuffer buffer, ImmutablePoco value) => NinoSerializer.Serialize(buffer.StartBytes(), in value);
        public readonly ImmutablePoco Deserialize(byte[] payload) => NinoSerializer.Deserialize<ImmutablePoco>(payload);
    }

    public struct OfImmutablePocoList : IPeer<List<ImmutablePoco>>
    {
        public readonly byte[] Serialize(List<ImmutablePoco> value) => NinoSerializer.Serialize(in value);
        public readonly void Write(PeerBuffer buffer, List<ImmutablePoco> value) => NinoSerializer.Serialize(buffer.StartBytes(), in value);
        public readonly List<ImmutablePoco> Deserialize(byte[] payload) => NinoSerializer.Deserialize<List<ImmutablePoco>>(payload);
    }

    public struct OfSimpleModel : IPeer<SimpleModel>
    {
        public readonly byte[] Serialize(SimpleModel value) => NinoSerializer.Serialize(in value);
        public readonly void Write(PeerBuffer buffer, SimpleModel value) => NinoSerializer.Serialize(buffer.StartBytes(), in value);
        public readonly SimpleModel Deserialize(byte[] payload) => NinoSerializer.Deserialize<SimpleModel>(payload);
    }

    public struct OfSimpleModelList : IPeer<List<SimpleModel>>
    {
        public readonly byte[] Serialize(List<SimpleModel> value) => NinoSerializer.Serialize(in value);
        public readonly void Write(PeerBuffer buffer, List<SimpleModel> value) => NinoSerializer.Serialize(buffer.StartBytes(), in value);
        public readonly List<SimpleModel> Deserialize(byte[] payload) => NinoSerializer.Deserialize<List<SimpleModel>>(payload);
    }

    public struct OfNineInts : IPeer<NineInts>
    {
        public readonly byte[] Serialize(NineInts value) => NinoSerializer.Serialize(in value);
        public readonly void Write(PeerBuffer buffer, NineInts value) => NinoSerializer.Serialize(buffer.StartBytes(), in value);
        public readonly NineInts Deserialize(byte[] payload) => NinoSerializer.Deserialize<NineInts>(payload);
    }

    public struct OfNineIntsList : IPeer<List<NineInts>>
    {
        public readonly byte[] Serialize(List<NineInts> value) => NinoSerializer.Serialize(in value);
        public readonly void Write(PeerBuffer buffer, List<NineInts> value) => NinoSerializer.Serialize(buffer.StartBytes(), in value);
        public readonly List<NineInts> Deserialize(byte[] payload) => NinoSerializer.Deserialize<List<NineInts>>(payload);
    }
}
