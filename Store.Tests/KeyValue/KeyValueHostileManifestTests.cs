// Manifests whose checksum is right and whose content nobody wrote: what they promise must not cost memory or time before it was compared with what is there.

using Store.Faster;
using Store.Faster.Checkpoints;
using Store.Faster.Engine;
using Store.Tests.Simulation;

namespace Store.Tests.KeyValue;

public class KeyValueHostileManifestTests
{
    private const int Keys = 500;

    // What the state itself needs while it is opened, and is rebuilt, many times over.
    private const long MostBytes = 48 * 1024 * 1024;

    private readonly MemoryChangeLog _log = new();
    private readonly Dictionary<int, string> _model = [];

    /// <summary>Blocks that repeat are read as often as they are named; those that lie apart cost each the length of the list.</summary>
    [Theory]
    [InlineData("repeated")]
    [InlineData("overlapping")]
    [InlineData("apart")]
    [InlineData("behind nothing")]
    [InlineData("backwards")]
    public async Task BlocksOfAFileThatAreNotOneBehindTheOtherAreRefusedUnread(string how)
    {
        SimDirectory directory = await WithCheckpointAsync();
        CheckpointManifest manifest = Read(directory);
        foreach (bool ofIndex in (bool[])[true, false])
        {
            WrittenBlock block = (ofIndex ? manifest.IndexBlocks : manifest.SnapshotBlocks)[0];
            long behind = block.Offset + block.LengthBytes;
            WrittenBlock[] blocks = how switch
            {
                "repeated" => [.. Enumerable.Repeat(block, 1000)],
                "overlapping" => [block, block with { Offset = behind - 512 }],
                "apart" => [block, block with { Offset = behind + 512 }],
                "behind nothing" => [block with { Offset = 512 }],
                _ => [block with { Offset = behind }, block],
            };
            SimDirectory damaged = directory.KillProcess();
            Write(damaged, ofIndex ? manifest with { IndexBlocks = blocks } : manifest with { SnapshotBlocks = blocks });
            Assert.False(CheckpointManifest.TryParse(damaged.Bytes(NameOf(damaged)), out _, out string? problem));
            Assert.Contains("do not add up", problem, StringComparison.Ordinal);
            AssertRejected(damaged, "do not add up");
        }
    }

    private void AssertRejected(SimDirectory directory, string why)
    {
        long before = GC.GetAllocatedBytesForCurrentThread();
        using FasterKeyValueStore<int, string> kv = KeyValueBed.Open<int, string>(_log, directory);
        long allocated = GC.GetAllocatedBytesForCurrentThread() - before;
        Assert.Contains(why, Assert.Single(kv.Recovery.Rejected).Message, StringComparison.Ordinal);
        Assert.True(kv.Recovery.RebuiltFromLog);
        KeyValueBed.AssertHolds(kv, _model, Enumerable.Range(0, Keys));
        Assert.InRange(allocated, 0, MostBytes);
    }

    private async Task<SimDirectory> WithCheckpointAsync()
    {
        var directory = new SimDirectory();
        using FasterKeyValueStore<int, string> kv = KeyValueBed.Open<int, string>(_log, directory);
        for (int i = 0; i < Keys; i++)
        {
            _model[i] = new string('x', i % 200);
            kv.Put(i, _model[i]);
        }

        await kv.CheckpointAsync();
        return directory;
    }

    private static string NameOf(SimDirectory directory) => directory.List().Single(static f => f.Name.EndsWith(".manifest", StringComparison.Ordinal)).Name;

    private static CheckpointManifest Read(SimDirectory directory)
    {
        Assert.True(CheckpointManifest.TryParse(directory.Bytes(NameOf(directory)), out CheckpointManifest? manifest, out string? problem), problem);
        return manifest;
    }

    private static void Write(SimDirectory directory, CheckpointManifest manifest) => directory.Replace(NameOf(directory), manifest.Encode());
}
