using Store.Tests.Generator;

namespace Store.Tests.Filling;

/// <summary>Models of other assemblies whose collections have no setter: their code is out of sight, so what their getters give is looked at when the program runs.</summary>
public sealed class FilledModelTests
{
    private const string Library = """
        namespace ProtoBuf { public sealed class ProtoContractAttribute : Attribute; public sealed class ProtoMemberAttribute(int tag) : Attribute { public int Tag => tag; } }
        namespace Lib
        {
            using ProtoBuf; using System.Runtime.Serialization;
            [ProtoContract] public class Order
            {
                private readonly Dictionary<string, int> _counts = new(StringComparer.OrdinalIgnoreCase);
                [ProtoMember(1)] public int Id { get; set; }
                [ProtoMember(2)] public List<string> Lines { get; } = [];
                [ProtoMember(3)] public IDictionary<string, int> Counts => _counts;
                [ProtoMember(4)] public System.Collections.ObjectModel.ObservableCollection<int> Seen { get; private set; } = [];
                public int[] Skipped { get; } = [1];
            }
            [DataContract] public class Contract
            {
                [DataMember(Order = 1)] public HashSet<int> Tags { get; } = [];
                [DataMember(Order = 2)] public string? Name { get; set; }
            }
            public class Copying { public static bool Copies; private readonly List<int> _items = []; public List<int> Items => Copies ? [.. _items] : _items; }
        }
        """;

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void ModelsOfOtherSerializersAreFilled(bool seesReferenceAssembly) => Programs.Run("""
        using Lib;
        [assembly: NinoSerializable(typeof(Order))] [assembly: NinoSerializable(typeof(Contract))]
        """, """
        var order = new Order { Id = 1, Lines = { "a", "b" }, Counts = { ["x"] = 2 }, Seen = { 5 } };
        Order copy = Copy(order);
        Equal((1, "a,b", 2, 5), (copy.Id, string.Join(",", copy.Lines), copy.Counts["X"], copy.Seen[0]));
        Equal("1:Id:Int32 2:Lines:List 3:Counts:Map 4:Seen:List", Fields<Order>());
        Contract contract = Copy(new Contract { Tags = { 3, 4 }, Name = "n" });
        Equal(("3,4", "n"), (string.Join(",", contract.Tags), contract.Name));
        """, Library, seesReferenceAssembly);

    [Fact]
    public void AGetterThatGivesAnotherCollectionEachTimeIsNoticedBeforeAnythingIsWrittenAndWhenReading() => Programs.Run("""
        using Lib;
        [assembly: NinoSerializable(typeof(Copying))]
        """, """
        byte[] bytes = NinoSerializer.Serialize(new Copying { Items = { 1 } });
        Equal(1, Copy(new Copying { Items = { 1 } }).Items[0]);
        Copying.Copies = true;
        Refused(() => NinoSerializer.Serialize(new Copying()));
        Refused(() => NinoSerializer.Deserialize<Copying>(bytes));
        Copying? into = new();
        Refused(() => NinoSerializer.Deserialize(bytes, ref into));
        static void Refused(Action act)
        {
            try { act(); }
            catch (NinoSerializationException error) when (error.Message.Contains("'Lib.Copying.Items' has no setter, and its getter gives another collection each time it is called")) { return; }
            throw new InvalidOperationException("nothing was noticed");
        }
        """, Library);

    [Fact]
    public void AComputedCollectionOfAnotherAssemblyIsRefusedFromTheFirstRecordOn() => Programs.Run("""
        using Lib;
        [assembly: NinoSerializable(typeof(Copying))]
        """, """
        Copying.Copies = true;
        try { NinoSerializer.Serialize(new Copying()); }
        catch (NinoSerializationException error) when (error.Message.Contains("it gives another collection each time")) { Records.Add(([1], NinoSerializer.SchemaOf<Copying>())); return; }
        throw new InvalidOperationException("it was written");
        """, Library);

