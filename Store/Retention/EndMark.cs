// Whose log is it? The lock says so. Where it was lost without anybody noticing (its file removed by hand, a network file system that keeps none), the mark of the log's end does: every opening for writing takes
// its next generation and writes a random number of its own into both slots, and a writer that finds another's there stops. It looks before it writes, so that it does not write over the other's records, and
// after it has synced, before anybody is told: what it acknowledged was on the disk before the other looked for the log's end (RecoveryRunner). Both slots, because whoever was held up between its look and its
// write leaves at least one of the other's to be found. A net under the lock and no lock (docs/durability.md). A one-file log has no mark: there the writer looks whether the lock's file is still its own.

using Store.IO;
using Store.Log;

namespace Store.Retention;

/// <summary>The mark of the log's end as its writer keeps it. Not thread-safe. A one-file log has none: then only its lock is looked after here.</summary>
/// <param name="directory">The folder.</param>
/// <param name="end">The mark as this opening left it on the disk; null before it was taken, and before the first segment.</param>
/// <param name="writer">The number of this opening.</param>
/// <param name="clock">The clock of marks.</param>
/// <param name="held">The lock of a log without a mark; null when it cannot tell whether it was lost, or the mark does.</param>
internal sealed class EndMark(IStoreDirectory directory, LogEnd? end, ulong writer, TimeProvider clock, IWatchedLock? held = null) : IDisposable
{
    // Open as long as the log is: a look is one read.
    private IStoreFile? _file;

    /// <summary>The mark as it is on the disk.</summary>
    public LogEnd? End { get; private set; } = end;

    /// <summary>
    /// Makes the mark of a log this writer's, durable on return, before anything else is changed. Each step leaves a mark that says the same as before, or one of its slots that does. Of two that do it at the
    /// same time at most one returns.
    /// </summary>
    /// <param name="found">The mark that was found; null when there is none that can be read.</param>
    /// <param name="isThere">True when there is one, readable or not.</param>
    /// <param name="last">The last segment.</param>
    /// <param name="unreadable">What the disk said that could not read a copy of it when it was looked for; null when it could.</param>
    /// <exception cref="StoreInUseException">Somebody else opens the log.</exception>
    public void Take(LogEnd? found, bool isThere, in SegmentHeader last, IOException? unreadable = null)
    {
        if (found is { } before) TakeFrom(before, unreadable);
        else TakeAnew(new LogEnd(last.StoreId, last.Number, last.FirstSequence - 1, Generation: 1, Writer: writer), isThere);
        ThrowIfTaken();
        Dispose();
    }

    /// <summary>Says something else of the log's end. Durable on return.</summary>
    /// <param name="next">What it says; generation and writer are seen to.</param>
    /// <param name="inBothSlots">True when what it said before must not count again, should the new one be damaged.</param>
    /// <exception cref="StoreInUseException">Another writer has opened the log since.</exception>
    public void Move(LogEnd next, bool inBothSlots)
    {
        long ticks = Ticks();
        Advance(End!.Value, next, ticks);
        if (inBothSlots) End!.Value.Repeat(directory, ticks);
        Dispose();
    }

    /// <summary>A segment was begun and is durable under its name; nothing was written into it yet.</summary>
    /// <exception cref="StoreInUseException">Another writer has opened the log since.</exception>
    public void BeginSegment(in SegmentHeader header)
    {
        if (header.IsOneFile) return;
        if (End is { } mine)
        {
            Advance(mine, mine with { Segment = header.Number, Sequence = header.FirstSequence - 1, IsClosed = false }, header.CreatedTicks);
            return;
        }

        var first = new LogEnd(header.StoreId, header.Number, header.FirstSequence - 1, Generation: 1, Writer: writer);
        PublishNew(first, header.CreatedTicks);
        End = first;
    }

    /// <summary>Something is about to be written.</summary>
    /// <exception cref="StoreInUseException">Another writer has opened the log since.</exception>
    public void BeginWriting()
    {
        if (End is { IsClosed: true } closed) Advance(closed, closed with { IsClosed = false }, Ticks());
        else ThrowIfTaken();
    }

    /// <summary>Everything was synced, up to a sequence, and nothing will be written any more.</summary>
    /// <exception cref="StoreInUseException">Another writer has opened the log since.</exception>
    public void Close(long segment, long sequence, long ticks)
    {
        if (End is { IsClosed: false } mine) Advance(mine, mine with { Segment = segment, Sequence = sequence, IsClosed = true }, ticks);
    }

    /// <summary>Throws when the log has another writer: what was written is not to be acknowledged. One read of a file that stays open.</summary>
    /// <exception cref="StoreInUseException">Another writer has opened the log since.</exception>
    public void ThrowIfTaken()
    {
        if (held is { IsInPlace: false }) throw Unlocked();
        if (End is not { } mine) return;
        (SlotOwner own, SlotOwner other) = Owners(mine);
        if (own != new SlotOwner(mine.Generation, writer) || other.Writer != writer) throw Taken();
    }

