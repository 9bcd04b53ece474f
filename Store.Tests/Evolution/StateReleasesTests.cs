// A program that is upgraded, goes back a release and is upgraded again, over one store: three releases that each give their types another name and shape.

using Store.Faster;
using Store.KeyValue;
using Store.State;
using Store.Tests.Log;
using Store.Tests.Simulation;

namespace Store.Tests.Evolution;

public sealed class StateReleasesTests : IDisposable
{
    private readonly SimDirectory _directory = new();

    public void Dispose() => _directory.Dispose();

    [Theory]
    [InlineData(false, false)]
    [InlineData(false, true)]
    [InlineData(true, false)]
    [InlineData(true, true)]
    public async Task AStateIsCarriedThroughThreeReleasesWhetherTheirCheckpointsOrTheirEventsAreRead(bool firstWritesCheckpoint, bool secondWritesCheckpoint)
    {
        await using NinoStore store = Simulated.Open(_directory);
        await using (StateStore<Before.Total> first = await FirstAsync(store))
        {
            first.Apply(new Before.Line("a", 2, 1));
            if (firstWritesCheckpoint) await first.CheckpointAsync();
            first.Apply(new Before.Line("b", 3, 1));
        }

        await using (StateStore<After.Total> second = await SecondAsync(store))
        {
            second.Apply(new After.Line(10, "c"));
            if (secondWritesCheckpoint) await second.CheckpointAsync();
            second.Apply(new After.Line(20, "d"));
        }

        // The first did not count orders: those in front of its snapshot are not counted.
        long orders = firstWritesCheckpoint ? 3 : 4;
        await using (StateStore<Later.Total> third = await ThirdAsync(store))
        {
            Assert.Equal((35m, orders, 3), third.Read(static t => (t.Sum, t.Orders, t.Releases)));
            third.Apply(new Later.Line("e", 100));
            await third.CheckpointAsync();
            third.Apply(new Later.Line("f", 200));
        }

        await using (StateStore<Later.Total> again = await ThirdAsync(store))
        {
            Assert.Equal((335m, 1L), (again.Read(static t => t.Sum), store.Recovery.RecordsReplayed));
            await again.CheckpointAsync();
        }

        // Those of the former names are the generations before.
        Assert.Equal(["Store.Tests.Evolution.Later+Total", "Store.Tests.Evolution.Later+Total"], store.Snapshots.Select(static snapshot => snapshot.TypeName));
        Assert.Equal(["a", "b", "c", "d", "e", "f"], store.Read<Later.Line>().Select(static record => record.Value.Name));
        Later.Line ofTheSecond = store.Read<Later.Line>().ElementAt(2).Value;
        Assert.Equal([0.5m], ofTheSecond.Discount!);
        Assert.Equal((10, "later"), ((int)ofTheSecond.Quantity, ofTheSecond.Origin));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task AKeyedStateIsCarriedThroughThreeReleases(bool withCheckpoints)
    {
        await using NinoStore store = Simulated.Open(_directory);
        using (IKeyValueStore<short, Before.Line> first = store.OpenKeyValue<short, Before.Line>("lines", KeyValue.KeyValueBed.Tiny))
        {
            first.Put(1, new Before.Line("a", 2, 1));
            first.Put(2, new Before.Line("b", 3, 1));
            if (withCheckpoints) await first.CheckpointAsync();
        }

        using (IKeyValueStore<int, After.Line> second = store.OpenKeyValue<int, After.Line>("lines", KeyValue.KeyValueBed.Tiny))
        {
            second.Put(1, new After.Line(10, "c"));
            second.Put(70_000, new After.Line(20, "d"));
            if (withCheckpoints) await second.CheckpointAsync();
        }

        using (IKeyValueStore<long, Later.Line> third = store.OpenKeyValue<long, Later.Line>("lines", KeyValue.KeyValueBed.Tiny))
        {
            Assert.Equal(new[] { (1L, "c", 10), (2L, "b", 3), (70_000L, "d", 20) }, third.Scan().Select(static pair => (pair.Key, pair.Value.Name, (int)pair.Value.Quantity)).Order());
            Assert.True(third.Recovery.RebuiltFromLog);
            third.Delete(70_000);
            if (withCheckpoints) await third.CheckpointAsync();
        }

        // Back a release: the names of the third are not known there, so its values are no 'Line'.
        Assert.Contains("Store.Tests.Evolution.Later+Line", Assert.Throws<SchemaMismatchException>(() => store.OpenKeyValue<int, After.Line>("lines", KeyValue.KeyValueBed.Tiny)).Message, StringComparison.Ordinal);
        using IKeyValueStore<long, Later.Line> forward = store.OpenKeyValue<long, Later.Line>("lines", KeyValue.KeyValueBed.Tiny);
        Assert.Equal(2, forward.Count);
    }

    /// <summary>The build of the former name does not know the events of the present one, and its checkpoint covers them: what the message says to do, done.</summary>
    [Fact]
    public async Task AStateOfTwoNamesIsBegunAnewUnderBothAsTheRefusalSays()
    {
        const string Former = "Store.Tests.Evolution.Before+Total", Present = "Store.Tests.Evolution.After+Total";
        await using NinoStore store = Simulated.Open(_directory);
        await using (StateStore<Before.Total> first = await FirstAsync(store)) first.Apply(new Before.Line("a", 1, 1));
        await using (StateStore<After.Total> second = await SecondAsync(store))
        {
            second.Apply(new After.Line(10, "b"));
            await second.CheckpointAsync();
        }

        await using (StateStore<Before.Total> back = await FirstAsync(store))
        {
            back.Apply(new Before.Line("c", 100, 1));
            await back.CheckpointAsync();
        }

        string refused = (await Assert.ThrowsAsync<InvalidOperationException>(async () => await SecondAsync(store))).Message;
        Assert.Contains($"To apply them, begin the state anew: ForgetState(\"{Present}\"), ForgetState(\"{Former}\"), DeleteSnapshots(\"{Present}\"), DeleteSnapshots(\"{Former}\"), and open it", refused, StringComparison.Ordinal);
        Assert.True(store.ForgetState(Present));
        Assert.True(store.ForgetState(Former));
        Assert.Equal((1, 1), (store.DeleteSnapshots(Present), store.DeleteSnapshots(Former)));
        await using StateStore<After.Total> anew = await SecondAsync(store);
        Assert.Equal((111m, 3), anew.Read(static t => (t.Sum, t.Orders)));
    }

    /// <summary>Whoever leaves AllowTruncatedHistory set, and goes back to a build from before the state's type was renamed: that finds no mark and no snapshot of its name, and takes the state for a new one.</summary>
    [Fact]
    public async Task ASnapshotOfAStateThatWasBegunAnewUnderItsFormerNameIsNotTakenForTheWholeOne()
    {
        string later;
        await using (NinoStore store = Truncated())
        {
            await using (StateStore<Before.Total> back = await FormerAsync(store, new StateOptions { AllowTruncatedHistory = true }))
            {
                Assert.True(back.Read(static t => t.Sum) < 100);
                back.Apply(new After.Line(1, "back"));
                later = (await back.CheckpointAsync()).FileName;
            }

            string refused = (await Assert.ThrowsAsync<InvalidOperationException>(async () => await SecondAsync(store))).Message;
            foreach (string said in new[] { later, "was begun behind record 0 as 'Store.Tests.Evolution.After+Total'", "is of 'Store.Tests.Evolution.Before+Total'", $"anew behind record {store.FirstSequence - 1}", "move this one out of the folder" })
                Assert.Contains(said, refused, StringComparison.Ordinal);
        }

        _directory.Delete(later);
        await using NinoStore again = Simulated.Open(_directory, 2);
        await using StateStore<After.Total> whole = await SecondAsync(again);
        Assert.Equal(101m, whole.Read(static t => t.Sum));
    }

    [Fact]
    public async Task AStateThatIsNotFoundInACutLogIsToldWhichSnapshotsMayBeItsOwn()
    {
        await using NinoStore store = Truncated();
        string refused = (await Assert.ThrowsAsync<LogTruncatedException>(async () => await FormerAsync(store))).Message;
        Assert.Contains("There are snapshots of 'Store.Tests.Evolution.After+Total': where one of these is another name of the type, put [NinoFormerName]", refused, StringComparison.Ordinal);
    }

    // A hundred events of which a part is only in the snapshots of the second release. Of the names only the state's has changed.
    private NinoStore Truncated()
    {
        NinoStore store = Simulated.Open(_directory, change: static o => o with { FirstSegmentSizeBytes = 4096, SegmentSizeBytes = 64 * 1024 });
        using (StateStore<Before.Total> former = FormerAsync(store).AsTask().GetAwaiter().GetResult())
            for (int i = 0; i < 50; i++) former.Apply(new After.Line(1, "a"));
        using (StateStore<After.Total> second = SecondAsync(store).AsTask().GetAwaiter().GetResult())
        {
            for (int i = 0; i < 2; i++)
            {
                for (int j = 0; j < 25; j++) second.Apply(new After.Line(1, "b"));
                store.AppendBatch<int>(new int[40_000]);
                Simulated.Commit(store);
                second.CheckpointAsync().AsTask().GetAwaiter().GetResult();
            }
        }

        store.TruncateBefore(long.MaxValue);
        Assert.True(store.FirstSequence > 1);
        return store;
    }

    private static ValueTask<StateStore<Before.Total>> FirstAsync(NinoStore store) =>
        store.OpenStateAsync(static () => new Before.Total(0), static on => on.On<Before.Line>(static (total, line) => new Before.Total(total.Sum + line.Count)));

    private static ValueTask<StateStore<Before.Total>> FormerAsync(NinoStore store, StateOptions? options = null) =>
        store.OpenStateAsync(static () => new Before.Total(0), static on => on.On<After.Line>(static (total, line) => new Before.Total(total.Sum + line.Count)), options);

    private static ValueTask<StateStore<After.Total>> SecondAsync(NinoStore store) => store.OpenStateAsync<After.Total>(static on => on.On<After.Line>(static (total, line) =>
    {
        total.Sum += line.Count;
        total.Orders++;
    }));

    private static ValueTask<StateStore<Later.Total>> ThirdAsync(NinoStore store) => store.OpenStateAsync<Later.Total>(static on => on.On<Later.Line>(static (total, line) =>
    {
        total.Sum = (total.Sum ?? 0) + (long)line.Quantity;
        total.Orders = (total.Orders ?? 0) + 1;
    }));
}
