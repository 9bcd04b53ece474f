// The writing side of the log. Appenders build frames under one short gate; one flusher thread moves sealed frames to the file and syncs for everybody
// who waits. Order of everything that happens to a record:
//
//     appended (has a sequence) -> sealed (in a finished frame) -> flushed (in the operating system) -> durable (on the disk)
//
// Invariant, at any time:  durable <= flushed <= sealed <= appended.

using Microsoft.Extensions.Logging;
using Store.Framing;
using Store.IO;
using Store.Serialization;

namespace Store.Log;

/// <summary>The log of one open store. Safe for any number of threads.</summary>
internal sealed class AppendLog : IDisposable
{
    // An open frame is closed when it is this large, so that its checksum runs over bytes still in the cache.
    private const int FrameTargetBytes = 64 * 1024;

    // A frame that holds fewer records than this when another type arrives was not worth its header: the next one holds several types.
    private const int FewRecords = 16;

    private readonly Lock _flusherGate = new();
    private readonly object _gate = new();
    private readonly NinoStoreOptions _options;
    private readonly IStoreDirectory _directory;
    private readonly LogPipe _pipe;
    private readonly FrameBuilder _frame = new();
    private readonly SchemaTable _schemas = new();
    private readonly SegmentPreparer _preparer;
    private readonly SegmentWriter _writer;
    private readonly List<SegmentHeader> _segments = [];
    private readonly List<LogExtent> _taken = new(64);
    private readonly Queue<CommitWaiter> _diskWaiters = new();
    private readonly Queue<CommitWaiter> _cacheWaiters = new();
    private readonly List<CommitWaiter> _ready = [];
    private readonly string? _oneFileName;
    private readonly int _chunkSizeBytes;
    private readonly Thread? _flusher;

    private SegmentHeader _segment;
    private SegmentFooter _summary;
    private long _offset;
    private long _segmentCapacity;
    private long _epoch;
    private Guid _storeId;
    private long _next;
    private long _lastTicks;
    private long _sealedThrough;
    private long _flushedThrough;
    private long _durableThrough;
    private long _markedThrough;
    private bool _mixNext;
    private bool _flushAsked;
    private bool _flusherDozes;
    private bool _flusherSleeps;
    private bool _endsClosed;
    private bool _closing;
    private bool _closed;
    private Exception? _failure;
    private bool _failureTold;

    /// <param name="directory">The folder.</param>
    /// <param name="options">Settings.</param>
    /// <param name="tail">Where the log ends.</param>
    /// <param name="oneFileName">File name of a one-file log, or null for a log of segments.</param>
    /// <param name="logger">Where background trouble is told.</param>
    public AppendLog(IStoreDirectory directory, NinoStoreOptions options, LogTail tail, string? oneFileName, ILogger logger)
    {
        _directory = directory;
        _options = options;
        _oneFileName = oneFileName;
        _storeId = tail.StoreId;
        _next = tail.NextSequence;
        _lastTicks = tail.LastTicks;
        _epoch = tail.Epoch + 1;
        _sealedThrough = _flushedThrough = _durableThrough = tail.NextSequence - 1;
        // After a crash the tail is durable, because recovery made it so, but no frame says it yet: a mark follows when the log is idle.
        _markedThrough = tail.SyncedThrough;
        _endsClosed = tail.IsClosed;
        _chunkSizeBytes = Math.Min(1024 * 1024, options.BufferSizeBytes / 4) & ~(FrameFormat.Alignment - 1);
        _pipe = new LogPipe(_chunkSizeBytes, options.BufferSizeBytes);
        _preparer = new SegmentPreparer(directory, SegmentFormat.PreparedName(oneFileName), inBackground: !options.RunsInline, logger);
        _writer = new SegmentWriter(directory, _preparer, NameOf, NextCapacity);
        _segments.AddRange(tail.Segments);
        if (tail.Segments.Count == 0)
        {
            SegmentPlan first = PlanSegment(previousLength: 0, footerChecksum: 0, neededBytes: 0, previousCapacity: 0, Now());
            _writer.Begin(first);
            Enter(first);
        }
        else
        {
            _segment = tail.Segments[^1];
            _summary = tail.Summary;
            _offset = tail.Offset;
            _segmentCapacity = _segment.IsOneFile ? long.MaxValue : tail.CapacityBytes;
            _schemas.Load(tail.Schemas, _segment.Number);
            if (tail.FooterChecksum is { } checksum && !_segment.IsOneFile)
            {
                SegmentPlan next = PlanSegment(_offset, checksum, neededBytes: 0, tail.CapacityBytes, Now());
                _writer.Begin(next);
                Enter(next);
            }
            else
            {
                _writer.Continue(directory.OpenWrite(NameOf(_segment)), _segment, _offset);
            }
        }

        if (options.RunsInline) return;
        _flusher = new Thread(RunFlusher) { IsBackground = true, Name = "NinoStore flusher" };
        _flusher.Start();
    }

