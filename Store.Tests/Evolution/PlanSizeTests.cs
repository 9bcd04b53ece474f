using Store.Serialization;

namespace Store.Tests.Evolution;

/// <summary>What a plan costs grows with the schemas and no faster, whoever wrote the stored one.</summary>
public sealed class PlanSizeTests
{
    [Fact]
    public void AChainOfStoredTypesCostsInProportionToItsLength()
    {
        int asked = 0;
        SchemaNode own = Values.Shapes.Recursive("N", node => [("Next", node), ("X", SchemaNode.Primitive(SchemaKind.Int64)), ("Added", SchemaNode.Primitive(SchemaKind.String))]);
        ((ObjectDefinition)own.Definition!).NewFields = () =>
        {
            asked++;
            return [null, null, new byte[100_000]];
        };
        NinoSchema now = NinoSchema.Create(own);
        long Cost(int types)
        {
            SchemaNode next = Values.Shapes.Class("N<end>", ("X", SchemaNode.Primitive(SchemaKind.Int32)));
            for (int i = 0; i < types; i++) next = Values.Shapes.Class($"N<{i}>", ("Next", next), ("X", SchemaNode.Primitive(SchemaKind.Int32)));
            NinoSchema stored = NinoSchema.Create(next);
            NinoRecordMapper.Create(stored, now);
            asked = 0;
            long cost = Allocated.Least(() => NinoRecordMapper.Create(stored, now), runs: 2);
            Assert.Equal(2, asked);
            return cost;
        }

        AssertLinear(Cost(1000), Cost(8000), 8);
    }

