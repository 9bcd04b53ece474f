// What is there, and what does the table say about it? Looks at everything in the order of the page (docs/recovery.md) and changes nothing.

using System.Globalization;
using Store.Framing;
using Store.IO;
using Store.Log;
using Store.Retention;

namespace Store.Recovery;

/// <summary>What was found, and what the table says to do.</summary>
internal sealed record RecoveryFindings
{
    /// <summary>Headers of the segments that stay, oldest first.</summary>
    public required List<SegmentHeader> Headers { get; init; }

    /// <summary>The segments' files, those included that are to be set aside.</summary>
    public required List<StoreFileEntry> Segments { get; init; }

    /// <summary>Files below the mark of the log's start.</summary>
    public required List<StoreFileEntry> Retired { get; init; }

    /// <summary>How the last segment that stays ends.</summary>
    public required TailScan Scan { get; init; }

    /// <summary>What to do about that end.</summary>
    public required RecoveryAction Action { get; init; }

    /// <summary>Why the segments behind the last one are set aside; null when there are none.</summary>
    public string? SetAsideReason { get; init; }

    /// <summary>What is missing before the first segment, where the log is to begin with it from now on.</summary>
    public string? BeginsHere { get; init; }

    /// <summary>Why the mark of the log's start cannot be read.</summary>
    public string? StartProblem { get; init; }

    /// <summary>The mark of the log's end, when there is one that can be read.</summary>
    public LogEnd? End { get; init; }

    /// <summary>Why the mark of the log's end cannot be read.</summary>
    public string? EndProblem { get; init; }

    /// <summary>What the disk said that cannot read one copy of the mark of the log's end; null when it can read both.</summary>
    public IOException? EndUnreadable { get; init; }

    /// <summary>The damage of the last segment's end, in words.</summary>
    public string Description
    {
        get
        {
            long next = Scan.Tail.NextSequence;
            return Scan.Case switch
            {
                RecoveryCase.AcknowledgedLost when Scan.SyncedThrough >= next => $"{Scan.Problem}; records {next} to {Scan.SyncedThrough} were acknowledged as durable and are lost",
                RecoveryCase.AcknowledgedLost or RecoveryCase.MissingEnd => Scan.Problem!,
                _ => $"{Scan.Problem}; it follows record {next - 1} and was never acknowledged as durable",
            };
        }
    }
}

/// <summary>Looks at the files of a log. Reads only.</summary>
internal sealed class RecoveryFinder(IStoreDirectory directory, RecoveryMode mode, string? oneFileName)
{
    /// <summary>What the disk said that could not read something in the last look, and Salvage went around; null when it could read everything.</summary>
    public IOException? Unreadable { get; private set; }

