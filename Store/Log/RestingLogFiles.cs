using Store.IO;
using Store.Retention;

namespace Store.Log;

/// <summary>The segments of a log as they were when it was opened for reading only. Somebody else may write it, and remove its beginning.</summary>
internal sealed class RestingLogFiles(IStoreDirectory directory, string? oneFileName, LogTail tail) : ILogFiles
{
    private readonly SegmentIndexCache _indexes = new();
    private readonly Lazy<SegmentIndex> _last = new(tail.Index.ToIndex);

    public IStoreDirectory Directory => directory;

    // The mark of the log's start is moved before a segment is removed.
    public IReadOnlyList<SegmentHeader> Segments
    {
        get
        {
            if (oneFileName is not null || LogStart.Read(directory, out _) is not { } start || start.Segment <= tail.Segments[0].Number) return tail.Segments;
            SegmentHeader[] kept = [.. tail.Segments.Where(s => s.Number >= start.Segment)];
            return kept.Length > 0 ? kept : throw AllRemoved(start.Sequence);
        }
    }

    public LogSpan Span(bool durableOnly)
    {
        IReadOnlyList<SegmentHeader> segments = Segments;
        long last = tail.NextSequence - 1;
        // All that was there is gone, and what is kept begins right behind it: that is no empty log.
        if (segments[0].FirstSequence > last && segments[0].Number > tail.Segments[0].Number) throw AllRemoved(segments[0].FirstSequence);
        return new LogSpan(segments, durableOnly ? tail.SyncedThrough : last);
    }

    public string NameOf(SegmentHeader header) => oneFileName ?? SegmentFormat.Name(header.Number);

    public bool IsRetired(SegmentHeader header) => oneFileName is null && LogStart.Read(directory, out _) is { } start && start.Segment > header.Number;

    public SegmentIndex? IndexOf(IStoreFile file, SegmentHeader header, SegmentHeader? successor) =>
        successor is { } next ? _indexes.Get(file, header, next.PreviousLength) : header.Number == tail.Segments[^1].Number ? _last.Value : null;

    private LogTruncatedException AllRemoved(long first) =>
        new($"{directory.Name}: retention has removed everything that was there when the store was opened; the log begins with record {first} by now. Open it again.", directory.Name, first);
}
