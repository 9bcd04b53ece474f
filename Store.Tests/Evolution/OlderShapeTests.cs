using Store.Serialization;
using static Store.Tests.Evolution.OlderShape;
using static Store.Tests.Evolution.ReadByThePlan;

namespace Store.Tests.Evolution;

/// <summary>Objects of members of a fixed width and a few strings, alone and in lists and arrays, are read from older shapes where they lie: with what the plan would give, and nothing allocated besides.</summary>
public sealed class OlderShapeTests
{
    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(63)]
    [InlineData(126)]
    [InlineData(1000)]
    public void ListsAndArraysOfAnOlderShapeHoldWhatWasWritten(int count)
    {
        List<ItemThen> stored = [.. Enumerable.Range(0, count).Select(ItemOf)];
        byte[] bytes = NinoSerializer.Serialize(stored);
        List<Item> expected = stored.ConvertAll(Now);
        Assert.Equal(expected, NinoCodec<List<Item>>.Default.Decode(bytes, NinoSerializer.SchemaOf<List<ItemThen>>()));
        Assert.Equal(expected, NinoCodec<Item[]>.Default.Decode(bytes, NinoSerializer.SchemaOf<ItemThen[]>()));
    }

    [Fact]
    public void AnObjectOfAnOlderShapeHoldsWhatWasWritten()
    {
        for (int i = 0; i < 8; i++) Assert.Equal(Now(ItemOf(i)), NinoCodec<Item>.Default.Decode(NinoSerializer.Serialize(ItemOf(i)), NinoSerializer.SchemaOf<ItemThen>()));
        FiguresThen figures = new() { A = -5, B = int.MinValue, C = 200 };
        Assert.Equal(new Figures { A = -5, B = int.MinValue, C = 200 }, NinoCodec<Figures>.Default.Decode(NinoSerializer.Serialize(figures), NinoSerializer.SchemaOf<FiguresThen>()));
    }

    [Fact]
    public void ReadingAnOlderShapeAllocatesWhatReadingThePresentOneDoes()
    {
        List<ItemThen> items = [.. Enumerable.Range(0, 200).Select(ItemOf)];
        SameAllocation(items, items.ConvertAll(Now));
        SameAllocation(items.ToArray(), items.ConvertAll(Now).ToArray());
        SameAllocation(items[7], Now(items[7]));
        SameAllocation(Enumerable.Range(0, 50).Select(static i => new FiguresThen { B = i }).ToList(), Enumerable.Range(0, 50).Select(static i => new Figures { B = i }).ToList());
        SameAllocation(new FiguresThen(), new Figures());
        SameAllocation(new List<KeysThen> { new(), new() }, new List<Keys> { new(), new() });
        SameAllocation(new List<NamedThen> { new() { Text = "a text" } }, new List<Named> { new() { Text = "a text" } });
        SameAllocation(new List<FlaggedThen> { new() { Text = "a text" } }, new List<Flagged> { new() { Text = "a text" } });
    }

    [Fact]
    public void OlderShapesAreReadWhereTheyLie()
    {
        AreReadInPlace<ItemThen, Item>(ItemOf(2));
        AreReadInPlace<FiguresThen, Figures>(new() { B = 4 });
        AreReadInPlace<KeysThen, Keys>(new());
        AreReadInPlace<NamedThen, Named>(new() { Text = "a text" });
        AreReadInPlace<FlaggedThen, Flagged>(new() { Text = "a text" });
        AreReadInPlace<PickyThen, Picky>(new(1, "a text"));
        AreReadInPlace<CornerThen, Corner>(new(1, "a text"));
        AreReadInPlace<LineThen, Line>(new(1, new(2), "a text", "another"));
        AreReadInPlace<ItemThen, Item>(ItemOf(3) with { Text = new string('x', 300) });
        Assert.True(MapperOf<DirectMappingTests.Narrow, DirectMappingTests.Wide>().Flat.IsNone);
        Assert.Equal(2 + 8 + 8 + 16 + 1 + 4 + 1 + 2, MapperOf<List<ItemThen>, List<Item>>().Flat.MinBytes);
    }

    [Fact]
    public void NoStringIsReadFromTheNextElement()
    {
        // Where a string more is looked for, the second of each is a list of just as many bytes: its number begins as an empty string does, and its text is two of them.
        byte[] noted = NinoSerializer.Serialize(new List<OlderKinds.NotedThen> { new(5, "a"), new(1, "\u0001\u0001") });
        Assert.Equal([new(5, "a"), new(1, "\u0001\u0001")], NinoCodec<List<OlderKinds.Noted>>.Default.Decode(noted, NinoSerializer.SchemaOf<List<OlderKinds.NotedThen>>()));
        byte[] lettered = NinoSerializer.Serialize(new List<OlderKinds.LetteredThen> { new(5, 'x', "a"), new(1, 'y', "\u0001\u0001") });
        Assert.Equal([new(5, "x", "a"), new(1, "y", "\u0001\u0001")], NinoCodec<List<OlderKinds.Lettered>>.Default.Decode(lettered, NinoSerializer.SchemaOf<List<OlderKinds.LetteredThen>>()));
    }

    [Fact]
    public void ManyThreadsThatReadAnOlderShapeForTheFirstTimeReadTheSame()
    {
        List<ItemThen> stored = [.. Enumerable.Range(0, 50).Select(ItemOf)];
        byte[] bytes = NinoSerializer.Serialize(stored);
        List<Item> expected = stored.ConvertAll(Now);
        for (int round = 0; round < 50; round++)
        {
            NinoRecordMapper mapper = MapperOf<List<ItemThen>, List<Item>>();
            using var start = new Barrier(4);
            var read = new List<Item>?[4];
            WatchedThread[] threads = [.. Enumerable.Range(0, read.Length).Select(i => new WatchedThread(() =>
            {
                start.SignalAndWait();
                if (NinoCodec<List<Item>>.Default.TryDecodeOlder(bytes, mapper, null, out List<Item>? value)) read[i] = value;
            }))];
            foreach (WatchedThread thread in threads) thread.Start();
            foreach (WatchedThread thread in threads) thread.Join();
            Assert.All(read, value => Assert.Equal(expected, value));
        }
    }

    [Fact]
    public void StringsThatRepeatAreOneStringInAnOlderShapeToo()
    {
        List<FlaggedThen> stored = [.. Enumerable.Range(0, 40).Select(static _ => new FlaggedThen { Text = "the same" })];
        List<Flagged> read = NinoCodec<List<Flagged>>.Default.Decode(NinoSerializer.Serialize(stored), NinoSerializer.SchemaOf<List<FlaggedThen>>());
        Assert.All(read, one => Assert.Same(read[0].Text, one.Text));
    }

    [Fact]
    public void CutAnywhereOrTooLongItIsRefusedAsByThePlan()
    {
        Each(new CutsAndTails());
    }

    [Fact]
    public void EveryBitFlippedIsReadOrRefusedAsByThePlan()
    {
        Each(new Flips());
    }

    [Fact]
    public void EveryByteOfAListChangedToAnyOtherIsReadOrRefusedAsByThePlan()
    {
        byte[] bytes = NinoSerializer.Serialize(new List<FlaggedThen> { new() { Gone = true, Number = -1, Text = "abc" }, new() { Number = 7, Text = "€" } });
        for (int i = 0; i < bytes.Length; i++)
        {
            for (int value = 0; value < 256; value++)
            {
                byte[] changed = [.. bytes];
                changed[i] = (byte)value;
                ReadsTheSame<List<FlaggedThen>, List<Flagged>>(changed);
            }
        }
    }

    [Fact]
    public void NullsInAListAndAListThatIsNullAreReadAsByThePlan()
    {
        ReadsTheSame<List<ItemThen?>, List<Item?>>(NinoSerializer.Serialize(new List<ItemThen?> { null, ItemOf(1), null }));
        Assert.Null(NinoCodec<List<Item?>>.Default.Decode(NinoSerializer.Serialize(new List<ItemThen?> { ItemOf(1), null }), NinoSerializer.SchemaOf<List<ItemThen?>>())[1]);
        ReadsTheSame<List<ItemThen>, List<Item>>([0]);
        ReadsTheSame<ItemThen[], Item[]>([0]);
    }

    [Fact]
    public void AListWithTheMarkOfAComparerIsRefusedAsByThePlan()
    {
        byte[] bytes = NinoSerializer.Serialize(new List<ItemThen> { ItemOf(1) });
        Assert.Throws<NinoSerializationException>(() => NinoCodec<List<Item>>.Default.Decode([255, 1, .. bytes], NinoSerializer.SchemaOf<List<ItemThen>>()));
        ReadsTheSame<List<ItemThen>, List<Item>>([255, 1, .. bytes]);
        ReadsTheSame<ItemThen[], Item[]>([255, 2, .. bytes]);
    }

    [Fact]
    public void LimitsHoldAsByThePlan()
    {
        byte[] figures = NinoSerializer.Serialize(Enumerable.Range(0, 100).Select(static i => new FiguresThen { B = i }).ToList());
        int grown = figures.Length + (100 * (18 - 7));
        for (int most = figures.Length - 3; most < grown + 3; most++) ReadsTheSame<List<FiguresThen>, List<Figures>>(figures, new NinoLimits { MaxRecordBytes = most });
        Assert.Throws<NinoSerializationException>(() => Read(grown - 1));
        Assert.Equal(100, Read(grown).Count);
        Assert.True(NinoCodec<List<Figures>>.Default.TryDecodeOlder(figures, MapperOf<List<FiguresThen>, List<Figures>>(), new NinoLimits { MaxRecordBytes = grown }, out _));
        Near<ItemThen, Item>(NinoSerializer.Serialize(ItemOf(2)));
        Near<FiguresThen, Figures>(NinoSerializer.Serialize(new FiguresThen()));
        // What becomes shorter is held to the limit as it was stored.
        Near<NamedThen, Named>(NinoSerializer.Serialize(new NamedThen { Text = "a" }));
        Near<List<NamedThen>, List<Named>>(NinoSerializer.Serialize(new List<NamedThen> { new(), new() }));

        void Near<TThen, TNow>(byte[] bytes)
        {
            for (int most = bytes.Length - 3; most < bytes.Length + 40; most++) ReadsTheSame<TThen, TNow>(bytes, new NinoLimits { MaxRecordBytes = most });
        }

        List<Figures> Read(int most) => NinoCodec<List<Figures>>.Default.Decode(figures, NinoSerializer.SchemaOf<List<FiguresThen>>(), new NinoLimits { MaxRecordBytes = most });
    }

    [Fact]
    public void GrowthIsBoundedAsByThePlan()
    {
        // Beyond a mebibyte it is the factor that counts: 7 bytes become 18.
        byte[] bytes = NinoSerializer.Serialize(Enumerable.Repeat(new FiguresThen(), 120_000).ToList());
        NinoSchema schema = NinoSerializer.SchemaOf<List<FiguresThen>>();
        Assert.Equal(120_000, NinoCodec<List<Figures>>.Default.Decode(bytes, schema, new NinoLimits { MaxGrowth = 3 }).Count);
        Assert.Throws<NinoSerializationException>(() => NinoCodec<List<Figures>>.Default.Decode(bytes, schema, new NinoLimits { MaxGrowth = 2 }));
        ReadsTheSame<List<FiguresThen>, List<Figures>>(bytes, new NinoLimits { MaxGrowth = 2 });
    }

    [Fact]
    public void ACountThatTheBytesCannotHoldIsRefusedBeforeAnythingIsAllocated()
    {
        IsRefused<ItemThen, Item>();
        // Of these the bytes become fewer, so that no limit for what they become holds them.
        IsRefused<NamedThen, Named>();

        void IsRefused<TThen, TNow>()
        {
            byte[] bytes = [254, 0xFF, 0xFF, 0x3F, 0x00, .. new byte[40]];
            Refuses<List<TThen>, List<TNow>>(bytes);
            Refuses<TThen[], TNow[]>(bytes);
        }

        void Refuses<TThen, TNow>(byte[] bytes)
        {
            NinoSchema schema = NinoSerializer.SchemaOf<TThen>();
            NinoCodec<TNow> codec = NinoCodec<TNow>.Default;
            Assert.InRange(Allocated.Least(() => Assert.Throws<NinoSerializationException>(() => codec.Decode(bytes, schema))), 1, 100_000);
        }
    }

    [Fact]
    public void AConstructorThatRefusesAnElementIsAskedOnceAndToldWithItsPlace()
    {
        byte[] bytes = NinoSerializer.Serialize(new List<PickyThen> { new(1, "a"), new(13, "b"), new(2, "c") });
        int before = Picky.Refusals;
        NinoSerializationException error = Assert.Throws<NinoSerializationException>(() => NinoCodec<List<Picky>>.Default.Decode(bytes, NinoSerializer.SchemaOf<List<PickyThen>>()));
        Assert.Equal(before + 1, Picky.Refusals);
        Assert.IsType<ArgumentException>(error.InnerException);
        Assert.Equal("[1].Text", error.MemberPath);
        Assert.Throws<NinoSerializationException>(() => NinoCodec<Picky>.Default.Decode(NinoSerializer.Serialize(new PickyThen(13, "b")), NinoSerializer.SchemaOf<PickyThen>()));
        Assert.Equal(before + 2, Picky.Refusals);
        ReadsTheSame<List<PickyThen>, List<Picky>>(bytes);
        ReadsTheSame<List<PickyThen>, List<Picky>>(bytes[..^1]);
        ReadsTheSame<PickyThen[], Picky[]>(NinoSerializer.Serialize(new PickyThen[] { new(1, "a"), new(2, "a longer text"), new(3, ""), new(13, "b") }));
        ReadsTheSame<PickyThen, Picky>(NinoSerializer.Serialize(new PickyThen(13, "b")));
    }

    [Fact]
    public void AMemberThatRefusesAnElementIsToldAsByThePlan()
    {
        byte[] bytes = NinoSerializer.Serialize(new List<LineThen> { new(1, new(1), "a", "b"), new(2, new(13), "text", "note"), new(3, new(3), "c", "d") });
        ReadsTheSame<List<LineThen>, List<Line>>(bytes);
        Assert.Equal("[1].Text", Assert.Throws<NinoSerializationException>(() => NinoCodec<List<Line>>.Default.Decode(bytes, NinoSerializer.SchemaOf<List<LineThen>>())).MemberPath);
    }

    [Fact]
    public void WhatAListHoldsAlreadyIsFilled()
    {
        List<ItemThen> stored = [.. Enumerable.Range(0, 5).Select(ItemOf)];
        var into = new List<Item> { new() { Added = 4 } };
        List<Item> before = into;
        Item first = into[0];
        NinoCodec<List<Item>>.Default.Decode(NinoSerializer.Serialize(stored), NinoSerializer.SchemaOf<List<ItemThen>>(), ref into);
        Assert.Equal(stored.ConvertAll(Now), into);
        Assert.Same(before, into);
        Assert.Same(first, into[0]);
    }

    private static void AreReadInPlace<TThen, TNow>(TThen value)
    {
        IsReadInPlace<TThen, TNow>(value);
        IsReadInPlace<List<TThen>, List<TNow>>([value, value]);
        IsReadInPlace<List<TThen>, List<TNow>>([]);
        IsReadInPlace<TThen[], TNow[]>([value]);
        IsReadInPlace<TThen[], TNow[]>([]);
    }

    private static void IsReadInPlace<TThen, TNow>(TThen then)
    {
        byte[] bytes = NinoSerializer.Serialize(then);
        NinoRecordMapper mapper = MapperOf<TThen, TNow>();
        Assert.True(NinoCodec<TNow>.Default.TryDecodeOlder(bytes, mapper, null, out TNow? now), $"{typeof(TThen)} was rewritten");
        Assert.Equal(NinoSerializer.Serialize(NinoCodec<TNow>.Default.Decode(bytes, mapper.Stored)), NinoSerializer.Serialize(now!));
    }

    private static void SameAllocation<TThen, TNow>(TThen then, TNow now)
    {
        byte[] stored = NinoSerializer.Serialize(then), present = NinoSerializer.Serialize(now);
        NinoSchema schema = NinoSerializer.SchemaOf<TThen>();
        NinoCodec<TNow> codec = NinoCodec<TNow>.Default;
        for (int i = 0; i < 3; i++) _ = (codec.Decode(stored, schema), codec.Decode(present));
        Assert.Equal(Allocated.Least(() => codec.Decode(present)), Allocated.Least(() => codec.Decode(stored, schema)));
    }

    private static void Each(IDamage damage)
    {
        Of<FlaggedThen, Flagged>(new() { Number = -7, Text = "abc" });
        Of<ItemThen, Item>(ItemOf(3));
        Of<FiguresThen, Figures>(new() { A = -1, B = 2, C = 3 });
        Of<KeysThen, Keys>(new() { B = new Guid(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11), Number = -3, Text = "k" });
        Of<NamedThen, Named>(new() { Gone = 1, Text = "abc" });
        Of<PickyThen, Picky>(new(12, "abc"));
        Of<CornerThen, Corner>(new(-4, "abc"));
        Of<LineThen, Line>(new(1, new(2), "€", "abc"));

        void Of<TThen, TNow>(TThen value)
        {
            damage.Run<TThen, TNow>(NinoSerializer.Serialize(value));
            damage.Run<List<TThen>, List<TNow>>(NinoSerializer.Serialize(new List<TThen> { value, value, value }));
            damage.Run<TThen[], TNow[]>(NinoSerializer.Serialize(new[] { value, value }));
        }
    }

    private interface IDamage
    {
        void Run<TThen, TNow>(byte[] bytes);
    }

    private sealed class CutsAndTails : IDamage
    {
        public void Run<TThen, TNow>(byte[] bytes)
        {
            for (int length = 0; length < bytes.Length; length++) ReadsTheSame<TThen, TNow>(bytes[..length]);
            ReadsTheSame<TThen, TNow>([.. bytes, 0]);
            ReadsTheSame<TThen, TNow>([.. bytes, .. new byte[80]]);
        }
    }

    private sealed class Flips : IDamage
    {
        public void Run<TThen, TNow>(byte[] bytes)
        {
            for (int bit = 0; bit < bytes.Length * 8; bit++)
            {
                byte[] flipped = [.. bytes];
                flipped[bit / 8] ^= (byte)(1 << (bit % 8));
                ReadsTheSame<TThen, TNow>(flipped);
            }
        }
    }
}
