// Is anything acknowledged ever lost when many threads change, read, scan and checkpoint a keyed state that is many times its memory, while the power fails or the process dies again and again?
// Each life begins on what the last one left. The log is the judge: the state is what it amounts to, and it has every change that was ever acknowledged as durable, at its sequence, with its key and value.

using System.Collections.Concurrent;
using System.Globalization;
using System.Text;
using Store.Faster;
using Store.KeyValue;
using Store.Tests.Simulation;
using Xunit.Abstractions;

namespace Store.Tests.KeyValue;

public class KeyValueStormTests
{
    private const int Threads = 4;
    private const int KeysPerThread = 90;

    // Behind them are those that all threads change.
    private const int OwnedKeys = Threads * KeysPerThread;
    private const string Name = "storm";

    private readonly ITestOutputHelper _output;
    private readonly ContendedKeys _contended;

    // What each change did that was acknowledged as durable, in any life. A sequence in it is never given to another change.
    private readonly ConcurrentDictionary<long, (int Key, string? Value)> _acknowledgedChanges = new();

    // What is told without a sequence: that the last change of a key up to one left this, and is durable.
    private readonly ConcurrentQueue<(long UpTo, int Key, string? Value)> _acknowledgedValues = new();

    // What was removed of the log, as it was.
    private readonly ConcurrentDictionary<long, (int Key, string? Value)> _removed = new();
    private long _operations, _acknowledged, _durable, _checkpoints, _givenUp, _scans, _segmentsRemoved;

    public KeyValueStormTests(ITestOutputHelper output) => (_output, _contended) = (output, new ContendedKeys(OwnedKeys, Acknowledge));

    [Fact]
    public void NothingAcknowledgedIsLostHoweverOftenThePowerFailsOrTheProcessDies()
    {
        int seed = Effort.Seed(Random.Shared.Next());
        var random = new Random(seed);
        var directory = new SimDirectory();
        int lives = 0, powerFailures = 0, fromCheckpoint = 0;
        try
        {
            while (_operations < Effort.KeyedOperations)
            {
                lives++;
                if (Live(directory, random)) fromCheckpoint++;
                bool power = random.Next(2) == 0;
                if (power) powerFailures++;
                directory = power ? directory.Crash(random) : directory.KillProcess();
            }

            Open(directory, random, (store, kv) => AssertEqualsLog(store, kv));
        }
        finally
        {
            _output.WriteLine($"SEED={seed}: {_operations:N0} operations of {Threads} threads in {lives} lives ({powerFailures} ended by a power failure, the others by a kill), "
                + $"{_contended.Changes:N0} changes of {ContendedKeys.Count} keys by all of them, {_acknowledged:N0} waited for, {_checkpoints} checkpoints asked for, {_givenUp} given up, and automatic ones, {_scans} scans, {_segmentsRemoved} segments of the log removed meanwhile, {fromCheckpoint} openings from a checkpoint");
        }

        Effort.Tell(_output, "operations of keyed state", _operations, $"SEED={seed}", $"{Threads} threads, {powerFailures} power failures and {lives - powerFailures} kills");
        Assert.True(fromCheckpoint > lives / 3, "Hardly any life began from a checkpoint.");
        Assert.True(_segmentsRemoved > 0, "Nothing was ever removed of the log.");
        Assert.True(_contended.Changes > _operations / 20, "Hardly anything was changed by more than one thread.");
    }

    /// <returns>True when it began from a checkpoint.</returns>
    private bool Live(SimDirectory directory, Random random)
    {
        bool fromCheckpoint = false;
        Open(directory, random, (store, kv) =>
        {
            fromCheckpoint = !kv.Recovery.RebuiltFromLog;
            Dictionary<int, string> state = AssertEqualsLog(store, kv);
            directory.PowerOffAt = directory.OperationCount + random.Next(1, random.Next(4) == 0 ? 3000 : 400);
            int[] seeds = [.. Enumerable.Range(0, Threads).Select(_ => random.Next())];
            Dictionary<int, string>[] models = [.. seeds.Select((_, thread) => state.Where(pair => IsOf(thread, pair.Key)).ToDictionary())];
            using var rests = new Barrier(Threads, barrier => AssertCount(kv, models, barrier));
            Task[] threads = [.. seeds.Select((seed, thread) => Task.Factory.StartNew(() => Work(store, kv, models[thread], thread, new Random(seed), rests), TaskCreationOptions.LongRunning))];
            Task.WaitAll(threads);
        });
        return fromCheckpoint;
    }

