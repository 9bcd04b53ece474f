using Store.Tests.Generator;

namespace Store.Tests.Filling;

/// <summary>What code of the user's makes of other members while collections are filled: getters that are computed of them, setters that change them, and observers.</summary>
public sealed class BesideFillingTests
{
    /// <summary>A getter is not asked before the collection is filled that it looks at, and a setter is not called for what was computed of nothing.</summary>
    [Fact]
    public void WhatIsComputedOfACollectionIsComputedOfAllOfIt() => Programs.Run("""
        [NinoType] public class Sale { private decimal? _sum; public List<decimal> Lines { get; } = []; public decimal Total { get => _sum ??= System.Linq.Enumerable.Sum(Lines); set { } } }
        [NinoType] public class Titled { private string _title = ""; public List<string> Lines { get; } = []; public string Title { get => Lines.Count == 0 ? "(none)" : _title; set { _title = value; Lines.Clear(); } } }
        [NinoType] public class Two { private string _title = ""; public List<string> Lines { get; } = []; public List<int> Other { get; } = []; public string Title { get => Lines.Count == 0 ? "(none)" : _title; set { _title = value; Lines.Clear(); } } }
        [NinoType] public class Joined { public List<string> Items { get; } = []; public string Text { get => string.Join(",", Items); set { Items.Clear(); foreach (string one in value.Split(',')) Items.Add(one.Trim()); } } }
        [NinoType] public class Choice { public List<string> Items { get; } = []; private string? _current; public string? Current { get => _current; set { if (value is null || Items.Contains(value)) _current = value; } } }
        """, """
        Equal(1.5m, Copy(new Sale { Lines = { 1.5m } }).Total);
        Titled titled = new() { Title = "T" };
        titled.Lines.Add("a");
        Equal(("T", "a"), (Copy(titled).Title, Copy(titled).Lines[0]));
        Two two = new() { Title = "T" };
        two.Lines.Add("a");
        two.Other.Add(1);
        Equal(("T", "a", 1), (Copy(two).Title, Copy(two).Lines[0], Copy(two).Other[0]));
        Equal(("a", " b", 2), (Copy(new Joined { Items = { "a", " b" } }).Items[0], Copy(new Joined { Items = { "a", " b" } }).Items[1], Copy(new Joined { Items = { "a", " b" } }).Items.Count));
        Equal("b", Copy(new Choice { Items = { "a", "b" }, Current = "b" }).Current);
        """);

    [Fact]
    public void WhatAnObserverComputesIsPutBackToTheLastBit() => Programs.Run("""
        using System.Collections.ObjectModel;
        [NinoType] public struct Version1 : IEquatable<Version1> { public int Id; public int Revision; public bool Equals(Version1 other) => other.Id == Id; public override bool Equals(object? other) => throw new InvalidOperationException(); public override int GetHashCode() => Id; }
        [System.Runtime.CompilerServices.InlineArray(2)] public struct Two { private int _first; }
        [NinoType] public class Model
        {
            public ObservableCollection<decimal> Items { get; } = [];
            public Model() => Items.CollectionChanged += (_, _) => (Sum, When, Zero, Which, Named, Link, Tag, Name) = (System.Linq.Enumerable.Sum(Items) + 0.00m, When.ToUniversalTime(), 0.0, new() { Id = Which.Id, Revision = 9 }, ("x", 1), new Uri("one:b"), 7, null);
            public decimal Sum { get => field; set => field = value; }
            public DateTimeOffset When { get => field; set => field = value; }
            public double Zero { get => field; set => field = value; }
            public Version1 Which { get => field; set => field = value; }
            public (string, int) Named { get => field; set => field = value; }
            public Uri? Link { get => field; set => field = value; }
            public object? Tag { get => field; set => field = value; }
            public string? Name { get => field ?? throw new InvalidOperationException(); set => field = value; }
            public Two Room { get => field; set => field = value; }
        }
        """, """
        Model model = new() { Items = { 1.00m } };
        (model.Sum, model.When, model.Zero, model.Which, model.Named, model.Link, model.Tag, model.Name) = (1.0m, new DateTimeOffset(2026, 1, 2, 3, 4, 5, TimeSpan.FromHours(2)), -0.0, new() { Id = 1, Revision = 7 }, ("y", 2), new Uri("two:d"), "text", "n");
        Two room = new();
        room[1] = 3;
        model.Room = room;
        Model copy = Copy(model);
        Equal(("1.0", TimeSpan.FromHours(2), true, 7), (copy.Sum.ToString(System.Globalization.CultureInfo.InvariantCulture), copy.When.Offset, double.IsNegative(copy.Zero), copy.Which.Revision));
        Equal((("y", 2), "two:d", "text", "n", 3), (copy.Named, copy.Link!.OriginalString, (string)copy.Tag!, copy.Name, copy.Room[1]));
        """);

