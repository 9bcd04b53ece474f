// What FASTER 2.6.5 is known to get wrong, one by one, and that we are not caught by it. Most of it is FasterLog's, which is not used here: then the same misfortune befalls our own log or checkpoint.

using Store.Faster;
using Store.Faster.Engine;
using Store.KeyValue;
using Store.Tests.Log;
using Store.Tests.Simulation;

namespace Store.Tests.KeyValue;

public class FasterTrapTests
{
    private readonly MemoryChangeLog _log = new();

    /// <summary>1. Its constructors swallow what goes wrong in recovery and begin empty, over the old files.</summary>
    [Fact]
    public async Task AReadThatFailsWhileOpeningIsAnExceptionAndNoEmptyState()
    {
        using SimDirectory checkpointed = await Checkpointed();
        for (int n = 1; ; n++)
        {
            using SimDirectory directory = checkpointed.KillProcess();
            var faulty = new FaultDirectory(directory) { Fault = new Fault(n, FaultKind.IoError, Strikes: operation => operation == IoOperation.Read) };
            FasterKeyValueStore<int, string>? opened = null;
            Exception? failure = Record.Exception(() => opened = KeyValueBed.Open<int, string>(_log, faulty));
            using (opened)
            {
                if (faulty.Failures == 0)
                {
                    Assert.True(n > 5, $"{n} reads");
                    break;
                }

                Assert.True(failure is not null || opened!.Count == 20, $"read {n} failed, and the state has {opened?.Count} keys");
            }

            if (failure is not null) Assert.Contains(Names(directory), static name => name.EndsWith(".manifest", StringComparison.Ordinal));
        }
    }

    /// <summary>2 and 11. A failed write of a commit's or checkpoint's metadata or pages is logged and reported as success.</summary>
    [Fact]
    public async Task WhicheverWriteOrSyncOfACheckpointFailsItIsNoCheckpoint()
    {
        int failures = 0;
        for (int n = 1; ; n++)
        {
            using SimDirectory directory = await Checkpointed();
            var faulty = new FaultDirectory(directory);
            using FasterKeyValueStore<int, string> kv = KeyValueBed.Open<int, string>(_log, faulty);
            kv.Put(1, $"changed {n}");
            faulty.Fault = new Fault(n, FaultKind.NoSpace, Strikes: operation => operation is IoOperation.Write or IoOperation.SyncData or IoOperation.Create or IoOperation.Rename or IoOperation.SyncDirectory);
            Exception? failure = await Record.ExceptionAsync(async () => await kv.CheckpointAsync());
            if (faulty.Failures == 0) break;
            failures++;
            faulty.Fault = null;
            kv.Dispose();
            using FasterKeyValueStore<int, string> again = KeyValueBed.Open<int, string>(_log, directory);
            Assert.True(again.TryGet(1, out string? value));
            Assert.Equal($"changed {n}", value);
            if (failure is not null) Assert.Equal(1, again.Recovery.ChangesReplayed);
        }

        Assert.True(failures > 5, $"{failures} calls");
    }

    /// <summary>3. Metadata is parsed before it is checked, and used although the check failed.</summary>
    [Fact]
    public async Task ADamagedManifestGivesNothingAway()
    {
        using SimDirectory directory = await Checkpointed();
        string manifest = Names(directory).Single(name => name.EndsWith(".manifest", StringComparison.Ordinal));
        byte[] bytes = directory.Bytes(manifest);
        BitConverter.TryWriteBytes(bytes.AsSpan(64), 1_000_000L);
        directory.Replace(manifest, bytes);
        using FasterKeyValueStore<int, string> kv = KeyValueBed.Open<int, string>(_log, directory);
        Assert.Equal((true, 20L), (kv.Recovery.RebuiltFromLog, kv.Count));
    }

    /// <summary>4. Recovering a commit that is not there recovers something else.</summary>
    [Fact]
    public async Task AManifestWithoutItsFilesIsRejectedByName()
    {
        using SimDirectory directory = await Checkpointed();
        string index = Names(directory).Single(name => name.EndsWith(".index", StringComparison.Ordinal));
        directory.Delete(index);
        using FasterKeyValueStore<int, string> kv = KeyValueBed.Open<int, string>(_log, directory);
        Assert.Equal(index, Assert.Single(kv.Recovery.Rejected).File);
        Assert.Equal(20, kv.Count);
    }

    /// <summary>5. An empty entry hides what follows it in its page. 6. One overload writes its payload where the header goes.</summary>
    [Fact]
    public void EmptyKeysAndValuesHideNothingAndBytesComeBackAsTheyWere()
    {
        using var directory = new SimDirectory();
        using (var engine = new FasterEngine(directory, KeyValueBed.Tiny))
        {
            for (byte i = 0; i < 200; i++)
            {
                engine.Upsert([], [i]);
                engine.Upsert([i], []);
                engine.Upsert([i, i], [i, 0, i]);
            }

            for (byte i = 0; i < 200; i++)
            {
                Assert.True(engine.TryRead([i], out ReadResult empty));
                Assert.Equal(0, empty.LengthBytes);
                Assert.True(engine.TryRead([i, i], out ReadResult full));
                Assert.Equal(new byte[] { i, 0, i }, full.Bytes.AsSpan(0, full.LengthBytes).ToArray());
            }
        }

    }

