// Copies a store to another folder, where it is a store of its own that opens. What checkpoints take away meanwhile is taken hold of first; then segments oldest first, each whole and verified before it has its name, then the
// snapshots and keyed states that the copied log reaches, then cursors; then what the store makes anew goes, then come the marks of the copy's start and end, and only then all else goes that is superfluous: whatever interrupts it, an earlier copy still opens and holds a beginning of the log. What is
// there already is kept. A first copy of a log that was truncated opens when its mark of the start is there: when it is complete.

using Store.Framing;
using Store.IO;
using Store.Log;
using Store.Retention;
using Store.Shipping;
using Store.Snapshots;

namespace Store.Backup;

/// <summary>The log to be copied.</summary>
/// <param name="Segments">Its segments, oldest first; none of them is removed meanwhile.</param>
/// <param name="Durable">Last sequence to copy: on the disk.</param>
internal readonly record struct BackupLog(IReadOnlyList<SegmentHeader> Segments, long Durable);

/// <summary>One copy of a store. One use.</summary>
/// <param name="source">The store's folder.</param>
/// <param name="storeId">Its identity.</param>
/// <param name="log">Its log, asked for when everything that rests on it was chosen: then it reaches that.</param>
/// <param name="generations">How many snapshots of each type a store keeps.</param>
/// <param name="known">What the store knows of its snapshots.</param>
/// <param name="target">The folder of the copy, locked by the caller.</param>
/// <param name="keyed">The keyed states.</param>
/// <param name="files">Copies and counts.</param>
/// <param name="verifiesKept">True to read through what an earlier backup copied, and copy anew what does not verify.</param>
/// <param name="cancellationToken">Stops between files and MiBs.</param>
internal sealed class StoreBackup(IStoreDirectory source, Guid storeId, Func<BackupLog> log, int generations, SnapshotStore known, IStoreDirectory target, BackupKeyedStates keyed, BackupFiles files, bool verifiesKept, CancellationToken cancellationToken)
{
    private readonly List<BackupOmission> _damagedMarks = [];
    private IReadOnlyList<SegmentHeader> _segments = [];
    private long _durable;

    // The first segment that is not copied to its end, and where the copy ends.
    private int _next;
    private long _last;

    public BackupResult Run(long ticks)
    {
        using BackupSnapshots snapshots = BackupSnapshots.Choose(source, storeId, generations, known);
        (_segments, _durable) = log();
        List<SegmentHeader> there = CheckTarget();
        bool wasStore = there.Count > 0 && (there[0].Number == 1 || LogStart.Read(target, out _) is not null);
        long first = _segments[0].FirstSequence;
        snapshots.RequireOneOfEachType(first, _durable);
        keyed.Stage(first, wasStore);

        // By now it reaches the checkpoints too.
        (_segments, _durable) = log();
        CopyLog(there);
        (long last, long newest) = (_last, _segments[_next].Number);
        snapshots.CopyTo(target, last, files);
        keyed.Exchange();
        foreach (StoreFileEntry entry in source.List())
        {
            cancellationToken.ThrowIfCancellationRequested();
            if (CursorName.IsCursor(entry.Name)) Cursor(entry.Name, last);
            else if (entry.Name == FollowedStore.FileName) Small(entry.Name);
        }

        // What could not be copied must not be the reason to give up what an earlier copy has of it.
        SupersededSnapshots superseded = snapshots.FindSuperseded(target, first, last, cancellationToken);
        List<BackupOmission> omitted = [.. snapshots.Omitted, .. superseded.Omitted, .. keyed.Omitted, .. _damagedMarks];
        if (omitted.Count == 0 || !wasStore)
        {
            // First what the store makes anew, while the log of the copy still has what is behind it: with such a snapshot and without that log a state could not be opened.
            Remove(superseded.MadeAnew);
            MarkStart(there, ticks);
            RemoveOld(superseded.Names);
        }
        else
        {
            first = Math.Min(first, there[0].FirstSequence);
            omitted.AddRange(superseded.Kept);
        }

        // Until then the mark of the copy before holds: a copy only grows.
        new LogEnd(storeId, newest, last, Generation: 1).Publish(target, ticks);
        return new BackupResult(first, last, files.Copied, files.Kept, files.Bytes) { Omitted = omitted };
    }

