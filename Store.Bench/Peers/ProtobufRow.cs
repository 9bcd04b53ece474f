// Google.Protobuf has messages of its own: built before the clock starts, converted back for the comparison.

using Store.Bench.Peers.Proto;
using Store.Bench.Workloads;

namespace Store.Bench.Peers;

/// <summary>The row of Google.Protobuf. It has no immutable message.</summary>
internal sealed class ProtobufRow() : PeerRow("Google.Protobuf")
{
    public override Cell? CellFor<T>(T value, Action<T> verify) => (verify, value) switch
    {
        (Action<SimpleClass> check, SimpleClass input) => new Cell<ProtobufPeer.OfSimpleClass, SimpleClassMessage>(Name, ProtobufConvert.To(input), read => check(ProtobufConvert.From(read))),
        (Action<SimpleStruct> check, SimpleStruct input) => new Cell<ProtobufPeer.OfSimpleStruct, SimpleStructMessage>(Name, ProtobufConvert.To(input), read => check(ProtobufConvert.From(read))),
        (Action<Poco> check, Poco input) => new Cell<ProtobufPeer.OfPoco, PocoMessage>(Name, ProtobufConvert.To(input), read => check(ProtobufConvert.From(read))),
        (Action<SimpleModel> check, SimpleModel input) => new Cell<ProtobufPeer.OfSimpleModel, SimpleModelMessage>(Name, ProtobufConvert.To(input), read => check(ProtobufConvert.From(read))),
        (Action<NineInts> check, NineInts input) => new Cell<ProtobufPeer.OfNineInts, NineIntsMessage>(Name, ProtobufConvert.To(input), read => check(ProtobufConvert.From(read))),
        (Action<List<SimpleClass>> check, List<SimpleClass> input) => new Cell<ProtobufPeer.OfSimpleClassList, SimpleClassList>(Name, ProtobufConvert.ToList(input), read => check([.. read.Items.Select(ProtobufConvert.From)])),
        (Action<SimpleStruct[]> check, SimpleStruct[] input) => new Cell<ProtobufPeer.OfSimpleStructArray, SimpleStructList>(Name, ProtobufConvert.ToList(input), read => check([.. read.Items.Select(ProtobufConvert.From)])),
        (Action<List<Poco>> check, List<Poco> input) => new Cell<ProtobufPeer.OfPocoList, PocoList>(Name, ProtobufConvert.ToList(input), read => check([.. read.Items.Select(ProtobufConvert.From)])),
        (Action<List<SimpleModel>> check, List<SimpleModel> input) => new Cell<ProtobufPeer.OfSimpleModelList, SimpleModelList>(Name, ProtobufConvert.ToList(input), read => check([.. read.Items.Select(ProtobufConvert.From)])),
        (Action<List<NineInts>> check, List<NineInts> input) => new Cell<ProtobufPeer.OfNineIntsList, NineIntsList>(Name, ProtobufConvert.ToList(input), read => check([.. read.Items.Select(ProtobufConvert.From)])),
        _ => null,
    };
}
