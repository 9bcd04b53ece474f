// Where the codec writes a state of any size: one pooled chunk, checksummed and written to the file when it is full. Nothing holds the whole state.

using System.Buffers;
using Store.IO;

namespace Store.Snapshots;

/// <summary>
/// A buffer writer into a file, from an offset on. Memory: one chunk, or the largest contiguous span the codec asked for when that is more.
/// Cancellation is noticed at each chunk. Not thread-safe; dispose it to give the chunk back.
/// </summary>
internal sealed class SnapshotOutput(IStoreFile file, long offset, SnapshotPageTable pages, CancellationToken cancellationToken, Action<long>? onChunk = null) : IBufferWriter<byte>, IDisposable
{
    public const int ChunkSize = 1024 * 1024;

    /// <summary>So many bytes at a time are handed to the disk early, so that the sync at the end finds little left to do.</summary>
    private const int WritebackSize = 8 * ChunkSize;

    private byte[] _chunk = ArrayPool<byte>.Shared.Rent(ChunkSize);
    private int _filled;
    private long _written;
    private long _handedOver;

    /// <summary>Bytes received so far.</summary>
    public long LengthBytes => _written + _filled;

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

    /// <summary>Writes what is left of the chunk.</summary>
    public void Flush()
    {
        if (_filled == 0) return;
        cancellationToken.ThrowIfCancellationRequested();
        ReadOnlySpan<byte> bytes = _chunk.AsSpan(0, _filled);
        pages.Append(bytes);
        file.Write(bytes, offset + _written);
        _written += _filled;
        _filled = 0;
        onChunk?.Invoke(_written);
        if (_written - _handedOver < WritebackSize) return;
        file.StartWriteback(offset + _handedOver, _written - _handedOver);
        _handedOver = _written;
    }

    public void Dispose()
    {
        ArrayPool<byte>.Shared.Return(_chunk);
        _chunk = [];
        _filled = 0;
    }

    private void Provide(int sizeHint)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(sizeHint);
        ObjectDisposedException.ThrowIf(_chunk.Length == 0, this);
        int wanted = Math.Max(sizeHint, 1);
        if (_chunk.Length - _filled >= wanted) return;
        Flush();

        // A codec that asks for more than a chunk at once gets it, and only for that once.
        int size = Math.Max(wanted, ChunkSize);
        if (_chunk.Length >= size && (size > ChunkSize || _chunk.Length == ChunkSize)) return;
        byte[] replacement = ArrayPool<byte>.Shared.Rent(size);
        ArrayPool<byte>.Shared.Return(_chunk);
        _chunk = replacement;
    }
}
