// Which checkpoints are in the folder, which of them are whole, and which files does nobody need?

using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using Store.Faster.Engine;
using Store.Framing;
using Store.IO;

namespace Store.Faster.Checkpoints;

/// <summary>The folder of one keyed state, seen as checkpoints. Nothing is kept between calls: members that read may be called while another thread removes other checkpoints; one thread at a time changes.</summary>
internal sealed class CheckpointCatalog
{
    /// <summary>How many checkpoints are kept: when the newest is damaged, the one before still spares most of the replay.</summary>
    public const int KeptGenerations = 2;

    private const int ReadBytes = 1 << 20;

    private readonly IStoreDirectory _directory;
    private readonly long _segmentSizeBytes;

    public CheckpointCatalog(IStoreDirectory directory, FasterOptions options)
    {
        _directory = directory;
        _segmentSizeBytes = 1L << options.RecordFileSizeBits;
    }

    /// <summary>Generations that have a manifest, newest first.</summary>
    public IReadOnlyList<long> Generations() =>
        [.. _directory.List().Where(entry => CheckpointNames.IsManifest(entry.Name)).Select(entry => GenerationOf(entry.Name)).Distinct().OrderDescending()];

    /// <summary>A generation that no file has, not even one left unfinished.</summary>
    public long NextGeneration() => 1 + _directory.List().Select(entry => GenerationOf(entry.Name)).DefaultIfEmpty(0).Max();

    /// <summary>Highest segment of the record log, 0 when there is none.</summary>
    public int LastLogSegment() => _directory.List().Select(entry => CheckpointNames.TryParseLogSegment(entry.Name, out int segment) ? segment : 0).DefaultIfEmpty(0).Max();

    /// <summary>Reads a manifest.</summary>
    public bool TryRead(long generation, [NotNullWhen(true)] out CheckpointManifest? manifest, [NotNullWhen(false)] out string? problem)
    {
        using IStoreFile file = _directory.OpenRead(CheckpointNames.Manifest(generation));
        if (file.LengthBytes > CheckpointManifest.MaxFileBytes)
        {
            (manifest, problem) = (null, $"It has {file.LengthBytes} bytes, more than any manifest.");
            return false;
        }

        byte[] bytes = new byte[file.LengthBytes];
        int length = file.Read(bytes, 0);
        if (!CheckpointManifest.TryParse(bytes.AsSpan(0, length), out manifest, out problem)) return false;
        if (manifest.Generation != generation) problem = $"It is the manifest of generation {manifest.Generation} under another name.";
        else if (LeadsOutOfTheLog(manifest)) problem = "It names a place of the record log that no file of it can have.";
        else return true;
        manifest = null;
        return false;
    }

    /// <summary>Reads every byte that a checkpoint consists of. A damaged, short or missing file is a rejection, not an exception; that the disk fails while reading is an exception.</summary>
    /// <param name="manifest">The checkpoint.</param>
    /// <param name="cancellationToken">Noticed at each block.</param>
    /// <param name="pieces">Told of the record log's bytes, when it is to be read from later.</param>
    /// <returns>What is wrong, or null when all is well.</returns>
    public RejectedFile? Verify(CheckpointManifest manifest, CancellationToken cancellationToken, PieceChecksums? pieces = null) =>
        VerifyBlocks(manifest.IndexBlocks, cancellationToken, offset => (CheckpointNames.Index(manifest.Generation), offset))
        ?? VerifyBlocks(manifest.SnapshotBlocks, cancellationToken, offset => (CheckpointNames.Snapshot(manifest.Generation), offset))
        ?? VerifyBlocks(manifest.LogBlocks, cancellationToken, offset => (CheckpointNames.LogSegment(checked((int)(offset / _segmentSizeBytes))), offset % _segmentSizeBytes), pieces);

    /// <summary>The files of a checkpoint, and how many bytes of each it needs; the manifest is the last one.</summary>
    public IReadOnlyList<StoreFileEntry> FilesOf(CheckpointManifest manifest)
    {
        var lengths = new Dictionary<string, long>(StringComparer.Ordinal);
        foreach (WrittenBlock block in manifest.LogBlocks) Reach(CheckpointNames.LogSegment(checked((int)(block.Offset / _segmentSizeBytes))), (block.Offset % _segmentSizeBytes) + block.LengthBytes);
        foreach (WrittenBlock block in manifest.IndexBlocks) Reach(CheckpointNames.Index(manifest.Generation), block.Offset + block.LengthBytes);
        foreach (WrittenBlock block in manifest.SnapshotBlocks) Reach(CheckpointNames.Snapshot(manifest.Generation), block.Offset + block.LengthBytes);
        string name = CheckpointNames.Manifest(manifest.Generation);
        using IStoreFile file = _directory.OpenRead(name);
        return [.. lengths.Select(static f => new StoreFileEntry(f.Key, f.Value)), new StoreFileEntry(name, file.LengthBytes)];

        void Reach(string file, long end) => lengths[file] = Math.Max(lengths.GetValueOrDefault(file), end);
    }

