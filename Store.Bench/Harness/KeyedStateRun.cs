// The verb "store", last part: keyed state. First what it costs over the bare engine: a million values of 100 bytes, with the price of the log shown apart. Then what a user would use instead: objects
// in FASTER by way of another serializer, and SQLite.

using System.Diagnostics;
using Store.Bench.Harness.Stores;
using Store.Bench.Workloads;
using Store.Faster;
using Store.KeyValue;
using Store.Serialization;

namespace Store.Bench.Harness;

/// <summary>Measures keyed states. One thread; peers take turns of 10,000 operations, in an order of keys without locality.</summary>
public sealed class KeyedStateRun(HarnessOptions options, TextWriter progress)
{
    public const string PutTable = "Keyed state put, ns", GetTable = "Keyed state get, ns";

    private const int PerTurn = 10_000, ValueBytes = 100;

    // No checkpoint comes in between: the bare engine takes none.
    private static readonly FasterOptions Memory = new() { MemorySizeBytes = 256 << 20, PageSizeBytes = 4 << 20, IndexSizeBytes = 64 << 20, CheckpointEveryChanges = long.MaxValue, CheckpointEveryBytes = long.MaxValue };

    private readonly List<StoreRow> _rows = [];

    /// <summary>Runs both tables when one matches the filter.</summary>
    public IReadOnlyList<StoreRow> Run()
    {
        if (!options.Matches(PutTable) && !options.Matches(GetTable)) return _rows;
        progress.WriteLine(PutTable);
        Bytes(options.Short ? 200_000 : 1_000_000);
        Objects(100_000);
        return _rows;
    }

    private void Bytes(int keys)
    {
        using var data = new BenchData(options.DataDirectory);
        using var bare = new BareFasterKv(Directory.CreateDirectory(data.File("bare")).FullName);
        using var appended = new BareFasterKv(Directory.CreateDirectory(data.File("appended")).FullName);
        using NinoStore log = NinoStore.Open(data.File("log"));
        using NinoStore store = NinoStore.Open(data.File("nino"));
        using IKeyValueStore<long, byte[]> nino = store.OpenKeyValue<long, byte[]>("bench", Memory);
        byte[] value = new byte[ValueBytes], record = new byte[ValueBytes + 12];
        new Random(WorkloadData.Seed).NextBytes(value);
        NinoSchema schema = NinoCodec<byte[]>.Default.Schema;
        Measure($"{keys:N0} keys, {ValueBytes} B", keys,
        [
            new("FasterKV, bytes", key => bare.Put(key, value), key => bare.Get(key)),
            new("an append of as many bytes", _ => log.AppendRecord(schema, record), null),
            new("FasterKV, bytes, and that append", key =>
            {
                log.AppendRecord(schema, record);
                appended.Put(key, value);
            }, null),
            new("NinoStore", key => nino.Put(key, value), key => Require(nino.TryGet(key, out byte[]? found) && found.Length == ValueBytes)),
        ]);
    }

    private void Objects(int keys)
    {
        using var data = new BenchData(options.DataDirectory);
        using NinoStore store = NinoStore.Open(data.File("nino"));
        using IKeyValueStore<long, Poco> nino = store.OpenKeyValue<long, Poco>("bench", Memory);
        List<Poco> values = WorkloadData.Pocos(1000, uniqueText: true);
        List<IKeyedPeer> peers = KeyedPeers.Open(data);
        try
        {
            Measure($"{keys:N0} keys, Poco", keys,
            [
                .. peers.Select(peer => new Subject(peer.Name, key => peer.Put(key, values[(int)(key % values.Count)]), key => Require(peer.Read(key) is not null), peer.BeginTurn, peer.EndTurn)),
                new("NinoStore", key => nino.Put(key, values[(int)(key % values.Count)]), key => Require(nino.TryGet(key, out _))),
            ]);
            foreach (long key in new long[] { 0, keys / 2, keys - 1 })
            {
                foreach (IKeyedPeer peer in peers) Poco.Verify(values[(int)(key % values.Count)], peer.Get(key)!);
                Require(nino.TryGet(key, out Poco? found));
                Poco.Verify(values[(int)(key % values.Count)], found!);
            }
        }
        finally
        {
            foreach (IKeyedPeer peer in peers) peer.Dispose();
        }
    }

    private void Measure(string row, int keys, Subject[] subjects)
    {
        long[] order = new long[keys];
        for (int i = 0; i < keys; i++) order[i] = i;
        new Random(WorkloadData.Seed).Shuffle(order);
        foreach (Subject subject in subjects)
        {
            subject.Begin?.Invoke();
            foreach (long key in order) subject.Put(key);
            subject.End?.Invoke();
        }

        var puts = subjects.Select(_ => new Turns()).ToArray();
        var gets = subjects.Select(_ => new Turns()).ToArray();
        for (int round = 0; round < (options.Short ? 20 : 100); round++)
        {
            ReadOnlySpan<long> part = order.AsSpan(round * PerTurn % keys, PerTurn);
            for (int turn = 0; turn < subjects.Length; turn++)
            {
                int i = (round + turn) % subjects.Length;
                subjects[i].Begin?.Invoke();
                puts[i].Run(part, subjects[i].Put, subjects[i].End);
                if (subjects[i].Get is { } get) gets[i].Run(part, get, null);
            }
        }

        for (int i = 0; i < subjects.Length; i++)
        {
            _rows.Add(puts[i].ToRow(PutTable, row, subjects[i].Name));
            if (subjects[i].Get is not null) _rows.Add(gets[i].ToRow(GetTable, row, subjects[i].Name));
        }
    }

    private static void Require(bool isThere)
    {
        if (!isThere) throw new InvalidDataException("A key is missing.");
    }

    /// <summary>One peer's two operations, and what surrounds a turn of puts.</summary>
    private sealed record Subject(string Name, Action<long> Put, Action<long>? Get, Action? Begin = null, Action? End = null);

    private sealed class Turns
    {
        private readonly Samples _nanoseconds = new();
        private long _allocated = long.MaxValue;

        public void Run(ReadOnlySpan<long> keys, Action<long> operation, Action? end)
        {
            long allocated = GC.GetAllocatedBytesForCurrentThread(), start = Stopwatch.GetTimestamp();
            foreach (long key in keys) operation(key);
            end?.Invoke();
            _nanoseconds.Add(Stopwatch.GetElapsedTime(start).TotalNanoseconds / keys.Length);

            // The least of all turns: what is made once is not an operation's.
            _allocated = Math.Min(_allocated, (GC.GetAllocatedBytesForCurrentThread() - allocated) / keys.Length);
        }

        public StoreRow ToRow(string table, string row, string peer) => new(table, row, peer, "ns", _nanoseconds.Median, _nanoseconds.Percentile(99), null, _allocated);
    }
}
