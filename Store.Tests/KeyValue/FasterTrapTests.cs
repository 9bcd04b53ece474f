// What FASTER 2.6.5 is known to get wrong, one by one, and that we are not caught by it. Most of it is FasterLog's, which is not used here: then the same misfortune befalls our own log or checkpoint.

using Store.Faster;
using Store.Faster.Engine;
using Store.KeyValue;
using Store.Serialization;
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

                if (failure is null) KeyValueBed.AssertHolds(opened!, Enumerable.Range(0, 20).ToDictionary(static i => i, static i => $"v{i}"));
                else Assert.True(DiskTrouble.IsCauseOf(failure), $"{failure}");
            }

            if (failure is not null) Assert.Contains(Names(directory), static name => name.EndsWith(".manifest", StringComparison.Ordinal));
        }
    }

    /// <summary>2 and 11. A failed write of a commit's or checkpoint's metadata or pages is logged and reported as success.</summary>
    [Fact]
    public async Task WhicheverWriteOrSyncOfACheckpointFailsItIsNoCheckpoint()
    {
        int failures = 0, told = 0;
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
            if (failure is not null) told++;
            faulty.Fault = null;
            SimDirectory[] afterPowerFailure = [.. directory.CrashStates(limit: 20, seed: n)];
            kv.Dispose();
            using FasterKeyValueStore<int, string> again = KeyValueBed.Open<int, string>(_log, directory);
            Assert.True(again.TryGet(1, out string? value));
            Assert.Equal($"changed {n}", value);

            // One that was reported as taken is used; one that failed is not.
            Assert.Equal(failure is null ? 0 : 1, again.Recovery.ChangesReplayed);
            Assert.Empty(again.Recovery.Rejected);
            foreach (SimDirectory left in afterPowerFailure)
            {
                using FasterKeyValueStore<int, string> crashed = KeyValueBed.Open<int, string>(_log, left);
                Assert.Empty(crashed.Recovery.Rejected);
                if (failure is null) Assert.Equal(0, crashed.Recovery.ChangesReplayed);
                Assert.Equal(value, crashed.TryGet(1, out string? there) ? there : null);
            }
        }

        Assert.True(failures > 5 && told > 5, $"{failures} calls, {told} told");
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
    public async Task EmptyKeysAndValuesHideNothingAndBytesComeBackAsTheyWere()
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

            Assert.True(engine.Reads.TryRead([], out ReadResult last));
            Assert.Equal(new byte[] { 199 }, last.Value.ToArray());
            for (byte i = 0; i < 200; i++)
            {
                Assert.True(engine.Reads.TryRead([i], out ReadResult empty));
                Assert.Equal(0, empty.LengthBytes);
                Assert.True(engine.Reads.TryRead([i, i], out ReadResult full));
                Assert.Equal(new byte[] { i, 0, i }, full.Bytes.AsSpan(0, full.LengthBytes).ToArray());
            }
        }

        // The same through the log, pages on the disk, a checkpoint and scans.
        var model = new Dictionary<string, string> { [""] = "" };
        using var other = new SimDirectory();
        using (FasterKeyValueStore<string, string> kv = KeyValueBed.Open<string, string>(_log, other))
        {
            kv.Put("", "");
            for (int i = 0; i < 900; i++) kv.Put($"{i}", model[$"{i}"] = i % 3 == 0 ? new string('v', i % 40) : "");
            Assert.Equal(model.OrderBy(pair => pair.Key), kv.Scan().OrderBy(pair => pair.Key));
            await kv.CheckpointAsync();
        }

        using FasterKeyValueStore<string, string> again = KeyValueBed.Open<string, string>(_log, other);
        Assert.Equal(0, again.Recovery.ChangesReplayed);
        KeyValueBed.AssertHolds(again, model);
        Assert.Equal(model.OrderBy(pair => pair.Key), again.Scan().OrderBy(pair => pair.Key));
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

    /// <summary>10. A page that cannot be read is skipped by whoever goes through the log. Whichever read fails: what comes is everything, or an exception.</summary>
    [Fact]
    public void APageThatCannotBeReadIsAnExceptionAndNoGap()
    {
        int refused = 0;
        for (int n = 1; ; n++)
        {
            var log = new MemoryChangeLog();
            using var directory = new SimDirectory();
            var faulty = new FaultDirectory(directory);
            using FasterKeyValueStore<int, string> kv = KeyValueBed.Open<int, string>(log, faulty);
            for (int i = 0; i < 200; i++) kv.Put(i, new string('v', 200));
            faulty.Fault = new Fault(n, FaultKind.IoError, Strikes: operation => operation == IoOperation.Read);
            int found = 0;
            Exception? failure = Record.Exception(() => found = kv.Scan().Count());
            if (faulty.Failures == 0)
            {
                Assert.Equal(200, found);
                break;
            }

            refused++;
            Assert.IsType<StoreFailedException>(failure);
            Assert.Throws<StoreFailedException>(() => kv.TryGet(1, out _));
        }

        Assert.True(refused > 5, $"{refused} reads");
    }

    /// <summary>10. Nothing keeps a second writer out.</summary>
    [Fact]
    public void ASecondWriterIsKeptOut()
    {
        using var directory = new SimDirectory();
        using NinoStore store = Simulated.Open(directory);
        using IKeyValueStore<int, int> one = store.OpenKeyValue<int, int>("x", KeyValueBed.Tiny);
        Assert.Throws<InvalidOperationException>(() => store.OpenKeyValue<int, int>("x", KeyValueBed.Tiny));
        Assert.Throws<InvalidOperationException>(() => store.OpenKeyValue<int, int>("X", KeyValueBed.Tiny));
        Assert.Throws<StoreInUseException>(() => Simulated.Open(directory));
    }

    /// <summary>11. Writes of snapshot pages, index pages and overflow buckets that fail are only logged. A state of several pages of each, so that every kind is met.</summary>
    [Fact]
    public async Task EveryPageOfACheckpointCountsAlsoOverflowBuckets()
    {
        // The smallest index has 64 buckets of seven keys: a thousand keys need overflow buckets.
        int failures = 0;
        for (int n = 1; ; n++)
        {
            var log = new MemoryChangeLog();
            using var directory = new SimDirectory();
            var faulty = new FaultDirectory(directory);
            using FasterKeyValueStore<int, string> kv = KeyValueBed.Open<int, string>(log, faulty, KeyValueBed.Tiny with { MemorySizeBytes = 64 * 1024 });
            for (int i = 0; i < 1000; i++) kv.Put(i, "v");
            faulty.Fault = new Fault(n, FaultKind.IoError, Strikes: operation => operation == IoOperation.Write);
            Exception? failure = await Record.ExceptionAsync(async () => await kv.CheckpointAsync());
            if (faulty.Failures == 0)
            {
                Assert.Null(failure);
                break;
            }

            failures++;
            Assert.IsAssignableFrom<IOException>(failure);
            faulty.Fault = null;
            Assert.DoesNotContain(Names(directory), static name => name.EndsWith(".manifest", StringComparison.Ordinal));
            await kv.CheckpointAsync();
            Assert.Null(kv.CheckpointFailure);
        }

        Assert.True(failures > 5, $"{failures} writes");
    }

    /// <summary>1, 2, 5, 6, 7, 8 and 9 are FasterLog's, and a second log for objects has failures of its own: neither is used, nor what FASTER brings along to keep checkpoints or write files.</summary>
    [Theory]
    [InlineData("FasterLog")]
    [InlineData("FasterKVSettings`2")]
    [InlineData("DeviceLogCommitCheckpointManager")]
    [InlineData("LocalStorageNamedDeviceFactory")]
    [InlineData("ManagedLocalStorageDevice")]
    [InlineData("Devices")]
    [InlineData("BinaryObjectSerializer`1")]
    public void ThePartsOfFasterThatTrapAreNotUsed(string type)
    {
        using var file = new System.Reflection.PortableExecutable.PEReader(File.OpenRead(typeof(FasterOptions).Assembly.Location));
        System.Reflection.Metadata.MetadataReader metadata = System.Reflection.Metadata.PEReaderExtensions.GetMetadataReader(file);
        string[] used = [.. metadata.TypeReferences.Select(metadata.GetTypeReference).Where(one => metadata.GetString(one.Namespace) == "FASTER.core").Select(one => metadata.GetString(one.Name))];
        Assert.Contains("FasterKV`2", used);
        Assert.DoesNotContain(type, used);

        // Or a change of its name would make this pass.
        Assert.NotNull(System.Reflection.Assembly.Load("FASTER.core").GetType("FASTER.core." + type));
    }

    /// <summary>An exception of a serializer on one of its threads ends the process: here values are encoded and decoded on the caller's, in memory and from the disk.</summary>
    [Fact]
    public async Task AValueThatCannotBeReadIsTheReadersExceptionAndNobodyElses()
    {
        using var directory = new SimDirectory();
        using FasterKeyValueStore<int, Fragile> kv = KeyValueBed.Open<int, Fragile>(_log, directory);
        for (int i = 0; i < 2000; i++) kv.Put(i, new Fragile { Number = i });
        Assert.True(kv.State.Engine.HeadAddress > 4096, "Everything is in memory.");
        Fragile.Refused.Value = 13;
        try
        {
            Assert.Throws<NinoSerializationException>(() => kv.TryGet(13, out _));
            await Assert.ThrowsAsync<NinoSerializationException>(async () => await kv.TryGetAsync(13));
            Assert.Throws<NinoSerializationException>(() => kv.Update(13, _ => new Fragile()));
            Assert.Throws<NinoSerializationException>(() => kv.Scan().Count());
            kv.Put(1999, new Fragile { Number = 13_000 });
            Assert.True(kv.TryGet(14, out Fragile? other) && other.Number == 14);
            Assert.Equal((2001, 2000L), (_log.LastSequence, kv.Count));
        }
        finally
        {
            Fragile.Refused.Value = null;
        }

        Assert.Equal(2000, kv.Scan().Count());
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

/// <summary>A value that one test can make unreadable.</summary>
[NinoType]
public sealed partial class Fragile
{
    /// <summary>The number that cannot be set, in the flow of that test only.</summary>
    public static AsyncLocal<int?> Refused { get; } = new();

    public int Number
    {
        get;
        set => field = value == Refused.Value ? throw new TimeoutException() : value;
    }
}
