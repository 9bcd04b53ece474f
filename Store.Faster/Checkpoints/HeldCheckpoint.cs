using Store.IO;
using Store.KeyValue;

namespace Store.Faster.Checkpoints;

/// <summary>
/// A checkpoint that is being copied. Its generation is not removed meanwhile (KeyedCheckpoints), its index and snapshot are not written any more, and no page of the record log is below where it ends: FASTER has handed
/// those out and changes records in memory only, and compaction, which gives up the beginning of the log, leaves its files to the manifests that need them.
/// </summary>
/// <param name="manifest">What it consists of.</param>
/// <param name="files">Its files.</param>
/// <param name="options">For the size of the record log's files.</param>
/// <param name="noteDamage">Told when a copy of it is damaged.</param>
/// <param name="release">Lets it go.</param>
internal sealed class HeldCheckpoint(CheckpointManifest manifest, IReadOnlyList<StoreFileEntry> files, FasterOptions options, Action noteDamage, Action release) : IKeyValueCheckpointHold
{
    private Action? _release = release;

    public long Sequence => manifest.Sequence;

    public IReadOnlyList<StoreFileEntry> Files => files;

    public string? FindDamage(IStoreDirectory copy)
    {
        string? damage = FindDamage(new CheckpointCatalog(copy, options));
        if (damage is not null) noteDamage();
        return damage;
    }

    private string? FindDamage(CheckpointCatalog catalog)
    {
        if (!catalog.TryRead(manifest.Generation, out CheckpointManifest? copied, out string? problem)) return $"{CheckpointNames.Manifest(manifest.Generation)}: {problem}";
        if (catalog.Verify(copied, CancellationToken.None) is not { } fault) return null;
        bool isShared = CheckpointNames.TryParseLogSegment(fault.Name, out _);
        return $"{fault.Name}: {fault.Problem}{(isShared ? " All checkpoints share that file: if a new one is damaged there too, close the keyed state and open it again, which makes it anew if the log has all its changes; if not, restore it from an earlier backup." : "")}";
    }

    public void Dispose() => Interlocked.Exchange(ref _release, null)?.Invoke();
}
