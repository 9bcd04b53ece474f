// SEED is the seed of a run that is to be repeated.

using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Store.Serialization.Generator.Model;
using Store.Serialization.Generator.Parser;
using Xunit.Abstractions;

namespace Store.Tests.Generator;

/// <summary>All marked types are parsed together, and not again where an edit is inside of a method of another file. What such an edit leaves out of a result would be a codec that is wrong until the next one.</summary>
public sealed class LastParseTests(ITestOutputHelper output)
{
    // What is stored, a base whose code is followed, and what else a program has.
    private static readonly string[] s_files =
    [
        """
        namespace Shop;
        [NinoType] public sealed class Order : Tracked { public int Id { get; set; } public string? Name { get; set { field = value; Touch(); } } public Line[]? Lines { get; set; } public State State { get; set; } public Order(int limit = Limits.Most) { Limit = limit; } public int Limit { get; } }
        public enum State { New, Done = 7 }
        [NinoType] public sealed record Line(int Count, decimal Price);
        """,
        """
        namespace Shop;
        public abstract class Tracked { public DateTime Modified { get; set; } protected void Touch() { if (Modified.Year > 1) Modified = DateTime.UtcNow; } public int Kept { get => field; set => field = value; } }
        """,
        """
        namespace Shop;
        public static class Limits { public const int Most = 5; public static int Other() { return 1; } }
        """,
        """
        namespace Shop;
        [NinoType] public abstract class Event { public int At { get; set; } }
        public static class Work { public static int Do(int by) { int sum = 0; for (int i = 0; i < by; i++) sum += i; return sum; } public static int Twice(int of) => 2 * of; public static readonly int Start = 1; }
        """,
        """
        namespace Shop;
        public static class View { public static string Of(Order order) { string text = "order " + order.Id; for (int i = 0; i < order.Limit; i++) { text += i * 2; if (text.Length > 100) break; } return text.Trim(); } private static void Nothing() { } }
        """,
    ];

    /// <summary>By the number of the file.</summary>
    [Theory]
    [InlineData(2, "return 1;", "return 2;")]
    [InlineData(4, "\"order \"", "\"Order \"")]
    [InlineData(4, "{ }", "{ int x = 1; _ = x; }")]
    [InlineData(4, "text.Trim();", "text.; x")]
    [InlineData(4, "public static string Of", "/* what it is called */ public static string Of")]
    [InlineData(4, "namespace Shop;", "\n\n// A comment.\nnamespace Shop;")]
    public void AnEditInsideOfAMethodOfAnotherFileParsesNothingAgain(int file, string before, string after) => Assert.Equal(1, Parses(file, before, after));

    [Theory]
    [InlineData(0, "int Id", "long Id")]
    [InlineData(0, "Touch();", "")]
    [InlineData(0, "int Id", " int Id")]
    [InlineData(1, "Modified = DateTime.UtcNow;", "")]
    [InlineData(1, "get => field; set => field = value;", "get => 1; set { }")]
    [InlineData(2, "Most = 5", "Most = 6")]
    [InlineData(0, "Done = 7", "Done = 8")]
    [InlineData(3, "sum += i", "sum -= i")]
    [InlineData(4, "private static void Nothing() { }", "private sealed class More : Event;")]
    [InlineData(4, "namespace Shop;", "[assembly: NinoDefaults(View = false)] namespace Shop;")]
    [InlineData(4, "namespace Shop;", "namespace Store;")]
    [InlineData(2, "Most = 5", "Most = 5 5")]
    public void AnyOtherDoes(int file, string before, string after) => Assert.Equal(2, Parses(file, before, after));

    /// <summary>Whether a struct has references is said by what is in it, however that lies there.</summary>
    [Theory]
    [InlineData("Inner? _one")]
    [InlineData("(int, Inner) _one")]
    [InlineData("KeyValuePair<Inner, int> _one")]
    [InlineData("Holder<int>.Of<Inner> _one")]
    public void SoDoesAnEditOfAStructInsideOfOneThatIsStored(string field) => Assert.Equal(2, Parses(6, "get => 0; set { }", "get => field; set => field = value;",
        $"namespace Shop; [NinoType] public struct Outer {{ public int Id; [NinoIgnore] private {field}; }} public class Holder<T> {{ public struct Of<U> {{ public U One; public T Two; }} }}",
        "namespace Shop; public struct Inner { public string? Text { get => null; set { } } public int X { get => 0; set { } } }"));

