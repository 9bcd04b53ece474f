// Why ask for large pages? A lookup touches one line of an index of many megabytes. With pages of 4 KiB the processor misses the address, too, and walks its tables before it can even begin to wait for the
// line; in a virtual machine it walks two. Linux gives memory in pages of 2 MiB where it is asked to, before the memory is used.

using System.Runtime.InteropServices;

namespace Store.Faster.Engine;

/// <summary>Asks the operating system for large pages. Linux only; elsewhere, and where the system does not give any, nothing changes.</summary>
internal static unsafe partial class LargePages
{
    private const int MadviseHugePage = 14;
    private const long PageBytes = 4096;

    /// <summary>Asks for the index. Changes no byte and takes no memory beyond it: only large pages wholly inside are given.</summary>
    public static void AskFor(EngineMemory? memory)
    {
        if (memory is null || !OperatingSystem.IsLinux()) return;
        long start = ((long)memory.Buckets + PageBytes - 1) & -PageBytes, end = ((long)memory.Buckets + (memory.BucketCount * FasterOptions.HashBucketBytes)) & -PageBytes;

        // What it returns is not looked at: a kernel without large pages refuses, and small ones are as right.
        if (end > start) _ = Madvise((void*)start, (nuint)(end - start), MadviseHugePage);
    }

    [LibraryImport("libc", EntryPoint = "madvise")]
    private static partial int Madvise(void* address, nuint length, int advice);
}
