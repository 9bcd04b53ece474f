// Which cells exist: every shape with every peer. A peer without a row for a shape cannot do it (Google.Protobuf has no immutable message).

using Store.Bench.Peers.Proto;
using Store.Bench.Workloads;

namespace Store.Bench.Peers;

/// <summary>One workload with the cells of all peers.</summary>
/// <param name="Name">Name of the row.</param>
/// <param name="Items">Objects in the batch.</param>
/// <param name="Cells">The peers, the bound first.</param>
public sealed record Workload(string Name, int Items, IReadOnlyList<Cell> Cells)
{
    /// <summary>The cell of a peer.</summary>
    /// <exception cref="ArgumentException">The peer has no such row.</exception>
    public Cell this[string peer] => Cells.FirstOrDefault(c => c.Peer == peer) ?? throw new ArgumentException($"{peer} has no row for {Name}.", nameof(peer));
}

/// <summary>Builds workloads.</summary>
public static class PeerCatalog
{
    public const string Bound = "Bound", NinoStore = "NinoStore", SystemTextJson = "System.Text.Json", Newtonsoft = "Newtonsoft.Json", Protobuf = "Google.Protobuf";

    private static readonly (string Name, Func<Workload> Build)[] Workloads =
    [
        ("SimpleClass x1", () => Of("SimpleClass x1", WorkloadData.SimpleClass())),
        ("SimpleClass x30", () => Of("SimpleClass x30", WorkloadData.SimpleClasses(30))),
        ("SimpleClass x1000", () => Of("SimpleClass x1000", WorkloadData.SimpleClasses(1000))),
        ("SimpleStruct x1", () => Of("SimpleStruct x1", WorkloadData.SimpleStruct())),
        ("SimpleStruct x30", () => Of("SimpleStruct x30", WorkloadData.SimpleStructs(30))),
        ("SimpleStruct x1000", () => Of("SimpleStruct x1000", WorkloadData.SimpleStructs(1000))),
        ("Poco x1", () => Of("Poco x1", WorkloadData.Pocos(1, uniqueText: false)[0])),
        ("Poco x30", () => Of("Poco x30", WorkloadData.Pocos(30, uniqueText: false))),
        ("Poco x1000", () => Of("Poco x1000", WorkloadData.Pocos(1000, uniqueText: false))),
        ("Poco x1000 unique", () => Of("Poco x1000 unique", WorkloadData.Pocos(1000, uniqueText: true))),
        ("ImmutablePoco x1", () => Of("ImmutablePoco x1", WorkloadData.ImmutablePocos(1, uniqueText: false)[0])),
        ("ImmutablePoco x30", () => Of("ImmutablePoco x30", WorkloadData.ImmutablePocos(30, uniqueText: false))),
        ("ImmutablePoco x1000", () => Of("ImmutablePoco x1000", WorkloadData.ImmutablePocos(1000, uniqueText: false))),
        ("ImmutablePoco x1000 unique", () => Of("ImmutablePoco x1000 unique", WorkloadData.ImmutablePocos(1000, uniqueText: true))),
        ("SimpleModel x1", () => Of("SimpleModel x1", WorkloadData.SimpleModel())),
        ("SimpleModel x30", () => Of("SimpleModel x30", WorkloadData.SimpleModels(30))),
        ("SimpleModel x1000", () => Of("SimpleModel x1000", WorkloadData.SimpleModels(1000))),
        ("NineInts zero x1", () => Of("NineInts zero x1", WorkloadData.NineInts(zero: true))),
        ("NineInts random x1", () => Of("NineInts random x1", WorkloadData.NineInts(zero: false))),
        ("NineInts random x30", () => Of("NineInts random x30", WorkloadData.NineInts(30))),
        ("NineInts random x1000", () => Of("NineInts random x1000", WorkloadData.NineInts(1000))),
    ];

    /// <summary>Names of all workloads, in the order of the tables.</summary>
    public static IEnumerable<string> Names => Workloads.Select(w => w.Name);

    /// <summary>Builds a workload with new objects.</summary>
    /// <exception cref="ArgumentException">No such workload.</exception>
    public static Workload Create(string name)
    {
        foreach (var workload in Workloads)
        {
            if (workload.Name == name) return workload.Build();
        }
        throw new ArgumentException($"There is no workload '{name}'.", nameof(name));
    }

    private static Workload Of(string name, SimpleClass value)
    {
        Action<SimpleClass> verify = read => SimpleClass.Verify(value, read);
        return new Workload(name, 1,
        [
            new Cell<BoundPeer.OfSimpleClass, SimpleClass>(Bound, value, verify),
            new Cell<NinoStorePeer.OfSimpleClass, SimpleClass>(NinoStore, value, verify),
            new Cell<SystemTextJsonPeer.OfSimpleClass, SimpleClass>(SystemTextJson, value, verify),
            new Cell<NewtonsoftPeer.OfSimpleClass, SimpleClass>(Newtonsoft, value, verify),
            new Cell<ProtobufPeer.OfSimpleClass, SimpleClassMessage>(Protobuf, ProtobufConvert.To(value), read => verify(ProtobufConvert.From(read))),
        ]);
    }

