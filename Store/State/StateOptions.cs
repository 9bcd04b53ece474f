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

    /// <summary>A checkpoint with the first event after so much time since the last one, by the store's clock. More than zero; <see cref="TimeSpan.MaxValue"/> (default) for never.</summary>
    public TimeSpan CheckpointEvery { get; init => field = value > TimeSpan.Zero ? value : throw new ArgumentOutOfRangeException(nameof(CheckpointEvery), value, "More than zero."); } = TimeSpan.MaxValue;

    /// <summary>Writes a checkpoint when the state is disposed and has events that none covers: slower to close, quicker to open. Default false.</summary>
    public bool CheckpointOnDispose { get; init; }
}
