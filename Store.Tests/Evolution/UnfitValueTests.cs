using System.Buffers;
using Store.Serialization;
using Store.Tests.Simulation;
using Store.Tests.Log;
using Store.Tests.Values;

namespace Store.Tests.Evolution;

/// <summary>A value that has no place in the new type is told with its own member and its own offset in the stored record, however the plan takes the bytes around it.</summary>
public class UnfitValueTests
{
    private static readonly SchemaNode Int = Shapes.Of(SchemaKind.Int32), Long = Shapes.Of(SchemaKind.Int64), Byte = Shapes.Of(SchemaKind.Byte), SByte = Shapes.Of(SchemaKind.SByte), Text = Shapes.Of(SchemaKind.String);

    [Fact]
    public void OneOfSeveralMembersOfFixedWidth() => Assert.Equal(("A", 0), Refused([("A", Int), ("B", Int), ("C", Int)], [("A", Byte), ("B", Int), ("C", Int)], new RecordBytes().Int32(500).Int32(1).Int32(2)));

    [Fact]
    public void AMemberInTheMiddleAndALastOne()
    {
        (string, SchemaNode)[] stored = [("A", Int), ("B", Int), ("C", Int)], own = [("A", Byte), ("B", SByte), ("C", Byte)];
        Assert.Equal(("B", 4), Refused(stored, own, new RecordBytes().Int32(1).Int32(500).Int32(2)));
        Assert.Equal(("C", 8), Refused(stored, own, new RecordBytes().Int32(1).Int32(2).Int32(-1)));
    }

    [Fact]
    public void OneElementOfMany() => Assert.Equal(("D[1]", 5), Refused([("D", SchemaNode.List(Int))], [("D", SchemaNode.List(Byte))], new RecordBytes().Count(4).Int32(1).Int32(500).Int32(3).Int32(4)));

    [Fact]
    public void AnElementOfALaterBlock()
    {
        var bytes = new RecordBytes().Count(20_000);
        for (int i = 0; i < 20_000; i++) bytes.Int32(i == 17_777 ? -5 : i % 200);
        Assert.Equal(("D[17777]", 3 + (4 * 17_777)), Refused([("D", SchemaNode.List(Int))], [("D", SchemaNode.List(Byte))], bytes));
    }

    [Fact]
    public void AMemberOfAnElement() => Assert.Equal(("L[1].B", 13), Refused(
        [("L", SchemaNode.List(Shapes.Struct("S", ("A", Int), ("B", Int))))], [("L", SchemaNode.List(Shapes.Struct("S", ("A", Int), ("B", SByte))))], new RecordBytes().Count(3).Int32(1).Int32(2).Int32(3).Int32(500).Int32(5).Int32(6)));

    [Fact]
    public void AMemberOfAMapsValue() => Assert.Equal(("M[0].Value.Q", 3), Refused(
        [("M", SchemaNode.Map(Text, Shapes.Struct("V", ("Q", Int), ("Z", Int))))], [("M", SchemaNode.Map(Text, Shapes.Struct("V", ("Q", Byte), ("Z", Int))))], new RecordBytes().Count(1).Text("k").Int32(500).Int32(1)));

    [Fact]
    public void AnEnum() => Assert.Equal(("A", 0), Refused(
        [("A", Shapes.Enum(SchemaKind.Int32, false)), ("B", Long), ("S", Text)], [("A", Shapes.Enum(SchemaKind.Byte, false)), ("B", Long), ("S", Text)], new RecordBytes().Int32(500).Int64(1).Text("s")));

    [Fact]
    public void OneThatMayBeNull()
    {
        Assert.Equal(("A", 5), Refused([("Z", Int), ("A", SchemaNode.Nullable(Int)), ("B", Long)], [("Z", Int), ("A", SchemaNode.Nullable(Byte)), ("B", Long)], new RecordBytes().Int32(7).Raw(1).Int32(500).Int64(1)));
        Assert.Equal(("A", 5), Refused([("Z", Int), ("A", SchemaNode.Nullable(Int)), ("B", Long)], [("Z", Int), ("A", Byte), ("B", Long)], new RecordBytes().Int32(7).Raw(1).Int32(500).Int64(1)));
    }

    [Fact]
    public void MembersInAnotherOrder() => Assert.Equal(("Counts[1]", 10), Refused(
        [("Customer", Text), ("Counts", SchemaNode.List(Int)), ("Other", SchemaNode.List(Int))], [("Counts", SchemaNode.List(SByte)), ("Customer", Text), ("Other", SchemaNode.List(Int))],
        new RecordBytes().Text("abcd").Count(2).Int32(4).Int32(500).Count(1).Int32(1)));

    [Fact]
    public void OneThatBecomesAList() => Assert.Equal(("A", 0), Refused([("A", Int), ("B", Int)], [("A", SchemaNode.List(SByte)), ("B", Int)], new RecordBytes().Int32(500).Int32(1)));

    [Fact]
    public void AListOfSeveralThatIsOneValueNow()
    {
        (string, SchemaNode)[] stored = [("S", Text), ("L", SchemaNode.List(Int)), ("T", SchemaNode.List(Int))];
        byte[] bytes = new RecordBytes().Text("ab").Count(2).Int32(1).Int32(2).Count(1).Int32(3);
        Assert.Equal(("L", 3), Refused(stored, [("S", Text), ("L", Int), ("T", SchemaNode.List(Int))], bytes));
        Assert.Equal(("L", 3), Refused(stored, [("T", SchemaNode.List(Int)), ("L", Int), ("S", Text)], bytes));
    }

