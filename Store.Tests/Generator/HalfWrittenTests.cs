using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;

namespace Store.Tests.Generator;

/// <summary>Types as an editor has them while somebody types: cut off at every token, and with every token taken out. The compiler says what is missing; generated code adds no error of its own to that.</summary>
public sealed class HalfWrittenTests
{
    public static TheoryData<string> Declarations => new()
    {
        "namespace Shop; [NinoType] public sealed record Order(int Id, string? Name);",
        "namespace Shop; [NinoType] public readonly record struct Point(int X, int Y);",
        "namespace Shop { public partial class Outer { [NinoType] public record struct Line { public required string Text { get; init; } public int Count; } } }",
        "[NinoType] public sealed class Order { public int Id { get; set; } public string? Name { get; set; } public List<int> Numbers { get; } = []; }",
        "[NinoType] public class Box<T> where T : class { public T? Value { get; set; } public T?[]? More; } [NinoType] public class A { public Box<string>? B; }",
        "[NinoType] public class Pair<TKey, TValue>(TKey key, TValue value) where TKey : notnull, IComparable<TKey> where TValue : struct { public TKey Key { get; } = key; public TValue Value { get; } = value; } [NinoType] public class A { public Pair<int, long>? P; }",
        "[NinoType] public abstract record Event; [NinoType] public sealed record Opened(string Owner) : Event; [NinoType] public sealed record Closed(string Reason, int Code = 4) : Event;",
        "[NinoType, NinoUnion(1, typeof(Cat)), NinoUnion(2, typeof(Dog))] public abstract class Animal { public int Age; } [NinoType] public class Cat : Animal { public bool Purrs { get; set; } } [NinoType] public class Dog : Animal { public string? Name; }",
        "[NinoType] public interface IShape { int Area { get; } } [NinoType] public sealed class Square : IShape { public int Side { get; set; } public int Area => Side * Side; } [NinoType] public class A { public IShape? Shape; public IShape[]? All; }",
        "public enum Color : byte { Red, Green = 4, Blue } [NinoType] public record Car(Color Color, Color? Second, Dictionary<Color, int[]> Counts);",
        "[NinoType] public class Secret { [NinoInclude] private int _x; [NinoMember(3)] private string? Name { get; set; } [NinoConstructor] private Secret(int x, string? name) { _x = x; Name = name; } public int X() => _x; }",
        "[NinoType] public class Account { private decimal _sum; [NinoInclude] public decimal Sum { get => _sum; private set => _sum = value; } [NinoOnDeserialized] private void Check() { if (_sum < 0) throw new InvalidOperationException(); } }",
        "[NinoType(References = true)] public class Node { public string? Name; public Node? Next; public List<Node> Others { get; set; } = new(); }",
        "[NinoType] public struct Vector { public float X, Y; public readonly float Length => X + Y; public Vector(float x, float y) { X = x; Y = y; } }",
        "[assembly: NinoSerializable(typeof(Foreign))] public class Foreign { public (int Left, string? Right) Both { get; set; } public DateTime? At { get; init; } }",
        "public class Tags : List<string>; public class Names : Dictionary<string, Tags>; [NinoType] public class A { public Tags? T { get; set; } public Names? N { get; set; } }",
        "[NinoType] public class Base { public required int Id { get; set; } public virtual string? Text { get; set; } } [NinoType] public class Derived : Base { public override string? Text { get; set; } public object? Any; }",
        "[NinoType] public partial class A { public partial int X { get; set; } private int _y; } public partial class A { public partial int X { get => field; set => field = value; } public int Y { get => _y; set => _y = value; } }",
        "[NinoType(Name = \"shop.order\", View = true)] public class Order { [NinoUtf8] public string? Text; [NinoIgnore] public Action? Run; [NinoFormerName(\"Old\")] public ReadOnlyMemory<byte> Bytes { get; set; } public static Order Make(int x) => new() { Text = x.ToString() }; }",
        "public sealed class Code : NinoCodec<Money> { public override void Encode(ref NinoWriter writer, Money value) => writer.WriteInt64(value.Cents); public override Money Decode(ref NinoReader reader) => new(reader.ReadInt64()); protected override SchemaNode BuildSchema(SchemaBuilder builder) => SchemaNode.Primitive(SchemaKind.Int64); } [NinoCodec(typeof(Code))] public readonly record struct Money(long Cents); [NinoType] public record Price(Money Net, Money? Tax);",
        "[NinoType] internal static class Holder { [NinoType] internal class Inner<T> { internal class Deep { public T? Value; } } } [NinoType] internal class A { public int X; public A? Next; public string this[int i] => \"\"; public event Action? Changed; public void Raise() => Changed?.Invoke(); }",
    };

