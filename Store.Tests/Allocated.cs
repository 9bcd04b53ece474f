namespace Store.Tests;

/// <summary>What code allocates on the thread that runs it.</summary>
internal static class Allocated
{
    private const int Runs = 10;

    /// <summary>The least of ten runs: a collection that another test causes may empty a pool of the framework, which the next run fills again.</summary>
    public static long Least(Action run)
    {
        long least = long.MaxValue;
        for (int i = 0; i < Runs && least > 0; i++)
        {
            long before = GC.GetAllocatedBytesForCurrentThread();
            run();
            least = Math.Min(least, GC.GetAllocatedBytesForCurrentThread() - before);
        }

        return least;
    }
}
