using System.Diagnostics.CodeAnalysis;
using Store.Buffers;
using Store.Faster.Changes;
using Store.Faster.Engine;
using Store.KeyValue;

namespace Store.Faster;

/// <summary>A keyed state with types: encodes and decodes around <see cref="KeyedState"/>. Safe for any number of threads.</summary>
internal sealed class FasterKeyValueStore<TKey, TValue> : IKeyValueStore<TKey, TValue>, IStoreCompanion
{
    private readonly KeyedState _state;
    private readonly ChangeFormat<TKey, TValue> _format;
    private readonly StoreCompanions? _companions;
    private readonly IDisposable? _opened;

    /// <param name="state">The state; disposed with this.</param>
    /// <param name="format">How its changes are written.</param>
    /// <param name="companions">Where this is taken off when it is disposed.</param>
    /// <param name="opened">Disposed last: gives the name free again.</param>
    public FasterKeyValueStore(KeyedState state, ChangeFormat<TKey, TValue> format, StoreCompanions? companions = null, IDisposable? opened = null) =>
        (_state, _format, _companions, _opened) = (state, format, companions, opened);

    /// <inheritdoc/>
    public long Count => _state.Count;

    /// <inheritdoc/>
    public KeyValueRecovery Recovery => _state.Recovery;

    /// <inheritdoc/>
    public Exception? CheckpointFailure => _state.CheckpointFailure;

    internal KeyedState State => _state;

    /// <inheritdoc/>
    public long Put(TKey key, TValue value)
    {
        ChangeBuffer buffer = ChangeBuffer.Take();
        try
        {
            _format.EncodePut(buffer, key, value);
            return Put(buffer);
        }
        finally
        {
            buffer.GiveBack();
        }
    }

    /// <inheritdoc/>
    public ValueTask<long> PutAsync(TKey key, TValue value, CancellationToken cancellationToken = default)
    {
        cancellationToken.ThrowIfCancellationRequested();
        ChangeBuffer buffer = ChangeBuffer.Take();
        _format.EncodePut(buffer, key, value);
        ValueTask<EngineRead> presence = _state.TryReadAsync(buffer.KeyMemory, ReadMode.Presence);
        ValueTask<long> done;
        if (presence.IsCompletedSuccessfully)
        {
            // Known to be in memory, or nowhere: looking once more under the lock does not block.
            _ = presence.Result;
            try
            {
                done = _state.WaitAsync(Put(buffer));
            }
            finally
            {
                buffer.GiveBack();
            }
        }
        else
        {
            done = PutLaterAsync(presence, buffer);
        }

        return !cancellationToken.CanBeCanceled || done.IsCompleted ? done : new ValueTask<long>(done.AsTask().WaitAsync(cancellationToken));
    }

    /// <inheritdoc/>
    public long PutBatch(ReadOnlySpan<KeyValuePair<TKey, TValue>> pairs)
    {
        RecordBuffer buffer = RecordBuffer.Rent(NinoStore.MaxBatchBytes, "batch");
        try
        {
            int prefix = 1;
            foreach (ref readonly KeyValuePair<TKey, TValue> pair in pairs)
            {
                int start = buffer.BeginRecord(prefix);
                _format.EncodePut(buffer, pair.Key, pair.Value);
                prefix = buffer.EndRecord(start, prefix);
            }

            long first = _state.PutBatch(buffer.WrittenWithinLimit, pairs.Length);
            _state.CheckpointIfDue();
            return first;
        }
        finally
        {
            buffer.Return();
        }
    }

