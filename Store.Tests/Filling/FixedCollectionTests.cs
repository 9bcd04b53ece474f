using Store.Tests.Generator;

namespace Store.Tests.Filling;

/// <summary>An object whose collection has no setter and cannot be changed is written where reading makes one that can be filled, and nowhere else.</summary>
public sealed class FixedCollectionTests
{
    [Fact]
    public void ACollectionThatReadingWouldFindFixedIsNotWritten() => Programs.Run("""
        [NinoType] public sealed record Closed(int Id) { public IList<string> Values { get; } = new List<string> { "a" }.AsReadOnly(); }
        [NinoType] public sealed class Chosen(int id) { public int Id { get; } = id; public ICollection<int> Values { get; } = id > 5 ? new int[] { id } : new List<int>(); }
        [NinoType] public sealed class Mapped { public Mapped(string name) { Name = name; Values = new System.Collections.ObjectModel.ReadOnlyDictionary<string, int>(new Dictionary<string, int> { [name] = 1 }); } public string Name { get; } public IDictionary<string, int> Values { get; } }
        [NinoType] public readonly struct Cell(int id) { public int Id { get; } = id; public IList<int> Values { get; } = new int[2]; }
        [NinoType] public sealed class Hidden { [NinoConstructor] private Hidden(int id) { _id = id; } public static Hidden Of(int id) => new(id); [NinoInclude] private readonly int _id; public readonly IList<int> Values = new int[1]; public int Ask() => _id; }
        [NinoType] public sealed class Closing
        {
            private IList<int> _values = new List<int>();
            public IList<int> Values => _values;
            public bool IsClosed { get => field; set { field = value; if (value) _values = new List<int>(_values).AsReadOnly(); } }
        }
        """, """
        Refused(new Closed(1), "System.Collections.ObjectModel.ReadOnlyCollection`1[System.String]");
        Refused(new Chosen(6), "System.Int32[]");
        Equal(3, Copy(new Chosen(5) { Values = { 3 } }).Values.Count + 2);
        Refused(new Mapped("m"), "System.Collections.ObjectModel.ReadOnlyDictionary`2[System.String,System.Int32]");
        Refused(new Cell(1), "System.Int32[]");
        Refused(Hidden.Of(1), "System.Int32[]");
        Refused(new Closing { Values = { 1 }, IsClosed = true }, "System.Collections.ObjectModel.ReadOnlyCollection`1[System.Int32]");
        Equal(1, Copy(new Closing { Values = { 1 } }).Values[0]);
        Equal(true, Copy(new Closing { IsClosed = true }).IsClosed);
        void Refused<T>(T value, string type)
        {
            try { NinoSerializer.Serialize(value); }
            catch (NinoSerializationException error) when (error.Message.Contains(typeof(T).Name + ".Values' has no setter, and holds a '" + type + "', which cannot be changed") && error.Message.Contains("This '" + typeof(T) + "' is not written, because it could not be read again.")) { return; }
            throw new InvalidOperationException(typeof(T) + " was written");
        }
        """);

    [Fact]
    public void AnObjectThatWasFrozenAfterItsConstructionIsWritten() => Programs.Run("""
        [NinoType] public sealed record Frozen(int Id, string Name)
        {
            public static int Constructions;
            private readonly int _number = Constructions++;
            private IList<string> _tags = new List<string> { "first" };
            public IList<string> Tags => _tags;
            public string? Note { get; init; }
            public Frozen Freeze() { _tags = new List<string>(_tags).AsReadOnly(); return this; }
            public int Ask() => _number;
        }
        [NinoType] public sealed class Late
        {
            private IList<int>? _values;
            public Late(int id) { Id = id; _values = id < 0 ? [] : null; }
            public int Id { get; }
            public IList<int>? Values => _values;
            [NinoOnDeserializing] private void Make() => _values = new List<int>();
            public Late With(int value) { _values = Array.AsReadOnly([value]); return this; }
        }
        """, """
        Frozen value = new Frozen(1, "n") { Note = "note", Tags = { "second" } };
        Frozen.Constructions = 0;
        NinoSerializer.Serialize(value);
        Equal(0, Frozen.Constructions);
        NinoSerializer.Serialize(value.Freeze());
        Equal(1, Frozen.Constructions);
        Frozen copy = Copy(value);
        Equal((1, "n", "note", "first,second", false), (copy.Id, copy.Name, copy.Note, string.Join(",", copy.Tags), copy.Tags.IsReadOnly));
        Late late = Copy(new Late(2).With(7));
        Equal((2, 7), (late.Id, late.Values![0]));
        """);

