// The verb "ratios": the daily question of the serializer. All peers alive in one process, one sample of each in turn, the minimum of at least
// twenty: drift of the machine hits all alike, and the ratio of minima repeats within a few per cent where medians differ by forty.

using System.Diagnostics;
using Store.Bench.Peers;

namespace Store.Bench.Harness;

/// <summary>One measured cell.</summary>
public sealed record RatioCell(string Workload, int Items, Operation Operation, string Peer, double MinNs, double MedianNs, double AllocatedBytes, int PayloadBytes);

/// <summary>Measures serializer cells.</summary>
public static class RatioRun
{
    private const int Rounds = 24, WarmupPasses = 3, CompilerQuietMs = 150;

    /// <summary>Measures all workloads that match; each is verified first.</summary>
    /// <exception cref="InvalidDataException">A peer does not read back what it wrote.</exception>
    public static List<RatioCell> Measure(HarnessOptions options, TextWriter progress)
    {
        TimeSpan warmup = TimeSpan.FromMilliseconds(options.Short ? 25 : 100);
        TimeSpan sample = TimeSpan.FromMilliseconds(options.Short ? 2 : 20);
        var results = new List<RatioCell>();
        foreach (string name in PeerCatalog.Names.Where(options.Matches))
        {
            Workload workload = PeerCatalog.Create(name);
            foreach (Cell cell in workload.Cells) cell.Verify();
            progress.WriteLine($"{name}: verified, {workload.Cells.Count} peers");
            foreach (Operation operation in Enum.GetValues<Operation>()) results.AddRange(Measure(workload, operation, warmup, sample));
        }
        return results;
    }

    private static IEnumerable<RatioCell> Measure(Workload workload, Operation operation, TimeSpan warmup, TimeSpan sample)
    {
        IReadOnlyList<Cell> cells = workload.Cells;
        // Code passes through an instrumented version on its way to the final one, each compiled in the background after a quiet time: warm up,
        // leave the compiler alone, and do it again until nothing is left to replace.
        int[] counts = new int[cells.Count];
        for (int pass = 0; pass < WarmupPasses; pass++)
        {
            for (int i = 0; i < cells.Count; i++) counts[i] = WarmUp(cells[i], operation, warmup, sample);
            Thread.Sleep(CompilerQuietMs);
        }
        for (int i = 0; i < cells.Count; i++) counts[i] = WarmUp(cells[i], operation, warmup, sample);

        Samples[] times = [.. cells.Select(_ => new Samples())];
        long[] allocated = new long[cells.Count];
        for (int round = 0; round < Rounds; round++)
        {
            for (int turn = 0; turn < cells.Count; turn++)
            {
                int i = (round + turn) % cells.Count;
                long bytes = GC.GetAllocatedBytesForCurrentThread();
                long start = Stopwatch.GetTimestamp();
                cells[i].Run(operation, counts[i]);
                times[i].Add(Stopwatch.GetElapsedTime(start).TotalNanoseconds / counts[i]);
                allocated[i] = GC.GetAllocatedBytesForCurrentThread() - bytes;
            }
        }
        return cells.Select((c, i) => new RatioCell(workload.Name, workload.Items, operation, c.Peer, times[i].Min, times[i].Median, allocated[i] / (double)counts[i], c.PayloadBytes)).ToList();
    }

    /// <summary>Runs a cell for a while and returns how often it must run to fill a sample.</summary>
    private static int WarmUp(Cell cell, Operation operation, TimeSpan warmup, TimeSpan sample)
    {
        // Many short runs first: the loop method itself must be called often enough to leave the first tier.
        for (int i = 0; i < 40; i++) cell.Run(operation, 1);
        long count = 1;
        double nsPerRun = 0;
        for (long start = Stopwatch.GetTimestamp(); Stopwatch.GetElapsedTime(start) < warmup;)
        {
            long begin = Stopwatch.GetTimestamp();
            cell.Run(operation, (int)count);
            nsPerRun = Math.Max(0.1, Stopwatch.GetElapsedTime(begin).TotalNanoseconds / count);
            count = Math.Clamp((long)(sample.TotalNanoseconds / nsPerRun), 1, 100_000_000);
        }
        return (int)count;
    }
}
