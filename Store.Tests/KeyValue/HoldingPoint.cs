// A place at which a thread of the store is held until the test lets it go on, so that what the test does in between happens in the middle of it.

namespace Store.Tests.KeyValue;

/// <param name="patience">How long either waits for the other before the test fails.</param>
internal sealed class HoldingPoint(TimeSpan patience) : IDisposable
{
    private readonly ManualResetEventSlim _arrived = new(), _goOn = new();

    /// <summary>Called by who is held.</summary>
    public void Stay()
    {
        _arrived.Set();
        Assert.True(_goOn.Wait(patience), "nobody let it go on");
    }

    public void AwaitArrival() => Assert.True(_arrived.Wait(patience), "nobody came");

    public void Release() => _goOn.Set();

    public void Dispose()
    {
        _arrived.Dispose();
        _goOn.Dispose();
    }
}
