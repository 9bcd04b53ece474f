// How can a crash state cost microseconds? Contents are pages that copies share until one of them writes.

namespace Store.Tests.Simulation;

/// <summary>
/// The bytes of a simulated file. <see cref="Clone"/> copies the page table only; a page belongs to the content that made it and is copied before
/// anyone else writes to it. A missing page is zeros. Not thread-safe: the simulator's lock guards it.
/// </summary>
internal sealed class SimContent
{
    public const int PageSize = 1024;

    private Page?[] _pages = [];
    private object _owner = new();

    public long LengthBytes { get; private set; }

    /// <summary>Counts changes, so that a copy taken out can be known to be current.</summary>
    public long Version { get; private set; }

    /// <summary>Bytes of the disk that it takes: pages that were never written take none.</summary>
    public long AllocatedBytes { get; private set; }

    /// <summary>How many of so many bytes can be written when so much of the disk is free.</summary>
    public int CountThatFits(int lengthBytes, long offset, long freeBytes)
    {
        for (var done = 0; done < lengthBytes;)
        {
            var (page, at) = Split(offset + done);
            if (page >= _pages.Length || _pages[page] is null)
                freeBytes -= PageSize;
            if (freeBytes < 0)
                return done;
            done += Math.Min(lengthBytes - done, PageSize - at);
        }
        return lengthBytes;
    }

    public SimContent Clone()
    {
        // Both sides get a new owner: the pages they share now belong to neither.
        _owner = new object();
        return new SimContent { _pages = (Page?[])_pages.Clone(), LengthBytes = LengthBytes, AllocatedBytes = AllocatedBytes };
    }

    public int Read(Span<byte> destination, long offset)
    {
        var count = (int)Math.Min(destination.Length, Math.Max(0, LengthBytes - offset));
        for (var done = 0; done < count;)
        {
            var (page, at) = Split(offset + done);
            var part = Math.Min(count - done, PageSize - at);
            if (page < _pages.Length && _pages[page] is { } present)
                present.Bytes.AsSpan(at, part).CopyTo(destination[done..]);
            else
                destination.Slice(done, part).Clear();
            done += part;
        }
        return count;
    }

    public void Write(ReadOnlySpan<byte> source, long offset)
    {
        if (source.IsEmpty)
            return;
        var end = checked(offset + source.Length);
        Reserve(end);
        for (var done = 0; done < source.Length;)
        {
            var (page, at) = Split(offset + done);
            var part = Math.Min(source.Length - done, PageSize - at);
            source.Slice(done, part).CopyTo(Own(page).AsSpan(at));
            done += part;
        }
        LengthBytes = Math.Max(LengthBytes, end);
        Version++;
    }

    /// <summary>Cuts, or grows with zeros.</summary>
    public void SetLength(long lengthBytes)
    {
        if (lengthBytes < LengthBytes)
        {
            // What is cut must come back as zeros when the file grows again.
            var (page, at) = Split(lengthBytes);
            if (at != 0 && page < _pages.Length && _pages[page] is not null)
                Own(page).AsSpan(at).Clear();
            for (var i = at == 0 ? page : page + 1; i < _pages.Length; i++)
            {
                if (_pages[i] is not null)
                    AllocatedBytes -= PageSize;
                _pages[i] = null;
            }
        }
        LengthBytes = lengthBytes;
        Version++;
    }

    /// <summary>The stored bytes themselves when they lie in one present page; else null.</summary>
    public byte[]? PageOf(long offset, int lengthBytes, out int at)
    {
        (var page, at) = Split(offset);
        return at + lengthBytes <= PageSize && page < _pages.Length ? _pages[page]?.Bytes : null;
    }

    private static (int Page, int At) Split(long offset) => (checked((int)(offset / PageSize)), (int)(offset % PageSize));

    private void Reserve(long end)
    {
        var needed = checked((int)((end + PageSize - 1) / PageSize));
        if (needed > _pages.Length)
            Array.Resize(ref _pages, Math.Max(needed, Math.Min(_pages.Length * 2, needed + 1024)));
    }

    private byte[] Own(int index)
    {
        var page = _pages[index];
        if (page is null)
            AllocatedBytes += PageSize;
        if (page is null || page.Owner != _owner)
            _pages[index] = page = new Page(_owner, page?.Bytes.AsSpan().ToArray() ?? new byte[PageSize]);
        return page.Bytes;
    }

    private sealed record Page(object Owner, byte[] Bytes);
}
