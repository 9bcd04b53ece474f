// An opening that tells how far it is, and that can be given up.

using Store.Faster;
using Store.IO;
using Store.KeyValue;
using Store.Tests.Log;
using Store.Tests.Simulation;
using Xunit.Abstractions;

namespace Store.Tests.KeyValue;

public class KeyValueOpeningAsyncTests(ITestOutputHelper output)
{
    private const string Name = "state";
    private static readonly FasterOptions Never = KeyValueBed.Tiny with { CheckpointEveryChanges = long.MaxValue };
    private static readonly FasterOptions Often = KeyValueBed.Tiny with { CheckpointEveryChanges = 60 };
    private static readonly FasterOptions OtherPages = Often with { PageSizeBytes = 8192, MemorySizeBytes = 32 * 1024 };

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task ItTellsHowFarTheReplayIs(bool fromCheckpoint)
    {
        using var folder = new TemporaryFolder();
        long covered = 0;
        await using (NinoStore store = NinoStore.Open(folder.Path))
        {
            using IKeyValueStore<int, int> kv = store.OpenKeyValue<int, int>(Name, Never);
            kv.Put(0, 0);
            if (fromCheckpoint)
            {
                await kv.CheckpointAsync();
                covered = 1;
            }

            for (int i = 0; i < 5000; i++)
            {
                kv.Put(i % 100, i);
                store.Append(i);
            }
        }

        await using NinoStore again = NinoStore.Open(folder.Path);
        using var mayGoOn = new ManualResetEventSlim();
        var told = new Told { Do = () => Assert.True(mayGoOn.Wait(TimeSpan.FromMinutes(1))) };
        ValueTask<IKeyValueStore<int, int>> opening = again.OpenKeyValueAsync<int, int>(Name, Never, told);
        Assert.False(opening.IsCompleted);
        mayGoOn.Set();
        using IKeyValueStore<int, int> opened = await opening;
        Assert.Equal(100, opened.Count);

        // Every other record is a change; without the checkpoint the first is one more.
        Assert.Equal([new(covered, covered, 10_001, 0), new(covered, covered + 4096, 10_001, 2049 - covered), new(covered, covered + 8192, 10_001, 4097 - covered), new(covered, 10_001, 10_001, 5001 - covered)], told.All);
    }

    [Fact]
    public async Task AnEmptyOneIsAtItsEndAtOnce()
    {
        using var folder = new TemporaryFolder();
        await using NinoStore store = NinoStore.Open(folder.Path);
        var told = new Told();
        using IKeyValueStore<int, int> kv = await store.OpenKeyValueAsync<int, int>(Name, progress: told);
        Assert.Equal([default, default(KeyValueOpeningProgress)], told.All);
        Assert.Equal(0, kv.Count);
    }

    [Fact]
    public async Task ATokenThatIsCancelledBeforeOpensNothing()
    {
        using var folder = new TemporaryFolder();
        await using NinoStore store = NinoStore.Open(folder.Path);
        await Assert.ThrowsAnyAsync<OperationCanceledException>(async () => await store.OpenKeyValueAsync<int, int>(Name, cancellationToken: new CancellationToken(canceled: true)));
        Assert.False(store.ForgetKeyedState(Name));
        Assert.False(Directory.Exists(Path.Combine(folder.Path, "kv-state")));
    }

    /// <summary>Given up at every file operation of a replay, with a checkpoint in force or with none that can be used: the name is free, what was in force stays, and what the log must keep it keeps.</summary>
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task WhereverItIsGivenUpTheNextOpeningHasEverything(bool madeAnew)
    {
        using SimDirectory intact = await PreparedAsync();
        FasterOptions options = madeAnew ? OtherPages : Often;
        string inForce = intact.List().Select(static f => f.Name).Where(static f => f.EndsWith(".manifest", StringComparison.Ordinal)).Max(StringComparer.Ordinal)!;
        int given = 0, further = 0;
        for (int at = 1; ; at++)
        {
            using SimDirectory directory = intact.KillProcess();
            using NinoStore store = Simulated.Open(directory, 2);
            using var cancellation = new CancellationTokenSource();
            int calls = 0;
            directory.OnOperation = (_, _) =>
            {
                if (++calls == at) cancellation.Cancel();
            };
            Exception? failure = await Record.ExceptionAsync(async () => (await store.OpenKeyValueAsync<int, string>(Name, options, cancellationToken: cancellation.Token)).Dispose());
            directory.OnOperation = null;
            if (failure is null && calls < at) break;
            if (failure is not null)
            {
                Assert.IsAssignableFrom<OperationCanceledException>(failure);
                if (!madeAnew) Assert.True(directory.List().Any(f => string.CompareOrdinal(f.Name, inForce) >= 0 && f.Name.EndsWith(".manifest", StringComparison.Ordinal)), $"Given up at call {at}, no checkpoint is left.");
                given++;
            }

            // Given up before they went, those of other pages are in force, and the log may be cut for them: who cannot use them would be refused then.
            if (!directory.HasCheckpointOfOtherPages(options)) store.TruncateBefore(long.MaxValue);
            using IKeyValueStore<int, string> kv = store.OpenKeyValue<int, string>(Name, options);
            AssertIsWhole(kv);
            if (madeAnew && !kv.Recovery.RebuiltFromLog) further++;
            if (!madeAnew) Assert.Empty(kv.Recovery.Rejected);
        }

        output.WriteLine($"given up {given} times, {further} went on from a checkpoint of the replay");
        Assert.True(given > 30, $"{given}");
        Assert.True(!madeAnew || further > 20, $"{further}");
    }

