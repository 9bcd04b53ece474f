// The workloads as Google.Protobuf messages and back. Never timed.

using Google.Protobuf;
using Google.Protobuf.WellKnownTypes;
using Store.Bench.Peers.Proto;
using Store.Bench.Workloads;

namespace Store.Bench.Peers;

/// <summary>Conversion between a workload's type and its message.</summary>
internal static class ProtobufConvert
{
    public static SimpleClassMessage To(SimpleClass value)
    {
        var message = new SimpleClassMessage { Id = value.Id, Name = value.Name };
        message.Numbers.AddRange(value.Numbers);
        message.Dates.AddRange(value.Dates.Select(Timestamp.FromDateTime));
        message.Texts.Add(value.Texts);
        message.Pairs.Add(value.Pairs);
        return message;
    }

    public static SimpleClass From(SimpleClassMessage message) => new()
    {
        Id = message.Id,
        Name = message.Name,
        Numbers = [.. message.Numbers],
        Dates = [.. message.Dates.Select(d => d.ToDateTime())],
        Texts = new Dictionary<int, string>(message.Texts),
        Pairs = new Dictionary<int, int>(message.Pairs),
    };

    public static SimpleStructMessage To(SimpleStruct value) => new() { Id = value.Id, CreatedAt = Timestamp.FromDateTime(value.CreatedAt) };

    public static SimpleStruct From(SimpleStructMessage message) => new() { Id = message.Id, CreatedAt = message.CreatedAt.ToDateTime() };

    public static PocoMessage To(Poco value) => new()
    {
        Text = value.Text, Number = value.Number, Key = ByteString.CopyFrom(value.Key.ToByteArray()), When = Timestamp.FromDateTime(value.When),
    };

    public static Poco From(PocoMessage message) => new()
    {
        Text = message.Text, Number = message.Number, Key = new Guid(message.Key.Span), When = message.When.ToDateTime(),
    };

    public static SimpleModelMessage To(SimpleModel value) => new() { TestInt = value.TestInt, TestString = value.TestString, TestBool = value.TestBool };

    public static SimpleModel From(SimpleModelMessage message) => new() { TestInt = message.TestInt, TestString = message.TestString, TestBool = message.TestBool };

    public static NineIntsMessage To(NineInts value) => new()
    {
        P1 = value.P1, P2 = value.P2, P3 = value.P3, P4 = value.P4, P5 = value.P5, P6 = value.P6, P7 = value.P7, P8 = value.P8, P9 = value.P9,
    };

    public static NineInts From(NineIntsMessage message) => new()
    {
        P1 = message.P1, P2 = message.P2, P3 = message.P3, P4 = message.P4, P5 = message.P5, P6 = message.P6, P7 = message.P7, P8 = message.P8, P9 = message.P9,
    };

    public static SimpleClassList ToList(IEnumerable<SimpleClass> values) => new() { Items = { values.Select(To) } };

    public static SimpleStructList ToList(IEnumerable<SimpleStruct> values) => new() { Items = { values.Select(To) } };

    public static PocoList ToList(IEnumerable<Poco> values) => new() { Items = { values.Select(To) } };

    public static SimpleModelList ToList(IEnumerable<SimpleModel> values) => new() { Items = { values.Select(To) } };

    public static NineIntsList ToList(IEnumerable<NineInts> values) => new() { Items = { values.Select(To) } };
}
