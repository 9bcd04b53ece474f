// Who owns a FASTER session? A session belongs to one thread at a time, and opening one costs allocations and a lock, so they are kept and lent out. Lending and
// giving back are one locked instruction each: this is on the path of every operation.

using System.Diagnostics.CodeAnalysis;
using System.Numerics;
using System.Runtime.InteropServices;
using FASTER.core;
using Store.Threading;
using Session = FASTER.core.ClientSession<FASTER.core.SpanByte, FASTER.core.SpanByte, Store.Faster.Engine.EngineInput, Store.Faster.Engine.ReadResult, FASTER.core.Empty, Store.Faster.Engine.SpanByteCallbacks>;

namespace Store.Faster.Engine;

/// <summary>
/// Lends sessions, at most a fixed number; who finds none waits. A session comes back with nothing pending. One whose operation threw is in an unknown state, perhaps with
/// a request that will never complete: its borrower gives it up with <see cref="Discard"/>. No wait is interrupted: borrowers are in the middle of a change.
/// </summary>
internal sealed class SessionPool : IDisposable
{
    private readonly FasterKV<SpanByte, SpanByte> _kv;
    private readonly int _max;
    private readonly Slot[] _slots;
    private readonly Lock _opening = new();
    private readonly EventCount _returned = new();
    private readonly SemaphoreSlim _returnedAsync = new(0);
    private readonly Overwrites _overwrites = new();
    private int _waiting;
    private int _waitingAsync;
    private int _opened;
    private volatile bool _closed;

    public SessionPool(FasterKV<SpanByte, SpanByte> kv, int maxSessions)
    {
        _kv = kv;
        _max = maxSessions;
        _slots = new Slot[BitOperations.RoundUpToPowerOf2((uint)maxSessions)];
    }

    /// <summary>Sessions that are open.</summary>
    public int Opened => Volatile.Read(ref _opened);

    /// <summary>Borrowers that found none.</summary>
    public int Waiting => Volatile.Read(ref _waiting) + Volatile.Read(ref _waitingAsync);

    /// <summary>Opens a session for somebody who keeps it; it is none of the pool's.</summary>
    public Session Open() =>
        _kv.For(new SpanByteCallbacks(_overwrites, _kv.Log)).NewSession<SpanByteCallbacks>(sessionVariableLengthStructSettings: new SessionVariableLengthStructSettings<SpanByte, EngineInput> { valueLength = new EngineInputLengths() });

    /// <exception cref="ObjectDisposedException">The pool was closed.</exception>
    public Session Rent() => Find() ?? Wait();

    /// <summary>Rents a session when one is free, without waiting.</summary>
    /// <exception cref="ObjectDisposedException">The pool was closed.</exception>
    public bool TryRent([NotNullWhen(true)] out Session? session) => (session = Find()) is not null;

    /// <summary>Does something with a session when one is free, on a thread of the pool: no thread waits for it. The work gives the session back.</summary>
    /// <exception cref="ObjectDisposedException">The pool was closed.</exception>
    public async Task<T> RunWhenFreeAsync<T>(Func<Session, T> work)
    {
        Session session = await RentAsync().ConfigureAwait(false);
        Task<T> working;
        try
        {
            working = Task.Run(() => work(session));
        }
        catch
        {
            // There is no memory for it: the work will not give the session back.
            Return(session);
            throw;
        }

        return await working.ConfigureAwait(false);
    }

    public void Return(Session session)
    {
        int start = FirstSlot;
        for (int i = 0; ; i++)
        {
            // There are never more sessions than slots, so a free slot exists; one turn may miss it when others move theirs.
            ref Session? slot = ref _slots[(start + i) & (_slots.Length - 1)].Session;
            if (slot is null && Interlocked.CompareExchange(ref slot, session, null) is null) break;
        }

        if (Waiting > 0) TellOne();
    }

    /// <summary>Gives up a borrowed session for good: it is neither lent again nor waited for. Another may be opened in its place, or whoever waits for it would wait for ever.</summary>
    public void Discard()
    {
        CountClosed();
        if (Waiting > 0) TellOne();
    }

