// A log as JSON Lines: by the tool, which needs no type, and by the loop people write.

namespace Store.Bench.Harness.Tables;

/// <summary>Export of typed records. More is better.</summary>
public sealed class ExportTables : IStoreMeasurement
{
    public static readonly StoreTable Records = new("Export to JSON Lines, records a second", "records/s") { References = [Loop] };
    public static readonly StoreTable Bytes = new("Export to JSON Lines, MB a second", "MB/s") { References = [Loop] };

    private const string Loop = "typed loop over System.Text.Json";

    public IReadOnlyList<StoreTable> Tables => [Records, Bytes];

    public IEnumerable<StoreRow> Measure(HarnessOptions options) => RecordSet.Names.SelectMany(type => Measure(options, type));

    private static StoreRow[] Measure(HarnessOptions options, string type)
    {
        using (var small = new ExportSubject(type, 1, options.DataDirectory))
        {
            Warmup.Run(() =>
            {
                small.ExportByHand();
                small.ExportByTool();
            });
        }

        using var subject = new ExportSubject(type, options.Short ? 10 : 100, options.DataDirectory);
        subject.Verify();
        (string Name, Action Run)[] ways = [(Loop, subject.ExportByHand), ("inspect export", subject.ExportByTool)];
        TurnMeter[] meters = TurnMeter.Many(ways.Length, countsBytesPrecisely: true);
        double[] bytesPerRecord = new double[ways.Length];
        for (int round = 0; round < (options.Short ? 5 : 20); round++)
        {
            foreach (int i in Turns.Order(round, ways.Length))
            {
                meters[i].Run(subject.Count, ways[i].Run);
                bytesPerRecord[i] = subject.OutputBytes / (double)subject.Count;
            }
        }
        return [.. ways.Select((way, i) => meters[i].ToRateRow(Records, type, way.Name)), .. ways.Select((way, i) => meters[i].ToRateRow(Bytes, type, way.Name, unitsPerFigure: 1e6 / bytesPerRecord[i]))];
    }
}
