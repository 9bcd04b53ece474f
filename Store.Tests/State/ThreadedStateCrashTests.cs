// States as they run in a program: the log with its threads, checkpoints by themselves beside appends, snapshots with a writing thread of their own; and the power failing at the calls of the disk. StateStoreCrashTests, LateStateCrashTests
// and CheckpointScheduleCrashTests run everything on one thread and repeat to the byte; here the interleaving is the scheduler's, and the disk helps it along (UnevenDirectory).

using Store.IO;
using Store.Tests.Recovery;
using Store.Tests.Simulation;
using Xunit.Abstractions;

namespace Store.Tests.State;

/// <summary>
/// Two threads append, one through a state and one beside it, while both states are checkpointed by themselves and the log is cut. In every state that a power failure or a kill can leave: nothing acknowledged is lost, both states are what
/// the records up to the log's end amount to, and a checkpoint that was told of is there.
/// </summary>
public class ThreadedStateCrashTests(ITestOutputHelper output)
{
    private const int Openings = 3, MomentsEach = 50;

    // As of ThreadedCrashTests: what a few lives meet is the scheduler's.
    private const int MostTimesAsMany = 4;

    private static readonly string[] Kinds = ["checkpoints that nobody asked for", "checkpoints asked for", "large checkpoints", "truncations", "calls of NinoStore snapshot", "calls of NinoStore flusher"];

    private readonly ThreadedTally _tally = new();
    private readonly ThreadedStateCheck _check = new();
    private int _lives, _moments, _struck;

    [Fact]
    public void WhereverThePowerFailsStatesThatThreadsChangeAreWhatTheLogSays()
    {
        int wanted = Effort.CrashStates / 40, first = Effort.DrawnSeed(quick: 20261124), seed = first;
        while (_check.States < wanted || (IsAskedForAll(wanted) && !HasMetAll && _check.States < MostTimesAsMany * wanted))
        {
            Live(seed, wrap: null);

            // An interleaving is not repeated by its seed alone: the calls and delays of one are, again and again.
            if (!Effort.HasSeed) seed++;
        }

        Effort.Tell(output, "crash states", _check.States, $"SEED={first}", Describe());
        if (!IsAskedForAll(wanted)) return;
        Assert.True(_check is { Kills: > 0, Cut: > 0, Large: > 0 } && _struck > 0, Describe());
        _tally.Has(Kinds);
    }

    private bool HasMetAll => _check is { Kills: > 0, Cut: > 0, Large: > 0 } && _struck > 0 && _tally.HasAll(Kinds);

    private static bool IsAskedForAll(int wanted) => !Effort.HasSeed && wanted >= 1_250;

    // The check finds what it is there to find.
    [Fact]
    public void ADiskThatDoesNotSyncSnapshotsIsFoundOut()
    {
        for (int seed = 1; seed <= 20; seed++)
        {
            try
            {
                Live(seed, static directory => new LyingDirectory(directory));
            }
            catch (ThreadedCrashException e)
            {
                output.WriteLine(e.ToString());
                return;
            }
        }

        Assert.Fail($"a disk that does not sync snapshots was not found out: {Describe()}");
    }

    private string Describe() => $"states with threads, {_lives} lives of {Openings} openings, {_moments:N0} calls of the disk, {_struck} openings without power, {_check.Kills:N0} kills, {_check.Cut:N0} with a log that was cut, {_check.Large:N0} with a large snapshot; {_tally}";

    private void Live(int seed, Func<SimDirectory, IStoreDirectory>? wrap)
    {
        _lives++;
        var random = new Random(seed);
        var directory = new SimDirectory();
        ThreadedStateLife? before = null;
        StatePromise promised = StatePromise.Nothing;
        for (int opening = 0; opening < Openings; opening++)
        {
            long? powerOffAt = random.Next(2) == 0 ? random.NextInt64(1, before?.Operations ?? 150) : null;
            var life = new ThreadedStateLife(seed + (opening * 7919), directory, before, promised, _tally, powerOffAt, wrap);
            StateMoment? at = null;
            try
            {
                life.Run();
                int step = Math.Max(1, life.Moments.Count / MomentsEach);
                int from = random.Next(step);
                for (int i = 0; i < life.Moments.Count; i++)
                {
                    // There are few calls of the thread that writes large snapshots.
                    if (i % step == from || life.Moments[i].By == "NinoStore snapshot") _check.Moment(life, at = life.Moments[i], drawn: 1, seed + i);
                }

                _check.Moment(life, at = life.Moments[^1], drawn: 8, seed);
            }
            catch (Exception e)
            {
                throw new ThreadedCrashException($"SEED={seed} lives through these calls and delays again and again, opening {opening}, power off at {powerOffAt}; the power failed instead of call {at?.Operation} '{at?.What}', promised was {at?.Promise}. The calls before:\n"
                    + string.Join('\n', life.Moments.Where(m => at is null || m.Operation < at.Operation).TakeLast(30).Select(static m => $"{m.Operation} {m.What}, by {m.By}")), e);
            }

            _moments += life.Moments.Count;
            if (directory.IsPowerOff) _struck++;
            StateMoment next = random.Next(3) == 0 ? life.Moments[^1] : life.Moments[random.Next(life.Moments.Count)];
            (directory, promised, before) = (next.Killed is { } killed && random.Next(2) == 0 ? killed.KillProcess() : next.Image.Build(CrashSampler.Draw(next.Image, random)), next.Promise, life);
        }
    }

    /// <summary>A disk that reports syncs of snapshots as done and does not do them.</summary>
    private sealed class LyingDirectory(IStoreDirectory inner) : PassThroughDirectory(inner)
    {
        public override IStoreFile Create(string name) => new File(base.Create(name));

        private sealed class File(IStoreFile inner) : PassThroughFile(inner)
        {
            public override void SyncData()
            {
                if (!Name.StartsWith("snapshot-", StringComparison.Ordinal)) base.SyncData();
            }
        }
    }
}
