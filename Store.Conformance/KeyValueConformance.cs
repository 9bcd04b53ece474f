// What must any engine behind IKeyValueStore do? Each case opens a store in a folder of its own, so that cases run in any order and at once.

using Store.KeyValue;

namespace Store.Conformance;

/// <summary>
/// The cases, for any test framework: <c>foreach (ConformanceCase c in KeyValueConformance.Cases) await c.Run(engine, emptyFolder)</c>; with xunit, a theory over them.
/// They check what the interface promises, through the interface, and crash nothing: what a power failure leaves is each engine's to test.
/// </summary>
public static class KeyValueConformance
{
    /// <summary>All cases.</summary>
    public static IReadOnlyList<ConformanceCase> Cases { get; } =
    [
        new("What was put is found and what was not is not", Values),
        new("A deleted key is gone, costs a change only once, and can come back", Deletions),
        new("Null is neither key nor value", Nulls),
        new("A batch is consecutive in the log, and its last value of a key counts", Batches),
        new("An update keeps, puts or deletes, and the log gets its result", Updates),
        new("An update that throws changes nothing", ThrowingUpdates),
        new("A callback cannot change the state that it is called by", NestedUpdates),
        new("Updates of many threads lose nothing", ConcurrentUpdates),
        new("PutAsync is durable when it completes and TryGetAsync finds it", Async),
        new("A cancelled call changes nothing, a cancelled wait loses nothing", Cancellation),
        new("A scan brings every key once while others change", ScanBesideChanges),
        new("What was not checkpointed comes from the log", ReopenFromLog),
        new("What was checkpointed is not replayed", ReopenFromCheckpoint),
        new("A checkpoint of the store is one of its keyed states", CheckpointWithStore),
        new("A checkpoint that fails is told and costs nothing, and the next one ends it", FailingCheckpoints),
        new("Threads leave what the log says", ThreadsAgreeWithLog),
        new("States of one store do not see each other", Independence),
        new("A disposed state refuses everything, and disposing the store disposes it", Disposal),
        new("Large and empty values come back", Sizes),
    ];

    private static Task Values(KeyValueEngine engine, string folder) => With<string, string>(engine, folder, (store, kv) =>
    {
        Check.True(!kv.TryGet("ann", out _), "An empty state has a key");
        long first = kv.Put("ann", "1"), second = kv.Put("bob", "2"), third = kv.Put("ann", "3");
        Check.True(first < second && second < third, "Sequences should grow");
        Check.Equal(third, store.LastSequence, "The store's last sequence");
        Check.Holds(kv, new Dictionary<string, string> { ["ann"] = "3", ["bob"] = "2" });
        Check.True(!kv.TryGet("an", out _) && !kv.TryGet("anna", out _) && !kv.TryGet("", out _), "A key that was not put is there");
        kv.Put("", "empty");
        Check.True(kv.TryGet("", out string? empty) && empty == "empty", "The empty key is missing");
    });

    private static Task Deletions(KeyValueEngine engine, string folder) => With<int, string>(engine, folder, (store, kv) =>
    {
        kv.Put(1, "a");
        Check.True(kv.Delete(1), "Delete of a key that is there should be true");
        long after = store.LastSequence;
        Check.True(!kv.Delete(1) && !kv.Delete(2), "Delete of a key that is not there should be false");
        Check.Equal(after, store.LastSequence, "The log after deletions of nothing");
        Check.Holds(kv, new Dictionary<int, string>());
        kv.Put(1, "b");
        Check.Holds(kv, new Dictionary<int, string> { [1] = "b" });
    });

    private static Task Nulls(KeyValueEngine engine, string folder) => With<string, string>(engine, folder, (store, kv) =>
    {
        Check.Throws<ArgumentNullException>(() => kv.Put(null!, "x"), "Put of a null key");
        Check.Throws<ArgumentNullException>(() => kv.Put("x", null!), "Put of a null value");
        Check.Throws<ArgumentNullException>(() => kv.TryGet(null!, out _), "TryGet of a null key");
        Check.Throws<ArgumentNullException>(() => kv.Delete(null!), "Delete of a null key");
        Check.Throws<ArgumentNullException>(() => kv.PutBatch([new("a", "b"), new("x", null!)]), "A batch with a null value");
        Check.Throws<ArgumentNullException>(() => kv.Update("x", _ => null!), "An update to null");
        Check.Equal(0, store.LastSequence, "The log");
    });

