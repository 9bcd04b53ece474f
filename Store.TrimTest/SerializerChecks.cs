// Every row of docs/types.md (EveryRow and FSharpRows, which EveryRowTests holds against the page), and every feature of generated code, once.

using Store.Serialization;
using Store.Tests.Evolution;
using Store.Tests.Filling;
using Store.Tests.Generator.Construction;
using Store.Tests.Generator.Objects;
using Store.Tests.Generator.Polymorphism;
using Store.Tests.Generator.References;
using Store.Tests.Generator.RoundTrips;
using Store.Tests.Types;
using Leaf = Store.Tests.Types.Leaf;
using Money = Store.Tests.Generator.RoundTrips.Money;
using Plain = Store.Tests.Generator.RoundTrips.Plain;

namespace Store.TrimTest;

internal static class SerializerChecks
{
    public static void Run(Checks checks)
    {
        EveryRow.Run(checks);
        Store.Tests.FSharp.FSharpRows.Run(checks);
        Scalars(checks);
        Members(checks);
        Objects(checks);
        Filled(checks);
        Foreign(checks);
        Unions(checks);
        References(checks);
        Dynamic(checks);
        Evolution(checks);
        Damage(checks);
    }

    private static void Scalars(Checks checks)
    {
        checks.RoundTrip(true);
        checks.RoundTrip(-5);
        checks.RoundTrip(1.5m);
        checks.RoundTrip("text \u20AC");
        checks.RoundTrip(new[] { 1, 2, 3 });
        checks.RoundTrip(new List<string> { "a", "b" });
        checks.RoundTrip(new DateTime(2026, 11, 21, 12, 0, 0, DateTimeKind.Utc));
        checks.RoundTrip(new Enums(SByteEnum.Low, ByteEnum.High, Int16Enum.Low, UInt16Enum.High, Int32Enum.Low, UInt32Enum.High, Int64Enum.Low, UInt64Enum.High, null, Int64Enum.High));
    }

    private static void Members(Checks checks)
    {
        ManyTexts texts = checks.RoundTrip(TypeValues.Texts());
        checks.Equal("a URI", "https://example.org/", texts.B!.AbsoluteUri);
        checks.Equal("an exception", "System.TimeoutException: late", texts.V!.ToString().Split(" --->")[0].Trim());
        ManyCollections collections = checks.RoundTrip(TypeValues.Collections());
        checks.Equal("a grid of objects", "a", collections.As![0, 0, 0]!.Name);
        checks.Equal("a look-up", 2, collections.Al!.Count);
        checks.Equal("a class derived from a queue", 1, collections.Ba!.Peek());
        checks.Equal("a class derived from a priority queue", TypeValues.B, collections.Bc!.Peek());
        checks.RoundTrip(new ManyCollections());
        checks.RoundTrip(new Compared { A = new(StringComparer.OrdinalIgnoreCase) { ["a"] = 1 }, F = new HashSet<string>(StringComparer.Ordinal) { "b" } });
        checks.Equal("a codec of the user's", 21.5, checks.RoundTrip(TypeValues.Weather()).Inside);
    }

    private static void Objects(Checks checks)
    {
        checks.RoundTrip(new Mixed { Name = "n", Number = 3, Scores = [1, 2], Flag = true, Key = 7 });
        checks.RoundTrip(new WithIds { One = "1", Two = "2", Ten = 10, Twenty = 20, Unnumbered = 5 });
        checks.RoundTrip(new Labelled { Label = "l", Money = new Money(1.5m, 2), Interval = new Interval(1, 2) });
        checks.RoundTrip(new Immutable("n", [1, 2, 3]));
        checks.Equal("private members", (1, "t", 4), checks.RoundTrip(SecretKeeper.Create(1, "t", [2, 3], 4)).Reveal() is var (number, text, _, guarded) ? (number, text!, guarded) : default);
        checks.Equal("private members of a generic type", (5, "k"), checks.RoundTrip(new GenericSecretHolder(new GenericSecret<int, string>(5, "k"))).Secret.Reveal());
        checks.Equal("private members of a base", "h", checks.RoundTrip(new DerivedKeeper(["h"], "l")).Reveal()![0]);
        checks.Equal("private members of a struct", (6, "t"), checks.RoundTrip(new StructSecret(6).WithText("t")).Reveal());
        checks.RoundTrip(new Everything
        {
            Pair = new(1, "x"), Array = [new Money(1, 2)], Dogs = [new Dog { Barks = true }, null], Kennels = new() { ["k"] = [new Dog()] }, Map = new() { [new Money(1, 1)] = new Interval(1, 2) },
            Jagged = [[1], [2, 3]], ReadOnly = new Dictionary<string, int> { ["r"] = 1 }, Tuple = (1, "t"), LongTuple = (1, 2, 3, 4, 5, 6, 7, 8, "n"), OldTuple = new(1, "o"), KeyValue = new(1, new Dog()),
        });
        checks.RoundTrip(new Store.Tests.Generator.RoundTrips.Tree { Value = 1, Left = new() { Value = 2 }, Children = [new() { Value = 3 }] });
        checks.RoundTrip(new Holder(new Renamed<int>(1, 2, 3), new Renamed<string>("v", 5, 6)));
        checks.RoundTrip(new Dictionary<string, Plain> { ["p"] = new() { Number = 1, Text = "t" } });
        checks.RoundTrip(new Nothings { Marker = new Marker(), List = [new Marker(), null] });
        checks.RoundTrip((7, "tuple"));
        checks.RoundTrip(new Leaf(1, "l"));

        Session session = checks.RoundTrip(new Session { Id = 1, Name = "n", Key = "k" });
        checks.Equal("callbacks", "1/n/k", session.Lookup);
        checks.RoundTrip(new Factories { Money = Store.Tests.Generator.Construction.Money.Of(5, "EUR"), Percent = Percent.Half, Wrapped = Wrapped<int>.Of(3), All = [Percent.Half], Generic = new Generic<string> { Value = "g" } });
        checks.Equal("private members of a base by accessor", 9, checks.RoundTrip(new Vault(9, "s"))["k"]);
    }

