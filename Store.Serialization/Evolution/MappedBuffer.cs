using System.Buffers;

namespace Store.Serialization.Evolution;

/// <summary>
/// Memory for one rewritten record, in one piece because codecs read one span. A small piece stays with its thread, larger ones come from the pool. Rented
/// ones nest: a constructor that runs while a record is read may read records itself. Not thread-safe.
/// </summary>
internal sealed class MappedBuffer : IBufferWriter<byte>
{
    private const int KeptBytes = 16 << 10;

    [ThreadStatic]
    private static MappedBuffer? _cached;

    private readonly byte[] _first = GC.AllocateUninitializedArray<byte>(KeptBytes);
    private byte[] _bytes;
    private int _used;

    private MappedBuffer() => _bytes = _first;

    /// <summary>What was written. Valid until the next write or <see cref="Return"/>.</summary>
    public ReadOnlySpan<byte> Written => _bytes.AsSpan(0, _used);

    /// <summary>An empty buffer. Give it back with <see cref="Return"/> on the same thread.</summary>
    public static MappedBuffer Rent()
    {
        MappedBuffer? buffer = _cached;
        if (buffer is null) return new MappedBuffer();
        _cached = null;
        return buffer;
    }

    public void Return()
    {
        if (_bytes != _first)
        {
            ArrayPool<byte>.Shared.Return(_bytes);
            _bytes = _first;
        }

        _used = 0;
        _cached = this;
    }

    /// <inheritdoc/>
    public void Advance(int count)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(count);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(count, _bytes.Length - _used);
        _used += count;
    }

    /// <inheritdoc/>
    public Memory<byte> GetMemory(int sizeHint = 0)
    {
        EnsureRoom(sizeHint);
        return _bytes.AsMemory(_used);
    }

    /// <inheritdoc/>
    public Span<byte> GetSpan(int sizeHint = 0)
    {
        EnsureRoom(sizeHint);
        return _bytes.AsSpan(_used);
    }

    private void EnsureRoom(int sizeHint)
    {
        if (_bytes.Length - _used >= Math.Max(sizeHint, 1)) return;
        long wanted = Math.Max((long)_used + Math.Max(sizeHint, 1), Math.Min(2L * _bytes.Length, Array.MaxLength));
        if (wanted > Array.MaxLength) Throw.RecordTooLarge(Array.MaxLength);
        byte[] larger = ArrayPool<byte>.Shared.Rent((int)wanted);
        Written.CopyTo(larger);
        if (_bytes != _first) ArrayPool<byte>.Shared.Return(_bytes);
        _bytes = larger;
    }
}
