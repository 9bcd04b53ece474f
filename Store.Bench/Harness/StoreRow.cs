// One measured row of the verb "store", flat, so that a JSON file of them can be compared with another run's.

namespace Store.Bench.Harness;

/// <summary>One peer in one table.</summary>
/// <param name="Table">What was measured.</param>
/// <param name="Row">With which sizes.</param>
/// <param name="Peer">By whom.</param>
/// <param name="Unit">Unit of the figures; for rates more is better.</param>
/// <param name="P50">Median, or what the table's head says instead.</param>
/// <param name="P99">99th percentile, or what the table's head says instead; of a single figure the same as the median.</param>
/// <param name="CpuUs">Processor time of the whole process per unit of work in microseconds, where it was taken.</param>
/// <param name="AllocatedBytes">Bytes allocated by the whole process per unit of work, where they were taken.</param>
/// <param name="Min">The least, where it was taken.</param>
/// <param name="P999">99.9th percentile, where there are a thousand samples.</param>
/// <param name="Max">The most, where one case in many is what the table is about.</param>
public sealed record StoreRow(string Table, string Row, string Peer, string Unit, double P50, double P99, double? CpuUs = null, double? AllocatedBytes = null, double? Min = null, double? P999 = null, double? Max = null)
{
    /// <summary>A row of samples.</summary>
    public static StoreRow Of(StoreTable table, string row, string peer, Samples samples, double? cpuUs = null, double? allocatedBytes = null) =>
        new(table.Name, row, peer, table.Unit, samples.Median, samples.Percentile(99), cpuUs, allocatedBytes, samples.Min, samples.P999);
}
