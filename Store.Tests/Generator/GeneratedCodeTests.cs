namespace Store.Tests.Generator;

/// <summary>Generated code compiles without a warning, for every kind of type; that it also works is what RoundTrips shows.</summary>
public class GeneratedCodeTests
{
    public static TheoryData<string> Sources => new()
    {
        "[NinoType] public class Empty;",
        "[NinoType] public struct EmptyStruct;",
        "[NinoType] public sealed class Holder { public Void.Inner? A; } public static class Void { [NinoType] public class Inner { public int X; } }",
        "namespace @class { [NinoType] public class @event { public int @int { get; set; } public string? @string; public @event? @new { get; init; } } }",
        "[NinoType] public record Base(int A) { public string? B { get; set; } } [NinoType] public sealed record Derived(int A, string C) : Base(A);",
        "[NinoType] public class Tuples { public (int A, string B) One { get; set; } public (int X, string Y)? Two; public (int, int, int, int, int, int, int, int, int) Nine; public KeyValuePair<int, string> Pair; public Tuple<int, string>? Old; }",
        "[NinoType] public class Interfaces { public IReadOnlyList<int>? A; public IList<string>? B; public IEnumerable<Interfaces>? C; public IReadOnlyDictionary<string, int>? D; public IDictionary<int, Interfaces>? E; }",
        "[NinoType] public sealed class Node<T> where T : notnull { public T? Value { get; set; } public Node<T>? Next { get; set; } } [NinoType] public class Use { public Node<int>? A; public Node<string>? B; public Node<Node<DateTime>>? C; }",
        "[NinoType] public class Hidden<T> where T : class, IComparable<T>, new() { [NinoInclude] private T? _value; [NinoInclude] private int Count { get; set; } [NinoConstructor] private Hidden() { } public static Hidden<T> New() => new() { _value = null, Count = 1 }; public T? Get() => _value; } public class C : IComparable<C> { public int CompareTo(C? other) => 0; } [NinoType] public class D2 { public int I; }",
        "[NinoType] public class Jagged { public int[][]? A; public List<Dictionary<string, HashSet<Guid>>?>? B; public int?[]? C; }",
        "[NinoType] public class Old { [Obsolete(\"old\")] public int A { get; set; } }",
        "[NinoType] public sealed class Named<Create, Get_X, Field__y, Accessors0, T> { private Named() => A = default!; [NinoConstructor] private Named(Create a) => A = a; public Create A { get; } [NinoInclude] private Get_X? X { get; set; } [NinoInclude] private Field__y? _y; [NinoInclude] private T? Z { get; set; } public Accessors0? B { get; set; } public static Named<Create, Get_X, Field__y, Accessors0, T> Make(Create a, Get_X x, Field__y y, T z) => new(a) { X = x, _y = y, Z = z }; public string All() => $\"{X}{_y}{Z}\"; } [NinoType] public class UseNamed { public Named<int, string, long, byte, bool>? N; }",
        "[Obsolete(\"old\", true)] public interface IOld; [Obsolete] public class Aged : IOld { public int X { get; set; } } [Obsolete, NinoType] public class OldBox<T> where T : IOld { [NinoInclude] private int _x; public int Get() => _x; public void Set(int x) => _x = x; } [Obsolete, NinoType] public class UseOld { public OldBox<Aged>? Box; }",
        "[assembly: NinoSerializable(typeof(List<int>))] [assembly: NinoSerializable(typeof(int[]))] [assembly: NinoSerializable(typeof(DayOfWeek))] [assembly: NinoSerializable(typeof(System.Numerics.Vector3))] [assembly: NinoSerializable(typeof(Plain))] public class Plain { public int A { get; set; } }",
        "[NinoSerializable(typeof(Plain)), NinoSerializable(typeof(Dictionary<Plain, string>))] internal static class Types; public class Plain { public int A { get; set; } }",
        "[NinoType] internal sealed class Required { public required int A; public required string B { get; init; } [NinoIgnore] public required object C { get; set; } }",
        "[NinoType] public sealed class Sets { public required int A { get; init; } public required string B { get; set; } [SetsRequiredMembers] public Sets(int a, string b) { A = a; B = b; } }",
        "[NinoType] public sealed class Repeats { public required int A { get; init; } public Repeats(int a) { A = a; } }",
        "[NinoType] public class _A { public int X; } [NinoType] public class _a { public int X; } namespace N_B { [NinoType] public class C { public int X; } } namespace N { [NinoType] public class _BC { public int X; } namespace B { [NinoType] public class C { public int X; } } }",
        "namespace Store.Serialization.Generated { [NinoType] public class Trade { public int X; public System2? Y; } [NinoType] public class System2; } namespace System2 { }",
        "[NinoType(Name = \"two \\u2028lines <&>\")] public class Named { public int A { get; set; } }",
        "[NinoType] public class Confusing { public int A { get; set; } public new int GetType() => 1; }",
        "namespace Größe { [NinoType] public class Länge_ü { public int Werẗ { get; set; } [NinoInclude] private string? _straße; public string? S() => _straße; public void T() => _straße = null; } }",
        "[NinoType] public partial class Parts { public int A { get; set; } } public partial class Parts { public string? B { get; set; } public partial class Inner<T> { [NinoType] public partial class Leaf { public T? C; } } } [NinoType] public class UsesParts { public Parts.Inner<string>.Leaf? Leaf; public Parts.Inner<int[]>.Leaf? Other; }",
        "[NinoType] public class Nullables<T> { public List<string?>? A; public Dictionary<string, T?>? B; public T? C { get; init; } } [NinoType] public class UseNullables { public Nullables<string?>? A; public Nullables<int?>? B; public Nullables<string>? C; }",
        "[NinoType] public abstract record Shape; [NinoType] public sealed record Circle(double Radius) : Shape; [NinoType] public record Square(int Side) : Shape; [NinoType] public sealed record Cube(int Side) : Square(Side); [NinoType] public sealed record Use(Shape? A, List<Square?> B, Dictionary<int, Shape> C);",
        "[NinoType] public interface @event; [NinoType] public struct @class : @event { public int @int; } [NinoType] public sealed class @new : @event { public @event? @base { get; init; } [NinoOnSerialized] private void @do() { } }",
        "[NinoType(SkipUnknownCases = true), NinoUnion(0, typeof(A)), NinoUnion(2147483647, typeof(B<>))] public interface IBase<T>; [NinoType] public sealed class A : IBase<int>; [NinoType] public sealed class B<T> : IBase<T> { public T? X { get; set; } } [NinoType] public class Use { public IBase<int>? I; }",
        "[NinoType(References = true)] public abstract class Graph<T> { [NinoInclude] private List<Graph<T>>? _next; public T? Value { get; init; } public void Set(List<Graph<T>> next) => _next = next; } [NinoType] public sealed class Leaf<T> : Graph<T> { public required int Level { get; init; } } [NinoType] public class Use { public Graph<int>? I; public Leaf<string>? L; }",
        "[NinoType(References = true)] public sealed class Made { private Made(int id) { Id = id; } public int Id { get; } public string? Name { get; init; } public Made? Self { get; set; } [NinoConstructor] private static Made Of(int id, int other = 3) => new(id + other); }",
        "[NinoType] public class Empty2 { [NinoOnSerializing] public void A() { } [NinoOnSerialized] protected virtual void B() { } [NinoOnDeserializing] private protected void C() { } [NinoOnDeserialized] internal void D() { } } [NinoType] public sealed class Derived2 : Empty2 { [NinoOnSerialized] protected override void B() { } public new void A() { } }",
        "[NinoType] public struct Calls { public string? Text; [NinoInclude] private int _x; [NinoOnSerializing] private void A() => _x++; [NinoOnSerialized] private readonly void B() { } [NinoOnDeserializing, NinoOnDeserialized] private void C() { } }",
        "[NinoType] public abstract class Alone; [NinoType] public interface IAlone; [NinoType] public sealed class Other3;",
        "[NinoType, Experimental(\"X1\")] public class Trial { public int A { get; set; } }",
        "[NinoType] public sealed record Odd(string A, string Find, string SkipMembers, string _body, string _member, string _offset, List<string> Read, string IsNull); [NinoType] public struct Odd2 { public int Find, SkipMembers, _body, _member, _offset; }",
        "#pragma warning disable CS0693\npublic class Outer<T> { [NinoType] public class Inner<T> where T : class { [NinoInclude] private T? _x; [NinoConstructor] private Inner() { } [NinoOnSerialized] private void Done() { } public T? X() => _x; public static Inner<T> New() => new() { _x = null }; } } [NinoType] public class Use { public Outer<int>.Inner<string>? I; }",
        "[NinoType] public interface IShape { static virtual int Sides => 0; static int Count => 1; } public interface IBase { static abstract int Corners { get; } } [NinoType] public interface INamed : IBase { static int IBase.Corners => 1; } [NinoType] public sealed class Dot : IShape, INamed { public int X; }",
        "public class Tags : List<int> { [NinoIgnore] public required string Owner { get; set; } [SetsRequiredMembers] public Tags() => Owner = \"\"; } [NinoType] public class HasTags { public Tags? T; }",
        "[NinoType] public unsafe class Points { public int X { get; set; } public Points() { } public Points(int x, int* at) { X = x + *at; } }",
        "[NinoType] internal abstract class Nope { }",
    };

