// How fast a state is made from its events, against what that consists of.

using Store.Bench.Workloads;
using Store.Serialization;
using Store.State;

namespace Store.Bench.Harness.Tables;

/// <summary>Replay of SimpleModel events without a snapshot.</summary>
public sealed class ReplayTable : IStoreMeasurement
{
    public static readonly StoreTable Table = new("Replay, ns an event", "ns") { IsByMinimum = true, Figures = ("p50", "worst") };

    // Opening counts what it replays, and writes a checkpoint of so much: the next turn would begin there.
    private static readonly StateOptions NoCheckpoints = new() { CheckpointEveryEvents = long.MaxValue, CheckpointEveryBytes = long.MaxValue };

    public IReadOnlyList<StoreTable> Tables => [Table];

    public IEnumerable<StoreRow> Measure(HarnessOptions options)
    {
        TurnMeter[] meters = TurnMeter.Many(3, countsBytesPrecisely: true);
        List<SimpleModel> batch = WorkloadData.SimpleModels(1000);
        byte[][] records = [.. batch.Select(model => NinoSerializer.Serialize(in model))];
        using var small = new BenchData(options.DataDirectory);
        using (NinoStore store = Fill(small.Directory, batch, batch.Count))
        {
            Warmup.Run(() => Round(0, store, records, batch.Count, TurnMeter.Many(3)));
        }

        using var data = new BenchData(options.DataDirectory);
        int count = options.Short ? 200_000 : 2_000_000;
        Fill(data.Directory, batch, count).Dispose();
        for (int round = 0; round < 5; round++)
        {
            using NinoStore store = NinoStore.Open(data.Directory);
            Round(round, store, records, count, meters);
        }

        string row = $"{count:N0} SimpleModel";
        return [meters[0].ToRow(Table, row, "Scan, and as many records deserialized"), meters[1].ToRow(Table, row, "Read<T>"), meters[2].ToRow(Table, row, "OpenStateAsync")];
    }

    private static NinoStore Fill(string directory, List<SimpleModel> batch, int count)
    {
        NinoStore store = NinoStore.Open(directory);
        for (int i = 0; i < count; i += batch.Count) store.AppendBatch<SimpleModel>(batch);
        return store;
    }

    private static void Round(int round, NinoStore store, byte[][] records, int count, TurnMeter[] meters)
    {
        long bytes = 0, number = 0, sum = 0, state = 0;
        Action[] ways =
        [
            () =>
            {
                bytes = ScanAll(store);
                number = DeserializeAll(records, count);
            },
            () => sum = ReadAll(store),
            () => state = Replay(store),
        ];
        foreach (int i in Turns.Order(round, ways.Length)) meters[i].Run(count, ways[i]);
        if (bytes != records.Sum(record => (long)record.Length) * (count / records.Length)) throw new InvalidDataException($"{bytes} bytes were scanned.");
        if (state != sum || number != sum) throw new InvalidDataException("The replayed state is another one.");
    }

    private static long ScanAll(NinoStore store)
    {
        long bytes = 0;
        foreach (ScannedRecord record in store.Scan()) bytes += record.Payload.Length;
        return bytes;
    }

    private static long DeserializeAll(byte[][] records, int count)
    {
        long sum = 0;
        for (int i = 0; i < count; i++) sum += NinoSerializer.Deserialize<SimpleModel>(records[i % records.Length]).TestInt;
        return sum;
    }

    private static long ReadAll(NinoStore store)
    {
        long sum = 0;
        foreach (LogRecord<SimpleModel> record in store.Read<SimpleModel>()) sum += record.Value.TestInt;
        return sum;
    }

    private static long Replay(NinoStore store)
    {
        using StateStore<Total> state = store.OpenStateAsync<Total>(on => on.On<SimpleModel>((total, e) => total.Sum += e.TestInt), NoCheckpoints).AsTask().GetAwaiter().GetResult();
        return state.Read(total => total.Sum);
    }
}

/// <summary>The state of the replay row.</summary>
[NinoType]
public sealed partial class Total
{
    public long Sum { get; set; }
}
