using System.Buffers;

namespace Store.KeyValue.Changes;

/// <summary>
/// The bytes of one change, reused by its thread: no allocation per operation. An update needs two at once, and a codec that itself uses a keyed state (a property that
/// reads one) more: <see cref="Take"/> hands each out once.
/// </summary>
internal sealed class ChangeBuffer : IBufferWriter<byte>
{
    private const int FirstBytes = 512;
    private const int MaxKeptBytes = 1 << 20;
    private const int MaxIdle = 4;

    [ThreadStatic] private static ChangeBuffer? _idle;

    private byte[] _bytes = new byte[FirstBytes];
    private ChangeBuffer? _next;
    private int _depth;
    private int _length;

    public int KeyStart { get; set; }

    public int KeyEnd { get; set; }

    public int ValueStart { get; set; }

    public int ValueEnd { get; set; }

    public ReadOnlySpan<byte> Record => _bytes.AsSpan(0, _length);

    public ReadOnlySpan<byte> Key => _bytes.AsSpan(KeyStart, KeyEnd - KeyStart);

    public ReadOnlyMemory<byte> KeyMemory => _bytes.AsMemory(KeyStart, KeyEnd - KeyStart);

    public ReadOnlySpan<byte> Value => _bytes.AsSpan(ValueStart, ValueEnd - ValueStart);

    /// <summary>An empty buffer, the caller's until <see cref="GiveBack"/>.</summary>
    public static ChangeBuffer Take()
    {
        ChangeBuffer buffer = _idle ?? new ChangeBuffer();
        _idle = buffer._next;
        buffer._next = null;
        buffer._length = 0;
        return buffer;
    }

    public void GiveBack()
    {
        int depth = (_idle?._depth ?? 0) + 1;
        if (_bytes.Length > MaxKeptBytes || depth > MaxIdle) return;
        (_next, _depth) = (_idle, depth);
        _idle = this;
    }

    public void Advance(int count) => _length += count;

    public Memory<byte> GetMemory(int sizeHint = 0)
    {
        Grow(sizeHint);
        return _bytes.AsMemory(_length);
    }

    public Span<byte> GetSpan(int sizeHint = 0)
    {
        Grow(sizeHint);
        return _bytes.AsSpan(_length);
    }

    /// <summary>The array that all of it is in: a value can be read to where it is free, behind a key that was encoded alone.</summary>
    public byte[] Bytes => _bytes;

    /// <summary>Makes that room as large as this, unless it is more than is kept.</summary>
    public void MakeRoomBehindKey(int lengthBytes)
    {
        if (lengthBytes <= MaxKeptBytes - KeyEnd) Grow(KeyEnd + lengthBytes - _length);
    }

    private void Grow(int sizeHint)
    {
        int needed = checked(_length + Math.Max(sizeHint, 1));
        if (needed > _bytes.Length) Array.Resize(ref _bytes, (int)Math.Clamp((long)_bytes.Length * 2, needed, Array.MaxLength));
    }
}
