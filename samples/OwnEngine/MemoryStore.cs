// An engine of keyed state that is a dictionary: the smallest one that keeps every promise of IKeyValueStore. Changes go to the store's log first; opening reads the newest checkpoint and the log behind it.

using System.Runtime.CompilerServices;
using Store;
using Store.IO;
using Store.KeyValue;
using Store.Serialization;

namespace OwnEngine;

public static class MemoryStoreExtensions
{
    /// <summary>Opens keyed state that is all in memory, with a checkpoint in the background after so many changes.</summary>
    public static IKeyValueStore<TKey, TValue> OpenInMemory<TKey, TValue>(this NinoStore store, string name, int checkpointEvery = int.MaxValue) => MemoryStore<TKey, TValue>.Open(store, name, checkpointEvery);
}

/// <summary>Keyed state in a dictionary. One lock for everything: whoever holds it appends and applies, so that memory and log never differ.</summary>
internal sealed class MemoryStore<TKey, TValue> : IKeyValueStore<TKey, TValue>, IKeyValueCheckpointFiles
{
    private readonly Lock _lock = new();
    private readonly KeyValueLog<TKey, TValue> _log;
    private readonly IStoreDirectory _folder;
    private readonly MemoryCheckpoints<TKey, TValue> _checkpoints;
    private readonly int _checkpointEvery;

    // Encoded, because keys are the same when their bytes are, and because every reader gets a value of its own. The arrays are never written to.
    private readonly Dictionary<byte[], byte[]> _values = new(ByteKeys.Instance);
    private long _changesSinceCheckpoint;
    private bool _isClosed;

    private MemoryStore(KeyValueLog<TKey, TValue> log, IStoreDirectory folder, int checkpointEvery)
    {
        (_log, _folder, _checkpointEvery, _checkpoints) = (log, folder, checkpointEvery, new MemoryCheckpoints<TKey, TValue>(log, folder));
        Recovery = _checkpoints.Recover(Take, ApplyOne);
    }

    public long Count
    {
        get
        {
            lock (_lock)
            {
                ThrowIfClosed();
                return _values.Count;
            }
        }
    }

    public KeyValueRecovery Recovery { get; }

    public Exception? CheckpointFailure => _checkpoints.Failure;

    public static IKeyValueStore<TKey, TValue> Open(NinoStore store, string name, int checkpointEvery)
    {
        KeyValueLog<TKey, TValue> log = KeyValueLog.Open<TKey, TValue>(store, name);
        IStoreDirectory? folder = null;
        try
        {
            folder = log.OpenFolder();
            var opened = new MemoryStore<TKey, TValue>(log, folder, checkpointEvery);
            log.Attach(opened);
            return opened;
        }
        catch
        {
            folder?.Dispose();
            log.Dispose();
            throw;
        }
    }

    public long Put(TKey key, TValue value)
    {
        using KeyValueChanges<TKey, TValue> changes = _log.NewChanges();
        changes.Put(key, value);
        return Apply(changes);
    }

    public async ValueTask<long> PutAsync(TKey key, TValue value, CancellationToken cancellationToken = default)
    {
        cancellationToken.ThrowIfCancellationRequested();
        return await _log.WaitAsync(Put(key, value), cancellationToken);
    }

    public long PutBatch(ReadOnlySpan<KeyValuePair<TKey, TValue>> pairs)
    {
        using KeyValueChanges<TKey, TValue> changes = _log.NewChanges();
        foreach ((TKey key, TValue value) in pairs) changes.Put(key, value);
        return Apply(changes);
    }

    public async ValueTask<long> PutBatchAsync(ReadOnlyMemory<KeyValuePair<TKey, TValue>> pairs, CancellationToken cancellationToken = default)
    {
        cancellationToken.ThrowIfCancellationRequested();
        long first = PutBatch(pairs.Span);
        return pairs.IsEmpty ? first : await _log.WaitAsync(first + pairs.Length - 1, cancellationToken) - pairs.Length + 1;
    }

    public bool Delete(TKey key) => TryDelete(key) != 0;