    // While nothing changes Count is exact. Who has left was in the middle of a change when the power went off.
    private void AssertCount(IKeyValueStore<int, string> kv, Dictionary<int, string>[] models, Barrier rests)
    {
        if (rests.ParticipantCount != Threads || _contended.CountAtRest(kv) is not { } contended) return;
        int expected = contended + models.Sum(static model => model.Count);
        if (kv.Count != expected) Assert.Fail($"{kv.Count} keys instead of {expected}, while nothing changes.");
    }

    private static bool IsOf(int thread, int key) => key < OwnedKeys && key % Threads == thread;

    // Keys of this thread only, except one time of eight: what it wrote last is what it reads.
    private void Work(NinoStore store, IKeyValueStore<int, string> kv, Dictionary<int, string> model, int thread, Random random, Barrier rests)
    {
        try
        {
            for (int i = 0; i < 3000; i++)
            {
                if (i % 100 == 99) rests.SignalAndWait();
                int key = (random.Next(KeysPerThread) * Threads) + thread;
                string value = $"{key}:{new string((char)random.Next('a', 'z'), random.Next(random.Next(10) == 0 ? 900 : 60))}";
                switch (random.Next(-140, 1000))
                {
                    case < 0:
                        _contended.Use(store, kv, $"{thread}.{i} {value}", random);
                        break;
                    case < 450:
                        kv.Put(key, value);
                        model[key] = value;
                        break;
                    case < 550:
                        Assert.Equal(model.Remove(key), kv.Delete(key));
                        break;
                    case < 650:
                        string longer = model.GetValueOrDefault(key, "") + "+";
                        kv.Update(key, old =>
                        {
                            Assert.Equal(model.GetValueOrDefault(key), old);
                            return longer;
                        });
                        model[key] = longer;
                        break;
                    case < 700:
                        int other = (random.Next(KeysPerThread) * Threads) + thread;
                        kv.PutBatch([new(key, value), new(other, "batch"), new(key, value + "!")]);
                        (model[other], model[key]) = ("batch", value + "!");
                        break;
                    case < 730:
                        long sequence = kv.PutAsync(key, value).AsTask().GetAwaiter().GetResult();
                        model[key] = value;
                        Acknowledge(sequence, key, value);
                        break;
                    case < 738:
                        string appended = model.GetValueOrDefault(key, "") + "~";
                        Acknowledge(kv.UpdateAsync(key, old => old + "~").AsTask().GetAwaiter().GetResult(), key, appended);
                        model[key] = appended;
                        break;
                    case < 746:
                        int second = (random.Next(KeysPerThread) * Threads) + thread;
                        long first = kv.PutBatchAsync(new KeyValuePair<int, string>[] { new(key, value), new(second, "second") }).AsTask().GetAwaiter().GetResult();
                        Acknowledge(first, key, value);
                        Acknowledge(first + 1, second, "second");
                        (model[key], model[second]) = (value, "second");
                        break;
                    case < 752:
                        bool wasThere = kv.DeleteAsync(key).AsTask().GetAwaiter().GetResult();
                        Assert.Equal(model.Remove(key), wasThere);
                        if (wasThere) AcknowledgeLast(store, model, key);
                        break;
                    case < 764:
                        int[] gone = [.. Enumerable.Range(0, random.Next(1, 5)).Select(_ => (random.Next(KeysPerThread) * Threads) + thread)];
                        Assert.Equal(gone.Distinct().Count(model.ContainsKey), kv.DeleteBatch(gone));
                        foreach (int one in gone) model.Remove(one);
                        break;
                    case < 768:
                        int[] removed = [.. Enumerable.Range(0, random.Next(1, 5)).Select(_ => (random.Next(KeysPerThread) * Threads) + thread)];
                        int count = kv.DeleteBatchAsync(removed).AsTask().GetAwaiter().GetResult();
                        Assert.Equal(removed.Distinct().Count(model.ContainsKey), count);
                        foreach (int one in removed) model.Remove(one);
                        if (count > 0) AcknowledgeLast(store, model, removed);
                        break;
                    case < 771:
                        kv.Put(key, value);
                        model[key] = value;
                        store.CommitAsync().AsTask().GetAwaiter().GetResult();
                        AcknowledgeLast(store, model, [key, .. Enumerable.Range(0, 4).Select(_ => (random.Next(KeysPerThread) * Threads) + thread)]);
                        break;
                    case < 781:
                        int[] asked = [key, .. Enumerable.Range(0, 5).Select(_ => (random.Next(KeysPerThread) * Threads) + thread)];
                        var found6 = new KeyValueResult<string>[asked.Length];
                        Assert.Equal(asked.Count(model.ContainsKey), kv.TryGetBatch(asked, found6));
                        Assert.Equal(asked.Select(one => model.GetValueOrDefault(one)), found6.Select(result => result.Value));
                        break;
                    case < 783:
                        kv.CheckpointAsync().AsTask().GetAwaiter().GetResult();
                        Interlocked.Increment(ref _checkpoints);
                        break;
                    case < 784:
                        Truncate(store);
                        break;
                    case < 787:
                        // Of the keys that nobody else changes, each exactly once and as it is.
                        IEnumerable<KeyValuePair<int, string>> scan = random.Next(2) == 0 ? kv.Scan() : kv.ScanAsync().ToBlockingEnumerable();
                        Assert.Equal(model.OrderBy(pair => pair.Key), scan.Where(pair => IsOf(thread, pair.Key)).OrderBy(pair => pair.Key));
                        Interlocked.Increment(ref _scans);
                        break;
                    case < 789:
                        string kept = model.GetValueOrDefault(key, "") + "^";
                        UpdateInsideScan(kv, key, kept, random);
                        model[key] = kept;
                        break;
                    case < 791:
                        GiveUpCheckpoint(kv, random);
                        break;
                    default:
                        Assert.Equal(model.TryGetValue(key, out string? expected), kv.TryGet(key, out string? found));
                        Assert.Equal(expected, found);
                        break;
                }

                Interlocked.Increment(ref _operations);
            }
        }
        catch (Exception e) when (DiskTrouble.IsCauseOf(e))
        {
            // The power is off.
        }
        finally
        {
            rests.RemoveParticipant();
        }
    }

