using Store.IO;
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
