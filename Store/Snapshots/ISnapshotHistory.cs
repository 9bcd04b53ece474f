namespace Store.Snapshots;

/// <summary>What snapshots ask of the log they belong to. Safe for any number of threads.</summary>
internal interface ISnapshotHistory
{
    /// <summary>The mark of a record; <see cref="SnapshotFormat.NoMark"/> where none can be had: of sequence 0, of a record that retention has removed, or that cannot be read.</summary>
    uint MarkOf(long sequence);

    /// <summary>False when the log has a record of that number and its mark is another. Of what cannot be told, true.</summary>
    bool Has(long sequence, uint mark);
}
