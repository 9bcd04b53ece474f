// Did the simulated disk end it, or the product, or an assertion? A crash test catches what the disk did and nothing else: an exception that wraps others is caught only when all of them are the disk's.
// "Any AggregateException while the power is off" would catch the failed assertions of the threads, too.

namespace Store.Tests.Simulation;

internal static class DiskTrouble
{
    /// <summary>True when a simulated power failure or an injected fault is at the bottom of the exception; of several, of each.</summary>
    public static bool IsCauseOf(Exception e) => e switch
    {
        SimulatedPowerFailure or InjectedFault => true,
        AggregateException several => several.InnerExceptions.All(IsCauseOf),
        _ => e.InnerException is { } inner && IsCauseOf(inner),
    };
}
