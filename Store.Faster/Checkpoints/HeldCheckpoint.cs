using Store.IO;
using Store.KeyValue;

namespace Store.Faster.Checkpoints;

/// <summary>
/// A checkpoint that is being copied. Its generation is not removed meanwhile (KeyedCheckpoints), its index and snapshot are not written any more, and no page of the record log is below where it ends: FASTER has handed
/// those out and changes records in memory only, and compaction, which gives up the beginning of the log, leaves its files to the manifests that need them.
/// </summary>
/// <param name="manifest">What it consists of.</param>
/// <param name="files">Its files.</param>
/// <param name="source">Where they are.</param>
/// <param name="options">For the size of the record log's files.</param>
/// <param name="noteDamage">Told when it is damaged itself, not only a copy of it.</param>
/// <param name="release">Lets it go.</param>
internal sealed class HeldCheckpoint(CheckpointManifest manifest, IReadOnlyList<StoreFileEntry> files, CheckpointCatalog source, FasterOptions options, Action noteDamage, Action release) : IKeyValueCheckpointHold
{
    private Action? _release = release;

    public long Sequence => manifest.Sequence;

    public IReadOnlyList<StoreFileEntry> Files => files;

    public string? FindDamage(IStoreDirectory copy)
    {
        string? damage;
        try
        {
            damage = FindDamage(new CheckpointCatalog(copy, options));
        }
        catch (Exception e) when (IsOfTheCheckpoint(e))
        {
            // Nor could the checkpoint itself be copied whole; if it is well, it is the copy's disk that fails.
            if (FindOwnDamage(out string? problem) != true) throw;
            noteDamage();
            return problem;
        }

        if (damage is null) return null;

        // A copy may be damaged on its way, or by the disk that it is on: that is no reason to give up the checkpoint.
        switch (FindOwnDamage(out string? own))
        {
            case true:
                noteDamage();
                return own;
            case false:
                return $"{damage} The checkpoint itself is whole: it was damaged on its way, or where it is now.";
            default:
                return $"{damage} Whether the checkpoint itself is whole could not be read.";
        }
    }

    /// <returns>Null when that cannot be told at the moment.</returns>
    private bool? FindOwnDamage(out string? damage)
    {
        try
        {
            return (damage = FindDamage(source)) is not null;
        }
        catch (Exception e) when (IsOfTheCheckpoint(e))
        {
            damage = e.Message;
            return true;
        }
        catch (Exception e) when (e is IOException or ObjectDisposedException)
        {
            damage = null;
            return null;
        }
    }

    /// <summary>True for what reading a checkpoint throws when that is damaged or gone: not for a disk, a network or a number of open files that may be better another time.</summary>
    public static bool IsOfTheCheckpoint(Exception failure) => failure is StoreCorruptException or FileNotFoundException || (failure is IOException io && IoFailure.IsUnreadable(io));

    private string? FindDamage(CheckpointCatalog catalog)
    {
        if (!catalog.TryRead(manifest.Generation, out CheckpointManifest? copied, out string? problem)) return $"{CheckpointNames.Manifest(manifest.Generation)}: {problem}";
        if (catalog.Verify(copied, CancellationToken.None) is not { } fault) return null;
        bool isShared = CheckpointNames.TryParseLogSegment(fault.Name, out _);
        return $"{fault.Name}: {fault.Problem}{(isShared ? " All checkpoints share that file: if a new one is damaged there too, close the keyed state and open it again, which makes it anew if the log has all its changes; if not, restore it from an earlier backup." : "")}";
    }

    public void Dispose() => Interlocked.Exchange(ref _release, null)?.Invoke();
}
