// Memory for a record whose length is not yet known. One piece stays with its thread; larger records continue in pooled pieces, so nothing is
// copied while it grows and nothing large is kept. So do records that are serialized while another one is: what code in the middle of a record takes is the pool's again when it is done.

using System.Buffers;
using System.Runtime.CompilerServices;

namespace Store.Serialization;

/// <summary>
/// A growing buffer of the current thread. Rented ones nest (a record serialized while another is being written gets pooled memory of its own). Not thread-safe.
/// </summary>
internal sealed class ScratchBuffer : IBufferWriter<byte>
{
    private const int FirstPieceBytes = 64 << 10;
    private const int MaxPieceBytes = 1 << 20;
    private const int MaxSpare = 8;

    [ThreadStatic]
    private static ScratchBuffer? _cached;

    // Those for records inside of records, without memory: the last one first.
    [ThreadStatic]
    private static ScratchBuffer? _spare;

    private readonly List<(byte[] Piece, int Used)> _full = [];
    private readonly bool _isNested;
    private byte[] _first;
    private byte[] _current;
    private int _used;
    private long _fullBytes;
    private bool _isRented = true;
    private ScratchBuffer? _next;
    private int _spareDepth;

    private ScratchBuffer(bool isNested)
    {
        _isNested = isNested;
        _current = _first = isNested ? [] : GC.AllocateUninitializedArray<byte>(FirstPieceBytes);
    }

    /// <summary>An empty buffer. Give it back with <see cref="Return"/> on the same thread.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ScratchBuffer Rent()
    {
        ScratchBuffer? scratch = _cached;
        if (scratch is null || scratch._isRented) return RentSlowly();
        scratch._isRented = true;
        return scratch;
    }

    /// <summary>All of the first piece. A writer that begins with it and is full asks for more as any other.</summary>
    public Span<byte> FirstPiece => _first;

    /// <summary>Empties the buffer, gives pooled pieces back and keeps the thread's own for its next record.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Return()
    {
        if (_current != _first || _isNested) ReturnPieces();
        _used = 0;
        _isRented = false;
    }

    /// <inheritdoc/>
    public void Advance(int count)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(count);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(count, _current.Length - _used);
        _used += count;
    }

    /// <inheritdoc/>
    public Memory<byte> GetMemory(int sizeHint = 0)
    {
        EnsureRoom(sizeHint);
        return _current.AsMemory(_used);
    }

    /// <inheritdoc/>
    public Span<byte> GetSpan(int sizeHint = 0)
    {
        EnsureRoom(sizeHint);
        return _current.AsSpan(_used);
    }

    /// <summary>Ends the only record of a writer over this empty buffer and returns it as a new array.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public byte[] ToArray(ref NinoWriter writer)
    {
        // Nothing was flushed: all of the record is in the first piece.
        if (_current != _first || _used != 0)
        {
            writer.Complete();
            return ToArray();
        }

        int length = (int)writer.BytesWritten;
        writer.EndRecord();
        byte[] result = GC.AllocateUninitializedArray<byte>(length);
        _first.AsSpan(0, length).CopyTo(result);
        return result;
    }

    /// <summary>What was written, as a new array.</summary>
    public byte[] ToArray()
    {
        long length = _fullBytes + _used;
        if (length > Array.MaxLength) Throw.RecordTooLarge(Array.MaxLength);
        byte[] result = GC.AllocateUninitializedArray<byte>((int)length);
        CopyTo(result);
        return result;
    }

    /// <summary>Copies what was written. The destination is long enough.</summary>
    public void CopyTo(Span<byte> destination)
    {
        foreach ((byte[] piece, int used) in _full)
        {
            piece.AsSpan(0, used).CopyTo(destination);
            destination = destination[used..];
        }

        _current.AsSpan(0, _used).CopyTo(destination);
    }

    // The first one of a thread keeps its memory; one for a record inside of a record has it from the pool.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static ScratchBuffer RentSlowly()
    {
        if (_cached is null) return _cached = new ScratchBuffer(isNested: false);
        ScratchBuffer nested = _spare ?? new ScratchBuffer(isNested: true);
        _spare = nested._next;
        nested._next = null;
        nested._current = nested._first = ArrayPool<byte>.Shared.Rent(FirstPieceBytes);
        nested._isRented = true;
        return nested;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void ReturnPieces()
    {
        if (_current != _first)
        {
            ArrayPool<byte>.Shared.Return(_current);
            foreach ((byte[] piece, _) in _full)
            {
                if (piece != _first) ArrayPool<byte>.Shared.Return(piece);
            }

            _full.Clear();
            _fullBytes = 0;
            _current = _first;
        }

        if (!_isNested || !_isRented) return;
        ArrayPool<byte>.Shared.Return(_first);
        _current = _first = [];
        int depth = (_spare?._spareDepth ?? 0) + 1;
        if (depth > MaxSpare) return;
        (_next, _spareDepth) = (_spare, depth);
        _spare = this;
    }

    private void EnsureRoom(int sizeHint)
    {
        if (_current.Length - _used >= Math.Max(sizeHint, 1)) return;
        byte[] next = ArrayPool<byte>.Shared.Rent((int)Math.Max(sizeHint, Math.Min(2 * (_fullBytes + _current.Length), MaxPieceBytes)));
        _full.Add((_current, _used));
        _fullBytes += _used;
        _current = next;
        _used = 0;
    }
}
