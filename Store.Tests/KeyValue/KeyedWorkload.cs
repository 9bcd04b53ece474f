using Store.Faster;
using Store.IO;
using Store.KeyValue;

namespace Store.Tests.KeyValue;

/// <summary>
/// The life of a small store with keyed state, several times the engine's memory: every kind of change, scans, checkpoints asked for and automatic ones, compaction and a reopening, in the same order of calls
/// every time. It notes what was acknowledged, so that whatever is left of it can be examined.
/// </summary>
/// <param name="directory">Where it lives.</param>
/// <param name="goesOn">True to go on after a step that failed, false to let its exception end the life.</param>
internal sealed class KeyedWorkload(IStoreDirectory directory, bool goesOn)
{
    public const int Keys = 40;
    public const string Name = "state";

    private readonly List<(long First, int Count)> _batches = [];
    private bool _hasFailed;

    /// <summary>The last sequence that was acknowledged as durable.</summary>
    public long Committed { get; private set; }

    /// <summary>Changes, reads, scans and checkpoints that were done.</summary>
    public int Operations { get; private set; }

    /// <summary>True when old records were moved and their place given up.</summary>
    public bool HasCompacted { get; private set; }

    public static NinoStoreOptions Options(IStoreDirectory directory) => new() { Directory = directory, RunsInline = true, FirstSegmentSizeBytes = 16 * 1024 };

    public static void Open(IStoreDirectory directory, Action<NinoStore, IKeyValueStore<int, string>> use, bool checkpointOnDispose = false)
    {
        using NinoStore store = NinoStore.Open("sim", Options(directory));
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

            // A manifest promises that all it describes was durable before it: no power failure makes a liar of one.
            if (!mayReject) Assert.Empty(kv.Recovery.Rejected);
            fromCheckpoint = !kv.Recovery.RebuiltFromLog;
            kv.Put(1, "after the crash");
            kv.Delete(2);
        });
        Open(left, AssertEqualsLog);
        return fromCheckpoint;
    }

    private static void AssertEqualsLog(NinoStore store, IKeyValueStore<int, string> kv)
    {
        var expected = new Dictionary<int, string>();
        LogReplay.Apply(store.ReadRecords(), Name, expected);
        KeyValueBed.AssertHolds(kv, expected, Enumerable.Range(0, Keys));
        Assert.Equal(expected.OrderBy(pair => pair.Key), kv.Scan().OrderBy(pair => pair.Key));
    }

    // What was closed without a word is durable.
    private void Life(Action<NinoStore, IKeyValueStore<int, string>> use, bool checkpointOnDispose) => Step(() =>
    {
        long last = 0;
        Open(directory, (store, kv) =>
        {
            use(store, kv);
            last = store.LastSequence;
        }, checkpointOnDispose);
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
            Step(() =>
            {
                if (kind < 4) kv.Delete(key);
                else if (kind < 7) kv.Update(key, old => old is null ? value : old[..(old.Length / 2)] + "+");
                else if (kind < 9) Batch(store, kv, key, value);
                else kv.Put(key, value);
            });
            if (i % 20 == 19) Step(() => Commit(store));
            if (i % 30 == 29) Step(() => kv.Scan().Count());
        }
    }

    private void Batch(NinoStore store, IKeyValueStore<int, string> kv, int key, string value)
    {
        // Noted before: whether it was acknowledged or not, it is there or it is not.
        _batches.Add((store.LastSequence + 1, 3));
        kv.PutBatch([new(key, value), new((key + 1) % Keys, value + "1"), new((key + 2) % Keys, "2")]);
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
        HasCompacted |= ((FasterKeyValueStore<int, string>)kv).State.Engine.BeginAddress > 64;
    });

    private void Step(Action step)
    {
        try
        {
            step();
            Operations++;
        }
        catch (Exception e) when (goesOn && e is IOException or StoreException or AggregateException or ObjectDisposedException)
        {
            // What it leaves is examined in the end.
            _hasFailed = true;
        }
    }
}
