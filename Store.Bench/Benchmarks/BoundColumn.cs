// BenchmarkDotNet's ratio needs a baseline method; here the baseline is another value of the parameter Peer.

using System.Globalization;
using BenchmarkDotNet.Columns;
using BenchmarkDotNet.Reports;
using BenchmarkDotNet.Running;
using Store.Bench.Peers;

namespace Store.Bench.Benchmarks;

/// <summary>Fastest iteration divided by that of the bound on the same workload.</summary>
internal sealed class BoundColumn : IColumn
{
    public string Id => nameof(BoundColumn);

    public string ColumnName => "Bound";

    public string Legend => "Fastest iteration / fastest iteration of hand-written code for exactly this type";

    public bool AlwaysShow => true;

    public ColumnCategory Category => ColumnCategory.Custom;

    public int PriorityInCategory => 1;

    public bool IsNumeric => true;

    public UnitType UnitType => UnitType.Dimensionless;

    public bool IsAvailable(Summary summary) => summary.BenchmarksCases.Any(PayloadColumn.IsSerializer);

    public bool IsDefault(Summary summary, BenchmarkCase benchmarkCase) => false;

    public string GetValue(Summary summary, BenchmarkCase benchmarkCase) => GetValue(summary, benchmarkCase, summary.Style);

    public string GetValue(Summary summary, BenchmarkCase benchmarkCase, SummaryStyle style)
    {
        if (!PayloadColumn.IsSerializer(benchmarkCase)) return "-";
        BenchmarkCase? bound = summary.BenchmarksCases.FirstOrDefault(c => c.Descriptor == benchmarkCase.Descriptor
            && Equals(c.Parameters[nameof(SerializerBench.Workload)], benchmarkCase.Parameters[nameof(SerializerBench.Workload)])
            && Equals(c.Parameters[nameof(SerializerBench.Peer)], PeerRows.Bound));
        return bound is not null && summary[bound]?.ResultStatistics is { } reference && summary[benchmarkCase]?.ResultStatistics is { } own
            ? (own.Min / reference.Min).ToString("0.00", CultureInfo.InvariantCulture)
            : "-";
    }
}
