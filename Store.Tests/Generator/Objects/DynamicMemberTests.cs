using Store.Serialization;
using Store.Tests.Generator.Polymorphism;
using Store.Tests.Generator.RoundTrips;

namespace Store.Tests.Generator.Objects;

/// <summary>Members declared as dynamic: objects, wherever the word stands.</summary>
public sealed class DynamicMemberTests
{
    [Fact]
    public void WhatIsDynamicIsStoredAsAnObject()
    {
        var loose = new Loose(1)
        {
            One = new Circle("c", 2),
            Needed = "needed",
            Many = [1, "a", null, Suit.Hearts],
            ByName = new() { ["k"] = [2.5m, null] },
            Pair = new(new Number(3), 4),
            Same = new(5L, 6),
            Value = new(new Word("w"), 7),
        };
        loose.Hide(8u);
        Loose copy = RoundTrip.Of(loose);
        object?[] read = [copy.Made, copy.One, copy.Needed, copy.Many![1], copy.Many[2], copy.Many[3], copy.ByName!["k"][0], copy.Pair!.First, copy.Same!.First, copy.Value.Any, copy.Hidden()];
        Assert.Equal(new object?[] { 1, new Circle("c", 2), "needed", "a", null, Suit.Hearts, 2.5m, new Number(3), 5L, new Word("w"), 8u }, read);
        Assert.Equal((4, 6, 7), (copy.Pair.Second, copy.Same.Second, copy.Value.Number));

        Loose? there = copy;
        NinoSerializer.Deserialize(NinoSerializer.Serialize(loose), ref there);
        Assert.Equal(8u, there.Hidden());
    }

    [Fact]
    public void TheBytesAndTheSchemaAreThoseOfObject()
    {
        const string Loosely = "[NinoType] public sealed record Order(int Id, dynamic? Item, List<dynamic?>? More, KeyValuePair<string, dynamic[]> Pair);";
        // The hash of their code differs as the code does.
        static string Codec(string source) => string.Join('\n', GeneratorHarness.SourceOf(GeneratorHarness.Generate(source), "OrderCodec.g.cs").Split('\n').Where(static line => !line.Contains("ChangesNeedRestart", StringComparison.Ordinal)));
        Assert.Equal(Codec(Loosely.Replace("dynamic", "object")), Codec(Loosely).Replace("(object)item.Item", "item.Item"));
    }

    [Fact]
    public void ATypeThatNobodyKnowsIsRefused() =>
        Assert.Contains("Stranger", Assert.Throws<NinoSerializationException>(() => NinoSerializer.Serialize(new Loose(null) { Needed = new Stranger() })).Message);
}
