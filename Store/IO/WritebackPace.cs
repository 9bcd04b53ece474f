// How much of a large file may be on its way to the disk while it is written? A sync of the log waits for what the disk was given before it, and a disk that is given little at a time stands still in between. So it depends on whether anybody
// syncs: what was measured is in docs/performance.md, "Snapshots".

namespace Store.IO;

/// <summary>Hands what was written of a file to the disk, or of several, one after the other. Not thread-safe.</summary>
/// <param name="syncs">How often the log of the store was synced; null where that is not known, and somebody may always wait.</param>
internal sealed class WritebackPace(Func<long>? syncs)
{
    /// <summary>So much is on its way where nobody syncs: enough for a disk to be at work all the time, and the first sync that comes waits for no more.</summary>
    public const long AloneBytes = 8L << 20;

    /// <summary>After a sync so much is written with one piece on its way at most, in case more of them come. By bytes and not by time, so that the same calls are made every time.</summary>
    public const long SharedBytes = 256L << 20;

    private long _seen = syncs?.Invoke() ?? 0;
    private long _total;
    private long _sharedUntil;

    /// <summary>Begins to write back what has come, when enough of what was begun before is on the disk.</summary>
    /// <param name="file">The file.</param>
    /// <param name="from">Where what has come begins; everything before was handed on.</param>
    /// <param name="end">Where it ends.</param>
    /// <exception cref="IOException">Writing back failed, now or earlier: what is in the file is not known.</exception>
    public void Start(IStoreFile file, long from, long end)
    {
        _total += end - from;
        if (IsShared())
        {
            file.StartWriteback(0, end);
            return;
        }

        // The first call begins nothing and waits for what is so far behind.
        if (end > AloneBytes) file.StartWriteback(0, end - AloneBytes);
        file.StartWriteback(from, end - from);
    }

    private bool IsShared()
    {
        if (syncs is null) return true;
        long now = syncs();
        if (now != _seen) (_seen, _sharedUntil) = (now, _total + SharedBytes);
        return _total < _sharedUntil;
    }
}
