using Store.IO;
using Store.Serialization;
using Store.Snapshots;
using Store.Tests.Simulation;
using static Store.Tests.Snapshots.SnapshotSamples;

namespace Store.Tests.Snapshots;

public class SnapshotStoreTests
{
    private static SnapshotStore Over(IStoreDirectory folder, int generations = 2) => new(folder, StoreId, new NinoStoreOptions { SnapshotGenerations = generations });

    private static SnapshotInfo Checkpoint(SnapshotStore store, long sequence) => Checkpoint(store, Counter.Numbered((int)sequence), sequence);

    private static SnapshotInfo Checkpoint<T>(SnapshotStore store, T state, long sequence) => store.Write(NinoCodec<T>.Default, in state, sequence, Time);

    private static (T? State, long Sequence, StoreDamage[] Damage) Restore<T>(SnapshotStore store, long logLastSequence = long.MaxValue)
    {
        var damage = new List<StoreDamage>();
        SnapshotRestore<T>? restored = store.TryRestoreNewest(NinoCodec<T>.Default, logLastSequence, damage);
        return restored is null ? (default, -1, [.. damage]) : (restored.State, restored.Info.Sequence, [.. damage]);
    }

    private static string[] Names(IStoreDirectory folder) => [.. folder.List().Select(f => f.Name)];

    [Fact]
    public void AFolderWithoutSnapshotsRestoresNothing()
    {
        SnapshotStore store = Over(new SimDirectory());
        Assert.Equal(-1, Restore<Counter>(store).Sequence);
        Assert.Null(store.Needed);
        Assert.Empty(store.List());
    }

    [Fact]
    public void WhatWasWrittenIsRestored()
    {
        using var folder = new SimDirectory();
        SnapshotStore store = Over(folder);
        SnapshotInfo written = Checkpoint(store, 17);
        Assert.Equal("snapshot-0000000000000011-00000001.nino", written.FileName);
        Assert.Equal(new SnapshotInfo(written.FileName, 17, Time, folder.List()[0].LengthBytes, "Tests.Counter") { SnapshotId = written.SnapshotId }, written);
        Assert.NotEqual(0UL, written.SnapshotId);
        Assert.Equal([written], store.List());
        (Counter? state, long sequence, StoreDamage[] damage) = Restore<Counter>(store);
        Assert.Equal((Counter.Numbered(17), 17), (state!, sequence));
        Assert.Empty(damage);
    }

    [Fact]
    public void TheHighestSequenceIsTheNewestAndThenTheHighestGeneration()
    {
        using var folder = new SimDirectory();
        SnapshotStore store = Over(folder, generations: 10);
        Checkpoint(store, Counter.Numbered(1), 30);
        Checkpoint(store, Counter.Numbered(2), 0x100);
        Checkpoint(store, Counter.Numbered(3), 0x100);
        Checkpoint(store, Counter.Numbered(4), 31);
        Assert.Equal(Counter.Numbered(3), Restore<Counter>(store).State);
        Assert.Equal([0x100, 0x100, 31, 30], store.List().Select(s => s.Sequence));
        Assert.Equal([1L, 1, 1, 2], Names(folder).Select(n => SnapshotName.TryParse(n, out SnapshotName name) ? name.Generation : -1L));
    }

    [Fact]
    public void TypesInOneFolderDoNotSeeEachOther()
    {
        using var folder = new SimDirectory();
        SnapshotStore store = Over(folder);
        Checkpoint(store, 10);
        for (int sequence = 11; sequence < 20; sequence++) Checkpoint(store, new Score(sequence), sequence);
        Assert.Equal(Counter.Numbered(10), Restore<Counter>(store).State);
        Assert.Equal(new Score(19), Restore<Score>(store).State);
        Assert.Equal([19, 18, 10], store.List().Select(s => s.Sequence));
        Assert.Equal(10, store.Needed!.Value.Sequence);
    }

    [Fact]
    public void SoManyGenerationsAreKept()
    {
        using var folder = new SimDirectory();
        SnapshotStore store = Over(folder, generations: 3);
        for (int sequence = 1; sequence <= 10; sequence++) Checkpoint(store, sequence);
        Assert.Equal([10, 9, 8], store.List().Select(s => s.Sequence));
        Assert.Equal(8, store.Needed!.Value.Sequence);
    }

    [Fact]
    public void ADamagedNewestIsReportedAndTheOneBeforeIsUsed()
    {
        using var folder = new SimDirectory();
        SnapshotStore store = Over(folder);
        Checkpoint(store, 1);
        string newest = Checkpoint(store, 2).FileName;
        using SnapshotFile file = SnapshotFile.Open(folder, newest);
        foreach (SnapshotSection section in file.Sections)
        {
            Damage(folder, newest, section.Offset);
            (Counter? state, long sequence, StoreDamage[] damage) = Restore<Counter>(Over(folder));
            Damage(folder, newest, section.Offset);
            Assert.Equal((Counter.Numbered(1), 1), (state!, sequence));
            StoreDamage only = Assert.Single(damage);
            Assert.Equal((newest, section.Offset, StoreDamageKind.Corruption), (only.File, only.Offset, only.Kind));
        }

        Assert.Equal(2, Restore<Counter>(Over(folder)).Sequence);
    }

