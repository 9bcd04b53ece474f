// The verb "store": all peers open in one process, each sample of one followed by a sample of the next, so that a slow moment of the disk hits
// all of them. Latencies are percentiles: the mean of a disk says nothing.

using System.Diagnostics;
using Store.Bench.Harness.Stores;

namespace Store.Bench.Harness;

/// <summary>Measures logs.</summary>
public sealed class StoreRun(HarnessOptions options, TextWriter progress)
{
    public const string AppendTable = "Append to memory, ns a record", DurableTable = "Durable batch, us a batch", WaitersTable = "Group commit, durable records a second",
        SustainedTable = "Sustained append with final commit, ns a record", ScanTable = "Scan, ns a record", OpenTable = "Open, ms",
        ExportTable = "Export to JSON Lines, records a second", ExportBytesTable = "Export to JSON Lines, MB a second";

    private readonly List<StoreRow> _rows = [];

    /// <summary>Runs every table that matches the filter.</summary>
    public IReadOnlyList<StoreRow> Run()
    {
        Table(AppendTable, () => { foreach (int size in (int[])[16, 128, 1024]) Append(size); });
        Table(DurableTable, () => { foreach (int count in (int[])[1, 30, 1000]) Durable(128, count); });
        Table(WaitersTable, () => { foreach (int waiters in (int[])[1, 64, 1000]) Waiters(waiters); });
        Table(ScanTable, () => { foreach (int size in (int[])[128, 1024]) SustainedAndScan(size); });
        Table(OpenTable, Open);
        Table(ExportTable, () => { foreach (string type in RecordSet.Usual) Export(type); });
        return [.. _rows, .. new StateRun(options, progress).Run()];
    }

    private void Table(string name, Action measure)
    {
        if (!options.Matches(name)) return;
        progress.WriteLine(name);
        measure();
    }

    // The runtime compiles anew what is called often, in the background and only while nothing else is compiled for 100 ms: without pauses all samples would be of code that is not optimized.
    private const int WarmupRounds = 40;
    private const int WarmupPauseMs = 25;

    private void Append(int size)
    {
        const int PerSample = 1000;
        using var peers = new OpenPeers(StorePeerKind.All.Where(k => k.Name != StorePeerKind.Raw), options.DataDirectory);
        byte[] record = Record(size);
        var times = peers.Samples();
        for (int i = 0; i < WarmupRounds; i++)
        {
            peers.ForEach((peer, _) => peer.Append(record, PerSample));
            Thread.Sleep(WarmupPauseMs);
        }

        for (int round = 0; round < (options.Short ? 40 : 200); round++)
        {
            peers.InTurn(round, (peer, i) =>
            {
                long start = Stopwatch.GetTimestamp();
                peer.Append(record, PerSample);
                times[i].Add(Stopwatch.GetElapsedTime(start).TotalNanoseconds / PerSample);
            });
        }
        Add(peers, times, AppendTable, $"{size} B", "ns");
    }

    private void Durable(int size, int count)
    {
        using var peers = new OpenPeers(StorePeerKind.All, options.DataDirectory);
        byte[] record = Record(size);
        var times = peers.Samples();
        double[] cpu = new double[peers.Count], allocated = new double[peers.Count];
        int rounds = options.Short ? 60 : 600;
        for (int i = 0; i < 10; i++) peers.ForEach((peer, _) => peer.AppendDurable(record, count));
        for (int round = 0; round < rounds; round++)
        {
            peers.InTurn(round, (peer, i) =>
            {
                long bytes = GC.GetTotalAllocatedBytes(precise: true);
                TimeSpan busy = Environment.CpuUsage.TotalTime;
                long start = Stopwatch.GetTimestamp();
                peer.AppendDurable(record, count);
                times[i].Add(Stopwatch.GetElapsedTime(start).TotalMicroseconds);
                cpu[i] += (Environment.CpuUsage.TotalTime - busy).TotalMicroseconds;
                allocated[i] += GC.GetTotalAllocatedBytes(precise: true) - bytes;
            });
        }
        peers.ForEach((_, i) => _rows.Add(new StoreRow(DurableTable, $"{count} x {size} B", peers.Name(i), "us", times[i].Median, times[i].Percentile(99), cpu[i] / rounds, allocated[i] / rounds)));
    }

    private void Waiters(int waiters)
    {
        TimeSpan duration = TimeSpan.FromSeconds(options.Short ? 1 : 4);
        byte[] record = Record(128);
        foreach (StorePeerKind kind in StorePeerKind.All)
        {
            using var data = new BenchData(options.DataDirectory);
            using IStorePeer peer = kind.Open(data.Directory);
            if (peer is not IGroupCommitPeer group) continue;
            RunWaiters(group, record, waiters, duration / 4);
            long bytes = GC.GetTotalAllocatedBytes(precise: true);
            TimeSpan busy = Environment.CpuUsage.TotalTime;
            long start = Stopwatch.GetTimestamp();
            long records = RunWaiters(group, record, waiters, duration);
            double rate = records / Stopwatch.GetElapsedTime(start).TotalSeconds;
            _rows.Add(new StoreRow(WaitersTable, $"{waiters} waiters", kind.Name, "records/s", rate, rate,
                (Environment.CpuUsage.TotalTime - busy).TotalMicroseconds / records, (GC.GetTotalAllocatedBytes(precise: true) - bytes) / (double)records));
        }
    }

