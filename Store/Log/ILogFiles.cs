// What readers need to know of a log, live or at rest. Between the writer and whoever reads, so that neither knows the other.

using System.Collections.Concurrent;
using Store.IO;

namespace Store.Log;

/// <summary>The segments of a log. Safe for any number of threads.</summary>
internal interface ILogFiles
{
    IStoreDirectory Directory { get; }

    /// <summary>Headers of the segments kept, oldest first; never empty.</summary>
    IReadOnlyList<SegmentHeader> Segments { get; }

    string NameOf(SegmentHeader header);

    /// <summary>Where sequences and times are in a segment; null when nothing is known but its start.</summary>
    /// <param name="file">The segment.</param>
    /// <param name="header">Its header.</param>
    /// <param name="successor">Header of the next one; null for the last.</param>
    SegmentIndex? IndexOf(IStoreFile file, SegmentHeader header, SegmentHeader? successor);
}

/// <summary>The segments of a log that this process has open for writing.</summary>
internal sealed class LiveLogFiles(IStoreDirectory directory, AppendLog log) : ILogFiles
{
    private readonly SegmentIndexCache _indexes = new();

    public IStoreDirectory Directory => directory;

    public IReadOnlyList<SegmentHeader> Segments => log.Segments;

    public string NameOf(SegmentHeader header) => log.NameOf(header);

    public SegmentIndex? IndexOf(IStoreFile file, SegmentHeader header, SegmentHeader? successor) =>
        successor is { } next ? _indexes.Get(file, header, next.PreviousLength) : log.IndexOf(header.Number);
}

/// <summary>The indexes of sealed segments, read once, or made anew where they do not verify. Safe for any number of threads.</summary>
internal sealed class SegmentIndexCache
{
    // A hundred indexes of 64 MiB segments are about 4 MiB.
    private const int MaxCached = 100;

    private readonly ConcurrentDictionary<ulong, SegmentIndex> _indexes = new();

    public SegmentIndex Get(IStoreFile file, SegmentHeader header, long end)
    {
        if (_indexes.TryGetValue(header.SegmentId, out SegmentIndex? index)) return index;
        index = SegmentEnd.ReadIndex(file, header, end) ?? SegmentEnd.BuildIndex(file, header);
        if (_indexes.Count >= MaxCached) _indexes.Clear();
        return _indexes.GetOrAdd(header.SegmentId, index);
    }
}
