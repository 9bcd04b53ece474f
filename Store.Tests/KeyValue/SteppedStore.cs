// What are the steps of an engine, and what becomes of one that takes them in another order? A dictionary as that of samples/OwnEngine, but with two checkpoints kept, and with a fault that lies between two steps.

using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using Store.IO;
using Store.KeyValue;
using Store.Serialization;
using Store.Tests.Simulation;

namespace Store.Tests.KeyValue;

/// <summary>A keyed state in a dictionary, with a fault.</summary>
internal sealed class SteppedStore<TKey, TValue> : IKeyValueStore<TKey, TValue>
{
    private readonly Lock _lock = new();
    private readonly KeyValueLog<TKey, TValue> _log;
    private readonly IStoreDirectory _folder;
    private readonly EngineFault _fault;
    private readonly SteppedCheckpoints<TKey, TValue> _checkpoints;
    private readonly Dictionary<string, byte[]> _values = [];
    private readonly int _every;
    private int _changes;
    private long _lookups;
    private bool _isClosed;

    private SteppedStore(KeyValueLog<TKey, TValue> log, IStoreDirectory folder, int every, EngineFault fault)
    {
        (_log, _folder, _fault, _every) = (log, folder, fault, every);
        _checkpoints = new SteppedCheckpoints<TKey, TValue>(log, folder, fault);
        Recovery = _checkpoints.Recover(_values, change => Apply(change));
    }

    public long Count => Locked(() => _values.Count);

    public KeyValueRecovery Recovery { get; }

    public Exception? CheckpointFailure => _checkpoints.Failure;

