// System.Text.Json with source-generated metadata: the JSON everybody has.

using System.Text.Json;
using System.Text.Json.Serialization;
using Store.Bench.Workloads;

namespace Store.Bench.Peers;

[JsonSerializable(typeof(SimpleClass))]
[JsonSerializable(typeof(List<SimpleClass>))]
[JsonSerializable(typeof(SimpleStruct))]
[JsonSerializable(typeof(SimpleStruct[]))]
[JsonSerializable(typeof(Poco))]
[JsonSerializable(typeof(List<Poco>))]
[JsonSerializable(typeof(ImmutablePoco))]
[JsonSerializable(typeof(List<ImmutablePoco>))]
[JsonSerializable(typeof(SimpleModel))]
[JsonSerializable(typeof(List<SimpleModel>))]
[JsonSerializable(typeof(NineInts))]
[JsonSerializable(typeof(List<NineInts>))]
[JsonSourceGenerationOptions(IncludeFields = true)]
internal sealed partial class BenchJsonContext : JsonSerializerContext;

/// <summary>System.Text.Json, source generated.</summary>
internal static class SystemTextJsonPeer
{
    public struct OfSimpleClass : IPeer<SimpleClass>
    {
        public readonly byte[] Serialize(SimpleClass value) => JsonSerializer.SerializeToUtf8Bytes(value, BenchJsonContext.Default.SimpleClass);
        public readonly void Write(PeerBuffer buffer, SimpleClass value)
        {
            Utf8JsonWriter json = buffer.StartJson();
            JsonSerializer.Serialize(json, value, BenchJsonContext.Default.SimpleClass);
            json.Flush();
        }
        public readonly SimpleClass Deserialize(byte[] payload) => JsonSerializer.Deserialize(payload, BenchJsonContext.Default.SimpleClass)!;
    }

    public struct OfSimpleClassList : IPeer<List<SimpleClass>>
    {
        public readonly byte[] Serialize(List<SimpleClass> value) => JsonSerializer.SerializeToUtf8Bytes(value, BenchJsonContext.Default.ListSimpleClass);
        public readonly void Write(PeerBuffer buffer, List<SimpleClass> value)
        {
            Utf8JsonWriter json = buffer.StartJson();
            JsonSerializer.Serialize(json, value, BenchJsonContext.Default.ListSimpleClass);
            json.Flush();
        }
        public readonly List<SimpleClass> Deserialize(byte[] payload) => JsonSerializer.Deserialize(payload, BenchJsonContext.Default.ListSimpleClass)!;
    }

    public struct OfSimpleStruct : IPeer<SimpleStruct>
    {
        public readonly byte[] Serialize(SimpleStruct value) => JsonSerializer.SerializeToUtf8Bytes(value, BenchJsonContext.Default.SimpleStruct);
        public readonly void Write(PeerBuffer buffer, SimpleStruct value)
        {
            Utf8JsonWriter json = buffer.StartJson();
            JsonSerializer.Serialize(json, value, BenchJsonContext.Default.SimpleStruct);
            json.Flush();
        }
        public readonly SimpleStruct Deserialize(byte[] payload) => JsonSerializer.Deserialize(payload, BenchJsonContext.Default.SimpleStruct)!;
    }

    public struct OfSimpleStructArray : IPeer<SimpleStruct[]>
    {
        public readonly byte[] Serialize(SimpleStruct[] value) => JsonSerializer.SerializeToUtf8Bytes(value, BenchJsonContext.Default.SimpleStructArray);
        public readonly void Write(PeerBuffer buffer, SimpleStruct[] value)
        {
            Utf8JsonWriter json = buffer.StartJson();
            JsonSerializer.Serialize(json, value, BenchJsonContext.Default.SimpleStructArray);
            json.Flush();
        }
        public readonly SimpleStruct[] Deserialize(byte[] payload) => JsonSerializer.Deserialize(payload, BenchJsonContext.Default.SimpleStructArray)!;
    }

    public struct OfPoco : IPeer<Poco>
    {
        public readonly byte[] Serialize(Poco value) => JsonSerializer.SerializeToUtf8Bytes(value, BenchJsonContext.Default.Poco);
        public readonly void Write(PeerBuffer buffer, Poco value)
        {
            Utf8JsonWriter json = buffer.StartJson();
            JsonSerializer.Serialize(json, value, BenchJsonContext.Default.Poco);
            json.Flush();
        }
        public readonly Poco Deserialize(byte[] payload) => JsonSerializer.Deserialize(payload, BenchJsonContext.Default.Poco)!;
    }