    private static Task Batches(KeyValueEngine engine, string folder) => With<int, string>(engine, folder, (store, kv) =>
    {
        kv.Put(1, "old");
        Check.Equal(2, kv.PutBatch([new(1, "a"), new(2, "b"), new(3, "c"), new(2, "d")]), "The sequence of a batch");
        Check.Equal(5, store.LastSequence, "The log after a batch of four");
        Check.Equal(6, kv.PutBatch([]), "The sequence of an empty batch");
        Check.Holds(kv, new Dictionary<int, string> { [1] = "a", [2] = "d", [3] = "c" });
        KeyValuePair<int, string>[] many = [.. Enumerable.Range(0, 1000).Select(i => new KeyValuePair<int, string>(i, $"v{i}"))];
        kv.PutBatch(many);
        Check.Holds(kv, many.ToDictionary());
    });

    private static Task Updates(KeyValueEngine engine, string folder) => With<string, long>(engine, folder, (store, kv) =>
    {
        Check.Equal(1, kv.Update("n", n => n + 5), "The sequence of an update");
        kv.Update("n", n => n * 2);
        Check.Holds(kv, new Dictionary<string, long> { ["n"] = 10 });
        Take take = new(7);
        Check.Equal(3, kv.Update("n", ref take), "The sequence of an update by a struct");
        Check.Equal(7, take.Taken, "What the callback carried out");
        Check.Equal(0, kv.Update("n", ref take), "An update that keeps");
        take = new Take(3);
        Check.Equal(4, kv.Update("n", ref take), "An update that deletes");
        Check.Equal(0, kv.Update("n", ref take), "An update of a key that is gone");
        Check.Equal(4, store.LastSequence, "The log");
        Check.Holds(kv, new Dictionary<string, long>());
    });

    private static Task ThrowingUpdates(KeyValueEngine engine, string folder) => With<string, long>(engine, folder, (store, kv) =>
    {
        kv.Put("n", 1);
        Check.Throws<TimeoutException>(() => kv.Update("n", _ => throw new TimeoutException()), "A throwing callback");
        Check.Equal(1, store.LastSequence, "The log");
        kv.Put("n", 2);
        Check.Holds(kv, new Dictionary<string, long> { ["n"] = 2 });
    });

    private static Task NestedUpdates(KeyValueEngine engine, string folder) => With<string, long>(engine, folder, (store, kv) =>
    {
        Check.Throws<InvalidOperationException>(() => kv.Update("n", _ => kv.Put("m", 1)), "Put inside a callback");
        Check.Throws<InvalidOperationException>(() => kv.Update("n", _ => kv.Delete("m") ? 1 : 0), "Delete inside a callback");
        Check.Throws<InvalidOperationException>(() => kv.Update("n", _ => kv.PutBatch([new("m", 1)])), "PutBatch inside a callback");
        Check.Throws<InvalidOperationException>(() => kv.Update("n", _ => kv.Update("m", _ => 1)), "Update inside a callback");
        Check.Equal(0, store.LastSequence, "The log");
        kv.Put("m", 1);
        kv.Update("n", _ => kv.TryGet("m", out long m) ? m + 1 : 0);
        Check.Holds(kv, new Dictionary<string, long> { ["m"] = 1, ["n"] = 2 });
    });

