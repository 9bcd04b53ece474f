// Which records does FASTER's log hold, from its beginning to an address? All of them, in order: old versions too, but no deletions. Whether a record is the one its key leads to is the caller's
// question, asked under the key's lock: records that were replaced in memory, by this process, do not come, so no rule about addresses alone finds every key (KeyedScan.cs).
//
// What is in memory FASTER walks over, what is on the disk this does (RecordPage.cs says why). A page leaves memory while it is walked over: then the walk goes on in the file.

using FASTER.core;
using Session = FASTER.core.ClientSession<FASTER.core.SpanByte, FASTER.core.SpanByte, Store.Faster.Engine.EngineInput, Store.Faster.Engine.ReadResult, FASTER.core.Empty, Store.Faster.Engine.SpanByteCallbacks>;

namespace Store.Faster.Engine;

/// <summary>One walk over the log. Not thread-safe; beside it any thread may read and change.</summary>
internal sealed class EngineScan : IDisposable
{
    private readonly FasterEngine _engine;
    private readonly FasterKV<SpanByte, SpanByte> _kv;
    private readonly SessionPool _sessions;
    private readonly RecordPage _page;
    private IFasterScanIterator<SpanByte, SpanByte>? _inMemory;
    private long _next;

    /// <param name="engine">The engine.</param>
    /// <param name="kv">Its store.</param>
    /// <param name="sessions">Its sessions.</param>
    /// <param name="endAddress">Where it ends.</param>
    /// <param name="pageSizeBytes">Page of the record log.</param>
    public EngineScan(FasterEngine engine, FasterKV<SpanByte, SpanByte> kv, SessionPool sessions, long endAddress, int pageSizeBytes)
    {
        (_engine, _kv, _sessions, EndAddress) = (engine, kv, sessions, endAddress);
        _page = new RecordPage(engine.Log, pageSizeBytes);
        _next = kv.Log.BeginAddress;
    }

    /// <summary>Records from here on do not come.</summary>
    public long EndAddress { get; }

    /// <summary>The next record's key, which the caller releases, and its address.</summary>
    public bool TryNext(out ReadResult key, out long address)
    {
        // The session is not needed for walking, but holding one keeps the engine from being closed underneath.
        Session session = _sessions.Rent();
        bool done = false;
        try
        {
            bool found = false;
            (key, address) = (default, 0);
            while (!found && _next < EndAddress) found = _next < _engine.HeadAddress ? TryNextOnDisk(out key, out address) : TryNextInMemory(out key, out address);
            done = true;
            return found;
        }
        finally
        {
            _sessions.GiveBack(session, done);
        }
    }

    public void Dispose()
    {
        _page.Dispose();
        _inMemory?.Dispose();
    }

    /// <returns>False for a record that does not come, and at the end of a page: what comes next may be in memory.</returns>
    private bool TryNextOnDisk(out ReadResult key, out long address)
    {
        _inMemory?.Dispose();
        _inMemory = null;

        // Closed and not invalid is sealed. A seal of this process says that the key has a newer record, of this process, too.
        bool comes = _page.TryNext(ref _next, out RecordInfo info, out ReadOnlySpan<byte> bytes, out address) && address < EndAddress
            && !info.Invalid && !info.Tombstone && (!info.SkipOnScan || address < _engine.Checkpoints.RecoveredEndAddress);
        key = comes ? ReadResult.CopyOf(bytes) : default;
        return comes;
    }

    /// <returns>False at the end of the walk, or when what comes next is in memory no more.</returns>
    private bool TryNextInMemory(out ReadResult key, out long address)
    {
        (key, address) = (default, 0);
        _inMemory ??= _kv.Log.Scan(_next, EndAddress, ScanBufferingMode.NoBuffering);
        bool found;
        RecordInfo info;
        try
        {
            found = _inMemory.GetNext(out info);
        }
        catch (FasterException) when (_inMemory.NextAddress < _engine.HeadAddress)
        {
            _next = _inMemory.NextAddress;
            return false;
        }

        _next = found ? _inMemory.NextAddress : EndAddress;
        if (!found || info.Tombstone) return false;
        key = ReadResult.CopyOf(_inMemory.GetKey().AsReadOnlySpan());
        address = _inMemory.CurrentAddress;
        return true;
    }
}
