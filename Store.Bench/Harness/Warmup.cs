// Before anything is timed that takes nanoseconds: the runtime compiles anew what is called often, in two steps, in the background, and only while nothing else is compiled for 100 ms. Without pauses all
// samples would be of code that is not optimized. How many are needed depends on how much there is to compile and on what else the machine does, so the runtime is asked.

using System.Runtime;

namespace Store.Bench.Harness;

/// <summary>Runs what will be timed until the runtime has compiled it anew.</summary>
public static class Warmup
{
    // Each step asks for 30 calls, which are counted only after a pause.
    private const int MinPasses = 5, MaxPasses = 40, CallsPerPass = 40;

    /// <summary>Long enough for one step.</summary>
    public const int PauseMs = 150;

    /// <summary>Calls it until nothing is compiled any more in two passes.</summary>
    /// <param name="round">Something short that does everything that will be timed.</param>
    public static void Run(Action round)
    {
        for (int pass = 0, settled = 0; pass < MaxPasses && (pass < MinPasses || settled < 2); pass++)
        {
            long compiled = JitInfo.GetCompiledMethodCount();
            for (int call = 0; call < CallsPerPass; call++) round();
            Thread.Sleep(PauseMs);
            settled = JitInfo.GetCompiledMethodCount() == compiled ? settled + 1 : 0;
        }
    }
}
