namespace Store.Inspect.Commands;

/// <summary>A record that the options of a verb select, and where in a snapshot it is.</summary>
/// <param name="Record">The record.</param>
/// <param name="Part">Name of its part of a snapshot, empty where it has none; null for a record of a log.</param>
/// <param name="Item">Its number in a stream of items; <see cref="SnapshotRecord.NoItem"/> for anything else.</param>
internal readonly record struct SelectedRecord(LogRecord Record, string? Part = null, long Item = SnapshotRecord.NoItem)
{
    public bool HasPart => !string.IsNullOrEmpty(Part);

    public bool IsItem => Item != SnapshotRecord.NoItem;

    /// <summary>Where it is in a snapshot: <c>scores[2]</c>; null for a record of a log and for the only value of a snapshot, whose place needs no words.</summary>
    public string? Place => !HasPart && !IsItem ? null : IsItem ? $"{Part}[{Item}]" : Part;
}
