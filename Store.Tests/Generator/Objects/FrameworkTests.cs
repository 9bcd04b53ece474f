namespace Store.Tests.Generator.Objects;

/// <summary>The framework is what its makers signed: a namespace that begins with System makes nothing of anybody's a part of it.</summary>
public class FrameworkTests
{
    private const string Library = """
        namespace System.Shop;
        public class Coin { public int Value { get; set; } }
        public class Purse : List<Coin>;
        public struct Weight { private int _grams; public int Grams { readonly get => _grams; set => _grams = value; } }
        [NinoType] public class Mark { public int Id { get; set; } }
        public enum Metal : byte { Iron, Gold }
        """;

    [Fact]
    public void TypesOfALibraryInANamespaceOfTheFrameworksAreTheLibrarys() => GeneratorHarness.RunWithLibrary(Library, """
        using System.Shop;
        [assembly: NinoSerializable(typeof(Coin))]
        [assembly: NinoSerializable(typeof(Weight))]
        [NinoType] public class Rare : Mark { public string? Why { get; set; } }
        [NinoType] public record Box(Coin? Coin, Purse? Purse, Weight Weight, Metal Metal, Rare? Rare);
        public static class Program
        {
            public static List<(byte[], NinoSchema)> Records = [];
            public static void Run()
            {
                byte[] bytes = NinoSerializer.Serialize(new Box(new Coin { Value = 1 }, [new Coin { Value = 2 }], new Weight { Grams = 3 }, Metal.Gold, new Rare { Id = 4, Why = "w" }));
                Records.Add((bytes, NinoSerializer.SchemaOf<Box>()));
                Box copy = NinoSerializer.Deserialize<Box>(bytes);
                if ((copy.Coin!.Value, copy.Purse![0].Value, copy.Weight.Grams, copy.Metal, copy.Rare!.Id, copy.Rare.Why) != (1, 2, 3, Metal.Gold, 4, "w")) throw new Exception("read back");
            }
        }
        """);

    [Fact]
    public void AnObjectOfAClassDerivedFromAKnownOneIsNotStoredAsThatOne() => GeneratorHarness.RunWithLibrary("namespace Lib; public static class Nothing;", """
        using System.Linq;
        using System.Shop;
        [NinoType] public class Bag { public object? One { get; set; } }
        namespace System.Shop
        {
            [NinoType] public class Coin { public int Value { get; set; } }
            public sealed class Rare : Coin { public string? Why { get; set; } }
        }
        public static class Program
        {
            public static List<(byte[], NinoSchema)> Records = [];
            public static void Run()
            {
                byte[] bytes = NinoSerializer.Serialize(new Bag { One = new Coin { Value = 1 } });
                Records.Add((bytes, NinoSerializer.SchemaOf<Bag>()));
                if (((Coin)NinoSerializer.Deserialize<Bag>(bytes).One!).Value != 1) throw new Exception("read back");
                try { NinoSerializer.Serialize(new Bag { One = new Rare { Why = "lost" } }); }
                catch (NinoSerializationException e) when (e.Message.Contains("Rare")) { return; }
                throw new Exception("stored as a Coin");
            }
        }
        """);

    /// <summary>As projects have that bring copies of newer types for older frameworks.</summary>
    [Fact]
    public void ATypeOfTheProjectWithTheFullNameOfOneOfTheFrameworkIsTheProjects() => GeneratorHarness.RunWithLibrary("namespace Lib; public static class Nothing;", """
        #pragma warning disable CS0436
        [NinoType] public class Ship
        {
            public System.Numerics.Vector2 Place;
            public System.Numerics.Vector2[]? Way { get; set; }
            public System.Collections.Generic.PriorityQueue<int, string>? Tasks { get; set; }
            public System.Collections.Generic.SortedSet<string> Names { get; } = new();
            public System.Runtime.Intrinsics.Vector64<int>? Wide { get; set; }
        }
        namespace System.Numerics
        {
            [NinoType] public struct Vector2 { public double X, Y, Up; }
        }
        namespace System.Collections.Generic
        {
            [NinoType] public class PriorityQueue<TElement, TPriority> { public TElement? Only { get; set; } public TPriority? Level { get; set; } }
            public class SortedSet<T> : List<T>;
        }
        namespace System.Runtime.Intrinsics
        {
            [NinoType] public class Vector64<T> { public T? One { get; set; } }
        }
        public static class Program
        {
            public static List<(byte[], NinoSchema)> Records = [];
            public static void Run()
            {
                var ship = new Ship { Place = new() { X = 1, Up = 2 }, Way = [new() { Y = 3 }], Tasks = new() { Only = 4, Level = "five" }, Wide = new() { One = 6 } };
                ship.Names.Add("b");
                ship.Names.Add("a");
                byte[] bytes = NinoSerializer.Serialize(ship);
                Records.Add((bytes, NinoSerializer.SchemaOf<Ship>()));
                Ship copy = NinoSerializer.Deserialize<Ship>(bytes);
                if ((copy.Place.X, copy.Place.Up, copy.Way![0].Y, copy.Tasks!.Only, copy.Tasks.Level, copy.Wide!.One, string.Concat(copy.Names)) != (1, 2, 3, 4, "five", 6, "ba")) throw new Exception("read back");
            }
        }
        """);

    [Fact]
    public void WhatTheFrameworkKeepsToItselfIsStillRefused() =>
        Assert.Equal("NINO002", Assert.Single(GeneratorHarness.Diagnose("[NinoType] public class A { public System.IO.MemoryStream? Bytes; }")).Id);

    [Fact]
    public void AnObjectOfAHiddenClassIsStoredAsTheAbstractOneThatIsRegistered() => Programs.Run("""
        using System.Collections.Frozen;
        using System.Text.Json.Nodes;
        [assembly: NinoSerializable(typeof(FrozenSet<int>))]
        [assembly: NinoSerializable(typeof(FrozenDictionary<string, int>))]
        [assembly: NinoSerializable(typeof(System.Text.Encoding))]
        [assembly: NinoSerializable(typeof(StringComparer))]
        [assembly: NinoSerializable(typeof(JsonValue))]
        [NinoType] public class Bag { public object? One { get; set; } }
        """, """
        Equal(true, Copy(new Bag { One = FrozenSet.Create(1, 2, 3) }).One is FrozenSet<int> { Count: 3 } set && set.Contains(2));
        Equal(7, ((FrozenDictionary<string, int>)Copy(new Bag { One = new Dictionary<string, int> { ["k"] = 7 }.ToFrozenDictionary() }).One!)["k"]);
        Equal("utf-16", ((System.Text.Encoding)Copy(new Bag { One = System.Text.Encoding.Unicode }).One!).WebName);
        Equal<object>(StringComparer.OrdinalIgnoreCase, Copy(new Bag { One = StringComparer.OrdinalIgnoreCase }).One!);
        Equal("7", ((JsonValue)Copy(new Bag { One = JsonValue.Create(7) }).One!).ToJsonString());
        Equal<object>(1, Copy(new Bag { One = 1 }).One!);
        """);
}
