// Reading by key: at once, or off the calling thread when the value is on the disk. A session is rented for each read and is back before the answer is.

using FASTER.core;
using Session = FASTER.core.ClientSession<FASTER.core.SpanByte, FASTER.core.SpanByte, Store.Faster.Engine.EngineInput, Store.Faster.Engine.ReadResult, FASTER.core.Empty, Store.Faster.Engine.SpanByteCallbacks>;

namespace Store.Faster.Engine;

/// <summary>Reads single records of an engine. Safe for any number of threads, at any time. A read that ends with the log device failed throws: its answer may rest on bytes that were never there.</summary>
/// <param name="kv">The engine's store.</param>
/// <param name="sessions">Its sessions.</param>
/// <param name="log">The device of its record log.</param>
internal sealed unsafe class EngineReads(FasterKV<SpanByte, SpanByte> kv, SessionPool sessions, StoreDevice log)
{
    [ThreadStatic] private static Queue<Action>? _idleQueue;

    /// <summary>True when the key is there.</summary>
    public bool Contains(ReadOnlySpan<byte> key)
    {
        ReadResult unused = default;
        return Read(key, ReadMode.Presence, ref unused);
    }

    /// <summary>Reads a value. The caller releases the result.</summary>
    public bool TryRead(ReadOnlySpan<byte> key, out ReadResult result)
    {
        result = default;
        return Read(key, ReadMode.Value, ref result);
    }

    /// <summary>As <see cref="TryRead(ReadOnlySpan{byte}, out ReadResult)"/>, into the array that the result has when there is room.</summary>
    public bool TryReadInto(ReadOnlySpan<byte> key, ref ReadResult result) => Read(key, ReadMode.Value, ref result);

    /// <summary>As <see cref="TryRead(ReadOnlySpan{byte}, out ReadResult)"/>, telling where the record is, so that the caller knows whether it has met the same one before. The key's changes are held back by the caller.</summary>
    public bool TryFind(ReadOnlySpan<byte> key, ReadMode mode, out ReadResult result, out long address)
    {
        result = default;
        bool isThere = Read(key, mode, ref result);
        address = result.Address;
        return isThere;
    }

    /// <summary>As <see cref="TryRead(ReadOnlySpan{byte}, out ReadResult)"/>; a read from the disk is done on a thread of the pool, and the key is not needed after the return.</summary>
    public ValueTask<EngineRead> TryReadAsync(ReadOnlySpan<byte> key, ReadMode mode)
    {
        long begin = kv.Log.BeginAddress;

        // Made before a session is rented: where there is no memory for it, nothing is in hand.
        Queue<Action> held = _idleQueue ??= new Queue<Action>();
        if (!sessions.TryRent(out Session? session)) return ReadWhenFree(key.ToArray(), mode);
        _idleQueue = null;
        ReadResult result = default;
        bool done = false;
        Status status;
        try
        {
            DeferredReads.Hold(held);
            try
            {
                fixed (byte* keyBytes = key)
                {
                    SpanByte keySpan = SpanByte.FromPointer(keyBytes, key.Length);
                    var input = new EngineInput(mode);
                    status = session.Read(ref keySpan, ref input, ref result, default, FasterEngine.NoSerial);
                }
            }
            finally
            {
                DeferredReads.StopHolding();
            }

            done = true;
        }
        finally
        {
            if (!done) sessions.GiveBack(session, intact: false);
        }

        if (status.IsPending) return CompleteLater(session, held, key, mode, begin);

        // A read of somebody else's may have been begun on this thread: FASTER hands its chores to whoever passes by.
        if (held.Count > 0) DeferredReads.Run(held);
        _idleQueue = held;
        sessions.GiveBack(session, intact: true);
        bool isThere = Settle(Finish(status, ref result), begin, key, mode, ref result);
        return new ValueTask<EngineRead>(new EngineRead(isThere, result));
    }

