using Store.Tests.Log;

namespace Store.Tests.IO;

/// <summary>A real process with a log in one file, under strace: what it asks of the system about its lock's file, and what it does when the system forbids that, as a sandbox does that does not know the call.</summary>
public sealed class LockLookProcessTests : IDisposable
{
    /// <summary>What the child is told to do.</summary>
    public const string Argument = "one-file-log";

    private const int Commits = 25;
    private readonly TemporaryFolder _folder = new();

    private string Log => _folder["log.nino"];

    public void Dispose() => _folder.Dispose();

    [StraceFact]
    public void ACommitAsksTheSystemTwiceAndAnAppendNever()
    {
        // Two to take the lock; the rest is what opening and closing ask, and the same however many commits there are.
        int few = Asked(Run(0, [])), many = Asked(Run(Commits, []));

        Assert.Equal(2 * Commits, many - few);
    }

    [StraceFact]
    public void WhereTheCallIsForbiddenNothingIsChanged()
    {
        Assert.Equal($"{Commits} commits", Run(Commits, ["-e", "inject=statx:error=EPERM"]));
        Assert.Contains(File.ReadLines(_folder["trace.txt"]), static line => line.Contains("INJECTED", StringComparison.Ordinal));

        // It cannot know that the file is gone, and goes on.
        File.Delete(Log);
        Assert.Equal($"{Commits} commits", Run(-Commits, ["-e", "inject=statx:error=EPERM"]));

        // As one that may ask does not.
        File.Delete(Log);
        Assert.Equal("stopped", Run(-Commits, []));
    }

    /// <summary>The C library asks in another way then.</summary>
    [StraceFact]
    public void WhereTheCallIsNotThereALogIsWrittenAndReadAsEver() => Assert.Equal($"{Commits} commits", Run(Commits, ["-e", "inject=statx:error=ENOSYS"]));

    /// <summary>The child: appends and commits so many times; a negative number removes the lock's file before.</summary>
    internal static void RunChild(string path, int commits)
    {
        // Nothing is written but by a commit.
        using NinoStore store = NinoLog.Create(path, new NinoStoreOptions { FlushIntervalMs = 60_000 });
        store.Append("first");
        store.Commit();
        if (commits < 0) File.Delete(path + ".lock");
        try
        {
            for (int i = 0; i < Math.Abs(commits); i++)
            {
                for (int record = 0; record < 5; record++) store.Append(record);
                store.Commit();
            }

            Console.Write($"{Math.Abs(commits)} commits");
        }
        catch (StoreFailedException e) when (e.InnerException is StoreInUseException)
        {
            Console.Write("stopped");
            Environment.Exit(0);
        }
    }

    private string Run(int commits, string[] options)
    {
        File.Delete(Log);
        string[] arguments = ["-f", "-e", "trace=statx", .. options, "-o", _folder["trace.txt"], "dotnet", Path.Combine(AppContext.BaseDirectory, "NinoStore.Tests.dll"), Argument, Log, $"{commits}"];
        return EndedProcess.Of("strace", arguments).Text;
    }

    // How often it asked in the last run.
    private int Asked(string told)
    {
        Assert.NotEqual("stopped", told);
        return File.ReadLines(_folder["trace.txt"]).Count(static line => line.Contains("log.nino.lock", StringComparison.Ordinal));
    }
}
