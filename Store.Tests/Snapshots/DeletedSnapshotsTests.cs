using Store.IO;
using Store.Retention;
using Store.State;
using Store.Tests.Log;
using Store.Tests.Simulation;
using Store.Tests.State;
using static Store.Tests.Retention.RetentionTests;

namespace Store.Tests.Snapshots;

/// <summary>Snapshots of a type that nobody writes any more hold the log until they are deleted.</summary>
public sealed class DeletedSnapshotsTests : IDisposable
{
    private readonly SimDirectory _directory = new();
    private string _old = "", _new = "";

    public void Dispose() => _directory.Dispose();

    [Fact]
    public async Task WhatATypeThatIsWrittenNoMoreHeldIsGivenUp()
    {
        await using NinoStore store = await WithTwoTypesAsync(_directory);
        Assert.Contains("snapshot", store.TruncateBefore(long.MaxValue).HeldBy, StringComparison.Ordinal);
        Assert.Equal(1, store.FirstSequence);

        Assert.Equal(2, store.DeleteSnapshots(_old));
        Assert.All(store.Snapshots, info => Assert.Equal(_new, info.TypeName));
        Assert.Equal(2, store.Snapshots.Count);
        Assert.Equal(0, store.DeleteSnapshots(_old));
        Assert.True(store.TruncateBefore(long.MaxValue).SegmentsRemoved > 0);
        List<string> restored = await store.RestoreAsync<List<string>, int>(static (_, _) => { });
        Assert.Equal(["b"], restored);
    }

    [Fact]
    public async Task WhatWasDeletedIsGoneBehindAPowerFailure()
    {
        await using (NinoStore store = await WithTwoTypesAsync(_directory)) store.DeleteSnapshots(_old);
        foreach (SimDirectory state in _directory.CrashStates(20, 1))
        {
            await using NinoStore again = Simulated.Open(state, 2);
            Assert.All(again.Snapshots, info => Assert.Equal(_new, info.TypeName));
        }
    }

    [Fact]
    public async Task WhatMayComeBackHoldsTheLogUntilItCannot()
    {
        var faulty = new FaultDirectory(_directory);
        await using NinoStore store = await WithTwoTypesAsync(faulty);
        faulty.Fault = new Fault(1, FaultKind.IoError, IsForever: false, static o => o == IoOperation.SyncDirectory);
        Assert.ThrowsAny<IOException>(() => store.DeleteSnapshots(_old));
        Assert.Contains("snapshot", store.TruncateBefore(long.MaxValue).HeldBy, StringComparison.Ordinal);
        Assert.Equal(1, store.FirstSequence);

        // The names are gone; whether for good, another sync tells.
        Assert.Equal(0, store.DeleteSnapshots(_old));
        Assert.True(store.TruncateBefore(long.MaxValue).SegmentsRemoved > 0);
    }

    [Fact]
    public async Task ThoseOfAStateAreDeletedOnlyWhenItIsForgotten()
    {
        await using NinoStore store = Simulated.Open(_directory);
        StateStore<Bank> bank = await store.OpenStateAsync<Bank>(Bank.Events_);
        string name = (await bank.CheckpointAsync()).TypeName;
        Assert.Contains("is open", Assert.Throws<InvalidOperationException>(() => store.DeleteSnapshots(name)).Message, StringComparison.Ordinal);
        await bank.DisposeAsync();
        Assert.Contains("ForgetState", Assert.Throws<InvalidOperationException>(() => store.DeleteSnapshots(name)).Message, StringComparison.Ordinal);
        Assert.Single(store.Snapshots);
        Assert.True(store.ForgetState(name));
        Assert.Equal(1, store.DeleteSnapshots(name));
    }

