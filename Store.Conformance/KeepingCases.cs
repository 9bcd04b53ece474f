// What is left when the process is killed, a checkpoint fails or a file is damaged, and retention has removed all of the log that it may? Everything, or an error that says so; never a state that was never there.

using Store.KeyValue;
using static Store.Conformance.CaseBed;

namespace Store.Conformance;

/// <summary>Cases of what a checkpoint holds and what the engine lets go for it.</summary>
internal static class KeepingCases
{
    /// <summary>
    /// Threads change ever new keys while checkpoints are written; at an operation on a file in the middle of each, and when each is complete, all files are copied as a process leaves them that is killed then. Every copy is opened
    /// with the engine's files and without them, and again when all of the log is removed that may be: each time the state must be what the log alone gives. What was not committed is not in the copy's log, so that it ends soon
    /// behind the checkpoint. A failure says where it was copied and what is missing or should not be there: the copy of the state and its <see cref="KeyValueLog{TKey, TValue}.Cut"/> are not of the same moment, or the log was
    /// released for a checkpoint that was not in force yet.
    /// </summary>
    public static async Task KilledBesideCheckpoints(KeyValueEngine engine, string folder)
    {
        const int checkpoints = 8, threads = 4;
        var files = new CaseFiles();
        var copies = new List<(string Where, CaseFiles Files)>();
        await With<int, string>(engine, folder, files, async (store, kv) =>
        {
            using var stop = new CancellationTokenSource();
            Task[] changes = [.. Enumerable.Range(0, threads).Select(thread => Task.Factory.StartNew(() =>
            {
                for (int i = 1; !stop.IsCancellationRequested; i++)
                {
                    int key = (i * threads) + thread;
                    kv.Put(key, $"{key}:{new string('k', 40)}");
                    if (i % 5 == 0) Check.True(kv.Delete(key), "A key is missing right after it was put");
                    if (i % 40 == 0) Thread.Sleep(1);
                }
            }, CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default))];
            try
            {
                for (int i = 1; i <= checkpoints; i++)
                {
                    long since = store.LastSequence;
                    await Until(engine, () => store.LastSequence > since + 100 || changes.Any(static one => one.IsCompleted), "Changes do not go on");

                    // Another operation of each checkpoint.
                    int passed = 0, name = i;
                    files.Arrives = call =>
                    {
                        if (call.Operation != FileOperation.Read && Interlocked.Increment(ref passed) == name) Copy($"before '{call.Operation}' of '{call.File}', while checkpoint {name} was written");
                    };
                    await Within(engine, kv.CheckpointAsync().AsTask(), "A checkpoint beside changes");
                    files.Arrives = null;
                    Copy($"right after checkpoint {name} was complete");
                }
            }
            finally
            {
                files.Arrives = null;
                await stop.CancelAsync();
                await Task.WhenAll(changes);
            }
        });
        foreach ((string where, CaseFiles left) in copies)
        {
            CaseFiles logAlone = left.Copy();
            foreach (string file in logAlone.EnginesFiles().Keys) logAlone.Lose(file);
            (Dictionary<int, string> expected, _) = await State(logAlone, $"Killed {where}, and opened from the log alone");
            for (int opening = 1; opening <= 2; opening++)
            {
                string how = $"Killed {where}, and opened {(opening == 1 ? "again" : "when all of the log was removed that may be")}";
                (Dictionary<int, string> state, string recovery) = await State(left, how);
                int[] missing = [.. expected.Keys.Except(state.Keys)], surplus = [.. state.Keys.Except(expected.Keys)];
                Check.True(missing.Length + surplus.Length == 0, $"{how}, the state is not what the log amounts to ({recovery}): {missing.Length} keys are missing, {surplus.Length} should not be there");
                foreach ((int key, string value) in expected) Check.Equal(value, state[key], $"{how} ({recovery}), the value of {key}");
            }
        }

        void Copy(string where)
        {
            lock (copies) copies.Add((where, files.Copy()));
        }

        async Task<(Dictionary<int, string> State, string Recovery)> State(CaseFiles left, string how)
        {
            Dictionary<int, string> state = [];
            string recovery = "";
            try
            {
                await With<int, string>(engine, folder, left, (store, kv) =>
                {
                    recovery = CaseHistory.Text(kv.Recovery);
                    foreach ((int key, string value) in kv.Scan()) Check.True(state.TryAdd(key, value), $"{key} came twice in a scan");
                    Check.Equal(state.Count, kv.Count, $"{how} ({recovery}), Count");
                    store.TruncateBefore(long.MaxValue);
                });
            }
            catch (StoreException e)
            {
                throw new ConformanceException($"{how}, the state cannot be opened: {e.Message}");
            }

            return (state, recovery);
        }
    }

