// Where are FASTER's index and records in memory? It does not tell, so this reads it, once, out of fields that are not public, by the names of the one version it is built with. Where one is not found or is
// not what is expected, there is no answer, and what rests on it (MemoryPrefetch, LargePages) is left out: slower, nothing else. The arrays are held, so that reading them is reading memory that is there.

using System.Numerics;
using System.Reflection;
using FASTER.core;

namespace Store.Faster.Engine;

/// <summary>FASTER's index and the places of its records' pages. Immutable; stands for them until FASTER replaces its index, which only recovery does.</summary>
internal sealed unsafe class EngineMemory
{
    /// <summary>Words of 64 bits in a bucket, which is a line of the cache.</summary>
    public const int BucketWords = FasterOptions.HashBucketBytes / sizeof(ulong);

    private readonly Array _held;

    private EngineMemory(Array held, ulong* buckets, long bucketCount, long[] pages, int pageSizeBits)
    {
        (_held, BucketCount, Pages, PageSizeBits) = (held, bucketCount, pages, pageSizeBits);
        Buckets = buckets;
    }

    /// <summary>The first bucket of the index.</summary>
    public ulong* Buckets { get; }

    /// <summary>How many there are: a power of two, all of them inside an array that is pinned and held by this.</summary>
    public long BucketCount { get; }

    /// <summary>The address of each page of the record log, by its number modulo the length, a power of two; 0 where there is none. FASTER changes it.</summary>
    public long[] Pages { get; }

    /// <summary>Logarithm of a page's bytes.</summary>
    public int PageSizeBits { get; }

    /// <summary>Looks for it; null when this is not the FASTER that is known here.</summary>
    public static EngineMemory? Find(FasterKV<SpanByte, SpanByte> kv)
    {
        if (Field(kv, "resizeInfo") is not { } resize || Field(resize, "version") is not int version
            || Field(kv, "state") is not Array tables || (uint)version >= (uint)tables.Length || tables.GetValue(version) is not { } table
            || Field(table, "tableRaw") is not Array raw || Field(table, "tableAligned") is not Pointer aligned || Field(table, "size") is not long count || Field(table, "size_mask") is not long mask
            || Field(kv, "hlog") is not { } records || Field(records, "pointers") is not long[] pages || Field(records, "LogPageSizeBits") is not int pageSizeBits) return null;
        bool isKnown = count > 0 && BitOperations.IsPow2(count) && mask == count - 1 && raw.LongLength >= count && BitOperations.IsPow2(pages.Length) && BitConverter.IsLittleEndian;
        return isKnown ? new EngineMemory(raw, (ulong*)Pointer.Unbox(aligned), count, pages, pageSizeBits) : null;

        static object? Field(object of, string name) => of.GetType().GetField(name, BindingFlags.Instance | BindingFlags.NonPublic | BindingFlags.Public)?.GetValue(of);
    }
}
