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
        Refused(() => Copy(given), "holds the collection that 'B' was given");
        Copying copied = new(one);
        Same(Copy(copied).@class, one);
        copied.@class = two;
        Refused(() => Copy(copied), "holds the collection that 'class' was given");
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
    [InlineData("one of an object's", "Holder", "List<int>", "given.Values", "new() { Values = [1] }", "[1]")]
    [InlineData("one of a struct's", "Pair", "List<int>", "given.Values", "new([1], 2)", "[1]")]
    [InlineData("one of a list's", "List<List<int>>", "List<int>", "given[0]", "[[1]]", "[1]")]
    [InlineData("one wrapped of an object's", "Holder", "Collection<int>", "new(given.Values)", "new() { Values = [1] }", "[1]")]
    [InlineData("an own collection", "List<int>", "Showing", "new(given)", "[1]", "new([1])")]
    public void OneThatShowsWhatTheConstructorWasGivenIsRefusedToo(string what, string given, string filled, string made, string value, string other) => Programs.Run($$"""
        using System.Collections;
        using System.Collections.ObjectModel;
        [NinoType] public class Holder { public List<int> Values { get; set; } = []; }
        [NinoType] public record struct Pair(List<int> Values, int X);
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
        Refused(() => Copy(taking), "The member 'Taking.Shown' has no setter, and holds the collection that 'Given' was given or has");
        Taking? reused = Copy(new Taking({{value}}));
        Refused(() => NinoSerializer.Deserialize(NinoSerializer.Serialize(taking), ref reused), "holds the collection that 'Given'");
        Equal(1, Copy(new Setting()).Shown.Count);
        Setting setting = new();
        setting.Shown.Add(7);
        Refused(() => Copy(setting), "The member 'Setting.Shown' has no setter, and holds the collection that 'Given' was given or has");
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
        Refused(() => Copy(new Passing(one) { B = other }), "holds the collection that 'B' was given");
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
        Refused(() => Copy(setting), "holds the collection that 'Given' was given or has");
        """);

    /// <summary>Neither has a setter, and both are one object in every new one.</summary>
    [Fact]
    public void TwoThatAreOneCollectionInANewObjectAreRefusedWhereTheyDiffered() => Programs.Run("""
        [NinoType] public class Two { public List<int> X { get; } public List<int> Y { get; } public Two() { X = []; Y = X; } public Two(int unrelated) { X = []; Y = []; } }
        """, """
        Two same = new() { X = { 1 } }, copy = Copy(same);
        Equal((1, 1), (copy.X[0], copy.Y[0]));
        Two differing = new(0) { X = { 1 }, Y = { 2 } };
        Refused(() => Copy(differing), "The member 'Two.Y' has no setter, and holds the collection that 'X' was given or has");
        Refused(() => NinoSerializer.Deserialize(NinoSerializer.Serialize(differing), ref copy!), "The member 'Two.Y' has no setter");
        """);

    /// <summary>A setter may give the collection to what it is given.</summary>
    [Fact]
    public void OneThatASetterHandsOnIsRefusedWhereItDiffered() => Programs.Run("""
        [NinoType] public class Part { public List<int> Target { get; set; } = []; }
        [NinoType] public class Whole { private Part _part = new(); public List<int> Shown { get; } = []; public Part Part { get => _part; set { _part = value; value.Target = Shown; } } public static Whole Of(int shown, int target) => new() { Shown = { shown }, _part = new() { Target = { target } } }; }
        """, """
        Equal(5, Copy(Whole.Of(5, 5)).Part.Target[0]);
        Refused(() => Copy(Whole.Of(1, 5)), "holds the collection that 'Part' was given or has");
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
        Equal((true, 4, 3), (ReferenceEquals(kept, one), kept!.A[0], kept.B[0]));
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
}
