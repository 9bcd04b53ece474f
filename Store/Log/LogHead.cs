// The head of the log: the open frame, and its place in the segment. Knows what comes next in the file; knows nothing of threads, waits or the disk.

using Store.Framing;
using Store.Serialization;
using Store.Shipping;

namespace Store.Log;

/// <summary>Builds the log's bytes in the pipe, in file order. Every member is called under the log's gate.</summary>
internal sealed class LogHead
{
    // An open frame is closed when it is this large, so that its checksum runs over bytes still in the cache.
    private const int FrameTargetBytes = 64 * 1024;

    // A frame that holds fewer records than this when another type arrives was not worth its header: the next one holds several types.
    private const int FewRecords = 16;

    private readonly NinoStoreOptions _options;
    private readonly LogPipe _pipe;
    private readonly FrameBuilder _frame = new();
    private readonly SchemaTable _schemas = new();
    private SegmentHeader[] _segments;
    private readonly SegmentIndexBuilder _index;
    private readonly Guid _storeId;
    private readonly long _epoch;
    private readonly bool _isOneFile;

    private SegmentHeader _segment;
    private SegmentFooter _summary;
    private long _offset;
    private long _segmentCapacity;
    private long _lastTicks;
    private uint? _footerChecksum;
    private bool _mixNext;
    private bool _follows;

    /// <param name="options">Settings.</param>
    /// <param name="pipe">Where the bytes go.</param>
    /// <param name="tail">Where the log ends.</param>
    /// <param name="isOneFile">True for a log in one file.</param>
    /// <param name="follows">True when its records are another log's, with their times.</param>
    public LogHead(NinoStoreOptions options, LogPipe pipe, LogTail tail, bool isOneFile, bool follows)
    {
        _options = options;
        _follows = follows;
        _pipe = pipe;
        _storeId = tail.StoreId;
        _epoch = tail.Epoch + 1;
        _isOneFile = isOneFile;
        _lastTicks = tail.LastTicks;
        NextSequence = tail.NextSequence;
        SealedThrough = DurableThrough = tail.NextSequence - 1;
        // After a crash the tail is durable, because recovery made it so, but no frame says it yet: a mark follows when the log is idle.
        MarkedThrough = tail.SyncedThrough;
        EndsClosed = tail.IsClosed;
        _segments = [.. tail.Segments];
        _index = tail.Index;
        if (tail.Segments.Count == 0)
        {
            FirstPlan = PlanSegment(previousLength: 0, footerChecksum: 0, neededBytes: 0, previousCapacity: 0, Now());
            Enter(FirstPlan);
            return;
        }

        _segment = tail.Segments[^1];
        _summary = tail.Summary;
        _offset = tail.Offset;
        _segmentCapacity = _segment.IsOneFile ? long.MaxValue : tail.CapacityBytes;
        _schemas.Load(tail.Schemas, _segment.Number);
        if (!_segment.IsOneFile) _footerChecksum = tail.FooterChecksum;
    }

    /// <summary>The first segment of a new log, which has to be created; null when there is a log.</summary>
    public SegmentPlan? FirstPlan { get; }

    /// <summary>True while the last segment has its footer: the next thing that is written begins another one.</summary>
    public bool IsSegmentComplete => _footerChecksum is not null;

    /// <summary>Headers of all segments, oldest first. The array is never changed, but replaced: it may be asked for without the gate, and costs no copy.</summary>
    public SegmentHeader[] Segments => Volatile.Read(ref _segments);

    /// <summary>Forgets the segments below a number; never the one that is written.</summary>
    public void Forget(long number) => Volatile.Write(ref _segments, [.. _segments.Where(s => s.Number >= number || s.Number == _segment.Number)]);

    /// <summary>The segment that is written.</summary>
    public SegmentHeader Segment => _segment;

    /// <summary>Time of the last frame, UTC ticks.</summary>
    public long LastTicks => _lastTicks;

