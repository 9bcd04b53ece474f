using Store.Tests.Generator;

namespace Store.Tests.Types;

/// <summary>Collections of the user's without type arguments: derived from those of the framework, or implementing IList or IDictionary. Their elements are objects.</summary>
public sealed class OwnLooseCollectionTests
{
    private const string Classes = """
        using System.Collections;
        using System.Collections.Specialized;
        using System.Linq;
        [assembly: NinoSerializable(typeof(Notes))] [assembly: NinoSerializable(typeof(Names))] [assembly: NinoSerializable(typeof(Items))] [assembly: NinoSerializable(typeof(Prices))] [assembly: NinoSerializable(typeof(Table))]
        [assembly: NinoSerializable(typeof(Sorted))] [assembly: NinoSerializable(typeof(Ordered))] [assembly: NinoSerializable(typeof(Short))] [assembly: NinoSerializable(typeof(Hybrid))]
        [NinoType] public sealed record Item(int Id, string? Name);
        public class Notes : ArrayList;
        public sealed class Jobs : Queue;
        public sealed class Pile : Stack;
        public sealed class Names : StringCollection;
        public sealed class Table : Hashtable;
        public sealed class Sorted : SortedList;
        public sealed class Ordered : OrderedDictionary;
        public sealed class Short : ListDictionary;
        public sealed class Hybrid : HybridDictionary;
        public sealed class Items : CollectionBase, IEnumerable<Item>
        {
            public Item this[int index] { get => (Item)List[index]!; set => List[index] = value; }
            public int Add(Item item) => List.Add(item);
            protected override void OnValidate(object value) { if (value is not Item) throw new ArgumentException("It is no item."); }
            IEnumerator<Item> IEnumerable<Item>.GetEnumerator() => throw new NotSupportedException();
        }
        public sealed class Prices : DictionaryBase
        {
            public decimal this[string name] { get => (decimal)Dictionary[name]!; set => Dictionary[name] = value; }
            public void Add(string name, decimal price) => Dictionary.Add(name, price);
        }

        """;

    /// <summary>A list and a dictionary that keep what they have themselves.</summary>
    private const string Own = """

        public abstract class Listed : IList
        {
            protected ArrayList All { get; } = [];
            public virtual int Add(object? value) => All.Add(value);
            public void Clear() => All.Clear();
            public bool Contains(object? value) => All.Contains(value);
            public int IndexOf(object? value) => All.IndexOf(value);
            public void Insert(int index, object? value) => All.Insert(index, value);
            public void Remove(object? value) => All.Remove(value);
            public void RemoveAt(int index) => All.RemoveAt(index);
            public void CopyTo(Array array, int index) => All.CopyTo(array, index);
            public IEnumerator GetEnumerator() => All.GetEnumerator();
            public object? this[int index] { get => All[index]; set => All[index] = value; }
            public int Count => All.Count;
            public bool IsFixedSize => false;
            public bool IsReadOnly => false;
            public bool IsSynchronized => false;
            public object SyncRoot => this;
        }
        public abstract class Mapped : IDictionary
        {
            protected Hashtable All { get; } = [];
            public virtual void Add(object key, object? value) => All.Add(key, value);
            public void Clear() => All.Clear();
            public bool Contains(object key) => All.Contains(key);
            public void Remove(object key) => All.Remove(key);
            public void CopyTo(Array array, int index) => All.CopyTo(array, index);
            public IDictionaryEnumerator GetEnumerator() => All.GetEnumerator();
            IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();
            public object? this[object key] { get => All[key]; set => All[key] = value; }
            public ICollection Keys => All.Keys;
            public ICollection Values => All.Values;
            public int Count => All.Count;
            public bool IsFixedSize => false;
            public bool IsReadOnly => false;
            public bool IsSynchronized => false;
            public object SyncRoot => this;
        }

        """;

