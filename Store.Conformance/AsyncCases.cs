// What must calls do that complete later, and those beside others?

using Store.KeyValue;
using static Store.Conformance.CaseBed;

namespace Store.Conformance;

/// <summary>Cases of asynchronous calls, tokens and threads.</summary>
internal static class AsyncCases
{
    public static Task Async(KeyValueEngine engine, string folder) => With<int, string>(engine, folder, async (store, kv) =>
    {
        for (int i = 0; i < 200; i++) kv.Put(i, new string('v', 100 + i));
        long sequence = await kv.PutAsync(7, "seven");
        Check.True(store.DurableSequence >= sequence, "PutAsync completed before its change was durable");
        KeyValueResult<string> seven = await kv.TryGetAsync(7), none = await kv.TryGetAsync(-1), other = await kv.TryGetAsync(150);
        Check.Equal(new KeyValueResult<string>(true, "seven"), seven, "TryGetAsync");
        Check.Equal(default, none, "TryGetAsync of a key that is not there");
        Check.Equal(250, other.Value?.Length, "The length of another value");
        await Task.WhenAll(Enumerable.Range(0, 100).Select(i => kv.PutAsync(i, $"later {i}").AsTask()));
        for (int i = 0; i < 100; i++) Check.Equal($"later {i}", (await kv.TryGetAsync(i)).Value, $"The value of {i}");
    });

    public static Task AsyncChanges(KeyValueEngine engine, string folder) => With<int, long>(engine, folder, async (store, kv) =>
    {
        long first = await kv.PutBatchAsync(new KeyValuePair<int, long>[] { new(1, 10), new(2, 20), new(3, 30) });
        Check.Equal((1, 3), (first, store.DurableSequence), "The first sequence of a batch, and what is durable when PutBatchAsync completes");
        Check.True(await kv.DeleteAsync(3), "DeleteAsync of a key that is there should be true");
        Check.Equal(4, store.DurableSequence, "What is durable when DeleteAsync completes");
        Check.True(!await kv.DeleteAsync(3), "DeleteAsync of a key that is not there should be false");
        Check.Equal(5, await kv.UpdateAsync(1, n => n + 5), "The sequence of UpdateAsync");
        Check.Equal(5, store.DurableSequence, "What is durable when UpdateAsync completes");
        KeyValueUpdated<Take> taken = await kv.UpdateAsync(1, new Take(15)), kept = await kv.UpdateAsync(1, new Take(1));
        Check.Equal((6, 15L), (taken.Sequence, taken.Update.Taken), "What an UpdateAsync by a struct carries out");
        Check.Equal((0, 0L), (kept.Sequence, kept.Update.Taken), "An UpdateAsync that keeps");
        Check.Equal(7, await kv.PutBatchAsync(ReadOnlyMemory<KeyValuePair<int, long>>.Empty), "The sequence of an empty batch");
        Check.Equal(6, store.LastSequence, "The log");
        Check.Holds(kv, new Dictionary<int, long> { [2] = 20 });
        await Task.WhenAll(Enumerable.Range(0, 200).Select(i => kv.UpdateAsync(i % 4, n => n + 1).AsTask()));
        Check.Holds(kv, new Dictionary<int, long> { [0] = 50, [1] = 50, [2] = 70, [3] = 50 });
        long before = store.LastSequence;
        Check.Equal(2, await kv.DeleteBatchAsync(new[] { 1, 9, 3, 1 }), "DeleteBatchAsync of two keys that are there");
        Check.True(store.DurableSequence > before && store.DurableSequence == store.LastSequence, "DeleteBatchAsync completed before its changes were durable");
        before = store.LastSequence;
        Check.Equal(0, await kv.DeleteBatchAsync(new[] { 1, 9 }), "DeleteBatchAsync of keys that are not there");
        Check.Equal(0, await kv.DeleteBatchAsync(ReadOnlyMemory<int>.Empty), "DeleteBatchAsync of no keys");
        Check.Equal(before, store.LastSequence, "The log after deletions of nothing");
        Check.Holds(kv, new Dictionary<int, long> { [0] = 50, [2] = 70 });
        await Task.WhenAll(Enumerable.Range(0, 4).Select(i => kv.DeleteAsync(i).AsTask()));
        Check.Holds(kv, new Dictionary<int, long>());
    });

