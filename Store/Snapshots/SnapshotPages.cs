// Are these bytes of the data section what was written? The page table answers for each page, once: a bit remembers the pages that verified. The table itself
// is verified when the first page is asked for, so that opening costs the same whatever the size.

using System.Buffers.Binary;
using Store.Framing;
using Store.IO;

namespace Store.Snapshots;

/// <summary>The pages of one data section over a mapped file whose header has been verified. Safe for any number of threads.</summary>
internal sealed class SnapshotPages(IStoreMapping mapping, SnapshotSection data, SnapshotSection table, int pageSize)
{
    /// <summary>What <see cref="FindDamage"/> returns for a whole range.</summary>
    public const long None = -1;

    /// <summary>What <see cref="FindDamage"/> returns when the page table itself is damaged: then nothing of the data can be believed.</summary>
    public const long TableDamaged = -2;

    // Allocated on first touch, so that opening allocates nothing that grows with the data. Its presence says that the table is right.
    private int[]? _verified;

    public long Count => SnapshotFormat.PageCountOf(data.LengthBytes, pageSize);

    /// <summary>Verifies the pages that a range of the data section touches, except those that verified before.</summary>
    /// <returns>The first damaged page, <see cref="None"/> or <see cref="TableDamaged"/>.</returns>
    public long FindDamage(long offset, long lengthBytes)
    {
        if (lengthBytes == 0) return None;
        if ((_verified ?? Allocate()) is not { } verified) return TableDamaged;
        long last = (offset + lengthBytes - 1) / pageSize;
        for (long page = offset / pageSize; page <= last; page++)
            if (!Verify(verified, page)) return page;
        return None;
    }

    /// <summary>As <see cref="FindDamage"/> for all data, on all processors.</summary>
    public long FindDamageInParallel()
    {
        const int pagesAtOnce = 64;
        if (Count <= pagesAtOnce) return FindDamage(0, data.LengthBytes);
        if ((_verified ?? Allocate()) is not { } verified) return TableDamaged;
        long first = long.MaxValue;
        Parallel.For(0, (Count + pagesAtOnce - 1) / pagesAtOnce, (run, loop) =>
        {
            for (long page = run * pagesAtOnce; page < Math.Min(Count, (run + 1) * pagesAtOnce); page++)
            {
                if (Verify(verified, page)) continue;
                for (long seen = Volatile.Read(ref first); page < seen; seen = Volatile.Read(ref first)) Interlocked.CompareExchange(ref first, page, seen);
                loop.Break();
                return;
            }
        });
        return first == long.MaxValue ? None : first;
    }

    /// <summary>Where a page lies in the file.</summary>
    public (long Offset, int LengthBytes) RangeOf(long page)
    {
        long start = page * pageSize;
        return (data.Offset + start, (int)Math.Min(pageSize, data.LengthBytes - start));
    }

    private bool Verify(int[] verified, long page)
    {
        int bit = 1 << (int)(page % 32);
        ref int word = ref verified[page / 32];
        if ((Volatile.Read(ref word) & bit) != 0) return true;

        (long offset, int length) = RangeOf(page);
        uint expected = BinaryPrimitives.ReadUInt32LittleEndian(mapping.Span(table.Offset + (page * SnapshotFormat.PageChecksumSize), SnapshotFormat.PageChecksumSize));
        if (Crc32C.Compute(mapping.Span(offset, length)) != expected) return false;
        Interlocked.Or(ref word, bit);
        return true;
    }

    private int[]? Allocate()
    {
        if (Crc32C.Compute(mapping.Span(table.Offset, (int)table.LengthBytes)) != table.Checksum) return null;
        var fresh = new int[(Count / 32) + 1];
        return Interlocked.CompareExchange(ref _verified, fresh, null) ?? fresh;
    }
}
