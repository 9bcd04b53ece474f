using Store.Tests.Simulation;

namespace Store.Tests.Log;

/// <summary>Syncs that are held back for more to join, on a clock that only the test moves.</summary>
public class GroupCommitTests
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(30);

    // Shorter than the machine's own clock would take to end the delay.
    private static readonly TimeSpan Soon = TimeSpan.FromSeconds(8);

    [Fact]
    public async Task OneWaiterNeverWaitsForATimer()
    {
        var clock = new HandMovedClock();
        using NinoStore store = Open(new SimDirectory(), clock);

        for (int i = 1; i <= 20; i++) Assert.Equal(i, await store.AppendAsync(i).AsTask().WaitAsync(Patience));
    }

    [Fact]
    public async Task SeveralWaitersShareASyncWhenTheDelayIsOver()
    {
        var clock = new HandMovedClock();
        var slow = new SlowSync(new SimDirectory());
        using NinoStore store = Open(slow.Directory, clock);
        Task<long>[] joined = await GatherAsync(store, slow, 5);
        long syncs = slow.Syncs;

        // Half of the delay is not enough, whoever else comes.
        clock.Move(500);
        Task<long> late = store.AppendAsync(99).AsTask();
        await Task.Delay(60);
        Assert.DoesNotContain(joined, static t => t.IsCompleted);
        Assert.Equal(syncs, slow.Syncs);

        clock.Move(500);
        await Task.WhenAll([.. joined, late]).WaitAsync(Soon);
        Assert.Equal(syncs + 1, slow.Syncs);
    }

    [Fact]
    public async Task TheDelayIsCountedFromThoseWhomTheSyncUnderWayDoesNotServe()
    {
        var clock = new HandMovedClock();
        var slow = new SlowSync(new SimDirectory());
        using NinoStore store = Open(slow.Directory, clock);
        slow.Hold();
        Task<long> first = store.AppendAsync(0).AsTask();
        Assert.True(SpinWait.SpinUntil(() => slow.IsHeld, Patience));
        clock.Move(1000);
        Task<long>[] joined = [.. Enumerable.Range(1, 3).Select(n => store.AppendAsync(n).AsTask())];
        slow.Release();
        await first.WaitAsync(Patience);

        long syncs = slow.Syncs;
        await Task.Delay(60);
        Assert.DoesNotContain(joined, static t => t.IsCompleted);
        Assert.Equal(syncs, slow.Syncs);

        clock.Move(1000);
        await Task.WhenAll(joined).WaitAsync(Soon);
    }

    [Fact]
    public async Task AClockThatStandsStillHoldsNobodyForEver()
    {
        var slow = new SlowSync(new SimDirectory());
        using NinoStore store = Open(slow.Directory, new HandMovedClock(), static o => o with { CommitDelayMs = 10 });
        Task<long>[] joined = await GatherAsync(store, slow, 3);

        await Task.WhenAll(joined).WaitAsync(Patience);
    }

    /// <summary>What it needs is in the system's cache without a sync, and the flusher was asked by whoever waits for one.</summary>
    [Fact]
    public async Task AReaderBringsWhatItNeedsToTheFilesAndSyncsForNobody()
    {
        var clock = new HandMovedClock();
        var slow = new SlowSync(new SimDirectory());
        using NinoStore store = Open(slow.Directory, clock);
        Task<long>[] joined = await GatherAsync(store, slow, 3);
        long syncs = slow.Syncs;

        Assert.Equal(store.LastSequence, store.ReadRecords().Count());

        Assert.Equal(syncs, slow.Syncs);
        Assert.DoesNotContain(joined, static t => t.IsCompleted);
        clock.Move(1000);
        await Task.WhenAll(joined).WaitAsync(Soon);
        Assert.Equal(syncs + 1, slow.Syncs);
    }

    [Fact]
    public async Task EnoughBytesEndTheDelay()
    {
        var slow = new SlowSync(new SimDirectory());
        using NinoStore store = Open(slow.Directory, new HandMovedClock(), static o => o with { CommitBytes = 50_000 });
        Task<long>[] joined = await GatherAsync(store, slow, 3);
        await Task.Delay(40);
        Assert.DoesNotContain(joined, static t => t.IsCompleted);

        store.Append(new string('x', 60_000));

        await Task.WhenAll(joined).WaitAsync(Soon);
    }

    [Fact]
    public async Task WhoCommitsBlockingTakesAlongWhoWaits()
    {
        var slow = new SlowSync(new SimDirectory());
        using NinoStore store = Open(slow.Directory, new HandMovedClock());
        Task<long>[] joined = await GatherAsync(store, slow, 3);

        await Task.Run(store.Commit).WaitAsync(Soon);

        await Task.WhenAll(joined).WaitAsync(Soon);
    }

    [Fact]
    public async Task WhoWaitsForRoomEndsTheDelay()
    {
        // The buffer is full long before there are bytes enough, and the clock stands still.
        var slow = new SlowSync(new SimDirectory());
        using NinoStore store = Open(slow.Directory, new HandMovedClock(), static o => o with { BufferSizeBytes = 256 * 1024 });
        Task<long>[] joined = await GatherAsync(store, slow, 3);

        await Task.Run(() =>
        {
            for (int i = 0; i < 40; i++) store.Append(new string('x', 20_000));
        }).WaitAsync(Soon);

        await Task.WhenAll(joined).WaitAsync(Soon);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task AClockThatFailsEndsTheDelayAndNothingElse(bool onlyItsFrequency)
    {
        var clock = new HandMovedClock();
        var slow = new SlowSync(new SimDirectory());
        using NinoStore store = Open(slow.Directory, clock);
        Task<long>[] joined = await GatherAsync(store, slow, 3);

        // Read by the flusher's thread, where nobody would catch it, and by whoever has just appended.
        if (onlyItsFrequency) clock.HasNoFrequency = true;
        else clock.Fails = true;
        await Task.WhenAll(joined).WaitAsync(Soon);
        slow.Hold();
        Task<long> first = store.AppendAsync(10).AsTask();
        Task<long>[] more = [.. Enumerable.Range(11, 3).Select(n => store.AppendAsync(n).AsTask())];
        slow.Release();

        long[] sequences = await Task.WhenAll([first, .. more]).WaitAsync(Soon);
        Assert.Equal([5, 6, 7, 8], sequences);
    }

    [Fact]
    public async Task DisposingEndsTheDelay()
    {
        var slow = new SlowSync(new SimDirectory());
        NinoStore store = Open(slow.Directory, new HandMovedClock());
        Task<long>[] joined = await GatherAsync(store, slow, 3);

        await store.DisposeAsync().AsTask().WaitAsync(Soon);

        await Task.WhenAll(joined).WaitAsync(Soon);
    }

    [Fact]
    public void LimitsAreChecked()
    {
        Assert.Throws<ArgumentOutOfRangeException>(static () => new NinoStoreOptions { CommitDelayMs = -1 });
        Assert.Throws<ArgumentOutOfRangeException>(static () => new NinoStoreOptions { CommitDelayMs = 1001 });
        Assert.Throws<ArgumentOutOfRangeException>(static () => new NinoStoreOptions { CommitBytes = 0 });
        Assert.Equal(0, new NinoStoreOptions().CommitDelayMs);
    }

    // Waiters that came while a sync was under way: they are several when it ends, so the next one is held back.
    private static async Task<Task<long>[]> GatherAsync(NinoStore store, SlowSync slow, int count)
    {
        slow.Hold();
        Task<long> first = store.AppendAsync(0).AsTask();
        Assert.True(SpinWait.SpinUntil(() => slow.IsHeld, Patience));
        Task<long>[] joined = [.. Enumerable.Range(1, count).Select(n => store.AppendAsync(n).AsTask())];
        slow.Release();
        await first.WaitAsync(Patience);
        return joined;
    }

    private static NinoStore Open(SimDirectory directory, TimeProvider clock, Func<NinoStoreOptions, NinoStoreOptions>? change = null) => Simulated.Open(directory, 1, o => (change ?? (static x => x))(o with
    {
        RunsInline = false,
        CommitDelayMs = 1000,
        FlushIntervalMs = 60_000,
        FirstSegmentSizeBytes = 1024 * 1024,
        SegmentSizeBytes = 1024 * 1024,
        TimeProvider = clock,
    }));

    private sealed class HandMovedClock : TimeProvider
    {
        private long _ms;

        public override long TimestampFrequency => HasNoFrequency ? 0 : 1000;

        public bool HasNoFrequency { get; set; }

        public void Move(int ms) => Interlocked.Add(ref _ms, ms);

        public bool Fails { get; set; }

        public override long GetTimestamp() => Fails ? throw new InvalidOperationException("the clock fails") : Interlocked.Read(ref _ms);

        public override DateTimeOffset GetUtcNow() => new DateTimeOffset(2026, 1, 1, 0, 0, 0, TimeSpan.Zero).AddMilliseconds(Interlocked.Read(ref _ms));
    }

    /// <summary>A folder whose next sync can be held.</summary>
    private sealed class SlowSync
    {
        private readonly ManualResetEventSlim _open = new(true);
        private long _syncs;
        private volatile bool _held;

        public SlowSync(SimDirectory directory)
        {
            Directory = directory;
            directory.OnOperation = (_, what) =>
            {
                if (!what.StartsWith("sync", StringComparison.Ordinal)) return;
                Interlocked.Increment(ref _syncs);
                if (_open.IsSet) return;
                _held = true;
                _open.Wait();
                _held = false;
            };
        }

        public SimDirectory Directory { get; }

        public long Syncs => Interlocked.Read(ref _syncs);

        public bool IsHeld => _held;

        public void Hold() => _open.Reset();

        public void Release() => _open.Set();
    }
}
