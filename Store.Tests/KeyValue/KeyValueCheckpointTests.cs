// When does a keyed state write a checkpoint by itself, what waits for it, and who is told when something behind it fails?

using Store.Faster;
using Store.Faster.Checkpoints;
using Store.KeyValue;
using Store.Tests.Log;
using Store.Tests.Simulation;

namespace Store.Tests.KeyValue;

public class KeyValueCheckpointTests
{
    private readonly SimDirectory _directory = new();

    [Theory]
    [InlineData(500, long.MaxValue)]
    [InlineData(long.MaxValue, 20_000)]
    public void CheckpointsAreWrittenByThemselvesAfterSoManyChangesOrBytes(long changes, long bytes)
    {
        FasterOptions options = KeyValueBed.Tiny with { CheckpointEveryChanges = changes, CheckpointEveryBytes = bytes };
        using NinoStore store = Simulated.Open(_directory);
        using (IKeyValueStore<int, string> kv = store.OpenKeyValue<int, string>("x", options))
        {
            for (int i = 0; i < 1700; i++) kv.Put(i % 50, $"value {i} of forty bytes or thereabouts");
            Assert.Equal(CheckpointCatalog.KeptGenerations, CheckpointCount);
            Assert.Null(kv.CheckpointFailure);
        }

        using IKeyValueStore<int, string> again = store.OpenKeyValue<int, string>("x", options);
        Assert.False(again.Recovery.RebuiltFromLog);
        Assert.InRange(again.Recovery.ChangesReplayed, 0, 700);
    }

    /// <summary>Long before any stripe of keys has had as many changes as are counted at once.</summary>
    [Fact]
    public void BytesAreCountedWhereTheChangesAreFewAndLong()
    {
        const int EveryBytes = 64 * 1024, ValueChars = 1000;
        using NinoStore store = Simulated.Open(_directory);
        using IKeyValueStore<int, string> kv = store.OpenKeyValue<int, string>("x", KeyValueBed.Tiny with { CheckpointEveryChanges = long.MaxValue, CheckpointEveryBytes = EveryBytes });
        int changes = 0;
        for (; changes < EveryBytes / ValueChars; changes++) kv.Put(changes, new string('v', ValueChars));
        Assert.Equal(0, CheckpointCount);
        while (CheckpointCount == 0 && changes <= EveryBytes / ValueChars * 5 / 4) kv.Put(++changes, new string('v', ValueChars));
        Assert.Equal(1, CheckpointCount);
    }

    [Fact]
    public void CheckpointsAreWrittenByThemselvesAfterSoMuchTime()
    {
        var clock = new ManualTime();
        FasterOptions options = KeyValueBed.Tiny with { CheckpointEvery = TimeSpan.FromMinutes(5) };
        using NinoStore store = NinoStore.Open("sim", new NinoStoreOptions { Directory = _directory, RunsInline = true, TimeProvider = clock });
        using IKeyValueStore<int, int> kv = store.OpenKeyValue<int, int>("x", options);
        kv.Put(1, 1);
        Assert.Equal(0, CheckpointCount);
        clock.Now += TimeSpan.FromMinutes(5);
        kv.TryGet(1, out _);
        Assert.Equal(0, CheckpointCount);
        kv.Put(2, 2);
        Assert.Equal(1, CheckpointCount);
        kv.Put(3, 3);
        Assert.Equal(1, CheckpointCount);
    }

    [Fact]
    public void WhatOpeningHadToReplayCountsTowardsTheNextCheckpoint()
    {
        using NinoStore store = Simulated.Open(_directory);
        using (IKeyValueStore<int, int> kv = store.OpenKeyValue<int, int>("x", KeyValueBed.Tiny with { CheckpointEveryChanges = long.MaxValue }))
        {
            for (int i = 0; i < 300; i++) kv.Put(i, i);
        }

        using IKeyValueStore<int, int> again = store.OpenKeyValue<int, int>("x", KeyValueBed.Tiny with { CheckpointEveryChanges = 300 });
        again.Put(1, 1);
        Assert.Equal(1, CheckpointCount);
    }

