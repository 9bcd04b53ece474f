// Which frames are shipped from a sequence on, and which schemas before them? Frames as they are stored; a schema when it is first needed, and again when its
// number has another meaning in a later segment.

using Store.Framing;
using Store.Log;
using Store.Reading;
using Store.Serialization;

namespace Store.Shipping;

/// <summary>Frames of a scan, as they are shipped. Not thread-safe.</summary>
/// <param name="scan">The scan; stays the caller's.</param>
/// <param name="storeId">The store.</param>
/// <param name="shipment">Number of this reading.</param>
internal sealed class FrameSource(RecordScan scan, Guid storeId, ulong shipment) : IScanPortions<RawFrame>
{
    private const int PortionBytes = 1024 * 1024;

    private readonly Dictionary<int, NinoSchema> _told = [];
    private readonly List<int> _ids = [];
    private readonly List<RawFrame> _current = [];
    private byte[] _copy = [];

    /// <summary>Frames one after another. The payload of one is valid until the next is asked for.</summary>
    public IEnumerable<RawFrame> Frames()
    {
        while (Next(lends: true))
        {
            foreach (RawFrame frame in _current) yield return frame;
        }
    }

    /// <summary>Adds frames, about 1 MiB of them, whose payloads are the caller's.</summary>
    /// <returns>False when the scan has come to its present end.</returns>
    public bool Fill(List<RawFrame> batch)
    {
        for (long bytes = 0; bytes < PortionBytes; bytes += scan.Scanner.Frame.FrameLength)
        {
            if (!Next(lends: false)) return false;
            batch.AddRange(_current);
        }

        return true;
    }

    private bool Next(bool lends)
    {
        _current.Clear();
        if (!scan.NextFrame()) return false;
        SegmentScanner scanner = scan.Scanner;
        FrameHeader frame = scanner.Frame;
        ReadOnlySpan<byte> payload = scanner.PayloadSpan;
        FrameRecordIds.List(scanner, payload, _ids);
        foreach (int id in _ids)
        {
            NinoSchema schema = scanner.SchemaOf(id);
            if (_told.TryGetValue(id, out NinoSchema? told) && SameSchema.AreEqual(told, schema)) continue;
            _told[id] = schema;
            _current.Add(SchemaFrame(id, schema, frame));
        }

        _current.Add(new RawFrame { StoreId = storeId, Shipment = shipment, Header = frame with { SyncedThrough = frame.FirstSequence - 1, Flags = 0 }, Payload = Copied(payload, lends) });
        return true;
    }

    private RawFrame SchemaFrame(int id, NinoSchema schema, in FrameHeader before)
    {
        Span<byte> prefix = stackalloc byte[5];
        byte[] payload = [.. prefix[..FrameBuilder.WriteCompact(prefix, (uint)id)], .. schema.CanonicalBytes.Span];
        return new RawFrame
        {
            StoreId = storeId,
            Shipment = shipment,
            Payload = payload,
            Header = new FrameHeader
            {
                Kind = FrameKind.Schema,
                PayloadLength = payload.Length,
                PayloadChecksum = Crc32C.Compute(payload),
                FirstSequence = before.FirstSequence,
                TimeTicks = before.TimeTicks,
                SyncedThrough = before.FirstSequence - 1,
            },
        };
    }

    // Memory of a scanner's buffer cannot be given away for longer than a moment.
    private ReadOnlyMemory<byte> Copied(ReadOnlySpan<byte> payload, bool lends)
    {
        if (!lends) return payload.ToArray();
        if (_copy.Length < payload.Length) _copy = GC.AllocateUninitializedArray<byte>(Math.Max(payload.Length, 64 * 1024));
        payload.CopyTo(_copy);
        return _copy.AsMemory(0, payload.Length);
    }
}

/// <summary>The schema numbers that the records of a frame use.</summary>
internal static class FrameRecordIds
{
    /// <summary>Lists each number once, in the order of the records.</summary>
    public static void List(SegmentScanner scanner, ReadOnlySpan<byte> payload, List<int> ids)
    {
        ids.Clear();
        if (scanner.Frame.SchemaId != 0)
        {
            ids.Add(scanner.Frame.SchemaId);
            return;
        }

        try
        {
            Walk(payload, scanner.Frame.RecordCount, namesSchemas: true, ids);
        }
        catch (NinoSerializationException e)
        {
            throw scanner.Unparsable(e);
        }
    }

    /// <summary>Goes through the records of a frame and adds the schema numbers they name. Everything is checked against the payload.</summary>
    /// <exception cref="NinoSerializationException">The bytes are not so many records.</exception>
    public static void Walk(ReadOnlySpan<byte> payload, int recordCount, bool namesSchemas, List<int> ids)
    {
        // One bit for every number there can be: a frame that names them all costs no more than one that names one.
        Span<ulong> seen = stackalloc ulong[namesSchemas ? (ushort.MaxValue + 1) / 64 : 0];
        seen.Clear();
        var reader = new NinoReader(payload);
        for (int i = 0; i < recordCount; i++)
        {
            if (namesSchemas)
            {
                uint id = reader.ReadCompact();
                if (id is 0 or > ushort.MaxValue) throw new NinoSerializationException($"record {i + 1} of {recordCount} names the schema {id}, and numbers go from 1 to {ushort.MaxValue}");
                ulong bit = 1UL << (int)(id % 64);
                if ((seen[(int)(id / 64)] & bit) == 0) ids.Add((int)id);
                seen[(int)(id / 64)] |= bit;
            }

            uint length = reader.ReadCompact();
            if (length > (uint)reader.Remaining) throw new NinoSerializationException($"record {i + 1} of {recordCount} has {length} bytes, and {reader.Remaining} are left");
            reader.TakeSpan((int)length);
        }

        if (reader.Remaining != 0) throw new NinoSerializationException($"{reader.Remaining} bytes follow the last of {recordCount} records");
    }
}