    private static void Filled(Checks checks)
    {
        var every = new EveryKind { Observable = { 1 }, SortedMap = { [2] = "b" }, Concurrent = { [3] = "c" }, AnyCollection = { 4 }, AnySet = { 5 }, AnyMap = { [6] = "d" }, Own = { "e" }, OwnMap = { ["f"] = 7 } };
        every.Stack.Push(8);
        every.Priority.Enqueue("g", 9);
        every.Blocking.Add(10);
        every.ShowPrivate().Add(11);
        EveryKind copy = checks.RoundTrip(every);
        checks.Equal("collections without a setter", (1, "b", "c", 8, 11), (copy.Observable[0], copy.SortedMap[2], copy.Concurrent[3], copy.Stack.Peek(), copy.ShowPrivate()[0]));
        checks.RoundTrip(new Basket { Items = { "a" }, Counts = { ["b"] = 1 }, Tags = { 2 } });
        checks.RoundTrip(new Cells([], "n") { Others = { new Cell { Values = { 1 } } } });
    }

    private static void Foreign(Checks checks)
    {
        Vessel vessel = checks.RoundTrip<Vessel>(new Ship { Id = 1, Drivers = { "d" } });
        checks.Equal("a case that [KnownType] names, and its private callback", ("d", "read 1"), (((Ship)vessel).Drivers[0], vessel.Seen!));
        checks.Equal("an interface for callbacks", 3m, checks.RoundTrip(Invoice.Of(2.6m)).Rounded);
        var secretive = new MoreSecretive();
        var above = new NinoHiddenCallbacks<Secretive>(["System.Runtime.Serialization"], []);
        above.Deserialized(secretive);
        new NinoHiddenCallbacks<MoreSecretive>(["System.Runtime.Serialization"], [], above).Deserialized(secretive);
        checks.Equal("private callbacks that only the program sees, once each", 11, secretive.Calls);
        string refused = "";
        try
        {
            var marks = new NinoHiddenMarks { Namespace = "System.Runtime.Serialization", Stores = "DataMemberAttribute", LeavesOut = "IgnoreDataMemberAttribute" };
            new NinoHiddenMembers<Reticent>([marks], new NinoSeenMembers { SetUnseen = ["B"], CanBeMade = NinoHiddenMembers.HasConstructor<Reticent>() }).Check();
        }
        catch (NinoSerializationException error)
        {
            refused = error.Message;
        }

        checks.Equal("private state that only the program sees, a setter and a constructor", (true, false, false), (refused.Contains("Reticent._a", StringComparison.Ordinal), refused.Contains("Reticent.B", StringComparison.Ordinal), refused.Contains("constructor", StringComparison.Ordinal)));
    }

    private static void Unions(Checks checks)
    {
        Drawing drawing = checks.RoundTrip(new Drawing(1, new Circle("c", 2.5), [new Box("b", 1, 2), null, new Group("g", [new Circle(null, 1)])], new() { ["k"] = new Cube("q", 1, 2, 3) }, new Cube("r", 1, 2, 3), [null]));
        checks.Equal("a case", typeof(Circle), drawing.Main!.GetType());
        checks.RoundTrip(new Line(new Plus(new Number(1), new Word("w")), [new Negative(null)]));
        checks.RoundTrip(new Journal([new Started { At = 1 }, new Moved { At = 2, X = 3 }, new Note<int> { Value = 4, Text = "n" }, new Stopped { Cause = new Started() }]));
        checks.RoundTrip(new Mailbox { First = new Chat { Text = "t" }, All = [new Ping { Id = 1 }, new Forward { Inner = new Ping() }] });
        checks.RoundTrip(new Slots { Int = new IntSlot { Value = 1, Set = true }, Text = new Keyed<string> { Value = "v", Key = "k" } });
        checks.RoundTrip<Wide>(new Wide17 { Value = 1, Extra = "e" });
    }

