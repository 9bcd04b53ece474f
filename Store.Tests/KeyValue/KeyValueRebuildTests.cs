// What does a long replay at opening cost, what is left of it when it ends early, and who is told how far it is?

using Microsoft.Extensions.Logging;
using Store.Faster;
using Store.IO;
using Store.KeyValue;
using Store.Tests.Simulation;

namespace Store.Tests.KeyValue;

public class KeyValueRebuildTests
{
    private const int Keys = 60;
    private static readonly FasterOptions Often = KeyValueBed.Tiny with { CheckpointEveryChanges = 500 };
    private static readonly FasterOptions Never = KeyValueBed.Tiny with { CheckpointEveryChanges = long.MaxValue, CheckpointEveryBytes = long.MaxValue };

    private readonly MemoryChangeLog _log = new();
    private readonly Dictionary<int, string> _model = [];

    /// <summary>A record log of all versions would fill the disk, and fill it again at the next opening.</summary>
    [Fact]
    public void ItsFilesStayWithinAFewTimesWhatLivesWhereTheOptionsWriteCheckpoints()
    {
        Churn(12_000);
        long WithCheckpoints(FasterOptions options)
        {
            using var directory = new SimDirectory();
            long most = 0;
            directory.OnOperation = (n, _) => most = n % 20 == 0 ? Math.Max(most, directory.List().Sum(static f => f.LengthBytes)) : most;
            using FasterKeyValueStore<int, string> kv = KeyValueBed.Open<int, string>(_log, directory, options);
            KeyValueBed.AssertHolds(kv, _model, Enumerable.Range(0, Keys));
            Assert.Equal(_model.OrderBy(static pair => pair.Key), kv.Scan().OrderBy(static pair => pair.Key));
            return most;
        }

        long often = WithCheckpoints(Often), never = WithCheckpoints(Never);
        Assert.True(never > 2_000_000, $"All versions are {never} bytes.");
        Assert.True(often < never / 3, $"up to {often} bytes of files, {never} without checkpoints");
    }

    [Fact]
    public void OneThatEndsEarlyGoesOnFromTheLastCheckpointItHasWritten()
    {
        Churn(3000);
        using var directory = new SimDirectory();
        var stopped = new InvalidOperationException("enough");
        Assert.Same(stopped, Assert.Throws<InvalidOperationException>(() => Open(directory, Often, new At(at => at.Sequence >= _log.LastSequence ? throw stopped : 0))));
        using FasterKeyValueStore<int, string> kv = Open(directory, Often);
        Assert.False(kv.Recovery.RebuiltFromLog);
        Assert.Empty(kv.Recovery.Rejected);
        Assert.InRange(kv.Recovery.ChangesReplayed, 0, 500);
        Assert.Equal(_log.LastSequence, kv.Recovery.CheckpointSequence + kv.Recovery.ChangesReplayed);
        KeyValueBed.AssertHolds(kv, _model, Enumerable.Range(0, Keys));
    }

    [Theory]
    [InlineData(500, long.MaxValue, 0)]
    [InlineData(long.MaxValue, 100_000, 0)]
    [InlineData(long.MaxValue, long.MaxValue, 700)]
    public void ItsCheckpointsAreDueAsTheOptionsSay(long changes, long bytes, int seconds)
    {
        Churn(3000);
        using var directory = new SimDirectory();

        // Looked at twice a change: when it is the first that no checkpoint has, and whether the time is over.
        var clock = new Ticking(TimeSpan.FromSeconds(1));
        FasterOptions options = KeyValueBed.Tiny with { CheckpointEveryChanges = changes, CheckpointEveryBytes = bytes, CheckpointEvery = seconds > 0 ? TimeSpan.FromSeconds(seconds) : TimeSpan.MaxValue };
        var written = new List<long>();
        directory.OnOperation = (_, what) =>
        {
            if (what.StartsWith("rename", StringComparison.OrdinalIgnoreCase) && what.Contains(".manifest", StringComparison.Ordinal)) written.Add(_log.LastSequence);
        };
        using (Open(directory, options, time: clock)) directory.OnOperation = null;
        int expected = seconds > 0 ? 3000 / (seconds - 1) : bytes < long.MaxValue ? (int)(Bytes() / bytes) : 3000 / 500;
        Assert.InRange(written.Count, expected - 1, expected);
        Assert.True(written.Count >= 3, $"{written.Count} checkpoints");
    }

    [Fact]
    public void WhereTheOptionsWriteNoneItWritesNone()
    {
        Churn(3000);
        using var directory = new SimDirectory();
        using FasterKeyValueStore<int, string> kv = Open(directory, Never);
        Assert.Equal((true, 3000L), (kv.Recovery.RebuiltFromLog, kv.Recovery.ChangesReplayed));
        Assert.DoesNotContain(directory.List(), static f => f.Name.StartsWith("checkpoint-", StringComparison.Ordinal));
    }

