// Keys of which the compiler does not see all that they may hold: what stands in an object inside of a struct, tuple or record is of a type that another assembly knows, or that the program adds when it starts. Each program
// has an engine of its own, in which it registers. Their GetHashCode asks for stack first: without the check it throws where a careless one would end the process.

namespace Store.Tests.Generator.References;

public class OpenKeyTests
{
    private const string Node = """
        [NinoType(References = true)] public sealed record Node(int Id)
        {
            public Node? Next { get; set; }
            public static Node Cycle() { var node = new Node(1); node.Next = node; return node; }
            public override int GetHashCode() { System.Runtime.CompilerServices.RuntimeHelpers.EnsureSufficientExecutionStack(); return HashCode.Combine(Id, Next); }
        }

        """;

    private const string Keys = """
        [NinoType] public record struct Key(int Id, object? Any) : IComparable<Key> { public int CompareTo(Key other) => Id.CompareTo(other.Id); }

        """;

    private const string Checks = """
        public static class Checks
        {
            public static void IsRefused(Action action)
            {
                try { action(); }
                catch (NinoSerializationException error) when (error.Message.Contains("Declare the type of the keys")) { return; }
                throw new InvalidOperationException("It was not refused as a key.");
            }

            public static void Holds(bool condition) { if (!condition) throw new InvalidOperationException("It does not hold."); }
        }

        """;

    /// <summary>The encoding of a list is that of a set, and where no part has one width, one of pairs that of a dictionary. A key that holds no such object is one as ever.</summary>
    [Theory]
    [InlineData("HashSet<Key>", "[k]", "List<Key>", "[k]")]
    [InlineData("HashSet<Key?>", "[k]", "List<Key?>", "[k]")]
    [InlineData("HashSet<(int, Key)>", "[(1, k)]", "List<(int, Key)>", "[(1, k)]")]
    [InlineData("HashSet<Tuple<int, Key>>", "[Tuple.Create(1, k)]", "List<Tuple<int, Key>>", "[Tuple.Create(1, k)]")]
    [InlineData("HashSet<Wide>", "[new Wide(k)]", "List<Wide>", "[new Wide(k)]")]
    [InlineData("HashSet<Wider>", "[new Special(k)]", "List<Wider>", "[new Special(k)]")]
    [InlineData("HashSet<Part>", "[new Registered(k)]", "List<Part>", "[new Registered(k)]")]
    [InlineData("SortedSet<Key>", "[k]", "List<Key>", "[k]")]
    [InlineData("ISet<Key>", "new HashSet<Key> { k }", "List<Key>", "[k]")]
    [InlineData("System.Collections.Frozen.FrozenSet<Key>", "System.Collections.Frozen.FrozenSet.ToFrozenSet(new[] { k })", "List<Key>", "[k]")]
    [InlineData("KeySet", "[k]", "List<Key>", "[k]")]
    [InlineData("ByKey", "new ByKey { new Wide(k) }", "List<Wide>", "[new Wide(k)]")]
    [InlineData("Dictionary<Key, string>", "new() { [k] = \"\" }", "List<KeyValuePair<Key, string>>", "[new(k, \"\")]")]
    [InlineData("SortedDictionary<Key, string>", "new() { [k] = \"\" }", "List<KeyValuePair<Key, string>>", "[new(k, \"\")]")]
    [InlineData("PriorityQueue<int, Key>", "new([(1, k)])", "List<Queued>", "[new(1, k)]")]
    public void WhatAProgramAddsWhenItStartsIsLookedAtInsideOfAKey(string keyed, string ofKeyed, string listed, string ofListed) => GeneratorHarness.RunIsolated(Keys + $$"""
        [NinoType] public sealed record Wide(Key Key);
        [NinoType] public abstract record Wider;
        [NinoType] public sealed record Special(Key Key) : Wider;
        [NinoType] public record struct Queued(int Element, Key Priority);
        [NinoSerializable(typeof(Part)), NinoSerializable(typeof(Registered))] public static partial class Context;
        public abstract record Part;
        public sealed record Registered(Key Key) : Part;
        public class KeySet : HashSet<Key>;
        public class ByKey : System.Collections.ObjectModel.KeyedCollection<Key, Wide> { protected override Key GetKeyForItem(Wide item) => item.Key; }
        [NinoType] public sealed class Keyed { public {{keyed}}? All; public static Keyed Of(Key k) => new() { All = {{ofKeyed}} }; }
        [NinoType] public sealed class Listed { public {{listed}}? All; public static Listed Of(Key k) => new() { All = {{ofListed}} }; }
        """, Node + Checks + """
        public static class Program
        {
            public static void Run()
            {
                NinoObjects.Register<Node>();
                Checks.Holds(NinoSerializer.Clone(Keyed.Of(new Key(1, "x"))).All is not null);
                byte[] harmless = NinoSerializer.Serialize(Listed.Of(new Key(1, "x")));
                Checks.Holds(NinoSerializer.Deserialize<Keyed>(harmless).All is not null);
                byte[] hostile = NinoSerializer.Serialize(Listed.Of(new Key(1, Node.Cycle())));
                Checks.IsRefused(() => NinoSerializer.Deserialize<Keyed>(hostile));
                Checks.IsRefused(() => NinoSerializer.Serialize(Keyed.Of(new Key(1, new Node(1)))));

                // Behind one that was refused, all is as before.
                Keyed? into = Keyed.Of(new Key(2, "y"));
                Checks.IsRefused(() => NinoSerializer.Deserialize(hostile, ref into));
                NinoSerializer.Deserialize(harmless, ref into);
                Checks.Holds(NinoSerializer.Clone(Listed.Of(new Key(1, Node.Cycle()))).All is not null);
            }
        }
        """);

