// The verb "store": which tables there are, in which order. Where peers are compared they are open in one process and take turns, each sample of one followed by a sample of the next, so that a slow moment
// of the disk hits all of them. Latencies are percentiles: the mean of a disk says nothing.

using Store.Bench.Harness.Tables;

namespace Store.Bench.Harness;

/// <summary>Measures logs and what is built on them.</summary>
public sealed class StoreRun(HarnessOptions options, TextWriter progress)
{
    private static readonly IReadOnlyList<IStoreMeasurement> Measurements =
    [
        new AppendTable(), new TypedAppendTable(), new DurableTable(), new GroupCommitTables(), new SustainedTables(), new MemoryTable(), new OpenTable(), new ExportTables(),
        new RestoreTable(), new MaterializeTable(), new VerifyTable(), new SnapshotTable(), new ReplayTable(), new KeyedStateTables(), new PauseTables(),
    ];

    /// <summary>Every table, as the report prints it.</summary>
    public static IEnumerable<StoreTable> Tables => Measurements.SelectMany(m => m.Tables);

    /// <summary>Runs what has a table that matches the filter.</summary>
    public IReadOnlyList<StoreRow> Run()
    {
        var rows = new List<StoreRow>();
        foreach (IStoreMeasurement measurement in Measurements.Where(m => m.Tables.Any(t => options.Matches(t.Name))))
        {
            progress.WriteLine(string.Join("; ", measurement.Tables.Select(t => t.Name)));
            rows.AddRange(measurement.Measure(options));
        }
        return rows;
    }
}
