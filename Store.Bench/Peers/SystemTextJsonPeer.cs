// System.Text.Json with source-generated metadata: the JSON everybody has.

using System.Runtime.CompilerServices;
using System.Text.Json;
using System.Text.Json.Serialization;
using System.Text.Json.Serialization.Metadata;
using Store.Bench.Shapes;
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
internal readonly struct SystemTextJsonPeer : IAppendingPeer
{
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public byte[] Serialize<T>(T value) => JsonSerializer.SerializeToUtf8Bytes(value, Info<T>.Value);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Write<T>(PeerBuffer buffer, T value)
    {
        Utf8JsonWriter json = buffer.StartJson();
        JsonSerializer.Serialize(json, value, Info<T>.Value);
        json.Flush();
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Append<T>(PeerBuffer buffer, T value)
    {
        Utf8JsonWriter json = buffer.GoOnWithJson();
        JsonSerializer.Serialize(json, value, Info<T>.Value);
        json.Flush();
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public T Deserialize<T>(byte[] payload) => JsonSerializer.Deserialize(payload, Info<T>.Value)!;

    // A constant of the final code, like the context's own property.
    private static class Info<T>
    {
        public static readonly JsonTypeInfo<T> Value = (JsonTypeInfo<T>)(BenchJsonContext.Default.GetTypeInfo(typeof(T)) ?? ShapeJsonContext.Default.GetTypeInfo(typeof(T)) ?? ReferenceJsonContext.Default.GetTypeInfo(typeof(T)))!;
    }
}