    [Theory]
    [InlineData(Microsoft.CodeAnalysis.CSharp.LanguageVersion.CSharp12)]
    [InlineData(Microsoft.CodeAnalysis.CSharp.LanguageVersion.CSharp13)]
    public void GeneratedCodeCompilesUnderOlderLanguageVersions(Microsoft.CodeAnalysis.CSharp.LanguageVersion version)
    {
        foreach (string source in ((IEnumerable<object[]>)Sources).Select(static row => (string)row[0]).Where(static source => !source.Contains("Nope"))) GeneratorHarness.GenerateAs(version, source);
    }

    [Theory]
    [InlineData(Microsoft.CodeAnalysis.CSharp.LanguageVersion.CSharp11, "11.0")]
    [InlineData(Microsoft.CodeAnalysis.CSharp.LanguageVersion.CSharp10, "10.0")]
    [InlineData(Microsoft.CodeAnalysis.CSharp.LanguageVersion.CSharp8, "8.0")]
    public void AnEarlierLanguageVersionIsOneErrorAndNothingIsGenerated(Microsoft.CodeAnalysis.CSharp.LanguageVersion version, string shown)
    {
        foreach (string source in new[] { "[NinoType] public class A { public int X; } [NinoType] public class B { public List<A>? L; [NinoInclude] private int _x; public Action? Run; public void Set() { _x = 1; } }", "[assembly: NinoSerializable(typeof(int[,]))]" })
        {
            Microsoft.CodeAnalysis.Diagnostic only = Assert.Single(GeneratorHarness.DiagnoseAs(version, source));
            Assert.Equal("NINO090", only.Id);
            Assert.Contains($"C# {shown}", only.GetMessage(), StringComparison.Ordinal);
            Assert.True(only.Location.IsInSource);
        }

        Assert.Empty(GeneratorHarness.DiagnoseAs(version, "public class A { public int X; }"));
    }

