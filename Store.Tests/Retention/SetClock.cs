namespace Store.Tests.Retention;

/// <summary>A clock whose time passes when it is told to, and which somebody sets; its timestamps are not set by anybody.</summary>
internal sealed class SetClock : TimeProvider
{
    private readonly DateTimeOffset _begin = new(2026, 1, 1, 0, 0, 0, TimeSpan.Zero);
    private TimeSpan _set;

    /// <summary>The time that has really passed.</summary>
    public TimeSpan Passed { get; private set; }

    public override long TimestampFrequency => TimeSpan.TicksPerSecond;

    public void Pass(TimeSpan time) => Passed += time;

    public void Set(TimeSpan by) => _set += by;

    public override DateTimeOffset GetUtcNow() => _begin + Passed + _set;

    public override long GetTimestamp() => Passed.Ticks;
}
