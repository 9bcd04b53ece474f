// A sector of the newest snapshot that the disk cannot read, each in turn: it costs time and never the process. Restoring takes the snapshot before and replays more, the report names file and place,
// and whoever looks at what is left of the file gets it.

using Store.IO;
using Store.Snapshots;
using Store.State;
using Store.Tests.Log;
using Store.Tests.Simulation;
using Store.Tests.State;
using Store.Tests.Views;
using static Store.Tests.Snapshots.SnapshotSamples;

namespace Store.Tests.Snapshots;

public class BadSectorTests
{
    /// <summary>Accounts of the state, and the size of a sector: a state of one page in sectors of 64 bytes, and one of several pages in those of a real disk.</summary>
    [Theory]
    [InlineData(3, 64)]
    [InlineData(7000, 4096)]
    public async Task RestoringGoesBackToTheSnapshotBeforeWhicheverSectorOfTheNewestCannotBeRead(int accounts, int sectorBytes)
    {
        (SimDirectory sim, string expected, string[] snapshots) = await WrittenAsync(accounts);
        long length = FileBytes.Of(sim, snapshots[1]).Length;
        for (long sector = 0; sector * sectorBytes < length; sector++)
        {
            foreach (Func<NinoStore, Task<string>> restore in (Func<NinoStore, Task<string>>[])[Bank.RestoredTextAsync, Bank.OpenedTextAsync])
            {
                var disk = new BadSectorDirectory(sim, sectorBytes);
                disk.Spoil(snapshots[1], sector * sectorBytes);
                await using NinoStore store = Simulated.Open(disk, 2);
                Assert.Equal(expected, await restore(store));
                Assert.Equal((snapshots[0], 3L), (store.Recovery.SnapshotUsed, store.Recovery.RecordsReplayed));
                Names(Assert.Single(store.Recovery.Damage), snapshots[1], sector * sectorBytes, sectorBytes);
                Assert.Empty(disk.Deaths);
            }
        }
    }

    [Theory]
    [InlineData(3, 64)]
    [InlineData(7000, 4096)]
    public async Task OpeningAndVerifyingAllGoesBackToo(int accounts, int sectorBytes)
    {
        (SimDirectory sim, _, string[] snapshots) = await WrittenAsync(accounts);
        long length = FileBytes.Of(sim, snapshots[1]).Length;
        await using NinoStore whole = Simulated.Open(sim, 2);
        for (long sector = 0; sector * sectorBytes < length; sector++)
        {
            var disk = new BadSectorDirectory(sim, sectorBytes);
            disk.Spoil(snapshots[1], sector * sectorBytes);
            var damage = new List<StoreDamage>();
            using SnapshotFile? file = new SnapshotStore(disk, whole.StoreId, new NinoStoreOptions()).OpenNewest(null, SnapshotVerification.All, 1_000_000, damage);
            Assert.Equal(snapshots[0], file!.Info.FileName);
            Names(Assert.Single(damage), snapshots[1], sector * sectorBytes, sectorBytes);
            Assert.NotNull(file.Read<Bank>());
            Assert.Empty(disk.Deaths);
        }
    }

    /// <summary>Values, items by number and in a row, views and bytes: what does not lie on the sector is there, what does is the exception with the place.</summary>
    [Fact]
    public void WhatLiesOnTheSectorIsAnExceptionAndEverythingElseIsThere()
    {
        const int Items = 120, PageSize = 256;
        byte[] bytes = SnapshotPartTests.Write(new SnapshotParts()
            .AddItems("leaves", Enumerable.Range(0, Items).Select(static i => new Leaf(i, "leaf")))
            .Add("tree", new Tree { Value = 7, Label = new string('x', 600) }).Create(), PageSize);
        int opened = 0, lost = 0;
        for (long offset = 0; offset < bytes.Length; offset += 64)
        {
            var disk = new BadSectorDirectory(new BytesDirectory { [Name] = bytes });
            disk.Spoil(Name, offset);
            Assert.Null(SnapshotFile.TryOpen(disk, Name, SnapshotVerification.All, out SnapshotFailure? all));
            Names(all!.ToDamage(), Name, offset, 64);
            using SnapshotFile? file = SnapshotFile.TryOpen(disk, Name, SnapshotVerification.OnFirstTouch, out SnapshotFailure? failure);
            Assert.Empty(disk.Deaths);
            if (file is null)
            {
                Names(failure!.ToDamage(), Name, offset, 64);
                var closed = Assert.Throws<StoreException>(() => SnapshotFile.Open(disk, Name));
                Assert.InRange(closed.Offset, 0, offset + 63);
                continue;
            }

            opened++;
            SnapshotPart leaves = file.Part("leaves"), tree = file.Part("tree");
            int refused = 0;
            for (int i = 0; i < Items; i++)
            {
                string? item = Look(() => leaves.Item<Leaf>(i).ToString(), offset), view = Look(() => leaves.UseItemView<LeafView, int, string>(i, 0, static (leaf, _) => new Leaf(leaf.Id, leaf.Name.ToString()).ToString()), offset);
                Assert.Equal(item, view);
                if (item is null) refused++;
                else Assert.Equal(new Leaf(i, "leaf").ToString(), item);
            }

            string? value = Look(() => tree.Read<Tree>().Label!, offset), label = Look(() => tree.UseView<TreeView, int, string>(0, static (view, _) => view.Label.ToString()), offset);
            Assert.Equal(value, label);
            Assert.Equal(refused > 0, Look(() => leaves.CountItems<LeafView, int>(0, static (_, _) => true).ToString(), offset) is null);
            Assert.Equal(refused > 0, Look(() => leaves.Items<Leaf>().Count().ToString(), offset) is null);
            Assert.Equal(value is null, Look(() => tree.UseData(0, (int)tree.DataLengthBytes, 0, static (_, _) => ""), offset) is null);
            Assert.True(refused > 0 || value is null, $"nothing was refused with the sector at {offset}");
            Names(Assert.Single(file.Verify()), Name, offset, 64);
            Assert.Empty(disk.Deaths);
            lost += refused;

            // The disk reads it after all: nothing was remembered that is wrong.
            disk.Mend();
            Assert.Empty(file.Verify());
            Assert.Equal(Items, leaves.Items<Leaf>().Count());
        }

        Assert.True(opened > 20 && lost > Items, $"{opened} opened, {lost} items lost");
    }

