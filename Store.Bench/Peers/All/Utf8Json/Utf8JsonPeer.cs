// Utf8Json: its static calls, and its writer over a reused array for the reused rows.

using System.Runtime.CompilerServices;
using Utf8Json;

namespace Store.Bench.Peers;

/// <summary>Utf8Json.</summary>
internal readonly struct Utf8JsonPeer : IAnyPeer
{
    // Grows to the size of the largest value.
    private static byte[] _buffer = new byte[4096];
    private static ArraySegment<byte> _written;

    [ModuleInitializer]
    internal static void Register() => PeerRows.Add(new AnyPeerRow<Utf8JsonPeer>("Utf8Json"));

    public byte[] Serialize<T>(T value) => JsonSerializer.Serialize(value);

    public void Write<T>(PeerBuffer buffer, T value)
    {
        var writer = new JsonWriter(_buffer);
        JsonSerializer.Serialize(ref writer, value);
        _written = writer.GetBuffer();
        _buffer = _written.Array!;
    }

    public T Deserialize<T>(byte[] payload) => JsonSerializer.Deserialize<T>(payload);

    public byte[] Written(PeerBuffer buffer) => _written.ToArray();
}
