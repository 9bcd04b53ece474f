// From memory to the disk: what is sealed is written, synced when somebody waits for the disk, and everybody who waited is told. One at a time, whoever does it.

using System.Diagnostics;
using Microsoft.Extensions.Logging;
using Store.Retention;
using Store.Threading;

namespace Store.Log;

/// <summary>Moves the log's bytes to its files. Whoever holds <see cref="Turn"/> owns the segment file. Safe for any number of threads.</summary>
internal sealed class LogFlush(LogGate gate, LogHead head, LogPipe pipe, CommitQueue waiters, CommitGather gather, SegmentWriter writer, LogFailure failed, LogProgress progress, long flushedThrough, bool runsInline, ILogger logger)
{
    // A thread of the pool is not for waiting: what may take longer is the flusher's. A sync of a solid disk is far below, one of a slow disk far above, where two changes of threads are nothing.
    private static readonly TimeSpan LongestLent = TimeSpan.FromMilliseconds(2);
    private const int MostLentBytes = 1024 * 1024;

    private readonly List<LogExtent> _taken = new(64);
    private TimeSpan _lastTook;
    private long _syncs;

    /// <summary>Held while a flush runs.</summary>
    public Lock Turn { get; } = new();

    /// <summary>Counts flushes, for who waits for room.</summary>
    public EventCount Ended { get; } = new();

    /// <summary>How many syncs were begun because somebody waited for the disk.</summary>
    public long Syncs => Interlocked.Read(ref _syncs);

    /// <summary>Last sequence that the operating system has. Under the gate.</summary>
    public long FlushedThrough { get; private set; } = flushedThrough;

    /// <summary>True when a flush may be expected to be over at once, as the last one was. Under the gate.</summary>
    public bool IsQuick => _lastTook <= LongestLent && pipe.SealedBytes + head.OpenFrameBytes <= MostLentBytes;

    /// <summary>Moves everything appended so far to the file, syncs when somebody waits for the disk (or when asked), and ends the waits that are fulfilled. On a caller's thread: others are told by the pool.</summary>
    /// <param name="sync">True to sync in any case.</param>
    /// <param name="forOthers">False to leave those who wait for the disk to the flusher, which every one of them has asked: whoever needs the files only does not wait for the disk.</param>
    public void Run(bool sync, bool forOthers = true)
    {
        using (Uninterrupted.Enter(Turn)) RunInTurn(sync, forOthers, tellsHere: runsInline, mayLeaveOne: false);
    }

    /// <summary>As <see cref="Run"/>, on the thread that is there for it.</summary>
    public void RunOnFlusher()
    {
        using (Uninterrupted.Enter(Turn)) RunInTurn(sync: false, forOthers: true, tellsHere: true, mayLeaveOne: false);
    }

    /// <summary>As <see cref="Run"/>, on a thread of the pool; where it ends the wait of one alone, the caller is to tell him.</summary>
    public LoneWait RunForOne()
    {
        using (Uninterrupted.Enter(Turn)) return RunInTurn(sync: false, forOthers: true, tellsHere: true, mayLeaveOne: true);
    }

    /// <summary>Makes everything durable and says so at the end of the file. Nothing is appended any more.</summary>
    public void Close()
    {
        RunUntilDurable();
        bool marks;
        using (gate.Enter())
        {
            if (failed.First is not null) return;
            failed.WhileClosing = "nothing says that it was closed, and opening it looks for its end as after a crash";
            marks = !head.EndsClosed;
            if (marks) failed.Keep(LogFailure.Of(head, static head => head.WriteMark(isClosing: true)));
            if (failed.First is not null) return;
        }

        if (marks) Run(sync: true);
        using (Uninterrupted.Enter(Turn))
        {
            using (gate.Enter())
            {
                if (failed.First is not null) return;
                failed.WhileClosing = head.Segment.IsOneFile
                    ? "the file was not cut to its size and may keep zeros behind its end, which nobody reads"
                    : $"the mark of its end, {LogEnd.FileName}, may lag behind, and until the store was closed again it is not noticed when the last records are cut off";
            }

            Exception? failure = LogFailure.Of(this, head.Segment.IsOneFile ? static flush => flush.CutToSize() : static flush => flush.MarkEnd());
            using (gate.Enter()) failed.Keep(failure);
        }
    }

    private LoneWait RunInTurn(bool sync, bool forOthers, bool tellsHere, bool mayLeaveOne)
    {
        Exception? failure;
        long target, begun = Stopwatch.GetTimestamp();
        using (gate.Enter())
        {
            if (failed.First is not null) return default;
            failure = LogFailure.Of(head, static head => head.Seal());
            pipe.TakeSealed(_taken);
            target = head.SealedThrough;
            sync |= forOthers && waiters.WaitsForDisk;
            if (sync) gather.SyncBegins();
        }

        failure ??= LogFailure.Of(this, sync ? static flush => flush.WriteTaken(sync: true) : static flush => flush.WriteTaken(sync: false));
        bool anyReady, rolled = false;
        long bytes = 0;
        using (gate.Enter())
        {
            failed.Keep(failure);
            if (sync) _lastTook = Stopwatch.GetElapsedTime(begun);
            foreach (LogExtent extent in _taken)
            {
                if (extent.EndsChunk) pipe.Return(extent.Chunk);
                rolled |= extent.NewSegment is not null;
                bytes += extent.Length;
            }

            _taken.Clear();
            if (failure is null)
            {
                FlushedThrough = target;
                if (sync) head.DurableThrough = target;
                if (!head.HasOpenFrame) pipe.Rewind();
            }

            anyReady = waiters.Collect(head.DurableThrough, FlushedThrough, all: failed.First is not null);
        }

        Ended.Advance();
        Exception? toWaiters = anyReady && failure is not null ? failed.ToWaiters(failure) : null;
        LoneWait left = mayLeaveOne ? new LoneWait(waiters.TakeLone(), toWaiters) : default;
        if (anyReady && left.Waiter is null) waiters.Tell(toWaiters, tellsHere);
        TellFollowers(failure, target, sync, rolled, bytes);
        return left;
    }

    // Whoever listens is no part of the write: what it throws ends neither the flusher's thread, and with it the process, nor the log.
    private void TellFollowers(Exception? failure, long target, bool isDurable, bool rolled, long bytes)
    {
        try
        {
            if (failure is not null) progress.End(failure);
            else progress.Advance(target, isDurable, rolled, bytes);
        }
        catch (Exception e)
        {
            logger.LogWarning(e, "Who follows the log could not be told of a flush.");
        }
    }

    // The flusher must not end before it has seen the close mark, so closing runs the flushes itself: the lock keeps them apart.
    private void RunUntilDurable()
    {
        while (true)
        {
            Run(sync: true);
            using (gate.Enter())
            {
                if (failed.First is not null || (head.DurableThrough >= head.NextSequence - 1 && pipe.SealedBytes == 0)) return;
            }
        }
    }

    private void WriteTaken(bool sync)
    {
        if (_taken.Count > 0) writer.BeginWriting();
        foreach (LogExtent extent in _taken) writer.Write(in extent);
        if (!sync) return;

        // Before it, so that whoever keeps the disk busy knows while this one waits.
        Interlocked.Increment(ref _syncs);
        writer.Sync();
    }

    private void CutToSize() => writer.CutToSize();

    private void MarkEnd() => writer.MarkEnd(head.DurableThrough, head.LastTicks);
}