    [Fact]
    public void TheyHaveTheSchemaAndTheBytesOfTheirBase() => Programs.Run(Classes + """
        [NinoType] public sealed class Own
        {
            public Notes? A; public Jobs? B; public Pile? C; public Names? D; public Table? E; public Sorted? F; public Ordered? G; public Short? H; public Hybrid? I; public Items? J; public Prices? K;
        }
        [NinoType] public sealed class Plain
        {
            public ArrayList? A; public Queue? B; public Stack? C; public StringCollection? D; public Hashtable? E; public SortedList? F; public OrderedDictionary? G; public ListDictionary? H; public HybridDictionary? I;
            public List<object>? J; public Dictionary<object, object>? K;
        }
        """, """
        object?[] values = [1, "a", null, new Item(2, "b")];
        var own = new Own
        {
            A = Filled(new Notes(), static (one, value) => one.Add(value)), B = Filled(new Jobs(), static (one, value) => one.Enqueue(value)), C = Filled(new Pile(), static (one, value) => one.Push(value)), D = new() { "b", null, "a" },
            E = new() { ["k"] = 1 }, F = new() { [2] = null, [1] = "a" }, G = new() { { "z", 1 }, { 5, null } }, H = new() { ["z"] = 1, [5] = null }, I = new() { ["z"] = 1, [5] = null }, J = new() { new Item(1, "a") }, K = new() { ["p"] = 1.5m },
        };
        var plain = new Plain
        {
            A = new(values), B = new(values), C = new(values), D = new() { "b", null, "a" },
            E = new() { ["k"] = 1 }, F = new() { [2] = null, [1] = "a" }, G = new() { { "z", 1 }, { 5, null } }, H = new() { ["z"] = 1, [5] = null }, I = new() { ["z"] = 1, [5] = null }, J = [new Item(1, "a")], K = new() { ["p"] = 1.5m },
        };
        string expected = Convert.ToHexString(NinoSerializer.Serialize(plain));
        Equal(expected, Convert.ToHexString(NinoSerializer.Serialize(own)));
        Equal(expected, Convert.ToHexString(NinoSerializer.Serialize(Copy(own))));
        Equal(Fields<Plain>(), Fields<Own>());
        T Filled<T>(T collection, Action<T, object?> add) { foreach (object? value in values) add(collection, value); return collection; }
        """);

    [Fact]
    public void TheyAreMembersAndObjectsAndNull() => Programs.Run(Classes + """
        [NinoType] public sealed class Holder { public Notes? Notes { get; set; } public Jobs? Jobs { get; set; } public Pile? Pile { get; set; } public Items Items { get; set; } = new(); public Prices? Prices { get; set; } public object? Any { get; set; } }
        """, """
        Holder holder = new() { Notes = [1, "a", null], Jobs = new(), Pile = new(), Prices = new() { ["x"] = 2m }, Any = new Notes { 7 } };
        holder.Jobs.Enqueue(1);
        holder.Jobs.Enqueue("last");
        holder.Pile.Push("bottom");
        holder.Pile.Push("top");
        holder.Items.Add(new(3, "c"));
        Holder copy = Copy(holder);
        Equal("3 a 1 last", string.Join(" ", copy.Notes!.Count, copy.Notes[1], copy.Jobs!.Dequeue(), copy.Jobs.Dequeue()));
        Equal("top bottom c 2", string.Join(" ", copy.Pile!.Pop(), copy.Pile.Pop(), copy.Items[0].Name, copy.Prices!["x"]));
        Equal("Notes 7", string.Join(" ", copy.Any!.GetType(), ((Notes)copy.Any)[0]));
        Holder empty = Copy(new Holder { Notes = [], Prices = new() });
        Equal((0, 0, 0, true, true), (empty.Notes!.Count, empty.Prices!.Count, empty.Items.Count, empty.Jobs is null, empty.Any is null));
        // What is there is not filled: it is made anew.
        Holder? into = new() { Notes = ["old"] };
        Notes old = into.Notes!;
        NinoSerializer.Deserialize(NinoSerializer.Serialize(holder), ref into);
        Equal((1, 3), (old.Count, into!.Notes!.Count));
        """);

