namespace Store.Tests;

/// <summary>Waits for what another thread is about to do.</summary>
internal static class Until
{
    /// <summary>Looks again and again until a condition holds.</summary>
    /// <exception cref="OperationCanceledException">It did not in so much time.</exception>
    public static async Task HoldsAsync(Func<bool> condition, TimeSpan patience)
    {
        using var over = new CancellationTokenSource(patience);
        while (!condition()) await Task.Delay(1, over.Token);
    }
}
