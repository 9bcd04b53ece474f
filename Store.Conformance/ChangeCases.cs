// What must reads and changes do, one after another?

using Store.KeyValue;
using static Store.Conformance.CaseBed;

namespace Store.Conformance;

/// <summary>Cases of single changes, batches and updates.</summary>
internal static class ChangeCases
{
    public static Task Values(KeyValueEngine engine, string folder) => With<string, string>(engine, folder, (store, kv) =>
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

    public static Task Deletions(KeyValueEngine engine, string folder) => With<int, string>(engine, folder, (store, kv) =>
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

    public static async Task Nulls(KeyValueEngine engine, string folder)
    {
        await With<string, string>(engine, Path.Combine(folder, "text"), (store, kv) =>
        {
            NullKeys(store, kv, "x", null!);
            Check.Throws<ArgumentNullException>(() => kv.Put("x", null!), "Put of a null value");
            Check.Throws<ArgumentNullException>(() => kv.PutBatch([new("a", "b"), new("x", null!)]), "A batch with a null value");
            Check.Throws<ArgumentNullException>(() => kv.Update("x", _ => null!), "An update to null");
            Check.Throws<ArgumentNullException>(() => kv.PutAsync("x", null!).AsTask().GetAwaiter().GetResult(), "PutAsync of a null value");
            Check.Equal(0, store.LastSequence, "The log");
        });
        await With<int?, string>(engine, Path.Combine(folder, "number"), static (store, kv) => NullKeys(store, kv, 1, null));
    }

    private static void NullKeys<TKey>(NinoStore store, IKeyValueStore<TKey, string> kv, TKey key, TKey none)
    {
        string of = $"of a null key ({typeof(TKey).Name})";
        Check.Throws<ArgumentNullException>(() => kv.Put(none, "x"), $"Put {of}");
        Check.Throws<ArgumentNullException>(() => kv.TryGet(none, out _), $"TryGet {of}");
        Check.Throws<ArgumentNullException>(() => kv.Delete(none), $"Delete {of}");
        Check.Throws<ArgumentNullException>(() => kv.TryGetAsync(none).AsTask().GetAwaiter().GetResult(), $"TryGetAsync {of}");
        Check.Throws<ArgumentNullException>(() => kv.Update(none, _ => "x"), $"Update {of}");
        Check.Throws<ArgumentNullException>(() => kv.UpdateAsync(none, _ => "x").AsTask().GetAwaiter().GetResult(), $"UpdateAsync {of}");
        Check.Throws<ArgumentNullException>(() => kv.PutAsync(none, "x").AsTask().GetAwaiter().GetResult(), $"PutAsync {of}");
        Check.Throws<ArgumentNullException>(() => kv.PutBatch([new(key, "a"), new(none, "b")]), $"PutBatch {of}");
        Check.Throws<ArgumentNullException>(() => kv.PutBatchAsync(new KeyValuePair<TKey, string>[] { new(none, "b") }).AsTask().GetAwaiter().GetResult(), $"PutBatchAsync {of}");
        Check.Throws<ArgumentNullException>(() => kv.DeleteAsync(none).AsTask().GetAwaiter().GetResult(), $"DeleteAsync {of}");
        Check.Throws<ArgumentNullException>(() => kv.DeleteBatch([key, none]), $"DeleteBatch {of}");
        Check.Throws<ArgumentNullException>(() => kv.TryGetBatch([none], new KeyValueResult<string>[1]), $"TryGetBatch {of}");
        Check.Throws<ArgumentNullException>(() => kv.DeleteBatchAsync(new[] { key, none }).AsTask().GetAwaiter().GetResult(), $"DeleteBatchAsync {of}");
        Check.Throws<ArgumentNullException>(() => kv.TryGetBatchAsync(new[] { key, none }).AsTask().GetAwaiter().GetResult(), $"TryGetBatchAsync {of}");
        Check.Equal(0, store.LastSequence, "The log");
    }

    public static Task Batches(KeyValueEngine engine, string folder) => With<int, string>(engine, folder, (store, kv) =>
    {
        kv.Put(1, "old");
        Check.Equal(2, kv.PutBatch([new(1, "a"), new(2, "b"), new(3, "c"), new(2, "d")]), "The sequence of a batch");
        Check.Equal(5, store.LastSequence, "The log after a batch of four");
        Check.Equal(6, kv.PutBatch([]), "The sequence of an empty batch");
        Check.Holds(kv, new Dictionary<int, string> { [1] = "a", [2] = "d", [3] = "c" });
        KeyValuePair<int, string>[] many = [.. Enumerable.Range(0, 1000).Select(i => new KeyValuePair<int, string>(i, $"v{i}"))];
        kv.PutBatch(many);
        Check.Holds(kv, many.ToDictionary());

        // More than fits into a frame that single changes share: one frame all the same, or a crash could keep a part of it.
        KeyValuePair<int, string>[] large = [.. many.Select(pair => new KeyValuePair<int, string>(pair.Key, new string('v', 2000)))];
        store.Commit();
        long first = kv.PutBatch(large);
        store.Commit();
        RawFrame frame = store.ReadFrames(first).First(frame => frame.LastSequence >= first);
        Check.Equal((first, large.Length), (frame.FirstSequence, frame.RecordCount), "The first sequence and the number of records of the frame of a batch");
    });

    public static Task DeletionBatches(KeyValueEngine engine, string folder) => With<int, string>(engine, folder, (store, kv) =>
    {
        Check.Equal(0, kv.DeleteBatch([]), "A deletion of no keys");
        Check.Equal(0, kv.DeleteBatch([1, 2]), "A deletion of keys that are not there");
        Check.Equal(0, store.LastSequence, "The log after deletions of nothing");
        kv.PutBatch([new(1, "a"), new(2, "b"), new(3, "c"), new(4, "d")]);
        Check.Equal(2, kv.DeleteBatch([1, 9, 3]), "Keys that were there");
        Check.Equal(6, store.LastSequence, "The log after two deletions");
        Check.Equal(1, kv.DeleteBatch([2, 2]), "A key that occurs twice");
        Check.Equal(7, store.LastSequence, "The log after the deletion of a key that occurs twice");
        Check.Holds(kv, new Dictionary<int, string> { [4] = "d" });
        KeyValuePair<int, string>[] many = [.. Enumerable.Range(0, 30_000).Select(i => new KeyValuePair<int, string>(i, ""))];
        kv.PutBatch(many);
        store.Commit();
        long first = store.LastSequence + 1;
        Check.Equal(many.Length, kv.DeleteBatch([.. many.Select(pair => pair.Key), .. many.Select(pair => pair.Key)]), "Deletions of many keys, each given twice");
        store.Commit();
        RawFrame frame = store.ReadFrames(first).First(frame => frame.LastSequence >= first);
        Check.Equal((first, many.Length), (frame.FirstSequence, frame.RecordCount), "The first sequence and the number of records of the frame of a batch of deletions");
        Check.Holds(kv, new Dictionary<int, string>());
    });

    public static Task ReadBatches(KeyValueEngine engine, string folder) => With<int, string>(engine, folder, async (_, kv) =>
    {
        for (int i = 0; i < 100; i++) kv.Put(i, $"{i}");
        kv.Delete(7);
        int[] keys = [5, 7, 1000, 5, 99];
        var results = new KeyValueResult<string>[6];
        results[5] = new(true, "left as it is");
        Check.Equal(3, kv.TryGetBatch(keys, results), "Keys found");
        Check.Equal("5   5 99 left as it is", string.Join(' ', results.Select(result => result.Value)), "The values at the places of their keys");
        Check.True(results[0].IsThere && !results[1].IsThere && !results[2].IsThere, "A key that is not there is told as if it were");
        Check.Equal(0, kv.TryGetBatch([], []), "A read of no keys");
        Check.Throws<ArgumentException>(() => kv.TryGetBatch(keys, new KeyValueResult<string>[4]), "TryGetBatch without room");
        KeyValueResult<string>[] later = await kv.TryGetBatchAsync(keys);
        Check.Equal(keys.Length, later.Length, "The places that TryGetBatchAsync gives");
        Check.True(results.AsSpan(0, 5).SequenceEqual(later), "TryGetBatchAsync gives other values than TryGetBatch");
        Check.Equal(0, (await kv.TryGetBatchAsync(ReadOnlyMemory<int>.Empty)).Length, "A TryGetBatchAsync of no keys");

        // More than any engine takes at once, of values of many lengths.
        for (int i = 0; i < 500; i++) kv.Put(i, new string('v', i * 3 % 1000));
        int[] many = [.. Enumerable.Range(0, 600).Select(i => i * 7 % 600)];
        var all = new KeyValueResult<string>[many.Length];
        Check.Equal(500, kv.TryGetBatch(many, all), "Keys found of many");
        for (int i = 0; i < many.Length; i++) Check.Equal(many[i] < 500 ? new(true, new string('v', many[i] * 3 % 1000)) : default, all[i], $"The value of {many[i]}");
        later = await kv.TryGetBatchAsync(many);
        Check.True(all.AsSpan().SequenceEqual(later), "TryGetBatchAsync of many keys gives other values than TryGetBatch");
    });

    public static Task Updates(KeyValueEngine engine, string folder) => With<string, long>(engine, folder, (store, kv) =>
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

    public static Task ThrowingUpdates(KeyValueEngine engine, string folder) => With<string, long>(engine, folder, (store, kv) =>
    {
        kv.Put("n", 1);
        Check.Throws<TimeoutException>(() => kv.Update("n", _ => throw new TimeoutException()), "A throwing callback");
        Check.Equal(1, store.LastSequence, "The log");
        Check.Throws<TimeoutException>(() => kv.UpdateAsync("n", _ => throw new TimeoutException()).AsTask().GetAwaiter().GetResult(), "A throwing callback of UpdateAsync");
        Check.Equal(1, store.LastSequence, "The log after a throwing UpdateAsync");
        kv.Put("n", 2);
        Check.Holds(kv, new Dictionary<string, long> { ["n"] = 2 });
    });

    public static Task NestedUpdates(KeyValueEngine engine, string folder) => With<string, long>(engine, folder, (store, kv) =>
    {
        Check.Throws<InvalidOperationException>(() => kv.Update("n", _ => kv.Put("m", 1)), "Put inside a callback");
        Check.Throws<InvalidOperationException>(() => kv.Update("n", _ => kv.Delete("m") ? 1 : 0), "Delete inside a callback");
        Check.Throws<InvalidOperationException>(() => kv.Update("n", _ => kv.PutBatch([new("m", 1)])), "PutBatch inside a callback");
        Check.Throws<InvalidOperationException>(() => kv.Update("n", _ => kv.Update("m", _ => 1)), "Update inside a callback");
        Check.Throws<InvalidOperationException>(() => kv.Update("n", _ => kv.DeleteBatch(["m"])), "DeleteBatch inside a callback");
        Check.Throws<InvalidOperationException>(() => kv.Update("n", _ => kv.DeleteBatchAsync(new[] { "m" }).AsTask().GetAwaiter().GetResult()), "DeleteBatchAsync inside a callback");
        Check.Throws<InvalidOperationException>(() => kv.Update("n", _ => kv.PutAsync("m", 1).AsTask().GetAwaiter().GetResult()), "PutAsync inside a callback");
        Check.Throws<InvalidOperationException>(() => kv.Update("n", _ => kv.PutBatchAsync(new KeyValuePair<string, long>[] { new("m", 1) }).AsTask().GetAwaiter().GetResult()), "PutBatchAsync inside a callback");
        Check.Throws<InvalidOperationException>(() => kv.Update("n", _ => kv.DeleteAsync("m").AsTask().GetAwaiter().GetResult() ? 1 : 0), "DeleteAsync inside a callback");
        Check.Throws<InvalidOperationException>(() => kv.Update("n", _ => kv.UpdateAsync("m", _ => 1).AsTask().GetAwaiter().GetResult()), "UpdateAsync inside a callback");
        Check.Equal(0, store.LastSequence, "The log");
        kv.Put("m", 1);
        kv.Update("n", _ => kv.TryGet("m", out long m) ? m + 1 : 0);
        Check.Holds(kv, new Dictionary<string, long> { ["m"] = 1, ["n"] = 2 });
    });

    /// <summary>What waits for a callback is given up inside it after a while, so that its lock comes free; a disposal that waits stands there for ever, on a thread of its own.</summary>
    public static Task WaitingUpdates(KeyValueEngine engine, string folder) => With<string, long>(engine, folder, async (store, kv) =>
    {
        kv.Put("n", 1);
        await Refused("CheckpointAsync", () => WaitFor("CheckpointAsync", kv.CheckpointAsync().AsTask()));
        await Refused("CheckpointAllAsync of the store", () => WaitFor("CheckpointAllAsync of the store", store.CheckpointAllAsync().AsTask()));
        await Refused("CheckpointAsync of the store", () => WaitFor("CheckpointAsync of the store", store.CheckpointAsync(new CaseNote { Text = "another state" }).AsTask()));
        await Refused("DisposeAsync of the store", () => WaitFor("DisposeAsync of the store", store.DisposeAsync().AsTask()));
        await Refused("Dispose of the store", store.Dispose);
        await Refused("Dispose", kv.Dispose);
        await Refused("DisposeAsync", () => WaitFor("DisposeAsync", kv.DisposeAsync().AsTask()));
        Check.Equal(1, store.LastSequence, "The log");
        await Within(engine, kv.CheckpointAsync().AsTask(), "A checkpoint behind the callbacks that were refused one");
        kv.Update("n", n => n + 1);
        Check.Holds(kv, new Dictionary<string, long> { ["n"] = 2 });

        Task Refused(string what, Action call) => Within(engine, Task.Run(() => Check.Throws<InvalidOperationException>(() => kv.Update("n", n =>
        {
            call();
            return n;
        }), $"{what} inside a callback")), $"{what} inside a callback");

        void WaitFor(string what, Task task)
        {
            if (Task.WaitAny([task], engine.Patience / 2) < 0) throw new ConformanceException($"{what} inside a callback did not end within {engine.Patience / 2}.");
            task.GetAwaiter().GetResult();
        }
    });

    public static async Task Limits(KeyValueEngine engine, string folder)
    {
        await using NinoStore store = NinoStore.Open(Path.Combine(folder, "store"), new NinoStoreOptions { MaxRecordSizeBytes = 300 });
        using IKeyValueStore<string, string> kv = engine.Open<string, string>(store, "state");
        string large = new('x', 400);
        kv.Put("a", "1");
        KeyValuePair<string, string>[] pairs = [new("b", "2"), new("c", large), new("d", "4")];
        Check.Throws<RecordTooLargeException>(() => kv.Put("b", large), "Put");
        Check.Throws<RecordTooLargeException>(() => kv.Put(large, "b"), "Put with a large key");
        Check.Throws<RecordTooLargeException>(() => kv.PutAsync("b", large).AsTask().GetAwaiter().GetResult(), "PutAsync");
        Check.Throws<RecordTooLargeException>(() => kv.PutBatch(pairs), "PutBatch");
        Check.Throws<RecordTooLargeException>(() => kv.PutBatchAsync(pairs).AsTask().GetAwaiter().GetResult(), "PutBatchAsync");
        Check.Throws<RecordTooLargeException>(() => kv.Update("a", _ => large), "Update");
        Check.Throws<RecordTooLargeException>(() => kv.UpdateAsync("a", _ => large).AsTask().GetAwaiter().GetResult(), "UpdateAsync");
        Check.Throws<RecordTooLargeException>(() => kv.Delete(large), "Delete");
        Check.Throws<RecordTooLargeException>(() => kv.DeleteAsync(large).AsTask().GetAwaiter().GetResult(), "DeleteAsync");
        Check.Throws<RecordTooLargeException>(() => kv.DeleteBatch(["a", large]), "DeleteBatch");
        Check.Throws<RecordTooLargeException>(() => kv.DeleteBatchAsync(new[] { "a", large }).AsTask().GetAwaiter().GetResult(), "DeleteBatchAsync");
        Check.Equal(1, store.LastSequence, "The log");
        Check.Holds(kv, new Dictionary<string, string> { ["a"] = "1" });

        // The limit is a record's: a batch may be larger.
        kv.PutBatch([.. Enumerable.Range(0, 10).Select(i => new KeyValuePair<string, string>($"{i}", new string('v', 200)))]);
        Check.Equal(11, store.LastSequence, "The log after a batch of ten");
    }

    public static Task Sizes(KeyValueEngine engine, string folder) => With<string, string>(engine, folder, (_, kv) =>
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
}
