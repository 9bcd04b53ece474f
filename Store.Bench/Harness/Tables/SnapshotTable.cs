// How fast a snapshot is written, between what the disk allows and what the processor allows.

using System.Buffers;
using Store.Bench.Harness.Stores;
using Store.Bench.Workloads;
using Store.Serialization;
using Store.Snapshots;

namespace Store.Bench.Harness.Tables;

/// <summary>Snapshots of many items. More is better; processor time and bytes are of a megabyte.</summary>
public sealed class SnapshotTable : IStoreMeasurement
{
    public static readonly StoreTable Table = new("Snapshot write with sync, MB a second", "MB/s") { Figures = ("p50", "worst"), References = [Raw] };

    private const string Raw = "raw 1 MiB writes + sync";

    public IReadOnlyList<StoreTable> Tables => [Table];

    public IEnumerable<StoreRow> Measure(HarnessOptions options)
    {
        using var data = new BenchData(options.DataDirectory);
        using NinoStore store = NinoStore.Open(data.Directory);
        using NinoStore nowhere = NinoStore.Open("nowhere", new NinoStoreOptions { Directory = new NowhereDirectory() });
        List<SimpleClass> items = WorkloadData.SimpleClasses(1000);
        var output = new ArrayBufferWriter<byte>(1 << 20);
        int repeats = options.Short ? 100 : 1500;
        TurnMeter raw = new(), nino = new(), thrownAway = new(), serialized = new();
        Warmup.Run(() =>
        {
            long length = Write(store, items, 1);
            WriteRaw(data.File("raw"), length);
            Write(nowhere, items, 1);
            Serialize(output, items, 1);
        });
        for (int round = 0; round < (options.Short ? 3 : 10); round++)
        {
            nino.Start();
            long length = Write(store, items, repeats);
            nino.Stop(length);
            raw.Run(length, () => WriteRaw(data.File("raw"), length));
            thrownAway.Run(length, () => Write(nowhere, items, repeats));
            serialized.Run(length, () => Serialize(output, items, repeats));
        }

        string row = $"{repeats * items.Count:N0} SimpleClass items";
        return [Rate(raw, Raw), Rate(nino, "NinoStore snapshot"), Rate(thrownAway, "NinoStore snapshot, its bytes thrown away"), Rate(serialized, "the items serialized, nothing written")];

        StoreRow Rate(TurnMeter meter, string peer) => meter.ToRateRow(Table, row, peer, unitsPerFigure: 1e6);
    }

    private static long Write(NinoStore store, List<SimpleClass> items, int repeats) =>
        store.CheckpointPartsAsync(new SnapshotParts().AddItems("items", Enumerable.Repeat(items, repeats).SelectMany(list => list))).AsTask().GetAwaiter().GetResult().LengthBytes;

    private static void WriteRaw(string path, long length)
    {
        byte[] chunk = new byte[1 << 20];
        using var file = new FileStream(path, FileMode.Create, FileAccess.Write, FileShare.None, 0);
        for (long written = 0; written < length; written += chunk.Length) file.Write(chunk.AsSpan(0, (int)Math.Min(chunk.Length, length - written)));
        file.Flush(flushToDisk: true);
    }

    private static void Serialize(ArrayBufferWriter<byte> output, List<SimpleClass> items, int repeats)
    {
        for (int i = 0; i < repeats; i++)
        {
            output.ResetWrittenCount();
            foreach (SimpleClass item in items) NinoSerializer.Serialize(output, in item);
        }
    }
}
