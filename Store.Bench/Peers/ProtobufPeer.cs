// Google.Protobuf on its own generated messages: built before the clock starts, left as messages after reading. ProtobufConvert is outside the
// timed part, which favours this peer: a program with classes of its own pays for the conversion too.

using Google.Protobuf;
using Store.Bench.Peers.Proto;

namespace Store.Bench.Peers;

/// <summary>Google.Protobuf.</summary>
internal static class ProtobufPeer
{
    public struct OfSimpleClass : IPeer<SimpleClassMessage>
    {
        public readonly byte[] Serialize(SimpleClassMessage value) => value.ToByteArray();
        public readonly void Write(PeerBuffer buffer, SimpleClassMessage value) => value.WriteTo(buffer.StartBytes());
        public readonly SimpleClassMessage Deserialize(byte[] payload) => SimpleClassMessage.Parser.ParseFrom(payload);
    }

    public struct OfSimpleClassList : IPeer<SimpleClassList>
    {
        public readonly byte[] Serialize(SimpleClassList value) => value.ToByteArray();
        public readonly void Write(PeerBuffer buffer, SimpleClassList value) => value.WriteTo(buffer.StartBytes());
        public readonly SimpleClassList Deserialize(byte[] payload) => SimpleClassList.Parser.ParseFrom(payload);
    }

    public struct OfSimpleStruct : IPeer<SimpleStructMessage>
    {
        public readonly byte[] Serialize(SimpleStructMessage value) => value.ToByteArray();
        public readonly void Write(PeerBuffer buffer, SimpleStructMessage value) => value.WriteTo(buffer.StartBytes());
        public readonly SimpleStructMessage Deserialize(byte[] payload) => SimpleStructMessage.Parser.ParseFrom(payload);
    }

    public struct OfSimpleStructArray : IPeer<SimpleStructList>
    {
        public readonly byte[] Serialize(SimpleStructList value) => value.ToByteArray();
        public readonly void Write(PeerBuffer buffer, SimpleStructList value) => value.WriteTo(buffer.StartBytes());
        public readonly SimpleStructList Deserialize(byte[] payload) => SimpleStructList.Parser.ParseFrom(payload);
    }

    public struct OfPoco : IPeer<PocoMessage>
    {
        public readonly byte[] Serialize(PocoMessage value) => value.ToByteArray();
        public readonly void Write(PeerBuffer buffer, PocoMessage value) => value.WriteTo(buffer.StartBytes());
        public readonly PocoMessage Deserialize(byte[] payload) => PocoMessage.Parser.ParseFrom(payload);
    }

    public struct OfPocoList : IPeer<PocoList>
    {
        public readonly byte[] Serialize(PocoList value) => value.ToByteArray();
        public readonly void Write(PeerBuffer buffer, PocoList value) => value.WriteTo(buffer.StartBytes());
        public readonly PocoList Deserialize(byte[] payload) => PocoList.Parser.ParseFrom(payload);
    }

    public struct OfSimpleModel : IPeer<SimpleModelMessage>
    {
        public readonly byte[] Serialize(SimpleModelMessage value) => value.ToByteArray();
        public readonly void Write(PeerBuffer buffer, SimpleModelMessage value) => value.WriteTo(buffer.StartBytes());
        public readonly SimpleModelMessage Deserialize(byte[] payload) => SimpleModelMessage.Parser.ParseFrom(payload);
    }

    public struct OfSimpleModelList : IPeer<SimpleModelList>
    {
        public readonly byte[] Serialize(SimpleModelList value) => value.ToByteArray();
        public readonly void Write(PeerBuffer buffer, SimpleModelList value) => value.WriteTo(buffer.StartBytes());
        public readonly SimpleModelList Deserialize(byte[] payload) => SimpleModelList.Parser.ParseFrom(payload);
    }

    public struct OfNineInts : IPeer<NineIntsMessage>
    {
        public readonly byte[] Serialize(NineIntsMessage value) => value.ToByteArray();
        public readonly void Write(PeerBuffer buffer, NineIntsMessage value) => value.WriteTo(buffer.StartBytes());
        public readonly NineIntsMessage Deserialize(byte[] payload) => NineIntsMessage.Parser.ParseFrom(payload);
    }

    public struct OfNineIntsList : IPeer<NineIntsList>
    {
        public readonly byte[] Serialize(NineIntsList value) => value.ToByteArray();
        public readonly void Write(PeerBuffer buffer, NineIntsList value) => value.WriteTo(buffer.StartBytes());
        public readonly NineIntsList Deserialize(byte[] payload) => NineIntsList.Parser.ParseFrom(payload);
    }
}
