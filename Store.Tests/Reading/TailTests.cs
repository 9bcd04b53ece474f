using Store.Tests.Log;
using Store.Tests.Retention;
using Store.Tests.Simulation;

namespace Store.Tests.Reading;

/// <summary>Following a log, in its process and from another: in order, without gap or duplicate, over segments, to a clean end.</summary>
public class TailTests
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);

    private static NinoStoreOptions Small => new() { FirstSegmentSizeBytes = 16 * 1024, SegmentSizeBytes = 64 * 1024, BufferSizeBytes = 256 * 1024, FlushIntervalMs = 1 };

    [Fact]
    public void WhatIsDurableCannotBeFollowedFromOutside()
    {
        using var directory = new SimDirectory();
        using NinoStore store = Simulated.Open(directory);
        var options = new ReadOptions { DurableOnly = true };
        Assert.Contains("DurableOnly", Assert.Throws<ArgumentException>(() => RetentionTests.Look(directory).TailRecordsAsync(options).ToBlockingEnumerable().Any()).Message, StringComparison.Ordinal);
        using NinoStore reader = Simulated.Open(directory, 2, static o => o with { ReadOnly = true });
        Assert.Throws<ArgumentException>(() => reader.TailAsync<int>(options));
        _ = reader.TailAsync<int>(options with { DurableOnly = false });
    }

    [Fact]
    public async Task FollowersSeeEveryRecordOnceAndInOrderWhileSegmentsRollOver()
    {
        const long Records = 60_000;
        using var folder = new TemporaryFolder();
        using NinoStore store = NinoStore.Open(folder["store"], Small);
        store.Append(1L);
        store.Commit();
        using StoreReader reader = StoreReader.Open(folder["store"]);
        using var giveUp = new CancellationTokenSource(Patience);

        Task[] followers =
        [
            .. Enumerable.Range(0, 3).Select(_ => Task.Run(() => CountAsync(store.TailAsync<long>(cancellationToken: giveUp.Token)))),
            Task.Run(() => CountAsync(store.TailAsync<long>(new ReadOptions { DurableOnly = true }, giveUp.Token))),
            Task.Run(() => CountAsync(reader.TailAsync<long>(cancellationToken: giveUp.Token))),
        ];
        for (long i = 2; i <= Records; i++)
        {
            if (i % 10 == 0) store.Append("another type");
            else store.Append(i);
            if (i % 5000 == 0) store.Commit();
            if (i % 20_000 == 0) await Task.Delay(5);
        }

        store.Commit();
        await Task.WhenAll(followers);
        Assert.True(StoreReader.Open(folder["store"]).Segments.Count > 5);

        static async Task CountAsync(IAsyncEnumerable<LogRecord<long>> records)
        {
            long last = 0;
            await foreach (LogRecord<long> record in records)
            {
                Assert.Equal(record.Sequence, record.Value);
                Assert.Equal(last + ((last + 1) % 10 == 0 ? 2 : 1), record.Sequence);
                last = record.Sequence;
                if (last >= Records - 1) return;
            }

            Assert.Fail($"the following ended after {last}");
        }
    }

    [Fact]
    public async Task AFollowerWaitsForSealedFramesThatReachedTheFile()
    {
        using NinoStore store = Simulated.Open(new SimDirectory());
        store.Append(1);
        Simulated.Commit(store);
        await using IAsyncEnumerator<LogRecord<int>> follower = store.TailAsync<int>().GetAsyncEnumerator();
        Assert.True(await follower.MoveNextAsync());
        ValueTask<bool> next = follower.MoveNextAsync();
        Assert.False(next.IsCompleted);
        store.Append(2);
        Assert.False(next.IsCompleted);

        Simulated.Commit(store);

        Assert.True(await next);
        Assert.Equal((2L, 2), (follower.Current.Sequence, follower.Current.Value));
    }

    [Fact]
    public async Task AFollowerOfDurableRecordsWaitsForTheDisk()
    {
        using NinoStore store = Simulated.Open(new SimDirectory());
        store.Append(1);
        await using IAsyncEnumerator<LogRecord<int>> durable = store.TailAsync<int>(new ReadOptions { DurableOnly = true }).GetAsyncEnumerator();
        await using IAsyncEnumerator<LogRecord<int>> any = store.TailAsync<int>().GetAsyncEnumerator();
        ValueTask<bool> first = durable.MoveNextAsync();
        Assert.Single(store.Read<int>());
        Assert.True(await any.MoveNextAsync());
        Assert.False(first.IsCompleted);

        Simulated.Commit(store);

        Assert.True(await first);
    }

    [Fact]
    public async Task DisposingTheStoreEndsItsFollowersAfterTheLastRecord()
    {
        using var folder = new TemporaryFolder();
        NinoStore store = NinoStore.Open(folder["store"], Small);
        List<int> seen = [];
        var one = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        Task follower = Task.Run(async () =>
        {
            await foreach (LogRecord<int> record in store.TailAsync<int>())
            {
                seen.Add(record.Value);
                one.TrySetResult();
            }
        });
        store.Append(1);
        await one.Task.WaitAsync(Patience);
        store.Append(2);

        await store.DisposeAsync();
        await follower.WaitAsync(Patience);

        Assert.Equal([1, 2], seen);
        Assert.Throws<ObjectDisposedException>(() => store.TailAsync<int>());
    }

    [Fact]
    public async Task WhatAFollowerHasNotTakenWhenTheStoreIsDisposedIsReadAfterwards()
    {
        const int Records = 40_000;
        using var folder = new TemporaryFolder();
        NinoStore store = NinoStore.Open(folder["store"], Small);
        for (int i = 1; i <= Records / 2; i++) store.Append(i);
        store.Commit();
        await using IAsyncEnumerator<LogRecord<int>> late = store.TailAsync<int>().GetAsyncEnumerator();
        await using IAsyncEnumerator<LogRecord<int>> begun = store.TailAsync<int>().GetAsyncEnumerator();
        Assert.True(await begun.MoveNextAsync());
        for (int i = (Records / 2) + 1; i <= Records; i++) store.Append(i);

        await store.DisposeAsync();

        Assert.True(Directory.GetFiles(folder["store"], "segment-*.log").Length > 2);
        Assert.Equal(Enumerable.Range(2, Records - 1), await RestAsync(begun));
        Assert.Equal(Enumerable.Range(1, Records), await RestAsync(late));
    }

    [Fact]
    public async Task AFollowerThatTheNextStoresRetentionOvertakesIsToldWhereTheLogBegins()
    {
        using var folder = new TemporaryFolder();
        NinoStore store = NinoStore.Open(folder["store"], Small);
        await using IAsyncEnumerator<LogRecord<int>> follower = store.TailAsync<int>().GetAsyncEnumerator();
        for (int i = 1; i <= 40_000; i++) store.Append(i);
        store.Commit();
        Assert.True(await follower.MoveNextAsync());
        await store.DisposeAsync();
        long first;
        await using (NinoStore next = NinoStore.Open(folder["store"], Small)) first = next.TruncateBefore(long.MaxValue).FirstSequence;
        Assert.True(first > 10_000);

        Assert.Equal(first, (await Assert.ThrowsAsync<LogTruncatedException>(() => RestAsync(follower))).FirstSequence);
    }

    private static async Task<List<int>> RestAsync(IAsyncEnumerator<LogRecord<int>> follower)
    {
        List<int> rest = [];
        while (await follower.MoveNextAsync()) rest.Add(follower.Current.Value);
        return rest;
    }

    [Fact]
    public async Task CancellingEndsTheWait()
    {
        using var folder = new TemporaryFolder();
        using NinoStore store = NinoStore.Open(folder["store"], Small);
        store.Append(1);
        store.Commit();
        using StoreReader reader = StoreReader.Open(folder["store"]);
        foreach (Func<CancellationToken, IAsyncEnumerable<LogRecord>> follow in new Func<CancellationToken, IAsyncEnumerable<LogRecord>>[] { t => store.TailRecordsAsync(null, t), t => reader.TailRecordsAsync((ReadOptions?)null, t) })
        {
            using var cancel = new CancellationTokenSource();
            await using IAsyncEnumerator<LogRecord> follower = follow(cancel.Token).GetAsyncEnumerator(CancellationToken.None);
            Assert.True(await follower.MoveNextAsync());
            ValueTask<bool> next = follower.MoveNextAsync();
            await cancel.CancelAsync();
            await Assert.ThrowsAnyAsync<OperationCanceledException>(async () => await next.AsTask().WaitAsync(Patience));
        }
    }

    [Fact]
    public async Task ARangeEndsTheFollowing()
    {
        using var folder = new TemporaryFolder();
        using NinoStore store = NinoStore.Open(folder["store"], Small);
        for (int i = 1; i <= 10; i++) store.Append(i);
        store.Commit();
        using StoreReader reader = StoreReader.Open(folder["store"]);
        var range = new ReadOptions { FromSequence = 3, ToSequence = 7 };

        Assert.Equal([3, 4, 5, 6, 7], await ValuesAsync(store.TailAsync<int>(range)));
        Assert.Equal([3, 4, 5, 6, 7], await ValuesAsync(reader.TailAsync<int>(range)));
    }

    [Fact]
    public async Task AFollowerThatRetentionOvertakesIsToldWhereTheLogBegins()
    {
        var directory = new SimDirectory();
        using NinoStore store = RetentionTests.Grown(directory, segments: 2);
        await using IAsyncEnumerator<LogRecord<int>> follower = store.TailAsync<int>().GetAsyncEnumerator();
        await using IAsyncEnumerator<LogRecord> outside = RetentionTests.Look(directory).TailRecordsAsync((ReadOptions?)null).GetAsyncEnumerator();
        Assert.True(await follower.MoveNextAsync());
        Assert.True(await outside.MoveNextAsync());
        RetentionTests.Grow(store, directory, 6);
        store.TruncateBefore(long.MaxValue);

        LogTruncatedException e = await Assert.ThrowsAsync<LogTruncatedException>(async () =>
        {
            while (await follower.MoveNextAsync()) Assert.Equal(follower.Current.Sequence, follower.Current.Value);
        });
        Assert.Equal(store.FirstSequence, e.FirstSequence);
        e = await Assert.ThrowsAsync<LogTruncatedException>(async () =>
        {
            while (await outside.MoveNextAsync()) Assert.True(outside.Current.Sequence < store.FirstSequence);
        });
        Assert.Equal(store.FirstSequence, e.FirstSequence);
    }

    [Fact]
    public async Task ACursorsFollowerBeginsBehindItAndIsHeldByIt()
    {
        var directory = new SimDirectory();
        using NinoStore store = RetentionTests.Grown(directory, segments: 3);
        LogCursor cursor = store.OpenCursor("mail");
        CursorTests.Commit(cursor, 5);
        await using IAsyncEnumerator<LogRecord<int>> follower = store.TailAsync<int>(cursor).GetAsyncEnumerator();
        Assert.True(await follower.MoveNextAsync());
        Assert.Equal(6, follower.Current.Sequence);
        store.TruncateBefore(long.MaxValue);
        long last = store.LastSequence;
        while (follower.Current.Sequence < last) Assert.True(await follower.MoveNextAsync());

        store.TruncateBefore(long.MaxValue, RetentionHolds.Cursors);
        Assert.Throws<LogTruncatedException>(() => CursorTests.Commit(store.OpenCursor("mail"), 1));
    }

    [Fact]
    public async Task AFailingLogEndsItsFollowersWithTheFailure()
    {
        var faulty = new FaultDirectory(new SimDirectory());
        NinoStore store = Simulated.Open(faulty);
        store.Append(1);
        Simulated.Commit(store);
        await using IAsyncEnumerator<LogRecord<int>> follower = store.TailAsync<int>().GetAsyncEnumerator();
        Assert.True(await follower.MoveNextAsync());
        ValueTask<bool> next = follower.MoveNextAsync();
        store.Append(2);
        faulty.Fault = new Fault(1, FaultKind.IoError, Strikes: static operation => operation == IoOperation.SyncData);
        Assert.Throws<StoreFailedException>(() => Simulated.Commit(store));

        Assert.IsType<InjectedFault>((await Assert.ThrowsAsync<StoreFailedException>(async () => await next)).InnerException);
    }

    [Fact]
    public async Task AnOutsideFollowerOfAOneFileLogGoesOnAfterItIsClosedAndOpenedAgain()
    {
        using var folder = new TemporaryFolder();
        using (NinoStore log = NinoLog.Create(folder["log.bin"], Small)) log.Append(1);
        using StoreReader reader = StoreReader.Open(folder["log.bin"]);
        await using IAsyncEnumerator<LogRecord<int>> follower = reader.TailAsync<int>().GetAsyncEnumerator();
        Assert.True(await follower.MoveNextAsync());
        ValueTask<bool> next = follower.MoveNextAsync();
        using (NinoStore log = NinoStore.Open(folder["log.bin"], Small)) log.Append(2);

        Assert.True(await next.AsTask().WaitAsync(Patience));
        Assert.Equal((2L, 2), (follower.Current.Sequence, follower.Current.Value));
    }

    private static async Task<List<int>> ValuesAsync(IAsyncEnumerable<LogRecord<int>> records)
    {
        List<int> values = [];
        await foreach (LogRecord<int> record in records) values.Add(record.Value);
        return values;
    }
}
