using Microsoft.CodeAnalysis;

namespace Store.Tests.Generator;

/// <summary>Types that have their full name together with a type of another assembly: generated code would name another one.</summary>
public sealed class NamesakeTests
{
    private const string Shared = "#pragma warning disable CS0436\nnamespace Shared { [NinoType] public struct Money { public decimal Amount; public string? Currency; } public enum Kind { None } [NinoType] public sealed record Line(string Text); } ";

    /// <summary>Types with members of the types that two assemblies have.</summary>
    private static string Holding(string space) =>
        $"namespace {space} {{ public sealed class Plain {{ public Shared.Money Price; }} public class Deep {{ public List<Box<Shared.Line>>? All; }} [NinoType] public sealed class Box<T> {{ public T? Value; }} [NinoType] public sealed class Kinds<T> {{ public T? Value; public Shared.Kind Kind; }} [NinoType] public sealed class Order {{ public Shared.Money Price; public Shared.Kind Kind; public Shared.Line? Line; }} }}";

    [Fact]
    public void ATypeWhoseNameTwoAssembliesHaveIsAnErrorThatSaysSo()
    {
        const string program = """
            [assembly: NinoSerializable(typeof(A.Plain)), NinoSerializable(typeof(C.Plain))]
            [NinoType] public sealed class Ours { public A.Order? Order; public C.Order? Other; public A.Kinds<int>? Kinds; public A.Box<C.Order>? Box; }
            [NinoType] public sealed class Deeper : C.Deep;
            """;
        Diagnostic[] diagnostics = [.. GeneratorHarness.DiagnoseWithLibraries(Shared + Holding("A"), Shared + Holding("C"), program, "global")];
        Assert.Equal(["A.Kinds<int>.Kind", "A.Plain.Price", "C.Plain.Price", "Deeper.All"], diagnostics.Select(static one => one.GetMessage(null).Split('\'')[1]).Order());
        Assert.All(diagnostics, static one =>
        {
            Assert.Equal("NINO002", one.Id);
            Assert.Matches("'(Lower|Library)' and '(Lower|Library)' have a type of the name 'Shared.(Money|Kind|Line)' each", one.GetMessage(null));
        });
    }

    [Fact]
    public void ATypeWhoseNameMeansOneOfTheProjectIsAnErrorThatSaysSo()
    {
        const string program = """
            namespace Shop
            {
                [NinoSerializable(typeof(A.Plain))] internal static class Registers;
                [NinoType] public sealed class Ours { public Shared.Money Own; public Shared.Kind OwnKind; public A.Box<Shared.Line>? OwnLine; public A.Order? Order; public A.Kinds<int>? Kinds; }
                [NinoType] public sealed class Deeper : A.Deep;
            }
            """;
        Diagnostic[] diagnostics = [.. GeneratorHarness.DiagnoseWithLibrary(Shared + Holding("A"), Shared + program, false)];
        Assert.Equal(["A.Kinds<int>.Kind", "A.Plain.Price", "Shop.Deeper.All"], diagnostics.Select(static one => one.GetMessage(null).Split('\'')[1]).Order());
        Assert.All(diagnostics, static one =>
        {
            Assert.Equal("NINO002", one.Id);
            Assert.Matches("'Library' and this project have a type of the name 'Shared.(Money|Kind|Line)' each", one.GetMessage(null));
        });
    }

    [Fact]
    public void AMemberWhoseViewHasTheNameOfATypeOfTheProjectIsReadWhole() => Programs.Run("""
        namespace Shared { public sealed class LineView; }
        [NinoType] public sealed record Ours(Shared.Line? Line, string Text);
        """, """
        Copy(new Ours(new Shared.Line("l"), "t"));
        OursView view = new(Records[0].Bytes);
        Equal(("l", "t"), (view.ReadLine()!.Text, view.Text.ToString()));
        """, Shared);
}
