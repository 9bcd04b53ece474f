// Goes through the frames of one segment, over damaged places, and says what each place means. Recovery stops at the first damage, because it has to
// decide where the log ends; looking into a file goes on behind it.

using Store.Framing;
using Store.IO;
using Store.Log;
using Store.Recovery;

namespace Store.Reading;

/// <summary>The verified frames of one segment in order. Reads only. Not thread-safe.</summary>
internal sealed class SegmentWalk : IDisposable
{
    private readonly IStoreFile _file;
    private readonly bool _isLast;
    private (long Offset, string Message) _told;
    private readonly long _markedThrough;
    private readonly Func<bool> _mayStillGrow;
    private readonly Action<StoreDamage> _report;
    private bool _ended;

    // Of what lies behind a damaged place, read once for all of them: a file with a bad sector in each MiB is read twice, not a thousand times.
    private long _lastNonZero = -1;
    private long _highestSynced;

    /// <param name="file">The segment; belongs to the walk from now on.</param>
    /// <param name="header">Its verified header.</param>
    /// <param name="isLast">True when the log goes on in no other segment: only its end can be a torn tail.</param>
    /// <param name="markedThrough">A sequence up to which the log was on the disk, whatever the frames say.</param>
    /// <param name="mayStillGrow">Asked at bytes that do not verify at the end of the log: true when a writer may be writing them just now, after a moment's wait.</param>
    /// <param name="report">Told about each damaged place.</param>
    public SegmentWalk(IStoreFile file, SegmentHeader header, bool isLast, long markedThrough, Func<bool> mayStillGrow, Action<StoreDamage> report)
    {
        _file = file;
        _isLast = isLast;
        _markedThrough = markedThrough;
        _mayStillGrow = mayStillGrow;
        _report = report;
        Scanner = new SegmentScanner(file, header);
        UsedBytes = SegmentFormat.HeaderSize;
    }

    /// <summary>At the current frame. Only <see cref="MoveNext"/> moves it.</summary>
    public SegmentScanner Scanner { get; }

    /// <summary>End of the last frame that verified.</summary>
    public long UsedBytes { get; private set; }

    /// <summary>Header checksum of the last frame, when it is a footer.</summary>
    public uint? FooterChecksum { get; private set; }

    /// <summary>True when the last frame says that the log was closed there.</summary>
    public bool IsClosed { get; private set; }

    /// <summary>True when something was reported.</summary>
    public bool IsDamaged { get; private set; }

    /// <summary>Leaves out what lies before a range, as far as the segment's index tells. Before the first <see cref="MoveNext"/>.</summary>
    public void SkipTo(ReadOptions range, SegmentHeader successor)
    {
        if (SegmentIndex.IsWorthwhile(range, Scanner.Header) && SegmentEnd.ReadIndex(_file, Scanner.Header, successor.PreviousLength) is { } index && index.Find(range) is { } place)
            Scanner.TryStartAt(place, index.Schemas);
    }

    /// <summary>The index in front of the segment's footer; null when there is none that verifies.</summary>
    public SegmentIndex? ReadIndex(SegmentHeader successor) => SegmentEnd.ReadIndex(_file, Scanner.Header, successor.PreviousLength);

    /// <summary>Begins at a place that an index names. False when the index is wrong: the walk is of no use then.</summary>
    public bool TryStartAt(IndexEntry place, ReadOnlySpan<long> schemas)
    {
        try
        {
            return Scanner.TryStartAt(place, schemas);
        }
        catch (StoreCorruptException)
        {
            // A schema that verifies and makes no sense: whoever walks over it reports it.
            return false;
        }
    }

