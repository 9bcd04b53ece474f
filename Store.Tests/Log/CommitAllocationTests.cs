using System.IO.Pipelines;
using Store.IO;
using Store.Tests.Simulation;

namespace Store.Tests.Log;

/// <summary>In steady state nothing on the way of a record to the disk allocates. Everything runs on the calling thread, so that the count is exact; the file and the sync are the disk's.</summary>
public class CommitAllocationTests
{
    private const int Each = 60;

    public static TheoryData<string> Ways => new(Operations.Keys.Order(StringComparer.Ordinal));

    private static readonly CancellationTokenSource Alive = new();
    private static readonly int[] Batch = [.. Enumerable.Range(1, 30)];
    private static readonly List<int> Listed = [.. Batch];
    private static readonly byte[][] Arrays = [.. Enumerable.Range(1, 30).Select(static n => new byte[n])];

    private static readonly Dictionary<string, Action<NinoStore, PipeWriter>> Operations = new(StringComparer.Ordinal)
    {
        ["Append, Commit"] = static (store, _) =>
        {
            store.Append(7);
            store.Commit();
        },
        ["Append, CommitAsync"] = static (store, _) =>
        {
            store.Append(7);
            Done(store.CommitAsync());
        },
        ["AppendAsync"] = static (store, _) => Done(store.AppendAsync(7)),
        ["AppendAsync, token"] = static (store, _) => Done(store.AppendAsync(7, Alive.Token)),
        ["Append, CommitAsync, token"] = static (store, _) =>
        {
            store.Append(7);
            Done(store.CommitAsync(Alive.Token));
        },
        ["AppendBatchAsync, token"] = static (store, _) => Done(store.AppendBatchAsync<int>(Batch, Alive.Token)),
        ["AppendAsync expected"] = static (store, _) => Done(store.AppendAsync(7, store.LastSequence + 1)),
        ["AppendBatch, Commit"] = static (store, _) =>
        {
            store.AppendBatch<int>(Batch);
            store.AppendBatch(Listed);
            store.Commit();
        },
        ["AppendBatch of arrays, Commit"] = static (store, _) =>
        {
            store.AppendBatch<byte[]>(Arrays.AsSpan());
            store.Commit();
        },
        ["AppendBatchAsync"] = static (store, _) => Done(store.AppendBatchAsync<int>(Batch)),
        ["OpenPipe, flush"] = static (_, pipe) =>
        {
            pipe.GetSpan(40)[..40].Fill(3);
            pipe.Advance(40);
            ValueTask<FlushResult> flush = pipe.FlushAsync();
            Assert.True(flush.IsCompletedSuccessfully);
            flush.GetAwaiter().GetResult();
        },
    };

    [Theory]
    [MemberData(nameof(Ways))]
    public void FromTheCallToTheDiskNothingIsAllocated(string way)
    {
        using var folder = new TemporaryFolder();
        // One segment: beginning the next one allocates a few kilobytes.
        using NinoStore store = NinoStore.Open(folder["data"], new NinoStoreOptions { RunsInline = true, FirstSegmentSizeBytes = 16 * 1024 * 1024 });
        PipeWriter pipe = store.OpenPipe();
        Action<NinoStore, PipeWriter> operation = Operations[way];
        for (int i = 0; i < Each; i++) operation(store, pipe);
        long before = store.LastSequence;

        long allocated = Allocated.Least(() =>
        {
            for (int i = 0; i < Each; i++) operation(store, pipe);
        });

        Assert.Equal(0, allocated);
        Assert.True(store.LastSequence >= before + Each);
        Assert.Equal(store.LastSequence, store.DurableSequence);
        pipe.Complete();
    }

