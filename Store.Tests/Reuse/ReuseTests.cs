// Reading into what is there: the same values as reading anew, whatever was there, and the same objects where that was promised.

using System.Buffers;
using System.IO.Pipelines;
using Store.Serialization;
using Store.Tests.Values;

namespace Store.Tests.Reuse;

public class ReuseTests
{
    [Fact]
    public void NullIsMade()
    {
        Simple? value = null;
        NinoSerializer.Deserialize(NinoSerializer.Serialize(Simple.Create(3)), ref value);
        Assert.Equivalent(Simple.Create(3), value, strict: true);
    }

    [Fact]
    public void AnObjectIsFilledWithEverythingInIt()
    {
        Simple value = Simple.Create(1);
        (Simple Whole, int[]? Numbers, List<DateTime>? Times, Dictionary<int, string>? Names, Dictionary<int, int>? Pairs) before = (value, value.Numbers, value.Times, value.Names, value.Pairs);
        NinoSerializer.Deserialize(NinoSerializer.Serialize(Simple.Create(2)), ref value);
        Assert.Equivalent(Simple.Create(2), value, strict: true);
        Assert.Same(before.Whole, value);
        Assert.Same(before.Numbers, value.Numbers);
        Assert.Same(before.Times, value.Times);
        Assert.Same(before.Names, value.Names);
        Assert.Same(before.Pairs, value.Pairs);
    }

    [Fact]
    public void EqualStringsAreKeptInEveryEncoding()
    {
        foreach (string text in new[] { "a", "eight ch", "nine char", "a longer text, Latin-1: é", "mehr als Latin-1: €", new string('x', 300), "\uD800" })
        {
            var value = new Whole { Utf8 = new string(text), Spot = new Spot { Label = new string(text) }, Made = new Made(1, new string(text), []), Tags = [text], Words = new List<string?> { text, null } };
            (string? Utf8, string? Label, string Name, string Tag, string? Word) before = (value.Utf8, value.Spot.Label, value.Made.Name, value.Tags.Single(), value.Words[0]);
            NinoSerializer.Deserialize(NinoSerializer.Serialize(value), ref value);
            Assert.Same(before.Utf8, value.Utf8);
            Assert.Same(before.Label, value.Spot.Label);
            Assert.Same(before.Name, value.Made!.Name);
            Assert.Same(before.Tag, value.Tags!.Single());
            Assert.Same(before.Word, value.Words![0]);
        }
    }

    [Theory]
    [InlineData("a", "b")]
    [InlineData("12345678", "1234567x")]
    [InlineData("123456789", "x23456789")]
    [InlineData("123456789", "12345678x")]
    [InlineData("1234567890123456", "123456789012345x")]
    [InlineData("é", "e")]
    [InlineData("aé", "a\u01E9")]
    [InlineData("€€", "€x")]
    [InlineData("", "x")]
    [InlineData("\u00E9\u00E9", "\u00E9")]
    public void OtherStringsAreNotKept(string there, string stored)
    {
        foreach ((string first, string second) in new[] { (there, stored), (stored, there) })
        {
            var value = new Whole { Utf8 = first, Words = [first] };
            NinoSerializer.Deserialize(NinoSerializer.Serialize(new Whole { Utf8 = second, Words = [second] }), ref value);
            Assert.Equal((second, second), (value.Utf8, value.Words![0]));
        }
    }

    [Fact]
    public void NestedObjectsAreFilledAndWhatIsNotStoredStays()
    {
        var value = new Whole { Part = new Part { Number = 1, Inner = new Part { Note = "inner" }, Note = "outer" }, Parts = [new Part { Note = "first" }, null], Array = [new Part { Note = "array" }] };
        (Part Outer, Part Inner) before = (value.Part, value.Part.Inner);
        byte[] stored = NinoSerializer.Serialize(new Whole { Part = new Part { Number = 5, Inner = new Part { Number = 6 } }, Parts = [new Part { Number = 7 }, new Part { Number = 8 }, null], Array = [new Part { Number = 9 }] });
        NinoSerializer.Deserialize(stored, ref value);
        Assert.Equal((before.Outer, before.Inner), (value.Part!, value.Part!.Inner!));
        Assert.Equal(("outer", 5, "inner", 6), (value.Part.Note, value.Part.Number, value.Part.Inner!.Note, value.Part.Inner.Number));
        Assert.Equal(("first", 7, 8, null), (value.Parts![0]!.Note, value.Parts[0]!.Number, value.Parts[1]!.Number, value.Parts[2]));
        Assert.Equal(("array", 9), (value.Array![0].Note, value.Array[0].Number));
        Assert.Equal(stored, NinoSerializer.Serialize(value));
    }

