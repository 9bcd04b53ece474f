// What is on the disk at each of its calls while a log runs as it does in a program: with its flusher, its preparer of segments, and threads that use it all at once?

using Store.IO;
using Store.Tests.Log;
using Store.Tests.Simulation;

namespace Store.Tests.Recovery;

/// <summary>How one opening of a log is disturbed.</summary>
/// <param name="PowerOffAt">The power goes off instead of the call of this number, counted from the opening; null when it stays on.</param>
/// <param name="Fault">What call of the disk fails after the opening; null for none.</param>
/// <param name="Wrap">A disk that is none; null for the right one.</param>
internal sealed record ThreadedTrouble(long? PowerOffAt = null, Fault? Fault = null, Func<SimDirectory, IStoreDirectory>? Wrap = null);

/// <summary>One opening of a log, from before its first call of the disk to its end, used by threads.</summary>
/// <param name="seed">Of everything but the scheduler's choices.</param>
/// <param name="directory">The disk.</param>
/// <param name="before">The opening before; null for a new log.</param>
/// <param name="promised">What was promised of what is on the disk.</param>
/// <param name="tally">Counts.</param>
/// <param name="trouble">What disturbs it.</param>
internal sealed class ThreadedLife(int seed, SimDirectory directory, ThreadedLife? before, ThreadedPromise promised, ThreadedTally tally, ThreadedTrouble trouble)
{
    private const int KillEvery = 8;

    // Every so manieth has one who waits, and waits alone, for whom threads of the pool write and sync.
    private const int AloneEvery = 4;

    private readonly bool _isAlone = seed % AloneEvery == 1;
    private readonly int _opener = Environment.CurrentManagedThreadId;
    private readonly List<ThreadedMoment> _moments = [];
    private readonly ThreadedPromises _promises = new(directory, promised);

    /// <summary>What the threads appended.</summary>
    public ThreadedRecords Records { get; } = new(before?.Records);

    /// <summary>The disk before each of its calls that changes or syncs something, and after the last one.</summary>
    public IReadOnlyList<ThreadedMoment> Moments => _moments;

    /// <summary>How many calls there were.</summary>
    public long Operations { get; private set; }

    /// <summary>How many calls of the disk failed as asked.</summary>
    public long Failures { get; private set; }

    /// <summary>True when a call of the threads, or closing, was told that the log has failed.</summary>
    public bool WasTold { get; private set; }

    /// <summary>Lives to the end.</summary>
    public void Run()
    {
        long begin = directory.OperationCount;
        directory.PowerOffAt = begin + trouble.PowerOffAt;
        directory.OnOperation = (number, what) => _moments.Add(new ThreadedMoment(number - begin, what, ThreadName, directory.TakeImage(), number % KillEvery == 0 ? directory.KillProcess() : null, _promises.Now));
        var faulty = new FaultDirectory(trouble.Wrap?.Invoke(directory) ?? directory, seed);
        var caught = new DiskTrouble();
        try
        {
            Use(faulty);
        }
        catch (Exception e) when (caught.Ends(e))
        {
            caught.ThrowOther();
            WasTold = true;
        }
        finally
        {
            directory.OnOperation = null;
        }

        Operations = directory.OperationCount - begin;
        Failures = faulty.Failures;
        foreach (ThreadedMoment moment in _moments) tally.Add($"calls of {moment.By}");
        _moments.Add(new ThreadedMoment(Operations + 1, directory.IsPowerOff ? "the end, without power" : "the end", ThreadName, directory.TakeImage(), directory.KillProcess(), _promises.Now));
    }

    private string ThreadName => Thread.CurrentThread.Name switch
    {
        "NinoStore flusher" => "the flusher",
        "NinoStore segment preparer" => "the preparer",
        { } name when ThreadedWork.Has(name) => $"threads that {name}",
        _ when Thread.CurrentThread.IsThreadPoolThread && Environment.CurrentManagedThreadId != _opener => "the pool",
        _ => "who opens and closes",
    };

    private void Use(FaultDirectory faulty)
    {
        bool mayFail = trouble.PowerOffAt is not null || trouble.Fault is not null, isDisk = seed % 5 != 4;
        NinoStore store = Simulated.Open(new UnevenDirectory(faulty, seed), seed, options => options with
        {
            RunsInline = false,
            FlushIntervalMs = 1,
            CommitDelayMs = _isAlone ? 0 : seed % 3,
            CommitBytes = 4096,
            Durability = isDisk ? Durability.Disk : Durability.PageCache,
            TimeProvider = TimeProvider.System,
        });
        ThreadedWork? work = null;
        try
        {
            Begin(store);
            faulty.Fault = trouble.Fault;
            work = new ThreadedWork(store, Records, _promises, tally, seed, isDisk, mayFail, _isAlone);
            try
            {
                work.Run();
            }
            finally
            {
                WasTold = work.WasTold;
            }

            _promises.Closing(store.LastSequence);
        }
        finally
        {
            if (work is not { Hangs: true }) store.Dispose();
        }
    }

    // Read from the store that runs: what it found is what the check of the life before allows, and where the next records go.
    private void Begin(NinoStore store)
    {
        (long, long)[] held = ThreadedCheck.Read(store);
        before?.Records.Hold(held);
        Records.Begin(held, store.LastSequence);
        _promises.Opened(store);
    }
}
