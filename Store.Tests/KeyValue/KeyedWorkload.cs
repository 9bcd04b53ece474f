using Store.Faster;
using Store.IO;
using Store.KeyValue;
using Store.Tests.Simulation;

namespace Store.Tests.KeyValue;

/// <summary>
/// The life of a small store with keyed state, several times the engine's memory: every kind of change, scans, checkpoints asked for and automatic ones, compaction and a reopening, in the same order of calls
/// every time. It notes what was acknowledged, so that whatever is left of it can be examined.
/// </summary>
/// <param name="directory">Where it lives.</param>
/// <param name="goesOn">True to go on after a step that failed, false to let its exception end the life.</param>
/// <param name="truncates">True to remove of the log after every checkpoint and opening what may be removed: then the log alone is not enough.</param>
internal sealed class KeyedWorkload(IStoreDirectory directory, bool goesOn, bool truncates = false)
{
    public const int Keys = 40;
    public const string Name = "state";

    private readonly List<(long First, int Count)> _batches = [];

    // What the change of each sequence was, told by the call that made it.
    private readonly Dictionary<long, (int Key, string? Value)> _made = [];

    // Changes as the log had them before it was truncated.
    private readonly SortedDictionary<long, (int Key, string? Value)> _removed = [];
    private bool _hasFailed;

    /// <summary>The last sequence that was acknowledged as durable.</summary>
    public long Committed { get; private set; }

    /// <summary>Changes, reads, scans and checkpoints that were done.</summary>
    public int Operations { get; private set; }

    /// <summary>True when old records were moved and their place given up.</summary>
    public bool HasCompacted { get; private set; }

    /// <summary>Segments that were removed.</summary>
    public int SegmentsRemoved { get; private set; }

    public static NinoStoreOptions Options(IStoreDirectory directory, bool truncates = false) =>
        new() { Directory = directory, RunsInline = true, FirstSegmentSizeBytes = truncates ? 4096 : 16 * 1024, SegmentSizeBytes = truncates ? 64 * 1024 : new NinoStoreOptions().SegmentSizeBytes };

    public static void Open(IStoreDirectory directory, Action<NinoStore, IKeyValueStore<int, string>> use, bool checkpointOnDispose = false, bool truncates = false)
    {
        using NinoStore store = NinoStore.Open("sim", Options(directory, truncates));
        using IKeyValueStore<int, string> kv = store.OpenKeyValue<int, string>(Name, KeyValueBed.Tiny with { CheckpointEveryChanges = 90, CheckpointOnDispose = checkpointOnDispose });
        use(store, kv);
    }

    /// <summary>Lives; an exception that ends it reaches the caller.</summary>
    public void Run()
    {
        Life((store, kv) =>
        {
            Change(store, kv, 1);
            Checkpoint(store, kv);
            Change(store, kv, 2);
            Checkpoint(store, kv);
            Change(store, kv, 3);
        }, checkpointOnDispose: false);
        Life((store, kv) =>
        {
            Change(store, kv, 4);
            Checkpoint(store, kv);
            Change(store, kv, 5);
            Checkpoint(store, kv);
            Change(store, kv, 6);
        }, checkpointOnDispose: true);
    }

    /// <summary>Opens what is left and compares: nothing acknowledged is lost, no batch is there in part, and the keyed state is what the log amounts to, now and after one more opening.</summary>
    /// <returns>True when a checkpoint was used.</returns>
    public bool Examine(IStoreDirectory left, bool mayReject = false)
    {
        bool fromCheckpoint = false;
        Open(left, (store, kv) =>
        {
            Assert.True(store.LastSequence >= Committed, $"{Committed} records were acknowledged as durable, {store.LastSequence} are there.");
            foreach ((long first, int count) in _batches) Assert.True(store.LastSequence < first || store.LastSequence >= first + count - 1, $"The batch of {count} from {first} on is there up to {store.LastSequence}.");
            AssertEqualsLog(store, kv);
            AssertHasWhatWasMade(store);

            // A manifest promises that all it describes was durable before it: no power failure makes a liar of one.
            if (!mayReject) Assert.Empty(kv.Recovery.Rejected);
            fromCheckpoint = !kv.Recovery.RebuiltFromLog;
            kv.Put(1, "after the crash");
            kv.Delete(2);
            if (truncates) Truncate(store);
        }, truncates: truncates);
        Open(left, AssertEqualsLog, truncates: truncates);
        return fromCheckpoint;
    }

    // What the log amounts to, with what was removed of it.
    private void AssertEqualsLog(NinoStore store, IKeyValueStore<int, string> kv)
    {
        var expected = new Dictionary<int, string>();
        foreach ((int key, string? value) in _removed.TakeWhile(pair => pair.Key < store.FirstSequence).Select(static pair => pair.Value))
        {
            if (value is null) expected.Remove(key);
            else expected[key] = value;
        }

        LogReplay.Apply(store.ReadRecords(), Name, expected);
        KeyValueBed.AssertHolds(kv, expected, Enumerable.Range(0, Keys));
        Assert.Equal(expected.OrderBy(pair => pair.Key), kv.Scan().OrderBy(pair => pair.Key));
    }