    /// <summary>Where the next frame goes.</summary>
    public long Offset => _offset;

    /// <summary>Sequence that the next record gets.</summary>
    public long NextSequence { get; private set; }

    /// <summary>Last sequence in a finished frame.</summary>
    public long SealedThrough { get; private set; }

    /// <summary>Highest sequence known to be on the disk: what the next frames say.</summary>
    public long DurableThrough { get; set; }

    /// <summary>Highest sequence that a frame says is on the disk.</summary>
    public long MarkedThrough { get; private set; }

    /// <summary>True when the last frame says that the log was closed.</summary>
    public bool EndsClosed { get; private set; }

    /// <summary>True while records are being added to a frame.</summary>
    public bool HasOpenFrame => _frame.IsOpen;

    /// <summary>Bytes of the open frame so far.</summary>
    public int OpenFrameBytes => _frame.LengthBytes;

    /// <summary>Where sequences are in the segment that is written, as far as it is sealed.</summary>
    public SegmentIndex IndexNow => _index.ToIndex();

    /// <summary>The number of a schema.</summary>
    public SchemaSlot SlotOf(NinoSchema schema) => _schemas.Get(schema);

    /// <summary>As <see cref="SlotOf(NinoSchema)"/>, for somebody who appends with a claim or without one.</summary>
    /// <exception cref="InvalidOperationException">Its records are somebody else's.</exception>
    public SchemaSlot SlotOf(NinoSchema schema, SchemaClaim? by)
    {
        SchemaSlot slot = _schemas.Get(schema);
        return ReferenceEquals(slot.Claim, by) || slot.Claim is null ? slot : throw slot.Claim.Refusal(schema.Name);
    }

    /// <summary>Takes or gives back the names of a claim.</summary>
    /// <exception cref="InvalidOperationException">One of them is somebody else's. None was taken.</exception>
    public void SetClaim(SchemaClaim claim, bool isHeld)
    {
        if (isHeld && claim.Names.FirstOrDefault(name => _schemas.ClaimOf(name) is not null) is { } taken) throw _schemas.ClaimOf(taken)!.Refusal(taken);
        _schemas.SetClaim(claim, isHeld);
    }

    /// <exception cref="InvalidOperationException">Records of a name are somebody's.</exception>
    public void ThrowIfClaimed(string name)
    {
        if (_schemas.ClaimOf(name) is { } claim) throw claim.Refusal(name);
    }

    /// <summary>Adds a record to the open frame; false when it does not take it.</summary>
    public bool TryAppend(SchemaSlot slot, ReadOnlySpan<byte> record)
    {
        if (slot.DeclaredInSegment != _segment.Number || !_frame.TryAdd(slot.Id, record)) return false;
        NextSequence++;
        return true;
    }

    /// <summary>As <see cref="TryAppend"/>, of a schema that the segment is known to declare. Returns the record's sequence; 0 when the frame does not take it.</summary>
    public long TryAppendSame(SchemaSlot slot, ReadOnlySpan<byte> record) => _frame.TryAdd(slot.Id, record) ? NextSequence++ : 0;

    /// <summary>Finishes the open frame and opens one that a record of so many bytes fits; false when the pipe has no room: the caller waits for the flusher and looks again.</summary>
    public bool TryOpenFrame(SchemaSlot slot, int recordLength)
    {
        if (_frame.Refuses(slot.Id)) _mixNext = _frame.RecordCount < FewRecords;
        Seal();
        int needed = (FrameBuilder.SizeFor(recordLength) + FrameFormat.Alignment - 1) & ~(FrameFormat.Alignment - 1);
        if (!_pipe.HasRoom(needed)) return false;
        PrepareFrame(slot, needed);
        long room = Math.Min(Math.Max(_pipe.Room, needed <= _pipe.Room ? 0 : _pipe.ChunkSizeBytes), _segmentCapacity - _index.ReservedBytes - _offset);
        int limit = (int)Math.Max(needed, Math.Min(room, FrameTargetBytes)) & ~(FrameFormat.Alignment - 1);
        _frame.Open(_pipe, _mixNext ? 0 : slot.Id, limit);
        _follows = false;
        return true;
    }

