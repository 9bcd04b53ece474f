// Damage that shows only after a snapshot was opened, or beside what was restored: it is remembered. The snapshot is not offered again, and it pushes out none that restores.

using Store.IO;
using Store.Snapshots;
using Store.Tests.Log;
using Store.Tests.Simulation;

namespace Store.Tests.Snapshots;

public class DamageMetTests
{
    private const int Items = 40_000;

    /// <summary>A restore looks at the first part, and the damage lies in the second.</summary>
    [Fact]
    public async Task WhatWasRestoredFromIsAGenerationOnlyWhenItsOtherPartsAreWholeToo()
    {
        using SimDirectory sim = await WrittenAsync();
        Spoil(sim, SnapshotSamples.NameOf(2), part: 1);
        await using NinoStore store = Simulated.Open(sim, 2);
        Assert.Equal(2, (await store.RestoreAsync<Holder, int>(static (state, _) => state)).Number);
        await CheckpointAsync(store, 3);
        Assert.Equal([3, 2, 1], store.Snapshots.Select(static s => s.Sequence));
    }

    /// <summary>Of one that is whole, the part that was restored is not read again and the others are.</summary>
    [Fact]
    public async Task OfWhatWasRestoredFromOnlyTheOtherPartsAreReadToCountIt()
    {
        using SimDirectory sim = await WrittenAsync();
        var counting = new CountingDirectory(sim);
        await using NinoStore store = Simulated.Open(counting, 2);
        await store.RestoreAsync<Holder, int>(static (state, _) => state);
        long before = counting.BytesRead, itemBytes = Items * 2 * sizeof(int); // each with its end
        await CheckpointAsync(store, 3);
        Assert.InRange(counting.BytesRead - before, itemBytes, itemBytes + (Holder.PayloadBytes / 2));
        Assert.Equal([3, 2], store.Snapshots.Select(static s => s.Sequence));
        before = counting.BytesRead;
        await CheckpointAsync(store, 4);
        Assert.InRange(counting.BytesRead - before, 0, itemBytes / 2);
    }

    /// <summary>This process wrote it, and has seen since that it is not what was written.</summary>
    [Theory]
    [InlineData("an item")]
    [InlineData("items")]
    [InlineData("a view's bytes")]
    [InlineData("verifying")]
    public async Task ASnapshotThatWasFoundDamagedInReadingIsNotOpenedAgainAndIsNoGeneration(string how)
    {
        using var sim = new SimDirectory();
        await using NinoStore store = Simulated.Open(sim);
        await CheckpointAsync(store, 1);
        await CheckpointAsync(store, 2);
        Spoil(sim, SnapshotSamples.NameOf(2), part: 1);
        using (SnapshotFile newest = store.OpenSnapshot<Holder>()!)
        {
            Assert.Equal(2, newest.Info.Sequence);
            SnapshotPart items = newest.Part("items");
            switch (how)
            {
                case "an item": Assert.Throws<StoreCorruptException>(() => items.Item<int>(100)); break;
                case "items": Assert.Throws<StoreCorruptException>(() => items.Items<int>().Count()); break;
                case "a view's bytes": Assert.Throws<StoreCorruptException>(() => items.UseData(0, 100, 0, static (bytes, _) => bytes.Length)); break;
                default: Assert.Single(newest.Verify()); break;
            }
        }

        using (SnapshotFile before = store.OpenSnapshot<Holder>()!) Assert.Equal(1, before.Info.Sequence);
        StoreDamage damage = Assert.Single(store.Recovery.Damage);
        Assert.Equal((SnapshotSamples.NameOf(2), SnapshotSamples.NameOf(1)), (damage.File, store.Recovery.SnapshotUsed));
        Assert.Contains("'items'", damage.Message, StringComparison.Ordinal);

        // What reads the first part alone has nothing to do with it, whoever has looked into the others before.
        Assert.Equal(2, (await store.RestoreAsync<Holder, int>(static (state, _) => state)).Number);
        await CheckpointAsync(store, 3);
        Assert.Equal([3, 2, 1], store.Snapshots.Select(static s => s.Sequence));
    }

    /// <summary>A network or a device comes back: what was not read is no generation, and no reason to use an older one for good.</summary>
    [Fact]
    public async Task ASnapshotThatTheDiskCouldNotReadIsTriedAgainAndIsNoGeneration()
    {
        using SimDirectory sim = await WrittenAsync();
        var disk = new BadSectorDirectory(sim);
        await using NinoStore store = Simulated.Open(disk, 2);
        for (int i = 0; i < 2; i++)
        {
            disk.Spoil(SnapshotSamples.NameOf(2), DataOf(sim, SnapshotSamples.NameOf(2), part: 0).Offset);
            Assert.Equal(1, (await store.RestoreAsync<Holder, int>(static (state, _) => state)).Number);
            disk.Mend();
            if (i == 0) Assert.Equal(2, (await store.RestoreAsync<Holder, int>(static (state, _) => state)).Number);
        }

        await CheckpointAsync(store, 3);
        Assert.Equal([3, 2, 1], store.Snapshots.Select(static s => s.Sequence));
    }

    [Fact]
    public async Task ASnapshotThatRestoringPassedOverIsNotOpenedEither()
    {
        using var sim = new SimDirectory();
        await using NinoStore store = Simulated.Open(sim);
        await CheckpointAsync(store, 1);
        await CheckpointAsync(store, 2);
        Spoil(sim, SnapshotSamples.NameOf(2), part: 0);
        Assert.Equal(1, (await store.RestoreAsync<Holder, int>(static (state, _) => state)).Number);
        using SnapshotFile before = store.OpenSnapshot()!;
        Assert.Equal(1, before.Info.Sequence);
    }

    /// <summary>A type that does not go with it says nothing about the file.</summary>
    [Fact]
    public async Task ATypeThatDoesNotReadASnapshotIsNoDamage()
    {
        using var sim = new SimDirectory();
        await using NinoStore store = Simulated.Open(sim);
        await CheckpointAsync(store, 1);
        using (SnapshotFile file = store.OpenSnapshot()!) Assert.Throws<SchemaMismatchException>(() => file.Part("items").Item<string>(0));
        using SnapshotFile again = store.OpenSnapshot()!;
        Assert.Equal(1, again.Info.Sequence);
        Assert.Empty(store.Recovery.Damage);
    }

    private static async Task<SimDirectory> WrittenAsync()
    {
        var directory = new SimDirectory();
        await using NinoStore store = Simulated.Open(directory);
        await CheckpointAsync(store, 1);
        await CheckpointAsync(store, 2);
        return directory;
    }

    private static async Task CheckpointAsync(NinoStore store, int number)
    {
        store.Append(number);
        await store.CheckpointPartsAsync(new SnapshotParts().Add("state", Holder.Numbered(number)).AddItems("items", Enumerable.Range(0, Items)));
    }

    private static SnapshotSection DataOf(SimDirectory directory, string name, int part)
    {
        using SnapshotFile file = SnapshotFile.Open(directory, name);
        return file.Sections.Single(s => s.Kind == SnapshotSectionKind.Data && s.Part == part);
    }

    private static void Spoil(SimDirectory directory, string name, int part)
    {
        SnapshotSection data = DataOf(directory, name, part);
        byte[] one = new byte[1];
        using (IStoreFile file = directory.OpenRead(name)) Assert.Equal(1, file.Read(one, data.Offset + 50));
        one[0] ^= 0x10;
        using IStoreFile spoiled = directory.OpenWrite(name);
        spoiled.Write(one, data.Offset + 50);
    }
}
