// How does a checkpoint or a snapshot know the record it was written after? Not by its number: a log that was put back from a backup gives the same numbers again. Not by its bytes alone either: heartbeats are all alike.

using System.Buffers.Binary;
using Store.Framing;

namespace Store.Reading;

/// <summary>
/// Tells a record of one history of the log from whatever has its number in another: CRC-32C of its time (UTC ticks, 8 bytes, little-endian), the fingerprint of its schema (8 bytes) and its bytes. Shipping and backups
/// keep all three.
/// </summary>
internal static class RecordMark
{
    public static uint Of(in LogRecord record)
    {
        Span<byte> head = stackalloc byte[16];
        BinaryPrimitives.WriteInt64LittleEndian(head, record.Timestamp.UtcTicks);
        BinaryPrimitives.WriteUInt64LittleEndian(head[8..], record.Schema.Fingerprint);
        return Crc32C.Compute(record.Payload.Span, Crc32C.Compute(head));
    }

    /// <summary>True when a record is in the log as it was. A log that begins later is believed: retention removed the record. Of sequence 0, before the first record, there is nothing to tell.</summary>
    /// <param name="sequence">Its number.</param>
    /// <param name="mark">What <see cref="Of"/> gave.</param>
    /// <param name="from">The log from that number on.</param>
    public static bool IsIn(long sequence, uint mark, IEnumerable<LogRecord> from)
    {
        if (sequence == 0) return true;
        foreach (LogRecord record in from) return record.Sequence > sequence || Of(record) == mark;
        return false;
    }

    /// <summary>The mark of a record that must be there; 0 of sequence 0.</summary>
    /// <exception cref="StoreCorruptException">It is not.</exception>
    public static uint Find(long sequence, IEnumerable<LogRecord> from, string name, string path)
    {
        if (sequence == 0) return 0;
        foreach (LogRecord record in from)
        {
            if (record.Sequence == sequence) return Of(record);
            break;
        }

        throw new StoreCorruptException($"Record {sequence} of the log, which a checkpoint of '{name}' stands behind, is not there any more; the checkpoint was given up.", path);
    }
}
