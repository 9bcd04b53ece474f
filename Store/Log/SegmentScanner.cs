// Reads the frames of one segment in order, for everybody: recovery, readers of the log and inspect. Everything it returns has been verified; it never
// writes. Bytes come by positional reads into one pooled buffer: through a mapping of the file it was slower (docs/performance.md, "Reading"), and a disk that
// fails under a mapping ends the process.

using System.Buffers;
using Store.Framing;
using Store.IO;
using Store.Serialization;

namespace Store.Log;

/// <summary>A forward scan over the frames of one segment file. Not thread-safe. The file stays open and belongs to the caller.</summary>
internal sealed class SegmentScanner : IDisposable
{
    // Read at once: a little where reading begins, which may be all that is wanted, twice as much each time it goes on through all that was read. Half as much where it fails.
    private const int LeastReadBytes = 128 * 1024, MostReadBytes = 1024 * 1024;

    // A batch, or the largest record with its schema's number and its length in front: nothing larger is written, and nothing larger is taken into memory.
    private const int MaxPayloadBytes = NinoStore.MaxBatchBytes + FrameBuilder.LongestPrefix;

    private readonly IStoreFile _file;
    private readonly Dictionary<int, NinoSchema> _schemas = [];
    private readonly DeclaredSchemas? _declared;
    private byte[] _buffer;
    private long _bufferStart;
    private int _bufferLength;
    private long _lastTicks;
    private long _lastSynced;
    private int _ahead = LeastReadBytes;
    private bool _waits;
    private bool _readsOne;

    /// <param name="file">The segment.</param>
    /// <param name="header">Its verified header.</param>
    /// <param name="declared">Schemas that another scan of the segment has read, for one that begins at many places of it; null for none.</param>
    public SegmentScanner(IStoreFile file, SegmentHeader header, DeclaredSchemas? declared = null)
    {
        _file = file;
        _declared = declared;
        Header = header;
        NextSequence = header.FirstSequence;
        Offset = SegmentFormat.HeaderSize;
        _buffer = ArrayPool<byte>.Shared.Rent(LeastReadBytes);
    }

    public SegmentHeader Header { get; }

    /// <summary>Where the next frame starts; after anything but a frame, where scanning stopped.</summary>
    public long Offset { get; private set; }

    /// <summary>Where the frame last returned starts.</summary>
    public long FrameOffset { get; private set; }

    /// <summary>Sequence of the next record.</summary>
    public long NextSequence { get; private set; }

    /// <summary>Schemas declared so far, by their id in this segment.</summary>
    public IReadOnlyDictionary<int, NinoSchema> Schemas => _schemas;

    /// <summary>Header of the frame last returned.</summary>
    public FrameHeader Frame { get; private set; }

    /// <summary>Payload of the frame last returned. Valid until the next call.</summary>
    public ReadOnlyMemory<byte> Payload { get; private set; }

    /// <summary>As <see cref="Payload"/>.</summary>
    public ReadOnlySpan<byte> PayloadSpan => Payload.Span;

    /// <summary>Checksum stored in the header of the frame last returned.</summary>
    public uint FrameChecksum { get; private set; }

    /// <summary>What is wrong, after a status that is neither a frame nor the end.</summary>
    public string? Problem { get; private set; }

    /// <summary>Time of the last frame, UTC ticks.</summary>
    public long LastTicks => _lastTicks;

    /// <summary>Highest sequence that a frame so far said was durable.</summary>
    public long SyncedThrough => _lastSynced;

    /// <summary>Bytes of frames that were read because their headers verify, and then did not.</summary>
    public long RejectedBytes { get; private set; }

