// The bar on an error stream that is a terminal, and what stands on that terminal when the process is told to end.

using System.Text.RegularExpressions;
using Store.Inspect;
using Store.Inspect.Rendering;
using Store.Log;
using Store.Tests.Log;

namespace Store.Tests.Inspect;

public sealed partial class InspectProgressTests : IDisposable
{
    private const string HideCursor = "\u001B[?25l", ShowCursor = "\u001B[?25h";

    private const long LongLength = 65L * 1024 * 1024;

    private readonly TemporaryFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Theory]
    [InlineData("")]
    [InlineData("verify")]
    [InlineData("schema")]
    public void LongWorkHasABarOnAnErrorTerminalInTheColoursThatAreWanted(string verb)
    {
        if (OperatingSystem.IsWindows()) return;
        string path = LongFolder();
        string[] args = verb.Length == 0 ? [path] : [verb, path];
        string page = ToolRun.Of(args).Output;
        foreach ((string[] color, string variable, bool isColoured) in new[] { (Array.Empty<string>(), "", true), (["--color", "auto"], "NO_COLOR", false), (["--color", "never"], "", false), (["--color", "always"], "NO_COLOR", true) })
        {
            ToolRun run = ToolRun.With([.. args, .. color], isErrorTerminal: true, environment: name => name == "TERM" ? "xterm" : name == variable ? "1" : null);
            Assert.Equal(ExitCode.Clean, run.ExitCode);
            if (color is not [_, "always"]) Assert.Equal(page, run.Output);
            Assert.Contains(verb == "verify" ? "verifying" : "reading", run.Error, StringComparison.Ordinal);
            Assert.InRange(run.Error.IndexOf(HideCursor, StringComparison.Ordinal), 0, run.Error.LastIndexOf(ShowCursor, StringComparison.Ordinal));
            Assert.Equal(isColoured, Colours().IsMatch(run.Error));
        }
    }

    [Fact]
    public void ATerminalThatKnowsNoEscapeSequencesGetsNone()
    {
        if (OperatingSystem.IsWindows()) return;
        string path = LongFolder();
        foreach (string? term in new[] { "dumb", "", null }) Assert.DoesNotContain('\u001B', ToolRun.With(["verify", path, "--color", "never"], isErrorTerminal: true, environment: name => name == "TERM" ? term : null).Error);
    }

    [Fact]
    public void ShortWorkAndARedirectedErrorStreamHaveNoBar()
    {
        string path = SampleLog.Folder(_folder);
        Assert.Equal("", ToolRun.With(["verify", path], isErrorTerminal: true, environment: static name => name == "TERM" ? "xterm" : null).Error);
        Assert.Equal("", ToolRun.Of("verify", Lengthen(path)).Error);
    }

    /// <summary>Ctrl+C in the middle of the work; the line that was begun is ended, too.</summary>
    [Fact]
    public void TheEndOfTheProcessShowsTheCursorThatTheBarHid()
    {
        if (OperatingSystem.IsWindows()) return;
        using var error = new StringWriter { NewLine = "\n" };
        using var console = new ToolConsole(new MemoryStream(), error, isErrorTerminal: true, environment: static name => name == "TERM" ? "xterm" : null);
        string meanwhile = console.WithProgress("working", LongLength, ColorMode.Never, _ =>
        {
            Assert.Empty(console.Leftovers.Clear());
            lock (console) return error.ToString();
        });
        int hidden = meanwhile.IndexOf(HideCursor, StringComparison.Ordinal), shown = meanwhile.IndexOf(ShowCursor + "\n", StringComparison.Ordinal);
        Assert.InRange(hidden, 0, shown);
    }

    /// <summary>What was put right by whoever made it is not touched again.</summary>
    [Fact]
    public void TheEndOfTheProcessTouchesNothingThatIsFinished()
    {
        using var error = new StringWriter();
        using var console = new ToolConsole(new MemoryStream(), error, isErrorTerminal: true, environment: static name => name == "TERM" ? "xterm" : null);
        Assert.Equal(3, console.WithProgress("working", LongLength, ColorMode.Never, static _ => 3));
        string before = error.ToString();
        console.Leftovers.Make(static () => 1, static () => throw new IOException("touched"), out Leftover settled);
        settled.Settle(static () => { });
        Assert.Empty(console.Leftovers.Clear());
        Assert.Equal(before, error.ToString());
    }

    /// <summary>One failure keeps nothing else from being put right.</summary>
    [Fact]
    public void WhatCannotBePutRightIsToldAndTheRestIs()
    {
        var leftovers = new Leftovers();
        bool isRight = false;
        leftovers.Make(static () => 1, static () => throw new IOException("busy"), out _);
        leftovers.Make(static () => 2, () => isRight = true, out _);
        Assert.Equal("busy", Assert.Single(leftovers.Clear()).Message);
        Assert.True(isRight);
    }

    private string LongFolder() => Lengthen(SampleLog.Folder(_folder));

    // What follows the last frame of a segment is zeros, however many.
    private static string Lengthen(string store)
    {
        string last = Directory.EnumerateFiles(store).Where(static path => SegmentFormat.TryParseName(Path.GetFileName(path), out _)).Max(StringComparer.Ordinal)!;
        using var file = new FileStream(last, FileMode.Open, FileAccess.Write);
        file.SetLength(LongLength);
        return store;
    }

    [GeneratedRegex("\u001B\\[[0-9;]*m")]
    private static partial Regex Colours();
}
