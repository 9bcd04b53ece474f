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
        cell.Run(Operation.Write, 3);
        long before = GC.GetAllocatedBytesForCurrentThread();
        cell.Run(Operation.Write, 10);
        Assert.Equal(before, GC.GetAllocatedBytesForCurrentThread());
    }

    [Theory]
    [MemberData(nameof(Workloads))]
    public void ANewArrayIsAllThatSerializeAllocates(string name)
    {
        Cell cell = PeerCatalog.Create(name)[PeerRows.NinoStore];
        long array = (24 + cell.PayloadBytes + 7) / 8 * 8;
        cell.Run(Operation.Serialize, 3);
        long before = GC.GetAllocatedBytesForCurrentThread();
        cell.Run(Operation.Serialize, 10);
        Assert.Equal(10 * array, GC.GetAllocatedBytesForCurrentThread() - before);
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
}
