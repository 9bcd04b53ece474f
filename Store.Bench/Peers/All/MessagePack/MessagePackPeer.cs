// MessagePack for C# on the workloads' own types: string keys (nothing on the type is needed), and typeless (the type's name in the bytes).

using System.Runtime.CompilerServices;
using MessagePack;
using MessagePack.Resolvers;

namespace Store.Bench.Peers;

/// <summary>MessagePack, members under their names.</summary>
internal readonly struct MessagePackStringKeysPeer : IAnyPeer
{
    private static readonly MessagePackSerializerOptions Options = MessagePackSerializerOptions.Standard.WithResolver(ContractlessStandardResolver.Instance);

    public byte[] Serialize<T>(T value) => MessagePackSerializer.Serialize(value, Options);
    public void Write<T>(PeerBuffer buffer, T value) => MessagePackSerializer.Serialize(buffer.StartBytes(), value, Options);
    public T Deserialize<T>(byte[] payload) => MessagePackSerializer.Deserialize<T>(payload, Options);
}

/// <summary>MessagePack with the type's name in front, members under their names.</summary>
internal readonly struct MessagePackTypelessPeer : IAnyPeer
{
    public byte[] Serialize<T>(T value) => MessagePackSerializer.Typeless.Serialize(value);
    public void Write<T>(PeerBuffer buffer, T value) => MessagePackSerializer.Typeless.Serialize(buffer.StartBytes(), value);
    public T Deserialize<T>(byte[] payload) => (T)MessagePackSerializer.Typeless.Deserialize(payload)!;
}

/// <summary>Adds the rows of MessagePack.</summary>
internal static class MessagePackRows
{
    [ModuleInitializer]
    internal static void Register()
    {
        PeerRows.Add(new MessagePackKeyedRow<Standard>("MessagePack int keys"));
        PeerRows.Add(new AnyPeerRow<MessagePackStringKeysPeer>("MessagePack string keys"));
        PeerRows.Add(new MessagePackKeyedRow<Lz4>("MessagePack int keys, LZ4"));
        PeerRows.Add(new AnyPeerRow<MessagePackTypelessPeer>("MessagePack typeless"));
    }

    internal readonly struct Standard : IMessagePackOptions
    {
        public static MessagePackSerializerOptions Options { get; } = MessagePackSerializerOptions.Standard;
    }

    internal readonly struct Lz4 : IMessagePackOptions
    {
        public static MessagePackSerializerOptions Options { get; } = MessagePackSerializerOptions.Standard.WithCompression(MessagePackCompression.Lz4BlockArray);
    }
}

/// <summary>Options as a type argument: a constant of the loop.</summary>
internal interface IMessagePackOptions
{
    static abstract MessagePackSerializerOptions Options { get; }
}
