using System.Buffers;

namespace Store.Tests.Serialization;

/// <summary>Hands out as little as the contract allows, or a few bytes more, and a fresh array each time so that writes beyond a span are lost, and seen.</summary>
/// <param name="least">Least bytes handed out.</param>
/// <param name="most">Most bytes handed out, unless more are asked for; the sizes between take turns.</param>
/// <param name="first">What is handed out first.</param>
internal sealed class TinySpanWriter(int least, int most, int first) : IBufferWriter<byte>
{
    private const byte Guard = 0xEE;
    private const int GuardBytes = 32;

    private readonly List<byte> _bytes = [];
    private byte[] _array = new byte[GuardBytes];
    private int _next = first;

    public void Advance(int count)
    {
        if (_array.Length > GuardBytes && _array.AsSpan(^GuardBytes..).ContainsAnyExcept(Guard)) throw new InvalidOperationException($"Something was stored behind a span of {_array.Length - GuardBytes} bytes.");
        _bytes.AddRange(_array.AsSpan(0, count));
    }

    public Memory<byte> GetMemory(int sizeHint = 0)
    {
        int size = Math.Max(sizeHint, _next);
        _next = _next < most ? _next + 1 : least;
        _array = new byte[size + GuardBytes];
        _array.AsSpan(size).Fill(Guard);
        return _array.AsMemory(0, size);
    }

    public Span<byte> GetSpan(int sizeHint = 0) => GetMemory(sizeHint).Span;

    public byte[] ToArray() => [.. _bytes];
}