    /// <summary>A class that passes what its constructor takes to its base: both members hold one object then.</summary>
    [Theory]
    [InlineData("List<int>", "[1, 2]", "[3]")]
    [InlineData("List<int>", "[1, 2]", "[1, 3]")]
    [InlineData("Queue<string>", "new([\"a\"])", "new([\"b\"])")]
    [InlineData("Dictionary<string, int>", "new() { [\"a\"] = 1 }", "new() { [\"a\"] = 2 }")]
    [InlineData("HashSet<int>", "[1, 2]", "[2, 3]")]
    [InlineData("List<Item>", "[new(1)]", "[new(2)]")]
    [InlineData("List<byte[]>", "[new byte[] { 1 }]", "[new byte[] { 2 }]")]
    public void OneThatTheConstructorWasGivenForAnotherMemberIsRefusedWhereTheyDiffered(string type, string first, string second) => Programs.Run($$"""
        [assembly: NinoSerializable(typeof({{type}}))]
        [NinoType] public record Item(int X);
        [NinoType] public class Base { public {{type}} A { get; } public Base({{type}} a) => A = a; public Base() => A = {{first}}; }
        [NinoType] public class Passing : Base { public {{type}} B { get; set; } public Passing({{type}} b) : base(b) => B = b; }
        [NinoType] public class Copying : Base { public {{type}} @class { get; set; } public Copying({{type}} @class) : base(@class) => this.@class = new(@class); }
        [NinoType] public class Keeping : Base { public {{type}} B { get; } public Keeping({{type}} b) : base(b) => B = b; }
        [NinoType] public class Parting : Base { public {{type}} B { get; } public Parting({{type}} b) : base(b) => B = new(b); }
        [NinoType] public class Apart : Base { public {{type}} B { get; set; } public Apart({{type}} b) => B = b; }
        """, $$"""
        {{type}} one = {{first}}, two = {{second}};
        Passing same = Copy(new Passing(one)), given = new(one) { B = two };
        Same(same.A, one);
        Same(same.B, one);
        Refused(() => Copy(given), "changed 'B', which shares one of them");
        Copying copied = new(one);
        Same(Copy(copied).@class, one);
        copied.@class = two;
        Refused(() => Copy(copied), "changed 'class', which shares one of them");
        Keeping kept = Copy(new Keeping(two));
        Same(kept.A, two);
        Same(kept.B, two);
        Parting parted = new({{first}});
        parted.A.Clear();
        parted = Copy(parted);
        Equal(0, parted.A.Count);
        Same(parted.B, one);
        Apart apart = Copy(new Apart(two));
        Same(apart.A, one);
        Same(apart.B, two);

        static void Same({{type}} first, {{type}} second) => Equal(Convert.ToHexString(NinoSerializer.Serialize(first)), Convert.ToHexString(NinoSerializer.Serialize(second)));
        """);

    /// <summary>The collection that is filled need not be the one that was given.</summary>
    [Theory]
    [InlineData("a wrapper", "List<int>", "Collection<int>", "new(given)", "[1]", "[1]")]
    [InlineData("an own collection", "List<int>", "Showing", "new(given)", "[1]", "new([1])")]
    public void OneThatShowsWhatTheConstructorWasGivenIsRefusedToo(string what, string given, string filled, string made, string value, string other) => Programs.Run($$"""
        using System.Collections;
        using System.Collections.ObjectModel;
        public class Showing(List<int> values) : ICollection<int>
        {
            public Showing() : this([]) { }
            public int Count => values.Count;
            public bool IsReadOnly => false;
            public void Add(int item) => values.Add(item);
            public void Clear() => values.Clear();
            public bool Contains(int item) => values.Contains(item);
            public void CopyTo(int[] array, int index) => values.CopyTo(array, index);
            public bool Remove(int item) => values.Remove(item);
            public IEnumerator<int> GetEnumerator() => values.GetEnumerator();
            IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();
        }
        [NinoType] public class Taking({{given}} given) { public {{given}} Given { get; set; } = given; public {{filled}} Shown { get; } = {{made}}; }
        [NinoType] public class Setting { private {{given}} _given = {{value}}; private {{filled}} _shown = {{other}}; public {{given}} Given { get => _given; set { _given = value; _shown = Show(value); } } public {{filled}} Shown => _shown; private static {{filled}} Show({{given}} given) => {{made}}; }
        """, $$"""
        _ = "{{what}}";
        Taking taking = Copy(new Taking({{value}}));
        Equal(1, taking.Shown.Count);
        taking.Given = {{value}};
        taking.Shown.Add(7);
        Refused(() => Copy(taking), "changed 'Given', which shares one of them");
        Taking? reused = Copy(new Taking({{value}}));
        Refused(() => NinoSerializer.Deserialize(NinoSerializer.Serialize(taking), ref reused), "changed 'Given'");
        Equal(1, Copy(new Setting()).Shown.Count);
        Setting setting = new();
        setting.Shown.Add(7);
        Refused(() => Copy(setting), "changed 'Given', which shares one of them");
        """);

