// What if something around a keyed state fails? Its neighbour, its store, its background: it is told, and nobody else suffers.

using Store.KeyValue;
using static Store.Conformance.CaseBed;

namespace Store.Conformance;

/// <summary>Cases of failures that are not the state's own to cause.</summary>
internal static class TroubleCases
{
    /// <summary>
    /// The rename that puts a checkpoint in force fails as no disk does. Nobody waits for a checkpoint that was due by itself, so that is for <see cref="IKeyValueStore{TKey, TValue}.CheckpointFailure"/> to tell, until one is written.
    /// </summary>
    public static async Task UnforeseenCheckpointFailure(KeyValueEngine engine, string folder)
    {
        var files = new CaseFiles();
        var expected = new Dictionary<int, string>();
        await using (NinoStore store = Open(folder, files))
        {
            using IKeyValueStore<int, string> kv = engine.OpenCheckpointing<int, string>(store, "state", everyChanges: 50);
            files.Arrives = static call =>
            {
                if (call.IsEngines && call.Operation == FileOperation.Rename) throw new InsufficientMemoryException("There is no memory, the case says.");
            };
            for (int i = 0; i < 100; i++) kv.Put(i, expected[i] = $"{i}");
            if (await Fails(engine, kv.CheckpointAsync().AsTask(), "A checkpoint that is asked for and fails"))
            {
                // One is due behind each fifty.
                long since = Environment.TickCount64;
                for (int i = 0; kv.CheckpointFailure is null && Environment.TickCount64 - since < engine.Patience.TotalMilliseconds; i++)
                {
                    kv.Put(i % 100, expected[i % 100] = $"again {i}");
                    await Task.Delay(1);
                }

                Check.True(kv.CheckpointFailure is not null, $"{nameof(kv.CheckpointFailure)} is null after a checkpoint that was due failed with {nameof(InsufficientMemoryException)}");
            }

            files.Arrives = null;
            kv.Put(-1, expected[-1] = "goes on");
            await Within(engine, kv.CheckpointAsync().AsTask(), "A checkpoint behind one that failed");
            Check.True(kv.CheckpointFailure is null, $"{nameof(kv.CheckpointFailure)} stays after a checkpoint was written: {kv.CheckpointFailure?.Message}");
        }

        await With<int, string>(engine, folder, files, (_, kv) =>
        {
            Check.Equal((0L, 0), (kv.Recovery.ChangesReplayed, kv.Recovery.Rejected.Count), "How it was opened behind a checkpoint that failed and one more");
            Check.Holds(kv, expected);
        });
    }

    /// <summary>
    /// An opening is held at its first read of the engine's files, the store is closed and opened again by somebody else, who opens the state, changes it and writes a checkpoint; then the first goes on. Another is held at its second
    /// read, and so on to the last. Not at what changes files: closing waits for that.
    /// </summary>
    public static async Task ClosedWhileItOpens(KeyValueEngine engine, string folder)
    {
        var files = new CaseFiles();
        await With<int, string>(engine, folder, files, async (_, kv) =>
        {
            for (int i = 0; i < 100; i++) kv.Put(i, $"{i} {new string('v', 200)}");
            await kv.CheckpointAsync();
            for (int i = 0; i < 100; i++) kv.Put(i, $"again {i} {new string('w', 200)}");
        });
        Dictionary<int, string> expected = Enumerable.Range(0, 100).ToDictionary(static i => i, static i => $"again {i} {new string('w', 200)}");
        expected[1000] = "the next owner's";
        for (int step = 1; ; step += 1 + (step / 4))
        {
            CaseFiles left = files.Copy();
            NinoStore store = Open(folder, left);
            int passed = 0;
            using var gate = new HeldCalls(left, call => call.IsEngines && call.Operation == FileOperation.Read && Interlocked.Increment(ref passed) == step);
            Task<IKeyValueStore<int, string>> opening = Task.Factory.StartNew(() => engine.Open<int, string>(store, "state"), CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);
            if (await Within(engine, Task.WhenAny(opening, gate.Arrived), "Opening") == opening)
            {
                (await opening).Dispose();
                await store.DisposeAsync();
                break;
            }

            string where = $"at '{gate.Arrived.Result.Operation}' of '{gate.Arrived.Result.File}'";
            await Within(engine, store.DisposeAsync().AsTask(), $"Closing a store on which a state is being opened, {where},");
            await With<int, string>(engine, folder, left, async (_, kv) =>
            {
                kv.Put(1000, expected[1000]);
                await kv.CheckpointAsync();
                Dictionary<string, (FileBytes Bytes, long Version)> next = left.EnginesFiles();
                gate.Open();
                await IsRefused(engine, opening, where);
                Dictionary<string, (FileBytes Bytes, long Version)> now = left.EnginesFiles();
                foreach (string file in next.Keys.Union(now.Keys))
                    Check.True(next.TryGetValue(file, out var before) && now.TryGetValue(file, out var after) && before == after, $"'{file}' was changed by an opening whose store was closed {where}; it is the next owner's");
                Check.Holds(kv, expected);
            });
            await With<int, string>(engine, folder, left, (_, kv) =>
            {
                Check.Equal((0L, 0), (kv.Recovery.ChangesReplayed, kv.Recovery.Rejected.Count), $"How it was opened after an opening whose store was closed {where}");
                Check.Holds(kv, expected);
            });
        }
    }