    /// <summary>Writes records as one frame; false when they are not what they were said to be, and none is written. No frame is open, and the pipe has room.</summary>
    public bool TryAppendBatch<TPayload>(SchemaSlot slot, TPayload batch) where TPayload : IBatchPayload, allows ref struct
    {
        int size = checked((int)FrameFormat.SizeOf(batch.LengthBytes));
        PrepareFrame(slot, size);
        _follows = false;
        long ticks = Now();
        _frame.Open(_pipe, slot.Id, size);
        if (!_frame.TryAddAll(batch)) return false;
        NextSequence += batch.RecordCount;
        Seal(FrameKind.Records, 0, ticks);
        return true;
    }

    /// <summary>Writes records of several types as one frame. No frame is open, and the pipe has room.</summary>
    /// <exception cref="InvalidOperationException">Records of one of them are somebody else's. Nothing was written.</exception>
    public void AppendBatch(MixedBatch batch, SchemaClaim? by)
    {
        var slots = new SchemaSlot[batch.Schemas.Count];
        long schemaBytes = 0;
        for (int i = 0; i < slots.Length; i++)
        {
            slots[i] = SlotOf(batch.Schemas[i], by);
            schemaBytes += SchemaFrameSize(slots[i].Schema) + SegmentIndex.SchemaSize;
        }

        batch.Number([.. slots.Select(static slot => slot.Id)]);
        int size = checked((int)FrameFormat.SizeOf(batch.LengthBytes));
        if (!HasRoom(schemaBytes + size)) Roll(schemaBytes + size);
        foreach (SchemaSlot slot in slots)
        {
            if (slot.DeclaredInSegment != _segment.Number) Declare(slot, Now());
        }

        _follows = false;
        long ticks = Now();
        _frame.Open(_pipe, 0, size);
        if (!_frame.TryAddAll(batch)) throw new InvalidOperationException($"A batch of {batch.RecordCount} records is not as long as was computed. Nothing was appended.");
        NextSequence += batch.RecordCount;
        Seal(FrameKind.Records, 0, ticks);
    }

    /// <summary>
    /// Writes a frame of another log as it is, with its checksum, its time and its schema numbers: where one of those has another meaning here, a segment begins. No frame is
    /// open, and the pipe has room.
    /// </summary>
    public void AppendFrame(in ImportedFrame frame)
    {
        FrameHeader header = frame.Header;
        long needed = header.FrameLength;
        bool renumbers = false;
        foreach (NumberedSchema schema in frame.Schemas)
        {
            needed += SchemaFrameSize(schema.Schema) + SegmentIndex.SchemaSize;
            renumbers |= !_schemas.CanAdopt(schema.Id, schema.Schema);
        }

        // Only records have times that readers look for. The marks of a log that was opened here before it followed are younger than what comes now: its times go
        // on behind those of the records, in a segment that begins with them.
        _follows = true;
        bool marksAreYounger = header.TimeTicks < _lastTicks && header.TimeTicks >= frame.PreviousTicks;
        if (renumbers || marksAreYounger || !HasRoom(needed)) Roll(needed, marksAreYounger ? header.TimeTicks : null);
        if (renumbers) _schemas.Clear();
        long ticks = Math.Max(_lastTicks, header.TimeTicks);
        foreach (NumberedSchema schema in frame.Schemas)
        {
            SchemaSlot slot = _schemas.TryAdopt(schema.Id, schema.Schema)!;
            if (slot.DeclaredInSegment != _segment.Number) Declare(slot, ticks);
        }

        _frame.Open(_pipe, header.SchemaId, checked((int)header.FrameLength));
        _frame.AddAll(frame.Payload, header.RecordCount);
        NextSequence += header.RecordCount;
        Seal(FrameKind.Records, 0, ticks, header.PayloadChecksum);
    }

