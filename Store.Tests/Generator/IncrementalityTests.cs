using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Store.Serialization.Generator;
using Store.Serialization.Generator.Model;
using Store.Serialization.Generator.Parser;

namespace Store.Tests.Generator;

public class IncrementalityTests
{
    private const string Types = """
        namespace Shop;

        [NinoType]
        public sealed record Order(int Id, string Customer, List<Line> Lines, Box<int> Box, Range2? Range);

        [NinoType]
        public sealed class Line { public decimal Price { get; set; } [NinoInclude] private int _count; public int Count() => _count; }

        [NinoType]
        public sealed class Box<T> { [NinoInclude] private T? _value; public T? Value() => _value; }

        [NinoType]
        public record struct Range2(int From, int To);

        [NinoType(References = true)]
        public abstract class Shape { public int Id { get; set; } public Shape? Inner { get; set; } [NinoOnSerialized] private void Done() { } }

        [NinoType]
        public sealed class Circle : Shape { public double Radius { get; set; } }

        [NinoType]
        public sealed class Ring : Shape { public double Width { get; set; } private Ring() { } [NinoConstructor] private static Ring Make() => new(); }

        [NinoType, NinoUnion(1, typeof(Sent))]
        public interface IEvent;

        [NinoType]
        public sealed record Sent(Shape Shape, IEvent? Before) : IEvent;

        [NinoType]
        public interface IMark;

        [NinoType]
        public sealed record Mark(string Text) : IMark;
        """;

    private const string Other = "namespace Shop; public static class Util { public static int One() => 1; }";

    public static TheoryData<string, string> UnrelatedEdits => new()
    {
        { Types, Other.Replace("1;", "2;") },
        { Types, Other + " public class More { public int X { get; set; } }" },
        { "\n\n// A comment above the types.\n" + Types, Other },
        { Types.Replace("[NinoType]", "/* moved */\n\n[NinoType]"), Other },
        { Types.Replace("=> _count;", "=> _count + 1;"), Other },
        { Types.Replace("Done() { }", "Done() { Id++; }"), Other },
        { Types, Other + " public sealed class Unmarked : Shape; public interface IOther; " },
    };

    [Theory]
    [MemberData(nameof(UnrelatedEdits))]
    public void AnUnrelatedEditLeavesEveryStepCachedOrUnchanged(string types, string other)
    {
        GeneratorRunResult result = RunTwice([Types, Other], [types, other]);

        string[] watched =
        [
            NinoGenerator.Steps.MarkedTypes, NinoGenerator.Steps.RegisteringTypes, NinoGenerator.Steps.HoldingTypes, NinoGenerator.Steps.Hidden, NinoGenerator.Steps.Generation,
            NinoGenerator.Steps.Types, NinoGenerator.Steps.Unions, NinoGenerator.Steps.Views, NinoGenerator.Steps.UnionViews, NinoGenerator.Steps.FSharpForms, NinoGenerator.Steps.ChosenCodecs, NinoGenerator.Steps.Registrations, NinoGenerator.Steps.Diagnostics,
        ];
        foreach (string step in watched)
        {
            Assert.True(result.TrackedSteps.ContainsKey(step), $"The step {step} did not run.");
            foreach ((object _, IncrementalStepRunReason reason) in result.TrackedSteps[step].SelectMany(static run => run.Outputs))
            {
                Assert.True(reason is IncrementalStepRunReason.Cached or IncrementalStepRunReason.Unchanged, $"{step}: {reason}");
            }
        }

        List<IncrementalStepRunReason> outputs = [.. result.TrackedOutputSteps.SelectMany(static step => step.Value).SelectMany(static run => run.Outputs).Select(static output => output.Reason)];
        Assert.Equal(22, outputs.Count);
        Assert.All(outputs, static reason => Assert.Equal(IncrementalStepRunReason.Cached, reason));
    }

    [Theory]
    [InlineData("1;", "2;")]
    [InlineData("decimal Price", "double Price")]
    public void AUnionOfFSharpIsKeptWithItsCasesWhenOtherTypesChange(string before, string after)
    {
        const string FSharp = "namespace Shop; [NinoType] public sealed record Outcome(Microsoft.FSharp.Core.FSharpResult<int, Line> Result);";
        GeneratorRunResult result = RunTwice([Types, FSharp, Other], [Types.Replace(before, after), FSharp, Other.Replace(before, after)]);
        (object _, IncrementalStepRunReason reason) = Assert.Single(result.TrackedSteps[NinoGenerator.Steps.FSharpUnions].SelectMany(static run => run.Outputs));
        Assert.True(reason is IncrementalStepRunReason.Cached or IncrementalStepRunReason.Unchanged, reason.ToString());
    }

