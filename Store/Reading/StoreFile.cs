namespace Store;

/// <summary>What a file of a store is.</summary>
public enum StoreFileKind
{
    /// <summary>A segment of a store folder's log.</summary>
    Segment,

    /// <summary>A log in one file.</summary>
    OneFileLog,

    /// <summary>A snapshot.</summary>
    Snapshot,

    /// <summary>Anything else that lies in the folder: the writer's lock, bytes that a recovery cut and kept, files prepared in advance, foreign files.</summary>
    Other,
}

/// <summary>A file of a store, as far as its header, its footer and its successor tell without reading what is between.</summary>
public sealed record StoreFile
{
    /// <summary>Name without a path.</summary>
    public required string Name { get; init; }

    /// <summary>What it is, by its first bytes or, where these are damaged, by its name.</summary>
    public required StoreFileKind Kind { get; init; }

    /// <summary>Length in bytes when the store was opened.</summary>
    public required long LengthBytes { get; init; }

    /// <summary>False when the header does not verify: nothing but the name, kind and length is known.</summary>
    public bool IsReadable { get; init; }

    /// <summary>Number of a segment; the first is 1. 0 for other files.</summary>
    public long SegmentNumber { get; init; }

    /// <summary>True for a segment that ends with its footer: nothing will be appended to it. An open one-file log that was closed before is not.</summary>
    public bool IsSealed { get; init; }

    /// <summary>Sequence of the first record of a segment, whether it is there yet or not; of a snapshot, the last one it covers.</summary>
    public long FirstSequence { get; init; }

    /// <summary>Sequence of the last record of a sealed segment; of a snapshot, the last one it covers. Null where only reading the whole file would tell.</summary>
    public long? LastSequence { get; init; }

    /// <summary>When the file was created, UTC, by its header.</summary>
    public DateTimeOffset? CreatedAt { get; init; }
}
