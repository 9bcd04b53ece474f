using Store.Bench.Bound;
using Store.Bench.Harness;
using Store.Bench.Peers;

namespace Store.Tests.Bench;

/// <summary>What the benchmarks rest on: every row is right before anybody times it.</summary>
public sealed class PeerTests
{
    public static TheoryData<string> Workloads => [.. PeerCatalog.Names];

    [Theory]
    [MemberData(nameof(Workloads))]
    public void EveryPeerReadsBackWhatItWrote(string name)
    {
        Workload workload = PeerCatalog.Create(name);
        Assert.All(workload.Cells, cell => cell.Verify());
        Assert.Equal([PeerRows.Bound, PeerRows.NinoStore], workload.Cells.Take(2).Select(c => c.Peer));
    }

    [Theory]
    [MemberData(nameof(Workloads))]
    public void NoWriteIntoTheReusedBufferAllocates(string name)
    {
        Cell cell = PeerCatalog.Create(name)[PeerRows.NinoStore];
        Assert.Equal(0, Allocated(cell, Operation.Write));
    }

    [Theory]
    [MemberData(nameof(Workloads))]
    public void ANewArrayIsAllThatSerializeAllocates(string name)
    {
        Cell cell = PeerCatalog.Create(name)[PeerRows.NinoStore];
        long array = (24 + cell.PayloadBytes + 7) / 8 * 8;
        Assert.Equal(array, Allocated(cell, Operation.Serialize));
    }

    [Fact]
    public void TheBoundIsRightForEveryString() => BoundCheck.Run();

    [Fact]
    public void ARunOfOneWorkloadHasEveryPeerInEveryOperation()
    {
        List<RatioCell> cells = RatioRun.Measure(HarnessOptions.Parse(["--short", "--filter", "SimpleStruct x1000"]), TextWriter.Null);
        Assert.Equal(3 * PeerCatalog.Create("SimpleStruct x1000").Cells.Count, cells.Count);
        Assert.All(cells, cell => Assert.True(cell is { MinNs: > 0, PayloadBytes: > 0 } && cell.MinNs <= cell.MedianNs));

        string table = RatioReport.Render(MachineInfo.Here(), cells, HarnessOptions.Parse([]));
        Assert.All(PeerRows.All, peer => Assert.Contains(peer.Name, table));
        Assert.Equal(3, RatioCharts.Render(cells).Count());
    }

    // The least of some runs: a collection that another test causes can end this thread's allocation block early, and its unused rest counts as allocated.
    private static long Allocated(Cell cell, Operation operation) => Enumerable.Range(0, 10).Min(_ =>
    {
        long before = GC.GetAllocatedBytesForCurrentThread();
        cell.Run(operation, 1);
        return GC.GetAllocatedBytesForCurrentThread() - before;
    });
}
