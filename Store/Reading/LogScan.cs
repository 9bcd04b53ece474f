// The fast way through a log: a struct enumerator over frames that are verified where they lie. Nothing is allocated or copied for a record.

using Store.Framing;
using Store.Log;
using Store.Reading;
using Store.Serialization;

namespace Store;

/// <summary>
/// Records of a log as they are stored, oldest first; made for <c>foreach</c>, which also releases it. Records are returned where they lie in a pooled buffer that the file is
/// read into, up to 1 MiB at a time. Every frame is verified before its first record is returned. For one thread.
/// </summary>
/// <remarks>A span of a record is valid until the enumerator moves on. One kept longer shows other records, or bytes of somebody else: copy what is to be kept.</remarks>
public ref struct LogScan : IDisposable
{
    private readonly RecordScan _scan;
    private SegmentScanner.FrameRecords _slow;
    private ReadOnlySpan<byte> _payload;
    private ReadOnlySpan<byte> _rest;
    private ReadOnlySpan<byte> _record;
    private NinoSchema _schema;
    private long _sequence;
    private long _ticks;
    private int _left;
    private bool _isPlain;
    private bool _hasFrame;

    internal LogScan(RecordScan scan)
    {
        _scan = scan;
        _schema = null!;
    }

    /// <summary>The record at hand.</summary>
    public readonly ScannedRecord Current => new(_sequence, _ticks, _schema, _record, _scan);

    /// <summary>This.</summary>
    public readonly LogScan GetEnumerator() => this;

    /// <summary>Moves to the next record.</summary>
    /// <exception cref="StoreCorruptException">A record of the range is damaged; those before it have been returned.</exception>
    /// <exception cref="LogTruncatedException">Retention has removed what follows.</exception>
    public bool MoveNext()
    {
        ReadOnlySpan<byte> rest = _rest;
        if (_isPlain && _left > 0 && rest.Length > 0)
        {
            // Bound: the length is compared with what is left behind its one byte.
            int length = rest[0];
            if (length < CompactNumber.Marker16 && length < rest.Length)
            {
                _record = rest.Slice(1, length);
                _rest = rest[(length + 1)..];
                _left--;
                _sequence++;
                return true;
            }
        }

        return MoveNextSlowly();
    }

    /// <summary>Releases the files.</summary>
    public void Dispose()
    {
        _isPlain = _hasFrame = false;
        _record = _rest = _payload = default;
        _scan?.Dispose();
    }

    private bool MoveNextSlowly()
    {
        while (true)
        {
            if (_isPlain)
            {
                if (_left > 0)
                {
                    TakeLong();
                    return true;
                }

                if (_rest.Length != 0) throw _scan.Scanner.Corrupt("bytes follow the last record of the frame", _scan.Scanner.FrameOffset);
                _isPlain = false;
            }

            while (_hasFrame)
            {
                if (!_slow.MoveNext(_payload))
                {
                    _hasFrame = false;
                    break;
                }

                if (!_scan.Wants(in _slow)) continue;
                (int start, int length) = _slow.Place;
                (_sequence, _schema) = (_slow.Sequence, _slow.Schema);
                _record = _payload.Slice(start, length);
                return true;
            }

            if (!_scan.NextFrame()) return false;
            SegmentScanner scanner = _scan.Scanner;
            FrameHeader frame = scanner.Frame;
            _payload = scanner.PayloadSpan;
            _ticks = frame.TimeTicks;
            if (_scan.WantsAll)
            {
                _schema = scanner.SchemaOf(frame.SchemaId);
                (_isPlain, _left, _sequence) = (true, frame.RecordCount, frame.FirstSequence - 1);
                _rest = _payload;
            }
            else
            {
                (_hasFrame, _slow) = (true, scanner.Records());
            }
        }
    }

    // A record whose length takes more than one byte.
    private void TakeLong()
    {
        _record = PlainRecords.TakeLong(_scan.Scanner, ref _rest);
        _left--;
        _sequence++;
    }
}

/// <summary>One record as it is stored. Its bytes are valid until the enumerator moves on.</summary>
public readonly ref struct ScannedRecord
{
    private readonly long _ticks;
    private readonly RecordScan? _scan;

    internal ScannedRecord(long sequence, long ticks, NinoSchema schema, ReadOnlySpan<byte> payload, RecordScan? scan = null)
    {
        Sequence = sequence;
        _ticks = ticks;
        _scan = scan;
        Schema = schema;
        Payload = payload;
    }

    /// <summary>Its number: dense, the first is 1.</summary>
    public long Sequence { get; }

    /// <summary>When it was appended (UTC).</summary>
    public DateTimeOffset Timestamp => new(_ticks, TimeSpan.Zero);

    /// <summary>What describes its bytes.</summary>
    public NinoSchema Schema { get; }

    /// <summary>Its bytes.</summary>
    public ReadOnlySpan<byte> Payload { get; }

    /// <summary>True when the record is of type <typeparamref name="T"/> (by schema name).</summary>
    public bool Is<T>() => LogRecord.IsSame(Schema, NinoCodec<T>.Default.Schema);

    /// <inheritdoc cref="LogRecord.As{T}"/>
    public T As<T>() => LogRecord.Decode<T>(Sequence, Schema, Payload);

    /// <summary>
    /// A view of the record when it is of the view's type, by name: for filters that make no objects. It reads the record's own bytes, or, for a record of another shape of
    /// the type, bytes in which the scan has rewritten it. Valid until the enumerator moves on, or another record's view is asked for.
    /// </summary>
    /// <typeparam name="TView">The generated view of the type: <c>TradeView</c> of <c>Trade</c>.</typeparam>
    /// <param name="view">The view. What is asked of it throws <see cref="NinoSerializationException"/> where the bytes are damaged.</param>
    /// <returns>False when the record is of another type.</returns>
    /// <exception cref="SchemaMismatchException">Records of the stored shape cannot be read as the type is now.</exception>
    /// <exception cref="NinoSerializationException">There are fewer bytes than any such record has, or a record of another shape is damaged.</exception>
    public bool TryView<TView>(out TView view) where TView : struct, INinoRecordView<TView>, allows ref struct
    {
        view = default;
        if (!NinoView.IsOf<TView>(Schema)) return false;
        try
        {
            view = NinoView.IsSame<TView>(Schema) ? TView.Over(Payload) : NinoView.Open<TView>(Payload, Schema, _scan?.ViewBuffer ?? new NinoViewBuffer(), StoredLimits.Default);
            return true;
        }
        catch (NinoSchemaMismatchException error)
        {
            throw LogRecord.Mismatch(Sequence, error);
        }
        catch (NinoSerializationException error)
        {
            throw LogRecord.At(Sequence, error);
        }
    }
}