    [Fact]
    public void WhenAllAreDamagedAllAreReportedAndNothingIsRestored()
    {
        using var folder = new SimDirectory();
        SnapshotStore store = Over(folder);
        foreach (int sequence in new[] { 1, 2 }) Damage(folder, Checkpoint(store, sequence).FileName, 300);
        (Counter? state, _, StoreDamage[] damage) = Restore<Counter>(store);
        Assert.Null(state);
        Assert.Equal(2, damage.Length);
    }

    /// <summary>Keeping two means keeping two that restore: a damaged one does not push out the last good one.</summary>
    [Fact]
    public void ADamagedGenerationDoesNotCountAsKept()
    {
        using var folder = new SimDirectory();
        SnapshotStore store = Over(folder);
        Checkpoint(store, 1);
        string second = Checkpoint(store, 2).FileName;
        using (SnapshotFile file = SnapshotFile.Open(folder, second)) Damage(folder, second, file.Sections[1].Offset);
        store = Over(folder);
        Checkpoint(store, 3);
        Assert.Equal([3, 2, 1], store.List().Select(s => s.Sequence));
        Checkpoint(store, 4);
        Assert.Equal([4, 3], store.List().Select(s => s.Sequence));
    }

    [Fact]
    public void AnOlderSequenceWrittenLateIsNotRemovedByItsOwnCheckpoint()
    {
        using var folder = new SimDirectory();
        SnapshotStore store = Over(folder);
        foreach (int sequence in new[] { 8, 9 }) Checkpoint(store, sequence);
        SnapshotInfo late = Checkpoint(store, 7);
        Assert.Contains(late, store.List());
        Assert.Equal(9, Restore<Counter>(store).Sequence);
    }

    [Fact]
    public void ASnapshotOfAnotherStoreIsReportedNotUsedAndNotRemoved()
    {
        using var folder = new SimDirectory();
        var foreign = new SnapshotStore(folder, Guid.NewGuid(), new NinoStoreOptions());
        string name = Checkpoint(foreign, 100).FileName;
        SnapshotStore store = Over(folder);
        for (int sequence = 1; sequence <= 5; sequence++) Checkpoint(store, sequence);
        (_, long restored, StoreDamage[] damage) = Restore<Counter>(store);
        Assert.Equal(5, restored);
        Assert.Contains($"this is the store {StoreId}", Assert.Single(damage).Message);
        Assert.Contains(name, Names(folder));
        Assert.Equal(4, store.Needed!.Value.Sequence);
    }

    [Fact]
    public void ASnapshotAheadOfTheLogIsPassedOverAndReported()
    {
        using var folder = new SimDirectory();
        SnapshotStore store = Over(folder);
        foreach (int sequence in new[] { 5, 9 }) Checkpoint(store, sequence);
        (Counter? state, long restored, StoreDamage[] damage) = Restore<Counter>(store, logLastSequence: 8);
        Assert.Equal((Counter.Numbered(5), 5), (state!, restored));
        Assert.Contains("up to sequence 9, and the log ends at 8", Assert.Single(damage).Message);
        Assert.Equal(9, Restore<Counter>(store, logLastSequence: 9).Sequence);
    }

    /// <summary>Left in place, it would look usable as soon as the log has grown past its sequence with other records.</summary>
    [Fact]
    public void RecoverySetsSnapshotsAheadOfTheLogAsideForGood()
    {
        using var folder = new SimDirectory();
        SnapshotStore store = Over(folder);
        foreach (int sequence in new[] { 5, 9 }) Checkpoint(store, sequence);
        var damage = new List<StoreDamage>();
        Assert.Empty(store.Recover(8, damage));
        Assert.Single(damage);
        Assert.Empty(store.Recover(8, damage));
        Assert.Single(damage);
        Assert.Equal(5, Restore<Counter>(store, logLastSequence: 1000).Sequence);
        Assert.Equal([SnapshotSamples.NameOf(5), SnapshotSamples.NameOf(9) + ".ahead"], Names(folder));
    }

    [Fact]
    public void RecoveryRemovesUnfinishedSnapshotsAndNothingElse()
    {
        using var folder = new SimDirectory();
        SnapshotStore store = Over(folder);
        Checkpoint(store, 5);
        string unfinished = NameOf(6) + AtomicFile.TemporarySuffix;
        foreach (string name in new[] { unfinished, "log.tmp", "snapshot-5.nino.tmp", "notes.txt" }) folder.Create(name).Dispose();
        Assert.Equal([unfinished], store.Recover(long.MaxValue, []));
        Assert.Equal(["log.tmp", "notes.txt", "snapshot-0000000000000005-00000001.nino", "snapshot-5.nino.tmp"], Names(folder));
    }

