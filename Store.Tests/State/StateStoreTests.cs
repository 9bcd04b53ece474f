using Store.State;
using Store.Tests.Log;
using Store.Tests.Simulation;

namespace Store.Tests.State;

public sealed class StateStoreTests : IDisposable
{
    private readonly SimDirectory _directory = new();

    public void Dispose() => _directory.Dispose();

    [Fact]
    public async Task AStateIsItsEventsAndComesBack()
    {
        await using (NinoStore store = Simulated.Open(_directory))
        {
            await using StateStore<Bank> bank = await store.OpenStateAsync<Bank>(Bank.Events_);
            Assert.Equal(1, bank.Apply(new Deposited("ann", 10)));
            Assert.Equal(2, bank.Apply(new Withdrawn("ann", 3)));
            Assert.Equal(3, await bank.ApplyAsync(new Deposited("bob", 1)));
            Assert.Equal(3, store.DurableSequence);
            Assert.Equal(3, bank.LastSequence);
            Assert.Equal("3: ann=7, bob=1", bank.Read(b => b.Text()));
            Assert.Equal(7, bank.Read("ann", static (b, name) => b.Accounts[name]));
        }

        await using NinoStore again = Simulated.Open(_directory);
        await using StateStore<Bank> restored = await again.OpenStateAsync<Bank>(Bank.Events_);
        Assert.Equal("3: ann=7, bob=1", restored.Read(b => b.Text()));
        Assert.Equal(3, again.Recovery.RecordsReplayed);
    }

    [Fact]
    public async Task ACheckpointSparesTheReplayOfWhatItCovers()
    {
        await using (NinoStore store = Simulated.Open(_directory))
        {
            await using StateStore<Bank> bank = await store.OpenStateAsync<Bank>(Bank.Events_);
            bank.Apply(new Deposited("ann", 10));
            store.Append(new Remark("between"));
            Assert.Equal(2, (await bank.CheckpointAsync()).Sequence);
            bank.Apply(new Withdrawn("ann", 3));
        }

        await using NinoStore again = Simulated.Open(_directory);
        await using StateStore<Bank> restored = await again.OpenStateAsync<Bank>(Bank.Events_);
        Assert.Equal("2: ann=7", restored.Read(b => b.Text()));
        Assert.Equal(1, again.Recovery.RecordsReplayed);
        Assert.NotNull(again.Recovery.SnapshotUsed);
    }

    [Fact]
    public async Task ACheckpointTellsHowFarItIs()
    {
        await using NinoStore store = Simulated.Open(_directory);
        await using StateStore<Bank> bank = await store.OpenStateAsync<Bank>(Bank.Events_);
        bank.Apply(new Deposited("ann", 10));
        var told = new Progress();
        SnapshotInfo written = await bank.CheckpointAsync(told);
        Store.Snapshots.SnapshotProgress last = told.Values[^1];
        Assert.Equal(("", 0L), (last.Part, last.Items));
        Assert.InRange(last.LengthBytes, 1, written.LengthBytes);
    }

    [Fact]
    public async Task AnImmutableStateIsReplacedByEachEvent()
    {
        await using NinoStore store = Simulated.Open(_directory);
        await using StateStore<Tally> tally = await store.OpenStateAsync<Tally>(on => on.On<Deposited>((t, e) => t with { Sum = t.Sum + e.Amount }));
        tally.Apply(new Deposited("", 2));
        tally.Apply(new Deposited("", 5));
        Assert.Equal(7, tally.Read(t => t.Sum));
    }

    [Fact]
    public async Task ABatchIsOneFrameAndOneStep()
    {
        await using NinoStore store = Simulated.Open(_directory);
        await using StateStore<Bank> bank = await store.OpenStateAsync<Bank>(Bank.Events_, new StateOptions { CheckpointEveryEvents = 3 });
        Assert.Equal(1, bank.ApplyBatch<Deposited>([new("ann", 1), new("bob", 2), new("ann", 3)]));
        Assert.Equal((3, "3: ann=4, bob=2"), (bank.LastSequence, bank.Read(b => b.Text())));
        Assert.Equal(3, Assert.Single(store.Snapshots).Sequence);
        Assert.Equal(4, bank.ApplyBatch<Deposited>([]));
        Assert.Equal(4, bank.ApplyBatch((IReadOnlyList<Deposited>)new List<Deposited>()));
        Assert.Throws<ArgumentNullException>(() => bank.ApplyBatch<Deposited>([new("ann", 1), null!]));
        Assert.Equal(3, store.LastSequence);
    }

