// Much data: how fast it goes to the disk, and how fast it is read back.

using Store.Bench.Harness.Stores;

namespace Store.Bench.Harness.Tables;

/// <summary>A gigabyte appended in two turns, each with its commit, and scanned five times.</summary>
public sealed class SustainedTables : IStoreMeasurement
{
    public static readonly StoreTable Sustained = new("Sustained append with final commit, ns a record", "ns") { Figures = ("better", "worse"), References = [StorePeers.SequentialName] };
    public static readonly StoreTable Scan = new("Scan, ns a record", "ns") { IsByMinimum = true, Figures = ("p50", "worst"), References = [StorePeers.FasterLogDefaultName] };

    private const int Turns = 2, Scans = 5, WarmupRecords = 1000;

    // SQLite takes minutes for a gigabyte; what a record costs does not depend on it.
    private const int SqliteShare = 16;

    public IReadOnlyList<StoreTable> Tables => [Sustained, Scan];

    public IEnumerable<StoreRow> Measure(HarnessOptions options) => new[] { 128, 1024 }.SelectMany(size => Measure(options, size));

    private static StoreRow[] Measure(HarnessOptions options, int size)
    {
        long totalBytes = (options.Short ? 64L : 1024L) << 20;
        byte[] record = BenchRecord.Of(size);
        StorePeerKind[] kinds = [StorePeers.Sequential, StorePeers.NinoStore, StorePeers.NinoStoreAppender, .. StorePeers.FasterLogs, StorePeers.FileStream, StorePeers.Sqlite, .. StorePeers.Named.Where(kind => kind.IsForMuchData)];
        using var peers = new OpenPeers(kinds, options.DataDirectory);
        TurnMeter[] fill = peers.Meters(), scan = peers.Meters();
        int[] perTurn = [.. kinds.Select(kind => (int)(totalBytes / size / Turns) / (kind == StorePeers.Sqlite ? SqliteShare : 1))];
        long[] held = new long[peers.Count];
        Warm(peers, record, held);
        for (int turn = 0; turn < Turns; turn++)
        {
            peers.InTurn(turn, (peer, i) =>
            {
                fill[i].Run(perTurn[i], () =>
                {
                    peer.Append(record, perTurn[i] - 1);
                    peer.AppendDurable(record, 1);
                });
                held[i] += perTurn[i];
            });
        }

        for (int round = 0; round < Scans; round++)
        {
            peers.InTurn(round, (peer, i) =>
            {
                long seen = 0;
                scan[i].Run(held[i], () => seen = peer.Scan());
                peers.Require(i, held[i], seen);
            });
        }

        string row = $"{totalBytes >> 20} MiB of {size:N0} B";

        // What an appender wrote is read as what any append wrote.
        return [.. peers.Rows(fill, Sustained, row), .. peers.Rows(scan, Scan, row).Where(r => r.Peer != StorePeers.NinoStoreAppender.Name)];
    }

    private static void Warm(OpenPeers peers, byte[] record, long[] held)
    {
        peers.ForEach((peer, i) =>
        {
            peer.Append(record, WarmupRecords - 1);
            peer.AppendDurable(record, 1);
            held[i] = WarmupRecords;
        });
        Warmup.Run(() => peers.ForEach((peer, i) =>
        {
            peer.Append(record, 9);
            peer.AppendDurable(record, 1);
            held[i] += 10;
            peers.Require(i, held[i], peer.Scan());
        }));
    }
}
