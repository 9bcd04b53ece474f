using System.Buffers;

namespace Store.Tests.Serialization;

/// <summary>
/// Hands out spans of one array from its end to its beginning, each in front of the one before it and apart from it: who measures the room in a span by the end of
/// an earlier one finds much too much, and what it stores there is seen.
/// </summary>
/// <param name="first">Bytes handed out first; then one more each time, up to <paramref name="most"/>, and from 1 on again.</param>
/// <param name="most">Most bytes handed out, unless more are asked for.</param>
internal sealed class DescendingSpanWriter(int first, int most) : IBufferWriter<byte>
{
    private const int GapBytes = 16;
    private const byte Untouched = 0xEE;

    private readonly byte[] _memory = [.. Enumerable.Repeat(Untouched, 1 << 16)];
    private readonly List<byte> _bytes = [];
    private int _start = 1 << 16;
    private int _length;
    private int _next = first;

    public void Advance(int count)
    {
        Assert.InRange(count, 0, _length);
        _bytes.AddRange(_memory.AsSpan(_start, count));
        LookBehind();
    }

    public Memory<byte> GetMemory(int sizeHint = 0)
    {
        if (_length != 0) LookBehind();
        _length = Math.Max(sizeHint, _next);
        _next = _next < most ? _next + 1 : 1;
        _start -= _length + GapBytes;
        return _memory.AsMemory(_start, _length);
    }

    public Span<byte> GetSpan(int sizeHint = 0) => GetMemory(sizeHint).Span;

    public byte[] ToArray() => [.. _bytes];

    private void LookBehind() => Assert.All(_memory[(_start + _length)..(_start + _length + GapBytes)], static one => Assert.Equal(Untouched, one));
}
