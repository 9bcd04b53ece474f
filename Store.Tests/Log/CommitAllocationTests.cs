using System.IO.Pipelines;

namespace Store.Tests.Log;

/// <summary>In steady state nothing on the way of a record to the disk allocates. Everything runs on the calling thread, so that the count is exact; the file and the sync are the disk's.</summary>
public class CommitAllocationTests
{
    private const int Each = 60;

    public static TheoryData<string> Ways => new(Operations.Keys.Order(StringComparer.Ordinal));

    private static readonly int[] Batch = [.. Enumerable.Range(1, 30)];
    private static readonly List<int> Listed = [.. Batch];

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
        ["AppendAsync expected"] = static (store, _) => Done(store.AppendAsync(7, store.LastSequence + 1)),
        ["AppendBatch, Commit"] = static (store, _) =>
        {
            store.AppendBatch<int>(Batch);
            store.AppendBatch(Listed);
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