    /// <summary>Reads the next frame. After <see cref="FrameReadStatus.End"/> it may be called again: a live log may have grown.</summary>
    public FrameReadStatus Next()
    {
        Problem = null;

        // Whoever looks again where there was no frame asks for a header only: while a log rests nothing else is read of it.
        ReadOnlySpan<byte> bytes = Fill(Offset, FrameFormat.HeaderSize, readsAhead: !_waits && !_readsOne);
        _waits = false;
        if (!FrameHeader.TryRead(bytes, Header.SegmentId, Offset, out FrameHeader frame))
        {
            if (!bytes.ContainsAnyExcept((byte)0)) return Stop(FrameReadStatus.End, null);
            return Stop(FrameReadStatus.BadHeader, bytes.Length < FrameFormat.HeaderSize ? "a frame header is cut off" : "no frame header of this segment is here");
        }

        uint checksum = FrameHeader.StoredChecksum(bytes);
        if (!frame.IsPlausible || (frame.Kind == FrameKind.Footer && frame.PayloadLength != SegmentFooter.Size)) return Stop(FrameReadStatus.BadHeader, "a frame header contradicts itself");

        // What lies in the buffer is not behind the file's end.
        if (Offset + frame.FrameLength > _bufferStart + _bufferLength && frame.FrameLength > _file.LengthBytes - Offset) return Stop(FrameReadStatus.BadPayload, $"a frame of {frame.FrameLength} bytes is cut off by the end of the file");
        if (frame.PayloadLength > MaxPayloadBytes) return Stop(FrameReadStatus.BadPayload, $"a frame of {frame.FrameLength} bytes is larger than any that is written");
        int length = (int)frame.FrameLength;
        bytes = Fill(Offset, length, readsAhead: !_readsOne);
        if (bytes.Length < length) return Stop(FrameReadStatus.BadPayload, $"a frame of {frame.FrameLength} bytes is cut off");
        ReadOnlySpan<byte> payload = bytes.Slice(FrameFormat.HeaderSize, frame.PayloadLength);
        if (Crc32C.Compute(payload) != frame.PayloadChecksum)
        {
            RejectedBytes += length;
            return Stop(FrameReadStatus.BadPayload, "the payload's checksum does not match");
        }

        if (bytes[(FrameFormat.HeaderSize + frame.PayloadLength)..].ContainsAnyExcept((byte)0)) return Stop(FrameReadStatus.BadPayload, "the padding after the payload is not zero");
        if (frame.FirstSequence != NextSequence) return Stop(FrameReadStatus.OutOfOrder, $"the frame starts at sequence {frame.FirstSequence}, expected is {NextSequence}");
        if (frame.TimeTicks < _lastTicks || frame.SyncedThrough < _lastSynced) return Stop(FrameReadStatus.OutOfOrder, "the frame is older than the one before it");

        FrameOffset = Offset;
        Frame = frame;
        FrameChecksum = checksum;
        Payload = _buffer.AsMemory((int)(Offset - _bufferStart) + FrameFormat.HeaderSize, frame.PayloadLength);
        if (frame.Kind == FrameKind.Schema) DeclareSchema(payload);
        Offset += length;
        NextSequence = frame.FirstSequence + frame.RecordCount;
        _lastTicks = frame.TimeTicks;
        _lastSynced = frame.SyncedThrough;
        return FrameReadStatus.Frame;
    }

    /// <summary>
    /// Goes on at a place that an index names, with the schemas declared before it. False when the index is wrong: nothing is skipped then. Frames that are
    /// skipped are not verified.
    /// </summary>
    public bool TryStartAt(IndexEntry entry, ReadOnlySpan<long> schemas)
    {
        (long offset, long next, long ticks, long synced) = (Offset, NextSequence, _lastTicks, _lastSynced);
        bool isThere = true;
        foreach (long place in schemas)
        {
            if (place >= entry.Offset || !isThere) break;
            if (_declared?.TryGet(place, out (int Id, NinoSchema Schema) known) == true) _schemas[known.Id] = known.Schema;
            else isThere = TryDeclareAt(place);
        }

        (Offset, NextSequence, _lastTicks, _lastSynced) = (entry.Offset, entry.Sequence, 0, 0);
        isThere = isThere && FrameHeader.TryRead(Fill(Offset, FrameFormat.HeaderSize), Header.SegmentId, Offset, out FrameHeader frame) && frame.FirstSequence == entry.Sequence && frame.TimeTicks == entry.Ticks;
        if (isThere) return true;
        Resume(offset, next);
        (_lastTicks, _lastSynced) = (ticks, synced);
        return false;
    }

    /// <summary>The file has grown since it was read: forgets what was read ahead of the present frame.</summary>
    public void Refresh() => Forget();

    /// <summary>Goes on behind damage, where the caller found another frame. Only for looking into a file: what is between is lost.</summary>
    public void Resume(long offset, long nextSequence)
    {
        Offset = offset;
        NextSequence = nextSequence;
        Forget();
    }

