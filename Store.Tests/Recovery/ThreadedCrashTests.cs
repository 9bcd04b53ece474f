// The log as it runs in a program, and the power failing at every call of its disk. CrashTests and WholeLifeCrashTests run everything on one thread and repeat to the byte; here the interleaving is the scheduler's,
// and the disk helps it along (UnevenDirectory).

using Store.IO;
using Store.Log;
using Store.Tests.Simulation;
using Xunit.Abstractions;

namespace Store.Tests.Recovery;

/// <summary>
/// Thirteen threads append singly, by lease, in batches, with expected sequences and awaited, commit with and without tokens, read and truncate, while the flusher's and the preparer's threads write; in every fourth opening one waits
/// alone, and threads of the pool write for him. In every state that a power
/// failure or a kill can leave at any call of the disk: what anybody was told before is there, every thread's records in its order, batches whole, sequences dense, the report true, recovery repeatable, and the log goes on.
/// </summary>
public class ThreadedCrashTests(ITestOutputHelper output)
{
    private const int Openings = 3;

    // Which of them a few lives meet is the scheduler's: more are lived until all are met, but not without end.
    private const int MostTimesAsMany = 4;

    private static readonly string[] Kinds =
    [
        "calls of the flusher", "calls of the preparer", "calls of threads that commit", "calls of threads that read", "calls of threads that truncate", "calls of the pool", "leases", "expected sequences",
        "sequences that rivals lost", "bunches of awaited appends", "awaited appends", "waits given up", "commits", "readings", "truncations", "calls that failed",
    ];

    private readonly ThreadedTally _tally = new();
    private readonly ThreadedCheck _check = new();
    private int _lives, _moments, _struck, _lostAndTold;

    [Fact]
    public void WhereverThePowerFailsNothingThatAnyThreadWasToldIsLost()
    {
        int wanted = Effort.CrashStates / 5, first = Effort.DrawnSeed(quick: 20261123), seed = first;
        while (_check.States < wanted || (IsAskedForAll(wanted) && !HasMetAll && _check.States < MostTimesAsMany * wanted))
        {
            Live(seed, (random, before) => new ThreadedTrouble(PowerOffAt: random.Next(2) == 0 ? random.NextInt64(1, before?.Operations ?? 300) : null));

            // An interleaving is not repeated by its seed alone: the calls and delays of one are, again and again.
            if (!Effort.HasSeed) seed++;
        }

        Effort.Tell(output, "crash states", _check.States, $"SEED={first}", Describe());
        if (!IsAskedForAll(wanted)) return;
        Assert.True(_check.CrashedAgain > _check.States / 16, Describe());
        Assert.True(_struck > 0 && _lostAndTold > 0, Describe());
        _tally.Has(Kinds);
    }

    [Fact]
    public void WhicheverCallFailsNothingThatAnyThreadWasToldIsLost()
    {
        int wanted = Effort.Faults / 50, first = Effort.DrawnSeed(quick: 20261123), seed = first;
        while (_struck < wanted)
        {
            Live(seed, static (random, _) => new ThreadedTrouble(Fault: FaultOf(random)), momentsEach: 12);
            if (!Effort.HasSeed) seed++;
        }

        Effort.Tell(output, "injected faults", _struck, $"SEED={first}", Describe());
        if (!Effort.HasSeed && wanted >= 50) Assert.True(_lostAndTold > 0, Describe());
    }

    // The check finds what it is there to find.
    [Theory]
    [InlineData(IoOperation.SyncData)]
    [InlineData(IoOperation.SyncDirectory)]
    [InlineData(IoOperation.Write)]
    internal void ADiskThatDoesNotDoWhatItSaysIsFoundOut(IoOperation lie)
    {
        for (int seed = 1; seed <= 20; seed++)
        {
            try
            {
                Live(seed, (_, _) => new ThreadedTrouble(Wrap: directory => new LyingDirectory(directory, lie)));
            }
            catch (ThreadedCrashException e)
            {
                output.WriteLine(e.ToString());
                return;
            }
        }

        Assert.Fail($"a disk that does not do {lie} was not found out: {Describe()}");
    }

    private bool HasMetAll => _struck > 0 && _lostAndTold > 0 && _tally.HasAll(Kinds);

    private static bool IsAskedForAll(int wanted) => !Effort.HasSeed && wanted >= 5_000;

    private string Describe() => $"{_lives} lives of {Openings} openings, {_moments:N0} calls of the disk, {_struck} openings struck, {_lostAndTold} of them lost records and said so, {_check.Kills:N0} kills, {_check.CrashedAgain:N0} crashed again during recovery; {_tally}";

