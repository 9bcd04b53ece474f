// The verb "store", second half: what is built on the log. Restoring against size, snapshots against raw writes, replay against a plain scan, keyed state against the bare engine and against
// JSON values in it.

using System.Diagnostics;
using System.Text.Json;
using Store.Bench.Harness.Stores;
using Store.Bench.Workloads;
using Store.Faster;
using Store.KeyValue;
using Store.Snapshots;
using Store.State;

namespace Store.Bench.Harness;

/// <summary>Measures snapshots, states and keyed states.</summary>
public sealed class StateRun(HarnessOptions options, TextWriter progress)
{
    public const string RestoreTable = "Restore: open and verify the description, us", SnapshotTable = "Snapshot write with sync, MB a second", ReplayTable = "Replay, ns an event",
        PutTable = "Keyed state put, ns", GetTable = "Keyed state get, ns";

    private const int Keys = 100_000, PerSample = 10_000;

    private readonly List<StoreRow> _rows = [];

    /// <summary>Runs every table that matches the filter.</summary>
    public IReadOnlyList<StoreRow> Run()
    {
        Table(RestoreTable, () => { foreach (int mebibytes in options.Short ? (int[])[1, 64] : [1, 64, 1024, 4096]) Restore(mebibytes); });
        Table(SnapshotTable, SnapshotWrite);
        Table(ReplayTable, Replay);
        Table(PutTable, KeyedState);
        return _rows;
    }

    private void Table(string name, Action measure)
    {
        if (!options.Matches(name)) return;
        progress.WriteLine(name);
        measure();
    }

    private void Restore(int mebibytes)
    {
        using var data = new BenchData(options.DataDirectory);
        using NinoStore store = NinoStore.Open(data.Directory);
        byte[] item = new byte[64 * 1024 - 16];
        new Random(WorkloadData.Seed).NextBytes(item);
        store.CheckpointPartsAsync(new SnapshotParts().AddItems("items", Enumerable.Repeat(item, mebibytes * 16))).AsTask().GetAwaiter().GetResult();
        string path = Path.Combine(data.Directory, store.Snapshots[0].FileName);
        var open = new Samples();
        var first = new Samples();
        for (int round = 0; round < 50; round++)
        {
            long start = Stopwatch.GetTimestamp();
            using SnapshotFile file = SnapshotFile.Open(path);
            open.Add(Stopwatch.GetElapsedTime(start).TotalMicroseconds);
            int read = file.Parts[0].UseItem(mebibytes * 8L, 0, static (bytes, _) => bytes.Length);
            first.Add(Stopwatch.GetElapsedTime(start).TotalMicroseconds);
            if (read < item.Length) throw new InvalidDataException($"An item of {read} bytes.");
        }

        Add(RestoreTable, $"{mebibytes} MiB", "open", "us", open);
        Add(RestoreTable, $"{mebibytes} MiB", "open and first item", "us", first);
    }

    private void SnapshotWrite()
    {
        using var data = new BenchData(options.DataDirectory);
        using NinoStore store = NinoStore.Open(data.Directory);
        List<SimpleClass> items = WorkloadData.SimpleClasses(1000);
        int repeats = options.Short ? 100 : 1500;
        var raw = new Samples();
        var nino = new Samples();
        for (int round = 0; round < (options.Short ? 3 : 10); round++)
        {
            long start = Stopwatch.GetTimestamp();
            SnapshotInfo info = store.CheckpointPartsAsync(new SnapshotParts().AddItems("items", Enumerable.Repeat(items, repeats).SelectMany(list => list))).AsTask().GetAwaiter().GetResult();
            nino.Add(info.LengthBytes / 1e6 / Stopwatch.GetElapsedTime(start).TotalSeconds);
            byte[] chunk = new byte[1 << 20];
            start = Stopwatch.GetTimestamp();
            string path = data.File("raw");
            using (var file = new FileStream(path, FileMode.Create, FileAccess.Write, FileShare.None, 0))
            {
                for (long written = 0; written < info.LengthBytes; written += chunk.Length) file.Write(chunk);
                file.Flush(flushToDisk: true);
            }

            raw.Add(info.LengthBytes / 1e6 / Stopwatch.GetElapsedTime(start).TotalSeconds);
            File.Delete(path);
        }

        string row = $"{repeats * items.Count:N0} SimpleClass items";
        Add(SnapshotTable, row, StorePeerKind.Raw, "MB/s", raw);
        Add(SnapshotTable, row, "NinoStore snapshot", "MB/s", nino);
    }

