// Carries out the plan: does what the table says about what was found, and reports. Everything it changes is safe to do again: a crash during recovery leads
// to the same recovery.

using Store.IO;
using Store.Log;
using Store.Retention;
using Store.Shipping;

namespace Store.Recovery;

/// <summary>Opens the files of a log for writing. One use; the caller holds the store's lock.</summary>
internal sealed class RecoveryRunner(IStoreDirectory directory, NinoStoreOptions options, string? oneFileName)
{
    private const int LookAgainMs = 250;

    private readonly RecoveryFinder _finder = new(directory, options.Recovery, oneFileName);
    private readonly TailRepair _repair = new(directory, oneFileName, salvages: options.Recovery == RecoveryMode.Salvage);
    private EndMark? _mark;
    private readonly List<StoreDamage> _damage = [];
    private readonly List<string> _removed = [];

    /// <summary>Finds where the log ends, mends what the mode allows, and makes what was found durable.</summary>
    /// <exception cref="StoreCorruptException">Something is damaged that the mode does not allow to give up. Nothing was changed.</exception>
    /// <exception cref="StoreVersionException">A file is of a newer version. Nothing was changed.</exception>
    public (LogTail Tail, RecoveryReport Report) Run()
    {
        if (Find() is not { } found) return Create();
        if (_finder.Unreadable is { } unreadable) ThrowIfItPassed(found, unreadable);
        ulong writer = options.NewId();
        try
        {
            if (oneFileName is null) found = TakeOver(found, writer);
            return Mend(found, writer);
        }
        catch (FileNotFoundException)
        {
            // Whoever takes the log over cleans up as well.
            ThrowIfTaken();
            throw;
        }
        finally
        {
            _mark?.Dispose();
        }
    }

    // What Salvage gives up because the disk cannot read it is given up for good, and a disk, or the way to it, may come back: so it is looked for once more, a while later.
    private void ThrowIfItPassed(RecoveryFindings found, IOException unreadable)
    {
        if (!options.RunsInline) Thread.Sleep(LookAgainMs);
        RecoveryFindings? again;
        try
        {
            again = FindOnce();
        }
        catch (StoreCorruptException)
        {
            throw unreadable;
        }

        bool isSame = again is not null && again.Headers.Count == found.Headers.Count && again.SetAsideReason == found.SetAsideReason
            && (again.Scan.Tail.Offset, again.Scan.EndOfBytes, again.Scan.Case) == (found.Scan.Tail.Offset, found.Scan.EndOfBytes, found.Scan.Case);
        if (!isSame || _finder.Unreadable is null) throw unreadable;
    }

    private (LogTail Tail, RecoveryReport Report) Mend(RecoveryFindings found, ulong writer)
    {
        TailScan scan = found.Scan;
        string name = _finder.NameOf(found.Headers[^1]);

        // Only from here on files are changed. Whoever takes the log over meanwhile is looked for before each change: what is mended here may be appended to there.
        RepairStart(found);
        RemoveRetired(found.Retired);
        LowerEnd(found);
        ThrowIfTaken();

        // Before anything is written that needs room: on a full disk this is what there is.
        RemoveLeftovers();
        if (found.SetAsideReason is not null) SetAside(found.Segments.Skip(found.Headers.Count), found.SetAsideReason);
        string? cutFile = null;
        long cut = 0;
        if (found.Action == RecoveryAction.Cut)
        {
            cut = scan.EndOfBytes - scan.Tail.Offset;
            _damage.Add(CutDamage(found, name));
            cutFile = _repair.Cut(name, scan.Tail.Offset, scan.EndOfBytes, ThrowIfTaken);
        }

        ThrowIfTaken();
        _repair.MakeDurable(name, scan, ThrowIfTaken);
        RaiseEnd(found);
        return (scan.Tail with { End = _mark?.End, Writer = writer }, Report(found, _damage, _removed) with { BytesCut = cut, CutBytesFile = cutFile });
    }

    /// <summary>The report on a log that was found.</summary>
    public static RecoveryReport Report(RecoveryFindings found, List<StoreDamage> damage, List<string> removed) => new()
    {
        CleanClose = (found.Scan.Case == RecoveryCase.Closed || found.Scan.IsClean) && damage.Count == 0,
        LastSequence = found.Scan.Tail.NextSequence - 1,
        Segments = found.Headers.Count,
        FramesVerified = found.Scan.Tail.Summary.Frames,
        RecordsVerified = found.Scan.Tail.Summary.Records,
        FilesRemoved = removed,
        Damage = damage,
    };

