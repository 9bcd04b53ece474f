// How often does a change of a record on the disk read it? Once, as a lookup does: what was read without the lock is used under it, unless the key's stripe has changed or its record was moved since.

using System.Diagnostics;
using Store.Faster;
using Store.KeyValue;
using Store.Tests.Simulation;

namespace Store.Tests.KeyValue;

public class KeyValueDiskReadTests
{
    private const int Keys = 300;
    private const int Key = 3;

    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(1);

    private readonly HeldReads _directory = new(new SimDirectory());

    public static TheoryData<string, bool> Calls
    {
        get
        {
            var data = new TheoryData<string, bool>();
            foreach (string call in (string[])["get", "get later", "put", "put later", "put batch", "update", "update later", "delete", "delete later"])
            {
                data.Add(call, false);
                data.Add(call, true);
            }

            return data;
        }
    }

    [Theory]
    [MemberData(nameof(Calls))]
    public async Task ItIsReadOnceBesideAScanToo(string call, bool besideScan)
    {
        await using NinoStore store = Open();
        using FasterKeyValueStore<int, string> kv = Filled(store);
        using IEnumerator<KeyValuePair<int, string>> scan = kv.Scan().GetEnumerator();
        if (besideScan) Assert.True(scan.MoveNext());
        long before = _directory.Reads;
        Assert.True(kv.TryGet(Key, out string? old));
        long once = _directory.Reads - before;
        Assert.True(once > 0, "It is not on the disk.");
        before = _directory.Reads;
        await Make(kv, call);
        Assert.Equal(once, _directory.Reads - before);

        // And it has done what it should.
        string? expected = call.Split(' ')[0] switch { "get" => old, "put" => "new", "update" => old + "+", _ => null };
        Assert.Equal(expected is not null, kv.TryGet(Key, out string? now));
        Assert.Equal(expected, now);
        Assert.Equal(expected is null ? Keys - 1 : Keys, kv.Count);
        if (!besideScan) return;

        // The scan had not come to it: it has the key once, with a value it had meanwhile, or not any more.
        var rest = new List<KeyValuePair<int, string>> { scan.Current };
        while (scan.MoveNext()) rest.Add(scan.Current);
        Assert.Equal(expected, rest.SingleOrDefault(static pair => pair.Key == Key).Value);
        Assert.Equal(kv.Count, rest.DistinctBy(static pair => pair.Key).Count());
    }

    /// <summary>A key that is not there costs nothing more for being known not to be.</summary>
    [Fact]
    public async Task AKeyThatIsNotThereIsCountedWhenItComes()
    {
        await using NinoStore store = Open();
        using FasterKeyValueStore<int, string> kv = Filled(store);
        Assert.Equal(Keys + 1, await kv.UpdateAsync(Keys, static old => old ?? "first"));
        Assert.Equal(Keys + 2, kv.Update(Keys + 1, static old => old ?? "second"));
        Assert.Equal(Keys + 3, await kv.PutAsync(Keys + 2, "third"));
        Assert.False(await kv.DeleteAsync(Keys + 3));
        Assert.Equal((Keys + 3, Keys + 3), (kv.Count, store.LastSequence));
    }

    /// <summary>All of them have read the same value, and only one may use it.</summary>
    [Fact]
    public async Task UpdatesThatReadTheSameRecordWhileTheDiskStoodStillLoseNothing()
    {
        const int updates = 40;
        await using NinoStore store = Open();
        using FasterKeyValueStore<int, string> kv = Filled(store, maxSessions: 64);
        Assert.True(kv.TryGet(Key, out string? old));
        _directory.Close();
        Task<long>[] pending = [.. Enumerable.Range(0, updates).Select(_ => kv.UpdateAsync(Key, static value => value + "+").AsTask())];
        await _directory.ArrivedAsync();
        _directory.Open();
        Assert.Equal(updates, (await Task.WhenAll(pending).WaitAsync(TimeSpan.FromSeconds(60))).Distinct().Count());
        Assert.True(kv.TryGet(Key, out string? now));
        Assert.Equal(old + new string('+', updates), now);
    }

    /// <summary>What lets an earlier lookup be used: it is another one after whatever happened to the key, and after its record has got another place.</summary>
    [Fact]
    public async Task AVersionTellsEveryChangeAndEveryMoveOfAKey()
    {
        await using NinoStore store = Open();
        using FasterKeyValueStore<int, string> kv = Filled(store);
        KeyedState state = kv.State;
        long version = state.VersionOf(BitConverter.GetBytes(Key)), begin = state.Engine.BeginAddress;
        await kv.CheckpointAsync();
        Assert.True(state.Engine.BeginAddress > begin, "Nothing was compacted.");
        Changed("a move by compaction");
        kv.Put(Key, "a");
        Changed("a put");
        kv.Put(Key, "b");
        Changed("a put in its place");
        kv.Update(Key, static old => old + "c");
        Changed("an update");
        kv.PutBatch([new(Key, "d")]);
        Changed("a batch");
        kv.Delete(Key);
        Changed("a deletion");
        kv.Put(Key, "e");
        Changed("a put of what was deleted");
        kv.DeleteBatch([Key]);
        Changed("a batch of deletions");

        // Of itself it stays.
        kv.TryGet(Key, out _);
        kv.Delete(Key);
        Assert.Equal(version, state.VersionOf(BitConverter.GetBytes(Key)));

        void Changed(string by)
        {
            Assert.True(state.VersionOf(BitConverter.GetBytes(Key)) > version, $"{by} is not told");
            version = state.VersionOf(BitConverter.GetBytes(Key));
        }
    }

