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
    private readonly Lock _flusherGate = new();
    private readonly object _gate = new();
    private readonly NinoStoreOptions _options;
    private readonly IStoreDirectory _directory;
    private readonly LogPipe _pipe;
    private readonly LogHead _head;
    private readonly SegmentPreparer _preparer;
    private readonly SegmentWriter _writer;
    private readonly List<LogExtent> _taken = new(64);
    private readonly Queue<CommitWaiter> _diskWaiters = new();
    private readonly Queue<CommitWaiter> _cacheWaiters = new();
    private readonly List<CommitWaiter> _ready = [];
    private readonly string? _oneFileName;
    private readonly Thread? _flusher;

    private long _flushedThrough;
    private bool _flushAsked;
    private bool _flusherDozes;
    private bool _flusherSleeps;
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
        _flushedThrough = tail.NextSequence - 1;
        _pipe = new LogPipe(Math.Min(1024 * 1024, options.BufferSizeBytes / 4) & ~(FrameFormat.Alignment - 1), options.BufferSizeBytes);
        _head = new LogHead(options, _pipe, tail, isOneFile: oneFileName is not null);
        _preparer = new SegmentPreparer(directory, SegmentFormat.PreparedName(oneFileName), inBackground: !options.RunsInline, logger);
        _writer = new SegmentWriter(directory, _preparer, NameOf, _head.NextCapacity);
        if (_head.FirstPlan is { } plan) _writer.Begin(plan);
        else _writer.Continue(directory.OpenWrite(NameOf(_head.Segment)), _head.Segment, _head.Offset);
        if (options.RunsInline) return;
        _flusher = new Thread(RunFlusher) { IsBackground = true, Name = "NinoStore flusher" };
        _flusher.Start();
    }

    /// <summary>Sequence of the last record appended.</summary>
    public long LastSequence
    {
        get { lock (_gate) return _head.NextSequence - 1; }
    }

    /// <summary>Highest sequence that is on the disk.</summary>
    public long DurableSequence
    {
        get { lock (_gate) return _head.DurableThrough; }
    }

    /// <summary>Headers of all segments, oldest first.</summary>
    public SegmentHeader[] Segments
    {
        get { lock (_gate) return [.. _head.Segments]; }
    }

    /// <summary>Where sequences are in a segment, when it is the one being written.</summary>
    public SegmentIndex? IndexOf(long number)
    {
        lock (_gate) return _head.Segment.Number == number ? _head.IndexNow : null;
    }

    /// <summary>File name of a segment.</summary>
    public string NameOf(SegmentHeader header) => _oneFileName ?? SegmentFormat.Name(header.Number);

    /// <summary>Appends one record and returns its sequence.</summary>
    public long Append(NinoSchema schema, ReadOnlySpan<byte> record)
    {
        CheckSize(record.Length);
        lock (_gate)
        {
            ThrowIfUnusableLocked();
            SchemaSlot slot = _head.SlotOf(schema);
            while (!_head.TryAppend(slot, record))
            {
                // Waiting lets others in, and one of them may open a frame that this record fits.
                if (!_head.TryOpenFrame(slot, record.Length)) WaitForFlushLocked();
            }

            WakeLocked();
            return _head.NextSequence - 1;
        }
    }

    /// <summary>Appends records, each with its length in front, as one frame. Returns the sequence of the first.</summary>
    public long AppendBatch(NinoSchema schema, ReadOnlySpan<byte> payload, int recordCount)
    {
        if (recordCount == 0) return LastSequence + 1;
        lock (_gate)
        {
            WaitForRoomLocked(checked((int)FrameFormat.SizeOf(payload.Length)));
            _head.AppendBatch(_head.SlotOf(schema), payload, recordCount);
            WakeLocked();
            return _head.NextSequence - recordCount;
        }
    }

    /// <summary>Writes a frame that holds no records, behind everything appended so far.</summary>
    public void AppendNote(FrameKind kind, ReadOnlySpan<byte> payload)
    {
        lock (_gate)
        {
            WaitForRoomLocked(checked((int)FrameFormat.SizeOf(payload.Length)));
            _head.WriteNote(kind, payload);
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
            marks = !_head.EndsClosed;
            if (marks && _head.Segment.IsOneFile) _head.WriteFooter();
            else if (marks && _head.HasRoomForMark) _head.WriteMark(isClosing: true);
        }

        if (marks) FlushAndWait(evenWithoutRecords: true);
        if (_head.Segment.IsOneFile && _failure is null) Fail(Try(static log => log._writer.CutToSize()));
    }

    // The flusher must not end before it has seen the close mark, so closing runs one flush itself: the flusher's gate keeps them apart.
    private void FlushAndWait(bool evenWithoutRecords = false)
    {
        while (true)
        {
            FlushOnce(sync: true);
            lock (_gate)
            {
                if (_failure is not null || (_head.DurableThrough >= _head.NextSequence - 1 && _pipe.SealedBytes == 0)) return;
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
            long target = _head.NextSequence - 1;
            if (durability == Durability.Memory || (durability == Durability.Disk ? _head.DurableThrough : _flushedThrough) >= target) return null;
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
        if (_flusherSleeps || (_flusherDozes && _pipe.SealedBytes >= _pipe.ChunkSizeBytes))
        {
            _flusherSleeps = false;
            if (_pipe.SealedBytes >= _pipe.ChunkSizeBytes) _flushAsked = true;
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
                if (!_flushAsked && !_closing && NeedsMarkLocked()) Fail(Try(static log => log._head.WriteMark(isClosing: false)));
                _flushAsked = false;
            }

            FlushOnce(sync: false);
        }
    }

    private bool HasWorkLocked() => _head.HasOpenFrame || _pipe.SealedBytes > 0 || NeedsMarkLocked();

    // When the log falls idle after a commit, a mark says so: damage to the last records is then known to be no crash.
    private bool NeedsMarkLocked() =>
        !_head.HasOpenFrame && _pipe.SealedBytes == 0 && _head.DurableThrough == _head.NextSequence - 1 && _head.MarkedThrough < _head.DurableThrough && _head.HasRoomForMark;

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
                failure = Try(static log => log._head.Seal());
                _pipe.TakeSealed(_taken);
                target = _head.SealedThrough;
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
                    if (sync) _head.DurableThrough = target;
                    if (!_head.HasOpenFrame) _pipe.Rewind();
                }

                CollectLocked(_diskWaiters, _head.DurableThrough);
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