    /// <summary>That assembly's list of what an object may be is not seen where its struct is made a key.</summary>
    [Fact]
    public void WhatAnotherAssemblyKnowsIsLookedAtInsideOfAKeyToo() => GeneratorHarness.RunIsolated(Keys + Node, Checks + """
        [NinoType] public sealed class Keyed { public HashSet<Key>? All; }
        [NinoType] public sealed class Listed { public List<Key>? All; }
        public static class Program
        {
            public static void Run()
            {
                byte[] hostile = NinoSerializer.Serialize(new Listed { All = [new Key(1, Node.Cycle())] });
                Checks.IsRefused(() => NinoSerializer.Deserialize<Keyed>(hostile));
                Checks.IsRefused(() => NinoSerializer.Serialize(new Keyed { All = [new Key(1, new Node(1))] }));
                Checks.Holds(NinoSerializer.Clone(new Keyed { All = [new Key(1, 5)] }).All!.Contains(new Key(1, 5)));
            }
        }
        """);

    /// <summary>Nobody asks what is in a node that is told apart by identity, so it may hold anything, and lead back to what holds it.</summary>
    [Fact]
    public void ANodeThatIsToldApartByIdentityMayHoldAnything() => GeneratorHarness.RunIsolated("""
        [NinoType(References = true)] public class Plain { public Plain? Parent; public object? Any; public HashSet<Plain> Children { get; set; } = []; public Dictionary<(Plain, int), string> Names { get; set; } = []; }
        """, Node + Checks + """
        public static class Program
        {
            public static void Run()
            {
                NinoObjects.Register<Node>();
                var parent = new Plain();
                var child = new Plain { Parent = parent, Any = Node.Cycle() };
                parent.Children.Add(child);
                parent.Names.Add((child, 1), "one");
                Plain read = NinoSerializer.Clone(parent);
                foreach (Plain one in read.Children)
                {
                    Checks.Holds(one.Parent == read && read.Children.Contains(one) && read.Names[(one, 1)] == "one");
                    Checks.Holds(one.Any is Node node && node.Next == node);
                }
            }
        }
        """);
}
