// What happens to keyed state when any byte of any file of its folder is damaged: of its checkpoints, of its records, of the log and of the marks beside it? The values are those that the log says, or
// opening throws a typed exception, or it reports what it did without; a wrong value never.

using Store.Faster;
using Store.IO;
using Store.KeyValue;
using Store.Tests.Simulation;
using Xunit.Abstractions;

namespace Store.Tests.KeyValue;

public class KeyValueFolderDamageTests(ITestOutputHelper output)
{
    private const int Keys = 12;

    // Opening takes milliseconds, most of it for memory of the engine: a quick run tries about so many bytes of each file, a long one every bit of every byte.
    private const int QuickBytes = 48;

    private const string Spilled = "records-";

    /// <summary>The kinds of files of a store with keyed state, each by a part of its names. Records are on the disk only when there are more than the memory holds.</summary>
    public static TheoryData<string> Parts => [".index", ".snapshot", ".manifest", Spilled, "segment-", "log-end", "keyed-"];

    // The state after each sequence.
    private readonly List<Dictionary<int, string>> _states = [[]];

    [Theory]
    [MemberData(nameof(Parts))]
    public void AFlippedBitOfAnyByteGivesNoWrongValue(string part)
    {
        SimDirectory intact = Life(spills: part == Spilled);
        var seen = new Outcomes();
        bool isLong = Effort.FlipScale >= 8;
        int seed = Effort.Seed(21), flips = 0;
        var random = new Random(seed);
        foreach (string file in FilesOf(intact, part))
        {
            byte[] bytes = intact.Bytes(file);
            int step = isLong ? 1 : Math.Max(1, bytes.Length / QuickBytes);
            for (int at = random.Next(step); at < bytes.Length; at += 1 + random.Next((2 * step) - 1))
            {
                int first = random.Next(8);
                for (int i = 0; i < (isLong ? 8 : 1); i++, flips++)
                {
                    byte flip = (byte)(1 << ((first + i) % 8));
                    bytes[at] ^= flip;
                    Examine(intact, file, bytes, $"{file}, byte {at}, bits {flip:x2}", seen);
                    bytes[at] ^= flip;
                }
            }
        }

        Effort.Tell(output, "bit flips", flips, $"SEED={seed}", $"folder of keyed state, '{part}': {seen}");
        AssertRefused(seen, part, flips);
    }

    [Theory]
    [MemberData(nameof(Parts))]
    public void AFileCutAtAnyByteGivesNoWrongValue(string part)
    {
        SimDirectory intact = Life(spills: part == Spilled);
        var seen = new Outcomes();
        int seed = Effort.Seed(22), cuts = 0;
        var random = new Random(seed);
        foreach (string file in FilesOf(intact, part))
        {
            byte[] bytes = intact.Bytes(file);
            int step = Effort.TruncationScale >= 8 ? 1 : Math.Max(1, bytes.Length / QuickBytes);
            for (int length = 0; length < bytes.Length; length += 1 + random.Next((2 * step) - 1), cuts++) Examine(intact, file, bytes[..length], $"{file}, cut to {length} of {bytes.Length} bytes", seen);
        }

        Effort.Tell(output, "truncations", cuts, $"SEED={seed}", $"folder of keyed state, '{part}': {seen}");
        AssertRefused(seen, part, cuts);
    }

    [Fact]
    public void EveryFileOfTheFolderIsTried()
    {
        string[] parts = [.. Parts.AsEnumerable<object[]>().Select(static row => (string)row[0]).Where(static part => part != Spilled)];
        foreach (bool spills in (bool[])[false, true])
        {
            SimDirectory intact = Life(spills);
            string[] tried = [.. (spills ? parts.Append(Spilled) : parts).SelectMany(part => FilesOf(intact, part))];
            Assert.Equal(intact.List().Where(static f => f.LengthBytes > 0).Select(static f => f.Name), tried.Order(StringComparer.Ordinal));
            output.WriteLine(string.Join(", ", intact.List().Select(static f => $"{f.Name}: {f.LengthBytes}")));
        }
    }