    /// <summary>Setters that are called again may change what was put back before them.</summary>
    [Fact]
    public void WhateverTheirOrderEachMemberIsWhatWasStored() => Programs.Run("""
        using System.Collections.ObjectModel;
        [NinoType] public class Counted { public int Changes { get; set; } public string Name { get => field; set { field = value; Changes++; Log += "c"; } } = ""; public string Log { get; set; } = ""; public ObservableCollection<int> Items { get; } = []; public Counted() => Items.CollectionChanged += (_, _) => Name = Items.Count + " items"; }
        [NinoType] public class Coded { public bool IsDirty { get => field; set => field = value; } public int Sum { get => field; set { field = value; IsDirty = true; } } public ObservableCollection<int> Items { get; } = []; public Coded() => Items.CollectionChanged += (_, _) => Sum = Items.Count; }
        """, """
        Counted counted = new() { Items = { 1 }, Name = "x" };
        (counted.Changes, counted.Log) = (5, "q");
        Counted copy = Copy(counted);
        Equal((5, "x", "q"), (copy.Changes, copy.Name, copy.Log));
        Coded coded = new() { Items = { 1 } };
        (coded.Sum, coded.IsDirty) = (99, false);
        Equal((99, false), (Copy(coded).Sum, Copy(coded).IsDirty));
        """);

    /// <summary>Of one whose setter is code, the one that it was given is looked at.</summary>
    [Theory]
    [InlineData("List<string> Other { get; set; } = [];", "Other.Add(\"x\")")]
    [InlineData("Dictionary<string, int> Other { get; } = [];", "Other[\"a\" + Other.Count] = 1")]
    [InlineData("List<object> Other { get => field; set => field = value; } = [];", "Other.Add(1)")]
    public void ACollectionThatAnObserverChangesIsRefused(string other, string change) => Programs.Run($$"""
        using System.Collections.ObjectModel;
        [NinoType] public class Model { public {{other}} public ObservableCollection<int> Items { get; } = []; public Model() => Items.CollectionChanged += (_, _) => {{change}}; }
        [NinoType] public class Quiet { public {{other}} public ObservableCollection<int> Items { get; } = []; }
        """, """
        Refused(() => Copy(new Model { Items = { 1 } }), "changed 'Other'");
        Equal(1, Copy(new Quiet { Items = { 1 } }).Items[0]);
        """);

    /// <summary>Who takes elements out of it may do so when it likes.</summary>
    [Fact]
    public void WhatIsTakenOutOfAConcurrentCollectionIsTakenOnce() => Programs.Run("""
        using System.Collections.Concurrent; using System.Collections.ObjectModel;
        [NinoType] public class Model { public BlockingCollection<int> Jobs { get; } = []; public ObservableCollection<int> Items { get; } = []; public Model() => Items.CollectionChanged += (_, _) => Jobs.TryTake(out _); }
        """, """
        Model model = new();
        model.Items.Add(1);
        model.Jobs.Add(5);
        model.Jobs.Add(6);
        Equal((1, 0), (Copy(model).Items.Count, Copy(model).Jobs.Count));
        """);

