// The one place that drives FASTER: byte keys and byte values in, no log, no schema, no decision about recovery.
//
// Changes: the caller orders those of one stripe of keys, and holds all of them back while a checkpoint draws its line (EngineCheckpoints.cs). Reads: any time (EngineReads.cs). Whatever FASTER reports, an operation that ends with
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
    internal const long NoSerial = -1;

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
        Reads = new EngineReads(_kv, _sessions, Log);
        Checkpoints = new EngineCheckpoints(_kv, _sessions, Log, devices, options.PageSizeBytes);
    }

    /// <summary>The device of the record log: its failure is the engine's.</summary>
    public StoreDevice Log { get; }

    /// <summary>Reading by key.</summary>
    public EngineReads Reads { get; }

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
                    if (status.IsPending) (_, status) = EngineReads.CompletePending(session);
                }
                while (status.IsCanceled); // By a callback, for the place that it was to be put in.
            }

            done = true;
        }
        finally
        {
            _sessions.GiveBack(session, done);
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
            _sessions.GiveBack(session, done);
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
            _sessions.GiveBack(session, done);
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

    private EngineMemory? FindMemory()
    {
        EngineMemory? memory = EngineMemory.Find(_kv);
        LargePages.AskFor(memory);
        return memory;
    }
}
