namespace Store;

/// <summary>Settings of a backup. Immutable.</summary>
public sealed record BackupOptions
{
    /// <summary>
    /// Also reads through the segments that an earlier backup had copied, and copies anew what does not verify: what a disk has lost since is found while the store still has it. Default false: of those only the length and the footer are looked at,
    /// because reading them takes as long as a first backup. What is copied is read through in any case.
    /// </summary>
    public bool VerifiesKept { get; init; }
}

/// <summary>What a backup did.</summary>
/// <param name="FirstSequence">First sequence of the copied log.</param>
/// <param name="LastSequence">Last sequence of the copied log.</param>
/// <param name="FilesCopied">Files written.</param>
/// <param name="FilesKept">Files that an earlier backup had copied already.</param>
/// <param name="BytesCopied">Bytes written.</param>
public sealed record BackupResult(long FirstSequence, long LastSequence, int FilesCopied, int FilesKept, long BytesCopied)
{
    /// <summary>
    /// What the store has and the copy may be unable to open by itself, and a snapshot from which only the copy restores: the store has none of that type any more. Empty when the copy opens to what the store does. As long as something is left out, nothing is removed from a copy that was there before: what it had of it, it can
    /// still open.
    /// </summary>
    public IReadOnlyList<BackupOmission> Omitted { get; init; } = [];
}

/// <summary>What a backup did not copy.</summary>
/// <param name="Name">The file of a snapshot, or the name of a keyed state.</param>
/// <param name="Reason">Why, and what to do.</param>
public sealed record BackupOmission(string Name, string Reason);
