// Who waits for what, in order of sequence, and how all of them are told at once.

using System.Collections.Concurrent;

namespace Store.Log;

/// <summary>The waits of one log. Members are called under the log's gate, except as said.</summary>
internal sealed class CommitQueue
{
    // Telling one waiter from the flusher's thread costs a global queue of the thread pool each time; telling many is handed to a thread of the pool, whose own queue is
    // cheap, while the flusher goes on to the next sync.
    private const int ManyWaiters = 8;

    private readonly Queue<CommitWaiter> _diskWaiters = new();
    private readonly Queue<CommitWaiter> _cacheWaiters = new();
    private readonly ConcurrentBag<Telling> _free = [];
    private readonly List<CommitWaiter> _ready = [];

    /// <summary>How many wait.</summary>
    public int Count => _diskWaiters.Count + _cacheWaiters.Count;

    /// <summary>True when somebody waits for the disk.</summary>
    public bool WaitsForDisk => _diskWaiters.Count > 0;

    /// <summary>True when a sync may be held back for more: several wait for the disk, and nobody for the system.</summary>
    public bool MayGather => _diskWaiters.Count > 1 && _cacheWaiters.Count == 0;

    /// <summary>Adds a wait.</summary>
    /// <param name="durability">For what.</param>
    /// <param name="target">The sequence waited for.</param>
    /// <param name="result">What the wait gives.</param>
    /// <param name="mayGiveUp">True when whoever waits may give up.</param>
    public CommitWaiter Add(Durability durability, long target, long result, bool mayGiveUp)
    {
        CommitWaiter waiter = CommitWaiter.Rent(target, result, mayGiveUp);
        (durability == Durability.Disk ? _diskWaiters : _cacheWaiters).Enqueue(waiter);
        return waiter;
    }

    /// <summary>Takes out the waits that are over; true when there are any.</summary>
    public bool Collect(long durableThrough, long flushedThrough, bool all)
    {
        Collect(_diskWaiters, all ? long.MaxValue : durableThrough);
        Collect(_cacheWaiters, all ? long.MaxValue : flushedThrough);
        return _ready.Count > 0;
    }

    /// <summary>True when of the waits taken out there is one that nobody can have given up.</summary>
    public bool TellsSomebody => _ready.Exists(static waiter => !waiter.MayGiveUp);

    /// <summary>Ends the waits taken out. Outside the log's gate, by the one thread that collected them.</summary>
    public void Tell(Exception? failure)
    {
        if (_ready.Count < ManyWaiters)
        {
            foreach (CommitWaiter waiter in _ready) waiter.Complete(failure);
        }
        else
        {
            if (!_free.TryTake(out Telling? telling)) telling = new Telling(this);
            telling.Start(_ready, failure);
        }

        _ready.Clear();
    }

    private void Collect(Queue<CommitWaiter> waiters, long through)
    {
        while (waiters.TryPeek(out CommitWaiter? waiter) && waiter.Target <= through) _ready.Add(waiters.Dequeue());
    }

    // Every continuation still becomes a work item of its own, so one that blocks holds up no other.
    private sealed class Telling(CommitQueue queue) : IThreadPoolWorkItem
    {
        private readonly List<CommitWaiter> _waiters = [];
        private Exception? _failure;

        public void Start(List<CommitWaiter> waiters, Exception? failure)
        {
            _waiters.AddRange(waiters);
            _failure = failure;
            ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);
        }

        public void Execute()
        {
            foreach (CommitWaiter waiter in _waiters) waiter.Complete(_failure);
            _waiters.Clear();
            _failure = null;
            queue._free.Add(this);
        }
    }
}
