// How fast a snapshot is written, between what the disk allows and what the processor allows.

using System.Buffers;
using System.Text.Json;
using Store.Bench.Harness.Stores;
using Store.Bench.Workloads;
using Store.Serialization;
using Store.Snapshots;
using Store.State;

namespace Store.Bench.Harness.Tables;

/// <summary>Snapshots of many items, and of one object that holds as many as a program keeps in memory. More is better; processor time and bytes are of a megabyte, as the snapshot has it.</summary>
public sealed class SnapshotTable : IStoreMeasurement
{
    public static readonly StoreTable Table = new("Snapshot write with sync, MB a second", "MB/s") { Figures = ("p50", "worst"), References = [Raw] };

    private const string Raw = "raw 1 MiB writes + sync";
    private const int ObjectItems = 100_000;

    public IReadOnlyList<StoreTable> Tables => [Table];

    public IEnumerable<StoreRow> Measure(HarnessOptions options) => [.. MeasureItems(options), .. MeasureObject(options)];

    private static StoreRow[] MeasureItems(HarnessOptions options)
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
        return [Rate(row, raw, Raw), Rate(row, nino, "NinoStore snapshot"), Rate(row, thrownAway, "NinoStore snapshot, its bytes thrown away"), Rate(row, serialized, "the items serialized, nothing written")];
    }

    // What a StateStore writes is such an object as well: by the same way, with a cut of its own in front.
    private static StoreRow[] MeasureObject(HarnessOptions options)
    {
        using var data = new BenchData(options.DataDirectory);
        using NinoStore store = NinoStore.Open(data.Directory);
        using NinoStore nowhere = NinoStore.Open("nowhere", new NinoStoreOptions { Directory = new NowhereDirectory() });
        var held = new ManyItems { Items = WorkloadData.SimpleClasses(options.Short ? ObjectItems / 10 : ObjectItems) };
        using StateStore<ManyItems> state = nowhere.OpenStateAsync(() => held, static on => on.On<ItemChanged>(static (items, e) => items.Apply(e))).AsTask().GetAwaiter().GetResult();
        var output = new ArrayBufferWriter<byte>(1 << 20);
        TurnMeter raw = new(), nino = new(), ofState = new(), serialized = new(), json = new();
        long Checkpoint(NinoStore to) => to.CheckpointAsync(held).AsTask().GetAwaiter().GetResult().LengthBytes;
        void CheckpointState()
        {
            state.Apply(new ItemChanged(0, 1));
            state.CheckpointAsync().AsTask().GetAwaiter().GetResult();
        }

        void Serialize()
        {
            output.ResetWrittenCount();
            NinoSerializer.Serialize(output, in held);
        }

        Warmup.Run(() =>
        {
            WriteRaw(data.File("raw"), Checkpoint(store));
            CheckpointState();
            Serialize();
            WriteJson(data.File("json"), held);
        });
        for (int round = 0; round < (options.Short ? 3 : 20); round++)
        {
            nino.Start();
            long length = Checkpoint(store);
            nino.Stop(length);
            raw.Run(length, () => WriteRaw(data.File("raw"), length));
            ofState.Run(length, CheckpointState);
            serialized.Run(length, Serialize);
            json.Run(length, () => WriteJson(data.File("json"), held));
        }

        string row = $"one object of {held.Items.Count:N0} SimpleClass";
        return
        [
            Rate(row, raw, Raw), Rate(row, nino, "NinoStore snapshot"), Rate(row, ofState, "StateStore's, its bytes thrown away"), Rate(row, serialized, "the object serialized, nothing written"),
            Rate(row, json, "System.Text.Json + sync + rename"),
        ];
    }

    private static StoreRow Rate(string row, TurnMeter meter, string peer) => meter.ToRateRow(Table, row, peer, unitsPerFigure: 1e6);

    private static long Write(NinoStore store, List<SimpleClass> items, int repeats) =>
        store.CheckpointPartsAsync(new SnapshotParts().AddItems("items", Enumerable.Repeat(items, repeats).SelectMany(list => list))).AsTask().GetAwaiter().GetResult().LengthBytes;

    private static void WriteRaw(string path, long length)
    {
        byte[] chunk = new byte[1 << 20];
        using var file = new FileStream(path, FileMode.Create, FileAccess.Write, FileShare.None, 0);
        for (long written = 0; written < length; written += chunk.Length) file.Write(chunk.AsSpan(0, (int)Math.Min(chunk.Length, length - written)));
        file.Flush(flushToDisk: true);
    }

    private static void WriteJson(string path, ManyItems value)
    {
        using (var file = new FileStream(path + ".tmp", FileMode.Create, FileAccess.Write, FileShare.None, 0))
        {
            JsonSerializer.Serialize(file, value);
            file.Flush(flushToDisk: true);
        }

        File.Move(path + ".tmp", path, overwrite: true);
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
