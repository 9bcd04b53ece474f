using Store.Serialization;
using Store.Tests.Values;
using Xunit.Abstractions;
using static Store.Tests.Evolution.ReadByThePlan;

namespace Store.Tests.Evolution;

/// <summary>The direct way of usual plans against the plan itself: the same bytes, or none; and where a record is read, the same value or the same error.</summary>
public sealed class DirectMappingTests(ITestOutputHelper output)
{
    private const int Seed = 20261126;

    [Fact]
    public void TheDirectWayWritesWhatThePlanWrites()
    {
        int written = 0;
        for (int i = 0; i < 6000; i++)
        {
            (NinoRecordMapper mapper, RandomRecord record) = Pair(Seed + i);
            if (Agree(mapper, record.Bytes, Seed + i)) written++;
        }

        output.WriteLine($"{written} written");
        Assert.True(written > 1000, $"{written} written");
    }

    [Fact]
    public void OfDamagedRecordsTheDirectWayWritesNothingThatCouldBeReadOtherwise()
    {
        var random = new Random(Seed);
        int written = 0, tried = 0;
        for (int i = 0; tried < 60_000; i++)
        {
            (NinoRecordMapper mapper, RandomRecord record) = Pair(Seed + i);
            if (!mapper.HasDirectWay || record.Bytes.Length is 0 or > 2000) continue;
            for (int j = 0; j < 40; j++, tried++)
            {
                byte[] damaged = Damaged(record.Bytes, random);
                if (Agree(mapper, damaged, Seed + i)) written++;
            }
        }

        output.WriteLine($"{written} of {tried} written");
        Assert.True(written > 1000 && written < tried - 1000, $"{written} of {tried} written");
    }

    [Fact]
    public void EveryBitOfAnOrderFlippedIsReadOrRefusedAsByThePlan()
    {
        foreach (byte[] bytes in Orders())
        {
            for (int bit = 0; bit < bytes.Length * 8; bit++)
            {
                byte[] flipped = [.. bytes];
                flipped[bit / 8] ^= (byte)(1 << (bit % 8));
                ReadsTheSame<Before.Order, After.Order>(flipped);
            }
        }
    }

    [Fact]
    public void AnOrderCutAnywhereOrTooLongIsRefusedAsByThePlan()
    {
        foreach (byte[] bytes in Orders())
        {
            for (int length = 0; length < bytes.Length; length++) ReadsTheSame<Before.Order, After.Order>(bytes[..length]);
            ReadsTheSame<Before.Order, After.Order>([.. bytes, 0]);
        }
    }

    [Fact]
    public void ARecordWhoseRestIsCopiedUnseenIsReadOrRefusedAsByThePlan()
    {
        byte[] bytes = NinoSerializer.Serialize(new Narrow { Id = 7, Name = "a name", Numbers = [1, 2, 3], Texts = new() { [1] = "one", [2] = "two €" } });
        Assert.True(MapperOf<Narrow, Wide>().HasDirectWay);
        Wide read = NinoCodec<Wide>.Default.Decode(bytes, NinoSerializer.SchemaOf<Narrow>());
        Assert.Equal((7, "a name", "two €", 5), (read.Id, read.Name, read.Texts![2], read.Added));
        EachCutTailAndByteReadsTheSame<Narrow, Wide>(bytes);
    }

    [Theory]
    [InlineData("gone")]
    [InlineData("")]
    [InlineData(null)]
    [InlineData("\u20AC")]
    public void ARecordWhoseMembersChangedPlacesIsReadOrRefusedAsByThePlan(string? gone)
    {
        byte[] bytes = NinoSerializer.Serialize(new Unsorted { Gone = gone, Numbers = [1, 2], Texts = new() { [1] = "a", [2] = "b", [3] = "two \u20AC", [4] = "c", [5] = null! }, Name = "a name", Codes = new() { ["a"] = "b", ["c"] = "dd" } });
        Assert.True(MapperOf<Unsorted, Sorted>().HasDirectWay);
        Sorted read = NinoCodec<Sorted>.Default.Decode(bytes, NinoSerializer.SchemaOf<Unsorted>());
        Assert.Equal(("a name", 2, "two \u20AC", "c", "dd"), (read.Name, read.Numbers![1], read.Texts![3], read.Texts[4], read.Codes!["c"]));
        EachCutTailAndByteReadsTheSame<Unsorted, Sorted>(bytes);
    }

