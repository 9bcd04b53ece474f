using System.Collections;
using System.Collections.Concurrent;
using System.Collections.Specialized;
using System.Reflection;
using Store.Serialization;
using Store.Serialization.Codecs;
using Store.Serialization.Evolution;
using Store.Serialization.Values;

namespace Store.Tests.Types;

/// <summary>What the count of comparisons takes for granted of the framework's collections: how many buckets they have, and which one a key goes to.</summary>
public sealed class BucketTests
{
    [Fact]
    public void CollectionsGrowThroughTheKnownCounts()
    {
        int buckets = BucketCounts.AtLeast(1025);
        for (int next = buckets; next < 1_500_000; buckets = next)
        {
            var set = new HashSet<byte>(buckets);
            Assert.Equal(buckets, set.Capacity);
            next = BucketCounts.AtLeast(buckets + 1);
            Assert.Equal(next, new HashSet<byte>(2 * buckets).Capacity);
            Assert.Equal(next, new OrderedDictionary<byte, byte>(2 * buckets).Capacity);
        }

        // Behind those that the framework has in a table: the first prime from twice the one before on, unless it is one more than a multiple of 101.
        for (int next; (next = BucketCounts.AtLeast(buckets + 1)) > buckets; buckets = next)
        {
            if (buckets < 7_199_369 / 2) continue;
            for (int between = (2 * buckets) | 1; between < next; between += 2) Assert.False(IsTaken(between));
            Assert.True(IsTaken(next));
        }

        Assert.Equal(BucketCounts.Max, buckets);
        Assert.Equal(BucketCounts.Max, BucketCounts.AtLeast(int.MaxValue));

        static bool IsTaken(int number)
        {
            for (int divisor = 3; divisor <= Math.Sqrt(number); divisor += 2)
            {
                if (number % divisor == 0) return false;
            }

            return (number - 1) % 101 != 0;
        }
    }

    [Fact]
    public void AKeyGoesToTheBucketOfItsHashCodeModuloTheCapacity()
    {
        foreach (object collection in new object[] { new Dictionary<int, int>(2000), new HashSet<int>(2000), new OrderedDictionary<int, int>(2000) })
        {
            var buckets = (int[])Field(collection, "_buckets");
            int capacity = collection switch { Dictionary<int, int> map => map.Capacity, HashSet<int> set => set.Capacity, OrderedDictionary<int, int> map => map.Capacity, _ => 0 };
            Assert.Equal(capacity, buckets.Length);
            foreach (int key in new[] { 5, -5, int.MaxValue, 1_234_567 })
            {
                bool isNew = collection switch { Dictionary<int, int> map => map.TryAdd(key, 0), HashSet<int> set => set.Add(key), OrderedDictionary<int, int> map => map.TryAdd(key, 0), _ => false };
                Assert.True(isNew && buckets[(uint)key % (uint)capacity] != 0);
            }

            Assert.Equal(4, buckets.Count(static bucket => bucket != 0));
        }
    }

    [Fact]
    public void AConcurrentDictionaryBeginsWithTheRoomThatItsKeysWereCountedFor()
    {
        foreach (int count in new[] { 1025, 5000, 100_000 })
        {
            ConcurrentDictionary<int, int> map = Concurrent([.. Enumerable.Range(0, count)], NinoLimits.Default);
            Assert.Equal(count, map.Count);
            Assert.Equal(BucketCounts.AtLeast(count), BucketsOf(map));
            map.TryAdd(-1, 0);
            Assert.Equal(count + 1, map.Count);
        }
    }

    [Fact]
    public void KeysThatMeetOnlyOnceAConcurrentDictionaryHasGrownAreCounted()
    {
        int first = BucketCounts.AtLeast(3000), second = BucketCounts.AtLeast(first + 1), third = BucketCounts.AtLeast(second + 1);
        foreach (int buckets in new[] { first, second, third })
        {
            int[] keys = [.. Enumerable.Range(0, 3000).Select(i => i * buckets)];
            Assert.Throws<NinoSerializationException>(() => Concurrent(keys, new NinoLimits { MaxKeyComparisons = 1_000_000 }));
            Assert.Equal(3000, Concurrent(keys, NinoLimits.Default).Count);
        }

        // However unevenly its locks share them, it has none but these: with all keys of one lock it grows as early as it can.
        ConcurrentDictionary<int, int> map = Concurrent([.. Enumerable.Range(0, 3000).Select(i => i * 1024)], NinoLimits.Default);
        Assert.Contains(BucketsOf(map), new[] { first, second, third });
    }

