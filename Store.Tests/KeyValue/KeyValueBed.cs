using Microsoft.Extensions.Logging;
using Store.Faster;
using Store.Faster.Changes;
using Store.Faster.Checkpoints;
using Store.IO;
using Store.KeyValue;
using Store.KeyValue.Changes;
using Store.Tests.Log;
using Store.Tests.Simulation;

namespace Store.Tests.KeyValue;

/// <summary>A folder of the disk that goes when the test ends.</summary>
internal sealed class TemporaryFolder : IDisposable
{
    public string Path { get; } = Directory.CreateTempSubdirectory("ninostore-kv-").FullName;

    public void Dispose() => Directory.Delete(Path, recursive: true);
}

internal static class KeyValueBed
{
    /// <summary>Four pages of 4 KiB and the smallest index: nearly everything is on the disk, in files of 64 pages.</summary>
    public static FasterOptions Tiny { get; } = new() { IndexSizeBytes = 4096, PageSizeBytes = 4096, MemorySizeBytes = 16 * 1024, MaxSessions = 4, RecordFileSizeBits = 18 };

    /// <summary>A keyed state without a NinoStore around it.</summary>
    public static FasterKeyValueStore<TKey, TValue> Open<TKey, TValue>(IChangeLog log, IStoreDirectory directory, FasterOptions? options = null, string name = "test",
        IProgress<KeyValueOpeningProgress>? progress = null, TimeProvider? time = null, ILogger? logger = null)
    {
        var format = new ChangeFormat<TKey, TValue>(name);
        return new FasterKeyValueStore<TKey, TValue>(new KeyedState(log, format, new Borrowed(directory), options ?? Tiny, runsInline: true, time, logger, progress: progress), format);
    }

    public static void AssertHolds<TKey, TValue>(IKeyValueStore<TKey, TValue> store, IReadOnlyDictionary<TKey, TValue> expected, IEnumerable<TKey>? absent = null) where TKey : notnull
    {
        Assert.Equal(expected.Count, store.Count);
        foreach ((TKey key, TValue value) in expected)
        {
            Assert.True(store.TryGet(key, out TValue? found), $"{key} is missing");
            Assert.Equal(value, found);
        }

        foreach (TKey key in absent ?? [])
        {
            if (!expected.ContainsKey(key)) Assert.False(store.TryGet(key, out _), $"{key} came back");
        }
    }

    /// <summary>Opens the checkpoint on a log that ends with it, so that nothing is replayed over what it has too much or wrong: it alone is what the log amounts to.</summary>
    public static void AssertHoldsWhatItCovers(MemoryChangeLog log, SimDirectory directory, long covered, FasterOptions? options = null)
    {
        MemoryChangeLog fork = log.Fork();
        fork.LoseTail((int)(log.LastSequence - covered));
        var expected = new Dictionary<int, string>();
        LogReplay.Apply(fork.Read(1), "test", expected);
        using SimDirectory copy = directory.KillProcess();
        using FasterKeyValueStore<int, string> kv = Open<int, string>(fork, copy, options);
        Assert.Equal((covered, 0L), (kv.Recovery.CheckpointSequence, kv.Recovery.ChangesReplayed));
        AssertHolds(kv, expected, LogReplay.Changes(log.Read(1), "test").Select(static change => change.Key).Distinct());
        Assert.Equal(expected.OrderBy(static pair => pair.Key), kv.Scan().OrderBy(static pair => pair.Key));
    }

    /// <summary>A value of some hundred bytes, which tells its key.</summary>
    public static string ValueOf(int key) => $"{key}:{new string((char)('a' + (key % 26)), 100)}";

    /// <summary>The bytes of a file, and the file with other bytes.</summary>
    public static byte[] Bytes(this SimDirectory directory, string name) => FileBytes.Of(directory, name);

    /// <summary>True while a checkpoint is there that an opening with these settings cannot use: for its sake the log may have been cut.</summary>
    public static bool HasCheckpointOfOtherPages(this SimDirectory directory, FasterOptions options) =>
        directory.List().Any(file => file.Name.EndsWith(".manifest", StringComparison.Ordinal) && CheckpointManifest.TryParse(directory.Bytes(file.Name), out CheckpointManifest? manifest, out _) && manifest.PageSizeBytes != options.PageSizeBytes);

    public static void Replace(this SimDirectory directory, string name, byte[] bytes)
    {
        directory.Delete(name);
        using IStoreFile file = directory.Create(name);
        file.Write(bytes, 0);
    }

    /// <summary>A folder that whoever is given it does not dispose.</summary>
    private sealed class Borrowed(IStoreDirectory inner) : IStoreDirectory
    {
        public string Name => inner.Name;

        public bool IsReadOnly => inner.IsReadOnly;

        public IReadOnlyList<StoreFileEntry> List() => inner.List();

        public IStoreFile Create(string name) => inner.Create(name);

        public IStoreFile OpenWrite(string name) => inner.OpenWrite(name);

        public IStoreFile OpenRead(string name) => inner.OpenRead(name);

        public void Rename(string name, string newName) => inner.Rename(name, newName);

        public void Delete(string name) => inner.Delete(name);

        public void SyncDirectory() => inner.SyncDirectory();

        public void SyncDirectory(string prefix) => inner.SyncDirectory(prefix);

        public IDisposable? TryLock(string name) => inner.TryLock(name);

        public void Dispose() { }
    }
}