    [Fact]
    public void ALastCheckpointIsWrittenOnClosingIfItIsAskedFor()
    {
        FasterOptions options = KeyValueBed.Tiny with { CheckpointOnDispose = true };
        using NinoStore store = Simulated.Open(_directory);
        for (int life = 0; life < 3; life++)
        {
            using IKeyValueStore<int, int> kv = store.OpenKeyValue<int, int>("x", options);
            Assert.Equal(0, kv.Recovery.ChangesReplayed);
            Assert.Equal(life > 0, kv.TryGet(1, out int value) && value == life - 1);
            kv.Put(1, life);
        }

        Assert.Equal(2, CheckpointCount);
    }

    [Fact]
    public void AFailedAutomaticCheckpointCostsNoChangeAndIsTold()
    {
        var faulty = new FaultDirectory(_directory);
        using NinoStore store = Simulated.Open(faulty);
        using IKeyValueStore<int, int> kv = store.OpenKeyValue<int, int>("x", KeyValueBed.Tiny with { CheckpointEveryChanges = 100 });
        faulty.Fault = new Fault(1, FaultKind.NoSpace, IsForever: true, operation => operation == IoOperation.Rename);
        for (int i = 0; i < 150; i++) kv.Put(i, i);
        Assert.IsType<InjectedFault>(kv.CheckpointFailure);
        Assert.Equal((0, 150L), (CheckpointCount, kv.Count));
        faulty.Fault = null;
        for (int i = 150; i < 290; i++) kv.Put(i, i);
        Assert.Null(kv.CheckpointFailure);
        Assert.Equal((1, 290L), (CheckpointCount, kv.Count));
    }

    [Fact]
    public void WhatAFailedCheckpointLeftOutIsInTheOneOnClosing()
    {
        var faulty = new FaultDirectory(_directory);
        using NinoStore store = Simulated.Open(faulty);
        using (IKeyValueStore<int, int> kv = store.OpenKeyValue<int, int>("x", KeyValueBed.Tiny with { CheckpointEveryChanges = 100, CheckpointOnDispose = true }))
        {
            faulty.Fault = new Fault(1, FaultKind.NoSpace, IsForever: true, operation => operation == IoOperation.Rename);
            for (int i = 0; i < 100; i++) kv.Put(i, i);
            Assert.NotNull(kv.CheckpointFailure);
            faulty.Fault = null;
        }

        Assert.Equal(1, CheckpointCount);
    }

    [Fact]
    public async Task ACheckpointThatIsAskedForEndsTheFailureOfOneThatWasDue()
    {
        var faulty = new FaultDirectory(_directory);
        using NinoStore store = Simulated.Open(faulty);
        using IKeyValueStore<int, int> kv = store.OpenKeyValue<int, int>("x", KeyValueBed.Tiny with { CheckpointEveryChanges = 100 });
        faulty.Fault = new Fault(1, FaultKind.NoSpace, IsForever: true, operation => operation == IoOperation.Rename);
        for (int i = 0; i < 100; i++) kv.Put(i, i);
        Assert.NotNull(kv.CheckpointFailure);
        faulty.Fault = null;
        await kv.CheckpointAsync();
        Assert.Null(kv.CheckpointFailure);
    }

    /// <summary>Once the manifest is there the checkpoint is in force: what fails behind it is no failure of it.</summary>
    [Fact]
    public async Task WhatFailsBehindAPublishedCheckpointIsToldAndDoneAgainByTheNext()
    {
        var faulty = new FaultDirectory(_directory);
        using NinoStore store = Simulated.Open(faulty);
        using IKeyValueStore<int, int> kv = store.OpenKeyValue<int, int>("x", KeyValueBed.Tiny);
        for (int i = 0; i < 2; i++)
        {
            kv.Put(i, i);
            await kv.CheckpointAsync();
        }

        kv.Put(2, 2);
        faulty.Fault = new Fault(2, FaultKind.IoError, IsForever: true, operation => operation == IoOperation.Delete);
        await kv.CheckpointAsync();
        Assert.IsType<InjectedFault>(kv.CheckpointFailure);
        Assert.Equal(3, CheckpointCount);
        faulty.Fault = null;
        kv.Put(3, 3);
        await kv.CheckpointAsync();
        Assert.Null(kv.CheckpointFailure);
        Assert.Equal(2, CheckpointCount);
    }

