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
using Store.Shipping;

namespace Store.Log;

/// <summary>The log of one open store. Safe for any number of threads.</summary>
internal sealed class AppendLog : IDisposable, IFlusherWork
{
    private readonly Lock _flushing = new();
    private readonly LogGate _gate = new();
    private readonly EventCount _flushes = new();
    private readonly CommitQueue _waiters = new();
    private readonly NinoStoreOptions _options;
    private readonly IStoreDirectory _directory;
    private readonly LogPipe _pipe;
    private readonly LogHead _head;
    private readonly SegmentPreparer _preparer;
    private readonly SegmentWriter _writer;
    private readonly List<LogExtent> _taken = new(64);
    private readonly string? _oneFileName;
    private readonly LogFlusher? _flusher;

    private long _flushedThrough;
    private bool _closing;
    private bool _closed;
    private Exception? _failure;
    private bool _failureTold;
    private int _roomWaiters;

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
        _flushedThrough = tail.NextSequence - 1;
        Progress.Advance(_flushedThrough, isDurable: true, segmentBegun: false);
        _pipe = new LogPipe(Math.Min(1024 * 1024, options.BufferSizeBytes / 4) & ~(FrameFormat.Alignment - 1), options.BufferSizeBytes);
        _head = new LogHead(options, _pipe, tail, isOneFile: oneFileName is not null, follows: oneFileName is null && FollowedStore.IsThere(directory));
        _preparer = new SegmentPreparer(directory, SegmentFormat.PreparedName(oneFileName), inBackground: !options.RunsInline, logger);
        _writer = new SegmentWriter(directory, _preparer, NameOf, _head.NextCapacity);
        if (_head.FirstPlan is { } plan) _writer.Begin(plan);
        else _writer.Continue(directory.OpenWrite(NameOf(_head.Segment)), _head.Segment, _head.Offset);
        if (options.RunsInline) return;
        _flusher = new LogFlusher(_gate, this, options.FlushIntervalMs);
        _flusher.Start();
    }

    /// <summary>Tells who follows the log.</summary>
    public LogProgress Progress { get; } = new();

    /// <summary>Sequence of the last record appended.</summary>
    public long LastSequence
    {
        get { using (_gate.Enter()) return _head.NextSequence - 1; }
    }

    /// <summary>Highest sequence that is on the disk.</summary>
    public long DurableSequence
    {
        get { using (_gate.Enter()) return _head.DurableThrough; }
    }

    /// <summary>Headers of all segments, oldest first.</summary>
    public SegmentHeader[] Segments
    {
        get { using (_gate.Enter()) return [.. _head.Segments]; }
    }

    /// <summary>Forgets the segments below a number: they are about to be removed.</summary>
    public void Forget(long number)
    {
        using (_gate.Enter()) _head.Forget(number);
    }

    /// <summary>Where sequences are in a segment, when it is the one being written.</summary>
    public SegmentIndex? IndexOf(long number)
    {
        using (_gate.Enter()) return _head.Segment.Number == number ? _head.IndexNow : null;
    }

    /// <summary>File name of a segment.</summary>
    public string NameOf(SegmentHeader header) => _oneFileName ?? SegmentFormat.Name(header.Number);

    /// <summary>Appends one record and returns its sequence.</summary>
    /// <param name="schema">Its schema.</param>
    /// <param name="record">Its bytes, which are copied.</param>
    /// <param name="expectedSequence">The sequence it must get, or 0 for any.</param>
    public long Append(NinoSchema schema, ReadOnlySpan<byte> record, long expectedSequence = 0)
    {
        CheckSize(record.Length);
        using (_gate.Enter()) return AppendLocked(schema, record, expectedSequence);
    }

    /// <summary>As <see cref="Append"/>, completing when the record is as durable as asked.</summary>
    public ValueTask<long> AppendAsync(NinoSchema schema, ReadOnlySpan<byte> record, Durability durability, long expectedSequence = 0)
    {
        CheckSize(record.Length);
        long sequence;
        CommitWaiter? waiter;
        using (_gate.Enter())
        {
            sequence = AppendLocked(schema, record, expectedSequence);
            waiter = RegisterLocked(durability, sequence, sequence);
        }

        return waiter is null ? new ValueTask<long>(sequence) : Flushing(waiter).Task;
    }

    /// <summary>Appends records, each with its length in front, as one frame. Returns the sequence of the first.</summary>
    public long AppendBatch(NinoSchema schema, ReadOnlySpan<byte> payload, int recordCount, long expectedSequence = 0)
    {
        using (_gate.Enter())
        {
            if (recordCount > 0) WaitForRoomLocked(checked((int)FrameFormat.SizeOf(payload.Length)));
            else ThrowIfUnusableLocked();
            CheckSequenceLocked(expectedSequence);
            long first = _head.NextSequence;
            if (recordCount == 0) return first;
            _head.AppendBatch(_head.SlotOf(schema), payload, recordCount);
            NoticeLocked();
            return first;
        }
    }

    /// <summary>Appends a frame of another log as it is; false when it does not begin with the next sequence.</summary>
    public bool TryAppendFrame(in ImportedFrame frame)
    {
        using (_gate.Enter())
        {
            WaitForRoomLocked(checked((int)frame.Header.FrameLength));
            if (frame.Header.FirstSequence != _head.NextSequence) return false;
            _head.AppendFrame(in frame);
            NoticeLocked();
            return true;
        }
    }

    /// <summary>Writes a frame that holds no records, behind everything appended so far.</summary>
    public void AppendNote(FrameKind kind, ReadOnlySpan<byte> payload)
    {
        using (_gate.Enter())
        {
            WaitForRoomLocked(checked((int)FrameFormat.SizeOf(payload.Length)));
            _head.WriteNote(kind, payload);
            NoticeLocked();
        }
    }

    /// <summary>Completes when everything appended so far is on the disk.</summary>
    public ValueTask CommitAsync() => Register(Durability.Disk) is { } waiter ? Flushing(waiter).PlainTask : default;

    /// <summary>Completes with <paramref name="result"/> when everything appended so far is as durable as asked.</summary>
    public ValueTask<long> WaitAsync(Durability durability, long result) => Register(durability, result) is { } waiter ? Flushing(waiter).Task : new ValueTask<long>(result);

    /// <summary>Returns when everything appended so far is as durable as asked. Does the work itself unless somebody is at it: two changes of threads less than awaiting it.</summary>
    public void Wait(Durability durability)
    {
        if (!_flushing.TryEnter())
        {
            if (Register(durability) is { } waiter) Flushing(waiter).PlainTask.AsTask().GetAwaiter().GetResult();
            return;
        }

        try
        {
            if (!IsFulfilled(durability)) FlushOnce(sync: durability == Durability.Disk);
        }
        finally
        {
            _flushing.Exit();
        }

        using (_gate.Enter()) ThrowIfFailedLocked();
    }

    /// <summary>Makes everything durable, marks the end and closes. Throws when that fails; the log is closed all the same.</summary>
    public void Dispose()
    {
        using (_gate.Enter())
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
            using (_gate.Enter()) _closed = true;
            _flushes.Advance();
            _flusher?.Join();
            Progress.End(_failure);
            _writer.Dispose();
            _preparer.Close();
        }

        // Somebody must hear of lost records; who already did is not told again, so that disposing hides no other exception.
        using (_gate.Enter())
        {
            if (!_failureTold) ThrowIfFailedLocked();
        }
    }

    bool IFlusherWork.IsOverLocked => _closed || _failure is not null;

    bool IFlusherWork.HasWorkLocked => _head.HasOpenFrame || _pipe.SealedBytes > 0 || NeedsMarkLocked();

    int IFlusherWork.GatherMsLocked
    {
        get
        {
            // Whoever waits for room appends nothing more until the flush: nothing would come to wait for.
            if (_options.CommitDelayMs == 0 || _closing || _roomWaiters > 0 || !_waiters.MayGather || _pipe.SealedBytes + _head.OpenFrameBytes >= _options.CommitBytes) return 0;
            if (_waiters.FirstCame is not { } first || GatherClock() is not { } now) return 0;
            double passedMs = _options.TimeProvider.GetElapsedTime(first, now).TotalMilliseconds;
            return passedMs >= _options.CommitDelayMs ? 0 : (int)Math.Ceiling(_options.CommitDelayMs - passedMs);
        }
    }

    void IFlusherWork.FallIdleLocked()
    {
        if (_closing || !NeedsMarkLocked() || Try(static log => log._head.WriteMark(isClosing: false)) is not { } failure) return;
        FailLocked(failure);

        // No flush follows that would tell it.
        Progress.End(failure);
    }

    void IFlusherWork.Flush() => FlushOnce(sync: false);

    private void CloseLog()
    {
        FlushAndWait();
        bool marks;
        using (_gate.Enter())
        {
            if (_failure is not null) return;
            marks = !_head.EndsClosed;
            if (marks && _head.Segment.IsOneFile) _head.WriteFooter();
            else if (marks && _head.HasRoomForMark) _head.WriteMark(isClosing: true);
        }

        if (marks) FlushAndWait(evenWithoutRecords: true);
        if (!_head.Segment.IsOneFile || _failure is not null) return;
        Exception? failure = Try(static log => log._writer.CutToSize());
        using (_gate.Enter()) FailLocked(failure);
    }

    // The flusher must not end before it has seen the close mark, so closing runs one flush itself: the lock keeps them apart.
    private void FlushAndWait(bool evenWithoutRecords = false)
    {
        while (true)
        {
            FlushOnce(sync: true);
            using (_gate.Enter())
            {
                if (_failure is not null || (_head.DurableThrough >= _head.NextSequence - 1 && _pipe.SealedBytes == 0)) return;
            }

            if (evenWithoutRecords) return;
        }
    }

    private long AppendLocked(NinoSchema schema, ReadOnlySpan<byte> record, long expectedSequence)
    {
        ThrowIfUnusableLocked();
        CheckSequenceLocked(expectedSequence);
        SchemaSlot slot = _head.SlotOf(schema);
        while (!_head.TryAppend(slot, record))
        {
            if (_head.TryOpenFrame(slot, record.Length)) continue;

            // Waiting lets others in: one of them may open a frame that this record fits, or take the sequence that it was to get.
            WaitForFlushLocked();
            CheckSequenceLocked(expectedSequence);

            // An imported frame may have given its number to another schema meanwhile.
            slot = _head.SlotOf(schema);
        }

        NoticeLocked();
        return _head.NextSequence - 1;
    }

    private CommitWaiter? Register(Durability durability, long result = 0)
    {
        using (_gate.Enter())
        {
            ThrowIfUnusableLocked();
            return RegisterLocked(durability, _head.NextSequence - 1, result);
        }
    }

    // A wait for a sequence; null when it is already fulfilled.
    private CommitWaiter? RegisterLocked(Durability durability, long target, long result)
    {
        if (HasReachedLocked(durability, target)) return null;
        CommitWaiter waiter = _waiters.Add(durability, target, result, _options.CommitDelayMs == 0 ? null : GatherClock());
        _flusher?.AskLocked();
        return waiter;
    }

    // The clock is the caller's code and may throw. The record is appended by then, and only a delay rests on it: without the time there is none.
    private long? GatherClock()
    {
        try
        {
            return _options.TimeProvider.GetTimestamp();
        }
        catch (Exception)
        {
            return null;
        }
    }

    private bool IsFulfilled(Durability durability)
    {
        using (_gate.Enter())
        {
            ThrowIfUnusableLocked();
            return HasReachedLocked(durability, _head.NextSequence - 1);
        }
    }

    private bool HasReachedLocked(Durability durability, long sequence) =>
        durability == Durability.Memory || (durability == Durability.Disk ? _head.DurableThrough : _flushedThrough) >= sequence;

    private CommitWaiter Flushing(CommitWaiter waiter)
    {
        if (_flusher is null) FlushOnce(sync: false);
        return waiter;
    }

    private void CheckSize(int recordLength)
    {
        if (recordLength > _options.MaxRecordSizeBytes)
            throw new RecordTooLargeException($"A record of {recordLength} bytes exceeds the limit of {_options.MaxRecordSizeBytes} (NinoStoreOptions.MaxRecordSizeBytes). Nothing was appended; raise the limit or split the record.");
    }

    private void CheckSequenceLocked(long expectedSequence)
    {
        if (expectedSequence != 0 && expectedSequence != _head.NextSequence) throw new SequenceConflictException(expectedSequence, _head.NextSequence, _directory.Name);
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

    // Afterwards no frame is open, and the pipe has room. What is open counts as room until it is sealed, so it is sealed first.
    private void WaitForRoomLocked(int sizeBytes)
    {
        ThrowIfUnusableLocked();
        _head.Seal();
        while (!_pipe.HasRoom(sizeBytes))
        {
            WaitForFlushLocked();
            _head.Seal();
        }
    }

    // Leaves the gate while it waits.
    private void WaitForFlushLocked()
    {
        long seen = _flushes.Read();
        _roomWaiters++;
        _flusher?.AskLocked();
        _gate.Leave();
        try
        {
            if (_flusher is null) FlushOnce(sync: false);
            else _flushes.Await(seen);
        }
        finally
        {
            _gate.EnterPlain();
            _roomWaiters--;
        }

        ThrowIfUnusableLocked();
    }

    private void NoticeLocked() => _flusher?.NoticeLocked(_pipe.SealedBytes >= _pipe.ChunkSizeBytes);

    // When the log falls idle after a commit, a mark says so: damage to the last records is then known to be no crash.
    private bool NeedsMarkLocked() =>
        !_head.HasOpenFrame && _pipe.SealedBytes == 0 && _head.DurableThrough == _head.NextSequence - 1 && _head.MarkedThrough < _head.DurableThrough && _head.HasRoomForMark;

    // Moves everything appended so far to the file, syncs when somebody waits for the disk (or when asked), and ends the waits that are fulfilled.
    private void FlushOnce(bool sync)
    {
        lock (_flushing)
        {
            Exception? failure;
            long target;
            using (_gate.Enter())
            {
                if (_failure is not null) return;
                failure = Try(static log => log._head.Seal());
                _pipe.TakeSealed(_taken);
                target = _head.SealedThrough;
                sync |= _waiters.WaitsForDisk;
            }

            failure ??= Try(sync ? static log => log.WriteTaken(sync: true) : static log => log.WriteTaken(sync: false));
            bool anyReady, rolled = false;
            using (_gate.Enter())
            {
                FailLocked(failure);
                foreach (LogExtent extent in _taken)
                {
                    if (extent.EndsChunk) _pipe.Return(extent.Chunk);
                    rolled |= extent.NewSegment is not null;
                }

                _taken.Clear();
                if (failure is null)
                {
                    _flushedThrough = target;
                    if (sync) _head.DurableThrough = target;
                    if (!_head.HasOpenFrame) _pipe.Rewind();
                }

                anyReady = _waiters.Collect(_head.DurableThrough, _flushedThrough, all: _failure is not null);
                _failureTold |= anyReady && failure is not null;
            }

            _flushes.Advance();
            if (anyReady) _waiters.Tell(failure is null ? null : new StoreFailedException($"{_directory.Name}: a write to the log failed: {failure.Message}. What was not yet acknowledged may be lost. Dispose the store and open it again: opening verifies what is there.", _directory.Name, failure));
            if (failure is null) Progress.Advance(target, isDurable: sync, rolled);
            else Progress.End(failure);
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

    private void FailLocked(Exception? failure) => _failure ??= failure;
}
