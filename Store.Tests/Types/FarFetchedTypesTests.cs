using Store.Tests.Generator;

namespace Store.Tests.Types;

/// <summary>Types that are put together from several families, or across assemblies: what one family does must hold inside another.</summary>
public sealed class FarFetchedTypesTests
{
    private const string Library = """
        using System.Collections; using System.Collections.ObjectModel; using System.Collections.Concurrent;
        namespace Lib;
        public struct Pair<TA, TB> { public TA First; public TB Second { get; init; } }
        public readonly struct Measure(double value, string unit) { public double Value { get; } = value; public string Unit { get; } = unit; }
        public class CaselessMap : Dictionary<string, int> { public CaselessMap() : base(StringComparer.OrdinalIgnoreCase) { } }
        public class Names<T> : Collection<T> where T : notnull { }
        public class Level0 { public int A { get; set; } public string? B { get; protected set; } }
        public class Level1<T> : Level0 { public Level1(string? b, T c) { B = b; C = c; } public T C { get; } }
        public sealed class Level2 : Level1<int[]> { public Level2(string? b, int[] c) : base(b, c) { } public required string D { get; init; } }
        public enum Tiny : byte { A, B, C }
        [System.Runtime.CompilerServices.InlineArray(4)] public struct Four<T> { private T _first; }
        public interface IShape { }
        public sealed record Dot(int X) : IShape;
        public readonly record struct Ring(double R) : IShape;
        public class Outer<T> { public class Inner { public T? Value { get; set; } public Outer<T>? Up { get; set; } } public Inner? Held { get; set; } }
        public record Base(int Id) { public virtual string Text { get; init; } = "base"; }
        public sealed record Derived(int Id, params string[] Words) : Base(Id) { public override string Text { get; init; } = "derived"; }
        public struct Mutable { public int X; public int[]? Y; public void Set(int x) => X = x; }
        """;

    private const string Helper = """
        public static List<(byte[], NinoSchema)> Records = [];
        public static T RoundTrip<T>(T value)
        {
            byte[] bytes = NinoSerializer.Serialize(value);
            Records.Add((bytes, NinoSerializer.SchemaOf<T>()));
            T copy = NinoSerializer.Deserialize<T>(bytes);
            if (!NinoSerializer.Serialize(copy).AsSpan().SequenceEqual(bytes)) throw new InvalidOperationException("Other bytes.");
            return copy;
        }
        public static void Equal<T>(T expected, T actual) { if (!EqualityComparer<T>.Default.Equals(expected, actual)) throw new InvalidOperationException($"{actual} and not {expected}."); }
        """;

    [Fact]
    public void AGenericStructOfAnotherAssemblyOverAnotherOfThem() => Run("""
        using Lib;
        [assembly: NinoSerializable(typeof(Pair<Pair<int, Measure>, Measure[]>))]
        [assembly: NinoSerializable(typeof(Pair<int, Measure>))]
        [assembly: NinoSerializable(typeof(Measure))]
        [assembly: NinoSerializable(typeof(List<Pair<Pair<int, Measure>, Measure[]>?>))]
        public static partial class Program
        {
            public static void Run()
            {
                var one = new Pair<Pair<int, Measure>, Measure[]> { First = new() { First = 1, Second = new(2.5, "m") }, Second = [new(3, "s")] };
                var copy = RoundTrip(new List<Pair<Pair<int, Measure>, Measure[]>?> { one, null });
                Equal("m", copy[0]!.Value.First.Second.Unit);
                Equal(3, copy[0]!.Value.Second[0].Value);
                Equal(null, copy[1]);
            }
        """);

    [Fact]
    public void ADictionaryDerivedFromOneWithAComparerKeepsWhatItsConstructorGives() => Run("""
        using Lib;
        [NinoType] public sealed class Holder { public CaselessMap Map { get; set; } = new(); public Dictionary<string, CaselessMap>? Maps { get; set; } public Names<string>? Names { get; set; } }
        public static partial class Program
        {
            public static void Run()
            {
                Holder copy = RoundTrip(new Holder { Map = new() { ["A"] = 1 }, Maps = new() { ["x"] = new() { ["B"] = 2 } }, Names = ["n"] });
                Equal(1, copy.Map["a"]);
                Equal(2, copy.Maps!["x"]["b"]);
                Equal("n", copy.Names![0]);
            }
        """);

    [Fact]
    public void ProtectedSettersOfABaseRequiredMembersAndAnOverriddenProperty() => Run("""
        using Lib;
        [assembly: NinoSerializable(typeof(Level2))]
        [assembly: NinoSerializable(typeof(Derived))]
        public static partial class Program
        {
            public static void Run()
            {
                Level2 copy = RoundTrip(new Level2("b", [1, 2]) { A = 3, D = "d" });
                Equal((3, "b", 2, "d"), (copy.A, copy.B, copy.C[1], copy.D));
                Derived derived = RoundTrip(new Derived(1, "w") { Text = "t" });
                Equal((1, "w", "t"), (derived.Id, derived.Words[0], derived.Text));
            }
        """);