    [Fact]
    public void AChainOfStoredTypesIsNoDeeperThanTheOneTypeThatItBecomesMayBe()
    {
        const int Objects = 101;
        SchemaNode next = Values.Shapes.Class("N<end>", ("X", SchemaNode.Primitive(SchemaKind.Int32)));
        for (int i = 1; i < Objects; i++) next = Values.Shapes.Class($"N<{i}>", ("Next", next), ("X", SchemaNode.Primitive(SchemaKind.Int32)));
        SchemaNode own = Values.Shapes.Recursive("N", node => [("X", SchemaNode.Primitive(SchemaKind.Int64)), ("Next", node)]);
        NinoRecordMapper mapper = NinoRecordMapper.Create(NinoSchema.Create(next), NinoSchema.Create(own));
        var record = new Values.RecordBytes();
        for (int i = 1; i < Objects; i++) record.Raw(1);
        for (int i = 0; i < Objects; i++) record.Int32(i);

        var enough = new NinoLimits { MaxDepth = Objects };
        NinoValue value = NinoValue.Decode(mapper.Own, MappingTests.Map(mapper, record, enough), enough);
        Assert.Equal(Objects - 1, value["X"].AsInt64());
        Assert.Contains("deep", Assert.Throws<NinoSerializationException>(() => MappingTests.Map(mapper, record, new NinoLimits { MaxDepth = Objects - 1 })).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void CasesOfAnObjectMemberThatHoldEachOtherCostInProportionToTheirNumber()
    {
        long Cost(int types)
        {
            NinoSchema stored = Cases(types, SchemaKind.Int32), now = Cases(types, SchemaKind.Int64);
            NinoRecordMapper.Create(stored, now);
            return Allocated.Least(() => NinoRecordMapper.Create(stored, now), runs: 2);
        }

        AssertLinear(Cost(200), Cost(1600), 8);
    }

    [Fact]
    public void AProblemVeryDeepInASchemaIsToldByTheEndsOfItsPath()
    {
        NinoSchema Chain(SchemaKind kind)
        {
            SchemaNode next = Values.Shapes.Class("N<end>", ("X", SchemaNode.Primitive(kind)));
            for (int i = 0; i < 5000; i++) next = Values.Shapes.Class($"N<{i}>", ("Next", next));
            return NinoSchema.Create(next);
        }

        var error = Assert.Throws<NinoSchemaMismatchException>(() => NinoRecordMapper.Create(Chain(SchemaKind.String), Chain(SchemaKind.Guid)));
        Assert.StartsWith("Next.Next.Next.", error.OwnPath, StringComparison.Ordinal);
        Assert.Contains(".….Next.", error.OwnPath, StringComparison.Ordinal);
        Assert.EndsWith(".Next.X", error.StoredPath, StringComparison.Ordinal);
        Assert.Equal((32 * "Next.".Length) + ".…".Length - 1 + (31 * ".Next".Length) + ".X".Length, error.OwnPath.Length);
    }

    [Fact]
    public void AProblemWithAStoredMemberOfVeryManyPartsIsToldByItsBeginning()
    {
        SchemaNode part = Values.Shapes.Struct(new string('n', 4096)), tree = part;
        for (int i = 0; i < 11; i++) tree = SchemaNode.Map(tree, tree);
        NinoSchema stored = NinoSchema.Create(Values.Shapes.Class("N", ("X", tree))), own = NinoSchema.Create(Values.Shapes.Class("N", ("X", SchemaNode.Primitive(SchemaKind.Int32))));
        string message = Assert.Throws<NinoSchemaMismatchException>(() => NinoRecordMapper.Create(stored, own)).Message;
        Assert.Contains("the member 'X' is stored as map from map from", message, StringComparison.Ordinal);
        Assert.Contains("n… and the member 'X' is Int32 now", message.Replace(",", ""), StringComparison.Ordinal);
        Assert.InRange(message.Length, 8192, 10_000);
    }

    [Fact]
    public void MembersThatAStoredTypeLacksCostInProportionToTheirNumber()
    {
        static long Cost(int members)
        {
            NinoSchema stored = NinoSchema.Create(Values.Shapes.Class("N", ("X", SchemaNode.Primitive(SchemaKind.Int64))));
            NinoSchema own = NinoSchema.Create(Values.Shapes.Class("N", [.. Enumerable.Range(0, members).Select(static i => ($"M{i}", SchemaNode.Primitive(SchemaKind.Guid)))]));
            NinoRecordMapper.Create(stored, own);
            return Allocated.Least(() => NinoRecordMapper.Create(stored, own), runs: 2);
        }

        AssertLinear(Cost(500), Cost(4000), 8);
    }

    [Fact]
    public void AStoredSchemaThatNamesATypeOfManyMembersAgainAndAgainIsRefused()
    {
        // Each of the stored types has twenty bytes of the schema, and had 400 members of the plan: half a gigabyte.
        SchemaNode own = Values.Shapes.Recursive("N", node => [("Next", node), .. Enumerable.Range(0, 400).Select(static i => ($"M{i}", SchemaNode.Primitive(i % 2 == 0 ? SchemaKind.Int64 : SchemaKind.String)))]);
        NinoSchema now = NinoSchema.Create(own);
        NinoSchema Stored(int types)
        {
            SchemaNode next = Values.Shapes.Class("N<end>", ("X", SchemaNode.Primitive(SchemaKind.Int32)));
            for (int i = 0; i < types; i++) next = Values.Shapes.Class($"N<{i}>", ("Next", next));
            return NinoSchema.Create(next);
        }

        NinoSchema many = Stored(20_000);
        long cost = Allocated.Least(() => Assert.Contains("made to cost memory", Assert.Throws<NinoSchemaMismatchException>(() => NinoRecordMapper.Create(many, now)).Message, StringComparison.Ordinal), runs: 1);
        Assert.InRange(cost, 0, 100 << 20);
        Assert.NotNull(NinoRecordMapper.Create(Stored(200), now));
    }

    [Fact]
    public void AStoredStructOfVeryManyMembersCostsItsMembersOnceWhereverItStands()
    {
        // Each place took as many steps as the struct has members that have none now: 200 times 2,000.
        SchemaNode small = Values.Shapes.Struct("P", ("X", SchemaNode.Primitive(SchemaKind.Int64)));
        SchemaNode large = Values.Shapes.Struct("P", [("X", SchemaNode.Primitive(SchemaKind.Int32)), .. Enumerable.Range(0, 2000).Select(static i => ($"M{i}", SchemaNode.Primitive(SchemaKind.Boolean)))]);
        NinoSchema now = NinoSchema.Create(Values.Shapes.Recursive("N", node => [("Next", node), ("A", small), ("B", SchemaNode.Nullable(small)), ("C", SchemaNode.List(small))]));
        NinoSchema Stored(int types)
        {
            SchemaNode next = Values.Shapes.Class("N<end>", ("A", large));
            for (int i = 0; i < types; i++) next = Values.Shapes.Class($"N<{i}>", ("Next", next), ("A", large), ("B", SchemaNode.Nullable(large)), ("C", SchemaNode.List(large)));
            return NinoSchema.Create(next);
        }

        NinoSchema one = Stored(1), many = Stored(200);
        NinoRecordMapper.Create(one, now);
        NinoRecordMapper.Create(many, now);
        long few = Allocated.Least(() => NinoRecordMapper.Create(one, now), runs: 2);
        Assert.InRange(Allocated.Least(() => NinoRecordMapper.Create(many, now), runs: 2), few, few + (200 * 20_000));

        // What has no place is checked all the same.
        NinoRecordMapper mapper = NinoRecordMapper.Create(NinoSchema.Create(Values.Shapes.Class("R", ("A", large))), NinoSchema.Create(Values.Shapes.Class("R", ("A", small))));
        byte[] record = [7, 0, 0, 0, .. new byte[2000]];
        Assert.Equal([7, 0, 0, 0, 0, 0, 0, 0], MappingTests.Map(mapper, record));
        foreach (int place in (int[])[4, 1000, 2003])
        {
            byte[] damaged = [.. record];
            damaged[place] = 2;
            Assert.Throws<NinoSerializationException>(() => MappingTests.Map(mapper, damaged));
        }
    }

    // Tables grow by doubling, so not exactly.
    private static void AssertLinear(long small, long large, int times) => Assert.True(large < small * times * 1.5, $"{small} bytes for one, {large} for {times} times as much");

    private static NinoSchema Cases(int types, SchemaKind kind)
    {
        var union = new UnionDefinition("System.Object@Shop", UnionForm.Hashed);
        SchemaNode any = SchemaNode.Reference(union);
        SchemaNode next = Values.Shapes.Class("End", ("V", SchemaNode.Primitive(kind)));
        for (int i = 0; i < types; i++)
        {
            next = Values.Shapes.Class($"Case{i}", ("Next", next), ("V", SchemaNode.Primitive(kind)), ("Any", any));
            union.Add(new UnionCase(UnionDefinition.HashOf($"Case{i}"), next));
        }

        union.Sort();
        return NinoSchema.Create(Values.Shapes.Class("Bag", ("X", any)));
    }
}
