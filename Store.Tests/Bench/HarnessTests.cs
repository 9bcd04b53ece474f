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

    [Theory]
    [InlineData("", true)]
    [InlineData("keyed", true)]
    [InlineData("Open|Keyed state", true)]
    [InlineData("open|replay", false)]
    public void AFilterTakesNamesThatContainOneOfItsParts(string filter, bool isTaken) => Assert.Equal(isTaken, HarnessOptions.Parse(["--filter", filter]).Matches("Keyed state put, ns"));

    [Fact]
    public void TheLastPerMilleNeedsAThousandSamples()
    {
        var samples = new Samples(capacity: 2);
        for (int i = 1; i < 1000; i++) samples.Add(i);
        Assert.Null(samples.P999);
        samples.Add(1000);
        Assert.Equal(999, samples.P999);
    }

    [Fact]
    public void WhatIsAllocatedOnceIsNotInTheMean()
    {
        var samples = new Samples();
        samples.Add(1_000_000);
        for (int i = 0; i < 19; i++) samples.Add(8);
        Assert.Equal(8, samples.MeanBelow(95));
    }

    [Fact]
    public void SamplesOfManyAreThoseOfAll()
    {
        var all = new Samples();
        var few = new Samples();
        all.Add(3);
        Assert.Equal(3, all.Median);
        few.Add(1);
        few.Add(2);
        all.AddRange(few);
        Assert.Equal((3, 2, 3), (all.Count, all.Median, all.Percentile(100)));
    }

    [Fact]
    public void ATableComparesEachRowWithItsOwnReferenceAndHasNoEmptyColumns()
    {
        var machine = new MachineInfo("cpu", 2, "256 bit", 1024, "os", "runtime", "gc", DateTimeOffset.UnixEpoch);
        var floor = new MachineFloor(1, 1, 1, 1, 1, 1);
        StoreTable table = StoreRun.Tables.First(t => t.IsByMinimum && t.References.Count == 2);
        StoreRow[] rows =
        [
            new(table.Name, "large", table.References[1], "ns", 9, 9, Min: 8),
            new(table.Name, "large", "another", "ns", 100, 200, Min: 4),
            new(table.Name, "small", "another", "ns", 1, 2, Min: 1, AllocatedBytes: 24),
            new(table.Name, "small", "a third", "ns", 50, 60, Min: 3),
        ];
        string[] lines = StoreReport.Render(machine, floor, rows, HarnessOptions.Parse([])).Split('\n');
        string[] cells = [.. lines.Where(line => line.StartsWith('|')).Select(line => string.Join(';', line.Split('|', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries)))];
        Assert.Equal("row;peer;min ns;p50;p99;x reference;alloc B", cells[0]);
        Assert.Equal("large;another;4.00;100;200;0.50x;-", cells[3]);
        Assert.Equal("small;a third;3.00;50.0;60.0;3.00x;-", cells[5]);
    }

    /// <summary>A loop that waits for each call before the next is due would count one.</summary>
    [Fact]
    public void ACallThatIsHeldUpMakesAllLateThatWereDueMeanwhile()
    {
        const int HeldMs = 50;
        var calls = new PacedCalls(number =>
        {
            if (number == 3) Thread.Sleep(HeldMs);
        });
        calls.RunFor(TimeSpan.FromMilliseconds(2 * HeldMs));
        Assert.Equal(calls.Count, calls.Waits.Count);
        Assert.Equal(1, calls.Longest.Count);
        Assert.InRange(calls.Longest.Min, HeldMs * 1000, double.MaxValue);

        // A tenth of a millisecond apart: of 500 that were due meanwhile each was late by what was left.
        Assert.InRange(calls.Waits.Percentile(100 * (1 - (250.0 / calls.Count))), HeldMs * 1000 / 4, double.MaxValue);
    }

    [Fact]
    public void NoTwoTablesHaveOneName()
    {
        string[] names = [.. StoreRun.Tables.Select(t => t.Name)];
        Assert.Equal(names.Distinct(), names);
    }
}
