using Store.Faster;
using Store.KeyValue;
using Store.State;
using Store.Tests.KeyValue;
using Store.Tests.Simulation;
using Store.Tests.State;

namespace Store.Tests.Log;

/// <summary>A failure that lost records and reached nothing but a logger is told when the store is disposed.</summary>
public sealed class OnlyLoggedTests : IDisposable
{
    private static readonly Fault NoSyncOfTheLog = new(1, FaultKind.IoError, IsForever: true, Strikes: static operation => operation == IoOperation.SyncData, Files: static name => name.StartsWith("segment-", StringComparison.Ordinal));

    private readonly FaultDirectory _faulty = new(new SimDirectory());

    public void Dispose() => _faulty.Dispose();

    [Fact]
    public async Task OfACheckpointOfAStateThatWasDue()
    {
        NinoStore store = Simulated.Open(_faulty);
        StateStore<Bank> bank = await store.OpenStateAsync<Bank>(Bank.Events_, new StateOptions { CheckpointEveryEvents = 2 });
        bank.Apply(new Deposited("ann", 1));
        _faulty.Fault = NoSyncOfTheLog;
        bank.Apply(new Deposited("ann", 2));

        Assert.IsType<StoreFailedException>(bank.CheckpointFailure);
        bank.Dispose();
        AssertTells(store);
    }

    [Fact]
    public async Task OfAScheduledCheckpoint()
    {
        NinoStore store = Simulated.Open(_faulty, change: static o => o with { RunsInline = false, FlushIntervalMs = 1 });
        store.Append(1);
        store.Commit();
        CheckpointSchedule schedule = store.CheckpointEvery(new CheckpointPolicy { EveryRecords = 2 }, () => store.Capture(new List<int> { 1 }));
        _faulty.Fault = NoSyncOfTheLog;

        // Written, and not synced: who writes the checkpoint syncs.
        store.AppendBatch<int>([2, 3]);
        await Until.HoldsAsync(() => schedule.CheckpointFailure is not null, TimeSpan.FromSeconds(60));
        schedule.Dispose();

        Assert.IsType<StoreFailedException>(schedule.CheckpointFailure);
        AssertTells(store);
    }

    [Fact]
    public void OfACheckpointOfAKeyedStateThatWasDue()
    {
        NinoStore store = Simulated.Open(_faulty);
        IKeyValueStore<int, int> kv = store.OpenKeyValue<int, int>("x", KeyValueBed.Tiny with { CheckpointEveryChanges = 2 });
        kv.Put(1, 1);
        _faulty.Fault = NoSyncOfTheLog;
        kv.Put(2, 2);

        Assert.IsType<StoreFailedException>(kv.CheckpointFailure);
        kv.Dispose();
        AssertTells(store);
    }

    private static void AssertTells(NinoStore store) => Assert.IsType<InjectedFault>(Assert.Throws<StoreFailedException>(store.Dispose).InnerException);
}
