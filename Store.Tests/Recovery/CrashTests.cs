using Store.Tests.Log;
using Store.Tests.Simulation;
using Xunit.Abstractions;

namespace Store.Tests.Recovery;

/// <summary>
/// Power failures at every step of random work. What must hold in every state: everything acknowledged is there, in order, unaltered, with no gap; a batch is
/// there whole or not at all; the report is true; recovery itself may crash.
/// </summary>
public class CrashTests(ITestOutputHelper output)
{
    private static readonly int StatesWanted = Effort.CrashStates / 4;

    [Theory]
    [InlineData(1_000_000)]
    [InlineData(2_000_000)]
    [InlineData(3_000_000)]
    [InlineData(4_000_000)]
    public void NothingAcknowledgedIsEverLostWhereverThePowerFails(int firstSeed)
    {
        var statistics = new SimStatistics();
        int states = 0, crashPoints = 0, crashedAgain = 0, seed = firstSeed = Effort.Seed(firstSeed);
        for (; states < StatesWanted; seed++)
        {
            long operations = Workload.CountOperations(seed);
            for (long at = 1; at <= operations; at++, crashPoints++)
            {
                var work = new Workload(seed);
                SimDirectory directory = work.Run(new SimDirectory("sim", statistics) { PowerOffAt = at });
                Assert.True(directory.IsPowerOff, $"seed {seed}: the work ended before its call {at} of {operations}");
                foreach (SimDirectory crashed in directory.CrashStates(limit: 32, seed: seed + (int)at))
                {
                    bool again = states++ % 8 == 0;
                    SimDirectory left = again ? CrashDuringRecovery(crashed, seed + states) : crashed;
                    if (again && crashed.IsPowerOff) crashedAgain++;
                    work.Check(left);
                }
            }
        }

        Effort.Tell(output, "crash states", states, $"SEED={firstSeed}", $"seeds to {seed - 1}, {crashPoints:N0} crash points, {crashedAgain:N0} crashed again during recovery");
        Assert.True(states >= StatesWanted);
        Assert.True(crashedAgain > states / 16, $"{crashedAgain} of {states} states crashed again during recovery");
    }

    [Fact]
    public void AKilledProcessLosesNothingThatReachedTheOperatingSystem()
    {
        var directory = new SimDirectory();
        NinoStore store = Simulated.Open(directory);
        for (int i = 1; i <= 100; i++) store.Append(i);
        Assert.Equal(100, store.Read<int>().Count());
        SimDirectory after = directory.KillProcess();

        using NinoStore reopened = Simulated.Open(after, seed: 2);

        Assert.Equal(100, reopened.LastSequence);
        Assert.False(reopened.Recovery.CleanClose);
        Assert.Equal(0, reopened.Recovery.BytesCut);
    }

    // Recovery crashes at a random one of its operations; what is left must recover like the first time.
    private static SimDirectory CrashDuringRecovery(SimDirectory crashed, int seed)
    {
        var random = new Random(seed);
        crashed.PowerOffAt = crashed.OperationCount + random.Next(1, 12);
        try
        {
            Simulated.Open(crashed, seed).Dispose();
        }
        catch (Exception e) when (DiskTrouble.IsCauseOf(e))
        {
            // The power failed during recovery, or while the store was closed after it.
        }

        return crashed.Crash(random);
    }

    /// <summary>Random appends, batches, commits, reopenings from a seed, and what was promised about them.</summary>
    private sealed class Workload(int seed)
    {
        private readonly List<int> _appended = [];
        private readonly List<(int First, int Count)> _batches = [];
        private int _acknowledged;
        private int _inTheFiles;
        private long _operationsBefore;

        public static long CountOperations(int seed)
        {
            var work = new Workload(seed);
            SimDirectory last = work.Run(new SimDirectory());
            return work._operationsBefore + last.OperationCount;
        }

        /// <summary>Works until the power fails, and returns the folder: another one after each killed process.</summary>
        public SimDirectory Run(SimDirectory directory)
        {
            var random = new Random(seed);
            try
            {
                for (int opening = 0; opening < 3; opening++)
                {
                    NinoStore store = Simulated.Open(directory, seed + opening);
                    KeepWhatIsLeft(store.LastSequence);
                    for (int step = 0; step < 40; step++) Step(store, random);

                    // It may have failed in the middle of what is done ahead: nobody is told.
                    if (directory.IsPowerOff) return directory;
                    if (random.Next(3) == 0)
                    {
                        directory = Kill(directory);
                        continue;
                    }

                    store.Dispose();
                    _acknowledged = _inTheFiles = _appended.Count;
                    if (directory.IsPowerOff) return directory;
                }
            }
            catch (Exception e) when (DiskTrouble.IsCauseOf(e))
            {
                // The power failed; what was promised until now is checked.
            }

            return directory;
        }

