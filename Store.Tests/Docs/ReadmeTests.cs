using System.Text.RegularExpressions;

namespace Store.Tests.Docs;

/// <summary>What the documents say is compiled, linked and there.</summary>
public partial class ReadmeTests
{
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

    /// <summary>What a page says that a test shows, a test of that name shows.</summary>
    [Theory]
    [InlineData("docs/durability.md", 100)]
    [InlineData("docs/key-value.md", 60)]
    [InlineData("docs/types.md", 80)]
    [InlineData("docs/models-of-others.md", 60)]
    [InlineData("docs/evolution.md", 60)]
    [InlineData("docs/reading.md", 25)]
    [InlineData("docs/state.md", 25)]
    [InlineData("docs/errors.md", 25)]
    [InlineData("docs/recovery.md", 12)]
    [InlineData("docs/formats/record.md", 10)]
    public void EveryTestThatAPageNamesExists(string page, int atLeast)
    {
        string tests = string.Join('\n', Directory.EnumerateFiles(Path.Combine(Repository.Root, "Store.Tests"), "*.cs", SearchOption.AllDirectories).Where(p => !p.Contains("/obj/", StringComparison.Ordinal)).Select(File.ReadAllText));
        HashSet<string> named = [.. TestName().Matches(Repository.Read(page)).Select(match => match.Groups[1].Value)];
        Assert.All(named, name => Assert.True(Regex.IsMatch(tests, $@"\b{name}\b"), $"{page} names '{name}', which is nowhere in the tests."));
        Assert.True(named.Count >= atLeast, $"{named.Count} names");
    }

    /// <summary>What a link names the headings of a page by, as the sites that show such pages make it.</summary>
    private static HashSet<string> Anchors(string page) =>
        [.. Heading().Matches(FencedCode().Replace(File.ReadAllText(page), "")).Select(static heading => NotInAnAnchor().Replace(heading.Groups[1].Value.ToLowerInvariant(), "").Replace(' ', '-'))];

    private static string Packed(string code) => string.Join('\n', code.Split('\n').Select(static line => line.Trim()).Where(static line => line.Length > 0));

    // A sentence in one word, or a class of tests; types of the product are shorter.
    [GeneratedRegex("`((?![A-Za-z]+Exception`)[A-Z][A-Za-z]{27,}|[A-Z][A-Za-z]+Tests)`")]
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
