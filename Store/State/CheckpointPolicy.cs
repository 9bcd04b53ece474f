namespace Store.State;

/// <summary>
/// When a <see cref="CheckpointSchedule"/> writes a checkpoint: when the first of these is reached. Immutable; checked when set. No effect on durability: a record is as durable as it was appended, and
/// a checkpoint only spares its replay.
/// </summary>
public sealed record CheckpointPolicy
{
    /// <summary>So many records of the log, of any type, since the last one. From 1 on; <see cref="long.MaxValue"/> for never. Default 1,000,000.</summary>
    public long EveryRecords { get; init => field = value >= 1 ? value : throw new ArgumentOutOfRangeException(nameof(EveryRecords), value, "At least 1."); } = 1_000_000;

    /// <summary>So many bytes of the log since the last one, frames and schemas included. From 1 on; <see cref="long.MaxValue"/> for never. Default 64 MiB.</summary>
    public long EveryBytes { get; init => field = value >= 1 ? value : throw new ArgumentOutOfRangeException(nameof(EveryBytes), value, "At least 1."); } = 64L << 20;

    /// <summary>
    /// So much time since the first record that none covers, whether more come or not, by a timer of the store's <see cref="NinoStoreOptions.TimeProvider"/>. More than zero;
    /// <see cref="TimeSpan.MaxValue"/> (default) for never.
    /// </summary>
    public TimeSpan Every { get; init => field = value > TimeSpan.Zero ? value : throw new ArgumentOutOfRangeException(nameof(Every), value, "More than zero."); } = TimeSpan.MaxValue;

    /// <summary>Writes one when the schedule is disposed, by itself or with its store, and there are records that none covers. Default false.</summary>
    public bool OnDispose { get; init; }
}
