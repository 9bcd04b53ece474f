// Ceras: types known beforehand, no references kept, into an array that is reused and grows.

using System.Runtime.CompilerServices;
using Ceras;
using Store.Bench.Workloads;

namespace Store.Bench.Peers;

/// <summary>Ceras. Its instances are for one thread, like a cell.</summary>
internal readonly struct CerasPeer : IAnyPeer
{
    // It does not take get-only properties as members that fill a constructor.
    private static readonly Type[] Immutable = [typeof(ImmutablePoco), typeof(List<ImmutablePoco>)];

    private static readonly CerasSerializer Serializer = Create();
    private static byte[] _buffer = new byte[4096];
    private static int _writtenBytes;

    [ModuleInitializer]
    internal static void Register() => PeerRows.Add(new AnyPeerRow<CerasPeer>("Ceras") { Without = Immutable });

    public byte[] Serialize<T>(T value)
    {
        int lengthBytes = Serializer.Serialize(value, ref _buffer);
        return _buffer.AsSpan(0, lengthBytes).ToArray();
    }

    public void Write<T>(PeerBuffer buffer, T value) => _writtenBytes = Serializer.Serialize(value, ref _buffer);

    public T Deserialize<T>(byte[] payload) => Serializer.Deserialize<T>(payload);

    public byte[] Written(PeerBuffer buffer) => _buffer.AsSpan(0, _writtenBytes).ToArray();

    private static CerasSerializer Create()
    {
        var config = new SerializerConfig { PreserveReferences = false, DefaultTargets = TargetMember.AllPublic };
        config.KnownTypes.AddRange(PeerTypes.All.Except(Immutable));
        return new CerasSerializer(config);
    }
}
