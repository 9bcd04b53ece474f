// What happens to keyed state when the files of its checkpoints are damaged, or the disk fails while they are written? Either the damage is harmless, or it is
// found, reported, and the state comes from an older checkpoint or from the log: equal to the model in every case.

using Store.Faster;
using Store.Faster.Checkpoints;
using Store.Tests.Simulation;
using Xunit.Abstractions;

namespace Store.Tests.KeyValue;

public class KeyValueDamageTests(ITestOutputHelper output)
{
    private readonly MemoryChangeLog _log = new();
    private readonly Dictionary<int, string> _model = [];

    [Theory]
    [InlineData(".index")]
    [InlineData(".snapshot")]
    [InlineData(".manifest")]
    [InlineData("records-")]
    public async Task AFlippedBitAnywhereIsFoundAndTheStateIsWhole(string part)
    {
        SimDirectory intact = await TwoCheckpoints();
        int flips = 0, seed = Effort.Seed(20);
        foreach (string file in FilesOf(intact, part))
        {
            byte[] bytes = intact.Bytes(file);
            var random = new Random(seed + file.Length);
            for (int trial = 0; trial < 12 * Effort.FlipScale; trial++, flips++)
            {
                int at = trial switch { 0 => 0, 1 => bytes.Length - 1, _ => random.Next(bytes.Length) };
                byte[] damaged = [.. bytes];
                damaged[at] ^= (byte)(1 << random.Next(8));
                AssertWholeAfter(intact, directory => directory.Replace(file, damaged), expectRejection: IsCovered(intact, file, at));
            }
        }

        Effort.Tell(output, "bit flips", flips, $"SEED={seed}", $"keyed state, '{part}'");
    }

    [Theory]
    [InlineData(".index")]
    [InlineData(".snapshot")]
    [InlineData(".manifest")]
    [InlineData("records-")]
    public async Task AShortenedFileIsFoundAndTheStateIsWhole(string part)
    {
        SimDirectory intact = await TwoCheckpoints();
        int cuts = 0, seed = Effort.Seed(20);
        foreach (string file in FilesOf(intact, part))
        {
            byte[] bytes = intact.Bytes(file);
            var random = new Random(seed + file.Length);
            foreach (int length in (int[])[0, 1, 511, bytes.Length / 2, bytes.Length - 1, .. Enumerable.Range(1, 5 * (Effort.TruncationScale - 1)).Select(_ => random.Next(bytes.Length))])
            {
                cuts++;
                AssertWholeAfter(intact, directory => directory.Replace(file, bytes[..length]), expectRejection: IsCovered(intact, file, length, andBehind: true));
            }
        }

        Effort.Tell(output, "truncations", cuts, $"SEED={seed}", $"keyed state, '{part}'");
    }

    [Theory]
    [InlineData(".index")]
    [InlineData(".snapshot")]
    [InlineData("records-")]
    public async Task AMissingFileIsFoundAndTheStateIsWhole(string part)
    {
        SimDirectory intact = await TwoCheckpoints();
        foreach (string file in FilesOf(intact, part)) AssertWholeAfter(intact, directory => directory.Delete(file), expectRejection: IsCovered(intact, file, 0, andBehind: true));
    }

    [Fact]
    public async Task WithoutItsManifestACheckpointDoesNotExist()
    {
        SimDirectory directory = await TwoCheckpoints();
        foreach (string manifest in FilesOf(directory, ".manifest")) directory.Delete(manifest);
        using FasterKeyValueStore<int, string> kv = KeyValueBed.Open<int, string>(_log, directory);
        Assert.True(kv.Recovery.RebuiltFromLog);
        Assert.Empty(kv.Recovery.Rejected);
        KeyValueBed.AssertHolds(kv, _model);
    }

