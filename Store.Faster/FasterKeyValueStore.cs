using System.Diagnostics.CodeAnalysis;
using Store.Buffers;
using Store.Faster.Engine;
using Store.KeyValue;
using Store.KeyValue.Changes;

namespace Store.Faster;

/// <summary>A keyed state with types: encodes and decodes around <see cref="KeyedState"/>. Safe for any number of threads.</summary>
internal sealed class FasterKeyValueStore<TKey, TValue> : IKeyValueStore<TKey, TValue>, IKeyValueCheckpointFiles
{
    private readonly KeyedState _state;
    private readonly ChangeFormat<TKey, TValue> _format;
    private readonly KeyValueLog<TKey, TValue>? _log;
    private readonly FasterAsyncChanges<TKey, TValue> _async;
    private readonly FasterBatchReads<TKey, TValue> _batchReads;
    private readonly FasterScans<TKey, TValue> _scans;

    /// <param name="state">The state; disposed with this.</param>
    /// <param name="format">How its changes are written.</param>
    /// <param name="log">Its place on the store, disposed last: gives the name free again.</param>
    public FasterKeyValueStore(KeyedState state, ChangeFormat<TKey, TValue> format, KeyValueLog<TKey, TValue>? log = null)
    {
        (_state, _format, _log) = (state, format, log);
        (_async, _batchReads, _scans) = (new FasterAsyncChanges<TKey, TValue>(this, state, format), new FasterBatchReads<TKey, TValue>(this, state, format), new FasterScans<TKey, TValue>(state.Scans, format));
    }

    /// <inheritdoc/>
    public long Count => _state.Count;

    /// <inheritdoc/>
    public KeyValueRecovery Recovery => _state.Recovery;

    /// <inheritdoc/>
    public Exception? CheckpointFailure => _state.CheckpointFailure;

    internal KeyedState State => _state;

    /// <inheritdoc/>
    public IKeyValueCheckpointHold? HoldCheckpoint() => _state.HoldCheckpoint();

    /// <inheritdoc/>
    public long Put(TKey key, TValue value)
    {
        ChangeBuffer buffer = ChangeBuffer.Take();
        try
        {
            _format.EncodePut(buffer, key, value, _state.Prefetch);
            return Put(buffer, KeySighting.None);
        }
        finally
        {
            buffer.GiveBack();
        }
    }

    /// <inheritdoc/>
    public ValueTask<long> PutAsync(TKey key, TValue value, CancellationToken cancellationToken = default) => _async.PutAsync(key, value, cancellationToken);

    /// <inheritdoc/>
    public long PutBatch(ReadOnlySpan<KeyValuePair<TKey, TValue>> pairs)
    {
        RecordBuffer buffer = RecordBuffer.Rent(NinoStore.MaxBatchBytes, "batch");
        try
        {
            EncodeBatch(buffer, pairs);
            return PutBatch(buffer, pairs.Length);
        }
        finally
        {
            buffer.Return();
        }
    }

    /// <inheritdoc/>
    public ValueTask<long> PutBatchAsync(ReadOnlyMemory<KeyValuePair<TKey, TValue>> pairs, CancellationToken cancellationToken = default) => _async.PutBatchAsync(pairs.Span, cancellationToken);

    /// <inheritdoc/>
    public ValueTask<KeyValueUpdated<TUpdate>> UpdateAsync<TUpdate>(TKey key, TUpdate update, CancellationToken cancellationToken = default) where TUpdate : struct, IKeyValueUpdate<TValue> =>
        _async.UpdateAsync(key, update, cancellationToken);

    /// <inheritdoc/>
    public ValueTask<bool> DeleteAsync(TKey key, CancellationToken cancellationToken = default) => _async.DeleteAsync(key, cancellationToken);

    /// <inheritdoc/>
    public long Update<TUpdate>(TKey key, ref TUpdate update) where TUpdate : struct, IKeyValueUpdate<TValue>
    {
        ChangeBuffer buffer = ChangeBuffer.Take();
        try
        {
            _format.EncodeKey(buffer, key);
            return Update(buffer, ref update, default, KeySighting.None.Version);
        }
        finally
        {
            buffer.GiveBack();
        }
    }

    /// <inheritdoc/>
    public ValueTask<KeyValueResult<TValue>> TryGetAsync(TKey key, CancellationToken cancellationToken = default)
    {
        cancellationToken.ThrowIfCancellationRequested();
        ChangeBuffer buffer = ChangeBuffer.Take();
        ValueTask<EngineRead> read;
        try
        {
            _format.EncodeKey(buffer, key);
            read = _state.TryReadAsync(buffer.KeyMemory, ReadMode.Value);
        }
        finally
        {
            // The engine has its own copy of the key when it goes on by itself.
            buffer.GiveBack();
        }

        if (read.IsCompletedSuccessfully) return new ValueTask<KeyValueResult<TValue>>(Decode(read.Result));
        ValueTask<KeyValueResult<TValue>> later = Await(read);
        return cancellationToken.CanBeCanceled ? new ValueTask<KeyValueResult<TValue>>(later.AsTask().WaitAsync(cancellationToken)) : later;

        async ValueTask<KeyValueResult<TValue>> Await(ValueTask<EngineRead> read) => Decode(await read.ConfigureAwait(false));
    }

