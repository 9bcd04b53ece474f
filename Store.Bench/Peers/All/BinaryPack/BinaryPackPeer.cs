// BinaryPack takes classes with an empty constructor. A batch is no such class for it (it would write the list's properties), nor a struct alone: these are
// members of a box, made before the clock starts. Its writing goes to a new array or a stream.

using System.Runtime.CompilerServices;
using BinaryPack;
using Store.Bench.Workloads;

namespace Store.Bench.Peers;

/// <summary>A value that BinaryPack takes as a member only.</summary>
public sealed class BinaryPackBox<T>
{
    public T Value { get; set; } = default!;
}

/// <summary>The row of BinaryPack. It sets members after construction: no ImmutablePoco.</summary>
internal sealed class BinaryPackRow() : PeerRow("BinaryPack")
{
    [ModuleInitializer]
    internal static void Register() => PeerRows.Add(new BinaryPackRow());

    public override Cell? CellFor<T>(T value, Action<T> verify) => (verify, value) switch
    {
        (Action<SimpleClass> check, SimpleClass input) => new Cell<Of<SimpleClass>, SimpleClass>(Name, input, check),
        (Action<Poco> check, Poco input) => new Cell<Of<Poco>, Poco>(Name, input, check),
        (Action<SimpleModel> check, SimpleModel input) => new Cell<Of<SimpleModel>, SimpleModel>(Name, input, check),
        (Action<NineInts> check, NineInts input) => new Cell<Of<NineInts>, NineInts>(Name, input, check),
        (Action<SimpleStruct> check, SimpleStruct input) => Boxed(input, check),
        (Action<SimpleStruct[]> check, SimpleStruct[] input) => Boxed(input, check),
        (Action<List<SimpleClass>> check, List<SimpleClass> input) => Boxed(input, check),
        (Action<List<Poco>> check, List<Poco> input) => Boxed(input, check),
        (Action<List<SimpleModel>> check, List<SimpleModel> input) => Boxed(input, check),
        (Action<List<NineInts>> check, List<NineInts> input) => Boxed(input, check),
        _ => null,
    };

    private Cell Boxed<T>(T value, Action<T> verify) => new Cell<Of<BinaryPackBox<T>>, BinaryPackBox<T>>(Name, new BinaryPackBox<T> { Value = value }, read => verify(read.Value));

    private readonly struct Of<T> : IPeer<T> where T : new()
    {
        public byte[] Serialize(T value) => BinaryConverter.Serialize(value);
        public void Write(PeerBuffer buffer, T value) => BinaryConverter.Serialize(value, buffer.StartStream());
        public T Deserialize(byte[] payload) => BinaryConverter.Deserialize<T>(payload);
    }
}
