using Microsoft.CodeAnalysis;

namespace Store.Tests.Generator;

/// <summary>State that a type shows and that is not stored is told (NINO017, NINO020); what is computed, stored by another way or left out knowingly is not.</summary>
public sealed class LostStateTests
{
    /// <summary>A collection that keeps its elements itself, with what is given: it has neither Count, IsReadOnly nor Add.</summary>
    private static string Ring(string members) => $$"""
        public class Ring : ICollection<int>
        {
            private readonly List<int> _all = [];
            {{members}}
            public void Clear() => _all.Clear();
            public bool Contains(int item) => _all.Contains(item);
            public void CopyTo(int[] array, int index) => _all.CopyTo(array, index);
            public bool Remove(int item) => _all.Remove(item);
            public IEnumerator<int> GetEnumerator() => _all.GetEnumerator();
            System.Collections.IEnumerator System.Collections.IEnumerable.GetEnumerator() => _all.GetEnumerator();
        }
        [NinoType] public class A { public Ring? R; }
        """;

    [Fact]
    public void ComputedPropertiesAreLeftOutInSilence() =>
        Assert.Empty(GeneratorHarness.Diagnose("[NinoType] public class A { public int X { get; set; } public int Twice => X * 2; public int this[int i] => i; public static int S { get; } = 1; }"));

    [Theory]
    [InlineData("int IAge.Age { get => X; set => X = value; }")]
    [InlineData("[NinoIgnore] private int _age; int IAge.Age { get => _age; set => _age = value; }")]
    [InlineData("private int _age; [NinoIgnore] int IAge.Age { get => _age; set => _age = value; }")]
    [InlineData("[NinoIgnore] int IAge.Age { get; set; }")]
    public void AnExplicitImplementationThatComputesOrIsIgnoredIsLeftOutInSilence(string member) =>
        Assert.Empty(GeneratorHarness.Diagnose($"public interface IAge {{ int Age {{ get; set; }} }} [NinoType] public class A : IAge {{ public int X; {member} }}"));

    [Theory]
    [InlineData("[NinoIgnore] private readonly ILogger _logger; public A(int id, ILogger logger) { Id = id; _logger = logger; } public bool HasLogger() => _logger is not null;")]
    [InlineData("[NinoIgnore] public ILogger Logger { get; } public A(int id, ILogger _logger) { Id = id; Logger = _logger; }")]
    public void AParameterOfAnIgnoredMemberIsFreeWhateverUnderscoresTheyHave(string members) =>
        Assert.Empty(GeneratorHarness.Diagnose($"public interface ILogger; [NinoType] public class A {{ public int Id {{ get; }} {members} }}"));

    [Fact]
    public void AFieldBehindAPropertyThatAnOverrideStoresIsNotReportedAsLost() => Assert.Empty(GeneratorHarness.Diagnose("""
        [NinoType] public class A { private int _x; public virtual int X { get => _x; set => _x = value; } }
        [NinoType] public sealed class B : A { public override int X { get => base.X; } }
        """));

    [Theory]
    [InlineData("public class Base { private int _x; public int Shown => _x; public void Set(int x) => _x = x; } [NinoType] public class A : Base { private int _x; public int X { get => _x; set => _x = value; } }")]
    [InlineData("public class Base { private int _x; public int Shown => _x; public void Set(int x) => _x = x; } [NinoType] public class A : Base { private int _x; public int Id; public int X => _x++; }")]
    [InlineData("[NinoType] public abstract class Base { private int _x; public void Set(int x) => _x = x; [NinoType] public sealed class A : Base { public int Id; public int X => _x; } }")]
    [InlineData("public class Base { protected int _x; public void Set(int x) => _x = x; } [NinoType] public class A : Base { [NinoInclude] private new int _x; public int Old => base._x; public int X => _x; }")]
    public void StateOfABaseIsReportedWhateverTheClassDoesWithItsOwnOfTheSameName(string source) =>
        Assert.Contains(GeneratorHarness.Diagnose(source), static told => told.Id == "NINO017" && told.GetMessage(System.Globalization.CultureInfo.InvariantCulture).Contains("'Base.", StringComparison.Ordinal));

