using System.Buffers.Binary;
using Store.Serialization;
using Store.Tests.Generator.RoundTrips;

namespace Store.Tests.Generator.Polymorphism;

public class UnionTests
{
    private static readonly Drawing ADrawing = new(
        1, new Circle("c", 2), [new Box("b", 3, 4), null, new Cube("q", 5, 6, 7), new Group("g", [new Circle(null, 8), null])],
        new() { ["k"] = new Cube(null, 1, 2, 3) }, new Cube("x", 1, 1, 1), [new Box(null, 9, 9)]);

    [Fact]
    public void EveryCaseOfAnAbstractBaseComesBackAsItself()
    {
        Drawing copy = RoundTrip.Of(ADrawing);
        Assert.Equivalent(ADrawing, copy, strict: true);
        Assert.Equal([typeof(Box), null, typeof(Cube), typeof(Group)], copy.All!.Select(static shape => shape?.GetType()));
        Assert.Equal(typeof(Cube), copy.Box!.GetType());
        RoundTrip.Of(new Drawing(2, null, null, null, null, null));
    }

    [Fact]
    public void ABaseIsARecordOfItsOwn()
    {
        Assert.Equal(new Circle("a", 1), RoundTrip.Of<Shape>(new Circle("a", 1)));
        Assert.Equal(new Box("a", 1, 2), RoundTrip.Of(new Box("a", 1, 2)));
        Assert.Equal<Box>(new Cube("a", 1, 2, 3), RoundTrip.Of<Box>(new Cube("a", 1, 2, 3)));
        Assert.Equal<Shape>([new Cube("a", 1, 2, 3), new Circle("b", 1)], NinoSerializer.Deserialize<Shape[]>(NinoSerializer.Serialize<Shape[]>([new Cube("a", 1, 2, 3), new Circle("b", 1)])));
        Assert.Throws<ArgumentNullException>(static () => NinoSerializer.Serialize<Shape>(null!));
        Assert.Throws<NinoSerializationException>(static () => NinoSerializer.Deserialize<Shape>([0, 0, 0, 0]));
    }

    [Fact]
    public void ACaseHasTheBytesOfItsTypeBehindTheHashOfItsName()
    {
        byte[] bytes = NinoSerializer.Serialize<Shape>(new Circle("c", 2));
        Assert.Equal(UnionDefinition.HashOf("Store.Tests.Generator.Polymorphism.Circle"), BinaryPrimitives.ReadUInt32LittleEndian(bytes));
        Assert.Equal(NinoSerializer.Serialize(new Circle("c", 2)), bytes[4..]);
        Assert.Equal(Convert.FromHexString("1E638A70" + "0000000000000040" + "0363"), bytes);
    }

    [Fact]
    public void InterfacesMayStandForStructs()
    {
        var line = new Line(new Number(1), [new Word("w"), new Plus(new Number(2), new Negative(new Word(null))), new Negative(null)]);
        Assert.Equivalent(line, RoundTrip.Of(line), strict: true);
        Assert.Equal<IToken>(new Number(5), RoundTrip.Of<IToken>(new Number(5)));
    }

    [Fact]
    public void ExplicitTagsAreShort()
    {
        var journal = new Journal([new Started { At = 1 }, null, new Moved { At = 2, X = 3 }, new Note<int> { At = 4, Value = 5, Text = "t" }, new Stopped { At = 6, Cause = new Started() }]);
        byte[] bytes = NinoSerializer.Serialize(journal);
        Assert.Equal(
            "06" + "01" + "01000000" + "00" + "08" + "02000000" + "0300000000000000" + "FD2D01" + "04000000" + "05000000" + "0374" + "FE71110100" + "06000000" + "01" + "00000000",
            Convert.ToHexString(bytes));
        Assert.Equivalent(journal, RoundTrip.Of(journal), strict: true);
    }

