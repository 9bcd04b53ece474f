using System.Buffers;
using System.Collections.Concurrent;
using System.Collections.Frozen;
using System.Collections.Immutable;
using System.Collections.Specialized;
using Store.Serialization;
using Store.Serialization.Codecs;
using static Store.Tests.Types.FloodedCollection;

namespace Store.Tests.Types;

/// <summary>Keys that were chosen to fall into one bucket cost no more than <see cref="NinoLimits.MaxKeyComparisons"/> allows, and honest ones cost nothing of it.</summary>
public sealed class HashFloodTests
{
    public static TheoryData<string> Families => [.. All.Keys];

    [Theory]
    [MemberData(nameof(Families))]
    public void KeysOfOneBucketAreReadUpToTheLimitAndRefusedBeyond(string name)
    {
        FloodedCollection family = All[name];
        int buckets = family.Buckets(3000);
        byte[] bytes = family.Write(Enumerable.Range(0, 3000).Select(i => i * buckets));
        Assert.Equal(3000, family.Read(bytes, new NinoLimits { MaxKeyComparisons = Excess(3000) }));
        AssertRefused(() => family.Read(bytes, new NinoLimits { MaxKeyComparisons = Excess(3000) - 1 }), Excess(3000) - 1);
    }

    [Theory]
    [MemberData(nameof(Families))]
    public void AMillionHonestKeysTakeNothingOfTheLimit(string name)
    {
        byte[] bytes = All[name].Write(Enumerable.Range(-500_000, 1_000_000));
        Assert.Equal(1_000_000, All[name].Read(bytes, new NinoLimits { MaxKeyComparisons = 0 }));
    }

    [Theory]
    [MemberData(nameof(Families))]
    public void TooManyKeysOfOneBucketAreRefusedByDefault(string name)
    {
        int buckets = All[name].Buckets(24_000);
        byte[] bytes = All[name].Write(Enumerable.Range(0, 24_000).Select(i => i * buckets));
        AssertRefused(() => All[name].Read(bytes, NinoLimits.Default), 1 << 28);
    }

    [Fact]
    public void RandomGuidsTakeNothingOfTheLimit()
    {
        var random = new Random(7);
        byte[] sixteen = new byte[16];
        var set = new HashSet<Guid>();
        while (set.Count < 1_000_000)
        {
            random.NextBytes(sixteen);
            set.Add(new Guid(sixteen));
        }

        var codec = new CodecAdapter<HashSet<Guid>, HashSetCodec<Guid, GuidCodec>>();
        Assert.Equal(set, codec.Decode(Bytes(codec, set), new NinoLimits { MaxKeyComparisons = 0 }));
    }