    [Fact]
    public void WhatTheClassShowsOfItsOwnIsNoStateOfABaseOfTheSameName() =>
        Assert.Empty(GeneratorHarness.Diagnose("public class Base { private int _x = 1; public int Calls() => _x++; } [NinoType] public class A : Base { [NinoInclude] private int _x; public int X => _x; }"));

    [Theory]
    [InlineData("private int _x; public int X { get => _x; set => _x = value; } public int Twice => _x * 2;")]
    [InlineData("private readonly int _x; public A(int x) { _x = x; } public int X => _x;")]
    [InlineData("private int _x; public int X { get => _x; set => _x = value; } public int Old { set => _x = value; }")]
    [InlineData("private int _x; [NinoIgnore] public int X { set => _x = value; } public int Twice() => _x * 2;")]
    [InlineData("private int _x; public int X { set => Id = value + _x; } public int Twice() => _x * 2;")]
    [InlineData("[NinoInclude] private int _x; public int X => _x;")]
    [InlineData("[NinoIgnore] private int _x = 1; public int X => _x;")]
    [InlineData("private int _x = 1; [NinoIgnore] public int X => _x;")]
    [InlineData("private int? _hash; public int Hash => _hash ??= Id + 1;")]
    [InlineData("private string? _text; public string Text { get { if (_text is null) _text = Id.ToString(); return _text; } }")]
    [InlineData("private string? _text; public string Text => System.Threading.LazyInitializer.EnsureInitialized(ref _text, () => \"a\");")]
    [InlineData("private readonly Lazy<int> _lazy = new(() => 1); public int Value => _lazy.Value;")]
    [InlineData("private readonly object _gate = new(); public int Twice { get { lock (_gate) return Id * 2; } }")]
    [InlineData("private readonly Func<int, int> _twice = x => x * 2; public int Twice => _twice(Id);")]
    [InlineData("private const int Factor = 2; private static int _calls = 1; public int Twice => Id * Factor + _calls;")]
    [InlineData("private int _used = 1; public int Used() => _used; public string Name => nameof(_used) + Other.Instance._used; private class Other { public static readonly Other Instance = new(); public int _used = 1; }")]
    [InlineData("public int Computed => Id + _id; private int _id { get => Id; set => Id = value; }")]
    public void StateThatIsStoredOrNoStateIsNotReportedAsLost(string members) =>
        Assert.Empty(GeneratorHarness.Diagnose($"[NinoType] public sealed class A {{ public int Id {{ get; set; }} {members} }}"));

    [Theory]
    [InlineData("public int First => this[0]; public bool IsLong { get { return Count > 10; } }")]
    [InlineData("[NinoIgnore] public string Owner { get; private set; } = \"\";")]
    [InlineData("private int? _sum; public int Sum => _sum ??= Count;")]
    [InlineData("[NinoIgnore] private string _owner = \"\"; public string Owner => _owner;")]
    public void ACollectionMayComputeAndLeaveOut(string members) =>
        Assert.Empty(GeneratorHarness.Diagnose($"public class Basket : List<int> {{ {members} }} [NinoType] public class A {{ public Basket? B; }}"));

    [Fact]
    public void ACollectionThatKeepsItsElementsItselfMayShowThatItDoes() =>
        Assert.Empty(GeneratorHarness.Diagnose(Ring("public int Count { get; private set; } public bool IsReadOnly { get; } = false; public int First => _all[0]; public void Add(int item) { _all.Add(item); Count++; }")));

    [Theory]
    [InlineData("private int _begun; IEnumerator<int> IEnumerable<int>.GetEnumerator() { _begun++; yield return Id; }")]
    [InlineData("private int _x = 1; private int GetEnumerator() => _x; IEnumerator<int> IEnumerable<int>.GetEnumerator() { yield return Id; }")]
    public void WhatAnEnumeratorSetsOrNamesInItsHeadIsNotReportedAsLost(string members) =>
        Assert.Empty(GeneratorHarness.Diagnose($"[NinoType] public sealed class A : IEnumerable<int> {{ public int Id {{ get; set; }} {members} System.Collections.IEnumerator System.Collections.IEnumerable.GetEnumerator() => throw new NotSupportedException(); }}"));

