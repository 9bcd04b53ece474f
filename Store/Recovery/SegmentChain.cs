// Is a segment the one that must follow those before it? Rows C to G, P and M of the table: headers, and the footer that each header repeats.

using Store.Framing;
using Store.IO;
using Store.Log;
using Store.Retention;

namespace Store.Recovery;

/// <summary>Looks at the segments of a log one after the other, oldest first. Reads only.</summary>
/// <param name="open">Opens a file for reading.</param>
/// <param name="oneFileName">File name of a one-file log; null for a folder of segments.</param>
/// <param name="start">The mark of the log's start, when it can be read.</param>
/// <param name="startProblem">Why it cannot; null when it can or there is none.</param>
internal sealed class SegmentChain(Func<string, IStoreFile> open, string? oneFileName, LogStart? start, string? startProblem) : IDisposable
{
    // The one looked at last: the next one is compared with its end.
    private IStoreFile? _last;

    /// <summary>What row C says.</summary>
    public const string NewerVersion = "the file has a newer format version than this NinoStore reads";

    /// <summary>One segment against those before it.</summary>
    /// <param name="entry">Its file.</param>
    /// <param name="before">Headers of the segments before it.</param>
    /// <param name="header">Its header; nothing when it cannot be read.</param>
    /// <returns>What is wrong; null when nothing is.</returns>
    public (RecoveryCase Case, string What)? Examine(StoreFileEntry entry, List<SegmentHeader> before, out SegmentHeader header)
    {
        IStoreFile file = open(entry.Name);
        using IStoreFile? beforeIt = _last;
        _last = file;
        SegmentHeaderStatus status = SegmentHeader.TryRead(file, out header);
        if (UnreadableIn(file, 0, SegmentFormat.HeaderSize) is { } unreadable) return (RecoveryCase.BadHeader, $"the segment header is lost: {unreadable}");
        switch (status)
        {
            case SegmentHeaderStatus.Valid:
                break;
            case SegmentHeaderStatus.NewerVersion:
                return (RecoveryCase.NewerVersion, NewerVersion);
            case SegmentHeaderStatus.NotASegment:
                return (RecoveryCase.BadHeader, "the file does not start with a segment header: it is not a NinoStore log, or its first bytes are damaged");
            case SegmentHeaderStatus.Empty or SegmentHeaderStatus.TooShort:
                return (RecoveryCase.BadHeader, $"the file of {entry.LengthBytes} bytes holds no segment header");
            default:
                return (RecoveryCase.BadHeader, "the segment header's checksum does not match");
        }

        if (oneFileName is not null)
            return header.IsOneFile ? null : (RecoveryCase.ForeignSegment, "the file is a segment of a store folder; open the folder instead");
        if (header.IsOneFile || !SegmentFormat.TryParseName(entry.Name, out long number) || header.Number != number)
            return (RecoveryCase.ForeignSegment, $"the file holds segment {header.Number}{(header.IsOneFile ? " of a one-file log" : "")}, not the one its name says");
        if (before.Count == 0)
            return ExamineStart(header);
        SegmentHeader previous = before[^1];
        if (header.StoreId != previous.StoreId) return (RecoveryCase.ForeignSegment, $"the segment belongs to store {header.StoreId}, not to {previous.StoreId}");
        if (header.Number != previous.Number + 1) return (RecoveryCase.MissingSegment, $"segments {previous.Number + 1} to {header.Number - 1} are missing");

        // Before the link, which such a segment does not keep either: who wrote it tells more.
        if (header.Epoch < previous.Epoch)
            return (RecoveryCase.OlderWriter, $"the segment was begun by an opening with the epoch {header.Epoch}, and the one before it by a later opening, with the epoch {previous.Epoch}: a writer that had lost the log to another went on, or a file is of another copy of the store");
        return CheckLink(beforeIt!, previous, header) is { } broken ? (RecoveryCase.BrokenLink, broken) : null;
    }

    // Row M: where a log begins is what its mark says, and without a mark with segment 1.
    private (RecoveryCase Case, string What)? ExamineStart(SegmentHeader header)
    {
        if (start is not { } mark)
        {
            string unreadable = startProblem is null ? "" : $", and {LogStart.FileName}, which may say that they were removed, cannot be read: {startProblem}";
            return header.Number == 1 ? null : (RecoveryCase.MissingStart, $"segments 1 to {header.Number - 1} are missing{unreadable}. If the folder is a backup, its first one was not finished: back up to it again");
        }

        if (mark.StoreId != header.StoreId) return (RecoveryCase.MissingStart, $"{LogStart.FileName} belongs to the store {mark.StoreId}, this segment to {header.StoreId}");
        if (header.Number > mark.Segment) return (RecoveryCase.MissingStart, $"segments {mark.Segment} to {header.Number - 1} are missing: the log begins with record {mark.Sequence}, this segment with {header.FirstSequence}");
        return header.FirstSequence == mark.Sequence ? null : (RecoveryCase.MissingStart, $"the segment begins with record {header.FirstSequence}, and {LogStart.FileName} says that the log begins with {mark.Sequence}");
    }

    // The header of a segment repeats the end of its predecessor, so a missing, shortened or exchanged file is noticed without reading it.
    private string? CheckLink(IStoreFile file, SegmentHeader previous, SegmentHeader header)
    {
        string name = NameOf(previous);
        long footerAt = header.PreviousLength - SegmentFormat.FooterFrameSize;
        if (footerAt < SegmentFormat.HeaderSize) return $"it names a predecessor of {header.PreviousLength} bytes, which is none";
        if (file.LengthBytes < header.PreviousLength) return $"its predecessor {name} has {file.LengthBytes} bytes and must have {header.PreviousLength}: it was shortened";
        Span<byte> bytes = stackalloc byte[FrameFormat.HeaderSize];
        int read = file.Read(bytes, footerAt);
        if (UnreadableIn(file, footerAt, header.PreviousLength) is { } unreadable) return $"the footer of its predecessor {name} is lost: {unreadable}";
        if (!FrameHeader.TryRead(bytes[..read], previous.SegmentId, footerAt, out FrameHeader footer) || footer.Kind != FrameKind.Footer)
            return $"the footer of its predecessor {name} at offset {footerAt} does not verify";
        if (FrameHeader.StoredChecksum(bytes) != header.PreviousChecksum || footer.FirstSequence - 1 != header.PreviousLastSequence || header.FirstSequence != footer.FirstSequence)
            return $"its predecessor {name} ends otherwise than it says";
        return null;
    }

    /// <inheritdoc/>
    public void Dispose() => _last?.Dispose();

    // Where Salvage reads around it.
    private static string? UnreadableIn(IStoreFile file, long from, long to) => (file as SalvagingFile)?.FirstUnreadable(from, to)?.Problem;

    private string NameOf(SegmentHeader header) => oneFileName ?? SegmentFormat.Name(header.Number);
}
