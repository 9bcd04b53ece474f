// What an append costs until the record is in the log's memory: sizes, one and two producers, batches. Nothing is committed in between, and everything is counted at the end.

using Store.Bench.Harness.Stores;

namespace Store.Bench.Harness.Tables;

/// <summary>Appends to memory.</summary>
public sealed class AppendTable : IStoreMeasurement
{
    public static readonly StoreTable Table = new("Append to memory, ns a record", "ns") { IsByMinimum = true };

    // A sample stays below what logs hold back before they write, so that the least of them is the append alone.
    private const int MaxSampleBytes = 256 * 1024, MaxSampleRecords = 1000;

    private static readonly StorePeerKind[] Shared = [StorePeers.NinoStore, StorePeers.NinoStoreAppender, .. StorePeers.FasterLogs];

    public IReadOnlyList<StoreTable> Tables => [Table];

    public IEnumerable<StoreRow> Measure(HarnessOptions options)
    {
        foreach (int size in (int[])[16, 128, 1024, 16 * 1024])
        {
            int records = Math.Min(MaxSampleRecords, MaxSampleBytes / size);
            foreach (StoreRow row in OneProducer(options, $"{size:N0} B", size, [.. Shared, StorePeers.FileStream], records, static (peer, record, count) => peer.Append(record, count))) yield return row;
            foreach (StoreRow row in TwoProducers(options, $"{size:N0} B, 2 producers", size, records)) yield return row;

            // A batch of larger records does not fit on a page of FasterLog as it comes.
            foreach (int batch in size <= 1024 ? (int[])[30, 1000] : [])
            {
                int batches = Math.Max(1, records / batch);
                foreach (StoreRow row in OneProducer(options, $"{size:N0} B, batches of {batch}", size, [StorePeers.NinoStore, .. StorePeers.FasterLogs], batches * batch, (peer, record, count) =>
                {
                    for (int done = 0; done < count; done += batch) ((IBatchPeer)peer).AppendBatch(record, batch);
                })) yield return row;
            }
        }
    }

    private static int Rounds(HarnessOptions options) => options.Short ? 100 : 1000;

    private static IEnumerable<StoreRow> OneProducer(HarnessOptions options, string row, int size, IEnumerable<StorePeerKind> kinds, int perSample, Action<IStorePeer, byte[], int> append)
    {
        using var peers = new OpenPeers(kinds, options.DataDirectory);
        byte[] record = BenchRecord.Of(size);
        TurnMeter[] meters = peers.Meters();
        long rounds = 0;
        Warmup.Run(() => Round(static (_, work) => work()));
        for (int round = 0; round < Rounds(options); round++) Round((i, work) => meters[i].Run(perSample, work));
        peers.CommitAndCount(record, _ => rounds * perSample);
        return peers.Rows(meters, Table, row);

        void Round(Action<int, Action> run) => peers.InTurn(rounds++, (peer, i) => run(i, () => append(peer, record, perSample)));
    }

    private static IEnumerable<StoreRow> TwoProducers(HarnessOptions options, string row, int size, int perProducer)
    {
        using var peers = new OpenPeers(Shared, options.DataDirectory);
        using var pair = new ProducerPair();
        byte[] record = BenchRecord.Of(size);
        TurnMeter[] meters = peers.Meters();
        long rounds = 0;
        Warmup.Run(() => Round(static (_, both) => both.Run()));
        for (int round = 0; round < Rounds(options); round++) Round((i, both) => meters[i].Run(2L * perProducer, both.Run));
        peers.CommitAndCount(record, _ => rounds * 2 * perProducer);
        return peers.Rows(meters, Table, row);

        void Round(Action<int, ProducerPair> run) => peers.InTurn(rounds++, (peer, i) =>
        {
            pair.Prepare(() => peer.Append(record, perProducer));
            run(i, pair);
        });
    }
}
