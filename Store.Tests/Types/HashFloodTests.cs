using System.Buffers;
using System.Buffers.Binary;
using System.Collections.Concurrent;
using System.Collections.Frozen;
using System.Collections.Immutable;
using System.Collections.ObjectModel;
using Store.Serialization;
using Store.Serialization.Codecs;

namespace Store.Tests.Types;

/// <summary>Keys that were chosen to fall into one bucket cost no more than <see cref="NinoLimits.MaxKeyComparisons"/> allows, and honest ones cost nothing of it.</summary>
public sealed class HashFloodTests
{
    private static readonly Dictionary<string, Family> s_families = new Family[]
    {
        Family.OfPairs<Dictionary<int, int>, DictionaryCodec<int, int, Int32Codec, Int32Codec>>("Dictionary"),
        Family.OfPairs<IReadOnlyDictionary<int, int>, MapCodec<IReadOnlyDictionary<int, int>, int, int, Int32Codec, Int32Codec>>("IReadOnlyDictionary"),
        Family.OfForm<OrderedDictionary<int, int>, OrderedDictionaryForm<int, int>>("OrderedDictionary"),
        Family.OfForm<ReadOnlyDictionary<int, int>, ReadOnlyDictionaryForm<int, int>>("ReadOnlyDictionary"),
        Family.OfForm<FrozenDictionary<int, int>, FrozenDictionaryForm<int, int>>("FrozenDictionary"),
        Family.OfForm<ConcurrentDictionary<int, int>, ConcurrentDictionaryForm<int, int>>("ConcurrentDictionary") with { Buckets = BucketCounts.AtLeast },
        Family.OfForm<ImmutableDictionary<int, int>, ImmutableDictionaryForm<ImmutableDictionary<int, int>, int, int>>("ImmutableDictionary") with { Buckets = BucketCounts.AtLeast },
        Family.OfPairs<DerivedMap, OwnMapCodec<DerivedMap, int, int, Int32Codec, Int32Codec>>("derived from Dictionary"),
        Family.OfPairs<DerivedOrdered, OwnMapCodec<DerivedOrdered, int, int, Int32Codec, Int32Codec>>("derived from OrderedDictionary"),
        Family.OfElements<HashSet<int>, HashSetCodec<int, Int32Codec>>("HashSet"),
        Family.OfElements<ISet<int>, SetInterfaceCodec<ISet<int>, int, Int32Codec>>("ISet"),
        Family.OfElements<ReadOnlySet<int>, SetInterfaceCodec<ReadOnlySet<int>, int, Int32Codec>>("ReadOnlySet"),
        Family.OfElements<FrozenSet<int>, FrozenSetCodec<int, Int32Codec>>("FrozenSet"),
        Family.OfElements<ImmutableHashSet<int>, ImmutableHashSetCodec<ImmutableHashSet<int>, int, Int32Codec>>("ImmutableHashSet") with { Buckets = BucketCounts.AtLeast },
        Family.OfElements<DerivedSet, OwnCollectionCodec<DerivedSet, int, Int32Codec>>("derived from HashSet"),
        Family.OfGroups("ILookup"),
    }.ToDictionary(static family => family.Name);

    public static TheoryData<string> Families => [.. s_families.Keys];

    [Theory]
    [MemberData(nameof(Families))]
    public void KeysOfOneBucketAreReadUpToTheLimitAndRefusedBeyond(string name)
    {
        Family family = s_families[name];
        int buckets = family.Buckets(3000);
        byte[] bytes = family.Write(Enumerable.Range(0, 3000).Select(i => i * buckets));
        Assert.Equal(3000, family.Read(bytes, new NinoLimits { MaxKeyComparisons = Excess(3000) }));
        AssertRefused(() => family.Read(bytes, new NinoLimits { MaxKeyComparisons = Excess(3000) - 1 }), Excess(3000) - 1);
    }

    [Theory]
    [MemberData(nameof(Families))]
    public void AMillionHonestKeysTakeNothingOfTheLimit(string name)
    {
        byte[] bytes = s_families[name].Write(Enumerable.Range(-500_000, 1_000_000));
        Assert.Equal(1_000_000, s_families[name].Read(bytes, new NinoLimits { MaxKeyComparisons = 0 }));
    }