    private static void References(Checks checks)
    {
        var ann = new Person { Id = 1, Name = "Ann" };
        ann.Friend = ann;
        ann.Children.Add(new Person { Id = 2, Friend = ann });
        Person copy = NinoSerializer.Deserialize<Person>(NinoSerializer.Serialize(ann));
        checks.True("a cycle", ReferenceEquals(copy, copy.Friend) && ReferenceEquals(copy, copy.Children[0]!.Friend));
        checks.RoundTrip(ann);
        var parent = new Parent("p", []);
        parent.Children.Add(new Child { Name = "c", Parent = parent });
        Parent family = NinoSerializer.Deserialize<Parent>(NinoSerializer.Serialize(parent));
        checks.True("a cycle through a constructor", ReferenceEquals(family, family.Children[0].Parent) && family.Name == "p");
        Knot<string> knot = NinoSerializer.Deserialize<Knot<string>>(NinoSerializer.Serialize(Knot<string>.Of("k")));
        checks.True("a cycle through a private constructor of a generic type", ReferenceEquals(knot, knot.Loop.Knot) && knot.IsMade && knot.Value == "k");
        var clique = new Clique("c", [], []);
        clique.Friends.Add(clique);
        Clique read = NinoSerializer.Deserialize<Clique>(NinoSerializer.Serialize(clique));
        checks.True("a key that leads to its own set", read.Friends.Contains(read));
        var crate = new Crate { Name = "c" };
        crate.Items.Add(new Tool { In = crate, Weight = 2 });
        checks.RoundTrip(new Depot { Any = crate, Crate = crate });
    }

    private static void Dynamic(Checks checks)
    {
        Bag bag = checks.RoundTrip(new Bag { One = new Circle("c", 1), Many = [1, "a", null, Suit.Hearts, new Number(2), new List<object> { 1.5m }], ByName = new() { ["k"] = new byte[] { 1 } } });
        checks.RoundTrip(new Loose(1) { Needed = "needed", Many = [1, "a"], Value = new(2, 3) });
        checks.Equal("an object", new Circle("c", 1), (Circle)bag.One!);
        object value = new Circle("c", 2);
        checks.Equal("a type known at run time", value, NinoSerializer.Deserialize(typeof(Shape), NinoSerializer.Serialize(value, typeof(Shape))));
        using var stream = new MemoryStream();
        NinoSerializer.SerializeAsync(stream, value, typeof(Shape)).AsTask().GetAwaiter().GetResult();
        stream.Position = 0;
        checks.Equal("a type known at run time, from a stream", value, NinoSerializer.DeserializeAsync(typeof(Shape), stream).AsTask().GetAwaiter().GetResult());
        checks.Equal("an array of a type known at run time", 3, ((int[])NinoSerializer.Deserialize(typeof(int[]), NinoSerializer.Serialize((object)new[] { 1, 2, 3 }))).Length);
    }

    private static void Evolution(Checks checks)
    {
        byte[] stored = NinoSerializer.Serialize(
            new Before.Order { Id = 1, Customer = "c", State = Before.State.Closed, Lines = [new Before.Line("a", 2, 3)], Where = new Before.Spot(1.5f, 2), Rating = 4, Email = "e", Counts = new() { ["k"] = 1 }, Parents = [9], Width = 200 }, NinoHeader.Schema);
        After.Order order = NinoSerializer.Deserialize<After.Order>(stored, NinoHeader.Schema);
        checks.Equal("an older shape", (1L, "c", After.Phase.Closed, 2L, "e", 3, 9), (order.Id, order.Client!, order.State, order.Lines![0]!.Count, order.Emails![0], order.Retries, order.Parent));
        NinoRecordMapper mapper = NinoRecordMapper.Create(NinoSerializer.SchemaOf<Before.Small>(), NinoSerializer.SchemaOf<After.Renamed>());
        checks.True("names alone", mapper.IsIdentical);
    }

    private static void Damage(Checks checks)
    {
        byte[] bytes = NinoSerializer.Serialize(TypeValues.Collections());
        int refused = 0;
        for (int length = 0; length < bytes.Length; length++)
        {
            try
            {
                NinoSerializer.Deserialize<ManyCollections>(bytes.AsSpan(0, length));
            }
            catch (NinoSerializationException)
            {
                refused++;
            }
        }

        checks.Equal("cuts refused", bytes.Length, refused);
        try
        {
#pragma warning disable NINO060 // Nobody registers it.
            NinoSerializer.Serialize(new Unregistered());
#pragma warning restore NINO060
            checks.True("an unregistered type is refused", false);
        }
        catch (NinoTypeNotRegisteredException error)
        {
            checks.True("an unregistered type is named", error.Message.Contains(nameof(Unregistered), StringComparison.Ordinal));
        }
    }

    private sealed class Unregistered;
}

[NinoType]
public sealed record GenericSecretHolder(GenericSecret<int, string> Secret);
