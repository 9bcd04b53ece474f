// System.Formats.Cbor, the reader and writer of .NET itself, over the code of CborMembers.cs. Both are reused, and so is the array that
// the reused rows copy the writer's bytes into: it shows them in no other way.

using System.Formats.Cbor;
using System.Runtime.CompilerServices;
using Store.Bench.Workloads;

namespace Store.Bench.Peers;

/// <summary>The row of System.Formats.Cbor.</summary>
internal sealed class CborRow() : PeerRow("System.Formats.Cbor")
{
    private static readonly CborWriter Writer = new(CborConformanceMode.Lax);
    private static readonly CborReader Reader = new(ReadOnlyMemory<byte>.Empty, CborConformanceMode.Lax);

    // Grows to the size of the largest value.
    private static byte[] _buffer = new byte[4096];
    private static int _writtenBytes;

    [ModuleInitializer]
    internal static void Register() => PeerRows.Add(new CborRow());

    public override Cell? CellFor<T>(T value, Action<T> verify) => (verify, value) switch
    {
        (Action<SimpleClass> check, SimpleClass input) => new Cell<Of<CborSimpleClass, SimpleClass>, SimpleClass>(Name, input, check),
        (Action<SimpleStruct> check, SimpleStruct input) => new Cell<Of<CborSimpleStruct, SimpleStruct>, SimpleStruct>(Name, input, check),
        (Action<Poco> check, Poco input) => new Cell<Of<CborPoco, Poco>, Poco>(Name, input, check),
        (Action<ImmutablePoco> check, ImmutablePoco input) => new Cell<Of<CborImmutablePoco, ImmutablePoco>, ImmutablePoco>(Name, input, check),
        (Action<SimpleModel> check, SimpleModel input) => new Cell<Of<CborSimpleModel, SimpleModel>, SimpleModel>(Name, input, check),
        (Action<NineInts> check, NineInts input) => new Cell<Of<CborNineInts, NineInts>, NineInts>(Name, input, check),
        (Action<SimpleStruct[]> check, SimpleStruct[] input) => new Cell<Of<CborArray<CborSimpleStruct, SimpleStruct>, SimpleStruct[]>, SimpleStruct[]>(Name, input, check),
        (Action<List<SimpleClass>> check, List<SimpleClass> input) => Items<CborSimpleClass, SimpleClass>(input, check),
        (Action<List<Poco>> check, List<Poco> input) => Items<CborPoco, Poco>(input, check),
        (Action<List<ImmutablePoco>> check, List<ImmutablePoco> input) => Items<CborImmutablePoco, ImmutablePoco>(input, check),
        (Action<List<SimpleModel>> check, List<SimpleModel> input) => Items<CborSimpleModel, SimpleModel>(input, check),
        (Action<List<NineInts>> check, List<NineInts> input) => Items<CborNineInts, NineInts>(input, check),
        _ => null,
    };

    private Cell Items<TItem, T>(List<T> value, Action<List<T>> verify) where TItem : struct, ICborType<T> => new Cell<Of<CborList<TItem, T>, List<T>>, List<T>>(Name, value, verify);

    private readonly struct Of<TType, T> : IPeer<T> where TType : struct, ICborType<T>
    {
        public byte[] Serialize(T value)
        {
            Writer.Reset();
            TType.Write(Writer, value);
            return Writer.Encode();
        }

        public void Write(PeerBuffer buffer, T value)
        {
            Writer.Reset();
            TType.Write(Writer, value);
            if (_buffer.Length < Writer.BytesWritten) _buffer = new byte[Writer.BytesWritten];
            _writtenBytes = Writer.Encode(_buffer);
        }

        public T Deserialize(byte[] payload)
        {
            Reader.Reset(payload);
            return TType.Read(Reader);
        }

        public byte[] Written(PeerBuffer buffer) => _buffer.AsSpan(0, _writtenBytes).ToArray();
    }
}
