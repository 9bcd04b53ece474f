// May this frame be appended? Verified, understood, from the store that this one follows, and the next in order; or there already, the same. In this order:
//
//   from another store than the log follows, or the log has records of its own   refuse: Foreign
//   the payload's checksum does not match, or its records do not parse             refuse: Damaged
//   it begins behind the next sequence                                             refuse: Gap
//   it ends before the next sequence, and the log holds the same frame             nothing to do
//   it ends before the next sequence, and the log begins behind it                 nothing to do: retention has removed it
//   it lies before the next sequence in any other way                              refuse: Conflict
//   it begins with the next sequence, and nothing ties the two logs together       refuse: Conflict
//   it begins with the next sequence, and is older than the frame before it        refuse: Damaged
//   it begins with the next sequence                                               append
//
// The tie is the record before the frame: this reading must have given it before, and it was the same here or was appended. Sequences alone say nothing when one of
// the two logs went its own way, or was put back from an older backup.

using System.Runtime.InteropServices;
using Store.Framing;
using Store.Log;
using Store.Serialization;
using Store.Threading;

namespace Store.Shipping;

/// <summary>Imports frames into one open store, one at a time. Safe for any number of threads.</summary>
/// <param name="log">The log.</param>
/// <param name="files">Its files.</param>
/// <param name="source">Which store is followed.</param>
internal sealed class FrameImporter(AppendLog log, ILogFiles files, FollowedStore source) : IDisposable
{
    // What the schemas of one reading may take: far above what any log has, far below what a forged stream could claim.
    private const long MaxSchemaBytes = 64 * 1024 * 1024;

    private readonly Lock _gate = new();
    private readonly Dictionary<int, NinoSchema> _schemas = [];
    private readonly List<int> _ids = [];
    private readonly List<NumberedSchema> _needed = [];
    private ulong _shipment;
    private RecordScan? _repeats;
    private long _agreedThrough;
    private long _agreedTicks;
    private long _schemaBytes;
    private bool _closed;

    /// <summary>Imports one frame. True when records were appended; false for a schema, and for a frame that is there already.</summary>
    public bool Import(in RawFrame frame)
    {
        lock (_gate)
        {
            ObjectDisposedException.ThrowIf(_closed, typeof(NinoStore));
            source.Check(frame.StoreId, log.LastSequence);
            if (frame.Shipment != _shipment) BeginReading(frame.Shipment);
            if (Crc32C.Compute(frame.Payload.Span) != frame.PayloadChecksum) throw Refused(ShipmentProblem.Damaged, frame, "the payload's checksum does not match: it was damaged on the way");
            if (frame.IsSchema)
            {
                Announce(frame);
                return false;
            }

            Understand(frame);
            return Append(frame);
        }
    }

    /// <summary>A reading is over, wherever it ended: no file stays open for it.</summary>
    public void EndReading()
    {
        using (Uninterrupted.Enter(_gate)) EndRepeats();
    }

    public void Dispose()
    {
        using (Uninterrupted.Enter(_gate))
        {
            _closed = true;
            EndRepeats();
        }
    }

    private void BeginReading(ulong shipment)
    {
        EndRepeats();
        _schemas.Clear();
        (_shipment, _schemaBytes, _agreedThrough, _agreedTicks) = (shipment, 0, 0, 0);
    }

    private bool Append(in RawFrame frame)
    {
        long next = log.LastSequence + 1;
        if (frame.FirstSequence == next)
        {
            if (next > 1 && _agreedThrough != next - 1) throw Refused(ShipmentProblem.Conflict, frame, $"nothing ties it to record {next - 1}, with which the log ends: the reading must begin with the frame that holds that record, as one from {next} on does. Where the source has removed it, or this log holds no record any more, begin anew with a backup of the source");
            if (frame.Header.TimeTicks < _agreedTicks) throw Refused(ShipmentProblem.Damaged, frame, "it is older than the frame before it, which no log is");
            EndRepeats();
            bool isFirst = source.Follow(frame.StoreId);
            bool isAppended = false;
            try
            {
                isAppended = log.TryAppendFrame(new ImportedFrame(frame.Header, frame.Payload.Span, CollectionsMarshal.AsSpan(_needed), _agreedTicks));
            }
            finally
            {
                // Somebody else took the sequence, or the records are those of a state that is open: the log is its own.
                if (!isAppended && isFirst) source.FollowNobody();
            }

            if (isAppended)
            {
                Agree(frame);
                return true;
            }

            next = log.LastSequence + 1;
        }

        if (frame.FirstSequence > next) throw Refused(ShipmentProblem.Gap, frame, $"the log ends with record {next - 1}, and records {next} to {frame.FirstSequence - 1} are missing: ship from {next} on. Where the source has removed them, begin with a backup of it");
        if (frame.LastSequence >= next) throw Refused(ShipmentProblem.Conflict, frame, $"the log ends with record {next - 1}, inside the frame: it was written to by somebody else, or follows another log");
        if (WasRemoved(frame)) return false;
        bool isThere = false;
        try
        {
            isThere = IsThere(frame);
        }
        catch (LogTruncatedException) when (WasRemoved(frame))
        {
            // Retention went on meanwhile.
        }
        catch
        {
            // The scan stands where it failed: the next repeat begins one of its own.
            EndRepeats();
            throw;
        }

        // Behind the last record there is nothing to compare, and who only repeats need not come again: a file that stays open may be one that retention removes.
        if (!isThere || frame.LastSequence == next - 1) EndRepeats();
        if (!isThere && WasRemoved(frame)) return false;
        if (!isThere) throw Refused(ShipmentProblem.Conflict, frame, "the log holds other records under these sequences: one of the two went its own way. Begin anew with a backup of the source");
        Agree(frame);
        return false;
    }

