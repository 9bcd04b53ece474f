// Carries out the plan: looks at the files, asks the table, changes what it says, reports. Everything it changes is safe to do again: a crash during
// recovery leads to the same recovery.

using System.Buffers;
using System.Globalization;
using System.Runtime.ExceptionServices;
using Store.Framing;
using Store.IO;
using Store.Log;
using Store.Retention;
using Store.Shipping;

namespace Store.Recovery;

/// <summary>Opens the files of a log. One use; the caller holds the store's lock.</summary>
internal sealed class RecoveryRunner(IStoreDirectory directory, NinoStoreOptions options, string? oneFileName)
{
    private const int CopyBytes = 1024 * 1024;
    private const string CutSuffix = ".cut-";
    private const int LookAgainMs = 5;

    // So often a busy writer may be caught in the middle of something else before what was found last is taken for what is there.
    private const int MostLooks = 200;

    private readonly List<StoreDamage> _damage = [];
    private readonly List<string> _removed = [];
    private LogStart? _start;
    private string? _startProblem;
    private string? _beginsHere;

    /// <summary>Finds where the log ends, mends what the mode allows, and makes what was found durable.</summary>
    /// <exception cref="StoreCorruptException">Something is damaged that the mode does not allow to give up. Nothing was changed.</exception>
    /// <exception cref="StoreVersionException">A file is of a newer version. Nothing was changed.</exception>
    public (LogTail Tail, RecoveryReport Report) Run()
    {
        if (Find() is not { } found) return Create();
        (List<SegmentHeader> headers, List<StoreFileEntry> segments, List<StoreFileEntry> retired, TailScan scan, RecoveryAction action, string? setAsideReason) = found;
        string name = NameOf(headers[^1]);

        // Only from here on files are changed.
        RepairStart(headers[0]);
        RemoveRetired(retired);
        if (setAsideReason is not null) SetAside(segments.Skip(headers.Count), setAsideReason);
        string? cutFile = null;
        long cut = 0;
        if (action == RecoveryAction.Cut)
        {
            cut = scan.EndOfBytes - scan.Tail.Offset;
            AddCutDamage(scan, name);
            cutFile = Cut(name, scan.Tail.Offset, scan.EndOfBytes);
        }

        RemoveLeftovers();
        MakeDurable(name, scan);
        return (scan.Tail, Report(found, cut, cutFile));
    }

    private RecoveryReport Report(Findings found, long cut, string? cutFile) => new()
    {
        CleanClose = found.Scan.Case == RecoveryCase.Closed && _damage.Count == 0,
        LastSequence = found.Scan.Tail.NextSequence - 1,
        Segments = found.Headers.Count,
        FramesVerified = found.Scan.Tail.Summary.Frames,
        RecordsVerified = found.Scan.Tail.Summary.Records,
        BytesCut = cut,
        CutBytesFile = cutFile,
        FilesRemoved = _removed,
        Damage = _damage,
    };

    private void AddCutDamage(TailScan scan, string name) =>
        _damage.Add(new StoreDamage(name, scan.Tail.Offset, scan.EndOfBytes - scan.Tail.Offset, scan.Case == RecoveryCase.TornTail ? StoreDamageKind.TornTail : StoreDamageKind.Corruption, Describe(scan)));


