// A store is closed while a keyed state is being opened on it. Its folder may be somebody else's then: what is being opened changes nothing any more, whatever it was about to do.

using Store.Faster;
using Store.IO;
using Store.KeyValue;
using Store.Tests.Log;
using Store.Tests.Simulation;

namespace Store.Tests.KeyValue;

public sealed class KeyValueClosedStoreTests
{
    private const string Name = "state";

    /// <summary>The newest checkpoint is damaged, the older one is about to be read: what follows is the removal of the newest.</summary>
    [Fact]
    public async Task WhatIsBeingOpenedRemovesNothingFromAFolderThatIsSomebodyElses()
    {
        using var directory = new SimDirectory();
        await CheckpointTwiceAsync(directory);
        string[] manifests = [.. Files(directory).Where(static f => f.EndsWith(".manifest", StringComparison.Ordinal)).Order(StringComparer.Ordinal)];
        Assert.Equal(2, manifests.Length);
        byte[] damaged = directory.Bytes(manifests[1]);
        damaged[^1] ^= 1;
        directory.Replace(manifests[1], damaged);

        using var isReading = new ManualResetEventSlim();
        using var mayRead = new ManualResetEventSlim();
        using var halting = new HaltingDirectory(directory, manifests[0], () =>
        {
            isReading.Set();
            Assert.True(mayRead.Wait(TimeSpan.FromMinutes(1)));
        });
        NinoStore first = Simulated.Open(halting, 2);
        Task<Exception?> opening = Task.Run<Exception?>(() => Record.Exception(() => first.OpenKeyValue<int, string>(Name, KeyValueBed.Tiny)));
        Assert.True(isReading.Wait(TimeSpan.FromMinutes(1)));

        // It does not wait for the opening, and gives the lock back.
        first.Dispose();
        using NinoStore second = Simulated.Open(directory, 3);
        string[] before = Files(directory);
        mayRead.Set();
        Assert.IsType<ObjectDisposedException>(await opening);
        Assert.Equal(before, Files(directory));
        Assert.Equal(damaged, directory.Bytes(manifests[1]));
        using IKeyValueStore<int, string> kv = second.OpenKeyValue<int, string>(Name, KeyValueBed.Tiny);
        Assert.Equal(20, kv.Count);
        Assert.Single(kv.Recovery.Rejected);
    }

    [Fact]
    public async Task TheFolderOfAnEngineIsReadAndNotChangedWhenItsStoreIsClosed()
    {
        using var directory = new SimDirectory();
        using NinoStore store = Simulated.Open(directory);
        using KeyValueLog<int, string> log = KeyValueLog.Open<int, string>(store, Name);
        using IStoreDirectory folder = log.OpenFolder();
        using IStoreFile file = folder.Create("file");
        file.Write([1, 2, 3], 0);
        file.SyncData();
        folder.SyncDirectory();
        await store.DisposeAsync();
        byte[] bytes = new byte[3];
        Assert.Equal(3, file.Read(bytes, 0));
        Assert.Equal("file", Assert.Single(folder.List()).Name);
        Action[] changes =
        [
            () => file.Write([4], 0), file.SyncData, () => file.Truncate(1), () => folder.Create("other"), () => folder.OpenWrite("file"), () => folder.Delete("file"), () => folder.Rename("file", "other"),
            () => folder.RenameNew("file", "other"), folder.SyncDirectory, () => folder.TryLock("lock"), () => log.OpenFolder(),
        ];
        Assert.All(changes, static change => Assert.Throws<ObjectDisposedException>(change));
        Assert.Equal([1, 2, 3], directory.Bytes($"kv-{Name}.file"));
    }

    [Fact]
    public async Task ClosingWaitsForAChangeThatIsUnderWay()
    {
        var gate = new ChangeGate();
        using var isInside = new ManualResetEventSlim();
        using var mayLeave = new ManualResetEventSlim();
        Task change = Task.Run(() =>
        {
            using (gate.Enter())
            {
                isInside.Set();
                Assert.True(mayLeave.Wait(TimeSpan.FromMinutes(1)));
            }
        });
        Assert.True(isInside.Wait(TimeSpan.FromMinutes(1)));
        Task closing = Task.Run(gate.Close);
        await Task.Delay(50);
        Assert.False(closing.IsCompleted);
        mayLeave.Set();
        await Task.WhenAll(change, closing).WaitAsync(TimeSpan.FromMinutes(1));
        Assert.Throws<ObjectDisposedException>(() => gate.Enter().Dispose());
        gate.Close();
    }

    private static async Task CheckpointTwiceAsync(SimDirectory directory)
    {
        using NinoStore store = Simulated.Open(directory);
        using IKeyValueStore<int, string> kv = store.OpenKeyValue<int, string>(Name, KeyValueBed.Tiny);
        for (int round = 0; round < 2; round++)
        {
            for (int i = 0; i < 20; i++) kv.Put(i, $"{round}.{i}");
            await kv.CheckpointAsync();
        }
    }

    private static string[] Files(SimDirectory directory) => [.. directory.List().Select(static f => f.Name).Where(static f => f.StartsWith("kv-", StringComparison.Ordinal)).Order(StringComparer.Ordinal)];

    /// <summary>Does something before a file is opened for reading, the first time.</summary>
    private sealed class HaltingDirectory(IStoreDirectory inner, string file, Action act) : PassThroughDirectory(inner)
    {
        private int _opened;

        public override IStoreFile OpenRead(string name)
        {
            if (name == file && Interlocked.Exchange(ref _opened, 1) == 0) act();
            return base.OpenRead(name);
        }

        // The store's, and then another's.
        public override void Dispose() { }
    }
}
