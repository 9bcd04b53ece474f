using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeActions;
using Microsoft.CodeAnalysis.Text;
using static Store.Tests.Generator.Editor;

namespace Store.Tests.Generator;

/// <summary>What an editor offers where a word is missing: a mark, an option, an accessor, a number.</summary>
public sealed class AddingFixTests
{
    /// <summary>Id, title of the fix, the source before, and after.</summary>
    public static TheoryData<string, string, string, string> Fixes => new()
    {
        { "NINO004", "Read with A()", "[NinoType] public class A { private A() { } public int X; }", "[NinoType] public class A { [NinoConstructor] private A() { } public int X; }" },
        { "NINO004", "Read with A(int)", "[NinoType]\npublic class A\n{\n    // For reading.\n    private A(int x) => X = x;\n\n    public int X { get; }\n\n    public static A Of(int x) => new(x);\n}", "[NinoType]\npublic class A\n{\n    // For reading.\n    [NinoConstructor] private A(int x) => X = x;\n\n    public int X { get; }\n\n    public static A Of(int x) => new(x);\n}" },
        { "NINO004", "Read with A(int)", "[NinoType] public partial class A { public int X { get; } }\npublic partial class A { private A(int x) => X = x; internal A(string other) : this(other.Length) { } }", "[NinoType] public partial class A { public int X { get; } }\npublic partial class A { [NinoConstructor] private A(int x) => X = x; internal A(string other) : this(other.Length) { } }" },
        { "NINO004", "Read with A(int)", "[NinoType] public class A { private A() { } protected A(int x) => X = x; public int X; }", "[NinoType] public class A { private A() { } [NinoConstructor] protected A(int x) => X = x; public int X; }" },
        { "NINO004", "Read with Box(T)", "[NinoType] public class Box<T> { private Box(T x) => X = x; public T X { get; } } [NinoType] public class B { public Box<int>? A; }", "[NinoType] public class Box<T> { [NinoConstructor] private Box(T x) => X = x; public T X { get; } } [NinoType] public class B { public Box<int>? A; }" },
        { "NINO006", "Read with A()", "[NinoType] public class A { public A(string text) { } private A() { } public int X; }", "[NinoType] public class A { public A(string text) { } [NinoConstructor] private A() { } public int X; }" },
        { "NINO006", "Read with A(int)", "[NinoType] public class A(string text) { private A(int x) : this(\"\") => X = x; public int X { get; } = text.Length; }", "[NinoType] public class A(string text) { [NinoConstructor] private A(int x) : this(\"\") => X = x; public int X { get; } = text.Length; }" },
        { "NINO010", "Mark the property, not the field behind it", "[NinoType] public class A { [field: NinoFormerName(\"Old\")] public int X { get; set; } }", "[NinoType] public class A { [NinoFormerName(\"Old\")] public int X { get; set; } }" },
        { "NINO010", "Mark the property, not the field behind it", "[NinoType] public record struct A(int Y, [field: NinoMember(3)] int X);", "[NinoType] public record struct A(int Y, [property: NinoMember(3)] int X);" },
        { "NINO010", "Mark the property, not the field behind it", "[NinoType] public class A(int x) { [field: NinoInclude] public int X { get; } = x; }", "[NinoType] public class A(int x) { [NinoInclude] public int X { get; } = x; }" },
        { "NINO010", "Mark the property, not the field behind it", "[NinoType] public class A { [field: NinoMember(1)] public List<int> All { get; } = []; }", "[NinoType] public class A { [NinoMember(1)] public List<int> All { get; } = []; }" },
        { "NINO010", "Let reading set the property with a private setter", "[NinoType] public class A { [NinoMember(1)] public int Born { get; } = 5; }", "[NinoType] public class A { [NinoMember(1)] public int Born { get; private set; } = 5; }" },
        { "NINO010", "Let reading set the property with a private setter", "[NinoType] public class A { public int X; [NinoInclude] private int Born { get; } = Environment.ProcessId; public int Get() => Born; }", "[NinoType] public class A { public int X; [NinoInclude] private int Born { get; set; } = Environment.ProcessId; public int Get() => Born; }" },
        { "NINO010", "Let reading set the property with a private setter", "[NinoType] public readonly struct A { public A() { } [NinoMember(1)] public int Born { get; } = 5; }", "[NinoType] public readonly struct A { public A() { } [NinoMember(1)] public int Born { get; private init; } = 5; }" },
        { "NINO014", "Leave 'A.X' out with [NinoIgnore]", "[NinoType] public class A { public int X; public int Y; } [NinoType] public class B : A { public new int X; }", "[NinoType] public class A { [NinoIgnore] public int X; public int Y; } [NinoType] public class B : A { public new int X; }" },
        { "NINO014", "Leave 'A.X' out with [NinoIgnore]", "[NinoType] public class A { public int Y; [Obsolete]\n    public int X { get; set; } } [NinoType] public class B : A { public new string X() => \"\"; }", "[NinoType] public class A { public int Y; [NinoIgnore] [Obsolete]\n    public int X { get; set; } } [NinoType] public class B : A { public new string X() => \"\"; }" },
        { "NINO014", "Leave 'A._x' out with [NinoIgnore]", "[NinoType] public class A { [NinoInclude] private int _x; public int X() => _x++; } [NinoType] public class B : A { [NinoMember(1)] private int _x; public int Y() => _x++; }", "[NinoType] public class A { [NinoIgnore] private int _x; public int X() => _x++; } [NinoType] public class B : A { [NinoMember(1)] private int _x; public int Y() => _x++; }" },
        { "NINO014", "Leave 'B._x' out with [NinoIgnore]", "[NinoType] public class A { [NinoInclude] private int _x; public int X() => _x++; } [NinoType] public class B : A { [NinoMember(1)] private int _x; public int Y() => _x++; }", "[NinoType] public class A { [NinoInclude] private int _x; public int X() => _x++; } [NinoType] public class B : A { [NinoIgnore] private int _x; public int Y() => _x++; }" },
        { "NINO014", "Leave 'Base.X' out with [NinoIgnore]", "[NinoType] public class Base<T> { public T? X; public int Y; } [NinoType] public class A : Base<int> { public new int X; }", "[NinoType] public class Base<T> { [NinoIgnore] public T? X; public int Y; } [NinoType] public class A : Base<int> { public new int X; }" },
        { "NINO015", "Store what it holds with [NinoInclude]", "[NinoType] public class A { private int _value; public int Next() => ++_value; }", "[NinoType] public class A { [NinoInclude] private int _value; public int Next() => ++_value; }" },
        { "NINO015", "Store what it holds with [NinoType(NonPublic = true)]", "[NinoType] public class A { private int _value; public int Next() => ++_value; }", "[NinoType(NonPublic = true)] public class A { private int _value; public int Next() => ++_value; }" },
        { "NINO015", "Store what it holds with [NinoInclude]", "[NinoType(Name = \"a\")]\npublic partial class A\n{\n    private int _x, _y;\n    private static int s_z;\n\n    public int Next() => ++_x + ++_y + ++s_z;\n}\npublic partial class A\n{\n    // Its name.\n    internal string? Name { get; set; }\n}", "[NinoType(Name = \"a\")]\npublic partial class A\n{\n    [NinoInclude] private int _x, _y;\n    private static int s_z;\n\n    public int Next() => ++_x + ++_y + ++s_z;\n}\npublic partial class A\n{\n    // Its name.\n    [NinoInclude] internal string? Name { get; set; }\n}" },
        { "NINO015", "Store what it holds with [NinoType(NonPublic = true)]", "public partial class A { private int _value; public int Next() => ++_value; }\n[NinoType(Name = \"a\")] public partial class A;", "public partial class A { private int _value; public int Next() => ++_value; }\n[NinoType(Name = \"a\", NonPublic = true)] public partial class A;" },
        { "NINO016", "Leave the member out with [NinoIgnore]", "[NinoType] public class Nest<T> { public T? Value; public Nest<List<T>>? Deeper; } [NinoType] public class A { public Nest<int>? N; }", "[NinoType] public class Nest<T> { public T? Value; [NinoIgnore] public Nest<List<T>>? Deeper; } [NinoType] public class A { public Nest<int>? N; }" },
        { "NINO002", "Leave the member out with [NinoIgnore]", "[NinoType] public class A { public int Id; [NinoInclude] private Action? _run; public void Run() => _run?.Invoke(); }", "[NinoType] public class A { public int Id; [NinoIgnore] private Action? _run; public void Run() => _run?.Invoke(); }" },
        { "NINO002", "Leave the member out with [NinoIgnore]", "[NinoType] public record A(int Id, [NinoMember(4)] Action? Run = null);", "[NinoType] public record A(int Id, [property: NinoIgnore] [NinoMember(4)] Action? Run = null);" },
        { "NINO024", "Leave the member out with [NinoIgnore]", "[NinoType] public class A { public int Id; public List<Unknown>? Some { get; set; } }", "[NinoType] public class A { public int Id; [NinoIgnore] public List<Unknown>? Some { get; set; } }" },
        { "NINO029", "Store the member with [NinoInclude]", "[NinoType] public class A(int b) { public int B { get; } = b + 1; }", "[NinoType] public class A(int b) { [NinoInclude] public int B { get; } = b + 1; }" },
        { "NINO029", "Let reading set the property with init", "[NinoType] public class A(int b) { public int B { get; } = b + 1; }", "[NinoType] public class A(int b) { public int B { get; init; } = b + 1; }" },
        { "NINO029", "Store the member with [NinoInclude]", "[NinoType] public class A { public A(int b) { B = b + 1; } public readonly int B; }", "[NinoType] public class A { public A(int b) { B = b + 1; } [NinoInclude] public readonly int B; }" },
        { "NINO030", "Give A the tag 2", "[NinoType, NinoUnion(1, typeof(A)), NinoUnion(1, typeof(B))] public abstract class Shape; [NinoType] public class A : Shape; [NinoType] public class B : Shape;", "[NinoType, NinoUnion(2, typeof(A)), NinoUnion(1, typeof(B))] public abstract class Shape; [NinoType] public class A : Shape; [NinoType] public class B : Shape;" },
        { "NINO030", "Give B the tag 2", "[NinoType, NinoUnion(1, typeof(A)), NinoUnion(1, typeof(B))] public abstract class Shape; [NinoType] public class A : Shape; [NinoType] public class B : Shape;", "[NinoType, NinoUnion(1, typeof(A)), NinoUnion(2, typeof(B))] public abstract class Shape; [NinoType] public class A : Shape; [NinoType] public class B : Shape;" },
        { "NINO030", "Give B the tag 8", "[NinoType, NinoUnion(7, typeof(A)), NinoUnion(type: typeof(B), tag: -1)] public abstract class Shape; [NinoType] public class A : Shape; [NinoType] public class B : Shape;", "[NinoType, NinoUnion(7, typeof(A)), NinoUnion(type: typeof(B), tag: 8)] public abstract class Shape; [NinoType] public class A : Shape; [NinoType] public class B : Shape;" },
        { "NINO030", "Give B the tag 6", "[NinoType] public abstract partial class Shape; [NinoUnion(5, typeof(A))] public abstract partial class Shape; [NinoUnion(5 /* as before */, typeof(B))] public abstract partial class Shape; [NinoType] public class A : Shape; [NinoType] public class B : Shape;", "[NinoType] public abstract partial class Shape; [NinoUnion(5, typeof(A))] public abstract partial class Shape; [NinoUnion(6 /* as before */, typeof(B))] public abstract partial class Shape; [NinoType] public class A : Shape; [NinoType] public class B : Shape;" },
        { "NINO040", "Put [NinoOnDeserialized] on what implements it", "public interface IAfter { [NinoOnDeserialized] void After(); } [NinoType] public class A : IAfter { public int X; public void After() { } }", "public interface IAfter { [NinoOnDeserialized] void After(); } [NinoType] public class A : IAfter { public int X; [NinoOnDeserialized] public void After() { } }" },
        { "NINO040", "Put [NinoOnDeserialized] on what implements it", "public interface IAfter<T> { [NinoOnDeserialized] void After(); } public class Base : IAfter<int> { public virtual void After() { } } [NinoType] public class A : Base { public int X; }", "public interface IAfter<T> { [NinoOnDeserialized] void After(); } public class Base : IAfter<int> { [NinoOnDeserialized] public virtual void After() { } } [NinoType] public class A : Base { public int X; }" },
        { "NINO070", "Write [NinoType(View = false)]", "[NinoType] public class A { public int X; } public class AView;", "[NinoType(View = false)] public class A { public int X; } public class AView;" },
        { "NINO070", "Write [NinoType(View = false)]", "public partial class A { public int X; }\n/// <summary>A.</summary>\n[Store.Serialization.NinoType()] public partial class A; public class AView;", "public partial class A { public int X; }\n/// <summary>A.</summary>\n[Store.Serialization.NinoType(View = false)] public partial class A; public class AView;" },
        { "NINO070", "Write [NinoType(View = false)]", "[NinoType(References = true, View = true)] public class A { public int X; }", "[NinoType(References = true, View = false)] public class A { public int X; }" },
        { "NINO070", "Write [NinoType(View = false)]", "[Obsolete, NinoType(Name = \"a\")] public class A { public int X; } public class AView;", "[Obsolete, NinoType(Name = \"a\", View = false)] public class A { public int X; } public class AView;" },
    };

