using System.Reflection;
using ProtoBuf;
using ProtoBuf.Meta;

namespace Store.Tests.Generator.RandomModels.Peers;

/// <inheritdoc/>
internal sealed class ProtobufNetPeer : PeerSerializer
{
    private readonly RuntimeTypeModel _model = RuntimeTypeModel.Create();

    public override OtherSerializer Serializer => OtherSerializer.ProtobufNet;

    public override IEnumerable<Assembly> Assemblies => [typeof(ProtoContractAttribute).Assembly, typeof(RuntimeTypeModel).Assembly];

    public override object? Copy(object value, Type type)
    {
        using var stream = new MemoryStream();
        _model.Serialize(stream, value);
        stream.Position = 0;
        return _model.Deserialize(stream, null, type);
    }
}
