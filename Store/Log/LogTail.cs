using Store.Retention;
using Store.Serialization;

namespace Store.Log;

/// <summary>What recovery hands to the writer: where the log ends and what its last segment already holds.</summary>
internal sealed record LogTail
{
    public required Guid StoreId { get; init; }

    /// <summary>Headers of all segments, oldest first; empty in a new store.</summary>
    public required IReadOnlyList<SegmentHeader> Segments { get; init; }

    /// <summary>Sequence of the next record.</summary>
    public required long NextSequence { get; init; }

    /// <summary>Highest sequence that the files themselves say was durable: a frame's word, or the existence of a successor.</summary>
    public long SyncedThrough { get; init; }

    /// <summary>End of the last frame of the last segment.</summary>
    public long Offset { get; init; }

    /// <summary>Length of the last segment's file.</summary>
    public long CapacityBytes { get; init; }

    /// <summary>What the last segment's footer will say, so far.</summary>
    public SegmentFooter Summary { get; init; }

    /// <summary>Where sequences are in the last segment.</summary>
    public SegmentIndexBuilder Index { get; init; } = new();

    /// <summary>Time of the last frame, UTC ticks.</summary>
    public long LastTicks { get; init; }

    /// <summary>Header checksum of the last frame, when it is a footer: the last segment is sealed and the log goes on in a new one.</summary>
    public uint? FooterChecksum { get; init; }

    /// <summary>True when the last frame says that the log was closed.</summary>
    public bool IsClosed { get; init; }

    /// <summary>Schemas declared in the last segment, by id.</summary>
    public IReadOnlyDictionary<int, NinoSchema> Schemas { get; init; } = new Dictionary<int, NinoSchema>();

    /// <summary>The mark of the log's end as it is on the disk; null in a new store and in a one-file log.</summary>
    public LogEnd? End { get; init; }

    /// <summary>The random number of this opening, in the mark of the log's end.</summary>
    public ulong Writer { get; init; }

    /// <summary>Greatest epoch seen.</summary>
    public long Epoch { get; init; }
}
