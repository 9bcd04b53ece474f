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

    private const string Raw = "raw 1 MiB writes + sync", RawBegun = Raw + ", writing back begun every 8 MiB";
    private const int ObjectItems = 100_000, ChunkBytes = 1 << 20, BegunBytes = 8 << 20;

    private static readonly byte[] Chunk = BenchRecord.Of(ChunkBytes);

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
        RawFiles plain = new(data, isBegun: false), writtenBack = new(data, isBegun: true);
        TurnMeter raw = Meter(), begun = Meter(), nino = Meter(), thrownAway = Meter(), serialized = Meter();
        long length = 0;
        Warmup.Run(() =>
        {
            length = Write(store, items, 1);
            plain.Write(length);
            writtenBack.Write(length);
            Write(nowhere, items, 1);
            Serialize(output, items, 1);
        });

        // Its length is what all of them write.
        length = Write(nowhere, items, repeats);
        Action[] ways =
        [
            () => nino.Run(length, () => Require(length, Write(store, items, repeats))),
            () => raw.Run(length, () => plain.Write(length)),
            () => begun.Run(length, () => writtenBack.Write(length)),
            () => thrownAway.Run(length, () => Write(nowhere, items, repeats)),
            () => serialized.Run(length, () => Serialize(output, items, repeats)),
        ];
        for (int round = 0; round < (options.Short ? 3 : 10); round++)
        {
            foreach (int turn in Turns.Order(round, ways.Length)) ways[turn]();
        }

        string row = $"{repeats * items.Count:N0} SimpleClass items";
        return [Rate(row, raw, Raw), Rate(row, begun, RawBegun), Rate(row, nino, "NinoStore snapshot"), Rate(row, thrownAway, "NinoStore snapshot, its bytes thrown away"), Rate(row, serialized, "the items serialized, nothing written")];
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
        RawFiles plain = new(data, isBegun: false), writtenBack = new(data, isBegun: true);
        TurnMeter raw = Meter(), begun = Meter(), nino = Meter(), ofState = Meter(), serialized = Meter(), json = Meter();
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
            long warm = Checkpoint(store);
            plain.Write(warm);
            writtenBack.Write(warm);
            CheckpointState();
            Serialize();
            WriteJson(data.File("json"), held);
        });
        long length = Checkpoint(store);
        Action[] ways =
        [
            () => nino.Run(length, () => Require(length, Checkpoint(store))),
            () => raw.Run(length, () => plain.Write(length)),
            () => begun.Run(length, () => writtenBack.Write(length)),
            () => ofState.Run(length, CheckpointState),
            () => serialized.Run(length, Serialize),
            () => json.Run(length, () => WriteJson(data.File("json"), held)),
        ];
        for (int round = 0; round < (options.Short ? 3 : 20); round++)
        {
            foreach (int turn in Turns.Order(round, ways.Length)) ways[turn]();
        }

        string row = $"one object of {held.Items.Count:N0} SimpleClass";
        return
        [
            Rate(row, raw, Raw), Rate(row, begun, RawBegun), Rate(row, nino, "NinoStore snapshot"), Rate(row, ofState, "StateStore's, its bytes thrown away"), Rate(row, serialized, "the object serialized, nothing written"),
            Rate(row, json, "System.Text.Json + sync + rename"),
        ];
    }

    private static StoreRow Rate(string row, TurnMeter meter, string peer) => meter.ToRateRow(Table, row, peer, unitsPerFigure: 1e6);

    private static long Write(NinoStore store, List<SimpleClass> items, int repeats) =>
        store.CheckpointPartsAsync(new SnapshotParts().AddItems("items", Enumerable.Repeat(items, repeats).SelectMany(list => list))).AsTask().GetAwaiter().GetResult().LengthBytes;

    private static TurnMeter Meter() => new(countsBytesPrecisely: true);

    private static void Require(long expected, long length)
    {
        // The generation and the date of a snapshot may take a few bytes more or less.
        if (Math.Abs(expected - length) > 4096) throw new InvalidDataException($"A snapshot of {length} bytes where others have {expected}.");
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

    // As a checkpoint does it: the two before stay, and the one before those is removed within the time. Where it is removed first, the file that is written gets its memory and its blocks, and neither is new.
    private sealed class RawFiles(BenchData data, bool isBegun)
    {
        private readonly Queue<string> _kept = [];
        private int _written;

        public void Write(long length)
        {
            string path = data.File($"raw-{(isBegun ? "begun" : "plain")}-{_written++}");
            Write(path, length);
            _kept.Enqueue(path);
            if (_kept.Count > 2) File.Delete(_kept.Dequeue());
        }

        private void Write(string path, long length)
        {
            using var file = new FileStream(path, FileMode.Create, FileAccess.Write, FileShare.None, 0);
            for (long written = 0; written < length; written += ChunkBytes)
            {
                if (isBegun && written > 0 && written % BegunBytes == 0) Disk.BeginWritingBack(file.SafeFileHandle, written - BegunBytes, BegunBytes);
                file.Write(Chunk.AsSpan(0, (int)Math.Min(ChunkBytes, length - written)));
            }

            file.Flush(flushToDisk: true);
        }
    }
}
