// The record log does not grow without bound, and compaction loses nothing: beside readers, writers and scans, over reopenings, with failing disks.

using Store.Faster;
using Store.KeyValue;
using Store.Tests.Simulation;

namespace Store.Tests.KeyValue;

public class KeyValueCompactionTests
{
    private const int Keys = 60;
    private readonly MemoryChangeLog _log = new();
    private readonly Dictionary<int, string> _model = [];

    [Fact]
    public async Task FilesStayBoundedHoweverOftenTheSameKeysChange()
    {
        using var directory = new SimDirectory();
        long most = 0, written = 0;
        var random = new Random(1);
        for (int life = 0; life < 4; life++)
        {
            using FasterKeyValueStore<int, string> kv = KeyValueBed.Open<int, string>(_log, directory);
            KeyValueBed.AssertHolds(kv, _model);
            for (int round = 0; round < 12; round++)
            {
                written += Churn(kv, random, 600);
                await kv.CheckpointAsync();
                most = Math.Max(most, Records(directory));
                KeyValueBed.AssertHolds(kv, _model, Enumerable.Range(0, Keys));
            }
        }

        Assert.True(written > 6_000_000, $"{written} bytes were written");
        Assert.True(most < 1_300_000, $"up to {most} bytes of records for {written} written");
    }

    [Fact]
    public async Task WhatNeverChangesIsCarriedAlong()
    {
        using var directory = new SimDirectory();
        var random = new Random(2);
        using (FasterKeyValueStore<int, string> kv = KeyValueBed.Open<int, string>(_log, directory))
        {
            for (int i = 1000; i < 1300; i++) Put(kv, i, new string('s', i % 300));
            for (int round = 0; round < 10; round++)
            {
                Churn(kv, random, 300);
                await kv.CheckpointAsync();
            }

            Assert.True(kv.State.Engine.BeginAddress > 64, "Nothing was compacted.");
            KeyValueBed.AssertHolds(kv, _model);
        }

        using FasterKeyValueStore<int, string> again = KeyValueBed.Open<int, string>(_log, directory);
        Assert.Empty(again.Recovery.Rejected);
        Assert.False(again.Recovery.RebuiltFromLog);
        KeyValueBed.AssertHolds(again, _model);
        Assert.Equal(_model.OrderBy(pair => pair.Key), again.Scan().OrderBy(pair => pair.Key));
    }