    /// <inheritdoc/>
    public long Update<TUpdate>(TKey key, ref TUpdate update) where TUpdate : struct, IKeyValueUpdate<TValue>
    {
        ChangeBuffer buffer = ChangeBuffer.Take();
        try
        {
            _format.EncodeKey(buffer, key);
            long sequence;
            bool isNoted;
            lock (_state.LockOf(buffer.Key)) sequence = UpdateLocked(buffer, key, ref update, out isNoted);
            if (isNoted) _state.CheckpointIfDue();
            return sequence;
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
    public IEnumerable<KeyValuePair<TKey, TValue>> Scan()
    {
        // Begun when the enumeration begins, so that one that is never enumerated holds nothing.
        return Iterate();

        IEnumerable<KeyValuePair<TKey, TValue>> Iterate()
        {
            using (KeyedScan scan = _state.Scans.Begin())
            {
                while (_state.Scans.TryNext(scan, out ReadResult key, out ReadResult value)) yield return Decode(key, value);
            }
        }

        KeyValuePair<TKey, TValue> Decode(ReadResult key, ReadResult value)
        {
            try
            {
                return new(_format.DecodeKey(key.Value), _format.DecodeValue(value.Value));
            }
            finally
            {
                key.Release();
                value.Release();
            }
        }
    }

    /// <inheritdoc/>
    public bool TryGet(TKey key, [MaybeNullWhen(false)] out TValue value)
    {
        ChangeBuffer buffer = ChangeBuffer.Take();
        try
        {
            _format.EncodeKey(buffer, key);
            return TryGet(buffer, out value);
        }
        finally
        {
            buffer.GiveBack();
        }
    }

    /// <inheritdoc/>
    public bool Delete(TKey key)
    {
        ChangeBuffer buffer = ChangeBuffer.Take();
        try
        {
            _format.EncodeDelete(buffer, key);
            long sequence = _state.Delete(buffer.Record, buffer.Key, out bool isNoted);
            if (isNoted) _state.CheckpointIfDue();
            return sequence != 0;
        }
        finally
        {
            buffer.GiveBack();
        }
    }

    /// <inheritdoc/>
    public ValueTask CheckpointAsync(CancellationToken cancellationToken = default) => _state.CheckpointAsync(cancellationToken);

    /// <inheritdoc/>
    public void Dispose()
    {
        try
        {
            _state.Dispose();
        }
        finally
        {
            _companions?.Remove(this);
            _opened?.Dispose();
        }
    }

    // The value is copied behind the key, so that nothing is rented for it; one that does not fit makes room for the next.
    private bool TryGet(ChangeBuffer buffer, [MaybeNullWhen(false)] out TValue value)
    {
        ReadResult result = buffer.RoomBehindKey();
        try
        {
            bool isThere = _state.TryRead(buffer.Key, ref result);
            value = isThere ? _format.DecodeValue(result.Value) : default;
            if (result.IsRented) buffer.MakeRoomBehindKey(result.LengthBytes);
            return isThere;
        }
        finally
        {
            result.Release();
        }
    }

    private KeyValueResult<TValue> Decode(EngineRead read)
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

    private long Put(ChangeBuffer buffer)
    {
        long sequence = _state.Put(buffer.Record, buffer.Key, buffer.Value, out bool isNoted);
        if (isNoted) _state.CheckpointIfDue();
        return sequence;
    }

    private long UpdateLocked<TUpdate>(ChangeBuffer keyOnly, TKey key, ref TUpdate update, out bool isNoted) where TUpdate : struct, IKeyValueUpdate<TValue>
    {
        isNoted = false;
        bool isThere = TryGet(keyOnly, out TValue? value);
        KeyValueUpdate next;
        _state.Health.EnterCallback();
        try
        {
            next = update.Update(isThere, ref value);
        }
        finally
        {
            KeyedHealth.ExitCallback();
        }

        if (next == KeyValueUpdate.Keep || (next == KeyValueUpdate.Delete && !isThere)) return 0;
        ChangeBuffer buffer = ChangeBuffer.Take();
        try
        {
            switch (next)
            {
                case KeyValueUpdate.Put:
                    _format.EncodePut(buffer, key, value!);
                    return _state.Put(buffer.Record, buffer.Key, buffer.Value, out isNoted);
                case KeyValueUpdate.Delete:
                    _format.EncodeDelete(buffer, key);
                    return _state.Delete(buffer.Record, buffer.Key, out isNoted);
                default:
                    throw new ArgumentOutOfRangeException(nameof(update), next, "The callback wants something that does not exist.");
            }
        }
        finally
        {
            buffer.GiveBack();
        }
    }

    // The old value is on the disk: this goes on where it was found, on a thread of the pool, which may block.
    private async ValueTask<long> PutLaterAsync(ValueTask<EngineRead> presence, ChangeBuffer buffer)
    {
        long sequence;
        try
        {
            await presence.ConfigureAwait(false);
            sequence = Put(buffer);
        }
        finally
        {
            buffer.GiveBack();
        }

        return await _state.WaitAsync(sequence).ConfigureAwait(false);
    }
}
