// The events of an open state are the state's: whatever else could append one, so that the state does not see it and its next checkpoint covers it all the same, is refused, and refused before anything is in the log.

using Store.Serialization;
using Store.Snapshots;
using Store.State;
using Store.Tests.Log;
using Store.Tests.Simulation;

namespace Store.Tests.State;

public sealed class StateEventsTests : IDisposable
{
    private readonly SimDirectory _directory = new();

    public static TheoryData<string> Ways => new(Others.Keys.Order(StringComparer.Ordinal));

    private static readonly Deposited Event = new("eve", 7);

    private static readonly Dictionary<string, Action<NinoStore>> Others = new(StringComparer.Ordinal)
    {
        ["Append"] = static store => store.Append(Event),
        ["Append expected"] = static store => store.Append(Event, store.LastSequence + 1),
        ["AppendAsync"] = static store => store.AppendAsync(Event).AsTask().GetAwaiter().GetResult(),
        ["AppendBatch"] = static store => store.AppendBatch<Deposited>([Event, Event]),
        ["AppendBatchAsync"] = static store => store.AppendBatchAsync<Deposited>([Event, Event]).AsTask().GetAwaiter().GetResult(),
        ["AppendRecord"] = static store => store.AppendRecord(NinoCodec<Deposited>.Default.Schema, NinoSerializer.Serialize(Event)),
        ["AppendRecord of a parsed schema"] = static store => store.AppendRecord(NinoSchema.Parse(NinoCodec<Deposited>.Default.Schema.CanonicalBytes.Span), NinoSerializer.Serialize(Event)),
        ["OpenAppender"] = static store =>
        {
            using LogAppender<Deposited> appender = store.OpenAppender<Deposited>();
            appender.Append(Event);
        },
    };

    public void Dispose() => _directory.Dispose();

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task AnEventIsAppendedThroughTheStateOnly(string way)
    {
        await using (NinoStore store = Simulated.Open(_directory))
        {
            await using StateStore<Bank> bank = await store.OpenStateAsync<Bank>(Bank.Events_);
            bank.Apply(new Deposited("ann", 1));
            InvalidOperationException refused = Assert.Throws<InvalidOperationException>(() => Others[way](store));
            Assert.Contains("'Store.Tests.State.Bank'", refused.Message, StringComparison.Ordinal);
            Assert.Contains("StateStore.Apply", refused.Message, StringComparison.Ordinal);
            Assert.Equal(1, store.LastSequence);

            // Records that are no events are anybody's.
            store.Append(new Remark("fine"));
            await bank.CheckpointAsync();
            bank.Apply(new Deposited("ann", 2));
        }

        await using NinoStore again = Simulated.Open(_directory, 2);
        await using StateStore<Bank> reopened = await again.OpenStateAsync<Bank>(Bank.Events_);
        Assert.Equal("2: ann=3", reopened.Read(static b => b.Text()));
    }

    /// <summary>A lease goes past the gate of the log; what it was given before the state was opened is taken back.</summary>
    [Fact]
    public void AnAppenderThatWasOpenBeforeIsRefusedToo()
    {
        using NinoStore store = Simulated.Open(_directory);
        using LogAppender<Deposited> appender = store.OpenAppender<Deposited>();
        for (int i = 0; i < 1000; i++) appender.Append(new Deposited("ann", 1));
        using StateStore<Bank> bank = OpenNow(store);
        Assert.Equal("1000: ann=1000", bank.Read(static b => b.Text()));
        Assert.True(IsRefused(in appender));
        bank.Apply(new Deposited("ann", 1));
        Assert.True(IsRefused(in appender));
        Assert.Equal((1001, 1001), (store.LastSequence, bank.LastSequence));
        bank.Dispose();
        Assert.Equal(1002, appender.Append(new Deposited("ann", 1)));
    }

    [Fact]
    public async Task OneEventHasOneStateAndATypeIsOpenOnce()
    {
        await using NinoStore store = Simulated.Open(_directory);
        await using StateStore<Bank> bank = await store.OpenStateAsync<Bank>(Bank.Events_);
        InvalidOperationException shared = await Assert.ThrowsAsync<InvalidOperationException>(async () => await OpenAuditAsync(store));
        Assert.Contains("Records of 'Store.Tests.State.Deposited' are those of the state 'Store.Tests.State.Bank'", shared.Message, StringComparison.Ordinal);
        InvalidOperationException twice = await Assert.ThrowsAsync<InvalidOperationException>(async () => await store.OpenStateAsync<Bank>(static on => on.On<Remark>(static (_, _) => { })));
        Assert.Contains("open already", twice.Message, StringComparison.Ordinal);

        // Nothing was taken by those that were refused, and a state that is closed gives back what it had, once.
        bank.Apply(new Deposited("ann", 1));
        await bank.DisposeAsync();
        await using StateStore<Audit> audit = await OpenAuditAsync(store);
        await bank.DisposeAsync();
        Assert.Throws<InvalidOperationException>(() => store.Append(Event));
        await Assert.ThrowsAsync<InvalidOperationException>(async () => await store.OpenStateAsync<Bank>(Bank.Events_));
        Assert.Equal(1, audit.Read(static a => a.Deposits));
    }

