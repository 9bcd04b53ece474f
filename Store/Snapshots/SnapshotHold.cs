// What holds the log although no snapshot does yet? A checkpoint under way, whose snapshot will need the records behind its cut the moment it is published, and whoever writes checkpoints and has none so far.

using Store.Threading;

namespace Store.Snapshots;

/// <summary>Keeps the log behind a sequence as a snapshot of it would, until it is disposed. Safe for any number of threads.</summary>
internal sealed class SnapshotHold : IDisposable
{
    private readonly SnapshotHolds _all;
    private long _sequence;

    public SnapshotHold(SnapshotHolds all, string what, long sequence) => (_all, What, _sequence) = (all, what, sequence);

    /// <summary>Who holds it, for messages.</summary>
    public string What { get; }

    /// <summary>The records behind it are kept. To be moved forward only.</summary>
    public long Sequence
    {
        get => Volatile.Read(ref _sequence);
        set => Volatile.Write(ref _sequence, value);
    }

    public void Dispose() => _all.Remove(this);
}

/// <summary>All of one store.</summary>
internal sealed class SnapshotHolds
{
    private readonly Lock _gate = new();
    private readonly List<SnapshotHold> _held = [];

    /// <summary>Holds everything behind a sequence. Who does not know it yet begins with 0, looks, and moves it: what is looked up before could be cut off meanwhile.</summary>
    public SnapshotHold Add(string what, long sequence = 0)
    {
        var hold = new SnapshotHold(this, what, sequence);
        using (Uninterrupted.Enter(_gate)) _held.Add(hold);
        return hold;
    }

    /// <summary>The one that holds most, or null.</summary>
    public (long Sequence, string What)? Lowest
    {
        get
        {
            using (Uninterrupted.Enter(_gate)) return _held.Count == 0 ? null : _held.Select(static hold => (hold.Sequence, hold.What)).MinBy(static hold => hold.Sequence);
        }
    }

    internal void Remove(SnapshotHold hold)
    {
        using (Uninterrupted.Enter(_gate)) _held.Remove(hold);
    }
}
