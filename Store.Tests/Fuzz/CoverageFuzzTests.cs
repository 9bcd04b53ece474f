// The coverage-guided fuzzer as a user runs it, in short: it gets further than its seeds, finds nothing in the product, and finds what was planted. docs/fuzzing.md.
//
// FUZZ_RUNS is the number of inputs of each target (300), SEED the seed of a run that is to be repeated.

using System.Globalization;
using System.Text.RegularExpressions;
using Store.Tests.Log;
using Store.Tests.Packaging;
using Xunit.Abstractions;

namespace Store.Tests.Fuzz;

public sealed partial class CoverageFuzzTests(ITestOutputHelper output) : IDisposable
{
    private const int PlantedRuns = 1_000_000;

    private readonly TemporaryFolder _folder = new();
    private readonly int _seed = Effort.Seed(20261122);

    public void Dispose() => _folder.Dispose();

    [Fact]
    public void GuidedInputsOfEveryTargetGetFurtherThanTheSeedsAndFindNothing()
    {
        int runs = Effort.FuzzRuns;
        (int exit, string text) = Run("--runs", Text(runs));

        Assert.True(exit == 0, text);
        List<Result> results = ResultsOf(text);
        Assert.Equal(Targets(), results.Select(static result => result.Target));
        Assert.All(results, result => Assert.True(result.Runs >= runs && result.SeedEdges > 0 && result.Findings == 0, result.Target));

        // What a corpus holds was found by guidance; the seeds alone do not get there.
        Assert.All(results, static result => Assert.True(result.StartEdges > result.SeedEdges, $"{result.Target}: the corpus takes {result.StartEdges} edges, the seeds take {result.SeedEdges}"));
        Assert.Contains(results, static result => result.Edges > result.StartEdges);
        Effort.Tell(output, "guided inputs", results.Sum(static result => result.Runs), $"SEED={_seed}", $"{results.Count} targets, {results.Sum(static result => result.Edges)} edges");
    }

    [Fact]
    public void WithoutACorpusCoverageGrowsFromTheSeeds()
    {
        (int exit, string text) = Run("--target", "schema,items,changes,segment-sealed", "--runs", "2000", "--corpus", _folder["none"]);

        Assert.True(exit == 0, text);
        Assert.Equal(4, ResultsOf(text).Count);
        Assert.All(ResultsOf(text), static result => Assert.True(result.StartEdges == result.SeedEdges && result.Edges > result.StartEdges + 20, $"{result.Target}: {result.SeedEdges} edges by the seeds, {result.Edges} in the end"));

        // And what was found is where the next run begins.
        (exit, text) = Run("--target", "schema,items,changes,segment-sealed", "--runs", "1", "--corpus", _folder["none"]);
        Assert.True(exit == 0, text);
        Assert.Equal(4, ResultsOf(text).Count);
        Assert.All(ResultsOf(text), static result => Assert.True(result.StartEdges > result.SeedEdges + 20, $"{result.Target}: {result.StartEdges} edges at the beginning"));
    }

    [Fact]
    public void APlantedDefectIsFoundByCoverageAndNotWithoutItAndItsInputRepeatsIt()
    {
        (int guided, string text) = Run("--target", "planted", "--runs", Text(PlantedRuns), "--first");
        Assert.True(guided == 1, text);
        Assert.Contains("The planted defect.", text, StringComparison.Ordinal);
        string input = Assert.Single(Directory.GetFiles(_folder.Path, "planted-*.bin"));

        // As many inputs without it.
        int needed = (int)Assert.Single(ResultsOf(text)).Runs;
        (int blind, text) = Run("--target", "planted", "--runs", Text(needed), "--blind");
        Assert.True(blind == 0, text);
        Assert.Single(Directory.GetFiles(_folder.Path));

        (int replayed, text) = Run("--target", "planted", "--input", input);
        Assert.True(replayed == 1, text);
        Assert.Contains("The planted defect.", text, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("planted-overflow", "the process ended with")]
    [InlineData("planted-memory", "OutOfMemoryException")]
    public void AnInputThatEndsTheProcessOrTakesAllMemoryIsSavedAndTheOthersGoOn(string target, string what)
    {
        (int exit, string text) = Run("--target", $"{target},marker", "--runs", "2000");

        Assert.True(exit == 1, text);
        Assert.Contains(what, text, StringComparison.Ordinal);
        Assert.Single(Directory.GetFiles(_folder.Path, $"{target}-*.bin"));
        Assert.InRange(Assert.Single(ResultsOf(text), static result => result.Target == "marker").Runs, 2000, 2200);
    }

    [Theory]
    [InlineData("--target", "nothing")]
    [InlineData("--input", "file")]
    [InlineData("--runs", "many")]
    [InlineData("--what", "")]
    public void ArgumentsThatMakeNoSenseAreRefused(string name, string value)
    {
        (int exit, _) = Run(name, value);
        Assert.Equal(2, exit);
    }

    private static string Program => Path.Combine(Repository.Root, "Store.Fuzz", "bin", DotnetCommand.Configuration, "net10.0", "NinoStore.Fuzz.dll");

    private string[] Targets()
    {
        (_, string text) = Run("--list");
        return [.. text.Split('\n').Select(static line => line.Split(' ')[0]).Where(static name => name.Length > 0 && !name.StartsWith("planted", StringComparison.Ordinal))];
    }

    private (int Exit, string Text) Run(params string[] arguments)
    {
        (int exit, string text, string errors) = EndedProcess.Of("dotnet", [Program, .. arguments, "--seed", Text(_seed), "--findings", _folder.Path]);
        output.WriteLine($"{string.Join(' ', arguments)}\n{text}");
        return (exit, exit is 0 or 1 ? text : text + errors);
    }

    private static List<Result> ResultsOf(string text) => [.. ResultLine().Matches(text).Select(static match => new Result(match.Groups[1].Value, Number(match, 2), Number(match, 3), Number(match, 4), Number(match, 5), Number(match, 6)))];

    private static long Number(Match match, int group) => long.Parse(match.Groups[group].Value, CultureInfo.InvariantCulture);

    private static string Text(int number) => number.ToString(CultureInfo.InvariantCulture);

    [GeneratedRegex(@"^([\w-]+): (\d+) runs, .*?(\d+) edges \((\d+) at the beginning, (\d+) by the seeds\).* (\d+) findings", RegexOptions.Multiline)]
    private static partial Regex ResultLine();

    private sealed record Result(string Target, long Runs, long Edges, long StartEdges, long SeedEdges, long Findings);
}
