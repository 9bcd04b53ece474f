// A state's bytes in memory, taken while it stands still and written to the disk while it goes on: what bounds the pause of a checkpoint to serializing.

using System.Buffers;
using Store.Threading;

namespace Store.Snapshots;

/// <summary>A buffer writer of pooled chunks. Filled by one thread; then read and disposed by any: the chunks are given back when it is disposed and nobody reads them.</summary>
internal sealed class StateImage : IBufferWriter<byte>, IDisposable
{
    private const int ChunkSizeBytes = 1024 * 1024;

    // No system gives memory in smaller pieces.
    private const int LeastPageBytes = 4096;

    private readonly List<(byte[] Bytes, int Filled)> _full = [];
    private readonly Stack<byte[]> _reserved = [];
    private readonly Lock _gate = new();
    private byte[] _chunk = [];
    private int _filled;
    private int _readers;
    private bool _disposed;

    /// <summary>Bytes received so far.</summary>
    public long LengthBytes { get; private set; }

    /// <summary>Takes memory for so many bytes, before anything is written: who fills this while others wait then waits neither for the system to give it nor for a collection. What is not used goes back when this is disposed.</summary>
    public void Reserve(long lengthBytes)
    {
        for (long reserved = 0; reserved < lengthBytes; reserved += ChunkSizeBytes)
        {
            byte[] chunk = ArrayPool<byte>.Shared.Rent(ChunkSizeBytes);
            _reserved.Push(chunk);
            for (int i = 0; i < chunk.Length; i += LeastPageBytes) chunk[i] = 0;
        }
    }

    /// <summary>Writes the bytes, in order. They stay what they are meanwhile, whoever disposes this.</summary>
    /// <exception cref="ObjectDisposedException">It was disposed before: the bytes are others' by now.</exception>
    public void CopyTo(SnapshotOutput output)
    {
        using (Uninterrupted.Enter(_gate))
        {
            ThrowIfDisposed();
            _readers++;
        }

        try
        {
            foreach ((byte[] bytes, int filled) in _full) output.Write(bytes.AsSpan(0, filled));
            output.Write(_chunk.AsSpan(0, _filled));
        }
        finally
        {
            using (Uninterrupted.Enter(_gate))
            {
                _readers--;
                GiveBackLocked();
            }
        }
    }

    /// <exception cref="ObjectDisposedException">It is disposed.</exception>
    public void ThrowIfDisposed()
    {
        if (Volatile.Read(ref _disposed)) throw new ObjectDisposedException(nameof(StateImage), "What was captured of a state was disposed before it was written: there is no snapshot of it. Capture the state for each checkpoint, and leave the disposing to who writes it.");
    }

    public void Advance(int count)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(count);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(count, _chunk.Length - _filled);
        _filled += count;
        LengthBytes += count;
    }

    public Memory<byte> GetMemory(int sizeHint = 0)
    {
        Provide(sizeHint);
        return _chunk.AsMemory(_filled);
    }

    public Span<byte> GetSpan(int sizeHint = 0)
    {
        Provide(sizeHint);
        return _chunk.AsSpan(_filled);
    }

    public void Dispose()
    {
        using (Uninterrupted.Enter(_gate))
        {
            _disposed = true;
            GiveBackLocked();
        }
    }

    private void GiveBackLocked()
    {
        if (!_disposed || _readers > 0) return;
        foreach ((byte[] bytes, _) in _full) ArrayPool<byte>.Shared.Return(bytes);
        if (_chunk.Length > 0) ArrayPool<byte>.Shared.Return(_chunk);
        foreach (byte[] bytes in _reserved) ArrayPool<byte>.Shared.Return(bytes);
        _full.Clear();
        _reserved.Clear();
        _chunk = [];
        _filled = 0;
    }

    private void Provide(int sizeHint)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(sizeHint);
        int wanted = Math.Max(sizeHint, 1);
        if (_chunk.Length - _filled >= wanted) return;
        if (_chunk.Length > 0) _full.Add((_chunk, _filled));

        _filled = 0;
        _chunk = [];
        if (wanted <= ChunkSizeBytes && _reserved.TryPop(out byte[]? reserved))
        {
            _chunk = reserved;
            return;
        }

        // A small state takes little: the first chunk is as small as it can be.
        _chunk = ArrayPool<byte>.Shared.Rent(Math.Max(wanted, _full.Count == 0 ? 4096 : ChunkSizeBytes));
    }
}
