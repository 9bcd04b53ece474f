using Store.Log;
using Store.Threading;

namespace Store.Tests.Log;

/// <summary>Does the append path's lock keep threads apart, and does nobody sleep for ever?</summary>
public class LogGateTests
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(30);

    [Theory]
    [InlineData(2, 200_000, 0)]
    [InlineData(8, 20_000, 0)]
    [InlineData(8, 300, 200)]
    public async Task ItKeepsThreadsApartAndAllOfThemEnd(int threads, int times, int spinsInside)
    {
        var gate = new LogGate();
        long count = 0;
        int inside = 0;
        await Task.WhenAll(Enumerable.Range(0, threads).Select(_ => Task.Factory.StartNew(() =>
        {
            for (int i = 0; i < times; i++)
            {
                using (gate.Enter())
                {
                    // Not interlocked: two threads inside would lose counts.
                    Assert.Equal(0, inside);
                    inside = 1;
                    count++;
                    if (spinsInside > 0 && i % 50 == 0) Thread.Sleep(1);
                    Thread.SpinWait(spinsInside);
                    inside = 0;
                }
            }
        }, TaskCreationOptions.LongRunning))).WaitAsync(Patience);
        Assert.Equal((long)threads * times, count);
    }

    [Fact]
    public async Task WhoeverWaitsWhileItIsHeldLongGetsItAfterwards()
    {
        var gate = new LogGate();
        gate.EnterPlain();
        Task[] others = [.. Enumerable.Range(0, 5).Select(_ => Task.Factory.StartNew(() =>
        {
            using (gate.Enter()) Thread.SpinWait(10);
        }, TaskCreationOptions.LongRunning))];
        await Task.Delay(50);
        Assert.All(others, static o => Assert.False(o.IsCompleted));
        gate.Leave();
        await Task.WhenAll(others).WaitAsync(Patience);
    }

    [Fact]
    public async Task AnEventBetweenReadingTheCountAndAwaitingItIsNotMissed()
    {
        var events = new EventCount();
        long seen = events.Read();
        events.Advance();
        await Task.Run(() => events.Await(seen)).WaitAsync(Patience);
        events.Await(events.Read(), timeoutMs: 1);
        Task waiting = Task.Run(() => events.Await(seen + 1));
        await Task.Delay(20);
        Assert.False(waiting.IsCompleted);
        events.Advance();
        await waiting.WaitAsync(Patience);
    }
}