    [Fact]
    public void GenericCasesAreClosedByTheArgumentsOfTheBase()
    {
        var slots = new Slots { Int = new Plain<int> { Value = 1, Id = 2 }, Text = new Keyed<string> { Value = "v", Key = "k" } };
        Slots copy = RoundTrip.Of(slots);
        Assert.Equivalent(slots, copy, strict: true);
        Assert.IsType<Plain<int>>(copy.Int);
        Assert.IsType<Keyed<string>>(copy.Text);
        Assert.IsType<IntSlot>(RoundTrip.Of(new Slots { Int = new IntSlot { Set = true } }).Int);
        Assert.IsType<IntSlot>(RoundTrip.Of<Slot<int>>(new IntSlot { Value = 3 }));
    }

    [Fact]
    public void ManyCasesAreFoundByALookUp()
    {
        var all = typeof(Wide).Assembly.GetTypes().Where(static type => type.BaseType == typeof(Wide)).Select(static type => (Wide)Activator.CreateInstance(type)!).ToArray();
        Assert.Equal(17, all.Length);
        foreach (Wide one in all)
        {
            one.Value = 5;
            Wide copy = RoundTrip.Of(one);
            Assert.Equal((one.GetType(), 5), (copy.GetType(), copy.Value));
        }
    }

    [Fact]
    public void ATypeThatIsNoCaseIsRefusedOnWriting()
    {
        var error = Assert.Throws<NinoSerializationException>(static () => NinoSerializer.Serialize<Shape>(new Unmarked("u")));
        Assert.Contains("Unmarked", error.Message);
        Assert.Contains("Shape", error.Message);
        Assert.Contains("Circle", error.Message);
    }

    [Fact]
    public void AnUnknownTagIsReportedWithBaseTagCasesAndPlace()
    {
        byte[] bytes = NinoSerializer.Serialize(new Drawing(1, null, [null, new Circle("c", 2)], null, null, null));
        int at = bytes.AsSpan().IndexOf(Convert.FromHexString("1E638A70"));
        bytes[at] ^= 1;
        var error = Assert.Throws<NinoSerializationException>(() => NinoSerializer.Deserialize<Drawing>(bytes));
        Assert.Equal("All[1]", error.MemberPath);
        Assert.Equal(at, error.ByteOffset);
        Assert.Contains("'Store.Tests.Generator.Polymorphism.Shape'", error.Message);
        Assert.Contains("0x708A631F", error.Message);
        Assert.Contains("0x708A631E Store.Tests.Generator.Polymorphism.Circle", error.Message);

        error = Assert.Throws<NinoSerializationException>(static () => NinoSerializer.Deserialize<Event>([3, 0, 0, 0, 0]));
        Assert.Contains("the tag 2,", error.Message);
        Assert.Contains("7 Store.Tests.Generator.Polymorphism.Moved", error.Message);
    }

    [Fact]
    public void AnUnknownCaseIsReadAsNullWhereTheBaseSkipsThem()
    {
        var mailbox = new Mailbox { Count = 7, First = new Chat { Id = 1, Text = "hello" }, All = [new Ping { Id = 2 }, new Forward { Id = 3, Inner = new Chat { Text = new string('x', 300) }, More = [new Ping(), null] }, null, new Ping { Id = 4 }] };
        byte[] bytes = NinoSerializer.Serialize(mailbox);
        Assert.Equivalent(mailbox, RoundTrip.Of(mailbox), strict: true);

        // A program that does not know Chat: no case has its tag.
        byte[] unknown = Renamed(bytes);
        Mailbox old = NinoSerializer.Deserialize<Mailbox>(unknown);
        Assert.Equal(7, old.Count);
        Assert.Null(old.First);
        Assert.Equal([typeof(Ping), typeof(Forward), null, typeof(Ping)], old.All!.Select(static message => message?.GetType()));
        Assert.Null(((Forward)old.All![1]!).Inner);
        Assert.Equal(2, ((Forward)old.All[1]!).More!.Count);
        RoundTrip.Walk(unknown, NinoSerializer.SchemaOf<Mailbox>());
        Assert.True(NinoValue.Decode(NinoSerializer.SchemaOf<Mailbox>(), unknown)["First"].IsNull);

        // At the root nothing can be null.
        Assert.Throws<NinoSerializationException>(() => NinoSerializer.Deserialize<Message>(Renamed(NinoSerializer.Serialize<Message>(new Chat()))));

        static byte[] Renamed(byte[] bytes)
        {
            byte[] renamed = [.. bytes];
            Span<byte> tag = BitConverter.GetBytes(UnionDefinition.HashOf("Store.Tests.Generator.Polymorphism.Chat"));
            for (int at = renamed.AsSpan().IndexOf(tag); at >= 0; at = renamed.AsSpan().IndexOf(tag)) renamed[at] ^= 1;
            return renamed;
        }
    }

