// Is a place where no frame verifies damage, or a frame on its way? A writer writes a segment from front to back, so whoever sees a whole frame behind the place that was not there before knows that
// the place is not waited for any more; and a frame behind it may say itself that the place was on the disk. Whole frames alone prove nothing: a power failure may keep what came last, and the writer's
// next opening cuts it and goes on from the place.

using Store.Framing;
using Store.IO;
using Store.Log;

namespace Store.Reading;

/// <summary>Looks behind places of one segment where no frame verifies, a bounded piece a look. Reads only. Not thread-safe; the file stays the caller's.</summary>
internal sealed class HoleProbe(IStoreFile file, SegmentHeader header) : IDisposable
{
    private const long LookBytes = 1024 * 1024;

    // Once everything up to the end of the file was searched and nothing was there, something can only be written yet.
    private const long IdleLookBytes = 64 * 1024;

    private SegmentScanner? _behind;
    private long _hole = -1;
    private long _searched;
    private bool _hasWaited;
    private bool _isIdle;

    /// <summary>Looks on behind a place. The place is looked at again by the caller when this has been proved: what is seen here was written after what is seen there then.</summary>
    /// <param name="hole">Where no frame verifies.</param>
    /// <param name="sequence">Sequence of the first record there.</param>
    /// <returns>True when what is there is damaged, or was when this look began.</returns>
    public bool Look(long hole, long sequence)
    {
        if (hole != _hole) Begin(hole);
        long budget = _isIdle ? IdleLookBytes : LookBytes;
        if (_behind is null && !Search(sequence, ref budget)) return false;
        while (true)
        {
            if (_behind!.Next() == FrameReadStatus.Frame)
            {
                _isIdle = false;

                // The look before found none here: somebody has written since, behind the hole.
                if (_hasWaited || _behind.Frame.SyncedThrough >= sequence) return true;
                budget -= _behind.Frame.FrameLength;
                if (budget <= 0) return false;
                continue;
            }

            _hasWaited = true;
            if (budget <= 0 || !Search(_behind.NextSequence, ref budget)) return false;
        }
    }

    public void Dispose() => _behind?.Dispose();

    private void Begin(long hole)
    {
        _behind?.Dispose();
        (_hole, _behind, _searched, _hasWaited, _isIdle) = (hole, null, 0, false, false);
    }

    // Another frame behind where there was none: nothing says that it is new. From the end of the file it begins again right behind the place.
    private bool Search(long sequence, ref long budget)
    {
        long from = Math.Max(_searched, (_behind?.Offset ?? _hole) + FrameFormat.Alignment);
        long to = from + budget;
        long found = FrameSearch.Next(file, header, from, to, sequence, out FrameHeader frame);
        budget -= (found < 0 ? to : found) - from;
        if (found < 0)
        {
            bool isThrough = to >= file.LengthBytes;
            _searched = isThrough ? 0 : to;
            _isIdle |= isThrough;
            return false;
        }

        _behind ??= new SegmentScanner(file, header);
        _behind.Resume(found, frame.FirstSequence);
        (_hasWaited, _searched, _isIdle) = (false, 0, false);
        return true;
    }
}
