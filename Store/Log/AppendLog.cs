// The writing side of the log. Appenders build frames under one short gate; one flusher thread moves sealed frames to the file and syncs for everybody
// who waits, or lends that to a thread of the pool where one waits alone. Order of everything that happens to a record:
//
//     appended (has a sequence) -> sealed (in a finished frame) -> flushed (in the operating system) -> durable (on the disk)
//
// Invariant, at any time:  durable <= flushed <= sealed <= appended.

using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using Microsoft.Extensions.Logging;
using Store.Framing;
using Store.IO;
using Store.Retention;
using Store.Serialization;
using Store.Shipping;
using Store.Threading;

namespace Store.Log;

/// <summary>The log of one open store. Safe for any number of threads.</summary>
internal sealed class AppendLog : IDisposable, IFlusherWork
{
    private readonly LogGate _gate = new();
    private readonly CommitQueue _waiters;
    private readonly NinoStoreOptions _options;
    private readonly IStoreDirectory _directory;
    private readonly LogPipe _pipe;
    private readonly LogHead _head;
    private readonly SegmentPreparer _preparer;
    private readonly SegmentWriter _writer;
    private readonly LogFailure _failed;
    private readonly LogFlush _flush;
    private readonly CommitGather _gather;
    private readonly string? _oneFileName;
    private readonly LogFlusher? _flusher;
    private readonly LogWaits _waits;

    private bool _closed;
    private int _roomWaiters;

    /// <param name="directory">The folder.</param>
    /// <param name="options">Settings.</param>
    /// <param name="tail">Where the log ends.</param>
    /// <param name="oneFileName">File name of a one-file log, or null for a log of segments.</param>
    /// <param name="logger">Where background trouble is told.</param>
    /// <param name="held">The lock of a log that has no mark of its end, when it can tell that it was lost.</param>
    public AppendLog(IStoreDirectory directory, NinoStoreOptions options, LogTail tail, string? oneFileName, ILogger logger, IWatchedLock? held = null)
    {
        _directory = directory;
        _options = options;
        _oneFileName = oneFileName;
        _failed = new LogFailure(directory.Name);
        _waiters = new CommitQueue(_failed, logger);
        _gather = new CommitGather(options);
        Progress.Advance(tail.NextSequence - 1, isDurable: true, segmentBegun: false);
        _pipe = new LogPipe(Math.Min(1024 * 1024, options.BufferSizeBytes / 4) & ~(FrameFormat.Alignment - 1), options.BufferSizeBytes, () => _waiters.Count);
        _head = new LogHead(options, _pipe, tail, isOneFile: oneFileName is not null, follows: oneFileName is null && FollowedStore.IsThere(directory));
        _preparer = new SegmentPreparer(directory, SegmentFormat.PreparedName(oneFileName, tail.Writer), inBackground: !options.RunsInline, logger);
        _writer = new SegmentWriter(directory, _preparer, NameOf, _head.NextCapacity, new EndMark(directory, tail.End, tail.Writer, options.TimeProvider, held));
        _flush = new LogFlush(_gate, _head, _pipe, _waiters, _gather, _writer, _failed, Progress, tail.NextSequence - 1, options.RunsInline, logger);
        if (!options.RunsInline) _flusher = new LogFlusher(_gate, this, options.FlushIntervalMs);
        _waits = new LogWaits(_gate, _head, _flush, _waiters, _gather, _failed, _flusher);
        try
        {
            if (_head.FirstPlan is { } plan) _writer.Begin(plan);
            else if (_head.IsSegmentComplete) _writer.Rest(_head.Segment);
            else _writer.Continue(directory.OpenWrite(NameOf(_head.Segment)), _head.Segment, _head.Offset);
            _flusher?.Start();
        }
        catch
        {
            _writer.Dispose();
            _preparer.Close();
            throw;
        }
    }

    /// <summary>Tells who follows the log.</summary>
    public LogProgress Progress { get; } = new();

    /// <summary>What stopped the log, and who was told.</summary>
    public LogFailure Failure => _failed;

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

