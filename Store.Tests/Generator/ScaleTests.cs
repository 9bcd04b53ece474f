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
        // Every type reaches all later ones through its chain: a parse that starts anew for each type would take the square. Allocation stands
        // for work, as time depends on what else the machine does.
        Allocated(50);
        long small = Allocated(50);
        long large = Allocated(400);
        Assert.True(large < small * 8 * 2, $"50 types took {small:N0} bytes, 400 took {large:N0}: eight times the types may not take more than 16 times as much.");
    }

    [Fact]
    public void AChainOfThousandsOfTypesDoesNotOverflowTheStack() =>
        Assert.Equal(2000, Parse(Chain(2000, "struct"), 2000).Types.Count);

    private static long Allocated(int count)
    {
        CSharpCompilation compilation = Chain(count, "class");
        long before = GC.GetAllocatedBytesForCurrentThread();
        Assert.Equal(count, Parse(compilation, count).Types.Count);
        return GC.GetAllocatedBytesForCurrentThread() - before;
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
