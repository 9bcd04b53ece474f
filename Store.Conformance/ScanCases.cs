// What must a scan bring while others change, and how does one end that is not enumerated to its end?

using Store.KeyValue;
using static Store.Conformance.CaseBed;

namespace Store.Conformance;

/// <summary>Cases of scans, on the caller's thread and asynchronous.</summary>
internal static class ScanCases
{
    public static Task BesideChanges(KeyValueEngine engine, string folder) => BesideChanges(engine, folder, static kv => Task.FromResult(kv.Scan().ToList()));

    public static Task AsyncBesideChanges(KeyValueEngine engine, string folder) => BesideChanges(engine, folder, static kv => Check.ScanAsync(kv));

    public static Task Async(KeyValueEngine engine, string folder) => With<int, string>(engine, folder, async (_, kv) =>
    {
        Check.Equal(0, (await Check.ScanAsync(kv)).Count, "The number of keys in an asynchronous scan of an empty state");
        IAsyncEnumerable<KeyValuePair<int, string>> unbegun = kv.ScanAsync();
        var expected = new Dictionary<int, string>();
        for (int i = 0; i < 3000; i++) kv.Put(i, expected[i] = $"{i}{new string('v', i % 100)}");
        for (int i = 0; i < 3000; i += 3) Check.True(kv.Delete(i) && expected.Remove(i), $"{i} is missing");
        kv.Put(-1, expected[-1] = "");
        kv.Put(-2, expected[-2] = new string('l', 2000));

        // Whoever enumerates it again begins again.
        for (int round = 0; round < 2; round++)
        {
            var seen = new Dictionary<int, string>();
            await foreach ((int key, string value) in unbegun) Check.True(seen.TryAdd(key, value), $"{key} came twice in an asynchronous scan");
            Check.Equal(expected.Count, seen.Count, "The number of keys in an asynchronous scan");
            foreach ((int key, string value) in expected) Check.Equal(value, seen.GetValueOrDefault(key), $"The value of {key} in an asynchronous scan");
        }
    });

    public static Task Ends(KeyValueEngine engine, string folder) => With<int, string>(engine, folder, async (store, kv) =>
    {
        const int keys = 2000;
        for (int i = 0; i < keys; i++) kv.Put(i, $"{i}{new string('e', i % 50)}");

        // Left early, by the caller or by its token: nothing is held.
        await foreach (KeyValuePair<int, string> _ in kv.ScanAsync()) break;
        using (var cancellation = new CancellationTokenSource())
        {
            int came = 0;
            Check.Throws<OperationCanceledException>(() => CancelAfterFirst().GetAwaiter().GetResult(), "An asynchronous scan whose token is cancelled between two records");
            Check.Equal(1, came, "How many records came of an asynchronous scan whose token was cancelled behind the first");

            async Task CancelAfterFirst()
            {
                await foreach (KeyValuePair<int, string> _ in kv.ScanAsync().WithCancellation(cancellation.Token))
                {
                    came++;
                    await cancellation.CancelAsync();
                }
            }
        }

        await kv.CheckpointAsync();
        Check.Equal(store.LastSequence, store.DurableSequence, "What is durable after a checkpoint behind scans that were left early");
        Check.Equal(keys, (await Check.ScanAsync(kv)).Count, "The number of keys in a scan after others were left early");

        // Closed meanwhile: it does not end as if that were all.
        using IEnumerator<KeyValuePair<int, string>> scan = kv.Scan().GetEnumerator();
        await using IAsyncEnumerator<KeyValuePair<int, string>> later = kv.ScanAsync().GetAsyncEnumerator();
        Check.True(scan.MoveNext() && await later.MoveNextAsync(), "A scan brings nothing");
        kv.Dispose();
        Check.Throws<ObjectDisposedException>(() => scan.MoveNext(), "Scan of a state that was disposed meanwhile");
        Check.Throws<ObjectDisposedException>(() => later.MoveNextAsync().AsTask().GetAwaiter().GetResult(), "ScanAsync of a state that was disposed meanwhile");
    });

    private static Task BesideChanges(KeyValueEngine engine, string folder, Func<IKeyValueStore<int, string>, Task<List<KeyValuePair<int, string>>>> scan) => With<int, string>(engine, folder, async (_, kv) =>
    {
        // So many changes a scan at full speed, and slowly from there on: on a busy machine an engine that keeps every change until it is compacted would have ever more to look through. Never none: a scan may wait for one.
        const int steady = 300, moving = 50, mostChanges = 2000;
        for (int i = 0; i < steady + moving; i++) kv.Put(i, $"{i}");
        using var stop = new CancellationTokenSource();
        int allowed = mostChanges;
        Task changes = Task.Run(() =>
        {
            for (int i = 0; !stop.IsCancellationRequested; i++)
            {
                if (i >= Volatile.Read(ref allowed)) Thread.Sleep(1);
                int key = steady + (i % moving);
                kv.Put(key, $"{key}{new string('.', i % 40)}");
                kv.Put(1000 + (i % 7), "comes and goes");
                kv.Delete(1000 + ((i + 3) % 7));
            }
        });
        try
        {
            for (int round = 0; round < 20; round++)
            {
                var seen = new Dictionary<int, string>();
                Volatile.Write(ref allowed, (round + 1) * mostChanges);
                foreach ((int key, string value) in await scan(kv)) Check.True(seen.TryAdd(key, value), $"{key} came twice");
                for (int i = 0; i < steady + moving; i++)
                {
                    Check.True(seen.TryGetValue(i, out string? value), $"{i} did not come");
                    Check.Equal($"{i}", value!.TrimEnd('.'), $"The value of {i}");
                }
            }
        }
        finally
        {
            await stop.CancelAsync();
            await changes;
        }
    });
}
