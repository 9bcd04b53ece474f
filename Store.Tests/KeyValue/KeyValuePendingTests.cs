// What becomes of an asynchronous call whose record lies on the disk, while the disk stands still? Its caller goes on; it completes when the disk does, or gives up its wait, or fails with it.

using Store.Faster;
using Store.KeyValue;
using Store.Tests.Simulation;

namespace Store.Tests.KeyValue;

public class KeyValuePendingTests
{
    private const int Keys = 300;
    private const int Key = 3;
    private readonly HeldReads _directory = new(new SimDirectory());

    /// <summary>The calls, each with what becomes of the key's value.</summary>
    public static TheoryData<string, string?> Calls => new() { { "get", Old }, { "put", "new" }, { "batch", "new" }, { "update", Old + "+" }, { "delete", null }, { "get batch", Old }, { "delete batch", null } };

    private static string Old { get; } = ValueOf(Key);

    [Theory]
    [MemberData(nameof(Calls))]
    public async Task ItsCallerGoesOnAndItCompletesWithTheDisk(string call, string? after)
    {
        await using NinoStore store = Open();
        using IKeyValueStore<int, string> kv = Filled(store);
        long last = store.LastSequence;
        _directory.Close();

        // Whoever read on this thread would stand here for ever.
        Task<string> pending = Begin(kv, call, default);
        await _directory.ArrivedAsync();
        Assert.False(pending.IsCompleted);

        // What is in memory is served meanwhile.
        Assert.True(kv.TryGet(Keys - 1, out string? newest));
        Assert.Equal(ValueOf(Keys - 1), newest);
        kv.Put(Keys - 1, "changed");
        Assert.Equal(last + 1, store.LastSequence);
        _directory.Open();
        Assert.Equal(call.StartsWith("get", StringComparison.Ordinal) ? Old : call.StartsWith("delete", StringComparison.Ordinal) ? "True" : $"{last + 2}", await pending.WaitAsync(TimeSpan.FromSeconds(60)));
        Assert.Equal(after is not null, kv.TryGet(Key, out string? now));
        Assert.Equal(after, now);
        if (!call.StartsWith("get", StringComparison.Ordinal)) Assert.True(store.DurableSequence >= last + 2, "It completed before it was durable.");
    }

    /// <summary>What docs/key-value.md says: a call that was begun is under way, and its token gives up the wait for it only.</summary>
    [Theory]
    [MemberData(nameof(Calls))]
    public async Task CancelledMeanwhileItGivesUpItsWaitAndTheChangeIsMade(string call, string? after)
    {
        await using NinoStore store = Open();
        using IKeyValueStore<int, string> kv = Filled(store);
        using var cancellation = new CancellationTokenSource();
        _directory.Close();
        Task<string> pending = Begin(kv, call, cancellation.Token);
        await _directory.ArrivedAsync();
        await cancellation.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => pending.WaitAsync(TimeSpan.FromSeconds(60)));
        _directory.Open();
        string? now = Old;
        for (int i = 0; i < 10_000 && now != after; i++)
        {
            if (i > 0) await Task.Delay(1);
            kv.TryGet(Key, out now);
        }

