using Microsoft.Extensions.Logging.Abstractions;
using Store.Log;
using Store.Tests.Simulation;

namespace Store.Tests.Log;

/// <summary>Whoever awaits the log goes on in his own scheduler or context. One that refuses him, or that goes on with him at once, is no failure of the log, of its thread, or of the others who wait.</summary>
public class RefusingAwaiterTests
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);

    [Theory]
    [InlineData(3, true)]
    [InlineData(3, false)]
    [InlineData(20, true)]
    public async Task OthersAreToldAndNobodyTwice(int count, bool here)
    {
        var queue = new CommitQueue(new LogFailure("test"), NullLogger.Instance);
        CommitWaiter[] waiters = [.. Enumerable.Range(1, count).Select(i => queue.Add(Durability.Disk, i, i, mayGiveUp: false, notesFailure: true))];
        Task<long>[] others = [.. waiters.Where(static (_, i) => i != 1).Select(static waiter => waiter.Task.AsTask())];
        var refused = new SynchronousContext(static () => throw new InvalidOperationException("closed"));
        refused.Await(waiters[1].Task);

        Assert.True(queue.Collect(0, 0, all: true));
        queue.Tell(null, here);

        Assert.Equal(count - 1, (await Task.WhenAll(others).WaitAsync(Patience)).Length);
        Assert.False(queue.Collect(0, 0, all: true));
        Assert.True(SpinWait.SpinUntil(() => refused.Posts == 1, Patience));
        Assert.All(Enumerable.Range(0, 2000).Select(static _ => CommitWaiter.Rent(1, 1, null)).ToArray(), static waiter => Assert.False(waiter.PlainTask.IsCompleted));
    }

    [Fact]
    public async Task WhoGoesOnAtOnceMayWaitForTheThreadThatToldHim()
    {
        var held = new StallingDirectory(new SimDirectory());
        NinoStore store = Simulated.Open(held, change: static o => o with { RunsInline = false, FlushIntervalMs = 1 });
        var done = new TaskCompletionSource<string?>(TaskCreationOptions.RunContinuationsAsynchronously);
        var waits = new SynchronousContext(() =>
        {
            store.Append(2);
            store.Commit();
            store.Dispose();
            done.SetResult(Thread.CurrentThread.Name);
        });
        held.Stall();
        waits.Await(store.AppendAsync(1));
        held.GoOn();

        Assert.NotEqual("NinoStore flusher", await done.Task.WaitAsync(Patience));
        Assert.Equal(1, waits.Posts);
    }

    [Fact]
    public async Task AnAwaiterGoesOnInHisOwnScheduler()
    {
        var held = new StallingDirectory(new SimDirectory());
        using NinoStore store = Simulated.Open(held, change: static o => o with { RunsInline = false, FlushIntervalMs = 1 });
        var schedulers = new ConcurrentExclusiveSchedulerPair();
        held.Stall();
        Task<(TaskScheduler Before, TaskScheduler After, long Sequence)> awaiting = await Task.Factory.StartNew(
            async () =>
            {
                TaskScheduler before = TaskScheduler.Current;
                long sequence = await store.AppendAsync(1);
                return (before, TaskScheduler.Current, sequence);
            },
            CancellationToken.None,
            TaskCreationOptions.None,
            schedulers.ExclusiveScheduler);
        held.GoOn();

        Assert.Equal((schedulers.ExclusiveScheduler, schedulers.ExclusiveScheduler, 1L), await awaiting.WaitAsync(Patience));
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