    /// <summary>Whatever it is: no disk's failure either.</summary>
    [Fact]
    public async Task WhatFailsBehindAPublishedCheckpointAsNobodyForesawIsToldAndDoneAgainByTheNext()
    {
        using NinoStore store = Simulated.Open(_directory);
        using IKeyValueStore<int, int> kv = store.OpenKeyValue<int, int>("x", KeyValueBed.Tiny);
        for (int i = 0; i < 3; i++)
        {
            kv.Put(i, i);
            if (i == 2) _directory.OnOperation = static (_, operation) => { if (operation.StartsWith("remove", StringComparison.Ordinal) && !operation.EndsWith(".tmp", StringComparison.Ordinal)) throw new UnauthorizedAccessException("not yours"); };
            await kv.CheckpointAsync();
        }

        _directory.OnOperation = null;
        Assert.IsType<UnauthorizedAccessException>(kv.CheckpointFailure);
        Assert.Equal(3, CheckpointCount);
        kv.Put(3, 3);
        await kv.CheckpointAsync();
        Assert.Null(kv.CheckpointFailure);
        Assert.Equal(2, CheckpointCount);
    }

    [Fact]
    public async Task ACheckpointThatFailedIsToldWithItsReasonAlsoWhereItsFilesCannotBeRemoved()
    {
        using NinoStore store = Simulated.Open(_directory);
        using IKeyValueStore<int, int> kv = store.OpenKeyValue<int, int>("x", KeyValueBed.Tiny);
        kv.Put(1, 1);
        _directory.OnOperation = static (_, operation) =>
        {
            if (operation.StartsWith("rename", StringComparison.Ordinal)) throw new IOException("no room");
            if (operation.StartsWith("remove", StringComparison.Ordinal) && !operation.EndsWith(".tmp", StringComparison.Ordinal)) throw new UnauthorizedAccessException("not yours");
        };
        IOException failure = await Assert.ThrowsAsync<IOException>(async () => await kv.CheckpointAsync());
        _directory.OnOperation = null;
        Assert.Contains("no room", failure.Message, StringComparison.Ordinal);
        Assert.Contains("not yours", string.Concat(failure.Data.Values.Cast<object>()), StringComparison.Ordinal);
    }

    /// <summary>It failed behind the rename of its manifest, which could not be removed either: it is no checkpoint, and never takes the place of one.</summary>
    [Fact]
    public async Task AWithdrawnCheckpointThatCouldNotBeRemovedIsNoneOfTheTwoThatAreKept()
    {
        string[] before, after;
        using (NinoStore store = Simulated.Open(_directory))
        {
            using IKeyValueStore<int, int> kv = store.OpenKeyValue<int, int>("x", KeyValueBed.Tiny);
            for (int i = 0; i < 2; i++)
            {
                kv.Put(i, i);
                await kv.CheckpointAsync();
            }

            before = Manifests;
            kv.Put(2, 2);

            bool isRenamed = false;
            _directory.OnOperation = (_, operation) =>
            {
                if (isRenamed) throw new IOException($"no {operation}");
                isRenamed = operation.StartsWith("rename", StringComparison.Ordinal) && operation.Contains(".manifest", StringComparison.Ordinal);
            };
            await Assert.ThrowsAsync<IOException>(async () => await kv.CheckpointAsync());
            _directory.OnOperation = null;
            string withdrawn = Assert.Single(Manifests.Except(before));
            kv.Put(3, 3);
            await kv.CheckpointAsync();
            after = Manifests;
            Assert.DoesNotContain(withdrawn, after);
            Assert.Equal([before[1], Assert.Single(after.Except(before))], after);
        }

        // Behind the newest, the log is kept from the one before on.
        byte[] damaged = _directory.Bytes(after[1]);
        damaged[^1] ^= 1;
        _directory.Replace(after[1], damaged);
        using NinoStore reopened = Simulated.Open(_directory, 2);
        using IKeyValueStore<int, int> again = reopened.OpenKeyValue<int, int>("x", KeyValueBed.Tiny);
        Assert.Equal((2L, 2L), (again.Recovery.CheckpointSequence, again.Recovery.ChangesReplayed));
        KeyValueBed.AssertHolds(again, Enumerable.Range(0, 4).ToDictionary(static i => i));
    }

