// The one place that drives FASTER: byte keys and byte values in, no log, no schema, no decision about recovery.
//
// Changes: the caller orders those of one stripe of keys, and holds all of them back while a checkpoint draws its line (EngineCheckpoints.cs). Reads: any time. Whatever FASTER reports, an operation that ends with
// the log device failed throws: its answer may rest on bytes that were never there.

using FASTER.core;
using Store.Faster.Checkpoints;
using Store.IO;
using Session = FASTER.core.ClientSession<FASTER.core.SpanByte, FASTER.core.SpanByte, Store.Faster.Engine.EngineInput, Store.Faster.Engine.ReadResult, FASTER.core.Empty, Store.Faster.Engine.SpanByteCallbacks>;

namespace Store.Faster.Engine;

/// <summary>A FASTER store over a folder. Safe for any number of threads, except as said.</summary>
internal sealed unsafe class FasterEngine : IDisposable
{
    /// <summary>Bytes a record takes besides key and value: FASTER's header, two lengths, padding of both to eight.</summary>
    internal const int RecordOverheadBytes = 8 + 4 + 7 + 4 + 7;

    /// <summary>The session serial number that keeps FASTER from listing the session in every later checkpoint.</summary>
    private const long NoSerial = -1;

    [ThreadStatic] private static Queue<Action>? _idleQueue;

    private readonly FasterKV<SpanByte, SpanByte> _kv;
    private readonly SessionPool _sessions;
    private readonly int _pageSizeBytes;
    private EngineMemory? _memory;

    /// <summary>Creates an empty engine. Files of an earlier one are there for <see cref="EngineCheckpoints.Recover"/>.</summary>
    /// <param name="directory">The folder.</param>
    /// <param name="options">Settings.</param>
    /// <param name="lastLogSegment">Highest file of the record log that exists.</param>
    /// <param name="pieces">Checksums of what is in those files, owned by the engine from here on; null when there are none.</param>
    public FasterEngine(IStoreDirectory directory, FasterOptions options, int lastLogSegment = 0, PieceChecksums? pieces = null)
    {
        _pageSizeBytes = options.PageSizeBytes;
        Log = StoreDevice.Segmented(directory, CheckpointNames.LogSegment, lastLogSegment, pieces ?? new PieceChecksums());
        var devices = new CheckpointDevices(directory);
        _kv = new FasterKV<SpanByte, SpanByte>(
            options.IndexSizeBytes / FasterOptions.HashBucketBytes,
            new LogSettings
            {
                LogDevice = Log,
                PageSizeBits = options.PageSizeBits,
                MemorySizeBits = options.MemorySizeBits,
                SegmentSizeBits = options.RecordFileSizeBits,
            },
            new CheckpointSettings { CheckpointManager = devices },
            comparer: new KeyComparer(),
            tryRecoverLatest: false,

            // Changes of a key come one after another, and a read notices one that it meets: Overwrites.cs.
            concurrencyControlMode: ConcurrencyControlMode.None);
        _memory = FindMemory();
        _sessions = new SessionPool(_kv, options.MaxSessions);
        Checkpoints = new EngineCheckpoints(_kv, _sessions, Log, devices, options.PageSizeBytes);
    }

    /// <summary>The device of the record log: its failure is the engine's.</summary>
    public StoreDevice Log { get; }

    /// <summary>Its checkpoints.</summary>
    public EngineCheckpoints Checkpoints { get; }

    /// <summary>First address of the log that is not in memory any more, or was not written: what lies below is read from the disk.</summary>
    public long HeadAddress => _kv.Log.HeadAddress;

    /// <summary>Where the record log begins: what lies below was given up.</summary>
    public long BeginAddress => _kv.Log.BeginAddress;

    /// <summary>Where the next record goes.</summary>
    public long TailAddress => _kv.Log.TailAddress;

    /// <summary>Sessions opened so far.</summary>
    public int SessionsOpened => _sessions.Opened;

    public SessionPool Sessions => _sessions;

    /// <summary>True when a record of these lengths fits a page. Longer ones FASTER refuses only after they were promised.</summary>
    public bool Fits(int keyBytes, int valueBytes) => Fits(_pageSizeBytes, keyBytes, valueBytes);