    /// <summary>What is cut at the end of the last segment.</summary>
    public static StoreDamage CutDamage(RecoveryFindings found, string name) =>
        new(name, found.Scan.Tail.Offset, found.Scan.EndOfBytes - found.Scan.Tail.Offset, found.Scan.Case == RecoveryCase.TornTail ? StoreDamageKind.TornTail : StoreDamageKind.Corruption, found.Description);

    // Where the table refuses, it looks again: somebody else who has the log open, which the lock should not allow, may have written between two reads, and then nothing is damaged.
    private RecoveryFindings? Find()
    {
        try
        {
            return FindOnce();
        }
        catch (Exception first) when (first is StoreCorruptException or FileNotFoundException)
        {
            IOException? unreadable = _finder.Unreadable;
            try
            {
                FindOnce();
            }
            catch (Exception second) when (second.Message == first.Message)
            {
                throw;
            }
            catch (Exception second) when (second is StoreCorruptException or FileNotFoundException)
            {
                // Something else this time: the same as nothing.
            }

            throw unreadable ?? (Exception)InUse(first);
        }
    }

    private RecoveryFindings? FindOnce()
    {
        RecoveryFindings? found = _finder.Find();
        if (found is null) ThrowIfLogWasRemoved();
        else _finder.ThrowIfRefused(found);
        return found;
    }

    private void ThrowIfLogWasRemoved()
    {
        RecoveryCase found = oneFileName is null && directory.List().Any(static f => (f.Name.StartsWith("snapshot-", StringComparison.Ordinal) && !f.Name.EndsWith(AtomicFile.TemporarySuffix, StringComparison.Ordinal)) || f.Name is LogStart.FileName or LogEnd.FileName or FollowedStore.FileName || CursorName.IsCursor(f.Name))
            ? RecoveryCase.SnapshotsWithoutLog
            : RecoveryCase.NothingThere;
        if (RecoveryPlan.Decide(found, options.Recovery, isFirstSegment: true) == RecoveryAction.Refuse)
            throw new StoreCorruptException($"{directory.Name}: there are snapshots, cursors or a mark of the log's start ({LogStart.FileName}), end ({LogEnd.FileName}) or source ({FollowedStore.FileName}), but no log segment: the log was removed. Put the segment files back, or move the other files away to start a new store.", directory.Name);
    }

    private (LogTail, RecoveryReport) Create()
    {
        RemoveLeftovers();
        Span<byte> id = stackalloc byte[16];
        BitConverter.TryWriteBytes(id, options.NewId());
        BitConverter.TryWriteBytes(id[8..], options.NewId());
        var tail = new LogTail { StoreId = new Guid(id), Segments = [], NextSequence = 1, Writer = BitConverter.ToUInt64(id) };
        return (tail, new RecoveryReport { Created = true, CleanClose = true, Segments = 1, FilesRemoved = _removed });
    }

    // A writer that lost its lock without knowing finds the new generation and stops. What it wrote before was acknowledged, perhaps behind what was found: then it is there, and we go.
    private RecoveryFindings TakeOver(RecoveryFindings found, ulong writer)
    {
        _mark = new EndMark(directory, null, writer, options.TimeProvider);
        _mark.Take(found.End, isThere: found.End is not null || found.EndProblem is not null, found.Headers[^1], found.EndUnreadable);
        return _finder.EndsAsBefore(found) ? found : throw _finder.Unreadable ?? (Exception)InUse(null);
    }

    private StoreInUseException InUse(Exception? cause) =>
        new($"{directory.Name}: the log grew while it was opened: somebody else writes to it, although this opening holds its lock. Was the lock's file removed, or does the file system not keep locks? Close the other writer first.", directory.Name, cause);

