using Store.Inspect;
using Store.Inspect.Rendering;
using Store.IO;
using Store.Log;
using Store.Tests.Simulation;

namespace Store.Tests.Inspect;

/// <summary>A process that exports a store from a disk that is very slow: it reads the second segment when its standard input has ended, and not before.</summary>
internal static class PausedExport
{
    public const string Argument = "--export-slowly";

    /// <summary>Arguments of dotnet that start it.</summary>
    public static string[] Arguments(string store, string target) => [typeof(PausedExport).Assembly.Location, Argument, store, target];

    public static int Run(string store, string target)
    {
        using var console = new ToolConsole(Console.OpenStandardOutput(), Console.Error) { OpenReader = Open };
        return InspectTool.RunProcess(["export", store, "-o", target], console);
    }

    private static StoreReader Open(string path)
    {
        var slow = new SlowDirectory(DiskDirectory.OpenReadOnly(path));
        StoreReader reader = StoreReader.Open(slow, path, null, static _ => false);
        slow.IsSlow = true;
        return reader;
    }

    private sealed class SlowDirectory(IStoreDirectory inner) : PassThroughDirectory(inner)
    {
        public bool IsSlow { get; set; }

        public override IStoreFile OpenRead(string name)
        {
            if (IsSlow && name == SegmentFormat.Name(2))
            {
                using Stream input = Console.OpenStandardInput();
                while (input.ReadByte() >= 0) { }
            }

            return base.OpenRead(name);
        }
    }
}
