// What does a keyed state do wrong, one call at a time? Scans are in WrongScans.

using Store.KeyValue;

namespace Store.Tests.KeyValue;

/// <summary>A keyed state with one fault.</summary>
internal sealed class WrongStore<TKey, TValue> : IKeyValueStore<TKey, TValue>, IKeyValueCheckpointFiles
{
    private readonly IKeyValueStore<TKey, TValue> _inner;
    private readonly EngineFault _fault;
    private readonly NinoStore _store;
    private readonly HashSet<TKey> _forgotten = [];
    private readonly SemaphoreSlim _cutting = new(1);
    private readonly WrongScans<TKey, TValue> _scans;
    private bool _hasCut;
    private int _puts, _updates;
    private Exception? _failure;

    public WrongStore(IKeyValueStore<TKey, TValue> inner, EngineFault fault, NinoStore store)
    {
        (_inner, _fault, _store, _scans) = (inner, fault, store, new WrongScans<TKey, TValue>(inner, fault));
        if (fault == EngineFault.ForgetsAKeyWhenItIsOpened && inner.Count > 0) _forgotten.Add(inner.Scan().First().Key);
    }

    public long Count => _fault == EngineFault.CountsTheKeysOfAllStates ? WrongKeys.Of(_store).Value : _inner.Count + (_fault == EngineFault.CountsOneTooMany ? 1 : IsCrowded ? -1 : 0);

    // What many threads left, and no single one does in any case.
    private bool IsCrowded => _fault == EngineFault.LosesAKeyInACrowd && _puts >= 1000;

    public KeyValueRecovery Recovery => _fault == EngineFault.HidesWhatItRejects ? _inner.Recovery with { Rejected = [] } : _inner.Recovery;

    public Exception? CheckpointFailure
    {
        get
        {
            _failure ??= _inner.CheckpointFailure;
            return _fault switch { EngineFault.KeepsAFailureForEver => _failure, _ => _inner.CheckpointFailure };
        }
    }

    public IKeyValueCheckpointHold? HoldCheckpoint()
    {
        if (((IKeyValueCheckpointFiles)_inner).HoldCheckpoint() is not { } hold || _fault == EngineFault.HoldsNoCheckpoint) return null;
        if (_fault == EngineFault.RemovesHeldFiles) hold.Dispose();
        return new WrongHold(hold, _fault);
    }

    public long Put(TKey key, TValue value)
    {
        if (_fault == EngineFault.FailsWithItsNeighbour && WrongNeighbours.HaveFailed(_store)) throw new StoreFailedException("Another keyed state failed.", _store.Path, new IOException("It was its neighbour's disk."));
        if (_fault == EngineFault.TakesNull && (key is null || value is null)) return _store.LastSequence;
        if (_fault == EngineFault.CutsLongValues && value is string { Length: > 2000 } text) value = (TValue)(object)text[..2000];
        Interlocked.Increment(ref _puts);
        if (_fault == EngineFault.CountsTheKeysOfAllStates && !_inner.TryGet(key, out _)) Interlocked.Increment(ref WrongKeys.Of(_store).Value);
        long sequence = _inner.Put(key, value);
        _scans.Note(key);
        return sequence;
    }

    public ValueTask<long> PutAsync(TKey key, TValue value, CancellationToken cancellationToken = default) => _fault switch
    {
        EngineFault.CompletesBeforeItIsDurable => new(_inner.Put(key, value)),
        EngineFault.IgnoresCancellation => _inner.PutAsync(key, value, CancellationToken.None),
        _ => Answer(() => _inner.PutAsync(key, value, cancellationToken)),
    };

    public long PutBatch(ReadOnlySpan<KeyValuePair<TKey, TValue>> pairs)
    {
        switch (_fault)
        {
            case EngineFault.ForgetsHalfOfABatch:
                long all = _inner.PutBatch(pairs);
                for (int i = pairs.Length / 2; i < pairs.Length; i++) _forgotten.Add(pairs[i].Key);
                return all;
            case EngineFault.PutsABatchOneByOne:
                long first = _inner.PutBatch([]);
                foreach ((TKey key, TValue value) in pairs) _inner.Put(key, value);
                return first;
            case EngineFault.KeepsWhatFitsOfABatch:
                try
                {
                    return _inner.PutBatch(pairs);
                }
                catch (RecordTooLargeException)
                {
                    _inner.PutBatch(pairs[..1]);
                    throw;
                }

            case EngineFault.TakesACheckpointInsideABatch when pairs.Length > 1:
                _cutting.Wait();
                long half = _inner.PutBatch(pairs[..(pairs.Length / 2)]);
                if (!_hasCut) _inner.CheckpointAsync().AsTask().GetAwaiter().GetResult();
                _inner.PutBatch(pairs[(pairs.Length / 2)..]);

                // No later checkpoint hides it.
                _hasCut = true;
                _cutting.Release();
                return half;
            default:
                return _inner.PutBatch(pairs);
        }
    }