    [Theory]
    [InlineData(UnionForm.Hashed)]
    [InlineData(UnionForm.ExplicitTags)]
    public void ACaseThatIsGone(UnionForm form)
    {
        UnionDefinition from = UnionEvolutionTests.Union("F", form, (1, Shapes.Class("Dot", ("X", Int))), (2, Shapes.Class("Gone", ("G", Int)))), to = UnionEvolutionTests.Union("F", form, (1, Shapes.Class("Dot", ("X", Int))));
        byte[] gone = UnionEvolutionTests.Case(from, "Gone", new RecordBytes().Int32(1)), dot = UnionEvolutionTests.Case(from, "Dot", new RecordBytes().Int32(2));
        SchemaNode was = SchemaNode.Reference(from), now = SchemaNode.Reference(to);
        byte[] bytes = new RecordBytes().Text("ab").Raw(gone).Count(1).Raw(dot);
        (string, SchemaNode)[] stored = [("S", Text), ("U", was), ("L", SchemaNode.List(was))];
        Assert.Equal(("U", 3), Refused(stored, [("S", Text), ("U", now), ("L", SchemaNode.List(now))], bytes));
        Assert.Equal(("U", 3), Refused(stored, [("L", SchemaNode.List(now)), ("U", now), ("S", Text)], bytes));

        byte[] second = new RecordBytes().Text("ab").Raw(dot).Count(3).Raw(dot).Raw(gone).Raw(dot);
        Assert.Equal(("L[1]", 4 + (2 * dot.Length)), Refused(stored, [("L", SchemaNode.List(now)), ("U", now), ("S", Text)], second));
        Assert.Equal(("L[1]", 4 + (2 * dot.Length)), Refused(stored, [("L", SchemaNode.List(Shapes.Class("Dot", ("X", Int)))), ("S", Text)], second));
    }

    [Fact]
    public void AnObjectOfATypeThatChangedTooMuch()
    {
        SchemaNode Objects(SchemaKind kind) => SchemaNode.Reference(ObjectsOf(Shapes.Class("A", ("V", Shapes.Of(kind))), Shapes.Class("B", ("W", Int))));
        SchemaNode was = Objects(SchemaKind.String), now = Objects(SchemaKind.Guid);
        var union = (UnionDefinition)was.Definition!;
        byte[] bytes = new RecordBytes().Text("ab").Raw(UnionEvolutionTests.Case(union, "A", new RecordBytes().Text("x"))).Raw(UnionEvolutionTests.Case(union, "B", new RecordBytes().Int32(1)));
        (string, SchemaNode)[] stored = [("S", Text), ("O", was), ("P", was)];
        Assert.Equal(("O", 3), Refused(stored, [("S", Text), ("O", now), ("P", now)], bytes));
        Assert.Equal(("O", 3), Refused(stored, [("P", now), ("O", now), ("S", Text)], bytes));
    }

    [Fact]
    public void DamageFurtherOnIsNotTakenForTheValue() => Assert.Equal(("A", 0), Refused([("A", Int), ("B", Shapes.Of(SchemaKind.Boolean))], [("A", Byte), ("B", Shapes.Of(SchemaKind.Boolean))], new RecordBytes().Int32(500).Raw(9)));

    [Fact]
    public void DamageThatIsMetBeforeTheValueIsToldAsWhatItIs()
    {
        NinoRecordMapper mapper = Mapper([("B", Shapes.Of(SchemaKind.Boolean)), ("A", Int)], [("A", Byte)]);
        var error = Assert.Throws<NinoSerializationException>(() => mapper.Map(new RecordBytes().Raw(9).Int32(500).ToArray(), new ArrayBufferWriter<byte>()));
        Assert.Equal(("B", 0L), (error.MemberPath, error.ByteOffset));
        Assert.DoesNotContain("500", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void AStoreAndTheDirectWayNameTheSamePlace()
    {
        byte[] bytes = NinoSerializer.Serialize(new WasUnfit("abcd", [4, 500], [1]));
        AssertPlace(Assert.Throws<NinoSerializationException>(() => NinoCodec<IsUnfit>.Default.Decode(bytes, NinoSerializer.SchemaOf<WasUnfit>())));

        using NinoStore store = Simulated.Open(new SimDirectory());
        store.Append(new WasUnfit("abcd", [4, 500], [1]));
        Exception error = Assert.ThrowsAny<Exception>(() => store.Read<IsUnfit>().ToList());
        AssertPlace(error as NinoSerializationException ?? Assert.IsType<NinoSerializationException>(error.InnerException));

        static void AssertPlace(NinoSerializationException error) => Assert.Equal(("Counts[1]", 10L), (error.MemberPath, error.ByteOffset));
    }

    private static UnionDefinition ObjectsOf(params SchemaNode[] cases) => UnionEvolutionTests.Union("System.Object@Shop", UnionForm.Hashed, [.. cases.Select(static one => (0u, one))]);

    private static NinoRecordMapper Mapper((string, SchemaNode)[] stored, (string, SchemaNode)[] own) => NinoRecordMapper.Create(NinoSchema.Create(Shapes.Class("R", stored)), NinoSchema.Create(Shapes.Class("R", own)));

    private static (string? Path, long Offset) Refused((string, SchemaNode)[] stored, (string, SchemaNode)[] own, byte[] bytes)
    {
        NinoRecordMapper mapper = Mapper(stored, own);
        var error = Assert.Throws<NinoSerializationException>(() => mapper.Map(bytes, new ArrayBufferWriter<byte>()));
        return (error.MemberPath, error.ByteOffset);
    }
}

[NinoType]
public sealed record WasUnfit(string Customer, List<int> Counts, List<int> Other);

[NinoType, NinoFormerName("Store.Tests.Evolution.WasUnfit")]
public sealed record IsUnfit(List<sbyte> Counts, string Customer, List<int> Other);
