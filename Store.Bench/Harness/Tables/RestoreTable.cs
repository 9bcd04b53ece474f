// How long it takes until a snapshot can be read, against its size.

using Store.Bench.Workloads;
using Store.Snapshots;

namespace Store.Bench.Harness.Tables;

/// <summary>Opening snapshots of growing size.</summary>
public sealed class RestoreTable : IStoreMeasurement
{
    public static readonly StoreTable Table = new("Restore: open and verify the description, us", "us") { References = [Open] };

    private const string Open = "open", Find = "found by the store and opened";

    private static readonly int[] Generations = [1, 10];

    public IReadOnlyList<StoreTable> Tables => [Table];

    public IEnumerable<StoreRow> Measure(HarnessOptions options) =>
        [.. (options.Short ? (int[])[1, 64, 256] : [1, 64, 256, 1024, 4096]).SelectMany(mebibytes => Measure(options, mebibytes)), .. Generations.Select(generations => MeasureFinding(options, generations))];

    private static StoreRow[] Measure(HarnessOptions options, int mebibytes)
    {
        using var data = new BenchData(options.DataDirectory);
        using NinoStore store = NinoStore.Open(data.Directory);
        byte[] item = new byte[64 * 1024 - 16];
        new Random(WorkloadData.Seed).NextBytes(item);
        store.CheckpointPartsAsync(new SnapshotParts().AddItems("items", Enumerable.Repeat(item, mebibytes * 16))).AsTask().GetAwaiter().GetResult();
        string path = Path.Combine(data.Directory, store.Snapshots[0].FileName);
        TurnMeter open = new(countsBytesPrecisely: true), first = new(countsBytesPrecisely: true);
        Warmup.Run(() => OpenAndRead(path, mebibytes * 8L, item.Length));
        for (int round = 0; round < (options.Short ? 200 : 1000); round++)
        {
            foreach (int turn in Turns.Order(round, 2))
            {
                if (turn == 0) open.Run(1, () => SnapshotFile.Open(path).Dispose());
                else first.Run(1, () => OpenAndRead(path, mebibytes * 8L, item.Length));
            }
        }

        string row = $"{mebibytes:N0} MiB";
        return [open.ToRow(Table, row, Open), first.ToRow(Table, row, "open and first item")];
    }

    private static StoreRow MeasureFinding(HarnessOptions options, int generations)
    {
        using var data = new BenchData(options.DataDirectory);
        using NinoStore store = NinoStore.Open(data.Directory, new NinoStoreOptions { SnapshotGenerations = Generations.Max() });
        for (int i = 0; i < generations; i++) store.CheckpointPartsAsync(new SnapshotParts().AddItems("items", Enumerable.Repeat(new byte[64 * 1024 - 16], 16))).AsTask().GetAwaiter().GetResult();
        TurnMeter find = new(countsBytesPrecisely: true);
        Warmup.Run(() => store.OpenSnapshot()!.Dispose());
        for (int round = 0; round < (options.Short ? 200 : 1000); round++) find.Run(1, () => store.OpenSnapshot()!.Dispose());
        return find.ToRow(Table, $"1 MiB, {generations} generation{(generations == 1 ? "" : "s")}", Find);
    }

    private static void OpenAndRead(string path, long index, int expectedBytes)
    {
        using SnapshotFile file = SnapshotFile.Open(path);
        int read = file.Parts[0].UseItem(index, 0, static (bytes, _) => bytes.Length);
        if (read < expectedBytes) throw new InvalidDataException($"An item of {read} bytes.");
    }
}
