// Where the codec writes a state of any size: pooled chunks, each checksummed and written to the file when it is full. Nothing holds the whole state. Chunks are written while the next ones are filled, so
// that serializing and the disk work at the same time, and a few may wait, so that neither has to wake the other for each.

using System.Buffers;
using System.Runtime.ExceptionServices;
using Store.IO;
using Store.Threading;

namespace Store.Snapshots;

/// <summary>
/// A buffer writer into a file, from an offset on. Memory: one chunk, in the background five; where the codec asks for a larger contiguous span, as many of those.
/// Cancellation is noticed at each chunk. Not thread-safe; dispose it to wait for the chunk under way and give the chunks back.
/// </summary>
/// <param name="file">The file.</param>
/// <param name="offset">Where the first byte goes.</param>
/// <param name="pages">Gets the bytes in order.</param>
/// <param name="cancellationToken">Looked at before each chunk.</param>
/// <param name="onChunk">Told, on the writing thread, how much is in the file after each chunk.</param>
/// <param name="inBackground">Full chunks are written on a thread of their own; false: by the caller, in the order of calls.</param>
/// <param name="pace">How much of the file is on its way to the disk; null: as where somebody may always sync.</param>
internal sealed class SnapshotOutput(IStoreFile file, long offset, SnapshotPageTable pages, CancellationToken cancellationToken, Action<long>? onChunk = null, bool inBackground = false, WritebackPace? pace = null) : IBufferWriter<byte>, IDisposable
{
    public const int ChunkSize = 1024 * 1024;

    /// <summary>
    /// So many bytes at a time are handed to the disk early: the sync at the end finds little left to do, and a commit of the log waits for little of a snapshot instead of for all of it (<see cref="WritebackPace"/>). Less
    /// than a chunk, because few are full to the last byte: a value that does not fit begins the next.
    /// </summary>
    private const int WritebackSize = ChunkSize / 2;

    /// <summary>So many full chunks at most wait to be written, beside the one that is.</summary>
    private const int MaxFull = 3;

    /// <summary>The writing thread ends when nothing came for so long: items that have to be waited for hold none.</summary>
    private const int IdleMs = 20;

    private readonly object _gate = new();
    private readonly Queue<(byte[] Chunk, int LengthBytes)> _full = [];
    private readonly Stack<byte[]> _spare = [];
    private readonly WritebackPace _pace = pace ?? new WritebackPace(null);
    private byte[] _chunk = ArrayPool<byte>.Shared.Rent(ChunkSize);
    private int _filled;
    private long _handedOn;
    private bool _hasThread;
    private bool _isWriting;
    private bool _isDisposed;
    private Exception? _failure;
    private long _written;
    private long _startedBack;

    /// <summary>Bytes received so far.</summary>
    public long LengthBytes => _handedOn + _filled;

    public Span<byte> GetSpan(int sizeHint = 0)
    {
        Provide(sizeHint);
        return _chunk.AsSpan(_filled);
    }

    public Memory<byte> GetMemory(int sizeHint = 0)
    {
        Provide(sizeHint);
        return _chunk.AsMemory(_filled);
    }

