using System.Xml.Linq;

namespace Store.Tests.Bench;

/// <summary>Peers that take part only when the build names them: project, package versions, sources and page say the same, and nothing asks for their packages unasked.</summary>
public sealed class NamedPeerTests
{
    private const string Page = "docs/benchmarks/peers.md";

    private static readonly XDocument Project = XDocument.Parse(Repository.Read("Store.Bench/Store.Bench.csproj"));

    private static readonly Dictionary<string, string> Versions = PackagesOf("Benchmarks, named peers").ToDictionary(p => (string)p.Attribute("Include")!, p => (string)p.Attribute("Version")!);

    [Fact]
    public void EveryNamedPeerIsOneOfAllAndHasSourcesAndARowInThePage()
    {
        string[] names = [.. Groups().Select(group => group.Name).Order(StringComparer.Ordinal)];
        string all = (string)Project.Descendants("NamedPeers").First(p => ((string)p.Attribute("Condition")!).Contains("== 'all'", StringComparison.Ordinal));
        Assert.Equal(names, all.Split('+', StringSplitOptions.RemoveEmptyEntries).Order(StringComparer.Ordinal));
        Assert.Equal(names, Rows().Keys.Order(StringComparer.Ordinal));
        Assert.Equal(names, Directory.GetDirectories(Path.Combine(Repository.Root, "Store.Bench/Peers/All")).Select(p => Path.GetFileName(p)).Order(StringComparer.Ordinal));
        Assert.All(Groups(), group => Assert.Equal($"Peers/All/{group.Name}/*.cs", (string)group.Xml.Element("Compile")!.Attribute("Include")!));
    }

    [Fact]
    public void ThePageHasThePackageAndTheVersionThatAreRestored()
    {
        Dictionary<string, string[]> rows = Rows();
        foreach ((string name, XElement xml) in Groups())
        {
            // The first is the peer's own; what may follow is there for its sake.
            if ((string?)xml.Element("PackageReference")?.Attribute("Include") is { } package) Assert.Equal([package, Versions[package]], rows[name][1..3]);
            else Assert.Equal("", rows[name][2]);
        }
    }

    [Fact]
    public void ARestoreThatNamesNoPeerAsksForNoneOfTheirPackages()
    {
        IEnumerable<string> asked = Groups().SelectMany(group => group.Xml.Elements("PackageReference")).Select(r => (string)r.Attribute("Include")!);
        Assert.Equal(Versions.Keys.Order(StringComparer.Ordinal), asked.Order(StringComparer.Ordinal));

        IEnumerable<string> always = Project.Descendants("ItemGroup").Where(g => g.Attribute("Condition") is null).Elements("PackageReference").Select(r => (string)r.Attribute("Include")!);
        Assert.Empty(always.Intersect(Versions.Keys));
    }

    [Fact]
    public void TheTestsAskForNoneOfThemUnasked()
    {
        XDocument tests = XDocument.Parse(Repository.Read("Store.Tests/Store.Tests.csproj"));
        IEnumerable<string> always = tests.Descendants("ItemGroup").Where(g => g.Attribute("Condition") is null).Elements("PackageReference").Select(r => (string)r.Attribute("Include")!);
        Assert.Empty(always.Intersect(Versions.Keys));
    }

    private static IEnumerable<(string Name, XElement Xml)> Groups() => Project.Descendants("ItemGroup").Where(g => g.Attribute("Condition") is not null).Select(g => (((string)g.Attribute("Condition")!).Split('+')[1], g));

    private static Dictionary<string, string[]> Rows() => Repository.TableRows(Page).Where(cells => cells[0].StartsWith('`')).ToDictionary(cells => cells[0].Trim('`'));

    private static IEnumerable<XElement> PackagesOf(string label) => XDocument.Parse(Repository.Read("Directory.Packages.props")).Descendants("ItemGroup").Single(g => (string?)g.Attribute("Label") == label).Elements("PackageVersion");
}