    [Fact]
    public void AListOfRecordsOfAnyLengthGrowsItsBufferAsItIsRead()
    {
        foreach (int count in new[] { 0, 1, 120, 126, 300, 5000 })
        {
            var stored = new List<Narrow>();
            for (int i = 0; i < count; i++) stored.Add(new Narrow { Id = (short)i, Name = new string('n', i % 300) });
            byte[] bytes = NinoSerializer.Serialize(stored);
            List<Wide> read = NinoCodec<List<Wide>>.Default.Decode(bytes, NinoSerializer.SchemaOf<List<Narrow>>());
            Assert.Equal(stored.Select(static one => ((int)one.Id, one.Name, 5)), read.Select(static one => (one.Id, one.Name, one.Added)));
        }
    }

    [Fact]
    public void LimitsHoldOnTheDirectWay()
    {
        byte[] bytes = NinoSerializer.Serialize(Enumerable.Repeat(new Narrow { Id = 1, Name = "x" }, 100).ToList());
        for (int most = bytes.Length - 1; most < bytes.Length + 800; most += 7) ReadsTheSame<List<Narrow>, List<Wide>>(bytes, new NinoLimits { MaxRecordBytes = most });
        Assert.Throws<NinoSerializationException>(() => NinoCodec<List<Wide>>.Default.Decode(bytes, NinoSerializer.SchemaOf<List<Narrow>>(), new NinoLimits { MaxRecordBytes = bytes.Length + 100 }));
    }

    /// <summary>Values that the plan maps inside of the direct way count too: eight bytes of each one.</summary>
    [Fact]
    public void LimitsHoldWhereThePlanMapsPartOfARecord()
    {
        byte[] bytes = NinoSerializer.Serialize(Enumerable.Repeat(new Packed { Name = "x", Bytes = new byte[1000] }, 50).ToList());
        var limits = new NinoLimits { MaxRecordBytes = bytes.Length + 1000 };
        Assert.Throws<NinoSerializationException>(() => NinoCodec<List<Spread>>.Default.Decode(bytes, NinoSerializer.SchemaOf<List<Packed>>(), limits));
        ReadsTheSame<List<Packed>, List<Spread>>(bytes, limits);
        ReadsTheSame<List<Packed>, List<Spread>>(bytes);

        // What was written is told as soon as it is too much, also where there is room for more: not all 400 KB of it, again and again, until the end.
        NinoRecordMapper mapper = MapperOf<List<Packed>, List<Spread>>();
        ContiguousBuffer buffer = ContiguousBuffer.Rent();
        buffer.GetSpan(1 << 20);
        Assert.False(mapper.TryMapDirect(bytes, buffer, limits));
        Assert.InRange(buffer.Written.Length, limits.MaxRecordBytes, limits.MaxRecordBytes + 16_000);
        buffer.Return();
    }

    private static void EachCutTailAndByteReadsTheSame<TThen, TNow>(byte[] bytes)
    {
        for (int length = 0; length < bytes.Length; length++) ReadsTheSame<TThen, TNow>(bytes[..length]);
        ReadsTheSame<TThen, TNow>([.. bytes, 0]);
        for (int i = 0; i < bytes.Length; i++)
        {
            for (int value = 0; value < 256; value++)
            {
                byte[] changed = [.. bytes];
                changed[i] = (byte)value;
                ReadsTheSame<TThen, TNow>(changed);
            }
        }
    }

