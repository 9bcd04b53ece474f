// Are these bytes of the data section what was written? The page table answers for each page, once: a bit remembers the pages that verified.

using System.Buffers.Binary;
using Store.Framing;
using Store.IO;

namespace Store.Snapshots;

/// <summary>The pages of one data section over a mapped file whose page table has been verified. Safe for any number of threads.</summary>
internal sealed class SnapshotPages(IStoreMapping mapping, SnapshotHeader header)
{
    private readonly SnapshotSection _data = header.Data;
    private readonly SnapshotSection _table = header.PageTable;
    private readonly int _pageSize = header.PageSize;

    // Allocated on first touch, so that opening allocates nothing that grows with the data.
    private int[]? _verified;

    /// <summary>Verifies the pages that a range of the data section touches, except those that verified before.</summary>
    /// <returns>The first damaged page, or -1.</returns>
    public long FindDamage(long offset, long lengthBytes)
    {
        if (lengthBytes == 0) return -1;
        long last = (offset + lengthBytes - 1) / _pageSize;
        for (long page = offset / _pageSize; page <= last; page++)
            if (!Verify(page)) return page;
        return -1;
    }

    /// <summary>Where a page lies in the file.</summary>
    public (long Offset, int LengthBytes) RangeOf(long page)
    {
        long start = page * _pageSize;
        return (_data.Offset + start, (int)Math.Min(_pageSize, _data.LengthBytes - start));
    }

    public long Count => SnapshotFormat.PageCountOf(_data.LengthBytes, _pageSize);

    private bool Verify(long page)
    {
        int[] verified = _verified ?? Allocate();
        int bit = 1 << (int)(page % 32);
        ref int word = ref verified[page / 32];
        if ((Volatile.Read(ref word) & bit) != 0) return true;

        (long offset, int length) = RangeOf(page);
        uint expected = BinaryPrimitives.ReadUInt32LittleEndian(mapping.Span(_table.Offset + (page * SnapshotFormat.PageChecksumSize), SnapshotFormat.PageChecksumSize));
        if (Crc32C.Compute(mapping.Span(offset, length)) != expected) return false;
        Interlocked.Or(ref word, bit);
        return true;
    }

    private int[] Allocate()
    {
        var fresh = new int[(Count / 32) + 1];
        return Interlocked.CompareExchange(ref _verified, fresh, null) ?? fresh;
    }
}
