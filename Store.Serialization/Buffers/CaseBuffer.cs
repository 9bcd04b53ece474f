// Memory for one case of a union that stores lengths: the length stands in front, and is known when the case is written.

using System.Buffers;

namespace Store.Serialization;

/// <summary>A growing contiguous buffer of the current thread. Rented ones nest: a case may hold cases. Not thread-safe.</summary>
internal sealed class CaseBuffer : IBufferWriter<byte>
{
    private const int FirstBytes = 256;
    private const int KeptBytes = 64 << 10;
    private const int KeptBuffers = 8;

    [ThreadStatic]
    private static Stack<CaseBuffer>? _cached;

    private byte[] _bytes = new byte[FirstBytes];
    private int _used;

    private CaseBuffer() { }

    /// <summary>What was written, valid until <see cref="Return"/>.</summary>
    public ReadOnlySpan<byte> Written => _bytes.AsSpan(0, _used);

    /// <summary>An empty buffer. Give it back with <see cref="Return"/> on the same thread; after an exception it may be forgotten.</summary>
    public static CaseBuffer Rent() => _cached is { } cached && cached.TryPop(out CaseBuffer? buffer) ? buffer : new CaseBuffer();

    public void Return()
    {
        _used = 0;
        Stack<CaseBuffer> cached = _cached ??= new Stack<CaseBuffer>(KeptBuffers);
        if (_bytes.Length <= KeptBytes && cached.Count < KeptBuffers) cached.Push(this);
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
        long needed = (long)_used + Math.Max(sizeHint, 1);
        if (needed <= _bytes.Length) return;
        if (needed > Array.MaxLength) Throw.RecordTooLarge(Array.MaxLength);
        Array.Resize(ref _bytes, (int)Math.Min(Math.Max(needed, 2L * _bytes.Length), Array.MaxLength));
    }
}
