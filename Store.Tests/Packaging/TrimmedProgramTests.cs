using System.Text.RegularExpressions;
using Store.Tests.Log;
using Store.Tests.Types;
using Xunit.Abstractions;

namespace Store.Tests.Packaging;

/// <summary>A program published self-contained and trimmed, with code at run time switched off, still stores every family of types and keeps a store.</summary>
[Collection("publishes the program")]
public sealed partial class TrimmedProgramTests(ITestOutputHelper output)
{
    // Outside the folders of the other builds, which may run at the same time, and kept: the second time publishing takes seconds. NativeAotTests publishes what is built here.
    private const string Artifacts = "artifacts/published";

    [Fact]
    public void ATrimmedProgramWithoutDynamicCodeStoresEveryFamilyOfTypes()
    {
        var dotnet = new DotnetCommand(output);
        string published = Path.Combine(Repository.Root, Artifacts, "trimmed");
        // Warnings of the trimmer are errors: publishing fails on the first. Those of the AOT analyzer, and of the others, are errors of the build that these tests are of.
        dotnet.Run(Repository.Root, "publish", "Store.TrimTest", "-c", DotnetCommand.Configuration, "--use-current-runtime", "--self-contained", "--artifacts-path", Artifacts, $"-p:PublishDir={published}{Path.DirectorySeparatorChar}", "-p:RunAnalyzers=false", "-v", "quiet", "-nologo");

        using var folder = new TemporaryFolder();
        string printed = dotnet.RunProgram(Path.Combine(published, OperatingSystem.IsWindows() ? "Store.TrimTest.exe" : "Store.TrimTest"), published, folder["data"]);

        Match counts = Counts().Match(printed);
        Assert.True(counts.Success, printed);
        Assert.Equal("0", counts.Groups[2].Value);
        Assert.InRange(int.Parse(counts.Groups[1].Value, System.Globalization.CultureInfo.InvariantCulture), 300, int.MaxValue);
        EveryRowTests.RanAll(printed);

        // Only what the program uses is left of the framework.
        long ours = Bytes(published, "NinoStore*.dll"), all = Bytes(published, "*") - Bytes(published, "*.pdb");
        output.WriteLine($"trimmed program: {all / 1e6:F1} MB, of which the store and the serializer {ours / 1e6:F2} MB");
        Assert.False(File.Exists(Path.Combine(published, "System.Private.Xml.dll")));
        Assert.InRange(ours, 1, new FileInfo(typeof(NinoStore).Assembly.Location).Length + new FileInfo(typeof(Store.Serialization.NinoSerializer).Assembly.Location).Length - 1);
    }

    private static long Bytes(string folder, string pattern) => Directory.EnumerateFiles(folder, pattern).Sum(static file => new FileInfo(file).Length);

    [GeneratedRegex("([0-9]+) checks passed, ([0-9]+) failed")]
    private static partial Regex Counts();
}