    /// <summary>Sequence of the last record appended.</summary>
    public long LastSequence
    {
        get { lock (_gate) return _next - 1; }
    }

    /// <summary>Highest sequence that is on the disk.</summary>
    public long DurableSequence
    {
        get { lock (_gate) return _durableThrough; }
    }

    /// <summary>Headers of all segments, oldest first.</summary>
    public SegmentHeader[] Segments
    {
        get { lock (_gate) return [.. _segments]; }
    }

    /// <summary>File name of a segment.</summary>
    public string NameOf(SegmentHeader header) => _oneFileName ?? SegmentFormat.Name(header.Number);

    /// <summary>Appends one record and returns its sequence.</summary>
    public long Append(NinoSchema schema, ReadOnlySpan<byte> record)
    {
        CheckSize(record.Length);
        lock (_gate)
        {
            SchemaSlot slot = _schemas.Get(schema);
            ThrowIfUnusableLocked();
            while (slot.DeclaredInSegment != _segment.Number || !_frame.TryAdd(slot.Id, record)) OpenFrameLocked(slot, record.Length);
            WakeLocked();
            return _next++;
        }
    }

    /// <summary>Appends records, each with its length in front, as one frame. Returns the sequence of the first.</summary>
    public long AppendBatch(NinoSchema schema, ReadOnlySpan<byte> payload, int recordCount)
    {
        if (recordCount == 0) return LastSequence + 1;
        int size = checked((int)FrameFormat.SizeOf(payload.Length));
        lock (_gate)
        {
            SchemaSlot slot = _schemas.Get(schema);
            WaitForRoomLocked(size);
            PrepareFrameLocked(slot, size);
            long ticks = Now();
            _frame.Open(_pipe, slot.Id, size);
            _frame.AddAll(payload, recordCount);
            _next += recordCount;
            SealLocked(FrameKind.Records, 0, ticks, out _);
            WakeLocked();
            return _next - recordCount;
        }
    }

    /// <summary>Writes a frame that holds no records, behind everything appended so far.</summary>
    public void AppendNote(FrameKind kind, ReadOnlySpan<byte> payload)
    {
        int size = checked((int)FrameFormat.SizeOf(payload.Length));
        lock (_gate)
        {
            WaitForRoomLocked(size);
            if (_offset + size + SegmentFormat.FooterFrameSize > _segmentCapacity) RollLocked(size);
            WriteFrameLocked(kind, 0, payload);
            WakeLocked();
        }
    }

    /// <summary>Completes with <paramref name="result"/> when everything appended so far is as durable as asked.</summary>
    public ValueTask<long> WaitAsync(Durability durability, long result) =>
        Register(durability, result) is { } waiter ? Flushing(waiter).Task : new ValueTask<long>(result);

    /// <summary>Completes when everything appended so far is on the disk.</summary>
    public ValueTask CommitAsync() => Register(Durability.Disk, 0) is { } waiter ? Flushing(waiter).PlainTask : default;