    /// <summary>A member that is computed from the collection is what was read when that is filled.</summary>
    [Fact]
    public void OneThatAnotherMemberIsComputedFromIsFilled() => Programs.Run("""
        [NinoType] public class Order { private readonly List<string> _lines; public List<string> Lines => _lines; public string[] Upper { get => [.. _lines.ConvertAll(static x => x.ToUpperInvariant())]; set { } } public int[] Lengths { get => [.. Lines.ConvertAll(static x => x.Length)]; set { } } public Order(int capacity) => _lines = new(capacity); public Order() : this(0) { } }
        [NinoType(References = true)] public class Linked { private List<string> _lines = []; public List<string> Lines => _lines; public string[] Upper { get => [.. _lines.ConvertAll(static x => x.ToUpperInvariant())]; set { } } }
        """, """
        Order order = new() { Lines = { "a", "bc" } }, copy = Copy(order);
        Equal(("a,bc", "A,BC", "1,2"), (string.Join(",", copy.Lines), string.Join(",", copy.Upper), string.Join(",", copy.Lengths)));
        Equal("A", Copy(new Linked { Lines = { "a" } }).Upper[0]);
        """);

    /// <summary>The order of its keys comes of how large it was when they came.</summary>
    [Theory]
    [InlineData(3)]
    [InlineData(20)]
    [InlineData(100)]
    [InlineData(1000)]
    public void AConcurrentDictionaryThatItWasGivenIsRead(int count) => Programs.Run("""
        using System.Collections.Concurrent;
        [NinoType] public class Base(ConcurrentDictionary<string, int> a) { public ConcurrentDictionary<string, int> A { get; } = a; }
        [NinoType] public class Passing(ConcurrentDictionary<string, int> b) : Base(b) { public ConcurrentDictionary<string, int> B { get; set; } = b; }
        """, $$"""
        for (int round = 0; round < 20; round++)
        {
            ConcurrentDictionary<string, int> map = new();
            for (int i = 0; i < {{count}}; i++) map[Guid.NewGuid().ToString()] = i;
            Passing copy = Copy(new Passing(map));
            Equal(({{count}}, {{count}}), (copy.A.Count, copy.B.Count));
        }

        ConcurrentDictionary<string, int> one = new() { ["a"] = 1, ["b"] = 2 }, other = new() { ["a"] = 2, ["b"] = 1 };
        Refused(() => Copy(new Passing(one) { B = other }), "changed 'B', which shares one of them");
        """);

