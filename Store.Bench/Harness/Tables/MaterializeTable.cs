// How long it takes until the state of a snapshot is objects again, against its size: found, mapped, every page verified, and made.

using Store.Bench.Workloads;
using Store.Serialization;

namespace Store.Bench.Harness.Tables;

/// <summary>Restoring lists of SimpleClass of growing size from snapshots in the system's cache, beside making them from bytes in memory. More is better; processor time and bytes are of a megabyte.</summary>
public sealed class MaterializeTable : IStoreMeasurement
{
    public static readonly StoreTable Table = new("Restore: a state made anew, MB a second", "MB/s") { Figures = ("p50", "worst"), References = [Memory] };

    private const string Memory = "deserialized from memory, nothing verified";
    private const int ItemBytes = 648;

    public IReadOnlyList<StoreTable> Tables => [Table];

    public IEnumerable<StoreRow> Measure(HarnessOptions options)
    {
        using var data = new BenchData(options.DataDirectory);
        Warm(data);
        int[] sizes = options.Short ? [1, 16] : [1, 16, 256];
        foreach (int mebibytes in sizes)
        {
            foreach (StoreRow row in Measure(data, mebibytes, rounds: options.Short ? 10 : Math.Max(10, 200 / mebibytes))) yield return row;
        }
    }

    private static StoreRow[] Measure(BenchData data, int mebibytes, int rounds)
    {
        List<SimpleClass> some = WorkloadData.SimpleClasses(1000);
        List<SimpleClass> state = [.. Enumerable.Range(0, mebibytes * 1024 * 1024 / ItemBytes).Select(i => some[i % some.Count])];
        byte[] bytes = NinoSerializer.Serialize(state);
        using NinoStore store = NinoStore.Open(data.File($"{mebibytes}"));
        store.CheckpointAsync(state).AsTask().GetAwaiter().GetResult();
        TurnMeter memory = new(countsBytesPrecisely: true), restore = new(countsBytesPrecisely: true);
        for (int round = 0; round < rounds; round++)
        {
            foreach (int turn in Turns.Order(round, 2))
            {
                if (turn == 0) memory.Run(bytes.Length, () => FromMemory(state, bytes));
                else restore.Run(bytes.Length, () => Restore(state, store));
            }
        }

        string row = $"{mebibytes} MiB, {state.Count:N0} SimpleClass";
        return [memory.ToRateRow(Table, row, Memory, unitsPerFigure: 1e6), restore.ToRateRow(Table, row, "RestoreAsync", unitsPerFigure: 1e6)];
    }

    private static void Warm(BenchData data)
    {
        List<SimpleClass> some = WorkloadData.SimpleClasses(100);
        byte[] bytes = NinoSerializer.Serialize(some);
        using NinoStore store = NinoStore.Open(data.File("warm"));
        store.CheckpointAsync(some).AsTask().GetAwaiter().GetResult();
        Warmup.Run(() =>
        {
            FromMemory(some, bytes);
            Restore(some, store);
        });
    }

    private static void FromMemory(List<SimpleClass> expected, byte[] bytes) => Check(expected, NinoSerializer.Deserialize<List<SimpleClass>>(bytes));

    private static void Restore(List<SimpleClass> expected, NinoStore store) =>
        Check(expected, store.RestoreAsync<List<SimpleClass>>(static (_, _) => { }).AsTask().GetAwaiter().GetResult());

    private static void Check(List<SimpleClass> expected, List<SimpleClass> actual)
    {
        if (actual.Count != expected.Count) throw new InvalidDataException($"{actual.Count} of {expected.Count} items.");
        SimpleClass.Verify(expected[^1], actual[^1]);
    }
}
