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

    /// <summary>What setters, getters and constructors do is followed from each: one that starts anew for each member of a type, or for each type, would take the square.</summary>
    [Theory]
    [InlineData(40, 8, 1)]
    [InlineData(1, 20, 8)]
    public void NorDoesTheirCode(int types, int members, int moreMembers)
    {
        AllocatedFor(types, members);
        long small = AllocatedFor(types, members), large = AllocatedFor(moreMembers > 1 ? types : types * 8, members * moreMembers);
        Assert.True(large < small * 8 * 2, $"{types} types of {members} members took {small:N0} bytes, eight times as much of it {large:N0}: not more than 16 times as much is right.");
    }

    private static long AllocatedFor(int types, int members)
    {
        var source = new StringBuilder("public abstract class Base { public event Action<string>? Changed; protected void Raise(string name) => Changed?.Invoke(name); protected bool Set<T>(ref T field, T value) { if (EqualityComparer<T>.Default.Equals(field, value)) return false; field = value; return true; } }\n");
        for (int i = 0; i < types; i++)
        {
            source.Append($"[NinoType] public class T{i} : Base {{ public T{i}(int id) {{ Id = id; Clear(); }} public int Id {{ get; }} private string? _text; public string Text => _text ??= Made(); private string Made() => $\"{{Id}} {{M0}}\"; private void Clear() => _text = null;");
            for (int m = 0; m < members; m++)
            {
                source.Append($" private int _m{m}; public int M{m} {{ get => _m{m}; set {{ if (value < -1) throw new ArgumentException(); if (Set(ref _m{m}, value)) {{ Clear(); Raise(nameof(M{m})); Raise(nameof(Twice{m})); }} }} }} public int Twice{m} => 2 * M{m};");
                source.Append($" public List<int> L{m} => _l{m}; private readonly List<int> _l{m} = []; public IEnumerable<int> Even{m} => System.Linq.Enumerable.Where(L{m}, static one => one % 2 == 0);");
            }

            source.AppendLine(" }");
        }

        CSharpCompilation compilation = GeneratorHarness.Compile(source.ToString());
        long before = GC.GetAllocatedBytesForCurrentThread();
        Assert.Equal(types, Parse(compilation, types).Types.Count);
        return GC.GetAllocatedBytesForCurrentThread() - before;
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
