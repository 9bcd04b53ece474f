using Store.Tests.Generator;

namespace Store.Tests.Filling;

/// <summary>
/// Elements in a collection that has no setter and cannot be changed are written where two new objects show that reading makes one that can be filled, and nowhere else.
/// </summary>
public sealed class FixedCollectionTests
{
    private const string Refusal = """
        public static class Expect
        {
            public static void Refused<T>(T value, string member, string type, NinoLimits? limits = null)
            {
                try { NinoSerializer.Serialize(value, limits); }
                catch (NinoSerializationException error) when (error.MemberPath == member && error.TypeName == NinoSerializer.SchemaOf<T>().Name
                    && error.Message.Contains($"The member '{member}' has no setter, and its elements are in a '{type}', which cannot be changed.")
                    && error.Message.Contains("Give the member a setter or init, or a constructor parameter of its name")) { return; }
                throw new InvalidOperationException(typeof(T) + " was written");
            }
        }

        """;

    [Fact]
    public void ItIsNotWrittenWhereWhatIsStoredMayDecideWhichCollectionAnObjectHas() => Programs.Run(Refusal + """
        [NinoType] public sealed record Closed(int Id) { public IList<string> Values { get; } = new List<string> { "a" }.AsReadOnly(); }
        [NinoType] public sealed class Chosen(int id) { public int Id { get; } = id; public ICollection<int> Values { get; } = id > 5 ? new int[] { id } : new List<int>(); }
        [NinoType] public sealed class Mapped { public Mapped(string name) { Name = name; Values = new System.Collections.ObjectModel.ReadOnlyDictionary<string, int>(new Dictionary<string, int> { [name] = 1 }); } public string Name { get; } public IDictionary<string, int> Values { get; } }
        [NinoType] public readonly struct Cell(int id) { public int Id { get; } = id; public IList<int> Values { get; } = new int[2]; }
        [NinoType] public sealed class Hidden { [NinoConstructor] private Hidden(int id) { _id = id; } public static Hidden Of(int id) => new(id); [NinoInclude] private readonly int _id; public readonly IList<int> Values = new int[1]; public int Ask() => _id; }
        [NinoType] public sealed class Holder { public List<Chosen> All { get; set; } = []; }
        """, """
        Expect.Refused(new Closed(1), "Closed.Values", "System.Collections.ObjectModel.ReadOnlyCollection`1[System.String]");
        Expect.Refused(new Chosen(6), "Chosen.Values", "System.Int32[]");
        Equal(3, Copy(new Chosen(5) { Values = { 3 } }).Values.Count + 2);
        Expect.Refused(new Mapped("m"), "Mapped.Values", "System.Collections.ObjectModel.ReadOnlyDictionary`2[System.String,System.Int32]");
        Expect.Refused(new Cell(1), "Cell.Values", "System.Int32[]");
        Expect.Refused(Hidden.Of(1), "Hidden.Values", "System.Int32[]");
        Expect.Refused(new Holder { All = { new Chosen(5), new Chosen(6) } }, "Chosen.Values", "System.Int32[]");
        """);

    [Fact]
    public void ItIsNotWrittenWhereCodeThatRunsBeforeItIsFilledMayDecideIt() => Programs.Run(Refusal + """
        [NinoType] public sealed class Closing
        {
            private IList<int> _values = new List<int>();
            public IList<int> Values => _values;
            public bool IsClosed { get => field; set { field = value; if (value) _values = new List<int>(_values).AsReadOnly(); } }
        }
        [NinoType] public sealed class Late
        {
            private IList<int> _values = new List<int>();
            public IList<int> Values => _values;
            [NinoOnDeserializing] private void Close() => _values = Array.AsReadOnly([1]);
            public Late Freeze() { Close(); return this; }
        }
        """, """
        Expect.Refused(new Closing { Values = { 1 }, IsClosed = true }, "Closing.Values", "System.Collections.ObjectModel.ReadOnlyCollection`1[System.Int32]");
        Equal(1, Copy(new Closing { Values = { 1 } }).Values[0]);
        Equal(true, Copy(new Closing { IsClosed = true }).IsClosed);
        Expect.Refused(new Late().Freeze(), "Late.Values", "System.Collections.ObjectModel.ReadOnlyCollection`1[System.Int32]");
        """);