    public long Update<TUpdate>(TKey key, ref TUpdate update) where TUpdate : struct, IKeyValueUpdate<TValue>
    {
        switch (_fault)
        {
            case EngineFault.PutsWhatAnUpdateKeeps:
                var putting = new Putting<TUpdate> { Inner = update };
                long put = _inner.Update(key, ref putting);
                update = putting.Inner;
                return put;
            case EngineFault.ChangesWhatAThrowingUpdateWasFor:
                try
                {
                    return _inner.Update(key, ref update);
                }
                catch (TimeoutException)
                {
                    _inner.Delete(key);
                    throw;
                }

            case EngineFault.LetsCallbacksChangeIt:
                bool isThere = _inner.TryGet(key, out TValue? value);
                return update.Update(isThere, ref value) switch { KeyValueUpdate.Put => _inner.Put(key, value!), KeyValueUpdate.Delete => _inner.Delete(key) ? _store.LastSequence : 0, _ => 0 };
            case EngineFault.LosesOneUpdateInTwoHundred when Interlocked.Increment(ref _updates) % 200 == 0:
                return _store.LastSequence;
            default:
                return _inner.Update(key, ref update);
        }
    }

    public bool TryGet(TKey key, [System.Diagnostics.CodeAnalysis.MaybeNullWhen(false)] out TValue value)
    {
        value = default;
        if (_fault == EngineFault.TakesNull && key is null) return false;
        if (_forgotten.Contains(key)) return false;
        try
        {
            return _inner.TryGet(key, out value) || _fault == EngineFault.FindsWhatWasNotPut;
        }
        catch (ObjectDisposedException) when (_fault == EngineFault.AnswersAfterItWasDisposed)
        {
            return false;
        }
    }

    public ValueTask<KeyValueResult<TValue>> TryGetAsync(TKey key, CancellationToken cancellationToken = default) =>
        _fault == EngineFault.IgnoresCancellation ? _inner.TryGetAsync(key, CancellationToken.None) : Answer(() => _inner.TryGetAsync(key, cancellationToken));

    public IEnumerable<KeyValuePair<TKey, TValue>> Scan() => IsCrowded ? _inner.Scan().Skip(1) : _scans.Scan();

    public IAsyncEnumerable<KeyValuePair<TKey, TValue>> ScanAsync(CancellationToken cancellationToken = default) => _scans.ScanAsync(cancellationToken);

    public bool Delete(TKey key)
    {
        if (_fault == EngineFault.TakesNull && key is null) return false;
        if (_fault == EngineFault.LosesDeletions) return _inner.TryGet(key, out _);
        bool wasThere = _inner.Delete(key);
        if (_fault == EngineFault.LogsDeletionsOfNothing && !wasThere) _store.Append(0);
        return wasThere;
    }

    public ValueTask<long> PutBatchAsync(ReadOnlyMemory<KeyValuePair<TKey, TValue>> pairs, CancellationToken cancellationToken = default) =>
        _inner.PutBatchAsync(pairs, _fault == EngineFault.IgnoresCancellation ? CancellationToken.None : cancellationToken);

    public async ValueTask<KeyValueUpdated<TUpdate>> UpdateAsync<TUpdate>(TKey key, TUpdate update, CancellationToken cancellationToken = default) where TUpdate : struct, IKeyValueUpdate<TValue>
    {
        if (_fault == EngineFault.ReadsBeforeAnAsynchronousUpdate)
        {
            bool isThere = _inner.TryGet(key, out TValue? value);
            KeyValueUpdate next = update.Update(isThere, ref value);
            await Task.Yield();
            return new(next switch { KeyValueUpdate.Put => await _inner.PutAsync(key, value!, cancellationToken), KeyValueUpdate.Delete => await _inner.DeleteAsync(key, cancellationToken) ? _store.LastSequence : 0, _ => 0 }, update);
        }

        KeyValueUpdated<TUpdate> updated;
        try
        {
            updated = await _inner.UpdateAsync(key, update, cancellationToken);
        }
        catch (TimeoutException) when (_fault == EngineFault.ChangesWhatAThrowingAsynchronousUpdateWasFor)
        {
            _inner.Delete(key);
            throw;
        }

        return _fault == EngineFault.LosesWhatAnAsynchronousUpdateCarriesOut ? updated with { Update = update } : updated;
    }

