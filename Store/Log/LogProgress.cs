// Who waits for the log to go on? Followers: one notification for all of them, from the flush that brought the records to the file.

using Store.Threading;

namespace Store.Log;

/// <summary>How far the files have come. Safe for any number of threads; told by one at a time.</summary>
internal sealed class LogProgress
{
    private readonly Lock _gate = new();
    private TaskCompletionSource? _next;
    private long _flushedThrough;
    private long _durableThrough;
    private long _writtenBytes;
    private bool _ended;
    private Exception? _failure;

    /// <summary>Of a log that nobody writes here.</summary>
    public static LogProgress EndedAt(long flushedThrough, long durableThrough)
    {
        var progress = new LogProgress();
        (progress._flushedThrough, progress._durableThrough, progress._ended) = (flushedThrough, durableThrough, true);
        return progress;
    }

    /// <summary>Called when a segment was begun, on the thread that flushes; must return at once and not throw.</summary>
    public Action? SegmentBegun { get; set; }

    /// <summary>Last sequence that is in the files.</summary>
    public long FlushedThrough => Volatile.Read(ref _flushedThrough);

    /// <summary>Last sequence that is on the disk.</summary>
    public long DurableThrough => Volatile.Read(ref _durableThrough);

    /// <summary>Bytes that were written to the files since the log was opened.</summary>
    public long WrittenBytes => Volatile.Read(ref _writtenBytes);

    /// <summary>Why nothing will be written any more; null when the log was closed or goes on.</summary>
    public Exception? Failure => Volatile.Read(ref _failure);

    /// <summary>True when nothing will be written any more.</summary>
    public bool HasEnded => Volatile.Read(ref _ended);

    /// <summary>Records up to a sequence are in the files.</summary>
    /// <param name="flushedThrough">The sequence.</param>
    /// <param name="isDurable">True when they are on the disk as well.</param>
    /// <param name="segmentBegun">True when a segment was begun.</param>
    /// <param name="bytes">How many that took.</param>
    public void Advance(long flushedThrough, bool isDurable, bool segmentBegun, long bytes = 0)
    {
        Volatile.Write(ref _writtenBytes, _writtenBytes + bytes);
        bool isDurableNews = isDurable && flushedThrough > DurableThrough, news = isDurableNews || flushedThrough > FlushedThrough;
        if (flushedThrough > FlushedThrough) Volatile.Write(ref _flushedThrough, flushedThrough);
        if (isDurableNews) Volatile.Write(ref _durableThrough, flushedThrough);
        if (news) Tell();

        if (segmentBegun) SegmentBegun?.Invoke();
    }

    /// <summary>Nothing will follow: the log was closed or failed.</summary>
    public void End(Exception? failure)
    {
        Interlocked.CompareExchange(ref _failure, failure, null);
        Volatile.Write(ref _ended, true);
        Tell();
    }

    /// <summary>Completes when a record behind a sequence is in the files (and durable, when asked), or nothing will follow.</summary>
    public async ValueTask WaitAsync(long beyond, bool durable, CancellationToken cancellationToken)
    {
        while (true)
        {
            Task next;
            lock (_gate)
            {
                if ((durable ? DurableThrough : FlushedThrough) > beyond || HasEnded) return;
                next = (_next ??= new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously)).Task;
            }

            await next.WaitAsync(cancellationToken).ConfigureAwait(false);
        }
    }

    private void Tell()
    {
        TaskCompletionSource? next;
        using (Uninterrupted.Enter(_gate)) (next, _next) = (_next, null);
        next?.TrySetResult();
    }
}
