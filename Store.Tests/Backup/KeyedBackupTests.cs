using Store.IO;
using Store.KeyValue;
using Store.Retention;
using Store.Tests.Log;
using Store.Tests.Retention;
using Store.Tests.Simulation;
using EngineFault = Store.Tests.KeyValue.EngineFault;
using WrongEngine = Store.Tests.KeyValue.WrongEngine;

namespace Store.Tests.Backup;

/// <summary>A copy has every keyed state of a store whose log was truncated, or says which one it has not.</summary>
public class KeyedBackupTests
{
    [Fact]
    public void ACopyOfATruncatedLogHasTheKeyedState()
    {
        SimDirectory copy = new();
        using var bed = new KeyedBackupBed(new());

        BackupResult result = bed.Store.BackupTo(copy);

        Assert.Empty(result.Omitted);
        Assert.Equal(bed.Store.FirstSequence, result.FirstSequence);
        Assert.Equal(bed.Store.LastSequence, bed.AssertHolds(copy.KillProcess()));
    }

    [Fact]
    public void TheSecondTimeOnlyWhatACheckpointHasChangedIsCopied()
    {
        SimDirectory copy = new();
        using var bed = new KeyedBackupBed(new());
        bed.Store.BackupTo(copy);
        string[] before = KeyedBackupBed.Files(copy);
        bed.Change(10);

        // The same checkpoint: every file of it is there.
        BackupResult same = bed.Store.BackupTo(copy);
        Assert.True(same.FilesKept >= before.Length, $"{same.FilesKept} kept of {before.Length}");
        Assert.Equal(before, KeyedBackupBed.Files(copy));
        bed.AssertHolds(copy.KillProcess());

        // A new one: the files of the record log that are full stay, what the old one had alone goes.
        long filled = copy.List().Count(static f => f.Name.StartsWith($"{KeyedBackupBed.Prefix}records-", StringComparison.Ordinal));
        bed.Change(400);
        bed.Checkpoint();
        BackupResult more = bed.Store.BackupTo(copy);
        Assert.Single(KeyedBackupBed.Files(copy, ".manifest"));
        Assert.Empty(KeyedBackupBed.Files(copy, ".manifest").Intersect(before));
        Assert.True(more.FilesKept > 0 || filled < 2, $"{more.FilesKept} kept, {filled} were there");
        bed.AssertHolds(copy.KillProcess());
    }

    [Fact]
    public void ChangesCheckpointsAndCompactionGoOnMeanwhile()
    {
        SimDirectory copy = new();
        using var bed = new KeyedBackupBed(new());
        string[] first = KeyedBackupBed.Files(bed.Directory, ".manifest");
        int steps = 0, checkpoints = 0;
        copy.OnOperation = (_, _) =>
        {
            if (++steps % 4 != 0 || checkpoints == 12) return;
            bed.Change(300);
            bed.Checkpoint();
            checkpoints++;
        };

        BackupResult result = bed.Store.BackupTo(copy);

        copy.OnOperation = null;
        Assert.Equal(12, checkpoints);
        Assert.Empty(result.Omitted);
        bed.AssertHolds(copy.KillProcess());

        // Let go, it is removed as any other, and so is what compaction has given up.
        bed.Change(10);
        bed.Checkpoint();
        Assert.Empty(first.Intersect(KeyedBackupBed.Files(bed.Directory, ".manifest")));
        Assert.DoesNotContain($"{KeyedBackupBed.Prefix}records-00000000", KeyedBackupBed.Files(bed.Directory));
        bed.Store.BackupTo(copy);
        Assert.True(bed.Store.TruncateBefore(long.MaxValue).SegmentsRemoved > 0);
        Assert.Equal(bed.Store.FirstSequence, bed.Store.BackupTo(copy).FirstSequence);
        bed.AssertHolds(copy.KillProcess());
    }

    [Fact]
    public void AKeyedStateThatIsClosedIsCopiedAsItIsAndNobodyOpensItMeanwhile()
    {
        SimDirectory copy = new();
        using var bed = new KeyedBackupBed(new());
        bed.Close();
        int refused = 0;
        copy.OnOperation = (_, what) =>
        {
            if (!what.EndsWith(FolderExchange.StagedSuffix, StringComparison.Ordinal)) return;
            Assert.Contains("a backup is copying", Assert.Throws<InvalidOperationException>(() => KeyedBackupBed.Open(bed.Store)).Message, StringComparison.Ordinal);
            refused++;
            copy.OnOperation = null;
        };

        BackupResult result = bed.Store.BackupTo(copy);

        Assert.Equal((1, 0), (refused, result.Omitted.Count));
        bed.AssertHolds(copy.KillProcess());
        bed.Reopen();
        bed.Change(100);
        bed.Checkpoint();
        bed.Close();
        bed.Store.BackupTo(copy);
        Assert.Equal(KeyedBackupBed.Files(bed.Directory), KeyedBackupBed.Files(copy));
        bed.AssertHolds(copy.KillProcess());
    }

