// Who owns a FASTER session? A session belongs to one thread at a time, and opening one costs allocations and a lock, so they are kept and lent out.

using FASTER.core;
using Session = FASTER.core.ClientSession<FASTER.core.SpanByte, FASTER.core.SpanByte, Store.Faster.Engine.ReadMode, Store.Faster.Engine.ReadResult, FASTER.core.Empty, Store.Faster.Engine.SpanByteCallbacks>;

namespace Store.Faster.Engine;

/// <summary>
/// Lends sessions, at most a fixed number; who finds none waits. A session comes back with nothing pending. One whose operation threw is in an unknown state, perhaps with
/// a request that will never complete: its borrower gives it up with <see cref="Discard"/>.
/// </summary>
internal sealed class SessionPool : IDisposable
{
    private readonly FasterKV<SpanByte, SpanByte> _kv;
    private readonly Session?[] _idle;
    private readonly Lock _opening = new();
    private readonly SemaphoreSlim _returned = new(0);
    private int _waiting;
    private int _opened;
    private int _lent;
    private volatile bool _closed;

    public SessionPool(FasterKV<SpanByte, SpanByte> kv, int maxSessions)
    {
        _kv = kv;
        _idle = new Session?[maxSessions];
    }

    /// <summary>Sessions that are open.</summary>
    public int Opened => Volatile.Read(ref _opened);

    /// <summary>Borrowers that found none.</summary>
    public int Waiting => Volatile.Read(ref _waiting);

    /// <exception cref="ObjectDisposedException">The pool was closed.</exception>
    public Session Rent()
    {
        // Counted before the check, so that Dispose sees either this borrower or its refusal.
        Interlocked.Increment(ref _lent);
        if (_closed)
        {
            Interlocked.Decrement(ref _lent);
            throw new ObjectDisposedException("IKeyValueStore");
        }

        return TakeIdle() ?? TryOpen() ?? Wait();
    }

    public void Return(Session session)
    {
        int start = (int)((uint)Environment.CurrentManagedThreadId % (uint)_idle.Length);
        for (int i = 0; ; i++)
        {
            // There are never more sessions than slots, so a free slot exists; one turn may miss it when others move theirs.
            ref Session? slot = ref _idle[(start + i) % _idle.Length];
            if (slot is null && Interlocked.CompareExchange(ref slot, session, null) is null) break;
        }

        Interlocked.Decrement(ref _lent);
        if (Volatile.Read(ref _waiting) > 0) _returned.Release();
    }

    /// <summary>Gives up a borrowed session for good: it is neither lent again nor waited for. Another may be opened in its place, or whoever waits for it would wait for ever.</summary>
    public void Discard()
    {
        lock (_opening) _opened--;
        Interlocked.Decrement(ref _lent);
        if (Volatile.Read(ref _waiting) > 0) _returned.Release();
    }

    /// <summary>Refuses new borrowers, waits for the present ones and ends all sessions.</summary>
    public void Dispose()
    {
        _closed = true;
        Interlocked.MemoryBarrier();
        SpinWait spin = default;
        while (Volatile.Read(ref _lent) > 0) spin.SpinOnce();
        for (int i = 0; i < _idle.Length; i++) Interlocked.Exchange(ref _idle[i], null)?.Dispose();
    }

    private Session? TakeIdle()
    {
        int start = (int)((uint)Environment.CurrentManagedThreadId % (uint)_idle.Length);
        for (int i = 0; i < _idle.Length; i++)
        {
            ref Session? slot = ref _idle[(start + i) % _idle.Length];
            if (slot is not null && Interlocked.Exchange(ref slot, null) is { } session) return session;
        }

        return null;
    }

    private Session? TryOpen()
    {
        if (Volatile.Read(ref _opened) >= _idle.Length) return null;
        lock (_opening)
        {
            if (_opened >= _idle.Length) return null;
            try
            {
                Session session = _kv.For(new SpanByteCallbacks()).NewSession<SpanByteCallbacks>();
                _opened++;
                return session;
            }
            catch
            {
                Interlocked.Decrement(ref _lent);
                throw;
            }
        }
    }

    private Session Wait()
    {
        Interlocked.Increment(ref _waiting);
        try
        {
            // Looked at again after being counted: a return between the first look and the count signals nobody.
            for (; ; )
            {
                if ((TakeIdle() ?? TryOpen()) is { } session) return session;
                _returned.Wait();
            }
        }
        finally
        {
            Interlocked.Decrement(ref _waiting);
        }
    }
}
