// Before anything is timed that takes nanoseconds: the runtime compiles anew what is called often, in two steps, in the background, and only while nothing else is compiled for 100 ms. Without pauses all
// samples would be of code that is not optimized; how many are needed depends on how much there is to compile, so it ends when nothing becomes faster any more.

using System.Diagnostics;

namespace Store.Bench.Harness;

/// <summary>Runs what will be timed until the runtime has compiled it anew.</summary>
public static class Warmup
{
    // Each step asks for 30 calls, which are counted only after a pause.
    private const int MinPasses = 6, MaxPasses = 24, CallsPerPass = 40;

    /// <summary>Long enough for one step.</summary>
    public const int PauseMs = 150;

    /// <param name="round">Something short that does everything that will be timed.</param>
    public static void Run(Action round)
    {
        long best = long.MaxValue;
        for (int pass = 0, settled = 0; pass < MaxPasses && (pass < MinPasses || settled < 2); pass++)
        {
            long fastest = long.MaxValue;
            for (int call = 0; call < CallsPerPass; call++)
            {
                long start = Stopwatch.GetTimestamp();
                round();
                fastest = Math.Min(fastest, Stopwatch.GetTimestamp() - start);
            }
            settled = fastest < best * 0.95 ? 0 : settled + 1;
            best = Math.Min(best, fastest);
            Thread.Sleep(PauseMs);
        }
    }

    /// <summary>As <see cref="Run"/>, where the disk takes most of the time and hides what the compiler does.</summary>
    public static void RunBriefly(Action round)
    {
        for (int pass = 0; pass < MinPasses; pass++)
        {
            for (int call = 0; call < CallsPerPass; call++) round();
            Thread.Sleep(PauseMs);
        }
    }
}