    [Fact]
    public async Task ABatchThatIsAwaitedIsDurable()
    {
        Deposited[] events = [new("ann", 1), new("bob", 2)];
        await using NinoStore store = Simulated.Open(_directory);
        await using StateStore<Bank> bank = await store.OpenStateAsync<Bank>(Bank.Events_);
        Assert.Equal(1, await bank.ApplyBatchAsync(events));
        Assert.Equal(2, store.DurableSequence);
        Assert.Equal(3, await bank.ApplyBatchAsync(new List<Deposited>(events)));
        Assert.Equal(4, store.DurableSequence);
        Assert.Equal(5, await bank.ApplyBatchAsync((IReadOnlyList<Deposited>)new System.Collections.ObjectModel.ReadOnlyCollection<Deposited>(events)));
        Assert.Equal((6, "6: ann=3, bob=6"), (store.DurableSequence, bank.Read(b => b.Text())));
        await Assert.ThrowsAsync<OperationCanceledException>(async () => await bank.ApplyBatchAsync(events, new CancellationToken(canceled: true)));
        Assert.Equal(6, store.LastSequence);
    }

    [Fact]
    public async Task ACommandIsDecidedOnTheStateItWillChange()
    {
        await using NinoStore store = Simulated.Open(_directory);
        await using StateStore<Bank> bank = await store.OpenStateAsync<Bank>(Bank.Events_);
        bank.Apply(new Deposited("ann", 10));
        Assert.Equal(2, Withdraw(8));
        Assert.Equal(0, Withdraw(8));
        Assert.Throws<InvalidOperationException>(() => bank.Decide<int, Withdrawn>(0, (_, _) => throw new InvalidOperationException("refused")));
        Assert.Equal((2, "2: ann=2"), (store.LastSequence, bank.Read(b => b.Text())));

        long Withdraw(long amount) => bank.Decide(amount, static (b, amount) => b.Accounts["ann"] >= amount ? new Withdrawn("ann", amount) : null);
    }

    [Theory]
    [InlineData(4, long.MaxValue)]
    [InlineData(long.MaxValue, 40)]
    public async Task CheckpointsAreWrittenByThemselvesAfterSoManyEventsOrBytes(long events, long bytes)
    {
        await using NinoStore store = Simulated.Open(_directory);
        await using StateStore<Bank> bank = await store.OpenStateAsync<Bank>(Bank.Events_, new StateOptions { CheckpointEveryEvents = events, CheckpointEveryBytes = bytes });
        for (int i = 0; i < 20; i++) bank.Apply(new Deposited("ann", i));
        Assert.Null(bank.CheckpointFailure);
        Assert.Equal(2, store.Snapshots.Count);
        Assert.InRange(store.Snapshots[0].Sequence - store.Snapshots[1].Sequence, 3, 5);
        Assert.InRange(store.Snapshots[0].Sequence, 16, 20);
    }

    [Fact]
    public async Task CheckpointsAreWrittenByThemselvesAfterSoMuchTime()
    {
        // The clock moves a millisecond each time somebody looks at it.
        await using NinoStore store = Simulated.Open(_directory);
        await using StateStore<Bank> bank = await store.OpenStateAsync<Bank>(Bank.Events_, new StateOptions { CheckpointEvery = TimeSpan.FromMilliseconds(10) });
        for (int i = 0; i < 4; i++) bank.Apply(new Deposited("ann", i));
        Assert.Empty(store.Snapshots);
        for (int i = 0; i < 40; i++) bank.Apply(new Deposited("ann", i));
        Assert.Equal(2, store.Snapshots.Count);
    }

