using System.Xml.Linq;

namespace Store.Tests.Docs;

/// <summary>The arrows between projects are those of ARCHITECTURE.md, and the rules that keep areas apart hold in the sources.</summary>
public class ArchitectureTests
{
    private static readonly string[] Engine = ["Store.Serialization"];
    private static readonly string[] Everything = ["Store", "Store.Serialization", "Store.Serialization.Generator", "Store.Serialization.CodeFixes", "Store.Faster", "Store.Conformance", "inspect", "Quickstart", "EventSourcing", "OwnEngine", "Store.Bench", "Store.Tests.FSharp"];

    public static TheoryData<string, string[], string[]> Projects => new()
    {
        { "Store.Serialization/Store.Serialization.csproj", [], [] },
        { "Store.Serialization.Generator/Store.Serialization.Generator.csproj", [], ["Microsoft.CodeAnalysis.CSharp", "Microsoft.CodeAnalysis.Analyzers"] },
        { "Store.Serialization.CodeFixes/Store.Serialization.CodeFixes.csproj", [], ["Microsoft.CodeAnalysis.CSharp.Workspaces", "Microsoft.CodeAnalysis.Analyzers"] },
        { "Store/Store.csproj", Engine, ["Microsoft.Extensions.ObjectPool", "Microsoft.Extensions.Logging.Abstractions"] },
        { "Store.Faster/Store.Faster.csproj", ["Store"], ["Microsoft.FASTER.Core"] },
        { "Store.Conformance/Store.Conformance.csproj", ["Store"], [] },
        { "tools/inspect/inspect.csproj", ["Store"], ["System.CommandLine", "Spectre.Console"] },
        { "samples/EventSourcing/EventSourcing.csproj", ["Store"], [] },
        { "samples/OwnEngine/OwnEngine.csproj", ["Store", "Store.Conformance"], [] },
        { "samples/Quickstart/Quickstart.csproj", ["Store"], ["Spectre.Console"] },
        { "Store.TrimTest/Store.TrimTest.csproj", ["Store", "Store.Tests.FSharp"], [] },
        { "Store.Fuzz/Store.Fuzz.csproj", ["Store", "Store.Faster"], ["SharpFuzz", "dnlib", "xunit.assert"] },
        { "Store.Tests/Store.Tests.csproj", Everything, null! },
        { "Store.Tests.FSharp/Store.Tests.FSharp.fsproj", Engine, ["FSharp.Core"] },
        { "Store.Bench/Store.Bench.csproj", ["Store", "Store.Faster", "Store.Serialization", "inspect"], null! },
    };

    [Theory]
    [MemberData(nameof(Projects))]
    public void AProjectReferencesOnlyWhatItMay(string project, string[] projects, string[]? packages)
    {
        XDocument xml = XDocument.Parse(Repository.Read(project));
        // Reference to the generator: as an analyzer, or only so that it is built before it is packed.
        IEnumerable<string> referenced = xml.Descendants("ProjectReference")
            .Where(r => (string?)r.Attribute("OutputItemType") != "Analyzer" && (string?)r.Attribute("ReferenceOutputAssembly") != "false")
            .Select(r => Path.GetFileNameWithoutExtension(((string)r.Attribute("Include")!).Replace('\\', '/')));
        Assert.Empty(referenced.Except(projects));
        if (packages is not null) Assert.Empty(xml.Descendants("PackageReference").Select(r => (string)r.Attribute("Include")!).Except(packages));
    }

    [Fact]
    public void EveryProjectOfTheRepositoryIsInTheTableAboveAndInTheSolution()
    {
        string[] found = [.. Directory.EnumerateFiles(Repository.Root, "*.*sproj", SearchOption.AllDirectories).Select(p => Path.GetRelativePath(Repository.Root, p).Replace('\\', '/')).Where(p => !p.Contains("/bin/", StringComparison.Ordinal) && !p.Contains("/obj/", StringComparison.Ordinal)).Order(StringComparer.Ordinal)];
        string solution = Repository.Read("NinoStore.slnx");

        Assert.Equal(Projects.Select(row => (string)row[0]).Order(StringComparer.Ordinal), found);
        Assert.All(found, project => Assert.Contains(project, solution, StringComparison.Ordinal));
    }

    [Theory]
    [InlineData("FASTER.core", "Store.Faster", "FASTER is named in one project, so that another engine can stand beside it")]
    [InlineData("RandomAccess.", "Store/IO", "only Store/IO touches files, so that the code that is tested is the code that runs")]
    [InlineData(" File.Open", "Store/IO", "only Store/IO touches files")]
    [InlineData("DateTime.Now", "", "time comes from the TimeProvider of the options")]
    [InlineData("DateTime.UtcNow", "Store/Reading", "time comes from the TimeProvider of the options; only a reader compares a file's age with the clock that stamped it")]
    [InlineData("Debug.Assert", "Store.Serialization/Buffers", "an assertion that vanishes in Release guards no disk data")]
    public void AWordStaysWhereItBelongs(string word, string area, string why)
    {
        foreach (string file in Sources("Store", "Store.Serialization", "Store.Faster", "tools"))
        {
            if (area.Length > 0 && file.StartsWith(area + "/", StringComparison.Ordinal)) continue;
            Assert.False(Code(file).Contains(word, StringComparison.Ordinal), $"{file} has '{word}': {why}.");
        }
    }

    [Fact]
    public void NoCatchHidesAnything()
    {
        foreach (string file in Sources("Store", "Store.Serialization", "Store.Serialization.Generator", "Store.Faster", "tools", "samples", "Store.Bench"))
        {
            string packed = string.Concat(Code(file).Where(c => !char.IsWhiteSpace(c)));
            Assert.False(packed.Contains("catch{}", StringComparison.Ordinal), $"{file} has an empty catch.");
        }
    }

    [Fact]
    public void EveryTopLevelFolderIsOnTheMap()
    {
        string map = Repository.Read("ARCHITECTURE.md");
        foreach (string folder in Directory.GetDirectories(Repository.Root).Select(Path.GetFileName).OfType<string>().Where(f => !f.StartsWith('.') && f is not ("TestResults" or "artifacts" or "quickstart-data" or "event-sourcing-data" or "BenchmarkDotNet.Artifacts")))
            Assert.Contains(folder, map, StringComparison.Ordinal);
    }

    private static IEnumerable<string> Sources(params string[] folders) => folders
        .SelectMany(folder => Directory.EnumerateFiles(Path.Combine(Repository.Root, folder), "*.cs", SearchOption.AllDirectories))
        .Select(path => Path.GetRelativePath(Repository.Root, path).Replace('\\', '/'))
        .Where(path => !path.Contains("/obj/", StringComparison.Ordinal) && !path.Contains("/bin/", StringComparison.Ordinal));

    // Without comment lines: they may name what the code may not.
    private static string Code(string file) => string.Join('\n', Repository.Read(file).Split('\n').Where(line => !line.TrimStart().StartsWith("//", StringComparison.Ordinal)));
}
