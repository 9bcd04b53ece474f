using Microsoft.Extensions.Logging;
using Store.Faster;
using Store.IO;
using Store.KeyValue;
using Store.Snapshots;
using Store.Tests.KeyValue;
using Store.Tests.Simulation;

namespace Store.Tests.Log;

/// <summary>A logger that throws where it is told of something while something else is being dealt with: the caller hears of that, and not of the logger.</summary>
public class ThrowingLoggerTests
{
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task ASnapshotThatTheLogCannotNameAnyMoreIsThereWhateverTheLoggerDoes(bool isBrokenAtOnce)
    {
        var disk = new SimDirectory();
        var directory = new FailingBehindASnapshot(disk);
        var logger = new Throwing(isBrokenAtOnce);
        NinoStore store = Simulated.Open(directory, change: o => o with { LoggerFactory = logger });
        store.Append(1);
        Simulated.Commit(store);
        directory.Published = () =>
        {
            directory.IsBroken = true;
            store.Append(2);
            Assert.Throws<StoreFailedException>(store.Commit);
        };
        logger.Throws = true;

        SnapshotInfo info = await store.CheckpointAsync("the state");

        Assert.True(directory.IsBroken);
        Assert.True(logger.Asked > 0);
        Record.Exception(store.Dispose);
        using NinoStore again = Simulated.Open(disk.KillProcess(), seed: 2);
        Assert.Equal(info.FileName, Assert.Single(again.Snapshots).FileName);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task AKeyedStateThatIsRefusedSaysWhyWhateverTheLoggerDoesOfItsMark(bool isBrokenAtOnce)
    {
        var disk = new SimDirectory();
        var directory = new FaultDirectory(disk);
        var logger = new Throwing(isBrokenAtOnce);
        using NinoStore store = Simulated.Open(directory, change: o => o with { LoggerFactory = logger });
        using (IKeyValueStore<int, string> keyed = Open(store))
        {
            for (int i = 0; i < 3; i++)
            {
                for (int key = 0; key < 50; key++) keyed.Put(key, $"{i} {new string('v', 200)}");
                await keyed.CheckpointAsync();
            }
        }

        // What is left of it cannot be opened: its checkpoints are gone and the beginning of the log.
        store.TruncateBefore(long.MaxValue);
        Assert.True(store.FirstSequence > 1);
        Assert.True(store.ForgetKeyedState("state"));
        foreach (string file in disk.List().Select(static f => f.Name).Where(static f => f.EndsWith(".manifest", StringComparison.Ordinal))) disk.Delete(file);
        directory.Fault = new Fault(1, FaultKind.IoError, IsForever: true, static o => o == IoOperation.Delete, static f => f.StartsWith("keyed-", StringComparison.Ordinal) && !f.EndsWith(AtomicFile.TemporarySuffix, StringComparison.Ordinal));
        logger.Throws = true;

        StoreCorruptException refused = Assert.Throws<StoreCorruptException>(() => Open(store));

        Assert.Contains("needs the log from record 1 on", refused.Message, StringComparison.Ordinal);
        Assert.True(directory.Failures > 0);
        Assert.True(logger.Asked > 0);
        directory.Fault = null;
        logger.Throws = false;
        Assert.True(store.ForgetKeyedState("state"));
    }

    private static IKeyValueStore<int, string> Open(NinoStore store) => store.OpenKeyValue<int, string>("state", KeyValueBed.Tiny);

    private sealed class Throwing(bool isBrokenAtOnce) : ILoggerFactory, ILogger
    {
        public bool Throws { get; set; }

        /// <summary>How often it threw.</summary>
        public int Asked { get; private set; }

        public void AddProvider(ILoggerProvider provider) { }

        public ILogger CreateLogger(string categoryName)
        {
            if (isBrokenAtOnce) Fail();
            return this;
        }

        public IDisposable? BeginScope<TState>(TState state) where TState : notnull => null;

        public bool IsEnabled(LogLevel logLevel) => true;

        public void Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter) => Fail();

        public void Dispose() { }

        private void Fail()
        {
            if (!Throws) return;
            Asked++;
            throw new InvalidOperationException("the logger, as asked");
        }
    }

    /// <summary>The disk fails when a snapshot has got its name.</summary>
    private sealed class FailingBehindASnapshot(IStoreDirectory inner) : PassThroughDirectory(inner)
    {
        public Action? Published { get; set; }

        public bool IsBroken { get; set; }

        public override IStoreFile OpenWrite(string name) => new Failing(this, base.OpenWrite(name));

        public override IStoreFile Create(string name) => new Failing(this, base.Create(name));

        public override void Rename(string name, string newName)
        {
            base.Rename(name, newName);
            Note(newName);
        }

        public override void RenameNew(string name, string newName)
        {
            base.RenameNew(name, newName);
            Note(newName);
        }

        private void Note(string name)
        {
            if (!SnapshotName.TryParse(name, out _) || Published is not { } published) return;
            Published = null;
            published();
        }

        private sealed class Failing(FailingBehindASnapshot directory, IStoreFile inner) : PassThroughFile(inner)
        {
            public override void Write(ReadOnlySpan<byte> source, long offset)
            {
                if (directory.IsBroken) throw new IOException("as asked");
                base.Write(source, offset);
            }
        }
    }
}
