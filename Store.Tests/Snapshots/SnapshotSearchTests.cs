// Finding the newest snapshot looks at one file, however many there are; at more only when that one is not it.

using Store.Snapshots;
using Store.Tests.Log;
using Store.Tests.Simulation;

namespace Store.Tests.Snapshots;

public sealed class SnapshotSearchTests : IDisposable
{
    private readonly SimDirectory _directory = new();

    public void Dispose() => _directory.Dispose();

    [Theory]
    [InlineData(SnapshotVerification.OnFirstTouch)]
    [InlineData(SnapshotVerification.All)]
    public async Task OneFileIsOpenedHoweverManyGenerationsThereAre(SnapshotVerification verification)
    {
        long[] calls = new long[2];
        for (int i = 0; i < 2; i++)
        {
            using var directory = new SimDirectory();
            var counting = new CountingDirectory(directory);
            await using NinoStore store = await WrittenAsync(counting, generations: i == 0 ? 1 : 10);
            calls[i] = Calls(counting);
            using (SnapshotFile file = store.OpenSnapshot<Score>(verification)!) Assert.Equal(i == 0 ? 1 : 10, file.Read<Score>().Points);
            calls[i] = Calls(counting) - calls[i];
        }

        Assert.Equal([3L, 3L], calls);

        static long Calls(CountingDirectory counting) => counting.Lists + counting.OpensForReading + counting.Maps;
    }

    [Fact]
    public async Task DamagedOnesAreOpenedOneByOneUntilOneIsWhole()
    {
        var counting = new CountingDirectory(_directory);
        await using NinoStore store = await WrittenAsync(counting, generations: 10);
        string[] newestFirst = [.. store.Snapshots.Select(static s => s.FileName)];
        foreach (string name in newestFirst[..3]) Flip(name, 20);
        long opens = counting.OpensForReading;
        using (SnapshotFile file = store.OpenSnapshot<Score>()!) Assert.Equal(7, file.Read<Score>().Points);
        Assert.Equal(4, counting.OpensForReading - opens);
        Assert.Equal(newestFirst[..3], store.Recovery.Damage.Select(static d => d.File));
        Assert.Equal(newestFirst[3], store.Recovery.SnapshotUsed);
    }

    [Fact]
    public async Task OtherTypesInFrontCostAFileEach()
    {
        var counting = new CountingDirectory(_directory);
        await using NinoStore store = await WrittenAsync(counting, generations: 5);
        await store.CheckpointAsync("of another type");
        long opens = counting.OpensForReading;
        using (SnapshotFile file = store.OpenSnapshot<Score>()!) Assert.Equal(5, file.Read<Score>().Points);
        Assert.Equal(2, counting.OpensForReading - opens);
        Assert.Empty(store.Recovery.Damage);
    }

    /// <summary>A name is only a hint: where it is wrong, the headers decide.</summary>
    [Fact]
    public async Task AWrongNameHidesNothing()
    {
        await using NinoStore store = await WrittenAsync(_directory, generations: 4);
        string[] oldestFirst = [.. store.Snapshots.Select(static s => s.FileName).Reverse()];
        _directory.Rename(oldestFirst[0], SnapshotSamples.NameOf(1000));
        using (SnapshotFile file = store.OpenSnapshot<Score>()!) Assert.Equal(4, file.Read<Score>().Points);
        _directory.Rename(oldestFirst[3], SnapshotSamples.NameOf(1));
        using (SnapshotFile file = store.OpenSnapshot<Score>()!) Assert.Equal(4, file.Read<Score>().Points);
    }

    [Fact]
    public async Task ASnapshotThatVanishesMeanwhileIsNoFailure()
    {
        await using (NinoStore store = await WrittenAsync(_directory, generations: 3)) Assert.Equal(3, store.Snapshots.Count);
        var vanishing = new VanishingDirectory(_directory);
        await using NinoStore again = Simulated.Open(vanishing, 2);
        vanishing.Vanishes = again.Snapshots[0].FileName;
        using SnapshotFile file = again.OpenSnapshot<Score>()!;
        Assert.Equal(2, file.Read<Score>().Points);
        Assert.Empty(again.Recovery.Damage);
    }

    [Fact]
    public async Task AFileThatTheProgramsCallbackDoesNotFindIsItsOwnMatter()
    {
        await using NinoStore store = await WrittenAsync(_directory, generations: 2);
        int calls = 0;
        await Assert.ThrowsAsync<FileNotFoundException>(async () => await store.RestorePartsAsync<Score, int>(
            _ =>
            {
                calls++;
                throw new FileNotFoundException("no settings");
            },
            static (state, _) => state));
        Assert.Equal(1, calls);
    }

    private static async Task<NinoStore> WrittenAsync(Store.IO.IStoreDirectory directory, int generations)
    {
        NinoStore store = Simulated.Open(directory, change: static options => options with { SnapshotGenerations = 20 });
        for (int i = 1; i <= generations; i++)
        {
            store.Append(i);
            await store.CheckpointAsync(new Score(i));
        }

        return store;
    }

    private void Flip(string name, int offset)
    {
        byte[] bytes = FileBytes.Of(_directory, name);
        bytes[offset] ^= 0x10;
        FileBytes.Put(_directory, name, bytes);
    }

    /// <summary>A folder from which a file is removed when somebody is about to open it.</summary>
    private sealed class VanishingDirectory(Store.IO.IStoreDirectory inner) : PassThroughDirectory(inner)
    {
        public string? Vanishes { get; set; }

        public override Store.IO.IStoreFile OpenRead(string name)
        {
            if (name == Vanishes)
            {
                Vanishes = null;
                Delete(name);
            }

            return base.OpenRead(name);
        }
    }
}
