// Is the file that a follower has open still the one that has the segment's name? Who puts a store back from a backup exchanges it: the one that is open is nobody's any more, and nothing is ever written to it. Asked where
// nothing is new, now and then, by what is in the files and not by what the system says of them, so everywhere.

using Store.Framing;
using Store.IO;
using Store.Log;

namespace Store.Reading;

/// <summary>Looks at the file that has a segment's name now. Reads only. Not thread-safe; the file that is open stays the caller's.</summary>
/// <param name="directory">The folder.</param>
/// <param name="name">The segment's name.</param>
/// <param name="header">Its header, as it was when it was opened.</param>
/// <param name="open">The file that is open.</param>
internal sealed class ExchangeProbe(IStoreDirectory directory, string name, SegmentHeader header, IStoreFile open)
{
    // So many looks at the log that find nothing new come to one of these: it opens a file.
    private const int LooksBetween = 16;

    private int _looks;
    private bool _wasAnother;

    /// <summary>Counts a look that found nothing new; true when <see cref="Look"/> is to be called.</summary>
    public bool IsDue => ++_looks % LooksBetween == 0;

    /// <summary>Compares the file of the name with what was read.</summary>
    /// <param name="scanner">Where the follower stands.</param>
    /// <returns>The header to go on with where the log goes on in another file that holds what was read; null when there is nothing to do.</returns>
    /// <exception cref="StoreCorruptException">What was read is not in the file of the name. Seen twice: files are not exchanged all at once.</exception>
    public SegmentHeader? Look(SegmentScanner scanner)
    {
        using IStoreFile? named = TryOpen();
        if (named is null || SegmentHeader.TryRead(named, out SegmentHeader now) != SegmentHeaderStatus.Valid) return null;
        if (now.StoreId == header.StoreId && now.SegmentId == header.SegmentId && (scanner.FrameOffset == 0 || ChecksumAt(named, scanner.FrameOffset) == scanner.FrameChecksum))
        {
            _wasAnother = false;

            // In this order: where both are one file, what is in the first is in the second.
            return ChecksumAt(named, scanner.Offset) is not null && ChecksumAt(open, scanner.Offset) is null ? now : null;
        }

        if (_wasAnother)
            throw new StoreCorruptException($"{directory.Name}: {name} is not the file that was followed, or not as it was: what came before record {scanner.NextSequence} is not in it. Somebody has put the store back from a backup, or exchanged the file. Open it anew, and follow from a record that is in the log.", directory.Name) { Offset = scanner.FrameOffset };
        _wasAnother = true;
        return null;
    }

    // Of a frame's header; null where none of this segment verifies.
    private uint? ChecksumAt(IStoreFile file, long offset)
    {
        Span<byte> bytes = stackalloc byte[FrameFormat.HeaderSize];
        return file.Read(bytes, offset) == bytes.Length && FrameHeader.TryRead(bytes, header.SegmentId, offset, out _) ? FrameHeader.StoredChecksum(bytes) : null;
    }

    private IStoreFile? TryOpen()
    {
        try
        {
            return directory.OpenRead(name);
        }
        catch (FileNotFoundException)
        {
            // Between two of somebody's steps, or removed: what follows tells.
            return null;
        }
    }
}
