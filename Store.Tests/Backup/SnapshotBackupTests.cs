using System.Runtime.CompilerServices;
using Store.IO;
using Store.Snapshots;
using Store.Tests.Log;
using Store.Tests.Retention;
using Store.Tests.Simulation;
using Xunit.Abstractions;

namespace Store.Tests.Backup;

/// <summary>A copy restores every state, or says that it is not finished, whatever checkpoints do while its log is copied. The logs here no longer begin with record 1, so that nothing but a snapshot can.</summary>
public class SnapshotBackupTests(ITestOutputHelper output)
{
    [Fact]
    public async Task CheckpointsDuringTheCopyOfTheLogTakeNoSnapshotFromIt()
    {
        SimDirectory directory = new(), copy = new();
        using NinoStore store = await TruncatedAsync(directory);
        string[] chosen = Names(directory);
        StrongBox<int> retired = RetiringAtTheFirstRename(copy, store, directory);

        BackupResult result = store.BackupTo(copy);

        Assert.Equal(2, retired.Value);
        Assert.Empty(result.Omitted);
        Assert.Empty(Names(directory).Intersect(chosen));
        Assert.Equal(chosen, Names(copy));
        await RestoresAsync(copy, result);

        // The next one finds the new ones, and gives up those that the store has no longer.
        copy.OnOperation = null;
        await RestoresAsync(copy, store.BackupTo(copy));
        Assert.Equal(Names(directory), Names(copy));
    }

    [Fact]
    public async Task CheckpointsOfAnotherProcessTakeNoSnapshotFromIt()
    {
        SimDirectory directory = new(), copy = new();
        using NinoStore writer = await TruncatedAsync(directory);
        string[] chosen = Names(directory);
        using NinoStore reader = Simulated.Open(new View(directory), 2, o => o with { ReadOnly = true });
        StrongBox<int> retired = RetiringAtTheFirstRename(copy, writer, directory);

        BackupResult result = reader.BackupTo(copy);

        Assert.Equal(2, retired.Value);
        Assert.Equal(chosen, Names(copy));
        await RestoresAsync(copy, result);
    }

    [Fact]
    public async Task AViewThatIsOlderThanEverySnapshotIsRefusedBeforeAnythingIsCopied()
    {
        SimDirectory directory = new(), copy = new();
        using NinoStore writer = await TruncatedAsync(directory);
        using NinoStore reader = Simulated.Open(new View(directory), 2, o => o with { ReadOnly = true });
        Retire(writer, directory);

        Assert.Contains("Open the store again", Assert.Throws<StoreException>(() => reader.BackupTo(copy)).Message, StringComparison.Ordinal);

        Assert.DoesNotContain(copy.List(), static f => f.Name.EndsWith(".nino", StringComparison.Ordinal));
    }

    [Fact]
    public async Task ASnapshotInTheCopyStaysUntilANewerOneLiesThereWhole()
    {
        SimDirectory directory = new(), copy = new();
        using NinoStore store = await TruncatedAsync(directory);
        string[] first = Names(directory);
        long from = store.BackupTo(copy).FirstSequence;
        Retire(store, directory);
        store.TruncateBefore(RetentionTests.First(directory, 5));
        Assert.True(store.FirstSequence > from);
        Dictionary<string, byte[]> good = Names(directory).ToDictionary(static n => n, n => FileBytes.Of(directory, n));
        foreach ((string name, byte[] bytes) in good)
        {
            byte[] bad = [.. bytes];
            bad[^10] ^= 1;
            FileBytes.Put(directory, name, bad);
        }

        BackupResult damaged = store.BackupTo(copy);

        Assert.Contains("inspect verify", Assert.Single(damaged.Omitted).Reason, StringComparison.Ordinal);
        Assert.Equal(from, damaged.FirstSequence);
        Assert.Empty(first.Except(Names(copy)));
        await RestoresAsync(copy, damaged);

        // Written anew, they are whole in the copy too, and what is older goes.
        Retire(store, directory);
        BackupResult whole = store.BackupTo(copy);
        Assert.Empty(whole.Omitted);
        Assert.Equal(store.FirstSequence, whole.FirstSequence);
        Assert.Equal(Names(directory), Names(copy));
        await RestoresAsync(copy, whole);
    }

    /// <summary>More damaged ones than generations are kept, in front of the one that restores: it is held while the log is copied.</summary>
    [Fact]
    public async Task SnapshotsThatAreKnownToBeDamagedTakeNoPlaceOfTheOneThatRestores()
    {
        SimDirectory directory = new(), copy = new();
        using NinoStore store = await TruncatedAsync(directory);
        string good = Names(directory)[0];
        for (int i = 0; i < 2; i++)
        {
            if (i > 0) await store.CheckpointAsync(Upto(store));
            string newest = Names(directory)[^1];
            byte[] bad = FileBytes.Of(directory, newest);
            bad[bad.Length / 2] ^= 1;
            FileBytes.Put(directory, newest, bad);
            await store.RestoreAsync<List<int>, int>(static (state, value) => state.Add(value));
            Assert.Equal(good, store.Recovery.SnapshotUsed);
        }

        Assert.Equal(3, Names(directory).Length);
        StrongBox<int> retired = RetiringAtTheFirstRename(copy, store, directory);

        BackupResult result = store.BackupTo(copy);

        Assert.Equal(2, retired.Value);
        Assert.DoesNotContain(good, Names(directory));
        Assert.Empty(result.Omitted);
        Assert.Equal([good], Names(copy));
        await RestoresAsync(copy, result);
    }

