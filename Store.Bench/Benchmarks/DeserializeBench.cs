// Reading into new objects. The baseline is hand-written code for exactly the type.

using BenchmarkDotNet.Attributes;
using Store.Bench.Peers;

namespace Store.Bench.Benchmarks;

/// <summary>Deserialize 1, 30 and 1000 objects.</summary>
public class DeserializeBench : SerializerBench
{
    private protected override Operation[] Measured => [Operation.Deserialize];

    [Benchmark(Baseline = true, OperationsPerInvoke = Operations), BenchmarkCategory("new objects")]
    public void Bound_Objects() => Run(PeerCatalog.Bound, Operation.Deserialize);

    [Benchmark(OperationsPerInvoke = Operations), BenchmarkCategory("new objects")]
    public void NinoStore_Objects() => Run(PeerCatalog.NinoStore, Operation.Deserialize);

    [Benchmark(OperationsPerInvoke = Operations), BenchmarkCategory("new objects")]
    public void SystemTextJson_Objects() => Run(PeerCatalog.SystemTextJson, Operation.Deserialize);

    [Benchmark(OperationsPerInvoke = Operations), BenchmarkCategory("new objects")]
    public void NewtonsoftJson_Objects() => Run(PeerCatalog.Newtonsoft, Operation.Deserialize);

    [Benchmark(OperationsPerInvoke = Operations), BenchmarkCategory("new objects")]
    public void GoogleProtobuf_Objects() => Run(PeerCatalog.Protobuf, Operation.Deserialize);
}