    /// <summary>As <see cref="WaitAsync"/>, blocking.</summary>
    public void Wait(Durability durability)
    {
        ValueTask<long> task = WaitAsync(durability, 0);
        if (task.IsCompleted) task.GetAwaiter().GetResult();
        else task.AsTask().GetAwaiter().GetResult();
    }

    /// <summary>Makes everything durable, marks the end and closes. Throws when that fails; the log is closed all the same.</summary>
    public void Dispose()
    {
        lock (_gate)
        {
            if (_closing) return;
            _closing = true;
        }

        try
        {
            if (_failure is null) CloseLog();
        }
        finally
        {
            lock (_gate)
            {
                _closed = true;
                Monitor.PulseAll(_gate);
            }

            _flusher?.Join();
            _writer.Dispose();
            _preparer.Close();
        }

        // Somebody must hear of lost records; who already did is not told again, so that disposing hides no other exception.
        lock (_gate)
        {
            if (!_failureTold) ThrowIfFailedLocked();
        }
    }

    private void CloseLog()
    {
        FlushAndWait();
        bool marks;
        lock (_gate)
        {
            if (_failure is not null) return;
            marks = !_endsClosed;
            if (marks && _segment.IsOneFile) WriteFooterLocked(Now());
            else if (marks && _offset + FrameFormat.HeaderSize + SegmentFormat.FooterFrameSize <= _segmentCapacity) WriteFrameLocked(FrameKind.Mark, FrameFormat.ClosedFlag, default);
        }

        if (marks) FlushAndWait(evenWithoutRecords: true);
        if (_segment.IsOneFile && _failure is null) Fail(Try(static log => log._writer.CutToSize()));
    }

    // The flusher must not end before it has seen the close mark, so closing runs one flush itself: the flusher's gate keeps them apart.
    private void FlushAndWait(bool evenWithoutRecords = false)
    {
        while (true)
        {
            FlushOnce(sync: true);
            lock (_gate)
            {
                if (_failure is not null || (_durableThrough >= _next - 1 && _pipe.SealedBytes == 0)) return;
            }

            if (evenWithoutRecords) return;
        }
    }

    // A wait for everything appended so far; null when it is already fulfilled.
    private CommitWaiter? Register(Durability durability, long result)
    {
        lock (_gate)
        {
            ThrowIfUnusableLocked();
            long target = _next - 1;
            if (durability == Durability.Memory || (durability == Durability.Disk ? _durableThrough : _flushedThrough) >= target) return null;
            CommitWaiter waiter = CommitWaiter.Rent(target, result);
            (durability == Durability.Disk ? _diskWaiters : _cacheWaiters).Enqueue(waiter);
            AskFlushLocked();
            return waiter;
        }
    }

    private CommitWaiter Flushing(CommitWaiter waiter)
    {
        if (_options.RunsInline) FlushInline();
        return waiter;
    }

    private void CheckSize(int recordLength)
    {
        if (recordLength > _options.MaxRecordSizeBytes)
            throw new RecordTooLargeException($"A record of {recordLength} bytes exceeds the limit of {_options.MaxRecordSizeBytes} (NinoStoreOptions.MaxRecordSizeBytes). Nothing was appended; raise the limit or split the record.");
    }

    private void ThrowIfFailedLocked()
    {
        if (_failure is not { } failure) return;
        _failureTold = true;
        throw new StoreFailedException($"{_directory.Name}: a write to the log failed earlier ({failure.Message}). Nothing more is accepted, because what reached the disk is unknown. Dispose the store and open it again: opening verifies what is there.", _directory.Name, failure);
    }

    private void ThrowIfUnusableLocked()
    {
        ThrowIfFailedLocked();
        ObjectDisposedException.ThrowIf(_closing, typeof(NinoStore));
    }

