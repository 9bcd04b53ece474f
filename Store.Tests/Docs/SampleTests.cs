// Do the samples print what the documents show?

using System.Diagnostics;
using System.Text.RegularExpressions;
using Store.Tests.Log;

namespace Store.Tests.Docs;

/// <summary>The samples, run as programs of their own.</summary>
public sealed partial class SampleTests : IDisposable
{
    private readonly TemporaryFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    /// <summary>Everything but the time it took and how far the last automatic snapshot had come: that one is written beside the events.</summary>
    [Fact]
    public void TheSampleOfAStatePrintsWhatItsPageShows()
    {
        string shown = Output().Match(Repository.Read("docs/state.md")).Groups[1].Value;
        string printed = Run("EventSourcing.dll");
        Assert.Equal(Steady(shown), Steady(printed));
        Assert.Matches(Reopened(), shown);
        Assert.Matches(Reopened(), printed);
    }

    /// <summary>Of 20,000 flights, 250 or more of the process that was killed, and what statistics they give.</summary>
    [Fact]
    public void TheQuickstartLosesNothingThatWasCommitted()
    {
        string printed = Run("Quickstart.dll");
        Assert.Contains("nothing that was committed", Unwrapped(printed), StringComparison.Ordinal);
        Assert.Contains("the same as replaying everything: yes", Unwrapped(printed), StringComparison.Ordinal);
        Assert.Contains("20,000 flights, durable up to 20,000, 2 snapshots", Unwrapped(printed), StringComparison.Ordinal);
        Assert.Equal(2, Regex.Count(Unwrapped(printed), "no damage"));
    }

    /// <summary>A folder that is given by mistake: with files of somebody, with a store that no sample made, and a sample's own to which somebody added a file, a folder or a link.</summary>
    [Theory]
    [InlineData("Quickstart.dll", "Quickstart")]
    [InlineData("EventSourcing.dll", "EventSourcing")]
    public void ASampleRemovesNothingThatItDidNotMake(string program, string sample)
    {
        Directory.CreateDirectory(_folder["somebodys/inner"]);
        File.WriteAllText(_folder["somebodys/inner/letter.txt"], "kept");
        using (NinoStore store = NinoStore.Open(_folder["store"])) store.Append(1);
        foreach (string addition in new[] { "file", "folder", "link" }) Directory.CreateDirectory(_folder[addition]);
        File.WriteAllText(_folder["file/letter.txt"], "kept");
        Directory.CreateDirectory(_folder["folder/letters"]);
        if (!OperatingSystem.IsWindows()) Directory.CreateSymbolicLink(_folder["link/store"], _folder["somebodys"]);
        foreach (string addition in new[] { "file", "folder", "link" }) File.WriteAllText(_folder[$"{addition}/made-by-a-sample.txt"], OperatingSystem.IsWindows() && addition == "link" ? "another" : sample);
        string[] before = Entries();
        foreach (string given in new[] { "somebodys", "store", "file", "folder", "link", "file/letter.txt" })
        {
            EndedProcess refused = Start(program, _folder[given]);
            Assert.Equal((2, ""), (refused.ExitCode, refused.Text));
            Assert.Contains(given.Split('/')[0], refused.Errors, StringComparison.Ordinal);
        }

        Assert.Equal(before, Entries());
    }

    [Theory]
    [InlineData("Quickstart.dll")]
    [InlineData("EventSourcing.dll")]
    public void ASampleRunsAgainOverWhatItMade(string program)
    {
        Assert.Equal(0, Start(program, _folder["mine"]).ExitCode);
        Assert.Equal(0, Start(program, _folder["mine"]).ExitCode);
    }

    private string[] Entries() => [.. Directory.EnumerateFileSystemEntries(_folder.Path, "*", SearchOption.AllDirectories).Order(StringComparer.Ordinal)];

    private string Run(string program)
    {
        EndedProcess sample = Start(program);
        Assert.True(sample.ExitCode == 0, $"{program} ended with {sample.ExitCode}:\n{sample.Text}\n{sample.Errors}");
        return sample.Text.ReplaceLineEndings("\n");
    }

    private EndedProcess Start(string program, params string[] arguments) =>
        EndedProcess.Of(new ProcessStartInfo("dotnet", ["exec", Path.Combine(AppContext.BaseDirectory, program), .. arguments]) { WorkingDirectory = _folder.Path, Environment = { ["NO_COLOR"] = "1" } });

    private static string[] Steady(string output) => [.. output.Split('\n', StringSplitOptions.RemoveEmptyEntries).Where(static line => !line.StartsWith("reopened", StringComparison.Ordinal))];

    // A table breaks lines where the terminal ends, within its columns: what stands in the second one.
    private static string Unwrapped(string table) => Whitespace().Replace(string.Join(' ', table.Split('\n').Select(static line => line.Split('│')).Where(static cells => cells.Length > 2).Select(static cells => cells[2])), " ");

    [GeneratedRegex("```\n(decided .*?)```", RegexOptions.Singleline)]
    private static partial Regex Output();

    [GeneratedRegex(@"^reopened  in [0-9,]+ ms from snapshot-[0-9a-f]{16}-[0-9]{8}\.nino and [0-9,]+ events after it$", RegexOptions.Multiline)]
    private static partial Regex Reopened();

    [GeneratedRegex(@"\s+")]
    private static partial Regex Whitespace();
}
