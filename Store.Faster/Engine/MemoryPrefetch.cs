// What does an operation on a large state wait for? Memory: the bucket of the key in the index, then the record, both in no order. A put has work to do before it needs them (encoding the value, appending
// to the log); this asks for the bucket before that work and for the record during it. An address asked for is a hint: the processor ignores one that is not there, and no result depends on it.
//
//   bucket   8 words of 64 bits at index + 64 * (hash & mask): seven entries, and a word of FASTER's own
//   entry    63 tentative | 62 pending | 61-48 tag, the hash's highest 14 bits | 47-0 address of the newest record of the tag
//
// Measured in docs/performance.md, "Keyed state".

using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics.X86;
using Store.KeyValue.Changes;

namespace Store.Faster.Engine;

/// <summary>Asks for memory ahead of an operation. Safe for any number of threads; changes nothing.</summary>
internal sealed unsafe class MemoryPrefetch : IKeyListener
{
    private const int TagBits = 14, TagShift = 48, Entries = EngineMemory.BucketWords - 1, CacheLineBytes = 64, MaxLines = 4;
    private const ulong TagMask = ((1UL << TagBits) - 1) << TagShift, AddressMask = (1UL << TagShift) - 1;

    private readonly EngineMemory? _memory;
    private readonly ulong* _buckets;
    private readonly ulong _bucketMask;
    private readonly long[] _pages = [];
    private readonly int _pageSizeBits;

    /// <param name="memory">Where FASTER's memory is; null asks for nothing.</param>
    public MemoryPrefetch(EngineMemory? memory)
    {
        if (memory is null || !Sse.IsSupported) return;
        _memory = memory;
        _buckets = memory.Buckets;
        (_bucketMask, _pages, _pageSizeBits) = ((ulong)memory.BucketCount - 1, memory.Pages, memory.PageSizeBits);
    }

    /// <summary>True when there is something to ask.</summary>
    public bool IsActive => _memory is not null;

    /// <summary>Asks for the bucket of an encoded key.</summary>
    public void Hear(ReadOnlySpan<byte> key) => Bucket(KeyHash.Compute(key));

    /// <summary>Asks for the bucket of a key.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Bucket(ulong hash)
    {
        if (_memory is not null) Sse.Prefetch0(BucketOf(hash));
    }

    /// <summary>Asks for the newest record of a key's tag. Reads the bucket, so it waits for that.</summary>
    /// <param name="hash">The key's hash.</param>
    /// <param name="lengthBytes">How much of the record, from its beginning.</param>
    public void Record(ulong hash, int lengthBytes)
    {
        if (_memory is null) return;
        ulong* bucket = BucketOf(hash);
        ulong tag = hash >> (64 - TagBits) << TagShift;
        for (int i = 0; i < Entries; i++)
        {
            ulong entry = Volatile.Read(ref bucket[i]);
            if (((entry ^ tag) & TagMask) != 0 || entry == 0) continue;

            // A record that is on the disk has another one's place, or none: asking for that is in vain, and harmless.
            ulong address = entry & AddressMask;
            byte* record = (byte*)_pages[(int)(address >> _pageSizeBits) & (_pages.Length - 1)] + (address & ((1UL << _pageSizeBits) - 1));
            int lines = Math.Min((lengthBytes + CacheLineBytes - 1) / CacheLineBytes, MaxLines);
            for (int line = 0; line < lines; line++) Sse.Prefetch0(record + (line * CacheLineBytes));
            return;
        }
    }

    // Bounded by the mask: one of the buckets of the array that _memory holds.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private ulong* BucketOf(ulong hash) => _buckets + ((hash & _bucketMask) * EngineMemory.BucketWords);
}