    private void OpenFrameLocked(SchemaSlot slot, int recordLength)
    {
        if (_frame.Refuses(slot.Id)) _mixNext = _frame.RecordCount < FewRecords;
        SealFrameLocked();
        int needed = (FrameBuilder.SizeFor(recordLength) + FrameFormat.Alignment - 1) & ~(FrameFormat.Alignment - 1);
        if (!_pipe.HasRoom(needed))
        {
            // Waiting lets others in, and one of them may open a frame that this record fits: the caller looks again.
            WaitForFlushLocked();
            return;
        }

        PrepareFrameLocked(slot, needed);
        long room = Math.Min(Math.Max(_pipe.Room, needed <= _pipe.Room ? 0 : _chunkSizeBytes), _segmentCapacity - SegmentFormat.FooterFrameSize - _offset);
        int limit = (int)Math.Max(needed, Math.Min(room, FrameTargetBytes)) & ~(FrameFormat.Alignment - 1);
        _frame.Open(_pipe, _mixNext ? 0 : slot.Id, limit);
    }

    // Makes sure that a frame of so many bytes fits the segment and that the segment declares the schemas the frame may use.
    private void PrepareFrameLocked(SchemaSlot slot, int frameBytes)
    {
        int schemaBytes = checked((int)FrameFormat.SizeOf(5 + slot.Schema.CanonicalBytes.Length));
        if (_offset + schemaBytes + frameBytes + SegmentFormat.FooterFrameSize > _segmentCapacity) RollLocked((long)schemaBytes + frameBytes);
        if (slot.DeclaredInSegment == _segment.Number) return;
        Span<byte> id = stackalloc byte[5];
        int prefix = FrameBuilder.WriteCompact(id, (uint)slot.Id);
        WriteFrameLocked(FrameKind.Schema, 0, [.. id[..prefix], .. slot.Schema.CanonicalBytes.Span]);
        slot.DeclaredInSegment = _segment.Number;
    }

    private void WriteFrameLocked(FrameKind kind, byte flags, ReadOnlySpan<byte> payload) => WriteFrameLocked(kind, flags, payload, Now(), out _);

    private void WriteFrameLocked(FrameKind kind, byte flags, ReadOnlySpan<byte> payload, long ticks, out uint checksum)
    {
        _frame.Open(_pipe, 0, checked((int)FrameFormat.SizeOf(payload.Length)));
        _frame.AddAll(payload, 0);
        SealLocked(kind, flags, ticks, out checksum);
    }

    // The clock is the caller's code and may throw: it is read before anything is changed that must not be left half done.
    private long Now() => Math.Max(_lastTicks, _options.TimeProvider.GetUtcNow().UtcTicks);

    private void SealFrameLocked()
    {
        if (!_frame.IsOpen) return;
        if (_frame.IsMixed && _frame.HoldsOneType && _frame.RecordCount >= FewRecords) _mixNext = false;
        SealLocked(FrameKind.Records, 0, Now(), out _);
    }

    private void SealLocked(FrameKind kind, byte flags, long ticks, out uint checksum)
    {
        int records = _frame.RecordCount;
        long first = _sealedThrough + 1;
        (int length, checksum) = _frame.Seal(_pipe, kind, flags, first, ticks, _durableThrough, _segment.SegmentId, _offset);
        _offset += length;
        _sealedThrough += records;
        _lastTicks = ticks;
        _endsClosed = (flags & FrameFormat.ClosedFlag) != 0;
        if (records > 0 || kind == FrameKind.Mark) _markedThrough = _durableThrough;
        _summary = _summary with
        {
            LastSequence = _sealedThrough,
            Records = _summary.Records + records,
            Frames = _summary.Frames + 1,
            FirstTicks = records > 0 && _summary.FirstTicks == 0 ? ticks : _summary.FirstTicks,
            LastTicks = records > 0 ? ticks : _summary.LastTicks,
        };
    }

