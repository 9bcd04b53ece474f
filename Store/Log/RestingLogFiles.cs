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
            return kept.Length > 0 ? kept : throw new LogTruncatedException($"{directory.Name}: retention has removed everything that was there when the store was opened; the log begins with record {start.Sequence} by now. Open it again.", directory.Name, start.Sequence);
        }
    }

    public string NameOf(SegmentHeader header) => oneFileName ?? SegmentFormat.Name(header.Number);

    public SegmentIndex? IndexOf(IStoreFile file, SegmentHeader header, SegmentHeader? successor) =>
        successor is { } next ? _indexes.Get(file, header, next.PreviousLength) : header.Number == tail.Segments[^1].Number ? _last.Value : null;
}
