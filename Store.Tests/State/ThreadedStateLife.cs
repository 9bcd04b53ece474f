// What is on the disk at each of its calls while two threads append to a log, a state on it is checkpointed by itself, and so is one of the program's own?

using Store.IO;
using Store.Snapshots;
using Store.State;
using Store.Tests.Log;
using Store.Tests.Recovery;
using Store.Tests.Simulation;

namespace Store.Tests.State;

/// <summary>The disk before one of its calls, and what was promised then.</summary>
/// <param name="Operation">The number of the call.</param>
/// <param name="What">The call.</param>
/// <param name="By">Whose thread makes it.</param>
/// <param name="Image">What a power failure would find instead of it.</param>
/// <param name="Killed">The folder when the process was killed instead of it, for some of the calls.</param>
/// <param name="Promise">What had been promised by then.</param>
internal sealed record StateMoment(long Operation, string What, string By, CrashImage Image, SimDirectory? Killed, StatePromise Promise);

/// <summary>One opening of a store with its states, from before its first call of the disk to its end.</summary>
/// <param name="seed">Of everything but the scheduler's choices.</param>
/// <param name="directory">The disk.</param>
/// <param name="before">The opening before; null for a new log.</param>
/// <param name="promised">What was promised of what is on the disk.</param>
/// <param name="tally">Counts.</param>
/// <param name="powerOffAt">The power goes off instead of the call of this number, counted from the opening; null when it stays on.</param>
/// <param name="wrap">A disk that is none; null for the right one.</param>
internal sealed class ThreadedStateLife(int seed, SimDirectory directory, ThreadedStateLife? before, StatePromise promised, ThreadedTally tally, long? powerOffAt, Func<SimDirectory, IStoreDirectory>? wrap)
{
    public const int LargeItems = 36;

    private const int KillEvery = 8, CallsEach = 40, LargeItemBytes = 64 * 1024;

    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(1);

    private readonly List<StateMoment> _moments = [];
    private readonly Lock _gate = new();
    private readonly List<Exception> _failures = [];
    private StatePromise _promise = promised;
    private ThreadedStateHistory? _history;
    private OwnSum _own = new();
    private long _number;
    private int _asked, _written;

    /// <summary>What was appended.</summary>
    public ThreadedStateHistory History => _history ?? before?.History ?? new ThreadedStateHistory(null, 0);

    /// <summary>The disk before each of its calls that changes or syncs something, and after the last one.</summary>
    public IReadOnlyList<StateMoment> Moments => _moments;

    /// <summary>How many calls there were.</summary>
    public long Operations { get; private set; }

    public static byte[] LargeItem(int index)
    {
        byte[] item = new byte[LargeItemBytes];
        new Random(index).NextBytes(item);
        return item;
    }

    /// <summary>Lives to the end.</summary>
    public void Run()
    {
        long begin = directory.OperationCount;
        directory.PowerOffAt = begin + powerOffAt;
        directory.OnOperation = (number, what) =>
        {
            string by = Thread.CurrentThread.Name ?? "another thread";
            tally.Add($"calls of {by}");
            _moments.Add(new StateMoment(number - begin, what, by, directory.TakeImage(), number % KillEvery == 0 ? directory.KillProcess() : null, _promise));
        };
        var trouble = new DiskTrouble();
        try
        {
            Use();
        }
        catch (Exception e) when (trouble.Ends(e))
        {
            // What is on the disk is looked at next.
            trouble.ThrowOther();
        }
        finally
        {
            directory.OnOperation = null;
        }

        Operations = directory.OperationCount - begin;
        _moments.Add(new StateMoment(Operations + 1, "the end", "nobody", directory.TakeImage(), directory.KillProcess(), _promise));
    }

    private void Use()
    {
        var ids = new Lock();
        bool isLarge = seed % 3 == 0, closesAll = seed % 2 == 0, hangs = false;
        NinoStore store = Simulated.Open(new UnevenDirectory(wrap?.Invoke(directory) ?? directory, seed), seed, options => options with
        {
            RunsInline = false,
            FlushIntervalMs = 1,
            CommitDelayMs = seed % 3,
            CommitBytes = 4096,
            SnapshotGenerations = 2 + (seed % 2),
            TimeProvider = TimeProvider.System,
            NewId = () =>
            {
                lock (ids) return options.NewId();
            },
        });
        try
        {
            StateStore<Tally> state = Begin(store, out OwnSum own);
            _own = own;
            var policy = new CheckpointPolicy { EveryRecords = 15, OnDispose = seed % 4 == 0 };
            CheckpointSchedule schedule = isLarge ? store.CheckpointEvery(policy, token => WriteOwnAsync(store, token)) : store.CheckpointEvery(policy, () => Capture(store));
            Thread[] threads = [Worker("applies", random => Apply(state, random)), Worker("appends", random => Append(store, schedule, random))];
            foreach (Thread thread in threads) thread.Start();
            foreach (Thread thread in threads) hangs |= !thread.Join(Patience);
            Assert.False(hangs, "a thread hangs");
            if (_failures.Count > 0) throw new AggregateException(_failures);
            if (!directory.IsPowerOff) Assert.Equal(History.SumsAt(store.LastSequence), (state.Read(static t => t.Sum), _own.Sum));
            tally.Add("checkpoints that nobody asked for", _written - _asked);
            if (!closesAll) return;
            schedule.Dispose();
            Told(now => now with { Own = Math.Max(now.Own, schedule.Last?.Sequence ?? 0) });
            state.Dispose();
        }
        finally
        {
            if (!hangs) store.Dispose();
        }
    }

