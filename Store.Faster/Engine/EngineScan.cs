// Which records does FASTER's log hold, from its beginning to an address? All of them, in order: old versions too, but no deletions. Whether a record is the one its key leads to is the caller's
// question, asked under the key's lock: FASTER makes records that were replaced in memory invisible to a scan, so no rule about addresses alone finds every key (KeyedScan.cs).

using FASTER.core;
using Session = FASTER.core.ClientSession<FASTER.core.SpanByte, FASTER.core.SpanByte, Store.Faster.Engine.EngineInput, Store.Faster.Engine.ReadResult, FASTER.core.Empty, Store.Faster.Engine.SpanByteCallbacks>;

namespace Store.Faster.Engine;

/// <summary>One walk over the log. Not thread-safe; beside it any thread may read and change.</summary>
internal sealed class EngineScan : IDisposable
{
    private readonly FasterEngine _engine;
    private readonly SessionPool _sessions;
    private readonly IFasterScanIterator<SpanByte, SpanByte> _records;

    /// <param name="engine">The engine.</param>
    /// <param name="kv">Its store.</param>
    /// <param name="sessions">Its sessions.</param>
    /// <param name="endAddress">Where it ends.</param>
    public EngineScan(FasterEngine engine, FasterKV<SpanByte, SpanByte> kv, SessionPool sessions, long endAddress)
    {
        (_engine, _sessions, EndAddress) = (engine, sessions, endAddress);
        _records = kv.Log.Scan(kv.Log.BeginAddress, endAddress);
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
            (key, address) = (default, 0);
            bool found = _records.GetNext(out RecordInfo info);
            while (found && info.Tombstone) found = _records.GetNext(out info);
            _engine.Log.ThrowIfFailed();
            if (found)
            {
                key = ReadResult.CopyOf(_records.GetKey().AsReadOnlySpan());
                address = _records.CurrentAddress;
            }

            done = true;
            return found;
        }
        finally
        {
            if (done) _sessions.Return(session);
            else _sessions.Discard();
        }
    }

    public void Dispose() => _records.Dispose();
}
