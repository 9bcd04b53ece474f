// Which rows exist: every workload with every peer that can do it.

using Store.Bench.Workloads;

namespace Store.Bench.Peers;

/// <summary>One workload with the cells of all peers.</summary>
/// <param name="Name">Name of the row.</param>
/// <param name="Items">Objects in the batch.</param>
/// <param name="Cells">The peers that can do it, the bound first.</param>
public sealed record Workload(string Name, int Items, IReadOnlyList<Cell> Cells)
{
    /// <summary>The cell of a peer.</summary>
    /// <exception cref="ArgumentException">The peer has no such row.</exception>
    public Cell this[string peer] => Cells.FirstOrDefault(c => c.Peer == peer) ?? throw new ArgumentException($"{peer} has no row for {Name}.", nameof(peer));
}

/// <summary>Builds workloads.</summary>
public static class PeerCatalog
{
    private static readonly (string Name, Func<string, IEnumerable<PeerRow>, Workload> Build)[] Workloads =
    [
        ("SimpleClass x1", (name, peers) => One(name, peers, WorkloadData.SimpleClass(), SimpleClass.Verify)),
        ("SimpleClass x30", (name, peers) => Batch(name, peers, WorkloadData.SimpleClasses(30), SimpleClass.Verify)),
        ("SimpleClass x1000", (name, peers) => Batch(name, peers, WorkloadData.SimpleClasses(1000), SimpleClass.Verify)),
        ("SimpleStruct x1", (name, peers) => One(name, peers, WorkloadData.SimpleStruct(), SimpleStruct.Verify)),
        ("SimpleStruct x30", (name, peers) => Array(name, peers, WorkloadData.SimpleStructs(30), SimpleStruct.Verify)),
        ("SimpleStruct x1000", (name, peers) => Array(name, peers, WorkloadData.SimpleStructs(1000), SimpleStruct.Verify)),
        ("Poco x1", (name, peers) => One(name, peers, WorkloadData.Pocos(1, uniqueText: false)[0], Poco.Verify)),
        ("Poco x30", (name, peers) => Batch(name, peers, WorkloadData.Pocos(30, uniqueText: false), Poco.Verify)),
        ("Poco x1000", (name, peers) => Batch(name, peers, WorkloadData.Pocos(1000, uniqueText: false), Poco.Verify)),
        ("Poco x1000 unique", (name, peers) => Batch(name, peers, WorkloadData.Pocos(1000, uniqueText: true), Poco.Verify)),
        ("Poco x1000 wide", (name, peers) => Batch(name, peers, WorkloadData.WidePocos(1000), Poco.Verify)),
        ("ImmutablePoco x1", (name, peers) => One(name, peers, WorkloadData.ImmutablePocos(1, uniqueText: false)[0], ImmutablePoco.Verify)),
        ("ImmutablePoco x30", (name, peers) => Batch(name, peers, WorkloadData.ImmutablePocos(30, uniqueText: false), ImmutablePoco.Verify)),
        ("ImmutablePoco x1000", (name, peers) => Batch(name, peers, WorkloadData.ImmutablePocos(1000, uniqueText: false), ImmutablePoco.Verify)),
        ("ImmutablePoco x1000 unique", (name, peers) => Batch(name, peers, WorkloadData.ImmutablePocos(1000, uniqueText: true), ImmutablePoco.Verify)),
        ("SimpleModel x1", (name, peers) => One(name, peers, WorkloadData.SimpleModel(), SimpleModel.Verify)),
        ("SimpleModel x30", (name, peers) => Batch(name, peers, WorkloadData.SimpleModels(30), SimpleModel.Verify)),
        ("SimpleModel x1000", (name, peers) => Batch(name, peers, WorkloadData.SimpleModels(1000), SimpleModel.Verify)),
        ("NineInts zero x1", (name, peers) => One(name, peers, WorkloadData.NineInts(zero: true), NineInts.Verify)),
        ("NineInts random x1", (name, peers) => One(name, peers, WorkloadData.NineInts(zero: false), NineInts.Verify)),
        ("NineInts random x30", (name, peers) => Batch(name, peers, WorkloadData.NineInts(30), NineInts.Verify)),
        ("NineInts random x1000", (name, peers) => Batch(name, peers, WorkloadData.NineInts(1000), NineInts.Verify)),
    ];

    /// <summary>Names of all workloads, in the order of the tables.</summary>
    public static IEnumerable<string> Names => Workloads.Select(w => w.Name);

    /// <summary>Builds a workload with new objects.</summary>
    /// <exception cref="ArgumentException">No such workload.</exception>
    public static Workload Create(string name) => Create(name, PeerRows.All);

    /// <summary>Builds a workload for some peers only: the others' code is not touched.</summary>
    /// <exception cref="ArgumentException">No such workload.</exception>
    public static Workload Create(string name, IEnumerable<PeerRow> peers)
    {
        foreach (var workload in Workloads)
        {
            if (workload.Name == name) return workload.Build(name, peers);
        }
        throw new ArgumentException($"There is no workload '{name}'.", nameof(name));
    }

    private static Workload One<T>(string name, IEnumerable<PeerRow> peers, T value, Action<T, T> verify) => new(name, 1, Cells<T>(peers, value, read => verify(value, read)));

    private static Workload Array<T>(string name, IEnumerable<PeerRow> peers, T[] values, Action<T, T> verify) => new(name, values.Length, Cells<T[]>(peers, values, read => Check.Items(values, read, verify)));

    private static Workload Batch<T>(string name, IEnumerable<PeerRow> peers, List<T> values, Action<T, T> verify) => new(name, values.Count, Cells<List<T>>(peers, values, read => Check.Items(values, read, verify)));

    private static Cell[] Cells<T>(IEnumerable<PeerRow> peers, T value, Action<T> verify) => [.. peers.Select(p => p.CellFor(value, verify)).OfType<Cell>()];
}
