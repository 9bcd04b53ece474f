// Typed objects until they are durable: a batch and its commit. The mean hides the tail of a disk; percentiles are in the verb "store".

using BenchmarkDotNet.Attributes;
using Store.Bench.Harness;
using Store.Bench.Harness.Stores;

namespace Store.Bench.Benchmarks;

/// <summary>Append a batch of 1, 30 or 1000 and commit; figures are per batch. Every iteration begins with new files.</summary>
[InvocationCount(Invocations, 1)]
public class CommitBench
{
    private const int Invocations = 64;

    private RecordSet? _records;
    private NinoStore? _ninoStore;
    private FasterLogPeer? _default, _fastCommit;
    private FileStream? _file;
    private BenchData? _data;

    [ParamsSource(nameof(Types))]
    public string Type { get; set; } = "";

    [Params(1, 30, 1000)]
    public int Batch { get; set; }

    public static IEnumerable<string> Types => RecordSet.Names;

    [GlobalSetup]
    public void Setup() => _records = RecordSet.Create(Type);

    [IterationSetup]
    public void OpenAll()
    {
        _data = new BenchData();
        _ninoStore = NinoStore.Open(Folder("nino"));
        _default = new FasterLogPeer(Folder("default"), FasterLogTuning.Default);
        _fastCommit = new FasterLogPeer(Folder("fastcommit"), FasterLogTuning.FastCommit);
        _file = new FileStream(_data.File("records.jsonl"), FileMode.Create, FileAccess.Write, FileShare.Read, 64 * 1024);
    }

    [IterationCleanup]
    public void CloseAll()
    {
        _ninoStore!.Dispose();
        _default!.Dispose();
        _fastCommit!.Dispose();
        _file!.Dispose();
        _data!.Dispose();
    }

    [Benchmark(Baseline = true), BenchmarkCategory("commit")]
    public ValueTask NinoStore_Commit()
    {
        _records!.Append(_ninoStore!, Batch);
        return _ninoStore!.CommitAsync();
    }

    [Benchmark, BenchmarkCategory("commit")]
    public void FasterLogDefault_Json()
    {
        _records!.AppendJson(_default!, Batch);
        _default!.Commit();
    }

    [Benchmark, BenchmarkCategory("commit")]
    public void FasterLogFastCommit_NinoSerializer()
    {
        _records!.AppendSerialized(_fastCommit!, Batch);
        _fastCommit!.Commit();
    }

    [Benchmark, BenchmarkCategory("commit")]
    public void FileStream_Json()
    {
        _records!.AppendJson(_file!, Batch);
        _file!.Flush(flushToDisk: true);
    }

    private string Folder(string name) => Directory.CreateDirectory(_data!.File(name)).FullName;
}