    /// <summary>As the other form, of pages of a size.</summary>
    public static bool Fits(int pageSizeBytes, int keyBytes, int valueBytes) => (long)keyBytes + valueBytes + RecordOverheadBytes <= pageSizeBytes;

    /// <summary>Where FASTER's memory is; null when it is not where it was expected.</summary>
    public EngineMemory? Memory
    {
        get
        {
            // Recovery from a checkpoint with an index of another size replaces it.
            if (_memory is { } known && known.BucketCount != _kv.IndexSize) _memory = FindMemory();
            return _memory;
        }
    }

    /// <summary>Sets a value. When the old one is on the disk it is read, to know that it is there.</summary>
    /// <returns>True when the key was there.</returns>
    public bool Put(ReadOnlySpan<byte> key, ReadOnlySpan<byte> value)
    {
        Session session = _sessions.Rent();
        bool done = false;
        Status status;
        try
        {
            fixed (byte* keyBytes = key, valueBytes = value)
            {
                SpanByte keySpan = SpanByte.FromPointer(keyBytes, key.Length);
                var input = new EngineInput(valueBytes, value.Length, key.Length);
                ReadResult unused = default;
                do
                {
                    status = session.RMW(ref keySpan, ref input, ref unused, default, NoSerial);
                    if (status.IsPending) (_, status) = CompletePending(session);
                }
                while (status.IsCanceled); // By a callback, for the place that it was to be put in.
            }

            done = true;
        }
        finally
        {
            GiveBack(session, done);
        }

        Log.ThrowIfFailed();
        return status.IsFaulted || status.IsPending ? throw new FasterException($"A put ended as '{status}'.") : status.Found;
    }

    /// <summary>Sets a value without a look at what is there.</summary>
    public void Upsert(ReadOnlySpan<byte> key, ReadOnlySpan<byte> value)
    {
        Session session = _sessions.Rent();
        bool done = false;
        try
        {
            fixed (byte* keyBytes = key, valueBytes = value)
            {
                SpanByte keySpan = SpanByte.FromPointer(keyBytes, key.Length);
                var input = new EngineInput(valueBytes, value.Length, key.Length);
                byte* room = stackalloc byte[EngineInput.LeastRoomBytes];
                SpanByte roomSpan = SpanByte.FromPointer(input.RoomBytes > value.Length ? room : valueBytes, input.RoomBytes);
                ReadResult unused = default;
                Status status;
                do status = session.Upsert(ref keySpan, ref input, ref roomSpan, ref unused, default, NoSerial);
                while (status.IsCanceled); // As of a put.
                if (status.IsPending || status.IsFaulted) throw new FasterException($"An upsert ended as '{status}'.");
            }

            done = true;
        }
        finally
        {
            GiveBack(session, done);
        }

        Log.ThrowIfFailed();
    }

    /// <summary>Removes a key.</summary>
    public void Delete(ReadOnlySpan<byte> key)
    {
        Session session = _sessions.Rent();
        bool done = false;
        try
        {
            fixed (byte* keyBytes = key)
            {
                SpanByte keySpan = SpanByte.FromPointer(keyBytes, key.Length);
                Status status = session.Delete(ref keySpan, default, NoSerial);
                if (status.IsPending || status.IsFaulted || status.IsCanceled) throw new FasterException($"A deletion ended as '{status}'.");
            }

            done = true;
        }
        finally
        {
            GiveBack(session, done);
        }

        Log.ThrowIfFailed();
    }

    /// <summary>The end of the part of the record log that does not change any more, in whole pages.</summary>
    public long SettledAddress => _kv.Log.SafeReadOnlyAddress - (_kv.Log.SafeReadOnlyAddress % _pageSizeBytes);

    /// <summary>Gives up the records below an address. Whatever lives must have been moved behind it, and nobody may scan.</summary>
    public void GiveUpBelow(long address)
    {
        _kv.Log.ShiftBeginAddress(address);
        Log.ThrowIfFailed();
    }

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