    private uint WriteFooterLocked(long ticks)
    {
        Span<byte> footer = stackalloc byte[SegmentFooter.Size];
        _summary.Write(footer);
        WriteFrameLocked(FrameKind.Footer, FrameFormat.ClosedFlag, footer, ticks, out uint checksum);
        return checksum;
    }

    private void RollLocked(long neededBytes)
    {
        long sealedTicks = Now(), createdTicks = Math.Max(sealedTicks, Now());
        uint checksum = WriteFooterLocked(sealedTicks);
        SegmentPlan plan = PlanSegment(_offset, checksum, neededBytes, _segmentCapacity, createdTicks);
        _pipe.BeginSegment(plan);
        Enter(plan);
    }

    private SegmentPlan PlanSegment(long previousLength, uint footerChecksum, long neededBytes, long previousCapacity, long createdTicks)
    {
        bool oneFile = _oneFileName is not null;
        long capacity = previousCapacity == 0 ? Math.Min(_options.FirstSegmentSizeBytes, _options.SegmentSizeBytes) : NextCapacity(previousCapacity);
        capacity = Math.Max(capacity, checked(neededBytes + SegmentFormat.HeaderSize + SegmentFormat.FooterFrameSize));
        var header = new SegmentHeader
        {
            StoreId = _storeId,
            SegmentId = _options.NewId(),
            Number = _segments.Count == 0 ? 1 : _segments[^1].Number + 1,
            FirstSequence = _sealedThrough + 1,
            Epoch = _epoch,
            CreatedTicks = createdTicks,
            PreviousLength = previousLength,
            PreviousLastSequence = previousLength == 0 ? 0 : _sealedThrough,
            PreviousChecksum = footerChecksum,
            IsOneFile = oneFile,
        };
        return new SegmentPlan(header, (capacity + FrameFormat.Alignment - 1) & ~(long)(FrameFormat.Alignment - 1));
    }

    private long NextCapacity(long previousCapacity) => Math.Min(Math.Max(previousCapacity, _options.FirstSegmentSizeBytes) * 2, _options.SegmentSizeBytes);

    private void Enter(SegmentPlan plan)
    {
        _segment = plan.Header;
        _segments.Add(plan.Header);
        _offset = SegmentFormat.HeaderSize;
        _endsClosed = false;
        _segmentCapacity = plan.Header.IsOneFile ? long.MaxValue : plan.CapacityBytes;
        _summary = new SegmentFooter(plan.Header.FirstSequence, plan.Header.FirstSequence - 1, 0, 0, 0, 0);
    }

    // Afterwards no frame is open, and the pipe has room. What is open counts as room until it is sealed, so it is sealed first.
    private void WaitForRoomLocked(int sizeBytes)
    {
        ThrowIfUnusableLocked();
        SealFrameLocked();
        while (!_pipe.HasRoom(sizeBytes))
        {
            WaitForFlushLocked();
            SealFrameLocked();
        }
    }

    private void WaitForFlushLocked()
    {
        if (_options.RunsInline)
        {
            FlushInline();
        }
        else
        {
            AskFlushLocked();
            Monitor.Wait(_gate);
        }

        ThrowIfUnusableLocked();
    }

    // One wake-up an interval: an appender disturbs the flusher only when it sleeps without a limit, or when a chunk is ready.
    private void WakeLocked()
    {
        if (_flusherSleeps || (_flusherDozes && _pipe.SealedBytes >= _chunkSizeBytes))
        {
            _flusherSleeps = false;
            if (_pipe.SealedBytes >= _chunkSizeBytes) _flushAsked = true;
            Monitor.PulseAll(_gate);
        }
    }

    private void AskFlushLocked()
    {
        _flushAsked = true;
        _flusherSleeps = false;
        Monitor.PulseAll(_gate);
    }

