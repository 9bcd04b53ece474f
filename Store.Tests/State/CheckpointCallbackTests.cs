// Who may close a schedule of checkpoints, or its store, while its callback runs: not the callback, nor what it has started and runs meanwhile; anybody else, and then the callback is told.

using Store.Snapshots;
using Store.State;
using Store.Tests.Log;
using Store.Tests.Simulation;

namespace Store.Tests.State;

public sealed class CheckpointCallbackTests : IDisposable
{
    private static readonly CheckpointPolicy Never = new() { EveryRecords = long.MaxValue, EveryBytes = long.MaxValue };

    private readonly SimDirectory _directory = new();

    public void Dispose() => _directory.Dispose();

    /// <summary>What a callback has started and goes on when it has ended is not inside it any more, nor inside the next one.</summary>
    [Fact]
    public async Task WhatAnEarlierCallbackHasStartedMayCloseTheScheduleBesideALaterOne()
    {
        await using NinoStore store = Open();
        var goOn = new TaskCompletionSource();
        Task? started = null;
        CheckpointSchedule schedule = null!;
        using var isInside = new SemaphoreSlim(0);
        var leave = new TaskCompletionSource();
        schedule = store.CheckpointEvery(Never, async token =>
        {
            if (started is null)
            {
                started = Task.Run(async () =>
                {
                    await goOn.Task;
                    Task disposing = Task.Run(schedule.Dispose);
                    leave.SetResult();
                    await disposing;
                });
            }
            else
            {
                isInside.Release();
                await leave.Task;
            }

            return await store.CheckpointAsync(new Bank(), token);
        });
        store.Append(new Deposited("ann", 1));
        await schedule.CheckpointAsync();
        Task<SnapshotInfo> later = schedule.CheckpointAsync().AsTask();
        Assert.True(await isInside.WaitAsync(TimeSpan.FromMinutes(1)));

        goOn.SetResult();
        await started!.WaitAsync(TimeSpan.FromMinutes(1));
        await later;
    }

    /// <summary>Closing waits for the callback: inside it, and in what it has started, that is refused and not waited for.</summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task ClosingInsideTheCallbackIsRefused(bool isStarted)
    {
        await using NinoStore store = Open();
        CheckpointSchedule? schedule = null;
        List<Exception> refused = [];
        await using (schedule = store.CheckpointEvery(Never, async token =>
        {
            foreach (Action close in new Action[] { store.Dispose, () => store.DisposeAsync().AsTask().GetAwaiter().GetResult(), schedule!.Dispose, () => schedule!.DisposeAsync().AsTask().GetAwaiter().GetResult() })
                refused.Add(await Assert.ThrowsAsync<InvalidOperationException>(isStarted ? () => Task.Run(close, token) : () => { close(); return Task.CompletedTask; }));
            return await store.CheckpointAsync(new Bank(), token);
        }))
        {
            store.Append(new Deposited("ann", 1));
            Assert.Equal(1, (await schedule.CheckpointAsync().AsTask().WaitAsync(TimeSpan.FromMinutes(1))).Sequence);
            Assert.Equal(4, refused.Count);
        }

        Assert.Equal(2, store.Append(new Deposited("ann", 1)));
    }

    /// <summary>A stream that stands still is told that the schedule is disposed, and is not waited for.</summary>
    [Fact]
    public async Task ACallbackThatWaitsForItemsIsToldThatTheScheduleIsDisposed()
    {
        await using NinoStore store = Open();
        var asked = new TaskCompletionSource();
        CheckpointSchedule schedule = store.CheckpointEvery(Never with { EveryRecords = 1 }, token => store.CheckpointPartsAsync(new SnapshotParts().AddItems("items", Stalled(asked)), null, token));
        store.Append(new Deposited("ann", 1));
        await store.CommitAsync();
        await asked.Task.WaitAsync(TimeSpan.FromMinutes(1));
        await schedule.DisposeAsync().AsTask().WaitAsync(TimeSpan.FromMinutes(1));
        Assert.Null(schedule.CheckpointFailure);
        Assert.Empty(store.Snapshots);
        Assert.Equal(2, store.Append(new Deposited("ann", 1)));

        static async IAsyncEnumerable<int> Stalled(TaskCompletionSource asked)
        {
            asked.SetResult();
            await new TaskCompletionSource().Task;
            yield return 1;
        }
    }


    private NinoStore Open() => Simulated.Open(_directory, change: static options => options with { RunsInline = false });
}
