// Is any type a key? Each kind in hundreds, on the disk and back through a checkpoint; and when are two keys the same: when their records are equal bytes, and only then.

using Store.Faster;
using Store.KeyValue;
using Store.Serialization;
using Store.Tests.KeyValue;
using Store.Tests.Simulation;

[assembly: NinoSerializable(typeof((string, int)))]
[assembly: NinoSerializable(typeof(KeySuit))]

namespace Store.Tests.KeyValue;

public enum KeySuit : short
{
    None,
    Clubs = -5,
}

[NinoType]
public partial record struct KeyPoint(int X, long Y, byte Z);

[NinoType]
public sealed partial record KeyPlace(string Country, string? City, int Number);

public class KeyTypeTests
{
    private const int Keys = 300;

    private static readonly Dictionary<string, Func<Task>> Types = new()
    {
        ["int"] = () => Live(i => (i - 150) * 7_654_321),
        ["long"] = () => Live(i => (long)(i - 150) << 55 ^ i),
        ["enum"] = () => Live(i => (KeySuit)(short)(i * 211)),
        ["decimal"] = () => Live(i => new decimal(i * 97, i, 0, i % 2 == 1, (byte)(i % 28))),
        ["Guid"] = () => Live(i => new Guid(i, (short)i, 7, 1, 2, 3, 4, 5, 6, 7, (byte)(i % 3))),
        ["string"] = () => Live(i => i == 0 ? "" : new string((char)(i % 3 == 0 ? 0x4E00 + i : 'a' + (i % 26)), i)),
        ["DateTime"] = () => Live(i => new DateTime(2026, 1, 1, 0, 0, 0, (DateTimeKind)(i % 3)).AddTicks(i)),
        ["DateTimeOffset"] = () => Live(i => new DateTimeOffset(2026, 1, 1, 0, 0, 0, TimeSpan.FromHours(i % 5)).AddTicks(i)),
        ["double"] = () => Live(i => i * Math.PI),
        ["bool"] = () => Live(i => i % 2 == 0, keys: 2),
        ["byte[]"] = () => Live(i => BitConverter.GetBytes(i).AsSpan(0, 1 + (i % 4)).ToArray().Append((byte)(i >> 8)).ToArray(), static (left, right) => left.AsSpan().SequenceEqual(right)),
        ["generated struct"] = () => Live(i => new KeyPoint(i, -i, (byte)i)),
        ["generated record"] = () => Live(i => new KeyPlace($"country {i % 10}", i % 3 == 0 ? null : $"city {i}", i)),
        ["tuple"] = () => Live(i => ($"{i % 7}", i)),
    };

    public static TheoryData<string> Names => [.. Types.Keys];

    [Theory]
    [MemberData(nameof(Names))]
    public Task AKeyOfAnyTypeIsFoundAgainFromTheDiskAndFromACheckpoint(string type) => Types[type]();

    [Fact]
    public void ZeroAndMinusZeroAreTwoKeysAndANumberThatIsNoneIsFoundByItsBits()
    {
        double quiet = double.NaN, other = BitConverter.Int64BitsToDouble(BitConverter.DoubleToInt64Bits(double.NaN) ^ 1);
        AssertApart(0.0, -0.0, quiet, other);
    }

    [Fact]
    public void DecimalsOfDifferentScaleAreTwoKeys() => AssertApart(1.0m, 1.00m, 1m);

    [Fact]
    public void StringsAreNotNormalized() => AssertApart("\u00E9", "e\u0301", "E\u0301", "e");

    [Fact]
    public void InstantsOfDifferentKindAndOffsetAreTwoKeys()
    {
        var noon = new DateTime(2026, 6, 1, 12, 0, 0);
        AssertApart(noon, DateTime.SpecifyKind(noon, DateTimeKind.Utc), DateTime.SpecifyKind(noon, DateTimeKind.Local));
        AssertApart(new DateTimeOffset(noon, TimeSpan.Zero), new DateTimeOffset(noon, TimeSpan.Zero).ToOffset(TimeSpan.FromHours(2)));
    }

