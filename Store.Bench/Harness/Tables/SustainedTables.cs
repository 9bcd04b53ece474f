// Much data: how fast it goes to the disk, and how fast it is read back.

using Store.Bench.Harness.Stores;

namespace Store.Bench.Harness.Tables;

/// <summary>A gigabyte appended in five turns, each with its commit, and scanned five times.</summary>
public sealed class SustainedTables : IStoreMeasurement
{
    public static readonly StoreTable Sustained = new("Sustained append with final commit, ns a record", "ns") { Figures = ("p50", "worst"), References = [StorePeers.SequentialName] };
    public static readonly StoreTable Scan = new("Scan, ns a record", "ns") { IsByMinimum = true, Figures = ("p50", "worst"), References = [StorePeers.FasterLogDefaultName] };

    private const int TurnsOfAppends = 5, Scans = 5, WarmupRecords = 1000;

    // SQLite takes minutes for a gigabyte; what a record costs does not depend on it.
    private const int SqliteShare = 16;

    public IReadOnlyList<StoreTable> Tables => [Sustained, Scan];

    public IEnumerable<StoreRow> Measure(HarnessOptions options) => new[] { 128, 1024 }.SelectMany(size => Measure(options, size));

    private static StoreRow[] Measure(HarnessOptions options, int size)
    {
        long totalBytes = (options.Short ? 64L : 1024L) << 20;
        byte[] record = BenchRecord.Of(size);
        StorePeerKind[] kinds = [StorePeers.Sequential, StorePeers.Rewritten, StorePeers.NinoStore, StorePeers.NinoStoreAppender, .. StorePeers.FasterLogs, StorePeers.FileStream, StorePeers.Sqlite, .. StorePeers.Named.Where(kind => kind.IsForMuchData)];
        using var peers = new OpenPeers(kinds, options.DataDirectory);
        TurnMeter[] fill = peers.Meters(countBytesPrecisely: true), scan = peers.Meters(countBytesPrecisely: true);
        int[] perTurn = [.. kinds.Select(kind => (int)(totalBytes / size / TurnsOfAppends) / (kind == StorePeers.Sqlite ? SqliteShare : 1))];
        long[] held = new long[peers.Count];
        Warm(kinds, peers, record, held);
        for (int turn = 0; turn < TurnsOfAppends; turn++)
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
                if (kinds[i] == StorePeers.Rewritten) return;
                long seen = 0;
                scan[i].Run(held[i], () => seen = peer.Scan());
                peers.Require(i, held[i], seen);
            });
        }

        string row = $"{totalBytes >> 20} MiB of {size:N0} B";

        // What an appender wrote is read as what any append wrote, and what was overwritten by nobody.
        return [.. peers.Rows(fill, Sustained, row), .. kinds.Select((kind, i) => (kind, i)).Where(p => p.kind != StorePeers.NinoStoreAppender && p.kind != StorePeers.Rewritten).Select(p => scan[p.i].ToRow(Scan, row, p.kind.Name))];
    }

    private static void Warm(StorePeerKind[] kinds, OpenPeers peers, byte[] record, long[] held)
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
            if (kinds[i] != StorePeers.Rewritten) peers.Require(i, held[i], peer.Scan());
        }));
    }
}
