// Copies a store to another folder, where it is a store of its own that opens. Segments oldest first, each whole and verified before it has its name, then the
// snapshots that the copied log reaches, then cursors, then the mark of the copy's end: whatever interrupts it, the copy opens and holds a beginning of the log. What is
// there already is kept.

using System.Globalization;
using Store.Framing;
using Store.IO;
using Store.Log;
using Store.Retention;
using Store.Shipping;
using Store.Snapshots;

namespace Store.Backup;

/// <summary>One copy of a store. One use.</summary>
/// <param name="source">The store's folder.</param>
/// <param name="storeId">Its identity.</param>
/// <param name="segments">Its segments, oldest first; none of them is removed meanwhile.</param>
/// <param name="durable">Last sequence to copy: on the disk.</param>
/// <param name="target">The folder of the copy, locked by the caller.</param>
/// <param name="cancellationToken">Stops between files and MiBs.</param>
internal sealed class StoreBackup(IStoreDirectory source, Guid storeId, IReadOnlyList<SegmentHeader> segments, long durable, IStoreDirectory target, CancellationToken cancellationToken)
{
    private const int CopyBytes = 1024 * 1024;

    private int _copied;
    private int _kept;
    private long _bytes;

    public BackupResult Run(long ticks)
    {
        List<SegmentHeader> there = CheckTarget();

        // Chosen before the log is copied, so that the log reaches them.
        List<SnapshotInfo> snapshots = Snapshots();
        if (segments[0].Number > 1 && there.Count == 0) MarkStart(ticks);
        long last = segments[0].FirstSequence - 1, newest = segments[0].Number;
        for (int i = 0; i < segments.Count && segments[i].FirstSequence <= durable + 1; i++)
        {
            SegmentHeader? successor = i + 1 < segments.Count && segments[i + 1].FirstSequence <= durable ? segments[i + 1] : null;
            last = Segment(segments[i], successor, there.Any(s => s.Number == segments[i].Number && s.SegmentId == segments[i].SegmentId));
            newest = segments[i].Number;
            if (successor is null) break;
        }

        foreach (SnapshotInfo snapshot in snapshots) Small(snapshot.FileName, mayBeGone: true, skipIfSame: true);
        foreach (StoreFileEntry entry in source.List().Where(static f => CursorName.IsCursor(f.Name) || f.Name == FollowedStore.FileName)) Small(entry.Name, mayBeGone: true, skipIfSame: false);
        if (there.Count > 0 && segments[0].Number > there[0].Number) MarkStart(ticks);
        RemoveOld(snapshots);

        // Until then the mark of the copy before holds: a copy only grows.
        new LogEnd(storeId, newest, last, Generation: 1).Publish(target, ticks);
        return new BackupResult(segments[0].FirstSequence, last, _copied, _kept, _bytes);
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
            SegmentHeader? same = segments.Where(s => s.Number == number).Select(static s => (SegmentHeader?)s).FirstOrDefault();
            if (number > segments[^1].Number || (same is { } mine && mine.SegmentId != header.SegmentId))
                throw new StoreException($"{target.Name}: {entry.Name} is not in the log of the store any more or never was: the copy was opened and went on by itself, or the store was restored to an earlier state. Back up to an empty folder.", target.Name);
            there.Add(header);
        }

