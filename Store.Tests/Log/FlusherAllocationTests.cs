// As a program runs it: the flusher is a thread of its own, whoever waits waits, and what is allocated for whoever waits is looked at where it is synced.

using Store.IO;
using Store.Tests.Simulation;

namespace Store.Tests.Log;

/// <summary>In steady state nothing is allocated for a wait, on whichever thread. Alone in the process: who waits alone is synced for by a thread of the pool, which between two of his syncs works for everybody.</summary>
[Collection("alone")]
public class FlusherAllocationTests
{
    private const int Each = 60;

    private static readonly CancellationTokenSource Alive = new();

    [Theory]
    [InlineData(1, false)]
    [InlineData(1, true)]
    [InlineData(2, false)]
    [InlineData(2, true)]
    public void WithAFlusherOfItsOwnNothingIsAllocatedOnAnySide(int waiters, bool withToken)
    {
        using var folder = new TemporaryFolder();
        using var watched = new WatchedSyncs(DiskDirectory.Open(folder.Path));
        // One segment: beginning the next one allocates a few kilobytes.
        using NinoStore store = NinoStore.Open(folder.Path, new NinoStoreOptions { Directory = watched, FirstSegmentSizeBytes = 16 * 1024 * 1024 });
        CancellationToken token = withToken ? Alive.Token : default;
        Append();
        (long Caller, long Flusher, long Pool) least = (long.MaxValue, 0, 0);
        int looked = 0;
        for (int turn = 0; turn < 300 && looked < 30 && least != (0, 0, 0); turn++)
        {
            watched.Begin();
            long caller = Allocated.Least(Append, runs: 1);
            // For who waits alone a thread of the pool syncs, unless the flusher's comes first; for several mostly the flusher's. A turn in which the other one did it all says nothing.
            (Watch ofFlusher, Watch ofPool) = watched.Taken;
            if ((waiters == 1 ? ofPool : ofFlusher).Spans == 0) continue;
            looked++;
            // Of one turn: each is at rest in some.
            if (caller + ofFlusher.Allocated + ofPool.Allocated < least.Caller + least.Flusher + least.Pool) least = (caller, ofFlusher.Allocated, ofPool.Allocated);
        }

        Assert.True(looked > 0, "In no turn did the thread sync that is to be looked at.");
        Assert.Equal((0, 0, 0), least);
        Assert.Equal(store.LastSequence, store.DurableSequence);

        void Append()
        {
            for (int i = 0; i < Each; i++)
            {
                ValueTask<long> first = store.AppendAsync(7, token);
                if (waiters > 1) Await(store.AppendAsync(7, token));
                Await(first);
            }
        }
    }

    // Without a continuation, which the scheduler would pay for.
    private static void Await(ValueTask<long> task)
    {
        SpinWait spin = default;
        while (!task.IsCompleted) spin.SpinOnce();
        _ = task.Result;
    }

    /// <summary>How many spans from one sync of a thread to its next one were looked at, and what was allocated in them.</summary>
    private readonly record struct Watch(int Spans, long Allocated);

    /// <summary>Counts what threads that sync a segment allocate between their syncs: the flusher's, and those of the pool that sync for one who waits alone. What else the pool is given to do meanwhile is in it.</summary>
    private sealed class WatchedSyncs(IStoreDirectory inner) : PassThroughDirectory(inner)
    {
        [ThreadStatic] private static long t_turn;
        [ThreadStatic] private static long t_allocated;
        private static long s_turn;
        private readonly Lock _gate = new();

        private Watch _flusher;
        private Watch _pool;

        public (Watch OfFlusher, Watch OfPool) Taken
        {
            get
            {
                lock (_gate) return (_flusher, _pool);
            }
        }

        public void Begin()
        {
            lock (_gate) (_flusher, _pool) = (default, default);
            Interlocked.Increment(ref s_turn);
        }

        public override IStoreFile Create(string name) => new WatchedFile(this, base.Create(name));

        public override IStoreFile OpenWrite(string name) => new WatchedFile(this, base.OpenWrite(name));

        private void Synced()
        {
            long now = GC.GetAllocatedBytesForCurrentThread(), turn = Interlocked.Read(ref s_turn);
            if (t_turn == turn)
            {
                lock (_gate)
                {
                    ref Watch watch = ref Thread.CurrentThread.IsThreadPoolThread ? ref _pool : ref _flusher;
                    watch = new Watch(watch.Spans + 1, watch.Allocated + now - t_allocated);
                }
            }

            (t_turn, t_allocated) = (turn, now);
        }

        private sealed class WatchedFile(WatchedSyncs directory, IStoreFile inner) : PassThroughFile(inner)
        {
            public override void SyncData()
            {
                base.SyncData();
                directory.Synced();
            }
        }
    }
}
