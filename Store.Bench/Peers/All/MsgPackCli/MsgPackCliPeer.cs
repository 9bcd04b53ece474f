// MessagePack for CLI: members as an array, dates as .NET's own number with their kind. Its packer over a reused array for the reused rows.

using System.Runtime.CompilerServices;
using MsgPack;
using MsgPack.Serialization;

namespace Store.Bench.Peers;

/// <summary>MsgPack.Cli.</summary>
internal readonly struct MsgPackCliPeer : IAnyPeer
{
    private static readonly SerializationContext Context = new() { SerializationMethod = SerializationMethod.Array, DefaultDateTimeConversionMethod = DateTimeConversionMethod.Native };

    // Grows to the size of the largest value.
    private static byte[] _buffer = new byte[4096];
    private static ArraySegment<byte> _written;

    [ModuleInitializer]
    internal static void Register() => PeerRows.Add(new AnyPeerRow<MsgPackCliPeer>("MsgPack.Cli"));

    public byte[] Serialize<T>(T value) => Of<T>.Serializer.PackSingleObject(value);

    public void Write<T>(PeerBuffer buffer, T value)
    {
        ByteArrayPacker packer = Packer.Create(_buffer, allowsBufferExpansion: true, PackerCompatibilityOptions.None);
        Of<T>.Serializer.PackTo(packer, value);
        _written = packer.GetResultBytes();
        _buffer = _written.Array!;
    }

    public T Deserialize<T>(byte[] payload) => Of<T>.Serializer.UnpackSingleObject(payload);

    public byte[] Written(PeerBuffer buffer) => _written.ToArray();

    private static class Of<T>
    {
        public static readonly MessagePackSerializer<T> Serializer = Context.GetSerializer<T>();
    }
}
