// Apex.Serialization: tree mode, no version id, streams only; reused ones on both sides, so that no row pays for a stream.

using System.Runtime.CompilerServices;
using Apex.Serialization;

namespace Store.Bench.Peers;

/// <summary>Apex.Serialization. Its instances are for one thread, like a cell.</summary>
internal readonly struct ApexPeer : IAnyPeer
{
    private static readonly IBinary Binary = Apex.Serialization.Binary.Create(new Settings { UseSerializedVersionId = false }.MarkSerializable(_ => true));
    private static readonly MemoryStream Output = new(4096);
    private static byte[] _read = [];
    private static MemoryStream _input = new(_read);

    [ModuleInitializer]
    internal static void Register() => PeerRows.Add(new AnyPeerRow<ApexPeer>("Apex"));

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public byte[] Serialize<T>(T value)
    {
        Output.Position = 0;
        Output.SetLength(0);
        Binary.Write(value, Output);
        return Output.ToArray();
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Write<T>(PeerBuffer buffer, T value)
    {
        Output.Position = 0;
        Output.SetLength(0);
        Binary.Write(value, Output);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public T Deserialize<T>(byte[] payload)
    {
        if (!ReferenceEquals(_read, payload))
        {
            _read = payload;
            _input = new MemoryStream(payload);
        }
        _input.Position = 0;
        return Binary.Read<T>(_input);
    }

    public byte[] Written(PeerBuffer buffer) => Output.ToArray();
}
