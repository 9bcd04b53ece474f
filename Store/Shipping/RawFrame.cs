// What travels from one store to another: a sealed frame as it lies in the log, with its own checksum, and the schemas it needs before it.

using Store.Framing;

namespace Store;

/// <summary>
/// A finished frame of a log, or a schema that the frames after it use: what <see cref="NinoStore.ReadFrames"/> gives and <see cref="NinoStore.Import"/> takes.
/// The checksum of its payload was made when the frame was sealed and goes with it, so damage on any way between is noticed.
/// </summary>
public readonly record struct RawFrame
{
    /// <summary>Identity of the store it comes from.</summary>
    public Guid StoreId { get; internal init; }

    /// <summary>True for a schema; false for records.</summary>
    public bool IsSchema => Header.Kind == FrameKind.Schema;

    /// <summary>Sequence of the first record; of a schema, of the first record after it.</summary>
    public long FirstSequence => Header.FirstSequence;

    /// <summary>Sequence of the last record up to and including this frame.</summary>
    public long LastSequence => Header.LastSequence;

    /// <summary>Records in the frame; 0 of a schema.</summary>
    public int RecordCount => Header.RecordCount;

    /// <summary>When its records were appended (UTC).</summary>
    public DateTimeOffset Timestamp => new(Header.TimeTicks, TimeSpan.Zero);

    /// <summary>CRC-32C of the payload.</summary>
    public uint PayloadChecksum => Header.PayloadChecksum;

    /// <summary>The payload as docs/formats/frame.md lays it out. Valid until whoever gave the frame moves on.</summary>
    public ReadOnlyMemory<byte> Payload { get; internal init; }

    /// <summary>What the transfer and the log say of it. Its schema numbers are those of <see cref="Shipment"/>.</summary>
    internal FrameHeader Header { get; init; }

    /// <summary>Which reading it belongs to: a schema's number has its meaning in one only.</summary>
    internal ulong Shipment { get; init; }
}
