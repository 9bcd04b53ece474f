using System.Globalization;
using System.Text.RegularExpressions;
using Store.Tests.Types;
using Xunit.Abstractions;

namespace Store.Tests.Packaging;

/// <summary>
/// The program of <see cref="TrimmedProgramTests"/>, compiled ahead of time: without a runtime that could compile anything, it still stores every family of types and keeps a store. Where the package feed has no AOT compiler there
/// is nothing to run, and what the run has tried says so.
/// </summary>
[Collection("publishes the program")]
public sealed partial class NativeAotTests(ITestOutputHelper output)
{
    private const int NotPublished = 2;

    [LinkerFact]
    public void ANativeProgramStoresEveryFamilyOfTypes()
    {
        (int exitCode, string printed, string errors) = new DotnetCommand(output).Try("bash", Repository.Root, Path.Combine(Repository.Root, "Store.TrimTest", "publish-aot.sh"));
        if (exitCode == NotPublished)
        {
            // Nothing else ends so: the packages that are missing are named.
            Assert.Matches("NU110[0-3]: .*(ILCompiler|NativeAOT)", printed);
            Assert.Contains("NOT PUBLISHED", printed, StringComparison.Ordinal);
            return;
        }

        Assert.True(exitCode == 0, $"{printed}\n{errors}");
        Match counts = Counts().Match(printed);
        Assert.True(counts.Success, printed);
        Assert.Equal("0", counts.Groups[2].Value);
        Assert.InRange(int.Parse(counts.Groups[1].Value, CultureInfo.InvariantCulture), 300, int.MaxValue);
        EveryRowTests.RanAll(printed);
        // 23 MB of some three hundred record types. What is compiled for every one of them and used by few showed here: 36 MB.
        Match size = Size().Match(printed);
        Assert.InRange(double.Parse(size.Groups[1].Value, CultureInfo.InvariantCulture), 1, 28);
    }

    [GeneratedRegex("native program: ([0-9.]+) MB")]
    private static partial Regex Size();

    [GeneratedRegex("([0-9]+) checks passed, ([0-9]+) failed")]
    private static partial Regex Counts();
}

/// <summary>Needs a shell and a linker for native programs.</summary>
public sealed class LinkerFactAttribute : FactAttribute
{
    public LinkerFactAttribute()
    {
        if (OperatingSystem.IsWindows()) Skip = "the script that publishes is one for bash";
        else if (!Installed.Has("clang") && !Installed.Has("gcc")) Skip = "neither clang nor gcc is installed: a native program cannot be linked";
    }
}
