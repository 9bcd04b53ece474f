// The types of all rows, for peers that want to be told beforehand.

using Store.Bench.Workloads;

namespace Store.Bench.Peers;

/// <summary>The workloads' types, alone and as batches.</summary>
internal static class PeerTypes
{
    /// <summary>In a fixed order: some peers write a type as its number.</summary>
    public static Type[] All { get; } =
    [
        typeof(SimpleClass), typeof(SimpleStruct), typeof(Poco), typeof(ImmutablePoco), typeof(SimpleModel), typeof(NineInts),
        typeof(List<SimpleClass>), typeof(SimpleStruct[]), typeof(List<Poco>), typeof(List<ImmutablePoco>), typeof(List<SimpleModel>), typeof(List<NineInts>),
    ];
}
