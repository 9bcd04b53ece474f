namespace Store.Tests;

/// <summary>A fact about the system calls of a process; skipped where strace is not installed.</summary>
public sealed class StraceFactAttribute : FactAttribute
{
    public StraceFactAttribute()
    {
        if (!(Environment.GetEnvironmentVariable("PATH") ?? "").Split(Path.PathSeparator).Any(static folder => File.Exists(Path.Combine(folder, "strace")))) Skip = "strace is not installed";
    }
}
