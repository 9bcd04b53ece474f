// Checkpoints by themselves of a state that is the program's own: after records, bytes or time, beside appends that go on, and a restore never differs from the log.

using Store.Snapshots;
using Store.State;
using Store.Tests.Log;
using Store.Tests.Simulation;

namespace Store.Tests.State;

public sealed class CheckpointScheduleTests : IDisposable
{
    private static readonly CheckpointPolicy Never = new() { EveryRecords = long.MaxValue, EveryBytes = long.MaxValue };
    private static readonly TimeSpan Minutes = TimeSpan.FromMinutes(5);

    private readonly SimDirectory _directory = new();
    private readonly HandTimers _clock = new();
    private readonly Lock _gate = new();
    private readonly Bank _bank = new();

    public void Dispose() => _directory.Dispose();

    [Theory]
    [InlineData(50, long.MaxValue)]
    [InlineData(long.MaxValue, 4000)]
    public async Task ACheckpointComesAfterSoManyRecordsOrBytes(long records, long bytes)
    {
        await using NinoStore store = Open();
        await using CheckpointSchedule schedule = store.CheckpointEvery(Never with { EveryRecords = records, EveryBytes = bytes }, () => Capture(store));
        for (int i = 0; i < 4; i++) Deposit(store, i);
        await store.CommitAsync();
        Assert.Empty(store.Snapshots);
        for (int i = 0; i < 200; i++) Deposit(store, i);
        await store.CommitAsync();
        await UntilAsync(() => schedule.Last is not null);
        Assert.InRange(schedule.Last!.Sequence, 5, 204);
        Assert.Equal(_bank.Text(), (await RestoreAsync(store)).Text());
        Assert.NotNull(store.Recovery.SnapshotUsed);
        Assert.Null(schedule.CheckpointFailure);
    }

    [Fact]
    public async Task ACheckpointComesAfterSoMuchTimeWithoutAnotherRecord()
    {
        await using NinoStore store = Open();
        await using CheckpointSchedule schedule = store.CheckpointEvery(Never with { Every = Minutes }, () => Capture(store));
        Assert.Equal(0, _clock.Open);
        Deposit(store, 1);
        await UntilAsync(() => _clock.Waiting == 1);
        _clock.Pass(Minutes - TimeSpan.FromTicks(1));
        await Task.Delay(50);
        Assert.Empty(store.Snapshots);
        _clock.Pass(TimeSpan.FromTicks(1));
        await UntilAsync(() => schedule.Last is { Sequence: 1 });

        // Nothing changed: nothing is written, and no timer waits.
        await UntilAsync(() => _clock.Open == 0);
        _clock.Pass(10 * Minutes);
        Assert.Single(store.Snapshots);
        Deposit(store, 1);
        await UntilAsync(() => _clock.Waiting == 1);
        await schedule.DisposeAsync();
        Assert.Equal(0, _clock.Open);
        _clock.Pass(10 * Minutes);
        Assert.Single(store.Snapshots);
    }

    /// <summary>Another state was restored last: what it replayed says nothing of this one.</summary>
    [Fact]
    public async Task NothingOfTheLogGoesBeforeItHasWrittenTwoWhateverWasRestoredLast()
    {
        await using (NinoStore store = Open())
        {
            while (Store.Tests.Retention.RetentionTests.Segments(_directory).Length < 4)
            {
                for (int i = 0; i < 50; i++) Deposit(store, i);
                await store.CommitAsync();
            }

            await store.CheckpointAsync(new Audit());
        }

        await using NinoStore again = Open();
        Assert.NotNull(await again.RestoreAsync<Bank, Deposited>(static (bank, e) => bank.Apply(e)));
        Assert.NotNull(await again.RestoreAsync<Audit, Deposited>(static (audit, _) => audit.Deposits++));
        await using CheckpointSchedule schedule = again.CheckpointEvery(Never, () => Capture(again));
        Assert.Equal(1, again.TruncateBefore(long.MaxValue).FirstSequence);
        for (int i = 0; i < 2; i++)
        {
            Deposit(again, i);
            await schedule.CheckpointAsync();
            Deposit(again, i);
            await again.CommitAsync();
        }

        Assert.True(again.TruncateBefore(long.MaxValue).FirstSequence > 1);
    }