    [Fact]
    public void AbsenceIsReadOverWhatIsThere()
    {
        Whole value = new Whole { Part = new Part(), Parts = [], Array = [], ByName = [], Tags = [], Words = [], Counts = new Dictionary<string, int>(), Made = new(1, "", []), Maybe = default(Spot), Utf8 = "", Animal = new Cat() }.Hide([1]);
        NinoSerializer.Deserialize(NinoSerializer.Serialize(new Whole()), ref value);
        Assert.Equivalent(new Whole(), value, strict: true);
        Assert.Null(value.Hidden());
    }

    [Fact]
    public void PrivateMembersAreFilled()
    {
        Whole value = new Whole().Hide([1, 2]);
        List<int> before = value.Hidden()!;
        NinoSerializer.Deserialize(NinoSerializer.Serialize(new Whole().Hide([3, 4, 5])), ref value);
        Assert.Same(before, value.Hidden());
        Assert.Equal([3, 4, 5], before);
    }

    [Fact]
    public void WhatOnlyAConstructorMakesIsMadeAnewAndTheOldOneIsLeftAlone()
    {
        var old = new Made(1, "one", [1, 2]);
        Made? value = old;
        NinoSerializer.Deserialize(NinoSerializer.Serialize(new Made(2, "two", [3, 4])), ref value);
        Assert.Equal((2, "two"), (value.Id, value.Name));
        Assert.Equal([3, 4], value.Numbers);
        Assert.Equal((1, "one"), (old.Id, old.Name));
        Assert.Equal([1, 2], old.Numbers);
    }

    [Fact]
    public void MembersOfStructsAreFilled()
    {
        var value = new Spot { X = 1, Label = "a", Trail = [1] };
        List<int> before = value.Trail;
        NinoSerializer.Deserialize(NinoSerializer.Serialize(new Spot { X = 2, Label = "b", Trail = [2, 3] }), ref value);
        Assert.Equal((2, "b"), (value.X, value.Label));
        Assert.Same(before, value.Trail);
        Assert.Equal([2, 3], before);
        int number = 5;
        NinoSerializer.Deserialize(NinoSerializer.Serialize(6), ref number);
        Assert.Equal(6, number);
    }

    [Fact]
    public void DictionariesHaveTheStoredOrderWhateverWasThere()
    {
        foreach (int[] there in new int[][] { [], [1], [1, 2, 3], [3, 2, 1], [1, 2, 3, 4], [1, 9, 3], [9] })
        {
            foreach (int removed in new[] { 0, 1, 9 })
            {
                var value = new Simple { Names = there.ToDictionary(static k => k, static k => "old " + k), Pairs = there.ToDictionary(static k => k, static k => k) };
                value.Names.Remove(removed);
                value.Pairs.Remove(removed);
                byte[] stored = NinoSerializer.Serialize(new Simple { Names = new() { [1] = "one", [2] = "two", [3] = "three" }, Pairs = new() { [1] = 10, [2] = 2, [3] = 30 } });
                (Dictionary<int, string>, Dictionary<int, int>) before = (value.Names, value.Pairs);
                NinoSerializer.Deserialize(stored, ref value);
                Assert.Equal(stored, NinoSerializer.Serialize(value));
                Assert.Same(before.Item1, value.Names);
                Assert.Same(before.Item2, value.Pairs);
                Assert.Equal(("one", 30), (value.Names![1], value.Pairs![3]));
            }
        }
    }

    [Fact]
    public void KeysAndValuesThatAreOnlyEqualAreReplaced()
    {
        var value = new Whole { ByDouble = new() { [0.0] = 1.0m }, Prices = [1.0m], Counts = new Dictionary<string, int>(StringComparer.OrdinalIgnoreCase) { ["A"] = 1 }, Tags = new(StringComparer.OrdinalIgnoreCase) { "A" } };
        byte[] stored = NinoSerializer.Serialize(new Whole { ByDouble = new() { [-0.0] = 1.00m }, Prices = [1.00m], Counts = new Dictionary<string, int>(StringComparer.OrdinalIgnoreCase) { ["a"] = 1 }, Tags = new(StringComparer.OrdinalIgnoreCase) { "a" } });
        NinoSerializer.Deserialize(stored, ref value);
        Assert.Equal(stored, NinoSerializer.Serialize(value));
    }

    [Fact]
    public void ACollectionWithAnotherComparerIsMadeAnew()
    {
        var value = new Whole { Counts = new Dictionary<string, int>(StringComparer.OrdinalIgnoreCase) { ["a"] = 1 }, Tags = new(StringComparer.Ordinal) { "a" } };
        byte[] stored = NinoSerializer.Serialize(new Whole { Counts = new Dictionary<string, int> { ["a"] = 1, ["A"] = 2 }, Tags = new(StringComparer.OrdinalIgnoreCase) { "a" } });
        NinoSerializer.Deserialize(stored, ref value);
        Assert.Equal(stored, NinoSerializer.Serialize(value));
        Assert.Equal(2, value.Counts!.Count);
        Assert.Contains("A", value.Tags!);
    }

