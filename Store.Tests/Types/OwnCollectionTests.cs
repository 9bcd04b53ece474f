using System.Buffers;
using System.Collections.ObjectModel;
using Store.Serialization;
using Store.Serialization.Codecs;
using Store.Tests.Generator;

namespace Store.Tests.Types;

/// <summary>Collections of the user's whose constructor or Add makes something else of the elements: refused on writing, or noticed on reading, never less than was there.</summary>
public sealed class OwnCollectionTests
{
    [Fact]
    public void WhatTheConstructorsComparerKeepsApartIsKept()
    {
        Assert.Equal(["a", "B"], Copy(new NameSet { "a", "B" }).Order(StringComparer.OrdinalIgnoreCase));
        Assert.Equal(2, Copy(new NameMap { ["a"] = 1, ["B"] = 2 })["b"]);
        Assert.Equal([1, 1, 2], Copy(new Basket { 1, 1, 2 }));
        Assert.Equal([1, 2], Copy(new ByNumber { 1, 2 }));
    }

    /// <summary>The Add of a struct may change the struct itself.</summary>
    [Fact]
    public void AStructThatHasNothingUntilItIsAddedToHasItsElementsAgain()
    {
        Assert.Equal([1, 1, 2], Copy<LazyBag, OwnCollectionCodec<LazyBag, int, Int32Codec>>(new LazyBag { 1, 1, 2 }));
        Assert.Empty(Copy<LazyBag, OwnCollectionCodec<LazyBag, int, Int32Codec>>(default));
        Assert.Equal(2, Copy<LazyMap, OwnMapCodec<LazyMap, string, int, StringCodec, Int32Codec>>(new LazyMap { ["a"] = 1, ["b"] = 2 })["b"]);
    }

    [Fact]
    public void ElementsThatANewCollectionWouldLoseAreRefusedOnWriting()
    {
        AssertRefused(static () => Copy(new NameSet(StringComparer.Ordinal) { "a", "A" }), "has 2 elements, and 1 once they are added");
        AssertRefused(static () => Copy<SortedNames, OwnCollectionCodec<SortedNames, string, StringCodec>>(new SortedNames(StringComparer.Ordinal) { "a", "A" }), "has 2 elements, and 1 once they are added");
        AssertRefused(static () => Copy(new NameMap(StringComparer.Ordinal) { ["a"] = 1, ["A"] = 2 }), "Element 1 was refused by the Add");
        AssertRefused(static () => Copy<LastOfEach, OwnMapCodec<LastOfEach, string, int, StringCodec, Int32Codec>>(new LastOfEach(StringComparer.Ordinal) { ["a"] = 1, ["A"] = 2 }), "has 2 elements, and 1 once they are added");
        AssertRefused(static () => Copy(new Last { 1, 2, 3 }.Enlarged()), "has 3 elements, and 2 once they are added");
        AssertRefused(static () => Copy(new Started { 5 }), "has 2 elements, and 3 once they are added");
        AssertRefused(static () => Copy(new ByNumber(new Never()) { 1, 1 }), "Element 1 was refused by the Add");
    }

    [Fact]
    public void AListWhoseAddDoesNotAppendIsRefusedOnWriting()
    {
        AssertRefused(static () => Copy(new Newest { 1, 2, 3 }), "has another element 0 once its elements are added");
        AssertRefused(static () => Copy(new Doubled { 1 }), "has another element 0 once its elements are added");
        AssertRefused(static () => Copy<NewestNames, OwnCollectionCodec<NewestNames, string, StringCodec>>(new NewestNames { "a", "b" }), "has another element 0 once its elements are added");
        AssertRefused(static () => Copy(new Inserted { 3, 1, 2 }), "has another element 0 once its elements are added");
        Assert.Equal([1, 2, 3], Copy(new Inserted { 1, 2, 3 }));
        Assert.Equal([1], Copy(new Newest { 1 }));
        Assert.Equal([2, 2], Copy(new Newest { 2, 2 }));
        Assert.Equal([1, 2, 3], Copy(new Ascending { 3, 1, 2 }));
    }

