// Are these bytes of the data section what was written? The page table answers for each page, once: a bit remembers the pages that verified. Pages and table are read by position, never
// over the mapping. The table itself is verified when the first page is asked for, so that opening costs the same whatever the size.

using System.Buffers;
using System.Buffers.Binary;
using System.Numerics;
using Store.Framing;

namespace Store.Snapshots;

/// <summary>The pages of one data section of a file whose header has been verified. Safe for any number of threads.</summary>
/// <param name="bytes">The file.</param>
/// <param name="data">The data section.</param>
/// <param name="table">Its page table.</param>
/// <param name="pageSize">Bytes of a page.</param>
/// <param name="label">What messages call the data.</param>
internal sealed class SnapshotPages(SnapshotBytes bytes, SnapshotSection data, SnapshotSection table, int pageSize, string label)
{
    private const int MostAtOnce = 64;

    // Allocated on first touch, so that opening allocates nothing that grows with the data. Its presence says that the table is right.
    private int[]? _verified;

    // What was met last, newest first. Four: a page of items, one of their directory, and the neighbours that either goes on to.
    private SnapshotFailure?[]? _met;

    public long Count => SnapshotFormat.PageCountOf(data.LengthBytes, pageSize);

    /// <summary>How many pages are read at a time.</summary>
    public int AtOnce => Math.Clamp(SnapshotBytes.ReadSizeBytes / pageSize, 1, MostAtOnce);

    /// <summary>True when every page has verified.</summary>
    public bool AreVerified
    {
        get
        {
            if (Count == 0) return true;
            if (_verified is not { } verified) return false;
            long pages = 0;
            for (int i = 0; i < verified.Length; i++) pages += BitOperations.PopCount((uint)Volatile.Read(ref verified[i]));
            return pages == Count;
        }
    }

    /// <summary>Verifies the pages that a range of the data section touches, except those that verified before.</summary>
    /// <returns>What is wrong with the first page that is damaged or cannot be read, or with the page table; null for a whole range.</returns>
    public SnapshotFailure? FindDamage(long offset, long lengthBytes) => lengthBytes == 0 ? null : FindDamagedPage(offset / pageSize, (offset + lengthBytes - 1) / pageSize);

    /// <summary>As <see cref="FindDamage"/>, by page numbers.</summary>
    public SnapshotFailure? FindDamagedPage(long first, long last)
    {
        if (_verified is { } verified && (first = NextUnverified(verified, first, last)) > last) return null;
        if (_met is not { } met) return Verify(first, last);
        foreach (SnapshotFailure? before in met)
        {
            if (before is not null && (PageOf(before) == first || PageOf(before) < 0)) return before;
        }

        if (Verify(first, last) is not { } failure) return null;
        met.AsSpan(0, met.Length - 1).CopyTo(met.AsSpan(1));
        return met[0] = failure;
    }

    /// <summary>From here on, and by one thread only: damage that was met last is told again and not read again, so that what reads item by item reads a bad page once. A drive may try for seconds each time.</summary>
    public void RememberDamage() => _met ??= new SnapshotFailure?[4];

    /// <summary>The page that a failure is about; negative when that is the page table, without which nothing of the data can be believed.</summary>
    public long PageOf(SnapshotFailure failure) => failure.Offset >= data.Offset && failure.Offset < data.EndOffset ? (failure.Offset - data.Offset) / pageSize : -1;

    /// <summary>Where pages lie in the file.</summary>
    public (long Offset, long LengthBytes) RangeOf(long page, long count = 1)
    {
        long start = page * pageSize;
        return (data.Offset + start, Math.Min(count * pageSize, data.LengthBytes - start));
    }

    /// <summary>The failure of neighbouring pages as one.</summary>
    /// <param name="first">The first page.</param>
    /// <param name="last">The last page.</param>
    /// <param name="cause">Why they cannot be read, or null when they were and are not what was written.</param>
    public SnapshotFailure Describe(long first, long last, Exception? cause)
    {
        (long offset, long length) = RangeOf(first, last - first + 1);
        string what = $"{(first == last ? $"Page {first}" : $"Pages {first} to {last}")} of {label}, {length} bytes from offset {offset}";
        if (cause is not null) return bytes.Unreadable(offset, length, what, cause);
        return new SnapshotFailure(SnapshotFailureKind.DataDamaged, bytes.FileName, offset, length, $"{what}, {(first == last ? "does not match its checksum" : "do not match their checksums")}: the snapshot is damaged.");
    }

    private static long NextUnverified(int[] verified, long page, long last)
    {
        while (page <= last && IsVerified(verified, page)) page++;
        return page;
    }

    private static bool IsVerified(int[] verified, long page) => (Volatile.Read(ref verified[page / 32]) & (1 << (int)(page % 32))) != 0;

    private SnapshotFailure? Verify(long first, long last)
    {
        if (_verified is null && VerifyTable() is { } unusable) return unusable;
        int[] verified = _verified!;
        byte[] buffer = ArrayPool<byte>.Shared.Rent((int)Math.Min(SnapshotBytes.ReadSizeBytes, RangeOf(first, Math.Min(AtOnce, last - first + 1)).LengthBytes));
        try
        {
            for (long page = first; (page = NextUnverified(verified, page, last)) <= last;)
            {
                int count = 1;
                while (count < AtOnce && page + count <= last && !IsVerified(verified, page + count)) count++;
                if (Verify(verified, page, count, buffer) is { } failure) return failure;
                page += count;
            }

            return null;
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(buffer);
        }
    }

    private SnapshotFailure? Verify(int[] verified, long page, int count, Span<byte> buffer)
    {
        Span<byte> checksums = stackalloc byte[MostAtOnce * SnapshotFormat.PageChecksumSize];
        checksums = checksums[..(count * SnapshotFormat.PageChecksumSize)];
        if (bytes.Read(table.Offset + (page * SnapshotFormat.PageChecksumSize), checksums) is { } unusable) return unusable;

        // Where several together cannot be read, one by one says which of them.
        int length = (int)RangeOf(page, count).LengthBytes;
        bool areRead = count > 1 && bytes.Read(RangeOf(page).Offset, buffer[..length]) is null;
        for (int i = 0; i < count; i++)
        {
            uint checksum;
            if (areRead)
            {
                int start = i * pageSize;
                checksum = Crc32C.Compute(buffer[start..Math.Min(start + pageSize, length)]);
            }
            else
            {
                (long offset, long pageLength) = RangeOf(page + i);
                if (bytes.Checksum(offset, pageLength, buffer, out checksum) is { } unreadable) return unreadable.Cause is { } cause ? Describe(page + i, page + i, cause) : unreadable;
            }

            if (checksum != BinaryPrimitives.ReadUInt32LittleEndian(checksums[(i * SnapshotFormat.PageChecksumSize)..])) return Describe(page + i, page + i, null);
            Interlocked.Or(ref verified[(page + i) / 32], 1 << (int)((page + i) % 32));
        }

        return null;
    }

    private SnapshotFailure? VerifyTable()
    {
        if (bytes.Verify(table, $"The page table of {label}", SnapshotFailureKind.PageTableDamaged) is { } failure) return failure;
        Interlocked.CompareExchange(ref _verified, new int[(Count / 32) + 1], null);
        return null;
    }
}