    [Fact]
    public async Task TypesWhoseNamesDifferInCaseAreTwoStates()
    {
        await using NinoStore store = Simulated.Open(_directory);
        await using StateStore<Bank> bank = await store.OpenStateAsync<Bank>(Bank.Events_);
        await using StateStore<BANK> other = await store.OpenStateAsync<BANK>(static on => on.On<Remark>(static (bank, e) => bank.Remarks.Add(e.Text)));
        bank.Apply(new Deposited("ann", 1));
        other.Apply(new Remark("fine"));
        await store.CheckpointAllAsync();
        await bank.DisposeAsync();
        await other.DisposeAsync();
        await using StateStore<BANK> again = await store.OpenStateAsync<BANK>(static on => on.On<Remark>(static (bank, e) => bank.Remarks.Add(e.Text)));
        Assert.Equal(["fine"], again.Read(static b => b.Remarks.ToArray()));
        Assert.Equal("1: ann=1", await Bank.OpenedTextAsync(store));
    }

    [Fact]
    public async Task AnOpeningThatFailsGivesEverythingBack()
    {
        await using NinoStore store = Simulated.Open(_directory);
        store.Append(new Deposited("ann", 1));
        await Assert.ThrowsAsync<NotSupportedException>(async () => await store.OpenStateAsync<Bank>(static on => on.On<Deposited>(static (Bank _, Deposited _) => throw new NotSupportedException())));
        store.Append(new Deposited("ann", 2));
        await using StateStore<Bank> bank = await store.OpenStateAsync<Bank>(Bank.Events_);
        Assert.Equal("2: ann=3", bank.Read(static b => b.Text()));
    }

    /// <summary>It would be the newest of its type: the next opening would take it for the state.</summary>
    [Fact]
    public async Task NobodyElseWritesSnapshotsOfAnOpenStatesType()
    {
        await using (NinoStore store = Simulated.Open(_directory))
        {
            await using StateStore<Bank> bank = await store.OpenStateAsync<Bank>(Bank.Events_);
            bank.Apply(new Deposited("ann", 1));
            var other = new Bank { Events = 99 };
            InvalidOperationException refused = await Assert.ThrowsAsync<InvalidOperationException>(async () => await store.CheckpointAsync(other));
            Assert.Contains("'Store.Tests.State.Bank' is open", refused.Message, StringComparison.Ordinal);
            await Assert.ThrowsAsync<InvalidOperationException>(async () => await store.CheckpointPartsAsync(new SnapshotParts().Add("bank", other)));
            await using (CheckpointSchedule schedule = store.CheckpointEvery(new CheckpointPolicy { EveryRecords = long.MaxValue }, () => store.Capture(other)))
                await Assert.ThrowsAsync<InvalidOperationException>(async () => await schedule.CheckpointAsync());
            Assert.Empty(store.Snapshots);

            // Items of the type are no state, and neither is another type.
            await store.CheckpointPartsAsync(new SnapshotParts().AddItems("banks", [other]));
            await store.CheckpointAsync(new Audit());
        }

        await using NinoStore again = Simulated.Open(_directory, 2);
        await using (StateStore<Bank> bank = await again.OpenStateAsync<Bank>(Bank.Events_)) Assert.Equal("1: ann=1", bank.Read(static b => b.Text()));
        await again.CheckpointAsync(new Bank());
    }

    [Fact]
    public async Task ACheckpointInsideACallbackIsRefusedAndDoesNotWaitForIt()
    {
        await using NinoStore store = Simulated.Open(_directory, 1, static o => o with { RunsInline = false });
        await using StateStore<Bank> bank = await store.OpenStateAsync<Bank>(Bank.Events_);
        bank.Apply(new Deposited("ann", 1));
        Assert.Throws<LockRecursionException>(() => bank.Decide<int, Deposited>(0, (_, _) =>
        {
            bank.CheckpointAsync().AsTask().GetAwaiter().GetResult();
            return null;
        }));
        Assert.Throws<LockRecursionException>(() => bank.Read(_ => bank.CheckpointAsync().AsTask().GetAwaiter().GetResult()));
        Assert.Equal(1, (await bank.CheckpointAsync()).Sequence);
    }

