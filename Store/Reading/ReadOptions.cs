using Store.Serialization;

namespace Store;

/// <summary>Which records of a log to read, and how: all that fit every bound. Bounds are included. Immutable.</summary>
public sealed record ReadOptions
{
    /// <summary>Every record, oldest first.</summary>
    public static ReadOptions All { get; } = new();

    /// <summary>First sequence, at least 1. Default 1. Where retention has removed the beginning of the log, reading begins with the first record that is kept.</summary>
    public long FromSequence { get; init => field = value >= 1 ? value : throw new ArgumentOutOfRangeException(nameof(FromSequence), value, "The first record has the sequence 1."); } = 1;

    /// <summary>Last sequence. Default none.</summary>
    public long ToSequence { get; init; } = long.MaxValue;

    /// <summary>Earliest time. Default none.</summary>
    public DateTimeOffset FromTime { get; init; } = DateTimeOffset.MinValue;

    /// <summary>Latest time. Default none. Following ends with the first record that is later, and not when the time has come.</summary>
    public DateTimeOffset ToTime { get; init; } = DateTimeOffset.MaxValue;

    /// <summary>Reads from the last record to the first. Default false. Not for a <see cref="NinoStore.Scan"/> or for following, which go forward only.</summary>
    public bool NewestFirst { get; init; }

    /// <summary>
    /// Reads only what is known to survive a power failure. Default false: everything appended before the reading began. The process that writes knows it;
    /// a <see cref="StoreReader"/> and a store that is open for reading only know what the frames in the files say, which may be less. Following from outside is refused with it.
    /// </summary>
    public bool DurableOnly { get; init; }

    /// <summary>Schema names of the types to read; null for all. Records of other types are passed over before they are decoded.</summary>
    public IReadOnlyCollection<string>? Types { get; init; }

    /// <summary>These options, with a type added to those that are read.</summary>
    public ReadOptions Of<T>() => this with { Types = [.. Types ?? [], .. NinoCodec<T>.Default.Schema.Names] };

    /// <exception cref="ArgumentException">The options cannot be followed.</exception>
    internal void ThrowUnlessFollowedFromOutside(string parameter)
    {
        if (NewestFirst) throw GoesBackward(parameter);
        if (DurableOnly) throw new ArgumentException("Followed from outside, it is not known what is durable: leave ReadOptions.DurableOnly out, or follow in the process that writes.", parameter);
    }

    internal static ArgumentException GoesBackward(string parameter) => new("Following goes forward only.", parameter);

    internal bool Wants(NinoSchema schema) => Types is null || Types.Contains(schema.Name);
}