    // An open scan that the callback moves, which is refused, or disposes: either way it ends, and nobody waits for ever for the lock that the callback holds.
    private static void UpdateInsideScan(IKeyValueStore<int, string> kv, int key, string value, Random random)
    {
        bool isMoved = random.Next(2) == 0;
        using IEnumerator<KeyValuePair<int, string>> scan = (random.Next(2) == 0 ? kv.Scan() : kv.ScanAsync().ToBlockingEnumerable()).GetEnumerator();
        scan.MoveNext();
        kv.Update(key, _ =>
        {
            if (isMoved) Assert.Throws<InvalidOperationException>(() => scan.MoveNext());
            else scan.Dispose();
            return value;
        });
    }

    // In front of its line, behind it, or too late.
    private void GiveUpCheckpoint(IKeyValueStore<int, string> kv, Random random)
    {
        using var cancellation = new CancellationTokenSource();
        Task checkpoint = kv.CheckpointAsync(cancellation.Token).AsTask();
        for (int waits = random.Next(20); waits > 0 && !checkpoint.IsCompleted; waits--) Thread.Yield();
        cancellation.Cancel();
        try
        {
            checkpoint.GetAwaiter().GetResult();
        }
        catch (OperationCanceledException)
        {
            Interlocked.Increment(ref _givenUp);
        }
    }

    // As far as the checkpoints let it, beside those that are being written; not further than what was read before.
    private void Truncate(NinoStore store)
    {
        long seen = 0;
        try
        {
            foreach ((long sequence, int key, string? value) in LogReplay.Changes(store.ReadRecords(), Name)) (_removed[sequence], seen) = ((key, value), sequence);
        }
        catch (LogTruncatedException)
        {
            // Another thread was faster.
            return;
        }

        Interlocked.Add(ref _segmentsRemoved, store.TruncateBefore(seen + 1).SegmentsRemoved);
    }

    private void Acknowledge(long sequence, int key, string? value)
    {
        Assert.True(_acknowledgedChanges.TryAdd(sequence, (key, value)), $"The sequence {sequence} was acknowledged twice.");
        Interlocked.Increment(ref _acknowledged);
        NoteDurable(sequence);
    }

    // Keys of this thread, whose last changes are durable: what it changes next comes behind what is durable now.
    private void AcknowledgeLast(NinoStore store, Dictionary<int, string> model, params int[] keys)
    {
        long upTo = store.DurableSequence;
        foreach (int key in keys) _acknowledgedValues.Enqueue((upTo, key, model.GetValueOrDefault(key)));
        Interlocked.Increment(ref _acknowledged);
        NoteDurable(upTo);
    }

    private void NoteDurable(long sequence)
    {
        for (long seen = Volatile.Read(ref _durable); sequence > seen; seen = Volatile.Read(ref _durable)) Interlocked.CompareExchange(ref _durable, sequence, seen);
    }

