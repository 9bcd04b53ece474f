namespace Store.Threading;

/// <summary>
/// Waits that <see cref="Thread.Interrupt"/> does not end. A caller's thread may be interrupted while it does the log's work (<c>Commit</c> writes and syncs itself): between taking bytes and telling
/// who waits for them there is no place to stop. The interruption is kept for the next wait that may be ended.
/// </summary>
internal static class Uninterrupted
{
    /// <summary>Waits; again when it was interrupted. <paramref name="wait"/> has done nothing when it throws <see cref="ThreadInterruptedException"/>.</summary>
    public static void Wait<T>(T target, Action<T> wait)
    {
        bool wasInterrupted = false;
        while (true)
        {
            try
            {
                wait(target);
                break;
            }
            catch (ThreadInterruptedException)
            {
                wasInterrupted = true;
            }
        }

        if (wasInterrupted) Thread.CurrentThread.Interrupt();
    }

    /// <summary>Waits for a task and throws what it failed with. What it works on may belong to the caller, who must not go on before it has ended.</summary>
    public static void Await(Task task)
    {
        Wait(task, static task => Task.WaitAny(task));
        task.GetAwaiter().GetResult();
    }

    /// <inheritdoc cref="Await(Task)"/>
    public static T Await<T>(Task<T> task)
    {
        Await((Task)task);
        return task.GetAwaiter().GetResult();
    }

    /// <summary>Enters a lock.</summary>
    public static LockScope Enter(Lock gate)
    {
        Wait(gate, static gate => gate.Enter());
        return new LockScope(gate);
    }

    /// <summary>Enters an object's monitor, for who waits in it.</summary>
    public static MonitorScope EnterMonitor(object monitor)
    {
        Wait(monitor, static monitor => Monitor.Enter(monitor));
        return new MonitorScope(monitor);
    }

    /// <summary>Being inside a lock.</summary>
    public readonly ref struct LockScope(Lock gate)
    {
        public void Dispose() => gate.Exit();
    }

    /// <summary>Being inside a monitor.</summary>
    public readonly ref struct MonitorScope(object monitor)
    {
        public void Dispose() => Monitor.Exit(monitor);
    }
}