    /// <summary>A checkpoint of many gigabytes is read to verify it: that can be given up too.</summary>
    [Fact]
    public async Task ItIsGivenUpWhileACheckpointIsVerified()
    {
        using SimDirectory directory = await PreparedAsync();
        using var cancellation = new CancellationTokenSource();
        var watching = new Watching(directory, cancellation.Cancel);
        using NinoStore store = Simulated.Open(watching, 2);
        watching.Watches = true;
        await Assert.ThrowsAnyAsync<OperationCanceledException>(async () => await store.OpenKeyValueAsync<int, string>(Name, Often, cancellationToken: cancellation.Token));
        Assert.Equal(1, watching.BlocksRead);
        using IKeyValueStore<int, string> kv = store.OpenKeyValue<int, string>(Name, Often);
        Assert.Empty(kv.Recovery.Rejected);
        Assert.False(kv.Recovery.RebuiltFromLog);
    }

    /// <summary>
    /// Nobody has a mark of this state: it was forgotten, and its files removed. An opening that is given up leaves none either, until it has written a checkpoint; that needs the log behind it.
    /// </summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task AFirstOpeningThatIsGivenUpKeepsTheLogOnlyForWhatItHasWritten(bool hasWritten)
    {
        using SimDirectory directory = await PreparedAsync();
        using NinoStore store = Simulated.Open(directory, 2);
        Assert.True(store.ForgetKeyedState(Name));
        foreach (string file in directory.List().Select(static f => f.Name).Where(static f => f.StartsWith("kv-", StringComparison.Ordinal)).ToArray()) directory.Delete(file);
        using var cancellation = new CancellationTokenSource();
        directory.OnOperation = (_, what) =>
        {
            if (what.StartsWith(hasWritten ? "remove kv-state.checkpoint" : "create kv-state", StringComparison.Ordinal)) cancellation.Cancel();
        };
        await Assert.ThrowsAnyAsync<OperationCanceledException>(async () => await store.OpenKeyValueAsync<int, string>(Name, Often, cancellationToken: cancellation.Token));
        directory.OnOperation = null;
        Assert.True(cancellation.IsCancellationRequested);
        TruncateResult truncated = store.TruncateBefore(long.MaxValue);
        if (!hasWritten)
        {
            Assert.Null(truncated.HeldBy);
            return;
        }

        Assert.Equal(1, truncated.FirstSequence);
        using IKeyValueStore<int, string> kv = store.OpenKeyValue<int, string>(Name, Often);
        Assert.True(kv.Recovery.CheckpointSequence > 0);
        AssertIsWhole(kv);
    }

    [Fact]
    public async Task AStoreThatIsClosedMeanwhileEndsIt()
    {
        using SimDirectory directory = await PreparedAsync();
        NinoStore store = Simulated.Open(directory, 2, static o => o with { RunsInline = false });
        var told = new Told { Do = store.Dispose };
        await Assert.ThrowsAsync<ObjectDisposedException>(async () => await store.OpenKeyValueAsync<int, string>(Name, OtherPages, told));
        using NinoStore again = Simulated.Open(directory, 3);
        using IKeyValueStore<int, string> kv = again.OpenKeyValue<int, string>(Name, OtherPages);
        AssertIsWhole(kv);
    }

    /// <summary>Two checkpoints, then 600 changes of 40 keys that none has, other records between them.</summary>
    private static async Task<SimDirectory> PreparedAsync()
    {
        var directory = new SimDirectory();
        using NinoStore store = Simulated.Open(directory);
        using IKeyValueStore<int, string> kv = store.OpenKeyValue<int, string>(Name, Never);
        for (int i = 0; i < 800; i++)
        {
            if (i is 100 or 200) await kv.CheckpointAsync();
            kv.Put(i % 40, $"{i} {new string('v', i % 300)}");
            if (i % 3 == 0) store.Append(i);
        }

        Simulated.Commit(store);
        return directory;
    }

    private static void AssertIsWhole(IKeyValueStore<int, string> kv) =>
        KeyValueBed.AssertHolds(kv, Enumerable.Range(760, 40).ToDictionary(static i => i % 40, static i => $"{i} {new string('v', i % 300)}"), [40]);

    private sealed class Told : IProgress<KeyValueOpeningProgress>
    {
        public List<KeyValueOpeningProgress> All { get; } = [];

        public Action? Do { get; init; }

        public void Report(KeyValueOpeningProgress value)
        {
            All.Add(value);
            Do?.Invoke();
        }
    }

    /// <summary>Calls back when the first block of a snapshot was read, and counts them.</summary>
    private sealed class Watching(IStoreDirectory inner, Action act) : PassThroughDirectory(inner)
    {
        public bool Watches { get; set; }

        public int BlocksRead { get; private set; }

        public override IStoreFile OpenRead(string name) => Watches && name.EndsWith(".index", StringComparison.Ordinal) ? new File(base.OpenRead(name), this) : base.OpenRead(name);

        private void Read()
        {
            BlocksRead++;
            Watches = false;
            act();
        }

        private sealed class File(IStoreFile inner, Watching folder) : PassThroughFile(inner)
        {
            public override int Read(Span<byte> destination, long offset)
            {
                folder.Read();
                return base.Read(destination, offset);
            }
        }
    }
}
