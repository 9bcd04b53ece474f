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

    /// <summary>Numbers that agree with each other, and with nothing that was written: FASTER would walk over pages up to them, and write them.</summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task RecordsFarBehindTheLastFileAreRejected(bool withoutLog)
    {
        const long Far = 1L << 47;
        SimDirectory directory = await WithCheckpointAsync();
        CheckpointManifest manifest = Read(directory);
        CheckpointManifest hostile = withoutLog
            ? manifest with { LogMetadata = With(With(manifest.LogMetadata, Far, 6, 7, 9, 10, 12), 0, 11), LogBeginAddress = Far, LogEndAddress = Far, LogBlocks = [] }
            : manifest with { LogMetadata = With(manifest.LogMetadata, Far, 7, 9, 10) };
        Assert.NotNull(EngineMetadata.FindProblem(hostile));
        Write(directory, hostile);
        AssertRejected(directory, "FASTER describes records");
    }

    /// <summary>The index must be of records that the checkpoint has: FASTER replays from where it was begun.</summary>
    [Theory]
    [InlineData(7)]
    [InlineData(8)]
    public async Task AnIndexOfOtherRecordsIsRejected(int line)
    {
        SimDirectory directory = await WithCheckpointAsync();
        CheckpointManifest manifest = Read(directory);
        long start = NumberOf(manifest.IndexMetadata, 7), end = NumberOf(manifest.LogMetadata, 9);
        Assert.InRange(start, manifest.LogBeginAddress, end);
        foreach (long other in (long[])[line == 7 ? manifest.LogBeginAddress - 8 : start - 8, end + 8])
        {
            CheckpointManifest hostile = manifest with { IndexMetadata = With(manifest.IndexMetadata, other, line) };
            Assert.NotNull(EngineMetadata.FindProblem(hostile));
            SimDirectory damaged = directory.KillProcess();
            Write(damaged, hostile);
            AssertRejected(damaged, "FASTER describes records");
        }
    }

    /// <summary>FASTER makes room for as many as it is told, and reads as many bytes: into no page at all where they are more.</summary>
    [Theory]
    [InlineData(12 << 20, 16, false)]
    [InlineData(12 << 20, (12 << 14) - 8, false)]
    [InlineData(12 << 20, (12 << 14) - 7, true)]
    [InlineData(12 << 20, 12 << 14, true)]
    [InlineData(512, 1, true)]
    [InlineData(1024, 8, false)]
    public async Task TheBytesBehindTheTableAreNoMoreThanItsBuckets(int bytes, int buckets, bool isWhole)
    {
        CheckpointManifest manifest = Read(await WithCheckpointAsync());
        Assert.Equal(isWhole, EngineMetadata.FindProblem(WithOverflow(manifest, bytes, buckets)) is null);
    }

    /// <summary>From 2 GiB on FASTER's arithmetic, of 32 bits, reads back less than it wrote, and says nothing: keys are gone.</summary>
    [Theory]
    [InlineData((1L << 31) - 512, true)]
    [InlineData(1L << 31, false)]
    [InlineData((1L << 31) + 512, false)]
    [InlineData(1L << 32, false)]
    [InlineData((1L << 32) + 4096, false)]
    public async Task AnIndexWithTwoGibibytesBehindItsTableIsRefused(long bytes, bool isWhole)
    {
        CheckpointManifest manifest = Read(await WithCheckpointAsync());
        Assert.Equal(isWhole, EngineMetadata.FindProblem(WithOverflow(manifest, bytes, bytes / 64)) is null);
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

    // As if its table had so much behind it.
    private static CheckpointManifest WithOverflow(CheckpointManifest manifest, long bytes, long buckets)
    {
        long tableBytes = NumberOf(manifest.IndexMetadata, 4);
        const int Most = 1 << 30;
        List<WrittenBlock> blocks = [];
        for (long at = 0; at < tableBytes + bytes; at += Most) blocks.Add(new WrittenBlock(at, (int)Math.Min(Most, tableBytes + bytes - at), 0));
        return manifest with { IndexMetadata = With(With(manifest.IndexMetadata, bytes, 5), buckets, 6), IndexBlocks = [.. blocks] };
    }

    private static long NumberOf(byte[] metadata, int line) => long.Parse(Encoding.UTF8.GetString(metadata).Split('\n')[line], CultureInfo.InvariantCulture);

    private static byte[] With(byte[] metadata, long number, params int[] lines) => lines.Aggregate(metadata, (text, line) => With(text, line, _ => number));

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
