// The log's own PipeWriter: bytes are built in place in large pooled chunks and handed to the flusher as extents, in file order. There is no copy between
// a frame and the file. All members are called under the log's gate; nothing here waits.

using System.IO.Pipelines;

namespace Store.Log;

/// <summary>One buffer of the pipe.</summary>
internal sealed class LogChunk(int size)
{
    public byte[] Buffer { get; } = GC.AllocateUninitializedArray<byte>(size);

    /// <summary>Bytes written so far.</summary>
    public int Written { get; set; }
}

/// <summary>A run of finished bytes on its way to the file.</summary>
/// <param name="Chunk">Where the bytes are, or null when only a segment begins.</param>
/// <param name="Start">First byte.</param>
/// <param name="Length">Number of bytes, may be 0.</param>
/// <param name="EndsChunk">True when nothing more of the chunk follows: the flusher gives it back.</param>
/// <param name="NewSegment">When not null, these bytes are the first of a new segment.</param>
internal readonly record struct LogExtent(LogChunk Chunk, int Start, int Length, bool EndsChunk, SegmentPlan? NewSegment);

/// <summary>A segment that the flusher is to create.</summary>
/// <param name="Header">Its header.</param>
/// <param name="CapacityBytes">Its size.</param>
internal sealed record SegmentPlan(SegmentHeader Header, long CapacityBytes);

/// <summary>
/// A <see cref="PipeWriter"/> over pooled chunks. Memory obtained stays writable until <see cref="Seal"/> hands it on, so a frame's header can be filled
/// in after its payload.
/// </summary>
/// <param name="chunkSizeBytes">Size of a chunk.</param>
/// <param name="capacityBytes">Memory for what is on its way to the file, and for who waits for it.</param>
/// <param name="waiters">How many wait; null for nobody.</param>
internal sealed class LogPipe(int chunkSizeBytes, long capacityBytes, Func<int>? waiters = null) : PipeWriter
{
    /// <summary>What each wait takes: who appends tiny records without awaiting is held up by these, and not by the bytes.</summary>
    public const int WaiterBytes = 128;

    private readonly List<LogExtent> _extents = new(64);
    private readonly Stack<LogChunk> _free = [];
    private LogChunk? _current;
    private int _sealedStart;
    private int _sealedEnd;
    private long _outstandingBytes;
    private SegmentPlan? _newSegment;

    /// <summary>Size of a chunk.</summary>
    public int ChunkSizeBytes => chunkSizeBytes;

    /// <summary>Bytes sealed and not yet taken.</summary>
    public long SealedBytes { get; private set; }

    /// <summary>Bytes written but not sealed.</summary>
    public override bool CanGetUnflushedBytes => true;

    /// <inheritdoc/>
    public override long UnflushedBytes => SealedBytes + (_current?.Written - _sealedEnd ?? 0);

    /// <summary>The chunk being written.</summary>
    public LogChunk? Current => _current;

    /// <summary>
    /// True when memory for so many bytes can be had without exceeding the pipe's capacity by more than one chunk; otherwise the caller waits for the flusher. Whoever waits takes memory too, which every flush gives back.
    /// </summary>
    public bool HasRoom(int sizeBytes)
    {
        bool fits = _current is not null && Room >= sizeBytes;
        long waiting = (long)WaiterBytes * (waiters?.Invoke() ?? 0);
        return (fits && waiting == 0) || _outstandingBytes - (fits ? Room : 0) + waiting < capacityBytes;
    }

    /// <summary>Contiguous room in the current chunk.</summary>
    public int Room => _current is { } chunk ? chunk.Buffer.Length - chunk.Written : 0;

    /// <inheritdoc/>
    public override Memory<byte> GetMemory(int sizeHint = 0)
    {
        sizeHint = Math.Max(sizeHint, 1);
        if (Room < sizeHint) NextChunk(sizeHint);
        return _current!.Buffer.AsMemory(_current.Written);
    }

    /// <inheritdoc/>
    public override Span<byte> GetSpan(int sizeHint = 0) => GetMemory(sizeHint).Span;

    /// <inheritdoc/>
    public override void Advance(int bytes)
    {
        if (_current is null || (uint)bytes > (uint)(_current.Buffer.Length - _current.Written)) throw new ArgumentOutOfRangeException(nameof(bytes), bytes, "More bytes than the memory that was obtained.");
        _current.Written += bytes;
    }

    /// <summary>Hands everything written so far to the flusher. The bytes must not change any more.</summary>
    public void Seal()
    {
        if (_current is null) return;
        SealedBytes += _current.Written - _sealedEnd;
        _sealedEnd = _current.Written;
    }

    /// <summary>What is written next belongs to a new segment. Everything before must be sealed.</summary>
    public void BeginSegment(SegmentPlan plan)
    {
        CutExtent(endsChunk: false);
        _newSegment = plan;
    }

    /// <summary>Moves all sealed extents, in order, to the end of <paramref name="extents"/>.</summary>
    public void TakeSealed(List<LogExtent> extents)
    {
        CutExtent(endsChunk: false);
        extents.AddRange(_extents);
        _extents.Clear();
        SealedBytes = 0;
    }

    /// <summary>Takes back a chunk that has been written to the file.</summary>
    public void Return(LogChunk chunk)
    {
        _outstandingBytes -= chunk.Buffer.Length;
        chunk.Written = 0;
        if (chunk.Buffer.Length == chunkSizeBytes) _free.Push(chunk);
    }

    /// <summary>
    /// Starts the current chunk anew. Only when everything in it has reached the file and no frame is open: a small log then stays in the same warm memory.
    /// A chunk that takes up the whole capacity by itself (one large frame made it) is let go instead: whoever needs a larger one would wait for ever.
    /// </summary>
    public void Rewind()
    {
        if (_current is null || _sealedStart != _current.Written || _newSegment is not null || _extents.Count != 0) return;
        _sealedStart = _sealedEnd = 0;
        _current.Written = 0;
        if (_outstandingBytes < capacityBytes) return;
        _outstandingBytes -= _current.Buffer.Length;
        _current = null;
    }

    /// <summary>Not used inside the log, which flushes through its flusher thread.</summary>
    public override ValueTask<FlushResult> FlushAsync(CancellationToken cancellationToken = default)
    {
        Seal();
        return new ValueTask<FlushResult>(new FlushResult(isCanceled: false, isCompleted: false));
    }

    /// <inheritdoc/>
    public override void CancelPendingFlush() { }

    /// <inheritdoc/>
    public override void Complete(Exception? exception = null) => Seal();

    private void NextChunk(int sizeBytes)
    {
        if (_current is { } full && full.Written != _sealedEnd) throw new InvalidOperationException("A frame is open at the end of a chunk.");

        // The new chunk first: when there is no memory for it, the pipe stays as it was.
        LogChunk next = sizeBytes <= chunkSizeBytes && _free.TryPop(out LogChunk? chunk) ? chunk : new LogChunk(Math.Max(sizeBytes, chunkSizeBytes));
        CutExtent(endsChunk: true);
        _current = next;
        _outstandingBytes += next.Buffer.Length;
        _sealedStart = _sealedEnd = 0;
    }

    private void CutExtent(bool endsChunk)
    {
        if (_current is null || (_sealedEnd == _sealedStart && !endsChunk)) return;
        _extents.Add(new LogExtent(_current, _sealedStart, _sealedEnd - _sealedStart, endsChunk, _sealedEnd > _sealedStart ? _newSegment : null));
        if (_sealedEnd > _sealedStart) _newSegment = null;
        _sealedStart = _sealedEnd;
    }
}