    private void RunFlusher()
    {
        while (true)
        {
            lock (_gate)
            {
                if (!_flushAsked && !HasWorkLocked())
                {
                    _flusherSleeps = true;
                    while (!_closed && !_flushAsked && _flusherSleeps && _failure is null) Monitor.Wait(_gate);
                    _flusherSleeps = false;
                }

                if (!_closed && !_flushAsked && _failure is null)
                {
                    _flusherDozes = true;
                    Monitor.Wait(_gate, _options.FlushIntervalMs);
                    _flusherDozes = false;
                }

                if (_closed || _failure is not null) return;
                if (!_flushAsked && !_closing && NeedsMarkLocked()) Fail(Try(static log => log.WriteFrameLocked(FrameKind.Mark, 0, default)));
                _flushAsked = false;
            }

            FlushOnce(sync: false);
        }
    }

    private bool HasWorkLocked() => _frame.IsOpen || _pipe.SealedBytes > 0 || NeedsMarkLocked();

    // When the log falls idle after a commit, a mark says so: damage to the last records is then known to be no crash.
    private bool NeedsMarkLocked() =>
        !_frame.IsOpen && _pipe.SealedBytes == 0 && _durableThrough == _next - 1 && _markedThrough < _durableThrough
        && _offset + FrameFormat.HeaderSize + SegmentFormat.FooterFrameSize <= _segmentCapacity;

    private void FlushInline() => FlushOnce(sync: false);

    // Moves everything appended so far to the file, syncs when somebody waits for the disk (or when asked), and ends the waits that are fulfilled.
    private void FlushOnce(bool sync)
    {
        lock (_flusherGate)
        {
            Exception? failure;
            long target;
            lock (_gate)
            {
                if (_failure is not null) return;
                failure = Try(static log => log.SealFrameLocked());
                _pipe.TakeSealed(_taken);
                target = _sealedThrough;
                sync |= _diskWaiters.Count > 0;
            }

            failure ??= Try(sync ? static log => log.WriteTaken(sync: true) : static log => log.WriteTaken(sync: false));
            lock (_gate)
            {
                Fail(failure);
                foreach (LogExtent extent in _taken)
                {
                    if (extent.EndsChunk) _pipe.Return(extent.Chunk);
                }

                _taken.Clear();
                if (failure is null)
                {
                    _flushedThrough = target;
                    if (sync) _durableThrough = target;
                    if (!_frame.IsOpen) _pipe.Rewind();
                }

                CollectLocked(_diskWaiters, _durableThrough);
                CollectLocked(_cacheWaiters, _flushedThrough);
                Monitor.PulseAll(_gate);
            }

            if (_ready.Count == 0) return;
            _failureTold |= failure is not null;
            StoreFailedException? told = failure is null ? null : new StoreFailedException($"{_directory.Name}: a write to the log failed: {failure.Message}. What was not yet acknowledged may be lost. Dispose the store and open it again: opening verifies what is there.", _directory.Name, failure);
            foreach (CommitWaiter waiter in _ready) waiter.Complete(told);
            _ready.Clear();
        }
    }

    private void WriteTaken(bool sync)
    {
        foreach (LogExtent extent in _taken) _writer.Write(in extent);
        if (sync) _writer.Sync();
    }

    // The one place where failures of the file (and of the caller's clock, when the flusher reads it) are caught. They become sticky: nothing is retried,
    // because after a failed sync the kernel may call lost pages clean.
    private Exception? Try(Action<AppendLog> work)
    {
        try
        {
            work(this);
            return null;
        }
        catch (Exception e)
        {
            return e;
        }
    }

    private void Fail(Exception? failure)
    {
        if (failure is null) return;
        lock (_gate)
        {
            _failure ??= failure;
            Monitor.PulseAll(_gate);
        }
    }

    private void CollectLocked(Queue<CommitWaiter> waiters, long through)
    {
        while (waiters.TryPeek(out CommitWaiter? waiter) && (waiter.Target <= through || _failure is not null))
            _ready.Add(waiters.Dequeue());
    }
}