    /// <summary>What was moved away is given up when the scan ends, and that asks the disk. Whoever disposes an enumerator has asked for nothing, and may be dealing with another exception.</summary>
    [Fact]
    public async Task AScanThatEndsWhereTheDiskHasFailedThrowsNothing()
    {
        using var directory = new SimDirectory();
        var faulty = new FaultDirectory(directory);
        var random = new Random(3);
        using FasterKeyValueStore<int, string> kv = KeyValueBed.Open<int, string>(_log, faulty);
        for (int i = 1000; i < 1300; i++) Put(kv, i, new string('s', i % 300));
        using IEnumerator<KeyValuePair<int, string>> scan = kv.Scan().GetEnumerator();
        Assert.True(scan.MoveNext());
        long begin = kv.State.Engine.BeginAddress;
        for (int round = 0; round < 3; round++)
        {
            Churn(kv, random, 600);
            await kv.CheckpointAsync();
        }

        Assert.Equal(begin, kv.State.Engine.BeginAddress);
        faulty.Fault = new Fault(1, FaultKind.IoError, IsForever: true, Strikes: static operation => operation == IoOperation.Read);
        Assert.Throws<StoreFailedException>(() => Enumerable.Range(1000, 300).Count(key => kv.TryGet(key, out _)));
        Assert.Null(Record.Exception(scan.Dispose));
        Assert.Contains("failed", Assert.Throws<StoreFailedException>(() => kv.Put(1, "x")).Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task ReadersAndScansMissNothingWhileItRuns()
    {
        using var folder = new TemporaryFolder();
        await using NinoStore store = NinoStore.Open(folder.Path);
        using IKeyValueStore<int, string> kv = store.OpenKeyValue<int, string>("x", KeyValueBed.Tiny);
        for (int i = 0; i < Keys; i++) kv.Put(i, $"{i}:");
        using var stop = new CancellationTokenSource();
        Task[] users =
        [
            Task.Run(() =>
            {
                var random = new Random(3);
                for (int i = 1; !stop.IsCancellationRequested; i++)
                {
                    int key = random.Next(Keys);
                    kv.Put(key, $"{key}:{new string('w', random.Next(300))}");
                    if (i % 200 == 0) Thread.Sleep(1);
                }
            }),
            Task.Run(async () =>
            {
                for (int i = 0; !stop.IsCancellationRequested; i = (i + 1) % Keys)
                {
                    Assert.True(kv.TryGet(i, out string? value), $"{i} was not found");
                    Assert.StartsWith($"{i}:", value, StringComparison.Ordinal);
                    Assert.True((await kv.TryGetAsync(i)).IsThere, $"{i} was not found asynchronously");
                }
            }),
            Task.Run(() =>
            {
                while (!stop.IsCancellationRequested)
                {
                    Assert.Equal(Enumerable.Range(0, Keys), kv.Scan().Select(pair => pair.Key).Order().ToList());
                    Thread.Sleep(10);
                    Assert.Equal(Enumerable.Range(0, Keys), kv.ScanAsync().ToBlockingEnumerable().Select(pair => pair.Key).Order().ToList());
                    Thread.Sleep(10);
                }
            }),
        ];
        for (int i = 0; i < 10 && !users.Any(user => user.IsCompleted); i++)
        {
            await Task.Delay(20);
            await kv.CheckpointAsync();
        }

        await stop.CancelAsync();
        await Task.WhenAll(users);
        Assert.True(((FasterKeyValueStore<int, string>)kv).State.Engine.BeginAddress > 64, "Nothing was compacted.");
    }

    [Fact]
    public async Task TheOlderCheckpointStillOpensWhenTheNewerOneIsDamaged()
    {
        using var directory = new SimDirectory();
        var random = new Random(4);
        using (FasterKeyValueStore<int, string> kv = KeyValueBed.Open<int, string>(_log, directory))
        {
            for (int round = 0; round < 8; round++)
            {
                Churn(kv, random, 400);
                await kv.CheckpointAsync();
            }
        }

        string newest = directory.List().Select(f => f.Name).Where(name => name.EndsWith(".manifest", StringComparison.Ordinal)).Max()!;
        directory.Replace(newest, [1, 2, 3]);
        using FasterKeyValueStore<int, string> again = KeyValueBed.Open<int, string>(_log, directory);
        Assert.Equal(newest, Assert.Single(again.Recovery.Rejected).File);
        Assert.False(again.Recovery.RebuiltFromLog);
        KeyValueBed.AssertHolds(again, _model);
    }

    [Fact]
    public void AnOpenScanThatIsForgottenHoldsNobodyBackFromClosing()
    {
        using var directory = new SimDirectory();
        FasterKeyValueStore<int, string> kv = KeyValueBed.Open<int, string>(_log, directory);
        Put(kv, 1, "a");
        Put(kv, 2, "b");
        IEnumerator<KeyValuePair<int, string>> scan = kv.Scan().GetEnumerator();
        Assert.True(scan.MoveNext());
        kv.Dispose();
        Assert.Throws<ObjectDisposedException>(() => scan.MoveNext());
        scan.Dispose();
    }

    /// <summary>Thousands of keys in 64 buckets: some share a chain, whose records FASTER's metadata of a read confuses.</summary>
    [Theory]
    [InlineData(100)]
    [InlineData(1000)]
    [InlineData(6000)]
    public async Task KeysThatSharedChainsAllLiveOn(int keys)
    {
        using var directory = new SimDirectory();
        for (int life = 0; life < 3; life++)
        {
            using FasterKeyValueStore<int, string> kv = KeyValueBed.Open<int, string>(_log, directory);
            KeyValueBed.AssertHolds(kv, _model);
            for (int i = 0; i < keys; i++) Put(kv, i, $"{life}.{i}");
            long before = kv.State.Engine.BeginAddress, settled = kv.State.Engine.SettledAddress, tail = kv.State.Engine.TailAddress;
            await kv.CheckpointAsync();
            string where = $"life {life}: began at {before}, settled {settled}, tail {tail}; then begins at {kv.State.Engine.BeginAddress}, head {kv.State.Engine.HeadAddress}, tail {kv.State.Engine.TailAddress}";
            int[] missing = [.. Enumerable.Range(0, keys).Where(i => !kv.TryGet(i, out _))];
            Assert.True(missing.Length == 0, $"{where}: {missing.Length} missing: {string.Join(", ", missing.Take(40))}");
        }
    }

    private long Churn(FasterKeyValueStore<int, string> kv, Random random, int changes)
    {
        long bytes = 0;
        for (int i = 0; i < changes; i++)
        {
            int key = random.Next(Keys);
            if (random.Next(8) == 0)
            {
                kv.Delete(key);
                _model.Remove(key);
            }
            else
            {
                string value = new((char)('a' + random.Next(26)), 100 + random.Next(300));
                bytes += value.Length;
                Put(kv, key, value);
            }
        }

        return bytes;
    }

    private void Put(FasterKeyValueStore<int, string> kv, int key, string value)
    {
        kv.Put(key, value);
        _model[key] = value;
    }

    private static long Records(SimDirectory directory) => directory.List().Where(f => f.Name.StartsWith("records-", StringComparison.Ordinal)).Sum(f => f.LengthBytes);
}