    // As a program runs it: the flusher is a thread of its own, whoever waits waits, and what is allocated for whoever waits is looked at where it is synced.
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void WithAFlusherOfItsOwnNothingIsAllocatedOnEitherSide(bool withToken)
    {
        using var folder = new TemporaryFolder();
        using var watched = new WatchedSyncs(DiskDirectory.Open(folder.Path));
        using NinoStore store = NinoStore.Open(folder.Path, new NinoStoreOptions { Directory = watched, FirstSegmentSizeBytes = 16 * 1024 * 1024 });
        CancellationToken token = withToken ? Alive.Token : default;
        for (int i = 0; i < Each; i++) Await(store.AppendAsync(7, token));
        long caller = long.MaxValue, flusher = long.MaxValue;
        for (int turn = 0; turn < 30 && (caller, flusher) != (0, 0); turn++)
        {
            watched.Begin();
            caller = Math.Min(caller, Allocated.Least(
                () =>
                {
                    for (int i = 0; i < Each; i++) Await(store.AppendAsync(7, token));
                },
                runs: 1));
            flusher = Math.Min(flusher, watched.Allocated);
        }

        Assert.Equal((0L, 0L), (caller, flusher));
        Assert.True(watched.OnThePool > 0);
        Assert.Equal(store.LastSequence, store.DurableSequence);
    }

    [Fact]
    public async Task AWaitThatIsGivenUpEndsAndTheNextOnesAreTheirOwn()
    {
        using var folder = new TemporaryFolder();
        using NinoStore store = NinoStore.Open(folder["data"]);
        int ended = 0, givenUp = 0;
        for (int i = 0; i < 2000; i++)
        {
            using var stop = new CancellationTokenSource();
            ValueTask<long> wait = store.AppendAsync(i, stop.Token), other = store.AppendAsync(i);
            Task cancelling = Task.Run(stop.Cancel);
            try
            {
                Assert.Equal(store.LastSequence - 1, await wait);
                ended++;
            }
            catch (OperationCanceledException e)
            {
                Assert.Equal(stop.Token, e.CancellationToken);
                givenUp++;
            }

            // Whatever became of the first, this one ends with its own sequence and not before it is on the disk.
            long sequence = await other;
            Assert.Equal(store.LastSequence, sequence);
            Assert.True(store.DurableSequence >= sequence);
            await cancelling;
        }

        Assert.True(givenUp > 0, $"{ended} ended, {givenUp} were given up");
    }

    // Without a continuation, which the scheduler would pay for.
    private static void Await(ValueTask<long> task)
    {
        SpinWait spin = default;
        while (!task.IsCompleted) spin.SpinOnce();
        _ = task.Result;
    }

    /// <summary>Counts what threads that sync a segment allocate between their syncs: the flusher's, and those of the pool that sync for one who waits alone. What else the pool is given to do meanwhile is in it.</summary>
    private sealed class WatchedSyncs(IStoreDirectory inner) : PassThroughDirectory(inner)
    {
        [ThreadStatic] private static long t_turn;
        [ThreadStatic] private static long t_allocated;
        private static long s_turn;
        private long _allocated;
        private long _others;

        public long Allocated => Interlocked.Read(ref _allocated);

        /// <summary>How often it was not the thread that syncs for all.</summary>
        public long OnThePool => Interlocked.Read(ref _others);

        public void Begin()
        {
            Interlocked.Increment(ref s_turn);
            Interlocked.Exchange(ref _allocated, 0);
        }

        public override IStoreFile Create(string name) => new WatchedFile(this, base.Create(name));

        public override IStoreFile OpenWrite(string name) => new WatchedFile(this, base.OpenWrite(name));

        private sealed class WatchedFile(WatchedSyncs directory, IStoreFile inner) : PassThroughFile(inner)
        {
            public override void SyncData()
            {
                base.SyncData();
                long now = GC.GetAllocatedBytesForCurrentThread(), turn = Interlocked.Read(ref s_turn);
                if (t_turn == turn) Interlocked.Add(ref directory._allocated, now - t_allocated);
                (t_turn, t_allocated) = (turn, now);
                if (Thread.CurrentThread.IsThreadPoolThread) Interlocked.Increment(ref directory._others);
            }
        }
    }

    private static void Done<T>(ValueTask<T> task)
    {
        Assert.True(task.IsCompletedSuccessfully);
        _ = task.Result;
    }

    private static void Done(ValueTask task)
    {
        Assert.True(task.IsCompletedSuccessfully);
        task.GetAwaiter().GetResult();
    }
}