    [Fact]
    public async Task WhatOpeningHadToReplayCountsTowardsTheNextCheckpoint()
    {
        await using (NinoStore store = Simulated.Open(_directory))
        {
            await using StateStore<Bank> bank = await store.OpenStateAsync<Bank>(Bank.Events_);
            for (int i = 0; i < 9; i++) bank.Apply(new Deposited("ann", i));
        }

        await using NinoStore again = Simulated.Open(_directory);
        await using StateStore<Bank> restored = await again.OpenStateAsync<Bank>(Bank.Events_, new StateOptions { CheckpointEveryEvents = 10 });
        restored.Apply(new Deposited("ann", 1));
        Assert.Equal(10, Assert.Single(again.Snapshots).Sequence);
    }

    [Fact]
    public async Task AFailedAutomaticCheckpointCostsNoEventAndIsTold()
    {
        var faulty = new FaultDirectory(_directory);
        await using NinoStore store = Simulated.Open(faulty);
        await using StateStore<Bank> bank = await store.OpenStateAsync<Bank>(Bank.Events_, new StateOptions { CheckpointEveryEvents = 2 });
        faulty.Fault = Fault.OfTheNextRename;
        for (int i = 0; i < 3; i++) bank.Apply(new Deposited("ann", 1));
        Assert.IsType<InjectedFault>(bank.CheckpointFailure);
        Assert.Empty(store.Snapshots);
        Assert.DoesNotContain(_directory.List(), file => file.Name.Contains("snapshot", StringComparison.Ordinal));
        faulty.Fault = null;
        bank.Apply(new Deposited("ann", 1));
        Assert.Null(bank.CheckpointFailure);
        Assert.Equal(4, Assert.Single(store.Snapshots).Sequence);
    }

    [Fact]
    public async Task WhatAFailedCheckpointLeftOutIsInTheOneOnClosing()
    {
        var faulty = new FaultDirectory(_directory);
        await using NinoStore store = Simulated.Open(faulty);
        StateStore<Bank> bank = await store.OpenStateAsync<Bank>(Bank.Events_, new StateOptions { CheckpointEveryEvents = 2, CheckpointOnDispose = true });
        faulty.Fault = Fault.OfTheNextRename;
        for (int i = 0; i < 2; i++) bank.Apply(new Deposited("ann", 1));
        Assert.NotNull(bank.CheckpointFailure);
        Assert.Empty(store.Snapshots);
        faulty.Fault = null;
        await bank.DisposeAsync();
        Assert.Equal(2, Assert.Single(store.Snapshots).Sequence);
    }

    [Fact]
    public async Task AHandlerThatThrowsStopsTheStateAndTheNextOpeningReplaysItsEvent()
    {
        bool throws = true;
        void Events(StateHandlers<Bank> on) => on.On<Deposited>((bank, e) =>
        {
            if (throws && e.Amount < 0) throw new ArithmeticException("negative");
            bank.Apply(e);
        });
        await using (NinoStore store = Simulated.Open(_directory))
        {
            await using StateStore<Bank> bank = await store.OpenStateAsync<Bank>(Events);
            bank.Apply(new Deposited("ann", 1));
            Assert.IsType<ArithmeticException>(Assert.Throws<StoreFailedException>(() => bank.Apply(new Deposited("ann", -1))).InnerException);
            Assert.Throws<StoreFailedException>(() => bank.Apply(new Deposited("ann", 1)));
            Assert.Throws<StoreFailedException>(() => bank.Read(b => b.Text()));
            await Assert.ThrowsAsync<StoreFailedException>(async () => await bank.CheckpointAsync());
            Assert.Equal((1, 2), (bank.LastSequence, store.LastSequence));
        }

        throws = false;
        await using NinoStore again = Simulated.Open(_directory);
        await using StateStore<Bank> restored = await again.OpenStateAsync<Bank>(Events);
        Assert.Equal("2: ann=0", restored.Read(b => b.Text()));
    }