    /// <summary>What cannot be written again, or not twice alike, tells nothing.</summary>
    [Fact]
    public void BesideWhatCannotBeComparedItIsFilled() => Programs.Run("""
        using Store.Serialization.Codecs;
        [NinoType] public class Made { public List<int> A { get; } public Old B { get; set; } public Odd C { get; set; } public Made(Old b, Odd c) { A = Of(b); B = b; C = c; } private static List<int> Of(Old old) => []; }
        [NinoCodec(typeof(OldCodec))] public class Old { public int X; }
        [NinoCodec(typeof(OddCodec))] public class Odd { public int X; }
        public readonly struct OldCodec : INinoCodec<Old>
        {
            public static bool Writes = true;
            public static int MinSize => 1;
            public static SchemaNode Describe(SchemaBuilder builder) => StringCodec.Describe(builder);
            public void Write(ref NinoWriter writer, in Old value) => default(StringCodec).Write(ref writer, Writes ? value.X.ToString() : throw new NotSupportedException("only read"));
            public Old Read(ref NinoReader reader) => new() { X = int.Parse(default(StringCodec).Read(ref reader)!) };
        }
        public readonly struct OddCodec : INinoCodec<Odd>
        {
            private static int s_time;
            public static int MinSize => 1;
            public static SchemaNode Describe(SchemaBuilder builder) => StringCodec.Describe(builder);
            public void Write(ref NinoWriter writer, in Odd value) => default(StringCodec).Write(ref writer, value.X + ":" + s_time++);
            public Odd Read(ref NinoReader reader) => new() { X = int.Parse(default(StringCodec).Read(ref reader)!.Split(':')[0]) };
        }
        """, """
        Made made = new(new Old { X = 1 }, new Odd { X = 2 }) { A = { 3 } };
        Equal((3, 1, 2), (Copy(made).A[0], Copy(made).B.X, Copy(made).C.X));
        byte[] record = NinoSerializer.Serialize(made);
        OldCodec.Writes = false;
        Equal(3, NinoSerializer.Deserialize<Made>(record).A[0]);
        """);

    /// <summary>Where references are kept, an object in the list may not be finished yet.</summary>
    [Fact]
    public void OneThatItWasGivenWithObjectsThatLeadBackIsRead() => Programs.Run("""
        [NinoType(References = true)] public class Half { private string? _name; public Tree? Parent { get; set; } public string Name { get => _name ?? throw new InvalidOperationException("unset"); set => _name = value; } }
        [NinoType(References = true)] public class Tree { public List<Half> A { get; } public List<Half> B { get; } public Tree(List<Half> b) { A = b; B = b; } }
        [NinoType(References = true)] public class Setting { private List<int> _given = [1], _shown = [1]; public List<int> Given { get => _given; set { _given = value; _shown = value; } } public List<int> Shown => _shown; public void Part() => _shown = [7]; }
        """, """
        Half half = new() { Name = "k" };
        half.Parent = new Tree([half]);
        Half copy = Copy(half);
        Equal(true, ReferenceEquals(copy, copy.Parent!.A[0]) && ReferenceEquals(copy, copy.Parent.B[0]));
        Setting setting = new();
        Equal((1, 1), (Copy(setting).Given[0], Copy(setting).Shown[0]));
        setting.Part();
        Refused(() => Copy(setting), "changed 'Given', which shares one of them");
        """);

    /// <summary>Neither has a setter, and both are one object in every new one.</summary>
    [Fact]
    public void TwoThatAreOneCollectionInANewObjectAreRefusedWhereTheyDiffered() => Programs.Run("""
        [NinoType] public class Two { public List<int> X { get; } public List<int> Y { get; } public Two() { X = []; Y = X; } public Two(int unrelated) { X = []; Y = []; } }
        """, """
        Two same = new() { X = { 1 } }, copy = Copy(same);
        Equal((1, 1), (copy.X[0], copy.Y[0]));
        Two differing = new(0) { X = { 1 }, Y = { 2 } };
        Refused(() => Copy(differing), "changed 'X', which shares one of them");
        Refused(() => NinoSerializer.Deserialize(NinoSerializer.Serialize(differing), ref copy!), "changed 'X'");
        """);

    /// <summary>Of one whose members may be one object, reading fills none that is there: the second record would be read over the first.</summary>
    [Fact]
    public void AnObjectThatMayHoldOneCollectionTwiceIsMadeAnew() => Programs.Run("""
        [NinoType] public class Base(List<int> a) { public List<int> A { get; } = a; }
        [NinoType] public class Passing(List<int> b) : Base(b) { public List<int> B { get; set; } = b; }
        [NinoType] public class Apart { public List<int> A { get; } = [4]; public List<string> C { get; } public List<int> B { get; set; } public Apart(List<int> b) { C = new(4); B = b; } }
        """, """
        Passing? read = Copy(new Passing([1, 2])), before = read;
        NinoSerializer.Deserialize(NinoSerializer.Serialize(new Passing([3])), ref read);
        Equal((false, 2, 1), (ReferenceEquals(read, before), before.A.Count, read!.A.Count));
        Apart? kept = Copy(new Apart([1, 2])), one = kept;
        NinoSerializer.Deserialize(NinoSerializer.Serialize(new Apart([3])), ref kept);
        Equal((false, 4, 3), (ReferenceEquals(kept, one), kept!.A[0], kept.B[0]));
        """);

