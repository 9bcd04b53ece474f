// Newtonsoft.Json (Json.NET) as most code calls it: through a string, or through a text writer over a reused stream.

using System.Text;
using Newtonsoft.Json;
using Store.Bench.Workloads;

namespace Store.Bench.Peers;

/// <summary>Newtonsoft.Json.</summary>
internal static class NewtonsoftPeer
{
    private static readonly JsonSerializer Serializer = JsonSerializer.CreateDefault();

    private static byte[] Serialize<T>(T value) => Encoding.UTF8.GetBytes(JsonConvert.SerializeObject(value));

    private static void Write<T>(PeerBuffer buffer, T value)
    {
        StreamWriter text = buffer.StartText();
        using (var json = new JsonTextWriter(text) { CloseOutput = false }) Serializer.Serialize(json, value);
        text.Flush();
    }

    private static T Deserialize<T>(byte[] payload) => JsonConvert.DeserializeObject<T>(Encoding.UTF8.GetString(payload))!;

    public struct OfSimpleClass : IPeer<SimpleClass>
    {
        public readonly byte[] Serialize(SimpleClass value) => NewtonsoftPeer.Serialize(value);
        public readonly void Write(PeerBuffer buffer, SimpleClass value) => NewtonsoftPeer.Write(buffer, value);
        public readonly SimpleClass Deserialize(byte[] payload) => NewtonsoftPeer.Deserialize<SimpleClass>(payload);
    }

    public struct OfSimpleClassList : IPeer<List<SimpleClass>>
    {
        public readonly byte[] Serialize(List<SimpleClass> value) => NewtonsoftPeer.Serialize(value);
        public readonly void Write(PeerBuffer buffer, List<SimpleClass> value) => NewtonsoftPeer.Write(buffer, value);
        public readonly List<SimpleClass> Deserialize(byte[] payload) => NewtonsoftPeer.Deserialize<List<SimpleClass>>(payload);
    }

    public struct OfSimpleStruct : IPeer<SimpleStruct>
    {
        public readonly byte[] Serialize(SimpleStruct value) => NewtonsoftPeer.Serialize(value);
        public readonly void Write(PeerBuffer buffer, SimpleStruct value) => NewtonsoftPeer.Write(buffer, value);
        public readonly SimpleStruct Deserialize(byte[] payload) => NewtonsoftPeer.Deserialize<SimpleStruct>(payload);
    }

    public struct OfSimpleStructArray : IPeer<SimpleStruct[]>
    {
        public readonly byte[] Serialize(SimpleStruct[] value) => NewtonsoftPeer.Serialize(value);
        public readonly void Write(PeerBuffer buffer, SimpleStruct[] value) => NewtonsoftPeer.Write(buffer, value);
        public readonly SimpleStruct[] Deserialize(byte[] payload) => NewtonsoftPeer.Deserialize<SimpleStruct[]>(payload);
    }

    public struct OfPoco : IPeer<Poco>
    {
        public readonly byte[] Serialize(Poco value) => NewtonsoftPeer.Serialize(value);
        public readonly void Write(PeerBuffer buffer, Poco value) => NewtonsoftPeer.Write(buffer, value);
        public readonly Poco Deserialize(byte[] payload) => NewtonsoftPeer.Deserialize<Poco>(payload);
    }

    public struct OfPocoList : IPeer<List<Poco>>
    {
        public readonly byte[] Serialize(List<Poco> value) => NewtonsoftPeer.Serialize(value);
        public readonly void Write(PeerBuffer buffer, List<Poco> value) => NewtonsoftPeer.Write(buffer, value);
        public readonly List<Poco> Deserialize(byte[] payload) => NewtonsoftPeer.Deserialize<List<Poco>>(payload);
    }

    public struct OfImmutablePoco : IPeer<ImmutablePoco>
    {
        public readonly byte[] Serialize(ImmutablePoco value) => NewtonsoftPeer.Serialize(value);
        public readonly void Write(PeerBuffer buffer, ImmutablePoco value) => NewtonsoftPeer.Write(buffer, value);
        public readonly ImmutablePoco Deserialize(byte[] payload) => NewtonsoftPeer.Deserialize<ImmutablePoco>(payload);
    }

    public struct OfImmutablePocoList : IPeer<List<ImmutablePoco>>
    {
        public readonly byte[] Serialize(List<ImmutablePoco> value) => NewtonsoftPeer.Serialize(value);
        public readonly void Write(PeerBuffer buffer, List<ImmutablePoco> value) => NewtonsoftPeer.Write(buffer, value);
        public readonly List<ImmutablePoco> Deserialize(byte[] payload) => NewtonsoftPeer.Deserialize<List<ImmutablePoco>>(payload);
    }

    public struct OfSimpleModel : IPeer<SimpleModel>
    {
        public readonly byte[] Serialize(SimpleModel value) => NewtonsoftPeer.Serialize(value);
        public readonly void Write(PeerBuffer buffer, SimpleModel value) => NewtonsoftPeer.Write(buffer, value);
        public readonly SimpleModel Deserialize(byte[] payload) => NewtonsoftPeer.Deserialize<SimpleModel>(payload);
    }

    public struct OfSimpleModelList : IPeer<List<SimpleModel>>
    {
        public readonly byte[] Serialize(List<SimpleModel> value) => NewtonsoftPeer.Serialize(value);
        public readonly void Write(PeerBuffer buffer, List<SimpleModel> value) => NewtonsoftPeer.Write(buffer, value);
        public readonly List<SimpleModel> Deserialize(byte[] payload) => NewtonsoftPeer.Deserialize<List<SimpleModel>>(payload);
    }

    public struct OfNineInts : IPeer<NineInts>
    {
        public readonly byte[] Serialize(NineInts value) => NewtonsoftPeer.Serialize(value);
        public readonly void Write(PeerBuffer buffer, NineInts value) => NewtonsoftPeer.Write(buffer, value);
        public readonly NineInts Deserialize(byte[] payload) => NewtonsoftPeer.Deserialize<NineInts>(payload);
    }

    public struct OfNineIntsList : IPeer<List<NineInts>>
    {
        public readonly byte[] Serialize(List<NineInts> value) => NewtonsoftPeer.Serialize(value);
        public readonly void Write(PeerBuffer buffer, List<NineInts> value) => NewtonsoftPeer.Write(buffer, value);
        public readonly List<NineInts> Deserialize(byte[] payload) => NewtonsoftPeer.Deserialize<List<NineInts>>(payload);
    }
}
