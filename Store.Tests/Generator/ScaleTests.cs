using System.Diagnostics;
using System.Text;
using Microsoft.CodeAnalysis.CSharp;
using Store.Serialization.Generator.Model;
using Store.Serialization.Generator.Parser;

namespace Store.Tests.Generator;

public class ScaleTests
{
    [Fact]
    public void AParseIsLinearInTheNumberOfTypes()
    {
        // Every type reaches all later ones through its chain: a parse that starts anew for each type would take the square.
        Measure(50);
        double small = Measure(100);
        double large = Measure(800);
        Assert.True(large < small * 8 * 4, $"100 types took {small:0.0} ms, 800 took {large:0.0} ms: eight times the types may not take more than 32 times as long.");
    }

    [Fact]
    public void AChainOfThousandsOfTypesDoesNotOverflowTheStack() =>
        Assert.Equal(3000, Parse(Chain(3000, "struct"), 3000).Types.Count);

    private static double Measure(int count)
    {
        CSharpCompilation compilation = Chain(count, "class");
        double best = double.MaxValue;
        for (int run = 0; run < 3; run++)
        {
            long start = Stopwatch.GetTimestamp();
            Assert.Equal(count, Parse(compilation.Clone(), count).Types.Count);
            best = Math.Min(best, Stopwatch.GetElapsedTime(start).TotalMilliseconds);
        }

        return best;
    }

    private static GenerationModel Parse(CSharpCompilation compilation, int count) =>
        GenerationParser.Parse(compilation, new EquatableArray<string>(Enumerable.Range(0, count).Select(static i => $"T{i}")), default, CancellationToken.None);

    private static CSharpCompilation Chain(int count, string kind)
    {
        var source = new StringBuilder();
        for (int i = 0; i < count; i++)
        {
            source.Append($"[NinoType] public {kind} T{i} {{ public int Id {{ get; set; }} public string? Name {{ get; set; }} public DateTime At {{ get; set; }} ");
            if (i + 1 < count) source.Append($"public T{i + 1}{(kind == "class" ? "?" : "")} Next {{ get; set; }} public List<T{count - 1}>? List {{ get; set; }} ");
            source.AppendLine("}");
        }

        return GeneratorHarness.Compile(source.ToString());
    }
}
