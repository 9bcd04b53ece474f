// Keyed state: 100,000 keys with 100 bytes each, in an order without locality. NinoStore logs every put and can rebuild the state; bare FasterKV and a
// dictionary cannot.

using BenchmarkDotNet.Attributes;
using Store.Bench.Harness;
using Store.Bench.Harness.Stores;
using Store.Faster;
using Store.KeyValue;
using Store.Serialization;

[assembly: NinoSerializable(typeof(long))]

namespace Store.Bench.Benchmarks;

/// <summary>Put and get; figures are per key.</summary>
public class KeyValueBench
{
    private const int Keys = 100_000, PerInvoke = 10_000, ValueBytes = 100;

    // As the bare engine has it: everything in memory, and no checkpoint comes in between.
    private static readonly FasterOptions Memory = new() { MemorySizeBytes = 256 << 20, PageSizeBytes = 4 << 20, IndexSizeBytes = 64 << 20, CheckpointEveryChanges = long.MaxValue, CheckpointEveryBytes = long.MaxValue };

    private readonly long[] _order = new long[Keys];
    private readonly byte[] _value = new byte[ValueBytes];
    private readonly Dictionary<long, byte[]> _dictionary = [];
    private BenchData? _data;
    private NinoStore? _store;
    private IKeyValueStore<long, byte[]>? _ninoStore;
    private BareFasterKv? _bare;
    private int _next;

    [GlobalSetup]
    public void Setup()
    {
        _data = new BenchData();
        _store = NinoStore.Open(_data.File("nino"));
        _ninoStore = _store.OpenKeyValue<long, byte[]>("bench", Memory);
        _bare = new BareFasterKv(Directory.CreateDirectory(_data.File("bare")).FullName);
        var random = new Random(Workloads.WorkloadData.Seed);
        for (int i = 0; i < Keys; i++) _order[i] = i;
        random.Shuffle(_order);
        random.NextBytes(_value);
        foreach (long key in _order)
        {
            byte[] value = [.. BitConverter.GetBytes(key), .. _value.AsSpan(8)];
            _ninoStore.Put(key, value);
            _bare.Put(key, value);
            _dictionary[key] = value;
        }
        foreach (long key in _order)
        {
            if (!_ninoStore.TryGet(key, out byte[]? read) || !read.AsSpan().SequenceEqual(_dictionary[key])) throw new InvalidDataException($"NinoStore: key {key} is missing or wrong.");
            if (!_bare.Get(key).AsSpan().SequenceEqual(_dictionary[key])) throw new InvalidDataException($"FasterKV: key {key} is wrong.");
        }

        // Records lie in memory in the order in which they were first written.
        random.Shuffle(_order);
    }

    [GlobalCleanup]
    public void Cleanup()
    {
        _ninoStore!.Dispose();
        _store!.Dispose();
        _bare!.Dispose();
        _data!.Dispose();
    }

    [Benchmark(Baseline = true, OperationsPerInvoke = PerInvoke), BenchmarkCategory("put")]
    public void FasterKv_Put()
    {
        foreach (long key in NextKeys()) _bare!.Put(key, _value);
    }

    [Benchmark(OperationsPerInvoke = PerInvoke), BenchmarkCategory("put")]
    public void NinoStore_Put()
    {
        foreach (long key in NextKeys()) _ninoStore!.Put(key, _value);
    }

    [Benchmark(OperationsPerInvoke = PerInvoke), BenchmarkCategory("put")]
    public void Dictionary_Put()
    {
        foreach (long key in NextKeys()) _dictionary[key] = _value.AsSpan().ToArray();
    }

    [Benchmark(Baseline = true, OperationsPerInvoke = PerInvoke), BenchmarkCategory("get")]
    public long FasterKv_Get()
    {
        long sum = 0;
        foreach (long key in NextKeys()) sum += _bare!.Get(key)[0];
        return sum;
    }

    [Benchmark(OperationsPerInvoke = PerInvoke), BenchmarkCategory("get")]
    public long NinoStore_Get()
    {
        long sum = 0;
        foreach (long key in NextKeys()) sum += _ninoStore!.TryGet(key, out byte[]? value) ? value[0] : throw new KeyNotFoundException();
        return sum;
    }

    [Benchmark(OperationsPerInvoke = PerInvoke), BenchmarkCategory("get")]
    public long Dictionary_Get()
    {
        long sum = 0;
        foreach (long key in NextKeys()) sum += _dictionary[key].AsSpan().ToArray()[0];
        return sum;
    }

    private ReadOnlySpan<long> NextKeys()
    {
        int start = _next;
        _next = (_next + PerInvoke) % Keys;
        return _order.AsSpan(start, PerInvoke);
    }
}
