// A log as JSON Lines: by the tool, which needs no type, and by the loop people write.

using System.Diagnostics;

namespace Store.Bench.Harness.Tables;

/// <summary>Export of typed records. More is better.</summary>
public sealed class ExportTables : IStoreMeasurement
{
    public static readonly StoreTable Records = new("Export to JSON Lines, records a second", "records/s") { References = [Loop] };
    public static readonly StoreTable Bytes = new("Export to JSON Lines, MB a second", "MB/s") { References = [Loop] };

    private const string Loop = "typed loop over System.Text.Json";

    public IReadOnlyList<StoreTable> Tables => [Records, Bytes];

    public IEnumerable<StoreRow> Measure(HarnessOptions options) => RecordSet.Usual.SelectMany(type => Measure(options, type));

    private static List<StoreRow> Measure(HarnessOptions options, string type)
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
        Samples[] seconds = [.. ways.Select(_ => new Samples())];
        long[] bytes = new long[ways.Length];
        for (int round = 0; round < (options.Short ? 5 : 20); round++)
        {
            for (int turn = 0; turn < ways.Length; turn++)
            {
                int i = (round + turn) % ways.Length;
                long start = Stopwatch.GetTimestamp();
                ways[i].Run();
                seconds[i].Add(Stopwatch.GetElapsedTime(start).TotalSeconds);
                bytes[i] = subject.OutputBytes;
            }
        }

        var rows = new List<StoreRow>();
        for (int i = 0; i < ways.Length; i++)
        {
            rows.Add(new StoreRow(Records.Name, type, ways[i].Name, Records.Unit, subject.Count / seconds[i].Median, subject.Count / seconds[i].Percentile(99)));
            rows.Add(new StoreRow(Bytes.Name, type, ways[i].Name, Bytes.Unit, bytes[i] / 1e6 / seconds[i].Median, bytes[i] / 1e6 / seconds[i].Percentile(99)));
        }
        return rows;
    }
}
