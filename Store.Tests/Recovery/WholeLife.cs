// One life of a store in which everything happens: it follows another store or not, is written to by every way there is, read, truncated, checkpointed, backed up, closed, killed, struck by power failures
// and put back from its backup. At the calls that are asked for it stands still to be looked at.

using Store.Tests.Log;
using Store.Tests.Simulation;

namespace Store.Tests.Recovery;

/// <summary>A moment at which a crash is tried.</summary>
/// <param name="What">The file call that comes next.</param>
/// <param name="Image">What a power failure finds in the store's folder.</param>
/// <param name="Copy">The same of the backup's folder, when the call is for that one.</param>
/// <param name="Killed">The folder when only the process ends; null when that is not tried.</param>
/// <param name="Promise">What was promised until then.</param>
internal sealed record LifePoint(string What, CrashImage Image, CrashImage? Copy, SimDirectory? Killed, LifePromise Promise);

/// <summary>The life of a seed: the same calls every time.</summary>
internal sealed class WholeLife
{
    private readonly int _seed;
    private readonly Random _random;
    private readonly Random _choosing;
    private readonly double _share;
    private readonly Action<LifePoint> _look;
    private readonly List<LifePoint> _points = [];
    private readonly SimStatistics _statistics;
    private readonly SteppingClock? _clock;
    private readonly LifeSteps _steps;
    private SimDirectory _directory;
    private bool _isKnown = true;

    /// <param name="seed">Of its calls.</param>
    /// <param name="source">The store that it may follow.</param>
    /// <param name="share">Which share of the file calls is looked at.</param>
    /// <param name="statistics">Counts what happened.</param>
    /// <param name="tally">Counts what was done.</param>
    /// <param name="look">Looks at a moment, between two steps of the life.</param>
    public WholeLife(int seed, NinoStore source, double share, SimStatistics statistics, LifeTally tally, Action<LifePoint> look)
    {
        (_seed, _share, _look, _statistics) = (seed, share, look, statistics);
        (_random, _choosing) = (new Random(seed), new Random(~seed));

        // In every second life the clock is put back whenever the store is opened.
        _clock = seed % 2 == 0 ? new SteppingClock() : null;
        _steps = new LifeSteps(_random, source, tally, mayFollow: seed % 3 == 0);
        _directory = Watched(new SimDirectory("sim", statistics));
        _steps.Copy = WatchedCopy();
    }

    /// <summary>Lives.</summary>
    /// <param name="openings">How often the store is opened.</param>
    /// <param name="stepsEach">How many things are done each time, at most.</param>
    public void Run(int openings, int stepsEach)
    {
        for (int opening = 0; opening < openings; opening++)
        {
            _steps.Policy = _random.Next(3) == 0 ? new RetentionPolicy { MaxRecords = _random.Next(20, 300) } : null;
            bool isPowerFailure = _random.Next(3) == 0;
            if (isPowerFailure) _directory.PowerOffAt = _directory.OperationCount + _random.Next(1, 40 + (3 * stepsEach));
            try
            {
                NinoStore store = Open(opening);
                Draw();
                for (int step = _random.Next(stepsEach / 2, stepsEach + 1); step > 0; step--)
                {
                    _steps.Step(store);
                    Draw();
                }

                End(store, isPowerFailure);
            }
            catch (Exception e) when (DiskTrouble.IsCauseOf(e))
            {
                // The life goes on from one of the states that the power failure can leave.
                Draw();
                LosePower();
            }
        }
    }

    private NinoStore Open(int opening)
    {
        NinoStore store = Simulated.Open(_directory, _seed + opening, o => o with { TimeProvider = _clock ?? o.TimeProvider, Retention = _steps.Policy, SnapshotGenerations = LifePromise.Generations });

        // Of a step that a power failure ended, too.
        LifePromise promise = _steps.Now();
        Assert.InRange(store.LastSequence, promise.Acknowledged, promise.Appended);
        _steps.Promise = promise.Recovered(store);
        LifeCheck.Records(store, promise);
        _isKnown = true;
        return store;
    }

    private void End(NinoStore store, bool isPowerFailure)
    {
        LifePromise promise = _steps.Promise;
        int how = _random.Next(8);
        if (isPowerFailure)
        {
            LosePower();
        }
        else if (how < 3)
        {
            _steps.Promise = promise with { Closed = promise.Appended, ClosedBefore = promise.Closed };
            store.Dispose();
            _steps.Promise = _steps.Promise with { Acknowledged = promise.Appended, Flushed = promise.Appended, ClosedBefore = null };
        }
        else if (how == 3 && promise.Copied > 0)
        {
            // The disk is lost: the backup takes its place, and knows less. How much is seen when it is opened.
            _isKnown = false;
            Become(_steps.Copy.KillProcess());
            _steps.Copy = WatchedCopy();
            _steps.Promise = promise with { Acknowledged = promise.Copied, Flushed = promise.Copied, Removed = 1, Copied = 0 };
            _steps.Tally.Restored++;
        }
        else
        {
            Become(_directory.KillProcess());
            _steps.Tally.Kills++;
        }

        Draw();
    }

    // What only the system had is nobody's promise any more.
    private void LosePower()
    {
        Become(_directory.Crash(_random));
        _steps.Promise = _steps.Promise with { Flushed = _steps.Promise.Acknowledged };
        _steps.Tally.PowerFailures++;
    }

    private void Become(SimDirectory directory)
    {
        _directory.OnOperation = null;
        _directory = Watched(directory);
    }

    private SimDirectory Watched(SimDirectory directory)
    {
        directory.OnOperation = (_, what) =>
        {
            if (!_isKnown || _choosing.NextDouble() >= _share) return;
            _points.Add(new LifePoint(what, directory.TakeImage(), null, _choosing.Next(4) == 0 ? directory.KillProcess() : null, _steps.Now()));
        };
        return directory;
    }

    private SimDirectory WatchedCopy()
    {
        var copy = new SimDirectory("copy", _statistics);
        copy.OnOperation = (_, what) =>
        {
            if (_choosing.NextDouble() < _share) _points.Add(new LifePoint($"{what} of the copy", _directory.TakeImage(), copy.TakeImage(), null, _steps.Now()));
        };
        return copy;
    }

    // Not in the middle of a call: what is looked at is opened, by the same thread.
    private void Draw()
    {
        foreach (LifePoint point in _points) _look(point);
        _points.Clear();
        if (_steps.NeedsCopy)
        {
            _steps.Copy = WatchedCopy();
            _steps.Promise = _steps.Promise with { Copied = 0 };
            _steps.NeedsCopy = false;
        }
    }
}
