// What does this assembly do as a program? What a test needs a process of its own for; as tests, it is run by their host.

using System.Globalization;
using Store.Tests.Fuzz;
using Store.Tests.Inspect;
using Store.Tests.IO;
using Store.Tests.KeyValue;
using Store.Tests.Recovery;
using Store.Tests.Types;

namespace Store.Tests;

/// <summary>The entry point of child processes.</summary>
internal static class ChildProgram
{
    public static async Task<int> Main(string[] arguments)
    {
        switch (arguments)
        {
            case [KeyedMemoryChild.Argument, { } folder]:
                await KeyedMemoryChild.RunAsync(folder);
                return 0;
            case [WorkingProcess.Argument, { } folder, { } seed, { } mode]:
                return WorkingProcess.Run(folder, seed, mode);
            case [LockLookProcessTests.Argument, { } file, { } commits]:
                LockLookProcessTests.RunChild(file, int.Parse(commits, CultureInfo.InvariantCulture));
                return 0;
            case [PausedExport.Argument, { } store, { } target]:
                return PausedExport.Run(store, target);
            case [MadeUpNamesTests.Argument]:
                return MadeUpNamesTests.RunChild();
            case [TypeDigests.Argument, { } seed, { } inputs, { } threads]:
                return TypeDigests.RunChild(int.Parse(seed, CultureInfo.InvariantCulture), int.Parse(inputs, CultureInfo.InvariantCulture), int.Parse(threads, CultureInfo.InvariantCulture));
            default:
                return 1;
        }
    }
}