    [Fact]
    public void WhatAnObserverPutsInThePlaceOfAnotherIsFilledOrRefused() => Programs.Run("""
        using System.Collections.ObjectModel;
        [NinoType] public class Behind { private List<int> _index = []; public ObservableCollection<string> Lines { get; } = []; public List<int> Index => _index; public Behind() => Lines.CollectionChanged += (_, _) => _index = []; }
        [NinoType] public class Before { private List<int>? _index; public List<int> Index => _index ??= []; public ObservableCollection<string> Lines { get; } = []; public Before() => Lines.CollectionChanged += (_, _) => _index = null; }
        """, """
        Behind behind = new() { Lines = { "a" } };
        behind.Index.Add(7);
        Equal((7, "a"), (Copy(behind).Index[0], Copy(behind).Lines[0]));
        Before before = new() { Lines = { "a" } };
        before.Index.Add(7);
        Refused(() => Copy(before), "Before.Index", "another collection each time");
        """);

    /// <summary>What is set again is compared as it will be: a setter that puts another collection there is no observer.</summary>
    [Theory]
    [InlineData("List<string>? Cities { get; set; } = [];", "[\"x\"]", "null")]
    [InlineData("List<string>? Cities { get; set; } = [];", "[\"x\"]", "[]")]
    [InlineData("string[]? Cities { get; set; } = [];", "[\"x\"]", "null")]
    [InlineData("object? Cities { get; set; }", "\"x\"", "null")]
    [InlineData("HashSet<string> Cities { get; set; } = [];", "[\"x\"]", "[\"y\", \"z\"]")]
    public void WhatASetterWithCodePutsInThePlaceOfAnotherIsPutBack(string cities, string value, string replaced) => Programs.Run($$"""
        [NinoType] public class Address { public {{cities}} public string Country { get => field; set { field = value; Cities = {{replaced}}; } } = ""; public List<int> Floors { get; } = []; }
        """, $$"""
        Address address = new() { Country = "c", Floors = { 1 } };
        address.Cities = {{value}};
        Address copy = Copy(address);
        Equal(("c", 1), (copy.Country, copy.Floors[0]));
        Equal(Convert.ToHexString(NinoSerializer.Serialize(address)), Convert.ToHexString(NinoSerializer.Serialize(copy)));
        """);

    /// <summary>Each setter resets what depends on it, and an observer the first of them.</summary>
    [Fact]
    public void SettersThatChangeEachOtherAreCalledUntilAllIsAsItWas() => Programs.Run("""
        using System.Collections.ObjectModel;
        [NinoType] public class Combo
        {
            public string? City { get => field; set => field = value; }
            public string? Region { get => field; set { if (field == value) return; field = value; City = null; } }
            public string? Country { get => field; set { if (field == value) return; field = value; Region = null; } }
            public ObservableCollection<string> Countries { get; } = [];
            public Combo() => Countries.CollectionChanged += (_, _) => { if (!Countries.Contains(Country!)) Country = Countries.Count > 0 ? Countries[0] : null; };
        }
        """, """
        Combo combo = new() { Countries = { "DE", "FR" } };
        (combo.Country, combo.Region, combo.City) = ("FR", "IDF", "Paris");
        Combo copy = Copy(combo);
        Equal(("FR", "IDF", "Paris"), (copy.Country, copy.Region, copy.City));
        """);

    /// <summary>Of the framework's: what the tables of types call numbers and texts, also where they hold references.</summary>
    [Fact]
    public void NumbersAndTextsOfAnyTypeArePutBack() => Programs.Run("""
        using System.Collections.ObjectModel; using System.Drawing; using System.Net; using System.Numerics;
        [NinoType] public class Model
        {
            public ObservableCollection<int> Items { get; } = [];
            public Model() => Items.CollectionChanged += (_, _) => (Big, Tint, Host) = (0, Color.Red, null);
            public BigInteger Big { get => field; set => field = value; }
            public Color Tint { get => field; set => field = value; }
            public IPAddress? Host { get => field; set => field = value; }
        }
        """, """
        Model model = new() { Items = { 1 } };
        (model.Big, model.Tint, model.Host) = (5, Color.Blue, IPAddress.Loopback);
        Model copy = Copy(model);
        Equal((5, Color.Blue, IPAddress.Loopback), (copy.Big, copy.Tint, copy.Host!));
        """);

