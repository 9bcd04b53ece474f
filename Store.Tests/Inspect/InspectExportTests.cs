// Export: what it writes, and where it writes nothing.

using Store.Inspect;
using Store.Log;
using Store.Tests.Log;

namespace Store.Tests.Inspect;

public sealed class InspectExportTests : IDisposable
{
    private readonly TemporaryFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public void ExportWritesAFileAndReplacesNone()
    {
        string path = SampleLog.OneFile(_folder), target = _folder["out.jsonl"];
        ToolRun run = ToolRun.Of("export", path, "--format", "jsonl", "-o", target);
        Assert.Equal((0, "", "12 records exported\n"), (run.ExitCode, run.Output, run.Error));
        Assert.Equal(ToolRun.Of("cat", "--json", path).Output, File.ReadAllText(target));
        Assert.Equal(ExitCode.Usage, ToolRun.Of("export", path, "-o", target).ExitCode);
        Assert.Equal(ExitCode.Usage, ToolRun.Of("export", path, "-o", path).ExitCode);
    }

    /// <summary>However the folder, what is read in it, and the file are called.</summary>
    [Fact]
    public void ExportPutsNothingIntoTheFolderItReads()
    {
        string path = SampleLog.Folder(_folder), link = _folder["link"], segment = SegmentFormat.Name(1);
        Directory.CreateSymbolicLink(link, path);
        File.CreateSymbolicLink(_folder["segment-link"], Path.Combine(path, segment));
        string snapshot = Path.Combine(path, "snapshot-0000000000000001-00000001.nino");
        File.Copy(Path.Combine(Repository.Root, "Store.Tests", "Snapshots", "golden-v1.nino"), snapshot);
        Directory.CreateDirectory(Path.Combine(path, "inner"));
        string[] before = [.. Directory.EnumerateFileSystemEntries(path, "*", SearchOption.AllDirectories).Order(StringComparer.Ordinal)];
        foreach (string read in new[] { path, path + Path.DirectorySeparatorChar, link, link + Path.DirectorySeparatorChar, Path.Combine(path, segment), Path.Combine(link, segment), _folder["segment-link"], snapshot })
        {
            foreach (string place in new[] { path, link, Path.Combine(path, "inner"), Path.Combine(link, "inner"), Path.Combine(path, "inner", "..") })
            {
                ToolRun run = ToolRun.Of("export", read, "-o", Path.Combine(place, "out.jsonl"));
                Assert.Equal(ExitCode.Usage, run.ExitCode);
                Assert.Contains("--output", run.Error, StringComparison.Ordinal);
            }
        }

        Assert.Equal(before, Directory.EnumerateFileSystemEntries(path, "*", SearchOption.AllDirectories).Order(StringComparer.Ordinal));
    }

    [Fact]
    public void ExportSelectsAsCatDoes()
    {
        string path = SampleLog.OneFile(_folder);
        foreach ((string[] options, int records) in new (string[], int)[] { (["--type", "Tick"], 4), (["--from", "5"], 8), (["--to", "7"], 7), (["--limit", "3"], 3), (["-t", "Shop.Trade", "--from", "4", "--to", "11", "-n", "5"], 5), (["--from", "2026-01-01", "--to", "2026-01-01"], 12) })
        {
            ToolRun run = ToolRun.Of(["export", path, .. options]);
            Assert.Equal((0, "", records), (run.ExitCode, run.Error, run.Lines.Length));
            Assert.Equal(ToolRun.Of(["cat", "--json", path, .. options]).Output, run.Output);
        }
    }

    [Fact]
    public void ADashIsTheStandardOutput()
    {
        string path = SampleLog.OneFile(_folder);
        ToolRun run = ToolRun.Of("export", path, "-o", "-");
        Assert.Equal((0, "", 12), (run.ExitCode, run.Error, run.Lines.Length));
        Assert.Equal(ToolRun.Of("export", path).Output, run.Output);
        Assert.False(File.Exists("-"));
    }

    /// <summary>A log of one file has no folder of its own, and neither has a copy of a snapshot; a folder beside it may begin with its name.</summary>
    [Fact]
    public void ExportWritesBesideWhatLiesAlone()
    {
        string log = SampleLog.OneFile(_folder), store = SampleLog.Folder(_folder), copy = _folder["snapshot-0000000000000001-00000001.nino"];
        File.Copy(Path.Combine(Repository.Root, "Store.Tests", "Snapshots", "golden-v1.nino"), copy);
        Directory.CreateDirectory(store + "-exports");
        foreach ((string read, string target) in new[] { (log, _folder["log.jsonl"]), (copy, _folder["copy.jsonl"]), (store, Path.Combine(store + "-exports", "out.jsonl")) })
        {
            Assert.Equal(ExitCode.Clean, ToolRun.Of("export", read, "-o", target).ExitCode);
            Assert.NotEmpty(File.ReadAllLines(target));
        }
    }
}
