// Where records are serialized before they go into the log: one growing array a thread, so that an append allocates nothing and serializing needs no gate.

using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using Microsoft.Extensions.ObjectPool;
using Store.Framing;

namespace Store.Buffers;

/// <summary>A contiguous, growing buffer. Rented for the length of one append; not thread-safe.</summary>
internal sealed class RecordBuffer : IBufferWriter<byte>
{
    private const int FirstSizeBytes = 4096;

    // A buffer that a rare large record made huge is not kept.
    private const int KeptSizeBytes = 1024 * 1024;

    private static readonly DefaultObjectPool<RecordBuffer> Pool = new(new DefaultPooledObjectPolicy<RecordBuffer>());

    [ThreadStatic]
    private static RecordBuffer? _ofThread;

    // A thread keeps its buffer: who appends while it appends (a callback does) gets one of the pool.
    private bool _isThreads;
    private bool _inUse;
    private byte[] _bytes = new byte[FirstSizeBytes];
    private int _written;
    private int _limit;
    private string _limitName = "";

    /// <summary>The type of the one record that is written, for messages; null for several.</summary>
    public string? TypeName { get; set; }

    /// <summary>The bytes written. Valid until the buffer is returned or written to.</summary>
    public ReadOnlySpan<byte> Written => _bytes.AsSpan(0, _written);

    /// <summary>As <see cref="Written"/>, for somebody who slices it later.</summary>
    public ReadOnlyMemory<byte> WrittenMemory => _bytes.AsMemory(0, _written);

    /// <summary>As <see cref="Written"/>.</summary>
    /// <exception cref="RecordTooLargeException">More than the limit.</exception>
    public ReadOnlySpan<byte> WrittenWithinLimit
    {
        get
        {
            if (_written > _limit) ThrowTooLarge();
            return Written;
        }
    }

    /// <summary>Gets an empty buffer.</summary>
    /// <param name="limitBytes">What it may hold. A little more is taken before it refuses: see <see cref="WrittenWithinLimit"/>.</param>
    /// <param name="limitName">What the message calls the thing that is too large.</param>
    /// <param name="typeName">See <see cref="TypeName"/>.</param>
    public static RecordBuffer Rent(int limitBytes, string limitName = "record", string? typeName = null)
    {
        RecordBuffer? buffer = _ofThread;
        if (buffer is null || Volatile.Read(ref buffer._inUse)) buffer = RentSlowly(isThreads: buffer is null);
        else buffer._inUse = true;
        buffer.Clear(limitBytes, limitName);
        buffer.TypeName = typeName;
        return buffer;
    }

    /// <summary>Empties the buffer, for somebody who keeps one.</summary>
    /// <param name="limitBytes">As of <see cref="Rent"/>.</param>
    /// <param name="limitName">As of <see cref="Rent"/>.</param>
    public void Clear(int limitBytes, string limitName = "record")
    {
        if (_bytes.Length > KeptSizeBytes) _bytes = new byte[FirstSizeBytes];
        _written = 0;
        _limit = limitBytes;
        _limitName = limitName;
    }

    /// <summary>Forgets what was written behind so many bytes: a record that could not be written whole.</summary>
    public void TakeBack(int writtenBytes) => _written = Math.Min(_written, writtenBytes);

    /// <summary>Gives the buffer back.</summary>
    public void Return()
    {
        if (_bytes.Length > KeptSizeBytes) _bytes = new byte[FirstSizeBytes];
        if (_isThreads) Volatile.Write(ref _inUse, false);
        else Pool.Return(this);
    }

    /// <inheritdoc/>
    public void Advance(int count)
    {
        if ((uint)count > (uint)(_bytes.Length - _written)) throw new ArgumentOutOfRangeException(nameof(count), count, "More bytes than the memory that was obtained.");
        _written += count;
    }

    /// <inheritdoc/>
    public Memory<byte> GetMemory(int sizeHint = 0)
    {
        if (_bytes.Length - _written < Math.Max(sizeHint, 1)) Grow(Math.Max(sizeHint, 1));
        return _bytes.AsMemory(_written);
    }

    /// <inheritdoc/>
    public Span<byte> GetSpan(int sizeHint = 0)
    {
        if (_bytes.Length - _written < Math.Max(sizeHint, 1)) Grow(Math.Max(sizeHint, 1));
        return _bytes.AsSpan(_written);
    }

    /// <summary>Leaves room for the length of a record that is written next, and returns where it starts.</summary>
    /// <param name="prefixBytes">Room: the size of the previous record's prefix is the best guess.</param>
    public int BeginRecord(int prefixBytes)
    {
        GetSpan(prefixBytes);
        _written += prefixBytes;
        return _written;
    }

    /// <summary>Puts the length in front of the record that started at <paramref name="start"/>, moving it when the room was guessed wrong.</summary>
    /// <returns>Bytes of the length.</returns>
    public int EndRecord(int start, int prefixBytes)
    {
        int length = _written - start;
        int needed = Serialization.CompactNumber.SizeOf((uint)length);
        if (needed != prefixBytes)
        {
            GetSpan(needed);
            _bytes.AsSpan(start, length).CopyTo(_bytes.AsSpan(start - prefixBytes + needed));
            _written += needed - prefixBytes;
        }

        FrameBuilder.WriteCompact(_bytes.AsSpan(start - prefixBytes), (uint)length);
        return needed;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static RecordBuffer RentSlowly(bool isThreads) => isThreads ? _ofThread = new RecordBuffer { _isThreads = true, _inUse = true } : Pool.Get();

    private void Grow(int sizeHint)
    {
        long needed = (long)_written + sizeHint;
        // The writer asks for more than it needs: a little slack keeps records that are just within the limit.
        long most = (long)_limit + FirstSizeBytes;
        if (needed > most) ThrowTooLarge();
        Array.Resize(ref _bytes, (int)Math.Max(needed, Math.Min(_bytes.Length * 2L, most)));
    }

    [DoesNotReturn]
    private void ThrowTooLarge() => throw (TypeName is null ? RecordTooLargeException.Several(_limitName, _limit) : RecordTooLargeException.Of(TypeName, null, _limit));
}
