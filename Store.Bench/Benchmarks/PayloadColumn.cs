// Size beside speed: a serializer that writes fewer bytes may be slower and still the better choice for a log.

using BenchmarkDotNet.Columns;
using BenchmarkDotNet.Reports;
using BenchmarkDotNet.Running;
using Store.Bench.Peers;

namespace Store.Bench.Benchmarks;

/// <summary>The length in bytes of what the benchmark writes or reads.</summary>
internal sealed class PayloadColumn : IColumn
{
    private readonly Dictionary<string, Workload> _workloads = [];

    public string Id => nameof(PayloadColumn);

    public string ColumnName => "Payload";

    public string Legend => "Length of the serialized value in bytes";

    public bool AlwaysShow => true;

    public ColumnCategory Category => ColumnCategory.Custom;

    public int PriorityInCategory => 0;

    public bool IsNumeric => true;

    public UnitType UnitType => UnitType.Size;

    public bool IsAvailable(Summary summary) => summary.BenchmarksCases.Any(IsSerializer);

    public bool IsDefault(Summary summary, BenchmarkCase benchmarkCase) => false;

    public string GetValue(Summary summary, BenchmarkCase benchmarkCase) => GetValue(summary, benchmarkCase, summary.Style);

    public string GetValue(Summary summary, BenchmarkCase benchmarkCase, SummaryStyle style)
    {
        if (!IsSerializer(benchmarkCase)) return "-";
        string name = (string)benchmarkCase.Parameters[nameof(SerializerBench.Workload)], peer = (string)benchmarkCase.Parameters[nameof(SerializerBench.Peer)];
        if (!_workloads.TryGetValue(name, out Workload? workload)) _workloads.Add(name, workload = PeerCatalog.Create(name));
        return workload.Cells.FirstOrDefault(c => c.Peer == peer) is { } cell ? $"{cell.PayloadBytes} B" : "-";
    }

    internal static bool IsSerializer(BenchmarkCase benchmarkCase) => benchmarkCase.Descriptor.Type == typeof(SerializerBench);
}