    /// <summary>With gigabytes of memory each checkpoint writes gigabytes: an opening that wrote one for every few changes would not come to its end.</summary>
    [Fact]
    public void OneIsNotDueBeforeAQuarterOfWhatItWritesWasReplayed()
    {
        Churn(3000);
        using var directory = new SimDirectory();
        int manifests = 0;
        directory.OnOperation = (_, what) => manifests += what.StartsWith("rename", StringComparison.OrdinalIgnoreCase) && what.Contains(".manifest", StringComparison.Ordinal) ? 1 : 0;
        FasterOptions options = KeyValueBed.Tiny with { CheckpointEveryChanges = 1, IndexSizeBytes = 1 << 20 };
        using FasterKeyValueStore<int, string> kv = Open(directory, options);
        Assert.InRange(manifests, 1, Bytes() / ((1 << 20) / 4));
    }

    /// <summary>What is in force behind it is what the next automatic one counts from, compares with and keeps beside itself.</summary>
    [Fact]
    public async Task WhatItHasWrittenIsTheStatesCheckpointFromThenOn()
    {
        Churn(1200);
        using var directory = new SimDirectory();
        using FasterKeyValueStore<int, string> kv = Open(directory, Often);
        using (IKeyValueCheckpointHold hold = kv.HoldCheckpoint()!) Assert.Equal(1000, hold.Sequence);
        string newest = Manifests(directory)[^1];
        for (int i = 0; i < 4000 && Manifests(directory)[^1] == newest; i++) Put(kv, 1, "x");
        Assert.InRange(_log.LastSequence, 1500, 1500 + 200);
        Assert.Equal(2, Manifests(directory).Length);
        await kv.CheckpointAsync();
        newest = Manifests(directory)[^1];
        await kv.CheckpointAsync();
        Assert.Equal(newest, Manifests(directory)[^1]);
        kv.Dispose();
        using FasterKeyValueStore<int, string> again = Open(directory, Often);
        Assert.Equal(0, again.Recovery.ChangesReplayed);
        KeyValueBed.AssertHolds(again, _model);
    }

    /// <summary>Of two checkpoints that it has written the newer may be damaged, and the older is as good.</summary>
    [Fact]
    public void WhereTheNewestOneIsDamagedTheOneBeforeIsUsed()
    {
        Churn(3000);
        using var directory = new SimDirectory();
        Open(directory, Often).Dispose();
        string newest = Manifests(directory)[^1];
        byte[] bytes = directory.Bytes(newest);
        bytes[^1] ^= 1;
        directory.Replace(newest, bytes);
        using FasterKeyValueStore<int, string> kv = Open(directory, Never);
        Assert.Equal(newest, Assert.Single(kv.Recovery.Rejected).File);
        Assert.False(kv.Recovery.RebuiltFromLog);
        KeyValueBed.AssertHolds(kv, _model);
    }

    [Fact]
    public async Task ACheckpointThatFailsCostsItselfAndIsTold()
    {
        Churn(3000);
        using var directory = new SimDirectory();
        var faulty = new FaultDirectory(directory) { Fault = new Fault(1, FaultKind.NoSpace, IsForever: true, Files: static file => file.EndsWith(".snapshot", StringComparison.Ordinal)) };
        var told = new Lines();
        using FasterKeyValueStore<int, string> kv = Open(faulty, Often, logger: told);
        Assert.True(faulty.Failures > 0);
        KeyValueBed.AssertHolds(kv, _model);
        Assert.IsAssignableFrom<IOException>(kv.CheckpointFailure);
        Assert.Contains("while it was opened", told.All[0], StringComparison.Ordinal);
        Assert.DoesNotContain(directory.List(), static f => f.Name.StartsWith("checkpoint-", StringComparison.Ordinal));
        faulty.Fault = null;
        await kv.CheckpointAsync();
        Assert.Null(kv.CheckpointFailure);
    }

    /// <summary>The log ends with what the last checkpoint covers, so that there is none to be written.</summary>
    [Fact]
    public async Task WhatFailedBehindTheLastOneIsDoneAgainByTheNextAlsoWithoutAChange()
    {
        Churn(3000);
        using (var look = new SimDirectory())
        {
            using FasterKeyValueStore<int, string> all = Open(look, Often);
            using IKeyValueCheckpointHold hold = all.HoldCheckpoint()!;
            _log.LoseTail((int)(_log.LastSequence - hold.Sequence));
        }

        using var directory = new SimDirectory();
        int removals = 0;
        var faulty = new FaultDirectory(directory) { Fault = new Fault(1, FaultKind.IoError, IsForever: true, static operation => operation == IoOperation.Delete, Files: file => file.EndsWith(".manifest", StringComparison.Ordinal) && ++removals > 2) };
        using FasterKeyValueStore<int, string> kv = Open(faulty, Often);
        string[] manifests = Manifests(directory);
        Assert.IsType<InjectedFault>(kv.CheckpointFailure);
        Assert.True(manifests.Length > 2, $"{manifests.Length} checkpoints");
        await kv.CheckpointAsync();
        Assert.IsType<InjectedFault>(kv.CheckpointFailure);

        faulty.Fault = null;
        await kv.CheckpointAsync();
        Assert.Null(kv.CheckpointFailure);
        Assert.Equal(manifests[^2..], Manifests(directory));
    }

