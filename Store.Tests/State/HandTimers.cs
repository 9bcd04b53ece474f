namespace Store.Tests.State;

/// <summary>A clock whose time and timers stand still until they are told to go on. Timers run on the thread that tells it.</summary>
internal sealed class HandTimers : TimeProvider
{
    private readonly Lock _gate = new();
    private readonly List<HandTimer> _timers = [];
    private DateTimeOffset _now = new(2026, 1, 1, 0, 0, 0, TimeSpan.Zero);

    /// <summary>Timers that were made and not disposed.</summary>
    public int Open
    {
        get { lock (_gate) return _timers.Count; }
    }

    /// <summary>Of these, the ones that wait for a time.</summary>
    public int Waiting
    {
        get { lock (_gate) return _timers.Count(static timer => timer.Due is not null); }
    }

    /// <summary>True when it gives no timer.</summary>
    public bool Refuses { get; set; }

    public override DateTimeOffset GetUtcNow()
    {
        lock (_gate) return _now;
    }

    public override long GetTimestamp() => GetUtcNow().Ticks;

    public override long TimestampFrequency => TimeSpan.TicksPerSecond;

    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
    {
        if (Refuses) throw new NotSupportedException("there are no timers");
        var timer = new HandTimer(this, callback, state);
        lock (_gate) _timers.Add(timer);
        timer.Change(dueTime, period);
        return timer;
    }

    /// <summary>Lets time pass; runs what is due on the way, in order.</summary>
    public void Pass(TimeSpan time)
    {
        DateTimeOffset end = GetUtcNow() + time;
        while (true)
        {
            HandTimer? next;
            lock (_gate)
            {
                next = _timers.Where(timer => timer.Due <= end).MinBy(static timer => timer.Due);
                _now = next?.Due ?? end;
                if (next is not null) next.Due = null;
            }

            if (next is null) return;
            next.Run();
        }
    }

    private sealed class HandTimer(HandTimers owner, TimerCallback callback, object? state) : ITimer
    {
        public DateTimeOffset? Due { get; set; }

        public void Run() => callback(state);

        public bool Change(TimeSpan dueTime, TimeSpan period)
        {
            // As the system's do.
            ArgumentOutOfRangeException.ThrowIfGreaterThan(dueTime.TotalMilliseconds, uint.MaxValue - 1, nameof(dueTime));
            Assert.Equal(Timeout.InfiniteTimeSpan, period);
            lock (owner._gate)
            {
                if (!owner._timers.Contains(this)) return false;
                Due = dueTime == Timeout.InfiniteTimeSpan ? null : owner._now + dueTime;
                return true;
            }
        }

        public void Dispose()
        {
            lock (owner._gate) owner._timers.Remove(this);
        }

        public ValueTask DisposeAsync()
        {
            Dispose();
            return ValueTask.CompletedTask;
        }
    }
}
