// Who may outlive whom, and what does misfortune leave behind? Each of these was once wrong.

using Store.Faster;
using Store.Faster.Engine;
using Store.KeyValue;
using Store.Tests.Log;
using Store.Tests.Simulation;

namespace Store.Tests.KeyValue;

public class KeyValueLifeTests
{
    private readonly MemoryChangeLog _log = new();

    /// <summary>Two engines on one folder would write over each other.</summary>
    [Fact]
    public void DisposingTwiceDoesNotGiveTheNameFreeThatSomebodyElseHolds()
    {
        using var directory = new SimDirectory();
        using NinoStore store = Simulated.Open(directory);
        IKeyValueStore<int, int> first = store.OpenKeyValue<int, int>("x", KeyValueBed.Tiny);
        first.Dispose();
        using IKeyValueStore<int, int> second = store.OpenKeyValue<int, int>("x", KeyValueBed.Tiny);
        first.Dispose();
        Assert.Throws<InvalidOperationException>(() => store.OpenKeyValue<int, int>("x", KeyValueBed.Tiny));
        second.Put(1, 1);
    }

    /// <summary>The engine has found the value, and there is no memory to copy it to: the next time there may be.</summary>
    [Fact]
    public async Task AReadWithoutMemoryForItsValueCostsItselfAndNotTheState()
    {
        using var directory = new SimDirectory();
        using FasterKeyValueStore<int, string> kv = KeyValueBed.Open<int, string>(_log, directory);
        for (int i = 0; i < 500; i++) kv.Put(i, KeyValueBed.ValueOf(i));

        // In memory, and on the disk.
        foreach (int key in new[] { 499, 1 })
        {
            // As the callback leaves it that found no memory.
            ReadResult result = new() { Failure = new OutOfMemoryException("none left") };
            Exception? failure = null;
            try
            {
                kv.State.TryRead(BitConverter.GetBytes(key), ref result);
            }
            catch (Exception e)
            {
                failure = e;
            }

            Assert.Contains("none left", Assert.IsAssignableFrom<OutOfMemoryException>(failure).Message, StringComparison.Ordinal);
        }

        Assert.Null(kv.State.Health.Failure);
        kv.Put(500, KeyValueBed.ValueOf(500));
        await kv.CheckpointAsync();
        KeyValueBed.AssertHolds(kv, Enumerable.Range(0, 501).ToDictionary(static i => i, KeyValueBed.ValueOf));
    }

    /// <summary>A keyed state whose store is gone would go on writing its files beside the next one.</summary>
    [Fact]
    public async Task TheStoreClosesItsKeyedStates()
    {
        using var directory = new SimDirectory();
        IKeyValueStore<int, int> kv, other;
        await using (NinoStore store = Simulated.Open(directory))
        {
            kv = store.OpenKeyValue<int, int>("x", KeyValueBed.Tiny);
            other = store.OpenKeyValue<int, int>("y", KeyValueBed.Tiny);
            kv.Put(1, 1);
        }

        Assert.Throws<ObjectDisposedException>(() => kv.Put(1, 2));
        Assert.Throws<ObjectDisposedException>(() => kv.TryGet(1, out _));
        Assert.Throws<ObjectDisposedException>(() => other.Count);
        kv.Dispose();
        using NinoStore again = Simulated.Open(directory);
        using IKeyValueStore<int, int> reopened = again.OpenKeyValue<int, int>("x", KeyValueBed.Tiny);
        Assert.Equal(1, reopened.Count);
        again.Dispose();
        Assert.Throws<ObjectDisposedException>(() => again.OpenKeyValue<int, int>("z", KeyValueBed.Tiny));
    }

    /// <summary>Nobody gets it: what is replayed is no life of it that ends. The clock fails, which is what opening looks at last.</summary>
    [Fact]
    public void AnOpeningThatFailsAtItsLastStepWritesNoLastCheckpoint()
    {
        using var directory = new SimDirectory();
        using (NinoStore store = Simulated.Open(directory))
        {
            using IKeyValueStore<int, int> kv = store.OpenKeyValue<int, int>("x", KeyValueBed.Tiny);
            kv.Put(1, 1);
        }

        FasterOptions options = KeyValueBed.Tiny with { CheckpointEvery = TimeSpan.FromHours(1), CheckpointOnDispose = true };
        var clock = new FailingClock();
        using SimDirectory copy = directory.KillProcess();
        using (NinoStore twin = Simulated.Open(copy, 2, o => o with { TimeProvider = clock }))
        {
            clock.Looks = 0;
            using IKeyValueStore<int, int> kv = twin.OpenKeyValue<int, int>("x", options);
            clock.FailsAt = clock.Looks;
        }

        Assert.True(clock.FailsAt > 0);
        using NinoStore again = Simulated.Open(directory, 2, o => o with { TimeProvider = clock });
        clock.Looks = 0;
        Assert.Throws<TimeoutException>(() => again.OpenKeyValue<int, int>("x", options));
        Assert.DoesNotContain(directory.List(), static file => file.Name.EndsWith(".manifest", StringComparison.Ordinal));
        using IKeyValueStore<int, int> opened = again.OpenKeyValue<int, int>("x", options);
        Assert.Equal((true, 1), (opened.Recovery.RebuiltFromLog, opened.Count));
    }