    private void CopyLog(List<SegmentHeader> there)
    {
        _last = _segments[0].FirstSequence - 1;
        IReadOnlyList<Beginning> beginnings = keyed.Beginnings(_durable);
        long reached = beginnings.Count > 0 ? ReachOf(there) : 0;
        bool isWhole = false;
        foreach (Beginning begun in beginnings)
        {
            // Not a record further, and never back: what the copy has it keeps.
            if (begun.Marker.Since > reached)
            {
                isWhole = CopyLog(there, begun.Marker.Since);
                reached = _last;
            }

            keyed.Begin(begun, reached);
        }

        if (!isWhole) CopyLog(there, _durable);
    }

    // Goes on up to a record and the end of its frame. True when that is all.
    private bool CopyLog(List<SegmentHeader> there, long through)
    {
        // Of a log without records there is a segment, too.
        long begins = through < _durable ? through : _durable + 1;
        HashSet<(long, ulong)> copied = [.. there.Select(static s => (s.Number, s.SegmentId))];
        for (; _segments[_next].FirstSequence <= begins; _next++)
        {
            SegmentHeader header = _segments[_next];
            SegmentHeader? successor = _next + 1 < _segments.Count && _segments[_next + 1].FirstSequence <= _durable ? _segments[_next + 1] : null;
            bool isPart = through < (successor?.FirstSequence - 1 ?? _durable);
            _last = Segment(header, isPart ? null : successor, copied.Contains((header.Number, header.SegmentId)), through);
            if (isPart) return false;
            if (successor is null) return true;
        }

        return through == _durable;
    }

    // How far the log of the copy reaches: further than its mark says, when a backup was interrupted. Before anything there goes, its records must be the store's.
    private long ReachOf(List<SegmentHeader> there)
    {
        string name = SegmentFormat.Name(there[^1].Number);
        using IStoreFile file = OpenSegment(name, there[^1].Number);
        return ThrowIfDiverged(file, name, there[^1]);
    }

    // What lies in the target must be an earlier copy of this store; anything else is somebody's data.
    private List<SegmentHeader> CheckTarget()
    {
        List<SegmentHeader> there = [];
        foreach (StoreFileEntry entry in target.List())
        {
            if (!SegmentFormat.TryParseName(entry.Name, out long number)) continue;
            using IStoreFile file = target.OpenRead(entry.Name);
            if (SegmentHeader.TryRead(file, out SegmentHeader header) != SegmentHeaderStatus.Valid || header.Number != number || header.StoreId != storeId)
                throw new StoreException($"{target.Name}: {entry.Name} is no segment of the store {storeId}: the folder holds something else. Back up to an empty folder, or to one that holds an earlier backup of the same store.", target.Name);
            // Numbers are dense.
            SegmentHeader? same = number >= _segments[0].Number && number <= _segments[^1].Number ? _segments[(int)(number - _segments[0].Number)] : null;
            if (number > _segments[^1].Number || (same is { } mine && mine.SegmentId != header.SegmentId))
                throw new StoreException($"{target.Name}: {entry.Name} is not in the log of the store any more or never was: the copy was opened and went on by itself, or the store was restored to an earlier state. Back up to an empty folder.", target.Name);
            there.Add(header);
        }

        // A first backup that was interrupted may have left its mark.
        bool ours = LogStart.Read(target, out _) is { } start && start.StoreId == storeId;
        if (there.Count == 0 && target.List().Any(f => f.Name.EndsWith(".nino", StringComparison.Ordinal) && !(ours && f.Name == LogStart.FileName)))
            throw new StoreException($"{target.Name}: the folder holds files of a store, but no segment. Back up to an empty folder.", target.Name);
        if (there.Count > 0 && _segments[0].Number > there[^1].Number)
            throw new StoreException($"{target.Name}: the log begins with segment {_segments[0].Number} by now, and the copy ends in segment {there[^1].Number}: what is between was removed before it was copied. Back up to an empty folder.", target.Name);
        if (LogEnd.Read(target, out _) is { } end && end.StoreId == storeId && end.Sequence > _durable)
            throw new StoreException($"{target.Name}: the copy has the log up to record {end.Sequence}, and the store's ends with record {_durable}: it was opened for reading before that backup was made, or has lost records since. Open the store again; if it has lost them, back up to an empty folder.", target.Name);
        return there;
    }

