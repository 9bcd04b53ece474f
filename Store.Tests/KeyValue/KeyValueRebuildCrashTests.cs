// The power fails, the process is killed, or a file call fails at every operation of an opening that replays much and writes checkpoints on the way. What is left opens to what the log says, goes on from the last of these
// checkpoints, and the log has what it needs, however far somebody truncates it.

using Store.Faster;
using Store.IO;
using Store.KeyValue;
using Store.Tests.Log;
using Store.Tests.Simulation;
using Xunit.Abstractions;

namespace Store.Tests.KeyValue;

public class KeyValueRebuildCrashTests(ITestOutputHelper output)
{
    private const string Name = "state";
    private const int Changes = 700;
    private static readonly int Seed = Effort.Seed(20261124);
    private static readonly FasterOptions Never = KeyValueBed.Tiny with { CheckpointEveryChanges = long.MaxValue };
    private static readonly FasterOptions Often = KeyValueBed.Tiny with { CheckpointEveryChanges = 90 };
    private static readonly FasterOptions OtherPages = Often with { PageSizeBytes = 8192, MemorySizeBytes = 32 * 1024 };

    /// <summary>Why so much is replayed.</summary>
    public enum Cause
    {
        /// <summary>There was no checkpoint yet.</summary>
        First,

        /// <summary>The checkpoints have other pages: none can be used.</summary>
        Pages,

        /// <summary>Much was changed behind the checkpoint, and the log before it is gone.</summary>
        Tail,
    }

    [Theory]
    [InlineData(Cause.First)]
    [InlineData(Cause.Pages)]
    [InlineData(Cause.Tail)]
    public async Task WhereverThePowerFailsTheNextOpeningGoesOnWithWhatTheLogSays(Cause cause)
    {
        using SimDirectory intact = await PreparedAsync(cause);
        FasterOptions options = cause == Cause.Pages ? OtherPages : Often;
        var random = new Random(Seed);
        int states = 0, further = 0, again = 0;
        long points = 0;
        foreach (long at in Effort.Points(every: 1, Effort.CrashScale, out int statesEach))
        {
            using SimDirectory directory = intact.KillProcess();
            directory.PowerOffAt = directory.OperationCount + at;
            Until(directory, () => Open(directory, options, static (_, _) => { }));
            points++;
            foreach (SimDirectory crashed in directory.CrashStates(limit: 3 * statesEach, seed: Seed + (int)at).Append(directory.KillProcess()))
            {
                states++;
                SimDirectory left = crashed;
                if (random.Next(4) == 0)
                {
                    // The power fails in the replay that goes on, too.
                    crashed.PowerOffAt = crashed.OperationCount + random.Next(1, 60);
                    Until(crashed, () => Open(crashed, options, static (_, _) => { }));
                    left = crashed.Crash(random);
                    again++;
                }

                if (Examine(left, options, cause)) further++;
            }

            if (!directory.IsPowerOff) break;
        }

        Effort.Tell(output, "crash states", states, $"SEED={Seed}", $"a keyed state that is replayed with checkpoints on the way ({cause}), {points} crash points, {again} crashed again, {further} went on from a checkpoint of the replay");
        Assert.True(Effort.IsSlice || (points > 100 && further > states / 2), $"{points} points, {states} states, {further} went on");
    }

    [Theory]
    [InlineData(nameof(FaultKind.IoError), false)]
    [InlineData(nameof(FaultKind.NoSpace), false)]
    [InlineData(nameof(FaultKind.NoSpace), true)]
    public async Task WhicheverCallFailsTheNextOpeningGoesOnWithWhatTheLogSays(string kind, bool isForever)
    {
        using SimDirectory intact = await PreparedAsync(Cause.Pages);
        int faults = 0, states = 0;
        foreach (long n in Effort.Points(every: 2, Effort.FaultScale, out _))
        {
            using SimDirectory directory = intact.KillProcess();
            var faulty = new FaultDirectory(directory, (int)n) { Fault = new Fault(n, Enum.Parse<FaultKind>(kind), isForever) };
            var trouble = new DiskTrouble();
            try
            {
                Open(faulty, OtherPages, static (_, _) => { });
            }
            catch (Exception e) when (trouble.Ends(e))
            {
                // What it left is opened below.
                trouble.ThrowOther();
            }

            if (faulty.Failures == 0) break;
            faults++;
            foreach (SimDirectory left in directory.CrashStates(limit: 2, seed: Seed + (int)n).Prepend(directory.KillProcess()))
            {
                Examine(left, OtherPages, Cause.Pages, mayReject: true);
                states++;
            }
        }

        Effort.Tell(output, "injected faults", faults, $"SEED={Seed}", $"a keyed state that is made anew with checkpoints on the way, {kind}{(isForever ? " for ever" : " once")}, {states} states opened afterwards");
        Assert.True(Effort.IsSlice || faults > 50, $"{faults} faults");
    }

