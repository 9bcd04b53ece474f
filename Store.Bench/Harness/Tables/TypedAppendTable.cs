// Objects into a log's memory: what serializing costs by itself, and what the log adds to it. The other logs take bytes, so a serializer stands in front of them, with a buffer that is reused.

using Store.Bench.Workloads;

namespace Store.Bench.Harness.Tables;

/// <summary>Appends of typed objects in runs of 30 (the same ones, which stay in the cache) and of 1000 different ones.</summary>
public sealed class TypedAppendTable : IStoreMeasurement
{
    public static readonly StoreTable Table = new("Typed append, ns a record", "ns")
    {
        IsByMinimum = true,
        References = ["FasterLog default + MemoryPack", "FasterLog default + System.Text.Json"],
    };

    public IReadOnlyList<StoreTable> Tables => [Table];

    public IEnumerable<StoreRow> Measure(HarnessOptions options)
    {
        foreach (int run in (int[])[30, RecordSet.Size])
        {
            foreach (StoreRow row in new TypedAppend<SimpleModel>("SimpleModel", [.. WorkloadData.SimpleModels(run)], new SimpleModelLoops(), SimpleModel.Verify).Measure(options, samplesOf: 990)) yield return row;
            foreach (StoreRow row in new TypedAppend<Poco>("Poco", [.. WorkloadData.Pocos(run, uniqueText: true)], new PocoLoops(), Poco.Verify).Measure(options, samplesOf: 990)) yield return row;
            foreach (StoreRow row in new TypedAppend<SimpleClass>("SimpleClass", [.. WorkloadData.SimpleClasses(run)], new SimpleClassLoops(), SimpleClass.Verify).Measure(options, samplesOf: 300)) yield return row;
        }
    }
}
