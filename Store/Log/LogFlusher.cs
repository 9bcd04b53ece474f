// When is the log flushed? At once when somebody waits or a chunk is full; otherwise at most an interval after the first append that nobody waits for. While
// nothing happens the thread dozes on for a while and sleeps then, and an append disturbs it only when it sleeps: waking a thread costs the append 25 to 90 microseconds
// when the other processor has gone to rest, as much as half a sync.
//
// For one who waits alone even that is too much, and his way back as long again: his flush is lent to a thread of the pool, which may then go on with him itself. The dozing thread does it at the end of its doze all the
// same, so a pool whose threads are all taken makes it late and not lost.

using Store.Threading;

namespace Store.Log;

/// <summary>What the flusher's thread works on.</summary>
internal interface IFlusherWork
{
    /// <summary>True when the thread is to end. Under the gate.</summary>
    bool IsOverLocked { get; }

    /// <summary>True when something is to be flushed or said soon. Under the gate.</summary>
    bool HasWorkLocked { get; }

    /// <summary>How long the flush that was asked for may wait for more; 0 when it is to begin. Under the gate.</summary>
    int GatherMsLocked { get; }

    /// <summary>Called at the end of a doze in which nobody asked for a flush, with something to be flushed or said. Under the gate.</summary>
    void FallIdleLocked();

    /// <summary>Moves everything appended so far to the file.</summary>
    void Flush();

    /// <summary>As <see cref="Flush"/>, on a thread of the pool, and leaves the one who waited alone to the caller to be told.</summary>
    LoneWait FlushLent();
}

/// <summary>The dedicated thread of one log.</summary>
internal sealed class LogFlusher : IThreadPoolWorkItem
{
    // Who waits in a pool whose threads are all taken waits for the end of a doze: where dozes are longer, nothing is lent.
    private const int LongestDozeMs = 20;

    // After the last work the thread goes on looking for so long before it sleeps: a log that is written now and then never wakes it.
    private const int AwakeMs = 2000;

    private readonly LogGate _gate;
    private readonly IFlusherWork _work;
    private readonly int _intervalMs;
    private readonly int _awakeMs;
    private readonly EventCount _wake = new();
    private readonly Thread _thread;
    private readonly Action<IThreadPoolWorkItem> _lend;
    private bool _asked;

    // Lent: nobody need wake the thread. Queued: the pool has not begun with it, and may be far from it. To queue: it was lent, and the pool does not know yet.
    private bool _lent;
    private bool _queued;
    private bool _isToQueue;
    private bool _wasLent;
    private bool _dozes;
    private bool _sleeps;
    private bool _gathers;

    /// <param name="gate">The lock of what it works on.</param>
    /// <param name="work">What it works on.</param>
    /// <param name="intervalMs">How long an append that nobody waits for may stay in memory.</param>
    /// <param name="awakeMs">How long it goes on looking before it sleeps.</param>
    /// <param name="lend">Gives the work to a thread of the pool; null for the pool itself.</param>
    public LogFlusher(LogGate gate, IFlusherWork work, int intervalMs, int awakeMs = AwakeMs, Action<IThreadPoolWorkItem>? lend = null)
    {
        (_gate, _work, _intervalMs, _awakeMs) = (gate, work, intervalMs, awakeMs);
        _lend = lend ?? (static work => ThreadPool.UnsafeQueueUserWorkItem(work, preferLocal: true));
        _thread = new Thread(Run) { IsBackground = true, Name = "NinoStore flusher" };
    }

    public void Start() => _thread.Start();

    /// <summary>Waits for the thread, whose work is over. Outside the gate.</summary>
    public void Join()
    {
        _wake.Advance();
        Uninterrupted.Wait(_thread, static thread => thread.Join());
    }

    /// <summary>Asks for a flush now. Under the gate; <see cref="QueueLent"/> follows outside of it.</summary>
    /// <param name="forOne">True when one who waits alone is all it is for.</param>
    public void AskLocked(bool forOne = false)
    {
        _asked = true;
        // Its end asks again for whoever comes too late for it.
        if (_lent) return;
        if (forOne && _dozes && !_queued && _intervalMs <= LongestDozeMs)
        {
            _lent = _queued = _isToQueue = true;
        }
        else if (_sleeps || _dozes || EndsGathering())
        {
            Wake();
        }
    }

