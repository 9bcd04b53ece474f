// Typed objects into a log's memory, in batches: what a record costs until it is on its way to the disk. Commits are in CommitBench.

using BenchmarkDotNet.Attributes;
using Store.Bench.Harness;
using Store.Bench.Harness.Stores;

namespace Store.Bench.Benchmarks;

/// <summary>Append 3,000 records in batches of 1, 30 and 1000; figures are per record. Every iteration begins with new files.</summary>
[InvocationCount(Invocations, 1)]
public class AppendBench
{
    private const int Records = 3000, Invocations = 16;

    private RecordSet? _records;
    private NinoStore? _ninoStore;
    private FasterLogPeer? _default, _tuned;
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
        _tuned = new FasterLogPeer(Folder("tuned"), FasterLogTuning.Tuned);
        _file = new FileStream(_data.File("records.jsonl"), FileMode.Create, FileAccess.Write, FileShare.Read, 64 * 1024);
    }

    [IterationCleanup]
    public void CloseAll()
    {
        _ninoStore!.Dispose();
        _default!.Dispose();
        _tuned!.Dispose();
        _file!.Dispose();
        _data!.Dispose();
    }

    [Benchmark(Baseline = true, OperationsPerInvoke = Records), BenchmarkCategory("append")]
    public void NinoStore_Append()
    {
        for (int i = 0; i < Records; i += Batch) _records!.Append(_ninoStore!, Batch);
    }

    [Benchmark(OperationsPerInvoke = Records), BenchmarkCategory("append")]
    public void FasterLogDefault_Json()
    {
        for (int i = 0; i < Records; i += Batch) _records!.AppendJson(_default!, Batch);
    }

    [Benchmark(OperationsPerInvoke = Records), BenchmarkCategory("append")]
    public void FasterLogDefault_NinoSerializer()
    {
        for (int i = 0; i < Records; i += Batch) _records!.AppendSerialized(_default!, Batch);
    }

    [Benchmark(OperationsPerInvoke = Records), BenchmarkCategory("append")]
    public void FasterLogTuned_Json()
    {
        for (int i = 0; i < Records; i += Batch) _records!.AppendJson(_tuned!, Batch);
    }

    [Benchmark(OperationsPerInvoke = Records), BenchmarkCategory("append")]
    public void FasterLogTuned_NinoSerializer()
    {
        for (int i = 0; i < Records; i += Batch) _records!.AppendSerialized(_tuned!, Batch);
    }

    [Benchmark(OperationsPerInvoke = Records), BenchmarkCategory("append")]
    public void FileStream_Json()
    {
        for (int i = 0; i < Records; i += Batch) _records!.AppendJson(_file!, Batch);
    }

    private string Folder(string name) => Directory.CreateDirectory(_data!.File(name)).FullName;
}
