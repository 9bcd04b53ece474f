using Store.IO;

namespace Store.KeyValue;

/// <summary>
/// What an engine implements beside <see cref="IKeyValueStore{TKey, TValue}"/> so that <see cref="NinoStore.BackupToAsync"/> can copy its newest checkpoint while it goes on. The backup of an engine that does not has nothing of
/// a keyed state that is open, unless the log still has all of its changes: <see cref="BackupResult.Omitted"/> says so.
/// </summary>
public interface IKeyValueCheckpointFiles
{
    /// <summary>
    /// Holds the newest checkpoint in force: until the result is disposed, none of its files is removed, and none of the bytes that it names is changed, whatever checkpoints are written meanwhile, also while the engine is
    /// disposed. Must not wait for a checkpoint under way, and blocks neither changes nor checkpoints. Safe for any number of threads; several may be held.
    /// </summary>
    /// <returns>The checkpoint; the caller disposes it. Null when there is none.</returns>
    /// <exception cref="StoreException">It cannot be read. The backup goes on without it and says so.</exception>
    /// <exception cref="IOException">The disk fails. Ends the backup.</exception>
    /// <exception cref="ObjectDisposedException">The engine is disposed.</exception>
    IKeyValueCheckpointHold? HoldCheckpoint();
}

/// <summary>A checkpoint that stays as it is until this is disposed.</summary>
public interface IKeyValueCheckpointHold : IDisposable
{
    /// <summary>The last sequence whose effect it holds: that of its cut. The log is durable up to there.</summary>
    long Sequence { get; }

    /// <summary>
    /// Its files in the folder that <see cref="KeyValueLog{TKey, TValue}.OpenFolder"/> gives, and of each how many bytes from its beginning belong to it. The last one tells all of them from those of any other checkpoint: where a copy
    /// has that one byte for byte, it has the others too, and none is copied again.
    /// </summary>
    IReadOnlyList<StoreFileEntry> Files { get; }

    /// <summary>Reads a copy of those files through, before it takes the place of an earlier one.</summary>
    /// <param name="copy">A folder with them, under the same names and with that many bytes. A read throws when the backup was cancelled: let that out.</param>
    /// <returns>What is wrong with it; null when an engine could start from it.</returns>
    /// <exception cref="IOException">The disk fails.</exception>
    string? FindDamage(IStoreDirectory copy);
}