    [Fact]
    public void SetsAreFilledInTheStoredOrder()
    {
        foreach (string[] there in new string[][] { [], ["a"], ["a", "b", "c"], ["a", "x", "c"], ["c", "b"], ["a", "b", "c", "d"] })
        {
            var value = new Whole { Tags = [.. there], Prices = [1m, 2m] };
            HashSet<string> before = value.Tags;
            byte[] stored = NinoSerializer.Serialize(new Whole { Tags = ["a", "b", "c"], Prices = [2m, 3m, 1m] });
            NinoSerializer.Deserialize(stored, ref value);
            Assert.Same(before, value.Tags);
            Assert.Equal(stored, NinoSerializer.Serialize(value));
        }
    }

    [Fact]
    public void CollectionsOfAnotherTypeAreLeftAlone()
    {
        var value = new Whole { Words = new string?[] { "x" }, Array = new Part[1] };
        IReadOnlyList<string?> words = value.Words;
        NinoSerializer.Deserialize(NinoSerializer.Serialize(new Whole { Words = ["a"] }), ref value);
        Assert.Equal(["x"], words);
        Assert.Equal(["a"], value.Words!);

        // The same bits under another type: the run time lets one array stand for the other.
        uint[] numbers = (uint[])(object)new int[] { 1, 2 };
        uint[]? target = numbers;
        NinoSerializer.Deserialize(NinoSerializer.Serialize(new uint[] { 3, 4 }), ref target);
        Assert.NotSame(numbers, target);
        Assert.Equal(typeof(uint[]), target.GetType());
        Animal[]? animals = new Cat[1];
        NinoSerializer.Deserialize(NinoSerializer.Serialize(new Animal[] { new Dog() }), ref animals);
        Assert.IsType<Dog>(animals[0]);
    }

    [Fact]
    public void ACaseOfTheSameClassIsFilledAndAnyOtherIsMade()
    {
        var cat = new Cat { Name = "Tom", Lives = 9 };
        var value = new Whole { Animal = cat };
        NinoSerializer.Deserialize(NinoSerializer.Serialize(new Whole { Animal = new Cat { Name = "Tim", Lives = 8 } }), ref value);
        Assert.Same(cat, value.Animal);
        Assert.Equal(("Tim", 8), (cat.Name, cat.Lives));
        NinoSerializer.Deserialize(NinoSerializer.Serialize(new Whole { Animal = new Dog { Name = "Rex" } }), ref value);
        Assert.Equal("Rex", Assert.IsType<Dog>(value.Animal).Name);
        Assert.Equal("Tim", cat.Name);

        Message? message = new Ping { Numbers = [1] };
        (Message, List<int>) before = (message, ((Ping)message).Numbers!);
        NinoSerializer.Deserialize(NinoSerializer.Serialize<Message>(new Ping { Numbers = [2, 3] }), ref message);
        Assert.Same(before.Item1, message);
        Assert.Equal([2, 3], before.Item2);
        NinoSerializer.Deserialize(NinoSerializer.Serialize<Message>(new Pong { Text = "t" }), ref message);
        Assert.Equal("t", Assert.IsType<Pong>(message).Text);
    }

    [Fact]
    public void ObjectsWithReferencesToThemAreMadeAnew()
    {
        var one = new Kept { Id = 1 };
        one.Other = one;
        var value = new Whole { Kept = one };
        NinoSerializer.Deserialize(NinoSerializer.Serialize(new Whole { Kept = new Kept { Id = 2, Other = new Kept { Id = 3 } } }), ref value);
        Assert.NotSame(one, value.Kept);
        Assert.Equal((2, 3, 1), (value.Kept!.Id, value.Kept.Other!.Id, one.Id));
    }

    [Fact]
    public void CallbacksRunOnTheObjectThatIsFilled()
    {
        var value = new Called { Value = 1 };
        Called before = value;
        NinoSerializer.Deserialize(NinoSerializer.Serialize(new Called { Value = 2 }), ref value);
        Assert.Same(before, value);
        Assert.Equal(["before 1", "after 2"], value.Calls);
    }

    [Fact]
    public void WhatASetterThrowsIsNamedWithTypeAndPlace()
    {
        var value = new Picky { Value = 1 };
        var error = Assert.Throws<NinoSerializationException>(() => NinoSerializer.Deserialize([255, 255, 255, 255], ref value));
        Assert.IsType<ArgumentOutOfRangeException>(error.InnerException);
        Assert.Equal(1, value!.Value);
    }

