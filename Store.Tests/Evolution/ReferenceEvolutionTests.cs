using Store.Serialization;
using Store.Tests.Values;
using static Store.Tests.Evolution.UnionEvolutionTests;

namespace Store.Tests.Evolution;

/// <summary>Numbers of objects to which references are kept count the objects in front: what happens where some of those are in a case that is gone.</summary>
public class ReferenceEvolutionTests
{
    private static readonly SchemaNode Int = Shapes.Of(SchemaKind.Int32), Text = Shapes.Of(SchemaKind.String);

    /// <summary>How a case that is gone comes to hold numbered objects.</summary>
    public enum Gone
    {
        MemberOfIt,
        DeepInsideOfIt,
        ItItself,
        CaseOfAnObjectMember,
        CaseOfAnObjectMemberThatChangedTooMuch,
    }

    [Fact]
    public void WhatIsSkippedIsCheckedAsWhatIsLeftOut()
    {
        SchemaNode gone = Shapes.Class("B", ("Flag", Shapes.Of(SchemaKind.Boolean)), ("Name", Text)), kept = Shapes.Class("A", ("V", Int));
        foreach (UnionForm form in (UnionForm[])[UnionForm.Hashed, UnionForm.SkipsUnknown])
        {
            UnionDefinition from = Union("U", form, (1, kept), (2, gone)), to = Union("U", UnionForm.SkipsUnknown, (1, Shapes.Class("A", ("V", Int))));
            NinoRecordMapper mapper = NinoRecordMapper.Create(Shapes.Schema(SchemaNode.Reference(from)), Shapes.Schema(SchemaNode.Reference(to)));
            Assert.True(NinoValue.Decode(mapper.Own, MappingTests.Map(mapper, Case(from, "B", new RecordBytes().Raw(1).Text("b"))))["X"].IsNull);
            Assert.Throws<NinoSerializationException>(() => MappingTests.Map(mapper, Case(from, "B", new RecordBytes().Raw(2).Text("b"))));
        }
    }

