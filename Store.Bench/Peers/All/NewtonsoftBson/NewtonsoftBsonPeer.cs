// Newtonsoft.Json.Bson: Json.NET over BSON, from and to streams that are reused. BSON's own dates end at milliseconds, so they are its 64-bit integer of ticks here; all are UTC.

using System.Runtime.CompilerServices;
using Newtonsoft.Json;
using Newtonsoft.Json.Bson;

namespace Store.Bench.Peers;

/// <summary>Newtonsoft.Json.Bson.</summary>
internal readonly struct NewtonsoftBsonPeer : IAnyPeer
{
    private static readonly JsonSerializer Serializer = JsonSerializer.Create(new JsonSerializerSettings { Converters = { new TicksConverter() } });

    [ModuleInitializer]
    internal static void Register() => PeerRows.Add(new AnyPeerRow<NewtonsoftBsonPeer>("Newtonsoft.Json.Bson"));

    public byte[] Serialize<T>(T value)
    {
        MemoryStream output = PeerStreams.Start();
        Write(output, value);
        return output.ToArray();
    }

    public void Write<T>(PeerBuffer buffer, T value) => Write(buffer.StartStream(), value);

    public T Deserialize<T>(byte[] payload)
    {
        // What the bytes alone do not say: whether the outermost document stands for an array.
        using var reader = new BsonDataReader(PeerStreams.Over(payload), readRootValueAsArray: typeof(T).IsArray || typeof(T).IsGenericType, DateTimeKind.Utc) { CloseInput = false };
        return Serializer.Deserialize<T>(reader)!;
    }

    private static void Write<T>(MemoryStream stream, T value)
    {
        using var writer = new BsonDataWriter(stream) { CloseOutput = false };
        Serializer.Serialize(writer, value);
    }

    private sealed class TicksConverter : JsonConverter<DateTime>
    {
        public override void WriteJson(JsonWriter writer, DateTime value, JsonSerializer serializer) => writer.WriteValue(value.Ticks);

        public override DateTime ReadJson(JsonReader reader, Type objectType, DateTime existingValue, bool hasExistingValue, JsonSerializer serializer) => new((long)reader.Value!, DateTimeKind.Utc);
    }
}
