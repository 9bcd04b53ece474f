// Reads records across segments, oldest first: by sequence or time through the index.
// Bytes come from the files, never from the writer's memory, so reading never holds the writer up.

using System.Globalization;
using Store.Framing;
using Store.IO;

namespace Store.Log;

/// <summary>A forward pass over the frames that may hold wanted records. Not thread-safe. Whoever has it looks at the records of each frame.</summary>
internal sealed class RecordScan : IDisposable
{
    private readonly ILogFiles _files;
    private readonly ReadOptions _options;
    private readonly bool _mustReachBack;
    private IReadOnlyList<SegmentHeader> _segments;
    private IStoreFile? _file;
    private SegmentScanner? _scanner;
    private long _lastOfSegment;
    private long _to;
    private long _next;
    private bool _ended;

    /// <param name="files">The log.</param>
    /// <param name="options">Which records; read forward whatever they say of the direction.</param>
    /// <param name="span">The log at the moment the reading began; its records are in the files by now.</param>
    /// <param name="mustReachBack">True when the first record wanted must still be there; otherwise reading begins with the first that is.</param>
    /// <exception cref="LogTruncatedException">It is not.</exception>
    public RecordScan(ILogFiles files, ReadOptions options, LogSpan span, bool mustReachBack = false)
    {
        (_files, _options, _mustReachBack) = (files, options, mustReachBack);
        _segments = span.Segments;
        _to = Math.Min(span.LastSequence, options.ToSequence);
        CheckReach();
    }

    /// <summary>At the current frame.</summary>
    public SegmentScanner Scanner => _scanner!;

    /// <summary>Sequence that the next frame begins with; 0 before the first.</summary>
    public long NextSequence => _scanner?.NextSequence ?? _next;

    /// <summary>Where records of other shapes are rewritten for views: one at a time.</summary>
    public Serialization.NinoViewBuffer ViewBuffer => field ??= new Serialization.NinoViewBuffer();

    /// <summary>Last sequence that will be returned.</summary>
    public long To => _to;

    /// <summary>True when no frame can follow any more: the last sequence or time asked for has been passed.</summary>
    public bool IsOver => _ended || (_scanner is not null && _scanner.NextSequence > _options.ToSequence);

    /// <summary>Lets the scan go on to a later sequence, which is in the files by now.</summary>
    /// <exception cref="LogTruncatedException">The first record wanted had to be there and was removed before it was read.</exception>
    public void Extend(LogSpan span)
    {
        _to = Math.Min(span.LastSequence, _options.ToSequence);
        _segments = span.Segments;
        CheckReach();
        _scanner?.Refresh();
        if (_scanner is not null) _lastOfSegment = LastOf(_scanner.Header.Number);
    }

    /// <summary>Moves to the next frame with records of the range and, when it holds one type only, of a type that is wanted.</summary>
    /// <exception cref="StoreCorruptException">A frame of the range cannot be read: it is damaged or missing.</exception>
    /// <exception cref="LogTruncatedException">Retention has removed what follows meanwhile.</exception>
    public bool NextFrame()
    {
        // Nothing of the range is in the files: what is before it need not be walked over to know that. From here on reading has begun: what comes next and is removed before it is read is a gap.
        if (_options.FromSequence > _to)
        {
            _ended |= _options.FromSequence > _options.ToSequence;
            _next = _options.FromSequence;
            return false;
        }

        while (!_ended)
        {
            if (_scanner is null || _scanner.NextSequence > _lastOfSegment)
            {
                if (!NextSegment()) return false;
                continue;
            }

            FrameReadStatus status = _scanner.Next();
            if (status != FrameReadStatus.Frame) throw Missing(status);
            FrameHeader frame = _scanner.Frame;
            if (frame.Kind != FrameKind.Records || frame.LastSequence < _options.FromSequence || frame.TimeTicks < _options.FromTime.UtcTicks) continue;
            if (frame.TimeTicks > _options.ToTime.UtcTicks)
            {
                _ended = true;
                return false;
            }

            if (frame.SchemaId == 0 || _options.Types is null || _options.Wants(_scanner.SchemaOf(frame.SchemaId))) return true;
        }

        return false;
    }

    /// <summary>True when the record at hand is in the range and of a type that is wanted.</summary>
    public bool Wants(in SegmentScanner.FrameRecords record) => IsInRange(record.Sequence) && _options.Wants(record.Schema);

    /// <summary>Moves to the next record of the frame at hand that is wanted.</summary>
    /// <param name="records">The frame's, from <see cref="SegmentScanner.Records"/>.</param>
    /// <param name="record">It; its bytes are the scanner's, valid until it moves on.</param>
    public bool TryNext(ref SegmentScanner.FrameRecords records, out LogRecord record)
    {
        SegmentScanner scanner = _scanner!;
        ReadOnlyMemory<byte> payload = scanner.Payload;
        while (records.MoveNext(payload.Span))
        {
            if (!Wants(in records)) continue;
            (int start, int length) = records.Place;
            record = new LogRecord(records.Sequence, new DateTimeOffset(scanner.Frame.TimeTicks, TimeSpan.Zero), records.Schema, payload.Slice(start, length));
            return true;
        }

        record = default;
        return false;
    }

