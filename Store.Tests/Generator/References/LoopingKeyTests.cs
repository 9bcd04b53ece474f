using System.Collections;
using Microsoft.CodeAnalysis;
using Store.Serialization;

[assembly: NinoSerializable(typeof(HashSet<object>))]
[assembly: NinoSerializable(typeof(Hashtable))]

namespace Store.Tests.Generator.References;

/// <summary>Keys that hostile bytes could send around in circles: refused by the compiler, and where it cannot see them when they are read.</summary>
public class LoopingKeyTests
{
    private const string Types = """
        [NinoType(References = true)] public sealed record Node(int Id) : IComparable<Node> { public Node? Next { get; set; } public int CompareTo(Node? other) => Next!.CompareTo(other!.Next); }
        [NinoType(References = true)] public class Plain { public Plain? Next { get; set; } }
        [NinoType(References = true)] public sealed record Leaf(int Id);
        [NinoType] public sealed record Deep(int Id) { public Deep? Next { get; set; } }
        [NinoType(References = true)] public sealed record Held(Plain? Part);
        [NinoType(References = true)] public sealed class Named { public string? Name; public List<Named>? All; public override int GetHashCode() => Name!.GetHashCode(); public override bool Equals(object? other) => other is Named named && named.Name == Name; }
        [NinoType(References = true)] public sealed class Ordered : IComparable<Ordered> { public Crate? In; public int CompareTo(Ordered? other) => 0; }
        [NinoType] public sealed class Crate { public Dictionary<int, Ordered[]>? Items; }
        [NinoType] public record struct Key(int Id, Pair Pair);
        [NinoType] public sealed record Pair(Node? First, Node? Second);
        [NinoType(References = true)] public abstract record Tree;
        [NinoType] public sealed record Branch(Tree Left, Tree Right) : Tree;
        [NinoType] public sealed record End(int Value) : Tree;
        [NinoType] public interface IPart;
        [NinoType(References = true)] public sealed record Part(IPart? Other) : IPart;
        public class Nodes : HashSet<Node>;
        public class ById : Dictionary<Node, int>;
        public class Listed : System.Collections.ObjectModel.KeyedCollection<Node, string> { protected override Node GetKeyForItem(string item) => new(item.Length); }
        public class NodeList : List<Node>;
        [NinoType(References = true)] public sealed record Loop<T>(T? Value) { public Loop<T>? Next { get; set; } }

        """;

