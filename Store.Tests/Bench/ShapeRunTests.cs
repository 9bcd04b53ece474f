using Store.Bench.Harness;
using Store.Bench.Harness.Views;
using Store.Bench.Peers;
using Store.Bench.Shapes;

namespace Store.Tests.Bench;

public sealed class ShapeRunTests
{
    public static TheoryData<string> Shapes => [.. ShapeCatalog.Names];

    [Theory]
    [MemberData(nameof(Shapes))]
    public void EveryPeerReadsBackTheShapeThatItWrote(string name)
    {
        Workload shape = ShapeCatalog.Create(name);
        Assert.All(shape.Cells, static cell => cell.Verify());
        Assert.Equal(PeerRows.NinoStore, shape.Cells[0].Peer);
        Assert.Equal(shape.Cells.Select(static cell => cell.Peer).Distinct(), shape.Cells.Select(static cell => cell.Peer));
    }

    [Theory]
    [InlineData("long[30,30]")]
    [InlineData("object[] of 100 of ten types")]
    public void APeerThatCannotDoAShapeHasNoRowThere(string name) => Assert.DoesNotContain(ShapeCatalog.Create(name).Cells, static cell => cell.Peer == "System.Text.Json");

    [Fact]
    public void AllOtherShapesAreMeasuredBesideAnother() =>
        Assert.Equal(["long[30,30]", "object[] of 100 of ten types"], ShapeCatalog.Names.Where(static name => ShapeCatalog.Create(name).Cells.All(static cell => cell.Peer != "System.Text.Json")));

    [Fact]
    public void AShapeThatIsNotThereIsRefused() => Assert.Throws<ArgumentException>(() => ShapeCatalog.Create("no such shape"));

    [Fact]
    public void EveryVerbDoesWhatItSaysAndIsComparedWithOneThatIsThere()
    {
        ViewSubject[] verbs = [.. VerbSubjects.All()];
        Assert.All(verbs, static verb => verb.Verify());
        Assert.All(verbs, static verb => verb.Run(2));
        Assert.Equal(verbs.Length, verbs.Select(static verb => verb.Name).Distinct().Count());
        Assert.All(verbs.Where(static verb => verb.Base is not null), verb => Assert.Contains(verbs, other => other.Name == verb.Base && other.Base is null));
    }

    [Fact]
    public void ARunHasEveryRowThatMatchesInItsTables()
    {
        HarnessOptions options = HarnessOptions.Parse(["--short", "--filter", "queue of 100|Poco: GetSize"]);
        ShapeResults results = ShapeRun.Measure(options, TextWriter.Null);
        int peers = ShapeCatalog.Create("queue of 100 numbers").Cells.Count;
        Assert.Equal(2 * peers, results.Cells.Count);
        Assert.All(results.Cells, static cell => Assert.True(cell is { MinNs: > 0, PayloadBytes: > 0 } && cell.MinNs <= cell.MedianNs));
        Assert.Equal(["Poco: Serialize", "Poco: GetSize"], results.Verbs.Select(static row => row.Name));

        string table = ShapeReport.Render(MachineInfo.Here(), results, options);
        Assert.Contains("short run", table);
        Assert.Equal(2 * (1 + peers), table.Split('\n').Count(static line => line.StartsWith("| queue of 100 numbers ", StringComparison.Ordinal)));
        Assert.Equal(2, table.Split('\n').Count(static line => line.StartsWith("| Poco: ", StringComparison.Ordinal)));
        Assert.Equal(["shapes-write.svg", "shapes-deserialize.svg"], ShapeReport.Charts(results).Select(static chart => chart.File));
    }

    [Fact]
    public void WithoutARowThatMatchesNothingIsMeasuredOfShapesToo()
    {
        ShapeResults results = ShapeRun.Measure(HarnessOptions.Parse(["--short", "--filter", "no such row"]), TextWriter.Null);
        Assert.Empty(results.Cells);
        Assert.Empty(results.Verbs);
        Assert.Empty(ShapeReport.Charts(results));
    }
}