    /// <summary>7. Without a generation in them, bytes of an earlier life behind the end parse as records.</summary>
    [Fact]
    public async Task WhatALifeWroteBehindItsCheckpointIsNotReadByTheNext()
    {
        using SimDirectory directory = await Checkpointed();
        MemoryChangeLog fork = _log.Fork();
        using (FasterKeyValueStore<int, string> lost = KeyValueBed.Open<int, string>(fork, directory))
        {
            for (int i = 0; i < 400; i++) lost.Put(1000 + i, new string('l', 100));
        }

        using FasterKeyValueStore<int, string> kv = KeyValueBed.Open<int, string>(_log, directory);
        for (int i = 0; i < 400; i++) kv.Put(2000 + i, new string('k', 100));
        Assert.Equal(420, kv.Count);
        Assert.Equal(420, kv.Scan().Count());
        Assert.DoesNotContain(kv.Scan(), pair => pair.Key is >= 1000 and < 2000);
    }

    /// <summary>8. Tolerating a device failure goes on at a wrong address.</summary>
    [Fact]
    public void NothingIsToleratedAfterAFailureOfTheRecordLog()
    {
        using var directory = new SimDirectory();
        using FasterKeyValueStore<int, string> kv = KeyValueBed.Open<int, string>(_log, directory);
        directory.OnOperation = (_, operation) =>
        {
            if (operation.StartsWith("write", StringComparison.Ordinal)) throw new IOException("no room");
        };
        Assert.Throws<StoreFailedException>(() =>
        {
            for (int i = 0; i < 1000; i++) kv.Put(i, new string('v', 200));
        });
        directory.OnOperation = null;
        Assert.Throws<StoreFailedException>(() => kv.Put(1, "v"));
        Assert.Throws<StoreFailedException>(() => kv.Scan().Count());
    }

    /// <summary>9. After recovery, waiting for a commit hangs until somebody commits.</summary>
    [Fact]
    public async Task ACommitRightAfterRecoveryCompletes()
    {
        using var directory = new SimDirectory();
        for (int life = 0; life < 2; life++)
        {
            using NinoStore store = Simulated.Open(directory, seed: life);
            using IKeyValueStore<int, int> kv = store.OpenKeyValue<int, int>("x", KeyValueBed.Tiny);
            await store.CommitAsync().AsTask().WaitAsync(TimeSpan.FromSeconds(30));
            await kv.CheckpointAsync().AsTask().WaitAsync(TimeSpan.FromSeconds(30));
            Assert.Equal(life + 1, await kv.PutAsync(life, life).AsTask().WaitAsync(TimeSpan.FromSeconds(30)));
            await kv.CheckpointAsync().AsTask().WaitAsync(TimeSpan.FromSeconds(30));
        }
    }

    /// <summary>10. A page that cannot be read is skipped; nothing keeps a second writer out.</summary>
    [Fact]
    public void APageThatCannotBeReadIsAnExceptionAndNoGap()
    {
        using var directory = new SimDirectory();
        using FasterKeyValueStore<int, string> kv = KeyValueBed.Open<int, string>(_log, directory);
        for (int i = 0; i < 500; i++) kv.Put(i, new string('v', 200));
        directory.OnOperation = (_, operation) =>
        {
            if (operation.StartsWith("read", StringComparison.Ordinal)) throw new IOException("unreadable");
        };
        Exception? scan = Record.Exception(() => kv.Scan().Count());
        directory.OnOperation = null;
        if (scan is null) Assert.Equal(500, kv.Scan().Count());
        else Assert.IsType<StoreFailedException>(scan);
        using NinoStore store = Simulated.Open(new SimDirectory());
        using IKeyValueStore<int, int> one = store.OpenKeyValue<int, int>("x", KeyValueBed.Tiny);
        Assert.Throws<InvalidOperationException>(() => store.OpenKeyValue<int, int>("X", KeyValueBed.Tiny));
    }

    /// <summary>A put, an update of a value and a read cost nothing but the value.</summary>
    [Fact]
    public async Task InMemoryAnOperationAllocatesNothingBesidesTheValue()
    {
        using var folder = new TemporaryFolder();
        await using NinoStore store = NinoStore.Open(folder.Path);
        using IKeyValueStore<int, long> kv = store.OpenKeyValue<int, long>("x");
        for (int i = 0; i < 3000; i++) Work(i);
        Assert.Equal(0, Allocated.Least(() =>
        {
            for (int i = 0; i < 1000; i++) Work(i);
        }));

        void Work(int i)
        {
            kv.Put(i % 50, i);
            kv.TryGet(i % 50, out _);
            var add = new Add(1);
            kv.Update(i % 50, ref add);
            ValueTask<KeyValueResult<long>> read = kv.TryGetAsync(i % 50);
            Assert.True(read.IsCompletedSuccessfully && read.Result.Value == i + 1);
        }
    }

    private readonly struct Add(long amount) : IKeyValueUpdate<long>
    {
        public KeyValueUpdate Update(bool isThere, ref long value)
        {
            value += amount;
            return KeyValueUpdate.Put;
        }
    }

    private async Task<SimDirectory> Checkpointed()
    {
        var directory = new SimDirectory();
        using FasterKeyValueStore<int, string> kv = KeyValueBed.Open<int, string>(_log, directory);
        for (int i = 0; i < 20; i++) kv.Put(i, $"v{i}");
        await kv.CheckpointAsync();
        return directory;
    }

    private static string[] Names(SimDirectory directory) => [.. directory.List().Select(entry => entry.Name)];
}