    /// <summary>Looks at everything; null when there is no log.</summary>
    /// <exception cref="StoreCorruptException">A segment other than the last is not what it must be, and the mode does not allow to give it up.</exception>
    /// <exception cref="StoreVersionException">A file is of a newer version.</exception>
    public RecoveryFindings? Find()
    {
        // The mark of the end before the segments, that of the start after them: beside a writer the one may only lag behind, the other only run ahead.
        Unreadable = null;
        string? endProblem = null, startProblem = null;
        IOException? endUnreadable = null;
        LogEnd? end = oneFileName is null ? LogEnd.Read(directory, out endProblem, out endUnreadable) : null;
        List<StoreFileEntry> segments = oneFileName is null ? [.. directory.List().Where(static f => SegmentFormat.TryParseName(f.Name, out _))] : directory.Find(oneFileName) is { } file ? [file] : [];
        LogStart? start = oneFileName is null ? LogStart.Read(directory, out startProblem) : null;
        if (segments.Count == 0) return null;

        // Row N: below the mark there is nothing but what a truncation did not come to remove.
        Guid? marked = start is null ? null : StoreAt(segments, start.Value);
        List<StoreFileEntry> retired = marked is { } other && other != start!.Value.StoreId ? [] : [.. segments.TakeWhile(f => RecoveryPlan.Decide(IsRetired(f, start) ? RecoveryCase.RetiredSegment : RecoveryCase.EndsInZeros, mode, isFirstSegment: false) == RecoveryAction.Remove)];
        segments.RemoveRange(0, retired.Count);
        if (segments.Count == 0) throw Refuse(RecoveryCase.MissingStart, LogStart.FileName, 0, $"the log begins with segment {start!.Value.Segment}, and it is missing with all that follow");
        using var chain = new SegmentChain(Open, oneFileName, start, startProblem);
        List<SegmentHeader> headers = [];
        string? setAsideReason = null, beginsHere = null;
        foreach (StoreFileEntry entry in segments)
        {
            (RecoveryCase Case, string What)? trouble = chain.Examine(entry, headers, out SegmentHeader header);
            if (trouble is { } found)
            {
                RecoveryAction wanted = RecoveryPlan.Decide(found.Case, mode, headers.Count == 0);
                if (wanted == RecoveryAction.Refuse) throw Refuse(found.Case, entry.Name, 0, found.What);
                if (wanted == RecoveryAction.SetAside)
                {
                    setAsideReason = found.What;
                    ThrowIfNewer(segments.SkipWhile(f => f.Name != entry.Name).Skip(1));
                    break;
                }

                beginsHere = found.What;
            }

            headers.Add(header);
        }

        TailScan scan = Scan(headers, end);
        // What is set aside is known to be missing.
        if (end is { } mark && setAsideReason is null) scan = Against(mark, scan, headers[^1]);
        return new RecoveryFindings
        {
            Headers = headers,
            Segments = segments,
            Retired = retired,
            Scan = scan,
            Action = RecoveryPlan.Decide(scan.Case, mode, headers.Count == 1),
            SetAsideReason = setAsideReason,
            BeginsHere = beginsHere,
            StartProblem = startProblem,
            End = end,
            EndProblem = endProblem,
            EndUnreadable = endUnreadable,
        };
    }

    /// <summary>Throws when the table refuses the log's end.</summary>
    public void ThrowIfRefused(RecoveryFindings found)
    {
        if (found.Action == RecoveryAction.Refuse) throw Refuse(found.Scan.Case, NameOf(found.Headers[^1]), found.Scan.Tail.Offset, found.Description);
    }

    /// <summary>Looks at the log's end once more; false when there is more than before.</summary>
    public bool EndsAsBefore(RecoveryFindings found)
    {
        SegmentHeader last = found.Headers[^1];
        if (oneFileName is null && found.SetAsideReason is null && directory.List().Any(f => SegmentFormat.TryParseName(f.Name, out long number) && number > last.Number)) return false;
        if (found.Action == RecoveryAction.Cut)
        {
            TailScan again = Scan(found.Headers, found.End);
            return (again.Tail.Offset, again.EndOfBytes) == (found.Scan.Tail.Offset, found.Scan.EndOfBytes);
        }

        // Behind the last frame are zeros, or nothing.
        Span<byte> next = stackalloc byte[FrameFormat.HeaderSize];
        using IStoreFile file = Open(NameOf(last));
        return !next[..file.Read(next, found.Scan.Tail.Offset)].ContainsAnyExcept((byte)0);
    }

    public string NameOf(SegmentHeader header) => oneFileName ?? SegmentFormat.Name(header.Number);

    // Row C holds of every segment: nobody gives up what only a newer version can judge.
    private void ThrowIfNewer(IEnumerable<StoreFileEntry> behind)
    {
        foreach (StoreFileEntry entry in behind)
        {
            if (IsNewer(entry.Name)) throw Refuse(RecoveryCase.NewerVersion, entry.Name, 0, SegmentChain.NewerVersion);
        }
    }

    // One that the disk cannot read, or nobody may, is not known to be: it is set aside unread.
    private bool IsNewer(string name)
    {
        try
        {
            using IStoreFile file = directory.OpenRead(name);
            return SegmentHeader.TryRead(file, out _) == SegmentHeaderStatus.NewerVersion;
        }
        catch (IOException)
        {
            return false;
        }
    }

