// What does a file hold beside the sectors that the disk cannot read? Whoever looks into files goes on around damage, and RecoveryMode.Salvage keeps what comes before it; here a bad sector becomes damage like any
// other: it reads as bytes of which nothing verifies, and is remembered, so that it can be named and is not asked for again. A disk takes seconds to give up a sector.

namespace Store.IO;

/// <summary>A stretch of a file that the disk cannot read.</summary>
/// <param name="From">Offset of its first byte.</param>
/// <param name="To">Offset behind its last byte.</param>
/// <param name="Why">What the system said.</param>
internal readonly record struct UnreadablePlace(long From, long To, string Why)
{
    /// <summary>As part of a message.</summary>
    public string Problem => $"{To - From} bytes at offset {From} cannot be read ({Why})";
}

/// <summary>A file that is read around what the disk cannot read. Reads only; not thread-safe. The wrapped file is closed with it.</summary>
/// <param name="inner">The file.</param>
/// <param name="failed">Told of each page that cannot be read, when it is met first; null for nobody.</param>
internal sealed class SalvagingFile(IStoreFile inner, Action<IOException>? failed = null) : IStoreFile
{
    // A page of memory, which the system reads as a whole: asking for less brings nothing more.
    private const int PieceBytes = 4096;

    // Pages that fail in one file before it is the disk that fails: nobody waits for each page of one that is gone.
    private const int MostUnreadablePieces = 1024;

    // No frame, mark or header verifies with it, and no end of a log is seen in it.
    private const byte Filler = 0xFF;

    // In order, and apart.
    private readonly List<UnreadablePlace> _places = [];
    private int _failures;

    /// <inheritdoc/>
    public string Name => inner.Name;

    /// <inheritdoc/>
    public long LengthBytes => inner.LengthBytes;

    /// <summary>The first stretch that could not be read of what was read of a range; null when there is none.</summary>
    public UnreadablePlace? FirstUnreadable(long from, long to)
    {
        foreach (UnreadablePlace place in _places)
        {
            if (place.To > from) return place.From < to ? place : null;
        }

        return null;
    }

    /// <inheritdoc/>
    public int Read(Span<byte> destination, long offset)
    {
        int done = 0;
        while (done < destination.Length)
        {
            long at = offset + done;
            UnreadablePlace? known = FirstUnreadable(at, offset + destination.Length);
            if (known is { } place && place.From <= at)
            {
                int length = (int)Math.Min(place.To - at, destination.Length - done);
                destination.Slice(done, length).Fill(Filler);
                done += length;
                continue;
            }

            Span<byte> stretch = destination[done..(known is { } next ? (int)(next.From - offset) : destination.Length)];
            int read = ReadStretch(stretch, at);
            done += read;
            if (read < stretch.Length) break;
        }

        return done;
    }

    /// <inheritdoc/>
    public void Write(ReadOnlySpan<byte> source, long offset) => throw IoFailure.OpenedForReading(Name);

    /// <inheritdoc/>
    public void SyncData() => throw IoFailure.OpenedForReading(Name);

    /// <inheritdoc/>
    public void StartWriteback(long offset, long lengthBytes) => throw IoFailure.OpenedForReading(Name);

    /// <inheritdoc/>
    public void Truncate(long lengthBytes) => throw IoFailure.OpenedForReading(Name);

    /// <inheritdoc/>
    public IStoreMapping Map() => inner.Map();

    /// <inheritdoc/>
    public void Dispose() => inner.Dispose();

    // Nothing of it is known to be unreadable. One call as a rule; where that fails, piece by piece.
    private int ReadStretch(Span<byte> destination, long offset)
    {
        if (TryRead(destination, offset, out int all) is null) return all;
        int done = 0;
        while (done < destination.Length)
        {
            long at = offset + done, end = (at | (PieceBytes - 1)) + 1;
            Span<byte> piece = destination.Slice(done, (int)Math.Min(end - at, destination.Length - done));
            if (TryRead(piece, at, out int read) is { } failure)
            {
                failed?.Invoke(failure);
                if (++_failures > MostUnreadablePieces) throw failure;
                end = Math.Min(end, Math.Max(inner.LengthBytes, at + 1));
                Remember(new UnreadablePlace(at, end, failure.Message));
                read = (int)Math.Min(piece.Length, end - at);
                piece[..read].Fill(Filler);
            }

            done += read;
            if (read < piece.Length) break;
        }

        return done;
    }

    private IOException? TryRead(Span<byte> destination, long offset, out int read)
    {
        read = 0;
        try
        {
            read = inner.Read(destination, offset);
            return null;
        }
        catch (IOException e) when (IoFailure.IsUnreadable(e))
        {
            return e;
        }
    }

    private void Remember(UnreadablePlace place)
    {
        int at = _places.FindLastIndex(known => known.From <= place.From) + 1;
        if (at > 0 && _places[at - 1].To >= place.From) _places[--at] = _places[at] with { To = Math.Max(_places[at].To, place.To) };
        else _places.Insert(at, place);
        if (at + 1 < _places.Count && _places[at + 1].From <= _places[at].To)
        {
            _places[at] = _places[at] with { To = Math.Max(_places[at].To, _places[at + 1].To) };
            _places.RemoveAt(at + 1);
        }
    }
}
