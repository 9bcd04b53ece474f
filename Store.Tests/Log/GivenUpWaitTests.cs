using System.IO.Pipelines;
using System.Runtime.CompilerServices;
using Store.IO;
using Store.Log;
using Store.Tests.Simulation;

namespace Store.Tests.Log;

/// <summary>Somebody hears of records that a failure lost: whoever waited for them, or whoever disposes the store when nobody waited to the end.</summary>
public class GivenUpWaitTests
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);

    public static TheoryData<string> Ways => ["append", "batch", "commit", "pipe"];

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task WhoGaveUpWaitingWasNotToldSoDisposingThrows(string way)
    {
        using var directory = new HeldSync(new SimDirectory());
        NinoStore store = Open(directory);
        using var stop = new CancellationTokenSource();
        Task wait = WaitAsync(store, way, stop.Token);
        Assert.True(directory.Began.Wait(Patience));
        await stop.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => wait);

        directory.Fail();

        Assert.IsType<InjectedFault>(Assert.Throws<StoreFailedException>(store.Dispose).InnerException);
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public Task WhoWaitedWithATokenWasToldAndDisposingSaysNothing(string way)
    {
        using var stop = new CancellationTokenSource();
        return WhoWaitedWasToldAsync(way, stop.Token);
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public Task WhoWaitedWithoutATokenWasToldAndDisposingSaysNothing(string way) => WhoWaitedWasToldAsync(way, CancellationToken.None);

    private static async Task WhoWaitedWasToldAsync(string way, CancellationToken token)
    {
        using var directory = new HeldSync(new SimDirectory());
        NinoStore store = Open(directory);
        Task wait = WaitAsync(store, way, token);
        Assert.True(directory.Began.Wait(Patience));

        directory.Fail();

        await Assert.ThrowsAsync<StoreFailedException>(() => wait);
        store.Dispose();
    }

    [Fact]
    public void WhoDroppedHisWaitWasNotToldSoDisposingThrows()
    {
        using var directory = new HeldSync(new SimDirectory());
        NinoStore store = Open(directory);
        store.Append(1);
        _ = store.AppendAsync(2);
        Assert.True(directory.Began.Wait(Patience));

        directory.Fail();

        Assert.IsType<InjectedFault>(Assert.Throws<StoreFailedException>(store.Dispose).InnerException);
    }

    /// <summary>A task takes the result of the wait itself, and who looks at the task is not to be seen from here.</summary>
    [Fact]
    public void AWaitThatBecameATaskAndWasDroppedIsToldByTheFrameworkAndNotByDisposing()
    {
        string what = $"sync {Guid.NewGuid()}";
        int told = 0;
        void Listen(object? sender, UnobservedTaskExceptionEventArgs e)
        {
            if (e.Exception.InnerException is StoreFailedException failed && failed.Message.Contains(what, StringComparison.Ordinal)) Interlocked.Increment(ref told);
        }

        TaskScheduler.UnobservedTaskException += Listen;
        try
        {
            using var directory = new HeldSync(new SimDirectory()) { Failure = what };
            NinoStore store = Open(directory);
            Drop(store);
            Assert.True(directory.Began.Wait(Patience));
            directory.Fail();
            for (var waited = System.Diagnostics.Stopwatch.StartNew(); Volatile.Read(ref told) == 0 && waited.Elapsed < Patience; Thread.Sleep(1))
            {
                GC.Collect();
                GC.WaitForPendingFinalizers();
            }

            Assert.Equal(1, told);
            store.Dispose();
        }
        finally
        {
            TaskScheduler.UnobservedTaskException -= Listen;
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Drop(NinoStore store) => _ = store.AppendAsync(1).AsTask();

    [Fact]
    public async Task WhereOneGaveUpAndAnotherWaitedTheOtherWasTold()
    {
        using var directory = new HeldSync(new SimDirectory());
        NinoStore store = Open(directory);
        using var stop = new CancellationTokenSource();
        Task wait = store.AppendAsync(1, stop.Token).AsTask(), other = store.AppendAsync(2).AsTask();
        Assert.True(directory.Began.Wait(Patience));
        await stop.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => wait);

        directory.Fail();

        await Assert.ThrowsAsync<StoreFailedException>(() => other);
        store.Dispose();
    }

    [Fact]
    public async Task WhoCancelledAPendingFlushOfAPipeWasNotToldSoDisposingThrows()
    {
        using var directory = new HeldSync(new SimDirectory());
        NinoStore store = Open(directory);
        PipeWriter pipe = Written(store);
        Task<FlushResult> flush = pipe.FlushAsync().AsTask();
        Assert.True(directory.Began.Wait(Patience));
        pipe.CancelPendingFlush();
        Assert.True((await flush).IsCanceled);

        directory.Fail();

        Assert.IsType<InjectedFault>(Assert.Throws<StoreFailedException>(store.Dispose).InnerException);
    }

    [Fact]
    public async Task WhatWasAppendedIsWaitedForAlsoWhereTheStoreWasClosedMeanwhile()
    {
        NinoStore store = Simulated.Open(new SimDirectory());
        AppendLog log = store.Opened.Log;
        long sequence = store.AppendBatch<int>([1, 2, 3]);
        store.Dispose();

        // Who appended it must not hear that it was refused: it is on the disk.
        Assert.Equal(sequence, await log.WaitAsync(Durability.Disk, sequence, isAppended: true));
        Assert.Throws<ObjectDisposedException>(() => log.WaitAsync(Durability.Disk, sequence));
    }

    [Fact]
    public async Task WhatWasAppendedAndLostIsToldAlsoWhereTheStoreWasClosedMeanwhile()
    {
        var faulty = new FaultDirectory(new SimDirectory());
        NinoStore store = Simulated.Open(faulty);
        AppendLog log = store.Opened.Log;
        long sequence = store.AppendBatch<int>([1, 2, 3]);
        faulty.Fault = new Fault(1, FaultKind.IoError, IsForever: true, Strikes: static operation => operation == IoOperation.SyncData);
        Assert.Throws<StoreFailedException>(store.Dispose);

        await Assert.ThrowsAsync<StoreFailedException>(async () => await log.WaitAsync(Durability.Disk, sequence, isAppended: true));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void AWaitThatEndedAndThatNobodyTakesIsNotHeldByItsToken(bool endsFirst)
    {
        using var alive = new CancellationTokenSource();
        WeakReference dropped = Dropped(alive.Token, endsFirst);
        // The pool may have it in hand for a while.
        for (int i = 0; i < 200 && dropped.IsAlive; i++)
        {
            if (i > 10) Thread.Sleep(10);
            GC.Collect();
            GC.WaitForPendingFinalizers();
        }

        Assert.False(dropped.IsAlive);
        GC.KeepAlive(alive);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static WeakReference Dropped(CancellationToken token, bool endsFirst)
    {
        CommitWaiter waiter = CommitWaiter.Rent(1, 1, new LogFailure("test"), mayGiveUp: true);
        if (endsFirst) waiter.Complete(null);
        waiter.GiveUpWhen(token);
        if (!endsFirst) waiter.Complete(null);
        return new WeakReference(waiter);
    }

    private static NinoStore Open(HeldSync directory)
    {
        NinoStore store = Simulated.Open(directory, change: static o => o with { RunsInline = false, FlushIntervalMs = 1 });
        directory.IsArmed = true;
        return store;
    }

    private static Task WaitAsync(NinoStore store, string way, CancellationToken token)
    {
        switch (way)
        {
            case "append":
                return store.AppendAsync(1, token).AsTask();
            case "batch":
                return store.AppendBatchAsync<int>([1, 2, 3], token).AsTask();
            case "commit":
                store.Append(1);
                return store.CommitAsync(token).AsTask();
            default:
                return Written(store).FlushAsync(token).AsTask();
        }
    }

    private static PipeWriter Written(NinoStore store)
    {
        PipeWriter pipe = store.OpenPipe();
        pipe.GetSpan(1)[0] = 1;
        pipe.Advance(1);
        return pipe;
    }

    /// <summary>A folder whose next sync of the log waits and then fails.</summary>
    private sealed class HeldSync(IStoreDirectory inner) : PassThroughDirectory(inner)
    {
        private readonly ManualResetEventSlim _fails = new();

        public ManualResetEventSlim Began { get; } = new();

        public volatile bool IsArmed;

        public string Failure { get; init; } = "as asked";

        public void Fail() => _fails.Set();

        public override IStoreFile Create(string name) => new HeldFile(base.Create(name), this);

        public override IStoreFile OpenWrite(string name) => new HeldFile(base.OpenWrite(name), this);

        private sealed class HeldFile(IStoreFile inner, HeldSync owner) : PassThroughFile(inner)
        {
            public override void SyncData()
            {
                if (owner.IsArmed)
                {
                    owner.Began.Set();
                    Assert.True(owner._fails.Wait(Patience));
                    throw new InjectedFault(owner.Failure, 5);
                }

                base.SyncData();
            }
        }
    }
}