    [Fact]
    public void AChangedMemberRegeneratesItsTypeAndNoOther()
    {
        GeneratorRunResult result = RunTwice([Types, Other], [Types.Replace("decimal Price", "double Price"), Other]);

        List<IncrementalStepRunReason> reasons = [.. result.TrackedSteps[NinoGenerator.Steps.Types].SelectMany(static run => run.Outputs).Select(static output => output.Reason)];
        Assert.Equal(8, reasons.Count);
        Assert.Single(reasons, IncrementalStepRunReason.Modified);
        Assert.All(result.TrackedSteps[NinoGenerator.Steps.Unions].SelectMany(static run => run.Outputs), static output => Assert.NotEqual(IncrementalStepRunReason.Modified, output.Reason));
    }

    [Fact]
    public void AChangedMemberRegeneratesItsViewAndNoOther()
    {
        GeneratorRunResult result = RunTwice([Types, Other], [Types.Replace("decimal Price", "double Price"), Other]);

        List<IncrementalStepRunReason> reasons = [.. result.TrackedSteps[NinoGenerator.Steps.Views].SelectMany(static run => run.Outputs).Select(static output => output.Reason)];
        Assert.Equal(5, reasons.Count);
        Assert.Single(reasons, IncrementalStepRunReason.Modified);
        Assert.All(result.TrackedSteps[NinoGenerator.Steps.UnionViews].SelectMany(static run => run.Outputs), static output => Assert.NotEqual(IncrementalStepRunReason.Modified, output.Reason));
    }

    [Fact]
    public void AnAddedCaseRegeneratesItsBasesAndNoOther()
    {
        GeneratorRunResult result = RunTwice([Types, Other], [Types, Other + " [NinoType] public sealed class Square : Shape; "]);

        List<IncrementalStepRunReason> unions = [.. result.TrackedSteps[NinoGenerator.Steps.Unions].SelectMany(static run => run.Outputs).Select(static output => output.Reason)];
        Assert.Equal(3, unions.Count);
        Assert.Single(unions, IncrementalStepRunReason.Modified);

        // By position a new type takes the place of the next one, but what is written stays: only what is new is printed.
        Assert.Contains(result.TrackedSteps[NinoGenerator.Steps.Types].SelectMany(static run => run.Outputs), static output => output.Reason == IncrementalStepRunReason.New);
    }

    [Fact]
    public void LeavingViewsOutTakesTheViewsAwayAndRegeneratesNothing()
    {
        GeneratorRunResult result = RunTwice([Types, Other], [Types, "[assembly: NinoDefaults(View = false)] " + Other]);

        Assert.DoesNotContain(result.GeneratedSources, static source => source.HintName.EndsWith(".View.g.cs", StringComparison.Ordinal));
        foreach (string step in new[] { NinoGenerator.Steps.Types, NinoGenerator.Steps.Unions, NinoGenerator.Steps.Registrations })
        {
            Assert.All(result.TrackedSteps[step].SelectMany(static run => run.Outputs), static output => Assert.True(output.Reason is IncrementalStepRunReason.Cached or IncrementalStepRunReason.Unchanged));
        }

        Assert.All(result.TrackedSteps[NinoGenerator.Steps.Views].SelectMany(static run => run.Outputs), static output => Assert.Equal(IncrementalStepRunReason.Removed, output.Reason));
    }

    [Fact]
    public void AnUnrelatedEditInAnAssemblyWithoutViewsLeavesEveryStepCachedOrUnchanged()
    {
        const string Without = "[assembly: NinoDefaults(View = false)] " + Other;
        GeneratorRunResult result = RunTwice([Types, Without], [Types, Without.Replace("1;", "2;")]);
        Assert.All(result.TrackedSteps.Where(static step => step.Key is NinoGenerator.Steps.Generation or NinoGenerator.Steps.Types or NinoGenerator.Steps.Registrations).SelectMany(static step => step.Value).SelectMany(static run => run.Outputs),
            static output => Assert.True(output.Reason is IncrementalStepRunReason.Cached or IncrementalStepRunReason.Unchanged));
    }