    [Fact]
    public void WhereTheConstructorThrowsNothingIsKnownAndItIsWritten() => Programs.Run("""
        [NinoType] public sealed class Moody
        {
            public static bool Throws;
            private IList<int> _values;
            public Moody(int id) { if (Throws) throw new ArgumentException("not now"); Id = id; _values = new List<int>(); }
            public int Id { get; }
            public IList<int> Values => _values;
            public void Freeze() => _values = Array.AsReadOnly([4]);
        }
        """, """
        var value = new Moody(3);
        value.Freeze();
        Moody.Throws = true;
        byte[] bytes = NinoSerializer.Serialize(value);
        Moody.Throws = false;
        Equal(4, NinoSerializer.Deserialize<Moody>(bytes).Values[0]);
        Copy(value);
        """);

    [Fact]
    public void WhatIsTriedHasNothingOfTheObjectThatIsWritten() => Programs.Run("""
        [NinoType] public sealed class Child { public string? Name; [NinoIgnore] public Parent? Parent; }
        [NinoType] public sealed class Parent
        {
            public static int Calls;
            private IList<int> _values;
            // A live child has a parent, and one that was read has none yet.
            public Parent(Child child) { _values = child.Parent is null ? new List<int>() : Array.AsReadOnly([1]); child.Parent = this; Child = child; }
            public Child Child { get; }
            public IList<int> Values => _values;
            [NinoOnSerializing] private void Before() => Calls++;
            [NinoOnSerialized] private void After() => Calls += 10;
            public Parent Freeze() { _values = new List<int>(_values).AsReadOnly(); return this; }
        }
        """, """
        var child = new Child { Name = "c" };
        Parent value = new Parent(child) { Values = { 4 } }.Freeze();
        Parent copy = Copy(value);
        Equal((true, 11, "c", 4), (ReferenceEquals(value, child.Parent), Parent.Calls, copy.Child.Name, copy.Values[0]));
        """);

