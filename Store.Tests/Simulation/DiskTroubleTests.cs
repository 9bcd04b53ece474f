using Xunit.Sdk;

namespace Store.Tests.Simulation;

/// <summary>No crash test takes a failed assertion, or a mistake of the product, for what the disk did.</summary>
public class DiskTroubleTests
{
    [Fact]
    public void WhatTheDiskDidEndsALife() => Live(static () => throw new IOException("wrapped", new InjectedFault("asked for", 5)));

    [Fact]
    public void AFailedAssertionIsThrownAlthoughClosingFailsBehindIt() => Assert.Throws<TrueException>(static () => Live(static () => Assert.True(false)));

    [Fact]
    public void AMistakeOfTheProductIsThrownAlthoughClosingFailsBehindIt() => Assert.Throws<NullReferenceException>(static () => Live(static () => throw new NullReferenceException()));

    [Fact]
    public async Task AFailedAssertionOfAnAsyncLifeIsThrownToo() => await Assert.ThrowsAsync<TrueException>(static () => LiveAsync(static async () =>
    {
        await Task.Yield();
        Assert.True(false);
    }));

    [Fact]
    public void AFailureOfClosingThatIsNotTheDisksIsThrown() => Assert.Throws<InvalidOperationException>(static () => Live(static () => throw new InjectedFault("asked for", 5), new InvalidOperationException()));

    [Fact]
    public void OnlyWhatTheDiskDidIsTheDisks()
    {
        var fault = new InjectedFault("asked for", 5);
        Assert.True(DiskTrouble.IsCauseOf(fault));
        Assert.True(DiskTrouble.IsCauseOf(new AggregateException(new IOException("", fault), new StoreFailedException("", "store", new SimulatedPowerFailure("write")))));
        Assert.False(DiskTrouble.IsCauseOf(new AggregateException()));
        Assert.False(DiskTrouble.IsCauseOf(new AggregateException(fault, new NullReferenceException())));
        Assert.False(DiskTrouble.IsCauseOf(new IOException("a real one")));
        Assert.False(DiskTrouble.IsCauseOf(Assert.Throws<ThrowsException>(() => Assert.Throws<TimeoutException>(Fail))));
        Assert.False(DiskTrouble.IsCauseOf(new StoreCorruptException("", "file", fault)));

        void Fail() => throw fault;
    }

    private static void Live(Action live, Exception? closing = null)
    {
        var trouble = new DiskTrouble();
        try
        {
            using var store = new FailsToClose(closing);
            live();
        }
        catch (Exception e) when (trouble.Ends(e))
        {
            trouble.ThrowOther();
        }
    }

    private static async Task LiveAsync(Func<Task> live)
    {
        var trouble = new DiskTrouble();
        try
        {
            using var store = new FailsToClose(null);
            await live();
        }
        catch (Exception e) when (trouble.Ends(e))
        {
            trouble.ThrowOther();
        }
    }

    private sealed class FailsToClose(Exception? failure) : IDisposable
    {
        public void Dispose() => throw failure ?? new InjectedFault("closing", 5);
    }
}
