using System.Reflection;
using MessagePack;
using MessagePack.Resolvers;

namespace Store.Tests.Generator.RandomModels.Peers;

/// <inheritdoc/>
internal sealed class MessagePackPeer : PeerSerializer
{
    public override OtherSerializer Serializer => OtherSerializer.MessagePack;

    public override IEnumerable<Assembly> Assemblies => [typeof(MessagePackSerializer).Assembly, typeof(MessagePackObjectAttribute).Assembly];

    // Which members that are not public it takes, attributes say.
    public override object? Copy(object value, Type type) => MessagePackSerializer.Deserialize(type, MessagePackSerializer.Serialize(type, value, StandardResolver.Options), StandardResolver.Options);
}