    [Fact]
    public void WhatAnEnumeratorSetsIsStillStateBehindAPropertyThatShowsIt() =>
        Assert.Equal("NINO017", Assert.Single(GeneratorHarness.Diagnose("[NinoType] public sealed class A : IEnumerable<int> { public int Id { get; set; } private int _begun; public int Begun => _begun; IEnumerator<int> IEnumerable<int>.GetEnumerator() { _begun++; yield return Id; } System.Collections.IEnumerator System.Collections.IEnumerable.GetEnumerator() => throw new NotSupportedException(); }")).Id);

    [Fact]
    public void AParameterThatIsShownStoredOrLeftOutKnowinglyIsNotReported() => Assert.Empty(GeneratorHarness.Diagnose("""
        [NinoType] public class Shown(decimal net, decimal rate = 0.2m) { public decimal Net => net; public decimal Rate => rate; public decimal Gross => net * (1 + rate); }
        [NinoType] public class Kept(decimal net, decimal rate = 0.2m) { public decimal Net => net; public decimal Factor { get => 1 + rate; set => rate = value - 1; } public decimal Gross => net * (1 + rate); }
        [NinoType] public class Ignored(decimal net, decimal rate = 0.2m) { public decimal Net => net; [NinoIgnore] public decimal Rate => rate; public decimal Gross => net * (1 + rate); }
        [NinoType] public class Served(int id, Action? changed = null) { public int Id => id; public bool IsWatched => changed != null; }
        """));

    [Theory]
    [InlineData("[ObservableProperty, NinoInclude] private string? _name;")]
    [InlineData("[ObservableProperty, NinoIgnore] private string? _name;")]
    [InlineData("\n#pragma warning disable CS0657\n[ObservableProperty][property: NinoIgnore] private string? _name;")]
    [InlineData("[ObservableProperty] private string? _name; public string? Text { get => _name; set => _name = value; }")]
    public void AFieldOfWhichAnotherGeneratorMakesAPropertyIsNotReportedWhereItIsStoredOrLeftOut(string member) => Assert.Empty(GeneratorHarness.Diagnose($$"""
        using CommunityToolkit.Mvvm.ComponentModel;
        namespace CommunityToolkit.Mvvm.ComponentModel { [AttributeUsage(AttributeTargets.Field)] public class ObservablePropertyAttribute : Attribute; }
        [NinoType] public partial class A { public int Id; {{member}} public bool Has() => _name is not null; public void Set(string to) => _name = to; }
        """));

    [Theory]
    [InlineData("[NinoType, Vogen.ValueObject<int>] public readonly partial struct A;")]
    [InlineData("[NinoType] public readonly partial struct A; [Vogen.ValueObject<int>] public readonly partial struct A { public static A None => default; }")]
    [InlineData("[Vogen.ValueObject<int>] public partial record struct A; [NinoType] public sealed class Order { public A Id; } [NinoSerializable(typeof(A))] public static class Registers;")]
    public void AValueObjectThatAnotherGeneratorWritesIsToldThatItHasNoStateHere(string source)
    {
        Diagnostic diagnostic = Assert.Single(GeneratorHarness.Diagnose("namespace Vogen { [AttributeUsage(AttributeTargets.Struct)] public class ValueObjectAttribute<T> : Attribute; } " + source));
        Assert.Equal(("NINO020", DiagnosticSeverity.Warning), (diagnostic.Id, diagnostic.DefaultSeverity));
        Assert.Equal("The type 'A' is partial and has no state here, and another generator ([ValueObject]) may give it some, which no generator sees: unless you name a codec of your own for it with [NinoCodec(typeof(...))], that is lost, so store a type of your own instead, or turn this warning off here", diagnostic.GetMessage());
    }