    [Fact]
    public void NeighbouringPagesThatCannotBeReadAreOneAndVerifyingGoesOnBehindThem()
    {
        const int PageSize = 256;
        byte[] bytes = Write(new Huge(4000), sequence: 1, pageSize: PageSize);
        using (var whole = SnapshotPartTests.Open(bytes))
        {
            SnapshotSection data = whole.Sections.Single(static s => s.Kind == SnapshotSectionKind.Data);
            var disk = new BadSectorDirectory(new BytesDirectory { [Name] = bytes });
            bytes[data.Offset + (7 * PageSize)] ^= 1;
            disk.Spoil(Name, data.Offset + (3 * PageSize), 3 * PageSize);
            disk.Spoil(Name, data.Offset + (6 * PageSize) + 64);
            disk.Spoil(Name, data.Offset + (90 * PageSize));
            using SnapshotFile file = SnapshotFile.Open(disk, Name);
            StoreDamage[] damage = [.. file.Verify()];
            Assert.Equal([(3, 4), (7, 1), (90, 1)], damage.Select(d => ((int)(d.Offset - data.Offset) / PageSize, (int)d.LengthBytes / PageSize)));
            Assert.Contains("Pages 3 to 6 of the data", damage[0].Message, StringComparison.Ordinal);
            Assert.Contains("cannot be read: Input/output error", damage[0].Message, StringComparison.Ordinal);
            Assert.Contains("does not match its checksum", damage[1].Message, StringComparison.Ordinal);
            Assert.Empty(disk.Deaths);
        }
    }

    /// <summary>What <c>inspect</c> shows: every place is named, and every other byte of the folder is verified all the same.</summary>
    [Fact]
    public async Task VerifyingAFolderNamesTheSectorAndGoesOn()
    {
        (SimDirectory sim, _, string[] snapshots) = await WrittenAsync(3);
        long length = FileBytes.Of(sim, snapshots[0]).Length;
        for (long offset = 0; offset < length; offset += 64)
        {
            var disk = new BadSectorDirectory(new Looking(sim));
            disk.Spoil(snapshots[0], offset);
            using (StoreReader folder = StoreReader.Open(disk, "sim", null, static _ => false))
            {
                VerifyReport report = folder.Verify();
                Names(Assert.Single(report.Damage), snapshots[0], offset, 64);
                Assert.True(report.IsCorrupt);
                Assert.Contains(report.Files, file => file.File.Name == snapshots[1] && file.Parts.Count == 1);
                Assert.True(report.Records > 0);
            }

            using StoreReader alone = StoreReader.Open(disk, "sim", snapshots[0], static _ => false);
            Names(Assert.Single(alone.Verify().Damage), snapshots[0], offset, 64);
            Assert.Empty(disk.Deaths);
        }
    }

    /// <summary>A generation that cannot be read restores nothing: it pushes no other one out.</summary>
    [Fact]
    public async Task ASnapshotWithABadSectorIsNoKeptGeneration()
    {
        var sim = new SimDirectory();
        long[] sequences = await CheckpointsAsync(sim, 1);
        string damaged = NameOf(sequences[^1]);
        long length = FileBytes.Of(sim, damaged).Length;
        Assert.Equal([2, 1], sequences.Reverse());
        for (long offset = 0; offset < length; offset += 64)
        {
            using SimDirectory copy = Copy(sim);
            var disk = new BadSectorDirectory(copy);
            disk.Spoil(damaged, offset);
            await using NinoStore store = Simulated.Open(disk, 2);
            store.Append(0);
            await store.CheckpointAsync(new Score(3));
            Assert.Contains(NameOf(3), copy.List().Select(static f => f.Name));
            Assert.Contains(NameOf(1), copy.List().Select(static f => f.Name));
            Assert.True(store.FirstSequence == 1 && store.Snapshots.Any(static s => s.Sequence == 1));
            Assert.True(disk.FailedReads > 0);
            Assert.Empty(disk.Deaths);
        }
    }