    /// <summary>
    /// Of two checkpoints, the second and the third fail, and all of the log is removed that may be: the first, and the log behind it, must give the state. A failure, be it an exception of opening, means that
    /// <see cref="KeyValueLog{TKey, TValue}.KeepAfter"/> was called with the cut of a checkpoint that did not come about. An engine that never calls it passes: its log is kept for ever.
    /// </summary>
    public static async Task FailedCheckpointsReleaseNothing(KeyValueEngine engine, string folder)
    {
        await using (NinoStore store = Open(folder))
        {
            using IKeyValueStore<int, string> kv = engine.Open<int, string>(store, "state");
            CaseHistory.ChangeUpTo(store, kv, 600);
            await kv.CheckpointAsync();
            for (int i = 0; i < 2; i++)
            {
                CaseHistory.ChangeUpTo(store, kv, store.LastSequence + 600);
                using IDisposable failing = engine.FailCheckpoints(store, "state");
                Check.Throws<IOException>(() => kv.CheckpointAsync().AsTask().GetAwaiter().GetResult(), "A checkpoint that is asked for and fails");
            }

            await store.CommitAsync();
            store.TruncateBefore(long.MaxValue);
        }

        await using (NinoStore store = Open(folder))
        {
            try
            {
                using IKeyValueStore<int, string> kv = engine.Open<int, string>(store, "state");
                CaseHistory.Holds(store, kv, "After checkpoints failed and all of the log was removed that may be");
            }
            catch (StoreException e)
            {
                throw new ConformanceException($"After checkpoints failed and all of the log was removed that may be, the state cannot be opened; the log was released for a checkpoint that never was in force: {e.Message}");
            }
        }
    }

    /// <summary>
    /// Two checkpoints, changes behind them, and all of the log removed that may be. Then, one at a time, each file that the second checkpoint wrote is removed, cut or has a bit flipped. Opening must give the whole state, or be a
    /// <see cref="StoreException"/>; the latter only where the engine keeps one checkpoint (<see cref="KeyValueEngine.KeptCheckpoints"/>), or the file is older than the second and may be both's. What opens must go on: a
    /// change, a checkpoint, and another opening. A failure names file and damage: the checkpoint is not verified as a whole, or the log is released up to the newest and not up to the oldest that is kept.
    /// </summary>
    public static async Task DamagedCheckpoints(KeyValueEngine engine, string folder)
    {
        var files = new CaseFiles();
        Dictionary<string, (FileBytes Bytes, long Version)> before = [];
        await With<int, string>(engine, folder, files, async (store, kv) =>
        {
            for (int i = 1; i <= engine.KeptCheckpoints; i++)
            {
                // With all of the log but what a checkpoint behind needs removed, none can be built from nothing.
                CaseHistory.ChangeUpTo(store, kv, 1200 * i);
                await kv.CheckpointAsync();
            }

            before = files.EnginesFiles();
            CaseHistory.ChangeUpTo(store, kv, store.LastSequence + 1200);
            await kv.CheckpointAsync();
            CaseHistory.ChangeUpTo(store, kv, store.LastSequence + 100);
            await store.CommitAsync();
            store.TruncateBefore(long.MaxValue);
        });
        foreach ((string name, (FileBytes bytes, long version)) in files.EnginesFiles().OrderBy(static file => file.Key, StringComparer.Ordinal))
        {
            bool isOlder = before.TryGetValue(name, out (FileBytes Bytes, long Version) old) && ReferenceEquals(old.Bytes, bytes);
            if (isOlder && old.Version == version) continue;
            long length = bytes.LengthBytes;
            foreach ((string what, Action<CaseFiles> damage) in new (string, Action<CaseFiles>)[]
            {
                ("removed", left => left.Lose(name)),
                ("cut to half", left => left.Damage(name, static file => file.Truncate(file.LengthBytes / 2))),
                ("changed in its first byte", left => left.Damage(name, static file => file.Flip(0))),
                ("changed in the middle", left => left.Damage(name, static file => file.Flip(file.LengthBytes / 2))),
                ("changed in its last byte", left => left.Damage(name, static file => file.Flip(file.LengthBytes - 1))),
            })
            {
                if (length == 0) continue;
                CaseFiles left = files.Copy();
                damage(left);
                await OpenDamaged(engine, folder, left, $"With '{name}' {what}", mayBeRefused: isOlder || engine.KeptCheckpoints < 2);
            }
        }
    }

    private static async Task OpenDamaged(KeyValueEngine engine, string folder, CaseFiles files, string where, bool mayBeRefused)
    {
        try
        {
            await With<int, string>(engine, folder, files, async (store, kv) =>
            {
                CaseHistory.Holds(store, kv, where);
                CaseHistory.Change(kv, store.LastSequence + 1);
                await kv.CheckpointAsync();
            });
        }
        catch (StoreException) when (mayBeRefused)
        {
            return;
        }
        catch (Exception e) when (e is not ConformanceException)
        {
            throw new ConformanceException($"{where}, {(mayBeRefused ? $"opening should give the state or throw a {nameof(StoreException)}" : "the checkpoint before and the log behind it should give the state")}, and opening threw {e.GetType().Name}: {e.Message}");
        }

        await With<int, string>(engine, folder, files, (store, kv) => CaseHistory.Holds(store, kv, $"{where}, and opened once more after another checkpoint"));
    }
}