    private static Task ConcurrentUpdates(KeyValueEngine engine, string folder) => With<int, long>(engine, folder, (_, kv) =>
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

    private static Task Async(KeyValueEngine engine, string folder) => With<int, string>(engine, folder, async (store, kv) =>
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

    private static Task Cancellation(KeyValueEngine engine, string folder) => With<int, string>(engine, folder, (store, kv) =>
    {
        var cancelled = new CancellationToken(canceled: true);
        Check.Throws<OperationCanceledException>(() => kv.PutAsync(1, "x", cancelled).AsTask().GetAwaiter().GetResult(), "PutAsync");
        Check.Throws<OperationCanceledException>(() => kv.TryGetAsync(1, cancelled).AsTask().GetAwaiter().GetResult(), "TryGetAsync");
        Check.Throws<OperationCanceledException>(() => kv.CheckpointAsync(cancelled).AsTask().GetAwaiter().GetResult(), "CheckpointAsync");
        Check.Equal(0, store.LastSequence, "The log");
        Check.Holds(kv, new Dictionary<int, string>());
    });

    private static Task ScanBesideChanges(KeyValueEngine engine, string folder) => With<int, string>(engine, folder, async (_, kv) =>
    {
        const int steady = 300, moving = 50;
        for (int i = 0; i < steady + moving; i++) kv.Put(i, $"{i}");
        using var stop = new CancellationTokenSource();
        Task changes = Task.Run(() =>
        {
            for (int i = 0; !stop.IsCancellationRequested; i++)
            {
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
                foreach ((int key, string value) in kv.Scan()) Check.True(seen.TryAdd(key, value), $"{key} came twice");
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

    private static async Task ReopenFromLog(KeyValueEngine engine, string folder)
    {
        await With<int, string>(engine, folder, (_, kv) =>
        {
            for (int i = 0; i < 100; i++) kv.Put(i % 30, $"{i}");
            kv.Delete(3);
            kv.PutBatch([new(3, "back"), new(4, "four")]);
            kv.Update(5, v => v + "!");
        });
        await With<int, string>(engine, folder, (_, kv) =>
        {
            Check.True(kv.Recovery.RebuiltFromLog, "It should be rebuilt from the log");
            Check.Equal(104, kv.Recovery.ChangesReplayed, "Changes replayed");
            Dictionary<int, string> expected = Enumerable.Range(0, 30).ToDictionary(i => i, i => i < 10 ? $"{90 + i}" : $"{60 + i}");
            expected[3] = "back";
            expected[4] = "four";
            expected[5] += "!";
            Check.Holds(kv, expected);
        });
    }

    private static async Task ReopenFromCheckpoint(KeyValueEngine engine, string folder)
    {
        long sequence = 0;
        await With<int, string>(engine, folder, async (store, kv) =>
        {
            kv.Put(1, "a");
            sequence = kv.Put(2, "b");
            await kv.CheckpointAsync();
            Check.True(store.DurableSequence >= sequence, "A checkpoint is durable, and so is the log up to it");
            kv.Put(3, "c");
            kv.Delete(1);
        });
        await With<int, string>(engine, folder, (_, kv) =>
        {
            Check.Equal(sequence, kv.Recovery.CheckpointSequence, "The checkpoint's sequence");
            Check.Equal((false, 2), (kv.Recovery.RebuiltFromLog, kv.Recovery.ChangesReplayed), "How it was opened");
            Check.Equal(0, kv.Recovery.Rejected.Count, "Rejected checkpoints");
            Check.Holds(kv, new Dictionary<int, string> { [2] = "b", [3] = "c" });
        });
    }

    private static async Task CheckpointWithStore(KeyValueEngine engine, string folder)
    {
        await With<int, string>(engine, folder, async (store, kv) =>
        {
            kv.Put(1, "a");
            await store.CheckpointAllAsync();
        });
        await With<int, string>(engine, folder, (_, kv) => Check.Equal((1, 0), (kv.Recovery.CheckpointSequence, kv.Recovery.ChangesReplayed), "How it was opened"));
    }

    private static async Task ThreadsAgreeWithLog(KeyValueEngine engine, string folder)
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
                    switch (random.Next(5))
                    {
                        case 0: kv.Delete(key); break;
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

    private static async Task FailingCheckpoints(KeyValueEngine engine, string folder)
    {
        var expected = new Dictionary<int, string>();
        await using (NinoStore store = NinoStore.Open(Path.Combine(folder, "store")))
        {
            using IKeyValueStore<int, string> kv = engine.OpenCheckpointing<int, string>(store, "state", everyChanges: 50);
            using (engine.FailCheckpoints(store, "state"))
            {
                kv.Put(-1, expected[-1] = "first");
                Check.Throws<IOException>(() => kv.CheckpointAsync().AsTask().GetAwaiter().GetResult(), "A checkpoint that is asked for and fails");

                // One that was due by itself reaches no caller.
                for (int i = 0; kv.CheckpointFailure is null && i < 30_000; i++)
                {
                    kv.Put(i % 100, expected[i % 100] = $"{i}");
                    if (i >= 200) await Task.Delay(1);
                }

                Check.True(kv.CheckpointFailure is not null, $"{nameof(kv.CheckpointFailure)} is null after a checkpoint that was due failed");
                kv.Put(-2, expected[-2] = "goes on");
                Check.True(kv.Delete(-1) && expected.Remove(-1), "A key is missing after a failed checkpoint");
                Check.Holds(kv, expected);
            }

            await kv.CheckpointAsync();
            Check.True(kv.CheckpointFailure is null, $"{nameof(kv.CheckpointFailure)} stays after a checkpoint was written: {kv.CheckpointFailure?.Message}");
        }

        await With<int, string>(engine, folder, (_, kv) =>
        {
            Check.Equal(0, kv.Recovery.ChangesReplayed, "Changes replayed");
            Check.Equal(0, kv.Recovery.Rejected.Count, "Checkpoints rejected");
            Check.Holds(kv, expected);
        });
    }

    private static async Task Independence(KeyValueEngine engine, string folder)
    {
        await using NinoStore store = NinoStore.Open(Path.Combine(folder, "store"));
        using IKeyValueStore<int, int> a = engine.Open<int, int>(store, "a");
        using IKeyValueStore<int, string> b = engine.Open<int, string>(store, "b");
        a.Put(1, 10);
        b.Put(1, "eleven");
        store.Append(99);
        b.Put(2, "two");
        Check.Holds(a, new Dictionary<int, int> { [1] = 10 });
        Check.Holds(b, new Dictionary<int, string> { [1] = "eleven", [2] = "two" });
    }

    private static async Task Disposal(KeyValueEngine engine, string folder)
    {
        IKeyValueStore<int, int> kv, closedByStore;
        await using (NinoStore store = NinoStore.Open(Path.Combine(folder, "store")))
        {
            kv = engine.Open<int, int>(store, "a");
            closedByStore = engine.Open<int, int>(store, "b");
            kv.Put(1, 1);
            kv.Dispose();
            kv.Dispose();
            using IKeyValueStore<int, int> again = engine.Open<int, int>(store, "a");
            Check.Equal(1, again.Count, "Count after opening again");
        }

        foreach (IKeyValueStore<int, int> closed in new[] { kv, closedByStore })
        {
            Check.Throws<ObjectDisposedException>(() => closed.Put(1, 2), "Put");
            Check.Throws<ObjectDisposedException>(() => closed.TryGet(1, out _), "TryGet");
            Check.Throws<ObjectDisposedException>(() => closed.Delete(1), "Delete");
            Check.Throws<ObjectDisposedException>(() => _ = closed.Count, "Count");
            Check.Throws<ObjectDisposedException>(() => closed.PutBatch([new(1, 2)]), "PutBatch");
            Check.Throws<ObjectDisposedException>(() => closed.Update(1, n => n), "Update");
            Check.Throws<ObjectDisposedException>(() => _ = closed.Scan().Count(), "Scan");
            Check.Throws<ObjectDisposedException>(() => closed.PutAsync(1, 2).AsTask().GetAwaiter().GetResult(), "PutAsync");
            Check.Throws<ObjectDisposedException>(() => closed.TryGetAsync(1).AsTask().GetAwaiter().GetResult(), "TryGetAsync");
            Check.Throws<ObjectDisposedException>(() => closed.CheckpointAsync().AsTask().GetAwaiter().GetResult(), "CheckpointAsync");
        }
    }

    private static Task Sizes(KeyValueEngine engine, string folder) => With<string, string>(engine, folder, (_, kv) =>
    {
        var expected = new Dictionary<string, string> { ["empty"] = "" };
        foreach (int size in new[] { 1, 7, 8, 9, 100, 1000, 3000 }) expected[new string('k', size / 10 + 1) + size] = new string('v', size);
        foreach ((string key, string value) in expected) kv.Put(key, value);
        Check.Holds(kv, expected);
        foreach (string key in expected.Keys.ToArray()) kv.Put(key, expected[key] = expected[key] + "longer");
        Check.Holds(kv, expected);
        foreach (string key in expected.Keys.ToArray()) kv.Put(key, expected[key] = "s");
        Check.Holds(kv, expected);
    });

    private static Task With<TKey, TValue>(KeyValueEngine engine, string folder, Action<NinoStore, IKeyValueStore<TKey, TValue>> use) => With<TKey, TValue>(engine, folder, (store, kv) =>
    {
        use(store, kv);
        return Task.CompletedTask;
    });

    private static async Task With<TKey, TValue>(KeyValueEngine engine, string folder, Func<NinoStore, IKeyValueStore<TKey, TValue>, Task> use)
    {
        await using NinoStore store = NinoStore.Open(Path.Combine(folder, "store"));
        using IKeyValueStore<TKey, TValue> kv = engine.Open<TKey, TValue>(store, "state");
        await use(store, kv);
    }

    /// <summary>Takes an amount if there is as much, and removes what is empty.</summary>
    private struct Take(long amount) : IKeyValueUpdate<long>
    {
        public long Taken { get; private set; }

        public KeyValueUpdate Update(bool isThere, ref long value)
        {
            if (!isThere || value < amount) return KeyValueUpdate.Keep;
            value -= amount;
            Taken = amount;
            return value == 0 ? KeyValueUpdate.Delete : KeyValueUpdate.Put;
        }
    }
}
