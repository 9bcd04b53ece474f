// What the serializer suites share: a workload by name, its cells verified before anything is timed, sixteen operations a call, so that the call into
// the cell's loop is no part of the figure.

using BenchmarkDotNet.Attributes;
using Store.Bench.Harness;
using Store.Bench.Peers;

namespace Store.Bench.Benchmarks;

/// <summary>Base of the suites over all workloads. Method names are a peer's name without dots, then what it writes to.</summary>
public abstract class SerializerBench
{
    /// <summary>Operations in one call of a benchmark method.</summary>
    public const int Operations = 16;

    private static readonly Dictionary<(string, Type), Peers.Workload> Warm = [];

    private Peers.Workload? _cells;

    /// <summary>Set for runs inside this process, whose iterations are too few to wait for the compiler: the set-up brings all code to its final form, once.</summary>
    internal static bool WarmsUpInSetup { get; set; }

    /// <summary>What the suite measures.</summary>
    private protected abstract Operation[] Measured { get; }

    [ParamsSource(nameof(Workloads))]
    public string Workload { get; set; } = "";

    public static IEnumerable<string> Workloads => PeerCatalog.Names;

    /// <summary>The peer that a benchmark method measures.</summary>
    public static string PeerOf(string method) => method.Split('_')[0] switch
    {
        "Bound" => PeerCatalog.Bound,
        "NinoStore" => PeerCatalog.NinoStore,
        "SystemTextJson" => PeerCatalog.SystemTextJson,
        "NewtonsoftJson" => PeerCatalog.Newtonsoft,
        "GoogleProtobuf" => PeerCatalog.Protobuf,
        var other => throw new ArgumentException($"No peer is called '{other}'.", nameof(method)),
    };

    [GlobalSetup]
    public void Setup()
    {
        if (Warm.TryGetValue((Workload, GetType()), out _cells)) return;
        _cells = PeerCatalog.Create(Workload);
        foreach (Cell cell in _cells.Cells) cell.Verify();
        if (!WarmsUpInSetup) return;
        foreach (Operation operation in Measured) RatioRun.WarmUp(_cells.Cells, operation, TimeSpan.FromMilliseconds(10));
        Warm.Add((Workload, GetType()), _cells);
    }

    private protected void Run(string peer, Operation operation) => _cells![peer].Run(operation, Operations);
}