    [Fact]
    public void TheEngineUnderAnAliasOnlyIsOneErrorAndNothingIsGenerated()
    {
        foreach (string source in new[] { "[nino::Store.Serialization.NinoType] public class A { public int X; } [nino::Store.Serialization.NinoType] public class B { public A? One; }", "[assembly: nino::Store.Serialization.NinoSerializable(typeof(int[,]))]" })
        {
            Microsoft.CodeAnalysis.Diagnostic only = Assert.Single(GeneratorHarness.DiagnoseWithEngineUnder(["nino", "other"], "extern alias nino; " + source));
            Assert.Equal("NINO091", only.Id);
            Assert.Contains("'nino'", only.GetMessage(), StringComparison.Ordinal);
            Assert.True(only.Location.IsInSource);
            Assert.Empty(GeneratorHarness.DiagnoseWithEngineUnder(["nino", "global"], "extern alias nino; " + source));
        }
    }

    [Fact]
    public void AnAssemblyCanLeaveViewsOutAndATypeHaveItsOwnAllTheSame()
    {
        const string Types = "[NinoType] public sealed record Order(int Id, Line? Line, (int, string) Pair); [NinoType] public sealed record Line(string? Text); [NinoType] public interface IShape; [NinoType(View = true)] public sealed record Dot(int X, IShape? Next) : IShape;";
        Assert.Equal(["Dot", "IShape", "Line", "Order", "ValueTuple"], Views(Types));
        Assert.Equal(["Dot"], Views("[assembly: NinoDefaults(View = false)] " + Types));
        Assert.Equal(["Dot", "IShape", "Line", "Order", "ValueTuple"], Views("[assembly: NinoDefaults(View = true)] " + Types));
        Assert.Equal(["Dot", "IShape", "Line", "Order", "ValueTuple"], Views("[assembly: NinoDefaults] " + Types));

        static IEnumerable<string> Views(string source) => GeneratorHarness.Generate(source).GeneratedSources.Select(static one => one.HintName).Where(static name => name.EndsWith(".View.g.cs", StringComparison.Ordinal))
            .Select(static name => name.Replace("System_", "").Replace("Codec.View.g.cs", "").Replace("Union.View.g.cs", "").Split('_')[0]).Order();
    }

