// What a batch costs until it is on the disk, against the bare write and fdatasync of as many bytes.

using Store.Bench.Harness.Stores;

namespace Store.Bench.Harness.Tables;

/// <summary>Durable batches of 1, 30 and 1000 small records, and of 30 larger ones.</summary>
public sealed class DurableTable : IStoreMeasurement
{
    public static readonly StoreTable Table = new("Durable batch, us a batch", "us");

    private static readonly (int Count, int SizeBytes)[] Batches = [(1, 128), (30, 128), (1000, 128), (30, 1024)];

    public IReadOnlyList<StoreTable> Tables => [Table];

    public IEnumerable<StoreRow> Measure(HarnessOptions options) => Batches.SelectMany(batch => MeasureAsync(options, batch.Count, batch.SizeBytes).GetAwaiter().GetResult());

    // One method for all turns: what is awaited is then kept in one state machine, and its bytes are in nobody's row.
    private static async Task<StoreRow[]> MeasureAsync(HarnessOptions options, int count, int sizeBytes)
    {
        using var peers = new OpenPeers([StorePeers.Raw, StorePeers.NinoStore, StorePeers.NinoStoreAwaited, .. StorePeers.FasterLogs, StorePeers.Sqlite, .. StorePeers.Named, StorePeers.FileStream], options.DataDirectory);
        byte[] record = BenchRecord.Of(sizeBytes);
        TurnMeter[] meters = peers.Meters(countBytesPrecisely: true);
        Warmup.Run(() => peers.ForEach((peer, _) => peer.AppendDurableAsync(record, count).AsTask().GetAwaiter().GetResult()));
        int rounds = options.Short ? 60 : 2000;
        long[] before = [.. Enumerable.Range(0, peers.Count).Select(i => peers.Peer(i).Scan())];
        for (int round = 0; round < rounds; round++)
        {
            foreach (int i in Turns.Order(round, peers.Count))
            {
                IStorePeer peer = peers.Peer(i);
                meters[i].Start();
                await peer.AppendDurableAsync(record, count).ConfigureAwait(false);
                meters[i].Stop(1);
            }
        }

        // The raw file is overwritten from its start: it counts what fits.
        peers.ForEach((peer, i) =>
        {
            if (peer is not RawPeer) peers.Require(i, before[i] + ((long)rounds * count), peer.Scan());
        });
        return [.. peers.Rows(meters, Table, $"{count} x {sizeBytes:N0} B")];
    }
}