    [Fact]
    public void WhatAnAddMakesOfTheElementsOfWhatIsNoListIsRefusedOnWriting()
    {
        const string Why = "its Add makes something else of them";
        AssertRefused(static () => Copy(new Doubles { 1, 2 }), Why);
        AssertRefused(static () => Copy<Twice, OwnCollectionCodec<Twice, string, StringCodec>>(new Twice { "a" }), Why);
        AssertRefused(static () => Copy<Counts, OwnMapCodec<Counts, string, int, StringCodec, Int32Codec>>(new Counts { { "a", 1 } }), Why);
        Assert.Equal(["A", "B"], Copy<Capitals, OwnCollectionCodec<Capitals, string, StringCodec>>(new Capitals { "a", "b" }).Order());
        Assert.Equal([3, 2, 1], Copy(new Front { 3, 2, 1 }).ToArray());
    }

    /// <summary>Each element is compared with the one in its place, and each that is another one is looked for by its hash code.</summary>
    [Theory]
    [InlineData(500)]
    [InlineData(1000)]
    public void AListWhoseAddMakesOthersIsCheckedInLinearTime(int count) => Programs.Run("""
        [NinoType] public sealed class Item(int id)
        {
            public static int Comparisons, HashCodes;
            public int Id { get; } = id;
            public override bool Equals(object? obj) { Comparisons++; return obj is Item item && item.Id == Id; }
            public override int GetHashCode() { HashCodes++; return Id; }
        }
        public sealed class Moving : System.Collections.ObjectModel.Collection<Item> { protected override void InsertItem(int index, Item item) => base.InsertItem(index, new Item(item.Id + 1_000_000)); }
        [NinoType] public sealed record Holder(Moving Items);
        """, $$"""
        var holder = new Holder([]);
        for (int i = 0; i < {{count}}; i++) holder.Items.Add(new Item(i));
        Item.Comparisons = Item.HashCodes = 0;
        Copy(holder);
        Equal(({{count}}, {{2 * count}}), (Item.Comparisons, Item.HashCodes));
        """);

    [Fact]
    public void ASetWithAnotherComparerThatLosesNothingIsWritten() => Assert.Equal(["a", "b"], Copy(new NameSet(StringComparer.Ordinal) { "a", "b" }).Order());

    [Fact]
    public void EqualElementsInTheBytesAreDamage()
    {
        AssertDamaged<NameSet, OwnCollectionCodec<NameSet, string, StringCodec>>(Convert.FromHexString("0303610341"), "1 elements of a set are equal");
        AssertDamaged<NameMap, OwnMapCodec<NameMap, string, int, StringCodec, Int32Codec>>(Convert.FromHexString("03036101000000034102000000"), "Element 1 was refused by the Add");
        AssertDamaged<LastOfEach, OwnMapCodec<LastOfEach, string, int, StringCodec, Int32Codec>>(Convert.FromHexString("03036101000000034102000000"), "1 keys of a dictionary are equal");
        AssertDamaged<Last, OwnCollectionCodec<Last, int, Int32Codec>>(Convert.FromHexString("04010000000200000003000000"), "1 elements of a set are equal");
        AssertDamaged<ByNumber, OwnCollectionCodec<ByNumber, int, Int32Codec>>(Convert.FromHexString("030100000001000000"), "Element 1 was refused by the Add");
    }

    [Fact]
    public void OneWithoutASetterThatLosesWhatItIsGivenOrRefusesToOrderItIsAnError()
    {
        Dictionary<string, int> stored = new() { ["a"] = 1, ["A"] = 2 };
        AssertNotFilled(new LastOfEach(), "has 1 elements after 2 were put into it");
        AssertNotFilled(new SortedList<string, int>(Comparer<string>.Create(static (a, b) => throw new ArgumentException("no order"))), "refused keys: no order");

        void AssertNotFilled(IDictionary<string, int> target, string message)
        {
            NinoSerializationException error = Assert.Throws<NinoSerializationException>(() =>
            {
                var reader = new NinoReader([]);
                NinoFill.Pairs(ref reader, target, stored, "Map");
            });
            Assert.Contains(message, error.Message, StringComparison.Ordinal);
        }
    }