        Assert.Equal(after, now);
        Assert.Equal(call.StartsWith("delete", StringComparison.Ordinal) ? Keys - 1 : Keys, kv.Count);
    }

    [Theory]
    [MemberData(nameof(Calls))]
    public async Task ClosedMeanwhileItIsMadeOrRefusedAndTheLogSaysWhich(string call, string? after)
    {
        await using (NinoStore store = Open())
        {
            IKeyValueStore<int, string> kv = Filled(store);
            long last = store.LastSequence;
            _directory.Close();
            Task<string> pending = Begin(kv, call, default);
            await _directory.ArrivedAsync();
            Task closing = Task.Run(kv.Dispose);
            Assert.NotSame(closing, await Task.WhenAny(closing, Task.Delay(50)));
            _directory.Open();
            await closing.WaitAsync(TimeSpan.FromSeconds(60));
            bool isDone = true;
            try
            {
                await pending.WaitAsync(TimeSpan.FromSeconds(60));
            }
            catch (ObjectDisposedException)
            {
                isDone = false;
            }

            if (call.StartsWith("get", StringComparison.Ordinal) || !isDone) after = Old;
            Assert.Equal(call.StartsWith("get", StringComparison.Ordinal) || !isDone ? last : last + 1, store.LastSequence);
        }

        await using NinoStore again = Open();
        using IKeyValueStore<int, string> reopened = again.OpenKeyValue<int, string>("state", KeyValueBed.Tiny);
        Assert.Equal(after is not null, reopened.TryGet(Key, out string? now));
        Assert.Equal(after, now);
    }

    [Theory]
    [MemberData(nameof(Calls))]
    public async Task AReadThatFailsMeanwhileIsTheFailureOfTheState(string call, string? after)
    {
        _ = after;
        await using (NinoStore store = Open())
        {
            using IKeyValueStore<int, string> kv = Filled(store);
            long last = store.LastSequence;
            _directory.Close();
            Task<string> pending = Begin(kv, call, default);
            await _directory.ArrivedAsync();
            _directory.Fail();
            StoreFailedException failure = await Assert.ThrowsAsync<StoreFailedException>(() => pending.WaitAsync(TimeSpan.FromSeconds(60)));
            Assert.Contains("The disk is gone.", failure.Message, StringComparison.Ordinal);

            // For good, and for what is in memory too; nothing was appended for it.
            Assert.Equal(failure.InnerException, Assert.Throws<StoreFailedException>(() => kv.TryGet(Keys - 1, out _)).InnerException);
            Assert.Throws<StoreFailedException>(() => kv.Put(1, "x"));
            await Assert.ThrowsAsync<StoreFailedException>(() => Begin(kv, call, default));
            Assert.Equal(last, store.LastSequence);
        }
    }

    /// <summary>At most so many reads are under way as there are sessions. Who comes then is not held up either, and closing ends what has not begun.</summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task MoreCallsThanSessionsHoldUpNobody(bool closes)
    {
        await using NinoStore store = Open();
        FasterKeyValueStore<int, string> kv = Filled(store, maxSessions: 2);
        _directory.Close();
        Task<Task<KeyValueResult<string>>[]> begun = Task.Run(() => Enumerable.Range(0, 12).Select(key => kv.TryGetAsync(key).AsTask()).ToArray());
        Task<KeyValueResult<string>>[] pending = await begun.WaitAsync(TimeSpan.FromSeconds(60));
        await _directory.ArrivedAsync();
        Assert.DoesNotContain(pending, static one => one.IsCompleted);
        Assert.Equal(2, kv.State.Engine.SessionsOpened);
        Task closing = closes ? Task.Run(kv.Dispose) : Task.CompletedTask;
        if (closes) await Task.Delay(50);
        _directory.Open();
        int refused = 0;
        for (int key = 0; key < pending.Length; key++)
        {
            try
            {
                Assert.Equal(ValueOf(key), (await pending[key].WaitAsync(TimeSpan.FromSeconds(60))).Value);
            }
            catch (ObjectDisposedException) when (closes)
            {
                refused++;
            }
        }

        await closing.WaitAsync(TimeSpan.FromSeconds(60));
        if (closes) Assert.InRange(refused, 1, pending.Length - 1);
        else kv.Dispose();
    }

    /// <summary>A callback on another thread is still a callback: it must not wait for a change of its own state.</summary>
    [Fact]
    public async Task ACallbackThatIsCalledLaterCannotChangeTheStateEither()
    {
        await using NinoStore store = Open();
        using IKeyValueStore<int, string> kv = Filled(store);
        long last = store.LastSequence;
        _directory.Close();
        Task<long> pending = kv.UpdateAsync(Key, _ => $"{kv.Put(1, "x")}").AsTask();
        await _directory.ArrivedAsync();
        _directory.Open();
        await Assert.ThrowsAsync<InvalidOperationException>(() => pending.WaitAsync(TimeSpan.FromSeconds(60)));
        Assert.Equal(last, store.LastSequence);
        Assert.True(kv.TryGet(Key, out string? value));
        Assert.Equal(Old, value);
    }

    private static async Task<string> Begin(IKeyValueStore<int, string> kv, string call, CancellationToken token) => call switch
    {
        "get" => (await kv.TryGetAsync(Key, token)).Value!,
        "put" => $"{await kv.PutAsync(Key, "new", token)}",
        "batch" => $"{await kv.PutBatchAsync(new KeyValuePair<int, string>[] { new(Key, "new") }, token)}",
        "update" => $"{await kv.UpdateAsync(Key, old => old + "+", token)}",
        "delete" => $"{await kv.DeleteAsync(Key, token)}",
        "get batch" => (await kv.TryGetBatchAsync(new[] { Keys - 1, Key, -1, Key }, token))[3].Value!,
        "delete batch" => $"{await kv.DeleteBatchAsync(new[] { -1, Key }, token) == 1}",
        _ => throw new ArgumentOutOfRangeException(nameof(call)),
    };

    private NinoStore Open() => NinoStore.Open("sim", new NinoStoreOptions { Directory = _directory });

    private static FasterKeyValueStore<int, string> Filled(NinoStore store, int maxSessions = 4)
    {
        var kv = (FasterKeyValueStore<int, string>)store.OpenKeyValue<int, string>("state", KeyValueBed.Tiny with { IndexSizeBytes = 64 * 1024, MaxSessions = maxSessions });
        for (int key = 0; key < Keys; key++) kv.Put(key, ValueOf(key));
        Assert.True(kv.State.Engine.HeadAddress > 2 * KeyValueBed.Tiny.MemorySizeBytes, "Nothing lies on the disk.");
        return kv;
    }

    private static string ValueOf(int key) => $"{key}:{new string('v', 300)}";
}