    [Fact]
    public async Task MisuseIsAnExceptionAndChangesNothing()
    {
        await using NinoStore store = Simulated.Open(_directory);
        await Assert.ThrowsAsync<ArgumentException>(async () => await store.OpenStateAsync<Bank>(_ => { }));
        await Assert.ThrowsAsync<ArgumentException>(async () => await store.OpenStateAsync<Bank>(on => on.On<Deposited>((_, _) => { }).On<Deposited>((_, _) => { })));
        Assert.Throws<ArgumentOutOfRangeException>(() => new StateOptions { CheckpointEveryBytes = 0 });
        await using StateStore<Bank> bank = await store.OpenStateAsync<Bank>(Bank.Events_);
        Assert.Contains("Remark", Assert.Throws<ArgumentException>(() => bank.Apply(new Remark("?"))).Message, StringComparison.Ordinal);
        Assert.Throws<ArgumentNullException>(() => bank.Apply<Deposited>(null!));
        Assert.Throws<LockRecursionException>(() => bank.Read(_ => bank.Apply(new Deposited("ann", 1))));
        Assert.Throws<LockRecursionException>(() => bank.Decide<int, Deposited>(0, (_, _) =>
        {
            bank.Apply(new Deposited("ann", 1));
            return null;
        }));
        Assert.Equal(0, store.LastSequence);
    }

    [Fact]
    public async Task ADisposedStateRefusesEverythingAndTheStoreGoesOn()
    {
        await using NinoStore store = Simulated.Open(_directory);
        StateStore<Bank> bank = await store.OpenStateAsync<Bank>(Bank.Events_);
        bank.Apply(new Deposited("ann", 1));
        bank.Dispose();
        bank.Dispose();
        Assert.Throws<ObjectDisposedException>(() => bank.Apply(new Deposited("ann", 1)));
        Assert.Throws<ObjectDisposedException>(() => bank.Read(b => b.Text()));
        await Assert.ThrowsAsync<ObjectDisposedException>(async () => await bank.CheckpointAsync());
        Assert.Equal(2, store.Append(new Remark("still open")));
    }

    [Fact]
    public async Task TheStoreClosesItsStatesAndAsksThemForALastCheckpointIfTheyAreSoOpened()
    {
        StateStore<Bank> bank;
        await using (NinoStore store = Simulated.Open(_directory))
        {
            bank = await store.OpenStateAsync<Bank>(Bank.Events_, new StateOptions { CheckpointOnDispose = true });
            bank.Apply(new Deposited("ann", 1));
        }

        Assert.Throws<ObjectDisposedException>(() => bank.Read(b => b.Text()));
        await using NinoStore again = Simulated.Open(_directory);
        Assert.Equal(1, Assert.Single(again.Snapshots).Sequence);
        await using StateStore<Bank> restored = await again.OpenStateAsync<Bank>(Bank.Events_);
        Assert.Equal((0, "1: ann=1"), (again.Recovery.RecordsReplayed, restored.Read(b => b.Text())));
    }

    // One event, and no room for the checkpoint of it when it is closed.
    private static async Task<StateStore<Bank>> WithoutLastCheckpointAsync(NinoStore store, FaultDirectory faulty)
    {
        StateStore<Bank> bank = await store.OpenStateAsync<Bank>(Bank.Events_, new StateOptions { CheckpointOnDispose = true });
        bank.Apply(new Deposited("ann", 1));
        faulty.Fault = Fault.OfTheNextRename;
        return bank;
    }

    [Fact]
    public async Task AStateWhoseLastCheckpointFailsIsClosedAllTheSame()
    {
        var faulty = new FaultDirectory(_directory);
        using NinoStore store = Simulated.Open(faulty);
        StateStore<Bank> bank = await WithoutLastCheckpointAsync(store, faulty);
        Assert.IsType<InjectedFault>(Record.Exception(bank.Dispose));
        faulty.Fault = null;
        Assert.Throws<ObjectDisposedException>(() => bank.Apply(new Deposited("ann", 1)));
        bank.Dispose();
    }

