// Records of one type with their values, oldest first. An enumerator by hand: an iterator of the language cannot catch around what it returns, and a method that catches for it would be a call more for each record.

using System.Collections;
using Store.Log;
using Store.Serialization;

namespace Store.Reading;

/// <summary>Each enumeration goes through the log anew, lazily, and is for one thread.</summary>
/// <param name="open">Begins to go through the frames of the range.</param>
internal sealed class TypedRecords<T>(Func<RecordScan> open) : IEnumerable<LogRecord<T>>
{
    public IEnumerator<LogRecord<T>> GetEnumerator() => new Enumerator(open);

    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();

    private sealed class Enumerator(Func<RecordScan> open) : IEnumerator<LogRecord<T>>
    {
        private readonly RunDecoder<T> _decoder = new();
        private RecordScan? _scan;
        private SegmentScanner.FrameRecords _records;
        private DateTimeOffset _timestamp;
        private LogRecord<T> _current;
        private bool _hasFrame;
        private bool _isOver;

        public LogRecord<T> Current => _current;

        object IEnumerator.Current => _current;

        public bool MoveNext()
        {
            while (!_hasFrame || !MoveNextInFrame())
            {
                if (!NextFrame()) return false;
            }

            return true;
        }

        public void Dispose()
        {
            (_isOver, _hasFrame) = (true, false);
            _scan?.Dispose();
        }

        void IEnumerator.Reset() => throw new NotSupportedException("A log is read again by asking for another enumerator.");

        private bool MoveNextInFrame()
        {
            RecordScan scan = _scan!;
            try
            {
                ReadOnlySpan<byte> payload = scan.Scanner.PayloadSpan;
                while (_records.MoveNext(payload))
                {
                    long sequence = _records.Sequence;
                    if (!scan.IsInRange(sequence) || !_decoder.IsOfType(_records.Schema)) continue;
                    (int start, int length) = _records.Place;
                    _current = new LogRecord<T>(sequence, _timestamp, _decoder.DecodeUnplaced(sequence, _records.Schema, payload.Slice(start, length)));
                    return true;
                }

                return false;
            }
            catch (NinoSerializationException error)
            {
                Dispose();
                throw LogRecord.At(_records.Sequence, error);
            }
            catch
            {
                Dispose();
                throw;
            }
        }

        // As an iterator, it is over behind its end and behind an exception.
        private bool NextFrame()
        {
            _hasFrame = false;
            if (_isOver) return false;
            try
            {
                _scan ??= open();
                _hasFrame = _scan.NextFrame();
                if (!_hasFrame) return false;
                _records = _scan.Scanner.Records();
                _timestamp = new DateTimeOffset(_scan.Scanner.Frame.TimeTicks, TimeSpan.Zero);
                return true;
            }
            finally
            {
                if (!_hasFrame) Dispose();
            }
        }
    }
}
