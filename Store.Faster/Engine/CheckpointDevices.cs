// Where do FASTER's checkpoints go? Their bytes to two files of the checkpoint, their metadata to memory: it becomes part of our manifest, checksummed and
// written when everything else is durable. FASTER calls these members inside its state machine, where an exception would leave it stuck: nothing here throws or does I/O.

using FASTER.core;
using Store.IO;

namespace Store.Faster.Engine;

/// <summary>FASTER's view of one checkpoint: the one being taken, or the one being recovered from.</summary>
internal sealed class CheckpointDevices : ICheckpointManager
{
    private readonly IStoreDirectory _directory;
    private byte[]? _indexMetadata;
    private byte[]? _logMetadata;
    private StoreDevice? _index;
    private StoreDevice? _snapshot;

    public CheckpointDevices(IStoreDirectory directory) => _directory = directory;

    public byte[] IndexMetadata => _indexMetadata ?? throw new InvalidOperationException("FASTER committed no index.");

    public byte[] LogMetadata => _logMetadata ?? throw new InvalidOperationException("FASTER committed no log.");

    public StoreDevice Index => _index ?? throw new InvalidOperationException("No checkpoint was begun.");

    public StoreDevice Snapshot => _snapshot ?? throw new InvalidOperationException("No checkpoint was begun.");

    /// <summary>Begins a checkpoint in new files.</summary>
    public void BeginTaking(string indexFile, string snapshotFile)
    {
        (_index, _snapshot) = (StoreDevice.OneFile(_directory, indexFile), StoreDevice.OneFile(_directory, snapshotFile));
        (_indexMetadata, _logMetadata) = (null, null);
    }

    /// <summary>Begins recovery from existing files.</summary>
    public void BeginRecovering(string indexFile, string snapshotFile, byte[] indexMetadata, byte[] logMetadata)
    {
        BeginTaking(indexFile, snapshotFile);
        (_indexMetadata, _logMetadata) = (indexMetadata, logMetadata);
    }

    /// <summary>Closes the files of the checkpoint.</summary>
    public void Close()
    {
        _index?.Close();
        _snapshot?.Close();
    }

    public IDevice GetIndexDevice(Guid indexToken) => Index;

    public IDevice GetSnapshotLogDevice(Guid token) => Snapshot;

    public IDevice GetSnapshotObjectLogDevice(Guid token) => new NullDevice();

    public IDevice GetDeltaLogDevice(Guid token) => null!;

    public void CommitIndexCheckpoint(Guid indexToken, byte[] commitMetadata) => _indexMetadata = commitMetadata;

    public void CommitLogCheckpoint(Guid logToken, byte[] commitMetadata) => _logMetadata = commitMetadata;

    public byte[] GetIndexCheckpointMetadata(Guid indexToken) => IndexMetadata;

    public byte[] GetLogCheckpointMetadata(Guid logToken, DeltaLog deltaLog, bool scanDelta = false, long recoverTo = -1) => LogMetadata;

    // Incremental snapshots are not taken, tokens are chosen by the manifest, files are removed by the catalog.
    public void CommitLogIncrementalCheckpoint(Guid logToken, long version, byte[] commitMetadata, DeltaLog deltaLog) { }

    public IEnumerable<Guid> GetIndexCheckpointTokens() => [];

    public IEnumerable<Guid> GetLogCheckpointTokens() => [];

    public void InitializeIndexCheckpoint(Guid indexToken) { }

    public void InitializeLogCheckpoint(Guid logToken) { }

    public void CheckpointVersionShift(long oldVersion, long newVersion) { }

    public void OnRecovery(Guid indexToken, Guid logToken) { }

    public void Purge(Guid token) { }

    public void PurgeAll() { }

    public void Dispose() { }
}