    private StateStore<Tally> Begin(NinoStore store, out OwnSum own)
    {
        long last = store.LastSequence;
        var history = new ThreadedStateHistory(before?.History, last);
        _number = history.FirstNumber;
        _history = history;
        history.Hold(store);
        own = ThreadedStateCheck.RestoreOwn(store);
        StateStore<Tally> state = store.OpenStateAsync<Tally>(ThreadedStateHistory.Events, new StateOptions { CheckpointEveryEvents = 12, CheckpointOnDispose = seed % 5 == 0, StateIsImmutable = seed % 7 < 3 }).AsTask().GetAwaiter().GetResult();
        Told(now => now with { Durable = last });
        return state;
    }

    private Thread Worker(string name, Action<Random> act) => new(() =>
    {
        var random = new Random((seed * 37) + name.Length + name[2]);
        try
        {
            for (int i = 0; i < CallsEach && !directory.IsPowerOff; i++)
            {
                act(random);
                if (random.Next(3) == 0) Thread.Yield();
                else if (random.Next(3) == 0) Thread.Sleep(random.Next(1, 4));
            }
        }
        catch (Exception e) when (powerOffAt is not null && DiskTrouble.IsCauseOf(e))
        {
            tally.Add("threads that a power failure ended");
        }
        catch (Exception e)
        {
            lock (_gate) _failures.Add(e);
        }
    }) { IsBackground = true, Name = name };

    private void Apply(StateStore<Tally> state, Random random)
    {
        switch (random.Next(9))
        {
            case < 4:
                long number = Number();
                History.IsAt(state.Apply(new Deposited("", number)), number);
                break;
            case 4:
                Deposited[] batch = [.. Enumerable.Range(0, random.Next(1, 8)).Select(_ => new Deposited("", Number()))];
                long first = state.ApplyBatch<Deposited>(batch);
                foreach (Deposited e in batch) History.IsAt(first++, e.Amount);
                break;
            case 5 or 6:
                (long deposit, long remark) = (Number(), Number());
                long decided = state.Decide((deposit, remark), static (_, command, events) =>
                {
                    events.Add(new Deposited("", command.deposit));
                    events.Add(ThreadedStateHistory.RemarkOf(command.remark));
                });
                History.IsAt(decided, deposit);
                History.IsAt(decided + 1, remark);
                break;
            case 7:
                long last = state.LastSequence;
                state.CommitAsync().AsTask().GetAwaiter().GetResult();
                Told(now => now with { Durable = Math.Max(now.Durable, last) });
                break;
            default:
                if (random.Next(3) != 0) return;
                long covered = state.CheckpointAsync().AsTask().GetAwaiter().GetResult().Sequence;
                Told(now => now with { Durable = Math.Max(now.Durable, covered), State = Math.Max(now.State, covered) });
                tally.Add("checkpoints asked for");
                break;
        }
    }

    private void Append(NinoStore store, CheckpointSchedule schedule, Random random)
    {
        switch (random.Next(9))
        {
            case < 6:
                lock (_gate)
                {
                    var record = new Withdrawn("", Number());
                    History.IsAt(store.Append(record), -record.Amount);
                    _own = ThreadedStateHistory.Apply(_own, record);
                }

                break;
            case 6:
                long last = store.LastSequence;
                store.Commit();
                Told(now => now with { Durable = Math.Max(now.Durable, last) });
                break;
            case 7:
                if (random.Next(3) != 0) return;
                Interlocked.Increment(ref _asked);
                schedule.CheckpointAsync().AsTask().GetAwaiter().GetResult();
                tally.Add("checkpoints asked for");
                break;
            default:
                if (store.TruncateBefore(long.MaxValue).SegmentsRemoved > 0) tally.Add("truncations");
                break;
        }

        if (schedule.Last?.Sequence is { } covered) Told(now => now with { Durable = Math.Max(now.Durable, covered), Own = Math.Max(now.Own, covered) });
    }

    private StateCapture Capture(NinoStore store)
    {
        Interlocked.Increment(ref _written);
        lock (_gate) return store.Capture(_own);
    }

    // The first of each opening is larger than what is written at once.
    private ValueTask<SnapshotInfo> WriteOwnAsync(NinoStore store, CancellationToken cancellationToken)
    {
        bool isLarge = Interlocked.Increment(ref _written) == 1;
        OwnSum own;
        long sequence;
        lock (_gate) (own, sequence) = (_own, store.LastSequence);
        if (!isLarge) return store.CheckpointAsync(own, sequence, null, cancellationToken);
        tally.Add("large checkpoints");
        return store.CheckpointPartsAsync(new SnapshotParts().Add("sum", own).AddItems("items", Enumerable.Range(0, LargeItems).Select(LargeItem)), sequence, null, cancellationToken);
    }

    private long Number() => Interlocked.Increment(ref _number);

    // Under the lock of the disk: every call of it has either happened before somebody was told, or after it.
    private void Told(Func<StatePromise, StatePromise> change)
    {
        lock (directory.Gate) _promise = change(_promise);
    }
}
