namespace Store.Log;

/// <summary>The wait of one who waited alone, which is over and not told yet. Ended once.</summary>
/// <param name="Waiter">Who waits; null for nobody.</param>
/// <param name="Failure">What he is told; null when all is well.</param>
internal readonly record struct LoneWait(CommitWaiter? Waiter, Exception? Failure)
{
    /// <summary>Tells him, on a thread of the pool that holds nothing: he goes on before this returns, unless he has a context of his own.</summary>
    public void End() => Waiter?.Complete(Failure, goesOnHere: true);
}