    public void Advance(int count)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(count);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(count, _chunk.Length - _filled);
        _filled += count;
    }

    /// <summary>Writes what is left of the chunk. Everything is in the file when this returns.</summary>
    public void Flush()
    {
        WaitForWriter();
        ThrowIfFailed();
        if (_filled == 0) return;
        cancellationToken.ThrowIfCancellationRequested();
        pages.Append(_chunk.AsSpan(0, _filled));
        try
        {
            Write(_chunk, _filled);
        }
        catch (Exception e)
        {
            // The bytes are in the page table by now: nothing can follow them.
            _failure = e;
            throw;
        }

        _handedOn += _filled;
        _filled = 0;
    }

    public void Dispose()
    {
        // What still waits is not worth writing: whoever needs it in the file has flushed. Its failure has reached the caller, or the caller has one of its own.
        using (Uninterrupted.EnterMonitor(_gate))
        {
            DropWaitingLocked();
            _isDisposed = true;
            Monitor.PulseAll(_gate);
        }

        WaitForWriter();
        Return(ref _chunk);
        while (_spare.TryPop(out byte[]? spare)) Return(ref spare);
        _filled = 0;
    }

    private void Provide(int sizeHint)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(sizeHint);
        ObjectDisposedException.ThrowIf(_chunk.Length == 0, this);
        int wanted = Math.Max(sizeHint, 1);
        if (_chunk.Length - _filled >= wanted) return;
        HandOn();

        // A codec that asks for more than a chunk at once gets it, and only for that once.
        int size = Math.Max(wanted, ChunkSize);
        if (_chunk.Length >= size && (size > ChunkSize || _chunk.Length == ChunkSize)) return;
        Return(ref _chunk);
        _chunk = ArrayPool<byte>.Shared.Rent(size);
    }

    // A chunk that was written becomes one to be filled.
    private void HandOn()
    {
        if (!inBackground || _filled == 0)
        {
            Flush();
            return;
        }

        cancellationToken.ThrowIfCancellationRequested();

        // Checksummed here, not by the writer: writing is the slower half, and the chunk is in this processor's cache.
        pages.Append(_chunk.AsSpan(0, _filled));
        bool startsThread;
        using (Uninterrupted.EnterMonitor(_gate))
        {
            Uninterrupted.Wait(this, static output =>
            {
                while (output._full.Count >= MaxFull) Monitor.Wait(output._gate);
            });
            ThrowIfFailed();

            // Before the full one is given away: where there is no memory for the next, it stays ours.
            byte[] next = _spare.TryPop(out byte[]? spare) ? spare : ArrayPool<byte>.Shared.Rent(ChunkSize);
            _full.Enqueue((_chunk, _filled));
            _handedOn += _filled;
            _filled = 0;
            _chunk = next;
            startsThread = !_hasThread;
            _hasThread = true;
            Monitor.PulseAll(_gate);
        }

        if (startsThread) StartThread();
    }

    private void StartThread()
    {
        try
        {
            new Thread(WriteFull) { IsBackground = true, Name = "NinoStore snapshot" }.Start();
        }
        catch (Exception e)
        {
            // Nobody would write what waits: whoever goes on nevertheless meets the failure again.
            using (Uninterrupted.EnterMonitor(_gate))
            {
                _hasThread = false;
                _failure = e;
                DropWaitingLocked();
            }

            throw;
        }
    }

    private void WriteFull()
    {
        for (; ; )
        {
            (byte[] Chunk, int LengthBytes) next;
            using (Uninterrupted.EnterMonitor(_gate))
            {
                while (!_full.TryDequeue(out next))
                {
                    if (!_isDisposed && _failure is null && Monitor.Wait(_gate, IdleMs)) continue;
                    if (_full.Count > 0) continue;
                    _hasThread = false;
                    return;
                }

                _isWriting = true;

                // Whoever found no place has one now, not when this one is written.
                if (_full.Count == MaxFull - 1) Monitor.PulseAll(_gate);
            }

            Exception? failure = null;
            try
            {
                Write(next.Chunk, next.LengthBytes);
            }
            catch (Exception e)
            {
                // Kept for the thread that fills: its next chunk, or its flush, throws it.
                failure = e;
            }

            using (Uninterrupted.EnterMonitor(_gate))
            {
                _isWriting = false;
                _spare.Push(next.Chunk);
                if (failure is not null)
                {
                    _failure = failure;
                    DropWaitingLocked();
                }

                Monitor.PulseAll(_gate);
            }
        }
    }

    private void DropWaitingLocked()
    {
        while (_full.TryDequeue(out (byte[] Chunk, int) waiting)) _spare.Push(waiting.Chunk);
    }

    private void WaitForWriter()
    {
        using (Uninterrupted.EnterMonitor(_gate))
        {
            Uninterrupted.Wait(this, static output =>
            {
                while (output._isWriting || output._full.Count > 0) Monitor.Wait(output._gate);
            });
        }
    }

    private void ThrowIfFailed()
    {
        if (_failure is not null) ExceptionDispatchInfo.Throw(_failure);
    }

    private void Write(byte[] chunk, int length)
    {
        ReadOnlySpan<byte> bytes = chunk.AsSpan(0, length);
        file.Write(bytes, offset + _written);
        _written += length;
        onChunk?.Invoke(_written);
        if (_written - _startedBack < WritebackSize) return;
        _pace.Start(file, offset + _startedBack, offset + _written);
        _startedBack = _written;
    }

    private static void Return(ref byte[] chunk)
    {
        if (chunk.Length > 0) ArrayPool<byte>.Shared.Return(chunk);
        chunk = [];
    }
}
