// The verb "views": what it costs to look at a record where it lies, to read into what is there, and to read a record of an older shape. One process, one sample of
// each row in turn, minima: as the verb "ratios" does it.

using System.Diagnostics;
using Store.Bench.Workloads;

namespace Store.Bench.Harness.Views;

/// <summary>Measures views, reading into what is there, and mapped reading.</summary>
public static class ViewRun
{
    private const int Rounds = 24;

    /// <summary>Rows of peers: reading a SimpleClass into what is there. Filled by module initializers of the peers that are compiled in.</summary>
    public static List<Func<SimpleClass, SimpleClass, ViewSubject>> Peers { get; } = [];

    /// <summary>What rows compute ends here, so that none of it can be left out.</summary>
    internal static long Sink { get; set; }

    /// <summary>Measures the rows that match, and what they are compared with. All are verified before and after.</summary>
    /// <exception cref="InvalidDataException">The result of one is wrong.</exception>
    public static List<ViewRow> Measure(HarnessOptions options) => Measure([.. PlaceSubjects.All(), .. ReuseSubjects.All(), .. OlderShapeSubjects.All()], options);

    /// <summary>As <see cref="Measure(HarnessOptions)"/>, of these rows.</summary>
    /// <exception cref="InvalidDataException">The result of one is wrong.</exception>
    internal static List<ViewRow> Measure(List<ViewSubject> all, HarnessOptions options)
    {
        List<ViewSubject> subjects = Chosen(all, options);
        if (subjects.Count == 0) return [];
        foreach (ViewSubject subject in subjects) subject.Verify();
        TimeSpan sample = TimeSpan.FromMilliseconds(options.Short ? 4 : 20);
        int[] counts = [.. subjects.Select(subject => WarmUp(subject, sample))];
        Samples[] times = [.. subjects.Select(static _ => new Samples())];
        double[] allocated = [.. subjects.Select(static _ => double.MaxValue)];
        for (int round = 0; round < Rounds; round++)
        {
            foreach (int i in Turns.Order(round, subjects.Count))
            {
                long bytes = GC.GetAllocatedBytesForCurrentThread();
                long start = Stopwatch.GetTimestamp();
                subjects[i].Run(counts[i]);
                times[i].Add(Stopwatch.GetElapsedTime(start).TotalNanoseconds / counts[i]);
                allocated[i] = Math.Min(allocated[i], (GC.GetAllocatedBytesForCurrentThread() - bytes) / (double)counts[i]);
            }
        }

        // Once more: what was measured is the compiler's last version, not the one that was verified first.
        foreach (ViewSubject subject in subjects) subject.Verify();
        return [.. subjects.Select((subject, i) => new ViewRow(subject.Name, times[i].Min, times[i].Median, allocated[i], subject.Base))];
    }

    /// <exception cref="InvalidDataException">They differ.</exception>
    internal static void Require(long expected, long actual, string row) => Check.Equal(expected, actual, row);

    private static List<ViewSubject> Chosen(List<ViewSubject> all, HarnessOptions options)
    {
        HashSet<string?> names = [.. all.Where(subject => options.Matches(subject.Name)).SelectMany(static subject => new[] { subject.Name, subject.Base })];
        return all.FindAll(subject => names.Contains(subject.Name));
    }

    private static int WarmUp(ViewSubject subject, TimeSpan sample)
    {
        double best = double.MaxValue;
        for (int pass = 0; pass < 4; pass++)
        {
            for (int i = 0; i < 40; i++) subject.Run(1);
            for (int count = 1; count < 1 << 22; count *= 4)
            {
                long start = Stopwatch.GetTimestamp();
                subject.Run(count);
                TimeSpan taken = Stopwatch.GetElapsedTime(start);
                best = Math.Min(best, Math.Max(1, taken.TotalNanoseconds) / count);
                if (taken > sample) break;
            }

            Thread.Sleep(Warmup.PauseMs);
        }

        return (int)Math.Clamp(sample.TotalNanoseconds / best, 1, 100_000_000);
    }
}