    /// <summary>Nobody has said that the state is not wanted; its mark is put back from a backup, and it opens.</summary>
    [Fact]
    public async Task ThoseOfAStateWhoseMarkIsDamagedAreDeletedOnlyWhenItIsForgotten()
    {
        string name, mark = CursorName.FileOf(CursorName.OfState("Store.Tests.State.Bank"), MarkerKind.State);
        await using (NinoStore store = Simulated.Open(_directory))
        {
            await using StateStore<Bank> bank = await store.OpenStateAsync<Bank>(Bank.Events_);
            name = (await bank.CheckpointAsync()).TypeName;
        }

        FileBytes.Put(_directory, mark, new byte[FileBytes.Of(_directory, mark).Length]);
        await using NinoStore again = Simulated.Open(_directory, 2);
        Assert.Contains("ForgetState", Assert.Throws<InvalidOperationException>(() => again.DeleteSnapshots(name)).Message, StringComparison.Ordinal);
        Assert.Single(again.Snapshots);
        Assert.True(again.ForgetState(name));
        Assert.Equal(1, again.DeleteSnapshots(name));
    }

    /// <summary>The program writes no more of them, and the state has no others yet: without them it could not be opened once the log is cut.</summary>
    [Fact]
    public async Task ThoseOfAStateUnderItsFormerNameAreDeletedOnlyWhenItHasOthers()
    {
        await using NinoStore store = Simulated.Open(_directory);
        string former, other = (await store.CheckpointAsync("something else")).TypeName;
        await using (StateStore<OldLedger> old = await store.OpenStateAsync<OldLedger>(static on => on.On<Deposited>(static (ledger, e) => ledger.Sum += e.Amount)))
        {
            old.Apply(new Deposited("ann", 5));
            former = (await old.CheckpointAsync()).TypeName;
        }

        await using (StateStore<Ledger> renamed = await OpenAsync(store)) Assert.Equal(5, renamed.Read(static ledger => ledger.Sum));
        Assert.Contains("'Store.Tests.State.Ledger'", Assert.Throws<InvalidOperationException>(() => store.DeleteSnapshots(former)).Message, StringComparison.Ordinal);

        // Those that reach less far than the one that it was opened from are not meant.
        Assert.Equal(1, store.DeleteSnapshots(other));
        Assert.Single(store.Snapshots);

        // One that may turn out to be damaged is not enough.
        await using (StateStore<Ledger> renamed = await OpenAsync(store))
        {
            await renamed.CheckpointAsync();
            Assert.Throws<InvalidOperationException>(() => store.DeleteSnapshots(former));
            await renamed.CheckpointAsync();
        }

        // By then retention has counted two whole ones and removed them.
        Assert.DoesNotContain(store.Snapshots, s => s.TypeName == former);
        Assert.Equal(0, store.DeleteSnapshots(former));
        await using StateStore<Ledger> last = await OpenAsync(store);
        Assert.Equal(5, last.Read(static ledger => ledger.Sum));

        static async Task<StateStore<Ledger>> OpenAsync(NinoStore store) => await store.OpenStateAsync<Ledger>(static on => on.On<Deposited>(static (ledger, e) => ledger.Sum += e.Amount));
    }

    [Fact]
    public async Task WhereNothingMayBeWrittenNothingIsDeleted()
    {
        await using (await WithTwoTypesAsync(_directory))
        {
        }

        await using NinoStore reader = Simulated.Open(_directory, 2, static o => o with { ReadOnly = true });
        Assert.Throws<StoreReadOnlyException>(() => reader.DeleteSnapshots(_old));
        Assert.Equal(4, reader.Snapshots.Count);
    }

    // Two snapshots of one type at the log's beginning, and two of another behind some segments.
    private async Task<NinoStore> WithTwoTypesAsync(IStoreDirectory directory)
    {
        NinoStore store = Simulated.Open(directory);
        for (int i = 0; i < 2; i++)
        {
            store.Append(i);
            _old = (await store.CheckpointAsync(new List<int> { i })).TypeName;
        }

        Grow(store, directory, segments: 4);
        foreach (string text in (string[])["a", "b"])
        {
            store.Append(0);
            _new = (await store.CheckpointAsync(new List<string> { text })).TypeName;
        }

        return store;
    }
}
