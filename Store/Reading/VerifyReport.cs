using Store.Log;
using Store.Serialization;

namespace Store;

/// <summary>What reading every byte of a store found.</summary>
public sealed record VerifyReport
{
    /// <summary>Each file that was read, in the order of the log, then snapshots.</summary>
    public required IReadOnlyList<VerifiedFile> Files { get; init; }

    /// <summary>The types of the log's records, most bytes first. A type whose shape changed is here once for each schema.</summary>
    public required IReadOnlyList<VerifiedType> Types { get; init; }

    /// <summary>The schemas that the files declare, each once, in the order in which they were met.</summary>
    public IReadOnlyList<NinoSchema> Schemas => [.. Files.SelectMany(static f => f.Schemas).Distinct(SameSchema.Comparer)];

    /// <summary>What is damaged, in the order in which it was found.</summary>
    public required IReadOnlyList<StoreDamage> Damage { get; init; }

    /// <summary>Bytes read.</summary>
    public required long BytesRead { get; init; }

    /// <summary>Frames of the log that verified.</summary>
    public long Frames => Files.Sum(static f => f.Frames);

    /// <summary>Records in those frames.</summary>
    public long Records => Files.Sum(static f => f.Records);

    /// <summary>True when corruption was found.</summary>
    public bool IsCorrupt => Damage.Any(static d => d.Kind == StoreDamageKind.Corruption);

    /// <summary>True when a torn tail was found: bytes never acknowledged as durable, which the next opening for writing cuts.</summary>
    public bool HasTornTail => Damage.Any(static d => d.Kind == StoreDamageKind.TornTail);
}

/// <summary>One file after it was read.</summary>
public sealed record VerifiedFile
{
    /// <summary>The file.</summary>
    public required StoreFile File { get; init; }

    /// <summary>Frames that verified, schemas and marks included; 0 for a snapshot.</summary>
    public long Frames { get; init; }

    /// <summary>Records in those frames.</summary>
    public long Records { get; init; }

    /// <summary>Bytes of the records themselves.</summary>
    public long RecordBytes { get; init; }

    /// <summary>The snapshots that the log names here, in its order. Their files may be gone by right.</summary>
    public IReadOnlyList<NotedCheckpoint> Checkpoints { get; init; } = [];

    /// <summary>Random number of a snapshot, which its note in the log repeats; 0 for other files.</summary>
    public ulong SnapshotId { get; init; }

    /// <summary>Bytes up to the end of the last frame that verified; the rest is zeros or damage. Of a snapshot, its length.</summary>
    public long UsedBytes { get; init; }

    /// <summary>Sequence of the first record found; 0 when there is none.</summary>
    public long FirstSequence { get; init; }

    /// <summary>Sequence of the last record found; 0 when there is none.</summary>
    public long LastSequence { get; init; }

    /// <summary>Time of the first record found, UTC.</summary>
    public DateTimeOffset? FirstTime { get; init; }

    /// <summary>Time of the last record found, UTC.</summary>
    public DateTimeOffset? LastTime { get; init; }

    /// <summary>Schemas the file declares, in order; of a snapshot, those of its parts.</summary>
    public IReadOnlyList<NinoSchema> Schemas { get; init; } = [];

    /// <summary>The parts of a snapshot, in the order of the file; empty for other files.</summary>
    public IReadOnlyList<VerifiedPart> Parts { get; init; } = [];

    /// <summary>True when the file ends with a footer.</summary>
    public bool IsSealed { get; init; }

    /// <summary>True when the last frame says that the log was closed.</summary>
    public bool IsClosed { get; init; }
}

/// <summary>A part of a snapshot after it was read.</summary>
/// <param name="Name">Its name; empty for the only part of a state's snapshot.</param>
/// <param name="Schema">The description of the value, or of each item.</param>
/// <param name="HasItems">True when it is a stream of items.</param>
/// <param name="Items">Number of items; null for one value, and where the item index is damaged.</param>
/// <param name="LengthBytes">Bytes of its data: of the value, or of all items with their directories.</param>
/// <param name="Damage">What is damaged of it, as in the report's own list.</param>
public sealed record VerifiedPart(string Name, NinoSchema Schema, bool HasItems, long? Items, long LengthBytes, IReadOnlyList<StoreDamage> Damage);

/// <summary>Records of one schema.</summary>
/// <param name="Schema">The schema.</param>
/// <param name="Records">Number of records.</param>
/// <param name="RecordBytes">Their bytes.</param>
/// <param name="FirstSequence">Sequence of the first of them.</param>
/// <param name="LastSequence">Sequence of the last of them.</param>
public sealed record VerifiedType(NinoSchema Schema, long Records, long RecordBytes, long FirstSequence, long LastSequence);

/// <summary>What the log says of a snapshot that was published.</summary>
/// <param name="Sequence">Last sequence that it covers.</param>
/// <param name="SnapshotId">Its random number.</param>
/// <param name="FileName">The file's name then.</param>
public sealed record NotedCheckpoint(long Sequence, ulong SnapshotId, string FileName);
