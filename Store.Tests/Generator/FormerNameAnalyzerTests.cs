using System.Collections.Immutable;
using Microsoft.CodeAnalysis;
using Store.Serialization.Generator.Analyzers;
using Store.Serialization.Generator.Diagnostics;
using Store.Tests.Log;

namespace Store.Tests.Generator;

/// <summary>Records carry full names: a former name that is none finds nothing, and no reader can tell it from one whose records are gone.</summary>
public sealed class FormerNameAnalyzerTests
{
    [Theory]
    [InlineData("[NinoType, NinoFormerName(‹\"Order\"›)] public record Purchase(int Id);", "Shop.Purchase", "Shop.Order")]
    [InlineData("[NinoType] [NinoFormerName(\"Shop.First\")] [NinoFormerName(‹nameof(Order)›)] public record Purchase(int Id); public class Order;", "Shop.Purchase", "Shop.Order")]
    [InlineData("[NinoFormerName(‹\"Kind\"›)] public enum Mood { Good }", "Shop.Mood", "Shop.Kind")]
    [InlineData("[NinoType, NinoFormerName(‹\"Box\"›)] public record Crate<T>(T Value);", "Shop.Crate<T>", "Shop.Box")]
    [InlineData("[NinoType, NinoFormerName(‹\"Shop.Box`1\"›)] public record Crate<T>(T Value);", "Shop.Crate<T>", "Shop.Box")]
    [InlineData("[NinoType, NinoFormerName(‹\"Box<Shop.Purchase>\"›)] public record Crate(int Id);", "Shop.Crate", "Shop.Box<Shop.Purchase>")]
    [InlineData("public static class Events { [NinoType, NinoFormerName(‹\"Opened\"›)] public record Begun(int Id); }", "Shop.Events.Begun", "Shop.Events+Opened")]
    [InlineData("public static class Events { [NinoType, NinoFormerName(‹\"Acts+Opened\"›)] public record Begun(int Id); }", "Shop.Events.Begun", "Shop.Acts+Opened")]
    [InlineData("public static class Events { [NinoType, NinoFormerName(‹\"Shop.Events.Opened\"›)] public record Begun(int Id); }", "Shop.Events.Begun", "Shop.Events+Opened")]
    [InlineData("public static class Events { public static class Inner { [NinoType, NinoFormerName(‹\"Shop.Events.Inner.Opened\"›)] public record Begun(int Id); } }", "Shop.Events.Inner.Begun", "Shop.Events+Inner+Opened")]
    [InlineData("public static class Events { public static class Inner { [NinoType, NinoFormerName(‹\"Shop.Events.Opened<System.Int32>\"›)] public record Begun(int Id); } }", "Shop.Events.Inner.Begun", "Shop.Events+Opened<System.Int32>")]
    [InlineData("[NinoType(Name = \"order\")] public class Purchase { [NinoType, NinoFormerName(‹\"Shop.Purchase.Row\"›)] public record Line(int Id); public Line? L; }", "Shop.Purchase.Line", "Shop.Purchase+Row")]
    [InlineData("[NinoType(Name = \"order\")] public class Purchase { [NinoType, NinoFormerName(‹\"order.Row\"›)] public record Line(int Id); public Line? L; }", "Shop.Purchase.Line", "order+Row")]
    [InlineData("[NinoType(Name = \"order\")] public class Purchase { [NinoType, NinoFormerName(‹\"Row\"›)] public record Line(int Id); public Line? L; }", "Shop.Purchase.Line", "order+Row")]
    [InlineData("[NinoType(Name = \"shop.purchase\"), NinoFormerName(‹\"Order\"›)] public record Purchase(int Id);", "Shop.Purchase", "Shop.Order")]
    public async Task AFormerNameThatIsNoFullNameIsReportedWhereItStands(string types, string type, string full)
    {
        string source = $"namespace Shop {{ {types} }}";
        Diagnostic diagnostic = Assert.Single(await DiagnoseAsync(source.Replace("‹", "").Replace("›", "")));
        Assert.Equal((NinoDiagnostics.FormerNameNotFull.Id, DiagnosticSeverity.Warning), (diagnostic.Id, diagnostic.DefaultSeverity));
        foreach (string part in new[] { $"of the type '{type}'", $"write the one that the type had, '{full}' if" }) Assert.Contains(part, diagnostic.GetMessage());
        AnalyzedProgram.AssertPlace(source, diagnostic);
    }

    [Theory]
    [InlineData("[NinoType, NinoFormerName(\"Order\")] public record Purchase(int Id);")]
    [InlineData("namespace Shop { [NinoType, NinoFormerName(\"Shop.Order\"), NinoFormerName(\"Old.Shop.Order+Line\")] public record Purchase(int Id); }")]
    [InlineData("namespace Shop { [NinoType, NinoFormerName(\"Shop.Box<System.Int32>\")] public record Crate(int Id); }")]
    [InlineData("namespace Shop { [NinoType(Name = \"purchase\"), NinoFormerName(\"order\")] public record Purchase(int Id); }")]
    [InlineData("namespace Shop { [NinoType(Name = \"purchase\")] public class Purchase { public Line? L; [NinoType, NinoFormerName(\"order+Line\")] public record Line(int Id); } }")]
    [InlineData("namespace Shop { [NinoType(Name = \"purchase\")] public class Purchase { public Line? L; [NinoType(Name = \"line\"), NinoFormerName(\"row\")] public record Line(int Id); } }")]
    [InlineData("namespace Shop { [NinoType(Name = \"Shop\")] public class Purchase { public Line? L; [NinoType, NinoFormerName(\"Shop.Row\")] public record Line(int Id); } }")]
    [InlineData("namespace Shop { [NinoType] public class Purchase { [NinoFormerName(\"Number\")] public int Id; } }")]
    [InlineData("namespace Shop { [NinoType, NinoFormerName(\"\"), NinoFormerName(null!)] public record Purchase(int Id); }")]
    public async Task ANameThatRecordsMayHaveIsNotReported(string source) => Assert.Empty(await DiagnoseAsync(source));

    [Fact]
    public async Task AFormerNameWithoutItsNamespaceFindsNothingAndIsReported()
    {
        const string Types = """
            namespace Shop
            {
                [NinoType] public record Order(int Id);
                [NinoType, NinoFormerName("Order")] public record Short(int Id);
            #pragma warning disable NINO021
                [NinoType, NinoFormerName("Shop.Order")] public record Full(int Id);
            }
            """;
        Assert.Equal("Order", Types.Substring(Assert.Single(await DiagnoseAsync(Types)).Location.SourceSpan.Start - GeneratorHarness.Usings.Length + 1, 5));
        using var folder = new TemporaryFolder();
        Programs.RunWith([("Library", "public static class Nothing;", 0)], Types, $$"""
            using Store.NinoStore store = Store.NinoStore.Open(@"{{folder["store"]}}");
            store.Append(Copy(new Shop.Order(5)));
            Equal(5, System.Linq.Enumerable.Single(store.Read<Shop.Full>()).Value.Id);
            Equal(0, System.Linq.Enumerable.Count(store.Read<Shop.Short>()));
            """);
    }

    private static Task<ImmutableArray<Diagnostic>> DiagnoseAsync(string source) => AnalyzedProgram.DiagnoseAsync(source, new FormerNameAnalyzer());
}
