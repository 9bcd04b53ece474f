// The verb "first-use": what a program pays before the first byte. Every sample is a process of its own that does nothing else, because code that was
// compiled once is never cold again; the processes of the peers take turns.

using System.Diagnostics;
using System.Globalization;
using Store.Bench.Peers;

namespace Store.Bench.Harness;

/// <summary>One peer, cold.</summary>
/// <param name="Workload">What is serialized.</param>
/// <param name="Peer">By whom.</param>
/// <param name="WriteMs">The first call of Serialize, median of the processes.</param>
/// <param name="WriteMinMs">The fastest of them.</param>
/// <param name="ReadMs">The first call of Deserialize after it, median.</param>
/// <param name="ReadMinMs">The fastest of them.</param>
/// <param name="AllocatedBytes">Allocated by both on the calling thread, in the last process.</param>
/// <param name="PayloadBytes">Bytes written.</param>
public sealed record FirstUseRow(string Workload, string Peer, double WriteMs, double WriteMinMs, double ReadMs, double ReadMinMs, long AllocatedBytes, int PayloadBytes);

/// <summary>Measures cold starts.</summary>
public static class FirstUse
{
    /// <summary>First argument of the child process; then follow workload and peer.</summary>
    public const string ChildVerb = "first-use-child";

    private static readonly string[] Workloads = ["SimpleClass x1", "SimpleModel x1"];

    /// <summary>Runs a process for each sample.</summary>
    /// <exception cref="InvalidDataException">A child process failed.</exception>
    public static List<FirstUseRow> Measure(HarnessOptions options, TextWriter progress)
    {
        int rounds = options.Short ? 3 : 15;
        var rows = new List<FirstUseRow>();
        foreach (string workload in Workloads.Where(options.Matches))
        {
            progress.WriteLine(workload);
            string[] peers = [.. PeerCatalog.Create(workload).Cells.Select(c => c.Peer).Where(p => p != PeerRows.Bound)];
            Samples[] writes = [.. peers.Select(_ => new Samples())], reads = [.. peers.Select(_ => new Samples())];
            string[][] last = new string[peers.Length][];
            for (int round = 0; round < rounds; round++)
            {
                foreach (int i in Turns.Order(round, peers.Length))
                {
                    last[i] = ChildProcess.Run(words: 4, ChildVerb, workload, peers[i]);
                    writes[i].Add(double.Parse(last[i][0], CultureInfo.InvariantCulture));
                    reads[i].Add(double.Parse(last[i][1], CultureInfo.InvariantCulture));
                }
            }
            rows.AddRange(peers.Select((peer, i) => new FirstUseRow(workload, peer, writes[i].Median, writes[i].Min, reads[i].Median, reads[i].Min,
                long.Parse(last[i][2], CultureInfo.InvariantCulture), int.Parse(last[i][3], CultureInfo.InvariantCulture))));
        }
        return rows;
    }

    /// <summary>The child: prints milliseconds of the first write and of the first read, allocated bytes, payload bytes.</summary>
    public static int RunChild(string workload, string peer)
    {
        Cell cell = PeerCatalog.Create(workload, PeerRows.All.Where(p => p.Name == peer))[peer];
        long bytes = GC.GetAllocatedBytesForCurrentThread();
        long start = Stopwatch.GetTimestamp();
        cell.Run(Operation.Serialize, 1);
        double write = Stopwatch.GetElapsedTime(start).TotalMilliseconds;
        int payload = cell.PayloadBytes;
        start = Stopwatch.GetTimestamp();
        cell.Run(Operation.Deserialize, 1);
        double read = Stopwatch.GetElapsedTime(start).TotalMilliseconds;
        bytes = GC.GetAllocatedBytesForCurrentThread() - bytes;
        cell.Verify();
        Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"{write} {read} {bytes} {payload}"));
        return 0;
    }

    /// <summary>Name of the file and its contents: the first write of each peer.</summary>
    public static IEnumerable<(string File, string Svg)> Charts(IReadOnlyList<FirstUseRow> rows)
    {
        if (rows.Count == 0) yield break;
        var chart = new SvgBarChart("First use", "milliseconds of the first write and the first read, medians, logarithmic");
        foreach (var workload in rows.GroupBy(static row => row.Workload))
        {
            chart.Add(workload.Key + ", write", [.. workload.OrderBy(static row => row.WriteMs).Select(static row => new SvgBar(row.Peer, row.WriteMs, row.Peer == PeerRows.NinoStore))]);
            chart.Add(workload.Key + ", read", [.. workload.OrderBy(static row => row.ReadMs).Select(static row => new SvgBar(row.Peer, row.ReadMs, row.Peer == PeerRows.NinoStore))]);
        }
        yield return ("first-use.svg", chart.ToString());
    }

    /// <summary>The table.</summary>
    public static string Render(MachineInfo machine, IReadOnlyList<FirstUseRow> rows, HarnessOptions options)
    {
        var table = new MarkdownTable("workload", "peer", "write ms", "min", "x NinoStore", "read ms", "min", "x NinoStore", "alloc B", "payload B");
        foreach (FirstUseRow row in rows)
        {
            FirstUseRow? own = rows.SingleOrDefault(r => r.Workload == row.Workload && r.Peer == PeerRows.NinoStore);
            table.Add(row.Workload, row.Peer, MarkdownTable.Number(row.WriteMs), MarkdownTable.Number(row.WriteMinMs), MarkdownTable.Ratio(row.WriteMs / own?.WriteMs),
                MarkdownTable.Number(row.ReadMs), MarkdownTable.Number(row.ReadMinMs), MarkdownTable.Ratio(row.ReadMs / own?.ReadMs), row.AllocatedBytes.ToString("#,0", CultureInfo.InvariantCulture), row.PayloadBytes.ToString("#,0", CultureInfo.InvariantCulture));
        }
        return $"""
            # First use

            {machine}{options.Note}

            One cold process a sample: the first call of Serialize, then the first call of Deserialize, with everything the library sets up and the runtime compiles on the way. Medians of the processes, and the fastest.

            {table}
            """;
    }
}
