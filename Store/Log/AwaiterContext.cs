// Where does an awaiter go on who has a synchronization context or a scheduler of his own? There; but it is asked on a thread of the pool, because it is somebody else's code: it may go on with him at once, on the thread that
// asks, and what he does then may wait for the very thread that flushes the log.

namespace Store.Log;

/// <summary>An awaiter with his context.</summary>
/// <param name="context">What <see cref="Current"/> gave him.</param>
/// <param name="continuation">What he goes on with.</param>
/// <param name="state">Its argument.</param>
/// <param name="target">The sequence he waits for.</param>
/// <param name="queue">Told when the context refuses him; null for nobody.</param>
internal sealed class AwaiterContext(object context, Action<object?> continuation, object? state, long target, CommitQueue? queue)
{
    /// <summary>The context or scheduler of this thread; null for the pool's own.</summary>
    public static object? Current =>
        SynchronizationContext.Current is { } current && current.GetType() != typeof(SynchronizationContext) ? current
        : TaskScheduler.Current != TaskScheduler.Default ? TaskScheduler.Current
        : null;

    /// <summary>Goes on with him there. On a thread of the pool.</summary>
    public void GoOn()
    {
        // A context or scheduler may be closed and refuse him. That is his loss, and no reason to end the process.
        try
        {
            if (context is SynchronizationContext synchronization) synchronization.Post(static me => ((AwaiterContext)me!).Continue(), this);
            else Task.Factory.StartNew(static me => ((AwaiterContext)me!).Continue(), this, CancellationToken.None, TaskCreationOptions.DenyChildAttach, (TaskScheduler)context);
        }
        catch (Exception e)
        {
            queue?.Refused(target, e);
        }
    }

    private void Continue() => continuation(state);
}
