// Descriptions of a keyed state's checkpoints: read, written again, and held against the files they describe.

using Store.Faster;
using Store.Faster.Checkpoints;
using Store.Faster.Engine;
using Store.Framing;
using Store.Fuzz.Driver;
using Store.Serialization;
using Store.Tests.Snapshots;

namespace Store.Fuzz.Targets;

internal sealed class ManifestLane() : FuzzLane("")
{
    private const int Generation = 1;

    private static readonly byte[] Data = [.. Enumerable.Range(0, 600).Select(static i => (byte)i)];

    public override int MaxLength => 4096;

    // Verifying reads through a buffer.
    public override long MaxAllocation(int length) => 8 * 1024 * 1024;

    public override IEnumerable<byte[]> Seeds(int seed)
    {
        foreach (int blocks in (int[])[0, 1, 3])
        {
            WrittenBlock[] written = [.. Enumerable.Range(0, blocks).Select(static i => new WrittenBlock(i * 128, 128, Crc32C.Compute(Data.AsSpan(i * 128, 128))))];
            yield return new CheckpointManifest
            {
                PageSizeBytes = 128,
                StoreId = new Guid(seed, 1, 2, new byte[8]),
                Token = new Guid(seed, 3, 4, new byte[8]),
                Generation = Generation,
                Sequence = 40,
                Count = 20,
                AnchorSequence = 39,
                AnchorMark = 1,
                SequenceMark = 2,
                LogEndAddress = blocks * 128,
                LogBeginAddress = 0,
                CompactedBytes = 0,
                Name = "state",
                KeySchema = NinoSerializer.SchemaOf<int>().CanonicalBytes.ToArray(),
                ValueSchema = NinoSerializer.SchemaOf<string>().CanonicalBytes.ToArray(),
                IndexMetadata = [1, 2, 3],
                LogMetadata = [4, 5],
                LogBlocks = written,
                SnapshotBlocks = written[..(blocks / 2)],
                IndexBlocks = written[..(blocks / 3)],
            }.Encode();
        }
    }

    public override void Run(byte[] input)
    {
        byte[] bytes = Seals.Manifest(input);
        if (CheckpointManifest.TryParse(bytes, out CheckpointManifest? manifest, out string? problem) == problem is not null) throw new LaneException("there is neither a manifest nor a problem, or both");
        if (manifest is null) return;
        if (manifest.LengthBytes == bytes.Length && !manifest.Encode().AsSpan().SequenceEqual(bytes)) throw new LaneException("written again, it has other bytes");
        var directory = new BytesDirectory
        {
            [CheckpointNames.Manifest(Generation)] = bytes,
            [CheckpointNames.Index(Generation)] = Data,
            [CheckpointNames.Snapshot(Generation)] = Data,
            [CheckpointNames.LogSegment(0)] = Data,
        };
        var catalog = new CheckpointCatalog(directory, new FasterOptions());
        if (!catalog.TryRead(Generation, out manifest, out _)) return;
        _ = manifest.CoversLog;
        if (!manifest.CoversItsFiles) throw new LaneException("blocks that do not follow one another were taken");
        _ = EngineMetadata.FindProblem(manifest);
        catalog.Verify(manifest, CancellationToken.None);
        catalog.FilesOf(manifest);
        catalog.LastSegmentOf(manifest);
    }
}
