// Who changes files beside the log, and until when? Keyed states that are being opened and checkpoints under way do, on threads of their own; the moment the store gives its lock back the folder may be somebody else's.

using Store.Threading;

namespace Store.IO;

/// <summary>Lets changes of files through until it is closed, and waits then for those that are under way: each is one call of the disk. Safe for any number of threads.</summary>
internal sealed class ChangeGate
{
    private readonly object _lock = new();
    private int _underWay;
    private bool _isClosed;

    /// <summary>Begins a change; the caller disposes the result when it is done.</summary>
    /// <exception cref="ObjectDisposedException">The gate is closed.</exception>
    public Scope Enter()
    {
        using (Uninterrupted.EnterMonitor(_lock))
        {
            ObjectDisposedException.ThrowIf(_isClosed, typeof(NinoStore));
            _underWay++;
        }

        return new Scope(this);
    }

    /// <summary>Lets nobody in any more; when it returns nobody is inside. Doing it again changes nothing.</summary>
    public void Close()
    {
        using (Uninterrupted.EnterMonitor(_lock))
        {
            _isClosed = true;

            // The condition is looked at again by each attempt: one that is interrupted has let others in meanwhile.
            Uninterrupted.Wait(this, static gate =>
            {
                while (gate._underWay > 0) Monitor.Wait(gate._lock);
            });
        }
    }

    private void Leave()
    {
        using (Uninterrupted.EnterMonitor(_lock))
        {
            if (--_underWay == 0 && _isClosed) Monitor.PulseAll(_lock);
        }
    }

    /// <summary>A change under way.</summary>
    /// <param name="gate">The gate.</param>
    public readonly ref struct Scope(ChangeGate gate)
    {
        public void Dispose() => gate.Leave();
    }
}
