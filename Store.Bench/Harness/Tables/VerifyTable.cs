// What verifying all of a snapshot on opening costs, on all processors and on one.

using Store.Bench.Workloads;
using Store.Snapshots;

namespace Store.Bench.Harness.Tables;

/// <summary>Every page of a snapshot that is in the system's cache. More is better; processor time and bytes are of a megabyte.</summary>
public sealed class VerifyTable : IStoreMeasurement
{
    public static readonly StoreTable Table = new("Verify all of a snapshot, MB a second", "MB/s") { Figures = ("p50", "worst"), References = [One] };

    private const string One = "page by page, one thread";
    private const int Mebibytes = 256;

    public IReadOnlyList<StoreTable> Tables => [Table];

    public IEnumerable<StoreRow> Measure(HarnessOptions options)
    {
        using var data = new BenchData(options.DataDirectory);
        using NinoStore store = NinoStore.Open(data.Directory);
        string small = Write(1), large = Write(Mebibytes);
        TurnMeter one = new(countsBytesPrecisely: true), all = new(countsBytesPrecisely: true);
        Warmup.Run(() =>
        {
            PageByPage(small);
            AllAtOnce(small);
        });
        long length = new FileInfo(large).Length;
        for (int round = 0; round < (options.Short ? 20 : 200); round++)
        {
            foreach (int turn in Turns.Order(round, 2))
            {
                if (turn == 0) one.Run(length, () => PageByPage(large));
                else all.Run(length, () => AllAtOnce(large));
            }
        }

        string row = $"{Mebibytes} MiB, {Environment.ProcessorCount} processors";
        return [one.ToRateRow(Table, row, One, unitsPerFigure: 1e6), all.ToRateRow(Table, row, "SnapshotVerification.All", unitsPerFigure: 1e6)];

        string Write(int mebibytes)
        {
            byte[] item = new byte[64 * 1024 - 16];
            new Random(WorkloadData.Seed).NextBytes(item);
            SnapshotInfo info = store.CheckpointPartsAsync(new SnapshotParts().AddItems("items", Enumerable.Repeat(item, mebibytes * 16))).AsTask().GetAwaiter().GetResult();
            return data.File(info.FileName);
        }
    }

    private static void PageByPage(string path)
    {
        using SnapshotFile file = SnapshotFile.Open(path);
        if (file.Verify().Count > 0) throw new InvalidDataException("The snapshot is damaged.");
    }

    private static void AllAtOnce(string path) => SnapshotFile.Open(path, SnapshotVerification.All).Dispose();
}