    /// <summary>Publishes a manifest: durable, with its name, when this returns. The files it describes must be durable before.</summary>
    /// <exception cref="RecordTooLargeException">It would be longer than opening accepts.</exception>
    public void Publish(CheckpointManifest manifest)
    {
        if (manifest.LengthBytes > CheckpointManifest.MaxFileBytes)
        {
            throw new RecordTooLargeException($"A checkpoint of '{manifest.Name}' needs a description of {manifest.LengthBytes} bytes, 16 for each page of {manifest.PageSizeBytes} bytes; {CheckpointManifest.MaxFileBytes} are the most. "
                + $"The checkpoint before stays in force. Open the keyed state with a larger {nameof(FasterOptions)}.{nameof(FasterOptions.PageSizeBytes)}: it is rebuilt from the log, which must still have all its changes; else copy it into a keyed state of another name.");
        }

        // The names of the other files first: a manifest must never be found without them.
        _directory.SyncDirectory();
        byte[] bytes = manifest.Encode();
        AtomicFile.Publish(_directory, CheckpointNames.Manifest(manifest.Generation), file => file.Write(bytes, 0));
    }

    /// <summary>
    /// Removes checkpoints: the manifests first, durably, so that no manifest is ever found whose files are gone or were written over; then their other files, and whatever an
    /// unfinished checkpoint left.
    /// </summary>
    /// <param name="isKept">Which generations stay.</param>
    public void RemoveExcept(Func<long, bool> isKept)
    {
        List<string> doomed = [.. _directory.List().Select(entry => entry.Name).Where(name => CheckpointNames.TryParseGeneration(name, out long generation) && !(isKept(generation) && !IsTemporary(name)))];
        List<string> manifests = doomed.FindAll(CheckpointNames.IsManifest);
        foreach (string name in manifests) _directory.Delete(name);
        if (manifests.Count > 0) _directory.SyncDirectory();
        foreach (string name in doomed.Except(manifests)) _directory.Delete(name);
    }

    /// <summary>Removes the segments of the record log above one: bytes of a life after the checkpoint.</summary>
    public void RemoveLogSegmentsAbove(int lastKept)
    {
        foreach (StoreFileEntry entry in _directory.List())
        {
            if (CheckpointNames.TryParseLogSegment(entry.Name, out int segment) && segment > lastKept) _directory.Delete(entry.Name);
        }
    }

    /// <summary>Removes the segments of the record log that lie wholly below what the checkpoints in the folder need. A manifest that cannot be read might need any: then none is removed.</summary>
    /// <returns>The address below which no checkpoint needs anything, 0 when that is not known.</returns>
    public long RemoveLogSegmentsNobodyNeeds()
    {
        long floor = long.MaxValue;
        foreach (long generation in Generations())
        {
            if (!TryRead(generation, out CheckpointManifest? manifest, out _)) return 0;
            floor = Math.Min(floor, manifest.LogBeginAddress);
        }

        if (floor == long.MaxValue) return 0;
        foreach (StoreFileEntry entry in _directory.List())
        {
            if (CheckpointNames.TryParseLogSegment(entry.Name, out int segment) && (segment + 1L) * _segmentSizeBytes <= floor) _directory.Delete(entry.Name);
        }

        return floor;
    }

    /// <summary>The last segment that a checkpoint's part of the record log reaches into.</summary>
    public int LastSegmentOf(CheckpointManifest manifest) => checked((int)(Math.Max(0, manifest.LogEndAddress - 1) / _segmentSizeBytes));

    // Files of the record log are numbered in 32 bits.
    private bool LeadsOutOfTheLog(CheckpointManifest manifest)
    {
        long end = _segmentSizeBytes << 31;
        return manifest.LogEndAddress < 0 || manifest.LogBeginAddress < 0 || manifest.LogEndAddress > end || Array.Exists(manifest.LogBlocks, block => block.Offset > end - block.LengthBytes);
    }

    private static bool IsTemporary(string name) => name.EndsWith(AtomicFile.TemporarySuffix, StringComparison.Ordinal);

    private static long GenerationOf(string name) => CheckpointNames.TryParseGeneration(name, out long generation) ? generation : 0;

    private RejectedFile? VerifyBlocks(WrittenBlock[] blocks, CancellationToken cancellationToken, Func<long, (string File, long Offset)> locate, PieceChecksums? pieces = null)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(ReadBytes);
        Span<byte> room = buffer.AsSpan(0, ReadBytes);
        IStoreFile? file = null;
        try
        {
            foreach (WrittenBlock block in blocks)
            {
                cancellationToken.ThrowIfCancellationRequested();
                (string name, long offset) = locate(block.Offset);
                if (file?.Name != name)
                {
                    file?.Dispose();
                    file = null;
                    if (_directory.List().All(entry => entry.Name != name)) return new RejectedFile(name, "It is missing.");
                    file = _directory.OpenRead(name);
                }

                uint checksum = 0;
                for (int done = 0; done < block.LengthBytes;)
                {
                    Span<byte> part = room[..Math.Min(room.Length, block.LengthBytes - done)];
                    int read = file.Read(part, offset + done);
                    if (read < part.Length) return new RejectedFile(name, $"It ends at offset {offset + done + read}, inside a block of {block.LengthBytes} bytes at {offset}.");
                    checksum = Crc32C.Compute(part, checksum);
                    pieces?.Record(block.Offset + done, part);
                    done += read;
                }

                if (checksum != block.Checksum) return new RejectedFile(name, $"The {block.LengthBytes} bytes at offset {offset} are not those that were written.");
            }

            return null;
        }
        finally
        {
            file?.Dispose();
            ArrayPool<byte>.Shared.Return(buffer);
        }
    }
}

/// <summary>A file at fault.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Problem">What is wrong.</param>
internal sealed record RejectedFile(string Name, string Problem);
