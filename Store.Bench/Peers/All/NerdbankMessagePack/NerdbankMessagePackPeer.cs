// Nerdbank.MessagePack: members by number, shapes from its source generator, into the usual buffer writer for the reused rows.

using System.Runtime.CompilerServices;
using Nerdbank.MessagePack;
using PolyType;
using Store.Bench.Workloads;

namespace Store.Bench.Peers;

/// <summary>The row of Nerdbank.MessagePack, on its own copies of the workloads' types.</summary>
internal sealed class NerdbankMessagePackRow() : PeerRow("Nerdbank.MessagePack")
{
    private static readonly MessagePackSerializer Serializer = new();

    [ModuleInitializer]
    internal static void Register() => PeerRows.Add(new NerdbankMessagePackRow());

    public override Cell? CellFor<T>(T value, Action<T> verify) => (verify, value) switch
    {
        (Action<SimpleClass> check, SimpleClass input) => One(ShapedSimpleClass.From(input), read => check(read.To())),
        (Action<List<SimpleClass>> check, List<SimpleClass> input) => One(input.ConvertAll(ShapedSimpleClass.From), read => check(read.ConvertAll(r => r.To()))),
        (Action<SimpleStruct> check, SimpleStruct input) => One(ShapedSimpleStruct.From(input), read => check(read.To())),
        (Action<SimpleStruct[]> check, SimpleStruct[] input) => One(Array.ConvertAll(input, ShapedSimpleStruct.From), read => check(Array.ConvertAll(read, r => r.To()))),
        (Action<Poco> check, Poco input) => One(ShapedPoco.From(input), read => check(read.To())),
        (Action<List<Poco>> check, List<Poco> input) => One(input.ConvertAll(ShapedPoco.From), read => check(read.ConvertAll(r => r.To()))),
        (Action<ImmutablePoco> check, ImmutablePoco input) => One(ShapedImmutablePoco.From(input), read => check(read.To())),
        (Action<List<ImmutablePoco>> check, List<ImmutablePoco> input) => One(input.ConvertAll(ShapedImmutablePoco.From), read => check(read.ConvertAll(r => r.To()))),
        (Action<SimpleModel> check, SimpleModel input) => One(ShapedSimpleModel.From(input), read => check(read.To())),
        (Action<List<SimpleModel>> check, List<SimpleModel> input) => One(input.ConvertAll(ShapedSimpleModel.From), read => check(read.ConvertAll(r => r.To()))),
        (Action<NineInts> check, NineInts input) => One(ShapedNineInts.From(input), read => check(read.To())),
        (Action<List<NineInts>> check, List<NineInts> input) => One(input.ConvertAll(ShapedNineInts.From), read => check(read.ConvertAll(r => r.To()))),
        _ => null,
    };

    private Cell One<TShaped>(TShaped value, Action<TShaped> verify) => new Cell<Of<TShaped>, TShaped>(Name, value, verify);

    private static class ShapeOf<T>
    {
        public static readonly ITypeShape<T> Value = (ITypeShape<T>)PeerShapes.GeneratedTypeShapeProvider.GetTypeShape(typeof(T))!;
    }

    private readonly struct Of<T> : IPeer<T>
    {
        public byte[] Serialize(T value) => Serializer.Serialize(value, ShapeOf<T>.Value);
        public void Write(PeerBuffer buffer, T value) => Serializer.Serialize(buffer.StartBytes(), value, ShapeOf<T>.Value);
        public T Deserialize(byte[] payload) => Serializer.Deserialize(payload, ShapeOf<T>.Value)!;
    }
}
