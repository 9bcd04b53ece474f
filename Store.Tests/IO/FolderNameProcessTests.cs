using Store.Tests.Log;

namespace Store.Tests.IO;

/// <summary>A real process under strace that makes a log in a folder which somebody else has made a moment ago: whether it makes the folder's own name durable, and goes on where it may not.</summary>
public sealed class FolderNameProcessTests : IDisposable
{
    private readonly TemporaryFolder _folder = new();

    public FolderNameProcessTests()
    {
        Directory.CreateDirectory(_folder["new"]);
        File.WriteAllText(_folder["other"], "");
    }

    public void Dispose() => _folder.Dispose();

    [StraceFact]
    public void TheNameOfAFolderWithNothingInItIsMadeDurableByWhoFindsIt()
    {
        Assert.Equal("3 commits", Run("new/log.nino", "-y", "-e", "trace=fsync"));
        Assert.Contains(Trace(), line => line.Contains($"fsync(", StringComparison.Ordinal) && line.Contains($"<{_folder.Path}>) = 0", StringComparison.Ordinal));
    }

    [StraceFact]
    public void WhereTheFolderAboveMayNotBeOpenedTheLogIsMadeAllTheSame()
    {
        Assert.Equal("3 commits", Run("new/log.nino", "-P", _folder.Path, "-e", "trace=open,openat", "-e", "inject=open,openat:error=EACCES"));
        Assert.Contains(Trace(), static line => line.Contains("INJECTED", StringComparison.Ordinal));
    }

    /// <summary>A folder with something in it was settled by whoever put that there: opening it costs no sync.</summary>
    [StraceFact]
    public void AFolderWithSomethingInItIsTakenAsItIs()
    {
        File.WriteAllText(_folder["new/something"], "");
        Assert.Equal("3 commits", Run("new/log.nino", "-y", "-e", "trace=fsync"));
        Assert.DoesNotContain(Trace(), line => line.Contains($"<{_folder.Path}>", StringComparison.Ordinal));
    }

    private string Run(string log, params string[] options)
    {
        string[] arguments = ["-f", .. options, "-o", _folder["trace.txt"], "dotnet", Path.Combine(AppContext.BaseDirectory, "NinoStore.Tests.dll"), LockLookProcessTests.Argument, _folder[log], "3"];
        return EndedProcess.Of("strace", arguments).Text;
    }

    private IEnumerable<string> Trace() => File.ReadLines(_folder["trace.txt"]);
}