    public static IKeyValueStore<TKey, TValue> Open(NinoStore store, string name, int every, EngineFault fault)
    {
        KeyValueLog<TKey, TValue> log = KeyValueLog.Open<TKey, TValue>(store, name);
        IStoreDirectory? folder = null;
        try
        {
            folder = fault == EngineFault.KeepsItsFilesElsewhere ? new SimDirectory() : log.OpenFolder();
            var opened = new SteppedStore<TKey, TValue>(log, folder, every, fault);
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

    public static string Name(ReadOnlySpan<byte> key) => Convert.ToHexString(key);

    public long Put(TKey key, TValue value) => PutBatch([new(key, value)]);

    public async ValueTask<long> PutAsync(TKey key, TValue value, CancellationToken cancellationToken = default)
    {
        cancellationToken.ThrowIfCancellationRequested();
        return await _log.WaitAsync(Put(key, value), cancellationToken);
    }

    public long PutBatch(ReadOnlySpan<KeyValuePair<TKey, TValue>> pairs)
    {
        using KeyValueChanges<TKey, TValue> changes = _log.NewChanges();
        foreach ((TKey key, TValue value) in pairs) changes.Put(key, value);
        return Make(changes);
    }

    public async ValueTask<long> PutBatchAsync(ReadOnlyMemory<KeyValuePair<TKey, TValue>> pairs, CancellationToken cancellationToken = default)
    {
        cancellationToken.ThrowIfCancellationRequested();
        long first = PutBatch(pairs.Span);
        if (!pairs.IsEmpty) await _log.WaitAsync(first + pairs.Length - 1, cancellationToken);
        return first;
    }

    public bool Delete(TKey key) => DeleteBatch([key]) > 0;

    public async ValueTask<bool> DeleteAsync(TKey key, CancellationToken cancellationToken = default) => await DeleteBatchAsync(new[] { key }, cancellationToken) > 0;

    public int DeleteBatch(ReadOnlySpan<TKey> keys)
    {
        using KeyValueChanges<TKey, TValue> all = _log.NewChanges(), present = _log.NewChanges();
        foreach (TKey key in keys) all.Delete(key);
        lock (_lock)
        {
            ThrowIfUnchangeable();
            var seen = new HashSet<string>();
            for (int i = 0; i < keys.Length; i++)
            {
                string name = Name(all[i].Key.Span);
                if (_values.ContainsKey(name) && seen.Add(name)) present.Delete(keys[i]);
            }

            if (present.Count > 0) Make(present);
            return present.Count;
        }
    }

    public async ValueTask<int> DeleteBatchAsync(ReadOnlyMemory<TKey> keys, CancellationToken cancellationToken = default)
    {
        cancellationToken.ThrowIfCancellationRequested();
        int deleted = DeleteBatch(keys.Span);
        if (deleted > 0) await _log.WaitAsync(_log.LastSequence, cancellationToken);
        return deleted;
    }

    public long Update<TUpdate>(TKey key, ref TUpdate update) where TUpdate : struct, IKeyValueUpdate<TValue>
    {
        lock (_lock)
        {
            ThrowIfUnchangeable();
            bool isThere = TryGet(key, out TValue? value);
            KeyValueUpdate next;
            using (_log.EnterCallback()) next = update.Update(isThere, ref value);

            return next switch { KeyValueUpdate.Put => Put(key, value!), KeyValueUpdate.Delete when Delete(key) => _log.LastSequence, _ => 0 };
        }
    }

    public async ValueTask<KeyValueUpdated<TUpdate>> UpdateAsync<TUpdate>(TKey key, TUpdate update, CancellationToken cancellationToken = default) where TUpdate : struct, IKeyValueUpdate<TValue>
    {
        cancellationToken.ThrowIfCancellationRequested();
        long sequence = Update(key, ref update);
        if (sequence != 0) await _log.WaitAsync(sequence, cancellationToken);
        return new(sequence, update);
    }

    public bool TryGet(TKey key, [MaybeNullWhen(false)] out TValue value)
    {
        string name = Name(NinoSerializer.Serialize(key ?? throw new ArgumentNullException(nameof(key))));
        byte[]? found = Locked(() => _values.GetValueOrDefault(name));
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
        ArgumentOutOfRangeException.ThrowIfLessThan(results.Length, keys.Length, nameof(results));
        _ = Count;
        int found = 0;
        for (int i = 0; i < keys.Length; i++)
        {
            results[i] = TryGet(keys[i], out TValue? value) ? new(true, value) : default;
            if (results[i].IsThere) found++;
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
        foreach ((string name, byte[] value) in Locked(() => _values.ToArray()))
        {
            yield return new(NinoSerializer.Deserialize<TKey>(Convert.FromHexString(name))!, NinoSerializer.Deserialize<TValue>(value)!);
            _ = Count;
        }
    }

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

    private SteppedCheckpoint Capture()
    {
        Dictionary<string, byte[]> values = [];
        KeyValueCut? cut = null;
        if (_fault == EngineFault.CopiesBeforeItCuts)
        {
            Copy();
            WaitForAChange();
        }

        lock (_lock)
        {
            cut = Locked(_log.Cut);
            if (values.Count == 0) Copy();
            _changes = 0;
        }

        if (_fault == EngineFault.CutsBeforeItCopies)
        {
            _log.CommitAsync().AsTask().GetAwaiter().GetResult();
            WaitForAChange();
            Copy();
        }

        return new SteppedCheckpoint(cut, values);

        void Copy() => values = Locked(() => new Dictionary<string, byte[]>(_values));

        // Whoever changes comes to it in the end; where nobody does, nothing is wrong either.
        void WaitForAChange()
        {
            long since = _log.LastSequence;
            SpinWait.SpinUntil(() => _log.LastSequence > since + 20, TimeSpan.FromMilliseconds(500));
        }
    }

    private long Make(KeyValueChanges<TKey, TValue> changes)
    {
        if (_fault == EngineFault.AppliesOutsideItsLock)
        {
            long appended = Locked(() => _log.Append(changes));

            // Long enough for somebody else, where there is more to apply.
            if (changes.Count > 0 && changes[0].Value.Length > 1000) Thread.Sleep(1);
            for (int i = 0; i < changes.Count; i++) Locked(() => Apply(changes[i]));
            return appended;
        }

        long first;
        bool isDue;
        lock (_lock)
        {
            ThrowIfUnchangeable();
            first = _log.Append(changes);
            for (int i = 0; i < changes.Count; i++) Apply(changes[i]);
            isDue = (_changes += changes.Count) >= _every;
            if (isDue) _changes = 0;
        }

        if (isDue) _ = Task.Run(() => _checkpoints.WriteQuietlyAsync(Capture, () => _isClosed));
        return first;
    }

    private bool Apply(KeyValueChange change)
    {
        string name = Name(change.Key.Span);
        if (change.IsDeletion) return _values.Remove(name);
        if (_fault == EngineFault.WritesOverValues && _values.TryGetValue(name, out byte[]? old) && old.Length == change.Value.Length)
        {
            int half = old.Length / 2;
            change.Value.Span[..half].CopyTo(old);

            // Until readers have looked at every key, unless they wait for the lock themselves: then the next time.
            long since = Interlocked.Read(ref _lookups);
            if (_log.LastSequence % 8 == 0) SpinWait.SpinUntil(() => Interlocked.Read(ref _lookups) > since + 7, TimeSpan.FromMilliseconds(20));
            change.Value.Span[half..].CopyTo(old.AsSpan(half));
        }
        else
        {
            _values[name] = change.Value.ToArray();
        }

        return true;
    }

    private T Locked<T>(Func<T> ask)
    {
        // Readers are not kept out: what is in the dictionary is looked up without the lock.
        if (_fault == EngineFault.WritesOverValues && typeof(T) == typeof(byte[]))
        {
            Interlocked.Increment(ref _lookups);
            return ask();
        }

        lock (_lock)
        {
            ObjectDisposedException.ThrowIf(_isClosed, this);
            return ask();
        }
    }

    private void ThrowIfUnchangeable()
    {
        ObjectDisposedException.ThrowIf(_isClosed, this);
        _log.ThrowIfChangedInsideCallback();
    }
}