    [Fact]
    public void WhatAHashtableIsCountedForIsWhereItsKeysAre()
    {
        // Keys of one hash code; honest ones; keys side by side, and others that step over them by small widths.
        var random = new Random(3);
        const int Places = 8419;
        int[] stepping = [.. Enumerable.Range(1, 200_000).Select(static x => x * Places).Where(static x => (uint)x * 101 % (Places - 1) + 1 > Places - 100)];
        object[][] cases =
        [
            [.. Enumerable.Range(1, 2000).Select(static x => (object)(((long)x << 32) | (uint)x))],
            [.. Enumerable.Range(1, 3000).Select(_ => (object)(random.Next() & ~1))],
            [.. Enumerable.Range(0, 2000).Select(static x => (object)(x * (Places - 1))), .. stepping.Take(1000).Cast<object>()],
        ];
        foreach (object[] keys in cases)
        {
            object[] distinct = [.. keys.Distinct()];
            var table = new Hashtable();
            foreach (object key in distinct) table[key] = 1;
            byte[] bytes = NinoSerializer.Serialize(new FloodedTypes { Table = table });
            // In the order of the record.
            var copy = NinoSerializer.Deserialize<FloodedTypes>(bytes).Table!;
            long excess = ExcessOf(copy, [.. table.Keys.Cast<object>()]);
            Assert.Equal(distinct.Length, NinoSerializer.Deserialize<FloodedTypes>(bytes, new NinoLimits { MaxKeyComparisons = excess }).Table!.Count);
            Assert.Equal(ReferenceEquals(keys, cases[1]), excess == 0);
            if (excess > 0) Assert.Throws<NinoSerializationException>(() => NinoSerializer.Deserialize<FloodedTypes>(bytes, new NinoLimits { MaxKeyComparisons = excess - 1 }));
        }
    }

    [Fact]
    public void AHashtableThatGrowsHasTheKnownNumbersOfPlaces()
    {
        Hashtable table = [];
        var hybrid = new HybridDictionary();
        HashSet<int> ofTable = [], ofHybrid = [];
        for (int i = 0; i < 100_000; i++)
        {
            table.Add(i, null);
            hybrid.Add(i, null);
            ofTable.Add(Places(table));
            if (i >= KeyChains.FreeLength) ofHybrid.Add(Places((Hashtable)Field(hybrid, "hashtable")));
        }

        Assert.Equal([1931, 4049, 8419, 17519, 36353, 75431, 156437], ofTable.Where(static places => places > 1000));
        Assert.Equal(HashtableProbes.OfHybrid.ToArray()[..ofHybrid.Count(static places => places > 1000)], ofHybrid.Where(static places => places > 1000));
        for (int i = 1; i < HashtableProbes.OfHybrid.Length; i++) Assert.Equal(HashtableProbes.OfHybrid[i], new HashSet<byte>(2 * HashtableProbes.OfHybrid[i - 1]).Capacity);
        // The next one is beyond what is walked.
        Assert.True(new HashSet<byte>(2 * HashtableProbes.OfHybrid[^1]).Capacity > 5_999_471);

        static int Places(Hashtable table) => ((Array)Field(table, "_buckets")).Length;
    }