    /// <summary>Gives a borrowed session back, or up when its operation threw.</summary>
    public void GiveBack(Session session, bool intact)
    {
        if (intact) Return(session);
        else Discard();
    }

    /// <summary>Refuses new borrowers, waits for the present ones and ends all sessions.</summary>
    public void Dispose()
    {
        using (Uninterrupted.Enter(_opening)) _closed = true;
        Interlocked.MemoryBarrier();
        SpinWait spin = default;
        while (Opened > 0)
        {
            bool found = false;
            foreach (ref Slot slot in _slots.AsSpan())
            {
                if (Interlocked.Exchange(ref slot.Session, null) is not { } session) continue;
                session.Dispose();
                CountClosed();
                found = true;
            }

            // Whoever waits for a session looks again and finds the pool closed.
            if (Waiting > 0) TellOne();
            if (!found) Pause(ref spin);
        }

        while (Waiting > 0)
        {
            TellOne();
            Pause(ref spin);
        }
    }

    // Each thread begins at a place of its own, so that threads do not fight over one.
    private int FirstSlot => Environment.CurrentManagedThreadId & (_slots.Length - 1);

    // Looked at with the session in hand: Dispose waits for it, or has set this before it was taken.
    private Session? Find()
    {
        Session? session = TakeIdle() ?? TryOpen();
        if (!_closed) return session;
        if (session is not null) Return(session);
        throw Closed();
    }

    private Session? TakeIdle()
    {
        int start = FirstSlot;
        for (int i = 0; i < _slots.Length; i++)
        {
            ref Session? slot = ref _slots[(start + i) & (_slots.Length - 1)].Session;
            if (slot is not null && Interlocked.Exchange(ref slot, null) is { } session) return session;
        }

        return null;
    }

    private Session? TryOpen()
    {
        if (Volatile.Read(ref _opened) >= _max) return null;
        using (Uninterrupted.Enter(_opening))
        {
            if (_closed) throw Closed();
            if (_opened >= _max) return null;
            Session session = Open();
            _opened++;
            return session;
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
                long seen = _returned.Read();
                if (FindOrPassOn() is { } session) return session;
                Uninterrupted.Wait((_returned, seen), static returned => returned._returned.Await(returned.seen));
            }
        }
        finally
        {
            Interlocked.Decrement(ref _waiting);
        }
    }

    // Whoever was woken for a session and fails to open one leaves it to another who waits.
    private Session? FindOrPassOn()
    {
        try
        {
            return Find();
        }
        catch
        {
            TellOne();
            throw;
        }
    }

    // A spin that sleeps can be interrupted as any wait can.
    private static void Pause(ref SpinWait spin)
    {
        if (spin.NextSpinWillYield) Uninterrupted.Wait(1, static milliseconds => Thread.Sleep(milliseconds));
        else spin.SpinOnce(sleep1Threshold: -1);
    }

    private void CountClosed()
    {
        using (Uninterrupted.Enter(_opening)) _opened--;
    }

    // Never interrupted: whoever is interrupted while it tells somebody has told nobody, and the one who waits would wait until the next session comes back, or for ever. Threads do not wait in the
    // semaphore: when one that it has woken is interrupted, it wakes too few from then on.
    private void TellOne()
    {
        if (Volatile.Read(ref _waiting) > 0) _returned.AdvanceForOne();
        if (Volatile.Read(ref _waitingAsync) > 0) Uninterrupted.Wait(_returnedAsync, static returned => returned.Release());
    }

    private async ValueTask<Session> RentAsync()
    {
        Interlocked.Increment(ref _waitingAsync);
        try
        {
            for (; ; )
            {
                // As in Wait.
                if (FindOrPassOn() is { } session) return session;
                await _returnedAsync.WaitAsync().ConfigureAwait(false);
            }
        }
        finally
        {
            Interlocked.Decrement(ref _waitingAsync);
        }
    }

    private static ObjectDisposedException Closed() => new("IKeyValueStore");

    /// <summary>A cache line of its own: threads that use neighbouring slots do not slow each other down.</summary>
    [StructLayout(LayoutKind.Sequential, Size = 64)]
    private struct Slot
    {
        public Session? Session;
    }
}