    [Fact]
    public async Task AStoreWhoseStateCannotBeClosedAsItShouldSaysSoAndIsClosed()
    {
        var faulty = new FaultDirectory(_directory);
        NinoStore store = Simulated.Open(faulty);
        await WithoutLastCheckpointAsync(store, faulty);
        Assert.IsType<InjectedFault>(Assert.Single(Assert.Throws<AggregateException>(store.Dispose).InnerExceptions));
        Assert.Throws<ObjectDisposedException>(() => store.Append(1));
        await using NinoStore again = Simulated.Open(_directory);
        await using StateStore<Bank> restored = await again.OpenStateAsync<Bank>(Bank.Events_);
        Assert.Equal("1: ann=1", restored.Read(b => b.Text()));
    }

    /// <summary>That records are not on the disk comes first, and what went wrong before is told with it.</summary>
    [Fact]
    public async Task WhereTheLogCannotBeClosedEitherBothAreTold()
    {
        var faulty = new FaultDirectory(_directory);
        NinoStore store = Simulated.Open(faulty);
        await WithoutLastCheckpointAsync(store, faulty);
        _directory.OnOperation = (_, operation) =>
        {
            if (faulty.Failures > 0 && (operation.StartsWith("write", StringComparison.Ordinal) || operation.StartsWith("sync", StringComparison.Ordinal))) throw new IOException("The disk is gone.");
        };
        StoreFailedException failure = Assert.Throws<StoreFailedException>(store.Dispose);
        Assert.Contains("Not everything that was opened on the store could be closed", (string)failure.Data["Closing failed before: AggregateException"]!, StringComparison.Ordinal);
    }

    [Fact]
    public async Task ACheckpointOfTheStoreIsOneOfItsStatesToo()
    {
        await using NinoStore store = Simulated.Open(_directory);
        await using StateStore<Bank> bank = await store.OpenStateAsync<Bank>(Bank.Events_);
        bank.Apply(new Deposited("ann", 1));
        await store.CheckpointAllAsync();
        Assert.Equal("Store.Tests.State.Bank", Assert.Single(store.Snapshots).TypeName);
        bank.Apply(new Deposited("ann", 1));
        await store.CheckpointAsync(new Tally(5));
        Assert.Equal([2, 2, 1], store.Snapshots.Select(s => s.Sequence));
    }

    [Fact]
    public async Task ALogThatLostEventsIsRefusedInsteadOfAWrongState()
    {
        await using (NinoStore store = Simulated.Open(_directory))
        {
            await using StateStore<Bank> bank = await store.OpenStateAsync<Bank>(Bank.Events_);
            for (int i = 0; i < 400; i++) bank.Apply(new Deposited("ann", i));
        }

        // The first segment is gone, as by retention, and with it what no snapshot holds.
        string[] segments = [.. _directory.List().Select(f => f.Name).Where(name => name.EndsWith(".log", StringComparison.Ordinal) && name.StartsWith("segment-", StringComparison.Ordinal)).Order(StringComparer.Ordinal)];
        Assert.True(segments.Length > 1, string.Join(", ", _directory.List().Select(f => f.Name)));
        _directory.Delete(segments[0]);
        var failure = await Assert.ThrowsAnyAsync<StoreException>(async () =>
        {
            await using NinoStore again = Simulated.Open(_directory);
            await again.OpenStateAsync<Bank>(Bank.Events_);
        });
        Assert.IsType<StoreCorruptException>(failure);
    }

    [Fact]
    public async Task ApplyingAndReadingAllocateNothing()
    {
        using var folder = new TemporaryFolder();
        await using NinoStore store = NinoStore.Open(folder["store"]);
        await using StateStore<Tally> tally = await store.OpenStateAsync<Tally>(on => on.On<Deposited>((t, _) => t));
        var e = new Deposited("ann", 1);
        for (int i = 0; i < 1000; i++) Work();
        Assert.Equal(0, Allocated.Least(() =>
        {
            for (int i = 0; i < 1000; i++) Work();
        }));

        void Work()
        {
            tally.Apply(e);
            tally.Read(0, static (t, _) => t.Sum);
            tally.Decide(e, static (_, e) => e);
        }
    }

    private sealed class Progress : IProgress<Store.Snapshots.SnapshotProgress>
    {
        public List<Store.Snapshots.SnapshotProgress> Values { get; } = [];

        public void Report(Store.Snapshots.SnapshotProgress value) => Values.Add(value);
    }
}