    [Fact]
    public void ItIsNotWrittenWhereFactoriesReferencesOrCodecsOfOthersAreInvolved() => Programs.Run(Refusal + """
        public struct TextCodec : INinoCodec<string>
        {
            public static int MinSize => 1;
            public static SchemaNode Describe(SchemaBuilder builder) => Store.Serialization.Codecs.StringCodec.Describe(builder);
            public void Write(ref NinoWriter writer, in string value) => default(Store.Serialization.Codecs.StringCodec).Write(ref writer, in value);
            public string Read(ref NinoReader reader) => throw new InvalidOperationException("nobody asked for that");
        }
        [NinoType] public sealed class Made { private Made(int id) => Id = id; [NinoConstructor] public static Made Of(int id) => new(id); public int Id { get; } public IList<int> Values { get; } = new int[1]; }
        [NinoType(References = true)] public sealed class Node(string name) { public string Name { get; } = name; public Node? Next { get; set; } public IList<int> Values { get; } = name == "open" ? new List<int>() : new int[1]; }
        [NinoType] public sealed class Coded(string held) { [NinoCodec(typeof(TextCodec))] public string Held { get; } = held; public IList<int> Values { get; } = new int[1]; }
        [NinoType] public sealed class Boxed(object held) { public object Held { get; } = held; public IList<int> Values { get; } = new int[1]; }
        [NinoType] public sealed class Based(Lib.Animal held) { public Lib.Animal Held { get; } = held; public IList<int> Values { get; } = new int[1]; }
        """, """
        Expect.Refused(Made.Of(1), "Made.Values", "System.Int32[]");
        Expect.Refused(new Node("n"), "Node.Values", "System.Int32[]");
        Equal(3, Copy(new Node("open") { Values = { 3 } }).Values[0]);
        Expect.Refused(new Coded("s"), "Coded.Values", "System.Int32[]");
        Expect.Refused(new Boxed("s"), "Boxed.Values", "System.Int32[]");
        Expect.Refused(new Based(new Lib.Dog { Name = "d" }), "Based.Values", "System.Int32[]");
        """, """
        namespace Lib;
        [NinoType] public abstract class Animal;
        [NinoType] public sealed class Dog : Animal { public string? Name { get; set; } }
        """);

    [Fact]
    public void WhatTheRefusalAdvisesIsWrittenAndRead() => Programs.Run("""
        [NinoType] public sealed class Settable(int id) { public int Id { get; } = id; public IList<int> Values { get; init; } = new int[] { id }; }
        [NinoType] public sealed class Given(int id, IList<int> values) { public int Id { get; } = id; public IList<int> Values { get; } = Array.AsReadOnly([.. values]); }
        [NinoType] public sealed class Changeable(int id) { public int Id { get; } = id; public IList<int> Values { get; } = new List<int> { id }; }
        """, """
        Equal(3, Copy(new Settable(3)).Values[0]);
        Equal((4, true), (Copy(new Given(3, [4])).Values[0], Copy(new Given(3, [4])).Values.IsReadOnly));
        Equal(3, Copy(new Changeable(3)).Values[0]);
        """);