    [Fact]
    public void AnEmptyOrZeroedFileUnderASnapshotsNameIsReportedAndPassedOver()
    {
        using var folder = new SimDirectory();
        SnapshotStore store = Over(folder);
        Checkpoint(store, 5);
        folder.Create(NameOf(6)).Dispose();
        using (IStoreFile zeros = folder.Create(NameOf(7))) zeros.Write(new byte[4096], 0);
        (_, long restored, StoreDamage[] damage) = Restore<Counter>(store);
        Assert.Equal(5, restored);
        Assert.Equal([NameOf(7), NameOf(6)], damage.Select(d => d.File));
        Checkpoint(store, 6);
        Assert.Equal(6, Restore<Counter>(store).Sequence);
    }

    [Fact]
    public void TheNewestInAnotherShapeIsAnErrorAndNotASilentStepBack()
    {
        using var folder = new SimDirectory();
        SnapshotStore store = Over(folder);
        Checkpoint(store, 1);
        Checkpoint(store, new CounterOfTomorrow(Guid.NewGuid()), 2);
        Assert.Throws<SchemaMismatchException>(() => Restore<Counter>(store));
        Assert.Equal(2, Restore<CounterOfTomorrow>(store).Sequence);
    }

    [Fact]
    public void TheNameOfAFileIsNotBelieved()
    {
        using var folder = new SimDirectory();
        SnapshotStore store = Over(folder);
        foreach (int sequence in new[] { 5, 9 }) Checkpoint(store, sequence);
        folder.Rename(NameOf(5), NameOf(70));
        Assert.Equal(9, Restore<Counter>(store).Sequence);
        Assert.Equal(8 + 1, Restore<Counter>(store, logLastSequence: 9).Sequence);
    }

    [Fact]
    public void AFailingStateLeavesNothing()
    {
        using var folder = new SimDirectory();
        SnapshotStore store = Over(folder);
        Checkpoint(store, 1);
        foreach (int bytes in new[] { 0, 100, 5_000_000 })
            Assert.Throws<NinoSerializationException>(() => Checkpoint(store, new Unwritable(bytes), 2));
        Assert.Equal([NameOf(1)], Names(folder));
    }

    [Fact]
    public void ACancelledCheckpointLeavesNothing()
    {
        using var folder = new SimDirectory();
        using var source = new CancellationTokenSource();
        SnapshotStore store = Over(folder);
        Checkpoint(store, 1);
        folder.OnOperation = (_, operation) =>
        {
            if (operation.StartsWith("write", StringComparison.Ordinal)) source.Cancel();
        };
        Assert.Throws<OperationCanceledException>(() => store.Write(NinoCodec<Huge>.Default, new Huge(500_000), 2, Time, source.Token));
        Assert.Equal([NameOf(1)], Names(folder));
    }

    [Fact]
    public void AReadOnlyFolderTakesNoSnapshot()
    {
        using var folder = new SimDirectory();
        Checkpoint(Over(folder), 3);
        SnapshotStore reader = Over(folder.AsReadOnly());
        Assert.Throws<StoreReadOnlyException>(() => Checkpoint(reader, 4));
        Assert.Equal(3, Restore<Counter>(reader).Sequence);
    }

    /// <summary>Another process may publish and remove generations while this one looks for the newest.</summary>
    [Fact]
    public void AWriterThatReplacesGenerationsWhileAReaderListsThemDoesNotDisturbIt()
    {
        var folder = new BytesDirectory { [NameOf(1)] = Write(Counter.Numbered(1), 1), [NameOf(2)] = Write(Counter.Numbered(2), 2) };
        folder.BeforeOpen = name =>
        {
            if (name != NameOf(2)) return;
            folder.BeforeOpen = null;
            folder[NameOf(3)] = Write(Counter.Numbered(3), 3);
            folder.Remove(NameOf(2));
        };
        (Counter? state, long restored, StoreDamage[] damage) = Restore<Counter>(Over(folder));
        Assert.Equal((Counter.Numbered(3), 3), (state!, restored));
        Assert.Empty(damage);
        Assert.Equal(0, folder.OpenMappings);
    }

    [Fact]
    public void ANegativeSequenceIsAProgrammersMistake() => Assert.Throws<ArgumentOutOfRangeException>(() => Checkpoint(Over(new SimDirectory()), -1));

    private static void Damage(SimDirectory folder, string name, long offset)
    {
        using IStoreFile file = folder.OpenWrite(name);
        var one = new byte[1];
        file.Read(one, offset);
        one[0] ^= 0x10;
        file.Write(one, offset);
    }
}
