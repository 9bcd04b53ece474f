// Where the codec writes a state of any size: pooled chunks, each checksummed and written to the file when it is full. Nothing holds the whole state. One chunk is written while the next is filled, so
// that serializing and the disk work at the same time.

using System.Buffers;
using Store.IO;

namespace Store.Snapshots;

/// <summary>
/// A buffer writer into a file, from an offset on. Memory: two chunks, or the largest contiguous span the codec asked for when that is more.
/// Cancellation is noticed at each chunk. Not thread-safe; dispose it to wait for the chunk under way and give the chunks back.
/// </summary>
/// <param name="file">The file.</param>
/// <param name="offset">Where the first byte goes.</param>
/// <param name="pages">Gets the bytes in order.</param>
/// <param name="cancellationToken">Looked at before each chunk.</param>
/// <param name="onChunk">Told, on the writing thread, how much is in the file after each chunk.</param>
/// <param name="inBackground">Full chunks are written on a thread of the pool; false: by the caller, in the order of calls.</param>
internal sealed class SnapshotOutput(IStoreFile file, long offset, SnapshotPageTable pages, CancellationToken cancellationToken, Action<long>? onChunk = null, bool inBackground = false) : IBufferWriter<byte>, IDisposable
{
    public const int ChunkSize = 1024 * 1024;

    /// <summary>So many bytes at a time are handed to the disk early, so that the sync at the end finds little left to do.</summary>
    private const int WritebackSize = 8 * ChunkSize;

    private byte[] _chunk = ArrayPool<byte>.Shared.Rent(ChunkSize);
    private byte[] _spare = [];
    private int _filled;
    private long _handedOn;
    private Task? _writing;
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
        Await();
        if (_filled == 0) return;
        cancellationToken.ThrowIfCancellationRequested();
        Write(_chunk, _filled);
        _handedOn += _filled;
        _filled = 0;
    }

    public void Dispose()
    {
        // The thread that writes a chunk must be done with it. Its failure has reached the caller, or the caller has one of its own.
        _writing?.ContinueWith(static _ => { }, CancellationToken.None, TaskContinuationOptions.ExecuteSynchronously, TaskScheduler.Default).Wait();
        Return(ref _chunk);
        Return(ref _spare);
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

    // The chunk that was written last becomes the next to be filled.
    private void HandOn()
    {
        if (!inBackground || _filled == 0)
        {
            Flush();
            return;
        }

        Await();
        cancellationToken.ThrowIfCancellationRequested();
        (byte[] full, int length) = (_chunk, _filled);
        _handedOn += length;
        _filled = 0;
        _chunk = _spare.Length > 0 ? _spare : ArrayPool<byte>.Shared.Rent(ChunkSize);
        _spare = full;
        _writing = Task.Run(() => Write(full, length));
    }

    private void Await()
    {
        if (_writing is not { } writing) return;
        _writing = null;
        writing.GetAwaiter().GetResult();
    }

    private void Write(byte[] chunk, int length)
    {
        ReadOnlySpan<byte> bytes = chunk.AsSpan(0, length);
        pages.Append(bytes);
        file.Write(bytes, offset + _written);
        _written += length;
        onChunk?.Invoke(_written);
        if (_written - _startedBack < WritebackSize) return;
        file.StartWriteback(offset + _startedBack, _written - _startedBack);
        _startedBack = _written;
    }

    private static void Return(ref byte[] chunk)
    {
        if (chunk.Length > 0) ArrayPool<byte>.Shared.Return(chunk);
        chunk = [];
    }
}