    [Fact]
    public void AnOrderedDictionaryOfObjectsIsCountedAndStopsAtItsFirstKeyThatIsThereAlready()
    {
        var ordered = new OrderedDictionary();
        for (long i = 1; i <= 2000; i++) ordered.Add((i << 32) | i, null);
        byte[] bytes = NinoSerializer.Serialize(new FloodedTypes { Ordered = ordered });
        Assert.Equal(2000, NinoSerializer.Deserialize<FloodedTypes>(bytes).Ordered!.Count);
        Assert.Throws<NinoSerializationException>(() => NinoSerializer.Deserialize<FloodedTypes>(bytes, new NinoLimits { MaxKeyComparisons = 1_000_000 }));

        // The third key made the second one.
        ordered = new OrderedDictionary { { 1, null }, { 2, null }, { 3, null } };
        bytes = NinoSerializer.Serialize(new FloodedTypes { Ordered = ordered });
        bytes[Array.LastIndexOf(bytes, (byte)3)] = 2;
        Assert.Contains("Key 2", Assert.Throws<NinoSerializationException>(() => NinoSerializer.Deserialize<FloodedTypes>(bytes)).Message);
    }

    [Fact]
    public void NumbersThatASchemaTellsAreSpreadByASeed()
    {
        // Whatever divides them, or is in their upper or lower half: as even as by chance.
        foreach (ulong step in new ulong[] { 1UL, 156_437, 1UL << 20, 1UL << 32, (1UL << 32) | 1, 1UL << 47 })
        {
            int longest = Enumerable.Range(0, 100_000).Select(i => SeededHash.Instance.GetHashCode((ulong)i * step)).GroupBy(static hash => (uint)hash % 156_437).Max(static bucket => bucket.Count());
            Assert.InRange(longest, 1, 100);
        }

        // Tables by the numbers of members and cases.
        Assert.Same(SeededHash.Instance, ComparerOf(new EnumNames(new EnumDefinition("E", SchemaKind.Int64, isFlags: false, [])), "_names"));
        Assert.Same(SeededHash.Instance, ComparerOf(new UnionMap(null, null), "_cases"));
        Assert.Same(SeededHash.Instance, ComparerOf(new SkipUnion(new UnionDefinition("U", UnionForm.ExplicitTags)), "_cases"));

        static object ComparerOf(object table, string field)
        {
            object map = Field(table, field);
            return map.GetType().GetProperty("Comparer")!.GetValue(map)!;
        }
    }

    private static ConcurrentDictionary<int, int> Concurrent(int[] keys, NinoLimits limits)
    {
        var codec = new CodecAdapter<ConcurrentDictionary<int, int>, MapFormCodec<ConcurrentDictionary<int, int>, int, int, Int32Codec, Int32Codec, ConcurrentDictionaryForm<int, int>>>();
        var sorted = new CodecAdapter<SortedDictionary<int, int>, MapFormCodec<SortedDictionary<int, int>, int, int, Int32Codec, Int32Codec, SortedDictionaryForm<int, int>>>();
        var output = new System.Buffers.ArrayBufferWriter<byte>();
        sorted.Encode(output, new(keys.ToDictionary(static key => key, static key => key)));
        return codec.Decode(output.WrittenSpan, limits);
    }

    private static int BucketsOf(ConcurrentDictionary<int, int> map) => ((Array)Field(Field(map, "_tables"), "_buckets")).Length;

    private static object Field(object of, string name) => of.GetType().GetField(name, BindingFlags.Instance | BindingFlags.NonPublic)!.GetValue(of)!;

    /// <summary>How many places each key stands behind the first one it could have taken, as far as that is more than 16: no key is ever moved, so it stepped over so many.</summary>
    private static long ExcessOf(Hashtable table, object[] keys)
    {
        var buckets = (Array)Field(table, "_buckets");
        FieldInfo keyField = buckets.GetType().GetElementType()!.GetField("key")!;
        var places = new Dictionary<object, uint>();
        for (int i = 0; i < buckets.Length; i++)
        {
            if (keyField.GetValue(buckets.GetValue(i)) is { } key) places.Add(key, (uint)i);
        }

        long excess = 0;
        foreach (object key in keys)
        {
            uint hash = (uint)key.GetHashCode() & 0x7FFFFFFF, count = (uint)buckets.Length;
            uint width = 1 + (unchecked(hash * 101) % (count - 1));
            int steps = 0;
            for (ulong place = hash; place % count != places[key]; place += width) steps++;
            excess += Math.Max(0, steps - KeyChains.FreeLength);
        }

        return excess;
    }
}
