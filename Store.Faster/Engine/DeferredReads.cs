// Who does a read that FASTER asks for, and when? The thread that was asked, at once, unless it says otherwise: one that must not block takes its reads elsewhere, and what the callback of a read asks for is done behind it.

namespace Store.Faster.Engine;

/// <summary>Reads of this thread that wait to be done.</summary>
internal static class DeferredReads
{
    [ThreadStatic] private static Queue<Action>? _queue;

    /// <summary>From here on, reads that are asked for on this thread are put into a queue instead of being done, until <see cref="StopHolding"/>.</summary>
    public static void Hold(Queue<Action> held) => _queue = held;

    /// <summary>Ends <see cref="Hold"/>.</summary>
    public static void StopHolding() => _queue = null;

    /// <summary>Does reads that were held, and those that follow from them, on this thread.</summary>
    public static void Run(Queue<Action> held)
    {
        _queue = held;
        try
        {
            while (held.TryDequeue(out Action? next)) next();
        }
        finally
        {
            _queue = null;
        }
    }

    /// <summary>Does a read, or puts it behind those that wait. A callback may ask for the next record of a chain, and that one again: done one after the other here, not inside each other, so that a long chain takes no stack.</summary>
    public static void DoOrQueue(Action read)
    {
        if (_queue is { } outer)
        {
            outer.Enqueue(read);
            return;
        }

        var queue = new Queue<Action>();
        queue.Enqueue(read);
        Run(queue);
    }
}
