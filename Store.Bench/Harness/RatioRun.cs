// The verb "ratios": the daily question of the serializer. All peers alive in one process, one sample of each in turn, the minimum of at least
// twenty: drift of the machine hits all alike, and the ratio of minima repeats within a few per cent where medians differ by forty.

using System.Diagnostics;
using Store.Bench.Bound;
using Store.Bench.Peers;

namespace Store.Bench.Harness;

/// <summary>One measured cell.</summary>
public sealed record RatioCell(string Workload, int Items, Operation Operation, string Peer, double MinNs, double MedianNs, double AllocatedBytes, int PayloadBytes);

/// <summary>Measures serializer cells.</summary>
public static class RatioRun
{
    private const int Rounds = 24, MaxWarmupPasses = 20, CompilerQuietMs = 120;

    /// <summary>Measures all workloads that match; each is verified first.</summary>
    /// <exception cref="InvalidDataException">A peer does not read back what it wrote.</exception>
    public static List<RatioCell> Measure(HarnessOptions options, TextWriter progress)
    {
        BoundCheck.Run();
        return Measure(PeerCatalog.Names, PeerCatalog.Create, Enum.GetValues<Operation>(), options, progress);
    }

    /// <summary>Measures some operations on the workloads that match; each is verified first.</summary>
    /// <exception cref="InvalidDataException">A peer does not read back what it wrote.</exception>
    internal static List<RatioCell> Measure(IEnumerable<string> names, Func<string, Workload> create, Operation[] operations, HarnessOptions options, TextWriter progress)
    {
        TimeSpan warmup = TimeSpan.FromMilliseconds(options.Short ? 10 : 60);
        TimeSpan sample = TimeSpan.FromMilliseconds(options.Short ? 2 : 20);
        var results = new List<RatioCell>();
        foreach (string name in names.Where(options.Matches))
        {
            Workload workload = create(name);
            foreach (Cell cell in workload.Cells) cell.Verify();
            progress.WriteLine($"{name}: verified, {workload.Cells.Count} peers");
            foreach (Operation operation in operations) results.AddRange(Measure(workload, operation, warmup, sample));

            // Once more: what was measured is the compiler's last version, not the one that was verified first.
            foreach (Cell cell in workload.Cells) cell.Verify();
        }
        return results;
    }

    private static IEnumerable<RatioCell> Measure(Workload workload, Operation operation, TimeSpan warmup, TimeSpan sample)
    {
        IReadOnlyList<Cell> cells = workload.Cells;
        int[] counts = [.. WarmUp(cells, operation, warmup).Select(ns => (int)Math.Clamp(sample.TotalNanoseconds / ns, 1, 100_000_000))];
        Samples[] times = [.. cells.Select(_ => new Samples())];
        long[] allocated = new long[cells.Count];
        for (int round = 0; round < Rounds; round++)
        {
            foreach (int i in Turns.Order(round, cells.Count))
            {
                long bytes = GC.GetAllocatedBytesForCurrentThread();
                long start = Stopwatch.GetTimestamp();
                cells[i].Run(operation, counts[i]);
                times[i].Add(Stopwatch.GetElapsedTime(start).TotalNanoseconds / counts[i]);
                allocated[i] = GC.GetAllocatedBytesForCurrentThread() - bytes;
            }
        }
        return cells.Select((c, i) => new RatioCell(workload.Name, workload.Items, operation, c.Peer, times[i].Min, times[i].Median, allocated[i] / (double)counts[i], c.PayloadBytes)).ToList();
    }

    /// <summary>
    /// Runs all cells until none becomes faster, and returns the nanoseconds of each. Code passes through an instrumented version on its
    /// way to the final one, each compiled in the background after a quiet time that a busy machine stretches, so no fixed time is enough.
    /// </summary>
    internal static double[] WarmUp(IReadOnlyList<Cell> cells, Operation operation, TimeSpan warmup)
    {
        double[] best = [.. cells.Select(_ => double.MaxValue)];
        int settledPasses = 0;
        for (int pass = 0; pass < MaxWarmupPasses && settledPasses < 2; pass++)
        {
            bool settled = pass >= 2;
            for (int i = 0; i < cells.Count; i++)
            {
                double ns = WarmUp(cells[i], operation, warmup);
                if (ns < best[i] * 0.9) settled = false;
                best[i] = Math.Min(best[i], ns);
            }
            settledPasses = settled ? settledPasses + 1 : 0;
            Thread.Sleep(CompilerQuietMs);
        }
        return best;
    }

    /// <summary>Runs a cell for a while and returns the nanoseconds of its fastest stretch.</summary>
    private static double WarmUp(Cell cell, Operation operation, TimeSpan duration)
    {
        // Many short runs first: the loop method itself must be called often enough to leave the first tier.
        for (int i = 0; i < 40; i++) cell.Run(operation, 1);
        double best = double.MaxValue;
        int count = 1;
        for (long start = Stopwatch.GetTimestamp(); Stopwatch.GetElapsedTime(start) < duration;)
        {
            long begin = Stopwatch.GetTimestamp();
            cell.Run(operation, count);
            double ns = Math.Max(100, Stopwatch.GetElapsedTime(begin).TotalNanoseconds) / count;
            best = Math.Min(best, ns);
            count = (int)Math.Clamp(duration.TotalNanoseconds / 8 / ns, 1, 100_000_000);
        }
        return best;
    }
}
