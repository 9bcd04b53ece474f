// How old is a segment, when the clock may have been set? As old as the clock says, and never older than the time that has passed since this opening saw it begin, or began itself: that time nobody
// sets. A clock that is set forward therefore makes nothing old, and one that is set back makes things younger, which keeps them.

using System.Collections.Concurrent;
using Store.Log;

namespace Store.Retention;

/// <summary>The ages of the segments of one open log. Safe for any number of threads.</summary>
internal sealed class SegmentAges
{
    private readonly TimeProvider _clock;
    private readonly ConcurrentDictionary<long, long> _begun = [];
    private readonly Lock _gate = new();
    private (long Ticks, long Timestamp)? _start;
    private long _seenThrough;

    /// <param name="clock">Whose time of day the segments have, and whose timestamps only go forward.</param>
    /// <param name="lastAtOpening">Number of the last segment that was there before.</param>
    /// <param name="startsNow">True when ages will be asked for: the time of day now is believed. Otherwise that of the first question is.</param>
    public SegmentAges(TimeProvider clock, long lastAtOpening, bool startsNow)
    {
        (_clock, _seenThrough) = (clock, lastAtOpening);
        if (startsNow) _ = Start();
    }

    /// <summary>Takes note of segments that were begun just now.</summary>
    public void See(ReadOnlySpan<SegmentHeader> segments)
    {
        long seen = Volatile.Read(ref _seenThrough);
        for (int i = segments.Length - 1; i >= 0 && segments[i].Number > seen; i--) _begun.TryAdd(segments[i].Number, _clock.GetTimestamp());

        // Two may be at it at once, one of them with an older list: neither takes back what the other has seen.
        lock (_gate) _seenThrough = Math.Max(_seenThrough, segments.Length == 0 ? 0 : segments[^1].Number);
    }

    /// <summary>Forgets the segments before one.</summary>
    public void Forget(long number)
    {
        foreach (long old in _begun.Keys)
        {
            if (old < number) _begun.TryRemove(old, out _);
        }
    }

    /// <summary>How long ago a segment was begun, at most.</summary>
    public TimeSpan Of(SegmentHeader segment)
    {
        (long ticks, long timestamp) = Start();
        long now = _clock.GetUtcNow().UtcTicks;
        var byTheClock = new TimeSpan(now - segment.CreatedTicks);
        TimeSpan atMost = _begun.TryGetValue(segment.Number, out long begun) ? _clock.GetElapsedTime(begun) : new TimeSpan(ticks - segment.CreatedTicks) + _clock.GetElapsedTime(timestamp);
        return byTheClock < atMost ? byTheClock : atMost;
    }

    private (long Ticks, long Timestamp) Start()
    {
        lock (_gate) return _start ??= (_clock.GetUtcNow().UtcTicks, _clock.GetTimestamp());
    }
}
