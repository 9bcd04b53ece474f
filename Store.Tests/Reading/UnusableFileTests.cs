// A file of a folder that cannot be used: told, and no reason not to look at the others.

using System.Buffers.Binary;
using Store.Framing;
using Store.IO;
using Store.Log;
using Store.State;
using Store.Tests.Log;
using Store.Tests.Retention;
using Store.Tests.Simulation;
using Store.Tests.State;

namespace Store.Tests.Reading;

public sealed class UnusableFileTests
{
    /// <summary>Who opens the state is refused, and retention keeps everything for it: that is no store without damage.</summary>
    [Theory]
    [InlineData(true, true)]
    [InlineData(true, false)]
    [InlineData(false, true)]
    public async Task AMarkIsDamagedWhenNeitherOfItsCopiesVerifies(bool isFirst, bool isSecond)
    {
        var directory = new SimDirectory();
        await using (NinoStore store = Simulated.Open(directory))
        {
            await using StateStore<Bank> bank = await store.OpenStateAsync<Bank>(Bank.Events_);
            bank.Apply(new Deposited("ann", 1));
        }

        string name = directory.List().Single(static f => f.Name.StartsWith("state-", StringComparison.Ordinal)).Name;
        byte[] bytes = FileBytes.Of(directory, name);
        if (isFirst) bytes[100] ^= 1;
        if (isSecond) bytes[4096 + 100] ^= 1;
        FileBytes.Put(directory, name, bytes);
        using StoreReader reader = StoreReader.Open(directory, "sim", null, static _ => false);
        VerifyReport report = reader.Verify();
        Assert.Equal(isFirst && isSecond, report.IsCorrupt);
        if (!report.IsCorrupt) return;
        Assert.Equal(name, Assert.Single(report.Damage).File);
        Assert.Contains("neither of its two copies verifies", report.Damage[0].Message, StringComparison.Ordinal);
        using NinoStore view = Simulated.Open(directory, 2, static o => o with { ReadOnly = true });
        Assert.Equal(name, Assert.Single(view.Recovery.Damage).File);
    }

    /// <summary>As a segment that was moved to another disk, which is not there now.</summary>
    [Fact]
    public void ASegmentThatIsALinkToNothingIsToldAndTheOthersAreRead()
    {
        if (OperatingSystem.IsWindows()) return;
        using var folder = new TemporaryFolder();
        string path = folder["store"];
        long second, third;
        using (NinoStore store = NinoStore.Open(path, new NinoStoreOptions { FirstSegmentSizeBytes = 64 * 1024, SegmentSizeBytes = 64 * 1024 }))
        {
            for (int i = 0; i < 20; i++)
            {
                store.Append(new byte[10_000]);
                store.Commit();
            }

            (second, third) = (RetentionTests.First(store.Opened.Directory, 2), RetentionTests.First(store.Opened.Directory, 3));
        }

        string name = Path.Combine(path, SegmentFormat.Name(2));
        File.Delete(name);
        File.CreateSymbolicLink(name, folder["elsewhere"]);
        using StoreReader reader = StoreReader.Open(path);
        VerifyReport report = reader.Verify();
        Assert.Contains(report.Damage, damage => damage.File == SegmentFormat.Name(2) && damage.Message.Contains("the name leads to no file", StringComparison.Ordinal));
        Assert.True(report.IsCorrupt);
        Assert.Equal(20 - (third - second), report.Records);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task ASnapshotThatCannotBeLookedAtIsToldAndTheRestOfItsFolderIsRead(bool isNewer)
    {
        var directory = new SimDirectory();
        string name;
        await using (NinoStore store = Simulated.Open(directory))
        {
            store.Append(1);
            await store.CheckpointAsync(new Tally(1));
            store.Append(2);
            name = (await store.CheckpointAsync(new Tally(2))).FileName;
        }

        byte[] bytes = FileBytes.Of(directory, name);
        bytes[16] = 9;
        int headerSize = BinaryPrimitives.ReadInt32LittleEndian(bytes.AsSpan(12));
        BinaryPrimitives.WriteUInt32LittleEndian(bytes.AsSpan(8), Crc32C.Compute(bytes.AsSpan(12, headerSize - 12)));
        if (isNewer) FileBytes.Put(directory, name, bytes);
        IStoreDirectory seen = isNewer ? directory : new ForbiddenDirectory(directory, name);
        using StoreReader reader = StoreReader.Open(seen, "sim", null, static _ => false);
        Assert.Equal(2, reader.ReadRecords().Count());
        Assert.Equal(1, Assert.Single(reader.Snapshots).Sequence);
        StoreDamage told = Assert.Single(reader.Verify().Damage);
        Assert.Equal(name, told.File);
        Assert.Contains(isNewer ? "newer" : "cannot be read", told.Message, StringComparison.Ordinal);

        // By its own path there is nothing else to look at.
        if (isNewer) Assert.Throws<StoreVersionException>(() => StoreReader.Open(seen, "sim", name, static _ => false));
        else Assert.Throws<IOException>(() => StoreReader.Open(seen, "sim", name, static _ => false));
    }

    private sealed class ForbiddenDirectory(IStoreDirectory inner, string name) : PassThroughDirectory(inner)
    {
        public override IStoreFile OpenRead(string file) => file == name ? throw new IOException("Permission denied") : base.OpenRead(file);
    }
}