    [Theory]
    [InlineData("[NinoType] public partial record A;")]
    [InlineData("[NinoType, Serializable, Obsolete] public partial record A;")]
    [InlineData("[NinoType, Mark] public record A;")]
    [InlineData("[NinoType, Mark] public partial record A(int Id);")]
    [InlineData("[NinoType, MemoryPack.MemoryPackable] public partial class A;")]
    [InlineData("[NinoType, PolyType.GenerateShape] public partial record A;")]
    [InlineData("[MemoryPack.MemoryPackable] public partial class A; [NinoSerializable(typeof(A))] public static class Registers;")]
    public void AnEmptyTypeThatNoOtherGeneratorWritesIsAMarkerAndNoMistake(string source) =>
        Assert.Empty(GeneratorHarness.Diagnose($"namespace MemoryPack {{ public class MemoryPackableAttribute : Attribute; }} namespace PolyType {{ public class GenerateShapeAttribute : Attribute; }} public class MarkAttribute : Attribute; #pragma warning disable CS0612\n{source}".Replace("#pragma", "\n#pragma")));

    [Fact]
    public void AParameterThatReadingPassesOnOrThatAMemberGivesIsNotReported() => Assert.Empty(GeneratorHarness.Diagnose("""
        public abstract class Shape(int corners) { public int Corners => corners; }
        [NinoType] public class Square() : Shape(4) { public int Size { get; set; } }
        [NinoType] public class Polygon(int corners) : Shape(corners) { public int Size { get; set; } }
        [NinoType] public class Stored(int count, string name) { public Stored() : this(0, "") { } public int Count { get => count; set => count = value; } public int Twice => count * 2; public string Name() => name; }
        [NinoType] public struct Set(int count, string name) { public int Count { get => count; set => count = value; } public readonly string Name() => name; }
        [NinoType] public struct Ignored(int count, string name) { public int X; [NinoIgnore] public readonly int Count => count; public readonly string Name() => name; }
        public abstract class Entity(string kind) { public string Kind => kind; }
        [NinoType] public class User : Entity { public User() : base("user") { } public User(string name) : base("user") => Name = name; public string Name { get; set; } = ""; }
        [NinoType] [method: NinoConstructor] public class Circle(int radius) : Shape(radius * 2) { public Circle() : this(1) { } public int Radius { get; } = radius; }
        """));

    [Fact]
    public void AParameterOfABaseThatConstructorsPassOtherwiseIsReported() => Assert.Equal("NINO017", Assert.Single(GeneratorHarness.Diagnose("""
        public abstract class Entity(string kind) { public string Kind => kind; }
        [NinoType] public class User : Entity { public User() : base("user") { } public User(bool isRoot) : base("root") => IsRoot = isRoot; public bool IsRoot { get; set; } }
        """)).Id);

    [Theory]
    [InlineData("private int _x; public bool IsBig => this is { _x: > 5 };")]
    [InlineData("private int _x; public bool IsBig => this is { Id: 1 } and ({ _x: > 5 } or { _x: < -5 });")]
    [InlineData("private int _x; public int Sign => this switch { { _x: > 0 } => 1, _ => 0 };")]
    [InlineData("private int _x; public int Sign { get { switch (this) { case { _x: > 0 }: return 1; default: return 0; } } }")]
    [InlineData("private int _x; public int X => ((A)this)._x;")]
    [InlineData("private int _x; public int X => this!._x;")]
    [InlineData("private int _x; public int X => (this as A)!._x;")]
    public void StateIsReportedHoweverTheObjectIsNamed(string members) =>
        Assert.Equal("NINO017", Assert.Single(GeneratorHarness.Diagnose($"[NinoType] public sealed class A {{ public int Id {{ get; set; }} {members} public void Set(int x) => _x = x; }}")).Id);

    [Fact]
    public void WhatAPatternAsksOfAnotherObjectIsNoStateOfTheObject() =>
        Assert.Empty(GeneratorHarness.Diagnose("[NinoType] public sealed class A { public int Id { get; set; } public B? Of { get; set; } private int _x = 1; public bool IsBig => Of is { _x: > 5 } && this is { Of: { _x: 1 } }; public int X() => _x; [NinoType] public sealed class B { public int _x; } }"));

    [Theory]
    [InlineData("private int _x; private int Inner => _x; public int Shown => Inner;")]
    [InlineData("private int _x; private int First => _x; protected int Second { get { return First; } } public int Shown => Second + 1;")]
    [InlineData("private int _x; private int this[int i] => _x + i; private int Third => Third + _x; public int Shown => Third;")]
    public void StateThatIsShownByWayOfAPropertyThatIsNotPublicIsReported(string members) =>
        Assert.Equal("NINO017", Assert.Single(GeneratorHarness.Diagnose($"[NinoType] public class A {{ public int Id {{ get; set; }} {members} public void Set(int x) => _x = x; }}")).Id);