    [Fact]
    public void AKeyedStateThatIsClosedWhileItIsCopiedKeepsItsFilesUntilThen()
    {
        SimDirectory copy = new();
        using var bed = new KeyedBackupBed(new());
        copy.OnOperation = (_, what) =>
        {
            if (!what.EndsWith(FolderExchange.StagedSuffix, StringComparison.Ordinal)) return;
            copy.OnOperation = null;
            bed.Close();
            Assert.Throws<InvalidOperationException>(() => KeyedBackupBed.Open(bed.Store));
        };

        Assert.Empty(bed.Store.BackupTo(copy).Omitted);

        bed.AssertHolds(copy.KillProcess());
        bed.Reopen();
        bed.Change(10);
        bed.Checkpoint();
    }

    [Fact]
    public void CancellingItLetsTheCheckpointGo()
    {
        SimDirectory copy;
        using var bed = new KeyedBackupBed(new());
        int cancelled = 0, unfinished = 0;
        for (int at = 1; ; at++)
        {
            copy = new SimDirectory();
            using var stop = new CancellationTokenSource();
            int steps = 0;
            copy.OnOperation = (_, _) =>
            {
                if (++steps == at) stop.Cancel();
            };
            try
            {
                bed.Store.BackupTo(copy, cancellationToken: stop.Token);
                if (steps < at) break;
            }
            catch (OperationCanceledException)
            {
                cancelled++;
            }

            // Whole, or no copy that anybody takes for one.
            copy.OnOperation = null;
            if (KeyedBackupFaultTests.IsUnfinished(copy)) unfinished++;
            else if (RetentionTests.Segments(copy).Length > 0) Assert.Equal(bed.Store.LastSequence, bed.AssertHolds(copy.KillProcess()));
        }

        copy.OnOperation = null;
        Assert.True(cancelled > 20 && unfinished > 10, $"{cancelled} cancelled, {unfinished} unfinished");
        bed.AssertHolds(copy.KillProcess());
        string[] before = KeyedBackupBed.Files(bed.Directory, ".manifest");
        for (int i = 0; i < 2; i++)
        {
            bed.Change(10);
            bed.Checkpoint();
        }

        Assert.Empty(before.Intersect(KeyedBackupBed.Files(bed.Directory, ".manifest")));
        Assert.Equal(2, KeyedBackupBed.Files(bed.Directory, ".manifest").Length);
    }

    [Fact]
    public void TheMarkInTheCopyIsNotAheadOfTheCheckpointThere()
    {
        SimDirectory copy = new();
        using var bed = new KeyedBackupBed(new());
        long at = bed.Keyed.Recovery.CheckpointSequence;
        bool isCopied = false;
        copy.OnOperation = (_, what) =>
        {
            if (isCopied || !what.StartsWith("rename segment", StringComparison.Ordinal) && !what.StartsWith("rename 0", StringComparison.Ordinal)) return;
            isCopied = true;
            for (int i = 0; i < 3; i++)
            {
                bed.Change(50);
                bed.Checkpoint();
            }
        };
        long held = bed.Store.LastSequence;

        bed.Store.BackupTo(copy);

        Assert.True(isCopied && at < held && bed.Store.LastSequence > held);
        Assert.InRange(CursorMarks.Read(copy).Single(static m => m.Kind == MarkerKind.KeyedState).Content.Newest!.Value.Sequence, bed.Store.FirstSequence - 1, held);
        SimDirectory cut = copy.KillProcess();
        using (NinoStore opened = KeyedBackupBed.Open(cut, seed: 8)) opened.TruncateBefore(long.MaxValue);
        bed.AssertHolds(cut);
    }

    [Fact]
    public void ACopyThatMakesItsKeyedStateAnewKeepsTheWholeLogForIt()
    {
        SimDirectory directory = new(), copy = new();
        using NinoStore store = KeyedBackupBed.Open(directory, seed: 1);
        using IKeyValueStore<int, string> keyed = KeyedBackupBed.Open(store);
        for (int round = 0; round < 4; round++)
        {
            for (int i = 0; i < 150; i++) keyed.Put(i % 50, new string((char)('a' + round), 200));
            KeyedBackupBed.Checkpoint(keyed);
        }

        store.BackupTo(copy);

        Assert.Empty(KeyedBackupBed.Files(copy));
        using NinoStore opened = KeyedBackupBed.Open(copy.KillProcess(), seed: 2);
        Assert.Contains(KeyedBackupBed.Name, opened.TruncateBefore(long.MaxValue).HeldBy, StringComparison.Ordinal);
        using IKeyValueStore<int, string> rebuilt = KeyedBackupBed.Open(opened);
        Assert.Equal(50, rebuilt.Count);
    }

