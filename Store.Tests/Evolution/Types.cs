using Store.Serialization;

namespace Store.Tests.Evolution;

/// <summary>Types as an older release had them.</summary>
public static class Before
{
    public enum State : byte
    {
        Open,
        Closed = 7,
    }

    [NinoType]
    public sealed record Line(string Name, int Count, decimal Price);

    [NinoType]
    public readonly record struct Spot(float X, float Y);

    [NinoType]
    public sealed class Order
    {
        public int Id { get; set; }
        public string? Customer { get; set; }
        public State State { get; set; }
        public List<Line?>? Lines { get; set; }
        public Spot Where { get; set; }
        public int? Rating { get; set; }
        public string? Email { get; set; }
        public Dictionary<string, int>? Counts { get; set; }
        public List<DateTime>? Obsolete { get; set; }
        public int[]? Parents { get; set; }
        public uint Width { get; set; }
    }

    [NinoType]
    public sealed record Small(int Id, string Name);

    [NinoType]
    public sealed record Score(int Points, string Player);

    [NinoType]
    public sealed record Grade(int Mark);

    [NinoType]
    public sealed class Tree
    {
        public Tree? Child { get; set; }
        public int Value { get; set; }
    }

    [NinoType]
    public sealed class Numbered
    {
        [NinoMember(1)] public int First { get; set; }
        [NinoMember(2)] public string? Second { get; set; }
        public int Plain { get; set; }
    }

    [NinoType]
    public sealed record Pair<T>(T Value, int Key);

    [NinoType]
    public sealed record UsesPair(Pair<int> Pair, (int, string) Tuple);

    [NinoType]
    public sealed record Board(int[,] Cells, Pair<int>?[,,] Pairs, List<short[,]> Layers, int?[][,] Rows);

    [NinoType]
    public sealed record Total(long Sum);
}

/// <summary>The same types today.</summary>
public static class After
{
    public enum Phase : short
    {
        Open,
        Closed = 7,
    }

    [NinoType, NinoFormerName("Store.Tests.Evolution.Before+Line")]
    public sealed record Line(long Count, string Name, decimal Discount = 0.5m);

    [NinoType, NinoFormerName("Store.Tests.Evolution.Before+Spot")]
    public sealed record Spot(double X, double Y, double Z);

    [NinoType, NinoFormerName("Somewhere.Else"), NinoFormerName("Store.Tests.Evolution.Before+Order")]
    public sealed class Order
    {
        public Dictionary<string, long>? Counts { get; set; }
        public long Id { get; set; }
        [NinoFormerName("Customer")] public string? Client { get; set; }
        public Phase State { get; set; }
        public Line?[]? Lines { get; set; }
        public Spot? Where { get; set; }
        public int Rating { get; set; }
        [NinoFormerName("Email")] public List<string>? Emails { get; set; }
        public int Retries { get; set; } = 3;
        public List<string> Tags { get; set; } = ["new"];
        [NinoFormerName("Parents")] public int Parent { get; set; }
        public byte? Width { get; set; }
    }

    /// <summary>Not every number that was stored fits.</summary>
    [NinoType, NinoFormerName("Store.Tests.Evolution.Before+Score")]
    public sealed record Score(byte Points, string Player);

    /// <summary>The shape stays; which values there are does not.</summary>
    [NinoType, NinoFormerName("Store.Tests.Evolution.Before+Grade")]
    public sealed record Grade(int Mark)
    {
        public int Mark { get; } = Mark >= 0 ? Mark : throw new ArgumentOutOfRangeException(nameof(Mark), Mark, "A mark is never negative.");
    }

    /// <summary>Nothing changed but the names: the bytes stay.</summary>
    [NinoType, NinoFormerName("Store.Tests.Evolution.Before+Small")]
    public sealed record Renamed([property: NinoFormerName("Id")] int Number, [NinoFormerName("Name")] string Text);

