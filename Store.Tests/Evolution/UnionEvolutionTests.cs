using Store.Serialization;
using Store.Tests.Values;

namespace Store.Tests.Evolution;

/// <summary>Polymorphic members and references across shapes, over schemas made by hand; what comes out is compared as decoded by the present schema.</summary>
public class UnionEvolutionTests
{
    private static readonly SchemaNode Int = Shapes.Of(SchemaKind.Int32), Long = Shapes.Of(SchemaKind.Int64), Text = Shapes.Of(SchemaKind.String);

    [Theory]
    [InlineData(UnionForm.Hashed, UnionForm.Hashed)]
    [InlineData(UnionForm.Hashed, UnionForm.SkipsUnknown)]
    [InlineData(UnionForm.SkipsUnknown, UnionForm.Hashed)]
    [InlineData(UnionForm.ExplicitTags, UnionForm.ExplicitTags)]
    [InlineData(UnionForm.Hashed, UnionForm.ExplicitTags)]
    [InlineData(UnionForm.ExplicitTags, UnionForm.SkipsUnknown)]
    public void CasesComeAndGo(UnionForm stored, UnionForm own)
    {
        SchemaNode oldDot = Shapes.Class("Dot", ("X", Int)), oldRing = Shapes.Class("Ring", ("R", Int), ("Name", Text)), oldGone = Shapes.Class("Gone", ("G", Text));
        SchemaNode newDot = Class("Point", ["Dot"], ("X", Long)), newRing = Shapes.Class("Ring", ("Name", Text), ("Extra", Int), ("R", Int)), newCase = Shapes.Class("New", ("N", Int));
        UnionDefinition from = Union("Figure", stored, (1, oldDot), (2, oldRing), (3, oldGone)), to = Union("Figure", own, (1, newDot), (2, newRing), (9, newCase));
        NinoRecordMapper mapper = NinoRecordMapper.Create(Shapes.Schema(SchemaNode.List(SchemaNode.Reference(from))), Shapes.Schema(SchemaNode.List(SchemaNode.Reference(to))));

        byte[] known = new RecordBytes().Count(3).Raw(Case(from, "Dot", new RecordBytes().Int32(5))).Raw(Null(from)).Raw(Case(from, "Ring", new RecordBytes().Int32(7).Text("r")));
        Assert.Equal("""{"X":[{"$type":"Point","X":5},null,{"$type":"Ring","Name":"r","Extra":0,"R":7}]}""", Json(mapper, known));

        byte[] gone = new RecordBytes().Count(2).Raw(Case(from, "Gone", new RecordBytes().Text("bye"))).Raw(Case(from, "Dot", new RecordBytes().Int32(1)));
        if (to.SkipsUnknown) Assert.Equal("""{"X":[null,{"$type":"Point","X":1}]}""", Json(mapper, gone));
        else Assert.Contains("'Gone'", Assert.Throws<NinoSerializationException>(() => MappingTests.Map(mapper, gone)).Message, StringComparison.Ordinal);
        AssertDamageIsTyped(mapper, known);
        AssertDamageIsTyped(mapper, gone);
    }

