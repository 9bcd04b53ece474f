// Everything that a store does in one life, with crashes at every call: what holds for each part by itself must hold for all of them together.

using Store.Tests.Shipping;
using Store.Tests.Simulation;
using Xunit.Abstractions;

namespace Store.Tests.Recovery;

/// <summary>
/// Lives of a store in which records of all sizes, batches, expected sequences, imports, checkpoints, cursors, retention and backups come in any order, with kills and power failures in between. In every state:
/// what was acknowledged is there, in order, unaltered, with no gap; nothing was removed but what was given up; every snapshot leads to the present; every cursor stands where it was put; the report is true.
/// </summary>
public sealed class WholeLifeCrashTests(ITestOutputHelper output) : IDisposable
{
    private readonly NinoStore _source = Source();

    [Fact]
    public void SmallLivesSurviveACrashAtTheirEveryCall() => Live(firstSeed: 5_000_000, quick: 1_250, share: 1, statesEach: 3, openings: 3, stepsEach: 8);

    [Fact]
    public void LongLivesSurviveCrashesAtAnyCall()
    {
        LifeTally tally = Live(firstSeed: 6_000_000, quick: 1_250, share: 0.03, statesEach: 6, openings: 7, stepsEach: 40);
        if (!Effort.HasSeed) tally.HasEverything();
    }

    public void Dispose() => _source.Dispose();

    private LifeTally Live(int firstSeed, int quick, double share, int statesEach, int openings, int stepsEach)
    {
        var statistics = new SimStatistics();
        var tally = new LifeTally();
        var check = new LifeCheck(_source);
        int states = 0, points = 0, wanted = quick * Effort.CrashScale, seed = firstSeed = Effort.Seed(firstSeed);
        for (; states < wanted; seed++)
        {
            tally.Lives++;
            LifePoint? at = null;
            try
            {
                new WholeLife(seed, _source, share, statistics, tally, Look).Run(openings, stepsEach);
            }
            catch (Exception e)
            {
                throw new InvalidOperationException($"life with seed {seed}, crash {points} before '{at?.What}', state {states} (SEED={seed} repeats it)", e);
            }

            void Look(LifePoint point)
            {
                at = point;
                points++;
                if (point.Copy is { } copied)
                {
                    foreach (SimDirectory copy in CrashSampler.States(copied, statesEach, seed + points)) check.Copy(copy, point.Image.Build(point.Image.NothingSurvives), point.Promise, ++states);
                    return;
                }

                foreach (SimDirectory left in CrashSampler.States(point.Image, statesEach, seed + points)) check.Store(left, point.Promise, isKill: false, ++states);
                if (point.Killed is not null) check.Store(point.Killed, point.Promise, isKill: true, ++states);
                at = null;
            }
        }

        Effort.Tell(output, "crash states", states, $"SEED={firstSeed}", $"everything in one life, seeds to {seed - 1}, {points:N0} crash points, {check.CrashedAgain:N0} crashed again during recovery; {tally}");
        Assert.True(states >= wanted);
        if (!Effort.HasSeed) Assert.True(check.CrashedAgain > states / 16, $"{check.CrashedAgain} of {states} states crashed again during recovery");
        return tally;
    }

    private static NinoStore Source()
    {
        NinoStore source = Shipped.Source(new SimDirectory(), rounds: 15);
        source.Append(new string('s', 80_000));
        Shipped.Append(source, rounds: 10);
        return source;
    }
}
