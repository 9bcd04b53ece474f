// Follows the log of this process: reads what is in the files, then waits to be told of more. No polling, no lock of the writer.

using System.Runtime.CompilerServices;
using System.Runtime.ExceptionServices;
using Store.Log;

namespace Store.Reading;

/// <summary>One follower's way through a live log.</summary>
/// <param name="files">The log.</param>
/// <param name="progress">Tells of new records.</param>
/// <param name="runsInline">True to read on the calling thread only.</param>
internal sealed class LogFollower(ILogFiles files, LogProgress progress, bool runsInline)
{
    /// <summary>Returns records in order, without gap or duplicate, until the range is over, the log is closed or the token is cancelled.</summary>
    /// <param name="options">Which records.</param>
    /// <param name="mustReachBack">True when the first one wanted must still be there.</param>
    /// <param name="portions">Takes what is returned out of the scan.</param>
    /// <param name="cancellationToken">Ends the wait and the following.</param>
    /// <exception cref="LogTruncatedException">Retention removed what follows.</exception>
    /// <exception cref="StoreFailedException">The log failed; what was in the files before has been returned.</exception>
    public async IAsyncEnumerable<T> FollowAsync<T>(ReadOptions options, bool mustReachBack, Func<RecordScan, IScanPortions<T>> portions, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        long horizon = HorizonOf(options);
        using var scan = new RecordScan(files, options, SpanTo(horizon), mustReachBack);
        IScanPortions<T> frames = portions(scan);
        var batch = new List<T>();
        while (true)
        {
            batch.Clear();
            (bool hasMore, ExceptionDispatchInfo? failure) = await RunAsync(() => TryFill(frames, batch), cancellationToken).ConfigureAwait(false);
            foreach (T record in batch)
            {
                cancellationToken.ThrowIfCancellationRequested();
                yield return record;
            }

            failure?.Throw();

            // A portion may hold nothing that is wanted: only the scan knows that it has come to its end.
            if (hasMore) continue;
            if (scan.IsOver) yield break;

            // Looked at before the horizon: what came before the end is still read.
            bool ended = progress.HasEnded;
            long now = HorizonOf(options);
            if (now == horizon)
            {
                if (ended && progress.Failure is { } cause) throw new StoreFailedException($"{files.Directory.Name}: a write to the log failed: {cause.Message}. Nothing follows. Dispose the store and open it again.", files.Directory.Name, cause);
                if (ended) yield break;
                await progress.WaitAsync(horizon, options.DurableOnly, cancellationToken).ConfigureAwait(false);
                continue;
            }

            horizon = now;
            scan.Extend(SpanTo(horizon));
        }
    }

    private long HorizonOf(ReadOptions options) => options.DurableOnly ? progress.DurableThrough : progress.FlushedThrough;

    // Where the log begins behind the horizon by now, there is nothing to read yet: the horizon moves on.
    private LogSpan SpanTo(long horizon) => new(files.Segments, horizon);

    // A failure waits until the records before it have been returned.
    private static (bool HasMore, ExceptionDispatchInfo? Failure) TryFill<T>(IScanPortions<T> frames, List<T> batch)
    {
        try
        {
            return (frames.Fill(batch), null);
        }
        catch (Exception e)
        {
            return (false, ExceptionDispatchInfo.Capture(e));
        }
    }

    private ValueTask<TResult> RunAsync<TResult>(Func<TResult> work, CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        return runsInline ? new ValueTask<TResult>(work()) : new ValueTask<TResult>(Task.Run(work, CancellationToken.None));
    }
}
