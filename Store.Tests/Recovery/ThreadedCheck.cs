// Is a folder after a crash one that the promises to the threads allow? Opens it, also with crashes during recovery, and looks at everything.

using Store.Tests.Log;
using Store.Tests.Simulation;

namespace Store.Tests.Recovery;

/// <summary>Checks of the states that one opening can leave. What is done beyond opening and reading alternates with the number of the state.</summary>
internal sealed class ThreadedCheck
{
    /// <summary>States looked at.</summary>
    public int States { get; private set; }

    /// <summary>Of these, states of a process that was killed.</summary>
    public int Kills { get; private set; }

    /// <summary>Of these, states that crashed again during recovery.</summary>
    public int CrashedAgain { get; private set; }

    /// <summary>The records of a log, in order, with dense sequences from its first to its last.</summary>
    public static (long Sequence, long Id)[] Read(NinoStore store)
    {
        List<(long, long)> read = [];
        long first = store.FirstSequence;
        foreach (LogRecord record in store.ReadRecords())
        {
            if (record.Sequence != first + read.Count) Assert.Fail($"record {record.Sequence} comes after {read.Count} records from {first} on");
            read.Add((record.Sequence, ThreadedRecords.IdOf(in record)));
        }

        Assert.Equal(store.LastSequence - first + 1, read.Count);
        return [.. read];
    }

    /// <summary>Checks states of one moment: what is left when nothing unsynced has survived, and others, drawn.</summary>
    /// <param name="life">The opening.</param>
    /// <param name="moment">The moment.</param>
    /// <param name="drawn">How many to draw.</param>
    /// <param name="seed">Of what is drawn.</param>
    public void Moment(ThreadedLife life, ThreadedMoment moment, int drawn, int seed)
    {
        Left(life, moment.Image.Build(moment.Image.NothingSurvives), moment.Promise, isKill: false);
        foreach (SimDirectory left in CrashSampler.States(moment.Image, drawn, seed)) Left(life, left, moment.Promise, isKill: false);
        if (moment.Killed is not null) Left(life, moment.Killed.KillProcess(), moment.Promise, isKill: true);
    }

    private void Left(ThreadedLife life, SimDirectory left, ThreadedPromise promise, bool isKill)
    {
        int number = ++States;
        if (isKill) Kills++;
        bool again = number % 8 == 0;
        if (again) left = CrashDuringRecovery(left, number, ref isKill);
        (long first, long last) = Open(life, left, promise, isKill, again, number);
        if (number % 4 != 3) return;

        // What was recovered once is whole, and goes on; also where it runs with threads of its own.
        using NinoStore store = Simulated.Open(left, number + 1, options => options with { RunsInline = number % 16 != 3, FlushIntervalMs = 1 });
        Assert.Equal((first, last, true, 0L), (store.FirstSequence, store.LastSequence, store.Recovery.CleanClose, store.Recovery.BytesCut));
        Assert.Empty(store.Recovery.Damage);
        Assert.Equal(last + 1, store.Append(-2L));
        Simulated.Commit(store);
    }

    private static (long First, long Last) Open(ThreadedLife life, SimDirectory left, ThreadedPromise promise, bool isKill, bool isSecond, int number)
    {
        using NinoStore store = Simulated.Open(left, number);
        long atLeast = isKill ? Math.Max(promise.InFiles, promise.Durable) : promise.Durable;
        Assert.True(store.LastSequence >= atLeast, $"record {atLeast} was acknowledged, and the log ends with {store.LastSequence}");
        Assert.InRange(store.FirstSequence, promise.Removed, promise.MayBeRemoved);
        Report(left, store, promise, isSecond);
        (long, long)[] read = Read(store);
        life.Records.Hold(read);
        Assert.Equal(store.LastSequence + 1, store.Append(-1L));
        return (store.FirstSequence, store.LastSequence);
    }

    private static void Report(SimDirectory left, NinoStore store, ThreadedPromise promise, bool isSecond)
    {
        RecoveryReport report = store.Recovery;
        Assert.Equal((store.LastSequence, store.LastSequence), (report.LastSequence, store.DurableSequence));
        Assert.All(report.Damage, static damage => Assert.Equal(StoreDamageKind.TornTail, damage.Kind));
        Assert.Equal(report.BytesCut, report.Damage.Sum(static damage => damage.LengthBytes));
        Assert.Equal(report.BytesCut > 0, report.CutBytesFile is not null);
        if (report.CutBytesFile is not null) Assert.Contains(left.List(), file => file.Name == report.CutBytesFile);
        Assert.DoesNotContain(left.List(), file => report.FilesRemoved.Contains(file.Name));
        if (report is { CleanClose: true, Created: false } && !isSecond)
            Assert.True((promise.Closed == store.LastSequence || promise.Closing == store.LastSequence) && report.BytesCut == 0, $"the report says that the log was closed at {store.LastSequence}, and that was at {promise}");
    }

    // Recovery crashes at a random one of its operations; what is left must recover like the first time.
    private SimDirectory CrashDuringRecovery(SimDirectory left, int seed, ref bool isKill)
    {
        var random = new Random(seed);
        left.PowerOffAt = left.OperationCount + random.Next(1, 12);
        try
        {
            Simulated.Open(left, seed).Dispose();
        }
        catch (Exception e) when (DiskTrouble.IsCauseOf(e))
        {
            // The power failed during recovery, or while the store was closed after it.
        }

        if (left.IsPowerOff) CrashedAgain++;
        isKill = false;
        return left.Crash(random);
    }
}