    [Theory]
    [MemberData(nameof(Families))]
    public void TooManyKeysOfOneBucketAreRefusedByDefault(string name)
    {
        int buckets = s_families[name].Buckets(24_000);
        byte[] bytes = s_families[name].Write(Enumerable.Range(0, 24_000).Select(i => i * buckets));
        AssertRefused(() => s_families[name].Read(bytes, NinoLimits.Default), 1 << 28);
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
        Check<Dictionary<Counted, int>, DictionaryCodec<Counted, int, CountedCodec, Int32Codec>>(Pairs);
        Check<OrderedDictionary<Counted, int>, MapFormCodec<OrderedDictionary<Counted, int>, Counted, int, CountedCodec, Int32Codec, OrderedDictionaryForm<Counted, int>>>(Pairs);
        Check<FrozenDictionary<Counted, int>, MapFormCodec<FrozenDictionary<Counted, int>, Counted, int, CountedCodec, Int32Codec, FrozenDictionaryForm<Counted, int>>>(Pairs);
        Check<ConcurrentDictionary<Counted, int>, MapFormCodec<ConcurrentDictionary<Counted, int>, Counted, int, CountedCodec, Int32Codec, ConcurrentDictionaryForm<Counted, int>>>(Pairs, counted: 3);
        Check<ImmutableDictionary<Counted, int>, MapFormCodec<ImmutableDictionary<Counted, int>, Counted, int, CountedCodec, Int32Codec, ImmutableDictionaryForm<ImmutableDictionary<Counted, int>, Counted, int>>>(Pairs, each: 2);
        Check<HashSet<Counted>, HashSetCodec<Counted, CountedCodec>>(Elements);
        Check<FrozenSet<Counted>, FrozenSetCodec<Counted, CountedCodec>>(Elements);
        Check<ImmutableHashSet<Counted>, ImmutableHashSetCodec<ImmutableHashSet<Counted>, Counted, CountedCodec>>(Elements, each: 2);
        Check<ILookup<Counted, int>, LookupCodec<Counted, int, CountedCodec, Int32Codec>>(Groups);

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
        byte[] one = Pairs(Enumerable.Range(0, 4000).Select(i => i * buckets));
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
        byte[] one = Elements(Enumerable.Range(0, 2000).Select(i => i * buckets));
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
        byte[] bytes = s_families[name].Write(keys);
        Assert.Equal(keys.Length, s_families[name].Read(bytes, new NinoLimits { MaxKeyComparisons = Excess(3000) }));
        AssertRefused(() => s_families[name].Read(bytes, new NinoLimits { MaxKeyComparisons = Excess(3000) - 1 }), Excess(3000) - 1);
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
        byte[] bytes = s_families[name].Write(keys);
        long excess = ExcessOf(keys, 1 << 16);
        Assert.Equal(keys.Length, s_families[name].Read(bytes, new NinoLimits { MaxKeyComparisons = excess }));
        AssertRefused(() => s_families[name].Read(bytes, new NinoLimits { MaxKeyComparisons = excess - 1 }), excess - 1);
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
            map.Decode(Pairs(keys), ref pairs!, new NinoLimits { MaxKeyComparisons = Excess(3000) });
            set.Decode(Elements(keys), ref elements!, new NinoLimits { MaxKeyComparisons = Excess(3000) });
            Assert.Equal(keys, pairs.Keys);
            Assert.Equal(keys, elements);

            pairs = new Dictionary<int, int>(keys[..known].Select(static key => new KeyValuePair<int, int>(key, 1)));
            elements = [.. keys[..known]];
            AssertRefused(() => map.Decode(Pairs(keys), ref pairs!, new NinoLimits { MaxKeyComparisons = Excess(3000) - 1 }), Excess(3000) - 1);
            AssertRefused(() => set.Decode(Elements(keys), ref elements!, new NinoLimits { MaxKeyComparisons = Excess(3000) - 1 }), Excess(3000) - 1);
        }
    }

    [Fact]
    public void ARecordOfAnOlderSchemaIsCountedAsItIsRead()
    {
        var codec = new CodecAdapter<Dictionary<long, int>, DictionaryCodec<long, int, Int64Codec, Int32Codec>>();
        int buckets = new Dictionary<long, int>(3000).Capacity;
        byte[] stored = Pairs(Enumerable.Range(0, 3000).Select(i => i * buckets));
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
        Assert.Equal(1024, s_families["Dictionary"].Read(Pairs(Enumerable.Range(0, 1024).Select(static i => i << 20)), none));
        var texts = Enumerable.Range(0, 100_000).ToDictionary(static i => i.ToString(), static i => i);
        var codec = new CodecAdapter<Dictionary<string, int>, DictionaryCodec<string, int, StringCodec, Int32Codec>>();
        Assert.Equal(texts, codec.Decode(Bytes(codec, texts), none));
    }

    [Fact]
    public void TheCountsCostNoMemory()
    {
        foreach (int count in new[] { 10, 1024, 1025, 50_000 })
        {
            byte[] pairs = Pairs(Enumerable.Range(0, count)), elements = Elements(Enumerable.Range(0, count));
            var map = new CodecAdapter<Dictionary<int, int>, DictionaryCodec<int, int, Int32Codec, Int32Codec>>();
            var set = new CodecAdapter<HashSet<int>, HashSetCodec<int, Int32Codec>>();
            Assert.Equal(Allocated.Least(() => GC.KeepAlive(new Dictionary<int, int>(count))), Allocated.Least(() => map.Decode(pairs)));
            Assert.Equal(Allocated.Least(() => GC.KeepAlive(new HashSet<int>(count))), Allocated.Least(() => set.Decode(elements)));
        }
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

    private static byte[] Pairs(IEnumerable<int> keys) => Listed(keys, static count => count, static key => [.. Number(key), 0, 0, 0, 0]);

    private static byte[] Elements(IEnumerable<int> keys) => Listed(keys, static count => count, Number);

    // Groups without elements, none of them null.
    private static byte[] Groups(IEnumerable<int> keys) => Listed(keys, static count => count << 1, static key => [.. Number(key), 1]);

    private static byte[] Number(int value)
    {
        byte[] bytes = new byte[4];
        BinaryPrimitives.WriteInt32LittleEndian(bytes, value);
        return bytes;
    }

    private static byte[] Listed(IEnumerable<int> keys, Func<int, int> header, Func<int, byte[]> element)
    {
        int[] all = [.. keys];
        var output = new ArrayBufferWriter<byte>();
        var writer = new NinoWriter(output);
        writer.WriteCompact((uint)header(all.Length) + 1);
        foreach (int key in all) writer.WriteBytes(element(key));
        writer.Flush();
        return output.WrittenSpan.ToArray();
    }

    private sealed record Family(string Name, Func<IEnumerable<int>, byte[]> Write, Func<byte[], NinoLimits, int> Read)
    {
        /// <summary>How many buckets there are for so many keys, up to 65,536.</summary>
        public Func<int, int> Buckets { get; init; } = static count => new Dictionary<int, int>(count).Capacity;

        public static Family OfForm<TMap, TForm>(string name)
            where TMap : class, IReadOnlyCollection<KeyValuePair<int, int>>
            where TForm : struct, IMapForm<TMap, int, int> => OfPairs<TMap, MapFormCodec<TMap, int, int, Int32Codec, Int32Codec, TForm>>(name);

        public static Family OfPairs<T, TCodec>(string name) where T : IEnumerable<KeyValuePair<int, int>> where TCodec : struct, INinoCodec<T> =>
            new(name, Pairs, static (bytes, limits) => new CodecAdapter<T, TCodec>().Decode(bytes, limits).Count());

        public static Family OfElements<T, TCodec>(string name) where T : IEnumerable<int> where TCodec : struct, INinoCodec<T> =>
            new(name, Elements, static (bytes, limits) => new CodecAdapter<T, TCodec>().Decode(bytes, limits).Count());

        public static Family OfGroups(string name) =>
            new(name, Groups, static (bytes, limits) => new CodecAdapter<ILookup<int, int>, LookupCodec<int, int, Int32Codec, Int32Codec>>().Decode(bytes, limits).Count);
    }

    private sealed class DerivedMap : Dictionary<int, int>;

    private sealed class DerivedOrdered : OrderedDictionary<int, int>;

    private sealed class DerivedSet : HashSet<int>;

    private sealed class ByLength() : HashSet<string>(new LengthComparer());

    private sealed class LengthComparer : IEqualityComparer<string>
    {
        public bool Equals(string? x, string? y) => x == y;

        public int GetHashCode(string obj) => obj.Length;
    }
}