    [Fact]
    public void MemoryOfInlineArraysOfEnumsOfAnotherAssembly() => Run("""
        using Lib;
        [NinoType] public sealed record Holder(Memory<Four<Tiny>> Fours, Four<Four<Tiny?>> Nested, ReadOnlyMemory<Four<string>> Texts);
        public static partial class Program
        {
            public static void Run()
            {
                var four = new Four<Tiny>(); four[1] = Tiny.B; four[3] = Tiny.C;
                var nested = new Four<Four<Tiny?>>(); nested[2][1] = Tiny.C;
                var texts = new Four<string>(); texts[0] = texts[1] = texts[2] = texts[3] = "t";
                Holder copy = RoundTrip(new Holder(new[] { four, default }, nested, new[] { texts }));
                Equal((Tiny.B, Tiny.C, Tiny.A), (copy.Fours.Span[0][1], copy.Fours.Span[0][3], copy.Fours.Span[1][0]));
                Equal<Tiny?>(Tiny.C, copy.Nested[2][1]);
                Equal<Tiny?>(null, copy.Nested[2][2]);
                Equal("t", copy.Texts.Span[0][3]);
            }
        """);

    [Fact]
    public void ListsOfUnionsOverAStructAndAClassOfAnotherAssembly() => Run("""
        using Lib;
        [assembly: NinoSerializable(typeof(IShape))]
        [assembly: NinoSerializable(typeof(Dot))]
        [assembly: NinoSerializable(typeof(Ring))]
        [NinoType] public sealed record Holder(LinkedList<IShape?> Shapes, (IShape, Lazy<IShape>)[] Pairs, IShape[,] Grid);
        public static partial class Program
        {
            public static void Run()
            {
                Holder copy = RoundTrip(new Holder(new([new Dot(1), null, new Ring(2)]), [(new Ring(3), new Lazy<IShape>(new Dot(4)))], new IShape[,] { { new Dot(5) } }));
                Equal<IShape?>(new Ring(2), copy.Shapes.Last!.Value);
                Equal<IShape>(new Dot(4), copy.Pairs[0].Item2.Value);
                Equal<IShape>(new Dot(5), copy.Grid[0, 0]);
            }
        """);

    [Fact]
    public void ANestedClassOfAGenericOneThatHoldsItsOuter() => Run("""
        using Lib;
        [assembly: NinoSerializable(typeof(Outer<int?>))]
        [assembly: NinoSerializable(typeof(Outer<int?>.Inner))]
        public static partial class Program
        {
            public static void Run()
            {
                var copy = RoundTrip(new Outer<int?> { Held = new() { Value = 3, Up = new() { Held = new() { Value = null } } } });
                Equal<int?>(3, copy.Held!.Value);
                Equal<int?>(null, copy.Held.Up!.Held!.Value);
            }
        """);

    [Fact]
    public void StructsWithMethodsInsideTuplesKeysAndPriorities() => Run("""
        using Lib;
        [assembly: NinoSerializable(typeof(Mutable))]
        [NinoType] public sealed record Holder(PriorityQueue<(Mutable, Tiny?), (int, string)> Queue, SortedDictionary<(int, string), Mutable?> Map, KeyValuePair<Mutable, Mutable?[]> Pair);
        public static partial class Program
        {
            public static void Run()
            {
                var queue = new PriorityQueue<(Mutable, Tiny?), (int, string)>();
                queue.Enqueue((new Mutable { X = 1 }, Tiny.C), (2, "b"));
                queue.Enqueue((new Mutable { X = 2, Y = [1] }, null), (1, "a"));
                Holder copy = RoundTrip(new Holder(queue, new() { [(1, "k")] = new Mutable { X = 3 }, [(0, "n")] = null }, new(new Mutable { X = 4 }, [null, new Mutable { X = 5 }])));
                Equal(2, copy.Queue.Dequeue().Item1.X);
                Equal(3, copy.Map[(1, "k")]!.Value.X);
                Equal(5, copy.Pair.Value[1]!.Value.X);
            }
        """);

    [Fact]
    public void AClassDerivedFromACollectionWithoutAddIsAnErrorThatSaysWhatToDo()
    {
        GeneratorHarness.Driver().RunAbroad(GeneratorHarness.Compile("public class Stacked : System.Collections.Concurrent.BlockingCollection<int> { } [NinoType] public sealed class A { public Stacked? X { get; set; } }"), out _, out var diagnostics);
        Assert.Contains("keeps its state in private members", Assert.Single(diagnostics).GetMessage(), StringComparison.Ordinal);
    }

    [Fact]
    public void APrivateRecordStructWithRequiredAndPrivateBaseMembers() => Run("""
        namespace Mine
        {
            [NinoType] public abstract record Root { [NinoInclude] private int _hidden; public required string Name { get; init; } public void Hide(int value) => _hidden = value; public int Shown() => _hidden; }
            [NinoType] public sealed record Leaf(params int[] Numbers) : Root { [NinoInclude] internal string? Secret { get; private set; } public Leaf Keep(string s) { Secret = s; return this; } }
            [NinoType] public readonly record struct Slot { public required Root? Held { get; init; } public int[]? Numbers { get; init; } [NinoInclude] private readonly int _x; public Slot(int x) => _x = x; public int X() => _x; }
        }
        public static partial class Program
        {
            public static void Run()
            {
                var leaf = new Mine.Leaf(1, 2) { Name = "n" }.Keep("s");
                leaf.Hide(9);
                Mine.Slot copy = RoundTrip(new Mine.Slot(7) { Held = leaf, Numbers = [3] });
                Equal((7, 9, "n", 3), (copy.X(), copy.Held!.Shown(), copy.Held.Name, copy.Numbers![0]));
                Equal(2, ((Mine.Leaf)copy.Held).Numbers[1]);
            }
        """);

    private static void Run(string program) => GeneratorHarness.RunWithLibrary(Library, program + Helper + "}");
}
