// Takes records out of the frames of a scan in portions, for readers that hand them to another thread: the scan may move on while they are looked at.

using Store.Log;

namespace Store.Reading;

/// <summary>Turns a record into what a reader returns. Its bytes are valid during the call only.</summary>
internal delegate T RecordMaker<out T>(in ScannedRecord record);

/// <summary>What a scan gives, in portions. Not thread-safe.</summary>
internal interface IScanPortions<T>
{
    /// <summary>Adds what comes next. Also a portion without anything wanted has an end, so that the caller can look up from it.</summary>
    /// <returns>False when the scan has come to its present end.</returns>
    bool Fill(List<T> batch);
}

/// <summary>Portions of records of a scan. Not thread-safe.</summary>
/// <param name="scan">The scan; stays the caller's.</param>
/// <param name="make">Makes each record.</param>
internal sealed class FrameBatch<T>(RecordScan scan, RecordMaker<T> make) : IScanPortions<T>
{
    private const int MaxRecords = 256;
    private const int MaxBytes = 1024 * 1024;

    private SegmentScanner.FrameRecords _records;
    private bool _hasFrame;

    /// <summary>Adds what comes next, at most 256 records, out of about 1 MiB.</summary>
    /// <returns>False when the scan has come to its present end.</returns>
    public bool Fill(List<T> batch)
    {
        // Records that are not wanted count as well: a portion must not take for ever.
        long bytes = 0;
        while (batch.Count < MaxRecords && bytes < MaxBytes)
        {
            if (!_hasFrame)
            {
                if (!scan.NextFrame()) return false;
                _records = scan.Scanner.Records();
                _hasFrame = true;
            }

            ReadOnlySpan<byte> payload = scan.Scanner.PayloadSpan;
            while (_hasFrame && batch.Count < MaxRecords && bytes < MaxBytes)
            {
                if (!_records.MoveNext(payload))
                {
                    _hasFrame = false;
                    break;
                }

                (int start, int length) = _records.Place;
                bytes += length + 1;
                if (scan.Wants(in _records)) batch.Add(make(new ScannedRecord(_records.Sequence, scan.Scanner.Frame.TimeTicks, _records.Schema, payload.Slice(start, length))));
            }
        }

        return true;
    }
}
