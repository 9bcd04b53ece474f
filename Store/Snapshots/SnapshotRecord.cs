using Store.Snapshots;

namespace Store;

/// <summary>A value or an item of a snapshot as it is stored, of any type: what <see cref="StoreReader.SnapshotRecords"/> gives.</summary>
/// <param name="Part">Name of its part; empty for the only part of a state's snapshot.</param>
/// <param name="Item">Number of the item in its part, from 0; <see cref="NoItem"/> for a part that is one value.</param>
/// <param name="Record">Its bytes and what describes them, with the sequence that the snapshot covers and the time when it was written.</param>
public readonly record struct SnapshotRecord(string Part, long Item, LogRecord Record)
{
    /// <summary>What <see cref="Item"/> is for a part that is one value (<see cref="SnapshotPart.HasItems"/> is false).</summary>
    public const long NoItem = -1;
}
