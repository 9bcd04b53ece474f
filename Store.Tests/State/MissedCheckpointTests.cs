// What becomes due while a checkpoint is written, and what opening has read and no checkpoint covers: neither waits for another event.

using Store.IO;
using Store.State;
using Store.Tests.Log;
using Store.Tests.Simulation;

namespace Store.Tests.State;

public sealed class MissedCheckpointTests : IDisposable
{
    private static readonly TimeSpan Every = TimeSpan.FromMinutes(5), Patience = TimeSpan.FromSeconds(60);

    private readonly SimDirectory _directory = new();
    private readonly HandTimers _clock = new();
    private readonly ManualResetEventSlim _reached = new(), _goOn = new();
    private volatile bool _isHeld;

    public void Dispose()
    {
        _goOn.Set();
        _directory.Dispose();
        _reached.Dispose();
        _goOn.Dispose();
    }

    /// <summary>The time is over in the last moment of a checkpoint whose cut is behind the event: while it notes what of the log may go.</summary>
    [Fact]
    public async Task ATimeThatEndsWhileACheckpointEndsIsNotForgotten()
    {
        await using NinoStore store = Open(Held("state-"));
        await using StateStore<Bank> bank = await store.OpenStateAsync<Bank>(Bank.Events_, new StateOptions { CheckpointEvery = Every });
        bank.Apply(new Deposited("ann", 1));
        await bank.CheckpointAsync();
        bank.Apply(new Deposited("ann", 1));
        _isHeld = true;
        _clock.Pass(Every);
        Assert.True(_reached.Wait(Patience));
        bank.Apply(new Deposited("ann", 1));
        _clock.Pass(Every);
        _goOn.Set();
        await UntilAsync(() => store.Snapshots is [{ Sequence: 3 }, ..]);
    }

    [Fact]
    public async Task EventsThatComeWhileACheckpointIsWrittenAreCoveredWithoutAnother()
    {
        await using NinoStore store = Open(Held("snapshot-"));
        await using StateStore<Bank> bank = await store.OpenStateAsync<Bank>(Bank.Events_, new StateOptions { CheckpointEveryEvents = 3 });
        _isHeld = true;
        for (int i = 0; i < 3; i++) bank.Apply(new Deposited("ann", 1));
        Assert.True(_reached.Wait(Patience));
        for (int i = 0; i < 3; i++) bank.Apply(new Deposited("ann", 1));
        _goOn.Set();
        await UntilAsync(() => store.Snapshots is [{ Sequence: 6 }, ..]);
    }

    /// <summary>Whoever goes on applying makes the next one due before the one under way has ended: closing waits for that one, and not for as many as there are events for.</summary>
    [Fact]
    public async Task ClosingWaitsForTheCheckpointUnderWayAndForNoneThatBecomesDueMeanwhile()
    {
        for (int round = 0; round < 50; round++)
        {
            using var directory = new SimDirectory();
            using ManualResetEventSlim reached = new(), goOn = new();
            bool isHeld = false;
            await using NinoStore store = Open(new HeldDirectory(directory, "snapshot-", () =>
            {
                if (!Volatile.Read(ref isHeld)) return;
                reached.Set();
                Assert.True(goOn.Wait(Patience));
            }));
            StateStore<Bank> bank = await store.OpenStateAsync<Bank>(Bank.Events_, new StateOptions { CheckpointEveryEvents = 3 });
            Volatile.Write(ref isHeld, true);
            for (int i = 0; i < 3; i++) bank.Apply(new Deposited("ann", 1));
            Assert.True(reached.Wait(Patience));
            for (int i = 0; i < 3; i++) bank.Apply(new Deposited("ann", 1));
            var closing = new WatchedThread(bank.Dispose);
            closing.Start();
            await UntilAsync(() => closing.ThreadState.HasFlag(ThreadState.WaitSleepJoin));
            goOn.Set();
            closing.Join();
            Assert.Equal(3, Assert.Single(store.Snapshots).Sequence);
        }
    }

    [Theory]
    [InlineData(5, long.MaxValue)]
    [InlineData(long.MaxValue, 50)]
    public async Task WhatOpeningReplaysMayMakeOneDueAtOnce(long events, long bytes)
    {
        await using (NinoStore store = Open(_directory))
        {
            await using StateStore<Bank> bank = await store.OpenStateAsync<Bank>(Bank.Events_);
            for (int i = 0; i < 5; i++) bank.Apply(new Deposited("ann", 1));
        }

        await using NinoStore again = Open(_directory);
        await using StateStore<Bank> restored = await again.OpenStateAsync<Bank>(Bank.Events_, new StateOptions { CheckpointEveryEvents = events, CheckpointEveryBytes = bytes });
        await UntilAsync(() => again.Snapshots is [{ Sequence: 5 }]);
    }

    /// <summary>Bytes of a run before count with those of this one.</summary>
    [Fact]
    public async Task BytesThatWereReplayedAreCountedWithThoseThatCome()
    {
        var options = new StateOptions { CheckpointEveryBytes = 100 };
        await using (NinoStore store = Open(_directory))
        {
            await using StateStore<Bank> bank = await store.OpenStateAsync<Bank>(Bank.Events_, options);
            for (int i = 0; i < 4; i++) bank.Apply(new Deposited("ann", 1));
            Assert.Empty(store.Snapshots);
        }

        await using NinoStore again = Open(_directory);
        await using StateStore<Bank> restored = await again.OpenStateAsync<Bank>(Bank.Events_, options);
        for (int i = 0; i < 6; i++) restored.Apply(new Deposited("ann", 1));
        await UntilAsync(() => again.Snapshots.Count > 0);
    }

    /// <summary>What a schedule counts from is what its state was restored from, whatever was opened since; and bytes count as records do.</summary>
    [Theory]
    [InlineData(9, long.MaxValue)]
    [InlineData(long.MaxValue, 60)]
    public async Task AScheduleCountsWhatItsStateReplayedWhateverWasOpenedSince(long records, long bytes)
    {
        await using (NinoStore store = Open(_directory))
        {
            for (int i = 0; i < 9; i++) store.Append(new Deposited("ann", 1));
        }

        await using NinoStore again = Open(_directory);
        Bank bank = await again.RestoreAsync<Bank, Deposited>(static (bank, e) => bank.Apply(e));
        await using (StateStore<Audit> other = await again.OpenStateAsync<Audit>(static on => on.On<Remark>(static (_, _) => { })))
        {
            await other.CheckpointAsync();
        }

        await using StateStore<Audit> once = await again.OpenStateAsync<Audit>(static on => on.On<Remark>(static (_, _) => { }));
        Assert.Equal(0, again.Recovery.RecordsReplayed);
        await using CheckpointSchedule schedule = again.CheckpointEvery(new CheckpointPolicy { EveryRecords = records, EveryBytes = bytes }, () => again.Capture(bank));
        await UntilAsync(() => schedule.Last is { Sequence: 9 });
    }

    private static Task UntilAsync(Func<bool> condition) => Until.HoldsAsync(condition, Patience);

    // Once: what is held back after it goes on.
    private HeldDirectory Held(string prefix) => new(_directory, prefix, () =>
    {
        if (!_isHeld) return;
        _reached.Set();
        Assert.True(_goOn.Wait(Patience));
    });

    private NinoStore Open(IStoreDirectory directory) => Simulated.Open(directory, change: options => options with { RunsInline = false, TimeProvider = _clock });
}