    // Last of what makes a first copy of a truncated log a store: until then its first segment is one that follows nothing. Of a later copy, when nothing in it needs what is before.
    private void MarkStart(List<SegmentHeader> there, long ticks)
    {
        SegmentHeader first = _segments[0];
        if (first.Number == 1) return;
        if (there.Count > 0 && there[0].Number >= first.Number && LogStart.Read(target, out _) is { } start && start.StoreId == storeId && start.Segment == first.Number) return;
        new LogStart(storeId, first.Number, first.FirstSequence).Publish(target, ticks);
    }

    // Returns the last sequence copied: of a segment without a successor that of the frame in which a record is.
    private long Segment(SegmentHeader header, SegmentHeader? successor, bool isThere, long through)
    {
        string name = SegmentFormat.Name(header.Number);
        if (isThere && successor is { } next && IsComplete(name, header, next) && (!verifiesKept || IsWhole(name, header, next)))
        {
            files.Keep();
            return next.FirstSequence - 1;
        }

        using IStoreFile file = OpenSegment(name, header.Number);
        if (isThere) ThrowIfDiverged(file, name, header);
        (long end, long last) = Verified(file, name, header, successor, through);

        // The copy is read through as well: its bytes were read from the source once more.
        files.Publish(file, target, name, end, copy =>
        {
            if (SegmentHeader.TryRead(copy, out SegmentHeader copied) != SegmentHeaderStatus.Valid || copied != header || Verified(copy, name, header, successor, through, end) != (end, last))
                throw new StoreCorruptException($"{name}: what was copied is not what was read before. The backup was not touched from here on; try again, and run 'inspect verify' when it happens again.", name);
        });
        return last;
    }

    // What is to be replaced must be the beginning of what replaces it: a store that was put back to an earlier state and went on has other records there, and the copy the only ones of before. Frames are never rewritten, so the last
    // one of records tells. Returns the last sequence that the copy has.
    private long ThrowIfDiverged(IStoreFile file, string name, SegmentHeader header)
    {
        using IStoreFile copy = target.OpenRead(name);
        (long Offset, long Last) newest = default;
        try
        {
            using var scanner = new SegmentScanner(copy, header);
            while (scanner.Next() == FrameReadStatus.Frame)
            {
                cancellationToken.ThrowIfCancellationRequested();
                if (scanner.Frame.Kind == FrameKind.Records) newest = (scanner.FrameOffset, scanner.Frame.LastSequence);
            }
        }
        catch (Exception e) when (e is StoreCorruptException || (e is IOException failure && IoFailure.IsUnreadable(failure)))
        {
            // What is damaged in the copy is replaced; what is before it tells.
        }

        if (newest.Offset == 0) return header.FirstSequence - 1;
        Span<byte> mine = stackalloc byte[FrameFormat.HeaderSize], its = stackalloc byte[FrameFormat.HeaderSize];
        if (file.Read(mine, newest.Offset) == mine.Length && copy.Read(its, newest.Offset) == its.Length && mine.SequenceEqual(its)) return newest.Last;
        throw new StoreException($"{target.Name}: {name}, offset {newest.Offset}: the copy's records up to {newest.Last} are not the store's: the store was restored to an earlier state and went on. The copy was not touched from here on. Back up to an empty folder.", target.Name);
    }

    // Beside a writer that this process is not, segments may be removed.
    private IStoreFile OpenSegment(string name, long number)
    {
        try
        {
            return source.OpenRead(name);
        }
        catch (FileNotFoundException)
        {
            if (LogStart.Read(source, out _) is not { } begins || begins.Segment <= number) throw;
            throw new LogTruncatedException($"{source.Name}: {name} was removed by retention before it was copied; the log begins with record {begins.Sequence} by now. Open the store again, and back up once more.", source.Name, begins.Sequence);
        }
    }

    // A copy that ends with the same footer was complete when it got its name.
    private bool IsComplete(string name, SegmentHeader header, SegmentHeader successor)
    {
        using IStoreFile file = target.OpenRead(name);
        if (file.LengthBytes < successor.PreviousLength) return false;
        Span<byte> footer = stackalloc byte[FrameFormat.HeaderSize];
        long at = successor.PreviousLength - SegmentFormat.FooterFrameSize;
        return at >= SegmentFormat.HeaderSize && file.Read(footer, at) == footer.Length
            && FrameHeader.TryRead(footer, header.SegmentId, at, out FrameHeader frame) && frame.Kind == FrameKind.Footer && FrameHeader.StoredChecksum(footer) == successor.PreviousChecksum;
    }

