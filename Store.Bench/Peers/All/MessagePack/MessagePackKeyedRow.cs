// The rows of MessagePack with numbered members, plain and compressed. The library looks its formatters up by type itself, so one generic shape does:
// its own look-up is a nanosecond or two of about a hundred.

using MessagePack;
using Store.Bench.Workloads;

namespace Store.Bench.Peers;

/// <summary>MessagePack on its own copies of the workloads' types.</summary>
/// <typeparam name="TOptions">Plain or compressed.</typeparam>
internal sealed class MessagePackKeyedRow<TOptions>(string name) : PeerRow(name) where TOptions : struct, IMessagePackOptions
{
    public override Cell? CellFor<T>(T value, Action<T> verify) => (verify, value) switch
    {
        (Action<SimpleClass> check, SimpleClass input) => One(KeyedSimpleClass.From(input), read => check(read.To())),
        (Action<List<SimpleClass>> check, List<SimpleClass> input) => One(input.ConvertAll(KeyedSimpleClass.From), read => check(read.ConvertAll(r => r.To()))),
        (Action<SimpleStruct> check, SimpleStruct input) => One(KeyedSimpleStruct.From(input), read => check(read.To())),
        (Action<SimpleStruct[]> check, SimpleStruct[] input) => One(Array.ConvertAll(input, KeyedSimpleStruct.From), read => check(Array.ConvertAll(read, r => r.To()))),
        (Action<Poco> check, Poco input) => One(KeyedPoco.From(input), read => check(read.To())),
        (Action<List<Poco>> check, List<Poco> input) => One(input.ConvertAll(KeyedPoco.From), read => check(read.ConvertAll(r => r.To()))),
        (Action<ImmutablePoco> check, ImmutablePoco input) => One(KeyedImmutablePoco.From(input), read => check(read.To())),
        (Action<List<ImmutablePoco>> check, List<ImmutablePoco> input) => One(input.ConvertAll(KeyedImmutablePoco.From), read => check(read.ConvertAll(r => r.To()))),
        (Action<SimpleModel> check, SimpleModel input) => One(KeyedSimpleModel.From(input), read => check(read.To())),
        (Action<List<SimpleModel>> check, List<SimpleModel> input) => One(input.ConvertAll(KeyedSimpleModel.From), read => check(read.ConvertAll(r => r.To()))),
        (Action<NineInts> check, NineInts input) => One(KeyedNineInts.From(input), read => check(read.To())),
        (Action<List<NineInts>> check, List<NineInts> input) => One(input.ConvertAll(KeyedNineInts.From), read => check(read.ConvertAll(r => r.To()))),
        _ => null,
    };

    private Cell One<TKeyed>(TKeyed value, Action<TKeyed> verify) => new Cell<Of<TKeyed>, TKeyed>(Name, value, verify);

    private readonly struct Of<T> : IPeer<T>
    {
        public byte[] Serialize(T value) => MessagePackSerializer.Serialize(value, TOptions.Options);
        public void Write(PeerBuffer buffer, T value) => MessagePackSerializer.Serialize(buffer.StartBytes(), value, TOptions.Options);
        public T Deserialize(byte[] payload) => MessagePackSerializer.Deserialize<T>(payload, TOptions.Options);
    }
}