    [Fact]
    public void AClassThatGetsDerivedTypesIsTheCaseOfItself()
    {
        SchemaNode alone = Shapes.Class("Animal", ("Name", Text)), animal = Shapes.Class("Animal", ("Name", Text), ("Age", Int)), dog = Shapes.Class("Dog", ("Name", Text), ("Bone", Int));
        SchemaNode union = SchemaNode.Reference(Union("Animal", UnionForm.Hashed, (0, animal), (0, dog)));
        foreach (Func<SchemaNode, SchemaNode> place in new Func<SchemaNode, SchemaNode>[] { static node => node, SchemaNode.List, static node => SchemaNode.Map(Int, node) })
        {
            NinoRecordMapper there = NinoRecordMapper.Create(Shapes.Schema(place(alone)), Shapes.Schema(place(union)));
            NinoRecordMapper back = NinoRecordMapper.Create(there.Own, there.Stored);
            foreach (byte[] record in Records(place(alone)))
            {
                byte[] mapped = MappingTests.Map(there, record);
                string json = Shapes.Json(there.Own, mapped);
                Assert.Equal(Shapes.Json(there.Stored, record).Replace("{\"Name\":\"a\"}", "{\"$type\":\"Animal\",\"Name\":\"a\",\"Age\":0}"), json);
                Assert.Equal(record, MappingTests.Map(back, mapped));
                AssertDamageIsTyped(there, record);
                AssertDamageIsTyped(back, mapped);
            }
        }

        NinoRecordMapper root = NinoRecordMapper.Create(NinoSchema.Create(alone), NinoSchema.Create(union));
        byte[] body = new RecordBytes().Text("a");
        byte[] asUnion = MappingTests.Map(root, body);
        Assert.Equal("a", NinoValue.Decode(root.Own, asUnion)["Name"].AsString());
        Assert.Equal(body, MappingTests.Map(NinoRecordMapper.Create(root.Own, root.Stored), asUnion));
        UnionDefinition definition = (UnionDefinition)union.Definition!;
        byte[] other = Case(definition, "Dog", new RecordBytes().Text("d").Int32(1));
        Assert.Throws<NinoSerializationException>(() => MappingTests.Map(NinoRecordMapper.Create(root.Own, root.Stored), other));

        static IEnumerable<byte[]> Records(SchemaNode node)
        {
            switch (node.Kind)
            {
                case SchemaKind.List:
                    yield return new RecordBytes().ObjectCount(2, hasNulls: false).Text("a").Text("a");
                    yield return new RecordBytes().ObjectCount(2, hasNulls: true).Raw(0).Raw(1).Text("a");
                    yield return new RecordBytes().Null();
                    break;
                case SchemaKind.Map:
                    yield return new RecordBytes().Count(2).Int32(1).Raw(1).Text("a").Int32(2).Raw(0);
                    break;
                default:
                    yield return new RecordBytes().Raw(1).Text("a");
                    yield return new RecordBytes().Raw(0);
                    break;
            }
        }
    }

    [Fact]
    public void ABaseThatBecomesANullableStructKeepsWhatIsNull()
    {
        SchemaNode union = SchemaNode.Reference(Union("P", UnionForm.Hashed, (0, Shapes.Class("P", ("S", Text))), (0, Shapes.Class("Q", ("S", Text), ("X", Int)))));
        var from = (UnionDefinition)union.Definition!;
        SchemaNode own = SchemaNode.Nullable(Shapes.Struct("P", ("S", Text)));
        byte[] withNull = Case(from, "P", new RecordBytes().Text(null)), withText = Case(from, "P", new RecordBytes().Text("a")), gone = Case(from, "Q", new RecordBytes().Text("q").Int32(1));
        Check(union, own, withNull, """{"S":null}""");
        Check(union, own, withText, """{"S":"a"}""");
        Check(union, own, Null(from), "null");
        Check(SchemaNode.List(union), SchemaNode.List(own), new RecordBytes().Count(3).Raw(withNull).Raw(Null(from)).Raw(withText), """[{"S":null},null,{"S":"a"}]""");
        Check(SchemaNode.Map(Int, union), SchemaNode.Map(Int, own), new RecordBytes().Count(3).Int32(1).Raw(withNull).Int32(2).Raw(Null(from)).Int32(3).Raw(withText), """{"1":{"S":null},"2":null,"3":{"S":"a"}}""");
        Check(union, SchemaNode.List(own), withNull, """[{"S":null}]""");
        Check(union, SchemaNode.List(own), Null(from), "[]");
        Check(SchemaNode.List(union), own, new RecordBytes().Count(1).Raw(withNull), """{"S":null}""");

        NinoRecordMapper root = NinoRecordMapper.Create(NinoSchema.Create(union), NinoSchema.Create(own));
        Assert.Equal("""{"S":null}""", Json(root, withNull));
        Assert.Contains("'Q'", Assert.Throws<NinoSerializationException>(() => MappingTests.Map(root, gone)).Message, StringComparison.Ordinal);

        // Of fixed width, null takes the room of a value.
        SchemaNode numbers = SchemaNode.Reference(Union("P", UnionForm.ExplicitTags, (1, Shapes.Class("P", ("V", Int))), (2, Shapes.Class("Q", ("V", Int)))));
        var tagged = (UnionDefinition)numbers.Definition!;
        Check(SchemaNode.List(numbers), SchemaNode.List(SchemaNode.Nullable(Shapes.Struct("P", ("V", Long)))), new RecordBytes().Count(3).Raw(Case(tagged, "P", new RecordBytes().Int32(0))).Raw(Null(tagged)).Raw(Case(tagged, "P", new RecordBytes().Int32(7))), """[{"V":0},null,{"V":7}]""");

        static void Check(SchemaNode stored, SchemaNode own, byte[] record, string expected)
        {
            NinoRecordMapper mapper = NinoRecordMapper.Create(Shapes.Schema(stored, Int), Shapes.Schema(own, Int));
            byte[] whole = [.. record, .. (byte[])new RecordBytes().Int32(99)];
            Assert.Equal($$"""{"X":{{expected}},"Y":99}""", Json(mapper, whole));
            AssertDamageIsTyped(mapper, whole);
        }
    }

