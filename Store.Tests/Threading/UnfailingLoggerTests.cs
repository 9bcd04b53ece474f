using Microsoft.Extensions.Logging;
using Store.Faster;
using Store.IO;
using Store.KeyValue;
using Store.Snapshots;
using Store.State;
using Store.Tests.KeyValue;
using Store.Tests.Log;
using Store.Tests.Simulation;
using Store.Tests.State;

namespace Store.Tests.Threading;

/// <summary>The caller's logger throws, or cannot be had any more: what is told that way goes on as if it had been heard. The log's own messages are those of <see cref="CallersCodeTests"/>.</summary>
public sealed class UnfailingLoggerTests : IDisposable
{
    private readonly SimDirectory _directory = new();

    public void Dispose() => _directory.Dispose();

    [Fact]
    public async Task ACheckpointScheduleTriesAgainAfterAFailureThatCouldNotBeLogged()
    {
        var logger = new ThrowingLogger();
        bool throws = true;
        await using NinoStore store = Open(_directory, logger, runsInline: false);
        await using CheckpointSchedule schedule = store.CheckpointEvery(new CheckpointPolicy { EveryRecords = 1 }, () => throws ? throw new TimeoutException() : store.Capture(new Tally(1)));
        store.Append(1);
        store.Commit();
        await UntilAsync(() => logger.Asked > 0);
        throws = false;
        store.Append(2);
        store.Commit();
        await UntilAsync(() => schedule.Last is { Sequence: 2 });
        Assert.Null(schedule.CheckpointFailure);
    }

    [Fact]
    public async Task AStateGoesOnAfterACheckpointsFailureThatCouldNotBeLogged()
    {
        var logger = new ThrowingLogger();
        var faulty = new FaultDirectory(_directory);
        await using NinoStore store = Open(faulty, logger);
        await using StateStore<Bank> bank = await store.OpenStateAsync<Bank>(Bank.Events_, new StateOptions { CheckpointEveryEvents = 2 });
        faulty.Fault = Fault.OfTheNextRename;
        for (int i = 0; i < 3; i++) bank.Apply(new Deposited("ann", 1));
        Assert.Equal(1, logger.Asked);
        Assert.IsType<InjectedFault>(bank.CheckpointFailure);
        faulty.Fault = null;
        bank.Apply(new Deposited("ann", 1));
        Assert.Equal(4, Assert.Single(store.Snapshots).Sequence);
    }

    [Fact]
    public async Task ACheckpointIsWrittenThoughItCannotBeLoggedThatAnOlderOneIsDamaged()
    {
        var logger = new ThrowingLogger();
        string older;
        await using (NinoStore before = Open(_directory, logger))
        {
            before.Append(1);
            await before.CheckpointAsync(new Tally(1));
            before.Append(2);
            older = (await before.CheckpointAsync(new Tally(2))).FileName;
        }

        byte[] bytes = FileBytes.Of(_directory, older);
        using (SnapshotFile file = SnapshotFile.Open(_directory, older)) bytes[file.Sections[1].Offset] ^= 1;
        FileBytes.Put(_directory, older, bytes);
        await using NinoStore store = Open(_directory, logger);
        store.Append(3);
        Assert.Equal(3, (await store.CheckpointAsync(new Tally(3))).Sequence);
        Assert.True(logger.Asked > 0);
        Assert.Equal([3, 2, 1], store.Snapshots.Select(static s => s.Sequence));
    }

    [Fact]
    public async Task ACheckpointIsWrittenThoughItCannotBeLoggedThatOldOnesStay()
    {
        var logger = new ThrowingLogger();
        var faulty = new FaultDirectory(_directory);
        await using NinoStore store = Open(faulty, logger);
        for (int i = 1; i <= 2; i++)
        {
            store.Append(i);
            await store.CheckpointAsync(new Tally(i));
        }

        faulty.Fault = new Fault(1, FaultKind.IoError, Strikes: static operation => operation is IoOperation.Delete, Files: static file => file.EndsWith(".nino", StringComparison.Ordinal));
        store.Append(3);
        Assert.Equal(3, (await store.CheckpointAsync(new Tally(3))).Sequence);
        Assert.Equal(1, logger.Asked);
    }

    [Fact]
    public void AKeyedStateTriesAgainAfterACheckpointsFailureThatCouldNotBeLogged()
    {
        var logger = new ThrowingLogger();
        var faulty = new FaultDirectory(_directory);
        using NinoStore store = Open(faulty, logger);
        using IKeyValueStore<int, int> kv = store.OpenKeyValue<int, int>("x", KeyValueBed.Tiny with { CheckpointEveryChanges = 100 });
        faulty.Fault = new Fault(1, FaultKind.NoSpace, IsForever: true, operation => operation == IoOperation.Rename);
        for (int i = 0; i < 150; i++) kv.Put(i, i);
        Assert.IsType<InjectedFault>(kv.CheckpointFailure);
        Assert.True(logger.Asked > 0);
        faulty.Fault = null;
        for (int i = 150; i < 290; i++) kv.Put(i, i);
        Assert.Null(kv.CheckpointFailure);
        Assert.Equal(290L, kv.Count);
    }

    // A program that ends often disposes its loggers before its stores.
    [Fact]
    public async Task AStoreOpensAndCheckpointsWithALoggerFactoryThatIsDisposed()
    {
        var logger = new ThrowingLogger { IsDisposed = true };
        await using NinoStore store = Open(_directory, logger);
        store.Append(1);
        await store.CheckpointAsync(new Tally(1));
        await using StateStore<Bank> bank = await store.OpenStateAsync<Bank>(Bank.Events_);
        using IKeyValueStore<int, int> kv = store.OpenKeyValue<int, int>("x", KeyValueBed.Tiny);
        await using CheckpointSchedule schedule = store.CheckpointEvery(new CheckpointPolicy { EveryRecords = 1000 }, () => store.Capture(new Tally(1)));
        Assert.Single(store.Snapshots);
    }

    private static NinoStore Open(IStoreDirectory directory, ThrowingLogger logger, bool runsInline = true) => Simulated.Open(directory, change: o => o with { LoggerFactory = logger, RunsInline = runsInline });

    private static Task UntilAsync(Func<bool> condition) => Until.HoldsAsync(condition, TimeSpan.FromSeconds(30));

    private sealed class ThrowingLogger : ILoggerFactory, ILogger
    {
        private int _asked;

        public int Asked => Volatile.Read(ref _asked);

        public bool IsDisposed { get; init; }

        public ILogger CreateLogger(string categoryName) => IsDisposed ? throw new ObjectDisposedException("LoggerFactory") : this;

        public void AddProvider(ILoggerProvider provider)
        {
        }

        public IDisposable? BeginScope<TState>(TState state)
            where TState : notnull => throw new NotSupportedException("as asked");

        public bool IsEnabled(LogLevel logLevel) => true;

        public void Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter)
        {
            Interlocked.Increment(ref _asked);
            throw new NotSupportedException("as asked");
        }

        public void Dispose()
        {
        }
    }
}