    [NinoType, NinoFormerName("Store.Tests.Evolution.Before+Small")]
    public sealed class NeedsMore
    {
        public int Id { get; set; }
        public required string Owner { get; set; }
    }

    /// <summary>As <see cref="NeedsMore"/>, but a state: with a constructor that sets what is required.</summary>
    [NinoType, NinoFormerName("Store.Tests.Evolution.Before+Small")]
    public sealed class NeedsMore2
    {
        [System.Diagnostics.CodeAnalysis.SetsRequiredMembers]
        public NeedsMore2() => Owner = "";

        public int Id { get; set; }
        public required string Owner { get; set; }
    }

    [NinoType, NinoFormerName("Store.Tests.Evolution.Before+Small")]
    public sealed record LessKey(int Id);

    [NinoType, NinoFormerName("Store.Tests.Evolution.Before+Small")]
    public sealed class HasRequired
    {
        public required int Id { get; set; }
        public required string? Name { get; set; }
        public int Level { get; set; } = 9;
    }

    [NinoType, NinoFormerName("Store.Tests.Evolution.Before+Small")]
    public sealed record Retyped(int Id, Guid Name);

    [NinoType, NinoFormerName("Store.Tests.Evolution.Before+Small")]
    public sealed record Strict
    {
        public Strict(int id, string name)
        {
            ArgumentNullException.ThrowIfNull(name);
            (Id, Name) = (id, name);
        }

        public int Id { get; }
        public string Name { get; }
        public int Level { get; init; } = 9;
    }

    [NinoType, NinoFormerName("Store.Tests.Evolution.Before+Small")]
    public sealed class CountsItself
    {
        /// <summary>By this thread: others may read records of any type.</summary>
        [field: ThreadStatic]
        public static int Created { get; set; }

        public CountsItself() => Created++;

        public int Id { get; set; }
        public int Added { get; set; }
    }

    [NinoType, NinoFormerName("Store.Tests.Evolution.Before+Tree")]
    public sealed class Tree
    {
        public int Value { get; set; }
        public Tree? Child { get; set; }
        public long Extra { get; set; }
    }

    [NinoType, NinoFormerName("Store.Tests.Evolution.Before+Numbered")]
    public sealed class Numbered
    {
        [NinoMember(2)] public string? First { get; set; }
        [NinoMember(1)] public long Other { get; set; }
        [NinoMember(3)] public int Plain { get; set; }
        public int Second { get; set; }
    }

    [NinoType, NinoFormerName("Store.Tests.Evolution.Before+Pair")]
    public sealed record Pair<T>(int Key, T Value);

    [NinoType, NinoFormerName("Store.Tests.Evolution.Before+UsesPair")]
    public sealed record UsesPair(Pair<long> Pair, (long, string) Tuple);

    [NinoType, NinoFormerName("Store.Tests.Evolution.Before+Board")]
    public sealed record Board(long[,] Cells, Pair<long>?[,,] Pairs, List<int[,]> Layers, long?[][,] Rows);

    [NinoType, NinoFormerName("Store.Tests.Evolution.Before+Total")]
    public sealed class Total
    {
        public decimal Sum { get; set; }
        public int Orders { get; set; }
    }
}

/// <summary>Some of them one release later.</summary>
public static class Later
{
    [NinoType, NinoFormerName("Store.Tests.Evolution.Before+Line"), NinoFormerName("Store.Tests.Evolution.After+Line")]
    public sealed record Line(string Name, [property: NinoFormerName("Count")] Int128 Quantity, List<decimal>? Discount = null, string Origin = "later");

    [NinoType, NinoFormerName("Store.Tests.Evolution.Before+Total"), NinoFormerName("Store.Tests.Evolution.After+Total")]
    public sealed class Total
    {
        public long? Orders { get; set; }
        public decimal? Sum { get; set; }
        public int Releases { get; set; } = 3;
    }
}