    private static void Open(IStoreDirectory directory, FasterOptions options, Action<NinoStore, IKeyValueStore<int, string>> use)
    {
        using NinoStore store = Simulated.Open(directory, 2);
        using IKeyValueStore<int, string> kv = store.OpenKeyValue<int, string>(Name, options);
        use(store, kv);
    }

    /// <summary>Truncates the log as far as it lets itself be, opens, changes, and opens once more. While the checkpoints of other pages are in force the log may be cut for them, and who cannot use them then is refused.</summary>
    /// <returns>True when it went on from a checkpoint that the replay has written.</returns>
    private static bool Examine(SimDirectory left, FasterOptions options, Cause cause, bool mayReject = false)
    {
        bool further = false;
        using (NinoStore store = Simulated.Open(left, 3))
        {
            if (!left.HasCheckpointOfOtherPages(options)) store.TruncateBefore(long.MaxValue);
            using IKeyValueStore<int, string> kv = store.OpenKeyValue<int, string>(Name, options);
            KeyValueBed.AssertHolds(kv, Expected, [41]);
            Assert.Equal(Expected.OrderBy(static pair => pair.Key), kv.Scan().OrderBy(static pair => pair.Key));

            // A manifest promises that all it describes was durable before it. Those of other pages are rejected, not those of this replay.
            if (!mayReject && cause != Cause.Pages) Assert.Empty(kv.Recovery.Rejected);
            if (!mayReject) Assert.All(kv.Recovery.Rejected, static r => Assert.Contains("pages of 4096", r.Message, StringComparison.Ordinal));
            further = kv.Recovery.CheckpointSequence > (cause == Cause.Tail ? 300 : 0);
            kv.Put(41, "after the crash");
            store.TruncateBefore(long.MaxValue);
        }

        Open(left, options, static (_, kv) => KeyValueBed.AssertHolds(kv, new Dictionary<int, string>(Expected) { [41] = "after the crash" }));
        return further;
    }

    private static Dictionary<int, string> Expected { get; } = Model();

    private static Dictionary<int, string> Model()
    {
        var model = new Dictionary<int, string>();
        for (int i = 0; i < Changes; i++) LogReplay.Apply(i * 7 % 40, Value(i), model);
        return model;
    }

    // Every ninth change removes the key.
    private static string? Value(int i) => i % 9 == 8 ? null : $"{i} {new string('v', i * 13 % 300)}";

    private static async Task<SimDirectory> PreparedAsync(Cause cause)
    {
        var directory = new SimDirectory();
        using NinoStore store = Simulated.Open(directory);
        using IKeyValueStore<int, string> kv = store.OpenKeyValue<int, string>(Name, Never);
        for (int i = 0; i < Changes; i++)
        {
            if (cause != Cause.First && i is 100 or 200) await kv.CheckpointAsync();
            if (Value(i) is { } value) kv.Put(i * 7 % 40, value);
            else kv.Delete(i * 7 % 40);
            if (i % 5 == 0) store.Append(i);
        }

        Simulated.Commit(store);
        if (cause == Cause.Tail) Assert.True(store.TruncateBefore(long.MaxValue).FirstSequence > 1);
        return directory;
    }

    private static void Until(SimDirectory directory, Action open)
    {
        var trouble = new DiskTrouble();
        try
        {
            open();
        }
        catch (Exception e) when (trouble.Ends(e))
        {
            // The power is off: what is on the disk is looked at next.
            trouble.ThrowOther();
        }
    }
}
