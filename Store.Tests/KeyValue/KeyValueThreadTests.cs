// Does the order of the log hold when many threads change the same keys, and does a checkpoint cut between two changes, never through one?

using Store.KeyValue;
using Store.Faster;
using Store.Tests.Simulation;

namespace Store.Tests.KeyValue;

public class KeyValueThreadTests
{
    private const int Threads = 6;
    private const int ChangesPerThread = 3000;
    private const int Keys = 12;

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task WhatThreadsLeftIsWhatTheLogGivesBack(bool withCheckpoints)
    {
        using var folder = new TemporaryFolder();
        var before = new Dictionary<int, string>();
        await using (NinoStore store = NinoStore.Open(folder.Path))
        {
            using IKeyValueStore<int, string> kv = store.OpenKeyValue<int, string>("x", KeyValueBed.Tiny with { MaxSessions = 3 });
            using var stop = new CancellationTokenSource();
            Task reader = Task.Run(() => ReadUntil(kv, stop.Token));
            Task checkpoints = Task.Run(() => CheckpointUntil(kv, withCheckpoints, stop.Token));
            await Task.WhenAll(Enumerable.Range(0, Threads).Select(thread => Task.Factory.StartNew(() => Change(kv, thread), TaskCreationOptions.LongRunning)));
            await stop.CancelAsync();
            await Task.WhenAll(reader, checkpoints);
            if (withCheckpoints) await kv.CheckpointAsync(); // a busy machine may not have come to one before
            LogReplay.Apply(store.ReadRecords(), "x", before);
            KeyValueBed.AssertHolds(kv, before, Enumerable.Range(0, Keys));
        }

        await using NinoStore again = NinoStore.Open(folder.Path);
        using IKeyValueStore<int, string> kv2 = again.OpenKeyValue<int, string>("x", KeyValueBed.Tiny);
        Assert.Equal(!withCheckpoints, kv2.Recovery.RebuiltFromLog);
        Assert.Empty(kv2.Recovery.Rejected);
        KeyValueBed.AssertHolds(kv2, before, Enumerable.Range(0, Keys));
    }

    [Fact]
    public async Task ACheckpointUnderWayHoldsExactlyTheChangesBeforeIt()
    {
        // Threads change; whatever instant the checkpoint takes, what it holds is what the log amounts to up to its sequence. A log that ends there has nothing to replay over it.
        var log = new MemoryChangeLog();
        using var directory = new SimDirectory();
        for (int round = 0; round < 4; round++)
        {
            long covered;
            using (FasterKeyValueStore<int, string> kv = KeyValueBed.Open<int, string>(log, directory))
            {
                using var stop = new CancellationTokenSource();
                long before = log.LastSequence;
                Task[] writers = [.. Enumerable.Range(0, 3).Select(thread => Task.Factory.StartNew(() =>
                {
                    var random = new Random(thread);
                    for (int i = 0; !stop.IsCancellationRequested; i++)
                    {
                        int key = random.Next(100);
                        if (random.Next(4) == 0) kv.Delete(key);
                        else kv.Put(key, $"{key}:{thread}:{i}");
                    }
                }, TaskCreationOptions.LongRunning))];
                while (log.LastSequence < before + 100 && !writers.Any(static writer => writer.IsCompleted)) await Task.Delay(1);
                await kv.CheckpointAsync();
                await stop.CancelAsync();
                await Task.WhenAll(writers);
            }

            using (FasterKeyValueStore<int, string> after = KeyValueBed.Open<int, string>(log.Fork(), directory.KillProcess()))
            {
                covered = after.Recovery.CheckpointSequence;
                Assert.Equal((false, log.LastSequence - covered), (after.Recovery.RebuiltFromLog, after.Recovery.ChangesReplayed));
            }

            KeyValueBed.AssertHoldsWhatItCovers(log, directory, covered);
        }
    }

    [Fact]
    public async Task MoreThreadsThanSessionsWaitTheirTurn()
    {
        using var folder = new TemporaryFolder();
        await using NinoStore store = NinoStore.Open(folder.Path);
        using var kv = (FasterKeyValueStore<int, int>)store.OpenKeyValue<int, int>("x", KeyValueBed.Tiny with { MaxSessions = 1 });
        await Task.WhenAll(Enumerable.Range(0, Threads).Select(thread => Task.Factory.StartNew(() =>
        {
            for (int i = 0; i < 2000; i++)
            {
                kv.Put(thread, i);
                Assert.True(kv.TryGet(thread, out int value));
                Assert.Equal(i, value);
            }
        }, TaskCreationOptions.LongRunning)));
        Assert.Equal(1, kv.State.Engine.SessionsOpened);
        Assert.Equal(Threads, kv.Count);
    }

