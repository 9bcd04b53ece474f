// How old is a snapshot, when the clock may have been set? One that this opening wrote: as old as the time since, which nobody sets. One that was there before: at least as old as the opening, and as old as the clock said when it began.
// What is between others in the log is between them in time too: one that says it is of the future is no younger than the next one whose time has come.

namespace Store.Snapshots;

/// <summary>The ages of the snapshots of one open store. One call at a time.</summary>
internal sealed class SnapshotAges
{
    private readonly TimeProvider _clock;
    private readonly long _startTicks;
    private readonly long _startTimestamp;

    // When this process wrote it, by id.
    private readonly Dictionary<ulong, long> _written = [];

    /// <param name="clock">Whose time of day the snapshots have, and whose timestamps only go forward. The time of day now is believed.</param>
    public SnapshotAges(TimeProvider clock) => (_clock, _startTicks, _startTimestamp) = (clock, clock.GetUtcNow().UtcTicks, clock.GetTimestamp());

    /// <summary>Takes note of a snapshot that was written just now.</summary>
    public void See(ulong snapshotId) => _written[snapshotId] = _clock.GetTimestamp();

    /// <summary>How long ago each was written, by id.</summary>
    /// <param name="newestFirst">All snapshots of the store, of every type, in the order of the log.</param>
    public Dictionary<ulong, TimeSpan> Of(IReadOnlyList<SnapshotFile> newestFirst)
    {
        long now = _clock.GetUtcNow().UtcTicks;
        var ticks = new long[newestFirst.Count];

        // A clock that was set back made it look older than one that was there before.
        long latest = long.MinValue;
        for (int i = ticks.Length - 1; i >= 0; i--)
        {
            long own = newestFirst[i].Info.Timestamp.UtcTicks;
            ticks[i] = own > now ? long.MaxValue : latest = Math.Max(latest, own);
        }

        var ages = new Dictionary<ulong, TimeSpan>(ticks.Length);
        long earliest = now;
        for (int i = 0; i < ticks.Length; i++)
        {
            ulong id = newestFirst[i].SnapshotId;
            long written = ticks[i] = earliest = Math.Min(ticks[i], earliest);
            if (_written.TryGetValue(id, out long timestamp))
            {
                ages[id] = _clock.GetElapsedTime(timestamp);
                continue;
            }

            TimeSpan here = _clock.GetElapsedTime(_startTimestamp), byTheClock = new TimeSpan(now - written), atMost = new TimeSpan(_startTicks - written) + here;
            if (byTheClock > atMost) byTheClock = atMost;
            ages[id] = byTheClock > here ? byTheClock : here;
        }

        foreach (ulong gone in _written.Keys.Where(id => !ages.ContainsKey(id)).ToArray()) _written.Remove(gone);
        return ages;
    }
}