    [Fact]
    public async Task AnotherSnapshotOfTheSameNameAndLengthIsCopiedAgain()
    {
        SimDirectory directory = new(), copy = new();
        using NinoStore store = await TruncatedAsync(directory);
        store.BackupTo(copy);
        string name = Names(directory)[^1];
        byte[] right = FileBytes.Of(directory, name), other = [.. right];
        for (int i = 0; i < 128; i++) other[i] ^= 0x5A;
        FileBytes.Put(copy, name, other);

        store.BackupTo(copy);

        Assert.Equal(right, FileBytes.Of(copy, name));
    }

    [Fact]
    public async Task AFirstCopyThatIsNotFinishedDoesNotOpenAndTheNextBackupFinishesIt()
    {
        SimDirectory directory = new();
        using NinoStore store = await TruncatedAsync(directory);
        int nothing = 0, unfinished = 0, whole = 0;
        for (long at = 1; ; at++)
        {
            SimDirectory copy = new() { PowerOffAt = at };
            try
            {
                store.BackupTo(copy);
            }
            catch (SimulatedPowerFailure)
            {
                // What is left is looked at.
            }

            foreach (SimDirectory after in copy.CrashStates(limit: 2, seed: (int)at).Append(copy.IsPowerOff ? Everything(copy) : copy.KillProcess()))
            {
                try
                {
                    using NinoStore opened = Simulated.Open(after.KillProcess(), seed: 2);
                    if (opened.Recovery.Created)
                    {
                        nothing++;
                    }
                    else
                    {
                        whole++;
                        Assert.Equal(Enumerable.Range(1, (int)store.LastSequence), await opened.RestoreAsync<List<int>, int>(static (state, value) => state.Add(value)));
                    }
                }
                catch (StoreCorruptException e)
                {
                    unfinished++;
                    Assert.Contains("back up to it again", e.Message, StringComparison.Ordinal);
                }

                // Whatever was left, the next backup makes it whole.
                if ((nothing + unfinished + whole) % 3 == 0) await RestoresAsync(after, store.BackupTo(after));
            }

            if (!copy.IsPowerOff) break;
        }

        Assert.True(nothing > 0 && unfinished > 20 && whole > 0, $"{nothing} with nothing, {unfinished} unfinished, {whole} whole");
        Effort.Tell(output, "crash states", nothing + unfinished + whole, "no chance in it", $"a first backup of a truncated log: {nothing} had nothing, {unfinished} were refused, {whole} were whole");

        static SimDirectory Everything(SimDirectory copy) => copy.Crash(copy.TakeImage().EverythingSurvives);
    }

    /// <summary>Two checkpoints, and nothing in the log that the older one does not need.</summary>
    private static async Task<NinoStore> TruncatedAsync(SimDirectory directory)
    {
        NinoStore store = RetentionTests.Grown(directory, segments: 3);
        await store.CheckpointAsync(Upto(store));
        RetentionTests.Grow(store, directory, 4);
        await store.CheckpointAsync(Upto(store));
        Assert.True(store.TruncateBefore(long.MaxValue).FirstSequence > 1);
        RetentionTests.Grow(store, directory, 5);
        return store;
    }

    // In the middle of the copying, once. Holds how many checkpoints were written.
    private static StrongBox<int> RetiringAtTheFirstRename(SimDirectory copy, NinoStore store, SimDirectory directory)
    {
        var retired = new StrongBox<int>();
        copy.OnOperation = (_, what) =>
        {
            if (retired.Value > 0 || !what.StartsWith("rename", StringComparison.Ordinal)) return;
            retired.Value = Retire(store, directory);
        };
        return retired;
    }

    // As many checkpoints as are kept, with segments between them.
    private static int Retire(NinoStore store, SimDirectory directory)
    {
        for (int i = 0; i < 2; i++)
        {
            RetentionTests.Grow(store, directory, RetentionTests.Segments(directory).Length + 1);
            store.CheckpointAsync(Upto(store)).AsTask().GetAwaiter().GetResult();
        }

        return 2;
    }

    private static List<int> Upto(NinoStore store) => [.. Enumerable.Range(1, (int)store.LastSequence)];

    private static string[] Names(SimDirectory directory) => [.. directory.List().Select(static f => f.Name).Where(static n => SnapshotName.TryParse(n, out _))];

    private static async Task RestoresAsync(SimDirectory copy, BackupResult result)
    {
        using NinoStore opened = Simulated.Open(copy.KillProcess(), seed: 9);
        Assert.Equal((result.FirstSequence, result.LastSequence), (opened.FirstSequence, opened.LastSequence));
        Assert.Empty(opened.Recovery.Damage);
        Assert.Equal(Enumerable.Range(1, (int)result.LastSequence), await opened.RestoreAsync<List<int>, int>(static (state, value) => state.Add(value)));
    }

    private sealed class View(IStoreDirectory inner) : LookOnlyDirectory(inner);
}
