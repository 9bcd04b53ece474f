// How are many keys read by one call? In groups: the keys of a group are encoded, their buckets are asked for, then their records, and only then are they read. The processor waits for memory once for
// all of them instead of twice for each (Engine/MemoryPrefetch.cs).

using Store.Faster.Engine;
using Store.KeyValue;
using Store.KeyValue.Changes;

namespace Store.Faster;

/// <summary>The reads of several keys of a keyed state. Safe for any number of threads.</summary>
/// <param name="store">Decodes.</param>
/// <param name="state">Reads.</param>
/// <param name="format">Encodes keys.</param>
internal sealed class FasterBatchReads<TKey, TValue>(FasterKeyValueStore<TKey, TValue> store, KeyedState state, ChangeFormat<TKey, TValue> format)
{
    // What is asked for must still be in the nearest cache when it is read: at most five lines a key of its 512.
    private const int GroupSize = 32;

    // Of a record whose length is not known yet.
    private const int AskedBytes = 256;

    public int TryGet(ReadOnlySpan<TKey> keys, Span<KeyValueResult<TValue>> results)
    {
        if (results.Length < keys.Length) throw new ArgumentException($"{results.Length} places for the values of {keys.Length} keys. Nothing was read.", nameof(results));
        int found = 0;
        for (int start = 0; start < keys.Length; start += GroupSize)
        {
            int count = Math.Min(GroupSize, keys.Length - start);
            found += TryGetGroup(keys.Slice(start, count), results.Slice(start, count));
        }

        // Of no keys too, a closed state is none.
        state.Health.ThrowIfUnusable();
        return found;
    }

    public ValueTask<KeyValueResult<TValue>[]> TryGetAsync(ReadOnlySpan<TKey> keys, CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        state.Health.ThrowIfUnusable();
        var results = new KeyValueResult<TValue>[keys.Length];
        int[] ends = new int[keys.Length];
        ChangeBuffer buffer = ChangeBuffer.Take();
        bool isHandedOn = false;
        try
        {
            for (int i = 0; i < keys.Length; i++) ends[i] = StartOf(ends, i) + format.EncodeKey((System.Buffers.IBufferWriter<byte>)buffer, keys[i]);
            for (int i = 0; i < keys.Length; i++)
            {
                ValueTask<EngineRead> read = state.TryReadAsync(KeyAt(buffer, ends, i), ReadMode.Value);
                if (!read.IsCompletedSuccessfully)
                {
                    isHandedOn = true;
                    ValueTask<KeyValueResult<TValue>[]> later = RestAsync(read, i, buffer, ends, results);
                    return cancellationToken.CanBeCanceled ? new ValueTask<KeyValueResult<TValue>[]>(later.AsTask().WaitAsync(cancellationToken)) : later;
                }

                results[i] = store.Decode(read.Result);
            }

            return new ValueTask<KeyValueResult<TValue>[]>(results);
        }
        finally
        {
            if (!isHandedOn) buffer.GiveBack();
        }
    }

    private static int StartOf(ReadOnlySpan<int> ends, int index) => index == 0 ? 0 : ends[index - 1];

    private static ReadOnlyMemory<byte> KeyAt(ChangeBuffer buffer, int[] ends, int index) => buffer.Bytes.AsMemory(StartOf(ends, index), ends[index] - StartOf(ends, index));

    // The values are read to behind the keys; one that does not fit makes room for the next group.
    private int TryGetGroup(ReadOnlySpan<TKey> keys, Span<KeyValueResult<TValue>> results)
    {
        Span<int> ends = stackalloc int[GroupSize];
        Span<ulong> hashes = stackalloc ulong[GroupSize];
        ChangeBuffer buffer = ChangeBuffer.Take();
        try
        {
            for (int i = 0; i < keys.Length; i++)
            {
                int length = format.EncodeKey((System.Buffers.IBufferWriter<byte>)buffer, keys[i]);
                ends[i] = StartOf(ends, i) + length;
                if (!state.Prefetch.IsActive) continue;
                hashes[i] = KeyHash.Compute(buffer.Bytes.AsSpan(ends[i] - length, length));
                state.Prefetch.Bucket(hashes[i]);
            }

            buffer.KeyEnd = ends[keys.Length - 1];
            if (state.Prefetch.IsActive)
                foreach (ulong hash in hashes[..keys.Length]) state.Prefetch.Record(hash, AskedBytes);

            int found = 0;
            for (int i = 0; i < keys.Length; i++)
            {
                ReadResult result = new() { Bytes = buffer.Bytes, Start = buffer.KeyEnd };
                try
                {
                    int start = StartOf(ends, i);
                    bool isThere = state.TryRead(buffer.Bytes.AsSpan(start, ends[i] - start), ref result);
                    results[i] = isThere ? new KeyValueResult<TValue>(true, format.DecodeValue(result.Value)) : default;
                    if (isThere) found++;
                    if (result.IsRented) buffer.MakeRoomBehindKey(result.LengthBytes);
                }
                finally
                {
                    result.Release();
                }
            }

            return found;
        }
        finally
        {
            buffer.GiveBack();
        }
    }

    // From the first that is on the disk on: on a thread of the pool, with a few reads under way at once. When one fails the others end by themselves.
    private async ValueTask<KeyValueResult<TValue>[]> RestAsync(ValueTask<EngineRead> first, int index, ChangeBuffer buffer, int[] ends, KeyValueResult<TValue>[] results)
    {
        try
        {
            results[index] = store.Decode(await first.ConfigureAwait(false));
            var pending = new Queue<(int Index, ValueTask<EngineRead> Read)>();
            for (int i = index + 1; i < ends.Length; i++)
            {
                pending.Enqueue((i, state.TryReadAsync(KeyAt(buffer, ends, i), ReadMode.Value)));
                if (pending.Count == state.ReadsAtOnce) await TakeNextAsync().ConfigureAwait(false);
            }

            while (pending.Count > 0) await TakeNextAsync().ConfigureAwait(false);
            return results;

            async ValueTask TakeNextAsync()
            {
                (int next, ValueTask<EngineRead> read) = pending.Dequeue();
                results[next] = store.Decode(await read.ConfigureAwait(false));
            }
        }
        finally
        {
            buffer.GiveBack();
        }
    }
}