    public struct OfPocoList : IPeer<List<Poco>>
    {
        public readonly byte[] Serialize(List<Poco> value) => JsonSerializer.SerializeToUtf8Bytes(value, BenchJsonContext.Default.ListPoco);
        public readonly void Write(PeerBuffer buffer, List<Poco> value)
        {
            Utf8JsonWriter json = buffer.StartJson();
            JsonSerializer.Serialize(json, value, BenchJsonContext.Default.ListPoco);
            json.Flush();
        }
        public readonly List<Poco> Deserialize(byte[] payload) => JsonSerializer.Deserialize(payload, BenchJsonContext.Default.ListPoco)!;
    }

    public struct OfImmutablePoco : IPeer<ImmutablePoco>
    {
        public readonly byte[] Serialize(ImmutablePoco value) => JsonSerializer.SerializeToUtf8Bytes(value, BenchJsonContext.Default.ImmutablePoco);
        public readonly void Write(PeerBuffer buffer, ImmutablePoco value)
        {
            Utf8JsonWriter json = buffer.StartJson();
            JsonSerializer.Serialize(json, value, BenchJsonContext.Default.ImmutablePoco);
            json.Flush();
        }
        public readonly ImmutablePoco Deserialize(byte[] payload) => JsonSerializer.Deserialize(payload, BenchJsonContext.Default.ImmutablePoco)!;
    }

    public struct OfImmutablePocoList : IPeer<List<ImmutablePoco>>
    {
        public readonly byte[] Serialize(List<ImmutablePoco> value) => JsonSerializer.SerializeToUtf8Bytes(value, BenchJsonContext.Default.ListImmutablePoco);
        public readonly void Write(PeerBuffer buffer, List<ImmutablePoco> value)
        {
            Utf8JsonWriter json = buffer.StartJson();
            JsonSerializer.Serialize(json, value, BenchJsonContext.Default.ListImmutablePoco);
            json.Flush();
        }
        public readonly List<ImmutablePoco> Deserialize(byte[] payload) => JsonSerializer.Deserialize(payload, BenchJsonContext.Default.ListImmutablePoco)!;
    }

    public struct OfSimpleModel : IPeer<SimpleModel>
    {
        public readonly byte[] Serialize(SimpleModel value) => JsonSerializer.SerializeToUtf8Bytes(value, BenchJsonContext.Default.SimpleModel);
        public readonly void Write(PeerBuffer buffer, SimpleModel value)
        {
            Utf8JsonWriter json = buffer.StartJson();
            JsonSerializer.Serialize(json, value, BenchJsonContext.Default.SimpleModel);
            json.Flush();
        }
        public readonly SimpleModel Deserialize(byte[] payload) => JsonSerializer.Deserialize(payload, BenchJsonContext.Default.SimpleModel)!;
    }

    public struct OfSimpleModelList : IPeer<List<SimpleModel>>
    {
        public readonly byte[] Serialize(List<SimpleModel> value) => JsonSerializer.SerializeToUtf8Bytes(value, BenchJsonContext.Default.ListSimpleModel);
        public readonly void Write(PeerBuffer buffer, List<SimpleModel> value)
        {
            Utf8JsonWriter json = buffer.StartJson();
            JsonSerializer.Serialize(json, value, BenchJsonContext.Default.ListSimpleModel);
            json.Flush();
        }
        public readonly List<SimpleModel> Deserialize(byte[] payload) => JsonSerializer.Deserialize(payload, BenchJsonContext.Default.ListSimpleModel)!;
    }

    public struct OfNineInts : IPeer<NineInts>
    {
        public readonly byte[] Serialize(NineInts value) => JsonSerializer.SerializeToUtf8Bytes(value, BenchJsonContext.Default.NineInts);
        public readonly void Write(PeerBuffer buffer, NineInts value)
        {
            Utf8JsonWriter json = buffer.StartJson();
            JsonSerializer.Serialize(json, value, BenchJsonContext.Default.NineInts);
            json.Flush();
        }
        public readonly NineInts Deserialize(byte[] payload) => JsonSerializer.Deserialize(payload, BenchJsonContext.Default.NineInts)!;
    }

    public struct OfNineIntsList : IPeer<List<NineInts>>
    {
        public readonly byte[] Serialize(List<NineInts> value) => JsonSerializer.SerializeToUtf8Bytes(value, BenchJsonContext.Default.ListNineInts);
        public readonly void Write(PeerBuffer buffer, List<NineInts> value)
        {
            Utf8JsonWriter json = buffer.StartJson();
            JsonSerializer.Serialize(json, value, BenchJsonContext.Default.ListNineInts);
            json.Flush();
        }
        public readonly List<NineInts> Deserialize(byte[] payload) => JsonSerializer.Deserialize(payload, BenchJsonContext.Default.ListNineInts)!;
    }
}
