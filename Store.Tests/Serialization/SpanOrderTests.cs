// Loops that keep the place and the end of a span at hand must take both from the next one: spans may come from anywhere, also from in front of the last. And while they go through a collection, what is asked for a span may change it.

using System.Buffers;
using Store.Serialization;

namespace Store.Tests.Serialization;

public sealed class SpanOrderTests
{
    private const int MaxSpan = 60;

    // Short enough for the loops, longer than most spans, of one byte a char and of two.
    private static readonly string?[] Texts = ["a", "abcdefgh", null, new('x', 40), "\u20AC\u20AC", "", new('y', 20), "abc", new('\u20AC', 25), "\u00FF"];

    [Fact]
    public void ListsAndMapsAreTheSameBytesInSpansThatComeFromInFrontOfTheLast()
    {
        List<ShortTextTests.Word> words = [.. Enumerable.Range(0, 50).Select(static i => new ShortTextTests.Word { Id = ~i, Text = Texts[i % Texts.Length] })];
        var map = Enumerable.Range(0, 50).ToDictionary(static i => ~i, static i => Texts[i % Texts.Length]);
        for (int first = 1; first <= MaxSpan; first++)
        {
            Check(words, first);
            Check(map, first);
        }
    }

    [Fact]
    public void AMapFromWhichAPairIsTakenWhileItIsWrittenIsRefused()
    {
        var numbers = Enumerable.Range(0, 9).ToDictionary(static i => i, static i => $"text {i}");
        var texts = Enumerable.Range(0, 9).ToDictionary(static i => $"key {i}", static i => $"text {i}");
        var counts = Enumerable.Range(0, 9).ToDictionary(static i => $"key {i}", static i => i);
        IsRefused(numbers, () => numbers.Remove(8));
        IsRefused(texts, () => texts.Remove("key 8"));
        IsRefused(counts, () => counts.Remove("key 8"));
    }

    private static void Check<T>(T value, int first)
    {
        var output = new DescendingSpanWriter(first, MaxSpan);
        NinoSerializer.Serialize(output, in value);
        Assert.Equal(NinoSerializer.Serialize(value), output.ToArray());
    }

    private static void IsRefused<T>(T map, Action change)
    {
        var output = new AskedWriter(change);
        InvalidOperationException refused = Assert.Throws<InvalidOperationException>(() => NinoSerializer.Serialize(output, in map));
        Assert.Contains("changed while it was written", refused.Message);
    }

    /// <summary>Calls somebody when it is asked for the third span, and hands out no more than is asked for.</summary>
    private sealed class AskedWriter(Action asked) : IBufferWriter<byte>
    {
        private int _spans;

        public void Advance(int count) { }

        public Memory<byte> GetMemory(int sizeHint = 0)
        {
            if (++_spans == 3) asked();
            return new byte[Math.Max(sizeHint, 1)];
        }

        public Span<byte> GetSpan(int sizeHint = 0) => GetMemory(sizeHint).Span;
    }
}