    /// <summary>Headers of all segments, oldest first. Not to be written to.</summary>
    public SegmentHeader[] Segments => _head.Segments;

    /// <summary>True while the last segment is complete: the next append begins another one, and needs the room for it.</summary>
    public bool IsSegmentComplete
    {
        get { using (_gate.Enter()) return _head.IsSegmentComplete; }
    }

    /// <summary>The segments and the last sequence, durable or appended, of one moment.</summary>
    public LogSpan Span(bool durableOnly)
    {
        using (_gate.Enter()) return new LogSpan(_head.Segments, durableOnly ? _head.DurableThrough : _head.NextSequence - 1);
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
    /// <param name="by">The caller's claim on such records, or null.</param>
    /// <exception cref="InvalidOperationException">Such records are somebody else's.</exception>
    public long Append(NinoSchema schema, ReadOnlySpan<byte> record, long expectedSequence = 0, SchemaClaim? by = null)
    {
        CheckSize(record.Length, schema);
        using (_gate.Enter()) return AppendLocked(schema, record, expectedSequence, by);
    }

    /// <summary>Claims records by their names. Everything that others have appended of them is in the log on return.</summary>
    /// <exception cref="InvalidOperationException">One of the names is claimed already.</exception>
    public void Claim(SchemaClaim claim)
    {
        using (_gate.Enter()) _head.SetClaim(claim, isHeld: true);
    }

    /// <summary>Gives back what was claimed. Doing it again changes nothing.</summary>
    public void Release(SchemaClaim claim)
    {
        using (_gate.Enter()) _head.SetClaim(claim, isHeld: false);
    }

    /// <summary>The way in for one thread that appends much.</summary>
    public LogLease Lease(NinoSchema schema) => new(this, _head, schema);

    /// <summary>As <see cref="Append"/>, for a lease, which may get the bias.</summary>
    public long AppendLeased(LogLease lease, ReadOnlySpan<byte> record)
    {
        CheckSize(record.Length, lease.Schema);
        using (_gate.Enter())
        {
            long sequence = AppendLocked(lease.Schema, record, expectedSequence: 0);
            // While somebody waits for the disk, every append may be the one that ends the wait for more.
            if (_head.HasOpenFrame && !_waiters.WaitsForDisk && lease.AskLocked(_head.SlotOf(lease.Schema)) is { } bias) _gate.GiveLocked(bias);
            return sequence;
        }
    }

    /// <summary>Takes away what a lease was given.</summary>
    public void EndLease()
    {
        using (_gate.Enter()) { }
    }

    /// <summary>As <see cref="Append"/>, completing when the record is as durable as asked. Cancelling gives up the wait, never the write; so it does of the others. Whoever may give up in another way notes himself when he was told of a failure.</summary>
    public ValueTask<long> AppendAsync(NinoSchema schema, ReadOnlySpan<byte> record, Durability durability, long expectedSequence = 0, CancellationToken cancellationToken = default, bool notesFailure = true)
    {
        CheckSize(record.Length, schema);
        long sequence;
        CommitWaiter? waiter;
        using (_gate.Enter())
        {
            sequence = AppendLocked(schema, record, expectedSequence);
            waiter = _waits.RegisterLocked(durability, sequence, sequence, cancellationToken.CanBeCanceled, notesFailure);
        }

        return waiter is null ? new ValueTask<long>(sequence) : _waits.Flushing(waiter, cancellationToken).Task;
    }

    /// <inheritdoc cref="EndMark.ThrowIfTakenByName"/>
    public void ThrowIfTaken() => _writer.ThrowIfTakenByName();

    /// <summary>Appends records, each with its length in front, as one frame. Returns the sequence of the first.</summary>
    public long AppendBatch(NinoSchema schema, ReadOnlySpan<byte> payload, int recordCount, long expectedSequence = 0, SchemaClaim? by = null) =>
        AppendBatch(schema, new EncodedBatch(payload, recordCount), expectedSequence, by);

    /// <inheritdoc cref="AppendBatch(NinoSchema, ReadOnlySpan{byte}, int, long, SchemaClaim?)"/>
    /// <exception cref="InvalidOperationException">What is to be appended was changed meanwhile. Nothing was appended.</exception>
    public long AppendBatch<TPayload>(NinoSchema schema, TPayload batch, long expectedSequence = 0, SchemaClaim? by = null) where TPayload : IBatchPayload, allows ref struct
    {
        using (_gate.Enter())
        {
            if (batch.RecordCount > 0) WaitForRoomLocked(checked((int)FrameFormat.SizeOf(batch.LengthBytes)));
            else _failed.ThrowIfUnusable();
            CheckSequenceLocked(expectedSequence);
            long first = _head.NextSequence;
            if (batch.RecordCount == 0) return first;
            bool isWhole = _head.TryAppendBatch(_head.SlotOf(schema, by), batch);
            NoticeLocked();
            return isWhole ? first : throw new InvalidOperationException("The list of records was changed by another thread while it was appended. Nothing was appended: append lists that nobody changes.");
        }
    }

    /// <summary>Appends records of several types as one frame. Returns the sequence of the first.</summary>
    /// <param name="batch">One record at least.</param>
    /// <param name="by">The caller's claim on all of them, or null.</param>
    /// <exception cref="InvalidOperationException">Such records are somebody else's. Nothing was appended.</exception>
    /// <exception cref="RecordTooLargeException">They are larger than a frame may be. Nothing was appended.</exception>
    public long AppendBatch(MixedBatch batch, SchemaClaim? by)
    {
        if (batch.MostLengthBytes > NinoStore.MaxBatchBytes) throw RecordTooLargeException.Batch(NinoStore.MaxBatchBytes);
        using (_gate.Enter())
        {
            WaitForRoomLocked(checked((int)FrameFormat.SizeOf(batch.MostLengthBytes)));
            long first = _head.NextSequence;
            _head.AppendBatch(batch, by);
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
            foreach (NumberedSchema schema in frame.Schemas) _head.ThrowIfClaimed(schema.Schema.Name);
            _head.AppendFrame(in frame);
            NoticeLocked();
            return true;
        }
    }

    /// <summary>Writes a frame that holds no records, behind everything appended so far. It has no sequence that could be waited for: <see cref="Sync"/> makes it durable.</summary>
    public void AppendNote(FrameKind kind, ReadOnlySpan<byte> payload)
    {
        using (_gate.Enter())
        {
            WaitForRoomLocked(checked((int)FrameFormat.SizeOf(payload.Length)));
            _head.WriteNote(kind, payload);
            NoticeLocked();
        }
    }

    /// <inheritdoc cref="LogWaits.Sync"/>
    public void Sync() => _waits.Sync();

    /// <inheritdoc cref="LogFlush.Syncs"/>
    public long Syncs => _flush.Syncs;

    /// <inheritdoc cref="LogWaits.CommitAsync"/>
    public ValueTask CommitAsync(CancellationToken cancellationToken = default) => _waits.CommitAsync(cancellationToken);

    /// <inheritdoc cref="LogWaits.WaitAsync"/>
    public ValueTask<long> WaitAsync(Durability durability, long result, CancellationToken cancellationToken = default, bool isAppended = false) => _waits.WaitAsync(durability, result, cancellationToken, isAppended);

    /// <inheritdoc cref="LogWaits.Wait"/>
    public void Wait(Durability durability) => _waits.Wait(durability);

    /// <summary>Makes everything durable, marks the end and closes. Throws when that fails; the log is closed all the same.</summary>
    public void Dispose()
    {
        using (_gate.Enter())
        {
            if (_failed.IsClosing) return;
            _failed.IsClosing = true;
        }

        try
        {
            if (_failed.First is null) _flush.Close();
        }
        finally
        {
            using (_gate.Enter()) _closed = true;
            _flush.Ended.Advance();
            _flusher?.Join();
            Progress.End(_failed.First);

            // Somebody may still be at a sync that found the log failed.
            using (Uninterrupted.Enter(_flush.Turn)) _writer.Dispose();
            _preparer.Close();
        }

        // Somebody must hear of lost records. Who already did is not told again, so that disposing hides no other exception; unless something in the background heard of it after that, and nobody knows any more who did.
        using (_gate.Enter())
        {
            if (!_failed.WasTold) _failed.ThrowIfAny();
        }
    }

    bool IFlusherWork.IsOverLocked => _closed || _failed.First is not null;

    bool IFlusherWork.HasWorkLocked => _head.HasOpenFrame || _pipe.SealedBytes > 0 || NeedsMarkLocked();

    // Whoever waits for room appends nothing more until the flush: nothing would come to wait for.
    int IFlusherWork.GatherMsLocked => _failed.IsClosing || _roomWaiters > 0 || !_waiters.MayGather ? 0 : _gather.RemainingMs(_pipe.SealedBytes + _head.OpenFrameBytes);

    void IFlusherWork.FallIdleLocked()
    {
        if (_failed.IsClosing || !NeedsMarkLocked() || LogFailure.Of(_head, static head => head.WriteMark(isClosing: false)) is not { } failure) return;
        _failed.Keep(failure);

        // No flush follows that would tell it.
        Progress.End(failure);
    }

    void IFlusherWork.Flush() => _flush.RunOnFlusher();

    LoneWait IFlusherWork.FlushLent() => _flush.RunForOne();

    private long AppendLocked(NinoSchema schema, ReadOnlySpan<byte> record, long expectedSequence, SchemaClaim? by = null)
    {
        _failed.ThrowIfUnusable();
        CheckSequenceLocked(expectedSequence);
        SchemaSlot slot = _head.SlotOf(schema, by);
        while (!_head.TryAppend(slot, record))
        {
            if (_head.TryOpenFrame(slot, record.Length)) continue;

            // Waiting lets others in: one of them may open a frame that this record fits, or take the sequence that it was to get.
            WaitForFlushLocked();
            CheckSequenceLocked(expectedSequence);

            // An imported frame may have given its number to another schema meanwhile.
            slot = _head.SlotOf(schema, by);
        }

        NoticeLocked();
        return _head.NextSequence - 1;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void CheckSize(int recordLength, NinoSchema schema)
    {
        if (recordLength > _options.MaxRecordSizeBytes) ThrowTooLarge(recordLength, schema);
    }

    [DoesNotReturn] private void ThrowTooLarge(int recordLength, NinoSchema schema) => throw RecordTooLargeException.Of(schema.Name, recordLength, _options.MaxRecordSizeBytes);

    private void CheckSequenceLocked(long expectedSequence)
    {
        if (expectedSequence != 0 && expectedSequence != _head.NextSequence) throw new SequenceConflictException(expectedSequence, _head.NextSequence, _directory.Name);
    }

    // Afterwards no frame is open, and the pipe has room. What is open counts as room until it is sealed, so it is sealed first.
    private void WaitForRoomLocked(int sizeBytes)
    {
        _failed.ThrowIfUnusable();
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
        long seen = _flush.Ended.Read();
        _roomWaiters++;
        _flusher?.AskLocked();
        _gate.Leave();
        try
        {
            if (_flusher is null) _flush.Run(sync: false);
            else _flush.Ended.Await(seen);
        }
        finally
        {
            _gate.EnterPlain();
            _roomWaiters--;
        }

        _failed.ThrowIfUnusable();
    }

    private void NoticeLocked() => _flusher?.NoticeLocked(_pipe.SealedBytes >= _pipe.ChunkSizeBytes);

    // When the log falls idle after a commit, a mark says so: damage to the last records is then known to be no crash.
    private bool NeedsMarkLocked() =>
        !_head.HasOpenFrame && _pipe.SealedBytes == 0 && _head.DurableThrough == _head.NextSequence - 1 && _head.MarkedThrough < _head.DurableThrough && !_head.IsSegmentComplete;
}
