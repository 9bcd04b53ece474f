// The tool as a process: what ends it, what it leaves behind, the folder it is started in, what is on the disk.

using System.Diagnostics;
using Store.Inspect;
using Store.Tests.Log;

namespace Store.Tests.Inspect;

public sealed class InspectProcessTests : IDisposable
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);

    private readonly TemporaryFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    /// <summary>In the middle of it: there is an unfinished file by then, and the process waits for its disk. A shell says of it what its exit code says here.</summary>
    [Theory]
    [InlineData("INT", 130)]
    [InlineData("TERM", 143)]
    public async Task AnExportThatIsInterruptedLeavesNoFile(string signal, int exitCode)
    {
        if (OperatingSystem.IsWindows()) return;
        bool isIgnored = signal == "INT" && ToolProcess.IgnoresInterrupts();
        using Process tool = await ExportingAsync(ToolProcess.StartPausedExport);
        ToolProcess.Signal(tool, signal);
        if (isIgnored) tool.StandardInput.Close();
        string said = await EndAsync(tool);
        if (isIgnored) IsComplete(tool);
        else Assert.Equal((exitCode, "", ""), (tool.ExitCode, said, string.Join(' ', Written())));
    }

    /// <summary>What a script runs in the background is not meant by the Ctrl+C that ends what is in front.</summary>
    [Fact]
    public async Task AnExportThatIsToIgnoreInterruptsGoesOn()
    {
        if (OperatingSystem.IsWindows()) return;
        using Process tool = await ExportingAsync(ToolProcess.StartPausedExportIgnoringInterrupts);
        ToolProcess.Signal(tool, "INT");
        Assert.False(tool.WaitForExit(TimeSpan.FromMilliseconds(300)));
        tool.StandardInput.Close();
        await EndAsync(tool);
        IsComplete(tool);
    }

    /// <summary>Nobody reads the pipe, so nothing is asked between two records.</summary>
    [Fact]
    public async Task AToolThatWaitsForItsReaderEndsAtOnce()
    {
        if (OperatingSystem.IsWindows()) return;
        string log = _folder["long.log"];
        using (NinoStore store = NinoLog.Create(log)) store.AppendRecord(SampleLog.Trade, SampleLog.TradeRecord(1, new string('x', 4 << 20)));
        using Process tool = ToolProcess.Start(_folder.Path, "cat", log);
        Assert.Equal('1', tool.StandardOutput.Read());
        ToolProcess.Signal(tool, "TERM");
        await tool.WaitForExitAsync().WaitAsync(Patience);
        Assert.Equal(143, tool.ExitCode);
    }

    [Fact]
    public async Task AFolderThatIsCalledLikeACommandIsNamedByItsPath()
    {
        Directory.Move(SampleLog.Folder(_folder), _folder["verify"]);
        using Process named = ToolProcess.Start(_folder.Path, "./verify"), bare = ToolProcess.Start(_folder.Path, "verify");
        string page = await named.StandardOutput.ReadToEndAsync(), nothing = await bare.StandardOutput.ReadToEndAsync();
        await Task.WhenAll(named.WaitForExitAsync(), bare.WaitForExitAsync());
        Assert.Equal((ExitCode.Clean, ExitCode.Usage, ""), (named.ExitCode, bare.ExitCode, nothing));
        Assert.Contains("store folder: ", page, StringComparison.Ordinal);
    }

    /// <summary>A power failure leaves no name without what it stands for.</summary>
    [StraceFact]
    public async Task AnExportIsOnTheDiskBeforeItHasItsName()
    {
        string log = SampleLog.OneFile(_folder);
        using Process strace = Process.Start("strace", ["-f", "-y", "-e", "trace=fsync,fdatasync,rename,renameat,renameat2,link,linkat", "-o", _folder["trace.txt"], ToolProcess.Host, ToolProcess.Assembly, "export", log, "-o", Target]);
        await strace.WaitForExitAsync().WaitAsync(Patience);
        Assert.Equal((ExitCode.Clean, 12), (strace.ExitCode, File.ReadAllLines(Target).Length));
        string[] calls = [.. File.ReadLines(_folder["trace.txt"]).Where(static line => line.Contains(".unfinished", StringComparison.Ordinal))];
        Assert.Contains("sync(", calls[0], StringComparison.Ordinal);
        Assert.EndsWith(" = 0", calls[0], StringComparison.Ordinal);
        Assert.Contains(calls[1..], line => line.Contains($"\"{Target}\"", StringComparison.Ordinal));
    }

    private string Target => Path.Combine(Directory.CreateDirectory(_folder["out"]).FullName, "records.jsonl");

    private string[] Written() => [.. Directory.EnumerateFiles(_folder["out"]).Select(static path => Path.GetFileName(path))];

    private async Task<Process> ExportingAsync(Func<string, string, Process> start)
    {
        string target = Target;
        Process tool = start(SampleLog.Folder(_folder), target);
        await Until.HoldsAsync(() => tool.HasExited || Written().Length > 0, Patience);
        Assert.EndsWith(".unfinished", Assert.Single(Written()), StringComparison.Ordinal);
        return tool;
    }

    private static async Task<string> EndAsync(Process tool)
    {
        string said = await tool.StandardError.ReadToEndAsync().WaitAsync(Patience);
        await tool.WaitForExitAsync().WaitAsync(Patience);
        return said;
    }

    private void IsComplete(Process tool)
    {
        Assert.Equal((ExitCode.Clean, Path.GetFileName(Target)), (tool.ExitCode, Assert.Single(Written())));
        Assert.Equal(120, File.ReadAllLines(Target).Length);
    }
}