    [Fact]
    public void NoMoreComparisonsAreMadeThanAreCounted()
    {
        Check<Dictionary<Counted, int>, DictionaryCodec<Counted, int, CountedCodec, Int32Codec>>(PairsOf);
        Check<OrderedDictionary<Counted, int>, MapFormCodec<OrderedDictionary<Counted, int>, Counted, int, CountedCodec, Int32Codec, OrderedDictionaryForm<Counted, int>>>(PairsOf);
        Check<FrozenDictionary<Counted, int>, MapFormCodec<FrozenDictionary<Counted, int>, Counted, int, CountedCodec, Int32Codec, FrozenDictionaryForm<Counted, int>>>(PairsOf);
        Check<ConcurrentDictionary<Counted, int>, MapFormCodec<ConcurrentDictionary<Counted, int>, Counted, int, CountedCodec, Int32Codec, ConcurrentDictionaryForm<Counted, int>>>(PairsOf, counted: 3);
        Check<ImmutableDictionary<Counted, int>, MapFormCodec<ImmutableDictionary<Counted, int>, Counted, int, CountedCodec, Int32Codec, ImmutableDictionaryForm<ImmutableDictionary<Counted, int>, Counted, int>>>(PairsOf, each: 2);
        Check<HashSet<Counted>, HashSetCodec<Counted, CountedCodec>>(ElementsOf);
        Check<FrozenSet<Counted>, FrozenSetCodec<Counted, CountedCodec>>(ElementsOf);
        Check<ImmutableHashSet<Counted>, ImmutableHashSetCodec<ImmutableHashSet<Counted>, Counted, CountedCodec>>(ElementsOf, each: 2);
        Check<ILookup<Counted, int>, LookupCodec<Counted, int, CountedCodec, Int32Codec>>(GroupsOf);

        static void Check<T, TCodec>(Func<IEnumerable<int>, byte[]> write, int each = 1, int counted = 1) where TCodec : struct, INinoCodec<T>
        {
            const int Count = 4000, Free = 16 * Count;
            byte[] bytes = write(Enumerable.Range(0, Count));
            var codec = new CodecAdapter<T, TCodec>();
            Counted.Comparisons = 0;
            AssertRefused(() => codec.Decode(bytes, new NinoLimits { MaxKeyComparisons = 3_000_000 }), 3_000_000);
            Assert.InRange(Counted.Comparisons, 0, 3_000_000 + Free);

            Counted.Comparisons = 0;
            codec.Decode(bytes, new NinoLimits { MaxKeyComparisons = counted * Excess(Count) });
            Assert.InRange(Counted.Comparisons, Excess(Count), each * (Excess(Count) + Free));
        }
    }

    [Fact]
    public void KeysOfOneHashCodeAreRefusedOfEveryTypeOfKeyWithTheMember()
    {
        const int Count = 3000;
        IEnumerable<int> numbers = Enumerable.Range(1, Count);
        Refused(new FloodedTypes { Longs = numbers.ToDictionary(static x => ((long)x << 32) | (uint)x, static x => x) }, "Longs");
        Refused(new FloodedTypes { Guids = numbers.ToDictionary(static x => new Guid(x, (short)x, (short)(x >> 16), new byte[8]), static x => x) }, "Guids");
        Refused(new FloodedTypes { Enums = numbers.ToDictionary(static x => (FloodedEnum)(((long)x << 32) | (uint)x), static x => x) }, "Enums");
        Refused(new FloodedTypes { Times = [.. numbers.Select(static x => new DateTime(((long)x << 32) | (uint)x))] }, "Times");
        Refused(new FloodedTypes { Structs = numbers.ToDictionary(static x => new FloodedStruct { X = x, Y = x }, static x => x) }, "Structs");
        Refused(new FloodedTypes { Records = [.. numbers.Select(static x => new FloodedClass(x))] }, "Records");
        Refused(new FloodedTypes { Optional = [null, .. numbers.Select(static x => (long?)(((long)x << 32) | (uint)x))] }, "Optional");
        Refused(new FloodedTypes { Table = new(numbers.ToDictionary(static x => ((long)x << 32) | (uint)x, static x => x)) }, "Table");
        Refused(new FloodedTypes { Any = numbers.ToDictionary(static x => ((long)x << 32) | (uint)x, static x => x) }, "Any");

        static void Refused(FloodedTypes value, string member)
        {
            byte[] bytes = NinoSerializer.Serialize(value);
            Assert.Equal(bytes.Length, NinoSerializer.Serialize(NinoSerializer.Deserialize<FloodedTypes>(bytes)).Length);
            NinoSerializationException error = AssertRefused(() => NinoSerializer.Deserialize<FloodedTypes>(bytes, new NinoLimits { MaxKeyComparisons = 1_000_000 }), 1_000_000);
            Assert.Equal(typeof(FloodedTypes).FullName, error.TypeName);
            Assert.StartsWith(member, error.MemberPath);
            Assert.InRange(error.ByteOffset, 1, bytes.Length - 1);
        }
    }

