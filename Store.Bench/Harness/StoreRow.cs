// One measured row of the verb "store", flat, so that a JSON file of them can be compared with another run's.

namespace Store.Bench.Harness;

/// <summary>One peer in one table.</summary>
/// <param name="Table">What was measured.</param>
/// <param name="Row">With which sizes.</param>
/// <param name="Peer">By whom.</param>
/// <param name="Unit">Unit of the figures; for rates more is better.</param>
/// <param name="P50">Median.</param>
/// <param name="P99">99th percentile; for a rate or a single run the same as the median.</param>
/// <param name="CpuUs">Processor time of the whole process per unit of work in microseconds, where it was taken.</param>
/// <param name="AllocatedBytes">Bytes allocated by the whole process per unit of work, where they were taken.</param>
public sealed record StoreRow(string Table, string Row, string Peer, string Unit, double P50, double P99, double? CpuUs = null, double? AllocatedBytes = null);