    /// <summary>Writes a frame without records. No frame is open, and the pipe has room.</summary>
    public void WriteNote(FrameKind kind, ReadOnlySpan<byte> payload)
    {
        long size = FrameFormat.SizeOf(payload.Length);
        if (!HasRoom(size)) Roll(size);
        WriteFrame(kind, 0, payload, Now());
    }

    /// <summary>
    /// Says at the end of the segment what is on the disk: with a mark, or with the segment's footer where that is all there is room for, and the next thing that is written begins a segment. A
    /// log in one file is closed with a footer. No frame is open, and the segment is not complete.
    /// </summary>
    public void WriteMark(bool isClosing)
    {
        if (isClosing && _isOneFile)
        {
            WriteFooter(Now());
        }
        else if (HasRoom(FrameFormat.HeaderSize))
        {
            WriteFrame(FrameKind.Mark, isClosing ? FrameFormat.ClosedFlag : (byte)0, default, Now());
        }
        else
        {
            _footerChecksum = WriteFooter(Now());
            MarkedThrough = DurableThrough;
        }
    }

    /// <summary>Finishes the open frame, if there is one.</summary>
    public void Seal()
    {
        if (!_frame.IsOpen) return;
        if (_frame.IsMixed && _frame.HoldsOneType && _frame.RecordCount >= FewRecords) _mixNext = false;
        Seal(FrameKind.Records, 0, Now());
    }

    /// <summary>Size of the segment that follows one of the given size.</summary>
    public long NextCapacity(long previousCapacity) => Math.Min(Math.Max(previousCapacity, _options.FirstSegmentSizeBytes) * 2, _options.SegmentSizeBytes);

    // The clock is the caller's code and may throw: it is read before anything is changed that must not be left half done.
    // Where the records are another log's, so are the times: this clock may be ahead of that one.
    private long Now() => _follows ? _lastTicks : Math.Max(_lastTicks, _options.TimeProvider.GetUtcNow().UtcTicks);

    private static long SchemaFrameSize(NinoSchema schema) => FrameFormat.SizeOf(5L + schema.CanonicalBytes.Length);

    // Beside the footer that the segment will need.
    private bool HasRoom(long frameBytes) => !IsSegmentComplete && _offset + frameBytes + _index.ReservedBytes <= _segmentCapacity;

    // Makes sure that a frame of so many bytes fits the segment and that the segment declares the schema.
    private void PrepareFrame(SchemaSlot slot, int frameBytes)
    {
        long schemaBytes = SchemaFrameSize(slot.Schema);
        if (!HasRoom(schemaBytes + frameBytes)) Roll(schemaBytes + frameBytes);
        if (slot.DeclaredInSegment != _segment.Number) Declare(slot, Now());
    }

    private void Declare(SchemaSlot slot, long ticks)
    {
        Span<byte> id = stackalloc byte[5];
        int prefix = FrameBuilder.WriteCompact(id, (uint)slot.Id);
        WriteFrame(FrameKind.Schema, 0, [.. id[..prefix], .. slot.Schema.CanonicalBytes.Span], ticks);
        slot.DeclaredInSegment = _segment.Number;
    }

    private uint WriteFooter(long ticks)
    {
        // Every frame left room for both; a segment that somebody shortened may have lost it, and does without the hint.
        long indexOffset = _offset;
        bool hasIndex = _offset + _index.FrameSize + SegmentFormat.FooterFrameSize <= _segmentCapacity;
        if (hasIndex) WriteFrame(FrameKind.Index, 0, _index.ToPayload(), ticks);
        Span<byte> footer = stackalloc byte[SegmentFooter.Size];
        (_summary with { IndexOffset = hasIndex ? indexOffset : 0 }).Write(footer);
        return WriteFrame(FrameKind.Footer, FrameFormat.ClosedFlag, footer, ticks);
    }

