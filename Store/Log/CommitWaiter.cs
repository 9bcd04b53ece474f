// What an awaiting appender waits on: a pooled value task source, so that waiting costs no garbage.

using System.Threading.Tasks.Sources;
using Microsoft.Extensions.ObjectPool;

namespace Store.Log;

/// <summary>One pending wait for a sequence to become durable. Returns itself to the pool when its result is taken, which a value task allows once.</summary>
internal sealed class CommitWaiter : IValueTaskSource<long>, IValueTaskSource
{
    // Who ended the wait: nobody, the log, the token. The first one counts; one that the token has ended stays in the log's queue and is nobody's afterwards.
    private const int Waiting = 0, ByTheLog = 1, GivenUp = 2;

    private static readonly DefaultObjectPool<CommitWaiter> Pool = new(new DefaultPooledObjectPolicy<CommitWaiter>(), 1024);

    // Mutable struct: never readonly.
    private ManualResetValueTaskSourceCore<long> _core = new() { RunContinuationsAsynchronously = true };

    // Whether the registration is stored, or the log has ended the wait before: whoever comes second takes it back, also of a wait that nobody takes the result of.
    private const int Stored = 1, Ended = 2;
    private int _end;
    private int _watch;
    private CancellationTokenRegistration _registration;
    private LogFailure? _failed;
    private CommitQueue? _queue;
    private bool _mayGiveUp;

    /// <summary>The sequence waited for.</summary>
    public long Target { get; private set; }

    /// <summary>What the task gives.</summary>
    public long Result { get; private set; }

    /// <summary>Gets a waiter from the pool.</summary>
    /// <param name="target">The sequence waited for.</param>
    /// <param name="result">What the task gives.</param>
    /// <param name="failed">Noted there when somebody has taken the result and so heard of a failure; null where whoever waits does that himself. The end of a wait is no proof of it: its task may have been dropped.</param>
    /// <param name="mayGiveUp">True when <see cref="GiveUpWhen"/> follows with a token.</param>
    /// <param name="queue">Told when the context in which it is awaited refuses to go on; null for nobody.</param>
    public static CommitWaiter Rent(long target, long result, LogFailure? failed, bool mayGiveUp = false, CommitQueue? queue = null)
    {
        CommitWaiter waiter = Pool.Get();
        waiter.Target = target;
        waiter.Result = result;
        waiter._failed = failed;
        waiter._queue = queue;
        waiter._mayGiveUp = mayGiveUp;
        return waiter;
    }

    /// <summary>The wait with its result.</summary>
    public ValueTask<long> Task => new(this, _core.Version);

    /// <summary>The wait alone.</summary>
    public ValueTask PlainTask => new(this, _core.Version);

    /// <summary>Ends the wait when a token is cancelled, without garbage. Once, before the task is given away.</summary>
    public void GiveUpWhen(CancellationToken cancellationToken)
    {
        if (!cancellationToken.CanBeCanceled) return;
        _registration = cancellationToken.UnsafeRegister(static (waiter, token) => ((CommitWaiter)waiter!).GiveUp(token), this);
        if (Interlocked.Exchange(ref _watch, Stored) == Ended) _registration.Unregister();
    }

    /// <summary>Ends the wait. Call outside the log's gate. Whoever awaits goes on on a thread of the pool, or from there in his own context: never here, unless asked for.</summary>
    /// <param name="failure">What he is told; null when all is well.</param>
    /// <param name="goesOnHere">True on a thread of the pool that holds nothing: he goes on before this returns.</param>
    public void Complete(Exception? failure, bool goesOnHere = false)
    {
        if (Interlocked.CompareExchange(ref _end, ByTheLog, Waiting) != Waiting) return;
        _core.RunContinuationsAsynchronously = !goesOnHere;
        if (_mayGiveUp && Interlocked.Exchange(ref _watch, Ended) == Stored) _registration.Unregister();
        if (failure is null) _core.SetResult(Result);
        else _core.SetException(failure);
    }

    long IValueTaskSource<long>.GetResult(short token)
    {
        // A wait whose result is taken too early stays in the log's queue, and one whose result is taken twice may be somebody else's by now. Neither may go
        // back to the pool: its next user would be told that something is durable that is not. (A stale token throws in GetStatus.)
        if (_core.GetStatus(token) == ValueTaskSourceStatus.Pending)
            throw new InvalidOperationException("The wait has not ended: await it, or call AsTask() before blocking on it.");
        // Waits for a cancellation that is being told at this moment: from here on nobody touches this but who has it, and the log's queue if it was given up.
        _registration.Dispose();
        try
        {
            return _core.GetResult(token);
        }
        catch (StoreFailedException) when (_failed is not null)
        {
            // Whoever awaits hears it here. A task that the wait was turned into takes its result by itself and keeps the exception; whether anybody looks at the task is known to the framework alone, which tells when nobody did.
            _failed.WasTold = true;
            throw;
        }
        finally
        {
            _core.Reset();
            _core.RunContinuationsAsynchronously = true;
            (_registration, _failed, _queue, _watch) = (default, null, null, 0);
            if (_end == ByTheLog)
            {
                _end = Waiting;
                Pool.Return(this);
            }
        }
    }

    private void GiveUp(CancellationToken cancellationToken)
    {
        if (Interlocked.CompareExchange(ref _end, GivenUp, Waiting) == Waiting) _core.SetException(new OperationCanceledException(cancellationToken));
    }

    void IValueTaskSource.GetResult(short token) => ((IValueTaskSource<long>)this).GetResult(token);

    ValueTaskSourceStatus IValueTaskSource<long>.GetStatus(short token) => _core.GetStatus(token);

    ValueTaskSourceStatus IValueTaskSource.GetStatus(short token) => _core.GetStatus(token);

    void IValueTaskSource<long>.OnCompleted(Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags) => OnCompleted(continuation, state, token, flags);

    void IValueTaskSource.OnCompleted(Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags) => OnCompleted(continuation, state, token, flags);

    // The source itself would ask a context on the thread that ends the wait, which is the one that flushes.
    private void OnCompleted(Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags)
    {
        if ((flags & ValueTaskSourceOnCompletedFlags.UseSchedulingContext) != 0 && AwaiterContext.Current is { } context)
            _core.OnCompleted(static awaiter => ((AwaiterContext)awaiter!).GoOn(), new AwaiterContext(context, continuation, state, Target, _queue), token, flags & ~ValueTaskSourceOnCompletedFlags.UseSchedulingContext);
        else
            _core.OnCompleted(continuation, state, token, flags & ~ValueTaskSourceOnCompletedFlags.UseSchedulingContext);
    }
}
