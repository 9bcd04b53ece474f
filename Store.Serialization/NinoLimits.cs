namespace Store.Serialization;

/// <summary>
/// Bounds that hold for every read and write unless a caller passes others. They exist because bytes can be hostile: a few bytes must never
/// cost unbounded memory, stack or time. Immutable; share one instance between threads.
/// </summary>
public sealed record NinoLimits
{
    /// <summary>The defaults: depth 64, 1 GiB a record, 2^28 steps between keys of one bucket, 16 times the length under a plan.</summary>
    public static NinoLimits Default { get; } = new();

    /// <summary>The most that <see cref="MaxDepth"/> can be.</summary>
    internal const int DepthMax = 1000;

    /// <summary>How deep objects of recursive types may nest. 1 to 1,000. Default 64. Guards the stack on reading and finds cycles on writing.</summary>
    public int MaxDepth
    {
        get;
        init => field = value is >= 1 and <= DepthMax ? value : throw new ArgumentOutOfRangeException(nameof(MaxDepth), value, "MaxDepth must be from 1 to 1000.");
    } = 64;

    /// <summary>How many bytes one serialized record may take. 1 or more; more than 2,147,483,591, the most that one array holds, is taken as that. Default 1 GiB.</summary>
    public int MaxRecordBytes
    {
        get;
        init => field = value >= 1 ? Math.Min(value, Array.MaxLength) : throw new ArgumentOutOfRangeException(nameof(MaxRecordBytes), value, "MaxRecordBytes must be at least 1.");
    } = 1 << 30;

    /// <summary>
    /// How many steps beyond the ordinary reading one record may take between keys that fall into one bucket of a hashed set or dictionary. 0 or more. Default 2^28 (268,435,456),
    /// about a second. Guards the time of reading: of numbers, dates, Guids, enums and most structs anybody can make keys that all fall together, and reading n of them takes
    /// n²/2 steps. Counted is only what is beyond the ordinary: neither the first 16 keys of a bucket nor collections of up to 1,024 keys, nor keys that are declared as strings: of
    /// these the runtime's own collections take another hash code in each process, all but the frozen ones (docs/types.md). Raise it for data of your own whose keys have few hash codes, as <c>((long)x &lt;&lt; 32) | y</c> has
    /// (docs/types.md). Counted too are the names of an exception's Data, which is a list, and, inside of more than eight objects of recursive types, four for each byte that is encoded to see whether filling a collection without a setter changed
    /// another (docs/types.md, "Collections without a setter"). What a store reads of its own files has no such limit.
    /// </summary>
    public long MaxKeyComparisons
    {
        get;
        init => field = value >= 0 ? value : throw new ArgumentOutOfRangeException(nameof(MaxKeyComparisons), value, "MaxKeyComparisons must not be negative.");
    } = 1 << 28;

    /// <summary>
    /// How many times its own length a record of another shape may have when it is rewritten in the shape of the type now (docs/evolution.md). 1 or more. Default 16. A record that becomes no longer than 1 MiB
    /// is never refused for it. Guards memory: the schema in front of a record may come from anybody and declare types with fewer members than the program's, and what each object lacks is filled with
    /// what a new one has, which costs the sender nothing. It bounds, too, the memory of elements of collections that are structs with less than a sixteenth of it in the record, as absent values of large
    /// structs have, and of absent values of a kilobyte and more in objects: all of a record's take at most so many times its length, or <see cref="MaxRecordBytes"/> where that is more. 16 is what a list of bytes grows by that becomes one of decimals. Raise it for many small objects of your own that gained much. What a store
    /// reads of its own files has no such limit.
    /// </summary>
    public int MaxGrowth
    {
        get;
        init => field = value >= 1 ? value : throw new ArgumentOutOfRangeException(nameof(MaxGrowth), value, "MaxGrowth must be at least 1.");
    } = 16;

    /// <summary>How long a stored record of so many bytes may become.</summary>
    internal int MostGrown(int storedBytes) => (int)Math.Min(MaxRecordBytes, Math.Max(AlwaysGrown, (long)storedBytes * MaxGrowth));

    // Records of usual length may gain what they like.
    private const int AlwaysGrown = 1 << 20;
}