    [Theory]
    [InlineData(Gone.MemberOfIt, UnionForm.Hashed)]
    [InlineData(Gone.MemberOfIt, UnionForm.ExplicitTags)]
    [InlineData(Gone.DeepInsideOfIt, UnionForm.Hashed)]
    [InlineData(Gone.ItItself, UnionForm.Hashed)]
    [InlineData(Gone.ItItself, UnionForm.ExplicitTags)]
    [InlineData(Gone.CaseOfAnObjectMember, UnionForm.Hashed)]
    [InlineData(Gone.CaseOfAnObjectMemberThatChangedTooMuch, UnionForm.Hashed)]
    public void ACaseThatIsGoneWithNumberedObjectsIsRefusedThoughUnknownCasesAreSkipped(Gone how, UnionForm form)
    {
        SchemaNode stored = Numbered("N", ("V", Int)), own = Numbered("N", ("V", Int)), kept = Shapes.Class("A", ("V", Int));
        SchemaNode gone = how switch
        {
            Gone.MemberOfIt => Shapes.Class("B", ("Inner", stored)),
            Gone.DeepInsideOfIt => Shapes.Class("B", ("Inner", SchemaNode.List(Shapes.Struct("S", ("Name", Text), ("Inner", SchemaNode.Map(Int, stored)))))),
            Gone.CaseOfAnObjectMemberThatChangedTooMuch => Shapes.Class("B", ("Inner", stored), ("W", Text)),
            _ => Numbered("B", ("V", Int)),
        };
        SchemaNode? changed = how switch
        {
            Gone.CaseOfAnObjectMember => Shapes.Class("B", ("V", Int)),
            Gone.CaseOfAnObjectMemberThatChangedTooMuch => Shapes.Class("B", ("W", Text)),
            _ => null,
        };
        string name = changed is null ? "U" : "System.Object@Shop";
        (uint, SchemaNode)[] cases = [(1, Shapes.Class("A", ("V", Int))), .. changed is null ? Array.Empty<(uint, SchemaNode)>() : [(2, changed)]];
        UnionDefinition from = Union(name, form, (1, kept), (2, gone)), to = Union(name, form | UnionForm.SkipsUnknown, cases);
        NinoRecordMapper mapper = NinoRecordMapper.Create(Shapes.Schema(SchemaNode.Reference(from), stored, stored), Shapes.Schema(SchemaNode.Reference(to), own, own));

        // Number 0 is in the case, 1 is the first of the two members, and the second is 0 again.
        byte[] value = how switch
        {
            Gone.MemberOfIt => new RecordBytes().Raw(1).Int32(10),
            Gone.DeepInsideOfIt => new RecordBytes().Count(1).Text("s").Count(1).Int32(7).Raw(1).Int32(10),
            Gone.CaseOfAnObjectMemberThatChangedTooMuch => new RecordBytes().Raw(1).Int32(10).Text("w"),
            _ => new RecordBytes().Raw(1).Int32(10),
        };
        bool isOther = how is Gone.ItItself or Gone.CaseOfAnObjectMember;
        byte[] record = new RecordBytes().Raw(Case(from, "B", value)).Raw(1).Int32(20).Raw(isOther ? (byte)3 : (byte)2);
        Assert.Equal(isOther ? 20 : 10, OfSameNumber(NinoValue.Decode(mapper.Stored, record), "Z")["V"].AsInt64());
        string message = Assert.Throws<NinoSerializationException>(() => MappingTests.Map(mapper, record)).Message;
        Assert.Contains("'B'", message, StringComparison.Ordinal);
        Assert.Contains("references", message, StringComparison.Ordinal);
        AssertDamageIsTyped(mapper, record);

        // Records without it are read.
        byte[] other = new RecordBytes().Raw(Case(from, "A", new RecordBytes().Int32(5))).Raw(1).Int32(20).Raw(2);
        NinoValue read = NinoValue.Decode(mapper.Own, MappingTests.Map(mapper, other));
        Assert.Equal(5, read["X"]["V"].AsInt64());
        Assert.Equal((1, 1), (read["Y"].ObjectNumber, read["Z"].ObjectNumber));
    }

    [Fact]
    public void ATypeThatKeepsReferencesBecomesNoObjectNorTheOtherWayRound()
    {
        UnionDefinition any = Union("System.Object@Shop", UnionForm.Hashed, (1, Numbered("N", ("V", Int))));
        NinoSchema declared = Shapes.Schema(Numbered("N", ("V", Int))), untyped = Shapes.Schema(SchemaNode.Reference(any));
        foreach ((NinoSchema stored, NinoSchema own) in new[] { (declared, untyped), (untyped, declared) })
        {
            string message = Assert.Throws<NinoSchemaMismatchException>(() => NinoRecordMapper.Create(stored, own)).Message;
            Assert.Contains("where 'object' is declared", message, StringComparison.Ordinal);
        }
    }

    private static SchemaNode Numbered(string name, params (string Name, SchemaNode Node)[] fields)
    {
        var type = new ObjectDefinition(name, isReference: true, keepsReferences: true);
        foreach ((string field, SchemaNode node) in fields) type.Add(new SchemaField(field, 0, node));
        return SchemaNode.Reference(type);
    }

    // The object that a member is, wherever its fields are.
    private static NinoValue OfSameNumber(NinoValue record, string member)
    {
        int number = record[member].ObjectNumber;
        return All(record).First(value => value.ObjectNumber == number && !value.IsBackReference);

        static IEnumerable<NinoValue> All(NinoValue value) =>
            value.Fields.Select(static field => field.Value).Concat(value.Items).Concat(value.Pairs.SelectMany(static pair => new[] { pair.Key, pair.Value })).SelectMany(All).Prepend(value);
    }
}
