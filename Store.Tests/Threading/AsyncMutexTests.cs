using Store.Threading;

namespace Store.Tests.Threading;

public class AsyncMutexTests
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);

    private readonly AsyncMutex _mutex = new();

    [Fact]
    public async Task OneIsInsideAndTheNextComesWhenItHasLeft()
    {
        AsyncMutex.Scope first = _mutex.Enter();
        Task<AsyncMutex.Scope> second = _mutex.EnterAsync(CancellationToken.None).AsTask();
        Assert.False(second.IsCompleted);
        first.Dispose();
        (await second.WaitAsync(Patience)).Dispose();
        _mutex.Enter().Dispose();
    }

    [Fact]
    public async Task WhoeverIsCancelledWhileItWaitsHasNotEntered()
    {
        using var cancelled = new CancellationTokenSource();
        AsyncMutex.Scope first = _mutex.Enter();
        Task<AsyncMutex.Scope> second = _mutex.EnterAsync(cancelled.Token).AsTask();
        await cancelled.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => second.WaitAsync(Patience));
        first.Dispose();
        _mutex.Enter().Dispose();
    }

    [Fact]
    public void AnInterruptedThreadWaitsOnAndKeepsTheInterruption()
    {
        AsyncMutex.Scope first = _mutex.Enter();
        bool entered = false, kept = false;
        var thread = new Thread(() =>
        {
            using (_mutex.Enter()) entered = true;
            kept = Record.Exception(() => Thread.Sleep(0)) is ThreadInterruptedException || Record.Exception(() => Thread.Sleep(1)) is ThreadInterruptedException;
        })
        { IsBackground = true };
        thread.Start();
        thread.Interrupt();
        Assert.False(thread.Join(50));
        Assert.False(entered);
        first.Dispose();
        Assert.True(thread.Join(Patience));
        Assert.True(entered);
        Assert.True(kept);
    }

    /// <summary>A lock within the semaphore is fought for: whoever is interrupted there must leave all the same.</summary>
    [Fact]
    public void InterruptedThreadsNeverKeepItForEver()
    {
        long turns = 0, stop = 0;
        Thread[] threads = [.. Enumerable.Range(0, 4).Select(_ => new Thread(() =>
        {
            while (Interlocked.Read(ref stop) == 0)
            {
                using (_mutex.Enter()) turns++;
            }
        }) { IsBackground = true })];
        foreach (Thread thread in threads) thread.Start();
        var random = new Random(1);
        for (int i = 0; i < 20_000; i++)
        {
            threads[random.Next(threads.Length)].Interrupt();
            Thread.SpinWait(random.Next(200));
        }

        Interlocked.Exchange(ref stop, 1);
        Assert.All(threads, thread => Assert.True(thread.Join(Patience), $"A thread waits for ever, after {turns} turns."));
        _mutex.Enter().Dispose();
        Assert.True(turns > 0);
    }
}
