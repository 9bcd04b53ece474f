// What a failed checkpoint leaves: the next automatic one comes as many events later as any, and closing is no failure.

using Microsoft.Extensions.Logging;
using Store.State;
using Store.Tests.Log;
using Store.Tests.Simulation;

namespace Store.Tests.State;

public sealed class CheckpointFailureTests : IDisposable
{
    private const int Limit = 4;
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);

    private readonly SimDirectory _directory = new();
    private readonly ManualResetEventSlim _reached = new(), _goOn = new();
    private volatile bool _isHeld;

    public void Dispose()
    {
        _goOn.Set();
        _directory.Dispose();
        _reached.Dispose();
        _goOn.Dispose();
    }

    /// <summary>Of a state, a keyed state and a schedule.</summary>
    [Fact]
    public void WhateverWritesCheckpointsByItselfTellsAFailureUnderOneName()
    {
        System.Reflection.PropertyInfo[] told = [.. typeof(NinoStore).Assembly.GetExportedTypes()
            .Where(static type => type.GetMethods().Any(static method => method.Name == nameof(CheckpointSchedule.CheckpointAsync)))
            .SelectMany(static type => type.GetProperties())
            .Where(static property => property.PropertyType == typeof(Exception))];
        Assert.Equal(3, told.Length);
        Assert.All(told, static property => Assert.Equal(nameof(CheckpointSchedule.CheckpointFailure), property.Name));
    }

    /// <summary>Its failure is told while another one, asked for meanwhile, has its cut behind the same events.</summary>
    [Fact]
    public async Task EventsOfAFailedCheckpointThatAnotherCoversAreCountedOffOnce()
    {
        var faulty = new FaultDirectory(Held());
        using var logger = new HeldLogger();
        await using NinoStore store = Simulated.Open(faulty, change: o => o with { RunsInline = false, LoggerFactory = logger });
        await using StateStore<Bank> bank = await store.OpenStateAsync<Bank>(Bank.Events_, new StateOptions { CheckpointEveryEvents = Limit });
        faulty.Fault = new Fault(1, FaultKind.NoSpace, Strikes: static operation => operation == IoOperation.Rename, Files: static name => name.StartsWith("snapshot-", StringComparison.Ordinal));
        for (int i = 0; i < Limit; i++) bank.Apply(new Deposited("ann", 1));
        Assert.True(logger.Reached.Wait(Patience));
        Assert.IsType<InjectedFault>(bank.CheckpointFailure);

        _isHeld = true;
        Task manual = bank.CheckpointAsync().AsTask();
        Assert.True(_reached.Wait(Patience));
        logger.GoOn.Set();
        await Task.Delay(100);
        _isHeld = false;
        _goOn.Set();
        await manual;
        Assert.Null(bank.CheckpointFailure);

        for (int i = 0; i < Limit; i++) bank.Apply(new Deposited("ann", 1));
        await UntilAsync(() => store.Snapshots is [{ Sequence: 2 * Limit }, ..]);
    }

    /// <summary>An automatic one that waits for its turn while the state is closed finds it closed: which of the two comes first is open.</summary>
    [Fact]
    public async Task ClosingIsNoFailureOfACheckpoint()
    {
        for (int round = 0; round < 20; round++)
        {
            using var directory = new SimDirectory();
            using ManualResetEventSlim reached = new(), goOn = new();
            await using NinoStore store = Simulated.Open(new HeldDirectory(directory, "snapshot-", () =>
            {
                reached.Set();
                Assert.True(goOn.Wait(Patience));
            }), change: static o => o with { RunsInline = false });
            StateStore<Bank> bank = await store.OpenStateAsync<Bank>(Bank.Events_, new StateOptions { CheckpointEveryEvents = 2 });
            bank.Apply(new Deposited("ann", 1));
            Task manual = bank.CheckpointAsync().AsTask();
            Assert.True(reached.Wait(Patience));
            bank.Apply(new Deposited("ann", 1));
            WatchedThread[] closing = [.. Enumerable.Range(0, 4).Select(_ => new WatchedThread(bank.Dispose))];
            foreach (WatchedThread thread in closing) thread.Start();
            SpinWait.SpinUntil(() => closing.All(static thread => !thread.IsAlive || (thread.ThreadState & ThreadState.WaitSleepJoin) != 0));
            goOn.Set();
            foreach (WatchedThread thread in closing) Assert.True(thread.Join(Patience));
            await manual;
            await Task.Delay(20);
            Assert.Null(bank.CheckpointFailure);
        }
    }

    /// <summary>One call fails, then there is room again.</summary>
    [Theory]
    [InlineData(nameof(IoOperation.Write))]
    [InlineData(nameof(IoOperation.SyncData))]
    public async Task TheLogIsReleasedAgainAfterAMarkThatCouldNotBeWritten(string failing)
    {
        var faulty = new FaultDirectory(_directory);
        await using NinoStore store = Simulated.Open(faulty);
        await using StateStore<Bank> bank = await store.OpenStateAsync<Bank>(Bank.Events_);
        await CheckpointAsync();
        await CheckpointAsync();
        long before = Mark();

        faulty.Fault = new Fault(1, FaultKind.NoSpace, Strikes: operation => operation.ToString() == failing, Files: static name => name.StartsWith("state-", StringComparison.Ordinal));
        long covered = await CheckpointAsync();
        Assert.Equal(1, faulty.Failures);
        Assert.Contains("next checkpoint", Assert.IsType<StoreFailedException>(bank.CheckpointFailure).Message, StringComparison.Ordinal);
        Assert.Contains($"after record {before}", store.TruncateBefore(long.MaxValue).HeldBy, StringComparison.Ordinal);

        long next = await CheckpointAsync();
        Assert.Null(bank.CheckpointFailure);
        Assert.Equal(covered, Mark());
        await CheckpointAsync();
        Assert.Null(bank.CheckpointFailure);
        Assert.Equal(next, Mark());
        Assert.Contains($"after record {next}", store.TruncateBefore(long.MaxValue).HeldBy, StringComparison.Ordinal);

        async Task<long> CheckpointAsync()
        {
            for (int i = 0; i < 400; i++) bank.Apply(new Deposited("ann", 1));
            Simulated.Commit(store);
            return (await bank.CheckpointAsync()).Sequence;
        }

        long Mark() => Store.Retention.MarkerFile.Read(_directory, _directory.List().Single(static f => f.Name.StartsWith("state-", StringComparison.Ordinal)).Name).Newest!.Value.Sequence;
    }

    private HeldDirectory Held() => new(_directory, "snapshot-", () =>
    {
        if (!_isHeld) return;
        _reached.Set();
        Assert.True(_goOn.Wait(Patience));
    });

    private static Task UntilAsync(Func<bool> condition) => Until.HoldsAsync(condition, Patience);

    // Holds whoever tells of a failed checkpoint.
    private sealed class HeldLogger : ILoggerFactory, ILogger
    {
        public ManualResetEventSlim Reached { get; } = new();

        public ManualResetEventSlim GoOn { get; } = new();

        public void AddProvider(ILoggerProvider provider) { }

        public ILogger CreateLogger(string categoryName) => this;

        public IDisposable? BeginScope<TState>(TState state) where TState : notnull => null;

        public bool IsEnabled(LogLevel logLevel) => true;

        public void Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter)
        {
            if (exception is not InjectedFault) return;
            Reached.Set();
            Assert.True(GoOn.Wait(Patience));
        }

        public void Dispose()
        {
            GoOn.Set();
            Reached.Dispose();
            GoOn.Dispose();
        }
    }
}
