using System.Text.RegularExpressions;

namespace Store.Tests.Docs;

/// <summary>Which files are edited together with a format? Its page says it, nobody else does, and everything that is named is there.</summary>
public partial class EditTogetherTests
{
    public static TheoryData<string> Pages => [.. Directory.EnumerateFiles(Path.Combine(Repository.Root, "docs/formats"), "*.md").Select(static path => "docs/formats/" + Path.GetFileName(path)).Order(StringComparer.Ordinal)];

    [Theory]
    [MemberData(nameof(Pages))]
    public void EveryFileThatAPageNamesIsThere(string page)
    {
        string[] named = Named(page);
        Assert.True(named.Length >= 4, $"{page} names {named.Length} files to edit together");
        Assert.Contains(named, static name => name.StartsWith("Store.Tests/", StringComparison.Ordinal));
        Resolve(page);
    }

    [Theory]
    [MemberData(nameof(Pages))]
    public void WhateverNamesAPageAsItsFormatIsOnItsList(string page)
    {
        (string Path, bool IsFolder)[] listed = Resolve(page);
        string[] sources = [.. Sources().Where(file => FormatPage().Matches(Repository.Read(file)).Any(m => m.Groups[1].Value == page))];
        Assert.NotEmpty(sources);
        Assert.All(sources, source => Assert.True(listed.Any(entry => entry.IsFolder ? source.StartsWith(entry.Path, StringComparison.Ordinal) : entry.Path == source), $"{source} says that its format is {page}, which does not list it"));
    }

    [Fact]
    public void TheListsAreOnThePagesOnly()
    {
        foreach (string file in Sources())
            Assert.False(Repository.Read(file).Contains("Edit together", StringComparison.OrdinalIgnoreCase), $"{file} has a list of files to edit together: it belongs on the format's page, where a test reads it");
    }

    [Fact]
    public void EverySourceThatLaysOutBytesNamesItsPage()
    {
        // A typed change is the one of ChangeFormat.cs; the tool formats for people.
        string[] formats = [.. Sources().Where(static file => file.EndsWith("Format.cs", StringComparison.Ordinal) && !file.EndsWith("/TypedChangeFormat.cs", StringComparison.Ordinal) && !file.StartsWith("tools/", StringComparison.Ordinal))];
        Assert.True(formats.Length >= 6);
        Assert.All(formats, static file => Assert.Matches(FormatPage(), Repository.Read(file)));
    }

    // The words in `code` of the paragraph that begins with the heading words.
    private static string[] Named(string page)
    {
        string text = Repository.Read(page);
        int start = text.IndexOf("dit together", StringComparison.Ordinal);
        Assert.True(start > 0, $"{page} does not list what is edited together");
        int end = text.IndexOf("\n\n", start, StringComparison.Ordinal);
        return [.. Code().Matches(text[start..end]).Select(static m => m.Groups[1].Value)];
    }

    // A path is from the root of the repository, or from the folder of the one before it or a folder around that. A pattern stands for its folder.
    private static (string Path, bool IsFolder)[] Resolve(string page)
    {
        List<(string, bool)> found = [];
        string folder = "";
        foreach (string name in Named(page))
        {
            bool isFolder = name.EndsWith('/') || name.EndsWith("/*", StringComparison.Ordinal) || name.EndsWith("/**", StringComparison.Ordinal);
            string wanted = isFolder ? name[..(name.LastIndexOf('/') + 1)] : name, path = wanted;
            for (string at = folder; !IsThere(path, isFolder) && at.Length > 0; at = at[..(at.TrimEnd('/').LastIndexOf('/') + 1)]) path = at + wanted;
            Assert.True(IsThere(path, isFolder), $"{page} lists '{name}', which is not there");
            found.Add((path, isFolder));
            folder = path[..(path.LastIndexOf('/') + 1)];
        }

        return [.. found];
    }

    private static bool IsThere(string path, bool isFolder)
    {
        string full = Path.Combine(Repository.Root, path);
        return isFolder ? Directory.Exists(full) && Directory.EnumerateFiles(full, "*.cs", SearchOption.AllDirectories).Any() : File.Exists(full);
    }

    private static IEnumerable<string> Sources() => new[] { "Store", "Store.Serialization", "Store.Serialization.Generator", "Store.Faster", "tools" }
        .SelectMany(static folder => Directory.EnumerateFiles(Path.Combine(Repository.Root, folder), "*.cs", SearchOption.AllDirectories))
        .Select(static path => Path.GetRelativePath(Repository.Root, path).Replace('\\', '/'))
        .Where(static path => !path.Contains("/obj/", StringComparison.Ordinal) && !path.Contains("/bin/", StringComparison.Ordinal));

    [GeneratedRegex("`([^`]+)`")]
    private static partial Regex Code();

    [GeneratedRegex(@"[Ff]ormat page: (docs/formats/[\w-]+\.md)")]
    private static partial Regex FormatPage();
}