    /// <summary>Finds where the log ends and changes nothing. What would be cut, set aside or removed is in the report's damage, and stays.</summary>
    /// <returns>Null when there is no log.</returns>
    /// <inheritdoc cref="Run" path="/exception"/>
    public (LogTail Tail, RecoveryReport Report)? Look()
    {
        // Somebody else may write meanwhile: what is half written looks damaged for a moment, and what was listed may be removed. Twice the same is true.
        Findings? found = null;
        string? before = null;
        bool isSure = false;
        for (int look = 1; !isSure; look++)
        {
            string trouble;
            ExceptionDispatchInfo? failure = null;
            try
            {
                _startProblem = _beginsHere = null;
                found = Find();
                trouble = found is null ? "empty" : found.Scan.Case is RecoveryCase.TornTail or RecoveryCase.AcknowledgedLost ? string.Create(CultureInfo.InvariantCulture, $"{found.Scan.Case} {found.Scan.Tail.Offset}") : "";
            }
            catch (Exception e) when (e is FileNotFoundException or StoreCorruptException)
            {
                failure = ExceptionDispatchInfo.Capture(e);
                trouble = e.Message;
            }

            isSure = trouble.Length == 0 || trouble == before || look == MostLooks;
            before = trouble;
            if (isSure) failure?.Throw();
            else if (!options.RunsInline) Thread.Sleep(LookAgainMs);
        }

        if (found is null) return null;
        string name = NameOf(found.Headers[^1]);
        if (_startProblem is not null) _damage.Add(new StoreDamage(LogStart.FileName, 0, 0, StoreDamageKind.Corruption, _startProblem));
        if (_beginsHere is not null) _damage.Add(new StoreDamage(NameOf(found.Headers[0]), 0, 0, StoreDamageKind.Corruption, _beginsHere));
        if (found.SetAsideReason is not null) _damage.Add(new StoreDamage(found.Segments[found.Headers.Count].Name, 0, found.Segments[found.Headers.Count].LengthBytes, StoreDamageKind.Corruption, $"{found.SetAsideReason}; the log is read up to here"));
        if (found.Action == RecoveryAction.Cut) AddCutDamage(found.Scan, name);
        return (found.Scan.Tail, Report(found, cut: 0, cutFile: null));
    }

    // Looks at everything and asks the table; null when there is no log.
    private Findings? Find()
    {
        List<StoreFileEntry> segments = [.. oneFileName is null ? directory.List().Where(static f => SegmentFormat.TryParseName(f.Name, out _)) : directory.List().Where(f => f.Name == oneFileName)];
        if (oneFileName is null) _start = LogStart.Read(directory, out _startProblem);
        if (segments.Count == 0) return null;

        // Row N: below the mark there is nothing but what a truncation did not come to remove.
        List<StoreFileEntry> retired = [.. segments.TakeWhile(f => RecoveryPlan.Decide(IsRetired(f) ? RecoveryCase.RetiredSegment : RecoveryCase.EndsInZeros, options.Recovery, isFirstSegment: false) == RecoveryAction.Remove)];
        segments.RemoveRange(0, retired.Count);
        if (segments.Count == 0) throw Refuse(RecoveryCase.MissingStart, LogStart.FileName, 0, $"the log begins with segment {_start!.Value.Segment}, and it is missing with all that follow");
        List<SegmentHeader> headers = [];
        string? setAsideReason = null;
        foreach (StoreFileEntry entry in segments)
        {
            (RecoveryCase Case, string What)? trouble = Examine(entry, headers, out SegmentHeader header);
            if (trouble is not { } found)
            {
                headers.Add(header);
                continue;
            }

            RecoveryAction wanted = RecoveryPlan.Decide(found.Case, options.Recovery, headers.Count == 0);
            if (wanted == RecoveryAction.Refuse) throw Refuse(found.Case, entry.Name, 0, found.What);
            if (wanted == RecoveryAction.BeginHere)
            {
                _beginsHere = found.What;
                headers.Add(header);
                continue;
            }

            setAsideReason = found.What;
            break;
        }

        TailScan scan = Scan(headers);
        RecoveryAction action = RecoveryPlan.Decide(scan.Case, options.Recovery, headers.Count == 1);
        string name = NameOf(headers[^1]);
        if (action == RecoveryAction.Refuse) throw Refuse(scan.Case, name, scan.Tail.Offset, Describe(scan));
        return new Findings(headers, segments, retired, scan, action, setAsideReason);
    }