    [Fact]
    public void SoDoesAnythingButTheFilesThatIsOfTheProject()
    {
        CSharpCompilation first = GeneratorHarness.Compile(s_files);
        foreach (CSharpCompilation other in new[]
        {
            first.WithAssemblyName("Other"), first.AddReferences(GeneratorHarness.StoreReference), first.WithOptions(first.Options.WithOverflowChecks(false)), first.AddSyntaxTrees(GeneratorHarness.Parse("", "More.cs")),
            first.RemoveSyntaxTrees(first.SyntaxTrees[4]), first.ReplaceSyntaxTree(first.SyntaxTrees[4], first.SyntaxTrees[4].WithFilePath("Moved.cs")),
        })
        {
            int parses = 0;
            var last = new LastParse<int, int>();
            foreach (CSharpCompilation compilation in new[] { first, first, other, other }) last.Of(1, compilation, (_, _) => ++parses);
            Assert.Equal(2, parses);
        }

        int again = 0;
        var named = new LastParse<EquatableArray<string>, int>();
        foreach (string name in new[] { "A", "A", "B" }) named.Of(new EquatableArray<string>([name]), first, (_, _) => ++again);
        Assert.Equal(2, again);
    }

    [Fact]
    public void AParseThatWasGivenUpIsNoLastOne()
    {
        CSharpCompilation compilation = GeneratorHarness.Compile(s_files);
        var last = new LastParse<int, int>();
        Assert.Throws<OperationCanceledException>(() => last.Of(1, compilation, static (_, _) => throw new OperationCanceledException()));
        Assert.Equal(5, last.Of(1, compilation, static (_, _) => 5));
    }

    /// <summary>Whatever is typed, one character after the other and half written: the last result is taken only where a new parse makes the same.</summary>
    [Fact]
    public void AfterAnyEditsTheResultIsThatOfANewParse()
    {
        const int Edits = 400;
        int seed = Effort.Seed(20261130), parses = 0;
        var random = new Random(seed);
        var last = new LastParse<EquatableArray<string>, GenerationModel>();
        CSharpCompilation compilation = GeneratorHarness.Compile(s_files);
        for (int i = 0; i < Edits; i++)
        {
            GenerationModel model = last.Of(Marked(compilation), compilation, (names, of) =>
            {
                parses++;
                return Parse(of, names);
            });
            Assert.True(model.Equals(Parse(compilation, Marked(compilation))), $"SEED={seed}: after {i} edits the last parse was taken, and a new one makes something else.\n{string.Join("\n", compilation.SyntaxTrees)}");

            // Mostly in the file that has nothing of what is stored.
            int at = random.Next(2) == 0 ? compilation.SyntaxTrees.Length - 1 : random.Next(compilation.SyntaxTrees.Length);
            SyntaxTree tree = compilation.SyntaxTrees[at];
            // Back to the beginning now and then: else nothing is left of the program.
            string text = random.Next(2) == 0 ? GeneratorHarness.Usings + s_files[at] : Edited(tree.ToString(), random);
            compilation = compilation.ReplaceSyntaxTree(tree, CSharpSyntaxTree.ParseText(text, (CSharpParseOptions)tree.Options, tree.FilePath));
        }

        output.WriteLine($"SEED={seed}: {parses} of {Edits} were parsed");
        Assert.InRange(parses, Edits / 10, Edits * 9 / 10);
    }

    // A token of it is left out, doubled, exchanged for another one or one of its characters for another.
    private static string Edited(string text, Random random)
    {
        List<SyntaxToken> tokens = [.. CSharpSyntaxTree.ParseText(text).GetRoot().DescendantTokens().Where(static token => token.Span.Length > 0 && token.Parent?.FirstAncestorOrSelf<UsingDirectiveSyntax>() is null)];
        if (tokens.Count == 0) return text;
        SyntaxToken token = tokens[random.Next(tokens.Count)];
        string with = random.Next(4) switch
        {
            0 => "",
            1 => token.Text + " " + token.Text,
            2 => tokens[random.Next(tokens.Count)].Text,
            _ => token.Text[..^1] + (char)random.Next('0', 'z'),
        };
        return text[..token.SpanStart] + with + text[token.Span.End..];
    }

    private static int Parses(int file, string before, string after, params string[] more)
    {
        int parses = 0;
        var last = new LastParse<EquatableArray<string>, GenerationModel>();
        string[] files = [.. s_files, .. more];
        Assert.Contains(before, files[file], StringComparison.Ordinal);
        CSharpCompilation first = GeneratorHarness.Compile(files);
        SyntaxTree tree = first.SyntaxTrees[file];
        CSharpCompilation second = first.ReplaceSyntaxTree(tree, GeneratorHarness.Parse(files[file].Replace(before, after, StringComparison.Ordinal), tree.FilePath));
        foreach (CSharpCompilation compilation in new[] { first, second, second })
        {
            last.Of(Marked(compilation), compilation, (names, of) =>
            {
                parses++;
                return Parse(of, names);
            });
        }

        return parses;
    }

    private static GenerationModel Parse(Compilation compilation, EquatableArray<string> marked) => GenerationParser.Parse(compilation, marked, default, CancellationToken.None);

    private static EquatableArray<string> Marked(Compilation compilation) =>
        new(new[] { "Shop.Order", "Shop.Line", "Shop.Event", "Shop.Outer" }.Where(name => compilation.Assembly.GetTypeByMetadataName(name)?.GetAttributes().Any(static one => one.AttributeClass?.Name == "NinoTypeAttribute") == true));
}