    /// <summary>The system's own EIO, from a file that every process of Linux has: there is nothing at the beginning of its memory.</summary>
    [Fact]
    public async Task TheErrorOfARealReadIsReportedWithFileAndPlace()
    {
        if (!OperatingSystem.IsLinux()) return;
        (SimDirectory sim, string expected, string[] snapshots) = await WrittenAsync(3);
        using DiskDirectory process = DiskDirectory.OpenReadOnly("/proc/self");
        using IStoreFile memory = process.OpenRead("mem");
        var disk = new BadSectorDirectory(sim, fail: () => memory.Read(new byte[64], 0));
        disk.Spoil(snapshots[1], 320);
        await using NinoStore store = Simulated.Open(disk, 2);
        Assert.Equal(expected, await Bank.RestoredTextAsync(store));
        StoreDamage damage = Assert.Single(store.Recovery.Damage);
        Names(damage, snapshots[1], 320, 64);
        Assert.Contains("Input/output error", damage.Message, StringComparison.Ordinal);
        Assert.DoesNotContain("sector at", damage.Message, StringComparison.Ordinal);
    }

    /// <summary>A real file that somebody cuts while it is open: a touch of the mapping behind its new end would end this process.</summary>
    [Fact]
    public void AMappedFileThatIsCutIsAnExceptionAndNotTheEndOfTheProcess()
    {
        using var folder = new TemporaryFolder();
        string path = folder["file.nino"];
        File.WriteAllBytes(path, Write(Counter.Numbered(1, 400_000), sequence: 1));
        using SnapshotFile file = SnapshotFile.Open(path);
        using (FileStream stream = new(path, FileMode.Open, FileAccess.Write, FileShare.ReadWrite | FileShare.Delete)) stream.SetLength(64 * 1024);
        foreach (Func<string> look in (Func<string>[])[() => file.Read<Counter>().ToString(), () => file.UseData(300_000, 1, 0, static (bytes, _) => bytes[0].ToString())])
            Assert.Contains("has 65536 now", Assert.Throws<StoreCorruptException>(look).Message, StringComparison.Ordinal);
        Assert.Contains("has 65536 now", Assert.Single(file.Verify()).Message, StringComparison.Ordinal);
    }

    private const string Name = "snapshot-0000000000000001-00000001.nino";

    // Null where the sector is in the way.
    private static string? Look(Func<string> look, long offset)
    {
        try
        {
            return look();
        }
        catch (StoreException e) when (e.GetType() == typeof(StoreException))
        {
            Assert.IsType<InjectedFault>(e.InnerException);
            Assert.Contains("cannot be read", e.Message, StringComparison.Ordinal);
            Assert.True(e.Offset >= 0 && e.Offset < offset + 64, e.Message);
            return null;
        }
    }

    private static void Names(StoreDamage damage, string file, long offset, int sectorBytes)
    {
        Assert.Equal(file, damage.File);
        Assert.Equal(StoreDamageKind.Corruption, damage.Kind);
        Assert.True(damage.Offset < offset + sectorBytes && damage.Offset + damage.LengthBytes > offset, $"the sector at {offset}: {damage}");
        Assert.Contains("cannot be read", damage.Message, StringComparison.Ordinal);
    }

    /// <summary>Snapshots at two sequences, oldest first, three events behind the older one, one behind the newer.</summary>
    private static async Task<(SimDirectory Directory, string Expected, string[] Snapshots)> WrittenAsync(int accounts)
    {
        var directory = new SimDirectory();
        await using NinoStore store = Simulated.Open(directory);
        await using StateStore<Bank> bank = await store.OpenStateAsync<Bank>(Bank.Events_);
        for (int i = 0; i < accounts; i++) bank.Apply(new Deposited($"account {i}", i));
        await bank.CheckpointAsync();
        bank.Apply(new Deposited("ann", 5));
        bank.Apply(new Deposited("bob", 1));
        await bank.CheckpointAsync();
        bank.Apply(new Withdrawn("ann", 3));
        return (directory, bank.Read(static b => b.Text()), [.. store.Snapshots.OrderBy(static s => s.Sequence).Select(static s => s.FileName)]);
    }

    private static async Task<long[]> CheckpointsAsync(SimDirectory directory, int seed)
    {
        await using NinoStore store = Simulated.Open(directory, seed);
        for (int i = 1; i <= 2; i++)
        {
            store.Append(i);
            await store.CheckpointAsync(new Score(i));
        }

        return [.. store.Snapshots.Select(static s => s.Sequence).Order()];
    }

    private static SimDirectory Copy(SimDirectory from)
    {
        var to = new SimDirectory();
        foreach (StoreFileEntry file in from.List()) FileBytes.Put(to, file.Name, FileBytes.Of(from, file.Name));
        return to;
    }

    private sealed class Looking(IStoreDirectory inner) : LookOnlyDirectory(inner);
}