        // A first backup that was interrupted may have left its mark.
        bool ours = LogStart.Read(target, out _) is { } start && start.StoreId == storeId;
        if (there.Count == 0 && target.List().Any(f => f.Name.EndsWith(".nino", StringComparison.Ordinal) && !(ours && f.Name == LogStart.FileName)))
            throw new StoreException($"{target.Name}: the folder holds files of a store, but no segment. Back up to an empty folder.", target.Name);
        if (there.Count > 0 && segments[0].Number > there[^1].Number)
            throw new StoreException($"{target.Name}: the log begins with segment {segments[0].Number} by now, and the copy ends in segment {there[^1].Number}: what is between was removed before it was copied. Back up to an empty folder.", target.Name);
        return there;
    }

    private List<SnapshotInfo> Snapshots()
    {
        using SnapshotCatalog catalog = SnapshotCatalog.Open(source, storeId);
        return [.. catalog.Files.Where(f => f.Info.Sequence <= durable).Select(static f => f.Info)];
    }

    private void MarkStart(long ticks) => new LogStart(storeId, segments[0].Number, segments[0].FirstSequence).Publish(target, ticks);

    // Returns the last sequence copied.
    private long Segment(SegmentHeader header, SegmentHeader? successor, bool isThere)
    {
        string name = SegmentFormat.Name(header.Number);
        if (isThere && successor is { } next && IsComplete(name, header, next))
        {
            _kept++;
            return next.FirstSequence - 1;
        }

        using IStoreFile file = source.OpenRead(name);
        (long end, long last) = Verified(file, header, successor);
        Copy(file, name, end);
        return last;
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

    // Reads the segment through: how far its frames reach that are to be copied. A damaged source is never copied over a good backup.
    private (long End, long Last) Verified(IStoreFile file, SegmentHeader header, SegmentHeader? successor)
    {
        using var scanner = new SegmentScanner(file, header);
        long end = SegmentFormat.HeaderSize, last = header.FirstSequence - 1;
        long wanted = successor is { } next ? next.FirstSequence - 1 : durable;
        while (successor is not null ? scanner.Offset < successor.Value.PreviousLength : scanner.NextSequence <= wanted)
        {
            cancellationToken.ThrowIfCancellationRequested();
            FrameReadStatus status = scanner.Next();
            if (status != FrameReadStatus.Frame)
                throw new StoreCorruptException($"{file.Name}, offset {scanner.Offset}: {scanner.Problem ?? "the segment ends"}, but records {scanner.NextSequence} to {wanted} should follow. The backup was not touched from here on. Run 'inspect verify'.", file.Name) { Offset = scanner.Offset };
            if (scanner.Frame.LastSequence > wanted) break;
            (end, last) = (scanner.Offset, scanner.Frame.LastSequence);
        }

        return (end, last);
    }

    private void Copy(IStoreFile file, string name, long length)
    {
        AtomicFile.Publish(target, name, copy =>
        {
            byte[] buffer = new byte[(int)Math.Min(length, CopyBytes)];
            for (long offset = 0; offset < length;)
            {
                cancellationToken.ThrowIfCancellationRequested();
                Span<byte> part = buffer.AsSpan(0, (int)Math.Min(buffer.Length, length - offset));
                if (file.Read(part, offset) != part.Length) throw new IOException(string.Create(CultureInfo.InvariantCulture, $"{file.Name}: the file ended before offset {offset + part.Length} while it was copied."));
                copy.Write(part, offset);
                offset += part.Length;
            }
        });
        _copied++;
        _bytes += length;
    }

    private void Small(string name, bool mayBeGone, bool skipIfSame)
    {
        try
        {
            using IStoreFile file = source.OpenRead(name);
            if (skipIfSame && target.List().Any(f => f.Name == name && f.LengthBytes == file.LengthBytes)) _kept++;
            else Copy(file, name, file.LengthBytes);
        }
        catch (FileNotFoundException) when (mayBeGone && source.List().All(f => f.Name != name))
        {
            // A checkpoint has replaced the snapshot, or a cursor was deleted, since the listing: it is not part of the store any more.
        }
    }

    // After everything else is durable. Segments first lose their mark, then their files.
    private void RemoveOld(List<SnapshotInfo> snapshots)
    {
        bool removed = false;
        foreach (StoreFileEntry entry in target.List())
        {
            bool isOld = SegmentFormat.TryParseName(entry.Name, out long number) ? number < segments[0].Number
                : SnapshotName.TryParse(entry.Name, out _) ? snapshots.All(s => s.FileName != entry.Name)
                : CursorName.IsCursor(entry.Name) && source.List().All(f => f.Name != entry.Name);
            if (!isOld) continue;
            target.Delete(entry.Name);
            removed = true;
        }

        if (removed) target.SyncDirectory();
    }
}