    [Fact]
    public async Task ADamagedNewestCheckpointFallsBackToTheOneBefore()
    {
        SimDirectory directory = await TwoCheckpoints();
        string newest = FilesOf(directory, ".snapshot")[^1];
        directory.Replace(newest, new byte[directory.Bytes(newest).Length]);
        using (FasterKeyValueStore<int, string> kv = KeyValueBed.Open<int, string>(_log, directory))
        {
            Assert.False(kv.Recovery.RebuiltFromLog);
            Assert.Equal(newest, Assert.Single(kv.Recovery.Rejected).File);
            KeyValueBed.AssertHolds(kv, _model);

            // The record log behind the older checkpoint is written over now; the newer one must be gone for good.
            for (int i = 0; i < 300; i++) Put(kv, i, "later");
        }

        Assert.Single(FilesOf(directory, ".manifest"));
        using FasterKeyValueStore<int, string> again = KeyValueBed.Open<int, string>(_log, directory);
        Assert.Empty(again.Recovery.Rejected);
        KeyValueBed.AssertHolds(again, _model);
    }

    [Fact]
    public async Task AFailedWriteOfACheckpointLeavesTheOneBeforeInForce()
    {
        // FASTER logs a failed write of a snapshot or index page and reports the checkpoint as taken (research: FasterKV of 2.6.5).
        foreach (string part in new[] { ".index", ".snapshot", ".manifest" })
        {
            SimDirectory directory = await TwoCheckpoints();
            string[] manifests = FilesOf(directory, ".manifest");
            using (FasterKeyValueStore<int, string> kv = KeyValueBed.Open<int, string>(_log, directory))
            {
                Put(kv, 1, "after the checkpoint");
                directory.OnOperation = (_, operation) => FailIf(operation.StartsWith("write", StringComparison.Ordinal) && operation.Contains(part, StringComparison.Ordinal));
                await Assert.ThrowsAnyAsync<IOException>(async () => await kv.CheckpointAsync());
                directory.OnOperation = null;
                Assert.Equal(manifests, FilesOf(directory, ".manifest"));

                // The state itself is well: it goes on, and so does the next checkpoint.
                Put(kv, 2, "still accepted");
                KeyValueBed.AssertHolds(kv, _model);
                await kv.CheckpointAsync();
            }

            using FasterKeyValueStore<int, string> again = KeyValueBed.Open<int, string>(_log, directory);
            Assert.Equal((false, 0L), (again.Recovery.RebuiltFromLog, again.Recovery.ChangesReplayed));
            KeyValueBed.AssertHolds(again, _model);
        }
    }

    [Fact]
    public async Task AFailedSyncOfACheckpointIsAFailedCheckpoint()
    {
        SimDirectory directory = await TwoCheckpoints();
        string[] manifests = FilesOf(directory, ".manifest");
        using FasterKeyValueStore<int, string> kv = KeyValueBed.Open<int, string>(_log, directory);
        Put(kv, 1, "after the checkpoint");
        directory.OnOperation = (_, operation) => FailIf(operation.StartsWith("sync", StringComparison.Ordinal) && operation.Contains(".snapshot", StringComparison.Ordinal));
        await Assert.ThrowsAnyAsync<IOException>(async () => await kv.CheckpointAsync());
        Assert.Equal(manifests, FilesOf(directory, ".manifest"));
    }

    [Fact]
    public async Task AFailedWriteOfARecordPageStopsTheStateInsteadOfHangingIt()
    {
        // Told of the error, FASTER would let every writer wait for the page for ever.
        SimDirectory directory = await TwoCheckpoints();
        using (FasterKeyValueStore<int, string> kv = KeyValueBed.Open<int, string>(_log, directory))
        {
            directory.OnOperation = (_, operation) => FailIf(operation.StartsWith("write", StringComparison.Ordinal) && operation.Contains("records-", StringComparison.Ordinal));
            var failure = Assert.Throws<StoreFailedException>(() =>
            {
                for (int i = 0; i < 1000; i++) Put(kv, i, new string('x', 200));
            });
            Assert.Contains("no room", failure.InnerException!.ToString(), StringComparison.Ordinal);
            Assert.Throws<StoreFailedException>(() => kv.Put(1, "x"));
            Assert.Throws<StoreFailedException>(() => kv.TryGet(1, out _));
            await Assert.ThrowsAsync<StoreFailedException>(async () => await kv.CheckpointAsync());
            directory.OnOperation = null;
        }

        // The change that failed was in the log already.
        using FasterKeyValueStore<int, string> again = KeyValueBed.Open<int, string>(_log, directory);
        Assert.Equal(ModelOf(_log, again), again.Count);
    }

