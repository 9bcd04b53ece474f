// A store is closed while a keyed state is being opened on it. Its folder may be somebody else's then: what is being opened changes nothing any more, whatever it was about to do.

using System.Collections.Concurrent;
using Store.Faster;
using Store.IO;
using Store.KeyValue;
using Store.Tests.Log;
using Store.Tests.Simulation;

namespace Store.Tests.KeyValue;

public sealed class KeyValueClosedStoreTests
{
    private const string Name = "state";

    /// <summary>The checkpoint was read last, all of the log is in it: what follows is the removal of whatever is newer, and that is the next owner's by now.</summary>
    [Fact]
    public async Task WhatIsBeingOpenedRemovesNothingFromAFolderThatIsSomebodyElses()
    {
        using var directory = new SimDirectory();
        await CheckpointTwiceAsync(directory);
        using var isReading = new ManualResetEventSlim();
        using var mayRead = new ManualResetEventSlim();
        using var halting = new HaltingDirectory(directory, Files(directory).Last(static f => f.EndsWith(".index", StringComparison.Ordinal)), () =>
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
        string[] newest;
        using (IKeyValueStore<int, string> kv = second.OpenKeyValue<int, string>(Name, KeyValueBed.Tiny))
        {
            kv.Put(1000, "the next owner's");
            await kv.CheckpointAsync();
            newest = Files(directory);
            mayRead.Set();
            Exception? ended = await opening;
            Assert.True(ended is ObjectDisposedException, $"{ended}");
            Assert.Equal(newest, Files(directory));
        }

        using IKeyValueStore<int, string> again = second.OpenKeyValue<int, string>(Name, KeyValueBed.Tiny);
        Assert.Equal((21, 0), (again.Count, again.Recovery.ChangesReplayed));
        Assert.Empty(again.Recovery.Rejected);
    }

    /// <summary>Closed in the middle of the replay, where the engine writes pages that do not fit its memory: no failure of the disk.</summary>
    [Fact]
    public async Task AStoreThatIsClosedWhileChangesAreReplayedSaysSo()
    {
        using var directory = new SimDirectory();
        using (NinoStore store = Simulated.Open(directory))
        {
            using IKeyValueStore<int, string> kv = store.OpenKeyValue<int, string>(Name, KeyValueBed.Tiny);
            for (int i = 0; i < 200; i++) kv.Put(i, new string('v', 500));
        }

        foreach (string file in Files(directory)) directory.Delete(file);
        using var isWriting = new ManualResetEventSlim();
        using var mayWrite = new ManualResetEventSlim();
        using var halting = new HaltingDirectory(directory, $"kv-{Name}.records-00000000", () =>
        {
            isWriting.Set();
            Assert.True(mayWrite.Wait(TimeSpan.FromMinutes(1)));
        });
        NinoStore closed = Simulated.Open(halting, 2);
        Task<Exception?> opening = Task.Run<Exception?>(() => Record.Exception(() => closed.OpenKeyValue<int, string>(Name, KeyValueBed.Tiny)));
        Assert.True(isWriting.Wait(TimeSpan.FromMinutes(1)), string.Join(' ', halting.Created));
        Task closing = Task.Run(closed.Dispose);
        Assert.True(SpinWait.SpinUntil(() => Record.Exception(() => closed.OpenAppender<int>().Dispose()) is ObjectDisposedException, TimeSpan.FromMinutes(1)));
        await Task.Delay(50);
        mayWrite.Set();
        await closing.WaitAsync(TimeSpan.FromMinutes(1));
        Exception? ended = await opening;
        Assert.True(ended is ObjectDisposedException, $"{ended}");
        using NinoStore store2 = Simulated.Open(directory, 3);
        using IKeyValueStore<int, string> again = store2.OpenKeyValue<int, string>(Name, KeyValueBed.Tiny);
        Assert.Equal(200, again.Count);
    }

    [Fact]
    public async Task NamesThatDifferByCaseHaveFoldersOfTheirOwn()
    {
        using var directory = new SimDirectory();
        using NinoStore store = Simulated.Open(directory);
        foreach (string name in new[] { "Orders", "orders" })
        {
            using IKeyValueStore<int, string> kv = store.OpenKeyValue<int, string>(name, KeyValueBed.Tiny);
            kv.Put(1, name);
            await kv.CheckpointAsync();
        }

        Assert.Equal(["kv-%4frders", "kv-orders"], Files(directory).Select(static file => file[..file.IndexOf('.', StringComparison.Ordinal)]).Distinct().Order(StringComparer.Ordinal));
        foreach (string name in new[] { "Orders", "orders" })
        {
            using IKeyValueStore<int, string> kv = store.OpenKeyValue<int, string>(name, KeyValueBed.Tiny);
            Assert.Empty(kv.Recovery.Rejected);
            Assert.False(kv.Recovery.RebuiltFromLog);
            Assert.Equal(new KeyValuePair<int, string>(1, name), Assert.Single(kv.Scan()));
        }
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

    /// <summary>Does something before a file is opened for reading or created, the first time.</summary>
    private sealed class HaltingDirectory(IStoreDirectory inner, string file, Action act) : PassThroughDirectory(inner)
    {
        private int _opened;

        public ConcurrentQueue<string> Created { get; } = [];

        public override IStoreFile OpenRead(string name)
        {
            Halt(name);
            return base.OpenRead(name);
        }

        public override IStoreFile Create(string name)
        {
            Created.Enqueue(name);
            Halt(name);
            return base.Create(name);
        }

        private void Halt(string name)
        {
            if (name == file && Interlocked.Exchange(ref _opened, 1) == 0) act();
        }

        // The store's, and then another's.
        public override void Dispose() { }
    }
}