    private void Examine(SimDirectory intact, string file, byte[] bytes, string what, Outcomes seen)
    {
        SimDirectory directory = intact.KillProcess();
        directory.Replace(file, bytes);
        NinoStore store;
        try
        {
            store = Open(directory);
        }
        catch (Exception e) when (e is StoreCorruptException or StoreVersionException)
        {
            seen.Refused++;
            return;
        }

        using (store)
        {
            IKeyValueStore<int, string> kv;
            try
            {
                kv = store.OpenKeyValue<int, string>("state", KeyValueBed.Tiny);
            }
            catch (Exception e) when (e is StoreCorruptException or StoreVersionException)
            {
                seen.Refused++;
                return;
            }

            using (kv)
            {
                Assert.True(store.LastSequence == _states.Count - 1 || store.Recovery.Damage.Count > 0, $"{what}: {_states.Count - 1} records were durable, {store.LastSequence} are there, and nothing is reported");
                Dictionary<int, string> expected = _states[(int)store.LastSequence];
                Assert.True(kv.Count == expected.Count, $"{what}: {kv.Count} keys instead of {expected.Count}");
                for (int key = 0; key < Keys; key++)
                {
                    bool found = kv.TryGet(key, out string? value);
                    Assert.True(found == expected.TryGetValue(key, out string? right) && value == right, $"{what}: key {key} is '{value}' instead of '{right}'");
                }

                if (kv.Recovery.RebuiltFromLog) seen.Rebuilt++;
                else if (kv.Recovery.Rejected.Count > 0) seen.Older++;
                else if (store.Recovery.Damage.Count > 0) seen.Reported++;
                else seen.Harmless++;
                if (file.Contains("state", StringComparison.Ordinal) && kv.Recovery.RebuiltFromLog) Assert.NotEmpty(kv.Recovery.Rejected);
            }
        }
    }

    // The log is whole: whatever becomes of the files of the engine, the state is made from it anew.
    private static void AssertRefused(Outcomes seen, string part, int tried)
    {
        if (part is ".index" or ".snapshot" or ".manifest" or Spilled) Assert.Equal(0, seen.Refused);
        else Assert.InRange(seen.Refused, 0, tried - 1);
    }

    private static string[] FilesOf(SimDirectory directory, string part) =>
        [.. directory.List().Where(static f => f.LengthBytes > 0).Select(static f => f.Name).Where(name => name.Contains(part, StringComparison.Ordinal)).Order(StringComparer.Ordinal)];

    private static NinoStore Open(IStoreDirectory directory) => NinoStore.Open("sim", Log.Simulated.Options(directory) with { FirstSegmentSizeBytes = 4096 });

    /// <summary>Two checkpoints, with changes before, between and behind them, closed cleanly.</summary>
    /// <param name="spills">True for more records than the memory holds.</param>
    private SimDirectory Life(bool spills)
    {
        _states.RemoveRange(1, _states.Count - 1);
        var directory = new SimDirectory();
        using NinoStore store = Open(directory);
        using IKeyValueStore<int, string> kv = store.OpenKeyValue<int, string>("state", KeyValueBed.Tiny);
        var model = new Dictionary<int, string>();
        var random = new Random(3);
        for (int round = 0; round < 3; round++)
        {
            for (int i = 0; i < 10; i++)
            {
                int key = random.Next(Keys);
                if (i % 5 == 4)
                {
                    if (kv.Delete(key)) model.Remove(key);
                }
                else
                {
                    kv.Put(key, model[key] = $"{round}.{i} {new string('v', spills ? 900 + random.Next(300) : random.Next(30))}");
                }

                Note(store, model);
            }

            if (round < 2) kv.CheckpointAsync().AsTask().GetAwaiter().GetResult();
            Note(store, model);
        }

        return directory;
    }

    private void Note(NinoStore store, Dictionary<int, string> model)
    {
        while (_states.Count <= store.LastSequence) _states.Add(new Dictionary<int, string>(model));
    }

    private sealed class Outcomes
    {
        public int Harmless, Older, Rebuilt, Reported, Refused;

        public override string ToString() => $"{Harmless} harmless, {Older} answered from the checkpoint before, {Rebuilt} rebuilt from the log, {Reported} reported, {Refused} refused";
    }
}