    [Fact]
    public void EqualSourcesGiveEqualModels() => Assert.Equal(ModelOf(Types), ModelOf(Types));

    [Fact]
    public void EqualModelsHaveEqualHashCodes() => Assert.Equal(ModelOf(Types).GetHashCode(), ModelOf(Types).GetHashCode());

    [Theory]
    [InlineData("int Id", "long Id")]
    [InlineData("string Customer", "string Client")]
    [InlineData("[NinoInclude] private int _count", "[NinoMember(4)] private int _count")]
    [InlineData("sealed record Order", "record Order")]
    [InlineData("Box<int>", "Box<string>")]
    [InlineData("Range2?", "Range2")]
    [InlineData("private T? _value", "private T? _content")]
    [InlineData("[NinoOnSerialized]", "[NinoOnDeserialized]")]
    [InlineData("[NinoType(References = true)]", "[NinoType]")]
    [InlineData("private static Ring Make", "public static Ring Make")]
    [InlineData("[NinoConstructor] private static", "private static")]
    public void DifferentSourcesGiveDifferentModels(string old, string changed)
    {
        string edited = Types.Replace(old, changed).Replace("=> _value", changed.Contains("_content") ? "=> _content" : "=> _value");
        Assert.NotEqual(Types, edited);
        Assert.NotEqual(ModelOf(Types).Types, ModelOf(edited).Types);
    }

    [Fact]
    public void ModelsHoldNoSymbolsSyntaxOrLocations()
    {
        HashSet<Type> seen = [];
        Check(typeof(GenerationModel));
        Check(typeof(HiddenModel));
        Assert.Contains(typeof(MemberModel), seen);
        Assert.Contains(typeof(CaseModel), seen);
        Assert.Contains(typeof(CallbackModel), seen);

        void Check(Type type)
        {
            if (!seen.Add(type) || type.Namespace?.StartsWith("System", StringComparison.Ordinal) == true && !type.IsGenericType) return;
            Assert.False(typeof(ISymbol).IsAssignableFrom(type) || typeof(SyntaxNode).IsAssignableFrom(type) || typeof(SyntaxTree).IsAssignableFrom(type) || typeof(Location).IsAssignableFrom(type) || typeof(Compilation).IsAssignableFrom(type), $"A model holds a {type}.");
            foreach (Type argument in type.GetGenericArguments()) Check(argument);
            if (type.Namespace?.StartsWith("Store.", StringComparison.Ordinal) != true) return;
            foreach (System.Reflection.FieldInfo field in type.GetFields(System.Reflection.BindingFlags.Instance | System.Reflection.BindingFlags.NonPublic | System.Reflection.BindingFlags.Public)) Check(field.FieldType);
        }
    }

    [Theory]
    [InlineData("NinoUnion(1,", "NinoUnion(2,")]
    [InlineData("class Circle", "class Disc")]
    [InlineData("class Circle : Shape", "class Circle")]
    [InlineData("[NinoType(References = true)]", "[NinoType(SkipUnknownCases = true)]")]
    public void DifferentBasesGiveDifferentModels(string old, string changed)
    {
        string edited = Types.Replace(old, changed);
        Assert.NotEqual(Types, edited);
        Assert.NotEqual(ModelOf(Types).Unions, ModelOf(edited).Unions);
    }

    private static GenerationModel ModelOf(string source) =>
        GenerationParser.Parse(GeneratorHarness.Compile(source), new EquatableArray<string>(["Shop.Order", "Shop.Line", "Shop.Box`1", "Shop.Range2", "Shop.Shape", "Shop.Circle", "Shop.Disc", "Shop.Ring", "Shop.IEvent", "Shop.Sent"]), default, CancellationToken.None);

    private static GeneratorRunResult RunTwice(string[] first, string[] second)
    {
        CSharpCompilation compilation = GeneratorHarness.Compile(first);
        GeneratorDriver driver = GeneratorHarness.Driver().RunAbroad(compilation);
        Assert.Empty(driver.GetRunResult().Diagnostics);
        for (int i = 0; i < first.Length; i++)
        {
            if (first[i] != second[i]) compilation = compilation.ReplaceSyntaxTree(compilation.SyntaxTrees[i], GeneratorHarness.Parse(second[i], $"File{i}.cs"));
        }

        return Assert.Single(driver.RunAbroad(compilation).GetRunResult().Results);
    }
}