    /// <summary>The setter finds the collection empty when it is called first.</summary>
    [Theory]
    [InlineData("record Item(string Name);", "Item?")]
    [InlineData("record struct Item(string Name);", "Item")]
    [InlineData("record struct Item(string Name);", "Item?")]
    public void ASetterThatTakesOnlyWhatIsInACollectionIsCalledWhenItIsFilled(string item, string type) => Programs.Run($$"""
        [NinoType] public {{item}}
        [NinoType] public class Choice { private {{type}} _current; public List<Item> Items { get; } = []; public {{type}} Current { get => _current; set { if (value is Item one && Items.Contains(one)) _current = value; } } }
        """, """
        Choice choice = new() { Items = { new("a"), new("b") }, Current = new Item("b") };
        Equal(new Item("b"), Copy(choice).Current);
        Choice? there = new();
        NinoSerializer.Deserialize(NinoSerializer.Serialize(choice), ref there);
        Equal(new Item("b"), there!.Current);
        """);

    /// <summary>The object that is there is filled as a new one is: what an observer puts into a member behind the collection is not read into.</summary>
    [Theory]
    [InlineData("List<int> Index { get; } = [];")]
    [InlineData("List<int> Index { get; set; } = [];")]
    public void WhatAnObserverPutsIntoAMemberIsNotReadInto(string index) => Programs.Run($$"""
        using System.Collections.ObjectModel;
        [NinoType] public class Model { public ObservableCollection<int> Items { get; } = []; public {{index}} public List<int>? Shown { get; set; } public Model() => Items.CollectionChanged += (_, _) => Shown = Index; }
        """, """
        Model model = new() { Items = { 1 }, Index = { 2 } };
        model.Shown = [3];
        Model? there = new(), made = Copy(model);
        NinoSerializer.Deserialize(NinoSerializer.Serialize(model), ref there);
        Equal((1, 2, 3), (made.Items[0], made.Index[0], made.Shown![0]));
        Equal((1, 2, 3), (there!.Items[0], there.Index[0], there.Shown![0]));
        """);

    /// <summary>A getter may give something else each time: what it computes is no part of the object.</summary>
    [Fact]
    public void AGetterThatGoesByTheClockIsRead() => Programs.Run("""
        [NinoType] public class Recent { public List<DateTime> Log { get; } = []; public List<DateTime> Last { get => Log.FindAll(static one => one > DateTime.UtcNow.AddMilliseconds(-20)); set { } } public DateTime Now { get => DateTime.UtcNow; set { } } }
        """, """
        Recent recent = new() { Log = { DateTime.UtcNow } };
        byte[] record = NinoSerializer.Serialize(recent);
        System.Threading.Thread.Sleep(60);
        Equal(1, Copy(NinoSerializer.Deserialize<Recent>(record)).Log.Count);
        """);

    [Fact]
    public void AnObjectMayBeTheCollectionThatIsFilled() => Programs.Run("""
        [assembly: NinoSerializable(typeof(List<int>))]
        [NinoType] public class Given(object data) { public object Data { get; set; } = data; public IList<int> View { get; } = data as IList<int> ?? new List<int>(); }
        """, """
        Equal(1, Copy(new Given(new List<int> { 1 })).View[0]);
        Equal("a", (string)Copy(new Given("a")).Data);
        Refused(() => Copy(new Given(new List<int> { 1 }) { Data = new List<int> { 9 } }), "changed 'Data'");
        """);