    [Fact]
    public void AMemberThatIsNullAndOneThatIsEmptyAreTwoKeys() => AssertApart(new KeyPlace("a", null, 1), new KeyPlace("a", "", 1));

    /// <summary>The type's own <c>Equals</c> is not asked: what is the same record is the same key.</summary>
    [Fact]
    public void EqualRecordsAreOneKeyWhateverTheObjects()
    {
        using NinoStore store = Open(new SimDirectory());
        using IKeyValueStore<byte[], int> kv = store.OpenKeyValue<byte[], int>("keys");
        kv.Put([1, 2], 1);
        kv.Put([1, 2], 2);
        Assert.Equal((1, true), (kv.Count, kv.TryGet([1, 2], out int value)));
        Assert.Equal(2, value);
    }

    private static void AssertApart<TKey>(params TKey[] keys)
    {
        using NinoStore store = Open(new SimDirectory());
        using IKeyValueStore<TKey, int> kv = store.OpenKeyValue<TKey, int>("keys");
        for (int i = 0; i < keys.Length; i++)
        {
            Assert.False(kv.TryGet(keys[i], out _), $"{keys[i]} is {keys[..i].Length} of those before");
            kv.Put(keys[i], i);
        }

        Assert.Equal(keys.Length, kv.Count);
        for (int i = 0; i < keys.Length; i++)
        {
            Assert.True(kv.TryGet(keys[i], out int value));
            Assert.Equal(i, value);
        }
    }

    private static async Task Live<TKey>(Func<int, TKey> make, Func<TKey, TKey, bool>? equal = null, int keys = Keys)
    {
        equal ??= static (left, right) => EqualityComparer<TKey>.Default.Equals(left, right);
        using var directory = new SimDirectory();
        var expected = new Dictionary<int, string>();
        using (NinoStore store = Open(directory))
        {
            using var kv = (FasterKeyValueStore<TKey, string>)store.OpenKeyValue<TKey, string>("keys", KeyValueBed.Tiny);
            for (int i = 0; i < keys; i++) kv.Put(make(i), expected[i] = ValueOf(i));
            if (keys == Keys) Assert.True(kv.State.Engine.HeadAddress > 2 * KeyValueBed.Tiny.MemorySizeBytes, "Everything fits the memory.");
            AssertHolds(kv);
            await kv.CheckpointAsync();
            for (int i = 0; i < keys; i += 3)
            {
                Assert.True(kv.Delete(make(i)));
                expected.Remove(i);
            }

            if (keys == Keys) Assert.Equal(2, kv.DeleteBatch([make(1), make(0), make(2)]));
            if (keys == Keys) Assert.True(expected.Remove(1) && expected.Remove(2));
            kv.Update(make(keys - 1), _ => "updated");
            expected[keys - 1] = "updated";
            AssertHolds(kv);
        }

        using NinoStore again = Open(directory);
        using IKeyValueStore<TKey, string> reopened = again.OpenKeyValue<TKey, string>("keys", KeyValueBed.Tiny);
        Assert.Equal((keys, false), (reopened.Recovery.CheckpointSequence, reopened.Recovery.RebuiltFromLog));
        AssertHolds(reopened);

        void AssertHolds(IKeyValueStore<TKey, string> kv)
        {
            Assert.Equal(expected.Count, kv.Count);
            for (int i = 0; i < keys; i++)
            {
                Assert.Equal(expected.ContainsKey(i), kv.TryGet(make(i), out string? value));
                Assert.Equal(expected.GetValueOrDefault(i), value);
            }

            // The keys themselves come back too.
            Dictionary<string, TKey> scanned = kv.Scan().ToDictionary(pair => pair.Value, pair => pair.Key);
            foreach ((int i, string value) in expected) Assert.True(equal(make(i), scanned[value]), $"{make(i)} came back as {scanned[value]}");
        }
    }

    private static string ValueOf(int i) => $"{i}:{new string('v', 200)}";

    private static NinoStore Open(SimDirectory directory) => NinoStore.Open("sim", new NinoStoreOptions { Directory = directory, RunsInline = true });
}