    [Fact]
    public void ListsArraysAndCollectionsOfObjectsBecomeThemAndTheyBecomeThose() => Programs.Run(Classes + """
        [NinoType] public sealed class Plain { public List<object?>? Notes { get; set; } public object[]? Items { get; set; } public Dictionary<object, object?>? Table { get; set; } public List<string?>? Names { get; set; } }
        [NinoType, NinoFormerName("Own")] public sealed class Later { public object?[]? Notes { get; set; } public List<object>? Items { get; set; } public IDictionary? Table { get; set; } public string?[]? Names { get; set; } }
        [NinoType] public sealed class Loose { public ArrayList? Notes { get; set; } public IEnumerable? Items { get; set; } public Hashtable? Table { get; set; } public StringCollection? Names { get; set; } }
        [NinoType, NinoFormerName("Plain"), NinoFormerName("Loose"), NinoFormerName("Single")] public sealed class Own { public Notes? Notes { get; set; } public Items? Items { get; set; } public Table? Table { get; set; } public Names? Names { get; set; } }
        [NinoType] public sealed class Single { public object? Notes { get; set; } }
        """, """
        Own own = Evolve<Plain, Own>(new Plain { Notes = [1, null], Items = [new Item(1, "a")], Table = new() { ["k"] = 2 }, Names = ["n"] });
        Equal("2 1 a 2 n", string.Join(" ", own.Notes!.Count, own.Notes[0], own.Items![0].Name, own.Table!["k"], own.Names![0]));
        Later later = Evolve<Own, Later>(own);
        Equal("1  a 2 n", string.Join(" ", later.Notes![0], later.Notes[1], ((Item)later.Items![0]).Name, later.Table!["k"], later.Names![0]));
        own = Evolve<Loose, Own>(new Loose { Notes = [3, null], Items = new List<Item> { new(1, "a") }, Table = new() { ["k"] = 2 }, Names = ["n"] });
        Equal("2 3 a 2 n", string.Join(" ", own.Notes!.Count, own.Notes[0], own.Items![0].Name, own.Table!["k"], own.Names![0]));
        Equal("a", (string?)Evolve<Single, Own>(new Single { Notes = "a" }).Notes![0]);
        // What it does not take is refused where it is read of an older shape, too.
        Refused(() => Evolve<Plain, Own>(new Plain { Items = ["no item"] }), "Element 0 was refused by the Add of a new 'Items': It is no item.");
        """);

    [Fact]
    public void ToolsShowThemAsTheListsAndMapsThatTheyAre() => Programs.Run(Classes + """
        [NinoType] public sealed class Own { public Notes? Notes { get; set; } public Prices? Prices { get; set; } }
        [NinoType] public sealed class Plain { public List<object?>? Notes { get; set; } public Dictionary<object, object?>? Prices { get; set; } }
        """, """
        string own = Json(Copy(new Own { Notes = [1, "a", null], Prices = new() { ["p"] = 1.5m } }));
        Equal(Json(new Plain { Notes = [1, "a", null], Prices = new() { ["p"] = 1.5m } }), own);
        Equal(true, own.StartsWith("{\"Notes\":["));
        static string Json<T>(T value)
        {
            var stream = new System.IO.MemoryStream();
            using (var writer = new System.Text.Json.Utf8JsonWriter(stream)) NinoJson.Write(writer, NinoSerializer.SchemaOf<T>(), NinoSerializer.Serialize(value));
            return System.Text.Encoding.UTF8.GetString(stream.ToArray());
        }
        """);

    [Fact]
    public void WhatImplementsTheInterfacesItselfIsStoredSoToo() => Programs.Run("""
        using System.Collections;
        [NinoType] public sealed class Holder { public Plain? List { get; set; } public Register? Map { get; set; } public Few Few { get; set; } }
        public sealed class Plain : Listed;
        public sealed class Register : Mapped;
        public struct Few : IList
        {
            private ArrayList? _all;
            public int Add(object? value) => (_all ??= []).Add(value);
            public void Clear() => _all = null;
            public readonly bool Contains(object? value) => _all?.Contains(value) == true;
            public readonly int IndexOf(object? value) => _all?.IndexOf(value) ?? -1;
            public readonly void Insert(int index, object? value) => _all!.Insert(index, value);
            public readonly void Remove(object? value) => _all?.Remove(value);
            public readonly void RemoveAt(int index) => _all!.RemoveAt(index);
            public readonly void CopyTo(Array array, int index) => _all?.CopyTo(array, index);
            public readonly IEnumerator GetEnumerator() => (_all ?? []).GetEnumerator();
            public object? this[int index] { readonly get => _all![index]; set => (_all ??= [])[index] = value; }
            public readonly int Count => _all?.Count ?? 0;
            public readonly bool IsFixedSize => false;
            public readonly bool IsReadOnly => false;
            public readonly bool IsSynchronized => false;
            public readonly object SyncRoot => this;
        }
        """ + Own, """
        var few = new Few();
        few.Add("f");
        Holder copy = Copy(new Holder { List = new Plain { 1, null }, Map = new Register { { "k", 2 } }, Few = few });
        Equal("2 1  2 1 f", string.Join(" ", copy.List!.Count, copy.List[0], copy.List[1], copy.Map!["k"], copy.Few.Count, copy.Few[0]));
        Equal((true, true, 0), (Copy(new Holder()).List is null, Copy(new Holder()).Map is null, Copy(new Holder()).Few.Count));
        """);