    /// <summary>That of a dictionary that keeps an order is part of what it holds.</summary>
    [Fact]
    public void AnOrderThatWouldBeLostIsRefused() => Programs.Run("""
        [NinoType] public class Ordered(OrderedDictionary<string, int> a) { public OrderedDictionary<string, int> A { get; set; } = a; public IDictionary<string, int> V { get; } = a; }
        """, """
        OrderedDictionary<string, int> one = new() { ["a"] = 1, ["b"] = 2 }, other = new() { ["b"] = 2, ["a"] = 1 };
        Equal("a", System.Linq.Enumerable.First(Copy(new Ordered(one)).A.Keys));
        Refused(() => Copy(new Ordered(one) { A = other }), "changed 'A'");
        """);

    /// <summary>Equals of elements is not called, a Count that throws tells nothing, and elements are encoded as deep as the reader may go.</summary>
    [Fact]
    public void CodeOfElementsAndCollectionsIsNotInTheWay() => Programs.Run("""
        using System.Collections;
        [NinoType] public class Item { public int Id { get; set; } public override bool Equals(object? other) => ((Item)other!).Id == Id; public override int GetHashCode() => Id; }
        [NinoType] public class Model { public List<string> Names { get; set; } = []; public List<Item> Items { get; } = [new()]; }
        public class Uncounted : ICollection<int>, ICollection
        {
            private readonly List<int> _all = [];
            public int Count => _all.Count;
            int ICollection.Count => throw new NotSupportedException();
            bool ICollection.IsSynchronized => false;
            object ICollection.SyncRoot => this;
            public bool IsReadOnly => false;
            public void Add(int item) => _all.Add(item);
            public void Clear() => _all.Clear();
            public bool Contains(int item) => _all.Contains(item);
            public void CopyTo(int[] array, int index) => _all.CopyTo(array, index);
            void ICollection.CopyTo(Array array, int index) => throw new NotSupportedException();
            public bool Remove(int item) => _all.Remove(item);
            public IEnumerator<int> GetEnumerator() => _all.GetEnumerator();
            IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();
        }
        [NinoType] public class Both { public Uncounted Other { get; set; } = new(); public Uncounted Filled { get; } = new(); }
        [NinoType] public class Deep { public Deep? Inner { get; set; } public int X { get; set; } }
        [NinoType] public class Wrapping(List<Deep> a) { public List<Deep> A { get; set; } = a; public System.Collections.ObjectModel.Collection<Deep> V { get; } = new(a); }
        """, """
        Equal("a", Copy(new Model { Names = { "a" } }).Names[0]);
        Equal((1, 2), (System.Linq.Enumerable.First(Copy(new Both { Other = { 1 }, Filled = { 2 } }).Other), System.Linq.Enumerable.First(Copy(new Both { Other = { 1 }, Filled = { 2 } }).Filled)));
        Deep first = Chain(1), second = Chain(2);
        NinoLimits limits = new() { MaxDepth = 500 };
        Wrapping wrapping = new([first]) { A = [second] };
        byte[] record = NinoSerializer.Serialize(wrapping, limits);
        Refused(() => NinoSerializer.Deserialize<Wrapping>(record, limits), "changed 'A'");
        static Deep Chain(int x) { Deep deep = new() { X = x }; for (int i = 0; i < 100; i++) deep = new() { Inner = deep }; return deep; }
        """);

    [Fact]
    public void AnObjectWhoseConstructorPutOneCollectionIntoTwoMembersIsMadeAnew() => Programs.Run("""
        [NinoType] public class Two { public List<int> A { get; set; } public List<int> B { get; } public Two() => A = B = []; }
        """, """
        Two two = new();
        two.A.Add(1);
        Equal(1, Copy(two).B[0]);
        byte[] record = NinoSerializer.Serialize(two);
        Two? there = new(), before = there;
        NinoSerializer.Deserialize(record, ref there);
        Equal((1, 1, false), (there!.A[0], there.B[0], ReferenceEquals(there, before)));
        """);
}
