// Google.FlatBuffers over the tables of FlatTables.cs, with one builder that is reused. It is made for reading without objects; a row here reads whole objects.

using System.Runtime.CompilerServices;
using Google.FlatBuffers;
using Store.Bench.Workloads;

namespace Store.Bench.Peers;

/// <summary>The row of Google.FlatBuffers.</summary>
internal sealed class FlatBuffersRow() : PeerRow("FlatBuffers")
{
    private static readonly FlatBufferBuilder Builder = new(4096);

    [ModuleInitializer]
    internal static void Register() => PeerRows.Add(new FlatBuffersRow());

    public override Cell? CellFor<T>(T value, Action<T> verify) => (verify, value) switch
    {
        (Action<SimpleClass> check, SimpleClass input) => new Cell<Of<FlatSimpleClass, SimpleClass>, SimpleClass>(Name, input, check),
        (Action<SimpleStruct> check, SimpleStruct input) => new Cell<Of<FlatOneStruct, SimpleStruct>, SimpleStruct>(Name, input, check),
        (Action<Poco> check, Poco input) => new Cell<Of<FlatPoco, Poco>, Poco>(Name, input, check),
        (Action<ImmutablePoco> check, ImmutablePoco input) => new Cell<Of<FlatImmutablePoco, ImmutablePoco>, ImmutablePoco>(Name, input, check),
        (Action<SimpleModel> check, SimpleModel input) => new Cell<Of<FlatSimpleModel, SimpleModel>, SimpleModel>(Name, input, check),
        (Action<NineInts> check, NineInts input) => new Cell<Of<FlatNineInts, NineInts>, NineInts>(Name, input, check),
        (Action<SimpleStruct[]> check, SimpleStruct[] input) => new Cell<Of<FlatStructs, SimpleStruct[]>, SimpleStruct[]>(Name, input, check),
        (Action<List<SimpleClass>> check, List<SimpleClass> input) => Items<FlatSimpleClass, SimpleClass>(input, check),
        (Action<List<Poco>> check, List<Poco> input) => Items<FlatPoco, Poco>(input, check),
        (Action<List<ImmutablePoco>> check, List<ImmutablePoco> input) => Items<FlatImmutablePoco, ImmutablePoco>(input, check),
        (Action<List<SimpleModel>> check, List<SimpleModel> input) => Items<FlatSimpleModel, SimpleModel>(input, check),
        (Action<List<NineInts>> check, List<NineInts> input) => Items<FlatNineInts, NineInts>(input, check),
        _ => null,
    };

    private Cell Items<TTable, T>(List<T> value, Action<List<T>> verify) where TTable : struct, IFlatTable<T> => new Cell<Of<FlatItems<TTable, T>, List<T>>, List<T>>(Name, value, verify);

    private readonly struct Of<TTable, T> : IPeer<T> where TTable : struct, IFlatTable<T>
    {
        public byte[] Serialize(T value)
        {
            Builder.Clear();
            Builder.Finish(TTable.Pack(Builder, value));
            return Builder.SizedByteArray();
        }

        public void Write(PeerBuffer buffer, T value)
        {
            Builder.Clear();
            Builder.Finish(TTable.Pack(Builder, value));
        }

        public T Deserialize(byte[] payload)
        {
            var bytes = new ByteBuffer(payload);
            return TTable.Unpack(new Table(bytes.GetInt(bytes.Position) + bytes.Position, bytes));
        }

        public byte[] Written(PeerBuffer buffer) => Builder.SizedByteArray();
    }
}
