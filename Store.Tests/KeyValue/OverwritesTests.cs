using Store.Faster.Engine;

namespace Store.Tests.KeyValue;

public class OverwritesTests
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);

    [Fact]
    public void AReadIsUndisturbedUntilSomethingOfItsStripeIsOverwritten()
    {
        var overwrites = new Overwrites();
        ulong mine = 1UL << 63, other = 0;
        uint seen = overwrites.BeginRead(mine);
        overwrites.Begin(other);
        overwrites.End(other);
        Assert.True(overwrites.IsUndisturbed(mine, seen));
        overwrites.Begin(mine);
        Assert.False(overwrites.IsUndisturbed(mine, seen));
        overwrites.End(mine);
        Assert.False(overwrites.IsUndisturbed(mine, seen));
        Assert.True(overwrites.IsUndisturbed(mine, overwrites.BeginRead(mine)));
    }

    [Fact]
    public async Task AReadBeginsWhenAnOverwritingUnderWayHasEnded()
    {
        var overwrites = new Overwrites();
        overwrites.Begin(7);
        Task<uint> read = Task.Factory.StartNew(() => overwrites.BeginRead(7), TaskCreationOptions.LongRunning);
        await Task.Delay(50);
        Assert.False(read.IsCompleted);
        overwrites.End(7);
        Assert.True(overwrites.IsUndisturbed(7, await read.WaitAsync(Patience)));
    }

    [Fact]
    public void StripesAreAsManyAsTheHashesHighBitsTellApart()
    {
        Assert.Equal(KeyStripe.Count, Enumerable.Range(0, KeyStripe.Count).Select(i => KeyStripe.Of((ulong)i << 57 | 12345)).Distinct().Count());
        Assert.Equal(KeyStripe.Count - 1, KeyStripe.Of(ulong.MaxValue));
    }
}