    [Fact]
    public void ALengthThatIsNotThatOfItsCaseIsRefused()
    {
        byte[] bytes = NinoSerializer.Serialize<Message>(new Chat { Id = 1, Text = "ab" });
        Assert.Equal(4 + 1 + 4 + 3, bytes.Length);
        Assert.Equal(7, bytes[4]);
        foreach (int wrong in new[] { 0, 6, 8, 255 })
        {
            byte[] damaged = [.. bytes, 0, 0];
            damaged[4] = (byte)wrong;
            Assert.Throws<NinoSerializationException>(() => NinoSerializer.Deserialize<Message>(damaged));
        }
    }

    [Fact]
    public void DeepValuesAreLimitedAndCutOffValuesLeaveTheThreadWhole()
    {
        Shape nested = new Circle(null, 1);
        for (int i = 0; i < 100; i++) nested = new Group(null, [nested]);
        Assert.Contains("deeper", Assert.Throws<NinoSerializationException>(() => NinoSerializer.Serialize(nested)).Message);

        Message chain = new Ping();
        for (int i = 0; i < 100; i++) chain = new Forward { Inner = chain };
        Assert.Contains("deeper", Assert.Throws<NinoSerializationException>(() => NinoSerializer.Serialize(chain)).Message);
        byte[] deep = NinoSerializer.Serialize(chain, new NinoLimits { MaxDepth = 200 });
        Assert.NotNull(NinoSerializer.Deserialize<Message>(deep, new NinoLimits { MaxDepth = 200 }));
        Assert.Contains("deeper", Assert.Throws<NinoSerializationException>(() => NinoSerializer.Deserialize<Message>(deep)).Message);

        // A part of a record counts against the limit of the record.
        Assert.Throws<NinoSerializationException>(static () => NinoSerializer.Serialize<Message>(new Chat { Text = new string('a', 500) }, new NinoLimits { MaxRecordBytes = 200 }));
        RoundTrip.Of<Message>(new Chat { Text = "again" });
    }

    [Fact]
    public void AnyFlippedBitIsRefusedOrIsAnotherValuesOwnEncoding()
    {
        Flip(ADrawing);
        Flip(new Journal([new Started { At = 1 }, null, new Moved { At = 2, X = 3 }, new Note<int> { At = 4, Value = 5, Text = "t" }, new Stopped { At = 6, Cause = new Started() }]));
        Flip(new Line(new Number(1), [new Word("w"), new Plus(new Number(2), new Negative(new Word(null))), new Negative(null)]));

        static void Flip<T>(T value)
        {
            byte[] bytes = NinoSerializer.Serialize(value);
            NinoSchema schema = NinoSchema.Parse(NinoSerializer.SchemaOf<T>().CanonicalBytes.Span);
            for (int bit = 0; bit < bytes.Length * 8; bit++)
            {
                byte[] damaged = [.. bytes];
                damaged[bit / 8] ^= (byte)(1 << (bit % 8));
                Exception? typed = Record.Exception(() => Assert.Equal(damaged, NinoSerializer.Serialize(NinoSerializer.Deserialize<T>(damaged))));
                Assert.True(typed is null or NinoSerializationException, typed?.ToString());

                // The walk without the type refuses the same bytes, but for keys that are there twice.
                Exception? untyped = Record.Exception(() => NinoValue.Decode(schema, damaged));
                Assert.Equal(typed?.GetType(), untyped?.GetType());
            }
        }
    }

