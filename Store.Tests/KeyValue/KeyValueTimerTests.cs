// Checkpoints of a keyed state by time: nobody has to make another change for them, and there is none when nothing changed. The clock is moved by hand; the store runs on its own threads.

using Store.Faster;
using Store.IO;
using Store.KeyValue;
using Store.Tests.Simulation;
using Store.Tests.State;

namespace Store.Tests.KeyValue;

public sealed class KeyValueTimerTests : IDisposable
{
    private static readonly TimeSpan Every = TimeSpan.FromMinutes(5), Patience = TimeSpan.FromSeconds(30);

    private readonly SimDirectory _directory = new();
    private readonly HandTimers _clock = new();

    public void Dispose() => _directory.Dispose();

    [Fact]
    public async Task ACheckpointComesSoMuchTimeAfterAChangeWithoutAnotherOne()
    {
        using NinoStore store = Open();
        using IKeyValueStore<int, int> kv = OpenState(store);
        Assert.Equal(0, _clock.Waiting);
        kv.Put(1, 1);
        _clock.Pass(Every / 2);
        kv.Put(2, 2);
        _clock.Pass((Every / 2) - TimeSpan.FromTicks(1));
        await Task.Delay(20);
        Assert.Equal(0, CheckpointCount);
        _clock.Pass(TimeSpan.FromTicks(1));
        await UntilAsync(() => CheckpointCount == 1);
    }

    [Fact]
    public async Task NothingIsWrittenWhenNothingChangedAndNoTimerWaits()
    {
        using NinoStore store = Open();
        using IKeyValueStore<int, int> kv = OpenState(store);
        _clock.Pass(10 * Every);
        kv.Put(1, 1);
        Assert.Equal(1, _clock.Waiting);
        _clock.Pass(Every);
        await UntilAsync(() => CheckpointCount == 1);
        _clock.Pass(10 * Every);
        Assert.Equal(0, _clock.Waiting);

        // One that somebody asked for covers the next change: the time ends in vain, and waits for nothing afterwards.
        kv.Put(1, 2);
        await kv.CheckpointAsync();
        Assert.Equal(2, CheckpointCount);
        string[] written = Manifests();
        _clock.Pass(Every);
        Assert.Equal(0, _clock.Waiting);
        await Task.Delay(20);
        Assert.Equal(written, Manifests());
    }

    [Fact]
    public async Task AfterAFailureItIsTriedAgainAfterAsMuchTimeWithoutAnotherChange()
    {
        var faulty = new FaultDirectory(_directory);
        using NinoStore store = Open(faulty);
        using IKeyValueStore<int, int> kv = OpenState(store);
        kv.Put(1, 1);
        faulty.Fault = new Fault(1, FaultKind.NoSpace, IsForever: true, operation => operation == IoOperation.Rename);
        _clock.Pass(Every);
        await UntilAsync(() => kv.CheckpointFailure is InjectedFault && _clock.Waiting == 1);
        faulty.Fault = null;
        _clock.Pass(Every);
        await UntilAsync(() => CheckpointCount == 1 && kv.CheckpointFailure is null);
    }

    /// <summary>Nor would the next change: whoever asks in vain more often than that would never get one.</summary>
    [Fact]
    public async Task ACheckpointThatIsAskedForAndFailsDoesNotBeginTheTimeAnew()
    {
        var faulty = new FaultDirectory(_directory);
        using NinoStore store = Open(faulty);
        using IKeyValueStore<int, int> kv = OpenState(store);
        kv.Put(1, 1);
        _clock.Pass(Every / 2);
        faulty.Fault = Fault.OfTheNextRename;
        await Assert.ThrowsAsync<InjectedFault>(async () => await kv.CheckpointAsync());
        kv.Put(2, 2);
        _clock.Pass(Every / 2);
        await UntilAsync(() => CheckpointCount == 1);
    }

    [Fact]
    public async Task AChangeBehindTheLineOfACheckpointThatTakesLongerThanTheTimeIsInTheNextOne()
    {
        using var point = new HoldingPoint(Patience);
        using NinoStore store = Open(new HeldManifests(_directory, point.Stay));
        using IKeyValueStore<int, int> kv = OpenState(store);
        kv.Put(1, 1);
        _clock.Pass(Every);
        point.AwaitArrival();

        // The line is drawn: this change is behind it, and its time is over before the checkpoint is.
        kv.Put(2, 2);
        _clock.Pass(2 * Every);
        point.Release();
        await UntilAsync(() => CheckpointCount == 1 && _clock.Waiting == 1);
        _clock.Pass(Every);
        await UntilAsync(() => CheckpointCount == 2);
    }

