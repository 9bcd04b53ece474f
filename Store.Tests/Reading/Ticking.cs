namespace Store.Tests.Reading;

/// <summary>A clock on which every wait is over at once, and that counts the waits; after so many of them the following is cancelled.</summary>
internal sealed class Ticking(int mostWaits) : TimeProvider
{
    private readonly CancellationTokenSource _stop = new();

    public CancellationToken Stop => _stop.Token;

    public int Waits { get; private set; }

    public List<TimeSpan> Asked { get; } = [];

    public Action<int>? OnWait { get; init; }

    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
    {
        // One wait after another, so nothing here needs a lock.
        if (dueTime != Timeout.InfiniteTimeSpan)
        {
            Asked.Add(dueTime);
            Waits++;
            OnWait?.Invoke(Waits);
            if (Waits == mostWaits) _stop.Cancel();
            else ThreadPool.QueueUserWorkItem(_ => callback(state));
        }

        return new Spent();
    }

    private sealed class Spent : ITimer
    {
        public bool Change(TimeSpan dueTime, TimeSpan period) => true;

        public void Dispose() { }

        public ValueTask DisposeAsync() => default;
    }
}
