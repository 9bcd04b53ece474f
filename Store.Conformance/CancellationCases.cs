// What becomes of a call whose token is cancelled while it is under way? Nothing is left to chance: the files hold it back at a known place, and are let go when the case has cancelled.

using Store.KeyValue;
using static Store.Conformance.CaseBed;

namespace Store.Conformance;

/// <summary>Cases of calls that are cancelled in the middle.</summary>
internal static class CancellationCases
{
    /// <summary>
    /// The log is not synced; changes are made and wait to be durable; then their tokens are cancelled. Every wait must be given up while the disk still stands; every change must be there, in state, count and log alike, and
    /// stay there. A failure names the call: it completed although nothing was durable, does not notice its token, or takes back, wholly or in part, what is in the log already.
    /// </summary>
    public static async Task WhileTheLogIsNotDurable(KeyValueEngine engine, string folder)
    {
        var files = new CaseFiles();
        Dictionary<int, string> expected = new() { [1] = "put", [2] = "a batch", [3] = "another", [4] = "4+", [9] = "stays" };
        await With<int, string>(engine, folder, files, async (store, kv) =>
        {
            kv.PutBatch([.. Enumerable.Range(4, 6).Select(static i => new KeyValuePair<int, string>(i, i == 9 ? "stays" : $"{i}"))]);
            await store.CommitAsync();
            using (var gate = new HeldCalls(files, static call => call.Operation == FileOperation.Sync && !call.IsEngines))
            using (var cancellation = new CancellationTokenSource())
            {
                CancellationToken token = cancellation.Token;
                (string Name, Task Call)[] calls =
                [
                    await Begin("PutAsync", () => kv.PutAsync(1, "put", token).AsTask()),
                    await Begin("PutBatchAsync", () => kv.PutBatchAsync(new KeyValuePair<int, string>[] { new(2, "a batch"), new(3, "another") }, token).AsTask()),
                    await Begin("UpdateAsync", () => kv.UpdateAsync(4, old => old + "+", token).AsTask()),
                    await Begin("DeleteAsync", () => kv.DeleteAsync(5, token).AsTask()),
                    await Begin("DeleteBatchAsync", () => kv.DeleteBatchAsync(new[] { 6, 7, 8 }, token).AsTask()),
                ];
                await Within(engine, gate.Arrived, "Making a change durable (nothing asks the log for a sync: a call completed, or waits, without)");
                await Until(engine, () => store.LastSequence == 14 && kv.Count == expected.Count, "Changes that wait to be durable are not made");
                foreach ((string name, Task call) in calls) Check.True(!call.IsCompleted, $"{name} completed although nothing was durable");
                Check.Holds(kv, expected);
                await cancellation.CancelAsync();
                foreach ((string name, Task call) in calls) await Cancelled(engine, call, $"{name}, cancelled while it waits for the disk,");
                HoldsAfter();

                // Whoever comes next is neither cancelled nor held up.
                var later = (Task<long>)(await Begin("PutAsync", () => kv.PutAsync(9, "stays").AsTask())).Call;
                Check.True(!later.IsCompleted, "PutAsync completed although nothing was durable");
                gate.Open();
                Check.Equal(15, await Within(engine, later, "PutAsync behind calls that were cancelled"), "The sequence of a change behind cancelled ones");
                HoldsAfter();
            }

            async Task<(string Name, Task Call)> Begin(string name, Func<Task> begin) => (name, await Begun(engine, name, begin));

            void HoldsAfter()
            {
                try
                {
                    Check.Holds(kv, expected);
                    Check.True(store.LastSequence is 14 or 15, $"The log ends at {store.LastSequence}: a cancelled call has added a change");
                }
                catch (ConformanceException e)
                {
                    throw new ConformanceException($"After the waits of five calls were cancelled, whose changes are in the log: {e.Message}");
                }
            }
        });
        await With<int, string>(engine, folder, files, (_, kv) => Check.Holds(kv, expected));
    }

