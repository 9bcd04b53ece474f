// Strings are narrowed and widened by vectors that overlap, by another way for each range of lengths: every length, with a char that does not fit at every place, wherever strings are written and read.

using Store.Serialization;

namespace Store.Tests.Serialization;

public sealed class ShortTextTests
{
    private const int MaxLength = 140;

    [Theory]
    [InlineData('\u00FF', 1)]
    [InlineData('\u0100', 2)]
    [InlineData('\uFFFF', 2)]
    [InlineData('\u8000', 2)]
    public void OneCharDecidesTheFormOfATextWhereverItStands(char odd, int bytesAChar)
    {
        for (int length = 1; length <= MaxLength; length++)
        {
            for (int place = 0; place < length; place++)
            {
                char[] chars = [.. Enumerable.Range(0, length).Select(static i => (char)('!' + (i % 90)))];
                chars[place] = odd;
                string text = new(chars);
                byte[] expected = Encoded(text, bytesAChar);

                Check([2, .. expected], new[] { text });
                Check([.. new byte[] { 7, 0, 0, 0 }, .. expected], new Word { Id = 7, Text = text });
                Check([5, 7, 0, 0, 0, .. expected, 8, 0, 0, 0, .. expected], new List<Word> { new() { Id = 7, Text = text }, new() { Id = 8, Text = text } });
                Check([2, 7, 0, 0, 0, .. expected], new Dictionary<int, string> { [7] = text });
                Check([2, .. expected, 7, 0, 0, 0], new Dictionary<string, int> { [text] = 7 });
            }
        }
    }

    // One char that does not fit is found when the others are stored: what is stored then needs twice the room.
    [Fact]
    public void AShorterSpanIsRefusedAndNothingIsStoredBehindIt()
    {
        for (int length = 0; length <= MaxLength; length++)
        {
            string text = length == 0 ? "" : new string('a', length - 1) + '\u0100';
            CheckShorter(new[] { text });
            CheckShorter(new Word { Id = 7, Text = text });
            CheckShorter(new List<Word> { new() { Id = 7, Text = text } });
            CheckShorter(new Dictionary<int, string> { [7] = text });
            CheckShorter(new Dictionary<string, int> { [text] = 7 });
        }
    }

    private static void CheckShorter<T>(T value)
    {
        int size = NinoSerializer.Serialize(value).Length;
        byte[] memory = new byte[size + 160];
        foreach (int room in (int[])[0, 1, (size / 2) - 4, (size / 2) - 1, size / 2, (size / 2) + 1, (size / 2) + 4, size - 5, size - 4, size - 3, size - 2, size - 1])
        {
            if (room < 0 || room >= size) continue;
            memory.AsSpan().Fill(0xEE);
            Assert.Throws<NinoSerializationException>(() =>
            {
                var writer = new NinoWriter(memory.AsSpan(0, room));
                NinoCodec<T>.Default.WriteRecord(ref writer, in value);
            });
            Assert.Equal(-1, memory.AsSpan(room).IndexOfAnyExcept((byte)0xEE));
        }
    }

    private static byte[] Encoded(string text, int bytesAChar)
    {
        uint header = ((uint)text.Length << 1) + (uint)bytesAChar;
        byte[] start = header < 253 ? [(byte)header] : [253, (byte)header, (byte)(header >> 8)];
        return [.. start, .. text.SelectMany(c => bytesAChar == 1 ? new[] { (byte)c } : [(byte)c, (byte)(c >> 8)])];
    }

    // Into a span of exactly that size, of the size from which on the quick way is taken, and around both, with bytes behind it that must stay.
    private static void Check<T>(byte[] expected, T value)
    {
        byte[] memory = new byte[(2 * expected.Length) + 80];
        foreach (int room in (int[])[expected.Length, expected.Length + 1, (2 * expected.Length) - 8, (2 * expected.Length) - 2, 2 * expected.Length, (2 * expected.Length) + 40])
        {
            memory.AsSpan().Fill(0xEE);
            var writer = new NinoWriter(memory.AsSpan(0, Math.Max(room, expected.Length)));
            NinoCodec<T>.Default.WriteRecord(ref writer, in value);
            Assert.Equal(expected, memory[..(int)writer.BytesWritten]);
            Assert.Equal(-1, memory.AsSpan(Math.Max(room, expected.Length)).IndexOfAnyExcept((byte)0xEE));
        }

        Assert.Equal(expected, NinoSerializer.Serialize(value));
        Assert.Equal(value, NinoSerializer.Deserialize<T>(expected));
    }

    [NinoType]
    public sealed record Word
    {
        public int Id { get; set; }

        public string? Text { get; set; }
    }
}