    [Fact]
    public void WhatShowsAListThatCannotBeChangedIsStoredAsItsMembers() => Programs.Run("""
        using System.Collections;
        [assembly: NinoSerializable(typeof(Shown))]
        public sealed class Shown(string text) : IReadOnlyList<char>, IList
        {
            public string Text { get; } = text;
            public char this[int index] => Text[index];
            public int Count => Text.Length;
            public IEnumerator<char> GetEnumerator() => Text.GetEnumerator();
            IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();
            object? IList.this[int index] { get => this[index]; set => throw new NotSupportedException(); }
            int IList.Add(object? value) => throw new NotSupportedException();
            void IList.Clear() => throw new NotSupportedException();
            bool IList.Contains(object? value) => throw new NotSupportedException();
            int IList.IndexOf(object? value) => throw new NotSupportedException();
            void IList.Insert(int index, object? value) => throw new NotSupportedException();
            void IList.Remove(object? value) => throw new NotSupportedException();
            void IList.RemoveAt(int index) => throw new NotSupportedException();
            bool IList.IsFixedSize => true;
            bool IList.IsReadOnly => true;
            void ICollection.CopyTo(Array array, int index) => throw new NotSupportedException();
            bool ICollection.IsSynchronized => false;
            object ICollection.SyncRoot => this;
        }
        """, """
        Equal("abc", Copy(new Shown("abc")).Text);
        """);

    [Fact]
    public void WhatANewOneWouldNotHaveAgainIsRefusedOnWriting() => Programs.Run("""
        using System.Collections;
        [assembly: NinoSerializable(typeof(Newest))] [assembly: NinoSerializable(typeof(Doubled))] [assembly: NinoSerializable(typeof(Started))] [assembly: NinoSerializable(typeof(Distinct))] [assembly: NinoSerializable(typeof(Emptied))]
        [assembly: NinoSerializable(typeof(Wrapped))] [assembly: NinoSerializable(typeof(Late))] [assembly: NinoSerializable(typeof(Upper))] [assembly: NinoSerializable(typeof(Words))] [assembly: NinoSerializable(typeof(Falling))] [assembly: NinoSerializable(typeof(Either))]
        [NinoType] public sealed class Item { public int Id; }
        public sealed class Newest : Listed { public override int Add(object? value) { All.Insert(0, value); return 0; } }
        public sealed class Doubled : ArrayList { public override int Add(object? value) => base.Add(value is int number ? number * 2 : value); }
        public sealed class Started : ArrayList { public Started() => Add(0); }
        public sealed class Distinct : Listed { public override int Add(object? value) => Contains(value) ? -1 : base.Add(value); public void More(object? value) => All.Add(value); }
        public sealed class Emptied : CollectionBase { public void Put(object? value) => InnerList.Add(value); }
        public sealed class Wrapped : Listed { public override int Add(object? value) => base.Add(value is Item item ? new Item { Id = item.Id } : value); }
        public sealed class Late : Queue { public override void Enqueue(object? value) => base.Enqueue("later " + value); }
        public sealed class Upper : Mapped { public override void Add(object key, object? value) => base.Add(key, value is string text ? text + "!" : value); }
        public sealed class Words : Hashtable { public Words() : base(StringComparer.OrdinalIgnoreCase) { } public Words(IEqualityComparer comparer) : base(comparer) { } }
        public sealed class Falling : SortedList { public Falling() : base(Comparer<object>.Create(static (a, b) => ((int)b).CompareTo((int)a))) { } }
        public sealed class Either : SortedList { public Either() { } public Either(IComparer comparer) : base(comparer) { } }
        """ + Own, """
        Refused(() => Copy(new Newest { 1, 2 }), "has another element 0 once its elements are added");
        Equal(1, (int)Copy(new Newest { 1 })[0]!);
        Refused(() => Copy(new Doubled { 1 }), "has another element 0 once its elements are added");
        Refused(() => Copy(new Started()), "has 1 elements, and 2 once they are added");
        var distinct = new Distinct { 1 };
        distinct.More(1);
        Refused(() => Copy(distinct), "has 2 elements, and 1 once they are added");
        var emptied = new Emptied();
        emptied.Put(null);
        Refused(() => Copy(emptied), "Element 0 was refused by the Add of a new 'Emptied'");
        Equal((2, 5), (Copy(new Wrapped { new Item { Id = 5 }, "a" }).Count, ((Item)Copy(new Wrapped { new Item { Id = 5 } })[0]!).Id));
        var late = new Late();
        late.Enqueue(1);
        Refused(() => Copy(late), "has another element 0 once its elements are added");
        Refused(() => Copy(new Upper { { "k", "v" } }), "its Add makes something else of them");
        Equal(1, (int)Copy(new Words { ["Key"] = 1 })["kEY"]!);
        Refused(() => Copy(new Words(StringComparer.Ordinal) { ["a"] = 1, ["A"] = 2 }), "Element 1 was refused by the Add of a new 'Words'");
        Equal("3,2,1", string.Join(",", System.Linq.Enumerable.Cast<int>(Copy(new Falling { [1] = "a", [3] = "c", [2] = "b" }).Keys)));
        Refused(() => Copy(new Either(Comparer<object>.Create(static (a, b) => ((int)b).CompareTo((int)a))) { [1] = "a", [2] = "b" }), "has another element 0 once its elements are added");
        """);

