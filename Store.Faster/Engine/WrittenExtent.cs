// Which bytes of a device were ever written? Asked at every read, changed at every page that is written: an immutable array, nearly always of one range.

namespace Store.Faster.Engine;

/// <summary>A set of offsets, kept as disjoint ascending ranges that do not touch. <see cref="Add"/> is its callers' to serialize; the rest is safe for any number of threads.</summary>
internal sealed class WrittenExtent
{
    private volatile (long Start, long End)[] _ranges = [];

    /// <summary>Behind the last byte.</summary>
    public long EndOffset => _ranges is [.., var last] ? last.End : 0;

    /// <summary>Adds the bytes from <paramref name="start"/> up to <paramref name="end"/>.</summary>
    public void Add(long start, long end)
    {
        if (start >= end) return;
        (long Start, long End)[] ranges = _ranges;
        int first = 0;
        while (first < ranges.Length && ranges[first].End < start) first++;
        int behind = first;
        for (; behind < ranges.Length && ranges[behind].Start <= end; behind++) (start, end) = (Math.Min(start, ranges[behind].Start), Math.Max(end, ranges[behind].End));
        _ranges = [.. ranges.AsSpan(0, first), (start, end), .. ranges.AsSpan(behind)];
    }

    /// <summary>True when every byte from <paramref name="start"/> up to <paramref name="end"/> is in the set; true for no bytes.</summary>
    public bool Covers(long start, long end)
    {
        if (start >= end) return true;
        foreach ((long Start, long End) range in _ranges)
        {
            if (range.End > start) return range.Start <= start && end <= range.End;
        }

        return false;
    }
}
