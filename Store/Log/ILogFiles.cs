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

    /// <summary>The segments and the last sequence in them, of one moment: taken one after the other, retention could remove all that the second still speaks of.</summary>
    /// <param name="durableOnly">True for the last sequence known to be on the disk; otherwise the last that was appended, which may not be in the files yet.</param>
    LogSpan Span(bool durableOnly);

    string NameOf(SegmentHeader header);

    /// <summary>True when retention has given a segment up: its file may be gone. Throws nothing of its own, so that it may be asked while an exception is looked at.</summary>
    bool IsRetired(SegmentHeader header);

    /// <summary>Opens a segment for reading; null when retention has removed it.</summary>
    /// <exception cref="StoreCorruptException">Somebody else has.</exception>
    IStoreFile? TryOpen(SegmentHeader header)
    {
        try
        {
            return Directory.OpenRead(NameOf(header));
        }
        catch (FileNotFoundException) when (IsRetired(header))
        {
            return null;
        }
        catch (FileNotFoundException e)
        {
            throw new StoreCorruptException($"{Directory.Name}: {NameOf(header)} is missing: somebody removed it. Restore it from a backup.", Directory.Name, e);
        }
    }

    /// <summary>Where sequences and times are in a segment; null when nothing is known but its start.</summary>
    /// <param name="file">The segment.</param>
    /// <param name="header">Its header.</param>
    /// <param name="successor">Header of the next one; null for the last.</param>
    SegmentIndex? IndexOf(IStoreFile file, SegmentHeader header, SegmentHeader? successor);
}

/// <summary>From where to where a log reached at one moment.</summary>
/// <param name="Segments">Headers of the segments, oldest first.</param>
/// <param name="LastSequence">Last sequence to be read.</param>
internal readonly record struct LogSpan(IReadOnlyList<SegmentHeader> Segments, long LastSequence);

/// <summary>The segments of a log that this process has open for writing.</summary>
internal sealed class LiveLogFiles(IStoreDirectory directory, AppendLog log) : ILogFiles
{
    private readonly SegmentIndexCache _indexes = new();

    public IStoreDirectory Directory => directory;

    public IReadOnlyList<SegmentHeader> Segments => log.Segments;

    public LogSpan Span(bool durableOnly) => log.Span(durableOnly);

    public string NameOf(SegmentHeader header) => log.NameOf(header);

    public bool IsRetired(SegmentHeader header) => log.Segments[0].Number > header.Number;

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
        index = SegmentEnd.ReadIndex(file, header, end);
        if (index is null)
        {
            // Without its footer the segment has been left by the appends and not yet by the flusher: what is built from it is a beginning, right for now and for nobody later.
            bool isWhole = SegmentEnd.ReadFooter(file, header, end) is not null;
            index = SegmentEnd.BuildIndex(file, header);
            if (!isWhole) return index;
        }

        if (_indexes.Count >= MaxCached) _indexes.Clear();
        return _indexes.GetOrAdd(header.SegmentId, index);
    }
}
