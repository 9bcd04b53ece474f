using System.IO.Pipelines;

namespace Store.Serialization.Streaming;

/// <summary>What writing to a pipe shares.</summary>
internal static class Pipes
{
    /// <summary>Flushes, and says when that was for nobody.</summary>
    /// <param name="output">The pipe.</param>
    /// <param name="what">What was to be written, with its verb: <c>the record was</c>.</param>
    /// <param name="cancellationToken">Stops the wait.</param>
    /// <exception cref="OperationCanceledException">The flush was cancelled, by the token or by <see cref="PipeWriter.CancelPendingFlush"/>.</exception>
    /// <exception cref="IOException">The reader has completed.</exception>
    public static async ValueTask FlushAsync(PipeWriter output, string what, CancellationToken cancellationToken)
    {
        if (await IsCompletedAsync(output, cancellationToken).ConfigureAwait(false)) throw new IOException($"The reader of the pipe completed before {what} written.");
    }

    /// <summary>Flushes what ends with a mark of its end. A reader that has seen the mark may have completed while this waits, and is not told from one that had gone.</summary>
    /// <param name="output">The pipe.</param>
    /// <param name="cancellationToken">Stops the wait.</param>
    /// <exception cref="OperationCanceledException">As in <see cref="FlushAsync"/>.</exception>
    public static async ValueTask FlushLastAsync(PipeWriter output, CancellationToken cancellationToken) => await IsCompletedAsync(output, cancellationToken).ConfigureAwait(false);

    private static async ValueTask<bool> IsCompletedAsync(PipeWriter output, CancellationToken cancellationToken)
    {
        FlushResult result = await output.FlushAsync(cancellationToken).ConfigureAwait(false);
        if (result.IsCanceled) throw new OperationCanceledException("The write was cancelled by PipeWriter.CancelPendingFlush.");
        return result.IsCompleted;
    }
}