    private ValueTask<EngineRead> ReadWhenFree(byte[] key, ReadMode mode) => new(sessions.RunWhenFreeAsync(session =>
    {
        long begin = kv.Log.BeginAddress;
        ReadResult result = default;
        bool isThere = Settle(ReadWith(session, key, mode, ref result), begin, key, mode, ref result);
        return new EngineRead(isThere, result);
    }));

    private ValueTask<EngineRead> CompleteLater(Session session, Queue<Action> held, ReadOnlySpan<byte> key, ReadMode mode, long begin)
    {
        try
        {
            return new ValueTask<EngineRead>(Complete(session, held, key.ToArray(), mode, begin));
        }
        catch (OutOfMemoryException)
        {
            // Here then, which blocks: else nobody would give the session back, and closing would wait for it.
            bool isThere = CompleteRead(session, held, out ReadResult result);
            return new ValueTask<EngineRead>(new EngineRead(Settle(isThere, begin, key, mode, ref result), result));
        }
    }

    // A method of its own: what the lambda captures would be allocated by every read that is not pending too.
    private Task<EngineRead> Complete(Session session, Queue<Action> held, byte[] key, ReadMode mode, long begin) => Task.Run(() =>
    {
        bool isThere = CompleteRead(session, held, out ReadResult result);
        return new EngineRead(Settle(isThere, begin, key, mode, ref result), result);
    });

    private bool Read(ReadOnlySpan<byte> key, ReadMode mode, ref ReadResult result)
    {
        long begin = kv.Log.BeginAddress;
        return Settle(ReadWith(sessions.Rent(), key, mode, ref result), begin, key, mode, ref result);
    }

    // A lookup that meets the record that compaction has just given up finds nothing, though the key lives on at the end of the log: FASTER moves its beginning without waiting for lookups
    // under way. So "nothing" counts only when the log began at the same place before and after.
    private bool Settle(bool isThere, long begin, ReadOnlySpan<byte> key, ReadMode mode, ref ReadResult result)
    {
        while (!isThere && begin != kv.Log.BeginAddress)
        {
            begin = kv.Log.BeginAddress;
            isThere = ReadWith(sessions.Rent(), key, mode, ref result);
        }

        return isThere;
    }

    /// <summary>Gives the session back.</summary>
    private bool ReadWith(Session session, ReadOnlySpan<byte> key, ReadMode mode, ref ReadResult result)
    {
        bool done = false;
        Status status;
        try
        {
            fixed (byte* keyBytes = key)
            {
                SpanByte keySpan = SpanByte.FromPointer(keyBytes, key.Length);
                var input = new EngineInput(mode);
                status = session.Read(ref keySpan, ref input, ref result, default, FasterEngine.NoSerial);
            }

            if (status.IsPending) (result, status) = CompletePending(session);
            done = true;
        }
        finally
        {
            sessions.GiveBack(session, done);
        }

        return Finish(status, ref result);
    }

    private bool CompleteRead(Session session, Queue<Action> held, out ReadResult result)
    {
        bool done = false;
        Status status;
        try
        {
            DeferredReads.Run(held);
            (result, status) = CompletePending(session);
            done = true;
        }
        finally
        {
            sessions.GiveBack(session, done);
        }

        return Finish(status, ref result);
    }

    /// <summary>Waits for the disk. One request was pending, so one output comes back.</summary>
    public static (ReadResult Result, Status Status) CompletePending(Session session)
    {
        session.CompletePendingWithOutputs(out var outputs, wait: true);
        using (outputs)
        {
            if (!outputs.Next()) throw new FasterException("A pending operation brought no output.");
            return (outputs.Current.Output, outputs.Current.Status);
        }
    }

    /// <summary>What a completed read amounts to: true when the key is there. When it failed, its buffer is returned here and forgotten, so that nobody returns it again.</summary>
    private bool Finish(Status status, ref ReadResult result)
    {
        if (log.Failure is null && result.Failure is null && !status.IsFaulted && !status.IsCanceled) return status.Found;
        result.Release();
        log.ThrowIfFailed();
        throw result.Failure is { } failure ? new ValueMemoryException(failure) : new FasterException($"A read ended as '{status}'.");
    }
}
