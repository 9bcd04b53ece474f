namespace Store.Threading;

/// <summary>
/// A counter that threads wait on: an event count (Reed and Kanodia, "Synchronization with eventcounts and sequencers", 1979). Whoever reads the count before it looks
/// at the condition cannot miss the change. Safe for any number of threads; no handle of the operating system, nothing to dispose.
/// </summary>
internal sealed class EventCount
{
    private readonly object _monitor = new();
    private long _count;

    /// <summary>The count: take it before looking at what is waited for.</summary>
    public long Read() => Volatile.Read(ref _count);

    /// <summary>Counts one event and wakes everybody who waits. Is never interrupted: somebody would wait for ever.</summary>
    public void Advance()
    {
        using (Uninterrupted.EnterMonitor(_monitor))
        {
            Volatile.Write(ref _count, _count + 1);
            Monitor.PulseAll(_monitor);
        }
    }

    /// <summary>Counts one event and wakes one of those who wait, who must all wait for the same: each looks again for itself, so it matters to none which of them it is. Is never interrupted.</summary>
    public void AdvanceForOne()
    {
        using (Uninterrupted.EnterMonitor(_monitor))
        {
            Volatile.Write(ref _count, _count + 1);
            Monitor.Pulse(_monitor);
        }
    }

    /// <summary>Waits until an event was counted after <paramref name="seen"/> was read.</summary>
    /// <exception cref="ThreadInterruptedException">The thread was interrupted.</exception>
    public void Await(long seen)
    {
        lock (_monitor)
        {
            while (_count == seen) Monitor.Wait(_monitor);
        }
    }

    /// <summary>As <see cref="Await(long)"/>, at most so many milliseconds; may return early.</summary>
    public void Await(long seen, int timeoutMs)
    {
        lock (_monitor)
        {
            if (_count == seen) Monitor.Wait(_monitor, timeoutMs);
        }
    }
}
