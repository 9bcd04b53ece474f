using Store.Serialization;
using static Store.Tests.Values.Shapes;

namespace Store.Tests.Evolution;

/// <summary>Every change of a schema is called by its name, and under the heading that is true of it.</summary>
public class SchemaFileChangeTests
{
    [Fact]
    public void ACaseThatIsGoneIsNarrowingUnlessItIsSkipped()
    {
        NinoSchemaChanges gone = Change(Events(UnionForm.Hashed, "Shop.Gone", "Shop.Kept"), Events(UnionForm.Hashed, "Shop.Kept"));
        Assert.Equal(["Shop.Account: 'Shop.Gone' is no case of 'Shop.Ev' any more; what is stored of it is refused."], gone.Narrowing);
        Assert.Empty(gone.Breaking);
        Assert.Empty(gone.Compatible);
        Assert.StartsWith("NARROWING: existing records are read, but for those that hold what does not fit.\n  Shop.Account: 'Shop.Gone'", gone.ToString(), StringComparison.Ordinal);
        Assert.DoesNotContain("Compatible", gone.ToString(), StringComparison.Ordinal);

        NinoSchemaChanges skipped = Change(Events(UnionForm.SkipsUnknown, "Shop.Gone", "Shop.Kept"), Events(UnionForm.SkipsUnknown, "Shop.Kept"));
        Assert.Empty(skipped.Narrowing);
        Assert.Equal(["Shop.Account: 'Shop.Gone' is no case of 'Shop.Ev' any more; what is stored of it is read as null."], skipped.Compatible);
    }

    public static TheoryData<string, string> Narrowings => new()
    {
        { "Int32>Int16", "'T.M' Int16, was Int32; a number that does not fit is refused." },
        { "Int32>UInt32", "'T.M' UInt32, was Int32; a number that does not fit is refused." },
        { "UInt64>Int64", "'T.M' Int64, was UInt64; a number that does not fit is refused." },
        { "Int128>Decimal", "'T.M' Decimal, was Int128; a number that does not fit is refused." },
        { "list of Int32>list of Byte", "'T.M' list of Byte, was list of Int32; a number that does not fit is refused." },
        { "map of Int32>map of SByte", "'T.M' map from SByte to SByte, was map from Int32 to Int32; a number that does not fit is refused." },
        { "list of Int32>Int32", "'T.M' Int32, was list of Int32; more than one element is refused." },
        { "list of Int32>Int16", "'T.M' Int16, was list of Int32; more than one element is refused, a number that does not fit is refused." },
    };

    [Theory]
    [MemberData(nameof(Narrowings))]
    public void WhatMayNotFitIsNarrowing(string change, string expected)
    {
        NinoSchemaChanges changes = Member(change);
        Assert.Equal(["T: " + expected], changes.Narrowing);
        Assert.Empty(changes.Breaking);
        Assert.Empty(changes.Compatible);
    }

    [Theory]
    [InlineData("Int16>Int32")]
    [InlineData("UInt16>Int32")]
    [InlineData("UInt64>Int128")]
    [InlineData("UInt64>Decimal")]
    [InlineData("Byte>UInt128")]
    [InlineData("Boolean>Byte")]
    [InlineData("list of Byte>list of Int32")]
    [InlineData("Int32>list of Int64")]
    public void WhatFitsAlwaysIsCompatible(string change)
    {
        NinoSchemaChanges changes = Member(change);
        Assert.Empty(changes.Narrowing);
        Assert.Empty(changes.Breaking);
        Assert.Single(changes.Compatible);
    }

    /// <summary>Two ids that were exchanged exchange the values.</summary>
    [Fact]
    public void AMemberThatGotAnotherIdIsBreaking()
    {
        Assert.Equal(
            ["T: the id of 'T.A' was 1 and is 2: what is stored of it would be read as 'B'. Give it its old id back, or another name.", "T: the id of 'T.B' was 2 and is 1: what is stored of it would be read as 'A'. Give it its old id back, or another name."],
            Change(Numbered(("A", 1), ("B", 2)), Numbered(("A", 2), ("B", 1))).Breaking);
        Assert.Equal(["T: the id of 'T.A' was 1 and is 3: what is stored of it would be left out. Give it its old id back, or another name."], Change(Numbered(("A", 1), ("B", 2)), Numbered(("A", 3), ("B", 2))).Breaking);
        Assert.Empty(Change(Numbered(("A", 1), ("B", 2)), Numbered(("C", 1), ("B", 2))).Breaking);
        Assert.Empty(Change(Numbered(("A", 0), ("B", 2)), Numbered(("A", 1), ("B", 0))).Breaking);

        static NinoSchema Numbered(params (string Name, int Id)[] fields) => NinoSchema.Create(new SchemaBuilder().Object(typeof(int), "T", true, list =>
        {
            foreach ((string name, int id) in fields) list.Add(name, id, Of(SchemaKind.Int32));
        }));
    }

