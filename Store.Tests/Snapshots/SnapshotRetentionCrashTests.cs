// Snapshots of items, generations that are removed, and a log that is cut behind them, with a power failure, a kill or a failing call at every step. From every snapshot that is left the log leads to the
// present: nothing was removed that a snapshot which can come back still needs.

using Store.IO;
using Store.Snapshots;
using Store.Tests.Log;
using Store.Tests.Simulation;
using Xunit.Abstractions;

namespace Store.Tests.Snapshots;

public class SnapshotRetentionCrashTests(ITestOutputHelper output)
{
    private const int Scores = 50, PerBatch = 1500, Generations = 2;

    private static readonly int Seed = Effort.Seed(20261121);

    [Fact]
    public async Task AnUninterruptedLifeRemovesSnapshotsAndSegments()
    {
        using var directory = new SimDirectory();
        Outcome outcome = await Live(directory);
        Assert.Equal(6, outcome.Checkpoints);
        Assert.Equal(Generations, directory.List().Count(file => file.Name.StartsWith("snapshot-", StringComparison.Ordinal)));
        Assert.True(Check(directory.KillProcess(), outcome) > 2 * PerBatch);
    }

    [Fact]
    public async Task WhereverThePowerFailsEverySnapshotLeadsToThePresent()
    {
        var statistics = new SimStatistics();
        int states = 0, cut = 0, again = 0;
        foreach (long at in Effort.Points(every: 1, Effort.CrashScale, out int statesEach))
        {
            using var directory = new SimDirectory(statistics: statistics) { PowerOffAt = at };
            Outcome outcome = await Live(directory);
            foreach (SimDirectory crashed in directory.CrashStates(limit: 4 * statesEach, seed: Seed + (int)at))
            {
                SimDirectory left = crashed;
                if (states++ % 4 == 0)
                {
                    // The power fails during recovery too.
                    crashed.PowerOffAt = crashed.OperationCount + 1 + (states / 4 % 10);
                    Exception? failure = Record.Exception(() => Simulated.Open(crashed, seed: 7).Dispose());
                    Assert.True(failure is null || DiskTrouble.IsCauseOf(failure), $"{failure}");
                    left = crashed.Crash(new Random(Seed + states));
                    again++;
                }

                if (Check(left, outcome) > 1) cut++;
            }

            if (!directory.IsPowerOff) break;
        }

        Effort.Tell(output, "crash states", states, $"SEED={Seed}", $"snapshots of items with retention, {cut} with a log that was cut, {again} crashed again during recovery; {statistics.Describe(Seed)}");
        Assert.True(cut > (Effort.IsSlice ? 0 : 50), $"{cut} states had a log that was cut");
    }

    [Theory]
    [InlineData(nameof(FaultKind.IoError), false)]
    [InlineData(nameof(FaultKind.IoError), true)]
    [InlineData(nameof(FaultKind.NoSpace), false)]
    public async Task WhicheverCallFailsEverySnapshotLeadsToThePresent(string kind, bool isForever)
    {
        int faults = 0, states = 0;
        foreach (long n in Effort.Points(every: 5, Effort.FaultScale, out int statesEach))
        {
            using var directory = new SimDirectory();
            var faulty = new FaultDirectory(directory, (int)n) { Fault = new Fault(n, Enum.Parse<FaultKind>(kind), isForever) };
            Outcome outcome = await Live(faulty);
            if (faulty.Failures == 0) break;
            faults++;
            foreach (SimDirectory left in directory.CrashStates(limit: statesEach, seed: Seed + (int)n).Append(directory.KillProcess()))
            {
                Check(left, outcome);
                states++;
            }
        }

        Effort.Tell(output, "injected faults", faults, $"SEED={Seed}", $"snapshots of items with retention, {kind}{(isForever ? " for ever" : " once")}, {states} states opened afterwards");
        Assert.True(faults > (Effort.IsSlice ? 0 : 20), $"{faults} faults");
    }