    /// <summary>With [NinoType] its members are stored, and the elements of a framework's collection are in none of them.</summary>
    [Fact]
    public void AMarkOnACollectionStoresItsMembersAndIsAnErrorWhereAFrameworksCollectionKeepsTheElements()
    {
        Assert.Equal("NINO002", Assert.Single(GeneratorHarness.Diagnose("[NinoType] public class X : List<int> { public int Y; }")).Id);
        Programs.Run("""
            [NinoType] public class Bag : ICollection<int>
            {
                public int Y;
                [NinoIgnore] private readonly List<int> _all = [];
                public void Add(int item) => _all.Add(item);
                public void Clear() => _all.Clear();
                public bool Contains(int item) => _all.Contains(item);
                public void CopyTo(int[] array, int arrayIndex) => _all.CopyTo(array, arrayIndex);
                public bool Remove(int item) => _all.Remove(item);
                public int Count => _all.Count;
                public bool IsReadOnly => false;
                public IEnumerator<int> GetEnumerator() => _all.GetEnumerator();
                System.Collections.IEnumerator System.Collections.IEnumerable.GetEnumerator() => GetEnumerator();
            }
            """, """
            Bag copy = Copy(new Bag { Y = 5 });
            Equal((5, 0), (copy.Y, copy.Count));
            """);
    }

    private static T Copy<T, TCodec>(T value) where TCodec : struct, INinoCodec<T>
    {
        var output = new ArrayBufferWriter<byte>();
        new CodecAdapter<T, TCodec>().Encode(output, value);
        return new CodecAdapter<T, TCodec>().Decode(output.WrittenSpan);
    }

    private static NameSet Copy(NameSet value) => Copy<NameSet, OwnCollectionCodec<NameSet, string, StringCodec>>(value);

    private static NameMap Copy(NameMap value) => Copy<NameMap, OwnMapCodec<NameMap, string, int, StringCodec, Int32Codec>>(value);

    private static T Copy<T>(T value) where T : ICollection<int>, new() => Copy<T, OwnCollectionCodec<T, int, Int32Codec>>(value);

    private static void AssertRefused(Action write, string message) => Assert.Contains(message, Assert.Throws<NinoSerializationException>(write).Message, StringComparison.Ordinal);

    private static void AssertDamaged<T, TCodec>(byte[] bytes, string message) where TCodec : struct, INinoCodec<T> =>
        Assert.Contains(message, Assert.Throws<NinoSerializationException>(() => new CodecAdapter<T, TCodec>().Decode(bytes)).Message, StringComparison.Ordinal);

    private sealed class NameSet : HashSet<string>
    {
        public NameSet() : base(StringComparer.OrdinalIgnoreCase) { }

        public NameSet(IEqualityComparer<string> comparer) : base(comparer) { }
    }

    private sealed class SortedNames : SortedSet<string>
    {
        public SortedNames() : base(StringComparer.OrdinalIgnoreCase) { }

        public SortedNames(IComparer<string> comparer) : base(comparer) { }
    }

    /// <summary>Its Add takes a key that there is.</summary>
    private sealed class LastOfEach : Dictionary<string, int>, IDictionary<string, int>
    {
        public LastOfEach() : base(StringComparer.OrdinalIgnoreCase) { }

        public LastOfEach(IEqualityComparer<string> comparer) : base(comparer) { }

        void IDictionary<string, int>.Add(string key, int value) => this[key] = value;
    }

    private sealed class NameMap : Dictionary<string, int>
    {
        public NameMap() : base(StringComparer.OrdinalIgnoreCase) { }

        public NameMap(IEqualityComparer<string> comparer) : base(comparer) { }
    }

    private sealed class Basket : List<int>;

    private struct LazyBag : ICollection<int>
    {
        private List<int>? _all;

        public readonly int Count => _all?.Count ?? 0;

        public readonly bool IsReadOnly => false;

        public void Add(int item) => (_all ??= []).Add(item);

        public void Clear() => _all = null;

        public readonly bool Contains(int item) => _all?.Contains(item) == true;

        public readonly void CopyTo(int[] array, int arrayIndex) => _all?.CopyTo(array, arrayIndex);

        public readonly bool Remove(int item) => _all?.Remove(item) == true;

        public readonly IEnumerator<int> GetEnumerator() => (_all ?? []).GetEnumerator();

        readonly System.Collections.IEnumerator System.Collections.IEnumerable.GetEnumerator() => GetEnumerator();
    }

    private struct LazyMap : IDictionary<string, int>
    {
        private Dictionary<string, int>? _all;

        public readonly int Count => _all?.Count ?? 0;

        public readonly bool IsReadOnly => false;

        public readonly ICollection<string> Keys => _all?.Keys ?? (ICollection<string>)[];

        public readonly ICollection<int> Values => _all?.Values ?? (ICollection<int>)[];

        public int this[string key] { readonly get => _all![key]; set => (_all ??= [])[key] = value; }