    [Theory]
    [InlineData("private int? _x; private int Inner => _x ??= Id; public int Shown => Inner;")]
    [InlineData("private int _x = 1; [NinoIgnore] private int Inner => _x; public int Shown => Inner;")]
    [InlineData("private int _x = 1; private int Inner => _x; public int Shown() => Inner;")]
    public void StateThatIsShownByWayOfACacheOrOfWhatIsLeftOutIsNotReported(string members) =>
        Assert.Empty(GeneratorHarness.Diagnose($"[NinoType] public class A {{ public int Id {{ get; set; }} {members} }}"));

    [Fact]
    public void WhatAwaitForeachShowsIsReported() =>
        Assert.Equal("NINO017", Assert.Single(GeneratorHarness.Diagnose("[NinoType] public class A : IAsyncEnumerable<int> { public int Id { get; set; } private readonly List<int> _all = []; public void Add(int one) => _all.Add(one); public async IAsyncEnumerator<int> GetAsyncEnumerator(System.Threading.CancellationToken cancellation = default) { await System.Threading.Tasks.Task.Yield(); foreach (int one in _all) yield return one; } }")).Id);

    [Fact]
    public void WhatAnIndexerOfAnInterfaceGetsAndSetsIsReported() =>
        Assert.Equal("NINO017", Assert.Single(GeneratorHarness.Diagnose("public interface ICells { int this[int i] { get; set; } } [NinoType] public class A : ICells { public int Id { get; set; } private readonly int[] _cells = new int[3]; int ICells.this[int i] { get => _cells[i]; set => _cells[i] = value; } }")).Id);

    [Theory]
    [InlineData("public class ‹›Box<T> { public int Id { get; set; } private T? _value; public T? Value => _value; public void Set(T value) => _value = value; }", "NINO017")]
    [InlineData("public struct ‹›Box<T> { public int Id { get; set; } private T? _value; public readonly T? Value => _value; public void Set(T value) => _value = value; }", "NINO017")]
    [InlineData("public class Outer<T> { ‹›public class Box { public int Id { get; set; } protected T? Value { get; set; } public bool Has => Value is not null; } }", "NINO017")]
    [InlineData("public abstract class ‹›Base { public int Id { get; set; } private int _x; public int X => _x; public void Set(int x) => _x = x; }", "NINO017")]
    [InlineData("public abstract class ‹›Base { public int Id { get; set; } private string? _hash; public string Password { set => _hash = value; } public bool Is(string text) => _hash == text; }", "NINO017")]
    [InlineData("public interface ILayer { int Layer { get; set; } } ‹›public abstract class Base : ILayer { public int Id { get; set; } private int _layer; int ILayer.Layer { get => _layer; set => _layer = value; } }", "NINO017")]
    [InlineData("public class ‹›Box<T> { public int Id { get; set; } public T? Value { get => field; private set { field = value; } } public void Set(T value) => Value = value; }", "NINO009")]
    [InlineData("public class ‹›Box<T> { public int Id { get; set; } public T? Value { get => field; } public Box() { } public static Box<T> Of(T value) => new(value, 0); private Box(T value, int _) => Value = value; }", "NINO009")]
    public void WhatAnotherAssemblyWouldLoseOfATypeThatItClosesOrDerivesFromIsToldWhereItIsDeclared(string source, string id)
    {
        source = source.Contains("‹›public", StringComparison.Ordinal) ? source.Replace("‹›", "[NinoType] ", StringComparison.Ordinal) : "[NinoType] " + source.Replace("‹›", "", StringComparison.Ordinal);
        Assert.Equal(id, Assert.Single(GeneratorHarness.Diagnose(source)).Id);
    }

