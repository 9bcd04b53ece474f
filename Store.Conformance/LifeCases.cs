// What must opening, checkpoints and closing do?

using Store.KeyValue;
using static Store.Conformance.CaseBed;

namespace Store.Conformance;

/// <summary>Cases of more than one opening.</summary>
internal static class LifeCases
{
    public static async Task ReopenFromLog(KeyValueEngine engine, string folder)
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

    public static async Task ReopenFromCheckpoint(KeyValueEngine engine, string folder)
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

    public static async Task CheckpointWithStore(KeyValueEngine engine, string folder)
    {
        await With<int, string>(engine, folder, async (store, kv) =>
        {
            kv.Put(1, "a");
            await store.CheckpointAllAsync();
        });
        await With<int, string>(engine, folder, (_, kv) => Check.Equal((1, 0), (kv.Recovery.CheckpointSequence, kv.Recovery.ChangesReplayed), "How it was opened"));
    }

    /// <summary>Keys are new in every batch and changes go on until the last checkpoint is written, so that one that holds less or more than its cut says is not mended by what comes later.</summary>
    public static async Task BatchesInCheckpoints(KeyValueEngine engine, string folder)
    {
        const int size = 5, lives = 3, fewest = 70;
        var batches = new List<long>();
        var expected = new Dictionary<int, string>();
        for (int life = 0; life < lives; life++)
        {
            await With<int, string>(engine, folder, async (_, kv) =>
            {
                Check.Holds(kv, expected);
                using var stop = new CancellationTokenSource();
                Task checkpoints = Task.Run(async () =>
                {
                    do await kv.CheckpointAsync();
                    while (!stop.IsCancellationRequested);
                });
                for (int round = 0; round < fewest || !checkpoints.IsCompleted; round++)
                {
                    if (round == fewest) await stop.CancelAsync();
                    PutNext(kv);

                    // A disk that takes its time for the last checkpoint is waited for, with a change now and then.
                    if (round >= 5 * fewest) await Task.Delay(1);
                }

                await checkpoints;
                PutNext(kv);
            });
        }

        await With<int, string>(engine, folder, (_, kv) =>
        {
            long cut = kv.Recovery.CheckpointSequence;
            Check.True(cut > 0, "There is a checkpoint");
            foreach (long first in batches) Check.True(cut < first || cut >= first + size - 1, $"The checkpoint holds the log up to {cut}, which is within the batch of {size} from {first} on");
            Check.Holds(kv, expected);
        });

        void PutNext(IKeyValueStore<int, string> kv)
        {
            KeyValuePair<int, string>[] batch = [.. Enumerable.Range(expected.Count, size).Select(static i => new KeyValuePair<int, string>(i, $"{i}"))];
            batches.Add(kv.PutBatch(batch));
            foreach ((int key, string value) in batch) expected.Add(key, value);
        }
    }

    public static async Task FailingCheckpoints(KeyValueEngine engine, string folder)
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

    /// <summary>The log is put back from a backup, and grows again past a checkpoint that was taken since.</summary>
    public static async Task RejectedCheckpoints(KeyValueEngine engine, string folder)
    {
        const int before = 100;
        var expected = new Dictionary<int, string>();
        await With<int, string>(engine, folder, (store, kv) =>
        {
            for (int i = 0; i < before; i++) kv.Put(i, expected[i] = $"{i}");
            for (int i = 0; i < 20; i++) store.Append(7);
        });
        string store = Path.Combine(folder, "store"), backup = Path.Combine(folder, "backup");
        CopyLog(store, backup);

        // No change of the state in what is lost: neither the end of the log nor the last change of the checkpoint tells later that it is another history's.
        await With<int, string>(engine, folder, async (store, kv) =>
        {
            for (int i = 0; i < 30; i++) store.Append(7);
            await kv.CheckpointAsync();
        });
        foreach (string file in Directory.EnumerateFiles(store)) File.Delete(file);
        CopyLog(backup, store);
        await With<int, string>(engine, folder, (_, kv) =>
        {
            Check.True(kv.Recovery.Rejected.Count > 0, $"A checkpoint that holds more than the log was not told in {nameof(kv.Recovery)}.{nameof(kv.Recovery.Rejected)}");
            Check.Holds(kv, expected);
        });
        await With<int, string>(engine, folder, (_, kv) =>
        {
            Check.Equal(0, kv.Recovery.Rejected.Count, "Checkpoints rejected when it is opened again: what is rejected is removed before anything is appended");
            for (int i = 0; i < 40; i++) kv.Put(i, expected[i] = $"again {i}");
        });
        await With<int, string>(engine, folder, (_, kv) => Check.Holds(kv, expected));

        static void CopyLog(string from, string to)
        {
            Directory.CreateDirectory(to);
            foreach (string file in Directory.EnumerateFiles(from)) File.Copy(file, Path.Combine(to, Path.GetFileName(file)));
        }
    }

    public static async Task Independence(KeyValueEngine engine, string folder)
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

