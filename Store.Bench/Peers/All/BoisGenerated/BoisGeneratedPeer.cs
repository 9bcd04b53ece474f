// Salar.Bois with code generated at compile time, through its own buffer writer and reader over arrays, both reused. It sets members after construction: no
// ImmutablePoco.

using System.Runtime.CompilerServices;
using Salar.BinaryBuffers;
using Store.Bench.Workloads;

namespace Store.Bench.Peers;

/// <summary>The row of Salar.Bois.CodeGen.</summary>
internal sealed class BoisGeneratedRow() : PeerRow("Salar.Bois generated")
{
    // Its writer does not grow: large enough for the largest batch.
    private static readonly byte[] Buffer = new byte[4 * 1024 * 1024];

    private static readonly BinaryBufferWriter Writer = new(Buffer);
    private static readonly BinaryBufferReader Reader = new(Buffer);

    [ModuleInitializer]
    internal static void Register() => PeerRows.Add(new BoisGeneratedRow());

    public override Cell? CellFor<T>(T value, Action<T> verify) => (verify, value) switch
    {
        (Action<SimpleClass> check, SimpleClass input) => new Cell<Of<BoisSimpleClass, SimpleClass>, SimpleClass>(Name, input, check),
        (Action<List<SimpleClass>> check, List<SimpleClass> input) => new Cell<Of<BoisSimpleClasses, List<SimpleClass>>, List<SimpleClass>>(Name, input, check),
        (Action<SimpleStruct> check, SimpleStruct input) => new Cell<Of<BoisSimpleStruct, SimpleStruct>, SimpleStruct>(Name, input, check),
        (Action<SimpleStruct[]> check, SimpleStruct[] input) => new Cell<Of<BoisSimpleStructs, SimpleStruct[]>, SimpleStruct[]>(Name, input, check),
        (Action<Poco> check, Poco input) => new Cell<Of<BoisPoco, Poco>, Poco>(Name, input, check),
        (Action<List<Poco>> check, List<Poco> input) => new Cell<Of<BoisPocos, List<Poco>>, List<Poco>>(Name, input, check),
        (Action<SimpleModel> check, SimpleModel input) => new Cell<Of<BoisSimpleModel, SimpleModel>, SimpleModel>(Name, input, check),
        (Action<List<SimpleModel>> check, List<SimpleModel> input) => new Cell<Of<BoisSimpleModels, List<SimpleModel>>, List<SimpleModel>>(Name, input, check),
        (Action<NineInts> check, NineInts input) => new Cell<Of<BoisNineInts, NineInts>, NineInts>(Name, input, check),
        (Action<List<NineInts>> check, List<NineInts> input) => new Cell<Of<BoisNineIntsList, List<NineInts>>, List<NineInts>>(Name, input, check),
        _ => null,
    };

    private readonly struct Of<TType, T> : IPeer<T> where TType : struct, IBoisType<T>
    {
        public byte[] Serialize(T value)
        {
            Writer.ResetBuffer(Buffer);
            TType.Write(value, Writer);
            return Buffer.AsSpan(0, Writer.WrittenLength).ToArray();
        }

        public void Write(PeerBuffer buffer, T value)
        {
            Writer.ResetBuffer(Buffer);
            TType.Write(value, Writer);
        }

        public T Deserialize(byte[] payload)
        {
            Reader.ResetBuffer(payload);
            return TType.Read(Reader);
        }

        public byte[] Written(PeerBuffer buffer) => Buffer.AsSpan(0, Writer.WrittenLength).ToArray();
    }
}
