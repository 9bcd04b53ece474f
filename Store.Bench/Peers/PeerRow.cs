// The row of one peer in every table: which cells it has. A peer without a cell for a shape cannot do it, and its table says "-".

using Store.Bench.Workloads;

namespace Store.Bench.Peers;

/// <summary>One peer.</summary>
/// <param name="name">Name of its row.</param>
public abstract class PeerRow(string name)
{
    /// <summary>Name of the row.</summary>
    public string Name { get; } = name;

    /// <summary>The peer's cell for a value, or null when it cannot serialize such values.</summary>
    /// <param name="value">What is serialized.</param>
    /// <param name="verify">Throws when what was read differs from it.</param>
    public abstract Cell? CellFor<T>(T value, Action<T> verify);
}

/// <summary>A peer that takes the workloads' own types.</summary>
/// <typeparam name="TPeer">The serializer.</typeparam>
internal sealed class AnyPeerRow<TPeer>(string name) : PeerRow(name) where TPeer : struct, IAnyPeer
{
    /// <summary>Types that the peer cannot do, alone or in a list.</summary>
    public Type[] Without { get; init; } = [];

    public override Cell? CellFor<T>(T value, Action<T> verify) => Without.Contains(typeof(T)) ? null : (verify, value) switch
    {
        (Action<SimpleClass> check, SimpleClass input) => new Cell<OfSimpleClass<TPeer>, SimpleClass>(Name, input, check),
        (Action<List<SimpleClass>> check, List<SimpleClass> input) => new Cell<OfSimpleClassList<TPeer>, List<SimpleClass>>(Name, input, check),
        (Action<SimpleStruct> check, SimpleStruct input) => new Cell<OfSimpleStruct<TPeer>, SimpleStruct>(Name, input, check),
        (Action<SimpleStruct[]> check, SimpleStruct[] input) => new Cell<OfSimpleStructArray<TPeer>, SimpleStruct[]>(Name, input, check),
        (Action<Poco> check, Poco input) => new Cell<OfPoco<TPeer>, Poco>(Name, input, check),
        (Action<List<Poco>> check, List<Poco> input) => new Cell<OfPocoList<TPeer>, List<Poco>>(Name, input, check),
        (Action<ImmutablePoco> check, ImmutablePoco input) => new Cell<OfImmutablePoco<TPeer>, ImmutablePoco>(Name, input, check),
        (Action<List<ImmutablePoco>> check, List<ImmutablePoco> input) => new Cell<OfImmutablePocoList<TPeer>, List<ImmutablePoco>>(Name, input, check),
        (Action<SimpleModel> check, SimpleModel input) => new Cell<OfSimpleModel<TPeer>, SimpleModel>(Name, input, check),
        (Action<List<SimpleModel>> check, List<SimpleModel> input) => new Cell<OfSimpleModelList<TPeer>, List<SimpleModel>>(Name, input, check),
        (Action<NineInts> check, NineInts input) => new Cell<OfNineInts<TPeer>, NineInts>(Name, input, check),
        (Action<List<NineInts>> check, List<NineInts> input) => new Cell<OfNineIntsList<TPeer>, List<NineInts>>(Name, input, check),
        _ => null,
    };
}

/// <summary>The hand-written code for each shape.</summary>
internal sealed class BoundRow() : PeerRow(PeerRows.Bound)
{
    public override Cell? CellFor<T>(T value, Action<T> verify) => (verify, value) switch
    {
        (Action<SimpleClass> check, SimpleClass input) => new Cell<BoundPeer.OfSimpleClass, SimpleClass>(Name, input, check),
        (Action<List<SimpleClass>> check, List<SimpleClass> input) => new Cell<BoundPeer.OfSimpleClassList, List<SimpleClass>>(Name, input, check),
        (Action<SimpleStruct> check, SimpleStruct input) => new Cell<BoundPeer.OfSimpleStruct, SimpleStruct>(Name, input, check),
        (Action<SimpleStruct[]> check, SimpleStruct[] input) => new Cell<BoundPeer.OfSimpleStructArray, SimpleStruct[]>(Name, input, check),
        (Action<Poco> check, Poco input) => new Cell<BoundPeer.OfPoco, Poco>(Name, input, check),
        (Action<List<Poco>> check, List<Poco> input) => new Cell<BoundPeer.OfPocoList, List<Poco>>(Name, input, check),
        (Action<ImmutablePoco> check, ImmutablePoco input) => new Cell<BoundPeer.OfImmutablePoco, ImmutablePoco>(Name, input, check),
        (Action<List<ImmutablePoco>> check, List<ImmutablePoco> input) => new Cell<BoundPeer.OfImmutablePocoList, List<ImmutablePoco>>(Name, input, check),
        (Action<SimpleModel> check, SimpleModel input) => new Cell<BoundPeer.OfSimpleModel, SimpleModel>(Name, input, check),
        (Action<List<SimpleModel>> check, List<SimpleModel> input) => new Cell<BoundPeer.OfSimpleModelList, List<SimpleModel>>(Name, input, check),
        (Action<NineInts> check, NineInts input) => new Cell<BoundPeer.OfNineInts, NineInts>(Name, input, check),
        (Action<List<NineInts>> check, List<NineInts> input) => new Cell<BoundPeer.OfNineIntsList, List<NineInts>>(Name, input, check),
        _ => null,
    };
}