    [Fact]
    public async Task DisposeAsyncLeavesTheLastCheckpointToThePoolAndRunsInlineInASimulator()
    {
        FasterOptions options = KeyValueBed.Tiny with { CheckpointOnDispose = true };
        using var directory = new SimDirectory();
        using var point = new HoldingPoint(TimeSpan.FromMinutes(1));
        await using (NinoStore store = NinoStore.Open("sim", new NinoStoreOptions { Directory = new HeldManifests(directory, point.Stay) }))
        {
            IKeyValueStore<int, int> kv = store.OpenKeyValue<int, int>("x", options);
            kv.Put(1, 1);
            Task closing = kv.DisposeAsync().AsTask();
            point.AwaitArrival();
            Assert.False(closing.IsCompleted);
            point.Release();
            await closing.WaitAsync(TimeSpan.FromMinutes(1));
            await using IKeyValueStore<int, int> again = store.OpenKeyValue<int, int>("x", options);
            Assert.Equal((1L, 0L), (again.Recovery.CheckpointSequence, again.Recovery.ChangesReplayed));
        }

        using NinoStore simulated = Simulated.Open(directory, 2);
        IKeyValueStore<int, int> inline = simulated.OpenKeyValue<int, int>("x", options);
        inline.Put(2, 2);
        ValueTask closed = inline.DisposeAsync();
        Assert.True(closed.IsCompletedSuccessfully);
        await closed;
        using IKeyValueStore<int, int> last = simulated.OpenKeyValue<int, int>("x", options);
        Assert.Equal((2L, 0L), (last.Recovery.CheckpointSequence, last.Recovery.ChangesReplayed));
    }

    [Fact]
    public async Task ACheckpointOfTheStoreIsOneOfItsKeyedStates()
    {
        using var directory = new SimDirectory();
        await using (NinoStore store = Simulated.Open(directory))
        {
            using IKeyValueStore<int, int> kv = store.OpenKeyValue<int, int>("x", KeyValueBed.Tiny);
            kv.Put(1, 1);
            await store.CheckpointAsync(7);
            kv.Put(2, 2);
        }

        await using NinoStore again = Simulated.Open(directory);
        using IKeyValueStore<int, int> reopened = again.OpenKeyValue<int, int>("x", KeyValueBed.Tiny);
        Assert.Equal((1, 1), (reopened.Recovery.CheckpointSequence, reopened.Recovery.ChangesReplayed));
    }

    /// <summary>A session whose operation threw is lost; whoever waits for it gets another instead of waiting for ever.</summary>
    [Fact]
    public async Task ALostSessionDoesNotLeaveItsWaitersBehind()
    {
        using var directory = new SimDirectory();
        using var engine = new FasterEngine(directory, KeyValueBed.Tiny with { MaxSessions = 1 });
        engine.Sessions.Rent();
        Task waiting = Task.Run(() => engine.Upsert("k"u8, "v"u8));
        while (engine.Sessions.Waiting == 0) await Task.Delay(1);
        engine.Sessions.Discard();
        await waiting.WaitAsync(TimeSpan.FromSeconds(30));
        Assert.True(engine.Reads.Contains("k"u8));
        Assert.Equal(1, engine.SessionsOpened);
    }

    /// <summary>On a full disk every attempt would leave two more files.</summary>
    [Fact]
    public async Task AFailedCheckpointLeavesNoFiles()
    {
        using var directory = new SimDirectory();
        using FasterKeyValueStore<int, string> kv = KeyValueBed.Open<int, string>(_log, directory);
        kv.Put(1, "one");
        await kv.CheckpointAsync();
        string[] before = Checkpoints(directory);
        List<string> struck = [];
        foreach (string part in new[] { ".index", ".snapshot", ".manifest" })
        {
            foreach (string call in new[] { "write", "sync", "rename" })
            {
                kv.Put(2, part + call);
                bool failed = false;
                directory.OnOperation = (_, operation) =>
                {
                    if (!operation.StartsWith(call, StringComparison.Ordinal) || !operation.Contains(part, StringComparison.Ordinal)) return;
                    failed = true;
                    throw new IOException("no room");
                };
                Exception? failure = await Record.ExceptionAsync(async () => await kv.CheckpointAsync());
                directory.OnOperation = null;
                Assert.Equal(failed, failure is not null);
                if (failed) struck.Add(call + part);
                if (failed) Assert.Equal(before, Checkpoints(directory));
                else before = Checkpoints(directory);
            }
        }

        Assert.Equal(["write.index", "sync.index", "write.snapshot", "sync.snapshot", "write.manifest", "sync.manifest", "rename.manifest"], struck);
        await kv.CheckpointAsync();
        Assert.Equal(6, Checkpoints(directory).Length);
    }

