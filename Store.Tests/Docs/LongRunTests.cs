using System.Text.RegularExpressions;

namespace Store.Tests.Docs;

/// <summary>The script of the long run against the tests that count.</summary>
public partial class LongRunTests
{
    [Fact]
    public void EveryTestThatCountsIsInTheLongRun()
    {
        string script = Repository.Read(".ci/full");
        string[] names = Kinds().Match(script).Groups[1].Value.Split(' ', StringSplitOptions.RemoveEmptyEntries);
        Assert.NotEmpty(names);
        int counted = 0;
        foreach (string file in Directory.EnumerateFiles(Path.Combine(Repository.Root, "Store.Tests"), "*Tests.cs", SearchOption.AllDirectories))
        {
            if (Path.GetFileName(file) == "LongRunTests.cs" || !File.ReadAllText(file).Contains("Effort.Tell(", StringComparison.Ordinal)) continue;
            string type = Path.GetFileNameWithoutExtension(file);
            Assert.True(names.Any(name => type.Contains(name, StringComparison.Ordinal)), $"{type} counts what it tries, and .ci/full does not name it.");
            counted++;
        }

        Assert.True(counted > 10);
    }

    [Fact]
    public void EveryNumberOfTheLongRunIsOneThatTheTestsTake()
    {
        string effort = Repository.Read("Store.Tests/Effort.cs");
        string[] set = [.. Number().Matches(Repository.Read(".ci/full")).Select(static m => m.Groups[1].Value).Distinct()];
        Assert.Contains("CRASH_STATES", set);
        Assert.All(set, name => Assert.Equal(1, effort.Split($"Number(\"{name}\"").Length - 1));
    }

    [GeneratedRegex("^kinds=\"([A-Za-z ]+)\"", RegexOptions.Multiline)]
    private static partial Regex Kinds();

    [GeneratedRegex(@"\b([A-Z_]+)=""\$\{\1:-")]
    private static partial Regex Number();
}
