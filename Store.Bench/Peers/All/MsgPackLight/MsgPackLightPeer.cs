// MsgPack.Light with converters by hand (MsgPackLightConverters.cs), the way its documentation begins with. It writes to memory streams and reads arrays.

using System.Runtime.CompilerServices;
using ProGaudi.MsgPack.Light;
using Store.Bench.Bound;
using Store.Bench.Workloads;

namespace Store.Bench.Peers;

/// <summary>MsgPack.Light.</summary>
internal readonly struct MsgPackLightPeer : IAnyPeer
{
    private static readonly MsgPackContext Context = CreateContext();

    [ModuleInitializer]
    internal static void Register() => PeerRows.Add(new AnyPeerRow<MsgPackLightPeer>("MsgPack.Light"));

    public byte[] Serialize<T>(T value) => MsgPackSerializer.Serialize(value, Context);

    public void Write<T>(PeerBuffer buffer, T value) => MsgPackSerializer.Serialize(value, buffer.StartStream(), Context);

    public T Deserialize<T>(byte[] payload) => MsgPackSerializer.Deserialize<T>(payload, Context);

    private static MsgPackContext CreateContext()
    {
        var context = new MsgPackContext();
        context.RegisterConverter(new GuidConverter());
        context.RegisterConverter(new SimpleClassConverter());
        context.RegisterConverter(new SimpleStructConverter());
        context.RegisterConverter(new PocoConverter<Poco, PocoMembers>());
        context.RegisterConverter(new PocoConverter<ImmutablePoco, ImmutablePocoMembers>());
        context.RegisterConverter(new SimpleModelConverter());
        context.RegisterConverter(new NineIntsConverter());
        return context;
    }
}
