using Store.Serialization;
using static Store.Tests.Values.Shapes;

namespace Store.Tests.Evolution;

/// <summary>Changes by which keys of a dictionary or elements of a set, different when they were stored, may be equal or null: records that hold such are refused, and that is told.</summary>
public class SchemaFileKeyTests
{
    private static readonly SchemaNode Int = Of(SchemaKind.Int32), Text = Of(SchemaKind.String);
    private static readonly SchemaNode IntOrNull = SchemaNode.Nullable(Int);

    // What is a key or element, in its old and in its new shape, and why two of them may be equal then.
    private static readonly Dictionary<string, (Func<SchemaNode> Was, Func<SchemaNode> Now, string Why)> Merging = new()
    {
        ["a null that is zero"] = (() => IntOrNull, () => Int, "null becomes zero"),
        ["a member that is gone"] = (() => Struct("K", ("A", Int), ("B", Text)), () => Struct("K", ("A", Int)), "'K.B' is gone"),
        ["a null in a member that is zero"] = (() => Struct("K", ("A", IntOrNull), ("B", Int)), () => Struct("K", ("A", Int), ("B", Int)), "null becomes zero"),
        ["a class that is a struct"] = (() => Class("K", ("A", Int)), () => Struct("K", ("A", Int)), "null becomes zero"),
        ["a member of a member that is gone"] = (() => Struct("K", ("P", Class("P", ("A", Int), ("B", Int)))), () => Struct("K", ("P", Class("P", ("B", Int)))), "'P.A' is gone"),
        ["elements of a list that are zero"] = (() => SchemaNode.List(IntOrNull), () => SchemaNode.List(Int), "null becomes zero"),
        ["a null that is zero in one of a list"] = (() => Struct("K", ("A", Class("P", ("B", IntOrNull)))), () => Struct("K", ("A", SchemaNode.List(Class("P", ("B", Int))))), "null becomes zero"),
        ["a case that is gone"] = (() => Events(UnionForm.SkipsUnknown, "Paid", "Sent"), () => Events(UnionForm.SkipsUnknown, "Paid"), "'Sent' is read as null"),
        ["two cases that are one"] = (() => Events(UnionForm.Hashed, "Paid", "Sent"), () => Events(UnionForm.Hashed, ["Sent"], "Paid"), "'Paid' and 'Sent' are one"),
        ["a member of a case that is gone"] = (() => Events(UnionForm.Hashed, "Paid"), () => SchemaNode.Reference(Union(UnionForm.Hashed, Class("Paid"))), "'Paid.Id' is gone"),
    };

    private static readonly Dictionary<string, (Func<SchemaNode> Was, Func<SchemaNode> Now)> KeptApart = new()
    {
        ["a wider number"] = (() => Int, () => Of(SchemaKind.Int64)),
        ["what may be null now"] = (() => Int, () => IntOrNull),
        ["a character that is a text"] = (() => SchemaNode.Nullable(Of(SchemaKind.Char)), () => Text),
        ["a member more"] = (() => Struct("K", ("A", Int)), () => Struct("K", ("A", Int), ("B", Text))),
        ["a struct that is a class"] = (() => Struct("K", ("A", Int)), () => Class("K", ("A", Int))),
        ["a member that is a list of it"] = (() => Struct("K", ("A", IntOrNull)), () => Struct("K", ("A", SchemaNode.List(Int)))),
        ["a case more"] = (() => Events(UnionForm.SkipsUnknown, "Paid"), () => Events(UnionForm.SkipsUnknown, "Paid", "Sent")),
        ["a class with cases"] = (() => Class("Paid", ("Id", Int)), () => Events(UnionForm.Hashed, "Paid", "Sent")),
    };

    public static TheoryData<string> Merges => [.. Merging.Keys];

    public static TheoryData<string> KeepsApart => [.. KeptApart.Keys];

    [Theory]
    [MemberData(nameof(Merges))]
    public void AChangeByWhichKeysOrElementsMayBeEqualIsNarrowing(string change)
    {
        (Func<SchemaNode> was, Func<SchemaNode> now, string why) = Merging[change];
        Assert.Contains($"; keys that are equal or null now ({why}) are refused.", OfMember(SchemaNode.Map(was(), Int), SchemaNode.Map(now(), Int)), StringComparison.Ordinal);
        Assert.Contains($"; elements that are equal now ({why}) are refused.", OfMember(Set(was()), Set(now())), StringComparison.Ordinal);

        // Wherever the set is.
        Assert.Contains(why, OfMember(SchemaNode.Map(Int, SchemaNode.List(Set(was()))), SchemaNode.Map(Int, SchemaNode.List(Set(now())))), StringComparison.Ordinal);
    }

    /// <summary>What is no key or element is not compared; nor is a list that becomes a set, of which that is told already.</summary>
    [Theory]
    [MemberData(nameof(Merges))]
    public void WhereNothingIsComparedNothingIsRefused(string change)
    {
        (Func<SchemaNode> was, Func<SchemaNode> now, _) = Merging[change];
        Assert.Empty(Change(Class("T", ("M", SchemaNode.List(was()))), Class("T", ("M", SchemaNode.List(now())))).Narrowing);
        Assert.Empty(Change(Class("T", ("M", SchemaNode.Map(Int, was()))), Class("T", ("M", SchemaNode.Map(Int, now())))).Narrowing);
        Assert.Empty(Change(Class("T", ("M", Set(was()))), Class("T", ("M", SchemaNode.List(now())))).Narrowing);
        Assert.Contains("; elements that are equal are refused.", OfMember(SchemaNode.List(was()), Set(now())), StringComparison.Ordinal);
    }