    /// <summary>Gives the pool what was lent. Outside the gate: whoever listens to the pool's events runs here, and may wait for the log.</summary>
    public void QueueLent()
    {
        if (!Volatile.Read(ref _isToQueue)) return;
        using (_gate.Enter())
        {
            if (!_isToQueue) return;
            _isToQueue = false;
        }

        try
        {
            // An interruption may have come before or behind it: what is queued twice is done once.
            Uninterrupted.Wait(this, static flusher => flusher._lend(flusher));
        }
        catch (OutOfMemoryException)
        {
            // The record is in the log, and its wait is noted: the dozing thread comes to it.
            using (_gate.Enter()) _queued = false;
        }
    }

    /// <summary>What was lent, on a thread of the pool.</summary>
    void IThreadPoolWorkItem.Execute()
    {
        using (_gate.Enter())
        {
            _queued = false;
            if (!_lent || _work.IsOverLocked) return;
            (_asked, _wasLent) = (false, true);
        }

        LoneWait told = _work.FlushLent();
        using (_gate.Enter())
        {
            _lent = false;
            if (_asked) Wake();
        }

        // Whoever waited goes on here, and may stay as long as he likes: by now this is a thread of the pool like any other.
        told.End();
    }

    /// <summary>Tells of an append. Under the gate.</summary>
    /// <param name="chunkReady">True when a whole chunk waits for the file.</param>
    public void NoticeLocked(bool chunkReady)
    {
        if (!_sleeps && !(_dozes && chunkReady) && !EndsGathering()) return;
        _asked |= chunkReady;
        Wake();
    }

    private void Wake()
    {
        _sleeps = _dozes = _gathers = false;
        _wake.Advance();
    }

    private bool EndsGathering() => _gathers && _work.GatherMsLocked == 0;

    // Whoever comes meanwhile joins. The clock is the caller's and may stand still or jump: it is looked at again now and then, and the machine's own ends the wait in the end.
    private void Gather()
    {
        const int LookAgainMs = 20, PatienceWithTheClock = 10;
        long? latest = null;
        while (true)
        {
            long seen = _wake.Read();
            int waitMs;
            using (_gate.Enter())
            {
                waitMs = _work.IsOverLocked ? 0 : _work.GatherMsLocked;
                latest ??= Environment.TickCount64 + ((long)waitMs * PatienceWithTheClock);
                if (Environment.TickCount64 >= latest) waitMs = 0;
                _gathers = waitMs > 0;
            }

            if (waitMs == 0) return;
            _wake.Await(seen, Math.Min(waitMs, LookAgainMs));
        }
    }

    private bool IsStillIdle()
    {
        using (_gate.Enter()) return !_asked && !_wasLent && !_work.HasWorkLocked;
    }

    private void Run()
    {
        int idleMs = 0;
        while (true)
        {
            long seen = _wake.Read();
            bool sleep, doze, idle;
            using (_gate.Enter())
            {
                if (_work.IsOverLocked) return;
                idle = !_asked && !_wasLent && !_work.HasWorkLocked;
                sleep = _sleeps = idle && idleMs >= _awakeMs;
                doze = _dozes = !_asked && !sleep;
            }

            if (sleep)
            {
                _wake.Await(seen);
                idleMs = 0;
                continue;
            }

            if (doze) _wake.Await(seen, _intervalMs);
            if (idle && IsStillIdle())
            {
                idleMs += _intervalMs;
                continue;
            }

            idleMs = 0;
            Gather();
            using (_gate.Enter())
            {
                // What the pool has not done by now is taken back, and nothing more is lent until it comes to it.
                _dozes = _lent = false;
                if (_work.IsOverLocked) return;
                if (!_asked && !_wasLent) _work.FallIdleLocked();
                _asked = _wasLent = false;
            }

            _work.Flush();
        }
    }
}
