// The open frame: records are put into the pipe's memory one after the other behind room for a header, which is filled in when the frame is sealed.
// All members are called under the log's gate.

using System.Buffers.Binary;
using System.Runtime.CompilerServices;
using Store.Log;
using Store.Serialization;

namespace Store.Framing;

internal sealed class FrameBuilder
{
    public const int LongestPrefix = 10;

    private LogChunk? _chunk;
    private int _start;
    private int _position;
    private int _limit;
    private int _singleId;
    private bool _oneType = true;
    private int _firstId;

    /// <summary>True between <see cref="Open"/> and <see cref="Seal"/>.</summary>
    public bool IsOpen => _chunk is not null;

    /// <summary>Bytes of the open frame so far.</summary>
    public int LengthBytes => IsOpen ? _position - _start : 0;

    /// <summary>Records so far.</summary>
    public int RecordCount { get; private set; }

    /// <summary>True when each record names its schema.</summary>
    public bool IsMixed => IsOpen && _singleId == 0;

    /// <summary>True when all records so far have the same schema.</summary>
    public bool HoldsOneType => _oneType;

    /// <summary>True when a record of another schema cannot join.</summary>
    public bool Refuses(int schemaId) => IsOpen && _singleId != 0 && _singleId != schemaId;

    /// <summary>True when a record of so many bytes can join the open frame.</summary>
    public bool CanTake(int schemaId, int recordLength) => IsOpen && !Refuses(schemaId) && recordLength <= _limit - _position - LongestPrefix;

    /// <summary>Bytes of frame for one record of so many bytes, prefixes and header included, padding not.</summary>
    public static int SizeFor(int recordLength) => checked(FrameFormat.HeaderSize + LongestPrefix + recordLength);

    /// <summary>Opens a frame at the pipe's position. Bound: the pipe has <paramref name="limit"/> bytes of contiguous room, a multiple of the alignment.</summary>
    /// <param name="pipe">Where the bytes go.</param>
    /// <param name="singleId">Schema of every record, or 0 for a frame whose records each name theirs.</param>
    /// <param name="limit">Most bytes the frame may take.</param>
    public void Open(LogPipe pipe, int singleId, int limit)
    {
        pipe.GetMemory(limit);
        _chunk = pipe.Current!;
        _start = _chunk.Written;
        _position = _start + FrameFormat.HeaderSize;
        _limit = _start + limit;
        _singleId = singleId;
        _firstId = 0;
        _oneType = true;
        RecordCount = 0;
    }

    /// <summary>Adds a record; false when there is no open frame, or it is full, or it holds another type.</summary>
    public bool TryAdd(int schemaId, ReadOnlySpan<byte> record)
    {
        // Bound: the subtraction cannot overflow, both are inside one array; the room covers the longest prefixes.
        if (_chunk is null || record.Length > _limit - _position - LongestPrefix || RecordCount == int.MaxValue) return false;
        byte[] buffer = _chunk.Buffer;
        if (_singleId == 0)
        {
            _position += WriteCompact(buffer.AsSpan(_position), (uint)schemaId);
            if (_firstId == 0) _firstId = schemaId;
            _oneType &= _firstId == schemaId;
        }
        else if (_singleId != schemaId)
        {
            return false;
        }

        _position += WriteCompact(buffer.AsSpan(_position), (uint)record.Length);
        record.CopyTo(buffer.AsSpan(_position));
        _position += record.Length;
        RecordCount++;
        return true;
    }

    /// <summary>Adds a payload of many records that already have their length prefixes.</summary>
    public void AddAll(ReadOnlySpan<byte> payload, int recordCount) => TryAddAll(new EncodedBatch(payload, recordCount));

    /// <summary>Adds a batch to a frame that was opened for it; false when it is not what it was said to be: the frame is given up, and the pipe is where it was.</summary>
    public bool TryAddAll<TPayload>(TPayload batch) where TPayload : IBatchPayload, allows ref struct
    {
        if (!batch.TryWrite(_chunk!.Buffer.AsSpan(_position, _limit - _position)[..batch.LengthBytes]))
        {
            _chunk = null;
            return false;
        }

        _position += batch.LengthBytes;
        RecordCount = batch.RecordCount;
        return true;
    }

    /// <summary>Fills in the header, pads with zeros and moves the pipe over the frame.</summary>
    /// <param name="pipe">Where the bytes are.</param>
    /// <param name="kind">What the frame holds.</param>
    /// <param name="flags">Its flags.</param>
    /// <param name="firstSequence">Sequence of its first record.</param>
    /// <param name="timeTicks">Its time.</param>
    /// <param name="syncedThrough">What is known to be durable.</param>
    /// <param name="segmentId">Seed of the header's checksum.</param>
    /// <param name="offset">Where the frame begins in the file.</param>
    /// <param name="payloadChecksum">The checksum that came with the payload; null to compute it.</param>
    /// <returns>Bytes of the frame, and the checksum of its header.</returns>
    public (int Length, uint Checksum) Seal(LogPipe pipe, FrameKind kind, byte flags, long firstSequence, long timeTicks, long syncedThrough, ulong segmentId, long offset, uint? payloadChecksum = null)
    {
        byte[] buffer = _chunk!.Buffer;
        int payloadStart = _start + FrameFormat.HeaderSize;
        int payloadLength = _position - payloadStart;
        int length = checked((int)FrameFormat.SizeOf(payloadLength));
        buffer.AsSpan(_position, _start + length - _position).Clear();
        var header = new FrameHeader
        {
            Kind = kind,
            Flags = flags,
            PayloadLength = payloadLength,
            PayloadChecksum = payloadChecksum ?? Crc32C.Compute(buffer.AsSpan(payloadStart, payloadLength)),
            SchemaId = kind == FrameKind.Records ? (ushort)_singleId : (ushort)0,
            RecordCount = RecordCount,
            FirstSequence = firstSequence,
            TimeTicks = timeTicks,
            SyncedThrough = syncedThrough,
        };
        uint checksum = header.Write(buffer.AsSpan(_start), segmentId, offset);
        pipe.Advance(length);
        pipe.Seal();
        _chunk = null;
        RecordCount = 0;
        return (length, checksum);
    }

    /// <summary>Writes a length prefix in the record format's compact form and returns its size. Bound: five bytes of room.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int WriteCompact(Span<byte> destination, uint value)
    {
        if (value < CompactNumber.Marker16)
        {
            destination[0] = (byte)value;
            return 1;
        }

        if (value <= ushort.MaxValue)
        {
            destination[0] = CompactNumber.Marker16;
            BinaryPrimitives.WriteUInt16LittleEndian(destination[1..], (ushort)value);
            return 3;
        }

        destination[0] = CompactNumber.Marker32;
        BinaryPrimitives.WriteUInt32LittleEndian(destination[1..], value);
        return 5;
    }
}
