namespace Store;

/// <summary>
/// Which records may go: all that any of the limits gives up. Whole segments are removed, so up to a segment more is kept than asked for; what a snapshot, a
/// cursor, a state or a keyed state still needs is kept in any case, and where that is much, the log of <see cref="NinoStoreOptions.LoggerFactory"/> is told (<see cref="TruncateResult.HeldBy"/>). Applied whenever a segment is begun, when a log is opened whose last segment is complete, by <see cref="NinoStore.ApplyRetention"/>, and, where it has a <see cref="MaxAge"/>, by time. Immutable.
/// </summary>
public sealed record RetentionPolicy
{
    /// <summary>
    /// Records older than this may go. Default: none by age. Age is by <see cref="NinoStoreOptions.TimeProvider"/>, and never more than what its timestamps, which nobody sets, say has passed since the store saw the
    /// records' segment end: a clock that is set forward removes nothing early, one that is set back keeps records longer. While the store is open it is looked at every quarter of the age, at least once an hour and at most once a second,
    /// so a log that stands still gives up what has become too old, except the segment that is written. A program that is done sooner calls <see cref="NinoStore.ApplyRetention"/> once it has restored its state.
    /// </summary>
    public TimeSpan? MaxAge { get; init => field = value is null || value > TimeSpan.Zero ? value : throw new ArgumentOutOfRangeException(nameof(MaxAge), value, "An age is positive."); }

    /// <summary>While the segment files take more bytes than this, the oldest may go. Default: none by size.</summary>
    public long? MaxBytes { get; init => field = value is null or > 0 ? value : throw new ArgumentOutOfRangeException(nameof(MaxBytes), value, "A size is positive."); }

    /// <summary>More than this many of the newest records need not be kept. Default: none by count.</summary>
    public long? MaxRecords { get; init => field = value is null or > 0 ? value : throw new ArgumentOutOfRangeException(nameof(MaxRecords), value, "A count is positive."); }
}

/// <summary>What keeps records in the log.</summary>
[Flags]
public enum RetentionHolds
{
    /// <summary>Nothing.</summary>
    None = 0,

    /// <summary>Snapshots: the records after the oldest one kept are needed to restore.</summary>
    Snapshots = 1,

    /// <summary>Cursors: the records after each are still to be read.</summary>
    Cursors = 2,

    /// <summary>Keyed states: the records after their oldest checkpoint are needed to open them.</summary>
    KeyedStates = 4,

    /// <summary>States that were opened with <see cref="StateStoreExtensions.OpenStateAsync{TState}(NinoStore, Action{State.StateHandlers{TState}}, State.StateOptions, CancellationToken)"/>: the records after their checkpoint before the last are needed to open them, and all as long as there is none.</summary>
    States = 8,
}

/// <summary>What a truncation did.</summary>
/// <param name="FirstSequence">First sequence that is in the log now.</param>
/// <param name="SegmentsRemoved">Segment files removed.</param>
/// <param name="BytesRemoved">Their bytes.</param>
/// <param name="HeldBy">What kept more from being removed, and the sequence after which it needs the log; null when nothing did but the size of segments.</param>
public sealed record TruncateResult(long FirstSequence, int SegmentsRemoved, long BytesRemoved, string? HeldBy);