    public static Task Cancellation(KeyValueEngine engine, string folder) => With<int, string>(engine, folder, (store, kv) =>
    {
        var cancelled = new CancellationToken(canceled: true);
        Check.Throws<OperationCanceledException>(() => kv.PutAsync(1, "x", cancelled).AsTask().GetAwaiter().GetResult(), "PutAsync");
        Check.Throws<OperationCanceledException>(() => kv.PutBatchAsync(new KeyValuePair<int, string>[] { new(1, "x") }, cancelled).AsTask().GetAwaiter().GetResult(), "PutBatchAsync");
        Check.Throws<OperationCanceledException>(() => kv.UpdateAsync(1, _ => "x", cancelled).AsTask().GetAwaiter().GetResult(), "UpdateAsync");
        Check.Throws<OperationCanceledException>(() => kv.DeleteAsync(1, cancelled).AsTask().GetAwaiter().GetResult(), "DeleteAsync");
        Check.Throws<OperationCanceledException>(() => kv.TryGetAsync(1, cancelled).AsTask().GetAwaiter().GetResult(), "TryGetAsync");
        Check.Throws<OperationCanceledException>(() => kv.DeleteBatchAsync(new[] { 1 }, cancelled).AsTask().GetAwaiter().GetResult(), "DeleteBatchAsync");
        Check.Throws<OperationCanceledException>(() => kv.TryGetBatchAsync(new[] { 1 }, cancelled).AsTask().GetAwaiter().GetResult(), "TryGetBatchAsync");
        Check.Throws<OperationCanceledException>(() => Check.ScanAsync(kv, cancelled).GetAwaiter().GetResult(), "ScanAsync");
        Check.Throws<OperationCanceledException>(() => kv.CheckpointAsync(cancelled).AsTask().GetAwaiter().GetResult(), "CheckpointAsync");
        Check.Equal(0, store.LastSequence, "The log");
        Check.Holds(kv, new Dictionary<int, string>());
    });

    public static Task ConcurrentUpdates(KeyValueEngine engine, string folder) => With<int, long>(engine, folder, (_, kv) =>
    {
        const int threads = 4, rounds = 500, keys = 3;
        Parallel.For(0, threads, new ParallelOptions { MaxDegreeOfParallelism = threads }, _ =>
        {
            for (int i = 0; i < rounds; i++) kv.Update(i % keys, n => n + 1);
        });
        long sum = 0;
        foreach (KeyValuePair<int, long> pair in kv.Scan()) sum += pair.Value;
        Check.Equal(threads * rounds, sum, "The sum of all increments");
    });

    public static async Task ThreadsAgreeWithLog(KeyValueEngine engine, string folder)
    {
        var left = new Dictionary<int, string>();
        await With<int, string>(engine, folder, (_, kv) =>
        {
            Parallel.For(0, 4, new ParallelOptions { MaxDegreeOfParallelism = 4 }, thread =>
            {
                var random = new Random(thread);
                for (int i = 0; i < 1000; i++)
                {
                    int key = random.Next(40);
                    switch (random.Next(6))
                    {
                        case 0: kv.Delete(key); break;
                        case 5: kv.DeleteBatch([key, (key + 7) % 40]); break;
                        case 1: kv.Update(key, v => $"{v?.Length} {thread}"); break;
                        case 2: kv.PutBatch([new(key, $"{thread}.{i}"), new((key + 11) % 40, $"{thread}:{i}")]); break;
                        default: kv.Put(key, $"{thread}-{i}{new string('x', random.Next(60))}"); break;
                    }
                }
            });
            foreach ((int key, string value) in kv.Scan()) left.Add(key, value);
            Check.Equal(left.Count, kv.Count, "Count");
        });
        await With<int, string>(engine, folder, (_, kv) => Check.Holds(kv, left));
    }
}
