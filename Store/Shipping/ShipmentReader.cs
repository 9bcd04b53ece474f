// Takes frames out of a stream that may be cut, damaged or somebody else's. A header is believed when its checksum belongs to this shipment and this place;
// payloads are verified by whoever imports them.

using Store.Framing;

namespace Store.Shipping;

/// <summary>Reads one shipment. Not thread-safe.</summary>
/// <param name="stream">Where it comes from; stays the caller's.</param>
internal sealed class ShipmentReader(Stream stream)
{
    // A length that a stream claims is allocated as its bytes arrive.
    private const int FirstBufferBytes = 256 * 1024;

    // The largest record has its schema's number and its length in front of it.
    private const int MaxPayloadBytes = NinoStore.MaxBatchBytes + FrameBuilder.LongestPrefix;

    private readonly byte[] _header = new byte[ShipmentHead.Size];
    private byte[] _payload = [];
    private ShipmentHead _head;
    private long _offset;
    private long _last;

    /// <summary>Reads the head.</summary>
    /// <exception cref="ShipmentException">It is cut off, or none.</exception>
    /// <exception cref="StoreVersionException">It is of a newer version.</exception>
    public async ValueTask BeginAsync(CancellationToken cancellationToken)
    {
        int read = await ReadAsync(_header.AsMemory(0, ShipmentHead.Size), cancellationToken).ConfigureAwait(false);
        if (!ShipmentHead.TryRead(_header.AsSpan(0, read), out _head, out bool isNewer))
        {
            if (isNewer) throw new StoreVersionException("The shipment has a newer format version than this NinoStore reads. Use a newer version.");
            throw read < ShipmentHead.Size ? Truncated() : new ShipmentException(ShipmentProblem.Damaged, 0, "The stream does not start with the head of a shipment: it is none, or its first bytes are damaged.");
        }

        _offset = ShipmentHead.Size;
    }

    /// <summary>The next frame, whose payload is valid until the next call and not verified; null at the end.</summary>
    /// <exception cref="ShipmentException">The stream is cut off or damaged.</exception>
    public async ValueTask<RawFrame?> NextAsync(CancellationToken cancellationToken)
    {
        int read = await ReadAsync(_header.AsMemory(0, FrameFormat.HeaderSize), cancellationToken).ConfigureAwait(false);
        if (read < FrameFormat.HeaderSize) throw Truncated();
        if (!FrameHeader.TryRead(_header, _head.ShipmentId, _offset, out FrameHeader header)) throw Damaged("a frame header does not verify");
        if (!header.IsPlausible || header.Kind is not (FrameKind.Records or FrameKind.Schema or FrameKind.Mark) || header.PayloadLength > MaxPayloadBytes) throw Damaged("a frame header contradicts itself");
        if (header.Kind == FrameKind.Mark)
        {
            CheckEnd(header);
            return null;
        }

        if (header.Kind == FrameKind.Records)
        {
            if (_last == 0 ? header.FirstSequence > _head.FromSequence : header.FirstSequence != _last + 1) throw Damaged(_last == 0 ? $"the first frame begins with record {header.FirstSequence}, and {_head.FromSequence} was asked for" : $"a frame begins with record {header.FirstSequence} behind record {_last}");
            _last = header.LastSequence;
        }

        int length = (int)(header.FrameLength - FrameFormat.HeaderSize);
        await FillAsync(length, cancellationToken).ConfigureAwait(false);
        if (_payload.AsSpan(header.PayloadLength, length - header.PayloadLength).ContainsAnyExcept((byte)0)) throw Damaged("the padding after a payload is not zero");
        _offset += header.FrameLength;
        return new RawFrame { StoreId = _head.StoreId, Shipment = _head.ShipmentId, Header = header, Payload = _payload.AsMemory(0, header.PayloadLength) };
    }

    // A log that is empty, or ends before what was asked for begins, gives no frame.
    private void CheckEnd(in FrameHeader end)
    {
        long last = _last == 0 ? _head.FromSequence - 1 : _last;
        if ((end.Flags & FrameFormat.ClosedFlag) == 0 || end.PayloadLength != 0 || end.FirstSequence != last + 1 || end.SyncedThrough != last) throw Damaged($"the end names record {end.FirstSequence - 1} as the last one, and {last} is");
        if (last < _head.FromSequence - 1) throw Damaged($"the shipment ends with record {last}, before {_head.FromSequence}, which was asked for");
    }

    private async ValueTask FillAsync(int length, CancellationToken cancellationToken)
    {
        for (int filled = 0; filled < length;)
        {
            if (_payload.Length < length && filled == _payload.Length) Array.Resize(ref _payload, Math.Min(length, Math.Max(FirstBufferBytes, filled * 2)));
            int wanted = Math.Min(length, _payload.Length) - filled;
            int read = await ReadAsync(_payload.AsMemory(filled, wanted), cancellationToken).ConfigureAwait(false);
            if (read < wanted) throw Truncated();
            filled += read;
        }
    }

    private async ValueTask<int> ReadAsync(Memory<byte> destination, CancellationToken cancellationToken)
    {
        int filled = 0;
        while (filled < destination.Length)
        {
            int read = await stream.ReadAsync(destination[filled..], cancellationToken).ConfigureAwait(false);
            if (read == 0) break;
            filled += read;
        }

        return filled;
    }

    private ShipmentException Truncated() => new(ShipmentProblem.Truncated, _offset, $"The shipment is cut off behind byte {_offset}: its end is missing. What came before it is imported; ship again from there on.");

    private ShipmentException Damaged(string what) => new(ShipmentProblem.Damaged, _offset, $"Byte {_offset} of the shipment: {what}. What came before it is imported; ship again from there on.");
}
