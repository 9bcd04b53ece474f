using Store.Log;

namespace Store.Tests.Log;

/// <summary>Pooled waits in wrong hands: a mistake of one caller is that caller's exception and never another one's false acknowledgement.</summary>
public class CommitWaiterTests
{
    [Fact]
    public void AResultTakenTooEarlyLeavesTheWaitToTheLog()
    {
        CommitWaiter waiter = CommitWaiter.Rent(target: 7, result: 7, failed: null);
        ValueTask<long> wait = waiter.Task;

#pragma warning disable CA2012, xUnit1031 // the mistakes that this test is about
        Assert.Contains("await", Assert.Throws<InvalidOperationException>(() => wait.GetAwaiter().GetResult()).Message, StringComparison.Ordinal);
        Assert.All(Enumerable.Range(0, 2000).Select(static _ => CommitWaiter.Rent(1, 1, null)).ToArray(), other => Assert.NotSame(waiter, other));

        waiter.Complete(null);
        Assert.Equal(7, wait.GetAwaiter().GetResult());
        CommitWaiter[] others = [.. Enumerable.Range(0, 2000).Select(static _ => CommitWaiter.Rent(2, 2, null))];
        Assert.Throws<InvalidOperationException>(() => wait.GetAwaiter().GetResult());
        Assert.All(others, static other => Assert.False(other.Task.IsCompleted));
        Assert.All(Enumerable.Range(0, 2000).Select(static _ => CommitWaiter.Rent(3, 3, null)).ToArray(), other => Assert.DoesNotContain(other, others));
#pragma warning restore CA2012, xUnit1031
    }

    // Twice each, because a waiter is used again.
    [Fact]
    public void WhoAwaitsGoesOnBeforeTheEndReturnsWhereThatIsAskedForAndNeverOtherwise()
    {
        for (int i = 0; i < 200; i++)
        {
            bool goesOnHere = i % 2 == 0;
            CommitWaiter waiter = CommitWaiter.Rent(target: 7, result: i, failed: null);
            ValueTask<long> wait = waiter.Task;
            int thread = 0;
            using var gone = new ManualResetEventSlim();
            WithoutContext(wait, () =>
            {
                thread = Environment.CurrentManagedThreadId;
                gone.Set();
            });

            waiter.Complete(null, goesOnHere);

            Assert.True(goesOnHere ? gone.IsSet : gone.Wait(TimeSpan.FromSeconds(60)));
            Assert.Equal(goesOnHere, thread == Environment.CurrentManagedThreadId);
            Assert.True(wait.IsCompleted);
#pragma warning disable CA2012, xUnit1031
            Assert.Equal(i, wait.GetAwaiter().GetResult());
#pragma warning restore CA2012, xUnit1031
        }
    }

    private static void WithoutContext(ValueTask<long> wait, Action goOn) => wait.ConfigureAwait(false).GetAwaiter().UnsafeOnCompleted(goOn);
}