    [Theory]
    [InlineData("Deleted<Order>", "Deleted<Customer>")]
    [InlineData("Deleted<Order>")]
    [InlineData("Gone<Order>")]
    public void ACaseThatIsGoneIsNoOtherConstructionOfItsGenericType(params string[] kept)
    {
        // Gone<Order> was called Deleted<Order>, so what was Deleted<Invoice> looks like it but for the arguments.
        SchemaNode[] stored = [.. new[] { "Deleted<Order>", "Deleted<Customer>", "Deleted<Invoice>" }.Select(static name => Shapes.Class(name, ("Id", Int)))];
        SchemaNode[] own = [.. kept.Select(static name => name == "Gone<Order>" ? Class(name, ["Deleted<Order>"], ("Id", Int)) : Shapes.Class(name, ("Id", Int)))];
        UnionDefinition from = Union("Event", UnionForm.Hashed, [.. stored.Select(static node => (0u, node))]), to = Union("Event", UnionForm.Hashed, [.. own.Select(static node => (0u, node))]);
        NinoRecordMapper mapper = NinoRecordMapper.Create(Shapes.Schema(SchemaNode.Reference(from)), Shapes.Schema(SchemaNode.Reference(to)));

        Assert.Contains($"\"$type\":\"{kept[0]}\",\"Id\":1", Json(mapper, Case(from, "Deleted<Order>", new RecordBytes().Int32(1))), StringComparison.Ordinal);
        Assert.Contains("'Deleted<Invoice>'", Assert.Throws<NinoSerializationException>(() => MappingTests.Map(mapper, Case(from, "Deleted<Invoice>", new RecordBytes().Int32(3)))).Message, StringComparison.Ordinal);

        // Nor is it the one that is left where the base is no base any more.
        NinoRecordMapper alone = NinoRecordMapper.Create(mapper.Stored, Shapes.Schema(own[0]));
        Assert.Contains("\"Id\":1", Json(alone, Case(from, "Deleted<Order>", new RecordBytes().Int32(1))), StringComparison.Ordinal);
        Assert.Contains("'Deleted<Invoice>'", Assert.Throws<NinoSerializationException>(() => MappingTests.Map(alone, Case(from, "Deleted<Invoice>", new RecordBytes().Int32(3)))).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void ACaseWhoseTypeArgumentWasRenamedIsFoundByItsFormerName()
    {
        SchemaNode[] stored = [Shapes.Class("Deleted<Order>", ("Id", Int)), Shapes.Class("Deleted<Invoice>", ("Id", Int))];
        SchemaNode[] own = [Shapes.Class("Deleted<Order>", ("Id", Int)), Class("Deleted<Bill>", ["Deleted<Invoice>"], ("Id", Int))];
        UnionDefinition from = Union("Event", UnionForm.Hashed, [.. stored.Select(static node => (0u, node))]), to = Union("Event", UnionForm.Hashed, [.. own.Select(static node => (0u, node))]);
        NinoRecordMapper mapper = NinoRecordMapper.Create(Shapes.Schema(SchemaNode.Reference(from)), Shapes.Schema(SchemaNode.Reference(to)));
        Assert.Contains("\"$type\":\"Deleted<Bill>\",\"Id\":3", Json(mapper, Case(from, "Deleted<Invoice>", new RecordBytes().Int32(3))), StringComparison.Ordinal);
        Assert.Contains("\"$type\":\"Deleted<Order>\",\"Id\":1", Json(mapper, Case(from, "Deleted<Order>", new RecordBytes().Int32(1))), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("Pair<Int64>", new string[0])]
    [InlineData("Both<Int64>", new[] { "Pair<Int64>" })]
    public void TheOnlyConstructionOfAGenericTypeIsItselfWhateverItsArguments(string name, string[] formerNames)
    {
        UnionDefinition from = Union("Event", UnionForm.Hashed, (0, Shapes.Class("Pair<Int32>", ("Id", Int))), (0, Shapes.Class("Other", ("Id", Int))));
        UnionDefinition to = Union("Event", UnionForm.Hashed, (0, Class(name, formerNames, ("Id", Long))), (0, Shapes.Class("Other", ("Id", Int))));
        NinoRecordMapper mapper = NinoRecordMapper.Create(Shapes.Schema(SchemaNode.Reference(from)), Shapes.Schema(SchemaNode.Reference(to)));
        Assert.Contains($"\"$type\":\"{name}\",\"Id\":7", Json(mapper, Case(from, "Pair<Int32>", new RecordBytes().Int32(7))), StringComparison.Ordinal);
    }

    [Fact]
    public void ReferencesSurviveOtherChanges()
    {
        SchemaNode Node(SchemaNode number, bool reordered)
        {
            var type = new ObjectDefinition("Node", isReference: true, keepsReferences: true);
            SchemaNode node = SchemaNode.Reference(type);
            type.Add(new SchemaField("Number", 0, number));
            if (!reordered) type.Add(new SchemaField("Left", 0, node));
            type.Add(new SchemaField("Right", 0, node));
            if (reordered) type.Add(new SchemaField("Left", 0, node));
            type.Add(new SchemaField("Name", 0, Text));
            return node;
        }

        // 0 holds 1, 1 holds 0 and itself.
        byte[] record = new RecordBytes().Raw(1).Int32(10).Raw(1).Int32(11).Raw(2).Raw(3).Text("b").Raw(3).Text("a");
        NinoRecordMapper mapper = NinoRecordMapper.Create(NinoSchema.Create(Node(Int, false)), NinoSchema.Create(Node(Long, false)));
        byte[] expected = new RecordBytes().Raw(1).Int64(10).Raw(1).Int64(11).Raw(2).Raw(3).Text("b").Raw(3).Text("a");
        Assert.Equal(expected, MappingTests.Map(mapper, record));
        AssertDamageIsTyped(mapper, record);

        var error = Assert.Throws<NinoSchemaMismatchException>(() => NinoRecordMapper.Create(NinoSchema.Create(Node(Int, false)), NinoSchema.Create(Node(Int, true))));
        Assert.Contains("numbered in the order of the members", error.Message, StringComparison.Ordinal);
        var plain = NinoSchema.Create(Shapes.Recursive("Node", node => [("Number", Int), ("Left", node), ("Right", node), ("Name", Text)]));
        Assert.Contains("References = true", Assert.Throws<NinoSchemaMismatchException>(() => NinoRecordMapper.Create(plain, NinoSchema.Create(Node(Int, false)))).Message, StringComparison.Ordinal);
    }

    internal static void AssertDamageIsTyped(NinoRecordMapper mapper, byte[] record)
    {
        for (int length = 0; length < record.Length; length++)
        {
            byte[] cut = record[..length];
            Assert.ThrowsAny<NinoSerializationException>(() => NinoValue.Decode(mapper.Own, MappingTests.Map(mapper, cut)));
        }

        for (int bit = 0; bit < record.Length * 8; bit++)
        {
            byte[] flipped = [.. record];
            flipped[bit / 8] ^= (byte)(1 << (bit % 8));
            try
            {
                NinoValue.Decode(mapper.Own, MappingTests.Map(mapper, flipped));
            }
            catch (NinoSerializationException)
            {
                // What the record says now is another value, or none.
            }
        }
    }

    private static string Json(NinoRecordMapper mapper, byte[] record) => Shapes.Json(mapper.Own, MappingTests.Map(mapper, record));

    internal static SchemaNode Class(string name, string[] formerNames, params (string Name, SchemaNode Node)[] fields)
    {
        SchemaNode node = Shapes.Class(name, fields);
        ((ObjectDefinition)node.Definition!).FormerNames = formerNames;
        return node;
    }

    internal static UnionDefinition Union(string name, UnionForm form, params (uint Tag, SchemaNode Node)[] cases)
    {
        var union = new UnionDefinition(name, form);
        foreach ((uint tag, SchemaNode node) in cases) union.Add(new UnionCase(union.HasExplicitTags ? tag : UnionDefinition.HashOf(node.Definition!.Name), node));
        union.Sort();
        return union;
    }

    internal static byte[] Null(UnionDefinition union) => union.HasExplicitTags ? [0] : new byte[4];

    internal static byte[] Case(UnionDefinition union, string name, byte[] body)
    {
        uint tag = union.Cases.Single(one => one.Node.Definition!.Name == name).Tag;
        var bytes = new RecordBytes();
        if (union.HasExplicitTags) bytes.Compact(tag + 1);
        else bytes.Number(tag, 4);
        if (union.SkipsUnknown) bytes.Compact((uint)body.Length);
        return bytes.Raw(body);
    }
}
