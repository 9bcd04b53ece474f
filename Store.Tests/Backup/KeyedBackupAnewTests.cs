// A keyed state was copied, forgotten, and one of its name begun anew. The copy goes over to that: at no moment does it take the one for the beginning of the other.

using OwnEngine;
using Store.KeyValue;
using Store.Tests.Retention;
using Store.Tests.Simulation;
using Xunit.Abstractions;

namespace Store.Tests.Backup;

public class KeyedBackupAnewTests(ITestOutputHelper output)
{
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void TheCopyOfAKeyedStateThatWasBegunAnewHasNothingOfTheEarlierOne(bool isCopiedBetween)
    {
        SimDirectory copy = new();
        using var bed = new KeyedBackupBed(new());
        CopyFirst(bed, copy);
        Assert.NotEmpty(KeyedBackupBed.Files(copy));
        ForgetIt(bed, copy, isCopiedBetween);
        BeginAnew(bed);

        Assert.Empty(bed.Store.BackupTo(copy).Omitted);

        Assert.Empty(KeyedBackupBed.Files(copy));
        Assert.Equal(Anew, Content(copy, out KeyValueRecovery recovery));
        Assert.Empty(recovery.Rejected);

        // And so when its own beginning is removed.
        for (int i = 0; i < 3; i++)
        {
            bed.Keyed.Put(i, "more");
            KeyedBackupBed.Checkpoint(bed.Keyed);
            RetentionTests.Grow(bed.Store, bed.Directory, RetentionTests.Segments(bed.Directory).Length + 1);
        }

        Assert.Empty(bed.Store.BackupTo(copy).Omitted);
        bed.Store.TruncateBefore(long.MaxValue);
        Assert.Empty(bed.Store.BackupTo(copy).Omitted);
        Assert.NotEmpty(KeyedBackupBed.Files(copy));
        Assert.Equal(3, Content(copy, out recovery).Count(static pair => pair.Value == "more"));
        Assert.Empty(recovery.Rejected);
    }

    [Fact]
    public void WhereverItIsInterruptedTheCopyHasTheOneOrTheOther()
    {
        SimDirectory first = new();
        using var bed = new KeyedBackupBed(new());
        CopyFirst(bed, first);
        SimDirectory intact = first.KillProcess();
        Dictionary<int, string> earlier = Content(intact, out _);
        ForgetIt(bed, first, isCopied: false);
        BeginAnew(bed);
        int states = 0, anew = 0, empty = 0;
        for (long at = 1; ; at++)
        {
            SimDirectory copy = intact.KillProcess();
            copy.PowerOffAt = copy.OperationCount + at;
            try
            {
                bed.Store.BackupTo(copy);
            }
            catch (Exception e) when (DiskTrouble.IsCauseOf(e))
            {
                // What it left is opened.
            }

            foreach (SimDirectory left in copy.CrashStates(limit: 3, seed: (int)at).Append(copy.KillProcess()))
            {
                states++;
                Dictionary<int, string> content = Content(left, out _);
                if (content.Count == 0) empty++;
                else if (content.ContainsKey(1000)) anew++;
                Assert.True(content.Count == 0 || Same(content, earlier) || content.All(static pair => Anew.Contains(pair)), $"Interrupted at {at}, it has neither of the two: {string.Join(", ", content.Keys)}.");
                bed.Store.BackupTo(left);
                Assert.Equal(Anew, Content(left, out _));
            }

            if (!copy.IsPowerOff) break;
        }

        output.WriteLine($"{states} states, {anew} of them have the new one, {empty} none");
        Assert.True(states > 50 && anew > 5 && anew < states / 2, $"{states} states, {anew} new ones");

        static bool Same(Dictionary<int, string> left, Dictionary<int, string> right) => left.Count == right.Count && left.All(right.Contains);
    }

    /// <summary>An engine of one's own gives its files as FASTER does.</summary>
    [Fact]
    public void TheFilesOfASmallEngineAreCopiedWhileItIsOpen()
    {
        SimDirectory directory = new(), copy = new();
        using NinoStore store = KeyedBackupBed.Open(directory, seed: 1);
        using IKeyValueStore<int, string> keyed = new MemoryEngine().Open<int, string>(store, "own");
        for (int round = 0; round < 4; round++)
        {
            for (int i = 0; i < 100; i++) keyed.Put(i % 30, $"{round}.{i} {new string('x', 200)}");
            KeyedBackupBed.Checkpoint(keyed);
            store.TruncateBefore(long.MaxValue);
        }

        keyed.Put(1000, "behind the checkpoint");
        store.Commit();
        Assert.True(store.FirstSequence > 1);
        bool hasWritten = false;
        copy.OnOperation = (_, what) =>
        {
            if (hasWritten || !what.EndsWith(FolderExchange.StagedSuffix, StringComparison.Ordinal)) return;
            hasWritten = true;
            KeyedBackupBed.Checkpoint(keyed);
        };

        Assert.Empty(store.BackupTo(copy).Omitted);

        Assert.True(hasWritten);
        using NinoStore opened = KeyedBackupBed.Open(copy.KillProcess(), seed: 2);
        using IKeyValueStore<int, string> there = new MemoryEngine().Open<int, string>(opened, "own");
        Assert.Equal((31L, 1L, 0), (there.Count, there.Recovery.ChangesReplayed, there.Recovery.Rejected.Count));

        // Let go, the one that was held is gone with the next.
        keyed.Put(1, "more");
        KeyedBackupBed.Checkpoint(keyed);
        Assert.Single(directory.List(), static f => f.Name.StartsWith("kv-own." + MemoryCheckpoint.Prefix, StringComparison.Ordinal));
    }

    private static Dictionary<int, string> Anew { get; } = Enumerable.Range(1000, 20).ToDictionary(static i => i, static i => $"{i}");

    // Behind its last change come records of another kind: the segment in which the copy ends is there when all of its changes are removed.
    private static void CopyFirst(KeyedBackupBed bed, SimDirectory copy)
    {
        RetentionTests.Grow(bed.Store, bed.Directory, RetentionTests.Segments(bed.Directory).Length + 2);
        Assert.Empty(bed.Store.BackupTo(copy).Omitted);
    }

    private static void ForgetIt(KeyedBackupBed bed, SimDirectory copy, bool isCopied)
    {
        bed.Close();
        Assert.True(bed.Store.ForgetKeyedState(KeyedBackupBed.Name));
        foreach (string file in KeyedBackupBed.Files(bed.Directory)) bed.Directory.Delete(file);
        if (isCopied) Assert.Empty(bed.Store.BackupTo(copy).Omitted);

        // No change of it is left.
        bed.Store.TruncateBefore(long.MaxValue);
    }

    private static void BeginAnew(KeyedBackupBed bed)
    {
        bed.Reopen();
        Assert.Equal(0, bed.Keyed.Count);
        foreach ((int key, string value) in Anew) bed.Keyed.Put(key, value);
        bed.Store.Commit();
    }

    private static Dictionary<int, string> Content(SimDirectory copy, out KeyValueRecovery recovery)
    {
        using NinoStore opened = KeyedBackupBed.Open(copy.KillProcess(), seed: 9);
        using IKeyValueStore<int, string> keyed = KeyedBackupBed.Open(opened);
        recovery = keyed.Recovery;
        return new Dictionary<int, string>(keyed.Scan());
    }
}