    // Whose is the segment that the mark names, or the first one behind it? Where it is another store's, the mark is not this log's, and what lies below was given up by nobody. Null where none says it.
    private Guid? StoreAt(List<StoreFileEntry> segments, LogStart mark)
    {
        if (segments.Find(f => SegmentFormat.TryParseName(f.Name, out long number) && number >= mark.Segment) is not { Name: not null } first) return null;
        using IStoreFile file = Open(first.Name);
        return SegmentHeader.TryRead(file, out SegmentHeader header) == SegmentHeaderStatus.Valid ? header.StoreId : null;
    }

    private static bool IsRetired(StoreFileEntry entry, LogStart? start) => start is { } mark && SegmentFormat.TryParseName(entry.Name, out long number) && number < mark.Segment;

    // Row O, and what makes a torn tail row L: the log must reach as far as its mark says.
    private static TailScan Against(LogEnd end, TailScan scan, SegmentHeader last)
    {
        long next = scan.Tail.NextSequence;
        string? missing =
            end.StoreId != last.StoreId ? $"{LogEnd.FileName} belongs to the store {end.StoreId}, this segment to {last.StoreId}"
            : end.Segment > last.Number ? string.Create(CultureInfo.InvariantCulture, $"segments {last.Number + 1} to {end.Segment} are missing behind it: {LogEnd.FileName} says that they were begun")
            : end.Sequence >= next ? string.Create(CultureInfo.InvariantCulture, $"the log ends with record {next - 1}, and {LogEnd.FileName} says that it was on the disk up to {end.Sequence}")
            : null;
        if (missing is null) return scan;
        bool isDamaged = scan.Case is RecoveryCase.TornTail or RecoveryCase.AcknowledgedLost;
        return scan with
        {
            Case = isDamaged ? RecoveryCase.AcknowledgedLost : RecoveryCase.MissingEnd,
            Problem = isDamaged ? $"{scan.Problem}; {missing}" : missing,
            SyncedThrough = Math.Max(scan.SyncedThrough, end.StoreId == last.StoreId ? end.Sequence : 0),
        };
    }

    private TailScan Scan(List<SegmentHeader> headers, LogEnd? end)
    {
        using IStoreFile file = Open(NameOf(headers[^1]));
        TailScan scan = TailScan.Run(file, headers[^1], headers, end);
        if (file is not SalvagingFile salvaging || scan.EndOfBytes == scan.Tail.Offset || salvaging.FirstUnreadable(scan.Tail.Offset, scan.EndOfBytes) is not { } unreadable) return scan;

        // What was there nobody knows: it is not called a write that was not finished.
        return scan with { Case = RecoveryCase.AcknowledgedLost, Problem = $"{scan.Problem}; {unreadable.Problem}" };
    }

    private IStoreFile Open(string name)
    {
        IStoreFile file = directory.OpenRead(name);
        return mode == RecoveryMode.Salvage ? new SalvagingFile(file, failure => Unreadable ??= failure) : file;
    }

    private Exception Refuse(RecoveryCase found, string name, long offset, string what)
    {
        string path = System.IO.Path.Combine(directory.Name, name);
        return found == RecoveryCase.NewerVersion
            ? new StoreVersionException($"{path}: {what}. Use a newer version; nothing was changed.", path)
            : new StoreCorruptException($"{path}, offset {offset}: {what}. Nothing was changed. {Advice(found)}", path) { Offset = offset };
    }

    private static string Advice(RecoveryCase found) => found switch
    {
        RecoveryCase.TornTail => "Open with RecoveryMode.TruncateTorn to cut the unfinished bytes (they are kept in a side file).",
        RecoveryCase.MissingEnd => "Put the missing file back, or open with RecoveryMode.Salvage to go on from here.",
        RecoveryCase.MissingStart => "Put the missing files back, or open with RecoveryMode.Salvage to begin with what is there; 'inspect verify' shows it.",
        _ => "Restore the file from a backup, or open with RecoveryMode.Salvage to keep what comes before the damage; 'inspect verify' shows it.",
    };
}
