// Types whose objects are filled again, as users write them.

using Store.Serialization;

namespace Store.Tests.Reuse;

/// <summary>The workload SimpleClass of the benchmarks.</summary>
[NinoType]
public sealed class Simple
{
    public int Id { get; set; }
    public string? Name { get; set; }
    public int[]? Numbers { get; set; }
    public List<DateTime>? Times { get; set; }
    public Dictionary<int, string>? Names { get; set; }
    public Dictionary<int, int>? Pairs { get; set; }

    public static Simple Create(int seed) => new()
    {
        Id = seed,
        Name = "name " + seed,
        Numbers = [.. Enumerable.Range(seed, 100)],
        Times = [.. Enumerable.Range(0, 10).Select(i => new DateTime(2026, 1, 1, 0, 0, i, DateTimeKind.Utc).AddDays(seed))],
        Names = Enumerable.Range(0, 10).ToDictionary(i => i, i => $"value {i} of {seed}"),
        Pairs = Enumerable.Range(0, 10).ToDictionary(i => i, i => i * seed),
    };
}

[NinoType]
public sealed class Part
{
    public int Number { get; set; }
    public string? Label { get; set; }
    public Part? Inner { get; set; }

    /// <summary>Not stored.</summary>
    [NinoIgnore] public string? Note { get; set; }
}

[NinoType]
public sealed record Made(int Id, string Name, List<int> Numbers);

[NinoType]
public struct Spot
{
    public int X;
    public string? Label;
    public List<int>? Trail;
}

[NinoType]
public sealed class Whole
{
    public Part? Part { get; set; }
    public List<Part?>? Parts { get; set; }
    public Part[]? Array { get; set; }
    public Dictionary<string, Part>? ByName { get; set; }
    public HashSet<string>? Tags { get; set; }
    public HashSet<decimal>? Prices { get; set; }
    public Dictionary<double, decimal>? ByDouble { get; set; }
    public IReadOnlyList<string?>? Words { get; set; }
    public IReadOnlyDictionary<string, int>? Counts { get; set; }
    public Made? Made { get; set; }
    public Spot Spot { get; set; }
    public Spot? Maybe { get; set; }
    [NinoUtf8] public string? Utf8 { get; set; }
    public Animal? Animal { get; set; }
    public Kept? Kept { get; set; }
    [NinoInclude] private List<int>? _hidden;

    public List<int>? Hidden() => _hidden;

    public Whole Hide(List<int> hidden)
    {
        _hidden = hidden;
        return this;
    }
}

[NinoType]
public abstract class Animal
{
    public string? Name { get; set; }
}

[NinoType]
public sealed class Cat : Animal { public int Lives { get; set; } }

[NinoType]
public sealed class Dog : Animal { public List<string>? Tricks { get; set; } }

/// <summary>Objects with identity are made anew.</summary>
[NinoType(References = true)]
public sealed class Kept
{
    public int Id { get; set; }
    public Kept? Other { get; set; }
}

[NinoType(SkipUnknownCases = true), NinoUnion(1, typeof(Ping)), NinoUnion(2, typeof(Pong))]
public abstract class Message;

[NinoType]
public sealed class Ping : Message { public List<int>? Numbers { get; set; } }

[NinoType]
public sealed class Pong : Message { public string? Text { get; set; } }

[NinoType]
public sealed class Called
{
    public int Value { get; set; }

    [NinoIgnore] public List<string> Calls { get; } = [];

    [NinoOnDeserializing] private void Before() => Calls.Add($"before {Value}");

    [NinoOnDeserialized] private void After() => Calls.Add($"after {Value}");
}

[NinoType]
public sealed class Picky
{
    public int Value { get; set => field = value >= 0 ? value : throw new ArgumentOutOfRangeException(nameof(value)); }
}