    /// <summary>
    /// Keys whose type throws when one is read: put, found, changed and removed by every call, in the first opening, in one from the log and in one from a checkpoint. A failure names the call: it makes a key of bytes where
    /// nobody is given one. A scan gives them, and ends with the exception; the state goes on.
    /// </summary>
    public static async Task KeysThatCannotBeRead(KeyValueEngine engine, string folder)
    {
        foreach (string opening in new[] { "for the first time", "from the log", "from a checkpoint" })
        {
            try
            {
                await With<UnreadKey, string>(engine, folder, async (_, kv) =>
                {
                    if (opening == "for the first time")
                    {
                        for (int i = 0; i < 5; i++) kv.Put(Key(i), $"{i}");
                        kv.PutBatch([new(Key(5), "5"), new(Key(6), "6")]);
                        await kv.PutBatchAsync(new KeyValuePair<UnreadKey, string>[] { new(Key(7), "7"), new(Key(8), "8") });
                        Check.Equal(2, kv.DeleteBatch([Key(0), Key(5), Key(0)]), "DeleteBatch");
                        Check.Equal(1, await kv.DeleteBatchAsync(new[] { Key(7), Key(99) }), "DeleteBatchAsync");
                        Check.True(kv.Delete(Key(1)) && await kv.DeleteAsync(Key(8)), "Delete of a key that is there should be true");
                        kv.Update(Key(2), static value => value + "!");
                        await kv.UpdateAsync(Key(3), static value => value + "!");
                    }

                    Check.Throws<Store.Serialization.NinoSerializationException>(() => kv.Scan().Count(), "Scan of keys that their type refuses");
                    Check.Equal(4, kv.Count, "Count");
                    for (int i = 0; i < 9; i++)
                    {
                        string? expected = i switch { 2 or 3 => $"{i}!", 4 or 6 => $"{i}", _ => null };
                        Check.Equal(expected, kv.TryGet(Key(i), out string? value) ? value : null, $"The value of {i}");
                    }

                    if (opening == "from the log") await kv.CheckpointAsync();
                });
            }
            catch (Exception e) when (e is not ConformanceException)
            {
                throw new ConformanceException($"A state whose keys' type refuses to be read, opened {opening}, threw {e.GetType().Name}: {e.Message}");
            }
        }

        static UnreadKey Key(int i) => new($"name {i % 3}", i);
    }

    public static async Task Disposal(KeyValueEngine engine, string folder)
    {
        IKeyValueStore<int, int> kv, closedByStore, closedLater;
        await using (NinoStore store = NinoStore.Open(Path.Combine(folder, "store")))
        {
            kv = engine.Open<int, int>(store, "a");
            closedByStore = engine.Open<int, int>(store, "b");
            closedLater = engine.Open<int, int>(store, "c");
            kv.Put(1, 1);
            closedLater.Put(1, 1);
            kv.Dispose();
            kv.Dispose();
            using IKeyValueStore<int, int> again = engine.Open<int, int>(store, "a");
            Check.Equal(1, again.Count, "Count after opening again");
            for (int i = 0; i < 2; i++) await Within(engine, closedLater.DisposeAsync().AsTask(), "DisposeAsync");
            Check.Throws<ObjectDisposedException>(() => _ = closedLater.Count, "Count after DisposeAsync");
            await using IKeyValueStore<int, int> againLater = engine.Open<int, int>(store, "c");
            Check.Equal(1, againLater.Count, "Count after opening again what DisposeAsync has closed");
        }

        foreach (IKeyValueStore<int, int> closed in new[] { kv, closedByStore, closedLater })
        {
            Check.Throws<ObjectDisposedException>(() => closed.Put(1, 2), "Put");
            Check.Throws<ObjectDisposedException>(() => closed.TryGet(1, out _), "TryGet");
            Check.Throws<ObjectDisposedException>(() => closed.Delete(1), "Delete");
            Check.Throws<ObjectDisposedException>(() => _ = closed.Count, "Count");
            Check.Throws<ObjectDisposedException>(() => closed.DeleteBatch([1]), "DeleteBatch");
            Check.Throws<ObjectDisposedException>(() => closed.TryGetBatch([1], new KeyValueResult<int>[1]), "TryGetBatch");
            Check.Throws<ObjectDisposedException>(() => closed.DeleteBatchAsync(new[] { 1 }).AsTask().GetAwaiter().GetResult(), "DeleteBatchAsync");
            Check.Throws<ObjectDisposedException>(() => closed.TryGetBatchAsync(new[] { 1 }).AsTask().GetAwaiter().GetResult(), "TryGetBatchAsync");
            Check.Throws<ObjectDisposedException>(() => closed.DeleteAsync(1).AsTask().GetAwaiter().GetResult(), "DeleteAsync");
            Check.Throws<ObjectDisposedException>(() => closed.UpdateAsync(1, n => n).AsTask().GetAwaiter().GetResult(), "UpdateAsync");
            Check.Throws<ObjectDisposedException>(() => closed.PutBatchAsync(new KeyValuePair<int, int>[] { new(1, 2) }).AsTask().GetAwaiter().GetResult(), "PutBatchAsync");
            Check.Throws<ObjectDisposedException>(() => closed.PutBatch([new(1, 2)]), "PutBatch");
            Check.Throws<ObjectDisposedException>(() => closed.Update(1, n => n), "Update");
            Check.Throws<ObjectDisposedException>(() => _ = closed.Scan().Count(), "Scan");
            Check.Throws<ObjectDisposedException>(() => Check.ScanAsync(closed).GetAwaiter().GetResult(), "ScanAsync");
            Check.Throws<ObjectDisposedException>(() => closed.PutAsync(1, 2).AsTask().GetAwaiter().GetResult(), "PutAsync");
            Check.Throws<ObjectDisposedException>(() => closed.TryGetAsync(1).AsTask().GetAwaiter().GetResult(), "TryGetAsync");
            Check.Throws<ObjectDisposedException>(() => closed.CheckpointAsync().AsTask().GetAwaiter().GetResult(), "CheckpointAsync");
        }
    }
}
