namespace Store.State;

/// <summary>
/// When a <see cref="StateStore{TState}"/> writes checkpoints by itself. Immutable; checked when set. No effect on durability: an event is as durable as any other record,
/// and a checkpoint only spares its replay.
/// </summary>
public sealed record StateOptions
{
    /// <summary>A checkpoint after so many events. From 1 on; <see cref="long.MaxValue"/> for never. Default 1,000,000.</summary>
    public long CheckpointEveryEvents { get; init => field = value >= 1 ? value : throw new ArgumentOutOfRangeException(nameof(CheckpointEveryEvents), value, "At least 1."); } = 1_000_000;

    /// <summary>A checkpoint after so many bytes of events. From 1 on; <see cref="long.MaxValue"/> for never. Default 64 MiB: a second of replay, as an order of magnitude.</summary>
    public long CheckpointEveryBytes { get; init => field = value >= 1 ? value : throw new ArgumentOutOfRangeException(nameof(CheckpointEveryBytes), value, "At least 1."); } = 64L << 20;

    /// <summary>
    /// A checkpoint so much time after the first event that none covers, whether more events come or not, by a timer of the store's <see cref="NinoStoreOptions.TimeProvider"/>; none when there
    /// was no event. More than zero; <see cref="TimeSpan.MaxValue"/> (default) for never.
    /// </summary>
    public TimeSpan CheckpointEvery { get; init => field = value > TimeSpan.Zero ? value : throw new ArgumentOutOfRangeException(nameof(CheckpointEvery), value, "More than zero."); } = TimeSpan.MaxValue;

    /// <summary>Writes a checkpoint when the state is disposed and has events that none covers: slower to close, quicker to open. Default false.</summary>
    public bool CheckpointOnDispose { get; init; }

    /// <summary>
    /// Lets a state begin in a log whose first records retention has removed, with the events that are left: a new state in an old store. Asked only when the state was never opened and there is no snapshot of its type, damaged
    /// or not; from then on the store knows where it begins. Default false: opening is refused with a <see cref="LogTruncatedException"/>, because removed events may have been meant to count.
    /// </summary>
    public bool AllowTruncatedHistory { get; init; }

    /// <summary>
    /// Opens a state whose newest snapshot was written by a program that had no handler of one of the events, or knew it under another name only, where the log has such records in front of the snapshot: the state does not hold
    /// their effect, and never will. For an event that is to count from now on. A checkpoint that is begun when the state is opened notes it, and the option is not needed any more, unless that is damaged and the one before it is used. Default false: opening is refused with an <see cref="InvalidOperationException"/>.
    /// </summary>
    public bool AllowMissedEvents { get; init; }

    /// <summary>
    /// True where no state is ever changed: every handler gives another one, and what an old one refers to stays as it is (records and immutable collections). A checkpoint then keeps the state of its cut and serializes it while events
    /// go on: they wait for nothing, and no copy of it is made in memory. Handlers that change a state in place are refused when it is opened; what a handler that gives a state does to the old one cannot be seen: where it changes it, a
    /// snapshot may hold what never was. Default false: events wait while the state is serialized into memory.
    /// </summary>
    public bool StateIsImmutable { get; init; }
}
