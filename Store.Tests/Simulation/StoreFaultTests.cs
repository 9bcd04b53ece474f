// What does a store promise when file calls fail? Every acknowledgement was preceded by the syncs it rests on, the first failure is final, nothing
// acknowledged is lost, and opening again is safe even where the system's cache shows bytes that the disk will never get.

using Store.Tests.Log;
using Xunit.Abstractions;

namespace Store.Tests.Simulation;

public class StoreFaultTests(ITestOutputHelper output)
{
    private const int Rounds = 6, RecordsARound = 4;

    [Fact]
    public void EveryAcknowledgementIsPrecededByASyncOfAllItRestsOn()
    {
        var faulty = new FaultDirectory(new SimDirectory());
        using var store = Simulated.Open(faulty);
        var work = new Work(faulty);
        work.Run(store);
        Assert.Equal(Rounds * RecordsARound, work.Acknowledged);
        Assert.True(faulty.Trace.Calls.Count(c => c.Operation == IoOperation.Rename) > 1, "the work must have filled a segment");
    }

    [Theory]
    [InlineData((int)FaultKind.IoError, false)]
    [InlineData((int)FaultKind.IoError, true)]
    [InlineData((int)FaultKind.NoSpace, false)]
    [InlineData((int)FaultKind.NoSpace, true)]
    [InlineData((int)FaultKind.ReadOnlyFileSystem, false)]
    [InlineData((int)FaultKind.ReadOnlyFileSystem, true)]
    [InlineData((int)FaultKind.ShortWrite, false)]
    [InlineData((int)FaultKind.ShortWrite, true)]
    public void WhicheverCallFailsNothingAcknowledgedIsLostAndNothingIsRetried(int kind, bool isForever)
    {
        var statistics = new SimStatistics();
        var runs = 0;
        for (; ; runs++)
        {
            var sim = new SimDirectory("sim", statistics);
            var faulty = new FaultDirectory(sim, seed: runs) { Fault = new Fault(runs + 1, (FaultKind)kind, isForever) };
            var work = new Work(faulty);
            var failure = Record.Exception(() =>
            {
                using var store = Simulated.Open(faulty);
                work.Run(store);
            });
            if (faulty.Failures == 0)
            {
                Assert.Null(failure);
                break;
            }
            Assert.True(failure is null or IOException or StoreException, failure?.ToString());
            AssertNoSyncAfterAFailedOne(faulty.Trace);

            // The power fails after it, or the program opens the store again and goes on, and then the power fails.
            foreach (var state in sim.CrashStates(4, runs))
                work.Check(state);
            var reopened = sim.KillProcess();
            work.Check(reopened);
            foreach (var state in reopened.CrashStates(4, runs))
                work.Check(state);
        }
        output.WriteLine($"{runs} faults of kind {(FaultKind)kind}, {statistics.ExhaustiveStates + statistics.SampledStates:N0} crash states");
        Assert.True(runs > 5);
    }

    [Fact]
    public void AfterAFailedSyncTheStoreRefusesEverythingAndSaysWhy()
    {
        var faulty = new FaultDirectory(new SimDirectory());
        var store = Simulated.Open(faulty);
        store.Append("safe");
        store.CommitAsync().AsTask().GetAwaiter().GetResult();
        store.Append("at risk");
        faulty.Fault = new Fault(1, FaultKind.IoError, Strikes: operation => operation == IoOperation.SyncData);
        Assert.IsType<InjectedFault>(Assert.Throws<StoreFailedException>(() => store.CommitAsync().AsTask().GetAwaiter().GetResult()).InnerException);
        Assert.IsType<InjectedFault>(Assert.Throws<StoreFailedException>(() => store.Append("no")).InnerException);
        Assert.IsType<InjectedFault>(Assert.Throws<StoreFailedException>(() => store.CommitAsync().AsTask().GetAwaiter().GetResult()).InnerException);
        Assert.Equal(1, store.DurableSequence);
        store.Dispose();
        AssertNoSyncAfterAFailedOne(faulty.Trace);
    }

