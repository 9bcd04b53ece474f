// How does a change that must look at the disk first not block its caller? It looks without a lock and without waiting; when the answer has to come from the disk, the change is made where it arrives, on a thread of the
// pool, which may block. What was found is used when it still holds under the lock (KeySighting.cs), so that the disk is read once. From the moment of the call the change is under way: cancelling gives up the wait for it.

using Store.Buffers;
using Store.Faster.Engine;
using Store.KeyValue;
using Store.KeyValue.Changes;
using Store.Serialization;

namespace Store.Faster;

/// <summary>The changes of a keyed state that may wait for a read. Safe for any number of threads.</summary>
/// <param name="store">Makes the changes.</param>
/// <param name="state">Tells what is there.</param>
/// <param name="format">Encodes keys.</param>
internal sealed class FasterAsyncChanges<TKey, TValue>(FasterKeyValueStore<TKey, TValue> store, KeyedState state, ChangeFormat<TKey, TValue> format)
{
    /// <summary>A change that was not made yet, encoded in a buffer that it owns.</summary>
    private interface IChange<TResult>
    {
        /// <summary>Makes it.</summary>
        /// <param name="store">Where.</param>
        /// <param name="read">What was found of its key.</param>
        /// <param name="version">How far the key's stripe had come before that.</param>
        /// <param name="result">What the caller gets when it is durable.</param>
        /// <returns>True when there is something to wait for.</returns>
        bool Make(FasterKeyValueStore<TKey, TValue> store, in EngineRead read, long version, out TResult result);

        /// <summary>Gives the buffer back.</summary>
        void GiveBack();
    }

    // As MakeAsync, but what is waited for is the sequence itself: nothing is allocated for it.
    public ValueTask<long> PutAsync(TKey key, TValue value, CancellationToken cancellationToken)
    {
        Check(cancellationToken);
        ChangeBuffer buffer = ChangeBuffer.Take();
        format.EncodePut(buffer, key, value, state.Prefetch);
        var put = new Putting(buffer);
        long version = state.VersionOf(buffer.Key);
        ValueTask<EngineRead> presence = state.TryReadAsync(buffer.KeyMemory, ReadMode.Presence);
        if (!presence.IsCompletedSuccessfully) return Wait(MakeLaterAsync<Putting, long>(presence, version, put), cancellationToken);
        Make(ref put, presence.Result, version, out long sequence);
        return state.WaitAsync(sequence, cancellationToken);
    }

    public ValueTask<bool> DeleteAsync(TKey key, CancellationToken cancellationToken)
    {
        Check(cancellationToken);
        ChangeBuffer buffer = ChangeBuffer.Take();
        format.EncodeDelete(buffer, key);
        return MakeAsync<Deletion, bool>(buffer.KeyMemory, ReadMode.Presence, new Deletion(buffer), cancellationToken);
    }

    public ValueTask<KeyValueUpdated<TUpdate>> UpdateAsync<TUpdate>(TKey key, TUpdate update, CancellationToken cancellationToken) where TUpdate : struct, IKeyValueUpdate<TValue>
    {
        Check(cancellationToken);
        ChangeBuffer buffer = ChangeBuffer.Take();
        format.EncodeKey(buffer, key);
        return MakeAsync<Update<TUpdate>, KeyValueUpdated<TUpdate>>(buffer.KeyMemory, ReadMode.Value, new Update<TUpdate>(buffer, update), cancellationToken);
    }

    public ValueTask<long> PutBatchAsync(ReadOnlySpan<KeyValuePair<TKey, TValue>> pairs, CancellationToken cancellationToken)
    {
        Check(cancellationToken);
        RecordBuffer buffer = RecordBuffer.Rent(NinoStore.MaxBatchBytes, "batch");
        bool isHandedOn = false;
        try
        {
            store.EncodeBatch(buffer, pairs);
            return MakeBatchAsync<Puts, long>(buffer, new Puts(buffer, pairs.Length), ref isHandedOn, cancellationToken);
        }
        finally
        {
            if (!isHandedOn) buffer.Return();
        }
    }

    public ValueTask<int> DeleteBatchAsync(ReadOnlySpan<TKey> keys, CancellationToken cancellationToken)
    {
        Check(cancellationToken);
        RecordBuffer buffer = RecordBuffer.Rent(NinoStore.MaxBatchBytes, "batch");
        bool isHandedOn = false;
        try
        {
            store.EncodeBatch(buffer, keys);
            return MakeBatchAsync<Deletions, int>(buffer, new Deletions(buffer), ref isHandedOn, cancellationToken);
        }
        finally
        {
            if (!isHandedOn) buffer.Return();
        }
    }

    private static ValueTask<T> Wait<T>(ValueTask<T> done, CancellationToken cancellationToken) =>
        !cancellationToken.CanBeCanceled || done.IsCompleted ? done : new ValueTask<T>(done.AsTask().WaitAsync(cancellationToken));

    private void Check(CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        state.Health.ThrowIfInCallback();
    }

    private ReadOnlyMemory<byte> TakeKey(ref ReadOnlyMemory<byte> rest)
    {
        var reader = new NinoReader(rest.Span);
        int length = checked((int)reader.ReadCompact());
        ReadOnlyMemory<byte> record = rest.Slice(reader.Position, length);
        rest = rest[(reader.Position + length)..];
        ChangeParts parts = format.Locate(record.Span);
        return record[parts.KeyStart..parts.KeyEnd];
    }

