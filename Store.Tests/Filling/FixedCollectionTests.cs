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
        [NinoType(References = true)] public sealed class Node(string name) { public string Name { get; } = name; public Node? Next { get; set; } public IList<int> Values { get; } = new int[1]; }
        [NinoType] public sealed class Coded(string held) { [NinoCodec(typeof(TextCodec))] public string Held { get; } = held; public IList<int> Values { get; } = new int[1]; }
        [NinoType] public sealed class Boxed(object held) { public object Held { get; } = held; public IList<int> Values { get; } = new int[1]; }
        [NinoType] public sealed class Based(Lib.Animal held) { public Lib.Animal Held { get; } = held; public IList<int> Values { get; } = new int[1]; }
        """, """
        Expect.Refused(Made.Of(1), "Made.Values", "System.Int32[]");
        Expect.Refused(new Node("n"), "Node.Values", "System.Int32[]");
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
    public void NothingOfATypeRunsWhileItsObjectIsWrittenButGettersAndCallbacks() => Programs.Run("""
        [NinoType] public sealed class Loud
        {
            public static string Heard = "";
            private IList<int> _values = new List<int>();
            private Child _child = new();
            public Loud(int id) { Heard += "constructor "; Id = id; }
            public int Id { get; }
            public Child Child { get { Heard += "getter "; return _child; } set { Heard += "setter "; _child = value; } }
            public IList<int> Values => _values;
            [NinoOnSerializing] private void Before() => Heard += "before ";
            [NinoOnSerialized] private void After() => Heard += "after ";
            [NinoOnDeserializing] private void Made() => Heard += "made ";
            [NinoOnDeserialized] private void Read() => Heard += "read ";
            public Loud Freeze() { _values = Array.AsReadOnly([Id]); return this; }
        }
        [NinoType] public sealed class Child { private Child(int id) => Id = id; public Child() { } [NinoConstructor] public static Child Of(int id) { Loud.Heard += "factory "; return new(id); } public int Id { get; } }
        """, """
        Loud value = new(1);
        Copy(value);
        Loud.Heard = "";
        NinoSerializer.Serialize(value);
        Equal("before getter after ", Loud.Heard);
        value.Freeze();
        Loud.Heard = "";
        bool isRefused = false;
        try { NinoSerializer.Serialize(value); }
        catch (NinoSerializationException) { isRefused = true; }
        Equal((true, "before getter "), (isRefused, Loud.Heard));
        """);

    [Fact]
    public void OneWithoutElementsIsWrittenForItTakesNoneBack() => Programs.Run("""
        [NinoType] public sealed class Chosen(int id) { public int Id { get; } = id; public IList<int> Values { get; } = id > 5 ? Array.Empty<int>() : new List<int>(); }
        """, """
        Equal((6, 0), (Copy(new Chosen(6)).Id, Copy(new Chosen(6)).Values.Count));
        """);

    [Fact]
    public void ThatWhatAConstructorGivesCannotBeFilledIsToldWhenItIsRead() => Programs.Run("""
        [NinoType] public sealed class Chosen(int id) { public static bool IsOpen = true; public int Id { get; } = id; public IList<int> Values { get; } = IsOpen ? new List<int>() : new int[1]; }
        """, """
        byte[] bytes = NinoSerializer.Serialize(new Chosen(1) { Values = { 3 } });
        Equal(3, Copy(new Chosen(1) { Values = { 3 } }).Values[0]);
        Chosen.IsOpen = false;
        try { NinoSerializer.Deserialize<Chosen>(bytes); }
        catch (NinoSerializationException error) when (error.Message.Contains("Chosen.Values' has no setter, and holds a 'System.Int32[]', which cannot be changed")) { return; }
        throw new InvalidOperationException("it was read");
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

    [Fact]
    public void WhateverTheConstructorThrowsWhenNewObjectsAreLookedAtNothingIsKnownAndItIsWritten() => Programs.Run("""
        [NinoType] public sealed class Moody
        {
            public static Exception? Thrown;
            private IList<int> _values;
            public Moody() { if (Thrown is not null) throw Thrown; _values = new List<int>(); }
            public IList<int> Values => _values;
            public Moody Freeze(int value) { _values = Array.AsReadOnly([value]); return this; }
        }
        """, """
        Moody value = new Moody().Freeze(4);
        foreach (Exception thrown in new Exception[] { new System.IO.IOException("no disk"), new OperationCanceledException(), new MissingMethodException(), new TypeInitializationException("T", null), new BadImageFormatException() })
        {
            Moody.Thrown = thrown;
            byte[] bytes = NinoSerializer.Serialize(value);
            Moody.Thrown = null;
            Equal(4, NinoSerializer.Deserialize<Moody>(bytes).Values[0]);
        }

        Equal(4, Copy(value).Values[0]);
        """);

    [Fact]
    public void AConstructorThatFailsOnceAtTheFirstLookLeavesTheTypeAsItIs() => Programs.Run("""
        [NinoType] public sealed class Shallow
        {
            public static Exception? Thrown;
            public Shallow() { if (Thrown is { } thrown) { Thrown = null; throw thrown; } }
            public IList<int> Values { get; } = new List<int>();
        }
        [NinoType] public sealed class Interrupted
        {
            public static Exception? Thrown;
            public Interrupted() { if (Thrown is { } thrown) { Thrown = null; throw thrown; } }
            public IList<int> Values { get; } = new List<int>();
        }
        [NinoType] public sealed class Fixed
        {
            public static Exception? Thrown;
            public static bool IsOpen = true;
            public Fixed() { if (Thrown is { } thrown) { Thrown = null; throw thrown; } }
            public IList<int> Values { get; } = IsOpen ? new List<int>() : new int[1];
        }
        """, """
        Shallow shallow = new() { Values = { 4 } };
        Shallow.Thrown = new InsufficientExecutionStackException();
        Equal(true, Fails<InsufficientExecutionStackException>(() => NinoSerializer.Serialize(shallow)));
        Equal(4, Copy(shallow).Values[0]);
        Interrupted interrupted = new() { Values = { 5 } };
        Interrupted.Thrown = new System.Threading.ThreadInterruptedException();
        Equal(true, Fails<System.Threading.ThreadInterruptedException>(() => NinoSerializer.Serialize(interrupted)));
        Equal(5, Copy(interrupted).Values[0]);
        Fixed open = new() { Values = { 6 } };
        Fixed.IsOpen = false;
        Fixed.Thrown = new System.IO.IOException("no disk");
        NinoSerializer.Serialize(open);
        Equal(true, Fails<NinoSerializationException>(() => NinoSerializer.Serialize(open)));
        static bool Fails<T>(Action write) where T : Exception
        {
            try { write(); return false; }
            catch (T) { return true; }
        }
        """);

    [Fact]
    public void AConstructorThatWritesAnObjectOfItsOwnTypeIsLookedAtOnce() => Programs.Run("""
        [NinoType] public sealed class Template
        {
            public static Template? Shared;
            public static int Made;
            public Template() { if (++Made > 100) throw new InvalidOperationException("made again and again"); if (Shared is not null) NinoSerializer.Serialize(Shared); }
            public IList<int> Values { get; } = new List<int>();
        }
        """, """
        Template.Shared = new Template { Values = { 4 } };
        Equal(4, Copy(Template.Shared).Values[0]);
        Equal(4, Template.Made);
        """);
}
