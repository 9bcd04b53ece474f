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
    // Of the file's length, what frames may claim that have a right header and a wrong payload. Each byte is of one frame, which is read three times where its place is passed: more is an attempt to keep the reader busy.
    private const int MostRejectedLengths = 4;

    private readonly SalvagingFile _file;
    private readonly bool _isLast;
    private (long Offset, string Message) _told;
    private readonly long _markedThrough;
    private readonly WriterPatience _patience;
    private readonly Action<StoreDamage> _report;
    private bool _ended;

    // Of frames that were on their way.
    private long _forgivenBytes;

    // Of what lies behind a damaged place, read once for all of them: a file with a bad sector in each MiB is read twice, not a thousand times.
    private long _lastNonZero = -1;
    private long _highestSynced;

    /// <param name="file">The segment; belongs to the walk from now on.</param>
    /// <param name="header">Its verified header.</param>
    /// <param name="isLast">True when the log goes on in no other segment: only its end can be a torn tail.</param>
    /// <param name="markedThrough">A sequence up to which the log was on the disk, whatever the frames say.</param>
    /// <param name="patience">Asked at bytes that do not verify at the end of the log.</param>
    /// <param name="report">Told about each damaged place.</param>
    /// <param name="declared">As <see cref="SegmentScanner"/> takes them.</param>
    public SegmentWalk(SalvagingFile file, SegmentHeader header, bool isLast, long markedThrough, WriterPatience patience, Action<StoreDamage> report, DeclaredSchemas? declared = null)
    {
        _file = file;
        _isLast = isLast;
        _markedThrough = markedThrough;
        _patience = patience;
        _report = report;
        Scanner = new SegmentScanner(file, header, declared);
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
                _patience.Met(Scanner.FrameOffset);
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

        TailAnswer answer = _isLast ? _patience.At(offset) : TailAnswer.Damage;
        if (answer == TailAnswer.LookAgain)
        {
            _forgivenBytes = Scanner.RejectedBytes;
            return true;
        }

        string problem = Scanner.Problem ?? "zeros where a frame should be, with bytes after them";
        if (!isKnown) (_lastNonZero, _highestSynced) = (end, TailScan.HighestSynced(_file, Scanner.Header, offset, end));
        long synced = Math.Max(Math.Max(Scanner.SyncedThrough, _isLast ? _markedThrough : 0), _highestSynced);
        if (_isLast && synced < next && _file.FirstUnreadable(offset, end) is null)
        {
            if (Verifies(offset, next)) return IsWholeByNow(answer);
            if (answer == TailAnswer.Damage) Report(offset, Math.Max(end - offset, 0), StoreDamageKind.TornTail, $"{problem}; it follows record {next - 1} and was never acknowledged as durable");
            return false;
        }

        long from = offset;
        for (long found; !IsKeptBusy && (found = FrameSearch.Next(_file, Scanner.Header, from, long.MaxValue, next, out FrameHeader frame)) >= 0; from = found + FrameFormat.Alignment)
        {
            if (!Verifies(found, frame.FirstSequence)) continue;
            if (found == offset && frame.FirstSequence == next) return IsWholeByNow(answer);
            Report(offset, found - offset, StoreDamageKind.Corruption, $"{Problem(problem, offset, found)}; {Lost(next, frame.FirstSequence - 1)}");
            return true;
        }

        Scanner.Resume(offset, next);
        string lost = IsKeptBusy ? "headers of frames claim more than the file holds, and it is looked at no further"
            : synced >= next ? Lost(next, synced)
            : _file.FirstUnreadable(offset, end) is not null ? $"what was behind record {next - 1}, if anything, is lost"
            : "what followed is lost";
        Report(offset, Math.Max(end - offset, 0), StoreDamageKind.Corruption, $"{Problem(problem, offset, end)}; {lost}");
        return false;
    }

    // What was on its way when it was looked at. A writer that never rests is left at it.
    private static bool IsWholeByNow(TailAnswer answer) => answer != TailAnswer.Written;

    private bool IsKeptBusy => Scanner.RejectedBytes - _forgivenBytes > MostRejectedLengths * _file.LengthBytes;

    // A sector that cannot be read is what is wrong, whatever its absence makes of the bytes around it.
    private string Problem(string problem, long from, long to) => _file.FirstUnreadable(from, to)?.Problem ?? problem;

    // The scanner stands at the place afterwards.
    private bool Verifies(long offset, long sequence)
    {
        Scanner.Resume(offset, sequence);
        try
        {
            return Scanner.Next() == FrameReadStatus.Frame;
        }
        catch (StoreCorruptException)
        {
            // Verified but senseless: MoveNext meets it again and reports it.
            return true;
        }
        finally
        {
            Scanner.Resume(offset, sequence);
        }
    }

    private static string Lost(long from, long to) => to < from ? "no record is lost" : to == from ? $"record {from} is lost" : $"records {from} to {to} are lost";

    private void Report(long offset, long lengthBytes, StoreDamageKind kind, string message)
    {
        IsDamaged = true;
        _report(new StoreDamage(_file.Name, offset, lengthBytes, kind, message));
    }
}
