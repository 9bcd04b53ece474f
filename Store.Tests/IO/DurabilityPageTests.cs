using System.Text.RegularExpressions;

namespace Store.Tests.IO;

/// <summary>docs/durability.md names a test for what it promises. Every one of them exists.</summary>
public partial class DurabilityPageTests
{
    [Fact]
    public void EveryTestThePageNamesExists()
    {
        var tests = typeof(DurabilityPageTests).Assembly.GetTypes()
            .SelectMany(type => type.GetMethods().Where(m => m.IsDefined(typeof(FactAttribute), inherit: true)).Select(m => m.Name).Append(type.Name)).ToHashSet();
        var named = TestName().Matches(Repository.Read("docs/durability.md")).Select(m => m.Groups[1].Value).Distinct().ToList();
        Assert.True(named.Count >= 12, $"only {named.Count} names were found");
        Assert.DoesNotContain(named, name => !tests.Contains(name));
    }

    [Fact]
    public void EveryLevelHasARow() =>
        Assert.Superset(Enum.GetNames<Durability>().Select(n => $"`Durability.{n}`").ToHashSet(), Repository.TableRows("docs/durability.md").Select(cells => cells[0].Split(" (")[0]).ToHashSet());

    // A test's name is five words or more, or ends in Tests.
    [GeneratedRegex("`((?:[A-Z][a-z0-9]*){5,}|[A-Za-z]+Tests)`")]
    private static partial Regex TestName();
}