    public ValueTask<bool> DeleteAsync(TKey key, CancellationToken cancellationToken = default) =>
        _fault == EngineFault.DeletesBeforeItIsDurable ? new(_inner.Delete(key)) : _inner.DeleteAsync(key, cancellationToken);

    public int DeleteBatch(ReadOnlySpan<TKey> keys)
    {
        switch (_fault)
        {
            case EngineFault.LosesOneOfManyDeletions when keys.Length > 2:
                return _inner.DeleteBatch(keys[1..]) + 1;
            case EngineFault.DeletesABatchOneByOne:
                int deleted = 0;
                foreach (TKey key in keys) deleted += _inner.Delete(key) ? 1 : 0;
                return deleted;
            case EngineFault.LogsADeletionTwice when keys.Length == 2 && keys[0]!.Equals(keys[1]) && _inner.TryGet(keys[0], out TValue? value):
                int count = _inner.DeleteBatch(keys);
                _inner.Put(keys[0], value);
                _inner.Delete(keys[0]);
                return count;
            case EngineFault.CountsDeletionsOfNothing:
                _inner.DeleteBatch(keys);
                return keys.Length;
            default:
                return _inner.DeleteBatch(keys);
        }
    }

    public int TryGetBatch(ReadOnlySpan<TKey> keys, Span<KeyValueResult<TValue>> results)
    {
        if (_fault == EngineFault.ReadsWithoutRoom && results.Length < keys.Length) return _inner.TryGetBatch(keys[..results.Length], results);
        int found = _inner.TryGetBatch(keys, results);
        if (_fault == EngineFault.SwapsWhatItReads) results[..keys.Length].Reverse();
        return found;
    }

    public ValueTask<int> DeleteBatchAsync(ReadOnlyMemory<TKey> keys, CancellationToken cancellationToken = default) => _fault switch
    {
        EngineFault.DeletesABatchBeforeItIsDurable => new(_inner.DeleteBatch(keys.Span)),
        EngineFault.IgnoresCancellation => _inner.DeleteBatchAsync(keys, CancellationToken.None),
        _ => _inner.DeleteBatchAsync(keys, cancellationToken),
    };

    public async ValueTask<KeyValueResult<TValue>[]> TryGetBatchAsync(ReadOnlyMemory<TKey> keys, CancellationToken cancellationToken = default)
    {
        KeyValueResult<TValue>[] results = await _inner.TryGetBatchAsync(keys, _fault == EngineFault.IgnoresCancellation ? CancellationToken.None : cancellationToken);
        return _fault == EngineFault.LeavesOutWhatIsNotThere ? [.. results.Where(result => result.IsThere)] : results;
    }

    public async ValueTask CheckpointAsync(CancellationToken cancellationToken = default)
    {
        if (_fault == EngineFault.WritesNoCheckpoints) return;
        if (_fault == EngineFault.WaitsForItsOwnCallback) await Task.Yield();
        await _cutting.WaitAsync();
        try
        {
            if (_fault == EngineFault.FailsWithItsNeighbour && WrongNeighbours.HaveFailed(_store)) throw new StoreFailedException("Another keyed state failed.", _store.Path, new IOException("It was its neighbour's disk."));
            if (!_hasCut) await _inner.CheckpointAsync(_fault == EngineFault.IgnoresCancellation ? CancellationToken.None : cancellationToken);
        }
        catch (IOException) when (_fault == EngineFault.HidesAFailedCheckpoint)
        {
            // As if it had been written.
        }
        catch (IOException) when (_fault == EngineFault.FailsWithItsNeighbour)
        {
            WrongNeighbours.Fail(_store);
            throw;
        }
        finally
        {
            _cutting.Release();
        }
    }

    public void Dispose()
    {
        try
        {
            _inner.Dispose();
        }
        catch (InvalidOperationException) when (_fault == EngineFault.LetsCallbacksDisposeIt)
        {
            // As if it could be disposed there.
        }
    }

    public ValueTask DisposeAsync() => _fault == EngineFault.StaysOpenWhenItIsDisposedAsynchronously ? ValueTask.CompletedTask : _inner.DisposeAsync();

    private ValueTask<T> Answer<T>(Func<ValueTask<T>> ask) => ask();

    private struct Putting<TUpdate> : IKeyValueUpdate<TValue> where TUpdate : struct, IKeyValueUpdate<TValue>
    {
        public TUpdate Inner;

        public KeyValueUpdate Update(bool isThere, ref TValue? value)
        {
            KeyValueUpdate next = Inner.Update(isThere, ref value);
            return next == KeyValueUpdate.Keep && isThere ? KeyValueUpdate.Put : next;
        }
    }
}