    [Theory]
    [InlineData("HashSet<Node>")]
    [InlineData("SortedSet<Node>")]
    [InlineData("ISet<Node>")]
    [InlineData("IReadOnlySet<Node>")]
    [InlineData("System.Collections.ObjectModel.ReadOnlySet<Node>")]
    [InlineData("System.Collections.Immutable.ImmutableHashSet<Node>")]
    [InlineData("System.Collections.Immutable.IImmutableSet<Node>")]
    [InlineData("System.Collections.Immutable.ImmutableSortedSet<Node>")]
    [InlineData("System.Collections.Frozen.FrozenSet<Node>")]
    [InlineData("Dictionary<Node, int>")]
    [InlineData("SortedDictionary<Node, int>")]
    [InlineData("SortedList<Node, int>")]
    [InlineData("OrderedDictionary<Node, int>")]
    [InlineData("IDictionary<Node, int>")]
    [InlineData("IReadOnlyDictionary<Node, int>")]
    [InlineData("System.Collections.ObjectModel.ReadOnlyDictionary<Node, int>")]
    [InlineData("System.Collections.Concurrent.ConcurrentDictionary<Node, int>")]
    [InlineData("System.Collections.Immutable.ImmutableDictionary<Node, int>")]
    [InlineData("System.Collections.Immutable.IImmutableDictionary<Node, int>")]
    [InlineData("System.Collections.Immutable.ImmutableSortedDictionary<Node, int>")]
    [InlineData("System.Collections.Frozen.FrozenDictionary<Node, int>")]
    [InlineData("System.Linq.ILookup<Node, int>")]
    [InlineData("PriorityQueue<int, Node>")]
    [InlineData("Nodes")]
    [InlineData("ById")]
    [InlineData("Listed")]
    [InlineData("List<Dictionary<int, HashSet<Node>>>")]
    [InlineData("HashSet<(int, Node)>")]
    [InlineData("HashSet<KeyValuePair<Node, int>?>")]
    [InlineData("HashSet<Tuple<int, Node>>")]
    [InlineData("HashSet<Pair>")]
    [InlineData("HashSet<Key>")]
    [InlineData("HashSet<Named>", "Named")]
    [InlineData("SortedSet<Ordered>", "Ordered")]
    [InlineData("HashSet<Tree>", "Branch")]
    [InlineData("HashSet<Branch>", "Branch")]
    [InlineData("HashSet<IPart>", "Part")]
    [InlineData("HashSet<(int, object)>", "")]
    [InlineData("HashSet<Loop<int>>", "Loop<int>")]
    public void AKeyThatMayLeadBackToItselfAndHasAnEqualityOfItsOwnIsRefused(string collection, string key = "Node")
    {
        Diagnostic error = Assert.Single(GeneratorHarness.Diagnose(Types + $"[NinoType] public class Holder {{ public {collection}? Member; }}"));
        Assert.Equal("NINO022", error.Id);
        // Of what is declared as object it may be any.
        Assert.Contains($"code of '{key}{(key.Length > 0 ? "'" : "")}", error.GetMessage());
    }

    [Theory]
    [InlineData("HashSet<Plain>")]
    [InlineData("Dictionary<Plain, Node>")]
    [InlineData("HashSet<Leaf>")]
    [InlineData("HashSet<Deep>")]
    [InlineData("HashSet<Held>")]
    [InlineData("HashSet<(Plain, int)>")]
    [InlineData("HashSet<Node[]>")]
    [InlineData("HashSet<List<Node>>")]
    [InlineData("HashSet<End>")]
    [InlineData("PriorityQueue<Node, int>")]
    [InlineData("System.Linq.IGrouping<Node, int>")]
    [InlineData("Dictionary<int, Node>")]
    [InlineData("List<Node>")]
    [InlineData("NodeList")]
    [InlineData("Queue<Node>")]
    [InlineData("HashSet<object>")]
    [InlineData("System.Collections.Hashtable")]
    public void OtherKeysAreNot(string collection) => Assert.Empty(GeneratorHarness.Diagnose(Types + $"[NinoType] public class Holder {{ public {collection}? Member; }}"));

    [Fact]
    public void AKeyOfAnotherAssemblyIsSeenThrough()
    {
        const string library = """
            namespace Lib;
            [NinoType(References = true)] public sealed record Node(int Id) { public Link? Link { get; set; } }
            [NinoType] public sealed class Link { public List<Node>? Nodes; }
            [NinoType(References = true)] public sealed record Leaf(int Id);
            [NinoType(References = true)] public abstract record Tree;
            [NinoType] public sealed record Branch(Tree Left) : Tree;
            """;
        Assert.Equal("NINO022", Assert.Single(GeneratorHarness.DiagnoseWithLibrary(library, "[NinoType] public class A { public HashSet<Lib.Node>? Nodes; }", false)).Id);
        Assert.Equal("NINO022", Assert.Single(GeneratorHarness.DiagnoseWithLibrary(library, "[NinoType] public class A { public HashSet<Lib.Tree>? Trees; }", false)).Id);
        Assert.Empty(GeneratorHarness.DiagnoseWithLibrary(library, "[NinoType] public class A { public HashSet<Lib.Leaf>? Leaves; public HashSet<Lib.Link>? Links; }", false));
    }

    /// <summary>What stands there may be anything, and where the key is a reference to what was read before, nobody looks.</summary>
    [Fact]
    public void AKeyThatKeepsReferencesAndHoldsAnObjectIsRefused()
    {
        const string holder = "[NinoType(References = true)] public sealed record Holder(int Id) { public object? Any { get; set; } }";
        Assert.Equal("NINO022", Assert.Single(GeneratorHarness.Diagnose(holder + "[NinoType] public class A { public List<Holder>? Seen; public HashSet<Holder>? Set; }")).Id);
        Assert.Equal("NINO022", Assert.Single(GeneratorHarness.DiagnoseWithLibrary("namespace Lib; " + holder, "[NinoType] public class A { public List<Lib.Holder>? Seen; public HashSet<Lib.Holder>? Set; }", false)).Id);
        Assert.Empty(GeneratorHarness.Diagnose(holder + "[NinoType] public class A { public List<Holder>? Seen; public Dictionary<int, Holder>? Set; }"));
    }

    [Fact]
    public void AKeyThatIsDeclaredAsObjectIsRefusedWhenItIsWrittenAndRead()
    {
        var looping = new Employee(1, "one", null);
        looping.Staff.Add(looping);
        looping.Deputy = looping;
        // A list's encoding is that of a set.
        byte[] bytes = NinoSerializer.Serialize<List<object>>([looping]);
        Assert.Contains("Declare the type of the keys", Assert.Throws<NinoSerializationException>(() => NinoSerializer.Deserialize<HashSet<object>>(bytes)).Message);
        Assert.Contains("Declare the type of the keys", Assert.Throws<NinoSerializationException>(() => NinoSerializer.Serialize<HashSet<object>>([new Person()])).Message);
        Assert.Contains("Declare the type of the keys", Assert.Throws<NinoSerializationException>(() => NinoSerializer.Serialize(new Hashtable { [new Person()] = 1 })).Message);
        Assert.Equal(new Hashtable { ["x"] = 1 }.Keys, NinoSerializer.Deserialize<Hashtable>(NinoSerializer.Serialize(new Hashtable { ["x"] = new Person() })).Keys);
        Assert.Equal([1, "x"], NinoSerializer.Deserialize<HashSet<object>>(NinoSerializer.Serialize<HashSet<object>>([1, "x"])));
    }
}