    /// <summary>As <see cref="ThrowIfTaken"/>, by the file of that name: the folder may be another one by now. Safe beside everything else.</summary>
    /// <exception cref="StoreInUseException">Another writer has opened the log since, or this is not its folder any more.</exception>
    public void ThrowIfTakenByName()
    {
        try
        {
            using IStoreFile file = directory.OpenRead(LogEnd.FileName);
            (SlotOwner first, SlotOwner second) = MarkerFile.OwnersOf(file);

            // Not the generations: a slot may be being written.
            if (first.Writer != writer || second.Writer != writer) throw Taken();
        }
        catch (IOException e) when (e is FileNotFoundException or DirectoryNotFoundException)
        {
            throw Gone(e);
        }
    }

    public void Dispose()
    {
        _file?.Dispose();
        _file = null;
    }

    // The slot that holds the mark before goes last: it shows whether somebody else came meanwhile, who would have written there.
    private void TakeFrom(LogEnd before, IOException? unreadable)
    {
        LogEnd mine = before with { Generation = before.Generation + 1, Writer = writer };
        if (unreadable is not null)
        {
            TakeUnreadable(before, mine, unreadable);
            return;
        }

        SlotOwner other = Owners(mine).Other;
        if (LogEnd.Read(directory, out _, out unreadable) != before) throw unreadable ?? (Exception)Taken();
        long ticks = Ticks();
        mine.Update(directory, ticks);
        if (Owners(mine) != (new SlotOwner(mine.Generation, writer), other)) throw Taken();
        mine.Repeat(directory, ticks);
        End = mine;
    }

    // What the disk cannot read cannot be written in part either: the mark gets a file of its own. Of two that do this at the same time both may return, and the first look of one tells; that takes a lock that keeps nobody out as well.
    private void TakeUnreadable(LogEnd before, LogEnd mine, IOException unreadable)
    {
        // The copy that could not be read is the newer one, and can be read by now.
        if (LogEnd.Read(directory, out _) is { } now && now.Generation > before.Generation) throw unreadable;
        mine.Replace(directory, Ticks());

        // What is open is the file before.
        Dispose();
        End = mine;
    }

    // What it promises is on the disk: a segment that has a successor was synced before that, and the names of all are from here on.
    private void TakeAnew(LogEnd mine, bool isThere)
    {
        directory.SyncDirectory();
        if (isThere) mine.Overwrite(directory, Ticks());
        else PublishNew(mine, Ticks());
        End = mine;
    }

    private void PublishNew(LogEnd mine, long ticks)
    {
        try
        {
            mine.PublishNew(directory, ticks);
        }
        catch (IOException e) when (e is FileNotFoundException || IoFailure.IsExists(e))
        {
            // Somebody else's has its name already, or whoever opens has cleaned up what was written aside.
            throw Taken(e);
        }
    }

    // Looks before and after by name: the file may be another one by now. The slot that is not written tells who came in between.
    private void Advance(LogEnd mine, LogEnd next, long ticks)
    {
        Dispose();
        ThrowIfTaken();
        Dispose();
        next = next with { Generation = mine.Generation + 1, Writer = writer };
        try
        {
            next.Update(directory, ticks);
        }
        catch (IOException e) when (e is FileNotFoundException or DirectoryNotFoundException)
        {
            throw Gone(e);
        }

        End = next;
        ThrowIfTaken();
    }

    // Who wrote the slot of a mark, and the other one.
    private (SlotOwner Own, SlotOwner Other) Owners(LogEnd mark)
    {
        try
        {
            _file ??= directory.OpenRead(LogEnd.FileName);
        }
        catch (IOException e) when (e is FileNotFoundException or DirectoryNotFoundException)
        {
            throw Gone(e);
        }

        (SlotOwner first, SlotOwner second) = MarkerFile.OwnersOf(_file);
        return MarkerFile.SlotOf(mark.Generation) == 0 ? (first, second) : (second, first);
    }

    private long Ticks() => clock.GetUtcNow().UtcTicks;

    private StoreInUseException Taken(Exception? cause = null) => new($"{directory.Name}: another writer has opened the log since, although this one holds its lock: {LogEnd.FileName} is not as this one left it. "
        + "Was the lock's file removed, or does the file system not keep locks? What this writer acknowledged is there; it writes nothing more.", directory.Name, cause);

    private StoreInUseException Unlocked() => new($"{directory.Name}: the file of the log's lock was removed or replaced: whoever opens the log now is kept out by nothing. "
        + "What this writer acknowledged is there; it writes nothing more. Open the log again, and leave the lock's file alone.", directory.Name);

    // Whoever opens a log without a mark makes a new one: from then on nothing would tell the two apart. So who finds it gone has lost the log.
    private StoreInUseException Gone(IOException cause) => new($"{directory.Name}: {LogEnd.FileName} is gone: somebody removed it, and whoever opens the log now cannot be told from this writer. "
        + "What this writer acknowledged is there; it writes nothing more. Open the store again: the mark is written anew.", directory.Name, cause);
}