    [Fact]
    public async Task DisposingWaitsForWhatIsUnderWay()
    {
        using var folder = new TemporaryFolder();
        await using NinoStore store = NinoStore.Open(folder.Path);
        IKeyValueStore<int, int> kv = store.OpenKeyValue<int, int>("x", KeyValueBed.Tiny);
        using var started = new CountdownEvent(Threads);
        Task[] users = [.. Enumerable.Range(0, Threads).Select(thread => Task.Factory.StartNew(() =>
        {
            kv.Put(thread, 0);
            started.Signal();
            Action use = () =>
            {
                for (int i = 0; ; i++)
                {
                    kv.Put(thread, i);
                    kv.TryGet(thread, out _);
                }
            };
            Assert.Throws<ObjectDisposedException>(use);
        }, TaskCreationOptions.LongRunning))];
        while (!started.Wait(10) && !users.Any(static user => user.IsCompleted)) { }

        kv.Dispose();
        await Task.WhenAll(users);
        using IKeyValueStore<int, int> again = store.OpenKeyValue<int, int>("x", KeyValueBed.Tiny);
        Assert.Equal(Threads, again.Count);
    }

    /// <summary>Values of one byte again and again, as long as the byte says: overwritten in place, the length too, while others read them.</summary>
    [Fact]
    public async Task AValueThatIsReadWhileItIsOverwrittenIsTheOneBeforeOrTheOneAfter()
    {
        const int LongBytes = 3000, ShortBytes = 2000;
        using var folder = new TemporaryFolder();
        await using NinoStore store = NinoStore.Open(folder.Path);
        using var kv = (FasterKeyValueStore<int, byte[]>)store.OpenKeyValue<int, byte[]>("x", KeyValueBed.Tiny with { MemorySizeBytes = 1 << 20, PageSizeBytes = 1 << 16 });
        for (int key = 0; key < Keys; key++) kv.Put(key, Value(0));
        long tail = kv.State.Engine.TailAddress;
        using var stop = new CancellationTokenSource();
        long changes = 0;
        Task[] writers = [.. Enumerable.Range(0, 2).Select(thread => Task.Factory.StartNew(() =>
        {
            // A value never becomes longer in its place: the shorter ones come seldom, or hardly any would be changed there.
            var random = new Random(thread);
            while (!stop.IsCancellationRequested)
            {
                int key = (random.Next(Keys / 2) * 2) + thread;
                kv.Put(key, Value((byte)random.Next(256)));
                Interlocked.Increment(ref changes);
            }
        }, TaskCreationOptions.LongRunning))];
        Task[] readers = [.. Enumerable.Range(0, 2).Select(thread => Task.Factory.StartNew(() =>
        {
            int[] keys = [.. Enumerable.Range(0, Keys)];
            var results = new KeyValueResult<byte[]>[Keys];
            for (int i = 0; i < 15_000 || (Interlocked.Read(ref changes) < 20_000 && !writers.Any(static writer => writer.IsCompleted)); i++)
            {
                Assert.True(kv.TryGet(i % Keys, out byte[]? value));
                AssertIsWhole(value);
                if (i % 16 != 0) continue;
                Assert.Equal(Keys, kv.TryGetBatch(keys, results));
                foreach (KeyValueResult<byte[]> result in results) AssertIsWhole(result.Value!);
            }
        }, TaskCreationOptions.LongRunning))];
        await Task.WhenAny(Task.WhenAll(readers), Task.WhenAny(writers));
        await stop.CancelAsync();
        await Task.WhenAll([.. readers, .. writers]);
        Assert.InRange(kv.State.Engine.TailAddress - tail, 1, changes * LongBytes / 4);

        static byte[] Value(byte fill)
        {
            byte[] value = new byte[fill >= 250 ? ShortBytes : LongBytes];
            value.AsSpan().Fill(fill);
            return value;
        }

        static void AssertIsWhole(byte[] value)
        {
            Assert.False(value.AsSpan().ContainsAnyExcept(value[0]), $"A value has bytes of another: it begins with {value[0]}.");
            Assert.Equal(value[0] >= 250 ? ShortBytes : LongBytes, value.Length);
        }
    }

    private static void Change(IKeyValueStore<int, string> kv, int thread)
    {
        var random = new Random(thread);
        for (int i = 0; i < ChangesPerThread; i++)
        {
            int key = random.Next(Keys);
            if (random.Next(4) == 0) kv.Delete(key);
            else kv.Put(key, $"{key}:{thread}:{i}{new string('.', random.Next(200))}");
        }
    }

    private static void ReadUntil(IKeyValueStore<int, string> kv, CancellationToken stop)
    {
        for (int i = 0; !stop.IsCancellationRequested; i++)
        {
            // A value is whole: it names its key and ends in the dots it was given.
            if (kv.TryGet(i % Keys, out string? value)) Assert.Matches($"^{i % Keys}:[0-9]:[0-9]+[.]*$", value);
        }
    }

    private static async Task CheckpointUntil(IKeyValueStore<int, string> kv, bool wanted, CancellationToken stop)
    {
        while (wanted && !stop.IsCancellationRequested) await kv.CheckpointAsync(CancellationToken.None);
    }
}
