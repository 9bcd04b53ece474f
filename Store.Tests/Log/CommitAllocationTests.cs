using System.IO.Pipelines;

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