    public async ValueTask<bool> DeleteAsync(TKey key, CancellationToken cancellationToken = default)
    {
        cancellationToken.ThrowIfCancellationRequested();
        long sequence = TryDelete(key);
        if (sequence != 0) await _log.WaitAsync(sequence, cancellationToken);
        return sequence != 0;
    }

    public int DeleteBatch(ReadOnlySpan<TKey> keys) => DeleteBatch(keys, out _);

    public async ValueTask<int> DeleteBatchAsync(ReadOnlyMemory<TKey> keys, CancellationToken cancellationToken = default)
    {
        cancellationToken.ThrowIfCancellationRequested();
        int deleted = DeleteBatch(keys.Span, out long last);
        if (deleted > 0) await _log.WaitAsync(last, cancellationToken);
        return deleted;
    }

    private int DeleteBatch(ReadOnlySpan<TKey> keys, out long last)
    {
        last = 0;
        using KeyValueChanges<TKey, TValue> all = _log.NewChanges(), present = _log.NewChanges();
        foreach (TKey key in keys) all.Delete(key);
        lock (_lock)
        {
            ThrowIfUnchangeable();
            var seen = new HashSet<byte[]>(ByteKeys.Instance);
            for (int i = 0; i < keys.Length; i++)
            {
                byte[] key = all[i].Key.ToArray();
                if (_values.ContainsKey(key) && seen.Add(key)) present.Delete(keys[i]);
            }

            if (present.Count > 0) last = Apply(present) + present.Count - 1;
            return present.Count;
        }
    }

    public long Update<TUpdate>(TKey key, ref TUpdate update) where TUpdate : struct, IKeyValueUpdate<TValue>
    {
        lock (_lock)
        {
            ThrowIfUnchangeable();
            bool isThere = TryGet(key, out TValue? value);
            KeyValueUpdate next;
            using (_log.EnterCallback()) next = update.Update(isThere, ref value);

            return next switch
            {
                KeyValueUpdate.Keep => 0,
                KeyValueUpdate.Put => Put(key, value!),
                KeyValueUpdate.Delete => TryDelete(key),
                _ => throw new ArgumentOutOfRangeException(nameof(update), next, "The callback wants something that does not exist."),
            };
        }
    }

    public async ValueTask<KeyValueUpdated<TUpdate>> UpdateAsync<TUpdate>(TKey key, TUpdate update, CancellationToken cancellationToken = default) where TUpdate : struct, IKeyValueUpdate<TValue>
    {
        cancellationToken.ThrowIfCancellationRequested();
        long sequence = Update(key, ref update);
        if (sequence != 0) await _log.WaitAsync(sequence, cancellationToken);
        return new(sequence, update);
    }

    public bool TryGet(TKey key, [System.Diagnostics.CodeAnalysis.MaybeNullWhen(false)] out TValue value)
    {
        byte[] encoded = NinoSerializer.Serialize(key ?? throw new ArgumentNullException(nameof(key))), found;
        lock (_lock)
        {
            ThrowIfClosed();
            found = _values.GetValueOrDefault(encoded)!;
        }

        value = found is null ? default : NinoSerializer.Deserialize<TValue>(found);
        return found is not null;
    }

    public ValueTask<KeyValueResult<TValue>> TryGetAsync(TKey key, CancellationToken cancellationToken = default)
    {
        cancellationToken.ThrowIfCancellationRequested();
        return new(TryGet(key, out TValue? value) ? new KeyValueResult<TValue>(true, value) : default);
    }

    public int TryGetBatch(ReadOnlySpan<TKey> keys, Span<KeyValueResult<TValue>> results)
    {
        if (results.Length < keys.Length) throw new ArgumentException($"{results.Length} places for the values of {keys.Length} keys.", nameof(results));
        lock (_lock) ThrowIfClosed();
        int found = 0;
        for (int i = 0; i < keys.Length; i++)
        {
            bool isThere = TryGet(keys[i], out TValue? value);
            results[i] = new(isThere, value);
            if (isThere) found++;
        }

        return found;
    }

    public ValueTask<KeyValueResult<TValue>[]> TryGetBatchAsync(ReadOnlyMemory<TKey> keys, CancellationToken cancellationToken = default)
    {
        cancellationToken.ThrowIfCancellationRequested();
        var results = new KeyValueResult<TValue>[keys.Length];
        TryGetBatch(keys.Span, results);
        return new(results);
    }