    [Fact]
    public void ManySmallDictionariesOfOneRecordAddUp()
    {
        int buckets = new Dictionary<int, int>(4000).Capacity;
        var codec = new CodecAdapter<List<Dictionary<int, int>>, ListCodec<Dictionary<int, int>, DictionaryCodec<int, int, Int32Codec, Int32Codec>>>();
        byte[] one = PairsOf(Enumerable.Range(0, 4000).Select(i => i * buckets));
        byte[] thirty = [31, .. Enumerable.Repeat(one, 30).SelectMany(static x => x)], forty = [41, .. Enumerable.Repeat(one, 40).SelectMany(static x => x)];
        Assert.True(30 * Excess(4000) < 1 << 28 && 40 * Excess(4000) > 1 << 28);
        Assert.Equal(30, codec.Decode(thirty).Count);
        NinoSerializationException error = AssertRefused(() => codec.Decode(forty), 1 << 28);
        Assert.StartsWith("[33]", error.MemberPath);
    }

    [Fact]
    public void EveryRecordOfAReaderHasTheLimitForItself()
    {
        int buckets = new HashSet<int>(2000).Capacity;
        var codec = new CodecAdapter<HashSet<int>, HashSetCodec<int, Int32Codec>>();
        byte[] one = ElementsOf(Enumerable.Range(0, 2000).Select(i => i * buckets));
        var reader = new NinoReader([.. one, .. one], new NinoLimits { MaxKeyComparisons = Excess(2000) });
        Assert.Equal(2000, codec.ReadRecord(ref reader).Count);
        Assert.Equal(2000, codec.ReadRecord(ref reader).Count);
        Assert.Equal(0, reader.Remaining);
    }

    [Theory]
    [InlineData("Dictionary")]
    [InlineData("HashSet")]
    public void WhatACollectionGrowsToIsCountedToo(string name)
    {
        // With room for the first of so many keys it grows on the way, and only then the others meet.
        var growing = new HashSet<int>(1 << 16);
        int first = growing.Capacity + 1;
        growing.UnionWith(Enumerable.Range(0, first));
        int last = growing.Capacity;
        int[] keys = [.. Enumerable.Range(0, first), .. Enumerable.Range(1, 3000).Select(i => first + (i * last))];
        Assert.InRange(last, keys.Length + 1, int.MaxValue / 3001);
        byte[] bytes = All[name].Write(keys);
        Assert.Equal(keys.Length, All[name].Read(bytes, new NinoLimits { MaxKeyComparisons = Excess(3000) }));
        AssertRefused(() => All[name].Read(bytes, new NinoLimits { MaxKeyComparisons = Excess(3000) - 1 }), Excess(3000) - 1);
    }

    [Theory]
    [InlineData("Dictionary")]
    [InlineData("HashSet")]
    public void KeysThatMetBeforeACollectionGrewAreCountedInItsNewBuckets(string name)
    {
        var growing = new HashSet<int>(1 << 16);
        int early = growing.Capacity, room = early;
        growing.UnionWith(Enumerable.Range(0, early + 1));
        int last = growing.Capacity;
        // 3,000 that meet at first and no longer when the collection has grown, 3,000 that meet then.
        int[] keys = [.. Enumerable.Range(0, 3000).Select(i => i * early), .. Enumerable.Range(1, room).Select(static i => -i), .. Enumerable.Range(1, 3000).Select(i => 5 + (i * last))];
        byte[] bytes = All[name].Write(keys);
        long excess = ExcessOf(keys, 1 << 16);
        Assert.Equal(keys.Length, All[name].Read(bytes, new NinoLimits { MaxKeyComparisons = excess }));
        AssertRefused(() => All[name].Read(bytes, new NinoLimits { MaxKeyComparisons = excess - 1 }), excess - 1);
    }

