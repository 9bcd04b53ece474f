// The verb "store", second half: what is built on the log. Restoring against size, snapshots against raw writes, replay against a plain scan. Keyed state is in KeyedStateRun.cs.

using System.Buffers;
using System.Diagnostics;
using Store.Bench.Harness.Stores;
using Store.Bench.Workloads;
using Store.Serialization;
using Store.Snapshots;
using Store.State;

namespace Store.Bench.Harness;

/// <summary>Measures snapshots, states and keyed states.</summary>
public sealed class StateRun(HarnessOptions options, TextWriter progress)
{
    public const string RestoreTable = "Restore: open and verify the description, us", SnapshotTable = "Snapshot write with sync, MB a second", ReplayTable = "Replay, ns an event";

    private readonly List<StoreRow> _rows = [];

    /// <summary>Runs every table that matches the filter.</summary>
    public IReadOnlyList<StoreRow> Run()
    {
        Table(RestoreTable, () => { foreach (int mebibytes in options.Short ? (int[])[1, 64, 256] : [1, 64, 256, 1024, 4096]) Restore(mebibytes); });
        Table(SnapshotTable, SnapshotWrite);
        Table(ReplayTable, Replay);
        return [.. _rows, .. new KeyedStateRun(options, progress).Run()];
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
        for (int round = 0; round < 500; round++)
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
        var serialized = new Samples();
        var nino = new Samples();
        var output = new ArrayBufferWriter<byte>(1 << 20);
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
            start = Stopwatch.GetTimestamp();
            for (int i = 0; i < repeats; i++)
            {
                output.ResetWrittenCount();
                foreach (SimpleClass item in items) NinoSerializer.Serialize(output, in item);
            }

            serialized.Add(info.LengthBytes / 1e6 / Stopwatch.GetElapsedTime(start).TotalSeconds);
        }

        string row = $"{repeats * items.Count:N0} SimpleClass items";
        Add(SnapshotTable, row, StorePeerKind.Raw, "MB/s", raw);
        Add(SnapshotTable, row, "NinoStore snapshot", "MB/s", nino);
        Add(SnapshotTable, row, "the items serialized, nothing written", "MB/s", serialized);
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

        byte[][] records = [.. batch.Select(model => NinoSerializer.Serialize(in model))];
        var apart = new Samples();
        var scan = new Samples();
        var replay = new Samples();
        for (int round = 0; round < 5; round++)
        {
            using NinoStore store = NinoStore.Open(data.Directory);
            long start = Stopwatch.GetTimestamp();
            long bytes = 0, number = 0;
            foreach (ScannedRecord record in store.Scan()) bytes += record.Payload.Length;
            for (int i = 0; i < count; i++) number += NinoSerializer.Deserialize<SimpleModel>(records[i % records.Length]).TestInt;
            apart.Add(Stopwatch.GetElapsedTime(start).TotalNanoseconds / count);
            if (bytes != records.Sum(record => (long)record.Length) * (count / records.Length)) throw new InvalidDataException($"{bytes} bytes were scanned.");
            start = Stopwatch.GetTimestamp();
            long sum = 0;
            foreach (LogRecord<SimpleModel> record in store.Read<SimpleModel>()) sum += record.Value.TestInt;
            scan.Add(Stopwatch.GetElapsedTime(start).TotalNanoseconds / count);
            start = Stopwatch.GetTimestamp();
            using StateStore<Total> state = store.OpenStateAsync<Total>(on => on.On<SimpleModel>((total, e) => total.Sum += e.TestInt)).AsTask().GetAwaiter().GetResult();
            replay.Add(Stopwatch.GetElapsedTime(start).TotalNanoseconds / count);
            if (state.Read(total => total.Sum) != sum || number != sum) throw new InvalidDataException("The replayed state is another one.");
        }

        Add(ReplayTable, $"{count:N0} SimpleModel", "Scan, and as many records deserialized", "ns", apart);
        Add(ReplayTable, $"{count:N0} SimpleModel", "Read<T>", "ns", scan);
        Add(ReplayTable, $"{count:N0} SimpleModel", "OpenStateAsync", "ns", replay);
    }

    private void Add(string table, string row, string peer, string unit, Samples samples) => _rows.Add(new StoreRow(table, row, peer, unit, samples.Median, samples.Percentile(99)));
}

/// <summary>The state of the replay row.</summary>
[NinoType]
public sealed partial class Total
{
    public long Sum { get; set; }
}