    [Theory]
    [MemberData(nameof(Fixes))]
    public Task WhatIsMissingIsWrittenWhereItBelongs(string id, string title, string before, string after) => AssertFixedAsync(id, title, before, after);

    /// <summary>Id, the source, and how the titles begin of what is not offered: it would be the next error, or of no use.</summary>
    [Theory]
    [InlineData("NINO004", "[NinoType] public class A { private A(int other) { } public int X; }", "Read")]
    [InlineData("NINO004", "[NinoType] public class A { private A() { } public int X; public int Y { get; } = Environment.ProcessId; }", "Read")]
    [InlineData("NINO004", "public class Outer { private class Hidden; [NinoType] public class A { private A(int x, Hidden? why = null) => X = why is null ? x : 0; public int X; } }", "Read")]
    [InlineData("NINO006", "[NinoType] public class A { [NinoConstructor] public A(string text) { } private A() { } public int X; }", "Read")]
    [InlineData("NINO010", "[NinoType] public class A { [NinoMember(1)] public virtual int Born { get; } = 5; }", "Let")]
    [InlineData("NINO010", "[NinoType] public class A { [field: NonSerialized, NinoMember(3)] public int X { get; set; } }", "Mark")]
    [InlineData("NINO014", "[NinoType] public class A { public int X, Y; } [NinoType] public class B : A { public int Z; public new int X; }", "Leave")]
    [InlineData("NINO014", "[NinoType] public class B : Store.Foreign.Diagnostic { public new int X; }", "Leave")]
    [InlineData("NINO015", "[NinoType] public class A { private int _x; private Action? _run; public int Next() { _run?.Invoke(); return ++_x; } }", "Store")]
    [InlineData("NINO015", "[NinoType] public class A { private readonly int[] _x = new int[3]; public void Set(int x) => _x[0] = x; }", "Store")]
    [InlineData("NINO010", "[NinoType] public class A { [field: NinoMember(1)] public int Born { get; } = Environment.ProcessId; }", "Mark")]
    [InlineData("NINO010", "[NinoType] public class A { [field: NinoMember(1)] public IReadOnlyList<int> All { get; } = []; }", "Mark")]
    [InlineData("NINO029", "[NinoType] public class A(int seconds) { private readonly int _ms = seconds * 1000; public int Seconds => _ms; }", "Let")]
    [InlineData("NINO029", "public abstract class Base { public abstract int B { get; } } [NinoType] public class A(int b) : Base { public override int B { get; } = b + 1; }", "Let")]
    [InlineData("NINO030", "[NinoType] public abstract class Shape; [NinoType(Name = \"T7654\")] public class A : Shape; [NinoType(Name = \"T16566\")] public class B : Shape;", "Give")]
    [InlineData("NINO040", "public interface IAfter { [NinoOnDeserialized] void After(); } [NinoType] public class A : IAfter { public int X; void IAfter.After() { } }", "Put")]
    [InlineData("NINO040", "public interface IAfter { [NinoOnSerialized] void After() { } } [NinoType] public class A : IAfter { public int X; }", "Put")]
    [InlineData("NINO040", "[NinoType] public class A { public int X; [NinoOnSerialized] private static void Done() { } }", "Put")]
    public Task NothingIsOfferedThatWouldNotHelp(string id, string source, string title) => AssertNotOfferedAsync(id, source, title);

