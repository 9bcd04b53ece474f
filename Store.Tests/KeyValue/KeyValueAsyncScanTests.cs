// Does an asynchronous scan read the disk without holding up its caller, a bounded amount ahead, and end when it is cancelled, closed or fails while the disk stands still?

using Store.Faster;
using Store.Tests.Simulation;

namespace Store.Tests.KeyValue;

public class KeyValueAsyncScanTests
{
    private const int Keys = 1500;
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);
    private readonly HeldReads _directory = new(new SimDirectory());

    private static IEnumerable<KeyValuePair<int, string>> Everything => Enumerable.Range(0, Keys).Select(key => new KeyValuePair<int, string>(key, ValueOf(key)));

    [Fact]
    public async Task WhileTheDiskStandsStillItsCallerGoesOnAndThenEverythingComes()
    {
        await using NinoStore store = Open();
        using FasterKeyValueStore<int, string> kv = Filled(store);
        _directory.Close();
        await using IAsyncEnumerator<KeyValuePair<int, string>> scan = kv.ScanAsync().GetAsyncEnumerator();

        // Whoever read on this thread would stand here for ever.
        ValueTask<bool> first = scan.MoveNextAsync();
        await _directory.ArrivedAsync();
        Assert.False(first.IsCompleted);

        // What is in memory is served and changed meanwhile.
        Assert.True(kv.TryGet(Keys - 1, out string? newest));
        Assert.Equal(ValueOf(Keys - 1), newest);
        _directory.Open();
        Assert.True(await first.AsTask().WaitAsync(Patience));
        List<KeyValuePair<int, string>> all = [scan.Current];
        while (await scan.MoveNextAsync()) all.Add(scan.Current);
        Assert.Equal(Everything, all.OrderBy(static pair => pair.Key));
        Assert.False(kv.State.Scans.Any);
    }

    [Fact]
    public async Task CancelledMeanwhileItGivesUpItsWaitAndTheScanEndsWithTheRead()
    {
        await using NinoStore store = Open();
        using FasterKeyValueStore<int, string> kv = Filled(store);
        using var cancellation = new CancellationTokenSource();
        _directory.Close();
        Task<List<KeyValuePair<int, string>>> pending = ToListAsync(kv.ScanAsync(cancellation.Token));
        await _directory.ArrivedAsync();
        await cancellation.CancelAsync();

        // The disk stands still, and it is not waited for.
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => pending.WaitAsync(Patience));
        Assert.True(kv.State.Scans.Any);
        _directory.Open();
        Assert.True(SpinWait.SpinUntil(() => !kv.State.Scans.Any, Patience), "The scan did not end.");
        Assert.Equal(Everything, (await ToListAsync(kv.ScanAsync())).OrderBy(static pair => pair.Key));
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task CancelledBetweenTwoRecordsTheNextDoesNotCome(bool withCancellation)
    {
        await using NinoStore store = Open();
        using FasterKeyValueStore<int, string> kv = Filled(store);
        using var cancellation = new CancellationTokenSource();
        IAsyncEnumerable<KeyValuePair<int, string>> scan = withCancellation ? kv.ScanAsync() : kv.ScanAsync(cancellation.Token);
        int came = 0;
        await Assert.ThrowsAnyAsync<OperationCanceledException>(async () =>
        {
            await foreach (KeyValuePair<int, string> _ in scan.WithCancellation(withCancellation ? cancellation.Token : default))
            {
                if (++came == 700) await cancellation.CancelAsync();
            }
        });
        Assert.Equal(700, came);
        Assert.True(SpinWait.SpinUntil(() => !kv.State.Scans.Any, Patience), "The scan did not end.");
    }

    [Fact]
    public async Task ClosedMeanwhileItIsRefusedAndClosingWaitsForTheReadOnly()
    {
        await using NinoStore store = Open();
        FasterKeyValueStore<int, string> kv = Filled(store);
        _directory.Close();
        Task<List<KeyValuePair<int, string>>> pending = ToListAsync(kv.ScanAsync());
        await _directory.ArrivedAsync();
        Task closing = Task.Run(kv.Dispose);
        Assert.NotSame(closing, await Task.WhenAny(closing, Task.Delay(50)));
        _directory.Open();
        await closing.WaitAsync(Patience);
        await Assert.ThrowsAsync<ObjectDisposedException>(() => pending.WaitAsync(Patience));
    }

    /// <summary>As one on the caller's thread: what was read ahead does not come after the closing.</summary>
    [Fact]
    public async Task ClosedBetweenTwoRecordsItIsRefusedAtTheNext()
    {
        await using NinoStore store = Open();
        FasterKeyValueStore<int, string> kv = Filled(store);
        await using IAsyncEnumerator<KeyValuePair<int, string>> scan = kv.ScanAsync().GetAsyncEnumerator();
        Assert.True(await scan.MoveNextAsync());
        kv.Dispose();
        await Assert.ThrowsAsync<ObjectDisposedException>(() => scan.MoveNextAsync().AsTask().WaitAsync(Patience));
    }

    [Fact]
    public async Task AReadThatFailsMeanwhileIsTheFailureOfTheState()
    {
        await using NinoStore store = Open();
        using FasterKeyValueStore<int, string> kv = Filled(store);
        _directory.Close();
        Task<List<KeyValuePair<int, string>>> pending = ToListAsync(kv.ScanAsync());
        await _directory.ArrivedAsync();
        _directory.Fail();
        StoreFailedException failure = await Assert.ThrowsAsync<StoreFailedException>(() => pending.WaitAsync(Patience));
        Assert.Contains("The disk is gone.", failure.Message, StringComparison.Ordinal);
        Assert.Throws<StoreFailedException>(() => kv.Put(1, "x"));
    }

    [Fact]
    public async Task InsideACallbackItIsRefusedInsteadOfWaitingForItself()
    {
        await using NinoStore store = Open();
        using FasterKeyValueStore<int, string> kv = Filled(store);
        Assert.Throws<InvalidOperationException>(() => kv.Update(1, _ => $"{ToListAsync(kv.ScanAsync()).GetAwaiter().GetResult().Count}"));
    }

    /// <summary>However long the caller takes, one portion waits beside the one it goes through, and each is as large as it may be and one record.</summary>
    [Fact]
    public async Task WhatIsReadAheadIsBounded()
    {
        await using NinoStore store = Open();
        using FasterKeyValueStore<int, string> kv = Filled(store);
        int portions = 0, bounded = 0, records = 0;
        KeyedScanAhead scan = kv.State.Scans.Ahead();
        await using (scan.ConfigureAwait(false))
        {
            while (await scan.TryAdvanceAsync(CancellationToken.None))
            {
                portions++;
                ScanPortion? ahead = scan.Reading is null ? null : await scan.Reading;
                if (ahead is not null) bounded++;
                if (ahead is not null) Assert.True(ahead.Count <= ScanPortion.MaxRecords && ahead.LengthBytes <= ScanPortion.MaxBytes + KeyValueBed.Tiny.PageSizeBytes, $"{ahead.Count} records, {ahead.LengthBytes} bytes");
                for (; scan.TryTake(out var key, out var value); records++)
                {
                    key.Release();
                    value.Release();
                }
            }
        }

        Assert.Equal(Keys, records);
        Assert.True(portions > 4 && bounded > 3, $"{portions} portions, {bounded} read ahead: nothing is tested.");
    }

    private static async Task<List<KeyValuePair<int, string>>> ToListAsync(IAsyncEnumerable<KeyValuePair<int, string>> scan)
    {
        var all = new List<KeyValuePair<int, string>>();
        await foreach (KeyValuePair<int, string> pair in scan) all.Add(pair);
        return all;
    }

    private NinoStore Open() => NinoStore.Open("sim", new NinoStoreOptions { Directory = _directory });

    private static FasterKeyValueStore<int, string> Filled(NinoStore store)
    {
        var kv = (FasterKeyValueStore<int, string>)store.OpenKeyValue<int, string>("state", KeyValueBed.Tiny with { IndexSizeBytes = 64 * 1024 });
        for (int key = 0; key < Keys; key++) kv.Put(key, ValueOf(key));
        Assert.True(kv.State.Engine.HeadAddress > 10 * KeyValueBed.Tiny.MemorySizeBytes, "Nothing lies on the disk.");
        return kv;
    }

    private static string ValueOf(int key) => $"{key}:{new string('v', 300)}";
}
