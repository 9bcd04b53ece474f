// Keyed state. First what it costs over the bare engine: a million values of 100 bytes, with the price of the log shown apart. Then what a user would use instead: objects in FASTER by way of another
// serializer, and SQLite.

using Store.Bench.Harness.Stores;
using Store.Bench.Workloads;
using Store.Faster;
using Store.KeyValue;
using Store.Serialization;

namespace Store.Bench.Harness.Tables;

/// <summary>Keyed states. One thread; peers take turns of 10,000 operations, in another order of keys than they were first written in, and what is read is not what was written just before.</summary>
public sealed class KeyedStateTables : IStoreMeasurement
{
    public static readonly StoreTable Put = new("Keyed state put, ns", "ns") { IsByMinimum = true, References = Others }, Get = new("Keyed state get, ns", "ns") { IsByMinimum = true, References = Others };

    private const int PerTurn = 10_000, WarmupKeys = 100, ValueBytes = 100;

    private static IReadOnlyList<string> Others => ["FasterKV, bytes", "FasterKV, MessagePack", "FasterKV, System.Text.Json"];

    // No checkpoint comes in between: the bare engine takes none.
    private static readonly FasterOptions Memory = new() { MemorySizeBytes = 256 << 20, PageSizeBytes = 4 << 20, IndexSizeBytes = 64 << 20, CheckpointEveryChanges = long.MaxValue, CheckpointEveryBytes = long.MaxValue };

    public IReadOnlyList<StoreTable> Tables => [Put, Get];

    public IEnumerable<StoreRow> Measure(HarnessOptions options) => [.. Bytes(options, options.Short ? 200_000 : 1_000_000), .. Objects(options, 100_000), .. options.Short ? [] : Objects(options, 1_000_000)];

    private static List<StoreRow> Bytes(HarnessOptions options, int keys)
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
        return Measure(options, $"{keys:N0} keys, {ValueBytes} B", keys,
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

    private static List<StoreRow> Objects(HarnessOptions options, int keys)
    {
        using var data = new BenchData(options.DataDirectory);
        using NinoStore store = NinoStore.Open(data.File("nino"));
        using IKeyValueStore<long, Poco> nino = store.OpenKeyValue<long, Poco>("bench", Memory);
        using var bare = new BareFasterKv(Directory.CreateDirectory(data.File("bare")).FullName);
        List<Poco> values = WorkloadData.Pocos(1000, uniqueText: true);
        byte[][] serialized = [.. values.Select(static value => NinoSerializer.Serialize(value))];
        List<IKeyedPeer> all = KeyedPeers.Open(data), peers = keys < 1_000_000 ? all : all.FindAll(static peer => peer.TakesAMillionKeys);
        try
        {
            List<StoreRow> rows = Measure(options, $"{keys:N0} keys, Poco", keys,
            [
                // What is left of a put when serializing costs nothing: no peer that keeps objects in this engine can be faster.
                new("FasterKV, bytes", key => bare.Put(key, serialized[key % serialized.Length]), key => bare.Get(key)),
                .. peers.Select(peer =>
                {
                    object[] prepared = [.. values.Select(peer.Prepare)];
                    return new Subject(peer.Name, key => peer.Put(key, prepared[key % prepared.Length]), key => Require(peer.Read(key) is not null), peer.BeginTurn, peer.EndTurn);
                }),
                new("NinoStore", key => nino.Put(key, values[(int)(key % values.Count)]), key => Require(nino.TryGet(key, out _))),
            ]);
            foreach (long key in new long[] { 0, keys / 2, keys - 1 })
            {
                foreach (IKeyedPeer peer in peers) Poco.Verify(values[(int)(key % values.Count)], peer.Get(key)!);
                Require(nino.TryGet(key, out Poco? found));
                Poco.Verify(values[(int)(key % values.Count)], found!);
            }
            return rows;
        }
        finally
        {
            foreach (IKeyedPeer peer in all) peer.Dispose();
        }
    }

    private static List<StoreRow> Measure(HarnessOptions options, string row, int keys, Subject[] subjects)
    {
        // Records lie in memory in the order in which they were first written: turns in the same one would go through it from its beginning.
        long[] order = new long[keys];
        for (int i = 0; i < keys; i++) order[i] = i;
        var random = new Random(WorkloadData.Seed);
        random.Shuffle(order);
        foreach (Subject subject in subjects)
        {
            foreach (long[] part in order.Chunk(PerTurn))
            {
                subject.Begin?.Invoke();
                foreach (long key in part) subject.Put(key);
                subject.End?.Invoke();
            }
        }

        random.Shuffle(order);
        Warmup.Run(() =>
        {
            foreach (Subject subject in subjects) RunTurn(subject, order.AsSpan(0, WarmupKeys), order.AsSpan(keys / 2, WarmupKeys), new TurnMeter(), new TurnMeter());
        });
        TurnMeter[] puts = TurnMeter.Many(subjects.Length), gets = TurnMeter.Many(subjects.Length);
        for (int round = 0; round < (options.Short ? 20 : 100); round++)
        {
            // What is read was written half a round of all keys ago: not what a put has just left in the caches.
            int at = (int)((long)round * PerTurn % keys);
            ReadOnlySpan<long> written = order.AsSpan(at, PerTurn), read = order.AsSpan((at + (keys / 2)) % keys, PerTurn);
            foreach (int i in Turns.Order(round, subjects.Length)) RunTurn(subjects[i], written, read, puts[i], gets[i]);
        }

        var rows = new List<StoreRow>();
        for (int i = 0; i < subjects.Length; i++)
        {
            rows.Add(puts[i].ToRow(Put, row, subjects[i].Name));
            if (subjects[i].Get is not null) rows.Add(gets[i].ToRow(Get, row, subjects[i].Name));
        }
        return rows;
    }

    private static void RunTurn(Subject subject, ReadOnlySpan<long> written, ReadOnlySpan<long> read, TurnMeter puts, TurnMeter gets)
    {
        subject.Begin?.Invoke();
        puts.Start();
        foreach (long key in written) subject.Put(key);
        subject.End?.Invoke();
        puts.Stop(written.Length);
        if (subject.Get is not { } get) return;
        gets.Start();
        foreach (long key in read) get(key);
        gets.Stop(read.Length);
    }

    private static void Require(bool isThere)
    {
        if (!isThere) throw new InvalidDataException("A key is missing.");
    }

    /// <summary>One peer's two operations, and what surrounds a turn of puts.</summary>
    private sealed record Subject(string Name, Action<long> Put, Action<long>? Get, Action? Begin = null, Action? End = null);
}
