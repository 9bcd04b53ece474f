// Writing: to a new array, and into a buffer that is reused. The baseline is hand-written code for exactly the type.

using BenchmarkDotNet.Attributes;
using Store.Bench.Peers;

namespace Store.Bench.Benchmarks;

/// <summary>Serialize 1, 30 and 1000 objects.</summary>
public class SerializeBench : SerializerBench
{
    private protected override Operation[] Measured => [Operation.Serialize, Operation.Write];

    [Benchmark(Baseline = true, OperationsPerInvoke = Operations), BenchmarkCategory("new byte[]")]
    public void Bound_Array() => Run(PeerCatalog.Bound, Operation.Serialize);

    [Benchmark(OperationsPerInvoke = Operations), BenchmarkCategory("new byte[]")]
    public void NinoStore_Array() => Run(PeerCatalog.NinoStore, Operation.Serialize);

    [Benchmark(OperationsPerInvoke = Operations), BenchmarkCategory("new byte[]")]
    public void SystemTextJson_Array() => Run(PeerCatalog.SystemTextJson, Operation.Serialize);

    [Benchmark(OperationsPerInvoke = Operations), BenchmarkCategory("new byte[]")]
    public void NewtonsoftJson_Array() => Run(PeerCatalog.Newtonsoft, Operation.Serialize);

    [Benchmark(OperationsPerInvoke = Operations), BenchmarkCategory("new byte[]")]
    public void GoogleProtobuf_Array() => Run(PeerCatalog.Protobuf, Operation.Serialize);

    [Benchmark(Baseline = true, OperationsPerInvoke = Operations), BenchmarkCategory("reused buffer")]
    public void Bound_Buffer() => Run(PeerCatalog.Bound, Operation.Write);

    [Benchmark(OperationsPerInvoke = Operations), BenchmarkCategory("reused buffer")]
    public void NinoStore_Buffer() => Run(PeerCatalog.NinoStore, Operation.Write);

    [Benchmark(OperationsPerInvoke = Operations), BenchmarkCategory("reused buffer")]
    public void SystemTextJson_Buffer() => Run(PeerCatalog.SystemTextJson, Operation.Write);

    [Benchmark(OperationsPerInvoke = Operations), BenchmarkCategory("reused buffer")]
    public void NewtonsoftJson_Buffer() => Run(PeerCatalog.Newtonsoft, Operation.Write);

    [Benchmark(OperationsPerInvoke = Operations), BenchmarkCategory("reused buffer")]
    public void GoogleProtobuf_Buffer() => Run(PeerCatalog.Protobuf, Operation.Write);
}