    [Fact]
    public void WritingThemDoesNothingToTheirElementsAndReadingGivesThemTheirOwner() => Programs.Run("""
        using System.Collections;
        [assembly: NinoSerializable(typeof(Fleet))]
        [NinoType] public sealed class Car { public int Id { get; set; } [NinoIgnore] public Fleet? Owner { get; set; } }
        public sealed class Fleet : CollectionBase
        {
            public Car this[int index] => (Car)List[index]!;
            public void Add(Car car) => List.Add(car);
            protected override void OnInsertComplete(int index, object? value) => ((Car)value!).Owner = this;
        }
        """, """
        var fleet = new Fleet { new Car { Id = 1 } };
        Fleet copy = Copy(fleet);
        Equal((true, true), (ReferenceEquals(fleet, fleet[0].Owner), ReferenceEquals(copy, copy[0].Owner)));
        """);

    /// <summary>The record meets the child first, and the collection of its parent holds it when it has no name yet.</summary>
    [Fact]
    public void WhatTheyHoldBeforeItIsWholeIsPutInOnceMore() => Programs.Run("""
        using System.Collections;
        [NinoType(References = true)] public sealed class Node { public Node? Parent { get; set; } public Nodes? Children { get; set; } public Ids? Named { get; set; } public string? Name { get; set; } }
        public sealed class Nodes : CollectionBase
        {
            private readonly Dictionary<string, Node> _byName = [];
            public void Add(Node node) => List.Add(node);
            public Node? Find(string name) => _byName.GetValueOrDefault(name);
            protected override void OnInsertComplete(int index, object? value) => _byName[((Node)value!).Name ?? ""] = (Node)value;
            protected override void OnClearComplete() => _byName.Clear();
        }
        public sealed class Ids : DictionaryBase
        {
            public List<string> Seen() => [.. _seen];
            private readonly List<string> _seen = [];
            public void Add(int id, Node node) => Dictionary.Add(id, node);
            protected override void OnInsertComplete(object key, object? value) => _seen.Add(((Node)value!).Name ?? "nobody");
            protected override void OnClearComplete() => _seen.Clear();
        }
        """, """
        var parent = new Node { Name = "parent", Children = new(), Named = new() };
        var child = new Node { Name = "child", Parent = parent };
        parent.Children.Add(child);
        parent.Named.Add(1, child);
        Node copy = Copy(child);
        Equal((true, null, "child"), (ReferenceEquals(copy, copy.Parent!.Children!.Find("child")), copy.Parent.Children.Find(""), string.Join(",", copy.Parent.Named!.Seen())));
        """);

    [Fact]
    public void BytesThatNobodyWroteAreRefused() => Programs.Run(Classes, """
        // As many elements as a number can tell, in five bytes.
        foreach (Action read in new Action[] { () => NinoSerializer.Deserialize<Notes>([254, 255, 255, 255, 127]), () => NinoSerializer.Deserialize<Names>([254, 255, 255, 255, 127]), () => NinoSerializer.Deserialize<Table>([254, 255, 255, 255, 127]) }) Refused(read);
        byte[] loose = NinoSerializer.Serialize(Copy(new Notes { new Item(1, null), 5 })), twice = NinoSerializer.Serialize(new Ordered { { 1, null }, { 2, null } });
        Refused(() => NinoSerializer.Deserialize<Items>(loose), "Element 1 was refused by the Add of a new 'Items': It is no item.");
        twice[Array.LastIndexOf(twice, (byte)2)] = 1;
        Refused(() => NinoSerializer.Deserialize<Ordered>(twice), "Element 1 was refused by the Add of a new 'Ordered'");
        // A comparer that no map of objects has.
        byte[] marked = [255, 2, .. NinoSerializer.Serialize(new Table { ["a"] = 1 })];
        Refused(() => NinoSerializer.Deserialize<Table>(marked));
        """);