    // Every change that was acknowledged is in the log as it was made, and none that is there is another one.
    private void AssertHasWhatWasMade(NinoStore store)
    {
        int durable = 0;
        foreach ((long sequence, int key, string? value) in LogReplay.Changes(store.ReadRecords(), Name))
        {
            if (!_made.TryGetValue(sequence, out (int Key, string? Value) made)) continue;
            Assert.True(made == (key, value), $"Record {sequence} was made as {made} and is {(key, value)}.");
            if (sequence <= Committed) durable++;
        }

        Assert.Equal(_made.Keys.Count(sequence => sequence <= Committed && sequence >= store.FirstSequence), durable);
    }

    private void Truncate(NinoStore store)
    {
        foreach ((long sequence, int key, string? value) in LogReplay.Changes(store.ReadRecords(), Name)) _removed[sequence] = (key, value);
        SegmentsRemoved += store.TruncateBefore(long.MaxValue).SegmentsRemoved;
    }

    // What was closed without a word is durable.
    private void Life(Action<NinoStore, IKeyValueStore<int, string>> use, bool checkpointOnDispose) => Step(() =>
    {
        long last = 0;
        _hasFailed = false;
        Open(directory, (store, kv) =>
        {
            // Of a life that failed, what did not reach the disk: its sequences are given again.
            foreach (long lost in _made.Keys.Where(sequence => sequence > store.LastSequence).ToArray()) _made.Remove(lost);
            if (truncates) Step(() => Truncate(store));
            use(store, kv);
            last = store.LastSequence;
        }, checkpointOnDispose, truncates);
        if (!_hasFailed) Committed = last;
    });

    private void Change(NinoStore store, IKeyValueStore<int, string> kv, int round)
    {
        var random = new Random(round);
        for (int i = 0; i < 60; i++)
        {
            int key = random.Next(Keys);
            string value = $"{round}.{i} {new string('v', random.Next(400))}";
            int kind = random.Next(20);
            Step(() => Change(store, kv, kind, key, value));
            if (i % 20 == 19) Step(() => Commit(store));
            if (i % 30 == 29) Step(() => kv.Scan().Count());
            if (i % 30 == 14) Step(() => kv.ScanAsync().ToBlockingEnumerable().Count());
        }
    }

    private void Change(NinoStore store, IKeyValueStore<int, string> kv, int kind, int key, string value)
    {
        switch (kind)
        {
            case < 2:
                if (kv.Delete(key)) _made[store.LastSequence] = (key, null);
                break;
            case 2:
                DeleteBatch(store, kv, key);
                break;
            case 3:
                if (kv.DeleteAsync(key).AsTask().GetAwaiter().GetResult()) Committed = Made(store.LastSequence, key, null);
                break;
            case 4:
                string longer = "";
                Committed = Made(kv.UpdateAsync(key, old => longer = value + old?.Length).AsTask().GetAwaiter().GetResult(), key, longer);
                break;
            case < 7:
                string half = "";
                Made(kv.Update(key, old => half = old is null ? value : old[..(old.Length / 2)] + "+"), key, half);
                break;
            case < 9:
                Batch(store, kv, key, value, isAsync: kind == 8);
                break;
            default:
                Made(kv.Put(key, value), key, value);
                break;
        }
    }

    private long Made(long sequence, int key, string? value)
    {
        _made[sequence] = (key, value);
        return sequence;
    }

    private void Batch(NinoStore store, IKeyValueStore<int, string> kv, int key, string value, bool isAsync)
    {
        // Noted before: whether it was acknowledged or not, it is there or it is not.
        _batches.Add((store.LastSequence + 1, 3));
        KeyValuePair<int, string>[] pairs = [new(key, value), new((key + 1) % Keys, value + "1"), new((key + 2) % Keys, "2")];
        long first = isAsync ? kv.PutBatchAsync(pairs).AsTask().GetAwaiter().GetResult() : kv.PutBatch(pairs);
        for (int i = 0; i < pairs.Length; i++) Made(first + i, pairs[i].Key, pairs[i].Value);
        if (isAsync) Committed = first + pairs.Length - 1;
    }

    private void DeleteBatch(NinoStore store, IKeyValueStore<int, string> kv, int key)
    {
        int[] keys = [key, (key + 3) % Keys, key, (key + 7) % Keys, (key + 11) % Keys];
        var found = new KeyValueResult<string>[keys.Length];
        kv.TryGetBatch(keys, found);
        int there = keys.Zip(found).Where(static pair => pair.Second.IsThere).Select(static pair => pair.First).Distinct().Count();
        if (there > 0) _batches.Add((store.LastSequence + 1, there));
        Assert.Equal(there, kv.DeleteBatch(keys));
    }

    private void Commit(NinoStore store)
    {
        long last = store.LastSequence;
        store.Commit();
        Committed = last;
    }

    private void Checkpoint(NinoStore store, IKeyValueStore<int, string> kv) => Step(() =>
    {
        long last = store.LastSequence;
        kv.CheckpointAsync().AsTask().GetAwaiter().GetResult();
        Committed = last;
        if (truncates) Truncate(store);
        HasCompacted |= ((FasterKeyValueStore<int, string>)kv).State.Engine.BeginAddress > 64;
    });

    private void Step(Action step)
    {
        var trouble = new DiskTrouble();
        try
        {
            step();
            Operations++;
        }
        catch (Exception e) when (goesOn && trouble.Ends(e, isExpected: _hasFailed && e is ObjectDisposedException))
        {
            trouble.ThrowOther();

            // What it leaves is examined in the end.
            _hasFailed = true;
        }
    }
}
