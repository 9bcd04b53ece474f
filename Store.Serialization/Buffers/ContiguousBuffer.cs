using System.Buffers;

namespace Store.Serialization;

/// <summary>
/// Memory for one record in one piece, where it is read again as a span or handed on whole. A small piece stays with its thread, larger ones come from the
/// pool. Rented ones nest: a constructor that runs while a record is read may read records itself, and a case whose length stands in front may hold cases. One user at a time.
/// </summary>
internal sealed class ContiguousBuffer : IBufferWriter<byte>
{
    private const int KeptBytes = 16 << 10;
    private const int MaxCached = 8;

    [ThreadStatic]
    private static ContiguousBuffer? _cached;

    private readonly byte[] _first = GC.AllocateUninitializedArray<byte>(KeptBytes);
    private byte[] _bytes;
    private int _used;
    private List<byte[]>? _outgrown;
    private ContiguousBuffer? _next;
    private int _depth;

    private ContiguousBuffer() => _bytes = _first;

    /// <summary>What this outgrows is its own until <see cref="Return"/>, and not the pool's at once: somebody may write into it yet.</summary>
    public bool KeepsOutgrown { private get; set; }

    /// <summary>What was written. Valid until the next write or <see cref="Return"/>.</summary>
    public ReadOnlySpan<byte> Written => _bytes.AsSpan(0, _used);

    /// <inheritdoc cref="Written"/>
    public ReadOnlyMemory<byte> WrittenMemory => _bytes.AsMemory(0, _used);

    /// <summary>All of the memory at hand, whether written or not. Valid as <see cref="Written"/> is.</summary>
    public Span<byte> Everything => _bytes;

    /// <summary>Says that so many bytes of <see cref="Everything"/> are written.</summary>
    public void SetUsed(int count)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThan((uint)count, (uint)_bytes.Length);
        _used = count;
    }

    /// <summary>An empty buffer. Give it back with <see cref="Return"/>, once, on whatever thread.</summary>
    public static ContiguousBuffer Rent()
    {
        ContiguousBuffer? buffer = _cached;
        if (buffer is null) return new ContiguousBuffer();
        _cached = buffer._next;
        buffer._next = null;
        return buffer;
    }

    /// <summary>Empties the buffer and gives what is large back to the pool.</summary>
    public void Return()
    {
        if (_bytes != _first)
        {
            ArrayPool<byte>.Shared.Return(_bytes);
            _bytes = _first;
        }

        if (KeepsOutgrown) ReturnOutgrown();
        _used = 0;
        int depth = (_cached?._depth ?? 0) + 1;
        if (depth > MaxCached) return;
        (_next, _depth) = (_cached, depth);
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
        if (_bytes != _first)
        {
            if (KeepsOutgrown) (_outgrown ??= []).Add(_bytes);
            else ArrayPool<byte>.Shared.Return(_bytes);
        }

        _bytes = larger;
    }

    private void ReturnOutgrown()
    {
        foreach (byte[] bytes in _outgrown ?? []) ArrayPool<byte>.Shared.Return(bytes);
        _outgrown = null;
        KeepsOutgrown = false;
    }
}