    /// <summary>The records of the frame last returned.</summary>
    /// <exception cref="StoreCorruptException">The frame verifies but its records do not parse: it was not written by a correct writer.</exception>
    public FrameRecords Records() => new(this);

    /// <summary>The exception for bytes that verify but make no sense.</summary>
    public StoreCorruptException Corrupt(string what, long offset) =>
        new($"{_file.Name}, offset {offset}: {what}. The frame's checksums match, so it was not damaged on the disk but written wrongly; run 'inspect verify' and report it.", _file.Name) { Offset = offset };

    public void Dispose()
    {
        if (_buffer.Length == 0) return;
        Return(_buffer);
        _buffer = [];
        _bufferLength = 0;
        Payload = default;
    }

    // Reads the one frame at a place, whatever its sequence; false when no whole schema frame is there.
    private bool TryDeclareAt(long offset)
    {
        // What is around it is not wanted: it lies before the place to begin at.
        _readsOne = true;
        try
        {
            if (!FrameHeader.TryRead(Fill(offset, FrameFormat.HeaderSize, readsAhead: false), Header.SegmentId, offset, out FrameHeader frame) || !frame.IsPlausible || frame.Kind != FrameKind.Schema) return false;
            (Offset, NextSequence, _lastTicks, _lastSynced) = (offset, frame.FirstSequence, 0, 0);
            return Next() == FrameReadStatus.Frame;
        }
        finally
        {
            _readsOne = false;
        }
    }

    private void Forget() => (_bufferLength, _ahead) = (0, LeastReadBytes);

    private FrameReadStatus Stop(FrameReadStatus status, string? problem)
    {
        Forget();
        _waits = true;
        Problem = problem;
        return status;
    }

    private void DeclareSchema(ReadOnlySpan<byte> payload)
    {
        try
        {
            var reader = new NinoReader(payload);
            uint id = reader.ReadCompact();
            if (id is 0 or > ushort.MaxValue) throw Corrupt($"a schema has the id {id}", FrameOffset);
            NinoSchema schema = NinoSchema.Parse(reader.TakeSpan(reader.Remaining));
            _schemas[(int)id] = schema;
            _declared?.Add(FrameOffset, (int)id, schema);
        }
        catch (NinoSerializationException e)
        {
            throw new StoreCorruptException($"{_file.Name}, offset {FrameOffset}: a schema cannot be read: {e.Message}", _file.Name, e) { Offset = FrameOffset };
        }
    }

    // At least `length` bytes from `offset`, or all there are. The count is bounded by the caller to what the file holds.
    private ReadOnlySpan<byte> Fill(long offset, int length, bool readsAhead = true)
    {
        long skip = offset - _bufferStart;
        bool goesOn = skip >= 0 && skip <= _bufferLength;
        if (!goesOn)
        {
            Forget();
            _bufferStart = offset;
            skip = 0;
        }

        if (_bufferLength - skip < length)
        {
            if (goesOn && skip > 0 && _bufferLength >= _ahead) _ahead = Math.Min(2 * _ahead, MostReadBytes);
            int kept = (int)(_bufferLength - skip), wanted = readsAhead ? Math.Max(length, _ahead) : length;
            byte[] target = wanted <= _buffer.Length && !IsTooLarge(wanted) ? _buffer : Take(wanted);
            Buffer.BlockCopy(_buffer, (int)skip, target, 0, kept);
            if (target != _buffer)
            {
                Return(_buffer);
                _buffer = target;
            }

            // What is known first: a read that fails leaves no bytes of before where others belong.
            (_bufferStart, _bufferLength) = (offset, kept);
            _bufferLength += Read(kept, length - kept, wanted - kept);
            skip = 0;
        }

        return _buffer.AsSpan((int)skip, Math.Min(length, _bufferLength - (int)skip));
    }

    // What is needed is still read where a sector ahead of it cannot be: the records before it are returned before the exception. Whoever comes nearer reads half as far ahead each time it fails, because a disk may take
    // seconds to give up a sector.
    private int Read(int at, int needed, int wanted)
    {
        while (true)
        {
            try
            {
                return _file.Read(_buffer.AsSpan(at, wanted), _bufferStart + at);
            }
            catch (IOException) when (wanted > needed)
            {
                wanted = Math.Max(needed, wanted / 2);
                _ahead = at + wanted;
            }
        }
    }