    private uint WriteFrame(FrameKind kind, byte flags, ReadOnlySpan<byte> payload, long ticks)
    {
        _frame.Open(_pipe, 0, checked((int)FrameFormat.SizeOf(payload.Length)));
        _frame.AddAll(payload, 0);
        return Seal(kind, flags, ticks);
    }

    // Returns the checksum of the frame's header.
    private uint Seal(FrameKind kind, byte flags, long ticks, uint? payloadChecksum = null)
    {
        int records = _frame.RecordCount;
        (int length, uint checksum) = _frame.Seal(_pipe, kind, flags, SealedThrough + 1, ticks, DurableThrough, _segment.SegmentId, _offset, payloadChecksum);
        _index.Add(kind, _offset, SealedThrough + 1, ticks);
        _offset += length;
        SealedThrough += records;
        _lastTicks = ticks;
        EndsClosed = (flags & FrameFormat.ClosedFlag) != 0;
        if (records > 0 || kind == FrameKind.Mark) MarkedThrough = DurableThrough;
        _summary = _summary with
        {
            LastSequence = SealedThrough,
            Records = _summary.Records + records,
            Frames = _summary.Frames + 1,
            FirstTicks = records > 0 && _summary.FirstTicks == 0 ? ticks : _summary.FirstTicks,
            LastTicks = records > 0 ? ticks : _summary.LastTicks,
        };
        return checksum;
    }

    private void Roll(long neededBytes, long? firstTicks = null)
    {
        long sealedTicks = Now(), createdTicks = firstTicks ?? Math.Max(sealedTicks, Now());
        uint checksum = _footerChecksum ?? WriteFooter(sealedTicks);
        SegmentPlan plan = PlanSegment(_offset, checksum, neededBytes, _segmentCapacity, createdTicks);
        _pipe.BeginSegment(plan);
        Enter(plan);

        // Readers look for a time by the headers: no record of a segment is older than it.
        _lastTicks = createdTicks;
    }

    private SegmentPlan PlanSegment(long previousLength, uint footerChecksum, long neededBytes, long previousCapacity, long createdTicks)
    {
        long capacity = previousCapacity == 0 ? Math.Min(_options.FirstSegmentSizeBytes, _options.SegmentSizeBytes) : NextCapacity(previousCapacity);
        capacity = Math.Max(capacity, checked(neededBytes + SegmentFormat.HeaderSize + SegmentFormat.FooterFrameSize + SegmentIndex.FrameSize(1, 1)));
        var header = new SegmentHeader
        {
            StoreId = _storeId,
            SegmentId = _options.NewId(),
            Number = _segments.Length == 0 ? 1 : _segments[^1].Number + 1,
            FirstSequence = SealedThrough + 1,
            Epoch = _epoch,
            CreatedTicks = createdTicks,
            PreviousLength = previousLength,
            PreviousLastSequence = previousLength == 0 ? 0 : SealedThrough,
            PreviousChecksum = footerChecksum,
            IsOneFile = _isOneFile,
        };
        return new SegmentPlan(header, (capacity + FrameFormat.Alignment - 1) & ~(long)(FrameFormat.Alignment - 1));
    }

    private void Enter(SegmentPlan plan)
    {
        _segment = plan.Header;
        Volatile.Write(ref _segments, [.. _segments, plan.Header]);
        _offset = SegmentFormat.HeaderSize;
        _index.Clear();
        EndsClosed = false;
        _footerChecksum = null;
        _segmentCapacity = plan.Header.IsOneFile ? long.MaxValue : plan.CapacityBytes;
        _summary = new SegmentFooter(plan.Header.FirstSequence, plan.Header.FirstSequence - 1, 0, 0, 0, 0);
    }
}