        public void Add(string key, int value) => (_all ??= []).Add(key, value);

        public void Add(KeyValuePair<string, int> item) => Add(item.Key, item.Value);

        public void Clear() => _all = null;

        public readonly bool Contains(KeyValuePair<string, int> item) => _all?.Contains(item) == true;

        public readonly bool ContainsKey(string key) => _all?.ContainsKey(key) == true;

        public readonly void CopyTo(KeyValuePair<string, int>[] array, int arrayIndex) => ((ICollection<KeyValuePair<string, int>>?)_all)?.CopyTo(array, arrayIndex);

        public readonly bool Remove(string key) => _all?.Remove(key) == true;

        public readonly bool Remove(KeyValuePair<string, int> item) => Contains(item) && Remove(item.Key);

        public readonly bool TryGetValue(string key, out int value) => (_all ?? []).TryGetValue(key, out value);

        public readonly IEnumerator<KeyValuePair<string, int>> GetEnumerator() => (_all ?? []).GetEnumerator();

        readonly System.Collections.IEnumerator System.Collections.IEnumerable.GetEnumerator() => GetEnumerator();
    }

    /// <summary>Has an element when it is made.</summary>
    private sealed class Started : List<int>
    {
        public Started() => Add(0);
    }

    /// <summary>Keeps the last two, unless it was made larger.</summary>
    /// <summary>No list.</summary>
    private abstract class Bag<T> : ICollection<T>
    {
        private readonly LinkedList<T> _items = new();

        public int Count => _items.Count;

        public bool IsReadOnly => false;

        public void Add(T item) => _items.AddFirst(Made(item));

        public void Clear() => _items.Clear();

        public bool Contains(T item) => _items.Contains(item);

        public void CopyTo(T[] array, int arrayIndex) => _items.CopyTo(array, arrayIndex);

        public bool Remove(T item) => _items.Remove(item);

        public IEnumerator<T> GetEnumerator() => _items.GetEnumerator();

        System.Collections.IEnumerator System.Collections.IEnumerable.GetEnumerator() => GetEnumerator();

        protected abstract T Made(T item);
    }

    private sealed class Front : Bag<int>
    {
        protected override int Made(int item) => item;
    }

    private sealed class Doubles : Bag<int>
    {
        protected override int Made(int item) => item * 2;
    }

    private sealed class Twice : Bag<string>
    {
        protected override string Made(string item) => item + item;
    }

    private sealed class Capitals : Bag<string>
    {
        protected override string Made(string item) => item.ToUpperInvariant();
    }

    private sealed class Counts : Dictionary<string, int>, IDictionary<string, int>
    {
        public new void Add(string key, int value) => base.Add(key, value + 1);

        void IDictionary<string, int>.Add(string key, int value) => Add(key, value);
    }

    private sealed class Newest : Collection<int>
    {
        protected override void InsertItem(int index, int item) => base.InsertItem(0, item);
    }

    private sealed class NewestNames : Collection<string>
    {
        protected override void InsertItem(int index, string item) => base.InsertItem(0, item);
    }

    private sealed class Doubled : Collection<int>
    {
        protected override void InsertItem(int index, int item) => base.InsertItem(index, item * 2);
    }

    private sealed class Ascending : Collection<int>
    {
        protected override void InsertItem(int index, int item) => base.InsertItem(Items.Count(one => one <= item), item);
    }

    /// <summary>Keeps its order where it is filled as a collection, and not where the list is added to.</summary>
    private sealed class Inserted : List<int>, ICollection<int>
    {
        void ICollection<int>.Add(int item) => Insert(this.Count(one => one <= item), item);
    }

    private sealed class Last : Collection<int>
    {
        private int _most = 2;

        public Last Enlarged()
        {
            _most = 9;
            Insert(0, 0);
            return this;
        }

        protected override void InsertItem(int index, int item)
        {
            base.InsertItem(index, item);
            if (Count > _most) RemoveAt(0);
        }
    }

    private sealed class ByNumber : KeyedCollection<int, int>
    {
        public ByNumber() { }

        public ByNumber(IEqualityComparer<int> comparer) : base(comparer) { }

        protected override int GetKeyForItem(int item) => item;
    }

    private sealed class Never : IEqualityComparer<int>
    {
        public bool Equals(int x, int y) => false;

        public int GetHashCode(int obj) => obj;
    }
}
