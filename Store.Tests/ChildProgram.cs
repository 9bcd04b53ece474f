// What does this assembly do as a program? What a test needs a process of its own for; as tests, it is run by their host.

using Store.Tests.KeyValue;
using Store.Tests.Recovery;

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
            default:
                return 1;
        }
    }
}
