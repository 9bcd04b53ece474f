using Store.Bench.Harness;
using Store.Bench.Harness.Views;

namespace Store.Tests.Bench;

public sealed class ViewRunTests
{
    [Fact]
    public void AFilterTakesARowAndWhatItIsComparedWith()
    {
        HarnessOptions options = HarnessOptions.Parse(["--short", "--filter", "Poco: read from an older shape"]);
        List<ViewRow> rows = ViewRun.Measure(options);
        Assert.Equal(["Poco: read straight", "Poco: read from an older shape"], rows.Select(static row => row.Name));
        Assert.All(rows, static row => Assert.True(row.MinNs > 0 && row.MinNs <= row.MedianNs));

        string table = ViewReport.Render(MachineInfo.Here(), rows, options);
        Assert.Contains("short run", table);
        Assert.Contains("x Poco: read straight", table);
        Assert.Single(ViewReport.Charts(rows));
    }

    [Fact]
    public void WithoutARowThatMatchesNothingIsMeasured()
    {
        List<ViewRow> rows = ViewRun.Measure(HarnessOptions.Parse(["--short", "--filter", "no such row"]));
        Assert.Empty(rows);
        Assert.Empty(ViewReport.Charts(rows));
    }
}
