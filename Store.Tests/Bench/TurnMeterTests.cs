using Store.Bench.Harness;

namespace Store.Tests.Bench;

public sealed class TurnMeterTests
{
    private static readonly StoreTable Table = new("table", "us");

    /// <summary>Counted in the runtime's steps of 8 KiB, one turn in fifty would have anything, and would be left out as one with a buffer that is made once.</summary>
    [Fact]
    public void AMeterThatCountsPreciselySeesAFewBytesATurn()
    {
        const int Bytes = 104;
        var meter = new TurnMeter(countsBytesPrecisely: true);
        byte[]? kept = null;
        for (int turn = 0; turn < 200; turn++) meter.Run(1, () => kept = new byte[Bytes]);
        Assert.Equal(Bytes, kept!.Length);
        Assert.InRange(meter.ToRow(Table, "row", "peer").AllocatedBytes!.Value, Bytes, double.MaxValue);
    }

    [Fact]
    public void ARateIsWhatIsDoneInASecond()
    {
        var meter = new TurnMeter();
        meter.Run(2_000_000, static () => Thread.Sleep(10));
        StoreRow row = meter.ToRateRow(new StoreTable("table", "MB/s"), "row", "peer", unitsPerFigure: 1e6);
        Assert.InRange(row.P50, 0.001, 200);
    }
}
