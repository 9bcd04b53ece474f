// What has a store promised so far, and what is it about to do? The two bounds between which every state after a crash must lie.

using System.Collections.Immutable;
using Store.Framing;
using Store.Serialization;

namespace Store.Tests.Recovery;

/// <summary>A record as the log must give it back.</summary>
/// <param name="Type">Name of its schema.</param>
/// <param name="Bytes">Its bytes.</param>
/// <param name="Checksum">Of the bytes: what the state of the life adds up.</param>
internal sealed record LifeRecord(string Type, byte[] Bytes, uint Checksum)
{
    public static LifeRecord Of<T>(T value) => Of(NinoSerializer.SchemaOf<T>().Name, NinoSerializer.Serialize(value));

    public static LifeRecord Of(string type, byte[] bytes) => new(type, bytes, Crc32C.Compute(bytes));
}

/// <summary>What the records of a life amount to: the state that its checkpoints hold.</summary>
[NinoType]
public sealed partial class LifeState
{
    public long Count { get; set; }

    public long Hash { get; set; }

    public void Add(uint checksum)
    {
        Count++;
        Hash = unchecked((Hash * 31) + checksum);
    }
}

/// <summary>Where a cursor stands for certain, and where it may stand as well while it is moved; null means that there is none.</summary>
internal readonly record struct CursorPromise(long? Certain, long? Possible)
{
    public static CursorPromise At(long? position) => new(position, position);
}

/// <summary>The promises of one moment. Immutable, but for the list of records, which only grows while a promise is in use.</summary>
internal sealed record LifePromise
{
    public const int Generations = 2;

    /// <summary>Every record from sequence 1 on, removed ones too, and possibly later ones.</summary>
    public required List<LifeRecord> Records { get; init; }

    /// <summary>How many were appended, or are being appended.</summary>
    public int Appended { get; init; }

    /// <summary>How many survive a power failure for certain.</summary>
    public int Acknowledged { get; init; }

    /// <summary>How many survive the end of the process for certain.</summary>
    public int Flushed { get; init; }

    /// <summary>The first so many came from the source.</summary>
    public int Imported { get; init; }

    /// <summary>Batches: how many records are before each, and in it.</summary>
    public ImmutableList<(int Before, int Count)> Batches { get; init; } = [];

    /// <summary>The log begins here or later.</summary>
    public long Removed { get; init; } = 1;

    /// <summary>The log begins here or earlier: nothing more was given up by anybody.</summary>
    public long MayBeRemoved { get; init; } = 1;

    /// <summary>Sequences of the snapshots that are kept, newest first.</summary>
    public ImmutableList<long> Snapshots { get; init; } = [];

    /// <summary>Sequence of the snapshot that is being written.</summary>
    public long? SnapshotPossible { get; init; }

    /// <summary>True when a truncation was told to leave snapshots without the records they need.</summary>
    public bool SnapshotsIgnored { get; init; }

    public ImmutableSortedDictionary<string, CursorPromise> Cursors { get; init; } = ImmutableSortedDictionary.Create<string, CursorPromise>(StringComparer.Ordinal);

    /// <summary>The last sequence when the log was closed, or is being closed; null when it was not.</summary>
    public int? Closed { get; init; }

    /// <summary>The same of the time before, while it is being closed: nothing need have been written since.</summary>
    public int? ClosedBefore { get; init; }

    /// <summary>True when nobody knows whether it was closed.</summary>
    public bool MayBeClosed { get; init; }

    /// <summary>The last sequence of the copy; 0 when no backup was finished.</summary>
    public int Copied { get; init; }

    public bool IsFollowing => Imported == Records.Count;

    /// <summary>The lowest sequence that a truncation has to leave, as far as something holds it.</summary>
    public long HeldFrom(RetentionHolds ignore = RetentionHolds.None)
    {
        long from = long.MaxValue;
        if (!ignore.HasFlag(RetentionHolds.Snapshots) && OldestKept is { } oldest) from = oldest + 1;
        if (ignore.HasFlag(RetentionHolds.Cursors)) return from;

        // Of a cursor that is being moved, the further place.
        foreach (CursorPromise cursor in Cursors.Values)
            if (cursor is { Certain: { } certain, Possible: { } possible }) from = Math.Min(from, Math.Max(certain, possible) + 1);
        return from;
    }

    /// <summary>The state after so many records.</summary>
    public LifeState StateAt(long count)
    {
        var state = new LifeState();
        for (int i = 0; i < count; i++) state.Add(Records[i].Checksum);
        return state;
    }

    /// <summary>What is certain of a store that was opened after a crash and checked.</summary>
    public LifePromise Recovered(NinoStore store)
    {
        int last = (int)store.LastSequence;
        return this with
        {
            Records = Records[..last],
            Appended = last,
            Acknowledged = last,
            Flushed = last,
            Imported = Math.Min(Imported, last),
            Batches = Batches.RemoveAll(batch => batch.Before + batch.Count > last),
            Removed = store.FirstSequence,
            MayBeRemoved = Math.Max(MayBeRemoved, store.FirstSequence),
            Snapshots = [.. store.Snapshots.Select(static s => s.Sequence)],
            SnapshotPossible = null,
            Cursors = store.Cursors.ToImmutableSortedDictionary(static c => c.Name, c => CursorPromise.At(store.OpenCursor(c.Name).Position), StringComparer.Ordinal),
            Closed = store.Recovery.CleanClose ? last : null,
            ClosedBefore = null,
            MayBeClosed = false,
        };
    }

    // While a snapshot is being written, the oldest of those kept may be gone already.
    private long? OldestKept
    {
        get
        {
            long[] kept = [.. (SnapshotPossible is { } possible ? Snapshots.Insert(0, possible) : Snapshots).Take(Generations)];
            return kept.Length == 0 ? null : kept[^1];
        }
    }
}
