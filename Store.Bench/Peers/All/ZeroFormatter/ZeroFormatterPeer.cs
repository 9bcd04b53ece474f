// ZeroFormatter on its own copies of the workloads' types, into an array that is reused and grows. Its objects are read member by member into plain ones.

using System.Runtime.CompilerServices;
using Store.Bench.Workloads;
using ZeroFormatter;

namespace Store.Bench.Peers;

/// <summary>The row of ZeroFormatter. Classes need an empty constructor and setters: no ImmutablePoco.</summary>
internal sealed class ZeroFormatterRow() : PeerRow("ZeroFormatter")
{
    [ModuleInitializer]
    internal static void Register() => PeerRows.Add(new ZeroFormatterRow());

    public override Cell? CellFor<T>(T value, Action<T> verify) => (verify, value) switch
    {
        (Action<SimpleClass> check, SimpleClass input) => One<OfObject<ZeroSimpleClass>, ZeroSimpleClass>(ZeroSimpleClass.From(input), read => check(read.To())),
        (Action<List<SimpleClass>> check, List<SimpleClass> input) => One<OfObjects<ZeroSimpleClass>, IList<ZeroSimpleClass>>(input.ConvertAll(ZeroSimpleClass.From), read => check([.. read.Select(r => r.To())])),
        (Action<SimpleStruct> check, SimpleStruct input) => One<OfStruct<ZeroSimpleStruct>, ZeroSimpleStruct>(ZeroSimpleStruct.From(input), read => check(read.To())),
        (Action<SimpleStruct[]> check, SimpleStruct[] input) => One<OfStruct<ZeroSimpleStruct[]>, ZeroSimpleStruct[]>(Array.ConvertAll(input, ZeroSimpleStruct.From), read => check(Array.ConvertAll(read, r => r.To()))),
        (Action<Poco> check, Poco input) => One<OfObject<ZeroPoco>, ZeroPoco>(ZeroPoco.From(input), read => check(read.To())),
        (Action<List<Poco>> check, List<Poco> input) => One<OfObjects<ZeroPoco>, IList<ZeroPoco>>(input.ConvertAll(ZeroPoco.From), read => check([.. read.Select(r => r.To())])),
        (Action<SimpleModel> check, SimpleModel input) => One<OfObject<ZeroSimpleModel>, ZeroSimpleModel>(ZeroSimpleModel.From(input), read => check(read.To())),
        (Action<List<SimpleModel>> check, List<SimpleModel> input) => One<OfObjects<ZeroSimpleModel>, IList<ZeroSimpleModel>>(input.ConvertAll(ZeroSimpleModel.From), read => check([.. read.Select(r => r.To())])),
        (Action<NineInts> check, NineInts input) => One<OfObject<ZeroNineInts>, ZeroNineInts>(ZeroNineInts.From(input), read => check(read.To())),
        (Action<List<NineInts>> check, List<NineInts> input) => One<OfObjects<ZeroNineInts>, IList<ZeroNineInts>>(input.ConvertAll(ZeroNineInts.From), read => check([.. read.Select(r => r.To())])),
        _ => null,
    };

    private Cell One<TPeer, T>(T value, Action<T> verify) where TPeer : struct, IPeer<T> => new Cell<TPeer, T>(Name, value, verify);

    private readonly struct OfObject<T> : IPeer<T> where T : IZeroCopy<T>
    {
        public byte[] Serialize(T value) => ZeroFormatterSerializer.Serialize(value);
        public void Write(PeerBuffer buffer, T value) => ZeroBuffer.Write(value);
        public T Deserialize(byte[] payload) => T.Copy(ZeroFormatterSerializer.Deserialize<T>(payload));
        public byte[] Written(PeerBuffer buffer) => ZeroBuffer.ToArray();
    }

    private readonly struct OfObjects<T> : IPeer<IList<T>> where T : IZeroCopy<T>
    {
        public byte[] Serialize(IList<T> value) => ZeroFormatterSerializer.Serialize(value);
        public void Write(PeerBuffer buffer, IList<T> value) => ZeroBuffer.Write(value);
        public byte[] Written(PeerBuffer buffer) => ZeroBuffer.ToArray();

        public IList<T> Deserialize(byte[] payload)
        {
            IList<T> read = ZeroFormatterSerializer.Deserialize<IList<T>>(payload);
            var items = new List<T>(read.Count);
            for (int i = 0; i < read.Count; i++) items.Add(T.Copy(read[i]));
            return items;
        }
    }

    private readonly struct OfStruct<T> : IPeer<T>
    {
        public byte[] Serialize(T value) => ZeroFormatterSerializer.Serialize(value);
        public void Write(PeerBuffer buffer, T value) => ZeroBuffer.Write(value);
        public T Deserialize(byte[] payload) => ZeroFormatterSerializer.Deserialize<T>(payload);
        public byte[] Written(PeerBuffer buffer) => ZeroBuffer.ToArray();
    }
}

/// <summary>The reused array of the rows above.</summary>
internal static class ZeroBuffer
{
    private static byte[] _buffer = new byte[4096];
    private static int _writtenBytes;

    public static void Write<T>(T value) => _writtenBytes = ZeroFormatterSerializer.Serialize(ref _buffer, 0, value);

    public static byte[] ToArray() => _buffer.AsSpan(0, _writtenBytes).ToArray();
}
