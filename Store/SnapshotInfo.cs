namespace Store;

/// <summary>A snapshot that was written or found.</summary>
/// <param name="FileName">Its file.</param>
/// <param name="Sequence">Last sequence whose effect it holds.</param>
/// <param name="Timestamp">When it was written (UTC).</param>
/// <param name="LengthBytes">Size of the file.</param>
/// <param name="TypeName">Schema name of the state.</param>
public sealed record SnapshotInfo(string FileName, long Sequence, DateTimeOffset Timestamp, long LengthBytes, string TypeName)
{
    /// <summary>Random number of the file, which its note in the log repeats; stays when the file is copied or renamed.</summary>
    public ulong SnapshotId { get; init; }
}
