using Store.Serialization;
using Store.Tests.Generator;
using Store.Tests.Generator.RoundTrips;

namespace Store.Tests.Filling;

/// <summary>A member without a setter keeps the collection that its object made: reading empties it and gives it the stored elements.</summary>
public sealed class GetOnlyCollectionTests
{
    [Fact]
    public void AListADictionaryAndASetWithoutASetterAreFilled()
    {
        Basket copy = RoundTrip.Of(SomeBasket());
        Assert.Equal(["a", "b"], copy.Items);
        Assert.Equal([new("x", 1), new("y", 2)], copy.Counts);
        Assert.Equal([7, 8], copy.Tags);
        Assert.Equal(5, copy.Id);
    }

    [Fact]
    public void ABasketHasItsGoldenBytes() => Assert.Equal(
        "05000000" + "03" + "0361" + "0362" + "FF02" + "03" + "037801000000" + "037902000000" + "03" + "07000000" + "08000000",
        Convert.ToHexString(NinoSerializer.Serialize(SomeBasket())));

    [Fact]
    public void EveryKindOfCollectionIsFilledInItsOwnOrder()
    {
        var value = new EveryKind();
        foreach (int i in (int[])[3, 1, 2])
        {
            value.Linked.AddLast(i);
            value.Collection.Add(i);
            value.Observable.Add(i);
            value.SortedSet.Add(i);
            value.SortedMap.Add(i, $"{i}");
            value.SortedList.Add(i, $"{i}");
            value.Ordered.Add(i, $"{i}");
            value.Concurrent[i] = $"{i}";
            value.Queue.Enqueue(i);
            value.Stack.Push(i);
            value.Priority.Enqueue($"{i}", i);
            value.ConcurrentQueue.Enqueue(i);
            value.ConcurrentStack.Push(i);
            value.Bag.Add(i);
            value.Blocking.Add(i);
            value.AnyCollection.Add(i);
            value.AnyList.Add(i);
            value.AnySet.Add(i);
            value.AnyMap.Add(i, $"{i}");
            value.Own.Add($"{i}");
            value.OwnMap.Add($"{i}", i);
            value.OwnQueue.Enqueue(i);
            value.OwnStack.Push(i);
            value.OwnPriority.Enqueue($"{i}", i);
            value.Field.Add(i);
            value.ShowPrivate().Add(i);
        }

        EveryKind copy = RoundTrip.Of(value);

        Assert.Equal(All(value), All(copy));
        Assert.IsType<HashSet<int>>(copy.AnyCollection);
        Assert.IsType<SortedSet<int>>(copy.AnySet);
        Assert.Equal(All(new EveryKind()), All(RoundTrip.Of(new EveryKind())));
    }

    [Fact]
    public void WhatTheConstructorPutThereIsTakenOutAndNotWrittenOver()
    {
        var value = new Prefilled(4) { Name = "n" };
        value.Lines.Clear();
        value.Lines.Add(new BasketLine { Text = "stored" });
        value.Lazy.Add(9);
        value.Kept.Add(3);

        Prefilled copy = RoundTrip.Of(value);

        Assert.Equal("stored", Assert.Single(copy.Lines).Text);
        Assert.Equal("shared", BasketLine.Shared.Text);
        Assert.Equal(([9], [1, 2, 3], "n", 4), (copy.Lazy.ToArray(), copy.Kept.ToArray(), copy.Name, copy.Id), SameParts);
    }

    [Fact]
    public void AStructOwnerAndARecordAreFilled()
    {
        var cell = new Cell();
        cell.Values.AddRange([1, 2]);
        cell.More.Add(3);
        var cells = new Cells([cell], "n") { Size = 6 };
        cells.Others.Add(cell);

        Cells copy = RoundTrip.Of(cells);

        Assert.Equal([1, 2], copy.All[0].Values);
        Assert.Equal([3], copy.All[0].More);
        Assert.Equal([1, 2], Assert.Single(copy.Others).Values);
        Assert.Equal(6, copy.Size);
    }

    [Fact]
    public void NullIsReadAsAnEmptyCollection()
    {
        Cells copy = NinoSerializer.Deserialize<Cells>(NinoSerializer.Serialize(new Cells([default], "n")));
        Assert.Empty(copy.All[0].Values);
        Basket basket = NinoCodec<Basket>.Default.Decode(NinoSerializer.Serialize(new SettableBasket { Id = 1 }), NinoSerializer.SchemaOf<SettableBasket>());
        Assert.Equal((0, 0, 0), (basket.Items.Count, basket.Counts.Count, basket.Tags.Count));
    }