    private static Workload Of(string name, List<SimpleClass> value)
    {
        Action<List<SimpleClass>> verify = read => Check.Items(value, read, SimpleClass.Verify);
        return new Workload(name, value.Count,
        [
            new Cell<BoundPeer.OfSimpleClassList, List<SimpleClass>>(Bound, value, verify),
            new Cell<NinoStorePeer.OfSimpleClassList, List<SimpleClass>>(NinoStore, value, verify),
            new Cell<SystemTextJsonPeer.OfSimpleClassList, List<SimpleClass>>(SystemTextJson, value, verify),
            new Cell<NewtonsoftPeer.OfSimpleClassList, List<SimpleClass>>(Newtonsoft, value, verify),
            new Cell<ProtobufPeer.OfSimpleClassList, SimpleClassList>(Protobuf, ProtobufConvert.ToList(value), read => verify([.. read.Items.Select(ProtobufConvert.From)])),
        ]);
    }

    private static Workload Of(string name, SimpleStruct value)
    {
        Action<SimpleStruct> verify = read => SimpleStruct.Verify(value, read);
        return new Workload(name, 1,
        [
            new Cell<BoundPeer.OfSimpleStruct, SimpleStruct>(Bound, value, verify),
            new Cell<NinoStorePeer.OfSimpleStruct, SimpleStruct>(NinoStore, value, verify),
            new Cell<SystemTextJsonPeer.OfSimpleStruct, SimpleStruct>(SystemTextJson, value, verify),
            new Cell<NewtonsoftPeer.OfSimpleStruct, SimpleStruct>(Newtonsoft, value, verify),
            new Cell<ProtobufPeer.OfSimpleStruct, SimpleStructMessage>(Protobuf, ProtobufConvert.To(value), read => verify(ProtobufConvert.From(read))),
        ]);
    }

    private static Workload Of(string name, SimpleStruct[] value)
    {
        Action<SimpleStruct[]> verify = read => Check.Items(value, read, SimpleStruct.Verify);
        return new Workload(name, value.Length,
        [
            new Cell<BoundPeer.OfSimpleStructArray, SimpleStruct[]>(Bound, value, verify),
            new Cell<NinoStorePeer.OfSimpleStructArray, SimpleStruct[]>(NinoStore, value, verify),
            new Cell<SystemTextJsonPeer.OfSimpleStructArray, SimpleStruct[]>(SystemTextJson, value, verify),
            new Cell<NewtonsoftPeer.OfSimpleStructArray, SimpleStruct[]>(Newtonsoft, value, verify),
            new Cell<ProtobufPeer.OfSimpleStructArray, SimpleStructList>(Protobuf, ProtobufConvert.ToList(value), read => verify([.. read.Items.Select(ProtobufConvert.From)])),
        ]);
    }

    private static Workload Of(string name, Poco value)
    {
        Action<Poco> verify = read => Poco.Verify(value, read);
        return new Workload(name, 1,
        [
            new Cell<BoundPeer.OfPoco, Poco>(Bound, value, verify),
            new Cell<NinoStorePeer.OfPoco, Poco>(NinoStore, value, verify),
            new Cell<SystemTextJsonPeer.OfPoco, Poco>(SystemTextJson, value, verify),
            new Cell<NewtonsoftPeer.OfPoco, Poco>(Newtonsoft, value, verify),
            new Cell<ProtobufPeer.OfPoco, PocoMessage>(Protobuf, ProtobufConvert.To(value), read => verify(ProtobufConvert.From(read))),
        ]);
    }

    private static Workload Of(string name, List<Poco> value)
    {
        Action<List<Poco>> verify = read => Check.Items(value, read, Poco.Verify);
        return new Workload(name, value.Count,
        [
            new Cell<BoundPeer.OfPocoList, List<Poco>>(Bound, value, verify),
            new Cell<NinoStorePeer.OfPocoList, List<Poco>>(NinoStore, value, verify),
            new Cell<SystemTextJsonPeer.OfPocoList, List<Poco>>(SystemTextJson, value, verify),
            new Cell<NewtonsoftPeer.OfPocoList, List<Poco>>(Newtonsoft, value, verify),
            new Cell<ProtobufPeer.OfPocoList, PocoList>(Protobuf, ProtobufConvert.ToList(value), read => verify([.. read.Items.Select(ProtobufConvert.From)])),
        ]);
    }

