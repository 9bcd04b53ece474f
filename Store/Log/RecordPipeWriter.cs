// The log as a plain PipeWriter, for bytes that are nobody's type: what is written between two flushes is one record of type byte[].

using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using System.IO.Pipelines;
using Store.Framing;
using Store.Serialization;

namespace Store.Log;

/// <summary>One writer of opaque records. Like every <see cref="PipeWriter"/> it is for one thread at a time; a log may have many.</summary>
/// <param name="log">The log.</param>
/// <param name="maxRecordBytes">Most bytes of a record, its header included.</param>
/// <param name="durability">What a flush waits for.</param>
internal sealed class RecordPipeWriter(AppendLog log, int maxRecordBytes, Durability durability) : PipeWriter
{
    // Room for the longest header of a list of bytes: its count + 1 as a compact number.
    private const int HeaderRoom = 5;
    private const int FirstBytes = 4096;

    private readonly Lock _gate = new();
    private readonly NinoSchema _schema = NinoCodec<byte[]>.Default.Schema;
    private byte[] _buffer = [];
    private int _end = HeaderRoom;
    private bool _isCompleted;
    private bool _cancelsNext;
    private TaskCompletionSource? _cancelsWait;

    /// <inheritdoc/>
    public override bool CanGetUnflushedBytes => true;

    /// <inheritdoc/>
    public override long UnflushedBytes => _end - HeaderRoom;

    /// <inheritdoc/>
    /// <exception cref="RecordTooLargeException">The record would exceed the limit of the store. What was written so far stays.</exception>
    public override Memory<byte> GetMemory(int sizeHint = 0)
    {
        EnsureRoom(sizeHint);
        return _buffer.AsMemory(_end);
    }

    /// <inheritdoc cref="GetMemory"/>
    public override Span<byte> GetSpan(int sizeHint = 0)
    {
        EnsureRoom(sizeHint);
        return _buffer.AsSpan(_end);
    }

    /// <inheritdoc/>
    public override void Advance(int bytes)
    {
        ThrowIfCompleted();
        if (bytes < 0 || bytes > Math.Max(0, _buffer.Length - _end)) throw new ArgumentOutOfRangeException(nameof(bytes), bytes, "More bytes than the memory that was obtained.");
        _end += bytes;
    }

    /// <summary>Appends what was written since the last flush as one record and completes when it is as durable as asked; with nothing written it does nothing. Cancelling gives up the wait, never the record.</summary>
    /// <exception cref="RecordTooLargeException">The record exceeds the limit of the store. Nothing was appended; complete the writer with an exception to drop what it holds.</exception>
    /// <exception cref="StoreFailedException">A write failed.</exception>
    public override ValueTask<FlushResult> FlushAsync(CancellationToken cancellationToken = default)
    {
        ThrowIfCompleted();
        cancellationToken.ThrowIfCancellationRequested();
        lock (_gate)
        {
            if (IsCancelledLocked()) return new ValueTask<FlushResult>(new FlushResult(isCanceled: true, isCompleted: false));
        }

        if (UnflushedBytes == 0) return new ValueTask<FlushResult>(new FlushResult(isCanceled: false, isCompleted: false));
        ValueTask<long> wait = log.AppendAsync(_schema, Finished(), durability, notesFailure: false);
        _end = HeaderRoom;
        if (!wait.IsCompletedSuccessfully) return WaitAsync(wait.AsTask(), cancellationToken);
        _ = wait.Result;
        return new ValueTask<FlushResult>(new FlushResult(isCanceled: false, isCompleted: false));
    }

    /// <inheritdoc/>
    public override void CancelPendingFlush()
    {
        lock (_gate)
        {
            if (_cancelsWait is null) _cancelsNext = true;
            else _cancelsWait.TrySetResult();
        }
    }

    /// <summary>Ends the writer, not the log. What was written since the last flush is appended as a record that nobody waits for; with an exception it is dropped.</summary>
    public override void Complete(Exception? exception = null)
    {
        if (_isCompleted) return;
        try
        {
            if (exception is null && UnflushedBytes > 0) log.Append(_schema, Finished());
        }
        finally
        {
            _isCompleted = true;
            if (_buffer.Length > 0) ArrayPool<byte>.Shared.Return(_buffer);
            _buffer = [];
        }
    }

    // The record with its header in front. The log copies it before it returns.
    private ReadOnlySpan<byte> Finished()
    {
        Span<byte> header = stackalloc byte[HeaderRoom];
        int size = FrameBuilder.WriteCompact(header, (uint)UnflushedBytes + 1);
        header[..size].CopyTo(_buffer.AsSpan(HeaderRoom - size));
        return _buffer.AsSpan(HeaderRoom - size, size + (int)UnflushedBytes);
    }

    private async ValueTask<FlushResult> WaitAsync(Task wait, CancellationToken cancellationToken)
    {
        var cancelled = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        lock (_gate)
        {
            // It may have been cancelled since it looked: it is this flush that was meant, whose record is on its way.
            if (IsCancelledLocked()) return new FlushResult(isCanceled: true, isCompleted: false);
            _cancelsWait = cancelled;
        }

        bool isOver = false;
        try
        {
            Task first = await Task.WhenAny(wait, cancelled.Task).WaitAsync(cancellationToken).ConfigureAwait(false);
            if (first == wait) await TellAsync(wait).ConfigureAwait(false);
            isOver = true;
        }
        finally
        {
            // Every cancellation is one flush's: of this one, if it comes before it has its result, or of the next, where this one ends with an exception.
            lock (_gate)
            {
                _cancelsWait = null;
                if (!isOver && cancelled.Task.IsCompleted) _cancelsNext = true;
            }
        }

        return new FlushResult(isCanceled: cancelled.Task.IsCompleted, isCompleted: false);
    }

    // A flush that was cancelled told nobody.
    private async Task TellAsync(Task wait)
    {
        try
        {
            await wait.ConfigureAwait(false);
        }
        catch (StoreFailedException)
        {
            log.Failure.WasTold = true;
            throw;
        }
    }

    private bool IsCancelledLocked()
    {
        bool isCancelled = _cancelsNext;
        _cancelsNext = false;
        return isCancelled;
    }

    private void EnsureRoom(int sizeHint)
    {
        ThrowIfCompleted();
        ArgumentOutOfRangeException.ThrowIfNegative(sizeHint);
        long needed = (long)_end + Math.Max(sizeHint, 1);

        // Also where the pool has given more than was asked for. A writer may ask for more than it uses: the limit itself is the flush's.
        if (needed > (long)maxRecordBytes + HeaderRoom + FirstBytes)
            throw new RecordTooLargeException($"A record of {needed - HeaderRoom} bytes exceeds the limit of {maxRecordBytes} (NinoStoreOptions.MaxRecordSizeBytes). Nothing was appended; flush more often or raise the limit.");
        if (needed <= _buffer.Length) return;
        byte[] larger = ArrayPool<byte>.Shared.Rent((int)Math.Max(needed, Math.Max(FirstBytes, Math.Min(2L * _buffer.Length, maxRecordBytes))));
        _buffer.AsSpan(0, Math.Min(_end, _buffer.Length)).CopyTo(larger);
        if (_buffer.Length > 0) ArrayPool<byte>.Shared.Return(_buffer);
        _buffer = larger;
    }

    private void ThrowIfCompleted()
    {
        if (_isCompleted) ThrowCompleted();
    }

    [DoesNotReturn]
    private static void ThrowCompleted() => throw new InvalidOperationException("The writer was completed; make another with NinoStore.OpenPipe.");
}
