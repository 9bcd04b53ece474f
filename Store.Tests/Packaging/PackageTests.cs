using System.IO.Compression;
using System.Xml.Linq;
using Store.Tests.Log;
using Xunit.Abstractions;

namespace Store.Tests.Packaging;

/// <summary>The packages, used as a stranger would: a project outside the repository with one PackageReference.</summary>
public class PackageTests(PackedPackages packed, ITestOutputHelper output) : IClassFixture<PackedPackages>
{
    private const string Program = """
        using Store;
        using Store.Serialization;

        using (NinoStore store = NinoStore.Open(args[0]))
            store.Append(new Reading(7, "kitchen", 21.5));
        using (NinoStore store = NinoStore.Open(args[0]))
            foreach (LogRecord<Reading> record in store.Read<Reading>())
                Console.WriteLine($"{record.Sequence} {record.Value.Room} {record.Value.Celsius}");

        [NinoType]
        public partial record Reading(int Id, string Room, double Celsius);
        """;

    [Fact]
    public void OnePackageReferenceBringsTheStoreAndTheGenerator()
    {
        var dotnet = new DotnetCommand(output);
        using var folder = new TemporaryFolder();
        string packages = packed.Folder(output);
        Assert.Single(Directory.GetFiles(packages, "NinoStore.0*.nupkg"));
        using (ZipArchive engine = ZipFile.OpenRead(Assert.Single(Directory.GetFiles(packages, "NinoStore.Serialization.0*.nupkg"))))
        {
            // What the description of each diagnostic names.
            foreach (Microsoft.CodeAnalysis.DiagnosticDescriptor descriptor in Store.Serialization.Generator.Diagnostics.NinoDiagnostics.All) Assert.NotNull(engine.GetEntry($"docs/diagnostics/{descriptor.Id}.md"));
            Assert.Equal(["NinoStore.Serialization.CodeFixes.dll", "NinoStore.Serialization.Generator.dll"], engine.Entries.Where(static entry => entry.FullName.StartsWith("analyzers/dotnet/cs/", StringComparison.Ordinal)).Select(static entry => entry.Name).Order());
        }

        string version = Version();
        Directory.CreateDirectory(folder["stranger"]);
        File.WriteAllText(folder["stranger/Program.cs"], Program);
        // A package folder of its own: the packages under test must not come from, or stay in, the user's cache. Everything else may come from there.
        File.WriteAllText(folder["stranger/stranger.csproj"], $"""
            <Project Sdk="Microsoft.NET.Sdk">
              <PropertyGroup>
                <OutputType>Exe</OutputType>
                <TargetFramework>net10.0</TargetFramework>
                <Nullable>enable</Nullable>
                <ImplicitUsings>enable</ImplicitUsings>
                <TreatWarningsAsErrors>true</TreatWarningsAsErrors>
                <RestorePackagesPath>{folder["restored"]}</RestorePackagesPath>
                <RestoreFallbackFolders>{GlobalPackages()}</RestoreFallbackFolders>
                <RestoreAdditionalProjectSources>{packages}</RestoreAdditionalProjectSources>
              </PropertyGroup>
              <ItemGroup>
                <PackageReference Include="NinoStore" Version="{version}" />
              </ItemGroup>
            </Project>
            """);

        string printed = dotnet.Run(folder["stranger"], "run", "-c", "Release", "--", folder["data"]);

        Assert.EndsWith("1 kitchen 21.5", printed.Trim(), StringComparison.Ordinal);
    }

    /// <summary>Nothing is released: whoever takes one asks for a prerelease.</summary>
    [Fact]
    public void EveryPackageThatTheReadmeNamesIsMadeAndIsAPrerelease()
    {
        string readme = Repository.Read("README.md"), packages = packed.Folder(output);
        string[] names = ["NinoStore", "NinoStore.Conformance", "NinoStore.Faster", "NinoStore.Inspect", "NinoStore.Serialization"];
        Assert.Equal(names, Directory.GetFiles(packages, "*.nupkg").Select(file => Path.GetFileName(file).Replace($".{Version()}.nupkg", "", StringComparison.Ordinal)).Order(StringComparer.Ordinal));
        foreach (string package in names)
        {
            Assert.Contains($"| `{package}` |", readme, StringComparison.Ordinal);
            using ZipArchive archive = ZipFile.OpenRead(Path.Combine(packages, $"{package}.{Version()}.nupkg"));
            using Stream nuspec = archive.Entries.Single(static entry => entry.FullName.EndsWith(".nuspec", StringComparison.Ordinal)).Open();
            string[] tags = XDocument.Load(nuspec).Descendants().Single(static element => element.Name.LocalName == "tags").Value.Split(' ');
            Assert.Contains("append-only", tags);
            Assert.Contains(archive.Entries, static entry => entry.FullName == "README.md");
            if (package == "NinoStore.Inspect") Assert.Contains(archive.Entries, static entry => entry.FullName.StartsWith("tools/", StringComparison.Ordinal) && entry.Name == "inspect.dll");
        }

        Assert.Contains('-', Version());
    }

    private static string Version()
    {
        XDocument properties = XDocument.Parse(Repository.Read("Directory.Build.props"));
        return $"{properties.Descendants("VersionPrefix").Single().Value}-{properties.Descendants("VersionSuffix").Single().Value}";
    }

    internal static string GlobalPackages() =>
        Environment.GetEnvironmentVariable("NUGET_PACKAGES") ?? Path.Combine(Environment.GetFolderPath(Environment.SpecialFolder.UserProfile), ".nuget", "packages");
}

/// <summary>All packages of the repository, packed once for all tests: by one run of the SDK, which takes as long as one for each of two projects.</summary>
public sealed class PackedPackages : IDisposable
{
    private readonly TemporaryFolder _folder = new();
    private string? _packed;

    internal string Folder(ITestOutputHelper output)
    {
        if (_packed is not null) return _packed;
        new DotnetCommand(output).Run(Repository.Root, "pack", "NinoStore.slnx", "-c", DotnetCommand.Configuration, "--no-build", "-o", _folder["packages"]);
        return _packed = _folder["packages"];
    }

    public void Dispose() => _folder.Dispose();
}
