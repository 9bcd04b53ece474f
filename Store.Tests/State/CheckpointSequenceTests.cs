// Up to which record does a checkpoint cover the log? Up to the last one at the call, or up to where the state is said to stand.

using Store.Tests.Log;
using Store.Tests.Simulation;

namespace Store.Tests.State;

public sealed class CheckpointSequenceTests : IDisposable
{
    private readonly SimDirectory _directory = new();

    public void Dispose() => _directory.Dispose();

    /// <summary>The cut is at the call, whatever the call then waits for: here for a cursor that is being made, whose lock a truncation takes too.</summary>
    [Fact]
    public async Task WhatIsAppendedBehindTheCallIsBehindTheCut()
    {
        using var reached = new ManualResetEventSlim();
        using var goOn = new ManualResetEventSlim();
        await using NinoStore store = Open(new HeldDirectory(_directory, "cursor-", () =>
        {
            reached.Set();
            goOn.Wait(TimeSpan.FromMinutes(1));
        }));
        store.Append(new Deposited("ann", 1));
        Task cursor = Task.Run(() => store.OpenCursor("reader"));
        Assert.True(reached.Wait(TimeSpan.FromMinutes(1)));
        Task<Task<SnapshotInfo>> call = Task.Run(() => Task.FromResult(store.CheckpointAsync(new Tally(1)).AsTask()));
        bool returned = await Task.WhenAny(call, Task.Delay(TimeSpan.FromSeconds(30))) == call;
        long behind = store.Append(new Deposited("ann", 1));
        goOn.Set();
        await cursor;
        Assert.True(returned);
        Assert.Equal(behind - 1, (await await call).Sequence);
    }

    [Fact]
    public async Task AStateIsCheckpointedAtTheSequenceItStandsAt()
    {
        await using NinoStore store = Open();
        for (int i = 0; i < 5; i++) store.Append(new Deposited("ann", 1));
        Assert.Equal(3, (await store.CheckpointAsync(new Tally(3), 3)).Sequence);
        Assert.Equal(5, (await store.RestoreAsync<Tally, Deposited>(static (tally, e) => new Tally(tally.Sum + e.Amount))).Sum);
        Assert.Equal(0, (await store.CheckpointAsync(new Bank(), 0)).Sequence);
        Assert.Throws<ArgumentOutOfRangeException>(() => { _ = store.CheckpointAsync(new Tally(3), -1); });
        await Assert.ThrowsAsync<ArgumentOutOfRangeException>(async () => await store.CheckpointAsync(new Tally(3), 6));
        Assert.Equal(2, store.Snapshots.Count);
    }

    /// <summary>Nothing could be restored from it.</summary>
    [Fact]
    public async Task ACheckpointBehindWhichTheLogIsGoneIsRefused()
    {
        await using NinoStore store = Open();
        while (store.TruncateBefore(long.MaxValue).FirstSequence < 3)
        {
            store.AppendBatch<int>([.. Enumerable.Range(0, 2000)]);
            store.Commit();
        }

        long first = store.FirstSequence;
        await Assert.ThrowsAsync<LogTruncatedException>(async () => await store.CheckpointAsync(new Tally(1), first - 2));
        Assert.Empty(store.Snapshots);
        Assert.Equal(first - 1, (await store.CheckpointAsync(new Tally(1), first - 1)).Sequence);
    }


    private NinoStore Open(Store.IO.IStoreDirectory? directory = null) => Simulated.Open(directory ?? _directory, change: static options => options with { RunsInline = false });
}