    /// <summary>True when the frame at hand holds records of one type and all of them are in the range.</summary>
    public bool WantsAll => _scanner!.Frame is { SchemaId: not 0 } frame && frame.FirstSequence >= _options.FromSequence && frame.LastSequence <= _to;

    /// <summary>True when a record of the frame is in the range, whatever its type.</summary>
    public bool IsInRange(long sequence) => sequence >= _options.FromSequence && sequence <= _to;

    public void Dispose() => CloseSegment();

    private void CheckReach()
    {
        if (_mustReachBack && _scanner is null && _options.FromSequence < _segments[0].FirstSequence) throw Truncated();
    }

    private bool NextSegment()
    {
        if (_scanner is null && _next > 0 && _next < _segments[0].FirstSequence) throw Truncated();

        // Here a scanner is closed only when the whole scan is.
        int at = _scanner is null ? FirstSegmentOf(_segments, _options) : IndexOfNumber(_scanner.Header.Number + 1);
        if (at < 0) return false;
        if (_segments[at].FirstSequence > _to)
        {
            // By its time the range begins behind the last sequence of it: nothing can follow. Otherwise it has begun, and what is removed before it is read is a gap.
            _ended = _segments[at].FirstSequence > _options.ToSequence;
            if (_scanner is null) _next = Math.Max(_next, _segments[at].FirstSequence);
            return false;
        }

        CloseSegment();
        Open(at);
        _lastOfSegment = LastOf(_scanner!.Header.Number);
        return true;
    }

    // Segments before it hold neither the sequence nor the time: a segment is created no earlier than the last frame before it.
    private static int FirstSegmentOf(IReadOnlyList<SegmentHeader> segments, ReadOptions options)
    {
        int at = 0;
        while (at + 1 < segments.Count && (segments[at + 1].FirstSequence <= options.FromSequence || segments[at + 1].CreatedTicks < options.FromTime.UtcTicks)) at++;
        return at;
    }

    /// <summary>The first segment that may hold something of a range.</summary>
    public static SegmentHeader FirstSegment(IReadOnlyList<SegmentHeader> segments, ReadOptions options) => segments[FirstSegmentOf(segments, options)];

    private int IndexOfNumber(long number)
    {
        if (number < _segments[0].Number) throw Truncated();
        long at = number - _segments[0].Number;
        return at < _segments.Count ? (int)at : -1;
    }

    private long LastOf(long number)
    {
        long next = number + 1 - _segments[0].Number;
        return next < 0 ? _lastOfSegment : next < _segments.Count ? Math.Min(_to, _segments[(int)next].FirstSequence - 1) : _to;
    }

    private void Open(int at)
    {
        SegmentHeader header = _segments[at];
        SegmentHeader? successor = at + 1 < _segments.Count ? _segments[at + 1] : null;
        _file = _files.TryOpen(header);
        if (_file is null)
        {
            _segments = _files.Segments;
            // Nothing was returned yet, and the caller takes what is there: begin with that. Where all that was to be read is gone, say so: this segment held some of it.
            if (_next == 0 && !_mustReachBack && _segments[0].FirstSequence <= _to)
            {
                Open(0);
                return;
            }

            throw Truncated();
        }

        _scanner = new SegmentScanner(_file, header);
        if (SegmentIndex.IsWorthwhile(_options, header) && _files.IndexOf(_file, header, successor) is { } index && index.Find(_options) is { } place) _scanner.TryStartAt(place, index.Schemas);
    }

    private void CloseSegment()
    {
        if (_scanner is not null) _next = _scanner.NextSequence;
        _scanner?.Dispose();
        _file?.Dispose();
        (_scanner, _file) = (null, null);
    }

    private LogTruncatedException Truncated()
    {
        long first = _segments[0].FirstSequence, wanted = Math.Max(_scanner?.NextSequence ?? _next, _options.FromSequence);
        return new LogTruncatedException(string.Create(CultureInfo.InvariantCulture, $"{_files.Directory.Name}: record {wanted} is no longer in the log, which begins with {first}: retention has removed what is before. Read from {first} on."), _files.Directory.Name, first);
    }

    private StoreCorruptException Missing(FrameReadStatus status)
    {
        string what = status == FrameReadStatus.End ? "the segment ends" : Scanner.Problem!;
        return new StoreCorruptException($"{_file!.Name}, offset {Scanner.Offset}: {what}, but records {Scanner.NextSequence} to {_lastOfSegment} should follow. Run 'inspect verify', and open with RecoveryMode.Salvage to keep what is before the damage.", _file.Name) { Offset = Scanner.Offset };
    }
}