    /// <summary>Where a cast in an Add fails, that is told as any refusal is.</summary>
    [Fact]
    public void AnElementOfAnotherTypeThanTheirCodeCastsToIsToldWithItsPlace() => Programs.Run("""
        using System.Collections;
        [assembly: NinoSerializable(typeof(Any))] [assembly: NinoSerializable(typeof(Numbers))]
        public sealed class Any : Listed;
        public sealed class Numbers : Listed { public override int Add(object? value) => All.Add((int)value!); }
        """ + Own, """
        byte[] bytes = NinoSerializer.Serialize(new Any { 1, "two" });
        Refused(() => NinoSerializer.Deserialize<Numbers>(bytes), "Element 1 was refused by the Add of a new 'Numbers'");
        Equal(7, (int)Copy(new Numbers { 7 })[0]!);
        """);

    [Fact]
    public void AKeyThatMayLeadBackToItselfIsRefused() => Programs.Run("""
        using System.Collections;
        [NinoType(References = true)] public sealed record Node(int Id) { public Node? Next { get; set; } }
        public sealed class Table : Hashtable;
        [NinoType] public sealed class Holder { public Table? Table { get; set; } }
        """, """
        Refused(() => Copy(new Holder { Table = new() { [new Node(1)] = 1 } }), "Declare the type of the keys");
        Equal(1, Copy(new Holder { Table = new() { [1] = new Node(1) } }).Table!.Count);
        """);

    [Fact]
    public void KeysThatWereChosenToMeetAreCounted() => Programs.Run(Classes.Replace("[NinoType] public sealed record Item", "[assembly: NinoSerializable(typeof(Falling))] [NinoType] public sealed record Item", StringComparison.Ordinal) + """
        public sealed class Falling : SortedList { public Falling() : base(Comparer<object>.Create(static (a, b) => ((long)b).CompareTo((long)a))) { } }
        """, """
        const int Count = 1500;
        // Of one hash code, in each of the tables that there are on the way; an honest one takes nothing.
        long all = Excess(1390) + Excess(Count);
        Counted(Filled(new Table()), all);
        Counted(Filled(new Ordered()), all);
        Counted(Filled(new Prices()), all);
        Counted(Filled(new Hybrid()), Excess(794) + Excess(Count));
        Counted(Filled(new Short()), (long)Count * (Count - 1) / 2);
        var honest = new Table();
        for (long i = 0; i < Count; i++) honest.Add(i, null);
        NinoSerializer.Deserialize<Table>(NinoSerializer.Serialize(honest), new NinoLimits { MaxKeyComparisons = 0 });
        // In the order that a list has itself nothing moves, whatever its comparer is, and in another one each key moves all before it.
        NinoSerializer.Deserialize<Sorted>(NinoSerializer.Serialize(Filled(new Sorted())), new NinoLimits { MaxKeyComparisons = 0 });
        byte[] falling = NinoSerializer.Serialize(Filled(new Falling()));
        Equal(Count, NinoSerializer.Deserialize<Falling>(falling, new NinoLimits { MaxKeyComparisons = 0 }).Count);
        Refused(() => NinoSerializer.Deserialize<Sorted>(falling, new NinoLimits { MaxKeyComparisons = 60_000 }), "comparisons");
        Equal(Count, NinoSerializer.Deserialize<Sorted>(falling).Count);
        Copy(new Falling { [1L] = 2 });

        T Filled<T>(T map) where T : IDictionary { for (long i = 1; i <= Count; i++) map.Add((i << 32) | i, 1m); return map; }
        static long Excess(int keys) => (keys - 17L) * (keys - 16) / 2;
        static void Counted<T>(T map, long comparisons) where T : IDictionary
        {
            byte[] bytes = NinoSerializer.Serialize(map);
            Equal(Count, NinoSerializer.Deserialize<T>(bytes, new NinoLimits { MaxKeyComparisons = comparisons }).Count);
            Refused(() => NinoSerializer.Deserialize<T>(bytes, new NinoLimits { MaxKeyComparisons = comparisons - 1 }), "comparisons");
        }
        """);
}