    [Fact]
    public void AFailedAppendChangesNothing()
    {
        using var directory = new SimDirectory();
        using FasterKeyValueStore<int, string> kv = KeyValueBed.Open<int, string>(_log, directory);
        Put(kv, 1, "one");
        _log.BeforeAppend = () => throw new IOException("no room");
        Assert.Throws<IOException>(() => kv.Put(1, "two"));
        Assert.Throws<IOException>(() => kv.Put(2, "two"));
        Assert.Throws<IOException>(() => kv.Delete(1));
        _log.BeforeAppend = null;
        KeyValueBed.AssertHolds(kv, _model, [2]);
    }

    [Fact]
    public async Task CancellingACheckpointLeavesTheOneBeforeInForce()
    {
        SimDirectory directory = await TwoCheckpoints();
        string[] manifests = FilesOf(directory, ".manifest");
        using FasterKeyValueStore<int, string> kv = KeyValueBed.Open<int, string>(_log, directory);
        Put(kv, 1, "x");
        await Assert.ThrowsAnyAsync<OperationCanceledException>(async () => await kv.CheckpointAsync(new CancellationToken(canceled: true)));
        Assert.Equal(manifests, FilesOf(directory, ".manifest"));
        await kv.CheckpointAsync();
        Assert.NotEqual(manifests, FilesOf(directory, ".manifest"));
    }

    private static void FailIf(bool condition)
    {
        if (condition) throw new IOException("no room");
    }

    private static string[] FilesOf(SimDirectory directory, string part) =>
        [.. directory.List().Select(entry => entry.Name).Where(name => name.Contains(part, StringComparison.Ordinal)).Order(StringComparer.Ordinal)];

    /// <summary>Whether the newest checkpoint depends on a byte, or on one of those behind it in its file too: on all of its own files, on its part of the record log; not on files of the older one.</summary>
    private static bool IsCovered(SimDirectory directory, string file, int at, bool andBehind = false)
    {
        string newest = FilesOf(directory, ".manifest")[^1];
        if (file == newest) return true;
        Assert.True(CheckpointManifest.TryParse(directory.Bytes(newest), out CheckpointManifest? manifest, out _));
        if (CheckpointNames.TryParseLogSegment(file, out int segment))
        {
            int bits = KeyValueBed.Tiny.RecordFileSizeBits;
            long offset = ((long)segment << bits) + at, last = andBehind ? (((long)segment + 1) << bits) - 1 : offset;
            return manifest.LogBlocks.Any(block => last >= block.Offset && offset < block.Offset + block.LengthBytes);
        }

        return CheckpointNames.TryParseGeneration(file, out long generation) && generation == manifest.Generation;
    }

    private void Put(FasterKeyValueStore<int, string> kv, int key, string value)
    {
        kv.Put(key, value);
        _model[key] = value;
    }

    /// <summary>A state several times its memory, with two checkpoints, and changes before, between and after them.</summary>
    private async Task<SimDirectory> TwoCheckpoints()
    {
        var directory = new SimDirectory();
        using FasterKeyValueStore<int, string> kv = KeyValueBed.Open<int, string>(_log, directory);
        var random = new Random(5);
        for (int part = 0; part < 3; part++)
        {
            for (int i = 0; i < 250; i++) Put(kv, random.Next(200), new string((char)('a' + part), random.Next(300)));
            int deleted = random.Next(200);
            Assert.Equal(_model.Remove(deleted), kv.Delete(deleted));
            if (part < 2) await kv.CheckpointAsync();
        }

        return directory;
    }

    private void AssertWholeAfter(SimDirectory intact, Action<SimDirectory> damage, bool expectRejection)
    {
        SimDirectory directory = intact.KillProcess();
        damage(directory);
        using FasterKeyValueStore<int, string> kv = KeyValueBed.Open<int, string>(_log, directory);
        Assert.Equal(expectRejection, kv.Recovery.Rejected.Count > 0);
        KeyValueBed.AssertHolds(kv, _model, Enumerable.Range(0, 200));
    }

    private static long ModelOf(MemoryChangeLog log, FasterKeyValueStore<int, string> kv)
    {
        var replayed = new Dictionary<int, string>();
        LogReplay.Apply(log.Read(1), "test", replayed);
        KeyValueBed.AssertHolds(kv, replayed);
        return replayed.Count;
    }
}
