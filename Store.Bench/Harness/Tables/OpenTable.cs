// How long opening takes: after a clean close, and from what a killed process leaves: with nothing but its last words to be looked at twice, and with a last segment of which nothing says that the disk has it.

using Store.Bench.Harness.Stores;

namespace Store.Bench.Harness.Tables;

/// <summary>Opening a log of a gigabyte. One peer follows the other.</summary>
public sealed class OpenTable : IStoreMeasurement
{
    public static readonly StoreTable Table = new("Open, ms", "ms") { IsByMinimum = true, Figures = ("p50", "worst") };

    public static readonly StoreTable TailTable = new("Open after a crash, GB of the last segment a second", "GB/s") { Figures = ("rate", "slowest") };

    private const string ForReading = "NinoStore, for reading only";
    private const int RecordBytes = 1024, SegmentBytes = 64 << 20;

    public IReadOnlyList<StoreTable> Tables => [Table, TailTable];

    public IEnumerable<StoreRow> Measure(HarnessOptions options)
    {
        int mebibytes = options.Short ? 64 : 1024;
        byte[] record = BenchRecord.Of(RecordBytes);
        foreach (StorePeerKind kind in (StorePeerKind[])[StorePeers.NinoStore, .. StorePeers.FasterLogs])
        {
            Warm(kind, record, options);
            using var data = new BenchData(options.DataDirectory);
            using var crashed = new BenchData(options.DataDirectory);
            using (IStorePeer peer = kind.Open(data.Directory))
            {
                peer.Append(record, (mebibytes * 1024) - 1);
                peer.AppendDurable(record, 1);

                // What a killed process leaves: the files as they are while the store is open, without its last words.
                CopyFolder(data.Directory, crashed.Directory);
            }
            yield return Opened(kind, [crashed.Directory], $"after a crash, {mebibytes} MiB", mebibytes * 1024L);
            yield return Opened(kind, [.. Enumerable.Repeat(data.Directory, 5)], $"after a clean close, {mebibytes} MiB", mebibytes * 1024L);
        }
        foreach (StoreRow row in MeasureUnconfirmed(options, mebibytes, record)) yield return row;
    }

    // The most that opening can have to do: a whole segment that was written without a sync is read, verified, written again and synced.
    private static StoreRow[] MeasureUnconfirmed(HarnessOptions options, int mebibytes, byte[] record)
    {
        int turns = options.Short ? 1 : 5;
        using var data = new BenchData(options.DataDirectory);
        List<BenchData> crashed = [];
        try
        {
            (long records, long tailBytes) = Unconfirmed(data.Directory, mebibytes, record, () =>
            {
                for (int i = 0; i < turns; i++)
                {
                    crashed.Add(new BenchData(options.DataDirectory));
                    CopyFolder(data.Directory, crashed[i].Directory);
                }
            });
            string row = $"after a crash, {mebibytes} MiB, the last segment without a commit";

            // Reading alone, first: opening for writing makes the segment durable, and the next time there is nothing left to do.
            StoreRow verified = OpenedForReading([.. crashed.Select(static c => c.Directory)], row, records);
            StoreRow opened = Opened(StorePeers.NinoStore, [.. crashed.Select(static c => c.Directory)], row, records);
            return [opened, verified, Rates(opened), Rates(verified)];

            StoreRow Rates(StoreRow times) => new(TailTable.Name, row, times.Peer, TailTable.Unit, Rate(times.P50), Rate(times.P99));
            double Rate(double milliseconds) => tailBytes / milliseconds / 1e6;
        }
        finally
        {
            foreach (BenchData copy in crashed) copy.Dispose();
        }
    }

    /// <summary>A log whose last segment is nearly full and was never synced, as it is while its store is open.</summary>
    /// <returns>Its records, and the bytes of that segment.</returns>
    private static (long Records, long TailBytes) Unconfirmed(string directory, int mebibytes, byte[] record, Action copy)
    {
        const int Slack = 1 << 20;
        using NinoStore store = NinoStore.Open(directory, new NinoStoreOptions { SegmentSizeBytes = SegmentBytes });
        for (int i = 0; i < mebibytes * 1024; i++) store.Append(record);
        store.Commit();
        int committed = Segments();

        // To the beginning of the next segment: where it begins, all before it is durable.
        while (Segments() == committed) Fill(64);
        long first = store.LastSequence;
        Fill((SegmentBytes - Slack) / (RecordBytes + 8));
        if (Segments() != committed + 1) throw new InvalidDataException($"{Segments()} segments where {committed + 1} were to be.");
        if (store.DurableSequence > first) throw new InvalidDataException($"{store.DurableSequence} records are durable, and the last segment begins at about {first}.");
        copy();
        return (store.LastSequence, (store.LastSequence - first) * RecordBytes);

        void Fill(int records)
        {
            for (int i = 0; i < records; i++) store.Append(record);

            // Whoever reads has it written first, and nothing synced.
            if (store.ReadRecords(store.LastSequence).Count() != 1) throw new InvalidDataException("The last record is not there.");
        }

        // Not what is prepared: that has another ending.
        int Segments() => Directory.EnumerateFiles(directory, "segment-*.log").Count();
    }

    // What is asked is how long the work takes, not the compiler's share of a first time.
    private static void Warm(StorePeerKind kind, byte[] record, HarnessOptions options)
    {
        using var data = new BenchData(options.DataDirectory);
        using (IStorePeer peer = kind.Open(data.Directory)) peer.AppendDurable(record, 1);
        Warmup.Run(() => kind.Open(data.Directory).Dispose());
        if (kind == StorePeers.NinoStore) Warmup.Run(() => NinoStore.Open(data.Directory, new NinoStoreOptions { ReadOnly = true }).Dispose());
    }

    private static StoreRow Opened(StorePeerKind kind, string[] directories, string row, long records)
    {
        var meter = new TurnMeter();
        foreach (string directory in directories)
        {
            meter.Start();
            using IStorePeer peer = kind.Open(directory);
            meter.Stop(1);
            long seen = peer.Scan();
            if (seen != records) throw new InvalidDataException($"{kind.Name} {row}: {records} durable records, {seen} after opening.");
        }
        return meter.ToRow(Table, row, kind.Name);
    }

    // Every frame of it is verified, and nothing written or synced.
    private static StoreRow OpenedForReading(string[] directories, string row, long records)
    {
        var meter = new TurnMeter();
        foreach (string directory in directories)
        {
            meter.Start();
            using NinoStore store = NinoStore.Open(directory, new NinoStoreOptions { ReadOnly = true });
            meter.Stop(1);
            if (store.LastSequence != records) throw new InvalidDataException($"{row}, for reading: {records} records, {store.LastSequence} after opening.");
        }

        return meter.ToRow(Table, row, ForReading);
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
}