    [Theory]
    [MemberData(nameof(KeepsApart))]
    public void WhatKeepsKeysAndElementsApartIsCompatible(string change)
    {
        (Func<SchemaNode> was, Func<SchemaNode> now) = KeptApart[change];
        foreach ((SchemaNode from, SchemaNode to) in new[] { (Set(was()), Set(now())), (SchemaNode.Map(was(), Int), SchemaNode.Map(now(), Int)) })
        {
            NinoSchemaChanges changes = Change(Class("T", ("M", from)), Class("T", ("M", to)));
            Assert.Empty(changes.Breaking);
            Assert.Empty(changes.Narrowing);
            Assert.NotEmpty(changes.Compatible);
        }
    }

    /// <summary>Of the groups of a lookup the keys are compared, and not what is in them.</summary>
    [Fact]
    public void OfALookupTheKeysAreCompared()
    {
        Assert.Contains("(null becomes zero)", OfMember(Lookup(IntOrNull, Int), Lookup(Int, Int)), StringComparison.Ordinal);
        Assert.Empty(Change(Class("T", ("M", Lookup(Int, IntOrNull))), Class("T", ("M", Lookup(Int, Int)))).Narrowing);

        static SchemaNode Lookup(SchemaNode key, SchemaNode element) => Set(Class($"Grouping<{SchemaText.Of(key)}, {SchemaText.Of(element)}>", ("Key", key), ("Elements", SchemaNode.List(element))));
    }

    /// <summary>Keys that hold themselves are gone through once.</summary>
    [Fact]
    public void AKeyThatHoldsItselfIsGoneThroughOnce()
    {
        SchemaNode was = Recursive("K", static node => [("A", Int), ("Next", node)]), now = Recursive("K", static node => [("Next", node)]);
        Assert.Contains("('K.A' is gone)", OfMember(Set(was), Set(now)), StringComparison.Ordinal);
    }

    [Fact]
    public void ASetThatIsTheRecordIsLookedAtToo() =>
        Assert.Contains("the record is list (no two equal) of K, was list (no two equal) of K; elements that are equal now ('K.A' is gone) are refused.", Assert.Single(Change(Set(Struct("K", ("A", Int), ("B", Int))), Set(Struct("K", ("B", Int)))).Narrowing), StringComparison.Ordinal);

    /// <summary>Of a list of one always there is no empty one.</summary>
    [Theory]
    [InlineData(null, "elements that are equal now (an empty list becomes zero or null) are refused")]
    [InlineData(1, null)]
    public void AListInAKeyThatIsOneOfItsElementsIsNarrowingWhereItMayBeEmpty(int? length, string? told)
    {
        SchemaNode list = length is { } count ? SchemaNode.List(Int).WithRule(SchemaRule.Exactly(count)) : SchemaNode.List(Int);
        NinoSchemaChanges changes = Change(Class("T", ("M", Set(Struct("K", ("A", list))))), Class("T", ("M", Set(Struct("K", ("A", Int))))));
        Assert.Equal(told is not null, changes.Narrowing.Any(change => change.Contains("elements that are equal now", StringComparison.Ordinal)));
        if (told is not null) Assert.Contains(changes.Narrowing, change => change.Contains(told, StringComparison.Ordinal));
    }

    /// <summary>The base itself, renamed without a former name, is refused also where unknown cases are skipped.</summary>
    [Fact]
    public void ABaseThatWasRenamedIsToldToBeRefused()
    {
        NinoSchemaChanges changes = Change(Class("T", ("M", Figures("Figure", "Figure"))), Class("T", ("M", Figures("Shape"))));
        Assert.Contains("T: 'Figure' is no case of 'Shape' any more; what is stored of it is refused.", changes.Narrowing);

        static SchemaNode Figures(string name, params string[] more)
        {
            var union = new UnionDefinition(name, UnionForm.SkipsUnknown);
            foreach (string one in more.Append("Circle").OrderBy(UnionDefinition.HashOf)) union.Add(new UnionCase(UnionDefinition.HashOf(one), Class(one, ("Id", Int))));
            return SchemaNode.Reference(union);
        }
    }

    private static string OfMember(SchemaNode was, SchemaNode now)
    {
        NinoSchemaChanges changes = Change(Class("T", ("M", was)), Class("T", ("M", now)));
        Assert.Empty(changes.Breaking);
        string told = Assert.Single(changes.Narrowing);
        Assert.StartsWith("T: 'T.M' ", told, StringComparison.Ordinal);
        return told;
    }

    private static NinoSchemaChanges Change(SchemaNode was, SchemaNode now) =>
        NinoSchemaFile.Compare(NinoSchemaFile.Describe("Shop", [NinoSchema.Create(was)]), "Shop", [NinoSchema.Create(now)]);

    private static SchemaNode Set(SchemaNode element) => SchemaNode.List(element).WithRule(SchemaRule.Distinct);

    private static SchemaNode Events(UnionForm form, params string[] cases) => Events(form, [], cases);

    private static SchemaNode Events(UnionForm form, string[] formerNames, params string[] cases) =>
        SchemaNode.Reference(Union(form, [.. cases.Select(name => Case(name, name == cases[0] ? formerNames : []))]));

    private static SchemaNode Case(string name, string[] formerNames)
    {
        SchemaNode node = Class(name, ("Id", Int));
        node.Definition!.FormerNames = formerNames;
        return node;
    }

    private static UnionDefinition Union(UnionForm form, params SchemaNode[] cases)
    {
        var union = new UnionDefinition("Ev", form);
        foreach (SchemaNode one in cases.OrderBy(static one => UnionDefinition.HashOf(one.Definition!.Name))) union.Add(new UnionCase(UnionDefinition.HashOf(one.Definition!.Name), one));
        return union;
    }
}