    [Fact]
    public async Task EveryWayInFillsTheSameObject()
    {
        Simple value = Simple.Create(1), before = value;
        byte[] bare = NinoSerializer.Serialize(Simple.Create(2));
        NinoSerializer.Deserialize(new ReadOnlySequence<byte>(bare), ref value);
        Check(2);
        NinoSerializer.Deserialize(Cut(bare, 7), ref value);
        NinoSerializer.Deserialize(new MemoryStream(NinoSerializer.Serialize(Simple.Create(3))), ref value);
        Check(3);
        foreach (NinoHeader header in Enum.GetValues<NinoHeader>())
        {
            byte[] bytes = NinoSerializer.Serialize(Simple.Create(4), header);
            NinoSerializer.Deserialize(bytes, header, ref value);
            Check(4);
            NinoSerializer.Deserialize(Cut(bytes, 3), header, ref value);
            NinoSerializer.Deserialize(new MemoryStream(bytes), header, ref value);
            Check(4);
            bytes = NinoSerializer.Serialize(Simple.Create(5), header);
            value = await NinoSerializer.DeserializeAsync(new MemoryStream(bytes), value, header);
            Check(5);
            bytes = NinoSerializer.Serialize(Simple.Create(6), header);
            value = await NinoSerializer.DeserializeAsync(PipeReader.Create(Cut(bytes, 3)), value, header);
            Check(6);
        }

        value = await NinoSerializer.DeserializeAsync(new MemoryStream(bare), value);
        Check(2);
        value = await NinoSerializer.DeserializeAsync(PipeReader.Create(new MemoryStream(NinoSerializer.Serialize(Simple.Create(7)))), value);
        Check(7);
        // Where nothing is there, one is made.
        Assert.Equivalent(value, await NinoSerializer.DeserializeAsync(new MemoryStream(NinoSerializer.Serialize(value)), (Simple?)null), strict: true);

        void Check(int seed)
        {
            Assert.Same(before, value);
            Assert.Equivalent(Simple.Create(seed), value, strict: true);
        }

        static ReadOnlySequence<byte> Cut(byte[] bytes, int at) => Pieces.Of<byte>(bytes.AsMemory(0, at), bytes.AsMemory(at));
    }

    [Fact]
    public void ARecordOfAnOlderShapeIsReadIntoWhatIsThere()
    {
        NinoCodec<Evolution.Before.Order> older = NinoCodec<Evolution.Before.Order>.Default;
        var stored = new Evolution.Before.Order { Id = 5, Customer = "c", Lines = [new("l", 1, 2m)] };
        Evolution.Before.Order? value = new() { Id = 1 };
        Evolution.Before.Order before = value;
        older.Decode(NinoSerializer.Serialize(stored), NinoSchema.Parse(older.Schema.CanonicalBytes.Span), ref value);
        Assert.Same(before, value);

        NinoSchema shape = Shapes.Schema(Shapes.Of(SchemaKind.Int16));
        NinoSchema narrow = NinoSchema.Create(Shapes.Class(typeof(Called).FullName!, (nameof(Called.Value), Shapes.Of(SchemaKind.Int16))));
        Assert.NotEqual(shape.Fingerprint, narrow.Fingerprint);
        Called? called = new() { Value = 1 };
        Called there = called;
        NinoCodec<Called>.Default.Decode([7, 0], narrow, ref called);
        Assert.Same(there, called);
        Assert.Equal(7, called.Value);
    }

    [Theory]
    [InlineData(NinoHeader.Fingerprint)]
    [InlineData(NinoHeader.Schema)]
    public void NorDoesAHeaderInFront(NinoHeader header)
    {
        byte[] record = NinoSerializer.Serialize(Simple.Create(1), header);
        Simple? value = null;
        Assert.Equal(0, Allocated.Least(() =>
        {
            for (int i = 0; i < 10; i++) NinoSerializer.Deserialize(record, header, ref value);
        }, runs: 20));
    }

    [Fact]
    public void FillingTheSameShapeAllocatesNothing()
    {
        byte[][] records = [NinoSerializer.Serialize(Simple.Create(1)), NinoSerializer.Serialize(With(2))];
        Simple? value = null;
        Assert.Equal(0, Allocated.Least(() =>
        {
            for (int i = 0; i < 10; i++) NinoSerializer.Deserialize(records[i & 1], ref value);
        }, runs: 20));

        // Other numbers and times in the same texts.
        static Simple With(int seed)
        {
            Simple value = Simple.Create(seed), texts = Simple.Create(1);
            (value.Name, value.Names) = (texts.Name, texts.Names);
            return value;
        }
    }
}
