using Store.Snapshots;

namespace Store;

/// <summary>What opening a store found and did. Empty of damage after a clean close.</summary>
public sealed record RecoveryReport
{
    /// <summary>True when the store did not exist and was created.</summary>
    public bool Created { get; init; }

    /// <summary>True when the log was closed properly and opening found no damage: nothing was cut, nothing is missing, and no snapshot, cursor or keyed state is ahead of the log. True again, too, where an opening before this one cut all that came after the closing mark and wrote nothing.</summary>
    public bool CleanClose { get; init; }

    /// <summary>Sequence of the last record after recovery; 0 when there is none.</summary>
    public long LastSequence { get; init; }

    /// <summary>Number of segments.</summary>
    public int Segments { get; init; }

    /// <summary>Frames read and verified.</summary>
    public long FramesVerified { get; init; }

    /// <summary>Records in those frames.</summary>
    public long RecordsVerified { get; init; }

    /// <summary>Bytes that were cut: a torn tail, never acknowledged as durable, or in <see cref="RecoveryMode.Salvage"/> also what follows lost records.</summary>
    public long BytesCut { get; init; }

    /// <summary>File in which the cut bytes were kept, or null.</summary>
    public string? CutBytesFile { get; init; }

    /// <summary>Leftover files that were removed.</summary>
    public IReadOnlyList<string> FilesRemoved { get; init; } = [];

    /// <summary>Damage found, each with file, offset and meaning.</summary>
    public IReadOnlyList<StoreDamage> Damage { get; init; } = [];

    /// <summary>Snapshot that the last restore used, or null when none was asked for or found.</summary>
    public string? SnapshotUsed { get; init; }

    /// <summary>Records that the last restore replayed.</summary>
    public long RecordsReplayed { get; init; }
}

/// <summary>One damaged place.</summary>
/// <param name="File">Name of the file.</param>
/// <param name="Offset">Offset in bytes.</param>
/// <param name="LengthBytes">Bytes concerned, as far as known.</param>
/// <param name="Kind">Torn tail, or corruption of acknowledged bytes.</param>
/// <param name="Message">What is wrong.</param>
public sealed record StoreDamage(string File, long Offset, long LengthBytes, StoreDamageKind Kind, string Message)
{
    /// <summary>
    /// Of damage in a snapshot's name: why the snapshot cannot be used; null for damage of anything else. <see cref="SnapshotFailureKind.AheadOfLog"/>, <see cref="SnapshotFailureKind.OtherHistory"/> and
    /// <see cref="SnapshotFailureKind.ForeignStore"/> say more of the log beside it than of its own bytes, which may be whole.
    /// </summary>
    public SnapshotFailureKind? SnapshotFailure { get; init; }
}

/// <summary>What a damaged place means.</summary>
public enum StoreDamageKind
{
    /// <summary>Bytes a crash left unfinished; never acknowledged as durable.</summary>
    TornTail,

    /// <summary>Bytes that were once acknowledged as durable; for who looks into the files, also bytes that the disk cannot read.</summary>
    Corruption,
}
