using Store.Serialization;
using Store.Tests.Values;

namespace Store.Tests.Evolution;

/// <summary>Records whose stored bytes are right and that the type, or a base that skips unknown cases, refuses all the same: what is said of them.</summary>
public class RefusedAfterRewritingTests
{
    private static readonly SchemaNode Int = Shapes.Of(SchemaKind.Int32);

    [Fact]
    public void WhatTheTypeRefusesAfterRewritingIsToldByTheMemberNow()
    {
        NinoSerializationException duplicate = Refused<WasRefusing, Refusing>(new WasRefusing([1, 2, 1], 1, "1.0"));
        Assert.Equal("Unique[2]", duplicate.MemberPath);
        Assert.Contains("its bytes are whole", duplicate.Message, StringComparison.Ordinal);
        Assert.Contains("member Unique[2] of the type as it is now", duplicate.Message, StringComparison.Ordinal);
        // In the stored record, which has the four bytes of Positive in front: the count, and two elements of four bytes.
        Assert.Equal(4 + 1 + (2 * 4), duplicate.ByteOffset);
        Assert.Contains("byte 13 of what is stored", duplicate.Message, StringComparison.Ordinal);

        NinoSerializationException setter = Refused<WasRefusing, Refusing>(new WasRefusing([1], -1, "1.0"));
        Assert.IsType<ArgumentException>(setter.InnerException);
        Assert.NotNull(setter.MemberPath);

        Assert.Equal("Version", Refused<WasRefusing, Refusing>(new WasRefusing([1], 1, "none")).MemberPath);
        Assert.Equal(3, NinoCodec<Refusing>.Default.Decode(NinoSerializer.Serialize(new WasRefusing([1, 2], 1, "1.0")), NinoSerializer.SchemaOf<WasRefusing>()).Added);
    }

    /// <summary>Setters run behind the reading of all members: which of them it was, only the inner exception may tell.</summary>
    [Fact]
    public void WhatASetterRefusesIsToldWithItsObjectAndWhatWasReadLast()
    {
        string[] members = [.. ((ObjectDefinition)NinoSerializer.SchemaOf<List<Refusing>>().Root.Element!.Definition!).Fields.Select(static field => field.Name)];
        byte[] record = NinoSerializer.Serialize(new List<Refusing> { new(), new() });

        // The sign of the number, behind the count.
        record[1 + (4 * Array.IndexOf(members, "Positive")) + 3] = 0x80;
        NinoSerializationException error = Assert.Throws<NinoSerializationException>(() => NinoSerializer.Deserialize<List<Refusing>>(record));
        Assert.IsType<ArgumentException>(error.InnerException);
        Assert.NotEqual("Positive", members[^1]);
        Assert.Equal("[0]." + members[^1], error.MemberPath);
    }

