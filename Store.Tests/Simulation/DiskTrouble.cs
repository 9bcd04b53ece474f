// Did the simulated disk end it, or the product, or an assertion? A crash test catches what the disk did and nothing else: an exception that wraps others is caught only when all of them are the disk's.
// "Any AggregateException while the power is off" would catch the failed assertions of the threads, too.
//
// What closes a store whose power is off throws as well, and replaces the exception on whose way up it is called: of a failed assertion inside `using` the outer catch gets the power failure. Its filter is asked
// before anything is closed, and remembers:
//
//   var trouble = new DiskTrouble();
//   try { using NinoStore store = …; … }
//   catch (Exception e) when (trouble.Ends(e)) { trouble.ThrowOther(); }
//
// In an async method only with `using`: `await using` catches the exception before the filter sees it. A store that runs inline closes the same way by both.

using System.Runtime.ExceptionServices;
using Xunit.Sdk;

namespace Store.Tests.Simulation;

/// <summary>What ended a life on a simulated disk: one for each try.</summary>
internal sealed class DiskTrouble
{
    private ExceptionDispatchInfo? _other;

    /// <summary>True when a simulated power failure or an injected fault is at the bottom of the exception; of several, of each. Never of a failed assertion, nor of what calls a file damaged.</summary>
    public static bool IsCauseOf(Exception e) => e switch
    {
        SimulatedPowerFailure or InjectedFault => true,
        XunitException or StoreCorruptException => false,
        AggregateException several => several.InnerExceptions.Count > 0 && several.InnerExceptions.All(IsCauseOf),
        _ => e.InnerException is { } inner && IsCauseOf(inner),
    };

    /// <summary>The filter of the catch: whether the disk ended it. What did not come from the disk is remembered, since closing may replace it.</summary>
    /// <param name="e">What is on its way up.</param>
    /// <param name="isExpected">True when it follows from what the disk did before, though it does not say so.</param>
    public bool Ends(Exception e, bool isExpected = false)
    {
        if (isExpected || IsCauseOf(e)) return true;
        _other ??= ExceptionDispatchInfo.Capture(e);
        return false;
    }

    /// <summary>The catch: throws what closing has replaced, if it replaced something that was not the disk's.</summary>
    public void ThrowOther() => _other?.Throw();
}
