// protobuf-net with a model made at run time, so that the workloads' types need no attribute. The kind of dates is stored, or they would not come back.

using System.Buffers;
using System.Runtime.CompilerServices;
using ProtoBuf.Meta;
using Store.Bench.Workloads;

namespace Store.Bench.Peers;

/// <summary>protobuf-net.</summary>
internal readonly struct ProtobufNetPeer : IAnyPeer
{
    private static readonly RuntimeTypeModel Model = CreateModel();
    private static readonly ArrayBufferWriter<byte> Output = new(4096);

    [ModuleInitializer]
    internal static void Register() => PeerRows.Add(new AnyPeerRow<ProtobufNetPeer>("protobuf-net")
    {
        // It sets members after construction, which get-only properties do not allow.
        Without = [typeof(ImmutablePoco), typeof(List<ImmutablePoco>)],
    });

    public byte[] Serialize<T>(T value)
    {
        Output.ResetWrittenCount();
        Model.Serialize(Output, value);
        return Output.WrittenSpan.ToArray();
    }

    public void Write<T>(PeerBuffer buffer, T value) => Model.Serialize(buffer.StartBytes(), value);

    public T Deserialize<T>(byte[] payload) => Model.Deserialize<T>(new ReadOnlyMemory<byte>(payload));

    private static RuntimeTypeModel CreateModel()
    {
        RuntimeTypeModel model = RuntimeTypeModel.Create();
        model.IncludeDateTimeKind = true;
        model.Add(typeof(SimpleClass), applyDefaultBehaviour: false).Add(nameof(SimpleClass.Id), nameof(SimpleClass.Name), nameof(SimpleClass.Numbers), nameof(SimpleClass.Dates), nameof(SimpleClass.Texts), nameof(SimpleClass.Pairs));
        model.Add(typeof(SimpleStruct), applyDefaultBehaviour: false).Add(nameof(SimpleStruct.Id), nameof(SimpleStruct.CreatedAt));
        model.Add(typeof(Poco), applyDefaultBehaviour: false).Add(nameof(Poco.Text), nameof(Poco.Number), nameof(Poco.Key), nameof(Poco.When));
        model.Add(typeof(SimpleModel), applyDefaultBehaviour: false).Add(nameof(SimpleModel.TestInt), nameof(SimpleModel.TestString), nameof(SimpleModel.TestBool));
        model.Add(typeof(NineInts), applyDefaultBehaviour: false).Add(nameof(NineInts.P1), nameof(NineInts.P2), nameof(NineInts.P3), nameof(NineInts.P4), nameof(NineInts.P5), nameof(NineInts.P6), nameof(NineInts.P7), nameof(NineInts.P8), nameof(NineInts.P9));
        return model;
    }
}