    /// <summary>The log is the judge: each update of a key has seen the change before it, no deletion found nothing, and the state and its count are what the log says.</summary>
    [Fact]
    public async Task BesideOtherChangesCompactionAndScansEachUpdateSeesTheChangeBeforeIt()
    {
        const int tasks = 4, rounds = 500, keys = 60, steady = 1000;
        using var folder = new TemporaryFolder();
        await using NinoStore store = NinoStore.Open(folder.Path, new NinoStoreOptions { Durability = Durability.Memory });
        using var kv = (FasterKeyValueStore<int, string>)store.OpenKeyValue<int, string>("state", KeyValueBed.Tiny with { IndexSizeBytes = 64 * 1024, MaxSessions = 6 });
        for (int i = 0; i < 100; i++) kv.Put(steady + i, Pad(0));
        using var stop = new CancellationTokenSource();
        Task[] beside =
        [
            Task.Run(async () =>
            {
                while (!stop.IsCancellationRequested)
                {
                    await kv.CheckpointAsync();
                    await Task.Delay(5);
                }
            }),
            Task.Run(async () =>
            {
                while (!stop.IsCancellationRequested)
                {
                    AssertEachOnce([.. kv.Scan().Select(static pair => pair.Key)]);
                    var later = new List<int>();
                    await foreach (KeyValuePair<int, string> pair in kv.ScanAsync()) later.Add(pair.Key);
                    AssertEachOnce(later);
                    await Task.Delay(5);
                }
            }),
        ];
        var ran = Stopwatch.StartNew();
        await Task.WhenAll(Enumerable.Range(0, tasks).Select(task => Task.Run(async () =>
        {
            var random = new Random(task);

            // Until it has been compacted while this ran, for which a checkpoint has to come through: on a slow disk, many rounds later.
            for (int i = 0; i < rounds || (kv.State.Engine.BeginAddress <= 64 && ran.Elapsed < Patience); i++)
            {
                int key = random.Next(keys);
                switch (random.Next(8))
                {
                    case 0: await kv.DeleteAsync(key); break;
                    case 1: kv.Delete(key); break;
                    case 2: kv.Update(key, Next); break;
                    case 3: await kv.PutAsync(steady + random.Next(100), Pad(i)); break;
                    default: await kv.UpdateAsync(key, Next); break;
                }
            }
        })));
        await stop.CancelAsync();
        await Task.WhenAll(beside);
        Assert.True(kv.State.Engine.BeginAddress > 64, "Nothing was compacted.");
        var numbers = new Dictionary<int, int>();
        foreach ((long sequence, int key, string? value) in LogReplay.Changes(store.ReadRecords(), "state"))
        {
            if (key >= steady) continue;
            int before = numbers.GetValueOrDefault(key), now = value is null ? 0 : NumberOf(value);
            Assert.True(value is null ? before > 0 : now == before + 1, $"Change {sequence} of {key} makes {value?.TrimEnd('v') ?? "nothing"} of {before}.");
            numbers[key] = now;
        }

        var expected = new Dictionary<int, string>();
        LogReplay.Apply(store.ReadRecords(), "state", expected);
        KeyValueBed.AssertHolds(kv, expected, Enumerable.Range(0, keys));

        void AssertEachOnce(List<int> scanned)
        {
            Assert.Equal(scanned.Count, scanned.Distinct().Count());
            Assert.Equal(100, scanned.Count(static key => key >= steady));
        }

        static string Next(string? old) => Pad(old is null ? 1 : NumberOf(old) + 1);
        static int NumberOf(string value) => int.Parse(value.AsSpan(0, value.IndexOf(':', StringComparison.Ordinal)), System.Globalization.CultureInfo.InvariantCulture);
        static string Pad(int number) => $"{number}:{new string('v', 100 + (number * 7 % 300))}";
    }

    private static async Task Make(IKeyValueStore<int, string> kv, string call)
    {
        switch (call)
        {
            case "get": kv.TryGet(Key, out _); break;
            case "get later": await kv.TryGetAsync(Key); break;
            case "put": kv.Put(Key, "new"); break;
            case "put later": await kv.PutAsync(Key, "new"); break;
            case "put batch": kv.PutBatch([new(Key, "new")]); break;
            case "update": kv.Update(Key, static old => old + "+"); break;
            case "update later": await kv.UpdateAsync(Key, static old => old + "+"); break;
            case "delete": kv.Delete(Key); break;
            default: await kv.DeleteAsync(Key); break;
        }
    }

    private NinoStore Open() => NinoStore.Open("sim", new NinoStoreOptions { Directory = _directory });

    private static FasterKeyValueStore<int, string> Filled(NinoStore store, int maxSessions = 4)
    {
        var kv = (FasterKeyValueStore<int, string>)store.OpenKeyValue<int, string>("state", KeyValueBed.Tiny with { IndexSizeBytes = 64 * 1024, MaxSessions = maxSessions });
        for (int key = 0; key < Keys; key++) kv.Put(key, $"{key}:{new string('v', 300)}");
        Assert.True(kv.State.Engine.HeadAddress > 2 * KeyValueBed.Tiny.MemorySizeBytes, "Nothing lies on the disk.");
        return kv;
    }
}
