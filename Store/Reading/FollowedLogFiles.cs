// What a follower reads while the store goes and after it has gone: closing takes the store's folder away, and what was appended before is still to be read.

using Store.IO;
using Store.Log;
using Store.Retention;

namespace Store.Reading;

/// <summary>The segments of a log of this process, by way of a folder that stays open when the store is closed. Safe for any number of threads.</summary>
/// <param name="log">The segments as the store knows them, also when it is closed.</param>
/// <param name="progress">Tells that the store is closed.</param>
/// <param name="directory">The folder, opened for reading: it holds nothing of the system's.</param>
/// <param name="oneFileName">The file of a log in one file; null for a folder.</param>
internal sealed class FollowedLogFiles(ILogFiles log, LogProgress progress, IStoreDirectory directory, string? oneFileName) : ILogFiles
{
    public IStoreDirectory Directory => directory;

    public IReadOnlyList<SegmentHeader> Segments
    {
        get
        {
            IReadOnlyList<SegmentHeader> known = log.Segments;
            if (LaterStart is not { } start || start.Segment <= known[0].Number) return known;
            SegmentHeader[] kept = [.. known.Where(segment => segment.Number >= start.Segment)];
            return kept.Length > 0 ? kept : throw new LogTruncatedException($"{directory.Name}: retention has removed everything that was there when the store was closed; the log begins with record {start.Sequence} by now. Open it again.", directory.Name, start.Sequence);
        }
    }

    // The next store may have removed segments that this one kept.
    private LogStart? LaterStart => oneFileName is null && progress.HasEnded ? LogStart.Read(directory, out _) : null;

    public LogSpan Span(bool durableOnly) => log.Span(durableOnly);

    public string NameOf(SegmentHeader header) => log.NameOf(header);

    // Asked about a file that could not be read: that the beginning cannot be read either says nothing more.
    public bool IsRetired(SegmentHeader header)
    {
        try
        {
            return log.IsRetired(header) || (LaterStart is { } start && start.Segment > header.Number);
        }
        catch (Exception e) when (e is IOException or StoreException)
        {
            return false;
        }
    }

    public SegmentIndex? IndexOf(IStoreFile file, SegmentHeader header, SegmentHeader? successor) => log.IndexOf(file, header, successor);
}
