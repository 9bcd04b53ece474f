namespace Store.Serialization;

/// <summary>
/// Bounds that hold for every read and write unless a caller passes others. They exist because bytes can be hostile: a few bytes must never
/// cost unbounded memory, stack or time. Immutable; share one instance between threads.
/// </summary>
public sealed record NinoLimits
{
    /// <summary>The defaults: depth 64, 1 GiB a record.</summary>
    public static NinoLimits Default { get; } = new();

    /// <summary>How deep objects of recursive types may nest. 1 to 1,000. Default 64. Guards the stack on reading and finds cycles on writing.</summary>
    public int MaxDepth
    {
        get;
        init => field = value is >= 1 and <= 1000 ? value : throw new ArgumentOutOfRangeException(nameof(MaxDepth), value, "MaxDepth must be from 1 to 1000.");
    } = 64;

    /// <summary>How many bytes one serialized record may take. Default 1 GiB.</summary>
    public int MaxRecordBytes
    {
        get;
        init => field = value >= 1 ? value : throw new ArgumentOutOfRangeException(nameof(MaxRecordBytes), value, "MaxRecordBytes must be at least 1.");
    } = 1 << 30;
}