    [Fact]
    public void WhatAnObjectHoldsIsTriedWithItAndNotAgain() => Programs.Run("""
        [NinoType] public sealed class Link
        {
            public static int Made;
            private IList<int> _values;
            public Link(int id) { Made++; Id = id; _values = id < 0 ? new int[] { id } : new List<int>(); }
            public int Id { get; }
            public Link? Next { get; set; }
            public IList<int> Values => _values;
            public Link Freeze() { _values = Array.AsReadOnly([Id]); return this; }
        }
        [NinoType] public sealed class Pair { public Link? One; public Link? Two; }
        """, """
        Link? chain = null;
        for (int i = 0; i < 20; i++) chain = new Link(i) { Next = chain }.Freeze();
        Link.Made = 0;
        byte[] bytes = NinoSerializer.Serialize(chain);
        Equal(20, Link.Made);
        Equal(18, NinoSerializer.Deserialize<Link>(bytes).Next!.Values[0]);
        Equal(19, Copy(chain!).Values[0]);
        Link.Made = 0;
        NinoSerializer.Serialize(new Pair { One = new Link(1).Freeze(), Two = new Link(2).Freeze() });
        Equal(4, Link.Made);
        try { NinoSerializer.Serialize(new Link(1) { Next = new Link(-1) }); }
        catch (NinoSerializationException error) when (error.Message.Contains("Link.Values' has no setter, and holds a 'System.Int32[]'")) { return; }
        throw new InvalidOperationException("it was written");
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
    public void WhatAFactoryOrACodecGivesMayBeEverybodysAndIsNotReadWhileAnotherObjectIsWritten() => Programs.Run("""
        using System.Collections.Concurrent;
        [NinoType] public sealed class Currency
        {
            public static int Calls;
            private static readonly ConcurrentDictionary<string, Currency> s_all = new();
            private Currency(string code) => Code = code;
            [NinoConstructor] public static Currency Of(string code) => s_all.GetOrAdd(code, static one => new Currency(one));
            public string Code { get; }
            public List<Rate> Rates { get; } = [];
            public Currency? Base { get; set; }
            [NinoOnDeserialized] private void After() => Calls++;
        }
        [NinoType] public sealed class Rate { public decimal Value { get; set; } }
        [NinoType] public sealed class Invoice
        {
            private IList<string> _lines = new List<string>();
            public Invoice(Currency currency) => Currency = currency;
            public Currency Currency { get; }
            public IList<string> Lines => _lines;
            public Invoice Freeze(string line) { _lines = Array.AsReadOnly([line]); return this; }
        }
        [NinoCodec(typeof(CustomerCodec))] public sealed class Customer { public List<Order> Orders = []; }
        public struct CustomerCodec : INinoCodec<Customer>
        {
            public static Customer Live = new();
            public static int MinSize => 4;
            public static SchemaNode Describe(SchemaBuilder builder) => Store.Serialization.Codecs.Int32Codec.Describe(builder);
            public void Write(ref NinoWriter writer, in Customer value) => writer.WriteBytes([1, 0, 0, 0]);
            public Customer Read(ref NinoReader reader) { reader.Take(4); return Live; }
        }
        [NinoType] public sealed class Order
        {
            private IList<string> _lines = new List<string>();
            public Order(Customer[] customers) { Customers = customers; customers[0].Orders.Add(this); }
            public Customer[] Customers { get; }
            public IList<string> Lines => _lines;
            public Order Freeze(string line) { _lines = Array.AsReadOnly([line]); return this; }
        }
        [NinoType] public sealed class Holder(int id, Order[] orders)
        {
            private IList<int> _ids = new List<int>();
            public int Id { get; } = id;
            public Order[] Orders { get; } = orders;
            public IList<int> Ids => _ids;
            public Holder Freeze() { _ids = Array.AsReadOnly([Id]); return this; }
        }
        """, """
        Currency live = Currency.Of("EUR"), other = Currency.Of("USD");
        Rate rate = new() { Value = 1.5m };
        live.Rates.Add(rate);
        live.Base = other;
        byte[] bytes = NinoSerializer.Serialize(new Invoice(live).Freeze("line"));
        Equal((true, 1, true, 0), (ReferenceEquals(rate, live.Rates[0]), live.Rates.Count, ReferenceEquals(other, live.Base), Currency.Calls));
        Equal(("line", true), (NinoSerializer.Deserialize<Invoice>(bytes).Lines[0], Currency.Calls > 0));
        Equal("line", Copy(new Invoice(other).Freeze("line")).Lines[0]);
        Order order = new Order([CustomerCodec.Live]).Freeze("line");
        byte[] stored = NinoSerializer.Serialize(order);
        NinoSerializer.Serialize(new Holder(1, [order]).Freeze());
        Equal(1, CustomerCodec.Live.Orders.Count);
        Equal("line", NinoSerializer.Deserialize<Order>(stored).Lines[0]);
        """);

    [Fact]
    public void ThatWhatAFactoryGivesCannotBeFilledIsToldWhenItIsRead() => Programs.Run("""
        [NinoType] public sealed class Made { private Made(int id) => Id = id; [NinoConstructor] public static Made Of(int id) => new(id); public int Id { get; } public IList<int> Values { get; } = new int[1]; }
        """, """
        try { Copy(Made.Of(1)); }
        catch (NinoSerializationException error) when (error.Message.Contains("Made.Values' has no setter, and holds a 'System.Int32[]', which cannot be changed")) { return; }
        throw new InvalidOperationException("it was read");
        """);

    [Fact]
    public void WhatATypeOfAnotherAssemblyIsMadeByIsNotCalledWhileAnotherObjectIsWritten() => Programs.Run("""
        [NinoType] public sealed class Invoice(Lib.Currency currency)
        {
            private IList<string> _lines = new List<string>();
            public Lib.Currency Currency { get; } = currency;
            public IList<string> Lines => _lines;
            public Invoice Freeze(string line) { _lines = Array.AsReadOnly([line]); return this; }
        }
        """, """
        Lib.Currency live = Lib.Currency.Of("EUR");
        live.Rates.Add(1.5m);
        Lib.Currency.Calls = 0;
        Equal("line", Copy(new Invoice(live).Freeze("line")).Lines[0]);
        Equal(1, Lib.Currency.Calls);
        """, """
        namespace Lib;
        [NinoType] public sealed class Currency
        {
            public static int Calls;
            private static readonly Dictionary<string, Currency> s_all = [];
            private Currency(string code) => Code = code;
            [NinoConstructor] public static Currency Of(string code) { Calls++; return s_all.TryGetValue(code, out Currency? there) ? there : s_all[code] = new Currency(code); }
            public string Code { get; }
            public List<decimal> Rates { get; } = [];
        }
        """);

    [Fact]
    public void FrozenObjectsInAGraphOfReferencesAreWrittenOnceAndNotTheGraphForEach() => Programs.Run("""
        [NinoType(References = true)] public sealed class Node { public Node? Parent { get; set; } public List<Node> Children { get; set; } = []; public Tags? Tags { get; set; } }
        [NinoType] public sealed class Tags
        {
            public static int Made;
            private IList<string> _values = new List<string>();
            public Tags(int id) { Made++; Id = id; }
            public int Id { get; }
            public Node? Owner { get; set; }
            public IList<string> Values => _values;
            public Tags Freeze() { _values = Array.AsReadOnly([$"tag {Id}"]); return this; }
        }
        """, """
        const int Nodes = 60;
        var root = new Node();
        for (int i = 0; i < Nodes; i++)
        {
            var node = new Node { Parent = root };
            node.Tags = new Tags(i) { Owner = node }.Freeze();
            root.Children.Add(node);
        }

        Tags.Made = 0;
        NinoSerializer.Serialize(root);
        Equal(true, Tags.Made <= Nodes);
        Node copy = Copy(root);
        Equal((Nodes, "tag 59", true), (copy.Children.Count, copy.Children[59].Tags!.Values[0], ReferenceEquals(copy.Children[59], copy.Children[59].Tags!.Owner)));
        """);

    [Fact]
    public void AnObjectAtTheGreatestDepthIsTriedToo() => Programs.Run("""
        [NinoType] public sealed class Link
        {
            private IList<int> _values;
            public Link(int id) { Id = id; _values = id < 0 ? new int[] { id } : new List<int>(); }
            public int Id { get; }
            public Link? Next { get; set; }
            public IList<int> Values => _values;
        }
        """, """
        Copy(new Link(1) { Next = new Link(2) });
        Refused(new Link(-1), 1);
        Refused(new Link(1) { Next = new Link(-1) }, 2);
        static void Refused(Link value, int depth)
        {
            try { NinoSerializer.Serialize(value, new NinoLimits { MaxDepth = depth }); }
            catch (NinoSerializationException error) when (error.Message.Contains("Link.Values' has no setter, and holds a 'System.Int32[]'")) { return; }
            throw new InvalidOperationException("it was written");
        }
        """);

    [Fact]
    public void WhateverTheConstructorThrowsNothingIsKnownAndItIsWritten() => Programs.Run("""
        [NinoType] public sealed class Moody
        {
            public static Exception? Thrown;
            private IList<int> _values;
            public Moody(int id) { if (Thrown is not null) throw Thrown; Id = id; _values = new List<int>(); }
            public int Id { get; }
            public IList<int> Values => _values;
            public Moody Freeze() { _values = Array.AsReadOnly([4]); return this; }
        }
        [NinoType] public sealed class Plain
        {
            public static Exception? Thrown;
            public Plain() { if (Thrown is not null) throw Thrown; }
            public IList<int> Values { get; } = new List<int>();
        }
        """, """
        Moody value = new Moody(3).Freeze();
        Plain plain = new() { Values = { 5 } };
        Plain.Thrown = new System.IO.IOException("no disk");
        Equal(5, Read(() => NinoSerializer.Serialize(plain), static () => Plain.Thrown = null, static bytes => NinoSerializer.Deserialize<Plain>(bytes).Values[0]));
        foreach (Exception thrown in new Exception[] { new System.IO.IOException("no disk"), new OperationCanceledException(), new MissingMethodException(), new TypeInitializationException("T", null), new BadImageFormatException() })
        {
            Moody.Thrown = thrown;
            Equal(4, Read(() => NinoSerializer.Serialize(value), static () => Moody.Thrown = null, static bytes => NinoSerializer.Deserialize<Moody>(bytes).Values[0]));
        }

        Equal(4, Copy(value).Values[0]);
        static int Read(Func<byte[]> write, Action calm, Func<byte[], int> read)
        {
            byte[] bytes = write();
            calm();
            return read(bytes);
        }
        """);

    [Fact]
    public void ARecordThatFailedLeavesNothingOfItsTrialToTheNextOfTheWriter() => Programs.Run("""
        [NinoType] public sealed class Failing
        {
            private IList<int> _values = new List<int>();
            private int _asked;
            public Failing(int id) => Id = id;
            public int Id { get; }
            public string? Other { get => ++_asked > 1 ? throw new InvalidOperationException("asked again") : "o"; set { } }
            public IList<int> Values => _values;
            public Failing Freeze() { _values = Array.AsReadOnly([4]); return this; }
        }
        [NinoType] public sealed class Given(int id) { public int Id { get; } = id; public IList<int> Values { get; } = id < 0 ? new int[1] : new List<int>(); }
        """, """
        var writer = new NinoWriter(new System.Buffers.ArrayBufferWriter<byte>());
        bool hasFailed = false;
        try { NinoCodec<Failing>.Default.WriteRecord(ref writer, new Failing(1).Freeze()); }
        catch (InvalidOperationException) { hasFailed = true; }
        Equal(true, hasFailed);
        Copy(new Given(1));
        try { NinoCodec<Given>.Default.WriteRecord(ref writer, new Given(-1)); }
        catch (NinoSerializationException error) when (error.Message.Contains("could not be read again")) { return; }
        throw new InvalidOperationException("it was written");
        """);

    [Fact]
    public void WhatAGetterSerializesInsideATrialCallsBack() => Programs.Run("""
        [NinoType] public sealed class Inner { public string? Text; [NinoOnSerializing] private void Before() => Text = "made"; }
        [NinoType] public sealed class Outer
        {
            private IList<int> _values = new List<int>();
            private byte[]? _payload;
            public Outer(int id) => Id = id;
            public int Id { get; }
            public byte[] Payload { get => _payload ??= NinoSerializer.Serialize(new Inner()); set => _payload = value; }
            public IList<int> Values => _values;
            public Outer Freeze() { _values = Array.AsReadOnly([Id]); return this; }
        }
        """, """
        Equal("made", NinoSerializer.Deserialize<Inner>(Copy(new Outer(1).Freeze()).Payload).Text);
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

    [Fact]
    public void NoCallbackRunsOnAnObjectThatIsRefusedAsTooDeep() => Programs.Run("""
        [NinoType] public sealed class Link
        {
            public static int Calls;
            private IList<int> _values = new List<int>();
            public Link(int id) => Id = id;
            public int Id { get; }
            public Link? Next { get; set; }
            public IList<int> Values => _values;
            public Link Freeze() { _values = Array.AsReadOnly([Id]); return this; }
            [NinoOnSerializing] private void Before() => Calls++;
        }
        """, """
        NinoLimits limits = new() { MaxDepth = 3 };
        Link three = new Link(1) { Next = new Link(2) { Next = new Link(3).Freeze() } };
        NinoSerializer.Serialize(three, limits);
        Equal(3, Link.Calls);
        Copy(three);
        foreach (Link last in new[] { new Link(4), new Link(4).Freeze() })
        {
            Link.Calls = 0;
            bool isRefused = false;
            try { NinoSerializer.Serialize(new Link(1) { Next = new Link(2) { Next = new Link(3) { Next = last } } }, limits); }
            catch (NinoSerializationException error) when (error.Message.Contains("deeper than the limit of 3")) { isRefused = true; }
            Equal((true, 3), (isRefused, Link.Calls));
        }
        """);

    [Fact]
    public void ALiveCollectionThatAConstructorTakesIsNeitherEmptiedNorFilledByATrial() => Programs.Run("""
        using System.Collections.Concurrent;
        public static class Registry
        {
            public static List<string> Rates = [];
            public static Dictionary<string, string> Names = [];
            public static Queue<string> Work = new();
            public static BlockingCollection<string> Jobs = [];
        }
        [NinoType] public sealed class Account
        {
            private IList<string> _lines = new List<string>();
            public Account(string code) { Code = code; Rates = Registry.Rates; Names = Registry.Names; Work = Registry.Work; Jobs = Registry.Jobs; }
            public string Code { get; }
            public ICollection<string> Rates { get; }
            public Dictionary<string, string> Names { get; }
            public Queue<string> Work { get; }
            public BlockingCollection<string> Jobs { get; }
            public IList<string> Lines => _lines;
            public Account Freeze() { _lines = Array.AsReadOnly(["line"]); return this; }
        }
        [NinoType] public sealed class Last
        {
            private IList<string> _lines = new List<string>();
            public Last(string code) { Code = code; Rates = Registry.Rates; }
            public string Code { get; }
            public IList<string> Lines => _lines;
            public List<string> Rates { get; }
            public Last Freeze() { _lines = Array.AsReadOnly(["line"]); return this; }
        }
        """, """
        string Text(int number) => "a text that is made anew " + number;
        string rate = Text(1), name = Text(2), work = Text(3), job = Text(4);
        Registry.Rates.Add(rate);
        Registry.Names.Add(name, name);
        Registry.Work.Enqueue(work);
        Registry.Jobs.Add(job);
        byte[] bytes = NinoSerializer.Serialize(new Account("EUR").Freeze());
        Equal((true, true, true, true), (ReferenceEquals(rate, Registry.Rates[0]), ReferenceEquals(name, Registry.Names[name]), ReferenceEquals(work, Registry.Work.Peek()), ReferenceEquals(job, Registry.Jobs.Take())));
        Equal(0, Registry.Jobs.Count);
        NinoSerializer.Serialize(new Last("EUR").Freeze());
        Equal((1, true), (Registry.Rates.Count, ReferenceEquals(rate, Registry.Rates[0])));
        Equal(("line", rate), (NinoSerializer.Deserialize<Account>(bytes).Lines[0], Registry.Rates[0]));
        Equal("line", Copy(new Account("EUR").Freeze()).Lines[0]);
        """);

    [Fact]
    public void AnObjectThatHoldsWhatIsNotSeenFromHereIsNotReadWhileItIsWritten() => Programs.Run("""
        public struct TextCodec : INinoCodec<string>
        {
            public static int MinSize => 1;
            public static SchemaNode Describe(SchemaBuilder builder) => Store.Serialization.Codecs.StringCodec.Describe(builder);
            public void Write(ref NinoWriter writer, in string value) => default(Store.Serialization.Codecs.StringCodec).Write(ref writer, in value);
            public string Read(ref NinoReader reader) => default(Store.Serialization.Codecs.StringCodec).Read(ref reader);
        }
        [NinoType] public sealed class Seen
        {
            public static int Made;
            private IList<int> _values = new List<int>();
            public Seen(string held) { Made++; Held = held; }
            public string Held { get; }
            public IList<int> Values => _values;
            public Seen Freeze() { _values = Array.AsReadOnly([4]); return this; }
        }
        [NinoType] public sealed class Coded
        {
            public static int Made;
            private IList<int> _values = new List<int>();
            public Coded(string held) { Made++; Held = held; }
            [NinoCodec(typeof(TextCodec))] public string Held { get; }
            public IList<int> Values => _values;
            public Coded Freeze() { _values = Array.AsReadOnly([4]); return this; }
        }
        [NinoType] public sealed class Boxed
        {
            public static int Made;
            private IList<int> _values = new List<int>();
            public Boxed(object held) { Made++; Held = held; }
            public object Held { get; }
            public IList<int> Values => _values;
            public Boxed Freeze() { _values = Array.AsReadOnly([4]); return this; }
        }
        [NinoType] public sealed class Based
        {
            public static int Made;
            private IList<int> _values = new List<int>();
            public Based(Lib.Animal held) { Made++; Held = held; }
            public Lib.Animal Held { get; }
            public IList<int> Values => _values;
            public Based Freeze() { _values = Array.AsReadOnly([4]); return this; }
        }
        """, """
        Seen seen = new Seen("s").Freeze();
        Coded coded = new Coded("s").Freeze();
        Boxed boxed = new Boxed("s").Freeze();
        Based based = new Based(new Lib.Dog { Name = "d" }).Freeze();
        Equal(("s", "s", "s", "d"), (Copy(seen).Held, Copy(coded).Held, (string)Copy(boxed).Held, ((Lib.Dog)Copy(based).Held).Name));
        // Made here, read, and tried but where something is not seen.
        Equal((3, 2, 2, 2), (Seen.Made, Coded.Made, Boxed.Made, Based.Made));
        """, """
        namespace Lib;
        [NinoType] public abstract class Animal;
        [NinoType] public sealed class Dog : Animal { public string? Name { get; set; } }
        """);
}
