// Puts frames into a stream. Their payloads go as they are; their headers are sealed anew for this shipment and their place in it.

using Store.Framing;

namespace Store.Shipping;

/// <summary>Writes one shipment. Not thread-safe.</summary>
/// <param name="stream">Where it goes; stays the caller's.</param>
/// <param name="head">Its head.</param>
internal sealed class ShipmentWriter(Stream stream, ShipmentHead head)
{
    private readonly byte[] _header = new byte[ShipmentHead.Size];
    private long _offset;

    /// <summary>Writes the head.</summary>
    public async ValueTask BeginAsync(CancellationToken cancellationToken)
    {
        head.Write(_header);
        await stream.WriteAsync(_header.AsMemory(0, ShipmentHead.Size), cancellationToken).ConfigureAwait(false);
        _offset = ShipmentHead.Size;
    }

    /// <summary>Writes one frame.</summary>
    public async ValueTask WriteAsync(RawFrame frame, CancellationToken cancellationToken)
    {
        frame.Header.Write(_header, head.ShipmentId, _offset);
        await stream.WriteAsync(_header.AsMemory(0, FrameFormat.HeaderSize), cancellationToken).ConfigureAwait(false);
        await stream.WriteAsync(frame.Payload, cancellationToken).ConfigureAwait(false);
        int padding = (int)(frame.Header.FrameLength - FrameFormat.HeaderSize - frame.Payload.Length);
        if (padding > 0)
        {
            _header.AsSpan(0, padding).Clear();
            await stream.WriteAsync(_header.AsMemory(0, padding), cancellationToken).ConfigureAwait(false);
        }

        _offset += frame.Header.FrameLength;
    }

    /// <summary>Writes the end and flushes the stream.</summary>
    /// <param name="lastSequence">Last sequence shipped, or the one before the first asked for.</param>
    /// <param name="ticks">The time.</param>
    /// <param name="cancellationToken">Gives up.</param>
    public async ValueTask EndAsync(long lastSequence, long ticks, CancellationToken cancellationToken)
    {
        var end = new FrameHeader { Kind = FrameKind.Mark, Flags = FrameFormat.ClosedFlag, PayloadLength = 0, PayloadChecksum = 0, FirstSequence = lastSequence + 1, TimeTicks = ticks, SyncedThrough = lastSequence };
        end.Write(_header, head.ShipmentId, _offset);
        await stream.WriteAsync(_header.AsMemory(0, FrameFormat.HeaderSize), cancellationToken).ConfigureAwait(false);
        await stream.FlushAsync(cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Hands on what was written so far.</summary>
    public Task FlushAsync(CancellationToken cancellationToken) => stream.FlushAsync(cancellationToken);
}
