namespace Store;

/// <summary>Which records of a log to read: all that fit every bound. Bounds are included.</summary>
public sealed record ReadRange
{
    /// <summary>Every record.</summary>
    public static ReadRange All { get; } = new();

    /// <summary>First sequence. Default 1.</summary>
    public long FromSequence { get; init; } = 1;

    /// <summary>Last sequence. Default none.</summary>
    public long ToSequence { get; init; } = long.MaxValue;

    /// <summary>Earliest time. Default none.</summary>
    public DateTimeOffset FromTime { get; init; } = DateTimeOffset.MinValue;

    /// <summary>Latest time. Default none.</summary>
    public DateTimeOffset ToTime { get; init; } = DateTimeOffset.MaxValue;
}