    private (LogTail, RecoveryReport) Create()
    {
        RecoveryCase found = oneFileName is null && directory.List().Any(static f => (f.Name.StartsWith("snapshot-", StringComparison.Ordinal) && !f.Name.EndsWith(AtomicFile.TemporarySuffix, StringComparison.Ordinal)) || f.Name is LogStart.FileName or FollowedStore.FileName || CursorName.IsCursor(f.Name))
            ? RecoveryCase.SnapshotsWithoutLog
            : RecoveryCase.NothingThere;
        if (RecoveryPlan.Decide(found, options.Recovery, isFirstSegment: true) == RecoveryAction.Refuse)
            throw new StoreCorruptException($"{directory.Name}: there are snapshots, cursors or a mark of the log's start ({LogStart.FileName}) or source ({FollowedStore.FileName}), but no log segment: the log was removed. Put the segment files back, or move the other files away to start a new store.", directory.Name);
        RemoveLeftovers();
        Span<byte> id = stackalloc byte[16];
        BitConverter.TryWriteBytes(id, options.NewId());
        BitConverter.TryWriteBytes(id[8..], options.NewId());
        var tail = new LogTail { StoreId = new Guid(id), Segments = [], NextSequence = 1 };
        return (tail, new RecoveryReport { Created = true, CleanClose = true, Segments = 1, FilesRemoved = _removed });
    }

