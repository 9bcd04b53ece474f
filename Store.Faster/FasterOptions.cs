using System.Numerics;

namespace Store.Faster;

/// <summary>
/// Memory settings of one keyed state, and when it writes checkpoints by itself. Immutable; every value is checked when set, their relation when the state is opened. None has any effect on
/// durability: a checkpoint only spares replay. FASTER's own defaults (16 GiB of memory) are never used. All sizes of memory are powers of two.
/// </summary>
public sealed record FasterOptions
{
    internal const int HashBucketBytes = 64;

    /// <summary>
    /// Memory of the hash index, in bytes. 4 KiB to 64 GiB. Default 8 MiB. A key takes 8 bytes: about 16 bytes a key keep lookups at one step; with fewer, keys share
    /// chains and reads slow down, nothing breaks. Each checkpoint writes it whole. A checkpoint written with another size is still used, with its size.
    /// </summary>
    public long IndexSizeBytes { get; init => field = PowerOfTwo(value, 4096, 64L << 30, nameof(IndexSizeBytes)); } = 8 << 20;

    /// <summary>
    /// Page of the record memory, in bytes: what is written to the file at once and the largest record (key, value and about 24 bytes). 4 KiB to 256 MiB. Default 1 MiB.
    /// Changing it makes the next opening rebuild the state from the log; where retention has removed any of its changes, or one is damaged or does not fit, that is an exception which names the size to open it with, and nothing is changed.
    /// </summary>
    public int PageSizeBytes { get; init => field = (int)PowerOfTwo(value, 4096, 256 << 20, nameof(PageSizeBytes)); } = 1 << 20;

    /// <summary>
    /// Memory for records, in bytes: at least four pages. 16 KiB to 1 TiB. Default 64 MiB. Records beyond it are on the disk and cost one read each. A checkpoint writes at most
    /// this much anew.
    /// </summary>
    public long MemorySizeBytes { get; init => field = PowerOfTwo(value, 16 * 1024, 1L << 40, nameof(MemorySizeBytes)); } = 64 << 20;

    /// <summary>How many operations run in the engine at once; more wait their turn. 1 to 1024. Default four per processor, at most 64. Each costs a few KiB.</summary>
    public int MaxSessions
    {
        get;
        init => field = value is >= 1 and <= 1024 ? value : throw new ArgumentOutOfRangeException(nameof(MaxSessions), value, $"{nameof(MaxSessions)} must be from 1 to 1024.");
    } = Math.Clamp(Environment.ProcessorCount * 4, 4, 64);

    /// <summary>A checkpoint after so many changes. From 1 on; <see cref="long.MaxValue"/> for never. Default 1,000,000. Noticed a little late: after a quarter more at most, and 8,192 changes.</summary>
    public long CheckpointEveryChanges { get; init => field = AtLeastOne(value, nameof(CheckpointEveryChanges)); } = 1_000_000;

    /// <summary>A checkpoint after so many bytes of change records. From 1 on; <see cref="long.MaxValue"/> for never. Default 256 MiB: some seconds of replay, as an order of magnitude. Noticed a little late: after a quarter more at most, and one change.</summary>
    public long CheckpointEveryBytes { get; init => field = AtLeastOne(value, nameof(CheckpointEveryBytes)); } = 256L << 20;

    /// <summary>A checkpoint so much time after the first change that none covers, by the store's clock; no change is needed for it, and without any there is none. More than zero; <see cref="TimeSpan.MaxValue"/> (default) for never.</summary>
    public TimeSpan CheckpointEvery { get; init => field = value > TimeSpan.Zero ? value : throw new ArgumentOutOfRangeException(nameof(CheckpointEvery), value, "More than zero."); } = TimeSpan.MaxValue;

    /// <summary>Writes a checkpoint when the keyed state is disposed and has changes that none has: slower to close, quicker to open. Default false.</summary>
    public bool CheckpointOnDispose { get; init; }

    /// <summary>Logarithm of a record file's bytes: 64 pages, at least 64 MiB, at most 1 GiB. A matter of the page size alone, so that no other setting moves a record. Tests, whose states are small, have smaller files.</summary>
    internal int RecordFileSizeBits { get => Math.Max(PageSizeBits, field == 0 ? Math.Clamp(PageSizeBits + 6, 26, 30) : field); init; }

    /// <summary>No change is taken once the record log has pages from here on: FASTER's addresses end at 2^47 and its page numbers at 2^31, and it checks neither. Half of that, so that changes under way and what is in memory still fit.</summary>
    internal long MostRecordLogBytes { get => field == 0 ? Math.Min(1L << 46, (long)PageSizeBytes << 30) : field; init; }

    internal int PageSizeBits => BitOperations.Log2((uint)PageSizeBytes);

    internal int MemorySizeBits => BitOperations.Log2((ulong)MemorySizeBytes);

    internal void CheckRelations()
    {
        if (MemorySizeBytes < 4L * PageSizeBytes)
            throw new ArgumentException($"{nameof(MemorySizeBytes)} ({MemorySizeBytes}) must hold at least four pages of {nameof(PageSizeBytes)} ({PageSizeBytes}).");
    }

    private static long AtLeastOne(long value, string name) => value >= 1 ? value : throw new ArgumentOutOfRangeException(name, value, "At least 1.");

    private static long PowerOfTwo(long value, long min, long max, string name) =>
        value >= min && value <= max && BitOperations.IsPow2(value)
            ? value
            : throw new ArgumentOutOfRangeException(name, value, $"{name} must be a power of two from {min} to {max}.");
}
