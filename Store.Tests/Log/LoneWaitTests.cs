// Where does one go on who waited alone? On the thread of the pool that wrote and synced for him, which holds nothing any more. The tests run on the pool, without the runner's context.

using Store.IO;
using Store.Tests.Simulation;

namespace Store.Tests.Log;

public class LoneWaitTests
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);

    [Fact]
    public Task WhoWaitsAloneGoesOnOnTheThreadThatSyncedForHim() => Task.Run(async () =>
    {
        var directory = new NotedSync(new SimDirectory());
        using NinoStore store = Open(directory);
        int here = 0;
        for (int i = 1; i <= 2000 && here < 20; i++)
        {
            Assert.Equal(i, await store.AppendAsync(i));
            Assert.NotEqual("NinoStore flusher", Thread.CurrentThread.Name);
            Assert.Equal(i, store.DurableSequence);
            if (directory.LastSync == Environment.CurrentManagedThreadId) here++;
        }

        Assert.Equal(20, here);
    });

    [Fact]
    public Task WhoStaysWhereHeWasToldHoldsUpNobody() => Task.Run(async () =>
    {
        using NinoStore store = Open(new NotedSync(new SimDirectory()));
        using var end = new ManualResetEventSlim();
        for (int i = 0; i < 40; i++) await store.AppendAsync(i);
        Task stays = StayAsync();

        for (int i = 0; i < 40; i++) await store.AppendAsync(i).AsTask().WaitAsync(Patience);
        store.Commit();
        Assert.False(stays.IsCompleted);
        end.Set();
        await stays.WaitAsync(Patience);

        async Task StayAsync()
        {
            await store.AppendAsync(-1);
            Assert.True(end.Wait(Patience));
        }
    });

    [Fact]
    public Task WhoBlocksOnHisNextCommitWhereHeWasToldIsServed() => Task.Run(async () =>
    {
        using NinoStore store = Open(new NotedSync(new SimDirectory()));
        for (int i = 0; i < 200; i++)
        {
            await store.AppendAsync(i);
            Assert.True(store.AppendAsync(i).AsTask().Wait(Patience));
        }
    });

    [Fact]
    public Task TheStoreMayBeClosedWhereOneWasTold() => Task.Run(async () =>
    {
        for (int round = 0; round < 20; round++)
        {
            NinoStore store = Open(new NotedSync(new SimDirectory()));
            for (int i = 0; i < 10; i++) await store.AppendAsync(i);
            store.Dispose();
            Assert.Throws<ObjectDisposedException>(() => store.Append(1));
        }
    });

    [Fact]
    public Task WhoWaitsAloneHearsOfAFailureAndSoDoesWhoComesAfterHim() => Task.Run(async () =>
    {
        var directory = new NotedSync(new SimDirectory());
        NinoStore store = Open(directory);
        for (int i = 0; i < 40; i++) await store.AppendAsync(i);
        directory.Fails = true;

        Assert.IsType<InjectedFault>((await Assert.ThrowsAsync<StoreFailedException>(async () => await store.AppendAsync(1))).InnerException);
        Assert.Throws<StoreFailedException>(() => store.Append(1));
        store.Dispose();
    });

    [Fact]
    public Task WhoGivesUpAloneGoesOnElsewhereAndTheNextIsServed() => Task.Run(async () =>
    {
        using NinoStore store = Open(new NotedSync(new SimDirectory()));
        for (int i = 0; i < 200; i++)
        {
            using var stop = new CancellationTokenSource();
            Task<long> wait = store.AppendAsync(i, stop.Token).AsTask();
            if (i % 2 == 0) await stop.CancelAsync();
            try
            {
                await wait.WaitAsync(Patience);
            }
            catch (OperationCanceledException)
            {
                Assert.True(stop.IsCancellationRequested);
            }

            await store.AppendAsync(i, CancellationToken.None).AsTask().WaitAsync(Patience);
        }

        Assert.Equal(400, store.DurableSequence);
    });

    // A thread of the pool is not for waiting on a slow disk.
    [Fact]
    public Task WhereASyncIsSlowItIsTheFlushersAgain() => Task.Run(async () =>
    {
        var directory = new NotedSync(new SimDirectory()) { DelayMs = 8 };
        using NinoStore store = Open(directory);
        int opening = directory.OnThePool;
        for (int i = 0; i < 40; i++) await store.AppendAsync(i);

        // The first may be lent, when nothing is known of the disk.
        Assert.InRange(directory.OnThePool - opening, 0, 1);
        directory.DelayMs = 0;
        for (int i = 0; i < 2000 && directory.OnThePool < opening + 21; i++) await store.AppendAsync(i);
        Assert.True(directory.OnThePool >= opening + 21);
    });

    /// <summary>Where it lies makes no difference: a record alone is in the frame that is still open.</summary>
    [Fact]
    public Task ARecordOfMegabytesIsTheFlushers() => Task.Run(async () =>
    {
        var directory = new NotedSync(new SimDirectory());
        using NinoStore store = Simulated.Open(directory, change: static o => o with { RunsInline = false, SegmentSizeBytes = 64 << 20, BufferSizeBytes = 16 << 20 });
        byte[] large = new byte[2 << 20];
        int lent = 0;
        for (int i = 0; i < 10; i++)
        {
            int before = directory.OnThePool;
            for (int k = 0; k < 2000 && directory.OnThePool == before; k++) await store.AppendAsync(k);
            Assert.True(directory.OnThePool > before);
            before = directory.OnThePool;
            await store.AppendAsync(large);
            lent += directory.OnThePool - before;
        }

        Assert.Equal(0, lent);
    });

    private static NinoStore Open(IStoreDirectory directory) => Simulated.Open(directory, change: static o => o with { RunsInline = false });

    /// <summary>Notes which thread synced last.</summary>
    private sealed class NotedSync(IStoreDirectory inner) : PassThroughDirectory(inner)
    {
        private volatile int _lastSync;

        public int LastSync => _lastSync;

        private int _onThePool;

        public volatile bool Fails;

        public volatile int DelayMs;

        public int OnThePool => Volatile.Read(ref _onThePool);

        public override IStoreFile Create(string name) => new NotedFile(base.Create(name), this);

        public override IStoreFile OpenWrite(string name) => new NotedFile(base.OpenWrite(name), this);

        private sealed class NotedFile(IStoreFile inner, NotedSync owner) : PassThroughFile(inner)
        {
            public override void SyncData()
            {
                if (owner.Fails) throw new InjectedFault("as asked", 5);
                if (owner.DelayMs > 0) Thread.Sleep(owner.DelayMs);
                if (Thread.CurrentThread.IsThreadPoolThread) Interlocked.Increment(ref owner._onThePool);
                owner._lastSync = Environment.CurrentManagedThreadId;
                base.SyncData();
            }
        }
    }
}
