using Store.IO;
using Store.KeyValue;

namespace OwnEngine;

/// <summary>A checkpoint that a backup copies: its one file, which is written once and never changed, stays until this is disposed.</summary>
/// <param name="number">Its number.</param>
/// <param name="sequence">That of its cut.</param>
/// <param name="lengthBytes">Length of its file.</param>
/// <param name="release">Lets it go.</param>
internal sealed class MemoryHold(long number, long sequence, long lengthBytes, Action release) : IKeyValueCheckpointHold
{
    private Action? _release = release;

    public long Sequence => sequence;

    // It begins with a checksum of the rest: where that file is the same, all of the checkpoint is.
    public IReadOnlyList<StoreFileEntry> Files { get; } = [new StoreFileEntry(MemoryCheckpoint.FileName(number), lengthBytes)];

    public string? FindDamage(IStoreDirectory copy) => MemoryCheckpoint.TryRead(copy, number, out _, out string? problem) ? null : problem;

    public void Dispose() => Interlocked.Exchange(ref _release, null)?.Invoke();
}