    [Fact]
    public void TheComparerIsThatOfTheObjectAndKeysThatAreEqualUnderItAreRefused()
    {
        Assert.Same(StringComparer.OrdinalIgnoreCase, RoundTrip.Of(SomeBasket()).Counts.Comparer);
        var settable = new SettableBasket { Counts = new() { ["a"] = 1, ["b"] = 2 } };
        Basket read = NinoCodec<Basket>.Default.Decode(NinoSerializer.Serialize(settable), NinoSerializer.SchemaOf<SettableBasket>());
        Assert.Equal((StringComparer.OrdinalIgnoreCase, 2), (read.Counts.Comparer, read.Counts["B"]));

        settable.Counts.Add("A", 3);
        var error = Assert.Throws<NinoSerializationException>(() => NinoCodec<Basket>.Default.Decode(NinoSerializer.Serialize(settable), NinoSerializer.SchemaOf<SettableBasket>()));
        Assert.Contains("Element 2 was refused by the 'System.Collections.Generic.Dictionary`2[System.String,System.Int32]' that the member 'Store.Tests.Filling.Basket.Counts' holds", error.Message);
    }

    [Fact]
    public void ReadingIntoAnObjectFillsItsCollectionsAndAllocatesNothing()
    {
        byte[] bytes = NinoSerializer.Serialize(SomeBasket());
        Basket? basket = new() { Items = { "other", "b", "c" }, Counts = { ["z"] = 1 }, Tags = { 1, 2, 3 } };
        (Basket, List<string>, Dictionary<string, int>, HashSet<int>) before = (basket, basket.Items, basket.Counts, basket.Tags);
        NinoSerializer.Deserialize(bytes, ref basket);
        Assert.Equal(bytes, NinoSerializer.Serialize(basket));
        Assert.Equal(before, (basket, basket.Items, basket.Counts, basket.Tags));

        long allocated = Allocated.Least(() => NinoSerializer.Deserialize(bytes, ref basket));
        Assert.Equal(0, allocated);
        NinoCodec<Basket>.Default.Decode(NinoSerializer.Serialize(new SettableBasket()), ref basket);
        Assert.Equal((0, 0, 0), (basket.Items.Count, basket.Counts.Count, basket.Tags.Count));
    }

    [Fact]
    public void ReferencesAndCyclesGoThroughFilledLists()
    {
        var node = new Node { Name = "a" };
        node.Next.Add(node);
        node.Next.Add(new Node { Name = "b", Next = { node } });
        Node copy = NinoSerializer.Deserialize<Node>(NinoSerializer.Serialize(node));
        Assert.Same(copy, copy.Next[0]);
        Assert.Same(copy, copy.Next[1].Next[0]);
    }

    [Fact]
    public void DepthIsCountedThroughFilledLists()
    {
        Tree root = new(), last = root;
        for (int i = 0; i < 20; i++)
        {
            var next = new Tree { Value = i, Note = "n" };
            last.Children.Add(next);
            last = next;
        }

        byte[] bytes = NinoSerializer.Serialize(root);
        Assert.Equal(bytes, NinoSerializer.Serialize(NinoSerializer.Deserialize<Tree>(bytes)));
        Assert.Contains("nests deeper", Assert.Throws<NinoSerializationException>(() => NinoSerializer.Deserialize<Tree>(bytes, new NinoLimits { MaxDepth = 20 })).Message);
        NinoSerializer.Deserialize<Tree>(bytes, new NinoLimits { MaxDepth = 21 });
    }

    [Fact]
    public void WhatReadingCouldNotFillIsNotWritten() => Programs.Run("""
        [NinoType] public sealed class Shared { private static readonly List<int> s_all = []; public List<int> Values { get; } = s_all; }
        [NinoType] public sealed class Fixed { public IList<int> Values { get; } = new int[1]; }
        [NinoType] public sealed class Absent { private List<int>? _values; public Absent() => Make(false); public void Make(bool really) { if (really) _values = [1]; } public List<int>? Values => _values; }
        """, """
        Refused(new Shared(), "is one collection in all new objects");
        Refused(new Fixed(), "is a 'System.Int32[]' in a new object, which cannot be changed");
        Equal(true, Copy(new Absent()).Values is null);
        var made = new Absent();
        made.Make(true);
        Refused(made, "is null in a new object");
        void Refused<T>(T value, string why)
        {
            try { NinoSerializer.Serialize(value); }
            catch (NinoSerializationException error) when (error.Message.Contains(typeof(T).Name + ".Values' has no setter, and it " + why)) { return; }
            throw new InvalidOperationException(typeof(T) + " was written");
        }
        """);

