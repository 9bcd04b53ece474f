using Store.Threading;

namespace Store.Tests.Threading;

public class UninterruptedTests
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);

    [Fact]
    public void AnInterruptedThreadWaitsForTheTaskToItsEnd()
    {
        var work = new TaskCompletionSource<int>();
        int seen = 0;
        bool kept = false;
        var thread = new Thread(() =>
        {
            seen = Uninterrupted.Await(work.Task);
            kept = Record.Exception(() => Thread.Sleep(1)) is ThreadInterruptedException;
        })
        { IsBackground = true };
        thread.Start();
        thread.Interrupt();
        Assert.False(thread.Join(50));
        work.SetResult(5);
        Assert.True(thread.Join(Patience));
        Assert.Equal((5, true), (seen, kept));
    }

    /// <summary>Somebody else's interruption is a failure as any other, and nothing to be waited out.</summary>
    [Fact]
    public void ATaskThatFailedBecauseItWasInterruptedItselfIsAFailure() =>
        Assert.Throws<ThreadInterruptedException>(() => Uninterrupted.Await(Task.FromException(new ThreadInterruptedException())));

    [Fact]
    public void ALockIsEnteredByAnInterruptedThreadAndLeftAtTheEndOfItsScope()
    {
        var gate = new Lock();
        var monitor = new object();
        bool entered = false, left = false;
        var thread = new Thread(() =>
        {
            Thread.CurrentThread.Interrupt();
            using (Uninterrupted.Enter(gate))
            using (Uninterrupted.EnterMonitor(monitor)) entered = gate.IsHeldByCurrentThread && Monitor.IsEntered(monitor);
            left = !gate.IsHeldByCurrentThread && !Monitor.IsEntered(monitor);
        })
        { IsBackground = true };
        Monitor.Enter(monitor);
        gate.Enter();
        thread.Start();
        Assert.False(thread.Join(50));
        gate.Exit();
        Assert.False(thread.Join(50));
        Monitor.Exit(monitor);
        Assert.True(thread.Join(Patience));
        Assert.True(entered && left);
    }
}
