// Does a checkpoint that is due come, whatever came between? What one was to cover that failed, what came while one was written and what opening replayed wait for no other change; what failed behind one is done again by the next.

using Store.Faster;
using Store.IO;
using Store.KeyValue;
using Store.Tests.Log;
using Store.Tests.Simulation;

namespace Store.Tests.KeyValue;

public sealed class KeyValueDueTests : IDisposable
{
    private const int Limit = 100;
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(30);
    private static readonly FasterOptions Counting = KeyValueBed.Tiny with { CheckpointEveryChanges = Limit };

    private readonly SimDirectory _directory = new();

    private int CheckpointCount => _directory.List().Count(static entry => entry.Name.EndsWith(".manifest", StringComparison.Ordinal));

    public void Dispose() => _directory.Dispose();

    /// <summary>It failed behind its line: whoever asks in vain again and again would keep the automatic ones away for ever.</summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task WhatACheckpointThatFailedWasToCoverCountsTowardsTheNext(bool isCancelled)
    {
        var faulty = new FaultDirectory(_directory);
        using NinoStore store = Simulated.Open(faulty);
        using IKeyValueStore<int, int> kv = store.OpenKeyValue<int, int>("x", Counting);
        for (int i = 0; i < Limit - 30; i++)
        {
            kv.Put(i, i);
            if (i % 20 != 19) continue;
            if (isCancelled) await GiveUpAsync(kv);
            else faulty.Fault = Fault.OfTheNextRename;
            if (!isCancelled) await Assert.ThrowsAsync<InjectedFault>(async () => await kv.CheckpointAsync());
        }

        Assert.Equal(0, CheckpointCount);
        for (int i = 0; i < 30; i++) kv.Put(i, i);
        Assert.Equal(1, CheckpointCount);
    }

    /// <summary>Those that came while it was written are too few alone, and found none due.</summary>
    [Fact]
    public async Task WhatIsDueWhenACheckpointHasFailedWaitsForNoOtherChange()
    {
        using var point = new HoldingPoint(Patience);
        int manifests = 0;
        using NinoStore store = Open(new HeldManifests(_directory, () =>
        {
            if (Interlocked.Increment(ref manifests) > 1) return;
            point.Stay();
            throw new IOException("no room");
        }));
        using IKeyValueStore<int, int> kv = store.OpenKeyValue<int, int>("x", Counting);
        for (int i = 0; i < Limit - 1; i++) kv.Put(i, i);
        Task failing = kv.CheckpointAsync().AsTask();
        point.AwaitArrival();
        for (int i = 0; i < Limit - 1; i++) kv.Put(i, i);
        point.Release();
        Assert.Equal("no room", (await Assert.ThrowsAsync<IOException>(() => failing)).Message);
        await Until.HoldsAsync(() => CheckpointCount == 1, Patience);
    }

    [Fact]
    public async Task WhatBecomesDueWhileOneIsWrittenWaitsForNoOtherChange()
    {
        using var point = new HoldingPoint(Patience);
        using NinoStore store = Open(new HeldManifests(_directory, point.Stay));
        using IKeyValueStore<int, int> kv = store.OpenKeyValue<int, int>("x", Counting);
        for (int i = 0; i < Limit; i++) kv.Put(i, i);
        point.AwaitArrival();

        // The line is drawn: these are behind it, and as many as make one due.
        for (int i = 0; i < Limit; i++) kv.Put(i, i);
        point.Release();
        await Until.HoldsAsync(() => CheckpointCount == 2, Patience);
        Assert.Null(kv.CheckpointFailure);
    }

    [Fact]
    public void WhatOpeningReplayedIsWrittenWithoutAChange()
    {
        using NinoStore store = Simulated.Open(_directory);
        using (IKeyValueStore<int, int> kv = store.OpenKeyValue<int, int>("x", Counting with { CheckpointEveryChanges = long.MaxValue }))
        {
            for (int i = 0; i < Limit; i++) kv.Put(i, i);
        }

        using (IKeyValueStore<int, int> again = store.OpenKeyValue<int, int>("x", Counting))
        {
            Assert.Equal((long)Limit, again.Recovery.ChangesReplayed);
            Assert.Equal(1, CheckpointCount);
        }

        // Nothing is left to be replayed, and nothing is due.
        using IKeyValueStore<int, int> covered = store.OpenKeyValue<int, int>("x", Counting);
        Assert.Equal((0L, 1), (covered.Recovery.ChangesReplayed, CheckpointCount));
    }