    /// <summary>Their elements were read twice, and are equal to nothing but themselves.</summary>
    [Theory]
    [InlineData("List<Item>", "[new Item { X = 1 }]")]
    [InlineData("List<byte[]>", "[new byte[] { 1 }]")]
    [InlineData("Dictionary<string, List<int>>", "new() { [\"a\"] = [1] }")]
    [InlineData("PriorityQueue<string, int>", "new([(\"a\", 1)])")]
    public void OneThatItWasGivenWithObjectsIsRead(string type, string value) => Programs.Run($$"""
        [NinoType] public class Item { public int X { get; set; } }
        [NinoType] public class Base { public {{type}} A { get; } public Base({{type}} a) => A = a; public Base() => A = new(); }
        [NinoType] public class Passing : Base { public {{type}} B { get; set; } public Passing({{type}} b) : base(b) => B = b; }
        """, $$"""
        Passing copy = Copy(new Passing({{value}}));
        Equal((1, 1), (copy.A.Count, copy.B.Count));
        """);

    /// <summary>What makes it may be a local, or a method, to which another member was given.</summary>
    [Theory]
    [InlineData("public Made(List<int> given) { Given = given; var local = given; Shown = new(local); }")]
    [InlineData("public Made(List<int> given) { Given = given; Shown = new(Last()); } private IList<int> Last() => Given;")]
    public void OneThatIsMadeOfALocalOrBySomeMethodIsRefusedWhereItDiffered(string constructor) => Programs.Run($$"""
        using System.Collections.ObjectModel;
        [NinoType] public class Made { public List<int> Given { get; set; } public Collection<int> Shown { get; } {{constructor}} }
        """, """
        Equal(1, Copy(new Made([1])).Shown[0]);
        Refused(() => Copy(new Made([1]) { Given = [2] }), "changed 'Given'");
        """);

    /// <summary>It is made around a member that nothing but reading sets.</summary>
    [Fact]
    public void OneThatItsGetterMakesAroundAPlainMemberIsRefusedWhereItDiffered() => Programs.Run("""
        using System.Collections.ObjectModel;
        [NinoType] public class Around { private Collection<int>? _shown; public List<int> Plain { get; set; } = []; public Collection<int> Shown => _shown ??= new(Plain); }
        [NinoType] public class Apart { private List<int>? _shown; public List<int> Plain { get; set; } = []; public List<int> Shown => _shown ??= new(4); }
        """, """
        Around around = new() { Plain = [1, 2] };
        Equal((2, 2), (Copy(around).Plain.Count, Copy(around).Shown[1]));
        around.Shown.Add(3);
        Equal(3, Copy(around).Plain[2]);
        around.Plain = [4];
        Refused(() => Copy(around), "changed 'Plain', which shares one of them");
        Equal((1, 2), (Copy(new Apart { Plain = { 1 }, Shown = { 2 } }).Plain[0], Copy(new Apart { Plain = { 1 }, Shown = { 2 } }).Shown[0]));
        """);

    /// <summary>Out of sight a getter may do so, too.</summary>
    [Fact]
    public void OneThatAGetterOfAnotherAssemblyMakesAroundAListIsRefusedWhereItDiffered() => Programs.Run("""
        [assembly: NinoSerializable(typeof(Lib.Around))]
        """, """
        Lib.Around around = new() { Plain = [1, 2] };
        Equal((2, 2), (Copy(around).Plain.Count, Copy(around).Shown[1]));
        _ = around.Shown;
        around.Plain = [4];
        Refused(() => Copy(around), "changed 'Plain', which shares one of them");
        """, """
        namespace Lib { public class Around { private System.Collections.ObjectModel.Collection<int>? _shown; public List<int> Plain { get; set; } = []; public System.Collections.ObjectModel.Collection<int> Shown => _shown ??= new(Plain); } }
        """);