    // Rows C to G: one segment against those before it.
    private (RecoveryCase, string)? Examine(StoreFileEntry entry, List<SegmentHeader> before, out SegmentHeader header)
    {
        using IStoreFile file = directory.OpenRead(entry.Name);
        SegmentHeaderStatus status = SegmentHeader.TryRead(file, out header);
        switch (status)
        {
            case SegmentHeaderStatus.Valid:
                break;
            case SegmentHeaderStatus.NewerVersion:
                return (RecoveryCase.NewerVersion, "the file has a newer format version than this NinoStore reads");
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
        return CheckLink(previous, header) is { } broken ? (RecoveryCase.BrokenLink, broken) : null;
    }

    // Row M: where a log begins is what its mark says, and without a mark with segment 1.
    private (RecoveryCase, string)? ExamineStart(SegmentHeader header)
    {
        if (_start is not { } start)
        {
            string mark = _startProblem is null ? "" : $", and {LogStart.FileName}, which may say that they were removed, cannot be read: {_startProblem}";
            return header.Number == 1 ? null : (RecoveryCase.MissingStart, $"segments 1 to {header.Number - 1} are missing{mark}");
        }

        if (start.StoreId != header.StoreId) return (RecoveryCase.MissingStart, $"{LogStart.FileName} belongs to the store {start.StoreId}, this segment to {header.StoreId}");
        if (header.Number > start.Segment) return (RecoveryCase.MissingStart, $"segments {start.Segment} to {header.Number - 1} are missing: the log begins with record {start.Sequence}, this segment with {header.FirstSequence}");
        return header.FirstSequence == start.Sequence ? null : (RecoveryCase.MissingStart, $"the segment begins with record {header.FirstSequence}, and {LogStart.FileName} says that the log begins with {start.Sequence}");
    }

    private bool IsRetired(StoreFileEntry entry) => _start is { } start && SegmentFormat.TryParseName(entry.Name, out long number) && number < start.Segment;

    // The mark says where the log begins, or is not there: afterwards it is readable again.
    private void RepairStart(SegmentHeader first)
    {
        if (_beginsHere is null && _startProblem is null) return;
        string name = SegmentFormat.Name(first.Number);
        if (_startProblem is not null) _damage.Add(new StoreDamage(LogStart.FileName, 0, 0, StoreDamageKind.Corruption, $"{_startProblem}; the log begins with segment {first.Number}, and the mark was written anew"));
        if (_beginsHere is not null) _damage.Add(new StoreDamage(name, 0, 0, StoreDamageKind.Corruption, $"{_beginsHere}; the log begins here now"));
        new LogStart(first.StoreId, first.Number, first.FirstSequence).Publish(directory, options.TimeProvider.GetUtcNow().UtcTicks);
    }

    private void RemoveRetired(List<StoreFileEntry> retired)
    {
        foreach (StoreFileEntry entry in retired)
        {
            directory.Delete(entry.Name);
            _removed.Add(entry.Name);
        }
    }

    // The header of a segment repeats the end of its predecessor, so a missing, shortened or exchanged file is noticed without reading it.
    private string? CheckLink(SegmentHeader previous, SegmentHeader header)
    {
        string name = NameOf(previous);
        using IStoreFile file = directory.OpenRead(name);
        long footerAt = header.PreviousLength - SegmentFormat.FooterFrameSize;
        if (footerAt < SegmentFormat.HeaderSize) return $"it names a predecessor of {header.PreviousLength} bytes, which is none";
        if (file.LengthBytes < header.PreviousLength) return $"its predecessor {name} has {file.LengthBytes} bytes and must have {header.PreviousLength}: it was shortened";
        Span<byte> bytes = stackalloc byte[FrameFormat.HeaderSize];
        int read = file.Read(bytes, footerAt);
        if (!FrameHeader.TryRead(bytes[..read], previous.SegmentId, footerAt, out FrameHeader footer) || footer.Kind != FrameKind.Footer)
            return $"the footer of its predecessor {name} at offset {footerAt} does not verify";
        if (FrameHeader.StoredChecksum(bytes) != header.PreviousChecksum || footer.FirstSequence - 1 != header.PreviousLastSequence || header.FirstSequence != footer.FirstSequence)
            return $"its predecessor {name} ends otherwise than it says";
        return null;
    }

    private TailScan Scan(List<SegmentHeader> headers)
    {
        using IStoreFile file = directory.OpenRead(NameOf(headers[^1]));
        return TailScan.Run(file, headers[^1], headers);
    }

    private void SetAside(IEnumerable<StoreFileEntry> entries, string reason)
    {
        foreach (StoreFileEntry entry in entries)
        {
            string aside = FreeName(entry.Name + ".salvaged");
            directory.Rename(entry.Name, aside);
            _damage.Add(new StoreDamage(entry.Name, 0, entry.LengthBytes, StoreDamageKind.Corruption, $"set aside as {aside}: {reason}"));
        }

        directory.SyncDirectory();
    }

    // First the bytes are safe in a side file, then they become zeros: the file is never shortened, because others may have mapped it.
    private string Cut(string name, long from, long to)
    {
        string side = FreeName(string.Create(CultureInfo.InvariantCulture, $"{name}{CutSuffix}{from}"));
        using IStoreFile file = directory.OpenWrite(name);
        AtomicFile.Publish(directory, side, copy =>
        {
            byte[] buffer = new byte[(int)Math.Min(to - from, CopyBytes)];
            for (long offset = from; offset < to;)
            {
                Span<byte> part = buffer.AsSpan(0, (int)Math.Min(buffer.Length, to - offset));
                ReadExactly(file, part, offset);
                copy.Write(part, offset - from);
                offset += part.Length;
            }
        });
        ZeroFill.Write(file, from, to);
        file.SyncData();
        return side;
    }

    private string FreeName(string name)
    {
        HashSet<string> taken = [.. directory.List().Select(static f => f.Name)];
        if (!taken.Contains(name)) return name;
        for (int i = 2; ; i++)
        {
            string numbered = string.Create(CultureInfo.InvariantCulture, $"{name}-{i}");
            if (!taken.Contains(numbered)) return numbered;
        }
    }

    private void RemoveLeftovers()
    {
        foreach (StoreFileEntry entry in directory.List())
        {
            // Only this log's own: a folder may hold several one-file logs, and their writers are not kept out by our lock.
            if (entry.Name != SegmentFormat.PreparedName(oneFileName) && !IsUnfinishedSideFile(entry.Name) && !(oneFileName is null && (CursorName.IsUnfinished(entry.Name) || IsUnfinishedCopy(entry.Name)))) continue;
            directory.Delete(entry.Name);
            _removed.Add(entry.Name);
        }
    }

    // A backup to this folder was interrupted.
    private static bool IsUnfinishedCopy(string name) =>
        name.EndsWith(AtomicFile.TemporarySuffix, StringComparison.Ordinal) && SegmentFormat.TryParseName(name[..^AtomicFile.TemporarySuffix.Length], out _);

    private bool IsUnfinishedSideFile(string name)
    {
        if (!name.EndsWith(AtomicFile.TemporarySuffix, StringComparison.Ordinal)) return false;
        if (oneFileName is not null) return name.StartsWith(oneFileName + CutSuffix, StringComparison.Ordinal);
        int cut = name.IndexOf(CutSuffix, StringComparison.Ordinal);
        return cut > 0 && SegmentFormat.TryParseName(name[..cut], out _);
    }

    // What a killed process left in the system's cache was read as if it were durable: make it so before anything rests on it. A sync alone does not: after
    // a failed one the kernel holds lost pages for clean and writes them never again. So the bytes that no frame confirms are written anew first, and so are
    // the zeros of earlier cuts, whose side files tell where they are: old bytes must not reappear behind new frames.
    private void MakeDurable(string name, TailScan scan)
    {
        using IStoreFile file = directory.OpenWrite(name);
        byte[] buffer = ArrayPool<byte>.Shared.Rent(CopyBytes);
        try
        {
            for (long offset = scan.DurableOffset; offset < scan.Tail.Offset;)
            {
                Span<byte> part = buffer.AsSpan(0, (int)Math.Min(buffer.Length, scan.Tail.Offset - offset));
                ReadExactly(file, part, offset);
                file.Write(part, offset);
                offset += part.Length;
            }
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(buffer);
        }

        foreach (StoreFileEntry side in directory.List())
        {
            if (!side.Name.StartsWith(name + CutSuffix, StringComparison.Ordinal) || !TryParseCutOffset(side.Name.AsSpan(name.Length + CutSuffix.Length), out long from)) continue;
            ZeroFill.Write(file, Math.Max(from, scan.Tail.Offset), Math.Min(from + side.LengthBytes, file.LengthBytes));
        }

        file.SyncData();
        directory.SyncDirectory();
    }

    // The offset in a side file's name, which may have a number after it.
    private static bool TryParseCutOffset(ReadOnlySpan<char> text, out long offset)
    {
        int end = text.IndexOf('-');
        return long.TryParse(end < 0 ? text : text[..end], NumberStyles.None, CultureInfo.InvariantCulture, out offset);
    }

    private static void ReadExactly(IStoreFile file, Span<byte> destination, long offset)
    {
        int read = file.Read(destination, offset);
        if (read != destination.Length) throw new IOException($"{file.Name}: the file ended at {offset + read} while it was recovered.");
    }

    private string NameOf(SegmentHeader header) => oneFileName ?? SegmentFormat.Name(header.Number);

    private string Describe(TailScan scan)
    {
        long next = scan.Tail.NextSequence;
        return scan.Case == RecoveryCase.AcknowledgedLost
            ? $"{scan.Problem}; records {next} to {scan.SyncedThrough} were acknowledged as durable and are lost"
            : $"{scan.Problem}; it follows record {next - 1} and was never acknowledged as durable";
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
        _ => "Restore the file from a backup, or open with RecoveryMode.Salvage to keep what comes before the damage; 'inspect verify' shows it.",
    };

    // What was found, and what the table says to do about the last segment.
    private sealed record Findings(List<SegmentHeader> Headers, List<StoreFileEntry> Segments, List<StoreFileEntry> Retired, TailScan Scan, RecoveryAction Action, string? SetAsideReason);
}