    [Theory]
    [InlineData("[NinoType] public class Box<T> { public int Id { get; set; } [NinoInclude] private T? _value; public T? Value => _value; [NinoIgnore] private int _used; public int Used => _used; public void Set(T value) { _value = value; _used++; } }")]
    [InlineData("[NinoType] public class Box<T>(T value) { public T Value => value; public string Text => value + \"\"; public List<T> All { get => field ??= []; } }")]
    [InlineData("[NinoType] public abstract class Shape { private readonly string _name; protected Shape(string name) => _name = name; public string Name => _name; public string Text => _name + 1; public abstract double Area { get; } }")]
    [InlineData("[NinoType] public abstract class Animal(string sound) { public string Sound => sound; public string Twice => sound + sound; }")]
    [InlineData("[NinoType] public abstract class Shape { private int _x; public virtual int X { get => _x; protected set => _x = value; } public int Id { get; set; } protected Shape(int x) => _x = x; }")]
    [InlineData("[NinoType] internal class Box<T> { private T? _value; public T? Value => _value; public void Set(T value) => _value = value; }")]
    [InlineData("[NinoType] public class Box<T> { public T? A { get; set; } public Action? Nobody { get; set; } public unsafe int* Closes { get; set; } }")]
    [InlineData("[NinoType] public abstract class Shape; [NinoType] public abstract class Round<T> : Shape { public T? R { get; set; } }")]
    [InlineData("[NinoType] public abstract class Base { public int Id { get; } public int Twice => Id * 2; }")]
    [InlineData("[NinoType, NinoCodec(typeof(BoxCodec<>))] public class Box<T> { private T? _value; public T? Value => _value; public void Set(T value) => _value = value; } public readonly struct BoxCodec<T> : INinoCodec<Box<T>> { public static int MinSize => 1; public static SchemaNode Describe(SchemaBuilder builder) => throw new NotSupportedException(); public void Write(ref NinoWriter writer, in Box<T> value) { } public Box<T> Read(ref NinoReader reader) => new(); }")]
    public void WhatIsStoredOrToldWhereItIsClosedIsNotToldOfATypeThatNobodyClosesHere(string source) => Assert.Empty(GeneratorHarness.Diagnose(source));