    private Dictionary<int, string> AssertEqualsLog(NinoStore store, IKeyValueStore<int, string> kv)
    {
        Assert.True(store.LastSequence >= _durable, $"{_durable} was acknowledged as durable, the log ends at {store.LastSequence}.");
        Assert.Empty(kv.Recovery.Rejected);
        var expected = new Dictionary<int, string>();
        ContendedKeys.Replay replay = _contended.Opened(store.LastSequence);
        var told = new Queue<(long UpTo, int Key, string? Value)>(_acknowledgedValues.OrderBy(static one => one.UpTo));
        int acknowledged = 0;
        long first = store.FirstSequence;
        IEnumerable<(long Sequence, int Key, string? Value)> removed = _removed.Where(pair => pair.Key < first).OrderBy(static pair => pair.Key).Select(static pair => (pair.Key, pair.Value.Key, pair.Value.Value));
        foreach ((long sequence, int key, string? value) in removed.Concat(LogReplay.Changes(store.ReadRecords(), Name)))
        {
            AssertToldUpTo(sequence - 1);
            replay.Change(sequence, key, value, expected.GetValueOrDefault(key));
            LogReplay.Apply(key, value, expected);
            if (!_acknowledgedChanges.TryGetValue(sequence, out (int Key, string? Value) made)) continue;
            acknowledged++;
            Assert.True(made == (key, value), $"Record {sequence} was acknowledged as {made} and is {(key, value)}.");
        }

        AssertToldUpTo(long.MaxValue);
        Assert.Equal(_acknowledgedChanges.Count, acknowledged);
        replay.End(expected);
        AssertHolds(kv, expected, key => removed.Concat(LogReplay.Changes(store.ReadRecords(), Name)).Where(change => change.Key == key), $"the log begins at {first} and ends at {store.LastSequence}");
        return expected;

        void AssertToldUpTo(long sequence)
        {
            while (told.TryPeek(out (long UpTo, int Key, string? Value) one) && one.UpTo <= sequence)
            {
                told.Dequeue();
                Assert.True(expected.GetValueOrDefault(one.Key) == one.Value, $"Up to record {one.UpTo} it was durable that {one.Key} is '{one.Value ?? "not there"}', and it is '{expected.GetValueOrDefault(one.Key) ?? "not there"}'.");
            }
        }
    }

    /// <summary>Threads make every run another one, so a failure says all that there is to know of it.</summary>
    private static void AssertHolds(IKeyValueStore<int, string> kv, Dictionary<int, string> expected, Func<int, IEnumerable<(long Sequence, int Key, string? Value)>> changesOf, string log)
    {
        var wrong = new StringBuilder();
        for (int key = 0; key < OwnedKeys + ContendedKeys.Count; key++)
        {
            string? found = kv.TryGet(key, out string? value) ? value : null, wanted = expected.GetValueOrDefault(key);
            if (found == wanted) continue;
            string changes = string.Join(' ', changesOf(key).TakeLast(6).Select(static change => $"{change.Sequence}={change.Value ?? "deleted"}"));
            wrong.AppendLine(CultureInfo.InvariantCulture, $"{key} is '{found ?? "not there"}' and should be '{wanted ?? "not there"}'; its last changes: {changes}");
        }

        if (wrong.Length == 0 && kv.Count == expected.Count) return;
        KeyValueRecovery recovery = kv.Recovery;
        Assert.Fail($"{kv.Count} keys instead of {expected.Count}, from checkpoint {recovery.CheckpointSequence} and {recovery.ChangesReplayed} changes; {log}.{Environment.NewLine}{wrong}");
    }

    private static void Open(SimDirectory directory, Random random, Action<NinoStore, IKeyValueStore<int, string>> use)
    {
        FasterOptions options = KeyValueBed.Tiny with { CheckpointEveryChanges = random.Next(3) == 0 ? long.MaxValue : 1500, MemorySizeBytes = KeyValueBed.Tiny.MemorySizeBytes << random.Next(4), MaxSessions = random.Next(1, 6), CheckpointOnDispose = random.Next(2) == 0 };
        var trouble = new DiskTrouble();
        try
        {
            using NinoStore store = NinoStore.Open("sim", new NinoStoreOptions { Directory = directory, FirstSegmentSizeBytes = 64 * 1024, SegmentSizeBytes = 64 * 1024 });
            using IKeyValueStore<int, string> kv = store.OpenKeyValue<int, string>(Name, options);
            use(store, kv);

            // By two threads at once: one writes the last checkpoint, both find it closed.
            Parallel.Invoke(kv.Dispose, kv.Dispose);
        }
        catch (Exception e) when (trouble.Ends(e))
        {
            // Closing without power fails, as it must.
            trouble.ThrowOther();
        }
    }
}