    [Fact]
    public void EveryChangeThatAllRecordsSurviveIsCalledByItsName()
    {
        SchemaNode color = Colors("Shop.Color", false, ("Red", 1), ("Blue", 2));
        AssertOnly("'Shop.New' is a new case of 'Shop.Ev'; older programs refuse it.", Events(UnionForm.Hashed, "Shop.Kept"), Events(UnionForm.Hashed, "Shop.Kept", "Shop.New"));
        AssertOnly("'Shop.New' is a new case of 'Shop.Ev'; older programs read it as null.", Events(UnionForm.SkipsUnknown, "Shop.Kept"), Events(UnionForm.SkipsUnknown, "Shop.Kept", "Shop.New"));
        AssertOnly("a case of 'Shop.Ev' that is not known is skipped and read as null, and was refused.", Events(UnionForm.Hashed, "Shop.Kept"), Events(UnionForm.SkipsUnknown, "Shop.Kept"));
        AssertOnly("a case of 'Shop.Ev' that is not known is refused, and was skipped and read as null.", Events(UnionForm.SkipsUnknown, "Shop.Kept"), Events(UnionForm.Hashed, "Shop.Kept"));
        AssertOnly("the cases of 'Shop.Ev' have tags of [NinoUnion], and were told apart by their names.", Events(UnionForm.Hashed, "Shop.Kept"), Events(UnionForm.ExplicitTags, "Shop.Kept"));
        AssertOnly("the cases of 'Shop.Ev' are told apart by their names, and had tags of [NinoUnion].", Events(UnionForm.ExplicitTags, "Shop.Kept"), Events(UnionForm.Hashed, "Shop.Kept"));
        AssertOnly("'Shop.Point' is a struct, was a class; null becomes its zero.", Holding(Class("Shop.Point", ("X", Of(SchemaKind.Int32)))), Holding(Struct("Shop.Point", ("X", Of(SchemaKind.Int32)))));
        AssertOnly("'Shop.Point' is a class, was a struct.", Holding(Struct("Shop.Point", ("X", Of(SchemaKind.Int32)))), Holding(Class("Shop.Point", ("X", Of(SchemaKind.Int32)))));
        AssertOnly("'Shop.Color.Green' (3) added.", Holding(color), Holding(Colors("Shop.Color", false, ("Red", 1), ("Blue", 2), ("Green", 3))));
        AssertOnly("'Shop.Color.Blue' (2) removed; its number is read as before.", Holding(color), Holding(Colors("Shop.Color", false, ("Red", 1))));
        AssertOnly("'Shop.Color.Azure' was called 'Blue'.", Holding(color), Holding(Colors("Shop.Color", false, ("Red", 1), ("Azure", 2))));
        AssertOnly("'Shop.Color' has no [Flags] any more; its numbers are the same.", Holding(Colors("Shop.Color", true, ("Red", 1), ("Blue", 2))), Holding(color));
        AssertOnly("'Shop.Color' has [Flags] now; its numbers are the same.", Holding(color), Holding(Colors("Shop.Color", true, ("Red", 1), ("Blue", 2))));
        AssertOnly("the members of 'Shop.Account' are stored in another order.", NinoSchema.Create(Class("Shop.Account", ("A", Of(SchemaKind.Int32)), ("B", Of(SchemaKind.Int32)))), NinoSchema.Create(Class("Shop.Account", ("B", Of(SchemaKind.Int32)), ("A", Of(SchemaKind.Int32)))));
    }