    private static Workload Of(string name, ImmutablePoco value)
    {
        Action<ImmutablePoco> verify = read => ImmutablePoco.Verify(value, read);
        return new Workload(name, 1,
        [
            new Cell<BoundPeer.OfImmutablePoco, ImmutablePoco>(Bound, value, verify),
            new Cell<NinoStorePeer.OfImmutablePoco, ImmutablePoco>(NinoStore, value, verify),
            new Cell<SystemTextJsonPeer.OfImmutablePoco, ImmutablePoco>(SystemTextJson, value, verify),
            new Cell<NewtonsoftPeer.OfImmutablePoco, ImmutablePoco>(Newtonsoft, value, verify),
        ]);
    }

    private static Workload Of(string name, List<ImmutablePoco> value)
    {
        Action<List<ImmutablePoco>> verify = read => Check.Items(value, read, ImmutablePoco.Verify);
        return new Workload(name, value.Count,
        [
            new Cell<BoundPeer.OfImmutablePocoList, List<ImmutablePoco>>(Bound, value, verify),
            new Cell<NinoStorePeer.OfImmutablePocoList, List<ImmutablePoco>>(NinoStore, value, verify),
            new Cell<SystemTextJsonPeer.OfImmutablePocoList, List<ImmutablePoco>>(SystemTextJson, value, verify),
            new Cell<NewtonsoftPeer.OfImmutablePocoList, List<ImmutablePoco>>(Newtonsoft, value, verify),
        ]);
    }

    private static Workload Of(string name, SimpleModel value)
    {
        Action<SimpleModel> verify = read => SimpleModel.Verify(value, read);
        return new Workload(name, 1,
        [
            new Cell<BoundPeer.OfSimpleModel, SimpleModel>(Bound, value, verify),
            new Cell<NinoStorePeer.OfSimpleModel, SimpleModel>(NinoStore, value, verify),
            new Cell<SystemTextJsonPeer.OfSimpleModel, SimpleModel>(SystemTextJson, value, verify),
            new Cell<NewtonsoftPeer.OfSimpleModel, SimpleModel>(Newtonsoft, value, verify),
            new Cell<ProtobufPeer.OfSimpleModel, SimpleModelMessage>(Protobuf, ProtobufConvert.To(value), read => verify(ProtobufConvert.From(read))),
        ]);
    }

    private static Workload Of(string name, List<SimpleModel> value)
    {
        Action<List<SimpleModel>> verify = read => Check.Items(value, read, SimpleModel.Verify);
        return new Workload(name, value.Count,
        [
            new Cell<BoundPeer.OfSimpleModelList, List<SimpleModel>>(Bound, value, verify),
            new Cell<NinoStorePeer.OfSimpleModelList, List<SimpleModel>>(NinoStore, value, verify),
            new Cell<SystemTextJsonPeer.OfSimpleModelList, List<SimpleModel>>(SystemTextJson, value, verify),
            new Cell<NewtonsoftPeer.OfSimpleModelList, List<SimpleModel>>(Newtonsoft, value, verify),
            new Cell<ProtobufPeer.OfSimpleModelList, SimpleModelList>(Protobuf, ProtobufConvert.ToList(value), read => verify([.. read.Items.Select(ProtobufConvert.From)])),
        ]);
    }

    private static Workload Of(string name, NineInts value)
    {
        Action<NineInts> verify = read => NineInts.Verify(value, read);
        return new Workload(name, 1,
        [
            new Cell<BoundPeer.OfNineInts, NineInts>(Bound, value, verify),
            new Cell<NinoStorePeer.OfNineInts, NineInts>(NinoStore, value, verify),
            new Cell<SystemTextJsonPeer.OfNineInts, NineInts>(SystemTextJson, value, verify),
            new Cell<NewtonsoftPeer.OfNineInts, NineInts>(Newtonsoft, value, verify),
            new Cell<ProtobufPeer.OfNineInts, NineIntsMessage>(Protobuf, ProtobufConvert.To(value), read => verify(ProtobufConvert.From(read))),
        ]);
    }

    private static Workload Of(string name, List<NineInts> value)
    {
        Action<List<NineInts>> verify = read => Check.Items(value, read, NineInts.Verify);
        return new Workload(name, value.Count,
        [
            new Cell<BoundPeer.OfNineIntsList, List<NineInts>>(Bound, value, verify),
            new Cell<NinoStorePeer.OfNineIntsList, List<NineInts>>(NinoStore, value, verify),
            new Cell<SystemTextJsonPeer.OfNineIntsList, List<NineInts>>(SystemTextJson, value, verify),
            new Cell<NewtonsoftPeer.OfNineIntsList, List<NineInts>>(Newtonsoft, value, verify),
            new Cell<ProtobufPeer.OfNineIntsList, NineIntsList>(Protobuf, ProtobufConvert.ToList(value), read => verify([.. read.Items.Select(ProtobufConvert.From)])),
        ]);
    }
}
