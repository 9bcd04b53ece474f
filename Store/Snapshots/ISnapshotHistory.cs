namespace Store.Snapshots;

/// <summary>What snapshots ask of the log they belong to. Safe for any number of threads.</summary>
internal interface ISnapshotHistory
{
    /// <summary>What tells a record from another of its number.</summary>
    RecordTie TieOf(long sequence);

    /// <summary>False when the log has a record of that number and it is another. Of what cannot be told, true. Reads the record only where its frame is not in its place any more.</summary>
    bool Has(long sequence, in RecordTie tie);
}
