using Store.Log;
using Store.Snapshots;

namespace Store.KeyValue;

/// <summary>What the log of a keyed state holds of its store.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Hold">All of the log, until the engine is attached.</param>
/// <param name="Changes">That nobody else appends its changes.</param>
/// <param name="Mark">What retention keeps for it.</param>
/// <param name="IsNew">True when this opening made the mark.</param>
internal sealed record KeyValueHolding(IDisposable Name, SnapshotHold Hold, SchemaClaim Changes, LogCursor Mark, bool IsNew)
{
    /// <summary>True when the engine has a checkpoint that needs the mark, whether it comes to be attached or not.</summary>
    public bool HasBegun { get; set; }
}
