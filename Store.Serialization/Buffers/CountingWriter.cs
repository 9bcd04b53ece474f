using System.Buffers;

namespace Store.Serialization;

/// <summary>Takes bytes, forgets them and counts: how long a record gets. The memory is the thread's. Rented ones nest. Not thread-safe.</summary>
internal sealed class CountingWriter : IBufferWriter<byte>
{
    private const int MaxCached = 8;

    [ThreadStatic]
    private static CountingWriter? _cached;

    private byte[] _bytes = GC.AllocateUninitializedArray<byte>(4096);
    private CountingWriter? _next;
    private int _depth;

    private CountingWriter() { }

    public static CountingWriter Rent()
    {
        CountingWriter writer = _cached ?? new CountingWriter();
        _cached = writer._next;
        writer._next = null;
        return writer;
    }

    public void Return()
    {
        // Long strings and arrays are written in pieces, so this is rare.
        const int MaxKeptBytes = 64 << 10;
        int depth = (_cached?._depth ?? 0) + 1;
        if (_bytes.Length > MaxKeptBytes || depth > MaxCached) return;
        (_next, _depth) = (_cached, depth);
        _cached = this;
    }

    /// <inheritdoc/>
    public void Advance(int count)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(count);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(count, _bytes.Length);
    }

    /// <inheritdoc/>
    public Memory<byte> GetMemory(int sizeHint = 0)
    {
        if (sizeHint > _bytes.Length) _bytes = GC.AllocateUninitializedArray<byte>(sizeHint);
        return _bytes;
    }

    /// <inheritdoc/>
    public Span<byte> GetSpan(int sizeHint = 0) => GetMemory(sizeHint).Span;
}