    [Fact]
    public void AnObjectThatWasFrozenIsWrittenWhereNewOnesHaveACollectionThatCanBeFilled() => Programs.Run("""
        [NinoType] public sealed class Frozen
        {
            private IList<string> _tags = new List<string> { "first" };
            public Frozen(int unused = 0) { }
            public int Id { get; set; }
            public required string Name { get; init; }
            public string? Note;
            public IList<string> Tags => _tags;
            public Frozen Freeze() { _tags = new List<string>(_tags).AsReadOnly(); return this; }
        }
        [NinoType(References = true)] public sealed class Node
        {
            private IList<Node> _next = new List<Node>();
            public IList<Node> Next => _next;
            public Node Freeze() { _next = Array.AsReadOnly([this]); return this; }
        }
        [NinoType] public sealed class Boxed
        {
            private IList<int> _values = new List<int>();
            public object? Any { get; set; }
            public IList<int> Values => _values;
            public Boxed Freeze() { _values = Array.AsReadOnly([5]); return this; }
        }
        """, """
        Frozen copy = Copy(new Frozen { Id = 1, Name = "n", Note = "note", Tags = { "second" } }.Freeze());
        Equal((1, "n", "note", "first,second", false), (copy.Id, copy.Name, copy.Note, string.Join(",", copy.Tags), copy.Tags.IsReadOnly));
        Node node = Copy(new Node().Freeze());
        Equal((true, 1), (ReferenceEquals(node, node.Next[0]), node.Next.Count));
        Boxed boxed = Copy(new Boxed { Any = "any" }.Freeze());
        Equal(("any", 5), ((string?)boxed.Any, boxed.Values[0]));
        """);

    [Fact]
    public void ItIsNotWrittenWhateverKindOfCollectionItIs() => Programs.Run("using System.Collections.Immutable;" + Refusal + """
        public sealed class Sealable : System.Collections.ObjectModel.Collection<int>, ICollection<int>
        {
            public Sealable() : base(new List<int>()) { }
            public Sealable(int value) : base(new int[] { value }) { }
        }
        [NinoType] public sealed class Set(int id) { public int Id { get; } = id; public ISet<int> Values { get; } = System.Collections.Frozen.FrozenSet.ToFrozenSet([id]); }
        [NinoType] public sealed class Segment(int id) { public int Id { get; } = id; public IList<int> Values { get; } = new ArraySegment<int>([id]); }
        [NinoType] public sealed class Tree(int id) { public int Id { get; } = id; public ICollection<int> Values { get; } = ImmutableList.Create(id); }
        [NinoType] public sealed class Map(int id) { public int Id { get; } = id; public IDictionary<int, int> Values { get; } = ImmutableDictionary<int, int>.Empty.Add(id, id); }
        [NinoType] public sealed class Pairs(int id) { public int Id { get; } = id; public ICollection<KeyValuePair<int, int>> Values { get; } = new KeyValuePair<int, int>[] { new(id, id) }; }
        [NinoType] public sealed class Own(int id) { public int Id { get; } = id; public Sealable Values { get; } = id > 5 ? new(id) : new(); }
        """, """
        Expect.Refused(new Set(1), "Set.Values", System.Collections.Frozen.FrozenSet.ToFrozenSet([1]).GetType().ToString());
        Expect.Refused(new Segment(1), "Segment.Values", "System.ArraySegment`1[System.Int32]");
        Expect.Refused(new Tree(1), "Tree.Values", "System.Collections.Immutable.ImmutableList`1[System.Int32]");
        Expect.Refused(new Map(1), "Map.Values", "System.Collections.Immutable.ImmutableDictionary`2[System.Int32,System.Int32]");
        Expect.Refused(new Pairs(1), "Pairs.Values", "System.Collections.Generic.KeyValuePair`2[System.Int32,System.Int32][]");
        Expect.Refused(new Own(6), "Own.Values", "Sealable");
        Equal(1, Copy(new Own(1) { Values = { 7 } }).Values.Count);
        """);