    // Any call, once: those of the log stop it, others end a reading, a truncation, or nothing but what was done ahead.
    private static Fault FaultOf(Random random) => new(
        random.Next(1, random.Next(2) == 0 ? 60 : 600),
        (FaultKind)random.Next(4),
        Strikes: random.Next(2) == 0 ? static operation => operation is IoOperation.Write or IoOperation.SyncData or IoOperation.SyncDirectory or IoOperation.Create or IoOperation.Rename : null);

    private void Live(int seed, Func<Random, ThreadedLife?, ThreadedTrouble> troubleOf, int momentsEach = int.MaxValue)
    {
        _lives++;
        var random = new Random(seed);
        var directory = new SimDirectory();
        ThreadedLife? before = null;
        ThreadedPromise promised = ThreadedPromise.Nothing;
        for (int opening = 0; opening < Openings; opening++)
        {
            ThreadedTrouble trouble = troubleOf(random, before);
            var life = new ThreadedLife(seed + (opening * 7919), directory, before, promised, _tally, trouble);
            ThreadedMoment? at = null;
            try
            {
                life.Run();
                int step = Math.Max(1, life.Moments.Count / momentsEach);
                for (int i = random.Next(step); i < life.Moments.Count - 1; i += step) _check.Moment(life, at = life.Moments[i], drawn: 1, seed + i);
                at = life.Moments[^1];
                WasTold(life, at, random);
                _check.Moment(life, at, drawn: 12, seed);
            }
            catch (Exception e)
            {
                throw new ThreadedCrashException($"SEED={seed} lives through these calls and delays again and again, opening {opening}, {trouble}; the power failed instead of call {at?.Operation} '{at?.What}', promised was {at?.Promise}. The calls before:\n"
                    + string.Join('\n', life.Moments.Where(m => at is null || m.Operation < at.Operation).TakeLast(30).Select(static m => $"{m.Operation} {m.What}, by {m.By}")), e);
            }

            _moments += life.Moments.Count;
            if (life.Failures > 0 || directory.IsPowerOff) _struck++;
            (directory, promised) = Next(life, random);
            before = life;
        }
    }

    // Records that were appended and are not on the disk when the log is closed, or its power went off: somebody must have been told.
    private void WasTold(ThreadedLife life, ThreadedMoment end, Random random)
    {
        using NinoStore store = Log.Simulated.Open(end.Image.Build(random.Next(2) == 0 ? end.Image.NothingSurvives : CrashSampler.Draw(end.Image, random)), seed: 5);
        if (store.LastSequence >= life.Records.Known) return;
        Assert.True(life.WasTold, $"record {life.Records.Known} was appended, the log ends with {store.LastSequence} when it was closed, and nobody was told");
        _lostAndTold++;
    }

    // What the next opening finds: the end, or what a crash at any call has left.
    private static (SimDirectory Directory, ThreadedPromise Promised) Next(ThreadedLife life, Random random)
    {
        ThreadedMoment moment = random.Next(3) == 0 ? life.Moments[^1] : life.Moments[random.Next(life.Moments.Count)];
        if (moment.Killed is { } killed && random.Next(2) == 0) return (killed.KillProcess(), moment.Promise);
        return (moment.Image.Build(CrashSampler.Draw(moment.Image, random)), moment.Promise with { InFiles = moment.Promise.Durable });
    }

    /// <summary>A disk that reports some of its calls as done and does not do them.</summary>
    private sealed class LyingDirectory(IStoreDirectory inner, IoOperation lie) : PassThroughDirectory(inner)
    {
        public override IStoreFile Create(string name) => new File(base.Create(name), lie);

        public override IStoreFile OpenWrite(string name) => new File(base.OpenWrite(name), lie);

        public override void SyncDirectory()
        {
            if (lie != IoOperation.SyncDirectory) base.SyncDirectory();
        }

        private sealed class File(IStoreFile inner, IoOperation lie) : PassThroughFile(inner)
        {
            private int _writes;

            // One of many is lost, of a segment.
            public override void Write(ReadOnlySpan<byte> source, long offset)
            {
                if (lie != IoOperation.Write || !SegmentFormat.TryParseName(Name, out _) || ++_writes % 16 != 0) base.Write(source, offset);
            }

            public override void SyncData()
            {
                if (lie != IoOperation.SyncData || !SegmentFormat.TryParseName(Name, out _)) base.SyncData();
            }
        }
    }
}

/// <summary>A state that the promises do not allow, with what led to it.</summary>
internal sealed class ThreadedCrashException(string message, Exception inner) : Exception(message, inner);