    [Theory]
    [InlineData("types of Shop", "types of Shops", 1)]
    [InlineData("\nrecords", "\n\nrecords", 3)]
    [InlineData("\nend", "\n# Mine.\nend", 9)]
    public void WhereOnlyTheTextWasEditedTheLineIsNamed(string was, string edited, int line)
    {
        NinoSchemaChanges changes = NinoSchemaFile.Compare(Text().Replace(was, edited, StringComparison.Ordinal), "Shop", [Item]);
        Assert.False(changes.IsUpToDate);
        Assert.Contains($"No schema changed, but the text did: line {line} is '", Assert.Single(changes.Compatible), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("Id: Int32", "Id: Int64", 4, "give it the fingerprint")]
    [InlineData("Id: Int32", "Key: Int32", 4, "give it the fingerprint")]
    [InlineData("fingerprint ", "fingerprint 0", 4, "is no number")]
    [InlineData("Id: Int32", "Id: Int33", 7, "'Int33' is no type")]
    [InlineData("Id: Int32", "Id: 3", 7, "'3' is no type")]
    [InlineData("Id: Int32", "Id: Nullable", 7, "'Nullable' is no type")]
    [InlineData("Id: Int32", "Id: nullable nullable Int32", 4, "nullable of the kind Nullable")]
    [InlineData("Id: Int32", "Id Int32", 7, "':' is missing")]
    [InlineData("Id: Int32", "Id: Int32, id 03", 7, "'03' is no number")]
    [InlineData("Id: Int32", "Id: Int32, id -3", 7, "'-3' is no number")]
    [InlineData("Id: Int32", "Id: Int32, keeps references", 7, "cannot stand here")]
    [InlineData("Id: Int32", "Id: class Shop.Other", 7, "'class Shop.Other' is not there")]
    [InlineData("Id: Int32", "Id: struct Shop.Item", 7, "'struct Shop.Item' is not there")]
    [InlineData("Id: Int32", "Id: list Int32", 7, "'of' is missing")]
    [InlineData("Id: Int32", "Id: map from Int32", 7, "'to' is missing")]
    [InlineData("Id: Int32", "\"Id: Int32", 7, "does not end")]
    [InlineData("Id: Int32", "\"\": Int32", 7, "a name is empty")]
    [InlineData("Id: Int32", "", 7, "a word is missing")]
    [InlineData("  Id: Int32\n", "  Id: Int32\n  Id: Int32\n", 4, "two fields named 'Id'")]
    [InlineData("\nclass Shop.Item\n", "\nclass Shop.Item\n  X: Int32\n\nclass Shop.Item\n", 9, "there twice")]
    [InlineData("\nclass Shop.Item\n", "\ninterface Shop.Item\n", 6, "no schema file has such a line")]
    [InlineData("\nclass Shop.Item\n", "\nenum Shop.Item on Single\n", 6, "an enum is a number")]
    [InlineData("\nclass Shop.Item\n", "\nstruct Shop.Item\n", 4, "'class Shop.Item' is not there")]
    [InlineData("\nend\n", "\nend\n  Id: Int32\n", 10, "nothing but comments")]
    [InlineData("\nrecords\n", "\n", 3, "no schema file has such a line")]
    [InlineData("\nend\n", "\nclass Shop.Other\n\nend\n", 9, "no record above has such a type")]
    public void ALineThatThereCannotBeIsTold(string was, string edited, int line, string why)
    {
        string text = Text();
        Assert.Contains(was, text, StringComparison.Ordinal);
        string message = Assert.Throws<FormatException>(() => NinoSchemaFile.Compare(text.Replace(was, edited, StringComparison.Ordinal), "Shop", [Item])).Message;
        Assert.Contains($"cannot be read from line {line} on, '", message, StringComparison.Ordinal);
        Assert.Contains(why, message, StringComparison.Ordinal);
        Assert.Contains("Take the file from the last commit", message, StringComparison.Ordinal);
    }

    /// <summary>Where a file is read at all, it is the one that was written, but for what a fingerprint does not have: the members of enums, and the rules.</summary>
    [Fact]
    public void AnyOtherTextIsRefusedOrHasAnotherMeaningThatIsTold()
    {
        NinoSchema[] all = [Events(UnionForm.SkipsUnknown, "Shop.Gone", "Shop.Kept"), Holding(Colors("Shop.Color", true, ("Red", 1), ("Blue", 2))), Item];
        string text = NinoSchemaFile.Describe("Shop", all);
        var random = new Random(7);
        string letters = "\n\r \"\\,:()=ax0-🙂";
        for (int i = 0; i < 20_000; i++)
        {
            int at = random.Next(text.Length), length = random.Next(3);
            string edited = text[..at] + (random.Next(3) > 0 ? letters[random.Next(letters.Length)].ToString() : "") + text[Math.Min(text.Length, at + length)..];
            if (edited.Replace("\r\n", "\n", StringComparison.Ordinal) == text) continue;
            try
            {
                Assert.False(NinoSchemaFile.Compare(edited, "Shop", all).IsUpToDate);
            }
            catch (FormatException error)
            {
                Assert.Contains("cannot be read from line ", error.Message, StringComparison.Ordinal);
            }
        }
    }

    [Theory]
    [InlineData("garbage", 1)]
    [InlineData("# A comment.\n\ngarbage\n", 3)]
    [InlineData("\0\u0001\u0002", 1)]
    public void AFileOfSomethingElseIsNotOneWithoutTypes(string text, int line) =>
        Assert.Contains($"cannot be read from line {line} on", Assert.Throws<FormatException>(() => NinoSchemaFile.Compare(text, "Shop", [Item])).Message, StringComparison.Ordinal);

    /// <summary>An editor may have put it there, and not every way to read a text takes it away.</summary>
    [Fact]
    public void AByteOrderMarkInFrontIsNoPartOfTheText()
    {
        Assert.True(NinoSchemaFile.Compare("\uFEFF" + Text(), "Shop", [Item]).IsUpToDate);
        Assert.Equal(["Shop.Item: the type is new."], NinoSchemaFile.Compare("\uFEFF", "Shop", [Item]).Compatible);
    }

    /// <summary>Which level was meant could not be told.</summary>
    [Theory]
    [InlineData("list of list of Int32>list of Int32")]
    [InlineData("list of Int32>list of list of Int32")]
    [InlineData("list of map of Int32>map of Int32")]
    [InlineData("map of Int32>list of map of Int32")]
    public void ACollectionOfCollectionsIsNotOneOfThemNorTheOtherWayRound(string change) => Assert.Single(Member(change).Breaking);

    [Fact]
    public void AFileThatIsCutOffOrHalfMergedIsToldWithItsLine()
    {
        string text = Text();
        Assert.Contains("cannot be read from line 7 on, 'Id: Int32': it is the last line, and 'end' is missing", Told(text.Replace("\nend\n", "", StringComparison.Ordinal)), StringComparison.Ordinal);
        Assert.Contains("cannot be read from line 7 on, '<<<<<<< HEAD'", Told(text.Replace("  Id", "<<<<<<< HEAD\n  Id", StringComparison.Ordinal)), StringComparison.Ordinal);
        for (int length = 1; length < text.Length - 1; length++) Told(text[..length]);
        Assert.Contains("cannot be read from line 6 on, 'class Shop.Item': no record above has such a type", Told(string.Join('\n', text.Split('\n').Where(static line => !line.Contains("fingerprint", StringComparison.Ordinal)).Prepend("#"))), StringComparison.Ordinal);

        static string Told(string file) => Assert.Throws<FormatException>(() => NinoSchemaFile.Compare(file, "Shop", [Item])).Message;
    }

    private static NinoSchema Item => NinoSchema.Create(Class("Shop.Item", ("Id", Of(SchemaKind.Int32))));

    private static string Text() => NinoSchemaFile.Describe("Shop", [Item]);

    private static void AssertOnly(string expected, NinoSchema from, NinoSchema to)
    {
        NinoSchemaChanges changes = Change(from, to);
        Assert.Equal(["Shop.Account: " + expected], changes.Compatible);
        Assert.Empty(changes.Narrowing);
        Assert.Empty(changes.Breaking);
    }

    private static SchemaNode Colors(string name, bool isFlags, params (string, long)[] members) => Enum(name, SchemaKind.Byte, isFlags, members);

    private static NinoSchema Holding(SchemaNode node) => NinoSchema.Create(Class("Shop.Account", ("Last", node)));

    private static NinoSchema Events(UnionForm form, params string[] cases)
    {
        var union = new UnionDefinition("Shop.Ev", form);
        uint tag = 1;
        foreach (string name in cases.OrderBy(name => (form & UnionForm.ExplicitTags) != 0 ? 0 : UnionDefinition.HashOf(name))) union.Add(new UnionCase((form & UnionForm.ExplicitTags) != 0 ? tag++ : UnionDefinition.HashOf(name), Class(name, ("Id", Of(SchemaKind.Int32)))));
        return Holding(SchemaNode.Reference(union));
    }

    private static NinoSchemaChanges Member(string change)
    {
        string[] sides = change.Split('>');
        return Change(NinoSchema.Create(Class("T", ("M", Node(sides[0])))), NinoSchema.Create(Class("T", ("M", Node(sides[1])))));
    }

    private static SchemaNode Node(string text) =>
        text.StartsWith("list of ", StringComparison.Ordinal) ? SchemaNode.List(Node(text["list of ".Length..]))
        : text.StartsWith("map of ", StringComparison.Ordinal) ? SchemaNode.Map(Node(text["map of ".Length..]), Node(text["map of ".Length..]))
        : Of(System.Enum.Parse<SchemaKind>(text));

    private static NinoSchemaChanges Change(NinoSchema from, NinoSchema to) => NinoSchemaFile.Compare(NinoSchemaFile.Describe("Shop", [from]), "Shop", [to]);
}
