// Checkpoints by time: nobody has to apply another event for them, and there is none when nothing changed. The clock is moved by hand; the store runs on its own threads.

using Store.State;
using Store.Tests.Log;
using Store.Tests.Simulation;

namespace Store.Tests.State;

public sealed class StateStoreTimerTests : IDisposable
{
    private static readonly TimeSpan Every = TimeSpan.FromMinutes(5), Patience = TimeSpan.FromSeconds(30);

    private readonly SimDirectory _directory = new();
    private readonly HandTimers _clock = new();

    public void Dispose() => _directory.Dispose();

    [Fact]
    public async Task ACheckpointComesSoMuchTimeAfterAnEventWithoutAnotherOne()
    {
        await using NinoStore store = Open();
        await using StateStore<Bank> bank = await OpenAsync(store);
        bank.Apply(new Deposited("ann", 1));
        _clock.Pass(Every - TimeSpan.FromTicks(1));
        Assert.Equal(1, _clock.Waiting);
        Assert.Empty(store.Snapshots);
        _clock.Pass(TimeSpan.FromTicks(1));
        await UntilAsync(() => store.Snapshots is [{ Sequence: 1 }]);
    }

    [Fact]
    public async Task NothingIsWrittenWhenNothingChangedAndNoTimerWaits()
    {
        await using NinoStore store = Open();
        await using StateStore<Bank> bank = await OpenAsync(store);
        Assert.Equal((1, 0), (_clock.Open, _clock.Waiting));
        _clock.Pass(10 * Every);
        bank.Apply(new Deposited("ann", 1));
        Assert.Equal(1, _clock.Waiting);
        _clock.Pass(Every);
        await UntilAsync(() => store.Snapshots.Count == 1);
        _clock.Pass(10 * Every);
        Assert.Equal(0, _clock.Waiting);
        await bank.CheckpointAsync();
        _clock.Pass(10 * Every);
        Assert.Equal([2L, 1L], store.Snapshots.Select(static s => (long)Convert.ToInt32(s.FileName[^13..^5], 16)));
    }

    [Fact]
    public async Task ACheckpointThatSomebodyWroteBeginsTheTimeAnew()
    {
        await using NinoStore store = Open();
        await using StateStore<Bank> bank = await OpenAsync(store);
        bank.Apply(new Deposited("ann", 1));
        _clock.Pass(Every / 2);
        await bank.CheckpointAsync();
        bank.Apply(new Deposited("ann", 1));
        _clock.Pass(Every / 2);
        Assert.Equal(1, _clock.Waiting);
        Assert.Equal(1, Assert.Single(store.Snapshots).Sequence);
        _clock.Pass(Every / 2);
        await UntilAsync(() => store.Snapshots is [{ Sequence: 2 }, ..]);
    }

    [Fact]
    public async Task WithoutATimePolicyThereIsNoTimer()
    {
        await using NinoStore store = Open();
        await using StateStore<Bank> bank = await store.OpenStateAsync<Bank>(Bank.Events_);
        bank.Apply(new Deposited("ann", 1));
        Assert.Equal(0, _clock.Open);
    }

    [Fact]
    public async Task NoTimerIsLeftBehindAClosedState()
    {
        await using NinoStore store = Open();
        StateStore<Bank> bank = await OpenAsync(store);
        StateStore<Audit> other = await store.OpenStateAsync<Audit>(static on => on.On<Remark>(static (_, _) => { }), new StateOptions { CheckpointEvery = Every });
        Assert.Equal(2, _clock.Open);
        bank.Apply(new Deposited("ann", 1));
        bank.Dispose();
        Assert.Equal(1, _clock.Open);
        await store.DisposeAsync();
        Assert.Equal(0, _clock.Open);
        _clock.Pass(2 * Every);
        Assert.Null(bank.CheckpointFailure ?? other.CheckpointFailure);
        await using NinoStore again = Open();
        Assert.Empty(again.Snapshots);
    }

    /// <summary>The last step of opening fails: what nobody got writes no checkpoint of a state that gets no events any more.</summary>
    [Fact]
    public async Task NothingOfAStateIsOnTheStoreThatTheClockLetsNotOpen()
    {
        await using NinoStore store = Open();
        store.Append(new Deposited("ann", 1));
        _clock.Refuses = true;
        await Assert.ThrowsAsync<NotSupportedException>(async () => await store.OpenStateAsync<Bank>(Bank.Events_, new StateOptions { CheckpointEvery = Every, CheckpointOnDispose = true }));
        _clock.Refuses = false;
        Assert.Equal(2, store.Append(new Deposited("bob", 1)));
        await store.CheckpointAllAsync();
        Assert.Empty(store.Snapshots);
        Assert.Equal("2: ann=1, bob=1", await Bank.OpenedTextAsync(store));
    }

    [Fact]
    public async Task WhatOpeningHadToReplayIsCoveredInTimeToo()
    {
        await using (NinoStore store = Open())
        {
            await using StateStore<Bank> bank = await store.OpenStateAsync<Bank>(Bank.Events_);
            bank.Apply(new Deposited("ann", 1));
        }

        await using NinoStore again = Open();
        await using StateStore<Bank> restored = await OpenAsync(again);
        _clock.Pass(Every);
        await UntilAsync(() => again.Snapshots is [{ Sequence: 1 }]);
    }

    [Fact]
    public async Task AFailedOneIsTriedAgainAfterAsMuchTimeAndNotBefore()
    {
        var faulty = new FaultDirectory(_directory);
        await using NinoStore store = Open(faulty);
        await using StateStore<Bank> bank = await OpenAsync(store);
        faulty.Fault = Fault.OfTheNextRename;
        bank.Apply(new Deposited("ann", 1));
        _clock.Pass(Every);
        await UntilAsync(() => bank.CheckpointFailure is InjectedFault && _clock.Waiting == 1);
        faulty.Fault = null;
        _clock.Pass(Every - TimeSpan.FromTicks(1));
        Assert.Equal(1, _clock.Waiting);
        Assert.Empty(store.Snapshots);
        _clock.Pass(TimeSpan.FromTicks(1));
        await UntilAsync(() => store.Snapshots.Count == 1 && bank.CheckpointFailure is null);
    }

    [Fact]
    public async Task ATimeThatNoTimerOfTheSystemTakesIsWaitedForInSteps()
    {
        TimeSpan quarter = TimeSpan.FromDays(92);
        await using NinoStore store = Open();
        await using StateStore<Bank> bank = await OpenAsync(store, quarter);
        bank.Apply(new Deposited("ann", 1));
        _clock.Pass(quarter - TimeSpan.FromTicks(1));
        Assert.Equal(1, _clock.Waiting);
        Assert.Empty(store.Snapshots);
        _clock.Pass(TimeSpan.FromTicks(1));
        await UntilAsync(() => store.Snapshots.Count == 1);
    }

    private static Task UntilAsync(Func<bool> condition) => Until.HoldsAsync(condition, Patience);

    private static ValueTask<StateStore<Bank>> OpenAsync(NinoStore store, TimeSpan? every = null) => store.OpenStateAsync<Bank>(Bank.Events_, new StateOptions { CheckpointEvery = every ?? Every });

    private NinoStore Open(Store.IO.IStoreDirectory? directory = null) => Simulated.Open(directory ?? _directory, change: options => options with { RunsInline = false, TimeProvider = _clock });
}