    private bool IsWhole(string name, SegmentHeader header, SegmentHeader successor)
    {
        try
        {
            using IStoreFile file = target.OpenRead(name);
            return Verified(file, name, header, successor, _durable).End == successor.PreviousLength;
        }
        catch (Exception e) when (e is StoreCorruptException || (e is IOException failure && IoFailure.IsUnreadable(failure)))
        {
            // It is copied anew.
            return false;
        }
    }

    // Reads the segment through: how far its frames reach that are to be copied. A damaged source is never copied over a good backup.
    private (long End, long Last) Verified(IStoreFile file, string name, SegmentHeader header, SegmentHeader? successor, long through, long? until = null)
    {
        using var scanner = new SegmentScanner(file, header);
        long end = SegmentFormat.HeaderSize, last = header.FirstSequence - 1;
        long wanted = successor is { } next ? next.FirstSequence - 1 : through;
        while (until is { } known ? scanner.Offset < known : successor is not null ? scanner.Offset < successor.Value.PreviousLength : scanner.NextSequence <= wanted)
        {
            cancellationToken.ThrowIfCancellationRequested();
            FrameReadStatus status = scanner.Next();
            if (status != FrameReadStatus.Frame)
                throw new StoreCorruptException($"{name}, offset {scanner.Offset}: {scanner.Problem ?? "the segment ends"}, but records {scanner.NextSequence} to {wanted} should follow. The backup was not touched from here on. Run 'inspect verify'.", name) { Offset = scanner.Offset };
            if (scanner.Frame.LastSequence > (successor is null ? _durable : wanted)) break;
            (end, last) = (scanner.Offset, scanner.Frame.LastSequence);
        }

        return (end, last);
    }

    private void Small(string name)
    {
        try
        {
            using IStoreFile file = source.OpenRead(name);
            files.Publish(file, target, name, file.LengthBytes);
        }
        catch (FileNotFoundException) when (source.Find(name) is null)
        {
            // A cursor was deleted since the listing: it is not part of the store any more.
        }
    }

    // The store went on while its log was copied: a cursor may have been committed behind the copy's end. One that cannot be read is copied as it is.
    private void Cursor(string name, long last)
    {
        if (CursorMarks.TryRead(source, name) is not { } mark) return;
        if (mark.Problem(storeId) is { } problem)
        {
            // One of the copy's own that is right is worth more.
            if (CursorMarks.TryRead(target, name) is { } there && there.Problem(storeId) is null) _damagedMarks.Add(new BackupOmission(name, $"{problem}: the copy keeps the one it had. Restore it from there, or remove it, and back up again."));
            else Small(name);
            return;
        }

        Marker marker = mark.Content.Newest!.Value;

        // Of a state the copy may have an older snapshot than the store by now: until it is opened there, nothing of its log is superfluous.
        if (mark.Kind == MarkerKind.State) marker = marker with { Sequence = Math.Min(marker.Sequence, Math.Max(marker.Since, _segments[0].FirstSequence - 1)) };
        if (mark.Kind == MarkerKind.KeyedState)
        {
            if (keyed.MarkOf(name) is not { } needed) return;
            marker = needed;
        }

        MarkerFile.Publish(target, name, marker.Within(_segments[0].FirstSequence, last) with { Generation = marker.Generation + 1 });
        files.Count(MarkerFile.LengthBytes);
    }

    // Durable on return.
    private void Remove(IReadOnlyCollection<string> names)
    {
        foreach (string name in names) target.Delete(name);
        if (names.Count > 0) target.SyncDirectory();
    }

    // After everything else is durable. Segments first lose their mark, then their files.
    private void RemoveOld(IReadOnlyList<string> snapshots)
    {
        HashSet<string> kept = [.. source.List().Select(static f => f.Name)];
        Remove([.. target.List().Select(static f => f.Name).Where(name => SegmentFormat.TryParseName(name, out long number) ? number < _segments[0].Number
            : snapshots.Contains(name) || (CursorName.IsCursor(name) && !kept.Contains(name)))]);
    }
}
