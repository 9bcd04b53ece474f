// How long opening takes: after a clean close, and from what a killed process leaves.

using Store.Bench.Harness.Stores;

namespace Store.Bench.Harness.Tables;

/// <summary>Opening a log of a gigabyte. One peer follows the other.</summary>
public sealed class OpenTable : IStoreMeasurement
{
    public static readonly StoreTable Table = new("Open, ms", "ms") { IsByMinimum = true, Figures = ("p50", "worst") };

    public IReadOnlyList<StoreTable> Tables => [Table];

    public IEnumerable<StoreRow> Measure(HarnessOptions options)
    {
        int mebibytes = options.Short ? 64 : 1024;
        byte[] record = BenchRecord.Of(1024);
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
    }

    // What is asked is how long the work takes, not the compiler's share of a first time.
    private static void Warm(StorePeerKind kind, byte[] record, HarnessOptions options)
    {
        using var data = new BenchData(options.DataDirectory);
        using (IStorePeer peer = kind.Open(data.Directory)) peer.AppendDurable(record, 1);
        Warmup.Run(() => kind.Open(data.Directory).Dispose());
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
