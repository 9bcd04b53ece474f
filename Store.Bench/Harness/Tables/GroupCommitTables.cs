// Many callers, each awaiting one durable append after the other: how many records a second, and how long one caller waits.

using System.Diagnostics;
using Store.Bench.Harness.Stores;

namespace Store.Bench.Harness.Tables;

/// <summary>Durable appends by 1, 64 and 1000 callers, and as many records in one write and one sync by one thread, which is what the machine itself can do. One peer follows the other.</summary>
public sealed class GroupCommitTables : IStoreMeasurement
{
    public static readonly StoreTable Rate = new("Group commit, durable records a second", "records/s") { Figures = ("rate", "") };
    public static readonly StoreTable Latency = new("Group commit, us until one append is durable", "us");

    // Looking at the clock takes longer than an append: of many callers one append in so many is timed.
    private const int TimedOf = 16, TimedCallers = 64, WarmupPasses = 4, RecordBytes = 128;

    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(20);

    public IReadOnlyList<StoreTable> Tables => [Rate, Latency];

    public IEnumerable<StoreRow> Measure(HarnessOptions options)
    {
        foreach (int callers in (int[])[1, 64, 1000])
        {
            foreach (StoreRow row in MeasureFloor(options, callers)) yield return row;
            foreach (StorePeerKind kind in (StorePeerKind[])[StorePeers.NinoStore, .. StorePeers.FasterLogs])
            {
                foreach (StoreRow row in TryMeasure(options, kind, callers)) yield return row;
            }
        }
    }

    // One record for each caller: each has one under way, so a sync of theirs has no more.
    private static StoreRow[] MeasureFloor(HarnessOptions options, int callers)
    {
        byte[] record = BenchRecord.Of(RecordBytes);
        using var data = new BenchData(options.DataDirectory);
        using IStorePeer peer = StorePeers.Raw.Open(data.Directory);
        Run(Duration(options) / 8, new Samples());
        var times = new Samples(capacity: 64 * 1024);
        TimeSpan busy = Environment.CpuUsage.TotalTime;
        long start = Stopwatch.GetTimestamp();
        long records = Run(Duration(options), times);
        double rate = records / Stopwatch.GetElapsedTime(start).TotalSeconds;
        double cpuUs = (Environment.CpuUsage.TotalTime - busy).TotalMicroseconds / records;
        return [new StoreRow(Rate.Name, NameOf(callers), StorePeers.RawName, Rate.Unit, rate, rate, cpuUs), StoreRow.Of(Latency, NameOf(callers), StorePeers.RawName, times, cpuUs)];

        long Run(TimeSpan duration, Samples turns)
        {
            long written = 0, begun = Stopwatch.GetTimestamp();
            for (long turn = begun; Stopwatch.GetElapsedTime(begun) < duration; turn = Stopwatch.GetTimestamp())
            {
                peer.AppendDurable(record, callers);
                turns.Add(Stopwatch.GetElapsedTime(turn).TotalMicroseconds);
                written += callers;
            }
            return written;
        }
    }

    // FasterLog was seen to leave a waiter waiting for good: it has no row then, and the others have theirs.
    private static StoreRow[] TryMeasure(HarnessOptions options, StorePeerKind kind, int callers)
    {
        try
        {
            return Measure(options, kind, callers);
        }
        catch (TimeoutException e) when (kind != StorePeers.NinoStore)
        {
            Console.Error.WriteLine($"{kind.Name}, {callers} waiters: {e.Message}");
            return [];
        }
    }

    private static StoreRow[] Measure(HarnessOptions options, StorePeerKind kind, int callers)
    {
        TimeSpan duration = Duration(options);
        byte[] record = BenchRecord.Of(RecordBytes);
        using var data = new BenchData(options.DataDirectory);
        using var peer = (IGroupCommitPeer)kind.Open(data.Directory);
        long warm = 0;
        for (int pass = 0; pass < WarmupPasses; pass++)
        {
            warm += Run(peer, record, duration / 8, Times(callers));
            Thread.Sleep(Warmup.PauseMs);
        }

        Samples[] times = Times(callers);
        long bytes = GC.GetTotalAllocatedBytes(precise: true);
        TimeSpan busy = Environment.CpuUsage.TotalTime;
        long start = Stopwatch.GetTimestamp();
        long records = Run(peer, record, duration, times);
        double rate = records / Stopwatch.GetElapsedTime(start).TotalSeconds;
        double cpuUs = (Environment.CpuUsage.TotalTime - busy).TotalMicroseconds / records;
        double allocated = (GC.GetTotalAllocatedBytes(precise: true) - bytes) / (double)records;
        peer.AppendDurable(record, 1);
        long seen = peer.Scan();
        if (seen != warm + records + 1) throw new InvalidDataException($"{kind.Name}: {warm + records + 1} durable records, {seen} scanned.");
        var latencies = new Samples();
        foreach (Samples own in times) latencies.AddRange(own);
        string row = NameOf(callers);
        return
        [
            new StoreRow(Rate.Name, row, kind.Name, Rate.Unit, rate, rate, cpuUs, allocated),
            StoreRow.Of(Latency, row, kind.Name, latencies, cpuUs, allocated),
        ];
    }

    private static TimeSpan Duration(HarnessOptions options) => TimeSpan.FromSeconds(options.Short ? 1 : 4);

    private static string NameOf(int callers) => callers == 1 ? "1 waiter" : $"{callers} waiters";

    // Made before anything is measured, and large enough: what is kept here must not be in a peer's bytes.
    private static Samples[] Times(int callers) => [.. Enumerable.Range(0, callers).Select(_ => new Samples(capacity: callers == 1 ? 32 * 1024 : 2048))];

    private static long Run(IGroupCommitPeer peer, byte[] record, TimeSpan duration, Samples[] times)
    {
        long end = Stopwatch.GetTimestamp() + (long)(duration.TotalSeconds * Stopwatch.Frequency);
        int timedOf = times.Length >= TimedCallers ? TimedOf : 1;
        Task<long>[] tasks = [.. times.Select(own => Task.Run(() => CallAsync(peer, record, end, timedOf, own)))];
        Task<long[]> all = Task.WhenAll(tasks);
        if (Task.WaitAny([all], duration + Patience) < 0) throw new TimeoutException($"{tasks.Count(static t => !t.IsCompleted)} callers still wait {Patience.TotalSeconds:N0} s after the last append was to begin.");
        return all.GetAwaiter().GetResult().Sum();
    }

    private static async Task<long> CallAsync(IGroupCommitPeer peer, byte[] record, long end, int timedOf, Samples times)
    {
        long records = 0;
        for (long start; (start = Stopwatch.GetTimestamp()) < end; records++)
        {
            await peer.AppendDurableAsync(record).ConfigureAwait(false);
            if (records % timedOf == 0) times.Add(Stopwatch.GetElapsedTime(start).TotalMicroseconds);
        }
        return records;
    }
}