    /// <returns>Where the log begins.</returns>
    private static long Check(SimDirectory left, Outcome outcome)
    {
        using NinoStore store = Simulated.Open(left, seed: 9);
        Assert.True(store.LastSequence >= outcome.Durable, $"{outcome.Durable} records were durable, {store.LastSequence} are there");
        Assert.All(store.Recovery.Damage, damage => Assert.Equal(StoreDamageKind.TornTail, damage.Kind));
        Assert.DoesNotContain(left.List(), file => file.Name.StartsWith("snapshot-", StringComparison.Ordinal) && !file.Name.EndsWith(".nino", StringComparison.Ordinal));
        IReadOnlyList<SnapshotInfo> snapshots = store.Snapshots;
        Assert.True(snapshots.Count >= Math.Min(outcome.Checkpoints, Generations), $"{snapshots.Count} of {outcome.Checkpoints} snapshots are left");
        Assert.True((snapshots.Count == 0 ? 0 : snapshots[0].Sequence) >= outcome.Checkpointed, $"{outcome.Checkpointed} was acknowledged");
        if (snapshots.Count == 0) Assert.Equal(1, store.FirstSequence);
        Score[] present = At(store.LastSequence);
        foreach (SnapshotInfo info in snapshots)
        {
            using SnapshotFile file = SnapshotFile.Open(left, info.FileName, SnapshotVerification.All);
            Score[] scores = [.. file.Part("scores").Items<Score>()];
            Assert.Equal(At(info.Sequence), scores);
            Assert.True(store.FirstSequence <= info.Sequence + 1, $"the log begins at {store.FirstSequence}, {info.FileName} needs {info.Sequence + 1}");
            long next = info.Sequence + 1;
            foreach (LogRecord<int> record in store.Read<int>(next))
            {
                Assert.Equal((next, (int)next), (record.Sequence, record.Value));
                scores[next % Scores] = new Score(scores[next % Scores].Points + 1);
                next++;
            }

            Assert.Equal(present, scores);
        }

        return store.FirstSequence;
    }

    private static async Task<Outcome> Live(IStoreDirectory directory)
    {
        var outcome = new Outcome();
        var trouble = new DiskTrouble();
        try
        {
            for (int opening = 0; opening < 2; opening++)
            {
                using NinoStore store = Simulated.Open(directory, seed: opening, o => o with { SnapshotGenerations = Generations, Retention = opening == 0 ? null : new RetentionPolicy { MaxRecords = PerBatch } });
                for (int step = 0; step < 6; step++)
                {
                    int first = (int)store.LastSequence + 1;
                    store.AppendBatch<int>([.. Enumerable.Range(first, PerBatch)]);
                    if (step % 2 == 0) continue;
                    SnapshotInfo info = await store.CheckpointPartsAsync(new SnapshotParts().AddItems("scores", At(store.LastSequence)));
                    outcome.Durable = outcome.Checkpointed = info.Sequence;
                    outcome.Checkpoints++;
                    if (opening == 0 && step >= 3) store.TruncateBefore(long.MaxValue);
                    if (opening == 1 && step == 5) store.ApplyRetention();
                }
            }
        }
        catch (Exception e) when (trouble.Ends(e))
        {
            // What was promised until now is checked.
            trouble.ThrowOther();
        }

        return outcome;
    }

    /// <summary>What the log up to a sequence amounts to: how many of its numbers leave each remainder.</summary>
    private static Score[] At(long sequence) => [.. Enumerable.Range(0, Scores).Select(i => new Score((sequence / Scores) + (i > 0 && sequence % Scores >= i ? 1 : 0)))];

    private sealed class Outcome
    {
        /// <summary>Last sequence known to be durable.</summary>
        public long Durable { get; set; }

        /// <summary>Sequence of the last snapshot that was acknowledged.</summary>
        public long Checkpointed { get; set; }

        public int Checkpoints { get; set; }
    }
}