    /// <summary>Neither has a setter; the second shows what the first holds.</summary>
    [Fact]
    public void OneThatWrapsAnotherThatIsFilledIsRefusedWhereTheyDiffered() => Programs.Run("""
        using System.Collections.ObjectModel;
        [NinoType] public class Two { public List<int> X { get; } = []; public Collection<int> Y { get; } public Two() => Y = new(X); public Two(int unrelated) => Y = []; }
        [NinoType] public class Before { public Collection<int> W { get; } public List<int> X { get; } = []; public Before() => W = new(X); public Before(int unrelated) => W = []; }
        """, """
        Equal(2, Copy(new Before { X = { 1, 2 } }).W.Count);
        Two same = new() { X = { 1 } };
        Equal((1, 1), (Copy(same).X[0], Copy(same).Y[0]));
        Equal(0, Copy(new Two()).Y.Count);
        Refused(() => Copy(new Two(0) { X = { 1 }, Y = { 2 } }), "changed 'X', which shares one of them");
        Refused(() => Copy(new Two(0) { Y = { 2 } }), "changed 'X', which shares one of them");
        Refused(() => Copy(new Two(0) { X = { 1 } }), "changed 'X', which shares one of them");
        Refused(() => Copy(new Before(0) { W = { 2 }, X = { 1 } }), "changed 'W'");
        """);

    /// <summary>It is what was read when all are filled and set, whatever it is before.</summary>
    [Fact]
    public void OneThatIsComputedFromSeveralMembersIsRead() => Programs.Run("""
        using System.Collections.Concurrent;
        [NinoType] public class Order
        {
            private readonly List<string> _a, _b;
            public List<string> A => _a;
            public List<string> B => _b;
            public string[] Both { get => [.. A, .. B, Suffix]; set { if (value.Length > 99) throw new ArgumentException("too long"); } }
            public string[] First { get => [_a[0]]; set { if (value.Length > 99) throw new ArgumentException("too long"); } }
            public string Suffix { get; set; } = "";
            public string[] Tags { get => _tags; set => _tags = Array.ConvertAll(value, static one => one.Trim()); }
            private string[] _tags = [];
            public Order() : this(4) { }
            private Order(int capacity) { _a = new(capacity); _b = new(capacity); }
            public static Order Untrimmed(string tag) => new() { _tags = [tag], Suffix = "!", A = { "a" }, B = { "b" } };
        }
        """, """
        Order copy = Copy(Order.Untrimmed(" x "));
        Equal(("a,b,!", "a", "x"), (string.Join(",", copy.Both), copy.First[0], copy.Tags[0]));
        """);

    /// <summary>The compiler would bind the calls when they run.</summary>
    [Fact]
    public void ADynamicMemberBesideItIsStored() => Programs.Run("""
        [NinoType] public class Loose { private dynamic? _any; private readonly List<int> _a; public List<int> A => _a; public dynamic? Any { get => _any; set => _any = value; } public Loose() : this(4) { } private Loose(int capacity) => _a = new(capacity); }
        """, """
        Loose copy = Copy(new Loose { A = { 1 }, Any = "x" });
        Equal((1, (object?)"x"), (copy.A[0], (object?)copy.Any));
        """);