    /// <inheritdoc/>
    public IEnumerable<KeyValuePair<TKey, TValue>> Scan() => _scans.Scan();

    /// <inheritdoc/>
    public IAsyncEnumerable<KeyValuePair<TKey, TValue>> ScanAsync(CancellationToken cancellationToken = default) => _scans.ScanAsync(cancellationToken);

    /// <inheritdoc/>
    public bool TryGet(TKey key, [MaybeNullWhen(false)] out TValue value)
    {
        ChangeBuffer buffer = ChangeBuffer.Take();
        try
        {
            _format.EncodeKey(buffer, key);
            return TryGet(buffer, out value, out _);
        }
        finally
        {
            buffer.GiveBack();
        }
    }

    /// <inheritdoc/>
    public int TryGetBatch(ReadOnlySpan<TKey> keys, Span<KeyValueResult<TValue>> results) => _batchReads.TryGet(keys, results);

    /// <inheritdoc/>
    public ValueTask<KeyValueResult<TValue>[]> TryGetBatchAsync(ReadOnlyMemory<TKey> keys, CancellationToken cancellationToken = default) => _batchReads.TryGetAsync(keys.Span, cancellationToken);

    /// <inheritdoc/>
    public bool Delete(TKey key)
    {
        ChangeBuffer buffer = ChangeBuffer.Take();
        try
        {
            _format.EncodeDelete(buffer, key);
            return Delete(buffer, KeySighting.None) != 0;
        }
        finally
        {
            buffer.GiveBack();
        }
    }

    /// <inheritdoc/>
    public int DeleteBatch(ReadOnlySpan<TKey> keys)
    {
        RecordBuffer buffer = RecordBuffer.Rent(NinoStore.MaxBatchBytes, "batch");
        try
        {
            EncodeBatch(buffer, keys);
            return DeleteBatch(buffer);
        }
        finally
        {
            buffer.Return();
        }
    }

    /// <inheritdoc/>
    public ValueTask<int> DeleteBatchAsync(ReadOnlyMemory<TKey> keys, CancellationToken cancellationToken = default) => _async.DeleteBatchAsync(keys.Span, cancellationToken);

    /// <inheritdoc/>
    public ValueTask CheckpointAsync(CancellationToken cancellationToken = default) => _state.CheckpointAsync(cancellationToken);

    /// <inheritdoc/>
    public void Dispose()
    {
        // Refused, it stays open, and the name its own.
        _state.Health.ThrowIfWouldWaitForItself("disposes");
        Close(writesLast: true);
    }

    /// <inheritdoc/>
    public ValueTask DisposeAsync()
    {
        // Here, where the callback is: the thread of the pool is in none.
        _state.Health.ThrowIfWouldWaitForItself("disposes");
        if (!_state.RunsInline) return new ValueTask(Task.Run(Dispose));
        Dispose();
        return ValueTask.CompletedTask;
    }

    /// <summary>Its opening fails: nobody gets it, and no last checkpoint is written for it.</summary>
    internal void GiveUp() => Close(writesLast: false);

    private void Close(bool writesLast)
    {
        try
        {
            _state.Close(writesLast);
        }
        finally
        {
            _log?.Dispose();
        }
    }

    // The value is copied behind the key, so that nothing is rented for it; one that does not fit makes room for the next.
    private bool TryGet(ChangeBuffer buffer, [MaybeNullWhen(false)] out TValue value, out long address)
    {
        ReadResult result = new() { Bytes = buffer.Bytes, Start = buffer.KeyEnd };
        try
        {
            bool isThere = _state.TryRead(buffer.Key, ref result);
            address = result.Address;
            value = isThere ? _format.DecodeValue(result.Value) : default;
            if (result.IsRented) buffer.MakeRoomBehindKey(result.LengthBytes);
            return isThere;
        }
        finally
        {
            result.Release();
        }
    }

    /// <summary>What a read amounts to, whose memory is released.</summary>
    internal KeyValueResult<TValue> Decode(EngineRead read)
    {
        if (!read.IsThere) return default;
        ReadResult result = read.Result;
        try
        {
            return new KeyValueResult<TValue>(true, _format.DecodeValue(result.Value));
        }
        finally
        {
            result.Release();
        }
    }

    /// <summary>Removes an encoded key.</summary>
    /// <param name="buffer">The change.</param>
    /// <param name="seen">What was found of the key before.</param>
    /// <returns>Sequence of the change, or 0 when it was not there.</returns>
    internal long Delete(ChangeBuffer buffer, in KeySighting seen)
    {
        long sequence = _state.Delete(buffer.Record, buffer.Key, seen, out bool isNoted);
        if (isNoted) _state.CheckpointIfDue();
        return sequence;
    }