    [Fact]
    public async Task AppendsGoOnWhileACheckpointIsWritten()
    {
        using var writing = new ManualResetEventSlim();
        using var disk = new ManualResetEventSlim();
        using var held = new HeldDirectory(_directory, "snapshot-", () =>
        {
            writing.Set();
            Assert.True(disk.Wait(TimeSpan.FromSeconds(30)));
        });
        await using NinoStore store = Open(held);
        await using CheckpointSchedule schedule = store.CheckpointEvery(Never with { EveryRecords = 3 }, () => Capture(store));
        for (int i = 0; i < 3; i++) Deposit(store, i);
        Assert.True(writing.Wait(TimeSpan.FromSeconds(30)));
        for (int i = 0; i < 1000; i++) Deposit(store, i);
        await store.CommitAsync();
        Assert.Null(schedule.Last);
        disk.Set();
        await UntilAsync(() => schedule.Last is { Sequence: 1003 });
        Assert.Equal(_bank.Text(), (await RestoreAsync(store)).Text());
    }

    /// <summary>Whatever cut the schedule took under load, the snapshot is what the log says up to its sequence.</summary>
    [Fact]
    public async Task EveryCutIsExactWhileThreadsAppend()
    {
        using var folder = new TemporaryFolder();
        await using NinoStore store = NinoStore.Open(folder["store"], new NinoStoreOptions { SnapshotGenerations = 50 });
        await using CheckpointSchedule schedule = store.CheckpointEvery(Never with { EveryRecords = 50 }, () => Capture(store));
        await Task.WhenAll(Enumerable.Range(0, 3).Select(writer => Task.Run(async () =>
        {
            for (int i = 0; i < 300; i++)
            {
                Deposit(store, (writer * 1000) + i);
                if (i % 20 == 0) await store.CommitAsync();

                // However slow the machine is: some of them beside the others' records.
                if (writer == 0 && i % 50 == 49) await schedule.CheckpointAsync();
            }
        })));
        await UntilAsync(() => schedule.Last is not null);
        await schedule.CheckpointAsync();
        Assert.Null(schedule.CheckpointFailure);
        Assert.True(store.Snapshots.Count > 5, $"{store.Snapshots.Count} snapshots");
        foreach (SnapshotInfo info in store.Snapshots)
        {
            using SnapshotFile file = SnapshotFile.Open(Path.Combine(store.Path, info.FileName));
            Assert.Equal(Bank.Of(store, info.Sequence).Text(), file.Read<Bank>().Text());
        }
    }

    [Fact]
    public async Task AFailedOneCostsNoRecordIsToldAndTriedAgain()
    {
        var faulty = new FaultDirectory(_directory);
        await using NinoStore store = Open(faulty);
        await using CheckpointSchedule schedule = store.CheckpointEvery(Never with { EveryRecords = 2 }, () => Capture(store));
        faulty.Fault = Fault.OfTheNextRename;
        for (int i = 0; i < 2; i++) Deposit(store, i);
        await UntilAsync(() => schedule.CheckpointFailure is InjectedFault);
        Assert.Empty(store.Snapshots);
        faulty.Fault = null;
        for (int i = 0; i < 2; i++) Deposit(store, i);
        await UntilAsync(() => schedule.Last is { Sequence: 4 });
        Assert.Null(schedule.CheckpointFailure);
    }

    [Fact]
    public async Task WhatTheCallbackThrowsIsToldAndEndsNothing()
    {
        await using NinoStore store = Open();
        bool throws = true;
        await using CheckpointSchedule schedule = store.CheckpointEvery(Never with { EveryRecords = 1 }, () => throws ? throw new TimeoutException() : Capture(store));
        Deposit(store, 1);
        await UntilAsync(() => schedule.CheckpointFailure is TimeoutException);
        throws = false;
        Deposit(store, 1);
        await UntilAsync(() => schedule.Last is { Sequence: 2 });
    }