    [Fact]
    public async Task WhatFailedBehindACheckpointIsDoneAgainByTheNextAlsoWithoutAChange()
    {
        var faulty = new FaultDirectory(_directory);
        using NinoStore store = Simulated.Open(faulty);
        using IKeyValueStore<int, int> kv = store.OpenKeyValue<int, int>("x", KeyValueBed.Tiny);
        for (int i = 0; i < 3; i++)
        {
            kv.Put(i, i);
            if (i == 2) faulty.Fault = new Fault(2, FaultKind.IoError, IsForever: true, operation => operation == IoOperation.Delete);
            await kv.CheckpointAsync();
        }

        Assert.IsType<InjectedFault>(kv.CheckpointFailure);
        Assert.Equal(3, CheckpointCount);
        faulty.Fault = null;
        await kv.CheckpointAsync();
        Assert.Null(kv.CheckpointFailure);
        Assert.Equal(2, CheckpointCount);
    }

    /// <summary>One call fails, then there is room again.</summary>
    [Theory]
    [InlineData(nameof(IoOperation.Write))]
    [InlineData(nameof(IoOperation.SyncData))]
    public async Task TheLogIsReleasedAgainAfterAMarkThatCouldNotBeWritten(string failing)
    {
        var faulty = new FaultDirectory(_directory);
        using NinoStore store = Simulated.Open(faulty);
        using IKeyValueStore<int, string> kv = KeyValueHoldBed.Open(store);
        long first = await CheckpointAsync();
        await CheckpointAsync();
        Assert.Equal(first, KeyValueHoldBed.Mark.Read(_directory));

        faulty.Fault = new Fault(1, FaultKind.NoSpace, Strikes: operation => operation.ToString() == failing, Files: static name => name.StartsWith("keyed-", StringComparison.Ordinal));
        long covered = await CheckpointAsync();
        Assert.Equal(1, faulty.Failures);
        Assert.Contains("next checkpoint", Assert.IsType<StoreFailedException>(kv.CheckpointFailure).Message, StringComparison.Ordinal);
        Assert.Contains($"after record {first}", store.TruncateBefore(long.MaxValue).HeldBy, StringComparison.Ordinal);

        long next = await CheckpointAsync();
        Assert.Null(kv.CheckpointFailure);
        Assert.Equal(covered, KeyValueHoldBed.Mark.Read(_directory));
        await CheckpointAsync();
        Assert.Null(kv.CheckpointFailure);
        Assert.Equal(next, KeyValueHoldBed.Mark.Read(_directory));
        Assert.Contains($"after record {next}", store.TruncateBefore(long.MaxValue).HeldBy, StringComparison.Ordinal);

        async Task<long> CheckpointAsync()
        {
            for (int i = 0; i < 400; i++) kv.Put(i, "value");
            await kv.CheckpointAsync();
            return store.LastSequence;
        }
    }

    /// <summary>One writes the last checkpoint and closes, the other finds it closed: for neither is it an error.</summary>
    [Fact]
    public async Task TwoThreadsThatCloseAtOnceBothFindItClosedWithItsLastCheckpoint()
    {
        for (int round = 0; round < 10; round++)
        {
            using var directory = new SimDirectory();
            using var point = new HoldingPoint(Patience);
            using NinoStore store = Open(new HeldManifests(directory, point.Stay));
            IKeyValueStore<int, int> kv = store.OpenKeyValue<int, int>("x", KeyValueBed.Tiny with { CheckpointOnDispose = true });
            kv.Put(1, 1);
            Task first = Task.Run(kv.Dispose);
            point.AwaitArrival();

            // It waits for the one under way.
            Exception? failure = null;
            var second = new Thread(() => failure = Record.Exception(kv.Dispose));
            second.Start();
            SpinWait.SpinUntil(() => (second.ThreadState & ThreadState.WaitSleepJoin) != 0);
            point.Release();
            await first.WaitAsync(Patience);
            Assert.True(second.Join(Patience));
            Assert.Null(failure);
            using IKeyValueStore<int, int> again = store.OpenKeyValue<int, int>("x", KeyValueBed.Tiny);
            Assert.Equal((1L, 0L), (again.Count, again.Recovery.ChangesReplayed));
        }
    }

    // Behind its line: noticed when the log is to be committed.
    private async Task GiveUpAsync(IKeyValueStore<int, int> kv)
    {
        using var cancellation = new CancellationTokenSource();
        _directory.OnOperation = (_, operation) => { if (operation.Contains(".snapshot", StringComparison.Ordinal)) cancellation.Cancel(); };
        await Assert.ThrowsAnyAsync<OperationCanceledException>(async () => await kv.CheckpointAsync(cancellation.Token));
        _directory.OnOperation = null;
    }

    private static NinoStore Open(IStoreDirectory directory) => NinoStore.Open("sim", new NinoStoreOptions { Directory = directory });
}