    /// <summary>
    /// The engine's files are not read; a call comes to need one and is cancelled. The call must return without having waited, and its wait must be given up while the disk still stands; a change must be made all the same
    /// when the disk answers, under the key it was called with. Where an engine needs no read, its calls complete and there is nothing to cancel. A failure names the call: it reads on its caller's thread, does not notice
    /// its token, drops a change that was begun, or encodes the key when its owner may have changed it.
    /// </summary>
    public static async Task WhileTheDiskIsNotRead(KeyValueEngine engine, string folder)
    {
        const int keys = 300;
        var files = new CaseFiles();
        Dictionary<string, string> expected = [];
        await With<CaseKey, string>(engine, folder, files, async (store, kv) =>
        {
            for (int i = 0; i < keys; i++) kv.Put(CaseKey.Of(i), expected[$"{CaseKey.Of(i)}"] = ValueOf(i));
            await Call("TryGetAsync", 3, ValueOf(3), (key, token) => kv.TryGetAsync(key, token).AsTask());
            await Call("PutAsync", 23, "new", (key, token) => kv.PutAsync(key, "new", token).AsTask());
            await Call("UpdateAsync", 43, ValueOf(43) + "+", (key, token) => kv.UpdateAsync(key, old => old + "+", token).AsTask());
            await Call("DeleteAsync", 63, null, (key, token) => kv.DeleteAsync(key, token).AsTask());
            await Call("PutBatchAsync", 83, "of a batch", (key, token) => kv.PutBatchAsync(new KeyValuePair<CaseKey, string>[] { new(key, "of a batch") }, token).AsTask());
            await Call("DeleteBatchAsync", 103, null, (key, token) => kv.DeleteBatchAsync(new[] { key }, token).AsTask());
            await Call("TryGetBatchAsync", 123, ValueOf(123), (key, token) => kv.TryGetBatchAsync(new[] { key }, token).AsTask());
            await Call("ScanAsync", 143, ValueOf(143), async (unused, token) =>
            {
                await foreach (KeyValuePair<CaseKey, string> _ in kv.ScanAsync(token)) { }
            });
            Holds(kv);

            async Task Call(string name, int number, string? after, Func<CaseKey, CancellationToken, Task> begin)
            {
                CaseKey key = CaseKey.Of(number);
                bool isChange = after != ValueOf(number);
                long last = store.LastSequence;
                using var cancellation = new CancellationTokenSource();
                Task call, ended;
                using (var gate = new HeldCalls(files, static call => call.Operation == FileOperation.Read && call.IsEngines))
                {
                    call = await Begun(engine, name, () => begin(key, cancellation.Token));
                    key.Spoil();
                    ended = await Within(engine, Task.WhenAny(call, gate.Arrived), $"{name} (which neither completes nor reads, while the disk stands still)");
                    if (ended != call)
                    {
                        await cancellation.CancelAsync();
                        await Cancelled(engine, call, $"{name}, cancelled while it waits for a read,");
                    }
                }

                if (ended == call) await call;
                if (isChange)
                {
                    await Until(engine, () => store.LastSequence > last && kv.TryGet(CaseKey.Of(number), out string? now) == after is not null && now == after,
                        $"The change of {name} is not made under its key, after its wait for a read was cancelled and the disk has answered");
                    Check.Equal(last + 1, store.LastSequence, $"The log after {name}");
                }

                if (after is not null) expected[$"{CaseKey.Of(number)}"] = after;
                else expected.Remove($"{CaseKey.Of(number)}");
            }
        });
        await With<CaseKey, string>(engine, folder, files, (_, kv) => Holds(kv));

        static string ValueOf(int i) => $"{i}:{new string('v', 300)}";

        void Holds(IKeyValueStore<CaseKey, string> kv)
        {
            Check.Equal(expected.Count, kv.Count, "Count, after calls that were cancelled while they waited for reads");
            Dictionary<string, string> scanned = kv.Scan().ToDictionary(static pair => $"{pair.Key}", static pair => pair.Value);
            Check.Equal(expected.Count, scanned.Count, "The number of keys in a scan");
            foreach ((string key, string value) in expected) Check.Equal(value, scanned.GetValueOrDefault(key), $"The value of {key}");
        }
    }

    /// <summary>
    /// A checkpoint is held at its first operation on a file, cancelled, and let go; another at its second, and so on to the last. One that throws <see cref="OperationCanceledException"/> must not exist: opened again, the
    /// state begins with the one before. One that completes does exist. Either way the state is whole, changes go on, and so do checkpoints. A failure names the operation.
    /// </summary>
    public static async Task OfCheckpoints(KeyValueEngine engine, string folder)
    {
        var files = new CaseFiles();
        await With<int, string>(engine, folder, files, async (store, kv) =>
        {
            CaseHistory.ChangeUpTo(store, kv, 100);
            await kv.CheckpointAsync();
            long before = 100;
            string last = "no operation";
            for (int step = 0, isFinished = 0; isFinished == 0; step += 1 + (step / 8))
            {
                CaseHistory.ChangeUpTo(store, kv, store.LastSequence + 6);
                int passed = 0;
                string where = "no operation";
                Task checkpoint;
                using (var cancellation = new CancellationTokenSource())
                using (var gate = new HeldCalls(files, call => call.Operation != FileOperation.Read && Interlocked.Increment(ref passed) == step + 1))
                {
                    checkpoint = Task.Run(() => kv.CheckpointAsync(cancellation.Token).AsTask());
                    if (await Within(engine, Task.WhenAny(checkpoint, gate.Arrived), $"A checkpoint behind one that was cancelled at {last}") == checkpoint) isFinished = 1;
                    else where = $"'{gate.Arrived.Result.Operation}' of '{gate.Arrived.Result.File}'";
                    last = where;
                    await cancellation.CancelAsync();
                }

                bool isCancelled = false;
                try
                {
                    await Within(engine, checkpoint, $"A checkpoint that was cancelled at {where}");
                }
                catch (OperationCanceledException)
                {
                    isCancelled = true;
                }

                long expected = isCancelled ? before : store.LastSequence;
                await With<int, string>(engine, folder, files.Copy(), (copied, reopened) =>
                {
                    Check.Equal(expected, reopened.Recovery.CheckpointSequence, $"The sequence of the checkpoint in force, after one at {store.LastSequence} was cancelled at {where} and {(isCancelled ? "threw" : "completed")},");
                    CaseHistory.Holds(copied, reopened, $"After a checkpoint was cancelled at {where}");
                });
                before = expected;
            }

            CaseHistory.ChangeUpTo(store, kv, store.LastSequence + 6);
            await Within(engine, kv.CheckpointAsync().AsTask(), "A checkpoint behind others that were cancelled");
            CaseHistory.Holds(store, kv, "After many cancelled checkpoints");
        });
        await With<int, string>(engine, folder, files, (store, kv) =>
        {
            Check.Equal((false, 0L, 0), (kv.Recovery.RebuiltFromLog, kv.Recovery.ChangesReplayed, kv.Recovery.Rejected.Count), "How it was opened after cancelled checkpoints and one more");
            CaseHistory.Holds(store, kv, "Opened again after many cancelled checkpoints");
        });
    }
}
