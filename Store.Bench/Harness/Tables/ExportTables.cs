// A log as JSON Lines: by the tool, which needs no type, and by the loop people write.

namespace Store.Bench.Harness.Tables;

/// <summary>Export of typed records. More is better.</summary>
public sealed class ExportTables : IStoreMeasurement
{
    public static readonly StoreTable Records = new("Export to JSON Lines, records a second", "records/s") { References = [Loop] };
    public static readonly StoreTable Bytes = new("Export to JSON Lines, MB a second", "MB/s") { References = [Loop] };

    private const string Loop = "typed loop over System.Text.Json";

    public IReadOnlyList<StoreTable> Tables => [Records, Bytes];

    public IEnumerable<StoreRow> Measure(HarnessOptions options) => RecordSet.Usual.SelectMany(type => Measure(options, type));

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
        TurnMeter[] records = TurnMeter.Many(ways.Length), bytes = TurnMeter.Many(ways.Length);
        for (int round = 0; round < (options.Short ? 5 : 20); round++)
        {
            for (int turn = 0; turn < ways.Length; turn++)
            {
                int i = (round + turn) % ways.Length;
                records[i].Start();
                bytes[i].Start();
                ways[i].Run();
                bytes[i].Stop(subject.OutputBytes);
                records[i].Stop(subject.Count);
            }
        }
        return [.. ways.Select((way, i) => records[i].ToRateRow(Records, type, way.Name)), .. ways.Select((way, i) => bytes[i].ToRateRow(Bytes, type, way.Name, unitsPerFigure: 1e6))];
    }
}