    /// <summary>Moves to the next frame that verifies.</summary>
    public bool MoveNext()
    {
        while (!_ended)
        {
            FrameReadStatus status;
            try
            {
                status = Scanner.Next();
            }
            catch (StoreCorruptException e)
            {
                // A frame that verifies and makes no sense: the one after it may.
                Report(Scanner.FrameOffset, Scanner.Frame.FrameLength, StoreDamageKind.Corruption, e.Message);
                Scanner.Resume(Scanner.FrameOffset + Scanner.Frame.FrameLength, Scanner.NextSequence);
                continue;
            }

            if (status == FrameReadStatus.Frame)
            {
                bool isFooter = Scanner.Frame.Kind == FrameKind.Footer;
                UsedBytes = Scanner.Offset;
                FooterChecksum = isFooter ? Scanner.FrameChecksum : null;
                IsClosed = (Scanner.Frame.Flags & FrameFormat.ClosedFlag) != 0;
                _ended = isFooter && !Scanner.Header.IsOneFile;
                return true;
            }

            _ended = !SkipDamage(status);
        }

        return false;
    }

    /// <summary>The records of the current frame are not what its header says. Told once, also of many.</summary>
    public void ReportFrame(StoreCorruptException problem)
    {
        if (_told == (Scanner.FrameOffset, problem.Message)) return;
        _told = (Scanner.FrameOffset, problem.Message);
        Report(Scanner.FrameOffset, Scanner.Frame.FrameLength, StoreDamageKind.Corruption, problem.Message);
    }

    public void Dispose()
    {
        Scanner.Dispose();
        _file.Dispose();
    }

    /// <returns>True when there is a frame behind the damage, or the bytes may be whole by now.</returns>
    private bool SkipDamage(FrameReadStatus status)
    {
        long offset = Scanner.Offset, next = Scanner.NextSequence;
        bool isKnown = _lastNonZero > offset;
        long end = isKnown ? _lastNonZero : TailScan.LastNonZero(_file, offset);
        if (end == offset && status == FrameReadStatus.End)
        {
            if (!_isLast) Report(offset, 0, StoreDamageKind.Corruption, "the segment ends without a footer, but the log goes on in another one");
            else if (_markedThrough >= next) Report(offset, 0, StoreDamageKind.Corruption, $"the log ends here, but was on the disk further; {Lost(next, _markedThrough)}");
            return false;
        }

        if (_isLast && _mayStillGrow()) return true;
        string problem = Scanner.Problem ?? "zeros where a frame should be, with bytes after them";
        if (!isKnown) (_lastNonZero, _highestSynced) = (end, TailScan.HighestSynced(_file, Scanner.Header, offset, end));
        long synced = Math.Max(Math.Max(Scanner.SyncedThrough, _isLast ? _markedThrough : 0), _highestSynced);
        if (_isLast && synced < next)
        {
            Report(offset, Math.Max(end - offset, 0), StoreDamageKind.TornTail, $"{problem}; it follows record {next - 1} and was never acknowledged as durable");
            return false;
        }

        long from = offset;
        for (long found; (found = FrameSearch.Next(_file, Scanner.Header, from, long.MaxValue, next, out FrameHeader frame)) >= 0; from = found + FrameFormat.Alignment)
        {
            Scanner.Resume(found, frame.FirstSequence);
            bool verifies = Verifies();
            Scanner.Resume(found, frame.FirstSequence);
            if (!verifies) continue;
            Report(offset, found - offset, StoreDamageKind.Corruption, $"{problem}; {Lost(next, frame.FirstSequence - 1)}");
            return true;
        }

        Report(offset, Math.Max(end - offset, 0), StoreDamageKind.Corruption, $"{problem}; {(synced >= next ? Lost(next, synced) : "what followed is lost")}");
        return false;
    }

    private bool Verifies()
    {
        try
        {
            return Scanner.Next() == FrameReadStatus.Frame;
        }
        catch (StoreCorruptException)
        {
            // Verified but senseless: MoveNext meets it again and reports it.
            return true;
        }
    }

    private static string Lost(long from, long to) => to < from ? "no record is lost" : to == from ? $"record {from} is lost" : $"records {from} to {to} are lost";

    private void Report(long offset, long lengthBytes, StoreDamageKind kind, string message)
    {
        IsDamaged = true;
        _report(new StoreDamage(_file.Name, offset, lengthBytes, kind, message));
    }
}