    [Fact]
    public async Task PartsAndStreamsOfItemsAreCheckpointedByTheCallbackItself()
    {
        await using NinoStore store = Open();
        await using CheckpointSchedule schedule = store.CheckpointEvery(Never with { EveryRecords = 2 }, token => store.CheckpointPartsAsync(new SnapshotParts().Add("bank", new Tally(3)).AddItems("accounts", new[] { new Tally(1), new Tally(2) }), null, token));
        for (int i = 0; i < 2; i++) store.Append(new Deposited("ann", i));
        await UntilAsync(() => schedule.Last is { Sequence: 2 });
        using SnapshotFile file = store.OpenSnapshot()!;
        Assert.Equal(2, file.Part("accounts").ItemCount);
    }

    [Fact]
    public async Task WhatARestoreReplayedCountsTowardsTheFirstOne()
    {
        await using (NinoStore store = Open())
        {
            for (int i = 0; i < 9; i++) Deposit(store, i);
        }

        await using NinoStore again = Open();
        Bank bank = await RestoreAsync(again);
        await using CheckpointSchedule schedule = again.CheckpointEvery(Never with { EveryRecords = 10 }, () => again.Capture(bank));
        await Task.Delay(50);
        Assert.Empty(again.Snapshots);
        lock (_gate)
        {
            again.Append(new Deposited("ann", 1));
            bank.Apply(new Deposited("ann", 1));
        }

        await UntilAsync(() => schedule.Last is { Sequence: 10 });
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task ClosingWritesTheLastOneIfThatIsAskedFor(bool isAsked)
    {
        CheckpointSchedule schedule;
        await using (NinoStore store = Open())
        {
            schedule = store.CheckpointEvery(Never with { OnDispose = isAsked }, () => Capture(store));
            Deposit(store, 1);
        }

        await Assert.ThrowsAsync<ObjectDisposedException>(async () => await schedule.CheckpointAsync());
        await using NinoStore again = Open();
        Assert.Equal(isAsked ? 1 : 0, again.Snapshots.Count);
    }

    [Fact]
    public async Task AnImmutableStateIsCapturedWithItsOwnSequence()
    {
        await using NinoStore store = Open();
        (Tally State, long Sequence) current = (new Tally(), 0);
        for (int i = 1; i <= 3; i++) current = (new Tally(i), store.Append(new Deposited("ann", 1)));
        store.Append(new Deposited("ann", 1));
        using (StateCapture capture = store.Capture(current.State, current.Sequence)) Assert.Equal((3, 8), (capture.Sequence, capture.LengthBytes));
        await using CheckpointSchedule schedule = store.CheckpointEvery(Never, () => store.Capture(current.State, current.Sequence));
        Assert.Equal(3, (await schedule.CheckpointAsync()).Sequence);
        Assert.Equal(4, (await store.RestoreAsync<Tally, Deposited>(static (tally, e) => new Tally(tally.Sum + e.Amount))).Sum);
    }

    /// <summary>The records that came are no business of the state: it is written once more at the most, and not for ever.</summary>
    [Fact]
    public async Task AStateThatStandsBehindTheLogIsNotWrittenForEver()
    {
        await using NinoStore store = Open();
        store.Append(new Deposited("ann", 1));
        int written = 0;
        await using CheckpointSchedule schedule = store.CheckpointEvery(Never with { EveryRecords = 50, Every = Minutes }, () =>
        {
            Interlocked.Increment(ref written);
            return store.Capture(new Tally(1), 1);
        });
        for (int i = 0; i < 200; i++) store.Append(i);
        await store.CommitAsync();
        await UntilAsync(() => schedule.Last is { Sequence: 1 });
        await Task.Delay(300);
        Assert.InRange(Volatile.Read(ref written), 1, 2);
        for (int i = 0; i < 20; i++)
        {
            _clock.Pass(Minutes);
            await Task.Delay(20);
        }

        Assert.InRange(Volatile.Read(ref written), 1, 3);

        // As many records again, and it is asked again.
        int before = Volatile.Read(ref written);
        for (int i = 0; i < 60; i++) store.Append(i);
        await store.CommitAsync();
        await UntilAsync(() => Volatile.Read(ref written) > before);
    }

    /// <summary>A capture that the callback disposes itself, or gives twice: there is no snapshot of it, least of all an empty one that pushes out a good one.</summary>
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task ACaptureThatIsDisposedIsNotWritten(bool isFirstWritten)
    {
        await using NinoStore store = Open();
        Deposit(store, 7);
        StateCapture kept = Capture(store);
        await using CheckpointSchedule schedule = store.CheckpointEvery(Never, () => kept);
        if (isFirstWritten) await schedule.CheckpointAsync();
        else kept.Dispose();
        await Assert.ThrowsAsync<ObjectDisposedException>(async () => await schedule.CheckpointAsync());
        Assert.Equal(isFirstWritten ? 1 : 0, store.Snapshots.Count);
        Assert.Equal(_bank.Text(), (await RestoreAsync(store)).Text());
    }

    /// <summary>Two schedules may be given the same: whoever is through first does not take the bytes from under the other.</summary>
    [Fact]
    public async Task ACaptureThatIsDisposedWhileItIsWrittenIsWrittenToItsEnd()
    {
        await using NinoStore store = Open();
        StateCapture capture = store.Capture(new Snapshots.Holder { Payload = new byte[3 << 20] });
        using var file = new Snapshots.MemoryFile(keepsBytes: true);
        int chunks = 0;
        SnapshotHeader header = await new SnapshotWriter(_directory).WriteFileAsync(file, [capture.Content], Snapshots.SnapshotSamples.GoldenStamp, new Told(() =>
        {
            if (chunks++ > 0) return;
            capture.Dispose();
            foreach (byte[] taken in Enumerable.Range(0, 8).Select(static _ => System.Buffers.ArrayPool<byte>.Shared.Rent(1 << 20))) taken.AsSpan().Fill(0xEE);
        }), default);
        Assert.True(chunks > 1);
        Assert.DoesNotContain((byte)0xEE, file.ToArray()[(int)header.Parts[0].Data.Offset..(int)header.Parts[0].Data.EndOffset]);
        Assert.Throws<ObjectDisposedException>(() => capture.Content);
    }

    [Fact]
    public async Task MisuseIsAnException()
    {
        await using NinoStore store = Open();
        Assert.Throws<ArgumentOutOfRangeException>(() => store.Capture(new Tally(), 1));
        Assert.Throws<ArgumentOutOfRangeException>(() => store.Capture(new Tally(), -1));
        Assert.Throws<ArgumentOutOfRangeException>(() => new CheckpointPolicy { EveryRecords = 0 });
        Assert.Throws<ArgumentOutOfRangeException>(() => new CheckpointPolicy { EveryBytes = 0 });
        Assert.Throws<ArgumentOutOfRangeException>(() => new CheckpointPolicy { Every = TimeSpan.Zero });
        using var other = new SimDirectory();
        await using NinoStore foreign = Open(other);
        await using CheckpointSchedule schedule = store.CheckpointEvery(Never, () => foreign.Capture(new Tally()));
        await Assert.ThrowsAsync<InvalidOperationException>(async () => await schedule.CheckpointAsync());
        Assert.Empty(store.Snapshots);
    }

    private sealed class Told(Action action) : IProgress<SnapshotProgress>
    {
        public void Report(SnapshotProgress value) => action();
    }

    private static Task UntilAsync(Func<bool> condition) => Until.HoldsAsync(condition, TimeSpan.FromSeconds(30));

    private static ValueTask<Bank> RestoreAsync(NinoStore store) => store.RestoreAsync<Bank, Deposited>(static (bank, e) => bank.Apply(e));

    private void Deposit(NinoStore store, long amount)
    {
        var e = new Deposited($"account {amount % 3}", amount);
        lock (_gate)
        {
            store.Append(e);
            _bank.Apply(e);
        }
    }

    private StateCapture Capture(NinoStore store)
    {
        lock (_gate) return store.Capture(_bank);
    }

    private NinoStore Open(Store.IO.IStoreDirectory? directory = null) => Simulated.Open(directory ?? _directory, change: options => options with { RunsInline = false, TimeProvider = _clock });
}
