using System.Text.Json;
using Store.Serialization;

namespace Store.Tests.Serialization;

// Two cycles, and a type that only leads from the one to the other: it holds neither itself nor what holds it.
[NinoType]
public sealed class DeepFirst
{
    public DeepFirst? Next { get; set; }
    public DeepBridge? Bridge { get; set; }
}

[NinoType]
public sealed record DeepBridge(DeepLast? Last, DeepSpot Spot);

[NinoType]
public record struct DeepSpot(string? Name, DeepLast? Last);

[NinoType]
public sealed class DeepLast
{
    public DeepLast? Next { get; set; }
    public string? Name { get; set; }
}

/// <summary>Framework types that are objects of the schema: on the cycle where they hold this type, and not where they hold numbers.</summary>
[NinoType]
public sealed class DeepMixed
{
    public Lazy<DeepMixed>? Lazily { get; set; }
    public DeepMixed[,]? Grid { get; set; }
    public PriorityQueue<DeepMixed, int>? Queue { get; set; }
    public ILookup<int, DeepMixed>? Lookup { get; set; }
    public Lazy<int>? PlainLazy { get; set; }
    public int[,]? PlainGrid { get; set; }
    public PriorityQueue<string, int>? PlainQueue { get; set; }
    public IGrouping<string, int>? PlainGroup { get; set; }
}

/// <summary>The codec, the walk by the schema, the tree and JSON count depth at the same places: what one of them takes at the limit, all take, and one more none.</summary>
public sealed class DepthTests
{
    [Theory]
    [InlineData(1, 0)]
    [InlineData(1, 1)]
    [InlineData(3, 4)]
    [InlineData(1, 40)]
    [InlineData(40, 1)]
    public void WhatLiesBetweenTwoCyclesCountsForNobody(int first, int last)
    {
        var deepest = new DeepFirst { Bridge = new(Chain(last), new("s", Chain(last))) };
        DeepFirst root = deepest;
        for (int i = 1; i < first; i++) root = new DeepFirst { Next = root };
        Agree(root, first + last);

        static DeepLast? Chain(int length) => length == 0 ? null : new DeepLast { Next = Chain(length - 1), Name = "n" };
    }

    [Theory]
    [InlineData("lazy")]
    [InlineData("grid")]
    [InlineData("queue")]
    [InlineData("lookup")]
    public void TypesOfTheFrameworkCountWhereTheyAreOnACycle(string way)
    {
        var root = new DeepMixed { PlainLazy = new(5), PlainGrid = new int[1, 2], PlainQueue = new([("a", 1)]), PlainGroup = new[] { 1, 2 }.GroupBy(static _ => "k").Single(), Queue = new(), Grid = null, Lookup = Array.Empty<DeepMixed>().ToLookup(static _ => 1) };
        Agree(root, 1);
        for (int depth = 3; depth < 12; depth += 2)
        {
            DeepMixed inner = root;
            root = way switch
            {
                "lazy" => new() { Lazily = new(() => inner) },
                "grid" => new() { Grid = new[,] { { inner, null! } } },
                "queue" => new() { Queue = new([(inner, 1), (inner, 2)]) },
                _ => new() { Lookup = new[] { inner }.ToLookup(static _ => 1) },
            };
            Agree(root, depth);
        }
    }

    [Fact]
    public void OnlyTypesOnACycleAreRecursive()
    {
        Assert.Equal(["DeepFirst", "DeepLast"], Recursive<DeepFirst>());
        Assert.Equal(["DeepMixed", "Grouping<Int32, DeepMixed>", "Lazy<DeepMixed>", "Prioritized<DeepMixed, Int32>", "DeepMixed[,]"], Recursive<DeepMixed>());

        static IEnumerable<string> Recursive<T>() =>
            NinoSerializer.SchemaOf<T>().Definitions.Where(static type => type.IsRecursive).Select(static type => type.Name.Replace("Store.Tests.Serialization.", "")).OrderBy(static name => name.TrimEnd(',', '[', ']').Length).ThenBy(static name => name)
                .OrderBy(static name => name.Contains('[')).ThenBy(static name => name, StringComparer.Ordinal);
    }

    private static void Agree<T>(T value, int depth)
    {
        NinoSchema schema = NinoSchema.Parse(NinoSerializer.SchemaOf<T>().CanonicalBytes.Span);
        byte[] bytes = NinoSerializer.Serialize(value, new NinoLimits { MaxDepth = 1000 });
        for (int limit = Math.Max(depth - 1, 1); limit <= depth; limit++)
        {
            var limits = new NinoLimits { MaxDepth = limit };
            bool fits = limit == depth;
            Check("writing", fits, () => NinoSerializer.Serialize(value, limits));
            Check("reading", fits, () => NinoSerializer.Deserialize<T>(bytes, limits));
            T? there = value;
            Check("reading into what is there", fits, () => NinoSerializer.Deserialize(bytes, ref there, limits));
            Check("the walk", fits, () =>
            {
                var reader = new NinoReader(bytes, limits);
                RecordWalker.SkipRecord(ref reader, schema.Root);
            });
            Check("the tree", fits, () => NinoValue.Decode(schema, bytes, limits));
            Check("JSON", fits, () => NinoJson.Write(new Utf8JsonWriter(Stream.Null, new JsonWriterOptions { MaxDepth = 1000 }), schema, bytes, limits));
        }

        void Check(string who, bool fits, Action run)
        {
            Exception? error = Record.Exception(run);
            if (fits) Assert.True(error is null, $"{who} refuses depth {depth}: {error?.Message}");
            else Assert.True(error is NinoSerializationException && error.Message.Contains("deep"), $"{who} takes depth {depth} under a lower limit: {error?.Message}");
        }
    }
}