    [Fact]
    public void WhatOnlyTheChangeMadeEqualOrLeftNullIsNotCalledDamageAlone()
    {
        Assert.Contains("equal as their type is now", Refused<WasMarks, Marks>(new WasMarks([0, null], [1, 2, 3])).Message, StringComparison.Ordinal);
        Assert.Contains("An inline array is null and must have 3", Refused<WasMarks, Marks>(new WasMarks([0], null)).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void WhatThePlanAloneRewritesIsToldLikewise()
    {
        NinoSerializationException duplicate = Refused<WasTwig, Twig>(new WasTwig { Inner = new WasTwig { Numbers = [7, 7] } });
        Assert.Equal("Inner.Numbers[1]", duplicate.MemberPath);
        Assert.Contains("of the type as it is now", duplicate.Message, StringComparison.Ordinal);
        // Inner is there (1), has no Inner (1), and its list has a count (1) and one element in front (4).
        Assert.Equal(1 + 1 + 1 + 4, duplicate.ByteOffset);
    }

    [Fact]
    public void TheOffsetIsFoundThroughRenamedMembersPairsAndObjectsInLists()
    {
        WasWood stored = new([new(1, new() { ["a"] = [5], ["b"] = [6, 8, 6] }), new(2, [])]);
        byte[] record = NinoSerializer.Serialize(stored);
        NinoSerializationException duplicate = Refused<WasWood, Wood>(stored);
        Assert.Equal("Trees[0].Names[1].Value[2]", duplicate.MemberPath);
        Assert.Equal(6, record[duplicate.ByteOffset]);
        Assert.Equal(8, record[duplicate.ByteOffset - 4]);

        // Nothing that is stored is the member that was added: what holds it is named.
        NinoSerializationException added = Refused<WasWood, ChoosyWood>(new([]));
        Assert.Equal(0, added.ByteOffset);
        added = Refused<WasRack, Rack>(new(7, new WasSlot(5)));
        Assert.Equal(("Slot.Added", 8L), (added.MemberPath, added.ByteOffset));

        // The number, whether there is a spot, and of its list the count and one element.
        NinoSerializationException inNullable = Refused<WasPlace, Place>(new(1, new WasSpot { Numbers = [4, 4] }));
        Assert.Equal(("Spot.Numbers[1]", 4L + 1 + 1 + 4), (inNullable.MemberPath, inNullable.ByteOffset));
    }

    [Fact]
    public void ARecordOfACaseThatIsGoneSaysSo()
    {
        UnionDefinition from = Union("B", Shapes.Class("B1", ("X", Int)), Shapes.Class("Gone", ("G", Int))), to = Union("B", Shapes.Class("B1", ("X", Int)));
        NinoRecordMapper mapper = NinoRecordMapper.Create(NinoSchema.Create(SchemaNode.Reference(from)), NinoSchema.Create(SchemaNode.Reference(to)));
        byte[] known = UnionEvolutionTests.Case(from, "B1", new RecordBytes().Int32(1));
        Assert.Equal(known, MappingTests.Map(mapper, known));
        var error = Assert.Throws<NinoSerializationException>(() => MappingTests.Map(mapper, UnionEvolutionTests.Case(from, "Gone", new RecordBytes().Int32(1))));
        Assert.Contains("is a 'Gone', which is no case of 'B' now", error.Message, StringComparison.Ordinal);
        Assert.DoesNotContain("damaged", error.Message, StringComparison.Ordinal);

        // None is left: also what holds nulls only.
        UnionDefinition none = Union("B", Shapes.Class("Other", ("X", Int)));
        var mismatch = Assert.Throws<NinoSchemaMismatchException>(() => NinoRecordMapper.Create(Shapes.Schema(SchemaNode.Reference(from)), Shapes.Schema(SchemaNode.Reference(none))));
        Assert.Contains("None of the stored cases is one now ('B1', 'Gone'): keep them as cases", mismatch.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(UnionForm.ExplicitTags)]
    [InlineData(UnionForm.ExplicitTags | UnionForm.SkipsUnknown)]
    public void ACaseThatGotAnotherTagIsRefusedNamingTheTagThatItHad(UnionForm form)
    {
        UnionDefinition from = UnionEvolutionTests.Union("B", form, (1, Shapes.Class("B1", ("X", Int))), (2, Shapes.Class("B2", ("Y", Int))));
        UnionDefinition to = UnionEvolutionTests.Union("B", form, (1, Shapes.Class("B1", ("X", Int))), (3, Shapes.Class("B2", ("Y", Int))));
        NinoSchema stored = NinoSchema.Create(Shapes.Class("R", ("M", SchemaNode.Reference(from)))), own = NinoSchema.Create(Shapes.Class("R", ("M", SchemaNode.Reference(to))));
        NinoRecordMapper mapper = NinoRecordMapper.Create(stored, own);
        byte[] known = UnionEvolutionTests.Case(from, "B1", new RecordBytes().Int32(1));
        Assert.Equal(known, MappingTests.Map(mapper, known));
        var error = Assert.Throws<NinoSerializationException>(() => MappingTests.Map(mapper, UnionEvolutionTests.Case(from, "B2", new RecordBytes().Int32(1))));
        Assert.Contains("is a 'B2' and has the tag 2, which no case of 'B' has now: that type has the tag 3. Give it the tag 2 back", error.Message, StringComparison.Ordinal);

        NinoSchemaChanges changes = NinoSchemaFile.Compare(NinoSchemaFile.Describe("T", [stored]), "T", [own]);
        Assert.Contains("the tag 2 of 'B' was 'B2' and is none, and 'B2' has the tag 3", Assert.Single(changes.Breaking), StringComparison.Ordinal);
        Assert.Empty(changes.Narrowing);
        Assert.Empty(changes.Compatible);
    }

    [Fact]
    public void ARecordOfACaseThatWasNeverKnownSaysSo()
    {
        byte[] unknown = UnionEvolutionTests.Case(Union("S", Shapes.Class("Newer", ("X", Int))), "Newer", new RecordBytes().Int32(1));
        var error = Assert.Throws<NinoSerializationException>(() => NinoSerializer.Deserialize<SkippingBase>(unknown));
        Assert.Contains("of a case that this program does not know", error.Message, StringComparison.Ordinal);
        Assert.Equal(new KnownSkipping(3), NinoSerializer.Deserialize<SkippingBase>(NinoSerializer.Serialize<SkippingBase>(new KnownSkipping(3))));
    }

    [Fact]
    public void ABaseThatWasRenamedIsNotSkipped()
    {
        SchemaNode dot = Shapes.Class("Dot", ("X", Int));
        UnionDefinition from = Union("B", Shapes.Class("B", ("Q", Int)), dot), to = Union("B2", Shapes.Class("B2", ("Q", Int)), dot);
        NinoRecordMapper mapper = NinoRecordMapper.Create(Shapes.Schema(SchemaNode.Reference(from)), Shapes.Schema(SchemaNode.Reference(to)));
        byte[] known = UnionEvolutionTests.Case(from, "Dot", new RecordBytes().Int32(1)), ofBase = UnionEvolutionTests.Case(from, "B", new RecordBytes().Int32(3));
        Assert.Equal(known, MappingTests.Map(mapper, known));
        Assert.Contains("[NinoFormerName(\"B\")] on 'B2'", Assert.Throws<NinoSerializationException>(() => MappingTests.Map(mapper, ofBase)).Message, StringComparison.Ordinal);

        // Under its own name it may have ceased to be a case.
        NinoRecordMapper isAbstract = NinoRecordMapper.Create(mapper.Stored, Shapes.Schema(SchemaNode.Reference(Union("B", dot))));
        Assert.Equal(new byte[4], MappingTests.Map(isAbstract, ofBase));
    }

    private static UnionDefinition Union(string name, params SchemaNode[] cases) => UnionEvolutionTests.Union(name, UnionForm.SkipsUnknown, [.. cases.Select(static one => (0u, one))]);

    private static NinoSerializationException Refused<TStored, TOwn>(TStored value) =>
        Assert.Throws<NinoSerializationException>(() => NinoCodec<TOwn>.Default.Decode(NinoSerializer.Serialize(value), NinoSerializer.SchemaOf<TStored>()));
}

[NinoType]
public sealed record WasRefusing(List<int> Unique, int Positive, string Version);

[NinoType, NinoFormerName("Store.Tests.Evolution.WasRefusing")]
public sealed class Refusing
{
    public HashSet<long> Unique { get; set; } = [];

    public int Positive
    {
        get;
        set => field = value >= 0 ? value : throw new ArgumentException("It must be positive.");
    }

    public Version? Version { get; set; }

    public int Added { get; set; } = 3;
}

[NinoType]
public sealed class WasTwig
{
    public WasTwig? Inner { get; set; }
    public List<int> Numbers { get; set; } = [];
}

[NinoType, NinoFormerName("Store.Tests.Evolution.WasTwig")]
public sealed class Twig
{
    public Twig? Inner { get; set; }
    public HashSet<long> Numbers { get; set; } = [];
}

[NinoType]
public sealed record WasTree(int Old, Dictionary<string, List<int>> Leaves);

[NinoType]
public sealed record WasWood(List<WasTree> All);

[NinoType, NinoFormerName("Store.Tests.Evolution.WasTree")]
public sealed class Tree
{
    public string? Added { get; set; }
    [NinoFormerName("Leaves")] public Dictionary<string, HashSet<long>> Names { get; set; } = [];
}

[NinoType, NinoFormerName("Store.Tests.Evolution.WasWood")]
public sealed class Wood
{
    [NinoFormerName("All")] public List<Tree> Trees { get; set; } = [];
}

[NinoType, NinoFormerName("Store.Tests.Evolution.WasWood")]
public sealed class ChoosyWood
{
    public string? Added
    {
        get;
        set => field = value ?? throw new ArgumentException("It must be there.");
    }
}

[NinoType]
public sealed record WasSlot(int Old);

[NinoType]
public sealed record WasRack(long Id, WasSlot Slot);

[NinoType, NinoFormerName("Store.Tests.Evolution.WasSlot")]
public sealed class ChoosySlot
{
    public string? Added
    {
        get;
        set => field = value ?? throw new ArgumentException("It must be there.");
    }
}

[NinoType, NinoFormerName("Store.Tests.Evolution.WasRack")]
public sealed class Rack
{
    public long Id { get; set; }
    public ChoosySlot? Slot { get; set; }
}

[NinoType]
public struct WasSpot
{
    public List<int> Numbers { get; set; }
}

[NinoType]
public sealed record WasPlace(int Id, WasSpot? Spot);

[NinoType, NinoFormerName("Store.Tests.Evolution.WasSpot")]
public struct Spot
{
    public HashSet<long> Numbers { get; set; }
}

[NinoType, NinoFormerName("Store.Tests.Evolution.WasPlace")]
public sealed class Place
{
    public int Id { get; set; }
    public Spot? Spot { get; set; }
}

[NinoType]
public sealed record WasMarks(HashSet<int?> Unique, int[]? Three);

[NinoType, NinoFormerName("Store.Tests.Evolution.WasMarks")]
public sealed class Marks
{
    public HashSet<int>? Unique { get; set; }
    public ThreeMarks Three { get; set; }
}

[System.Runtime.CompilerServices.InlineArray(3)]
public struct ThreeMarks
{
    private int _first;
}

[NinoType(SkipUnknownCases = true)]
public abstract record SkippingBase;

[NinoType]
public sealed record KnownSkipping(int Value) : SkippingBase;
