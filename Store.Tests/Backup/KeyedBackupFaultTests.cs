using Store.Faster;
using Store.KeyValue;
using Store.Tests.KeyValue;
using Store.Tests.Log;
using Store.Tests.Retention;
using Store.Tests.Simulation;
using Xunit.Abstractions;

namespace Store.Tests.Backup;

/// <summary>
/// Copies of keyed states that are interrupted: by a power failure at every call, by every call failing. The log was truncated, so nothing but the checkpoint in the copy can bring the state back; and it does, whatever was copied by
/// then, once there was a copy. A first copy that is not finished is refused by name.
/// </summary>
public class KeyedBackupFaultTests(ITestOutputHelper output)
{
    [Fact]
    public void WhereverThePowerFailsTheCopyOpensWithItsKeyedState()
    {
        SimDirectory first = new();
        using var bed = new KeyedBackupBed(new());
        long before = bed.Store.BackupTo(first).LastSequence;
        GoOn(bed);
        int states = Interrupt(bed, first, left => Assert.InRange(bed.AssertHolds(left), before, bed.Store.LastSequence));
        Effort.Tell(output, "crash states", states, "no chance in it", "a backup of a keyed state");
        Assert.True(states > 100, $"{states} states");
    }

    [Fact]
    public void WhereverThePowerFailsInAFirstBackupItIsWholeOrRefused()
    {
        int unfinished = 0;
        using var bed = new KeyedBackupBed(new());
        int states = Interrupt(bed, new SimDirectory(), left =>
        {
            if (IsUnfinished(left)) unfinished++;
            else if (RetentionTests.Segments(left).Length > 0) Assert.Equal(bed.Store.LastSequence, bed.AssertHolds(left));
        });
        Effort.Tell(output, "crash states", states, "no chance in it", $"a first backup of a keyed state, {unfinished} refused as unfinished");
        Assert.True(unfinished > 20 && unfinished < states, $"{unfinished} of {states}");
    }

    /// <summary>The newest checkpoint of the source was damaged, so that it went on from the one before: another one got its number, and its pages in the record log were written again.</summary>
    [Fact]
    public void ACheckpointThatTookTheNameOfAnotherIsExchangedInOneStep()
    {
        SimDirectory first = new();
        using var bed = new KeyedBackupBed(new());
        long before = bed.Store.BackupTo(first).LastSequence;
        string manifest = KeyedBackupBed.Files(first, ".manifest").Single();
        byte[] old = FileBytes.Of(first, manifest);
        bed.Restart(() =>
        {
            string index = KeyedBackupBed.Files(bed.Directory, ".index")[^1];
            byte[] bytes = FileBytes.Of(bed.Directory, index);
            bytes[64] ^= 1;
            FileBytes.Put(bed.Directory, index, bytes);
        });
        Assert.Single(bed.Keyed.Recovery.Rejected);
        bed.Change(200);
        bed.Checkpoint();
        Assert.Contains(manifest, KeyedBackupBed.Files(bed.Directory, ".manifest"));
        Assert.NotEqual(old, FileBytes.Of(bed.Directory, manifest));

        int states = Interrupt(bed, first, left => Assert.InRange(bed.AssertHolds(left), before, bed.Store.LastSequence));

        Effort.Tell(output, "crash states", states, "no chance in it", "a backup of a keyed state whose checkpoints have the names of others in the copy");
    }

