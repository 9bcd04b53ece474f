// Newtonsoft.Json (Json.NET) as most code calls it: through a string, or through a text writer over a reused stream.

using System.Text;
using Newtonsoft.Json;

namespace Store.Bench.Peers;

/// <summary>Newtonsoft.Json.</summary>
internal readonly struct NewtonsoftPeer : IAnyPeer
{
    private static readonly JsonSerializer Serializer = JsonSerializer.CreateDefault();

    public byte[] Serialize<T>(T value) => Encoding.UTF8.GetBytes(JsonConvert.SerializeObject(value));

    public void Write<T>(PeerBuffer buffer, T value)
    {
        StreamWriter text = buffer.StartText();
        using (var json = new JsonTextWriter(text) { CloseOutput = false }) Serializer.Serialize(json, value);
        text.Flush();
    }

    public T Deserialize<T>(byte[] payload) => JsonConvert.DeserializeObject<T>(Encoding.UTF8.GetString(payload))!;
}
