using System.Text.RegularExpressions;

namespace Store.Tests.Docs;

/// <summary>What the documents say is compiled, linked and there.</summary>
public partial class ReadmeTests
{
    [Fact]
    public void EveryCodeBlockOfTheReadmeIsCompiledCodeOfTheTests()
    {
        string compiled = Packed(Repository.Read("Store.Tests/Docs/ReadmeSnippets.cs"));
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
    public void EveryLinkBetweenDocumentsLeadsToAFile()
    {
        foreach (string page in Directory.EnumerateFiles(Repository.Root, "*.md", SearchOption.AllDirectories).Where(p => !p.Contains("/bin/", StringComparison.Ordinal) && !p.Contains("/obj/", StringComparison.Ordinal)))
        {
            foreach (Match link in Link().Matches(File.ReadAllText(page)))
            {
                string target = link.Groups[1].Value.Split('#')[0];
                if (target.Length == 0 || target.Contains("://", StringComparison.Ordinal)) continue;
                Assert.True(Path.Exists(Path.Combine(Path.GetDirectoryName(page)!, target)), $"{Path.GetRelativePath(Repository.Root, page)} links to {target}, which is not there.");
            }
        }
    }

    private static string Packed(string code) => string.Join('\n', code.Split('\n').Select(static line => line.Trim()).Where(static line => line.Length > 0));

    [GeneratedRegex("```csharp\n(.*?)```", RegexOptions.Singleline)]
    private static partial Regex CodeBlock();

    [GeneratedRegex(@"\]\(([^)\s]+)\)")]
    private static partial Regex Link();
}