    private ValueTask<TResult> MakeAsync<TChange, TResult>(ReadOnlyMemory<byte> key, ReadMode mode, TChange change, CancellationToken cancellationToken) where TChange : struct, IChange<TResult>
    {
        long version = state.VersionOf(key.Span);
        ValueTask<EngineRead> read = state.TryReadAsync(key, mode);
        if (!read.IsCompletedSuccessfully) return Wait(MakeLaterAsync<TChange, TResult>(read, version, change), cancellationToken);

        // In memory, or nowhere: should it have changed meanwhile, looking once more under the lock does not block.
        if (!Make(ref change, read.Result, version, out TResult result)) return new ValueTask<TResult>(result);
        ValueTask<long> durable = state.WaitAsync(0);
        if (!durable.IsCompletedSuccessfully) return Wait(ThenAsync(durable, result), cancellationToken);
        _ = durable.Result;
        return new ValueTask<TResult>(result);
    }

    private async ValueTask<TResult> MakeLaterAsync<TChange, TResult>(ValueTask<EngineRead> read, long version, TChange change) where TChange : struct, IChange<TResult>
    {
        EngineRead found;
        try
        {
            found = await read.ConfigureAwait(false);
        }
        catch
        {
            change.GiveBack();
            throw;
        }

        if (Make(ref change, found, version, out TResult result)) await state.WaitAsync(0).ConfigureAwait(false);
        return result;
    }

    private bool Make<TChange, TResult>(ref TChange change, in EngineRead read, long version, out TResult result) where TChange : struct, IChange<TResult>
    {
        try
        {
            return change.Make(store, read, version, out result);
        }
        finally
        {
            read.Result.Release();
            change.GiveBack();
        }
    }

    /// <param name="buffer">The encoded changes.</param>
    /// <param name="batch">Makes them.</param>
    /// <param name="isHandedOn">Becomes true when the buffer is not the caller's any more.</param>
    /// <param name="cancellationToken">Gives up the wait.</param>
    private ValueTask<TResult> MakeBatchAsync<TBatch, TResult>(RecordBuffer buffer, TBatch batch, ref bool isHandedOn, CancellationToken cancellationToken) where TBatch : struct, IChange<TResult>
    {
        for (ReadOnlyMemory<byte> rest = buffer.WrittenMemory; !rest.IsEmpty;)
        {
            ValueTask<EngineRead> presence = state.TryReadAsync(TakeKey(ref rest), ReadMode.Presence);
            if (presence.IsCompletedSuccessfully)
            {
                _ = presence.Result;
                continue;
            }

            isHandedOn = true;
            return Wait(MakeLaterAsync<TBatch, TResult>(presence, KeySighting.None.Version, batch), cancellationToken);
        }

        isHandedOn = true;
        return Make(ref batch, default, KeySighting.None.Version, out TResult result) ? Wait(ThenAsync(state.WaitAsync(0), result), cancellationToken) : new ValueTask<TResult>(result);
    }

    private static async ValueTask<TResult> ThenAsync<TResult>(ValueTask<long> durable, TResult result)
    {
        await durable.ConfigureAwait(false);
        return result;
    }

    private readonly struct Putting(ChangeBuffer buffer) : IChange<long>
    {
        public bool Make(FasterKeyValueStore<TKey, TValue> store, in EngineRead read, long version, out long result)
        {
            result = store.Put(buffer, new KeySighting(read.IsThere, read.Result.Address, version));
            return true;
        }

        public void GiveBack() => buffer.GiveBack();
    }

    private readonly struct Deletion(ChangeBuffer buffer) : IChange<bool>
    {
        public bool Make(FasterKeyValueStore<TKey, TValue> store, in EngineRead read, long version, out bool result) =>
            result = store.Delete(buffer, new KeySighting(read.IsThere, read.Result.Address, version)) != 0;

        public void GiveBack() => buffer.GiveBack();
    }

    private struct Update<TUpdate>(ChangeBuffer buffer, TUpdate update) : IChange<KeyValueUpdated<TUpdate>> where TUpdate : struct, IKeyValueUpdate<TValue>
    {
        private TUpdate _update = update;

        public bool Make(FasterKeyValueStore<TKey, TValue> store, in EngineRead read, long version, out KeyValueUpdated<TUpdate> result)
        {
            long sequence = store.Update(buffer, ref _update, read, version);
            result = new KeyValueUpdated<TUpdate>(sequence, _update);
            return sequence != 0;
        }

        public readonly void GiveBack() => buffer.GiveBack();
    }

    private readonly struct Puts(RecordBuffer buffer, int count) : IChange<long>
    {
        public bool Make(FasterKeyValueStore<TKey, TValue> store, in EngineRead read, long version, out long result)
        {
            result = store.PutBatch(buffer, count);
            return true;
        }

        public void GiveBack() => buffer.Return();
    }

    private readonly struct Deletions(RecordBuffer buffer) : IChange<int>
    {
        public bool Make(FasterKeyValueStore<TKey, TValue> store, in EngineRead read, long version, out int result)
        {
            result = store.DeleteBatch(buffer);
            return result > 0;
        }

        public void GiveBack() => buffer.Return();
    }
}
