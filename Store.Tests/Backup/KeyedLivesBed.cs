using Store.Faster;
using Store.KeyValue;
using Store.Retention;
using Store.Tests.KeyValue;
using Store.Tests.Retention;
using Store.Tests.Simulation;

namespace Store.Tests.Backup;

/// <summary>
/// A store whose keyed states are forgotten and begun anew. It notes each life of each of them: behind which record it began, and its changes. So what a copy holds can be compared with what was there at the end of its log, wherever that is.
/// </summary>
internal sealed class KeyedLivesBed : IDisposable
{
    private readonly Dictionary<string, List<Life>> _lives = [];
    private readonly Dictionary<string, IKeyValueStore<int, string>> _open = [];

    public KeyedLivesBed() => Store = KeyedBackupBed.Open(Directory, seed: 1);

    public SimDirectory Directory { get; } = new();

    public NinoStore Store { get; }

    /// <summary>Opens a state for the first time, or anew.</summary>
    /// <returns>The sequence behind which it begins.</returns>
    public long Begin(string name)
    {
        IKeyValueStore<int, string> keyed = Open(Store, name);
        Assert.Equal(0, keyed.Count);
        _open[name] = keyed;
        if (!_lives.TryGetValue(name, out List<Life>? lives)) _lives[name] = lives = [];
        lives.Add(new Life(CursorMarks.TryFind(Directory, Store.StoreId, name, MarkerKind.KeyedState)!.Value.Since, []));
        return lives[^1].Since;
    }

    /// <summary>Changes that no other life of any state has: of some keys that the life before has, too, and of some that it has not, and not of all that it has.</summary>
    public void Change(string name, int count = 20)
    {
        for (int i = 0; i < count; i++)
        {
            string value = $"{name} {_lives[name].Count}.{i} {new string('v', 80)}";
            int key = (7 * _lives[name].Count) + i;
            _lives[name][^1].Changes.Add((_open[name].Put(key, value), key, value));
        }

        Store.Commit();
    }

    public void Checkpoint(string name) => KeyedBackupBed.Checkpoint(_open[name]);

    /// <summary>Closes a state, forgets it and removes its files.</summary>
    public void Forget(string name)
    {
        _open.Remove(name, out IKeyValueStore<int, string>? keyed);
        keyed!.Dispose();
        Assert.True(Store.ForgetKeyedState(name));
        foreach (string file in Files(Directory, name)) Directory.Delete(file);
    }

    /// <summary>Appends records that are none of theirs.</summary>
    public void Grow(int segments = 1) => RetentionTests.Grow(Store, Directory, RetentionTests.Segments(Directory).Length + segments);

    public void Truncate() => Store.TruncateBefore(long.MaxValue);

    public static string[] Files(SimDirectory directory, string name) => [.. directory.List().Select(static f => f.Name).Where(f => f.StartsWith($"kv-{name}.", StringComparison.Ordinal))];

    /// <summary>The copy opens, and each of its states is what it was in the store at the record with which the copy ends: an earlier life as long as the later one has no change there, or the later one.</summary>
    /// <param name="copy">The copy.</param>
    /// <param name="isExact">True when a life that is begun must be there, with changes or without.</param>
    /// <returns>The last record of the copy.</returns>
    public long AssertHolds(SimDirectory copy, bool isExact = false)
    {
        using NinoStore opened = KeyedBackupBed.Open(copy.KillProcess(), seed: 9);
        long last = opened.LastSequence;
        Assert.All(opened.Recovery.Damage, static d => Assert.Equal(StoreDamageKind.TornTail, d.Kind));
        foreach ((string name, List<Life> lives) in _lives)
        {
            int life = lives.FindLastIndex(l => l.Since <= last);
            using IKeyValueStore<int, string> keyed = Open(opened, name);
            SortedDictionary<int, string> content = new(new Dictionary<int, string>(keyed.Scan()));
            List<SortedDictionary<int, string>> allowed = [life < 0 ? [] : lives[life].At(last)];
            for (; !isExact && life > 0 && lives[life].At(last).Count == 0; life--) allowed.Add(lives[life - 1].At(last));
            Assert.True(allowed.Exists(a => a.SequenceEqual(content)), $"The copy ends with record {last}, and '{name}' has {string.Join(", ", content.Values.Select(static v => v.TrimEnd('v')))}: none of its lives.");
        }

        return last;
    }

    public void Dispose() => Store.Dispose();

    public static IKeyValueStore<int, string> Open(NinoStore store, string name) => store.OpenKeyValue<int, string>(name, KeyValueBed.Tiny);

    /// <summary>One life of a state.</summary>
    /// <param name="Since">Behind which record it begins.</param>
    /// <param name="Changes">What was put.</param>
    private sealed record Life(long Since, List<(long Sequence, int Key, string Value)> Changes)
    {
        public SortedDictionary<int, string> At(long sequence)
        {
            SortedDictionary<int, string> content = [];
            foreach ((long at, int key, string value) in Changes.TakeWhile(c => c.Sequence <= sequence)) content[key] = value;
            return content;
        }
    }
}
