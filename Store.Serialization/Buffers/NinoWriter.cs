// The cursor every codec writes through: a ref byte into the current span of an IBufferWriter, and how much of that span is left.
// The buffer writer is touched only when a span is full, so a member costs a compare and a store.

using System.Buffers;
using System.ComponentModel;
using System.Diagnostics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Store.Serialization.Codecs;

namespace Store.Serialization;

/// <summary>
/// A forward-only cursor over an <see cref="IBufferWriter{T}"/> or over one span. Bytes reach the buffer writer when the span is full or on
/// <see cref="Flush"/>; after the last write the owner must call <see cref="Flush"/>. Not thread-safe; lives on the stack.
/// </summary>
/// <remarks>
/// From the constructor to the last <see cref="Flush"/> the memory that the buffer writer gave is the cursor's: nobody else may write into the buffer writer, or advance it. All sizes are in bytes. What the buffer writer itself throws comes through as it is.
/// After an exception the buffer writer, or the span, may hold part of what was to be written: it is to be thrown away.
/// </remarks>
public ref struct NinoWriter
{
    // How much room WriteBytes asks a buffer writer for at a time, at most.
    private const int CopyChunkBytes = 1 << 16;

    private ref byte _cursor;
    private int _remaining;
    private int _spanLength;
    private long _flushed;
    private readonly IBufferWriter<byte>? _output;
    private readonly int _maxDepth;
    private readonly int _maxRecordBytes;
    private int _depth;
    private nuint _looked;
    private long _recordStart;
    private WriteReferences? _references;

    // Where somebody else's code got the writer, counted from 1: 0 in every new one, so that an exchange is seen. Then which lending it is, the same in all copies, and what this copy knows of its moves.
    private long _lent;
    private WriterMoves? _moves;
    private long _lending;
    private long _move;

    /// <summary>What is written was asked for by nobody: no callbacks run on it. What a getter of it serializes has a writer of its own.</summary>
    internal bool IsUnasked;

    /// <summary>As of <see cref="NinoReader"/>: what could not be read is not written.</summary>
    internal bool IsKey;

    /// <summary>Writes into a buffer writer that grows, and asks it for memory at once.</summary>
    /// <param name="output">The buffer writer, not null. It is neither completed nor given back.</param>
    /// <param name="limits">Other limits than the default ones.</param>
    public NinoWriter(IBufferWriter<byte> output, NinoLimits? limits = null)
    {
        limits ??= NinoLimits.Default;
        _output = output;
        _maxDepth = limits.MaxDepth;
        _maxRecordBytes = limits.MaxRecordBytes;
        Attach(output.GetSpan());
    }

    /// <summary>As <see cref="NinoWriter(IBufferWriter{byte}, NinoLimits?)"/>, with another bound of the record.</summary>
    internal NinoWriter(IBufferWriter<byte> output, NinoLimits limits, int maxRecordBytes) : this(output, limits.MaxDepth, maxRecordBytes) { }

    private NinoWriter(IBufferWriter<byte> output, int maxDepth, int maxRecordBytes)
    {
        _output = output;
        _maxDepth = maxDepth;
        _maxRecordBytes = maxRecordBytes;
        Attach(output.GetSpan());
    }

    /// <summary>Writes into a span of fixed length, the caller's; when it is full, <see cref="Reserve"/> throws <see cref="NinoSerializationException"/>.</summary>
    public NinoWriter(Span<byte> destination, NinoLimits? limits = null)
    {
        limits ??= NinoLimits.Default;
        _maxDepth = limits.MaxDepth;
        _maxRecordBytes = limits.MaxRecordBytes;
        Attach(destination);
    }

    /// <summary>Writes into an empty scratch buffer, without a call.</summary>
    internal NinoWriter(ScratchBuffer scratch, NinoLimits limits)
    {
        _output = scratch;
        _maxDepth = limits.MaxDepth;
        _maxRecordBytes = limits.MaxRecordBytes;
        Attach(scratch.FirstPiece);
    }

    /// <summary>Number of bytes written so far, whether flushed or not.</summary>
    public readonly long BytesWritten => _flushed + (_spanLength - _remaining);

    /// <summary>Notes that somebody else's code gets the writer, until <see cref="TakeBack"/>.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal WriterMark Lend()
    {
        var mark = new WriterMark(_lent, BytesWritten);
        if (_lent == 0) (_lending, _move) = ((_moves ??= WriterMoves.OfThread()).Begin(), 0);
        _lent = mark.BytesWritten + 1;
        return mark;
    }

    /// <summary>What was written since.</summary>
    /// <returns>How many bytes, or less than 0: <see cref="Exchanged"/> or <see cref="Restored"/>.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal long TakeBack(in WriterMark mark)
    {
        // One that failed and was caught has left its place, which is no earlier.
        if (_lent <= mark.BytesWritten) return Exchanged;
        if (_moves!.AreTorn(_lending, _move)) return Restored;
        _lent = mark.Lent;
        return BytesWritten - mark.BytesWritten;
    }

    /// <summary>True when the byte in front of the cursor is at hand and not 0.</summary>
    internal readonly bool IsLastByteOtherThan0 => _spanLength > _remaining && Unsafe.Subtract(ref _cursor, 1) != 0;

    /// <summary>Notes again, of code that is refused for how it wrote, where it got the writer.</summary>
    internal void Blame(in WriterMark mark)
    {
        // Of one that it was exchanged for, nothing is known.
        _moves ??= WriterMoves.OfThread();
        _lent = mark.BytesWritten + 1;
    }

    /// <summary>The writer is another one.</summary>
    internal const long Exchanged = -1;

    /// <summary>The writer is a copy that was made before it went to other memory.</summary>
    internal const long Restored = -2;

    /// <summary>Where somebody else's code got the writer and has not given it back, or what it was exchanged for; -1 where nobody's has it.</summary>
    internal readonly long LentAt => _lent - 1;

    /// <summary>True when this writer writes to that one.</summary>
    internal readonly bool IsOver(IBufferWriter<byte> output) => ReferenceEquals(_output, output);

    /// <summary>
    /// Makes sure that <paramref name="size"/> contiguous bytes can be stored and returns the first of them, without moving the cursor.
    /// Bound: the caller stores at most <paramref name="size"/> bytes and then calls <see cref="Advance"/> with what it stored.
    /// </summary>
    /// <exception cref="NinoSerializationException">The span is too short, the size is negative, or the record becomes longer than <see cref="NinoLimits.MaxRecordBytes"/>: that is looked at when the memory at hand is full.</exception>
    /// <exception cref="InvalidOperationException">The buffer writer gives less memory than it was asked for.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ref byte Reserve(int size)
    {
        if ((uint)size > (uint)_remaining) Grow(size);
        return ref _cursor;
    }

    /// <summary>Moves the cursor over bytes stored after <see cref="Reserve"/>. Bound: at most the size reserved; what lies between is stored as it happens to be.</summary>
    /// <exception cref="NinoSerializationException">There is no room for so many bytes, or the size is negative: nothing is written outside of the memory at hand.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Advance(int size)
    {
        if ((uint)size > (uint)_remaining) Throw.AdvancedTooFar(size);
        MoveOver(size);
    }

    /// <summary>As <see cref="Advance"/>, for codecs of the engine: they have reserved the bytes.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void MoveOver(int size)
    {
        Debug.Assert((uint)size <= (uint)_remaining, "Advance beyond the reserved bytes");
        _cursor = ref Unsafe.Add(ref _cursor, size);
        _remaining -= size;
    }

    /// <summary>Moves the cursor over bytes stored after <see cref="Open"/>, to the place behind them. Bound: at most the room it told.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void AdvanceTo(ref byte place) => MoveOver((int)Unsafe.ByteOffset(ref _cursor, ref place));

    /// <summary>The place of the cursor and the bytes that can be stored from there on, at hand without asking for more. Bound: the caller stores at most as many and then calls <see cref="Advance"/>.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public readonly ref byte Open(out int room)
    {
        room = _remaining;
        return ref _cursor;
    }

    /// <summary>Reserves <paramref name="size"/> bytes, moves the cursor over them and returns the first. Bound: the caller stores every one of them.</summary>
    /// <inheritdoc cref="Reserve" path="/exception"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ref byte Take(int size)
    {
        if ((uint)size > (uint)_remaining) Grow(size);
        ref byte start = ref _cursor;
        _cursor = ref Unsafe.Add(ref start, size);
        _remaining -= size;
        return ref start;
    }

    /// <summary>Copies bytes as they are. Long runs are copied span by span, so they need no contiguous room; of one that does not fit, the beginning was copied.</summary>
    /// <inheritdoc cref="Reserve" path="/exception"/>
    public void WriteBytes(scoped ReadOnlySpan<byte> bytes)
    {
        while (bytes.Length > _remaining)
        {
            int part = _remaining;
            bytes[..part].CopyTo(MemoryMarshal.CreateSpan(ref _cursor, part));
            MoveOver(part);
            bytes = bytes[part..];
            Grow(Math.Min(bytes.Length, CopyChunkBytes));
        }

        bytes.CopyTo(MemoryMarshal.CreateSpan(ref _cursor, bytes.Length));
        MoveOver(bytes.Length);
    }

    /// <summary>Writes a compact number: one byte up to 252, else a marker byte and two or four bytes (docs/formats/record.md, "compact number").</summary>
    /// <inheritdoc cref="Reserve" path="/exception"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WriteCompact(uint value)
    {
        if (value < CompactNumber.Marker16) Take(1) = (byte)value;
        else WriteCompactLong(value);
    }

    /// <summary>Writes the mark of a comparer in front of the header of a set or map; nothing for the default one.</summary>
    internal void WriteComparer(KnownComparer comparer)
    {
        if (comparer == KnownComparer.Default) return;
        ref byte start = ref Take(2);
        start = CompactNumber.ComparerMark;
        Unsafe.Add(ref start, 1) = (byte)comparer;
    }

    /// <summary>Enters one object of a recursive type. Pair with <see cref="Leave"/>.</summary>
    /// <exception cref="NinoSerializationException">Deeper than <see cref="NinoLimits.MaxDepth"/>: the value is too deep, or it contains itself. Or deeper than the stack of the thread allows.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Enter()
    {
        if (++_depth > _maxDepth) Throw.TooDeepToWrite(_maxDepth);
        StackGuard.Enter(ref _looked);
    }

    /// <summary>Leaves an object entered by <see cref="Enter"/>.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Leave() => _depth--;

    /// <summary>Bytes that the record may still take. What is written is checked as it is written: this is for what costs memory before that.</summary>
    internal readonly long RecordBytesLeft => _maxRecordBytes - (BytesWritten - _recordStart);

    /// <inheritdoc cref="NinoLimits.MaxRecordBytes"/>
    internal readonly int MaxRecordBytes => _maxRecordBytes;

    /// <summary>The bounds of what is written.</summary>
    internal readonly NinoLimits Limits => new() { MaxDepth = _maxDepth, MaxRecordBytes = Math.Max(_maxRecordBytes, 1) };

    /// <summary>Starts a record: <see cref="NinoLimits.MaxRecordBytes"/> counts from here. A writer may take many records, one after the other.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void BeginRecord()
    {
        _recordStart = BytesWritten;
        _depth = 0;
        IsKey = false;
        if (_references is not null) EndReferences();
    }

    /// <summary>Ends a record: refuses one that is larger than the limit even when it fitted into the span at hand, so that what was written can be read.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void EndRecord()
    {
        if (BytesWritten - _recordStart > _maxRecordBytes) Throw.RecordTooLarge(_maxRecordBytes);
        if (_references is not null) EndReferences();
    }

    /// <summary>Writes the place of an object to which references are kept: 0 for null, its number + 2 when it was written before, else 1, after which the caller writes the object.</summary>
    /// <returns>True when the object follows.</returns>
    /// <exception cref="NinoSerializationException">The object is being written, and a factory method takes the member that refers to it: it could not be read. Or as <see cref="Reserve"/>.</exception>
    /// <exception cref="InvalidOperationException">The buffer writer gives less memory than it was asked for.</exception>
    [EditorBrowsable(EditorBrowsableState.Never)]
    public bool WriteReference(object value)
    {
        uint reference = value is null ? 0 : (_references ??= WriteReferences.Rent()).Add(value);
        WriteCompact(reference);
        return reference == 1;
    }

    /// <summary>The number of the object that <see cref="WriteReference"/> met last, for <see cref="SetReference"/>.</summary>
    /// <exception cref="NinoSerializationException">It has met none in this record.</exception>
    [EditorBrowsable(EditorBrowsableState.Never)]
    public readonly int LastReference => References.Last;

    /// <summary>From here on members may refer to the object: reading has made it, or can.</summary>
    /// <exception cref="NinoSerializationException">No object of the record has this number.</exception>
    [EditorBrowsable(EditorBrowsableState.Never)]
    public readonly void SetReference(int number) => References.Set(number);

    // Asked for by types that keep references only.
    private readonly WriteReferences References
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get
        {
            if (_references is null) Throw.NoReferences();
            return _references;
        }
    }

    /// <summary>True when the record holds objects to which references are kept.</summary>
    internal readonly bool HasReferences => _references is not null;

    /// <summary>A writer for a part of this one's record, whose length must be known before it is written. Same limits and depth; no references.</summary>
    internal readonly NinoWriter Part(IBufferWriter<byte> output)
    {
        var part = new NinoWriter(output, _maxDepth, (int)Math.Clamp(_maxRecordBytes - (BytesWritten - _recordStart), 0, int.MaxValue));
        part._depth = _depth;
        part._looked = _looked;
        part.IsUnasked = IsUnasked;
        part.IsKey = IsKey;
        return part;
    }

    /// <summary>Ends the only record of a writer over a buffer writer: checks the limit, hands the rest to the buffer writer and returns the record's length. The writer is not used after it.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal long Complete()
    {
        int written = _spanLength - _remaining;
        long length = _flushed + written;
        if (length > _maxRecordBytes) Throw.RecordTooLarge(_maxRecordBytes);
        if (written != 0) _output!.Advance(written);
        if (_references is not null) EndReferences();
        return length;
    }

    /// <summary>Hands what was written to the buffer writer. Call once after the last value; the cursor may be used again after it. Over a span there is nothing to do. Throws what the buffer writer throws, and nothing of its own.</summary>
    public void Flush()
    {
        int written = _spanLength - _remaining;
        if (_output is null || written == 0) return;
        if (_lent != 0) _move = _moves!.Note(_lending, _move);
        _output.Advance(written);
        _flushed += written;
        _spanLength = _remaining;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void EndReferences()
    {
        _references!.Return();
        _references = null;
    }

    private void Attach(Span<byte> span)
    {
        _cursor = ref MemoryMarshal.GetReference(span);
        _remaining = _spanLength = span.Length;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void WriteCompactLong(uint value)
    {
        if (value <= ushort.MaxValue)
        {
            ref byte start = ref Take(3);
            start = CompactNumber.Marker16;
            Unsafe.WriteUnaligned(ref Unsafe.Add(ref start, 1), (ushort)value);
        }
        else
        {
            ref byte start = ref Take(5);
            start = CompactNumber.Marker32;
            Unsafe.WriteUnaligned(ref Unsafe.Add(ref start, 1), value);
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void Grow(int size)
    {
        if (size < 0) Throw.NegativeSize(size);
        if (_output is null) Throw.DestinationTooSmall(_spanLength, BytesWritten + size);
        if (BytesWritten - _recordStart + size > _maxRecordBytes) Throw.RecordTooLarge(_maxRecordBytes);
        Flush();
        if (_lent != 0)
        {
            _move = _moves!.Note(_lending, _move);
            // A codec of somebody's may write into the old memory yet, through a copy of its writer.
            if (_output is ContiguousBuffer own) own.KeepsOutgrown = true;
        }

        Attach(_output.GetSpan(size));
        if (_remaining < size) Throw.BufferWriterTooShort(size, _remaining);
    }
}