    [Fact]
    public void OpeningAgainAfterAFailedSyncWritesAnewWhatOnlyTheCacheHas()
    {
        // The cache shows the records of the failed sync, and the next sync would report success without writing them. What is read at opening and
        // then built upon must reach the disk all the same.
        for (var seed = 0; seed < 40; seed++)
        {
            var sim = new SimDirectory();
            var faulty = new FaultDirectory(sim, seed);
            var store = Simulated.Open(faulty);
            for (var i = 1; i <= 5; i++)
                store.Append(Work.Text(i));
            faulty.Fault = new Fault(1, FaultKind.IoError, Strikes: operation => operation == IoOperation.SyncData);
            Assert.Throws<StoreFailedException>(() => store.CommitAsync().AsTask().GetAwaiter().GetResult());
            store.Dispose();

            var killed = sim.KillProcess();
            long acknowledged;
            using (var reopened = Simulated.Open(killed, seed: 2))
            {
                Assert.Equal(5, reopened.LastSequence);
                reopened.Append(Work.Text(6));
                reopened.CommitAsync().AsTask().GetAwaiter().GetResult();
                acknowledged = reopened.DurableSequence;
                foreach (var state in killed.CrashStates(8, seed))
                {
                    using var after = Simulated.Open(state, seed: 3);
                    Assert.Equal(Enumerable.Range(1, (int)acknowledged).Select(Work.Text), after.Read<string>().Select(r => r.Value));
                }
            }
        }
    }

    private static void AssertNoSyncAfterAFailedOne(IoTrace trace)
    {
        var calls = trace.Calls;
        foreach (var failed in calls.Where(c => c.Operation == IoOperation.SyncData && c.Failure is not null))
            Assert.DoesNotContain(calls, c => c.Operation == IoOperation.SyncData && c.Failure is null && c.FileId == failed.FileId && c.Start > failed.End
                && !calls.Any(w => w.ChangesBytes && w.FileId == c.FileId && w.Offset == 0 && w.Start > failed.End && w.End < c.Start));
    }

    /// <summary>Appends, commits and checkpoints, remembering what was promised.</summary>
    private sealed class Work(FaultDirectory faulty)
    {
        private readonly List<string> _appended = [];

        public int Acknowledged { get; private set; }

        public static string Text(int number) => $"record {number} {new string((char)('a' + (number % 26)), 300)}";

        public void Run(NinoStore store)
        {
            for (var round = 0; round < Rounds; round++)
            {
                for (var i = 0; i < RecordsARound; i++)
                {
                    _appended.Add(Text(_appended.Count + 1));
                    store.Append(_appended[^1]);
                }
                var asked = faulty.Trace.Now;
                store.CommitAsync().AsTask().GetAwaiter().GetResult();
                Acknowledged = _appended.Count;
                AssertSynced(asked);
                if (round == 3)
                {
                    store.CheckpointAsync($"state after {Acknowledged}").AsTask().GetAwaiter().GetResult();
                    AssertSynced(asked);
                }
            }
        }

        /// <summary>Opens what is left and compares; goes on with it and closes.</summary>
        public void Check(SimDirectory left)
        {
            using var store = Simulated.Open(left, seed: 99);
            var read = store.Read<string>().Select(r => r.Value).ToList();
            Assert.True(read.Count >= Acknowledged, $"{Acknowledged} records were acknowledged, {read.Count} are left");
            Assert.Equal(_appended.Take(read.Count), read.Take(_appended.Count));
            Assert.True(read.Skip(_appended.Count).All(text => text == "goes on"));
            store.Append("goes on");
            store.CommitAsync().AsTask().GetAwaiter().GetResult();
        }

        private void AssertSynced(long asked)
        {
            var now = faulty.Trace.Now;
            Assert.Empty(faulty.Trace.UnsyncedFiles(asked, now).Where(IsPartOfTheStore));
            Assert.Empty(faulty.Trace.UnsyncedNames(asked, now).Where(IsPartOfTheStore));
        }

        private static bool IsPartOfTheStore(string name) => !name.EndsWith(".lock", StringComparison.Ordinal);
    }
}
