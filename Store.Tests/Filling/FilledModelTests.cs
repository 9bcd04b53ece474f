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
    [InlineData("Queue<string>", "new([\"a\"])", "new([\"b\"])")]
    [InlineData("Dictionary<string, int>", "new() { [\"a\"] = 1 }", "new() { [\"a\"] = 2, [\"b\"] = 3 }")]
    [InlineData("HashSet<int>", "[1, 2]", "[2, 3]")]
    public void OneThatTheConstructorWasGivenForAnotherMemberChangesThatNeverInSilence(string type, string first, string second) => Programs.Run($$"""
        [NinoType] public class Base { public {{type}} A { get; } public Base({{type}} a) => A = a; public Base() => A = {{first}}; }
        [NinoType] public class Passing : Base { public {{type}} B { get; set; } public Passing({{type}} b) : base(b) => B = b; }
        [NinoType] public class Copying : Base { public {{type}} @class { get; set; } public Copying({{type}} @class) : base(@class) => this.@class = new(@class); }
        [NinoType] public class Keeping : Base { public {{type}} B { get; } public Keeping({{type}} b) : base(b) => B = b; }
        [NinoType] public class Apart : Base { public {{type}} B { get; set; } public Apart({{type}} b) => B = b; }
        """, $$"""
        {{type}} one = {{first}}, two = {{second}};
        Passing same = Copy(new Passing(one)), given = new(one) { B = two };
        Equal(true, System.Linq.Enumerable.SequenceEqual(same.A, one) && System.Linq.Enumerable.SequenceEqual(same.B, one));
        Refused(() => Copy(given), "the constructor gave it the collection that it takes for 'B'");
        Copying copied = new(one);
        Equal(true, System.Linq.Enumerable.SequenceEqual(Copy(copied).@class, one));
        copied.@class = two;
        Refused(() => Copy(copied), "the constructor gave it the collection that it takes for 'class'");
        Keeping kept = Copy(new Keeping(two));
        Equal(true, System.Linq.Enumerable.SequenceEqual(kept.A, two) && System.Linq.Enumerable.SequenceEqual(kept.B, two));
        Apart apart = Copy(new Apart(two));
        Equal(true, System.Linq.Enumerable.SequenceEqual(apart.A, one) && System.Linq.Enumerable.SequenceEqual(apart.B, two));
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