    private static long RunWaiters(IGroupCommitPeer peer, byte[] record, int waiters, TimeSpan duration)
    {
        long end = Stopwatch.GetTimestamp() + (long)(duration.TotalSeconds * Stopwatch.Frequency);
        Task<long>[] tasks = [.. Enumerable.Range(0, waiters).Select(_ => Task.Run(async () =>
        {
            long records = 0;
            for (; Stopwatch.GetTimestamp() < end; records++) await peer.AppendDurableAsync(record).ConfigureAwait(false);
            return records;
        }))];
        return Task.WhenAll(tasks).GetAwaiter().GetResult().Sum();
    }

    private void SustainedAndScan(int size)
    {
        long totalBytes = (options.Short ? 64L : 1024L) << 20;
        int records = (int)(totalBytes / size);
        byte[] record = Record(size);
        using var peers = new OpenPeers(StorePeerKind.All.Where(k => k.Name != StorePeerKind.Raw), options.DataDirectory);
        var fill = peers.Samples();
        var scan = peers.Samples();
        peers.ForEach((peer, i) =>
        {
            long start = Stopwatch.GetTimestamp();
            peer.Append(record, records - 1);
            peer.AppendDurable(record, 1);
            fill[i].Add(Stopwatch.GetElapsedTime(start).TotalNanoseconds / records);
        });
        for (int round = 0; round < 5; round++)
        {
            peers.InTurn(round, (peer, i) =>
            {
                long start = Stopwatch.GetTimestamp();
                long seen = peer.Scan();
                if (seen != records) throw new InvalidDataException($"{peers.Name(i)}: {records} records appended, {seen} scanned.");
                scan[i].Add(Stopwatch.GetElapsedTime(start).TotalNanoseconds / records);
            });
        }
        Add(peers, fill, SustainedTable, $"{totalBytes >> 20} MiB of {size} B", "ns");
        Add(peers, scan, ScanTable, $"{totalBytes >> 20} MiB of {size} B", "ns");
    }

    private void Open()
    {
        int mebibytes = options.Short ? 64 : 1024;
        byte[] record = Record(1024);
        foreach (StorePeerKind kind in StorePeerKind.All.Where(k => k.Name is not (StorePeerKind.Raw or StorePeerKind.FileStream)))
        {
            using var data = new BenchData(options.DataDirectory);
            using var crashed = new BenchData(options.DataDirectory);
            using (IStorePeer peer = kind.Open(data.Directory))
            {
                peer.Append(record, (mebibytes * 1024) - 1);
                peer.AppendDurable(record, 1);

                // What a killed process leaves: the files as they are while the store is open, without its last words.
                CopyFolder(data.Directory, crashed.Directory);
            }
            Opened(kind, crashed.Directory, $"after a crash, {mebibytes} MiB", mebibytes * 1024L);
            for (int i = 0; i < 5; i++) Opened(kind, data.Directory, $"after a clean close, {mebibytes} MiB", mebibytes * 1024L);
        }
    }

    private void Opened(StorePeerKind kind, string directory, string row, long records)
    {
        long start = Stopwatch.GetTimestamp();
        using IStorePeer peer = kind.Open(directory);
        double ms = Stopwatch.GetElapsedTime(start).TotalMilliseconds;
        long seen = peer.Scan();
        if (seen != records) throw new InvalidDataException($"{kind.Name} {row}: {records} durable records, {seen} after opening.");
        int known = _rows.FindIndex(r => r.Table == OpenTable && r.Row == row && r.Peer == kind.Name);
        if (known < 0) _rows.Add(new StoreRow(OpenTable, row, kind.Name, "ms", ms, ms));
        else _rows[known] = _rows[known] with { P50 = Math.Min(_rows[known].P50, ms), P99 = Math.Max(_rows[known].P99, ms) };
    }

    private void Export(string type)
    {
        using var subject = new ExportSubject(type, options.Short ? 10 : 100, options.DataDirectory);
        subject.Verify();
        (string Name, Action Run)[] ways = [("typed loop over System.Text.Json", subject.ExportByHand), ("inspect export", subject.ExportByTool)];
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
        for (int i = 0; i < ways.Length; i++)
        {
            _rows.Add(new StoreRow(ExportTable, type, ways[i].Name, "records/s", subject.Count / seconds[i].Median, subject.Count / seconds[i].Percentile(99)));
            _rows.Add(new StoreRow(ExportBytesTable, type, ways[i].Name, "MB/s", bytes[i] / 1e6 / seconds[i].Median, bytes[i] / 1e6 / seconds[i].Percentile(99)));
        }
    }

    private static void CopyFolder(string from, string to)
    {
        Directory.CreateDirectory(to);
        foreach (string file in Directory.EnumerateFiles(from))
        {
            // A lock dies with its process and cannot be read while it is held.
            if (Path.GetExtension(file) == ".lock") continue;
            string copy = Path.Combine(to, Path.GetFileName(file));
            File.Copy(file, copy);

            // All but the last of what a killed process wrote is on the disk; who syncs on opening is not to pay for the copy.
            using FileStream stream = File.OpenWrite(copy);
            stream.Flush(flushToDisk: true);
        }
        foreach (string folder in Directory.EnumerateDirectories(from)) CopyFolder(folder, Path.Combine(to, Path.GetFileName(folder)));
    }

    private void Add(OpenPeers peers, Samples[] times, string table, string row, string unit) =>
        peers.ForEach((_, i) => _rows.Add(new StoreRow(table, row, peers.Name(i), unit, times[i].Median, times[i].Percentile(99))));

    private static byte[] Record(int size)
    {
        byte[] record = new byte[size];
        new Random(Workloads.WorkloadData.Seed).NextBytes(record);
        return record;
    }
}