        public void Check(SimDirectory crashed)
        {
            using NinoStore store = Simulated.Open(crashed, seed: 4711);
            LogRecord<int>[] read = [.. store.Read<int>()];
            Assert.True(read.Length >= _acknowledged, $"seed {seed}: {_acknowledged} records were acknowledged, {read.Length} are left");
            for (int i = 0; i < read.Length; i++) Assert.Equal((i + 1L, _appended[i]), (read[i].Sequence, read[i].Value));
            foreach ((int first, int count) in _batches) Assert.True(read.Length <= first || read.Length >= first + count, $"seed {seed}: a batch of {count} at {first} is there in part: {read.Length} records");
            Assert.Equal(read.Length, store.Recovery.LastSequence);
            Assert.Equal(read.Length, store.DurableSequence);
            Assert.All(store.Recovery.Damage, damage => Assert.Equal(StoreDamageKind.TornTail, damage.Kind));
            Assert.Equal(store.Recovery.BytesCut, store.Recovery.Damage.Sum(d => d.LengthBytes));

            // Whichever snapshot survived, the state restored from it is the one that all the records give.
            List<int> restored = Completed(store.RestoreAsync<List<int>, int>((state, value) => state.Add(value)));
            Assert.Equal(read.Select(r => r.Value), restored);
            Assert.Equal(read.Length + 1, store.Append(-1));
        }

        // Everything runs inline, so every task is completed when it is returned.
        private static T Completed<T>(ValueTask<T> task)
        {
            Assert.True(task.IsCompleted);
            return task.GetAwaiter().GetResult();
        }

        private static void Completed(ValueTask task)
        {
            Assert.True(task.IsCompleted);
            task.GetAwaiter().GetResult();
        }

        // The process dies: what it had buffered is gone, what it wrote is in the system's cache and not durable.
        private SimDirectory Kill(SimDirectory directory)
        {
            SimDirectory killed = directory.KillProcess();
            killed.PowerOffAt = directory.PowerOffAt - directory.OperationCount;
            _operationsBefore += directory.OperationCount;
            return killed;
        }

        // Only what a killed process had in its buffer may be missing when the log is opened again. No power has failed in between: the system's cache is there.
        private void KeepWhatIsLeft(long last)
        {
            Assert.InRange(last, Math.Max(_acknowledged, _inTheFiles), _appended.Count);
            foreach ((int first, int count) in _batches) Assert.True(last <= first || last >= first + count, $"seed {seed}: a batch of {count} at {first} is there in part: {last} records");
            _appended.RemoveRange((int)last, _appended.Count - (int)last);
            _batches.RemoveAll(batch => batch.First + batch.Count > _appended.Count);
        }

        private void Step(NinoStore store, Random random)
        {
            Assert.Equal(_appended.Count, store.LastSequence);
            switch (random.Next(11))
            {
                case < 4:
                    _appended.Add(random.Next());
                    Assert.Equal(_appended.Count, store.Append(_appended[^1]));
                    break;
                case 4:
                    using (LogAppender<int> appender = store.OpenAppender<int>())
                    {
                        for (int i = random.Next(1, 40); i > 0; i--)
                        {
                            _appended.Add(random.Next());
                            Assert.Equal(_appended.Count, appender.Append(_appended[^1]));
                        }
                    }

                    break;
                case < 7:
                    int[] batch = [.. Enumerable.Range(0, random.Next(1, 200)).Select(_ => random.Next())];
                    _batches.Add((_appended.Count, batch.Length));
                    _appended.AddRange(batch);
                    Assert.Equal(_batches[^1].First + 1, store.AppendBatch<int>(batch));
                    break;
                case 7:
                    Assert.Equal(_appended.Count, store.ReadRecords().Count());
                    _inTheFiles = _appended.Count;
                    break;
                case 8:
                    // A checkpoint makes the log durable up to its sequence, whether or not the snapshot itself survives.
                    Completed(store.CheckpointAsync(new List<int>(_appended)));
                    _acknowledged = _appended.Count;
                    break;
                default:
                    Completed(store.CommitAsync());
                    _acknowledged = _appended.Count;
                    break;
            }
        }
    }
}
