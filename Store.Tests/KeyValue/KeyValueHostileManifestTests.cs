// Manifests whose checksum is right and whose content nobody wrote: what they promise must not cost memory or time before it was compared with what is there.

using System.Globalization;
using System.Text;
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

    [Fact]
    public async Task AnIndexOfMoreBucketsThanItHasBytesIsRejectedBeforeMemoryIsTakenForIt()
    {
        SimDirectory directory = await WithCheckpointAsync();
        CheckpointManifest manifest = Read(directory);
        Write(directory, manifest with { IndexMetadata = With(manifest.IndexMetadata, line: 3, static buckets => buckets * 32 * 1024) });
        AssertRejected(directory, "buckets");
    }

    [Theory]
    [InlineData(4)]
    [InlineData(5)]
    [InlineData(6)]
    public async Task AnIndexOfMoreBytesThanItHasIsRejected(int line)
    {
        SimDirectory directory = await WithCheckpointAsync();
        CheckpointManifest manifest = Read(directory);
        Write(directory, manifest with { IndexMetadata = With(manifest.IndexMetadata, line, static n => n + 100_000_000) });
        AssertRejected(directory, "buckets");
    }

    /// <summary>FASTER reads page after page up to where it is told that the records end, and makes an array for as many segments of objects as it is told.</summary>
    [Theory]
    [InlineData(6)]
    [InlineData(7)]
    [InlineData(9)]
    [InlineData(10)]
    [InlineData(11)]
    [InlineData(12)]
    [InlineData(16)]
    public async Task RecordsThatNoFileHasAreRejected(int line)
    {
        SimDirectory directory = await WithCheckpointAsync();
        CheckpointManifest manifest = Read(directory);
        Write(directory, manifest with { LogMetadata = With(manifest.LogMetadata, line, static n => n + 100_000_000) });
        AssertRejected(directory, "FASTER");
    }

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

    [Fact]
    public async Task WhatFasterWritesIsWhatIsExpected()
    {
        CheckpointManifest manifest = Read(await WithCheckpointAsync());
        Assert.Null(EngineMetadata.FindProblem(manifest));
        foreach (byte[] nothing in (byte[][])[[], [1, 2, 3], [.. Enumerable.Repeat((byte)'\n', 40)]])
        {
            Assert.NotNull(EngineMetadata.FindProblem(manifest with { IndexMetadata = nothing }));
            Assert.NotNull(EngineMetadata.FindProblem(manifest with { LogMetadata = nothing }));
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

    // FASTER's text with another number in one of its lines, and its checksum as it computes it: all numbers of both texts are in it, by exclusive or.
    private static byte[] With(byte[] metadata, int line, Func<long, long> change)
    {
        string[] lines = Encoding.UTF8.GetString(metadata).Split('\n');
        long before = long.Parse(lines[line], CultureInfo.InvariantCulture), after = change(before);
        lines[line] = after.ToString(CultureInfo.InvariantCulture);
        lines[1] = (long.Parse(lines[1], CultureInfo.InvariantCulture) ^ before ^ after).ToString(CultureInfo.InvariantCulture);
        return Encoding.UTF8.GetBytes(string.Join('\n', lines));
    }
}
