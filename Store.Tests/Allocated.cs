namespace Store.Tests;

/// <summary>What code allocates on the thread that runs it.</summary>
internal static class Allocated
{
    /// <summary>The least of several runs: a collection that another test causes may empty a pool of the framework, which the next run fills again. Ends at the first run that allocates nothing.</summary>
    public static long Least(Action run, int runs = 10)
    {
        long least = long.MaxValue;
        for (int i = 0; i < runs && least > 0; i++)
        {
            long before = GC.GetAllocatedBytesForCurrentThread();
            run();
            least = Math.Min(least, GC.GetAllocatedBytesForCurrentThread() - before);
        }

        return least;
    }
}