    /// <summary>Disposing a state waits for what reads and changes it: inside that it is refused, and nothing was closed.</summary>
    [Fact]
    public async Task DisposingAStateInsideItsOwnCallbackIsRefusedAndClosesNothing()
    {
        await using NinoStore store = Simulated.Open(_directory, 1, static o => o with { RunsInline = false });
        StateStore<Bank>? itself = null;
        Action? inHandler = null;
        itself = await store.OpenStateAsync<Bank>(on => on.On<Deposited>((bank, e) =>
        {
            bank.Apply(e);
            inHandler?.Invoke();
        }).On<Withdrawn>(static (bank, e) => bank.Apply(e)));
        itself.Apply(new Deposited("ann", 1));
        foreach (Action dispose in new Action[] { itself.Dispose, () => itself.DisposeAsync().AsTask().GetAwaiter().GetResult() })
        {
            await Task.Run(() => Assert.Throws<LockRecursionException>(() => itself.Read(_ =>
            {
                dispose();
                return 0;
            }))).WaitAsync(TimeSpan.FromMinutes(1));
            await Task.Run(() => Assert.Throws<LockRecursionException>(() => itself.Decide<int, Deposited>(0, (_, _) =>
            {
                dispose();
                return null;
            }))).WaitAsync(TimeSpan.FromMinutes(1));
            itself.Apply(new Deposited("ann", 1));
            Assert.Equal(itself.LastSequence, (await itself.CheckpointAsync()).Sequence);
        }

        // A handler that throws is one more failure of its state; disposing it afterwards works as ever.
        inHandler = itself.Dispose;
        await Task.Run(() => Assert.IsType<LockRecursionException>(Assert.Throws<StoreFailedException>(() => itself.Apply(new Deposited("ann", 1))).InnerException)).WaitAsync(TimeSpan.FromMinutes(1));
        await itself.DisposeAsync().AsTask().WaitAsync(TimeSpan.FromMinutes(1));
        await using StateStore<Bank> again = await store.OpenStateAsync<Bank>(Bank.Events_);
        Assert.Equal("4: ann=4", again.Read(static b => b.Text()));
    }

    /// <summary>While a state is serialized an event may wait for it; those who read do not wait for that event.</summary>
    [Fact]
    public async Task ReadersGoOnWhileAStateIsSerializedAndAnEventWaits()
    {
        await using NinoStore store = Simulated.Open(_directory, 1, static o => o with { RunsInline = false });
        await using StateStore<Slow> slow = await store.OpenStateAsync<Slow>(static on => on.On<Knock>(static (state, _) => state.Count()));
        slow.Apply(new Knock());
        using var serializing = new ManualResetEventSlim();
        using var goOn = new ManualResetEventSlim();
        slow.Read(state => state.WhileSerialized = () =>
        {
            serializing.Set();
            goOn.Wait(TimeSpan.FromMinutes(1));
        });
        Task<SnapshotInfo> checkpoint = slow.CheckpointAsync().AsTask();
        Assert.True(serializing.Wait(TimeSpan.FromMinutes(1)));
        int encoding = 0;
        var knock = new Knock { WhileEncoded = () => Volatile.Write(ref encoding, 1) };
        var applier = new WatchedThread(() => slow.Apply(knock));
        applier.Start();

        // From its encoding on there is nothing to wait for but the locks, and the first event has run through everything before.
        while (applier.IsAlive && (Volatile.Read(ref encoding) == 0 || (applier.ThreadState & ThreadState.WaitSleepJoin) == 0)) Thread.Yield();

        Assert.Equal(1, await Task.Run(() => slow.Read(static state => state.Counted())).WaitAsync(TimeSpan.FromSeconds(30)));

        goOn.Set();
        applier.Join();
        Assert.Equal(1, (await checkpoint).Sequence);
        Assert.Equal(2, slow.Read(static state => state.Counted()));
    }

    /// <summary>What a state's own code does while it is serialized is as inside a callback.</summary>
    [Fact]
    public async Task AStateThatChangesItselfWhileItIsSerializedIsRefused()
    {
        await using NinoStore store = Simulated.Open(_directory, 1, static o => o with { RunsInline = false });
        await using StateStore<Slow> slow = await store.OpenStateAsync<Slow>(static on => on.On<int>(static (state, _) => state.Count()));
        slow.Apply(1);
        foreach (Action call in new Action[] { () => slow.Apply(2), () => slow.CheckpointAsync().AsTask().GetAwaiter().GetResult(), slow.Dispose })
        {
            slow.Read(state => state.WhileSerialized = call);
            await Assert.ThrowsAsync<LockRecursionException>(() => slow.CheckpointAsync().AsTask().WaitAsync(TimeSpan.FromMinutes(1)));
        }

        slow.Read(static state => state.WhileSerialized = null);
        Assert.Equal(1, (await slow.CheckpointAsync()).Sequence);
    }