    [Theory]
    [MemberData(nameof(Sources))]
    public void GeneratedCodeCompilesWithoutWarnings(string source)
    {
        if (source.Contains("Nope"))
        {
            Assert.Equal("NINO011", Assert.Single(GeneratorHarness.Diagnose(source)).Id);
            return;
        }

        Assert.NotEmpty(GeneratorHarness.Generate(source).GeneratedSources);
    }

    [Fact]
    public void AMemberWhoseTypeIsObsoleteAsAnErrorIsStillStored() => GeneratorHarness.Generate("""
        [Obsolete("old", error: true), NinoType] public class Old { public int Id; }
        [Obsolete("old", error: true), NinoType] public struct OldPoint { public int X; }
        [Obsolete("old", error: true)] public enum OldKind { None }
        [NinoType] public class Box<T> { public T? Value; }
        [NinoType] public abstract class Event;
        #pragma warning disable CS0612, CS0618
        [Obsolete, NinoType] public sealed class Changed : Event { public Old? Before; }
        [NinoType]
        public class Order
        {
            public string? Name;
            [Obsolete] public List<Old>? Many { get; set; }
            [Obsolete] public OldPoint Where { get; set; }
            [Obsolete] public OldKind Kind { get; set; }
            [Obsolete] public Dictionary<string, Box<Old[]>>? Deep { get; set; }
            public int[]? After;
            [Obsolete("called by reading", error: true), NinoOnDeserialized] public void Done() { }
        }
        """);

    [Fact]
    public void WhatIsObsoleteAsAnErrorIsStillStored() => GeneratorHarness.RunWithLibrary("public static class Nothing;", """
        [NinoType]
        public class Order
        {
            public int Id;
            [Obsolete("use Lines", error: true)] public string? Text = "none";
            [Obsolete("use Id", error: true)] public int Number { get; set; }
            public int Total { get; [Obsolete("it is computed", error: true)] set; }
        }

        [NinoType]
        public sealed class Made
        {
            [Obsolete("for reading only", error: true), NinoConstructor] public Made(int id) => Id = id;
            public Made(long id) => Id = (int)id;
            public int Id { get; }
        }

        [NinoType]
        public sealed record Holder(Order? Order, List<Order> Orders, Made Made);

        [Obsolete("old", error: true), NinoType]
        public sealed record Old(int Id);

        public static class Program
        {
            public static List<(byte[] Bytes, NinoSchema Schema)> Records = [];

            public static void Run()
            {
                byte[] bytes = NinoSerializer.Serialize(new Holder(new Order { Id = 1 }, [], new Made(5L)));
                Holder copy = NinoSerializer.Deserialize<Holder>(bytes);
                if ((copy.Order!.Id, copy.Made.Id) != (1, 5) || typeof(Order).GetField("Text")!.GetValue(copy.Order) is not "none") throw new Exception("lost");
                Records.Add((bytes, NinoSerializer.SchemaOf<Holder>()));
                foreach (Type type in typeof(Program).Assembly.GetTypes()) if (type.Name == "Old") NinoSerializer.Serialize(Activator.CreateInstance(type, 5)!, type);
            }
        }
        """);

