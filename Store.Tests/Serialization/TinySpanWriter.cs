using System.Buffers;

namespace Store.Tests.Serialization;

/// <summary>Hands out as little as the contract allows, or a few bytes more, and a fresh array each time so that writes beyond a span are lost.</summary>
/// <param name="least">Least bytes handed out.</param>
/// <param name="most">Most bytes handed out, unless more are asked for; the sizes between take turns.</param>
/// <param name="first">What is handed out first.</param>
internal sealed class TinySpanWriter(int least, int most, int first) : IBufferWriter<byte>
{
    private readonly List<byte> _bytes = [];
    private byte[] _span = [];
    private int _next = first;

    public void Advance(int count) => _bytes.AddRange(_span.AsSpan(0, count));

    public Memory<byte> GetMemory(int sizeHint = 0)
    {
        int size = Math.Max(sizeHint, _next);
        _next = _next < most ? _next + 1 : least;
        return _span = new byte[size];
    }

    public Span<byte> GetSpan(int sizeHint = 0) => GetMemory(sizeHint).Span;

    public byte[] ToArray() => [.. _bytes];
}
