// Who waits for what, in order of sequence, and how all of them are told at once.

using Microsoft.Extensions.Logging;
using Microsoft.Extensions.ObjectPool;
using Store.Threading;

namespace Store.Log;

/// <summary>The waits of one log. Members are called under the log's gate, except as said.</summary>
/// <param name="failed">Noted there when somebody has heard of a failure.</param>
/// <param name="logger">Told of awaiters who cannot be told.</param>
internal sealed class CommitQueue(LogFailure failed, ILogger logger)
{
    // Telling one waiter from the flusher's thread costs a global queue of the thread pool each time; telling many is handed to a thread of the pool, whose own queue is
    // cheap, while the flusher goes on to the next sync.
    private const int ManyWaiters = 8;

    private readonly Queue<CommitWaiter> _diskWaiters = new();
    private readonly Queue<CommitWaiter> _cacheWaiters = new();
    private readonly DefaultObjectPool<Telling> _tellings = new(new DefaultPooledObjectPolicy<Telling>(), maximumRetained: 8);
    private readonly List<CommitWaiter> _ready = [];
    private int _lastEnded;

    /// <summary>How many wait.</summary>
    public int Count => _diskWaiters.Count + _cacheWaiters.Count;

    /// <summary>True when somebody waits for the disk.</summary>
    public bool WaitsForDisk => _diskWaiters.Count > 0;

    /// <summary>True when a sync may be held back for more: several wait for the disk, and nobody for the system.</summary>
    public bool MayGather => _diskWaiters.Count > 1 && _cacheWaiters.Count == 0;

    /// <summary>True when one waits, and no more than one did when waits ended last.</summary>
    public bool IsOneAlone => Count == 1 && _lastEnded <= 1;

    /// <summary>Adds a wait.</summary>
    /// <param name="durability">For what.</param>
    /// <param name="target">The sequence waited for.</param>
    /// <param name="result">What the wait gives.</param>
    /// <param name="mayGiveUp">True when whoever waits may give up.</param>
    /// <param name="notesFailure">False when whoever waits notes himself that he has heard of a failure.</param>
    public CommitWaiter Add(Durability durability, long target, long result, bool mayGiveUp, bool notesFailure)
    {
        CommitWaiter waiter = CommitWaiter.Rent(target, result, notesFailure ? failed : null, mayGiveUp, this);
        (durability == Durability.Disk ? _diskWaiters : _cacheWaiters).Enqueue(waiter);
        return waiter;
    }

    /// <summary>Takes out the waits that are over; true when there are any.</summary>
    public bool Collect(long durableThrough, long flushedThrough, bool all)
    {
        Collect(_diskWaiters, all ? long.MaxValue : durableThrough);
        Collect(_cacheWaiters, all ? long.MaxValue : flushedThrough);
        if (_ready.Count > 0) _lastEnded = _ready.Count;
        return _ready.Count > 0;
    }

    /// <summary>The only wait that was taken out, to be ended by the caller; null when there are more, or none. Outside the log's gate, by the one thread that collected them.</summary>
    public CommitWaiter? TakeLone()
    {
        if (_ready.Count != 1) return null;
        CommitWaiter lone = _ready[0];
        _ready.Clear();
        return lone;
    }

    /// <summary>Ends the waits taken out. Outside the log's gate, by the one thread that collected them.</summary>
    /// <param name="failure">What they are told; null when all is well.</param>
    /// <param name="here">False on a thread of a caller's, which may be interrupted: then the pool tells them. In the middle of telling there is no place to stop, and who was not told waits for ever.</param>
    public void Tell(Exception? failure, bool here)
    {
        Telling telling = _tellings.Get();
        telling.Take(_ready, failure, _tellings);

        bool areMany = _ready.Count >= ManyWaiters;
        _ready.Clear();
        if (here && !areMany) telling.Execute();
        else Uninterrupted.Wait(telling, static telling => ThreadPool.UnsafeQueueUserWorkItem(telling, preferLocal: false));
    }

    /// <summary>Tells of an awaiter whose context or scheduler does not take him. Any thread, without the gate.</summary>
    public void Refused(long target, Exception e) => logger.LogWarning(e, "Who waited for record {Sequence} could not be told that the wait is over: the scheduler or context in which he awaited it refused him.", target);

    private void Collect(Queue<CommitWaiter> waiters, long through)
    {
        while (waiters.TryPeek(out CommitWaiter? waiter) && waiter.Target <= through) _ready.Add(waiters.Dequeue());
    }

    // Every continuation still becomes a work item of its own, so one that blocks holds up no other.
    private sealed class Telling : IThreadPoolWorkItem
    {
        private readonly List<CommitWaiter> _waiters = [];
        private ObjectPool<Telling>? _pool;
        private Exception? _failure;

        public void Take(List<CommitWaiter> waiters, Exception? failure, ObjectPool<Telling> pool)
        {
            _waiters.AddRange(waiters);
            _failure = failure;
            Volatile.Write(ref _pool, pool);
        }

        // One that an interruption has queued twice tells once.
        public void Execute()
        {
            if (Interlocked.Exchange(ref _pool, null) is not { } pool) return;
            foreach (CommitWaiter waiter in _waiters) waiter.Complete(_failure);
            _waiters.Clear();
            _failure = null;
            pool.Return(this);
        }
    }
}
