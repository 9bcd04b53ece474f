using System.Runtime.ExceptionServices;

namespace Store.Tests;

/// <summary>A thread whose exception fails the test that joins it. One of a plain thread ends the process, and with it all other tests.</summary>
internal sealed class WatchedThread
{
    private readonly Thread _thread;
    private Exception? _error;

    public WatchedThread(Action run) => _thread = new Thread(() => _error = Record.Exception(run)) { IsBackground = true };

    public ThreadState ThreadState => _thread.ThreadState;

    public bool IsAlive => _thread.IsAlive;

    public void Start() => _thread.Start();

    public void Join() => Join(Timeout.InfiniteTimeSpan);

    public bool Join(int milliseconds) => Join(TimeSpan.FromMilliseconds(milliseconds));

    /// <summary>True when it has ended; throws what it threw.</summary>
    public bool Join(TimeSpan patience)
    {
        if (!_thread.Join(patience)) return false;
        if (_error is not null) ExceptionDispatchInfo.Throw(_error);
        return true;
    }
}
