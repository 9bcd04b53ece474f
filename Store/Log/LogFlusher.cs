// When is the log flushed? At once when somebody waits or a chunk is full; otherwise an interval after the first append that nobody waits for. While nothing
// happens the thread sleeps, and an append disturbs it only when it sleeps without a limit.

namespace Store.Log;

/// <summary>What the flusher's thread works on.</summary>
internal interface IFlusherWork
{
    /// <summary>True when the thread is to end. Under the gate.</summary>
    bool IsOverLocked { get; }

    /// <summary>True when something is to be flushed or said soon. Under the gate.</summary>
    bool HasWorkLocked { get; }

    /// <summary>Called when an interval has passed in which nobody waited. Under the gate.</summary>
    void FallIdleLocked();

    /// <summary>Moves everything appended so far to the file.</summary>
    void Flush();
}

/// <summary>The dedicated thread of one log.</summary>
internal sealed class LogFlusher
{
    private readonly LogGate _gate;
    private readonly IFlusherWork _work;
    private readonly int _intervalMs;
    private readonly EventCount _wake = new();
    private readonly Thread _thread;
    private bool _asked;
    private bool _dozes;
    private bool _sleeps;

    public LogFlusher(LogGate gate, IFlusherWork work, int intervalMs)
    {
        (_gate, _work, _intervalMs) = (gate, work, intervalMs);
        _thread = new Thread(Run) { IsBackground = true, Name = "NinoStore flusher" };
    }

    public void Start() => _thread.Start();

    /// <summary>Waits for the thread, whose work is over. Outside the gate.</summary>
    public void Join()
    {
        _wake.Advance();
        _thread.Join();
    }

    /// <summary>Asks for a flush now. Under the gate.</summary>
    public void AskLocked()
    {
        _asked = true;
        if (_sleeps || _dozes) Wake();
    }

    /// <summary>Tells of an append. Under the gate.</summary>
    /// <param name="chunkReady">True when a whole chunk waits for the file.</param>
    public void NoticeLocked(bool chunkReady)
    {
        if (!_sleeps && !(_dozes && chunkReady)) return;
        _asked |= chunkReady;
        Wake();
    }

    private void Wake()
    {
        _sleeps = _dozes = false;
        _wake.Advance();
    }

    private void Run()
    {
        while (true)
        {
            long seen = _wake.Read();
            bool sleep, doze;
            using (_gate.Enter())
            {
                if (_work.IsOverLocked) return;
                sleep = _sleeps = !_asked && !_work.HasWorkLocked;
                doze = _dozes = !_asked && !sleep;
            }

            if (sleep)
            {
                _wake.Await(seen);
                continue;
            }

            if (doze) _wake.Await(seen, _intervalMs);
            using (_gate.Enter())
            {
                _dozes = false;
                if (_work.IsOverLocked) return;
                if (!_asked) _work.FallIdleLocked();
                _asked = false;
            }

            _work.Flush();
        }
    }
}
