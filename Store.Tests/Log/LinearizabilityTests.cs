using Store.IO;
using Store.Log;
using Store.Retention;
using Store.Tests.Simulation;
using Xunit.Abstractions;

namespace Store.Tests.Log;

/// <summary>
/// Real threads append, want sequences, commit, read in both directions, move cursors, truncate, back up and ship; the log is closed, killed or struck by a power failure and opened again, and in the end a file call
/// fails. Every call's beginning and end are recorded, and the history is held against what one thread after another could have seen: sequences dense and in the order of time, of rivals for one exactly one wins, a read
/// sees everything appended before it began and nothing that was not, a commit's records and a cursor's position survive a power failure at the moment it returns, nothing is removed that a cursor has before it, a backup
/// holds what was appended before it began, another store what was durable before it was shipped, and after a failure nothing is accepted. <see cref="HistoryCheckTests"/> shows that the check refuses what is wrong.
/// </summary>
public class LinearizabilityTests(ITestOutputHelper output)
{
    private const int Openings = 3;

    private int _calls, _commits, _contested, _stopped, _told, _overtaken, _truncations;
    private readonly Dictionary<string, int> _kinds = [];

    [Fact]
    public void EveryHistoryOfThreadsIsOneOfALogUsedByOne()
    {
        int first = Effort.DrawnSeed(quick: 20261123);
        for (int seed = first; seed < first + Effort.Histories; seed++)
        {
            try
            {
                Live(seed);
            }
            catch (Exception e)
            {
                throw new InvalidOperationException($"history with seed {seed} (SEED={seed} HISTORIES=1 repeats its calls)", e);
            }
        }

        output.WriteLine(string.Join(", ", _kinds.OrderBy(static k => k.Key, StringComparer.Ordinal).Select(static k => $"{k.Value} {k.Key}")));
        Effort.Tell(output, "histories", Effort.Histories, $"SEED={first}", $"{_calls} calls of fifteen threads, {Openings} openings each, {_commits} commits checked by a power failure, {_contested} sequences that rivals lost, {_stopped} logs stopped by a fault, {_told} calls told of it, {_truncations} truncations, {_overtaken} readings that one ended");
        if (Effort.Histories < 20) return;
        Assert.True(_contested > 0 && _stopped > 0 && _truncations > 0, $"{_contested} sequences were contested, {_stopped} logs were stopped, {_truncations} truncations removed something");
        Assert.All([nameof(TruncatedCall), nameof(CursorMovedCall), nameof(CursorCrashedCall), nameof(BackedUpCall), nameof(ShippedCall)], kind => Assert.True(_kinds.GetValueOrDefault(kind) > Effort.Histories, $"{_kinds.GetValueOrDefault(kind)} {kind}"));
    }

    private void Live(int seed)
    {
        var random = new Random(seed);
        var directory = new SimDirectory();
        HistoryCheck? before = null;
        using var copies = new HistoryCopies(seed);
        long promised = 0;
        int lastValue = 0;
        for (int opening = 0; opening <= Openings; opening++)
        {
            var faulty = new FaultDirectory(new SlowSyncs(directory), seed);
            NinoStore store = Simulated.Open(faulty, seed + opening, static o => o with { RunsInline = false, FlushIntervalMs = 1, SegmentSizeBytes = 64 * 1024 });
            HistoryStart start = before?.Reopened(store, promised) ?? new HistoryStart([], 1, HistoryThreads.CursorNames.ToDictionary(static name => name, static _ => 0L));
            if (opening == Openings)
            {
                store.Dispose();
                break;
            }

            // In the end of every second history.
            bool mayFail = opening == Openings - 1 && seed % 2 == 0;
            var threads = new HistoryThreads(store, directory, seed + (opening * 7919), lastValue, mayFail, copies);
            if (mayFail) faulty.Fault = FaultOf(random);
            HistoryCall[] calls = threads.Run();
            foreach (HistoryCall call in calls) _kinds[call.GetType().Name] = _kinds.GetValueOrDefault(call.GetType().Name) + 1;
            before = new HistoryCheck(start, calls);
            before.Run();
            (_calls, _commits, _contested, lastValue) = (_calls + threads.Calls, _commits + before.Commits, _contested + before.Contested, threads.LastValue);
            (_truncations, _overtaken) = (_truncations + before.Moved, _overtaken + before.Overtaken);
            bool isStopped = before.Failed > 0;
            if (isStopped)
            {
                EveryCallSaysThatTheLogFailed(store);
                (_stopped, _told) = (_stopped + 1, _told + before.Failed);
            }

            // Where a call may fail, it may be one of closing.
            (directory, promised) = End(store, directory, random.Next(mayFail ? 1 : 0, 3), before, mayFail);
        }
    }

    // Closed, killed, or without power; the threads of the old process end in any case.
    private static (SimDirectory Directory, long Promised) End(NinoStore store, SimDirectory directory, int how, HistoryCheck check, bool mayFail)
    {
        SimDirectory next = how switch { 0 => directory, 1 => directory.KillProcess(), _ => directory.Crash(new Random(check.Values.Length)) };
        Exception? failure = Record.Exception(store.Dispose);
        Assert.True(failure is null || (mayFail && DiskTrouble.IsCauseOf(failure)), failure?.ToString());
        return (next, how == 0 ? check.Values.Length : check.Promised);
    }

    // Of the log's own files only: a truncation that fails stops no log.
    private static Fault FaultOf(Random random) => new(
        random.Next(1, 30),
        (FaultKind)random.Next(4),
        IsForever: random.Next(2) == 0,
        static operation => operation is IoOperation.Write or IoOperation.SyncData,
        static file => file == LogEnd.FileName || SegmentFormat.TryParseName(file, out _));

    private static void EveryCallSaysThatTheLogFailed(NinoStore store)
    {
        long last = store.LastSequence, durable = store.DurableSequence;
        Action[] calls =
        [
            () => store.Append(1),
            () => store.Append(1, last + 1),
            () => store.Append(1, last + 7),
            () => store.AppendBatch<int>([1, 2]),
            () =>
            {
                using LogAppender<int> appender = store.OpenAppender<int>();
                appender.Append(1);
            },
            store.Commit,
            () => store.CommitAsync().AsTask().GetAwaiter().GetResult(),
            () => store.AppendAsync(1).AsTask().GetAwaiter().GetResult(),
            () => store.AppendBatchAsync<int>([1]).AsTask().GetAwaiter().GetResult(),
            () => store.CheckpointAsync("state").AsTask().GetAwaiter().GetResult(),
        ];
        Assert.All(calls, static call => Assert.True(DiskTrouble.IsCauseOf(Assert.Throws<StoreFailedException>(call))));
        Assert.Equal((last, durable), (store.LastSequence, store.DurableSequence));
    }

    /// <summary>A folder that takes a moment for each sync, before it is one: whoever is told too early that its records are durable has the time to look. It stays its owner's.</summary>
    private sealed class SlowSyncs(SimDirectory inner) : PassThroughDirectory(inner)
    {
        public override IStoreFile Create(string name) => new File(base.Create(name));

        public override IStoreFile OpenWrite(string name) => new File(base.OpenWrite(name));

        public override void Dispose() { }

        private sealed class File(IStoreFile inner) : PassThroughFile(inner)
        {
            private int _syncs;

            public override void SyncData()
            {
                Thread.Sleep(Interlocked.Increment(ref _syncs) & 1);
                base.SyncData();
            }
        }
    }
}
