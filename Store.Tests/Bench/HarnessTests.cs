using Store.Bench.Harness;

namespace Store.Tests.Bench;

public sealed class HarnessTests
{
    [Fact]
    public void PercentilesAreValuesThatWereMeasured()
    {
        var samples = new Samples();
        foreach (int value in Enumerable.Range(1, 100).Reverse()) samples.Add(value);
        Assert.Equal((1, 50, 99, 100), (samples.Min, samples.Median, samples.Percentile(99), samples.Percentile(100)));
        samples.Add(0.5);
        Assert.Equal(0.5, samples.Min);
    }

    [Fact]
    public void WithoutSamplesThereIsNoFigure() => Assert.Throws<InvalidOperationException>(() => new Samples().Median);

    [Fact]
    public void ARowOfAnotherWidthIsRefused() => Assert.Throws<ArgumentException>(() => new MarkdownTable("a", "b").Add("1"));

    [Theory]
    [InlineData("--unknown")]
    [InlineData("--out")]
    public void AWrongCommandLineIsRefused(string argument) => Assert.Throws<ArgumentException>(() => HarnessOptions.Parse([argument]));
}