/// <summary>A key whose comparisons are counted, on the thread that makes them.</summary>
internal readonly struct Counted(int value) : IEquatable<Counted>
{
    [ThreadStatic]
    public static long Comparisons;

    public int Value => value;

    public bool Equals(Counted other)
    {
        Comparisons++;
        return Value == other.Value;
    }

    public override bool Equals(object? obj) => obj is Counted other && Equals(other);

    public override int GetHashCode() => 7;
}

internal readonly struct CountedCodec : INinoCodec<Counted>
{
    public static int MinSize => 4;

    public static SchemaNode Describe(SchemaBuilder builder) => SchemaNode.Primitive(SchemaKind.Int32);

    public void Write(ref NinoWriter writer, in Counted value) => default(Int32Codec).Write(ref writer, value.Value);

    public Counted Read(ref NinoReader reader) => new(default(Int32Codec).Read(ref reader));
}

public enum FloodedEnum : long;

[NinoType]
public struct FloodedStruct : IEquatable<FloodedStruct>
{
    public int X;
    public int Y;

    public readonly bool Equals(FloodedStruct other) => X == other.X && Y == other.Y;

    public override readonly bool Equals(object? obj) => obj is FloodedStruct other && Equals(other);

    public override readonly int GetHashCode() => X ^ Y;
}

[NinoType]
public sealed record FloodedClass(int Id)
{
    public bool Equals(FloodedClass? other) => other?.Id == Id;

    public override int GetHashCode() => 0;
}

[NinoType]
public sealed class FloodedTypes
{
    public int First { get; set; }
    public Dictionary<long, int>? Longs { get; set; }
    public Dictionary<Guid, int>? Guids { get; set; }
    public Dictionary<FloodedEnum, int>? Enums { get; set; }
    public HashSet<DateTime>? Times { get; set; }
    public Dictionary<FloodedStruct, int>? Structs { get; set; }
    public HashSet<FloodedClass>? Records { get; set; }
    public HashSet<long?>? Optional { get; set; }
    public System.Collections.Hashtable? Table { get; set; }
    public System.Collections.IDictionary? Any { get; set; }
    public System.Collections.Specialized.OrderedDictionary? Ordered { get; set; }
}