    [Fact]
    public void ItIsNotWrittenWhereTheGetterIsCodeOfAnotherAssembly() => Programs.Run(Refusal + """
        [NinoSerializable(typeof(Lib.Stock))] internal static class Registers;
        [NinoType] public sealed class Outer { public Lib.Stock Stock { get; set; } = new(); }
        """, """
        Outer value = new() { Stock = { Values = { 1 } } };
        Equal(1, Copy(value).Stock.Values[0]);
        value.Stock.IsClosed = true;
        Expect.Refused(value, "Lib.Stock.Values", "System.Collections.ObjectModel.ReadOnlyCollection`1[System.Int32]");
        """, """
        namespace Lib;
        public sealed class Stock
        {
            private IList<int>? _closed;
            private readonly IList<int> _values = new List<int>();
            public IList<int> Values { get { if (IsClosed) return _closed ??= new List<int>(_values).AsReadOnly(); return _values; } }
            public bool IsClosed { get; set; }
        }
        """);

    [Fact]
    public void OneWithoutElementsIsWrittenForItTakesNoneBack() => Programs.Run("""
        [NinoType] public sealed class Chosen(int id) { public int Id { get; } = id; public IList<int> Values { get; } = id > 5 ? Array.Empty<int>() : new List<int>(); }
        """, """
        Equal((6, 0), (Copy(new Chosen(6)).Id, Copy(new Chosen(6)).Values.Count));
        """);

    [Fact]
    public void WhatCannotBePutBackIsToldWhenItIsRead() => Programs.Run("""
        [NinoType] public sealed class Chosen(int id) { public static bool IsOpen = true; public int Id { get; } = id; public IList<int> Values { get; } = IsOpen ? new List<int>() : new int[1]; }
        """, """
        byte[] some = NinoSerializer.Serialize(new Chosen(1) { Values = { 3 } }), none = NinoSerializer.Serialize(new Chosen(1));
        Equal(3, Copy(new Chosen(1) { Values = { 3 } }).Values[0]);
        Chosen.IsOpen = false;
        Equal(true, IsRefused(some));
        Equal(true, IsRefused(none));
        static bool IsRefused(byte[] bytes)
        {
            try { NinoSerializer.Deserialize<Chosen>(bytes); return false; }
            catch (NinoSerializationException error) { return error.Message.Contains("Chosen.Values' has no setter, and holds a 'System.Int32[]', which cannot be changed"); }
        }
        """);

    [Fact]
    public void ItIsRefusedAtTheGreatestDepthTooAndNoCallbackRunsBeyond() => Programs.Run(Refusal + """
        [NinoType] public sealed class Link
        {
            public static int Calls;
            private IList<int> _values = new List<int>();
            public Link(int id) => Id = id;
            public int Id { get; }
            public Link? Next { get; set; }
            public IList<int> Values => _values;
            public Link Freeze() { _values = new int[] { Id }; return this; }
            [NinoOnSerializing] private void Before() => Calls++;
        }
        """, """
        NinoLimits two = new() { MaxDepth = 2 };
        Copy(new Link(1) { Next = new Link(2) });
        Expect.Refused(new Link(1) { Next = new Link(2).Freeze() }, "Link.Values", "System.Int32[]", two);
        Link.Calls = 0;
        try { NinoSerializer.Serialize(new Link(1) { Next = new Link(2) { Next = new Link(3).Freeze() } }, two); }
        catch (NinoSerializationException error) when (error.Message.Contains("deeper than the limit of 2") && Link.Calls == 2) { return; }
        throw new InvalidOperationException($"{Link.Calls} calls");
        """);

    [Fact]
    public void NullIsNotWrittenWhereReadingWouldFindACollectionThatIsFixed() => Programs.Run("""
        [NinoType] public sealed class Dropped { private IList<int>? _values = new int[1]; public IList<int>? Values => _values; public Dropped Drop() { _values = null; return this; } }
        [NinoType] public sealed class Emptied { private IList<int>? _values = new List<int>(); public IList<int>? Values => _values; public Emptied Drop() { _values = null; return this; } }
        """, """
        Equal(0, Copy(new Emptied().Drop()).Values!.Count);
        try { NinoSerializer.Serialize(new Dropped().Drop()); }
        catch (NinoSerializationException error) when (error.Message.Contains("is a 'System.Int32[]' in a new object, which cannot be changed")) { return; }
        throw new InvalidOperationException("it was written");
        """);
}