    /// <summary>What tells that it is whole in a truncated log is its mark, which an earlier copy does not have.</summary>
    [Fact]
    public void AStateThatWasBegunAfterTheEarlierCopyOpensWhereverThePowerFails()
    {
        SimDirectory first = new();
        using var bed = new KeyedBackupBed(new());
        long before = bed.Store.BackupTo(first).LastSequence;
        bed.Change(10);
        using IKeyValueStore<int, string> late = Late(bed.Store);
        long[] sequences = [.. Enumerable.Range(0, 100).Select(key => late.Put(key, Value(key)))];
        bed.Store.Commit();

        int states = Interrupt(bed, first, left =>
        {
            using NinoStore opened = KeyedBackupBed.Open(left, seed: 7);
            Assert.InRange(opened.LastSequence, before, bed.Store.LastSequence);
            Assert.Empty(opened.Recovery.Damage);
            using IKeyValueStore<int, string> there = Late(opened);
            KeyValueBed.AssertHolds(there, Enumerable.Range(0, 100).Where(key => sequences[key] <= opened.LastSequence).ToDictionary(static key => key, Value), Enumerable.Range(0, 100));
        });

        Effort.Tell(output, "crash states", states, "no chance in it", "a backup of a keyed state that was begun in a truncated log");

        static string Value(int key) => $"value {key} {new string('l', 100)}";

        static IKeyValueStore<int, string> Late(NinoStore store) => store.OpenKeyValue<int, string>("late", KeyValueBed.Tiny);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void WhicheverCallFailsTheCopyOpensWithItsKeyedState(bool inSource)
    {
        int faults = 0;
        foreach ((FaultKind kind, bool isForever) in new[] { (FaultKind.IoError, false), (FaultKind.IoError, true), (FaultKind.NoSpace, true), (FaultKind.ShortWrite, false) })
        {
            // Reading only: nothing else is asked of the source.
            if (inSource && kind != FaultKind.IoError) continue;
            SimDirectory directory = new(), first = new();
            FaultDirectory source = new(directory);
            using var bed = new KeyedBackupBed(directory, source);
            long before = bed.Store.BackupTo(first).LastSequence;
            GoOn(bed);
            for (long at = 1; ; at += isForever || kind != FaultKind.IoError ? 3 : inSource ? 2 : 1)
            {
                SimDirectory copied = Copy(first);
                FaultDirectory copy = new(copied, seed: (int)at), faulty = inSource ? source : copy;
                Fault fault = new(at, kind, isForever);

                // A failing read of the log is its own; what is asked here is the copy's.
                faulty.Fault = inSource ? fault with { Strikes = static o => o is IoOperation.OpenRead or IoOperation.Read or IoOperation.List or IoOperation.Map } : fault;
                BackupResult? result = null;
                try
                {
                    result = bed.Store.BackupTo(copy);
                }
                catch (Exception e) when (DiskTrouble.IsCauseOf(e))
                {
                    // The failure that was asked for; anything else fails the test.
                }

                long struck = faulty.Failures;
                faulty.Fault = null;
                if (struck == 0) Assert.Empty(result!.Omitted);
                long durable = result is { Omitted.Count: 0 } ? result.LastSequence : before;
                foreach (SimDirectory left in copied.CrashStates(limit: 1, seed: (int)at).Append(copied.KillProcess())) Assert.InRange(bed.AssertHolds(left), durable, bed.Store.LastSequence);
                Assert.Empty(bed.Store.BackupTo(copied).Omitted);
                Assert.Equal(bed.Store.LastSequence, bed.AssertHolds(copied));
                if (struck == 0) break;
                faults++;
            }
        }

        Effort.Tell(output, "injected faults", faults, "no chance in it", $"backup of a keyed state, in the {(inSource ? "source" : "copy")}");
        Assert.True(faults > (inSource ? 15 : 60), $"{faults} faults");
    }

    /// <summary>Changes, checkpoints and a truncation, so that the copy has nothing to start from but what comes.</summary>
    private static void GoOn(KeyedBackupBed bed)
    {
        for (int i = 0; i < 2; i++)
        {
            bed.Change(120);
            bed.Checkpoint();
        }

        bed.Change(5);
        Assert.True(bed.Store.TruncateBefore(long.MaxValue).SegmentsRemoved > 0);
    }

    private static int Interrupt(KeyedBackupBed bed, SimDirectory first, Action<SimDirectory> examine)
    {
        int states = 0;
        SimDirectory undisturbed = Copy(first);
        long begun = undisturbed.OperationCount;
        bed.Store.BackupTo(undisturbed);
        long operations = undisturbed.OperationCount - begun;
        for (long at = 1; ; at++)
        {
            SimDirectory copy = Copy(first);
            copy.PowerOffAt = copy.OperationCount + at;
            BackupResult? result = null;
            try
            {
                result = bed.Store.BackupTo(copy);
            }
            catch (SimulatedPowerFailure)
            {
                // What is left must open.
            }

            foreach (SimDirectory left in copy.CrashStates(limit: 3, seed: (int)at))
            {
                states++;
                examine(left.KillProcess());

                // A backup that has returned is durable.
                if (result is not null) Assert.Equal((result.LastSequence, 0), (bed.AssertHolds(left.KillProcess()), result.Omitted.Count));

                // Whatever was left, the next backup makes it whole.
                if (states % 3 != 0) continue;
                Assert.Empty(bed.Store.BackupTo(left).Omitted);
                Assert.Equal(bed.Store.LastSequence, bed.AssertHolds(left));
            }

            Assert.Equal((copy.IsPowerOff, copy.IsPowerOff), (result is null, at <= operations));
            if (result is not null) return states;
        }
    }

    private static SimDirectory Copy(SimDirectory directory)
    {
        SimDirectory copy = directory.KillProcess();
        copy.SyncAllFolders();
        return copy;
    }

    /// <summary>True when opening refuses it as a backup that was not finished.</summary>
    internal static bool IsUnfinished(SimDirectory left)
    {
        try
        {
            KeyedBackupBed.Open(left.KillProcess(), seed: 6).Dispose();
            return false;
        }
        catch (StoreCorruptException e)
        {
            Assert.Contains("back up to it again", e.Message, StringComparison.Ordinal);
            return true;
        }
    }
}