    /// <summary>As a total is that view models keep: what was stored is what it is when the lines are there.</summary>
    [Fact]
    public void WhatAnObserverComputesIsWhatWasStored() => Programs.Run("""
        using System.Collections.ObjectModel;
        using System.ComponentModel;
        [NinoType] public class Order : INotifyPropertyChanged
        {
            private decimal _total;
            private string _text = "";
            public event PropertyChangedEventHandler? PropertyChanged;
            public ObservableCollection<decimal> Lines { get; } = [];
            public decimal Total { get => _total; set { _total = value; PropertyChanged?.Invoke(this, new(nameof(Total))); } }
            [NinoInclude] public string Text { get => _text; private set { if (value == "refused") throw new InvalidOperationException(); _text = value; } }
            public int Changes { get; set; }
            public decimal First { get => Lines[0]; set { _ = value; } }
            public Order() => Lines.CollectionChanged += (_, change) => { foreach (decimal line in change.NewItems ?? new List<decimal>()) { Total += line; Text += "+"; Changes++; } };
        }
        """, """
        Order order = new() { Lines = { 2, 3 } }, copy = Copy(order);
        Equal((5m, "++", 2, 2), (copy.Total, copy.Text, copy.Changes, copy.Lines.Count));
        Order? there = new Order { Lines = { 7 } };
        Order same = there;
        NinoSerializer.Deserialize(NinoSerializer.Serialize(order), ref there);
        Equal((true, 5m, "++", 2, 2), (ReferenceEquals(there, same), there!.Total, there.Text, there.Changes, there.Lines.Count));
        """);

    /// <summary>What it has put into another collection cannot be told from what was stored there.</summary>
    [Theory]
    [InlineData("public List<int> Log { get; set; } = [];")]
    [InlineData("public List<int> Log { get; } = [];")]
    public void AnotherCollectionThatAnObserverChangesIsRefused(string log) => Programs.Run($$"""
        using System.Collections.ObjectModel;
        [NinoType] public class Watched { {{log}} public ObservableCollection<int> Shown { get; } = []; public Watched() => Shown.CollectionChanged += (_, change) => { if (change.NewItems is { } items) Log.Add(100 + (int)items[0]!); }; }
        """, """
        Equal(0, Copy(new Watched()).Log.Count);
        Watched watched = new() { Shown = { 1 } };
        Refused(() => Copy(watched), "changed 'Log'");
        """);

    /// <summary>What it makes of its arguments is its own affair.</summary>
    [Fact]
    public void WhatAFactoryMakesIsNotSetAgain() => Programs.Run("""
        [NinoType] public class Currency
        {
            private static readonly Dictionary<string, Currency> s_all = [];
            public string Code { get; set; } = "";
            public List<int> Rates { get; } = [];
            [NinoConstructor] public static Currency Of(string code) => s_all.TryGetValue(code.ToUpperInvariant(), out Currency? known) ? known : s_all[code.ToUpperInvariant()] = new() { Code = code.ToUpperInvariant() };
        }
        """, """
        Currency euro = Currency.Of("eur"), copy = Copy(new Currency { Code = "eur", Rates = { 1 } });
        Equal((true, "EUR", 1), (ReferenceEquals(euro, copy), copy.Code, copy.Rates[0]));
        """);

    /// <summary>What a new object puts into its collection is nothing of others': those are not encoded to know it.</summary>
    [Fact]
    public void BesideACollectionThatANewObjectPutsElementsIntoNothingIsEncoded() => Programs.Run("""
        using Store.Serialization.Codecs;
        [NinoType] public class Item { public int X { get; set; } }
        [NinoType] public class Node { public List<Item> Defaults { get; } = [new() { X = 1 }]; public List<Counted> Others { get; set; } = []; public List<Counted> More { get; } = []; }
        [NinoCodec(typeof(CountedCodec))] public class Counted;
        public readonly struct CountedCodec : INinoCodec<Counted>
        {
            public static int Written;
            public static int MinSize => 1;
            public static SchemaNode Describe(SchemaBuilder builder) => StringCodec.Describe(builder);
            public void Write(ref NinoWriter writer, in Counted value) { Written++; default(StringCodec).Write(ref writer, "x"); }
            public Counted Read(ref NinoReader reader) { _ = default(StringCodec).Read(ref reader); return new(); }
        }
        """, """
        Node copy = Copy(new Node { Others = { new(), new() }, More = { new() } });
        Equal((1, 2, 1, 3), (copy.Defaults.Count, copy.Others.Count, copy.More.Count, CountedCodec.Written));
        """);
}
