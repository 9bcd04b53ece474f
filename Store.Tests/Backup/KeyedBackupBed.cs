using Store.Faster;
using Store.IO;
using Store.KeyValue;
using Store.Tests.KeyValue;
using Store.Tests.Log;
using Store.Tests.Simulation;

namespace Store.Tests.Backup;

/// <summary>
/// A store with one keyed state whose log was truncated: only a checkpoint can bring the state back. It notes what was changed, so that whatever a copy holds can be compared with what was there at the copy's last sequence.
/// </summary>
internal sealed class KeyedBackupBed : IDisposable
{
    public const string Name = "names";
    public const string Prefix = $"kv-{Name}.";

    private readonly List<(long Sequence, int Key, string? Value)> _changes = [];
    private readonly Random _random = new(4711);

    /// <param name="directory">Where the store lives.</param>
    /// <param name="seen">What the store is opened on; the folder itself when null.</param>
    public KeyedBackupBed(SimDirectory directory, IStoreDirectory? seen = null)
    {
        Directory = directory;
        Store = Open(seen ?? directory, seed: 1);
        Keyed = Open(Store);
        for (int i = 0; i < 3; i++)
        {
            Change(150);
            Checkpoint();
        }

        Change(20);
        Store.TruncateBefore(long.MaxValue);
        Assert.True(Store.FirstSequence > 1);
    }

    public SimDirectory Directory { get; }

    public NinoStore Store { get; private set; }

    public IKeyValueStore<int, string> Keyed { get; private set; }

    public static NinoStore Open(IStoreDirectory directory, int seed) => Simulated.Open(directory, seed, static o => o with { FirstSegmentSizeBytes = 4096, SegmentSizeBytes = 64 * 1024 });

    public static IKeyValueStore<int, string> Open(NinoStore store) => store.OpenKeyValue<int, string>(Name, KeyValueBed.Tiny);

    public void Change(int count)
    {
        for (int i = 0; i < count; i++)
        {
            int key = _random.Next(60);
            if (_random.Next(8) == 0)
            {
                if (Keyed.Delete(key)) _changes.Add((Store.LastSequence, key, null));
                continue;
            }

            string value = $"{i} {new string('v', _random.Next(300))}";
            _changes.Add((Keyed.Put(key, value), key, value));
        }

        Store.Commit();
    }

    public void Checkpoint() => Checkpoint(Keyed);

    public static void Checkpoint(IKeyValueStore<int, string> keyed) => keyed.CheckpointAsync().AsTask().GetAwaiter().GetResult();

    public void Close() => Keyed.Dispose();

    public void Reopen() => Keyed = Open(Store);

    /// <summary>Closes the store and opens it again.</summary>
    public void Restart(Action meanwhile)
    {
        Store.Dispose();
        meanwhile();
        Store = Open(Directory, seed: 5);
        Reopen();
    }

    /// <summary>The copy opens, and its keyed state is what the changes up to the end of its log amount to.</summary>
    /// <returns>Last sequence of the copy.</returns>
    public long AssertHolds(SimDirectory copy, bool mayReject = false)
    {
        using NinoStore opened = Open(copy, seed: 3);
        Assert.All(opened.Recovery.Damage, static d => Assert.Equal(StoreDamageKind.TornTail, d.Kind));
        using IKeyValueStore<int, string> keyed = Open(opened);
        if (!mayReject) Assert.Empty(keyed.Recovery.Rejected);
        var expected = new Dictionary<int, string>();
        foreach ((long sequence, int key, string? value) in _changes)
        {
            if (sequence > opened.LastSequence) break;
            if (value is null) expected.Remove(key);
            else expected[key] = value;
        }

        KeyValueBed.AssertHolds(keyed, expected, Enumerable.Range(0, 60));
        Assert.DoesNotContain(copy.List(), static f => f.Name.StartsWith(Prefix, StringComparison.Ordinal) && FolderExchange.IsItsOwn(f.Name[Prefix.Length..]));

        // It is a store to go on with.
        keyed.Put(1, "more");
        Checkpoint(keyed);
        return opened.LastSequence - 1;
    }

    public static string[] Files(SimDirectory directory, string ending = "") =>
        [.. directory.List().Select(static f => f.Name).Where(n => n.StartsWith(Prefix, StringComparison.Ordinal) && n.EndsWith(ending, StringComparison.Ordinal))];

    public void Dispose() => Store.Dispose();
}
