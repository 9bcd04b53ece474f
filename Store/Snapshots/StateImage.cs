// A state's bytes in memory, taken while it stands still and written to the disk while it goes on: what bounds the pause of a checkpoint to serializing.

using System.Buffers;

namespace Store.Snapshots;

/// <summary>A buffer writer of pooled chunks. Not thread-safe; dispose it to give the chunks back.</summary>
internal sealed class StateImage : IBufferWriter<byte>, IDisposable
{
    private const int ChunkSizeBytes = 1024 * 1024;

    private readonly List<(byte[] Bytes, int Filled)> _full = [];
    private byte[] _chunk = [];
    private int _filled;

    /// <summary>Bytes received so far.</summary>
    public long LengthBytes { get; private set; }

    /// <summary>The bytes, in order. Valid until this is disposed or written to.</summary>
    public IEnumerable<ReadOnlyMemory<byte>> Chunks => _full.Select(chunk => (ReadOnlyMemory<byte>)chunk.Bytes.AsMemory(0, chunk.Filled)).Append(_chunk.AsMemory(0, _filled));

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
        foreach ((byte[] bytes, _) in _full) ArrayPool<byte>.Shared.Return(bytes);
        if (_chunk.Length > 0) ArrayPool<byte>.Shared.Return(_chunk);
        _full.Clear();
        _chunk = [];
        _filled = 0;
    }

    private void Provide(int sizeHint)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(sizeHint);
        int wanted = Math.Max(sizeHint, 1);
        if (_chunk.Length - _filled >= wanted) return;
        if (_chunk.Length > 0) _full.Add((_chunk, _filled));

        // A small state takes little: the first chunk is as small as it can be.
        _filled = 0;
        _chunk = [];
        _chunk = ArrayPool<byte>.Shared.Rent(Math.Max(wanted, _full.Count == 0 ? 4096 : ChunkSizeBytes));
    }
}
