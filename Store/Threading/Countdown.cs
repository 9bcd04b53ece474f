// When has so much time passed since something began, such as that something is left to be covered? A timer that runs only while there is something, of a clock that tests can replace.

namespace Store.Threading;

/// <summary>Counts down from <see cref="Begin"/>, once each time. Safe for any number of threads.</summary>
/// <param name="clock">Gives the timer.</param>
/// <param name="every">How long; <see cref="TimeSpan.MaxValue"/> for never: then there is no timer.</param>
/// <param name="runsInline">True in a simulator, which has one thread: no timer, whoever is on that thread asks <see cref="IsOverInline"/>.</param>
/// <param name="isOver">Called on a thread of the pool; returns at once.</param>
internal sealed class Countdown(TimeProvider clock, TimeSpan every, bool runsInline, Action isOver) : IDisposable
{
    // A timer of the system takes 49 days at most.
    private static readonly TimeSpan LongestWait = TimeSpan.FromDays(30);

    private readonly Lock _gate = new();
    private readonly bool _isOff = every == TimeSpan.MaxValue;
    private ITimer? _timer;
    private TimeSpan _left;
    private long _begunTicks;
    private bool _disposed;

    /// <summary>True when the time is over; only where it runs inline.</summary>
    public bool IsOverInline => runsInline && !_isOff && clock.GetUtcNow().UtcTicks - _begunTicks >= every.Ticks;

    /// <summary>Makes the timer; nothing runs before. After <see cref="Dispose"/> it makes none.</summary>
    public void Open()
    {
        if (_isOff || runsInline) return;
        using (Uninterrupted.Enter(_gate))
        {
            if (!_disposed) _timer = clock.CreateTimer(static timer => ((Countdown)timer!).Tick(), this, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
        }
    }

    /// <summary>Counts from now, whatever it counted from before.</summary>
    public void Begin()
    {
        if (_isOff) return;
        if (runsInline)
        {
            _begunTicks = clock.GetUtcNow().UtcTicks;
            return;
        }

        using (Uninterrupted.Enter(_gate))
        {
            _left = every;
            WaitLocked();
        }
    }

    public void Dispose()
    {
        using (Uninterrupted.Enter(_gate))
        {
            _disposed = true;
            _timer?.Dispose();
            _timer = null;
        }
    }

    private void Tick()
    {
        using (Uninterrupted.Enter(_gate))
        {
            if (_timer is null) return;
            if (_left > TimeSpan.Zero)
            {
                WaitLocked();
                return;
            }
        }

        isOver();
    }

    private void WaitLocked()
    {
        if (_timer is null) return;
        TimeSpan wait = _left < LongestWait ? _left : LongestWait;
        _left -= wait;
        _timer.Change(wait, Timeout.InfiniteTimeSpan);
    }
}