    private static IEnumerable<byte[]> Orders()
    {
        yield return NinoSerializer.Serialize(new Before.Order());
        yield return NinoSerializer.Serialize(new Before.Order
        {
            Id = 3, Customer = "someone", State = Before.State.Closed, Where = new(1, 2), Rating = 4, Email = "e", Counts = new() { ["a"] = 1 }, Obsolete = [DateTime.UnixEpoch], Parents = [1, 2],
            Lines = [new("name", 1, 2m), new("other", 2, 3m)], Width = 9,
        });
    }

    /// <summary>True when the direct way wrote something. It must where the plan does, the same; where the plan refuses, what was written must be no record.</summary>
    private static bool Agree(NinoRecordMapper mapper, byte[] record, int seed)
    {
        byte[]? expected = null, actual = null;
        try
        {
            expected = MappingTests.Map(mapper, record);
        }
        catch (NinoSerializationException)
        {
            // Nothing is expected.
        }

        ContiguousBuffer buffer = ContiguousBuffer.Rent();
        if (mapper.TryMapDirect(record, buffer, null)) actual = buffer.Written.ToArray();
        buffer.Return();
        if (expected is null && actual is not null) Assert.ThrowsAny<NinoSerializationException>(() => NinoValue.Decode(mapper.Own, actual));
        else if (actual is null ? expected is not null && mapper.HasDirectWay : !actual.AsSpan().SequenceEqual(expected)) Assert.Fail($"seed {seed}, bytes {Convert.ToHexString(record)}\nplan   {Hex(expected)}\ndirect {Hex(actual)}");
        return actual is not null;
    }

    private static string Hex(byte[]? bytes) => bytes is null ? "nothing" : Convert.ToHexString(bytes);

    private static byte[] Damaged(byte[] bytes, Random random)
    {
        byte[] damaged = [.. bytes];
        int at = random.Next(bytes.Length);
        switch (random.Next(4))
        {
            case 0: return damaged[..at];
            case 1: return [.. damaged, (byte)random.Next(256)];
            case 2: damaged[at] ^= (byte)(1 << random.Next(8)); return damaged;
            default: damaged[at] = (byte)random.Next(248, 256); return damaged;
        }
    }

    private static (NinoRecordMapper Mapper, RandomRecord Record) Pair(int seed)
    {
        var record = new RandomRecord(seed, isPlain: true);
        return (NinoRecordMapper.Create(record.Schema, new SchemaMutation(new Random(seed)).Of(record.Schema)), record);
    }

    [NinoType]
    public sealed class Narrow
    {
        public short Id { get; set; }
        public string Name { get; set; } = "";
        public int[]? Numbers { get; set; }
        public Dictionary<int, string>? Texts { get; set; }
    }

    [NinoType]
    public sealed class Unsorted
    {
        public string? Gone { get; set; }
        public int[]? Numbers { get; set; }
        public Dictionary<int, string>? Texts { get; set; }
        public string Name { get; set; } = "";
        public Dictionary<string, string>? Codes { get; set; }
    }

    [NinoType, NinoFormerName("Store.Tests.Evolution.DirectMappingTests+Unsorted")]
    public sealed class Sorted
    {
        public string Name { get; set; } = "";
        public int[]? Numbers { get; set; }
        public Dictionary<int, string>? Texts { get; set; }
        public Dictionary<string, string>? Codes { get; set; }
    }

    [NinoType]
    public sealed class Packed
    {
        public string Name { get; set; } = "";
        public byte[] Bytes { get; set; } = [];
    }

    [NinoType, NinoFormerName("Store.Tests.Evolution.DirectMappingTests+Packed")]
    public sealed class Spread
    {
        public string Name { get; set; } = "";
        public long[] Bytes { get; set; } = [];
    }

    [NinoType, NinoFormerName("Store.Tests.Evolution.DirectMappingTests+Narrow")]
    public sealed class Wide
    {
        public int Id { get; set; }
        public string Name { get; set; } = "";
        public int[]? Numbers { get; set; }
        public Dictionary<int, string>? Texts { get; set; }
        public int Added { get; set; } = 5;
    }
}