    /// <summary>The time of what came behind its line begins with it, not with the end of what it makes superfluous, which may take longer.</summary>
    [Fact]
    public async Task ATimeThatIsOverWhileACheckpointRemovesOldFilesIsFollowedByOne()
    {
        using var point = new HoldingPoint(Patience);
        using NinoStore store = Open(new HeldTidying(_directory, point.Stay));
        using IKeyValueStore<int, int> kv = OpenState(store);
        kv.Put(1, 1);
        _clock.Pass(Every);
        point.AwaitArrival();

        // It is in force, and has still to tidy.
        kv.Put(2, 2);
        Assert.Equal((1, 1), (CheckpointCount, _clock.Waiting));
        _clock.Pass(Every);
        Assert.Equal((1, 0), (CheckpointCount, _clock.Waiting));
        point.Release();
        await UntilAsync(() => CheckpointCount == 2);
    }

    [Fact]
    public async Task TheEndOfACheckpointDoesNotBeginAnewTheTimeOfWhatCameBehindItsLine()
    {
        using var point = new HoldingPoint(Patience);
        using NinoStore store = Open(new HeldTidying(_directory, point.Stay));
        using IKeyValueStore<int, int> kv = OpenState(store);
        kv.Put(1, 1);
        _clock.Pass(Every);
        point.AwaitArrival();
        kv.Put(2, 2);
        _clock.Pass(Every / 2);
        point.Release();

        // It ends meanwhile; where it does not, this test sees less.
        await Task.Delay(50);
        _clock.Pass(Every / 2);
        await UntilAsync(() => CheckpointCount == 2);
    }

    [Fact]
    public async Task WhatOpeningHadToReplayBeginsTheTime()
    {
        using NinoStore store = Open();
        using (IKeyValueStore<int, int> kv = OpenState(store)) kv.Put(1, 1);
        using IKeyValueStore<int, int> again = OpenState(store);
        Assert.Equal(1, again.Recovery.ChangesReplayed);
        _clock.Pass(Every);
        await UntilAsync(() => CheckpointCount == 1);
    }

    /// <summary>The last change that was replayed made one due, and it failed: nothing is left to be counted, and much to be covered.</summary>
    [Fact]
    public async Task WhatACheckpointThatFailedInTheReplayWasToCoverBeginsTheTime()
    {
        const int Changes = 100;
        var faulty = new FaultDirectory(_directory);
        using NinoStore store = Open(faulty);
        using (IKeyValueStore<int, string> kv = store.OpenKeyValue<int, string>("x", KeyValueBed.Tiny))
        {
            for (int i = 0; i < Changes; i++) kv.Put(i, new string('x', 200));
        }

        faulty.Fault = new Fault(1, FaultKind.NoSpace, Strikes: static operation => operation == IoOperation.Rename, Files: static name => name.Contains(".manifest", StringComparison.Ordinal));
        using IKeyValueStore<int, string> again = store.OpenKeyValue<int, string>("x", KeyValueBed.Tiny with { CheckpointEvery = Every, CheckpointEveryChanges = Changes });
        Assert.Equal((Changes, 1L), (again.Recovery.ChangesReplayed, faulty.Failures));
        Assert.IsType<InjectedFault>(again.CheckpointFailure);
        _clock.Pass(Every);
        await UntilAsync(() => CheckpointCount == 1);
        await UntilAsync(() => again.CheckpointFailure is null);
    }

    [Fact]
    public void ClosingTakesTheTimerAway()
    {
        using NinoStore store = Open();
        int before = _clock.Open;
        using (IKeyValueStore<int, int> kv = OpenState(store))
        {
            kv.Put(1, 1);
            Assert.Equal(before + 1, _clock.Open);
        }

        Assert.Equal(before, _clock.Open);
        _clock.Pass(10 * Every);
        Assert.Equal(0, CheckpointCount);
        using IKeyValueStore<int, int> untimed = store.OpenKeyValue<int, int>("y", KeyValueBed.Tiny);
        untimed.Put(1, 1);
        Assert.Equal(before, _clock.Open);
    }

    private int CheckpointCount => Manifests().Length;

    private string[] Manifests() => [.. _directory.List().Select(static entry => entry.Name).Where(static name => name.EndsWith(".manifest", StringComparison.Ordinal)).Order()];

    private NinoStore Open(IStoreDirectory? directory = null) => NinoStore.Open("sim", new NinoStoreOptions { Directory = directory ?? _directory, TimeProvider = _clock });

    private static IKeyValueStore<int, int> OpenState(NinoStore store) => store.OpenKeyValue<int, int>("x", KeyValueBed.Tiny with { CheckpointEvery = Every });

    private static Task UntilAsync(Func<bool> condition) => Until.HoldsAsync(condition, Patience);
}
