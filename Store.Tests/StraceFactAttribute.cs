namespace Store.Tests;

/// <summary>A fact about the system calls of a process; skipped where strace is not installed.</summary>
public sealed class StraceFactAttribute : FactAttribute
{
    public StraceFactAttribute()
    {
        if (!Installed.Has("strace")) Skip = "strace is not installed";
    }
}

/// <summary>Which programs a shell would find here.</summary>
internal static class Installed
{
    /// <summary>True when a folder of PATH has the program. Its name as the file has it.</summary>
    public static bool Has(string program) =>
        (Environment.GetEnvironmentVariable("PATH") ?? "").Split(Path.PathSeparator, StringSplitOptions.RemoveEmptyEntries).Any(folder => File.Exists(Path.Combine(folder, program)));
}
