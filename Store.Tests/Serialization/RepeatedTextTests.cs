// Strings that repeat inside a record are read as one string, and looking for them is given up where it does not pay.

using Store.Serialization;

[assembly: NinoSerializable(typeof(List<List<string>>))]

namespace Store.Tests.Serialization;

public sealed class RepeatedTextTests
{
    [Fact]
    public void AStringThatRepeatsIsOneStringInARecord()
    {
        List<string> read = RoundTrip(Enumerable.Range(0, 200).Select(static i => i % 2 == 0 ? "Auckland" : "Москва").ToList());
        Assert.All(Enumerable.Range(2, 198), i => Assert.Same(read[i - 2], read[i]));
    }

    [Fact]
    public void TwoRecordsShareNoString()
    {
        byte[] bytes = NinoSerializer.Serialize(Enumerable.Repeat("Auckland", 20).ToList());
        Assert.NotSame(NinoSerializer.Deserialize<List<string>>(bytes)[0], NinoSerializer.Deserialize<List<string>>(bytes)[0]);
    }

    [Fact]
    public void OnlyTheFirstOfEqualStringsIsAllocated()
    {
        const int Count = 1000;
        byte[] equal = NinoSerializer.Serialize(Enumerable.Repeat("Wellington", Count).ToList());
        byte[] absent = NinoSerializer.Serialize(Enumerable.Repeat<string>(null!, Count).ToList());
        long without = Allocated.Least(() => NinoSerializer.Deserialize<List<string>>(absent));
        Assert.Equal(SizeOf("Wellington"), Allocated.Least(() => NinoSerializer.Deserialize<List<string>>(equal)) - without);
    }

    [Fact]
    public void AColumnThatRepeatsIsFoundBesideOneThatDoesNot()
    {
        List<string> read = RoundTrip(Enumerable.Range(0, 400).Select(static i => i % 2 == 0 ? $"customer {i:D8}" : "NZD").ToList());
        Assert.All(Enumerable.Range(0, 199), i => Assert.Same(read[1], read[(2 * i) + 3]));
    }

    [Fact]
    public void WhereStringsDoNotRepeatLookingIsGivenUp()
    {
        List<string> read = RoundTrip<List<string>>([.. Enumerable.Range(0, 100).Select(static i => $"customer {i:D8}"), "NZD", "NZD"]);
        Assert.NotSame(read[^1], read[^2]);
    }

    [Fact]
    public void LongStringsAreNotLookedFor()
    {
        List<string> read = RoundTrip(Enumerable.Repeat(new string('x', 65), 20).ToList());
        Assert.NotSame(read[0], read[1]);
        read = RoundTrip(Enumerable.Repeat(new string('x', 64), 20).ToList());
        Assert.Same(read[0], read[1]);
    }

    // What a look in vain costs is a tenth of an object with ten strings, and few of them repeat in so few.
    [Fact]
    public void InShortCollectionsNothingIsLookedFor()
    {
        List<string> read = RoundTrip(Enumerable.Repeat("Auckland", 15).ToList());
        Assert.NotSame(read[0], read[1]);
        (string key, string value) = RoundTrip(new Dictionary<string, string> { ["Auckland"] = "Auckland" }).Single();
        Assert.NotSame(key, value);
    }

    [Fact]
    public void AShortListInsideALongOneIsLookedThrough()
    {
        List<List<string>> read = RoundTrip(Enumerable.Range(0, 16).Select(static _ => new List<string> { "Auckland" }).ToList());
        Assert.All(read, one => Assert.Same(read[0][0], one[0]));
    }

    [Fact]
    public void ValuesOfADictionaryThatRepeatAreOneString()
    {
        Dictionary<int, string> read = RoundTrip(Enumerable.Range(0, 16).ToDictionary(static i => i, static _ => "Auckland"));
        Assert.All(read.Values, one => Assert.Same(read[0], one));
    }

    [Theory]
    [InlineData(16, 6)]
    [InlineData(63, 6)]
    [InlineData(64, 12)]
    [InlineData(1000, 12)]
    public void AfterSoManyLooksInVainNoneIsMadeAnyMore(int elements, int looks)
    {
        Assert.True(LastTwoAreOne(looks - 1));
        Assert.False(LastTwoAreOne(looks));

        // So many different strings, null instead of the others, and two that are equal: the first of these is a look in vain as well.
        bool LastTwoAreOne(int lookedFor)
        {
            var texts = new string?[elements];
            for (int i = 0; i < lookedFor - 1; i++) texts[i] = $"customer {i:D8}";
            texts[^2] = texts[^1] = "Auckland";
            string?[] read = RoundTrip(texts);
            return ReferenceEquals(read[^2], read[^1]);
        }
    }

    [Fact]
    public void StringsThatAreNearlyAlikeStayApart()
    {
        int seed = Effort.Seed(20261122);
        var random = new Random(seed);
        for (int round = 0; round < 200; round++)
        {
            // Equal lengths and ends, one unit differs somewhere between them.
            List<string> texts = [];
            for (int i = 0; i < 50; i++)
            {
                char[] text = new char[random.Next(0, 40)];
                text.AsSpan().Fill('a');
                if (text.Length > 0 && random.Next(2) == 0) text[random.Next(text.Length)] = random.Next(3) switch { 0 => 'b', 1 => '\u00e9', _ => '\u0416' };
                texts.Add(new string(text));
            }

            Assert.Equal(texts, RoundTrip(texts));
        }
    }

    [Theory]
    [InlineData(2)]
    [InlineData(3)]
    [InlineData(7)]
    [InlineData(8)]
    public void WordsOfAnyLengthRepeatAsOneString(int length)
    {
        string word = "Auckland"[..length];
        List<string> read = RoundTrip(Enumerable.Repeat(word, 16).ToList());
        Assert.All(read, one => Assert.Equal(word, one));
        Assert.All(read, one => Assert.Same(read[0], one));
    }

    // A string and its header are one number where they are short: another string in its place must not answer for it, nor one that only ends or begins alike.
    [Fact]
    public void ShortAndLongStringsInTurnsStayApart()
    {
        int seed = Effort.Seed(20261127);
        var random = new Random(seed);
        for (int round = 0; round < 500; round++)
        {
            string[] some = [.. Enumerable.Range(0, 12).Select(_ => new string([.. Enumerable.Range(0, random.Next(0, 11)).Select(_ => "aab\u00e9\u0416"[random.Next(random.Next(2, 6))])]))];
            List<string> texts = [.. Enumerable.Range(0, 60).Select(_ => some[random.Next(some.Length)])];
            Assert.True(texts.SequenceEqual(RoundTrip(texts)), $"seed {seed}, round {round}: {string.Join(',', texts)}");
        }
    }

    private static T RoundTrip<T>(T texts) => NinoSerializer.Deserialize<T>(NinoSerializer.Serialize(texts));

    private static long SizeOf(string text)
    {
        char[] chars = text.ToCharArray();
        return Allocated.Least(() => new string(chars));
    }
}