    /// <summary>The mark that lets retention remove what the checkpoint makes superfluous is such a thing too.</summary>
    [Fact]
    public async Task ACheckpointWhoseMarkFailsIsInForce()
    {
        using NinoStore store = Simulated.Open(_directory);
        using (IKeyValueStore<int, int> kv = store.OpenKeyValue<int, int>("x", KeyValueBed.Tiny))
        {
            kv.Put(1, 1);
            await kv.CheckpointAsync();
            kv.Put(2, 2);
            bool isPublished = false;
            _directory.OnOperation = (_, operation) =>
            {
                if (isPublished && operation.Contains("keyed-", StringComparison.Ordinal)) throw new IOException("no room");
                isPublished |= operation.StartsWith("rename", StringComparison.Ordinal) && operation.Contains(".manifest", StringComparison.Ordinal);
            };
            await kv.CheckpointAsync();
            _directory.OnOperation = null;
            Assert.Contains("no room", kv.CheckpointFailure!.ToString(), StringComparison.Ordinal);
        }

        using IKeyValueStore<int, int> again = store.OpenKeyValue<int, int>("x", KeyValueBed.Tiny);
        Assert.Equal((2L, 0L), (again.Recovery.CheckpointSequence, again.Recovery.ChangesReplayed));
    }

    [Fact]
    public async Task ChangesGoOnWhileTheRecordsOfACheckpointAreWrittenAndAreNotInIt()
    {
        var log = new MemoryChangeLog();
        FasterOptions options = KeyValueBed.Tiny with { MemorySizeBytes = 256 * 1024 };
        using (FasterKeyValueStore<int, string> kv = KeyValueBed.Open<int, string>(log, _directory, options))
        {
            for (int i = 0; i < 200; i++) kv.Put(i, new string('a', 200));
            int changedMeanwhile = 0;
            _directory.OnOperation = (_, operation) =>
            {
                if (!operation.StartsWith("write", StringComparison.Ordinal) || !operation.Contains(".snapshot", StringComparison.Ordinal)) return;

                // A key that is in the checkpoint gets another value of the same length, and one is removed, on a thread that may wait for nobody.
                Task changes = Task.Factory.StartNew(() =>
                {
                    kv.Put(changedMeanwhile, new string('b', 200));
                    kv.Delete(199 - changedMeanwhile);
                }, TaskCreationOptions.LongRunning);
                Assert.True(changes.Wait(TimeSpan.FromSeconds(30)), "A change waits for the writing of the records.");
                changedMeanwhile++;
            };
            await kv.CheckpointAsync();
            _directory.OnOperation = null;
            Assert.True(changedMeanwhile > 3, $"{changedMeanwhile} writes of records");
            Assert.Equal(200 - changedMeanwhile, kv.Count);
        }

        using (FasterKeyValueStore<int, string> again = KeyValueBed.Open<int, string>(log.Fork(), _directory.KillProcess(), options))
        {
            Assert.Equal((200, log.LastSequence - 200), (again.Recovery.CheckpointSequence, again.Recovery.ChangesReplayed));
            var expected = new Dictionary<int, string>();
            LogReplay.Apply(log.Read(1), "test", expected);
            KeyValueBed.AssertHolds(again, expected, Enumerable.Range(0, 200));
        }

        KeyValueBed.AssertHoldsWhatItCovers(log, _directory, 200, options);
    }

    private string[] Manifests => [.. _directory.List().Select(static entry => entry.Name).Where(static name => name.EndsWith(".manifest", StringComparison.Ordinal)).Order(StringComparer.Ordinal)];

    private int CheckpointCount => _directory.List().Count(entry => entry.Name.EndsWith(".manifest", StringComparison.Ordinal));

    private sealed class ManualTime : TimeProvider
    {
        public DateTimeOffset Now { get; set; } = new(2026, 11, 21, 12, 0, 0, TimeSpan.Zero);

        public override DateTimeOffset GetUtcNow() => Now;

        public override long TimestampFrequency => TimeSpan.TicksPerSecond;

        public override long GetTimestamp() => Now.UtcTicks;
    }
}