    [Fact]
    public void WhatIsMissingWhenReadingIsSaid()
    {
        byte[] bytes = NinoSerializer.Serialize(Doubtful.Of(1, 2));
        AssertRefused(static () => null, "is null in the object that was made, so the 2 stored elements have no place");
        AssertRefused(static () => new int[2], "holds a 'System.Int32[]', which cannot be changed");
        AssertRefused(static () => new Growing(), $"holds a '{typeof(Growing)}', which cannot be emptied (It only grows.)");
        Doubtful.Maker = static () => [];
        Assert.Equal([1, 2], NinoSerializer.Deserialize<Doubtful>(bytes).Values);

        void AssertRefused(Func<IList<int>?> maker, string why)
        {
            Doubtful.Maker = maker;
            var error = Assert.Throws<NinoSerializationException>(() => NinoSerializer.Deserialize<Doubtful>(bytes));
            Assert.Equal("Store.Tests.Filling.Doubtful", error.TypeName);
            Assert.Contains("The member 'Store.Tests.Filling.Doubtful.Values' has no setter, and " + why, error.Message);
        }
    }

    private sealed class Growing : System.Collections.ObjectModel.Collection<int>
    {
        protected override void ClearItems() => throw new NotSupportedException("It only grows.");
    }

    [Fact]
    public void AConstructorParameterStillComesFirst() => Programs.Run("""
        [NinoType] public sealed class Given { public Given() { } public Given(List<int> values) { Values = values; From = "parameter"; } public List<int> Values { get; } = []; [NinoIgnore] public string From { get; } = "initializer"; }
        """, """
        Given given = Copy(new Given { Values = { 1 } });
        Equal(("parameter", 1), (given.From, given.Values[0]));
        """);

    [Fact]
    public void EitherPartOfAPartialPropertyOrConstructorMayMakeTheCollection() => Programs.Run("""
        [NinoType] public sealed partial class First { public partial List<int> Values { get; } = []; public partial List<int> Values { get => field; } }
        [NinoType] public sealed partial class Second { public partial List<int> Values { get; } public partial List<int> Values { get => field; } = []; }
        [NinoType] public sealed partial class Shown { private List<int>? _values; public partial List<int> Values { get; } public partial List<int> Values => _values ??= []; }
        [NinoType] public sealed partial class Built { private readonly List<int> _values; public partial Built(int id); public partial Built(int id) { Id = id; _values = []; } public int Id { get; } public List<int> Values => _values; }
        """, """
        Equal(1, Copy(new First { Values = { 1 } }).Values[0]);
        Equal(2, Copy(new Second { Values = { 2 } }).Values[0]);
        Equal(3, Copy(new Shown { Values = { 3 } }).Values[0]);
        Equal(4, Copy(new Built(0) { Values = { 4 } }).Values[0]);
        """);

    private static Basket SomeBasket() => new() { Id = 5, Items = { "a", "b" }, Counts = { ["x"] = 1, ["y"] = 2 }, Tags = { 7, 8 } };

    private static bool SameParts((int[], int[], string?, int) a, (int[], int[], string?, int) b) => a.Item1.SequenceEqual(b.Item1) && a.Item2.SequenceEqual(b.Item2) && (a.Item3, a.Item4) == (b.Item3, b.Item4);

    private static string[] All(EveryKind value) =>
    [
        string.Join(" ", value.Linked), string.Join(" ", value.SortedSet), string.Join(" ", value.Collection), string.Join(" ", value.Observable), string.Join(" ", value.SortedMap),
        string.Join(" ", value.SortedList), string.Join(" ", value.Ordered), string.Join(" ", value.Concurrent.OrderBy(static pair => pair.Key)), string.Join(" ", value.Queue), string.Join(" ", value.Stack),
        string.Join(" ", value.Priority.UnorderedItems.OrderBy(static item => item.Priority)), string.Join(" ", value.ConcurrentQueue), string.Join(" ", value.ConcurrentStack), string.Join(" ", value.Bag),
        string.Join(" ", value.Blocking), string.Join(" ", value.AnyCollection), string.Join(" ", value.AnyList), string.Join(" ", value.AnySet), string.Join(" ", value.AnyMap),
        string.Join(" ", value.Own), string.Join(" ", value.OwnMap), string.Join(" ", value.OwnQueue), string.Join(" ", value.OwnStack), string.Join(" ", value.OwnPriority.UnorderedItems.OrderBy(static item => item.Priority)), string.Join(" ", value.Field), string.Join(" ", value.ShowPrivate()),
    ];
}
