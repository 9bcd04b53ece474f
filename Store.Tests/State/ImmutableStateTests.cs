// A state that is never changed: events wait for no checkpoint of it, and the snapshot is of the cut all the same.

using Store.Serialization;
using Store.Snapshots;
using Store.State;
using Store.Tests.Log;

namespace Store.Tests.State;

/// <summary>An immutable sum that does something of its own whenever it is serialized.</summary>
[NinoType]
public sealed partial record WatchedSum(long Sum)
{
    public WatchedSum() : this(0) { }

    [NinoIgnore]
    public Action? WhenSerialized { get; init; }

    [NinoOnSerializing]
    private void Before() => WhenSerialized?.Invoke();
}

public sealed class ImmutableStateTests : IDisposable
{
    private static readonly StateOptions Immutable = new() { StateIsImmutable = true, CheckpointEveryEvents = long.MaxValue };
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(1);

    private readonly TemporaryFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public async Task EventsGoOnWhileTheStateIsSerializedAndAreNotInItsSnapshot()
    {
        using var isInside = new SemaphoreSlim(0);
        using var leave = new ManualResetEventSlim();
        await using (NinoStore store = NinoStore.Open(_folder["store"]))
        await using (StateStore<WatchedSum> state = await OpenAsync(store, () =>
        {
            isInside.Release();
            leave.Wait();
        }))
        {
            state.Apply(new Deposited("ann", 1));
            Task<SnapshotInfo> checkpoint = Task.Run(async () => await state.CheckpointAsync());
            Assert.True(await isInside.WaitAsync(Patience));
            await Task.Run(() =>
            {
                for (int i = 0; i < 1000; i++) state.Apply(new Deposited("ann", 1));
                state.Decide(new Deposited("ann", 1), static (sum, e) => sum.Sum == 1001 ? e : null);
            }).WaitAsync(Patience);
            Assert.Equal(1002, state.Read(static s => s.Sum));
            leave.Set();

            SnapshotInfo written = await checkpoint;
            Assert.Equal(1, written.Sequence);
            using SnapshotFile snapshot = store.OpenSnapshot(written.TypeName)!;
            Assert.Equal(1, snapshot.Part("").Read<WatchedSum>().Sum);
        }

        await using NinoStore again = NinoStore.Open(_folder["store"]);
        await using StateStore<WatchedSum> restored = await OpenAsync(again);
        Assert.Equal(1002, restored.Read(static s => s.Sum));
        Assert.Equal(1001, again.Recovery.RecordsReplayed);
    }

    /// <summary>Without the option they wait, which is what the test above would not notice otherwise.</summary>
    [Fact]
    public async Task EventsOfAStateThatIsNotSaidToBeImmutableWait()
    {
        using var isInside = new SemaphoreSlim(0);
        using var leave = new ManualResetEventSlim();
        await using NinoStore store = NinoStore.Open(_folder["store"]);
        await using StateStore<WatchedSum> state = await OpenAsync(store, () =>
        {
            isInside.Release();
            leave.Wait();
        }, Immutable with { StateIsImmutable = false });
        state.Apply(new Deposited("ann", 1));
        Task<SnapshotInfo> checkpoint = Task.Run(async () => await state.CheckpointAsync());
        Assert.True(await isInside.WaitAsync(Patience));
        Task<long> event_ = Task.Run(() => state.Apply(new Deposited("ann", 1)));
        await Task.Delay(50);
        Assert.False(event_.IsCompleted);
        Assert.Equal(1, store.LastSequence);
        leave.Set();
        Assert.Equal(1, (await checkpoint).Sequence);
        Assert.Equal(2, await event_);
    }

    [Fact]
    public async Task AHandlerThatChangesTheStateInPlaceIsRefusedWhereTheStateIsSaidToBeImmutable()
    {
        await using NinoStore store = NinoStore.Open(_folder["store"]);
        ArgumentException refused = await Assert.ThrowsAsync<ArgumentException>(async () =>
            await store.OpenStateAsync<Bank>(static on => on.On<Withdrawn>(static (bank, _) => bank).On<Deposited>(static (bank, e) => bank.Apply(e)), Immutable));
        Assert.Contains(nameof(Deposited), refused.Message, StringComparison.Ordinal);
        Assert.Contains(nameof(StateOptions.StateIsImmutable), refused.Message, StringComparison.Ordinal);

        // Nothing of it is left on the store.
        await using StateStore<Bank> bank = await store.OpenStateAsync<Bank>(Bank.Events_);
        Assert.Equal(1, bank.Apply(new Deposited("ann", 1)));
    }

    /// <summary>It is not inside a lock, but would wait for the checkpoint that it is a part of.</summary>
    [Fact]
    public async Task CodeOfTheStateThatRunsWhileItIsWrittenMustNotChangeItNorCheckpointItNorCloseIt()
    {
        List<Exception> refused = [];
        NinoStore store = NinoStore.Open(_folder["store"]);
        StateStore<WatchedSum>? state = null;
        state = await OpenAsync(store, () =>
        {
            refused.Add(Assert.Throws<LockRecursionException>(() => { state!.Apply(new Deposited("ann", 1)); }));
            refused.Add(Assert.Throws<LockRecursionException>(() => { _ = state!.CheckpointAsync(); }));
            refused.Add(Assert.Throws<LockRecursionException>(state!.Dispose));
            refused.Add(Assert.Throws<InvalidOperationException>(store.Dispose));
        });
        state.Apply(new Deposited("ann", 1));
        Assert.Equal(1, (await state.CheckpointAsync().AsTask().WaitAsync(Patience)).Sequence);
        Assert.Equal(4, refused.Count);

        // Afterwards all of it is its caller's right.
        Assert.Equal(2, state.Apply(new Deposited("ann", 1)));
        await state.DisposeAsync().AsTask().WaitAsync(Patience);
        await store.DisposeAsync().AsTask().WaitAsync(Patience);
    }

    [Fact]
    public async Task AStateThatThrowsWhileItIsWrittenLeavesNoSnapshotAndEventsGoOn()
    {
        bool throws = true;
        await using NinoStore store = NinoStore.Open(_folder["store"]);
        await using StateStore<WatchedSum> state = await OpenAsync(store, () =>
        {
            if (throws) throw new TimeZoneNotFoundException("its own");
        });
        state.Apply(new Deposited("ann", 1));
        Assert.Equal("its own", (await Assert.ThrowsAsync<TimeZoneNotFoundException>(async () => await state.CheckpointAsync())).Message);
        Assert.Empty(store.Snapshots);
        Assert.DoesNotContain(Directory.EnumerateFiles(_folder["store"]), static file => file.EndsWith(".tmp", StringComparison.Ordinal) && file.Contains("snapshot", StringComparison.Ordinal));

        throws = false;
        state.Apply(new Deposited("ann", 1));
        Assert.Equal(2, (await state.CheckpointAsync()).Sequence);
    }

    private static ValueTask<StateStore<WatchedSum>> OpenAsync(NinoStore store, Action? whenSerialized = null, StateOptions? options = null) => store.OpenStateAsync(
        () => new WatchedSum { WhenSerialized = whenSerialized }, static on => on.On<Deposited>(static (sum, e) => sum with { Sum = sum.Sum + e.Amount }), options ?? Immutable);
}
