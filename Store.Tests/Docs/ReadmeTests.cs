using System.Text.RegularExpressions;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Store.Tests.Docs;

/// <summary>What the documents say is compiled, linked and there.</summary>
public partial class ReadmeTests
{
    /// <summary>The methods that are run as tests, and the classes of tests: what is declared, not what is mentioned in a comment, a string or a call.</summary>
    private static readonly Lazy<HashSet<string>> Tests = new(static () => [.. Directory.EnumerateFiles(Path.Combine(Repository.Root, "Store.Tests"), "*.cs", SearchOption.AllDirectories)
        .Where(static path => !path.Contains("/obj/", StringComparison.Ordinal) && !path.Contains("/bin/", StringComparison.Ordinal))
        .SelectMany(static path => CSharpSyntaxTree.ParseText(File.ReadAllText(path)).GetRoot().DescendantNodes(static node => node is CompilationUnitSyntax or BaseNamespaceDeclarationSyntax or TypeDeclarationSyntax))
        .Select(static node => node is MethodDeclarationSyntax method && IsTest(method) ? method.Identifier.Text : node is ClassDeclarationSyntax type && type.Identifier.Text.EndsWith("Tests", StringComparison.Ordinal) ? type.Identifier.Text : "")]);

    [Fact]
    public void EveryCodeBlockOfTheReadmeIsCompiledCodeOfTheTests()
    {
        // What is in front of a program, and which packages it takes, PackageTests compiles as a stranger does.
        string compiled = Packed(Repository.Read("Store.Tests/Docs/ReadmeSnippets.cs")) + Packed(Repository.Read("Store.Tests/Packaging/PackageTests.cs"));
        MatchCollection blocks = CodeBlock().Matches(Repository.Read("README.md"));
        Assert.True(blocks.Count >= 6);
        foreach (Match block in blocks)
        {
            // A block may show the parts of a method that matter: each of its paragraphs is there as it stands.
            foreach (string part in block.Groups[1].Value.Split("\n\n", StringSplitOptions.RemoveEmptyEntries))
                Assert.Contains(Packed(part), compiled, StringComparison.Ordinal);
        }
    }

    [Fact]
    public void EveryLinkBetweenDocumentsLeadsToAFileAndAHeadingOfIt()
    {
        foreach (string page in Directory.EnumerateFiles(Repository.Root, "*.md", SearchOption.AllDirectories).Where(p => !p.Contains("/bin/", StringComparison.Ordinal) && !p.Contains("/obj/", StringComparison.Ordinal)))
        {
            foreach (Match link in Link().Matches(File.ReadAllText(page)))
            {
                string target = link.Groups[1].Value;
                if (target.Contains("://", StringComparison.Ordinal)) continue;
                string[] parts = target.Split('#');
                string file = parts[0].Length == 0 ? page : Path.Combine(Path.GetDirectoryName(page)!, parts[0]);
                Assert.True(Path.Exists(file), $"{Path.GetRelativePath(Repository.Root, page)} links to {target}, which is not there.");
                if (parts.Length > 1) Assert.True(Anchors(file).Contains(parts[1]), $"{Path.GetRelativePath(Repository.Root, page)} links to {target}, which is no heading there.");
            }
        }
    }

    public static TheoryData<string> Pages => ["README.md", "ARCHITECTURE.md", .. Directory.EnumerateFiles(Path.Combine(Repository.Root, "docs"), "*.md", SearchOption.AllDirectories).Select(static path => Path.GetRelativePath(Repository.Root, path).Replace('\\', '/')).Order(StringComparer.Ordinal)];

    /// <summary>What a page says that a test shows, a test of that name shows.</summary>
    [Theory]
    [MemberData(nameof(Pages))]
    public void EveryTestThatAPageNamesExists(string page) => Assert.All(NamedBy(page), name => Assert.True(Tests.Value.Contains(name), $"{page} names '{name}', which is no test."));

    /// <summary>Those that promise most say with which tests.</summary>
    [Theory]
    [InlineData("docs/durability.md", 100)]
    [InlineData("docs/key-value.md", 60)]
    [InlineData("docs/types.md", 140)]
    [InlineData("docs/models-of-others.md", 60)]
    [InlineData("docs/evolution.md", 60)]
    [InlineData("docs/reading.md", 25)]
    [InlineData("docs/state.md", 25)]
    [InlineData("docs/errors.md", 25)]
    [InlineData("docs/recovery.md", 12)]
    [InlineData("docs/formats/record.md", 10)]
    public void APageThatPromisesMuchNamesItsTests(string page, int atLeast)
    {
        int named = NamedBy(page).Count;
        Assert.True(named >= atLeast, $"{named} names");
    }

    private static HashSet<string> NamedBy(string page) => [.. TestName().Matches(Repository.Read(page)).Select(static match => match.Groups[1].Value)];

    private static bool IsTest(MethodDeclarationSyntax method) =>
        method.AttributeLists.SelectMany(static list => list.Attributes).Any(static attribute => attribute.Name.ToString() is string name && (name.EndsWith("Fact", StringComparison.Ordinal) || name.EndsWith("Theory", StringComparison.Ordinal)));

    /// <summary>What a link names the headings of a page by, as the sites that show such pages make it.</summary>
    private static HashSet<string> Anchors(string page) =>
        [.. Heading().Matches(FencedCode().Replace(File.ReadAllText(page), "")).Select(static heading => NotInAnAnchor().Replace(heading.Groups[1].Value.ToLowerInvariant(), "").Replace(' ', '-'))];

    private static string Packed(string code) => string.Join('\n', code.Split('\n').Select(static line => line.Trim()).Where(static line => line.Length > 0));

    // A sentence in one word, of many letters or of five words, or a class of tests; types of the product are shorter. What others call so long stands with its type or as XML; interfaces and exceptions are none.
    [GeneratedRegex("`((?![A-Za-z]+Exception`|I[A-Z])(?:[A-Z][A-Za-z]{27,}|A?(?:[A-Z][a-z]+A?){5,})|[A-Z][A-Za-z]+Tests)`")]
    private static partial Regex TestName();

    [GeneratedRegex("```csharp\n(.*?)```", RegexOptions.Singleline)]
    private static partial Regex CodeBlock();

    [GeneratedRegex("^#+ (.*)$", RegexOptions.Multiline)]
    private static partial Regex Heading();

    [GeneratedRegex("^```.*?^```", RegexOptions.Singleline | RegexOptions.Multiline)]
    private static partial Regex FencedCode();

    [GeneratedRegex(@"[^\w\- ]")]
    private static partial Regex NotInAnAnchor();

    [GeneratedRegex(@"\]\(([^)\s]+)\)")]
    private static partial Regex Link();
}
