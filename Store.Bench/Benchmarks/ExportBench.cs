// A log file to JSON Lines: the tool, which decodes by the stored schema, against a loop over typed objects.

using BenchmarkDotNet.Attributes;
using Store.Bench.Harness;

namespace Store.Bench.Benchmarks;

/// <summary>Export 10,000 records to a file; figures are per record.</summary>
public class ExportBench
{
    private const int Thousands = 10;

    private ExportSubject? _subject;

    [ParamsSource(nameof(Types))]
    public string Type { get; set; } = "";

    public static IEnumerable<string> Types => RecordSet.Names;

    [GlobalSetup]
    public void Setup()
    {
        _subject = new ExportSubject(Type, Thousands);
        _subject.Verify();
    }

    [GlobalCleanup]
    public void Cleanup() => _subject!.Dispose();

    [Benchmark(Baseline = true, OperationsPerInvoke = Thousands * 1000), BenchmarkCategory("export")]
    public void HandLoop_Json() => _subject!.ExportByHand();

    [Benchmark(OperationsPerInvoke = Thousands * 1000), BenchmarkCategory("export")]
    public void Inspect_Export() => _subject!.ExportByTool();
}