    /// <summary>Encodes changes that set values, as the log takes a batch.</summary>
    internal void EncodeBatch(RecordBuffer buffer, ReadOnlySpan<KeyValuePair<TKey, TValue>> pairs)
    {
        int prefix = 1;
        foreach (ref readonly KeyValuePair<TKey, TValue> pair in pairs)
        {
            int start = buffer.BeginRecord(prefix);
            _format.EncodePut(buffer, pair.Key, pair.Value);
            prefix = buffer.EndRecord(start, prefix);
        }
    }

    /// <summary>Encodes changes that remove keys, as the log takes a batch.</summary>
    internal void EncodeBatch(RecordBuffer buffer, ReadOnlySpan<TKey> keys)
    {
        int prefix = 1;
        foreach (ref readonly TKey key in keys)
        {
            int start = buffer.BeginRecord(prefix);
            _format.EncodeDelete(buffer, key);
            prefix = buffer.EndRecord(start, prefix);
        }
    }

    /// <summary>Makes the deletions that were encoded.</summary>
    /// <returns>How many keys were there.</returns>
    internal int DeleteBatch(RecordBuffer buffer)
    {
        int deleted = _state.DeleteBatch(buffer.WrittenWithinLimit);
        if (deleted > 0) _state.CheckpointIfDue();
        return deleted;
    }

    /// <summary>Makes the changes that set values and were encoded.</summary>
    internal long PutBatch(RecordBuffer buffer, int count)
    {
        long first = _state.PutBatch(buffer.WrittenWithinLimit, count);
        _state.CheckpointIfDue();
        return first;
    }

    /// <summary>Sets the value of an encoded key.</summary>
    /// <param name="buffer">The change.</param>
    /// <param name="seen">What was found of the key before.</param>
    internal long Put(ChangeBuffer buffer, in KeySighting seen)
    {
        long sequence = _state.Put(buffer.Record, buffer.Key, buffer.Value, seen, out bool isNoted);
        if (isNoted) _state.CheckpointIfDue();
        return sequence;
    }

    /// <summary>Looks at the value of a key and changes it as one step.</summary>
    /// <param name="keyOnly">The encoded key: its object is the caller's, who may have changed it since.</param>
    /// <param name="update">The callback.</param>
    /// <param name="read">What was read before, if anything; the caller's to release.</param>
    /// <param name="version">How far the key's stripe had come then.</param>
    /// <returns>Sequence of the change, or 0 when everything stays as it was.</returns>
    internal long Update<TUpdate>(ChangeBuffer keyOnly, ref TUpdate update, in EngineRead read, long version) where TUpdate : struct, IKeyValueUpdate<TValue>
    {
        long sequence;
        bool isNoted;

        // Before any lock: inside a callback this thread holds one already.
        _state.Health.ThrowIfInCallback();
        try
        {
            lock (_state.LockOf(keyOnly.Key)) sequence = UpdateLocked(keyOnly, ref update, read, version, out isNoted);
        }
        finally
        {
            _state.Scans.EndLeft();
        }

        if (isNoted) _state.CheckpointIfDue();
        return sequence;
    }

    private long UpdateLocked<TUpdate>(ChangeBuffer keyOnly, ref TUpdate update, in EngineRead read, long version, out bool isNoted) where TUpdate : struct, IKeyValueUpdate<TValue>
    {
        isNoted = false;
        _state.Health.ThrowIfUnusable();
        ChangeBuffer buffer = ChangeBuffer.Take();
        try
        {
            KeySighting seen;
            bool isPut;

            // The value's own code too, which decoding and encoding call, is the caller's, and runs under the key's lock.
            using (_state.Health.EnterCallback())
            {
                seen = Look(keyOnly, read, version, out TValue? value);
                KeyValueUpdate next = update.Update(seen.IsThere, ref value);
                if (next == KeyValueUpdate.Keep || (next == KeyValueUpdate.Delete && !seen.IsThere)) return 0;
                isPut = next switch
                {
                    KeyValueUpdate.Put => true,
                    KeyValueUpdate.Delete => false,
                    _ => throw new ArgumentOutOfRangeException(nameof(update), next, "The callback wants something that does not exist."),
                };
                if (isPut) _format.EncodePut(buffer, keyOnly.Key, value!);
                else _format.EncodeDelete(buffer, keyOnly.Key);
            }

            // The lock is held until the change is made: nobody comes in between.
            return isPut ? _state.Put(buffer.Record, buffer.Key, buffer.Value, seen, out isNoted) : _state.Delete(buffer.Record, buffer.Key, seen, out isNoted);
        }
        finally
        {
            buffer.GiveBack();
        }
    }

    // What was read before counts when nothing has come since.
    private KeySighting Look(ChangeBuffer keyOnly, in EngineRead read, long version, out TValue? value)
    {
        (bool isThere, long address, long now) = (read.IsThere, read.Result.Address, _state.VersionOf(keyOnly.Key));
        if (version == now) value = isThere ? _format.DecodeValue(read.Result.Value) : default;
        else isThere = TryGet(keyOnly, out value, out address);
        return new KeySighting(isThere, address, now);
    }
}