    [Fact]
    public void ReadingIntoACollectionIsCountedAsReadingANewOne()
    {
        int buckets = new Dictionary<int, int>(3000).Capacity;
        int[] keys = [.. Enumerable.Range(0, 3000).Select(i => i * buckets)];
        var map = new CodecAdapter<Dictionary<int, int>, DictionaryCodec<int, int, Int32Codec, Int32Codec>>();
        var set = new CodecAdapter<HashSet<int>, HashSetCodec<int, Int32Codec>>();
        // None of the keys is there already, or half of them are.
        foreach (int known in new[] { 0, 1500 })
        {
            var pairs = new Dictionary<int, int>(keys[..known].Select(static key => new KeyValuePair<int, int>(key, 1)));
            var elements = new HashSet<int>(keys[..known]);
            map.Decode(PairsOf(keys), ref pairs!, new NinoLimits { MaxKeyComparisons = Excess(3000) });
            set.Decode(ElementsOf(keys), ref elements!, new NinoLimits { MaxKeyComparisons = Excess(3000) });
            Assert.Equal(keys, pairs.Keys);
            Assert.Equal(keys, elements);

            pairs = new Dictionary<int, int>(keys[..known].Select(static key => new KeyValuePair<int, int>(key, 1)));
            elements = [.. keys[..known]];
            AssertRefused(() => map.Decode(PairsOf(keys), ref pairs!, new NinoLimits { MaxKeyComparisons = Excess(3000) - 1 }), Excess(3000) - 1);
            AssertRefused(() => set.Decode(ElementsOf(keys), ref elements!, new NinoLimits { MaxKeyComparisons = Excess(3000) - 1 }), Excess(3000) - 1);
        }
    }

    [Fact]
    public void ARecordOfAnOlderSchemaIsCountedAsItIsRead()
    {
        var codec = new CodecAdapter<Dictionary<long, int>, DictionaryCodec<long, int, Int64Codec, Int32Codec>>();
        int buckets = new Dictionary<long, int>(3000).Capacity;
        byte[] stored = PairsOf(Enumerable.Range(0, 3000).Select(i => i * buckets));
        NinoSchema schema = new CodecAdapter<Dictionary<int, int>, DictionaryCodec<int, int, Int32Codec, Int32Codec>>().Schema;
        Assert.Equal(3000, codec.Decode(stored, schema, new NinoLimits { MaxKeyComparisons = Excess(3000) }).Count);
        AssertRefused(() => codec.Decode(stored, schema, new NinoLimits { MaxKeyComparisons = Excess(3000) - 1 }), Excess(3000) - 1);
    }

    [Fact]
    public void ACollectionOfTheProgramsWithAComparerOfItsOwnIsCountedByThat()
    {
        string[] keys = [.. Enumerable.Range(0, 2000).Select(static i => i.ToString("D8"))];
        var codec = new CodecAdapter<ByLength, OwnCollectionCodec<ByLength, string, StringCodec>>();
        byte[] bytes = Bytes(codec, [.. keys]);
        Assert.Equal(keys, codec.Decode(bytes, new NinoLimits { MaxKeyComparisons = Excess(2000) }));
        AssertRefused(() => codec.Decode(bytes, new NinoLimits { MaxKeyComparisons = Excess(2000) - 1 }), Excess(2000) - 1);
    }

    [Fact]
    public void FewKeysAndStringsAreNotCounted()
    {
        var none = new NinoLimits { MaxKeyComparisons = 0 };
        Assert.Equal(1024, All["Dictionary"].Read(PairsOf(Enumerable.Range(0, 1024).Select(static i => i << 20)), none));
        var texts = Enumerable.Range(0, 100_000).ToDictionary(static i => i.ToString(), static i => i);
        var codec = new CodecAdapter<Dictionary<string, int>, DictionaryCodec<string, int, StringCodec, Int32Codec>>();
        Assert.Equal(texts, codec.Decode(Bytes(codec, texts), none));
    }

