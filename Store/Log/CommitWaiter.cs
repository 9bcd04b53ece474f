// What an awaiting appender waits on: a pooled value task source, so that waiting costs no garbage.

using System.Threading.Tasks.Sources;
using Microsoft.Extensions.ObjectPool;

namespace Store.Log;

/// <summary>One pending wait for a sequence to become durable. Returns itself to the pool when its result is taken, which a value task allows once.</summary>
internal sealed class CommitWaiter : IValueTaskSource<long>, IValueTaskSource
{
    private static readonly DefaultObjectPool<CommitWaiter> Pool = new(new DefaultPooledObjectPolicy<CommitWaiter>(), 1024);

    // Mutable struct: never readonly.
    private ManualResetValueTaskSourceCore<long> _core = new() { RunContinuationsAsynchronously = true };

    /// <summary>The sequence waited for.</summary>
    public long Target { get; private set; }

    /// <summary>What the task gives.</summary>
    public long Result { get; private set; }

    /// <summary>True when whoever waits may give up before it ends: its end is no proof that somebody has heard.</summary>
    public bool MayGiveUp { get; private set; }

    /// <summary>Gets a waiter from the pool.</summary>
    public static CommitWaiter Rent(long target, long result, bool mayGiveUp = false)
    {
        CommitWaiter waiter = Pool.Get();
        waiter.Target = target;
        waiter.Result = result;
        waiter.MayGiveUp = mayGiveUp;
        return waiter;
    }

    /// <summary>The wait with its result.</summary>
    public ValueTask<long> Task => new(this, _core.Version);

    /// <summary>The wait alone.</summary>
    public ValueTask PlainTask => new(this, _core.Version);

    /// <summary>Ends the wait. Call outside the log's gate.</summary>
    public void Complete(Exception? failure)
    {
        if (failure is null) _core.SetResult(Result);
        else _core.SetException(failure);
    }

    long IValueTaskSource<long>.GetResult(short token)
    {
        // A wait whose result is taken too early stays in the log's queue, and one whose result is taken twice may be somebody else's by now. Neither may go
        // back to the pool: its next user would be told that something is durable that is not. (A stale token throws in GetStatus.)
        if (_core.GetStatus(token) == ValueTaskSourceStatus.Pending)
            throw new InvalidOperationException("The wait has not ended: await it, or call AsTask() before blocking on it.");
        try
        {
            return _core.GetResult(token);
        }
        finally
        {
            _core.Reset();
            Pool.Return(this);
        }
    }

    void IValueTaskSource.GetResult(short token) => ((IValueTaskSource<long>)this).GetResult(token);

    ValueTaskSourceStatus IValueTaskSource<long>.GetStatus(short token) => _core.GetStatus(token);

    ValueTaskSourceStatus IValueTaskSource.GetStatus(short token) => _core.GetStatus(token);

    void IValueTaskSource<long>.OnCompleted(Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags) => _core.OnCompleted(continuation, state, token, flags);

    void IValueTaskSource.OnCompleted(Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags) => _core.OnCompleted(continuation, state, token, flags);
}
