namespace Store.Threading;

/// <summary>
/// One at a time, waited for with a thread or without; in no order. <see cref="Thread.Interrupt"/> neither ends a wait with a thread nor keeps the next one out: what is done inside is either begun or not, and leaving
/// is always leaving. (A <see cref="SemaphoreSlim"/> forgets to wake the next one when one that it has woken is interrupted.) Not reentrant. Nothing to dispose.
/// </summary>
internal sealed class AsyncMutex
{
    private readonly Lock _gate = new();
    private readonly EventCount _left = new();
    private bool _isTaken;
    private TaskCompletionSource? _leftAsync;

    /// <summary>Waits with the calling thread.</summary>
    public Scope Enter()
    {
        while (true)
        {
            long seen = _left.Read();
            if (TryEnter(out _, isAsync: false)) return new Scope(this);
            Uninterrupted.Wait((_left, seen), static left => left._left.Await(left.seen));
        }
    }

    /// <summary>Waits without a thread.</summary>
    /// <exception cref="OperationCanceledException">Cancelled before it was entered.</exception>
    public async ValueTask<Scope> EnterAsync(CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        while (!TryEnter(out Task? left, isAsync: true)) await left!.WaitAsync(cancellationToken).ConfigureAwait(false);
        return new Scope(this);
    }

    private bool TryEnter(out Task? left, bool isAsync)
    {
        left = null;
        using (Uninterrupted.Enter(_gate))
        {
            if (!_isTaken) return _isTaken = true;
            if (isAsync) left = (_leftAsync ??= new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously)).Task;
            return false;
        }
    }

    private void Leave()
    {
        TaskCompletionSource? left;
        using (Uninterrupted.Enter(_gate))
        {
            _isTaken = false;
            (left, _leftAsync) = (_leftAsync, null);
        }

        _left.Advance();
        left?.TrySetResult();
    }

    /// <summary>Being inside. Left once.</summary>
    public readonly struct Scope(AsyncMutex mutex) : IDisposable
    {
        public void Dispose() => mutex.Leave();
    }
}