    [Theory]
    [MemberData(nameof(Declarations))]
    public void GeneratedCodeHasNoErrorWhereverADeclarationBreaksOff(string text)
    {
        SyntaxToken[] tokens = [.. CSharpSyntaxTree.ParseText(text, new CSharpParseOptions(LanguageVersion.Preview)).GetRoot().DescendantTokens().Where(static token => token.Span.Length > 0)];
        IEnumerable<string> halves = tokens.SelectMany(token => new[] { text[..token.Span.End], text[..token.SpanStart] + text[token.Span.End..] }).Append(text);
        var errors = new System.Collections.Concurrent.ConcurrentBag<string>();
        Parallel.ForEach(halves.Distinct(), half =>
        {
            foreach (string error in GeneratorHarness.ErrorsInGeneratedCode(half)) errors.Add(half + "\n    " + error);
        });
        Assert.True(errors.IsEmpty, $"{errors.Count} errors\n{string.Join("\n", errors.Order(StringComparer.Ordinal).Take(60))}");
    }

    /// <summary>No compiler takes such structs; while they are there, looking through them ends.</summary>
    [Theory]
    [InlineData("[NinoType] public struct N<T> { public N<T[]> A; public N<List<T>> B; } [NinoType] public class U { public N<int> N; }")]
    [InlineData("public struct One<T> { public Two<(T, T)> A, B; } public struct Two<T> { public One<T?> A; public One<KeyValuePair<T, int>> B; } [NinoType] public class U { public One<int> N; }")]
    [InlineData("[NinoType] public struct A { public B? X, Y; public (B, B) Z; } [NinoType] public struct B { public A? X, Y; public (A, A) Z; }")]
    public void StructsThatGrowWithoutEndAreLookedThrough(string text) => Assert.Empty(GeneratorHarness.ErrorsInGeneratedCode(text));

    /// <summary>Locals that are given to each other.</summary>
    [Theory]
    [InlineData("[NinoType] public class A { public int X { get; set; } public int Y { get; set { Action a = b ?? (() => X = 1); Action b = a; field = value; } } }")]
    [InlineData("[NinoType] public class A { public int X { get; set; } public int Y { get; set { Action a = () => b(); Action b = () => a(); var c = c; c = () => c(); field = value; } } }")]
    [InlineData("[NinoType] public class A { public int X { get; set; } public int Y { get; set { void F() => G(); void G() => F(); G(; field = value; } } }")]
    public void LocalsThatAreGivenToEachOtherAreFollowedOnce(string text) => Assert.Empty(GeneratorHarness.ErrorsInGeneratedCode(text));

    [Fact]
    public void OddTypesThatTheCompilerTakesHaveACodec() => Programs.Run("""
        internal static class Outer { [NinoType] public sealed class Inner { public required int X { get; internal set; } } }
        #pragma warning disable CS1030, CS0078
        #warning nobody minds
        public static class Commented { [NinoType] public sealed record Inside(long X = 10l); }
        [NinoType] public class Stores { [NinoInclude] public virtual int X { get; protected set; } }
        [NinoType] public sealed class LeavesOut : Stores { [NinoIgnore] public override int X => 1; public int Y; }
        [NinoType] public sealed class ByReference { public ByReference(int x) { X = x + 1000; } [NinoConstructor] public ByReference(in int x) { X = x; } public int X { get; } }
        """, """
        Equal(3, Copy(new Outer.Inner { X = 3 }).X);
        Equal(5L, Copy(new Commented.Inside(5)).X);
        Equal(6, Copy(new LeavesOut { Y = 6 }).Y);
        int four = 4;
        Equal(4, Copy(new ByReference(in four)).X);
        """);