    /// <summary>A checkpoint of the store is one of the state, from another thread, and so is its closing.</summary>
    [Fact]
    public async Task WhatWaitsForEverythingOnTheStoreIsRefusedInsideACallback()
    {
        await using NinoStore store = Simulated.Open(_directory, 1, static o => o with { RunsInline = false });
        await using StateStore<Bank> bank = await store.OpenStateAsync<Bank>(Bank.Events_);
        bank.Apply(new Deposited("ann", 1));
        Action[] calls =
        [
            () => store.CheckpointAsync(new Audit()).AsTask().GetAwaiter().GetResult(), () => store.CheckpointAllAsync().AsTask().GetAwaiter().GetResult(), () => store.CheckpointPartsAsync(new SnapshotParts().AddItems("items", [1])).AsTask().GetAwaiter().GetResult(), store.Dispose,
            () => store.DisposeAsync().AsTask().GetAwaiter().GetResult(),
        ];
        foreach (Action call in calls)
        {
            await Task.Run(() => Assert.Throws<InvalidOperationException>(() => bank.Read(_ =>
            {
                call();
                return 0;
            }))).WaitAsync(TimeSpan.FromMinutes(1));
            await Task.Run(() => Assert.Throws<InvalidOperationException>(() => bank.Decide<int, Deposited>(0, (_, _) =>
            {
                call();
                return null;
            }))).WaitAsync(TimeSpan.FromMinutes(1));
        }

        Assert.Empty(store.Snapshots);
        await store.CheckpointAllAsync();
        Assert.Equal(1, Assert.Single(store.Snapshots).Sequence);
    }

    [Fact]
    public async Task FramesWithEventsAreNotImportedBesideTheState()
    {
        using var there = new SimDirectory();
        await using NinoStore source = Simulated.Open(there, 7);
        source.Append(Event);
        source.Commit();
        using var shipment = new MemoryStream();
        await source.ShipToAsync(shipment);
        await using (NinoStore store = Simulated.Open(_directory))
        {
            await using StateStore<Bank> bank = await store.OpenStateAsync<Bank>(Bank.Events_);
            shipment.Position = 0;
            await Assert.ThrowsAsync<InvalidOperationException>(async () => await store.ImportAsync(shipment));
            Assert.Equal(0, store.LastSequence);
            bank.Apply(new Deposited("ann", 1));
        }

        // It follows nobody: nothing was taken over.
        await using NinoStore own = Simulated.Open(_directory, 2);
        Assert.Equal(1, own.LastSequence);
        own.Append(new Remark("its own"));
    }

    // In a simulator it is done when it returns. An appender does not live across an await.
    private static StateStore<Bank> OpenNow(NinoStore store) => store.OpenStateAsync<Bank>(Bank.Events_).AsTask().GetAwaiter().GetResult();

    private static bool IsRefused(ref readonly LogAppender<Deposited> appender)
    {
        try
        {
            appender.Append(new Deposited("ann", 1));
            return false;
        }
        catch (InvalidOperationException)
        {
            return true;
        }
    }

    private static ValueTask<StateStore<Audit>> OpenAuditAsync(NinoStore store) => store.OpenStateAsync<Audit>(static on => on.On<Deposited>(static (audit, _) => audit.Deposits++));
}

/// <summary>Another state that is interested in deposits.</summary>
[NinoType]
public sealed partial class Audit
{
    public long Deposits { get; set; }
}

/// <summary>A state that takes its time to be serialized.</summary>
[NinoType]
public sealed partial class Slow
{
    private long _events;

    public long Events
    {
        get
        {
            WhileSerialized?.Invoke();
            return _events;
        }
        set => _events = value;
    }

    [NinoIgnore]
    public Action? WhileSerialized { get; set; }

    public void Count() => _events++;

    public long Counted() => _events;
}

/// <summary>An event that tells when it is encoded.</summary>
[NinoType]
public sealed partial class Knock
{
    private int _number;

    public int Number
    {
        get
        {
            WhileEncoded?.Invoke();
            return _number;
        }
        set => _number = value;
    }

    [NinoIgnore]
    public Action? WhileEncoded { get; set; }
}
