using Microsoft.Extensions.Logging.Abstractions;
using Store.Log;
using Store.Tests.Simulation;

namespace Store.Tests.Log;

/// <summary>Whoever awaits the log goes on in his own scheduler or context. One that refuses him is no failure of the log, of its thread, or of the others who wait.</summary>
public class RefusingAwaiterTests
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);

    [Theory]
    [InlineData(3)]
    [InlineData(20)]
    public async Task OthersAreToldAndNobodyTwice(int count)
    {
        var queue = new CommitQueue(new LogFailure("test"), NullLogger.Instance);
        CommitWaiter[] waiters = [.. Enumerable.Range(1, count).Select(i => queue.Add(Durability.Disk, i, i, mayGiveUp: false, notesFailure: true))];
        Task<long>[] others = [.. waiters.Where(static (_, i) => i != 1).Select(static waiter => waiter.Task.AsTask())];
        var refused = new SynchronousContext(static () => throw new InvalidOperationException("closed"));
        refused.Await(waiters[1].Task);

        Assert.True(queue.Collect(0, 0, all: true));
        queue.Tell(null);

        Assert.Equal(count - 1, (await Task.WhenAll(others).WaitAsync(Patience)).Length);
        Assert.False(queue.Collect(0, 0, all: true));
        Assert.True(SpinWait.SpinUntil(() => refused.Posts == 1, Patience));
        Assert.All(Enumerable.Range(0, 2000).Select(static _ => CommitWaiter.Rent(1, 1, null)).ToArray(), static waiter => Assert.False(waiter.PlainTask.IsCompleted));
    }

    [Fact]
    public async Task WhoGoesOnAtOnceMayFlushAgain()
    {
        var queue = new CommitQueue(new LogFailure("test"), NullLogger.Instance);
        CommitWaiter[] waiters = [.. Enumerable.Range(1, 3).Select(i => queue.Add(Durability.Disk, i, i, mayGiveUp: false, notesFailure: true))];
        Task<long>[] others = [waiters[0].Task.AsTask(), waiters[2].Task.AsTask()];
        Task<long>? later = null;
        var flushesAgain = new SynchronousContext(() =>
        {
            later = queue.Add(Durability.Disk, 4, 4, mayGiveUp: false, notesFailure: true).Task.AsTask();
            queue.Collect(0, 0, all: true);
            queue.Tell(null);
        });
        flushesAgain.Await(waiters[1].Task);

        queue.Collect(0, 0, all: true);
        queue.Tell(null);

        long[] told = await Task.WhenAll(others).WaitAsync(Patience);
        Assert.Equal([1, 3], told);
        Assert.Equal(4, await later!.WaitAsync(Patience));
    }

    [Fact]
    public async Task TheLogGoesOn()
    {
        var held = new StallingDirectory(new SimDirectory());
        using NinoStore store = Simulated.Open(held, change: static o => o with { RunsInline = false, FlushIntervalMs = 1 });
        var closed = new SynchronousContext(static () => throw new InvalidOperationException("closed"));
        held.Stall();
        closed.Await(store.AppendAsync(1));
        held.GoOn();
        Assert.True(SpinWait.SpinUntil(() => closed.Posts == 1, Patience));

        Assert.Equal(2, await store.AppendAsync(2).AsTask().WaitAsync(Patience));
        Assert.Equal([1, 2], store.Read<int>().Select(static record => record.Value));
    }

    // Goes on with its awaiters at once, in what it is given, on the thread that tells them.
    private sealed class SynchronousContext(Action goOn) : SynchronizationContext
    {
        private int _posts;

        public int Posts => Volatile.Read(ref _posts);

        public void Await(ValueTask<long> task)
        {
            Assert.False(task.IsCompleted);
            SynchronizationContext? before = Current;
            SetSynchronizationContext(this);
            try
            {
                task.GetAwaiter().OnCompleted(static () => { });
            }
            finally
            {
                SetSynchronizationContext(before);
            }
        }

        public override void Post(SendOrPostCallback d, object? state)
        {
            Interlocked.Increment(ref _posts);
            goOn();
        }
    }
}
