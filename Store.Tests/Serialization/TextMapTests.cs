// Dictionaries with strings are written by loops of their own: the same bytes whatever room the buffer gives, and whatever the strings are.

using System.Collections.Concurrent;
using Store.Serialization;

[assembly: NinoSerializable(typeof(Dictionary<int, int>))]
[assembly: NinoSerializable(typeof(Dictionary<int, string>))]
[assembly: NinoSerializable(typeof(Dictionary<string, int>))]
[assembly: NinoSerializable(typeof(Dictionary<string, string>))]
[assembly: NinoSerializable(typeof(SortedDictionary<int, string>))]
[assembly: NinoSerializable(typeof(ConcurrentDictionary<string, int>))]
[assembly: NinoSerializable(typeof(ConcurrentDictionary<string, string>))]

namespace Store.Tests.Serialization;

public sealed class TextMapTests
{
    private static readonly string?[] Texts = ["", "a", "\u00ff", "\u0100", "ab", "abc", "abcdefgh", "abcdefghijklmnopq", "Ж", "Жук", null, new('x', 125), new('x', 126), new('x', 300), new('Ж', 125), new('Ж', 126), new('y', 5000)];

    [Fact]
    public void TextsBehindNumbersAreTheSameBytesInAnyRoom()
    {
        var map = Texts.Select(static (text, i) => (text, i)).ToDictionary(static pair => pair.i, static pair => pair.text);
        SameInAnyRoom(map, new SortedDictionary<int, string?>(map));
    }

    [Fact]
    public void TextsBehindTextsAreTheSameBytesInAnyRoom()
    {
        var map = Texts.Where(static text => text is not null).ToDictionary(static text => text!, static text => text);
        map.Add("null", null);
        SameInAnyRoom(map, new ConcurrentDictionary<string, string?>(map), isOrdered: false);
    }

    [Fact]
    public void NumbersBehindTextsAreTheSameBytesInAnyRoom()
    {
        var map = Texts.Where(static text => text is not null).Order(StringComparer.Ordinal).ToDictionary(static text => text!, static text => text!.Length);
        SameInAnyRoom(map, new ConcurrentDictionary<string, int>(map), isOrdered: false);
    }

    [Fact]
    public void ManyTextsBehindNumbersComeBack()
    {
        var map = Enumerable.Range(0, 20_000).ToDictionary(static i => i * 7, static i => i % 5 == 0 ? $"Ж{i}" : $"text {i}");
        Assert.Equal(map, NinoSerializer.Deserialize<Dictionary<int, string>>(NinoSerializer.Serialize(map)));
    }

    [Fact]
    public void ManyPairsOfNumbersComeBack()
    {
        var map = Enumerable.Range(0, 20_000).ToDictionary(static i => i * 7, static i => i);
        byte[] bytes = NinoSerializer.Serialize(map);
        Assert.Equal(map, NinoSerializer.Deserialize<Dictionary<int, int>>(bytes));
        Assert.Equal(3 + (8 * map.Count), bytes.Length);
    }

    [Fact]
    public void PairsAfterRemovalsAreWrittenInTheirOrder()
    {
        var map = Enumerable.Range(0, 1000).ToDictionary(static i => i, static i => i.ToString());
        for (int i = 0; i < 1000; i += 3) map.Remove(i);
        for (int i = 5000; i < 5100; i++) map.Add(i, "later");
        Dictionary<int, string> read = NinoSerializer.Deserialize<Dictionary<int, string>>(NinoSerializer.Serialize(map));
        Assert.Equal(map.ToArray(), read.ToArray());
    }

    // The other dictionary is written pair by pair through the writer.
    private static void SameInAnyRoom<TMap, TOther>(TMap map, TOther other, bool isOrdered = true)
    {
        byte[] expected = NinoSerializer.Serialize(map);
        if (isOrdered) Assert.Equal(expected, NinoSerializer.Serialize(other));
        else Assert.Equal(expected.Order(), NinoSerializer.Serialize(other).Order());
        Assert.Equivalent(map, NinoSerializer.Deserialize<TMap>(expected), strict: true);
        for (int room = 1; room < 400; room++)
        {
            var output = new TinySpanWriter(room, room, room);
            NinoSerializer.Serialize(output, in map);
            Assert.Equal(expected, output.ToArray());
        }
    }
}