    [Theory]
    [InlineData("[NinoType] public sealed record")]
    [InlineData("namespace Shop; [NinoType] public readonly record")]
    [InlineData("[NinoType] public record struct")]
    [InlineData("[NinoType] public class Box<T> where T { public T? Value; } [NinoType] public class A { public Box<int>? B; }")]
    [InlineData("[NinoType] public class Box<T> where T : { public T? Value; } [NinoType] public class A { public Box<int>? B; }")]
    [InlineData("[NinoType] public class Box<T> where T : Missing { public T? Value; } [NinoType] public class A { public Box<int>? B; }")]
    [InlineData("[NinoType] public class Box<T, T> { public T? Value; } [NinoType] public class A { public Box<int, int>? B; }")]
    [InlineData("[NinoType] public class A { public int X; public string? X; }")]
    [InlineData("[NinoType] public class A { public int X { get; set; } public int X() => 1; }")]
    [InlineData("[NinoType] public class A { public A(int x) { X = x; } public A(int x) { X = x; } public int X { get; } }")]
    [InlineData("[NinoType] public record A(int X, int X);")]
    [InlineData("[NinoType] public class A { public int X; } [NinoType] public class A { public int Y; }")]
    [InlineData("[NinoType] public class A { public int X; } [NinoType] public struct A { public int Y; }")]
    [InlineData("[NinoType] public class A { [NinoInclude] private required int X { get; set; } }")]
    [InlineData("[NinoType] public class A { private required int X { get; set; } public int Y; }")]
    [InlineData("[NinoType] public class A { public required int X { get")]
    [InlineData("[NinoType] public class A { public required int X { get; } public A(int x) { X = x; } }")]
    [InlineData("[NinoType] public class A { public required readonly int X; public A(int x) { X = x; } }")]
    [InlineData("internal enum Kind { Some } [NinoType] public record A(Kind Kind);")]
    [InlineData("internal enum Kind { Some } [NinoType] public record A(Kind[] Kinds, Dictionary<string, Kind?> More);")]
    [InlineData("internal class Part { public int X; } [NinoType] public class A { public Part? Part; public List<Part>? Parts { get; set; } }")]
    [InlineData("internal class Base { public int X; } [NinoType] public class A : Base { public int Y; }")]
    [InlineData("[NinoType] internal abstract class Base; [NinoType] public class A : Base { public int Y; } [NinoType] public class User { public Base? One; }")]
    [InlineData("[NinoType] public class A : B { public int X; } [NinoType] public class B : A { public int Y; }")]
    [InlineData("[NinoType] public class A { public void X; public int Y; }")]
    [InlineData("public static class S; [NinoType] public class A { public S? X; public int Y; }")]
    [InlineData("[NinoType] public class A { public Span<int> X; public int Y; }")]
    [InlineData("[NinoType] public class A { public List<Span<int>>? X; public int Y; }")]
    [InlineData("public class Box<T> where T : struct { public T X; } [assembly: NinoSerializable(typeof(Box<string>))]")]
    [InlineData("public class Box<T> where T : struct { public T X; } [NinoType] public class A { public Nullable<string> X; public int Y; }")]
    [InlineData("[NinoType] public class Box<T> where T : struct { public T X; } [NinoType] public class A { public Box<string>? X; public int Y; }")]
    public void WhatTheCompilerRefusesGetsNoCode(string text) => Assert.Empty(GeneratorHarness.ErrorsInGeneratedCode(text));

    /// <summary>A program that names a view must not lose it because a method is being written.</summary>
    [Theory]
    [InlineData("[NinoType] public class A { public int X; public int Twice() { return X * }")]
    [InlineData("[NinoType] public class A { public int X; public void Add(int")]
    [InlineData("[NinoType] public class A : Missing { public int X; public Missing? Find() => null; }")]
    [InlineData("[NinoType] public class A : System.Missing { public int X; }")]
    [InlineData("[NinoType] public class A : global::Missing<int> { public int X; [NinoOnDeserialized] private void Done() { } }")]
    public void WhatIsMissingElsewhereThanInTheShapeLeavesTheCodeAlone(string text)
    {
        GeneratorDriver driver = GeneratorHarness.Driver().RunAbroad(GeneratorHarness.Compile(text));
        Assert.Contains(Assert.Single(driver.GetRunResult().Results).GeneratedSources, static source => source.HintName == "ACodec.View.g.cs");
    }
}
