// Jil: JSON through a string, or through a text writer over a reused stream. Dates as ISO 8601. It sets members after construction: no ImmutablePoco.

using System.Runtime.CompilerServices;
using System.Text;
using Jil;
using Store.Bench.Workloads;

namespace Store.Bench.Peers;

/// <summary>Jil.</summary>
internal readonly struct JilPeer : IAnyPeer
{
    [ModuleInitializer]
    internal static void Register() => PeerRows.Add(new AnyPeerRow<JilPeer>("Jil") { Without = [typeof(ImmutablePoco), typeof(List<ImmutablePoco>)] });

    public byte[] Serialize<T>(T value) => Encoding.UTF8.GetBytes(JSON.Serialize(value, Options.ISO8601Utc));

    public void Write<T>(PeerBuffer buffer, T value)
    {
        StreamWriter text = buffer.StartText();
        JSON.Serialize(value, text, Options.ISO8601Utc);
        text.Flush();
    }

    public T Deserialize<T>(byte[] payload) => JSON.Deserialize<T>(Encoding.UTF8.GetString(payload), Options.ISO8601Utc);
}