    [Fact]
    public void ACaseThatIsObsoleteAsAnErrorIsStillOneOfItsBase()
    {
        string many = string.Join(" ", Enumerable.Range(0, 20).Select(static i => $"[NinoType] public sealed record Case{i}(int Id) : Many;"));
        Programs.Run(many + """
            [NinoType] public abstract record Event;
            [NinoType] public sealed record Started(int Id) : Event;
            [Obsolete("old", error: true), NinoType] public sealed record Old(int Id) : Event;
            [NinoType] public abstract record Many;
            [Obsolete("old", error: true), NinoType] public sealed record OldOfMany(int Id) : Many;
            [NinoType(References = true)] public abstract class Node { public Node? Next { get; set; } }
            [NinoType] public sealed class Leaf : Node;
            [Obsolete("old", error: true), NinoType] public sealed class OldLeaf : Node;
            [NinoType(SkipUnknownCases = true)] public interface IMark;
            [NinoType] public readonly record struct Dot(int X) : IMark;
            [Obsolete("old", error: true), NinoType] public readonly record struct OldDot(int X) : IMark;
            [NinoType(View = false)] public sealed record Holder(Event? Event, Many? Many, Node? Node, IMark? Mark, object? Any);
            """, """
            T Make<T>(string name, params object[] arguments)
            {
                foreach (Type type in typeof(Program).Assembly.GetTypes()) if (type.Name == name) return (T)Activator.CreateInstance(type, arguments)!;
                throw new InvalidOperationException(name);
            }
            Holder read = Copy(new Holder(Make<Event>("Old", 1), Make<Many>("OldOfMany", 2), Make<Node>("OldLeaf"), Make<IMark>("OldDot", 3), Make<object>("Old", 4)));
            Equal("Old { Id = 1 } OldOfMany { Id = 2 } OldDot { X = 3 } Old { Id = 4 }", $"{read.Event} {read.Many} {read.Mark} {read.Any}");
            Equal("OldLeaf", read.Node!.GetType().Name);
            byte[] old = NinoSerializer.Serialize(Make<Event>("Old", 5));
            EventView view = new(old);
            Equal((false, "Old { Id = 5 }"), (view.Is<Started>(), view.Read().ToString()));
            Equal(true, new EventView(NinoSerializer.Serialize<Event>(new Started(1))).TryGet(out StartedView started) && started.Id == 1);
            """);
    }

    [Fact]
    public void PartialPropertiesWithAFieldOfTheirOwnAreStored() => Programs.Run("""
        [NinoType] public partial class Parts
        {
            public Parts(int born) => Born = born;
            public partial int Born { get; }
            public partial int Count { get; set; }
            public partial string? Name { get; init; }
            [NinoInclude] private partial int Hidden { get; set; }
            public void Hide(int value) => Hidden = value;
            public int Shown() => Hidden;
        }
        public partial class Parts
        {
            public partial int Born { get => field; }
            public partial int Count { get => field; set => field = value; }
            public partial string? Name { get => field; init => field = value; }
            private partial int Hidden { get => field; set => field = value; }
        }
        """, """
        Parts parts = new(1) { Count = 2, Name = "n" };
        parts.Hide(3);
        parts = Copy(parts);
        Equal((1, 2, "n", 3), (parts.Born, parts.Count, parts.Name, parts.Shown()));
        """);

    [Fact]
    public void AHiddenConstructorGetsTheDateThatItsParameterHasByDefault() => Programs.Run("""
        using System.Runtime.CompilerServices;
        using System.Runtime.InteropServices;
        [NinoType] public class Visit
        {
            [NinoConstructor] private Visit(int id, [Optional, DateTimeConstant(630822816000000000)] DateTime at) => (Id, At) = (id, at);
            public static Visit Of(int id) => new(id);
            public int Id { get; }
            [NinoIgnore] public DateTime At { get; }
        }
        """, "Equal((7, new DateTime(2000, 1, 1)), (Copy(Visit.Of(7)).Id, Copy(Visit.Of(7)).At));");
}