    /// <summary>No call on the files of one state succeeds any more, while it is changed and checkpointed; another is on the same store.</summary>
    public static async Task AFailedNeighbour(KeyValueEngine engine, string folder)
    {
        var files = new CaseFiles();
        Dictionary<int, string> healthy = [], told = [];
        var begun = new Dictionary<int, HashSet<string>>();
        await using (NinoStore store = Open(folder, files))
        {
            using IKeyValueStore<int, string> failing = engine.Open<int, string>(store, "failing"), other = engine.Open<int, string>(store, "other");
            for (int i = 0; i < 100; i++)
            {
                failing.Put(i, told[i] = Value(i));
                other.Put(i, healthy[i] = Value(i));
            }

            files.Arrives = static call =>
            {
                if (call.File.StartsWith("kv-failing.", StringComparison.Ordinal)) throw new IOException("This disk has failed, the case says.");
            };
            for (int i = 0; i < 300; i++)
            {
                int key = i % 100;
                string value = Value(i + 1000);
                try
                {
                    failing.Put(key, value);
                    told[key] = value;
                    begun.Remove(key);
                }
                catch (Exception e) when (e is IOException or StoreException)
                {
                    // It may be in the log.
                    (begun.TryGetValue(key, out HashSet<string>? may) ? may : begun[key] = []).Add(value);
                }

                if (i % 100 == 50) await IsTold(engine, failing.CheckpointAsync().AsTask(), "A checkpoint of a state whose files fail");
                Goes(() => other.Put(key, healthy[key] = value), "A change");
            }

            Check.Holds(other, healthy);
            await IsTold(engine, store.CheckpointAllAsync().AsTask(), $"{nameof(store.CheckpointAllAsync)} of two states, one of which cannot be,");
            store.Append(7);
            await store.CommitAsync();
            await Within(engine, Task.Run(() => Record(failing.Dispose)), "Closing a state that failed");
            Check.Holds(other, healthy);
            Goes(() => other.Put(-1, healthy[-1] = "goes on"), "A change");
            files.Arrives = null;
        }

        await using (NinoStore store = Open(folder, files))
        {
            using IKeyValueStore<int, string> failed = engine.Open<int, string>(store, "failing"), other = engine.Open<int, string>(store, "other");
            Check.Equal(1, other.Recovery.ChangesReplayed, $"Changes replayed of the state that was well, when the checkpoint of the other failed in the same {nameof(store.CheckpointAllAsync)},");
            Check.Holds(other, healthy);
            Check.Equal(told.Count, failed.Count, "Count, of a state whose files had failed");
            foreach ((int key, string value) in told)
            {
                Check.True(failed.TryGet(key, out string? found), $"{key} is missing in a state whose files had failed");
                Check.True(found == value || (begun.TryGetValue(key, out HashSet<string>? may) && may.Contains(found!)), $"The value of {key}, in a state whose files had failed, should be {value} and is {found}.");
            }
        }

        static string Value(int i) => $"{i} {new string('v', 300)}";

        static void Goes(Action action, string what)
        {
            try
            {
                action();
            }
            catch (Exception e) when (e is IOException or StoreException)
            {
                throw new ConformanceException($"{what} of a state whose neighbour failed threw {e.GetType().Name}: {e.Message}");
            }
        }
    }

    private static async Task IsRefused(KeyValueEngine engine, Task<IKeyValueStore<int, string>> opening, string where)
    {
        try
        {
            await Within(engine, (Task)opening, $"Opening on a store that was closed {where}");
        }
        catch (ObjectDisposedException)
        {
            return;
        }
        catch (Exception e) when (e is not ConformanceException)
        {
            throw new ConformanceException($"Opening on a store that was closed {where} should throw {nameof(ObjectDisposedException)} and threw {e.GetType().Name}: {e.Message}");
        }

        throw new ConformanceException($"Opening on a store that was closed {where} should throw {nameof(ObjectDisposedException)} and threw nothing.");
    }

    private static async Task IsTold(KeyValueEngine engine, Task task, string what)
    {
        if (!await Fails(engine, task, what)) throw new ConformanceException($"{what} should throw and threw nothing.");
    }

    private static async Task<bool> Fails(KeyValueEngine engine, Task task, string what)
    {
        try
        {
            await Within(engine, task, what);
            return false;
        }
        catch (Exception e) when (e is not ConformanceException)
        {
            return true;
        }
    }

    // Whether it throws is its own affair: it is closed.
    private static void Record(Action close)
    {
        try
        {
            close();
        }
        catch (Exception e) when (e is IOException or StoreException)
        {
            // Told.
        }
    }
}
