namespace Store.Tests.Evolution;

/// <summary>The tables of docs/evolution.md.</summary>
internal static class EvolutionPage
{
    public static IEnumerable<string[]> Table(string heading)
    {
        string[] lines = Repository.Read("docs/evolution.md").Split('\n');
        int start = Array.FindIndex(lines, line => line == "## " + heading);
        Assert.True(start >= 0, $"docs/evolution.md has no section '{heading}'.");
        string[][] rows = [.. lines.Skip(start + 1).TakeWhile(static line => !line.StartsWith("## ", StringComparison.Ordinal))
            .Where(static line => line.StartsWith('|')).Skip(2)
            .Select(static line => line.Trim('|', ' ').Split('|', StringSplitOptions.TrimEntries))];
        Assert.NotEmpty(rows);
        return rows;
    }
}