    /// <summary>As <see cref="TryRead(ReadOnlySpan{byte}, out ReadResult)"/>; a read from the disk is done on a thread of the pool, and the key is not needed after the return.</summary>
    public ValueTask<EngineRead> TryReadAsync(ReadOnlySpan<byte> key, ReadMode mode)
    {
        long begin = BeginAddress;

        // Made before a session is rented: where there is no memory for it, nothing is in hand.
        Queue<Action> held = _idleQueue ??= new Queue<Action>();
        if (!_sessions.TryRent(out Session? session)) return ReadWhenFree(key.ToArray(), mode);
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
                    status = session.Read(ref keySpan, ref input, ref result, default, NoSerial);
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
            if (!done) GiveBack(session, intact: false);
        }

        if (status.IsPending) return CompleteLater(session, held, key, mode, begin);

        // A read of somebody else's may have been begun on this thread: FASTER hands its chores to whoever passes by.
        if (held.Count > 0) DeferredReads.Run(held);
        _idleQueue = held;
        GiveBack(session, intact: true);
        bool isThere = Settle(Finish(status, ref result), begin, key, mode, ref result);
        return new ValueTask<EngineRead>(new EngineRead(isThere, result));
    }

    private ValueTask<EngineRead> ReadWhenFree(byte[] key, ReadMode mode) => new(_sessions.RunWhenFreeAsync(session =>
    {
        long begin = BeginAddress;
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

    /// <summary>As <see cref="TryRead(ReadOnlySpan{byte}, out ReadResult)"/>, telling where the record is, so that the caller knows whether it has met the same one before. The key's changes are held back by the caller.</summary>
    public bool TryFind(ReadOnlySpan<byte> key, ReadMode mode, out ReadResult result, out long address)
    {
        result = default;
        bool isThere = Read(key, mode, ref result);
        address = result.Address;
        return isThere;
    }

    /// <summary>Begins to walk over the records up to an address.</summary>
    public EngineScan Scan(long endAddress) => new(this, _kv, _sessions, endAddress, _pageSizeBytes);

    /// <summary>Waits for the operations under way and releases everything. Writes nothing.</summary>
    public void Dispose()
    {
        _sessions.Dispose();
        Checkpoints.CloseSession();
        _kv.Dispose();
        Checkpoints.CloseFiles();
        Log.Close();
    }

    private bool Read(ReadOnlySpan<byte> key, ReadMode mode, ref ReadResult result)
    {
        long begin = BeginAddress;
        return Settle(ReadWith(_sessions.Rent(), key, mode, ref result), begin, key, mode, ref result);
    }

    // A lookup that meets the record that compaction has just given up finds nothing, though the key lives on at the end of the log: FASTER moves its beginning without waiting for lookups
    // under way. So "nothing" counts only when the log began at the same place before and after.
    private bool Settle(bool isThere, long begin, ReadOnlySpan<byte> key, ReadMode mode, ref ReadResult result)
    {
        while (!isThere && begin != BeginAddress)
        {
            begin = BeginAddress;
            isThere = ReadWith(_sessions.Rent(), key, mode, ref result);
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
                status = session.Read(ref keySpan, ref input, ref result, default, NoSerial);
            }

            if (status.IsPending) (result, status) = CompletePending(session);
            done = true;
        }
        finally
        {
            GiveBack(session, done);
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
            GiveBack(session, done);
        }

        return Finish(status, ref result);
    }

    /// <summary>Waits for the disk. One request was pending, so one output comes back.</summary>
    private static (ReadResult Result, Status Status) CompletePending(Session session)
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
        if (Log.Failure is null && result.Failure is null && !status.IsFaulted && !status.IsCanceled) return status.Found;
        result.Release();
        Log.ThrowIfFailed();
        throw result.Failure is { } failure ? new ValueMemoryException(failure) : new FasterException($"A read ended as '{status}'.");
    }

    private EngineMemory? FindMemory()
    {
        EngineMemory? memory = EngineMemory.Find(_kv);
        LargePages.AskFor(memory);
        return memory;
    }

    private void GiveBack(Session session, bool intact)
    {
        if (intact) _sessions.Return(session);
        else _sessions.Discard();
    }
}