    /// <summary>Id, what is done, the source before, and after it was done to all of the id at once.</summary>
    [Theory]
    [InlineData("NINO006", "Read with A()", "[NinoType] public class A { public A(string text, string more) { } private A() { } public int X; }", "[NinoType] public class A { public A(string text, string more) { } [NinoConstructor] private A() { } public int X; }")]
    [InlineData("NINO010", "Mark the property, not the field behind it", "[NinoType] public class A { [field: NinoMember(1)] public int X { get; set; } [field: NinoMember(2)] public int Y { get; set; } }", "[NinoType] public class A { [NinoMember(1)] public int X { get; set; } [NinoMember(2)] public int Y { get; set; } }")]
    [InlineData("NINO010", "Let reading set the property with a private setter", "[NinoType] public class A { [NinoMember(1)] public int X { get; } = 5; [NinoMember(2)] public int Y { get; } = 5; }", "[NinoType] public class A { [NinoMember(1)] public int X { get; private set; } = 5; [NinoMember(2)] public int Y { get; private set; } = 5; }")]
    [InlineData("NINO014", "Leave the member of the base out", "[NinoType] public class A { public int X; public int Y; } [NinoType] public class B : A { public new int X; public new int Y; } [NinoType] public class C : A { public new int X; }", "[NinoType] public class A { [NinoIgnore] public int X; [NinoIgnore] public int Y; } [NinoType] public class B : A { public new int X; public new int Y; } [NinoType] public class C : A { public new int X; }")]
    [InlineData("NINO015", "Store what it holds with [NinoInclude]", "[NinoType] public class A { private int _x, _y; public int Next() => ++_x + ++_y; } [NinoType] public class B { private int _x; public int Next() => ++_x; }", "[NinoType] public class A { [NinoInclude] private int _x, _y; public int Next() => ++_x + ++_y; } [NinoType] public class B { [NinoInclude] private int _x; public int Next() => ++_x; }")]
    [InlineData("NINO029", "Let reading set the property with init", "[NinoType] public class A(int b, int c) { public int B { get; } = b + 1; public int C { get; } = c + 1; }", "[NinoType] public class A(int b, int c) { public int B { get; init; } = b + 1; public int C { get; init; } = c + 1; }")]
    [InlineData("NINO040", "Put [NinoOnDeserialized] on what implements it", "public interface IAfter { [NinoOnDeserialized] void After(); } [NinoType] public class A : IAfter { public int X; public void After() { } } [NinoType] public class B : IAfter { public int X; public void After() { } }", "public interface IAfter { [NinoOnDeserialized] void After(); } [NinoType] public class A : IAfter { public int X; [NinoOnDeserialized] public void After() { } } [NinoType] public class B : IAfter { public int X; [NinoOnDeserialized] public void After() { } }")]
    [InlineData("NINO070", "Write [NinoType(View = false)]", "[NinoType] public class A { public int X; } public class AView; [NinoType] public class B { public int X; } public class BView;", "[NinoType(View = false)] public class A { public int X; } public class AView; [NinoType(View = false)] public class B { public int X; } public class BView;")]
    public Task WhatIsMissingIsWrittenEverywhereAtOnce(string id, string kind, string before, string after) => AssertAllFixedAsync(id, kind, before, after);

    [Fact]
    public async Task AMemberOfABaseIsLeftOutInWhicheverFileThatIs()
    {
        using var workspace = new AdhocWorkspace();
        Document document = Open(workspace, GeneratorHarness.Usings + "[NinoType] public class B : A { public new int X; }");
        Document other = workspace.AddDocument(document.Project.Id, "Other.cs", SourceText.From("[Store.Serialization.NinoType] public class A { public int X; public int Y; }"));
        document = workspace.CurrentSolution.GetDocument(document.Id)!;
        CodeAction action = Assert.Single(await ActionsAsync(document, Assert.Single(await DiagnoseAsync(document))));
        Solution changed = (await action.GetOperationsAsync(CancellationToken.None)).OfType<ApplyChangesOperation>().Single().ChangedSolution;
        Assert.Equal("[Store.Serialization.NinoType] public class A { [Store.Serialization.NinoIgnore] public int X; public int Y; }", (await changed.GetDocument(other.Id)!.GetTextAsync()).ToString());
        Assert.Empty(await DiagnoseAsync(changed.GetDocument(document.Id)!));
    }
}
