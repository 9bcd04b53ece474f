// The serializers under BenchmarkDotNet: every peer on every workload, cells verified before anything is timed, sixteen operations a call, so that the
// call into the cell's loop is no part of the figure. The column "Bound" has the ratio to hand-written code for exactly the type.

using BenchmarkDotNet.Attributes;
using Store.Bench.Harness;
using Store.Bench.Peers;

namespace Store.Bench.Benchmarks;

/// <summary>Serialize and deserialize 1, 30 and 1000 objects. A peer without a row for a workload shows NA.</summary>
public class SerializerBench
{
    /// <summary>Operations in one call of a benchmark method.</summary>
    public const int Operations = 16;

    private static readonly HashSet<(string, string, Operation)> Warm = [];

    private Cell? _cell;

    /// <summary>Set for runs inside this process, whose iterations are too few to wait for the compiler: the set-up brings the code to its final form, once.</summary>
    internal static bool WarmsUpInSetup { get; set; }

    [ParamsSource(nameof(Workloads))]
    public string Workload { get; set; } = "";

    [ParamsSource(nameof(Peers))]
    public string Peer { get; set; } = "";

    public static IEnumerable<string> Workloads => PeerCatalog.Names;

    public static IEnumerable<string> Peers => PeerRows.All.Select(p => p.Name);

    [GlobalSetup(Target = nameof(Array))]
    public void SetupArray() => Setup(Operation.Serialize);

    [GlobalSetup(Target = nameof(Buffer))]
    public void SetupBuffer() => Setup(Operation.Write);

    [GlobalSetup(Target = nameof(Objects))]
    public void SetupObjects() => Setup(Operation.Deserialize);

    [Benchmark(OperationsPerInvoke = Operations), BenchmarkCategory("new byte[]")]
    public void Array() => _cell!.Run(Operation.Serialize, Operations);

    [Benchmark(OperationsPerInvoke = Operations), BenchmarkCategory("reused buffer")]
    public void Buffer() => _cell!.Run(Operation.Write, Operations);

    [Benchmark(OperationsPerInvoke = Operations), BenchmarkCategory("new objects")]
    public void Objects() => _cell!.Run(Operation.Deserialize, Operations);

    private void Setup(Operation operation)
    {
        _cell = PeerCatalog.Create(Workload, PeerRows.All.Where(p => p.Name == Peer))[Peer];
        _cell.Verify();
        if (WarmsUpInSetup && Warm.Add((Workload, Peer, operation))) RatioRun.WarmUp([_cell], operation, TimeSpan.FromMilliseconds(10));
    }
}