    public IEnumerable<KeyValuePair<TKey, TValue>> Scan()
    {
        KeyValuePair<byte[], byte[]>[] all;
        lock (_lock)
        {
            ThrowIfClosed();
            all = [.. _values];
        }

        foreach ((byte[] key, byte[] value) in all)
        {
            yield return new(NinoSerializer.Deserialize<TKey>(key), NinoSerializer.Deserialize<TValue>(value));
            lock (_lock) ThrowIfClosed();
        }
    }

    // All of it is in memory: there is nothing to wait for, and no thread to keep free.
    public async IAsyncEnumerable<KeyValuePair<TKey, TValue>> ScanAsync([EnumeratorCancellation] CancellationToken cancellationToken = default)
    {
        cancellationToken.ThrowIfCancellationRequested();
        await foreach (KeyValuePair<TKey, TValue> pair in Scan().ToAsyncEnumerable())
        {
            yield return pair;
            cancellationToken.ThrowIfCancellationRequested();
        }
    }

    public ValueTask CheckpointAsync(CancellationToken cancellationToken = default)
    {
        _log.ThrowIfAwaitedInsideCallback("asks for a checkpoint of");
        return _checkpoints.WriteAsync(Capture, cancellationToken);
    }

    public IKeyValueCheckpointHold? HoldCheckpoint()
    {
        lock (_lock)
        {
            ThrowIfClosed();
            return _checkpoints.Hold();
        }
    }

    public void Dispose()
    {
        _log.ThrowIfAwaitedInsideCallback("disposes");
        _checkpoints.Without(() =>
        {
            lock (_lock)
            {
                if (_isClosed) return;
                _isClosed = true;
            }

            _folder.Dispose();
            _log.Dispose();
        });
    }

    private void Take(MemoryCheckpoint checkpoint)
    {
        for (int i = 0; i < checkpoint.Keys.Count; i++) _values.Add(checkpoint.Keys[i], checkpoint.Values[i]);
    }

    private MemoryCheckpoint Capture()
    {
        lock (_lock)
        {
            ThrowIfClosed();

            // Nobody changes anything while the lock is held: the cut and the copy are of the same moment.
            _changesSinceCheckpoint = 0;
            return new MemoryCheckpoint(_log.Cut(), [.. _values.Keys], [.. _values.Values]);
        }
    }

    /// <summary>Removes a key; 0 when it is not there.</summary>
    private long TryDelete(TKey key)
    {
        using KeyValueChanges<TKey, TValue> changes = _log.NewChanges();
        changes.Delete(key);
        lock (_lock)
        {
            ThrowIfUnchangeable();
            return IsThere(changes[0].Key) ? Apply(changes) : 0;
        }
    }

    private long Apply(KeyValueChanges<TKey, TValue> changes)
    {
        lock (_lock)
        {
            ThrowIfUnchangeable();
            long first = _log.Append(changes);
            for (int i = 0; i < changes.Count; i++) ApplyOne(changes[i]);
            if ((_changesSinceCheckpoint += changes.Count) >= _checkpointEvery)
            {
                _changesSinceCheckpoint = 0;
                _ = Task.Run(() => _checkpoints.WriteQuietlyAsync(Capture, () => _isClosed));
            }

            return first;
        }
    }

    private void ApplyOne(KeyValueChange change)
    {
        if (change.IsDeletion) _values.GetAlternateLookup<ReadOnlySpan<byte>>().Remove(change.Key.Span);
        else _values.GetAlternateLookup<ReadOnlySpan<byte>>()[change.Key.Span] = change.Value.ToArray();
    }

    private bool IsThere(ReadOnlyMemory<byte> key) => _values.GetAlternateLookup<ReadOnlySpan<byte>>().ContainsKey(key.Span);

    private void ThrowIfClosed() => ObjectDisposedException.ThrowIf(_isClosed, this);

    // The lock lets its own thread in again: a callback that changes something is known by that.
    private void ThrowIfUnchangeable()
    {
        ThrowIfClosed();
        _log.ThrowIfChangedInsideCallback();
    }
}
