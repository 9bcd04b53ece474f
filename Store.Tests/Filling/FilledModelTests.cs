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

    /// <summary>Of one whose members may be one object, reading fills none that is there: the second record would be read over the first.</summary>
    [Fact]
    public void AnObjectThatMayHoldOneCollectionTwiceIsMadeAnew() => Programs.Run("""
        [NinoType] public class Base(List<int> a) { public List<int> A { get; } = a; }
        [NinoType] public class Passing(List<int> b) : Base(b) { public List<int> B { get; set; } = b; }
        [NinoType] public class Apart { public List<int> A { get; } = [4]; public List<int> B { get; set; } public Apart(List<int> b) => B = b; }
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
