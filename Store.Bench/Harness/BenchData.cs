// Folders for the files that benchmarks write: on a real disk beside the program, never in the system's temporary folder, which may be memory.

namespace Store.Bench.Harness;

/// <summary>A folder of its own for one store, removed with everything in it on dispose.</summary>
public sealed class BenchData : IDisposable
{
    /// <summary>Names a folder on the disk to be measured, for runs under BenchmarkDotNet, which has its own command line.</summary>
    public const string Variable = "NINOSTORE_BENCH_DATA";

    private static int _number;

    public BenchData(string? root = null)
    {
        Directory = Path.GetFullPath(Path.Combine(root ?? DefaultRoot, $"{Environment.ProcessId}-{Interlocked.Increment(ref _number)}"));
        System.IO.Directory.CreateDirectory(Directory);
    }

    public static string DefaultRoot => Environment.GetEnvironmentVariable(Variable) is { Length: > 0 } path ? path : Path.Combine(AppContext.BaseDirectory, "bench-data");

    public string Directory { get; }

    public string File(string name) => Path.Combine(Directory, name);

    public void Dispose()
    {
        if (System.IO.Directory.Exists(Directory)) System.IO.Directory.Delete(Directory, recursive: true);
    }
}