    private bool WasRemoved(in RawFrame frame) => frame.LastSequence < files.Segments[0].FirstSequence;

    private void Agree(in RawFrame frame) => (_agreedThrough, _agreedTicks) = (frame.LastSequence, Math.Max(_agreedTicks, frame.Header.TimeTicks));

    private void Announce(in RawFrame frame)
    {
        try
        {
            var reader = new NinoReader(frame.Payload.Span);
            uint id = reader.ReadCompact();
            if (id is 0 or > ushort.MaxValue) throw Refused(ShipmentProblem.Damaged, frame, $"a schema has the number {id}");
            long before = _schemas.TryGetValue((int)id, out NinoSchema? old) ? old.CanonicalBytes.Length : 0;
            long total = _schemaBytes - before + reader.Remaining;
            if (total > MaxSchemaBytes) throw Refused(ShipmentProblem.Damaged, frame, $"the schemas of this reading have more than {MaxSchemaBytes} bytes");
            _schemas[(int)id] = NinoSchema.Parse(reader.TakeSpan(reader.Remaining));
            _schemaBytes = total;
        }
        catch (NinoSerializationException e)
        {
            throw Refused(ShipmentProblem.Damaged, frame, $"a schema cannot be read: {e.Message}", e);
        }
    }

    // That the bytes are so many records, and which schemas they need. A checksum says only that they are what was sent.
    private void Understand(in RawFrame frame)
    {
        _ids.Clear();
        _needed.Clear();
        if (frame.Header is not { Kind: FrameKind.Records, IsPlausible: true }) throw Refused(ShipmentProblem.Damaged, frame, "it holds no records");
        try
        {
            if (frame.Header.SchemaId != 0) _ids.Add(frame.Header.SchemaId);
            FrameRecordIds.Walk(frame.Payload.Span, frame.RecordCount, namesSchemas: frame.Header.SchemaId == 0, _ids);
        }
        catch (NinoSerializationException e)
        {
            throw Refused(ShipmentProblem.Damaged, frame, $"its records cannot be told apart: {e.Message}", e);
        }

        foreach (int id in _ids)
        {
            if (!_schemas.TryGetValue(id, out NinoSchema? schema)) throw Refused(ShipmentProblem.Damaged, frame, $"it uses the schema {id}, which did not come before it: import what one reading gives, from its beginning");
            _needed.Add(new NumberedSchema(id, schema));
        }
    }

    // Repeats come in order, so one scan goes along with them.
    private bool IsThere(in RawFrame frame)
    {
        log.Wait(Durability.PageCache);
        if (_repeats is null || _repeats.To < frame.LastSequence || _repeats.NextSequence != frame.FirstSequence)
        {
            EndRepeats();
            _repeats = new RecordScan(files, new ReadOptions { FromSequence = frame.FirstSequence }, files.Span(durableOnly: false));
        }

        if (!_repeats.NextFrame()) return false;
        SegmentScanner scanner = _repeats.Scanner;
        FrameHeader there = scanner.Frame;
        bool isSame = there.FirstSequence == frame.FirstSequence && there.RecordCount == frame.RecordCount && there.SchemaId == frame.Header.SchemaId && there.TimeTicks == frame.Header.TimeTicks
            && there.PayloadChecksum == frame.PayloadChecksum && scanner.PayloadSpan.SequenceEqual(frame.Payload.Span);
        foreach (NumberedSchema needed in _needed) isSame = isSame && SameSchema.AreEqual(scanner.SchemaOf(needed.Id), needed.Schema);
        return isSame;
    }

    private void EndRepeats()
    {
        _repeats?.Dispose();
        _repeats = null;
    }

    private ShipmentException Refused(ShipmentProblem problem, in RawFrame frame, string what, Exception? cause = null) =>
        new(problem, -1, $"{files.Directory.Name}: the {(frame.IsSchema ? "schema before record" : "frame of records")} {frame.FirstSequence}{(frame.IsSchema ? "" : $" to {frame.LastSequence}")} was not imported: {what}.", files.Directory.Name, cause);
}

/// <summary>A schema under the number that a frame's records name.</summary>
internal readonly record struct NumberedSchema(int Id, NinoSchema Schema);

/// <summary>A verified frame of another log.</summary>
internal readonly ref struct ImportedFrame(FrameHeader header, ReadOnlySpan<byte> payload, ReadOnlySpan<NumberedSchema> schemas, long previousTicks)
{
    public FrameHeader Header { get; } = header;

    public ReadOnlySpan<byte> Payload { get; } = payload;

    public ReadOnlySpan<NumberedSchema> Schemas { get; } = schemas;

    /// <summary>Time of the records before it, which is the same in both logs; 0 when it holds the first.</summary>
    public long PreviousTicks { get; } = previousTicks;
}
