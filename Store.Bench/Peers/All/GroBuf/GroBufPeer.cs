// GroBuf over all fields, which also gives it get-only properties. Its size is counted first, then written into a reused array.

using System.Runtime.CompilerServices;
using GroBuf;
using GroBuf.DataMembersExtracters;

namespace Store.Bench.Peers;

/// <summary>GroBuf.</summary>
internal readonly struct GroBufPeer : IAnyPeer
{
    private static readonly Serializer Serializer = new(new AllFieldsExtractor(), options: GroBufOptions.WriteEmptyObjects);
    private static byte[] _buffer = new byte[4096];
    private static int _writtenBytes;

    [ModuleInitializer]
    internal static void Register() => PeerRows.Add(new AnyPeerRow<GroBufPeer>("GroBuf"));

    public byte[] Serialize<T>(T value) => Serializer.Serialize(value);

    public void Write<T>(PeerBuffer buffer, T value)
    {
        int lengthBytes = Serializer.GetSize(value);
        if (_buffer.Length < lengthBytes) _buffer = new byte[lengthBytes];
        _writtenBytes = 0;
        Serializer.Serialize(value, _buffer, ref _writtenBytes);
    }

    public T Deserialize<T>(byte[] payload) => Serializer.Deserialize<T>(payload);

    public byte[] Written(PeerBuffer buffer) => _buffer.AsSpan(0, _writtenBytes).ToArray();
}