    // Of a batch that was larger than what is read at once, when it has been looked at.
    private bool IsTooLarge(int wanted) => _buffer.Length > MostReadBytes && wanted <= MostReadBytes;

    private static byte[] Take(int length) => length <= MostReadBytes ? ArrayPool<byte>.Shared.Rent(length) : GC.AllocateUninitializedArray<byte>(length);

    // What a rare large batch took is not kept for others.
    private static void Return(byte[] buffer)
    {
        if (buffer.Length <= MostReadBytes) ArrayPool<byte>.Shared.Return(buffer);
    }

    /// <summary>Enumerates the records of one frame.</summary>
    public struct FrameRecords(SegmentScanner scanner)
    {
        private int _position;
        private int _index;
        private int _start;
        private int _length;
        private int _lastId;

        // Records of a frame of one type, once the first has been taken; 0 of others.
        private int _plainCount;

        /// <summary>Sequence of the current record.</summary>
        public readonly long Sequence => scanner.Frame.FirstSequence + _index - 1;

        /// <summary>Schema of the current record.</summary>
        public NinoSchema Schema { get; private set; } = null!;

        /// <summary>Bytes of the current record; valid until the scanner moves on.</summary>
        public readonly ReadOnlyMemory<byte> Payload => scanner.Payload.Slice(_start, _length);

        /// <summary>Where the current record is in the frame's payload.</summary>
        public readonly (int Start, int Length) Place => (_start, _length);

        /// <summary>After an exception: true when only the schema of the current record is lost, and there may be others behind it.</summary>
        public bool WasPassed { get; private set; }

        /// <summary>Moves to the next record.</summary>
        public bool MoveNext() => MoveNext(scanner.PayloadSpan);

        /// <summary>As <see cref="MoveNext()"/>, with the frame's payload at hand.</summary>
        public bool MoveNext(ReadOnlySpan<byte> payload)
        {
            int at = _position;
            if (_index < _plainCount && at < payload.Length)
            {
                // The length is compared with what is left behind its one byte.
                int length = payload[at];
                if (length < CompactNumber.Marker16 && length < payload.Length - at)
                {
                    (_start, _length, _position) = (at + 1, length, at + 1 + length);
                    _index++;
                    return true;
                }
            }

            return MoveNextSlowly(payload);
        }

        private bool MoveNextSlowly(ReadOnlySpan<byte> payload)
        {
            WasPassed = false;
            FrameHeader frame = scanner.Frame;
            if (frame.Kind != FrameKind.Records) return false;
            if (_index == frame.RecordCount)
            {
                if (_position != payload.Length) throw scanner.Corrupt("bytes follow the last record of the frame", scanner.FrameOffset);
                return false;
            }

            try
            {
                var reader = new NinoReader(payload[_position..]);
                int schemaId = frame.SchemaId != 0 ? frame.SchemaId : (int)Math.Min(reader.ReadCompact(), int.MaxValue);
                uint length = reader.ReadCompact();
                if (length > (uint)reader.Remaining) throw scanner.Corrupt($"a record of {length} bytes exceeds its frame", scanner.FrameOffset);

                // Behind it before its schema is asked for: where a frame names each record's, one that is lost is not the others'.
                _start = _position + reader.Position;
                _length = (int)length;
                _position = _start + _length;
                _index++;
                WasPassed = frame.SchemaId == 0;
                if (schemaId != _lastId || Schema is null)
                {
                    Schema = scanner.SchemaOf(schemaId);
                    _lastId = schemaId;
                    _plainCount = frame.SchemaId != 0 ? frame.RecordCount : 0;
                }

                return true;
            }
            catch (NinoSerializationException e)
            {
                throw scanner.Unparsable(e);
            }
        }
    }

    /// <summary>The schema of a number.</summary>
    /// <exception cref="StoreCorruptException">The segment does not declare it before the present frame.</exception>
    public NinoSchema SchemaOf(int id) =>
        _schemas.TryGetValue(id, out NinoSchema? schema) ? schema : throw Corrupt($"a record refers to the schema {id}, which the segment does not declare", FrameOffset);

    /// <summary>The exception for records that cannot be told apart.</summary>
    public StoreCorruptException Unparsable(Exception cause) =>
        new($"{_file.Name}, offset {FrameOffset}: the records of a frame cannot be told apart: {cause.Message}", _file.Name, cause) { Offset = FrameOffset };
}
