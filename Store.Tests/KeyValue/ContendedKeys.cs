// What is left of keys that all threads change at once? The log is the truth: a change is at the sequence that its call has told, an update has computed from what the log has before it, and what is read while nothing changes is the change
// of the highest sequence.

using System.Collections.Concurrent;
using Store.KeyValue;
using Store.Tests.Simulation;

namespace Store.Tests.KeyValue;

/// <summary>The keys of a storm that belong to no thread. Safe for any number of threads, except where it says otherwise.</summary>
/// <param name="from">The first of them; each value tells its key.</param>
/// <param name="acknowledge">Told of what is durable: a sequence, and what the change of it was.</param>
internal sealed class ContendedKeys(int from, Action<long, int, string?> acknowledge)
{
    /// <summary>How many there are. The first half is never removed.</summary>
    public const int Count = 6;

    // What each change was whose call has returned, by the sequence it told, and what an update found. What the power took away is forgotten when the store is opened: its sequences are given again.
    private readonly ConcurrentDictionary<long, (int Key, string Value)> _made = new();
    private readonly ConcurrentDictionary<long, string?> _found = new();

    // A removal tells no sequence: it is behind the one and durable up to the other.
    private readonly ConcurrentQueue<(long After, long UpTo, int Key)> _removed = new();

    private readonly Lock _lock = new();
    private readonly (long Sequence, string? Value)[] _last = new (long Sequence, string? Value)[Count];
    private long _changes;

    private int From => from;

    /// <summary>Changes whose calls have returned.</summary>
    public long Changes => Interlocked.Read(ref _changes);

    /// <summary>One change or reading of one of them.</summary>
    public void Use(NinoStore store, IKeyValueStore<int, string> kv, string text, Random random)
    {
        int index = random.Next(Count), key = from + index, next = from + ((index + 1) % Count);
        string value = $"{key}:{text}", found = "";
        string? old = null;
        string Longer(string? before) => found = $"{key}:{(old = before)?.Length} {text}";
        long sequence;
        switch (random.Next(20))
        {
            case < 6:
                Made(kv.Put(key, value), key, value);
                break;
            case < 10:
                sequence = kv.Update(key, Longer);
                _found[sequence] = old;
                Made(sequence, key, found);
                break;
            case < 12:
                sequence = kv.PutBatch([new(key, value), new(next, $"{next}:batch")]);
                Made(sequence, key, value);
                Made(sequence + 1, next, $"{next}:batch");
                break;
            case 12:
                Durable(kv.PutAsync(key, value).AsTask().GetAwaiter().GetResult(), key, value);
                break;
            case 13:
                sequence = kv.UpdateAsync(key, Longer).AsTask().GetAwaiter().GetResult();
                _found[sequence] = old;
                Durable(sequence, key, found);
                break;
            case 14:
                sequence = kv.Put(key, value);
                Made(sequence, key, value);
                store.CommitAsync().AsTask().GetAwaiter().GetResult();
                acknowledge(sequence, key, value);
                break;
            case < 17 when IsRemoved(index):
                kv.Delete(key);
                break;
            case 17 when IsRemoved(index):
                long after = store.LastSequence;
                if (kv.DeleteAsync(key).AsTask().GetAwaiter().GetResult()) _removed.Enqueue((after, store.DurableSequence, key));
                break;
            default:
                bool mustBeThere = !IsRemoved(index) && LastOf(index) is not null;
                if (kv.TryGet(key, out string? read)) Assert.StartsWith($"{key}:", read, StringComparison.Ordinal);
                else Assert.False(mustBeThere, $"{key} is not there, and nobody has removed it.");
                break;
        }
    }

    /// <summary>While nothing changes: what was never removed is what the last change made it, in the order of the log.</summary>
    /// <returns>How many are there; null when the disk is gone.</returns>
    public int? CountAtRest(IKeyValueStore<int, string> kv)
    {
        try
        {
            int there = 0;
            for (int index = 0; index < Count; index++)
            {
                bool isThere = kv.TryGet(from + index, out string? value);
                if (isThere) there++;
                if (!IsRemoved(index) && _last[index].Value != value) Assert.Fail($"{from + index} is '{value}', while nothing changes, and the last change of it, {_last[index].Sequence}, made it '{_last[index].Value}'.");
            }

            return there;
        }
        catch (Exception e) when (DiskTrouble.IsCauseOf(e))
        {
            // Nobody has met it yet.
            return null;
        }
    }

    /// <summary>The store was opened: what its log lost never was. No thread changes anything meanwhile.</summary>
    public Replay Opened(long lastSequence)
    {
        foreach (long lost in _made.Keys.Where(sequence => sequence > lastSequence))
        {
            _made.TryRemove(lost, out _);
            _found.TryRemove(lost, out _);
        }

        return new Replay(this);
    }

    // Told by a call that has made its change durable.
    private void Durable(long sequence, int key, string value)
    {
        Made(sequence, key, value);
        acknowledge(sequence, key, value);
    }

    private void Made(long sequence, int key, string value)
    {
        Assert.True(_made.TryAdd(sequence, (key, value)), $"The sequence {sequence} was told twice.");
        Interlocked.Increment(ref _changes);
        using (_lock.EnterScope())
        {
            ref (long Sequence, string? Value) last = ref _last[key - from];
            if (sequence > last.Sequence) last = (sequence, value);
        }
    }

    private string? LastOf(int index)
    {
        using (_lock.EnterScope()) return _last[index].Value;
    }

    private static bool IsRemoved(int index) => index >= Count / 2;

    /// <summary>One reading of the log in its order, from its beginning, by one thread.</summary>
    internal sealed class Replay(ContendedKeys keys)
    {
        private readonly List<(long Sequence, int Key)> _removals = [];
        private int _found;

        /// <param name="sequence">The change's.</param>
        /// <param name="key">Its key.</param>
        /// <param name="value">What it made of it, null for a removal.</param>
        /// <param name="before">What the changes before it made of it.</param>
        public void Change(long sequence, int key, string? value, string? before)
        {
            if (value is null) _removals.Add((sequence, key));
            if (!keys._made.TryGetValue(sequence, out (int Key, string Value) made)) return;
            _found++;
            Assert.True(made == (key, value), $"Record {sequence} was made as {made} and is {(key, value)}.");
            if (keys._found.TryGetValue(sequence, out string? old)) Assert.True(old == before, $"The update {sequence} of {key} found '{old}', and before it the log has '{before}'.");
        }

        /// <summary>The log has ended.</summary>
        /// <param name="state">What it amounts to.</param>
        public void End(Dictionary<int, string> state)
        {
            Assert.Equal(keys._made.Count, _found);
            ILookup<int, long> removals = _removals.ToLookup(static one => one.Key, static one => one.Sequence);
            foreach ((long after, long upTo, int key) in keys._removed)
                Assert.True(removals[key].Any(sequence => sequence > after && sequence <= upTo), $"A removal of {key} behind {after} was acknowledged as durable up to {upTo}, and the log has none.");
            for (int index = 0; index < Count; index++) keys._last[index] = (0, state.GetValueOrDefault(keys.From + index));
        }
    }
}