    /// <summary>Not as the failure of a state that is open, which there is none: the disk's own, whether records are put, moved or copied when it comes.</summary>
    [Fact]
    public void WhicheverWriteOfTheRecordLogFailsOpeningEndsWithItAndTheNextGoesOn()
    {
        Churn(1500);
        int failures = 0;
        for (int n = 1; ; n++)
        {
            using var directory = new SimDirectory();
            var faulty = new FaultDirectory(directory) { Fault = new Fault(n, FaultKind.NoSpace, Strikes: static operation => operation is IoOperation.Write or IoOperation.SyncData, Files: static file => file.StartsWith("records-", StringComparison.Ordinal)) };
            Exception? failure = Record.Exception(() => Open(faulty, Often).Dispose());
            if (faulty.Failures == 0) break;
            failures++;
            Assert.IsAssignableFrom<IOException>(failure);
            using FasterKeyValueStore<int, string> kv = Open(directory, Often);
            Assert.Empty(kv.Recovery.Rejected);
            KeyValueBed.AssertHolds(kv, _model, Enumerable.Range(0, Keys));
        }

        Assert.True(failures > 20, $"{failures} failures");
    }

    /// <summary>
    /// The log holds ints, then longs. A program of doubles opens it, writes a checkpoint of the ints as doubles and meets the longs, which are none. The program of longs must be able to go on: the log has everything.
    /// </summary>
    [Fact]
    public void ACheckpointOfAShapeThatTheLogIsNotOfStandsInNobodysWay()
    {
        using (FasterKeyValueStore<int, int> ints = KeyValueBed.Open<int, int>(_log, new SimDirectory()))
        {
            for (int i = 0; i < 3000; i++) ints.Put(i, i);
        }

        using (FasterKeyValueStore<int, long> longs = KeyValueBed.Open<int, long>(_log, new SimDirectory())) longs.Put(-1, long.MaxValue);
        using var directory = new SimDirectory();
        Assert.Throws<SchemaMismatchException>(() => KeyValueBed.Open<int, double>(_log, directory, Often));
        string[] left = Manifests(directory);
        Assert.Equal(2, left.Length);
        using FasterKeyValueStore<int, long> kv = KeyValueBed.Open<int, long>(_log, directory, Never);
        Assert.Equal(left.Reverse(), kv.Recovery.Rejected.Select(static r => r.File));
        Assert.Equal(3001, kv.Count);
        Assert.True(kv.TryGet(-1, out long value) && value == long.MaxValue);
    }

    private FasterKeyValueStore<int, string> Open(IStoreDirectory directory, FasterOptions options, IProgress<KeyValueOpeningProgress>? progress = null, TimeProvider? time = null, ILogger? logger = null) =>
        KeyValueBed.Open<int, string>(_log, directory, options, progress: progress, time: time, logger: logger);

    private void Churn(int changes)
    {
        using FasterKeyValueStore<int, string> kv = KeyValueBed.Open<int, string>(_log, new SimDirectory(), Never);
        var random = new Random(changes);
        while (_log.LastSequence < changes)
        {
            int key = random.Next(Keys);
            if (random.Next(8) == 0)
            {
                kv.Delete(key);
                _model.Remove(key);
            }
            else
            {
                Put(kv, key, new string((char)('a' + random.Next(26)), 100 + random.Next(300)));
            }
        }
    }

    private void Put(FasterKeyValueStore<int, string> kv, int key, string value)
    {
        kv.Put(key, value);
        _model[key] = value;
    }

    private long Bytes() => _log.Read(1).Sum(static record => (long)record.Payload.Length);

    private static string[] Manifests(SimDirectory directory) => [.. directory.List().Select(static f => f.Name).Where(static f => f.EndsWith(".manifest", StringComparison.Ordinal)).Order(StringComparer.Ordinal)];

    /// <summary>Calls back at each report, on the thread that reports.</summary>
    private sealed class At(Func<KeyValueOpeningProgress, int> report) : IProgress<KeyValueOpeningProgress>
    {
        public void Report(KeyValueOpeningProgress value) => report(value);
    }

    /// <summary>A clock that goes on by so much each time it is looked at.</summary>
    private sealed class Ticking(TimeSpan step) : TimeProvider
    {
        private DateTimeOffset _now = DateTimeOffset.UnixEpoch;

        public override DateTimeOffset GetUtcNow() => _now += step;
    }

    private sealed class Lines : ILogger
    {
        public List<string> All { get; } = [];

        public IDisposable? BeginScope<TState>(TState state) where TState : notnull => null;

        public bool IsEnabled(LogLevel logLevel) => true;

        public void Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter) => All.Add(formatter(state, exception));
    }
}
