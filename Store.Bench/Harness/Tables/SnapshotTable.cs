// How fast a snapshot is written, between what the disk allows and what the processor allows.

using System.Buffers;
using System.Diagnostics;
using Store.Bench.Workloads;
using Store.Serialization;
using Store.Snapshots;

namespace Store.Bench.Harness.Tables;

/// <summary>Snapshots of many items. More is better; processor time and bytes are of a whole snapshot.</summary>
public sealed class SnapshotTable : IStoreMeasurement
{
    public static readonly StoreTable Table = new("Snapshot write with sync, MB a second", "MB/s") { Figures = ("p50", "best"), References = [Raw] };

    private const string Raw = "raw 1 MiB writes + sync";

    public IReadOnlyList<StoreTable> Tables => [Table];

    public IEnumerable<StoreRow> Measure(HarnessOptions options)
    {
        using var data = new BenchData(options.DataDirectory);
        using NinoStore store = NinoStore.Open(data.Directory);
        List<SimpleClass> items = WorkloadData.SimpleClasses(1000);
        var output = new ArrayBufferWriter<byte>(1 << 20);
        int repeats = options.Short ? 100 : 1500;
        Rates raw = new(), nino = new(), serialized = new();
        Warmup.RunBriefly(() =>
        {
            long length = Write(store, items, 1);
            WriteRaw(data.File("raw"), length);
            Serialize(output, items, 1);
        });
        for (int round = 0; round < (options.Short ? 3 : 10); round++)
        {
            long length = nino.Run(() => Write(store, items, repeats));
            raw.Run(() => WriteRaw(data.File("raw"), length));
            serialized.Run(() =>
            {
                Serialize(output, items, repeats);
                return length;
            });
        }

        string row = $"{repeats * items.Count:N0} SimpleClass items";
        return [raw.ToRow(row, Raw), nino.ToRow(row, "NinoStore snapshot"), serialized.ToRow(row, "the items serialized, nothing written")];
    }

    private static long Write(NinoStore store, List<SimpleClass> items, int repeats) =>
        store.CheckpointPartsAsync(new SnapshotParts().AddItems("items", Enumerable.Repeat(items, repeats).SelectMany(list => list))).AsTask().GetAwaiter().GetResult().LengthBytes;

    private static long WriteRaw(string path, long length)
    {
        byte[] chunk = new byte[1 << 20];
        using (var file = new FileStream(path, FileMode.Create, FileAccess.Write, FileShare.None, 0))
        {
            for (long written = 0; written < length; written += chunk.Length) file.Write(chunk.AsSpan(0, (int)Math.Min(chunk.Length, length - written)));
            file.Flush(flushToDisk: true);
        }
        return length;
    }

    private static void Serialize(ArrayBufferWriter<byte> output, List<SimpleClass> items, int repeats)
    {
        for (int i = 0; i < repeats; i++)
        {
            output.ResetWrittenCount();
            foreach (SimpleClass item in items) NinoSerializer.Serialize(output, in item);
        }
    }

    private sealed class Rates
    {
        private readonly Samples _megabytesPerSecond = new();
        private double _cpuUs;
        private long _allocated;

        // The work returns its bytes, and so does this.
        public long Run(Func<long> work)
        {
            long allocated = GC.GetTotalAllocatedBytes();
            TimeSpan cpu = Environment.CpuUsage.TotalTime;
            long start = Stopwatch.GetTimestamp();
            long bytes = work();
            _megabytesPerSecond.Add(bytes / 1e6 / Stopwatch.GetElapsedTime(start).TotalSeconds);
            _cpuUs += (Environment.CpuUsage.TotalTime - cpu).TotalMicroseconds;
            _allocated += GC.GetTotalAllocatedBytes() - allocated;
            return bytes;
        }

        public StoreRow ToRow(string row, string peer) =>
            new(Table.Name, row, peer, Table.Unit, _megabytesPerSecond.Median, _megabytesPerSecond.Percentile(100), _cpuUs / _megabytesPerSecond.Count, (double)_allocated / _megabytesPerSecond.Count);
    }
}