    [Fact]
    public async Task ACancelledCheckpointLeavesNoFiles()
    {
        using var directory = new SimDirectory();
        using var cancellation = new CancellationTokenSource();
        var log = new CancellingLog(_log, cancellation);
        using FasterKeyValueStore<int, string> kv = KeyValueBed.Open<int, string>(log, directory);
        kv.Put(1, "one");
        await Assert.ThrowsAnyAsync<OperationCanceledException>(async () => await kv.CheckpointAsync(cancellation.Token));
        Assert.Empty(Checkpoints(directory));
    }

    /// <summary>Retention may take the last change out of the log while nothing else changes.</summary>
    [Fact]
    public async Task ACheckpointWithoutChangesNeedsNoRecordThatRetentionRemoved()
    {
        using var directory = new SimDirectory();
        using (FasterKeyValueStore<int, string> kv = KeyValueBed.Open<int, string>(_log, directory))
        {
            kv.Put(1, "one");
            await kv.CheckpointAsync();
            _log.Append(Store.Serialization.NinoCodec<int>.Default.Schema, [1, 0, 0, 0]);
            _log.Append(Store.Serialization.NinoCodec<int>.Default.Schema, [2, 0, 0, 0]);
            _log.Retain(3);
            await kv.CheckpointAsync();
        }

        using FasterKeyValueStore<int, string> again = KeyValueBed.Open<int, string>(_log, directory);
        Assert.Equal((3, 1), (again.Recovery.CheckpointSequence, again.Count));
        Assert.Empty(again.Recovery.Rejected);
    }

    [Fact]
    public async Task ARefusalTellsWhyNoCheckpointCouldBeUsed()
    {
        using var directory = new SimDirectory();
        using (FasterKeyValueStore<int, string> kv = KeyValueBed.Open<int, string>(_log, directory))
        {
            for (int i = 0; i < 5; i++) kv.Put(i, "v");
            await kv.CheckpointAsync();
        }

        _log.Retain(4);
        _log.StoreId = Guid.NewGuid();
        string message = Assert.Throws<StoreCorruptException>(() => KeyValueBed.Open<int, string>(_log, directory)).Message;
        Assert.Contains($"this is {_log.StoreId}", message, StringComparison.Ordinal);
    }

    /// <summary>Nothing is wrong with the state: its own settings open it, and nobody is told to remove it.</summary>
    [Fact]
    public async Task OtherPagesAreRefusedWithTheSizeToOpenItWithWhereTheLogIsGone()
    {
        using var directory = new SimDirectory();
        using (FasterKeyValueStore<int, string> kv = KeyValueBed.Open<int, string>(_log, directory))
        {
            for (int i = 0; i < 5; i++) kv.Put(i, "v");
            await kv.CheckpointAsync();
        }

        _log.Retain(4);
        string[] files = [.. directory.List().Select(static entry => entry.Name)];
        var refused = Assert.Throws<StoreException>(() => KeyValueBed.Open<int, string>(_log, directory, KeyValueBed.Tiny with { PageSizeBytes = 8192, MemorySizeBytes = 32768 }));
        Assert.Contains("PageSizeBytes is 8192", refused.Message, StringComparison.Ordinal);
        Assert.Contains("Open it with PageSizeBytes = 4096", refused.Message, StringComparison.Ordinal);
        Assert.DoesNotContain("remove", refused.Message, StringComparison.Ordinal);
        Assert.Equal(files, directory.List().Select(static entry => entry.Name));
        using FasterKeyValueStore<int, string> again = KeyValueBed.Open<int, string>(_log, directory);
        Assert.Equal((5, 5), (again.Recovery.CheckpointSequence, again.Count));
    }

    /// <summary>A clock that fails one time that it is looked at.</summary>
    private sealed class FailingClock : TimeProvider
    {
        private readonly SteppingClock _clock = new();

        public long Looks { get; set; }

        public long FailsAt { get; set; }

        public override long TimestampFrequency => _clock.TimestampFrequency;

        public override DateTimeOffset GetUtcNow() => ++Looks == FailsAt ? throw new TimeoutException("The clock has stopped.") : _clock.GetUtcNow();

        public override long GetTimestamp() => _clock.GetTimestamp();
    }

    private static string[] Checkpoints(SimDirectory directory) => [.. directory.List().Select(entry => entry.Name).Where(name => name.StartsWith("checkpoint-", StringComparison.Ordinal))];

    private sealed class CancellingLog(MemoryChangeLog inner, CancellationTokenSource cancellation) : Store.Faster.Changes.IChangeLog
    {
        public Guid StoreId => inner.StoreId;

        public long LastSequence => inner.LastSequence;

        public long Append(Store.Serialization.NinoSchema schema, ReadOnlySpan<byte> record) => inner.Append(schema, record);

        public long AppendBatch(Store.Serialization.NinoSchema schema, ReadOnlySpan<byte> records, int count) => inner.AppendBatch(schema, records, count);

        public ValueTask<long> WaitAsync(long sequence, CancellationToken cancellationToken = default) => inner.WaitAsync(sequence, cancellationToken);

        public IEnumerable<LogRecord> Read(long fromSequence) => inner.Read(fromSequence);

        public ValueTask CommitAsync(CancellationToken cancellationToken)
        {
            cancellation.Cancel();
            return inner.CommitAsync(cancellationToken);
        }
    }
}