    [Fact]
    public async Task AnEngineThatDoesNotGiveItsFilesIsNamedAndTheCopyKeepsWhatItHas()
    {
        SimDirectory directory = new(), copy = new();
        using NinoStore store = KeyedBackupBed.Open(directory, seed: 1);
        var engine = new WrongEngine(EngineFault.NoneInItsSteps);
        IKeyValueStore<int, string> keyed = engine.Open<int, string>(store, "own");
        await GrowAsync(3);
        Assert.True(store.TruncateBefore(RetentionTests.First(directory, 3)).FirstSequence > 1);
        keyed.Dispose();
        Assert.Empty(store.BackupTo(copy).Omitted);
        keyed = engine.Open<int, string>(store, "own");
        await GrowAsync(1);
        store.TruncateBefore(long.MaxValue);

        BackupResult result = store.BackupTo(copy);

        Assert.Equal("own", Assert.Single(result.Omitted).Name);
        Assert.True(result.FirstSequence < store.FirstSequence);
        AssertCopied();
        keyed.Dispose();
        Assert.Empty(store.BackupTo(copy).Omitted);
        AssertCopied();

        async Task GrowAsync(int rounds)
        {
            for (int round = 0; round < rounds; round++)
            {
                for (int i = 0; i < 100; i++) keyed.Put(i % 30, $"{store.LastSequence} {new string('x', 200)}");
                await store.CommitAsync();
                await keyed.CheckpointAsync();
                store.Commit();
            }

            keyed.Put(1000, "behind the checkpoint");
            await store.CommitAsync();
        }

        void AssertCopied()
        {
            using NinoStore opened = KeyedBackupBed.Open(copy.KillProcess(), seed: 2);
            Assert.Equal(store.LastSequence, opened.LastSequence);
            using IKeyValueStore<int, string> there = engine.Open<int, string>(opened, "own");
            Assert.Equal(31, there.Count);
        }
    }

    [Fact]
    public void AStoreThatIsOpenForReadingOnlyNamesItsKeyedStates()
    {
        SimDirectory copy = new();
        using var bed = new KeyedBackupBed(new());
        using NinoStore reader = Simulated.Open(new View(bed.Directory), 2, static o => o with { ReadOnly = true });

        BackupOmission omitted = Assert.Single(reader.BackupTo(copy).Omitted);

        Assert.Equal(KeyedBackupBed.Name, omitted.Name);
        Assert.Contains("reading only", omitted.Reason, StringComparison.Ordinal);

        // The process that writes finishes it.
        Assert.Empty(bed.Store.BackupTo(copy).Omitted);
        bed.AssertHolds(copy.KillProcess());
    }

    [Fact]
    public async Task OnTheDiskItHasAFolderOfItsOwn()
    {
        using var folder = new TemporaryFolder();
        var options = new NinoStoreOptions { FirstSegmentSizeBytes = 16 * 1024, SegmentSizeBytes = 64 * 1024, Retention = new RetentionPolicy { MaxRecords = 100 } };
        await using NinoStore store = NinoStore.Open(folder["store"], options);
        using IKeyValueStore<int, string> keyed = KeyedBackupBed.Open(store);
        bool stop = false;
        Task changing = Task.Run(() =>
        {
            for (int i = 0; !Volatile.Read(ref stop); i++)
            {
                keyed.Put(i % 200, $"{i} {new string('z', 300)}");
                if (i % 400 == 399) KeyedBackupBed.Checkpoint(keyed);
            }
        });
        BackupResult last = null!;
        try
        {
            while (store.FirstSequence == 1 && !changing.IsCompleted) await Task.Delay(5);

            // Retention waits for the next backup, or that would find what it must follow removed: it goes on with the segment of the last record that was copied.
            LogCursor copied = store.OpenCursor("copied", store.LastSequence);
            for (int i = 0; i < 4; i++)
            {
                last = await store.BackupToAsync(folder["copy"]);
                Assert.Empty(last.Omitted);
                await copied.CommitAsync(last.LastSequence - 1);
            }
        }
        finally
        {
            Volatile.Write(ref stop, true);
            await changing;
        }

        Assert.True(Directory.Exists(Path.Combine(folder["copy"], $"kv-{KeyedBackupBed.Name}")));
        await using NinoStore copy = NinoStore.Open(folder["copy"], options);
        Assert.Equal(last.LastSequence, copy.LastSequence);
        using IKeyValueStore<int, string> there = KeyedBackupBed.Open(copy);
        Assert.Empty(there.Recovery.Rejected);
        Assert.Equal(200, there.Count);
        for (int key = 0; key < 200; key++)
        {
            // Sequence n is change n-1, and there is nothing else in the log.
            long newest = last.LastSequence - 1 - ((last.LastSequence - 1 - key) % 200);
            Assert.True(there.TryGet(key, out string? value));
            Assert.Equal($"{newest} {new string('z', 300)}", value);
        }
    }

    private sealed class View(IStoreDirectory inner) : LookOnlyDirectory(inner);
}