    [Fact]
    public void ARecordIsReadWithoutItsTypes()
    {
        NinoSchema schema = NinoSchema.Parse(NinoSerializer.SchemaOf<Drawing>().CanonicalBytes.Span);
        byte[] bytes = NinoSerializer.Serialize(ADrawing);
        Assert.Equal(
            """{"Id":1,"Main":{"$type":"Store.Tests.Generator.Polymorphism.Circle","Radius":2,"Name":"c"},"All":[{"$type":"Store.Tests.Generator.Polymorphism.Box","Width":3,"Height":4,"Name":"b"},null,{"$type":"Store.Tests.Generator.Polymorphism.Cube","Width":5,"Height":6,"Depth":7,"Name":"q"},{"$type":"Store.Tests.Generator.Polymorphism.Group","Name":"g","Members":[{"$type":"Store.Tests.Generator.Polymorphism.Circle","Radius":8,"Name":null},null]}],"ByName":{"k":{"$type":"Store.Tests.Generator.Polymorphism.Cube","Width":1,"Height":2,"Depth":3,"Name":null}},"Box":{"$type":"Store.Tests.Generator.Polymorphism.Cube","Width":1,"Height":1,"Depth":1,"Name":"x"},"Array":[{"$type":"Store.Tests.Generator.Polymorphism.Box","Width":9,"Height":9,"Name":null}]}""",
            Values.Shapes.Json(schema, bytes));

        NinoValue value = NinoValue.Decode(schema, bytes);
        Assert.Equal("Store.Tests.Generator.Polymorphism.Circle", value["Main"].TypeName);
        Assert.Equal(SchemaKind.Object, value["Main"].Kind);
        Assert.Equal(2, value["Main"]["Radius"].AsDouble());
        Assert.True(value["All"].Items[1].IsNull);
        Assert.Equal(SchemaKind.Union, value["All"].Items[1].Kind);
    }

    [Fact]
    public void TheSchemaListsTheCasesAndAddingOneChangesTheFingerprint()
    {
        NinoSchema schema = NinoSerializer.SchemaOf<Shape>();
        Assert.Equal("Store.Tests.Generator.Polymorphism.Shape", schema.Name);
        var union = Assert.IsType<UnionDefinition>(schema.Root.Definition);
        Assert.Equal(UnionForm.Hashed, union.Form);
        Assert.Equal(["Box", "Circle", "Cube", "Group"], union.Cases.Select(static one => one.Node.Definition!.Name.Split('.')[^1]).Order());
        Assert.Equal(union.Cases.Select(static one => one.Tag).Order(), union.Cases.Select(static one => one.Tag));
        Assert.All(union.Cases, one => Assert.Equal(one, union.Find(one.Tag)));
        Assert.Null(union.Find(1));

        NinoSchema parsed = NinoSchema.Parse(schema.CanonicalBytes.Span);
        Assert.Equal(schema.Fingerprint, parsed.Fingerprint);
        Assert.Equal(schema.Name, parsed.Name);

        // A base that is a class of its own is a union and an object of one name.
        Assert.Equal(2, NinoSerializer.SchemaOf<Box>().Definitions.Count(static definition => definition.Name.EndsWith(".Box", StringComparison.Ordinal)));
        Assert.NotEqual(Union("A", "B").Fingerprint, Union("A", "B", "C").Fingerprint);
        Assert.Equal(Union("A", "B").Fingerprint, Union("B", "A").Fingerprint);

        static NinoSchema Union(params string[] names) => NinoSchema.Create(new SchemaBuilder().Union(typeof(Shape), "Base", UnionForm.Hashed, cases =>
        {
            foreach (string name in names) cases.Add(UnionDefinition.HashOf(name), Values.Shapes.Class(name, ("X", SchemaNode.Primitive(SchemaKind.Int32))));
        }));
    }

    [Fact]
    public void WritingAndReadingAllocateTheObjectsOnly()
    {
        Shape circle = new Circle(null, 1);
        Message forward = new Forward { Inner = new Chat { Text = "x" } };
        byte[] destination = new byte[100];
        Assert.Equal(0, Allocated.Least(() =>
        {
            NinoSerializer.TrySerialize(circle, destination, out _);
            NinoSerializer.TrySerialize(forward, destination, out _);
        }));

        NinoSerializer.TrySerialize(circle, destination, out int length);
        Assert.Equal(32, Allocated.Least(() => NinoSerializer.Deserialize<Shape>(destination.AsSpan(0, length))));
    }
}