    // The mark says where the log begins, or is not there: afterwards it is readable again. Where a truncation was interrupted, what a killed process wrote of it may be in the system's cache only, its name or its bytes, and a failed sync
    // may have left it there for good: it is written anew before a segment is removed by it.
    private void RepairStart(RecoveryFindings found)
    {
        if (found.BeginsHere is null && found.StartProblem is null && found.Retired.Count == 0) return;
        SegmentHeader first = found.Headers[0];
        string name = SegmentFormat.Name(first.Number);
        if (found.StartProblem is not null) _damage.Add(new StoreDamage(LogStart.FileName, 0, 0, StoreDamageKind.Corruption, $"{found.StartProblem}; the log begins with segment {first.Number}, and the mark was written anew"));
        if (found.BeginsHere is not null) _damage.Add(new StoreDamage(name, 0, 0, StoreDamageKind.Corruption, $"{found.BeginsHere}; the log begins here now"));
        ThrowIfTaken();
        new LogStart(first.StoreId, first.Number, first.FirstSequence).Publish(directory, options.TimeProvider.GetUtcNow().UtcTicks);
    }

    // Where the log is to end before its mark, the mark goes first: a crash in between finds the same log, and gives up the same. What was found may not be on the disk yet: the mark promises what the log itself says is.
    private void LowerEnd(RecoveryFindings found)
    {
        if (found.Scan.Case == RecoveryCase.MissingEnd) _damage.Add(new StoreDamage(_finder.NameOf(found.Headers[^1]), found.Scan.Tail.Offset, 0, StoreDamageKind.Corruption, $"{found.Description}; the log ends here now"));
        SegmentHeader last = found.Headers[^1];
        long through = found.Scan.Tail.NextSequence - 1;
        if (found.End is not { } end) return;
        bool isReached = end.StoreId == last.StoreId && end.Segment <= last.Number && end.Sequence <= through;

        // What is cut is looked for again after a crash, so the mark must not say that there is nothing to look for.
        bool hidesCut = end.IsClosed && found.Action == RecoveryAction.Cut;
        if (isReached && !hidesCut) return;
        LogEnd lowered = isReached
            ? end with { IsClosed = false }
            : new LogEnd(last.StoreId, last.Number, end.StoreId == last.StoreId ? Math.Min(end.Sequence, found.Scan.Tail.SyncedThrough) : last.FirstSequence - 1, end.Generation);
        _mark!.Move(lowered, inBothSlots: true);
    }

    // Only a log that was closed and not written since has the mark it needs, on the disk. A copy made by hand may have none; a crash right after a segment was begun left the one before; and one that was written
    // may be in the system's cache only, also the one that takes back that the log was closed. What was found is durable by now.
    private void RaiseEnd(RecoveryFindings found)
    {
        if (_mark is null) return;
        SegmentHeader last = found.Headers[^1];
        if (found.EndProblem is not null) _damage.Add(new StoreDamage(LogEnd.FileName, 0, 0, StoreDamageKind.Corruption, $"{found.EndProblem}; it was written anew"));
        if (!found.Scan.IsClean) _mark.Move(new LogEnd(last.StoreId, last.Number, found.Scan.Tail.NextSequence - 1, Generation: 0), inBothSlots: false);
    }

    private void ThrowIfTaken() => _mark?.ThrowIfTaken();

    private void RemoveRetired(List<StoreFileEntry> retired)
    {
        foreach (StoreFileEntry entry in retired)
        {
            ThrowIfTaken();
            directory.Delete(entry.Name);
            _removed.Add(entry.Name);
        }
    }

    private void SetAside(IEnumerable<StoreFileEntry> entries, string reason)
    {
        foreach (StoreFileEntry entry in entries)
        {
            string aside = _repair.FreeName(entry.Name + ".salvaged");
            directory.Rename(entry.Name, aside);
            _damage.Add(new StoreDamage(entry.Name, 0, entry.LengthBytes, StoreDamageKind.Corruption, $"set aside as {aside}: {reason}"));
        }

        directory.SyncDirectory();
    }

    private void RemoveLeftovers()
    {
        foreach (StoreFileEntry entry in directory.List())
        {
            // Only this log's own: a folder may hold several one-file logs, and their writers are not kept out by our lock.
            if (!SegmentFormat.IsPrepared(entry.Name, oneFileName) && !_repair.IsUnfinishedSideFile(entry.Name) && !(oneFileName is null && (CursorName.IsUnfinished(entry.Name) || IsUnfinishedCopy(entry.Name)))) continue;
            directory.Delete(entry.Name);
            _removed.Add(entry.Name);
        }
    }

    // A backup to this folder was interrupted.
    private static bool IsUnfinishedCopy(string name) =>
        name.EndsWith(AtomicFile.TemporarySuffix, StringComparison.Ordinal) && SegmentFormat.TryParseName(name[..^AtomicFile.TemporarySuffix.Length], out _);
}
