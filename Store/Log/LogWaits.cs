// How does a caller wait for the disk? Awaiting, on a pooled waiter that the flusher ends; or blocking, by doing the work itself. Both are fulfilled by whatever flush reaches their sequence.

namespace Store.Log;

/// <summary>The waits of one log. Safe for any number of threads.</summary>
/// <param name="gate">The log's lock.</param>
/// <param name="head">Where it ends.</param>
/// <param name="flush">What moves it to the disk.</param>
/// <param name="waiters">Who awaits that.</param>
/// <param name="gather">How long a flush waits for more of them.</param>
/// <param name="failed">What stopped the log.</param>
/// <param name="flusher">The thread that flushes; null where whoever waits does.</param>
internal sealed class LogWaits(LogGate gate, LogHead head, LogFlush flush, CommitQueue waiters, CommitGather gather, LogFailure failed, LogFlusher? flusher)
{
    /// <summary>Completes when everything appended so far is on the disk.</summary>
    public ValueTask CommitAsync(CancellationToken cancellationToken) => Register(Durability.Disk, mayGiveUp: cancellationToken.CanBeCanceled) is { } waiter ? Flushing(waiter, cancellationToken).PlainTask : default;

    /// <summary>Completes with <paramref name="result"/> when everything appended so far is as durable as asked. Where the caller has appended it, closing the log meanwhile does not refuse the wait: it writes what is there.</summary>
    public ValueTask<long> WaitAsync(Durability durability, long result, CancellationToken cancellationToken, bool isAppended) => Register(durability, result, cancellationToken.CanBeCanceled, isAppended) is { } waiter ? Flushing(waiter, cancellationToken).Task : new ValueTask<long>(result);

    /// <summary>Returns when everything appended so far is as durable as asked. Does the work itself, two changes of threads less than awaiting it; whoever waits meanwhile finds it done, or does it for all who wait; who needs the system only syncs for nobody, and waits for a sync that is under way.</summary>
    /// <exception cref="ThreadInterruptedException">The thread was interrupted while somebody else was at it: nothing is said about the records.</exception>
    public void Wait(Durability durability)
    {
        long target;
        using (gate.Enter())
        {
            failed.ThrowIfUnusable();
            target = head.NextSequence - 1;
            if (HasReachedLocked(durability, target)) return;
        }

        lock (flush.Turn)
        {
            using (gate.Enter())
            {
                if (HasReachedLocked(durability, target)) return;
                failed.ThrowIfUnusable();
            }

            // A reader takes no sync upon itself. Without a flusher nobody else would.
            flush.Run(sync: durability == Durability.Disk, forOthers: durability == Durability.Disk || flusher is null);
        }

        using (gate.Enter())
        {
            if (!HasReachedLocked(durability, target)) failed.ThrowIfAny();
        }
    }

    /// <summary>Returns when everything appended so far is on the disk, notes too, which have no sequence. Syncs in any case.</summary>
    public void Sync()
    {
        using (gate.Enter()) failed.ThrowIfUnusable();
        flush.Run(sync: true);
        using (gate.Enter()) failed.ThrowIfAny();
    }

    /// <summary>A wait for a sequence; null when it is already fulfilled. Under the gate.</summary>
    public CommitWaiter? RegisterLocked(Durability durability, long target, long result, bool mayGiveUp, bool notesFailure = true)
    {
        if (HasReachedLocked(durability, target)) return null;
        if (durability == Durability.Disk) gather.Came();
        CommitWaiter waiter = waiters.Add(durability, target, result, mayGiveUp, notesFailure);
        flusher?.AskLocked(forOne: waiters.IsOneAlone && !gather.Delays && flush.IsQuick);
        return waiter;
    }

    /// <summary>What was registered, with its flush begun where it is not for the flusher's thread. Outside the gate, once.</summary>
    public CommitWaiter Flushing(CommitWaiter waiter, CancellationToken cancellationToken)
    {
        waiter.GiveUpWhen(cancellationToken);
        if (flusher is null) flush.Run(sync: false);
        else flusher.QueueLent();
        return waiter;
    }

    private CommitWaiter? Register(Durability durability, long result = 0, bool mayGiveUp = false, bool isAppended = false)
    {
        using (gate.Enter())
        {
            long target = head.NextSequence - 1;
            if (!isAppended) failed.ThrowIfUnusable();
            else if (!HasReachedLocked(durability, target)) failed.ThrowIfAny();
            return RegisterLocked(durability, target, result, mayGiveUp);
        }
    }

    private bool HasReachedLocked(Durability durability, long sequence) =>
        durability == Durability.Memory || (durability == Durability.Disk ? head.DurableThrough : flush.FlushedThrough) >= sequence;
}