    [Fact]
    public void TheCountsCostNoMemory()
    {
        foreach (int count in new[] { 10, 1024, 1025, 50_000 })
        {
            byte[] pairs = PairsOf(Enumerable.Range(0, count)), elements = ElementsOf(Enumerable.Range(0, count));
            var map = new CodecAdapter<Dictionary<int, int>, DictionaryCodec<int, int, Int32Codec, Int32Codec>>();
            var set = new CodecAdapter<HashSet<int>, HashSetCodec<int, Int32Codec>>();
            Assert.Equal(Allocated.Least(() => GC.KeepAlive(new Dictionary<int, int>(count))), Allocated.Least(() => map.Decode(pairs)));
            Assert.Equal(Allocated.Least(() => GC.KeepAlive(new HashSet<int>(count))), Allocated.Least(() => set.Decode(elements)));
        }
    }

    // The collection hashes the name again with each value: 100 KB took 40 seconds.
    [Fact]
    public void ALongNameOfManyValuesIsReadUpToTheLimit()
    {
        var codec = new CodecAdapter<NameValueCollection, NameValueCodec>();
        var names = new NameValueCollection();
        for (int i = 0; i < 100; i++) names.Add(new string('n', 1000), "v");
        names.Add("other", "v");
        byte[] bytes = Bytes(codec, names);
        Assert.Equal(100, codec.Decode(bytes, new NinoLimits { MaxKeyComparisons = 99_000 })!.GetValues(0)!.Length);
        AssertRefused(() => codec.Decode(bytes, new NinoLimits { MaxKeyComparisons = 98_999 }), 98_999);

        byte[] forged = [2, 254, .. BitConverter.GetBytes((100_000u << 1) + 1), .. Enumerable.Repeat((byte)'n', 100_000), 254, .. BitConverter.GetBytes(100_001u), .. Enumerable.Repeat((byte)1, 100_000)];
        AssertRefused(() => codec.Decode(forged), 1 << 28);
    }

    [Fact]
    public void ALimitBelowZeroIsRefused() => Assert.Throws<ArgumentOutOfRangeException>(static () => new NinoLimits { MaxKeyComparisons = -1 });

    /// <summary>What so many keys of one bucket take beyond the 16 that each may meet: 1 for the 18th, 2 for the 19th and so on.</summary>
    private static long Excess(int keys) => (keys - 17L) * (keys - 16) / 2;

    /// <summary>The same of any keys and a set that begins with some room, by its capacity at each of them.</summary>
    private static long ExcessOf(int[] keys, int room)
    {
        var set = new HashSet<int>(room);
        Dictionary<uint, int> lengths = [];
        long excess = 0;
        int capacity = set.Capacity;
        foreach (int key in keys)
        {
            if (set.Capacity != capacity)
            {
                capacity = set.Capacity;
                lengths = set.GroupBy(one => (uint)one % (uint)capacity).ToDictionary(static bucket => bucket.Key, static bucket => bucket.Count());
            }

            uint place = (uint)key % (uint)capacity;
            int length = lengths.GetValueOrDefault(place);
            excess += Math.Max(0, length - KeyChains.FreeLength);
            lengths[place] = length + 1;
            set.Add(key);
        }

        return excess;
    }

    private static NinoSerializationException AssertRefused(Action read, long limit)
    {
        NinoSerializationException error = Assert.Throws<NinoSerializationException>(read);
        Assert.Contains($"the limit of {limit} comparisons", error.Message);
        Assert.Contains("Raise NinoLimits.MaxKeyComparisons", error.Message);
        return error;
    }

    private static NinoSerializationException AssertRefused(Func<object?> read, long limit) => AssertRefused(() => { read(); }, limit);

    private static byte[] Bytes<T>(NinoCodec<T> codec, T value)
    {
        var output = new ArrayBufferWriter<byte>();
        codec.Encode(output, value);
        return output.WrittenSpan.ToArray();
    }

    private sealed class ByLength() : HashSet<string>(new LengthComparer());

    private sealed class LengthComparer : IEqualityComparer<string>
    {
        public bool Equals(string? x, string? y) => x == y;

        public int GetHashCode(string obj) => obj.Length;
    }
}