    private void Replay()
    {
        using var data = new BenchData(options.DataDirectory);
        int count = options.Short ? 200_000 : 2_000_000;
        var batch = WorkloadData.SimpleModels(1000);
        using (NinoStore store = NinoStore.Open(data.Directory))
        {
            for (int i = 0; i < count; i += batch.Count) store.AppendBatch<SimpleModel>(batch);
        }

        var scan = new Samples();
        var replay = new Samples();
        for (int round = 0; round < 5; round++)
        {
            using NinoStore store = NinoStore.Open(data.Directory);
            long start = Stopwatch.GetTimestamp();
            long sum = 0;
            foreach (LogRecord<SimpleModel> record in store.Read<SimpleModel>()) sum += record.Value.TestInt;
            scan.Add(Stopwatch.GetElapsedTime(start).TotalNanoseconds / count);
            start = Stopwatch.GetTimestamp();
            using StateStore<Total> state = store.OpenStateAsync<Total>(on => on.On<SimpleModel>((total, e) => total.Sum += e.TestInt)).AsTask().GetAwaiter().GetResult();
            replay.Add(Stopwatch.GetElapsedTime(start).TotalNanoseconds / count);
            if (state.Read(total => total.Sum) != sum) throw new InvalidDataException("The replayed state is another one.");
        }

        Add(ReplayTable, $"{count:N0} SimpleModel", "Read<T>", "ns", scan);
        Add(ReplayTable, $"{count:N0} SimpleModel", "OpenStateAsync", "ns", replay);
    }

    private void KeyedState()
    {
        using var data = new BenchData(options.DataDirectory);
        using NinoStore store = NinoStore.Open(data.File("nino"));
        using IKeyValueStore<long, Poco> nino = store.OpenKeyValue<long, Poco>("bench", new FasterOptions { MemorySizeBytes = 256 << 20, PageSizeBytes = 4 << 20, IndexSizeBytes = 64 << 20 });
        using var bytes = new BareFasterKv(Directory.CreateDirectory(data.File("bytes")).FullName);
        using var json = new BareFasterKv(Directory.CreateDirectory(data.File("json")).FullName);
        List<Poco> values = WorkloadData.Pocos(1000, uniqueText: true);
        byte[] opaque = Serialization.NinoSerializer.Serialize(values[0]);
        long[] order = [.. Enumerable.Range(0, Keys)];
        new Random(WorkloadData.Seed).Shuffle(order);
        (string Name, Action<long> Put, Action<long> Get)[] peers =
        [
            ("FasterKV, bytes", key => bytes.Put(key, opaque), key => bytes.Get(key)),
            ("FasterKV, System.Text.Json", key => json.Put(key, JsonSerializer.SerializeToUtf8Bytes(values[(int)(key % values.Count)])), key => Require(JsonSerializer.Deserialize<Poco>(json.Get(key)))),
            ("NinoStore", key => nino.Put(key, values[(int)(key % values.Count)]), key => Require(nino.TryGet(key, out Poco? value) ? value : null)),
        ];
        foreach ((_, Action<long> put, _) in peers)
            foreach (long key in order) put(key);
        Samples[] puts = [.. peers.Select(_ => new Samples())], gets = [.. peers.Select(_ => new Samples())];
        for (int round = 0; round < (options.Short ? 20 : 200); round++)
        {
            ReadOnlySpan<long> keys = order.AsSpan(round * PerSample % Keys, PerSample);
            for (int turn = 0; turn < peers.Length; turn++)
            {
                int i = (round + turn) % peers.Length;
                puts[i].Add(Measure(keys, peers[i].Put));
                gets[i].Add(Measure(keys, peers[i].Get));
            }
        }

        for (int i = 0; i < peers.Length; i++)
        {
            Add(PutTable, $"{Keys:N0} keys, Poco", peers[i].Name, "ns", puts[i]);
            Add(GetTable, $"{Keys:N0} keys, Poco", peers[i].Name, "ns", gets[i]);
        }
    }

    private static double Measure(ReadOnlySpan<long> keys, Action<long> operation)
    {
        long start = Stopwatch.GetTimestamp();
        foreach (long key in keys) operation(key);
        return Stopwatch.GetElapsedTime(start).TotalNanoseconds / keys.Length;
    }

    private static void Require(Poco? value)
    {
        if (value is null) throw new InvalidDataException("A key is missing.");
    }

    private void Add(string table, string row, string peer, string unit, Samples samples) => _rows.Add(new StoreRow(table, row, peer, unit, samples.Median, samples.Percentile(99)));
}

/// <summary>The state of the replay row.</summary>
[Serialization.NinoType]
public sealed partial class Total
{
    public long Sum { get; set; }
}