    [Theory]
    [InlineData("public class A(int x) { public int X { get; set; } = x; public int First => x; }", "reading passes what 'X' holds, which may have been set since")]
    [InlineData("public struct A(int x) { public int X { get; init; } = x; public readonly int First => x; }", "reading passes what 'X' holds, which may have been set since")]
    [InlineData("public class A<T>(T x) { public T X { get; set; } = x; public T First => x; }", "reading passes what 'X' holds, which may have been set since")]
    [InlineData("public class A(int x) { public int X { get; private set; } = x; public int First => x; public void Next() => X++; }", "reading passes what 'X' holds, which may have been set since")]
    [InlineData("public class A(int x, string name) { public A() : this(0, \"\") { } public int X { get; set; } = x; public int First => x; public string Name() => name; }", "reading calls a constructor that does not take it")]
    [InlineData("public class A(int x) { [NinoConstructor] public A() : this(7) { } public int X { get; set; } = x; public int First => x; }", "reading calls a constructor that does not take it")]
    public void AParameterOfAMemberThatMayHaveBeenSetSinceIsReported(string type, string why)
    {
        Diagnostic diagnostic = Assert.Single(GeneratorHarness.Diagnose("\n#pragma warning disable CS9124\n[NinoType] " + type));
        Assert.Equal("NINO017", diagnostic.Id);
        Assert.Contains(why, diagnostic.GetMessage(System.Globalization.CultureInfo.InvariantCulture), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("public class A(int x) { public int X { get => x; set => x = value; } public int Twice => x * 2; }")]
    [InlineData("public class A(int x) { public int X { get; } = x; public int Twice => x * 2; }")]
    [InlineData("public class A(int x) { public int X { get; set { field = value; x = value; } } = x; public int Twice => x * 2; }")]
    [InlineData("public record A(int X) { public int X { get; set; } = X; public int Twice => X * 2; }")]
    [InlineData("public class A(int x) { public int X { get; set; } = x; public int Twice() => x * 2; }")]
    [InlineData("public class A(decimal total) { public decimal Total { get; set; } = total; public decimal Gross { get { decimal total = Total + 1; return total * 1.2m; } } }")]
    [InlineData("public class A(string name, List<string> names) { public string Name { get; set; } = name; public List<string> Names { get; } = names; public int Trimmed => Names.ConvertAll(name => name.Trim()).Count; public bool IsLong => Names.Count is var name && name > 3; }")]
    public void AParameterThatHoldsWhatItsMemberDoesIsNotReported(string type) => Assert.Empty(GeneratorHarness.Diagnose("\n#pragma warning disable CS9124\n[NinoType] " + type));

    [Theory]
    [InlineData("private string? _name; public string? Name => _name; public void Call(string name) => _name = name;", true)]
    [InlineData("private int _other; public int this[int i] => i < Count ? _all[i] : _other; public void Otherwise(int other) => _other = other;", true)]
    [InlineData("[NinoIgnore] private string? _name; public string? Name => _name; public void Call(string name) => _name = name;", false)]
    [InlineData("public int First => _all[0]; public int Added => _added; private int _last; public int Last() => _last;", false)]
    public void WhatACollectionThatKeepsItsElementsItselfShowsBesideThemIsReported(string members, bool isReported) => Assert.Equal(isReported ? ["NINO017"] : [], GeneratorHarness.Diagnose(Ring(members + " private int _added; public int Count => _all.Count; public bool IsReadOnly => false; public void Add(int item) { _all.Add(item); _added++; }")).Select(static one => one.Id));

    [Theory]
    [InlineData("public class A(int seconds) { public int Seconds => seconds % 60; public int Minutes => seconds / 60; }", true)]
    [InlineData("public readonly struct A { private readonly int _s; public A(int seconds) => _s = seconds; public int Seconds { get { return _s % 60; } } public int Minutes => _s / 60; }", true)]
    [InlineData("public class A(string name) { public string Name => name.Trim(); public int Length => name.Length; }", true)]
    [InlineData("public class A(decimal amount) { public decimal Amount => Math.Round(amount, 2); public decimal Exact => amount; }", true)]
    [InlineData("public class A(decimal amount) { [NinoInclude] public decimal Amount => Math.Round(amount, 2); public decimal Exact => amount; }", false)]
    [InlineData("public class A(string? name) { public string Name => name ?? \"\"; public int Length => name?.Length ?? 0; }", false)]
    [InlineData("public class A { private int _x; public A(int x) => _x = x; public int X => System.Threading.Volatile.Read(ref _x); public bool IsOn => _x > 0; }", false)]
    [InlineData("public class A { private readonly string? _x; public A(string? x) => _x = x; public string X => _x is null ? throw new InvalidOperationException() : _x; public bool HasX => _x != null; }", false)]
    [InlineData("public class A { private readonly string _x; public A(string x) => _x = x ?? throw new ArgumentNullException(nameof(x)); public string X => _x.Trim(); public int Length => _x.Length; }", true)]
    [InlineData("public class A { private readonly double _diameter; public A(double radius) => _diameter = radius * 2; public double Radius => _diameter / 2; public double Diameter => _diameter; }", false)]
    [InlineData("public class A(int seconds) { public int Seconds => seconds % 60; public int Text() => seconds; }", false)]
    [InlineData("public class A { private readonly List<int> _all; public A(List<int> all) => _all = all; public System.Collections.ObjectModel.ReadOnlyCollection<int> All => _all.AsReadOnly(); public int Count => _all.Count; }", false)]
    public void WhatAGetterMakesOfAParameterThatOthersShowIsReported(string type, bool isReported) =>
        Assert.Equal(isReported ? ["NINO017"] : [], GeneratorHarness.Diagnose("[NinoType] " + type).Where(static one => one.Id == "NINO017").Select(static one => one.Id));

    [Theory]
    [InlineData("public override int Count => _items.Count; public override void Add(int item) => _items.Add(item); public override IEnumerator<int> GetEnumerator() => _items.GetEnumerator();")]
    [InlineData("public override int Count => Inner.Count; public override void Add(int item) => AddCore(item); public override IEnumerator<int> GetEnumerator() => Inner.GetEnumerator(); private List<int> Inner => _items; private void AddCore(int item) => _items.Add(item);")]
    public void TheFieldsInWhichACollectionKeepsItsElementsAreNotReportedWhateverItsCodeIsSplitInto(string members) => Assert.Empty(GeneratorHarness.Diagnose($$"""
        public abstract class Bag : ICollection<int>
        {
            public abstract int Count { get; }
            public bool IsReadOnly => false;
            public abstract void Add(int item);
            public void Clear() => throw new NotSupportedException();
            public bool Contains(int item) => throw new NotSupportedException();
            public void CopyTo(int[] array, int index) { foreach (int item in this) array[index++] = item; }
            public bool Remove(int item) => throw new NotSupportedException();
            public abstract IEnumerator<int> GetEnumerator();
            System.Collections.IEnumerator System.Collections.IEnumerable.GetEnumerator() => GetEnumerator();
        }
        public class ListBag : Bag { private readonly List<int> _items = []; public int Capacity => _items.Capacity; {{members}} }
        [NinoType] public class A { public ListBag? B; }
        """));

    [Theory]
    [InlineData("[NinoType] public class A { public int Id; private int _x; public int X { get { var self = this; return self._x; } } public void Set(int x) => _x = x; }")]
    [InlineData("public interface I { int X { get; set; } } [NinoType] public class A : I { public int Id; private int _x; int I.X { get { A self = (A)(I)this; return self._x; } set { var it = this!; it._x = value; } } }")]
    [InlineData("[NinoType] public struct A { public int Id; private int _x; public A With { get { var copy = this; copy._x++; return copy; } } public int X { get { var self = this; return self._x; } } public void Set(int x) => _x = x; }")]
    public void WhatIsReadByALocalThatIsTheObjectIsShown(string source) => Assert.Equal("NINO017", Assert.Single(GeneratorHarness.Diagnose(source)).Id);

    [Theory]
    [InlineData("[NinoType] public class A { public int Id; private int _x; public int Other { get { var self = new A(); return self._x; } } public void Set(int x) => _x = x; public int Get() => _x; }")]
    [InlineData("[NinoType] public class A { public int Id; private int? _x; public int Hash { get { var self = this; self._x ??= 5; return self._x.Value; } } }")]
    [InlineData("[NinoType] public class A { public int Id; private int _x; public int X { get { var self = this; return self._x; } set { var self = this; self._x = value; } } }")]
    public void ALocalThatIsAnotherObjectShowsNothingOfThis(string source) => Assert.Empty(GeneratorHarness.Diagnose(source));

    [Theory]
    [InlineData("public interface IGet { int A { get; } } public interface ISet { int A { set; } } [NinoType] public class C : IGet, ISet { public int Id; private int _a; int IGet.A => _a; int ISet.A { set => _a = value; } }")]
    [InlineData("public interface IGet { int A { get; } } public interface ISet { int A { set; } } [NinoType] public class C : IGet, ISet { public int Id; private int _a; public int A { set => _a = value; } int IGet.A => _a; }")]
    public void WhatOneInterfaceGetsAndAnotherSetsIsShown(string source) => Assert.Equal("NINO017", Assert.Single(GeneratorHarness.Diagnose(source)).Id);

    [Theory]
    [InlineData("public interface IGet { int A { get; } } [NinoType] public class C : IGet { public int Id; private int _a; int IGet.A => _a; public void Set(int a) => _a = a; }")]
    [InlineData("public interface IGet { int A { get; } } public interface ISet { int B { set; } } [NinoType] public class C : IGet, ISet { public int Id; private int _a; int IGet.A => _a; int ISet.B { set => _a = value; } }")]
    [InlineData("public interface IGet { int A { get; } } public interface ISet { int A { set; } } [NinoType] public class C : IGet, ISet { public int Id; int IGet.A => Id; int ISet.A { set => Id = value; } }")]
    [InlineData("public interface IGet { int A { get; } } public interface ISet { int A { set; } } [NinoType] public class C : IGet, ISet { public int Id; [NinoInclude] private int _a; int IGet.A => _a; int ISet.A { set => _a = value; } }")]
    [InlineData("public interface IGet { int A { get; } } public interface ISet { int A { set; } } [NinoType] public class C : IGet, ISet { public int Id; [NinoIgnore] private int _a; int IGet.A => _a; int ISet.A { set => _a = value; } }")]
    public void WhatInterfacesOnlyGetOrThatIsStoredIsNotToldOf(string source) => Assert.Empty(GeneratorHarness.Diagnose(source));
}
