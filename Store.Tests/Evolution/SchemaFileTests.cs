using System.Reflection;
using Store.Serialization;
using Store.Tests.Generator;
using static Store.Tests.Values.Shapes;

namespace Store.Tests.Evolution;

public class SchemaFileTests
{
    private static readonly NinoSchema Item = NinoSchema.Create(Class("Shop.Item", ("Id", Of(SchemaKind.Int32)), ("Name", Of(SchemaKind.String)), ("Color", Enum("Shop.Color", SchemaKind.Byte, false, [("Red", 1), ("Blue", 2)]))));

    [Fact]
    public void TheTextIsReadableAndHasTheSchemaItself()
    {
        string text = NinoSchemaFile.Describe("Shop", [Item]);
        Assert.Equal(
            $"""
            # What the record types of Shop look like in files. Written by NinoSchemaFile.Describe; do not edit.

            records
              class Shop.Item, fingerprint {Item.Fingerprint:x16}

            class Shop.Item
              Id: Int32
              Name: String
              Color: enum Shop.Color

            enum Shop.Color on Byte
              Red = 1
              Blue = 2

            end

            """.ReplaceLineEndings("\n"),
            text);
        Assert.True(NinoSchemaFile.Compare(text, "Shop", [Item]).IsUpToDate);
        Assert.True(NinoSchemaFile.Compare(text.Replace("\n", "\r\n"), "Shop", [Item]).IsUpToDate);
    }

    [Fact]
    public void ATypeThatSeveralAssembliesRegisterIsInTheFileOfEachWhicheverComesFirst() => Store.Tests.Generator.Programs.Run("""
        [assembly: NinoSerializable(typeof(Lib.Money))]
        [NinoType] public sealed record Order(Lib.Money Price);
        """, """
        Copy(new Order(new Lib.Money { Amount = 1 }));
        string ours = NinoSchemaFile.Describe(typeof(Order).Assembly), theirs = NinoSchemaFile.Describe(typeof(Lib.Money).Assembly);
        Equal((true, true), (ours.Contains("\n  class Lib.Money, "), theirs.Contains("\n  class Lib.Money, ")));
        Equal((true, false), (ours.Contains("\n  class Order, "), theirs.Contains("\n  class Order, ")));
        NinoSchemaFile.Verify(ours, typeof(Order).Assembly);
        NinoSchemaFile.Verify(theirs, typeof(Lib.Money).Assembly);
        """, """
        [assembly: NinoSerializable(typeof(Lib.Money))]
        namespace Lib { public sealed class Money { public decimal Amount { get; set; } } }
        """);

    /// <summary>Codecs of the engine, or of one's own: none of them is of the assembly that registers it.</summary>
    [Fact]
    public void EverythingThatAnAssemblyRegistersIsInItsFile() => Store.Tests.Generator.Programs.Run("""
        using Lib;
        using Store.Serialization.Codecs;
        [assembly: NinoSerializable(typeof(List<Order>)), NinoSerializable(typeof(Order[])), NinoSerializable(typeof(HashSet<Order>)), NinoSerializable(typeof(Dictionary<string, Order>)), NinoSerializable(typeof(Order[,]))]
        [assembly: NinoSerializable(typeof(Kind)), NinoSerializable(typeof(Names)), NinoSerializable(typeof(object)), NinoSerializable(typeof(Text), Codec = typeof(TextCodec))]
        [NinoType] public sealed record Order(int Id);
        public enum Kind { One }
        public sealed class Names : LinkedList<Guid>;
        public readonly struct TextCodec : INinoCodec<Text?>
        {
            public static int MinSize => StringCodec.MinSize;
            public static SchemaNode Describe(SchemaBuilder builder) => StringCodec.Describe(builder);
            public void Write(ref NinoWriter writer, in Text? value) => default(StringCodec).Write(ref writer, value?.Value!);
            public Text? Read(ref NinoReader reader) => default(StringCodec).Read(ref reader) is { } text ? new Text(text) : null;
        }
        """, """
        Copy(new Order(1));
        System.Reflection.Assembly own = typeof(Order).Assembly;
        string file = NinoSchemaFile.Describe(own);
        string[] records = [.. System.Linq.Enumerable.Select(System.Linq.Enumerable.Where(file.Split('\n'), static line => line.Contains(", fingerprint ")), static line => line[2..line.IndexOf(", fingerprint ")])];
        // A list and an array are the same in files, and a set has a rule.
        Equal("String (as TextCodec); class Order; class Order[,]; enum Kind; list (no two equal) of class Order; list of Guid; list of class Order; map from String to class Order; union System.Object@Shop", string.Join("; ", records));
        NinoSchemaFile.Verify(file, own);
        NinoSchemaChanges none = NinoSchemaFile.Compare(file, own);
        Equal((0, 0, 0), (none.Breaking.Count, none.Narrowing.Count, none.Compatible.Count));

        // Which of the two is gone is told by what is left.
        string set = System.Linq.Enumerable.Single(file.Split('\n'), static line => line.StartsWith("  list (no two equal)"));
        NinoSchemaChanges added = NinoSchemaFile.Compare(file.Replace(set + "\n", ""), own);
        Equal("List<Order>: the type is new.", string.Join(" ", added.Breaking) + string.Join(" ", added.Narrowing) + string.Join(" ", added.Compatible));
        """, "namespace Lib; public sealed record Text(string Value);");

    /// <summary>A library whose types are cases of another one's base, at the root of records too: nothing else in its file says that they are.</summary>
    [Fact]
    public void ABaseOfAnotherAssemblyIsInTheFileOfTheOneThatAddsCasesWithTheCasesThatThisKnows() => Store.Tests.Generator.Programs.RunWith(
        [
            ("Base", "namespace Lib; [NinoType] public abstract class Animal { public int Id; } [NinoType] public class Dog : Animal; [NinoType] public abstract class Shape<T>;", 0),
            ("Zoo", "namespace Zoo; [NinoType] public class Cat : Lib.Animal { public int Lives; } [NinoType] public class Emu : Lib.Animal; [NinoType] public class Dot : Lib.Shape<int>; [NinoType] public class Line : Lib.Shape<int>;", 1),
            ("LaterZoo", "namespace LaterZoo; [NinoType(Name = \"Zoo.Cat\")] public class Cat { public int Id; public int Lives; } [NinoType(Name = \"Zoo.Emu\")] public class Emu : Lib.Animal; [NinoType(Name = \"Zoo.Dot\")] public class Dot; [NinoType(Name = \"Zoo.Line\")] public class Line : Lib.Shape<int>;", 1),
            ("Farm", "namespace Farm; [NinoType] public class Cow : Lib.Animal;", 1),
        ],
        "using Lib;", """
        Copy(new Dog()); Copy(new Farm.Cow());
        System.Reflection.Assembly zoo = typeof(Zoo.Cat).Assembly, later = typeof(LaterZoo.Cat).Assembly;
        string file = NinoSchemaFile.Describe(zoo);
        Equal((true, true), (file.Contains("\n  union Lib.Animal, ") && file.Contains(": class Zoo.Cat\n") && file.Contains(": class Zoo.Emu\n") && file.Contains(": class Lib.Dog\n"), file.Contains("\n  union Lib.Shape<System.Int32>, ")));
        Equal(false, file.Contains("Farm.Cow"));
        NinoSchemaFile.Verify(file, zoo);
        NinoSchemaChanges changes = NinoSchemaFile.Compare(file, later);
        Equal("", string.Join(" ", changes.Breaking));
        Equal("Lib.Animal: 'Zoo.Cat' is no case of 'Lib.Animal' any more; what is stored of it is refused. Lib.Shape<System.Int32>: 'Zoo.Dot' is no case of 'Lib.Shape<System.Int32>' any more; what is stored of it is refused.", string.Join(" ", changes.Narrowing));
        """);

    /// <summary>Not what is in a record, and still what it is refused for.</summary>
    [Fact]
    public void WhatATypeDemandsBeyondItsEncodingIsInTheFile() => Store.Tests.Generator.Programs.RunWith(
        [
            ("Was", """
                #nullable disable
                namespace Was;
                [System.Runtime.CompilerServices.InlineArray(3)] public struct Row { private int _first; }
                [NinoType(Name = "Shop.Row")] public class HasRow { public Row Cells; }
                [NinoType(Name = "Shop.Cells")] public class HasCells { public int[] Cells; }
                [NinoType(Name = "Shop.Text")] public class HasText { public string Release; }
                [NinoType(Name = "Shop.List")] public class HasList { public List<string> Tags; }
                [NinoType(Name = "Shop.Nulls")] public class HasNulls { public int[] Cells; }
                """, 0),
            ("Now", """
                #nullable disable
                namespace Now;
                [System.Runtime.CompilerServices.InlineArray(4)] public struct Row { private int _first; }
                [NinoType(Name = "Shop.Row")] public class HasRow { public Row Cells; }
                [NinoType(Name = "Shop.Cells")] public class HasCells { public Row Cells; }
                [NinoType(Name = "Shop.Text")] public class HasText { public Version Release; }
                [NinoType(Name = "Shop.List")] public class HasList { public HashSet<string> Tags; }
                [NinoType(Name = "Shop.Nulls")] public class HasNulls { public Memory<int> Cells; }
                """, 0),
        ],
        "", """
        System.Reflection.Assembly was = typeof(Was.HasRow).Assembly, now = typeof(Now.HasRow).Assembly;
        NinoSchemaFile.Verify(NinoSchemaFile.Describe(was), was);
        NinoSchemaChanges changes = NinoSchemaFile.Compare(NinoSchemaFile.Describe(was), now);
        Equal("Shop.Row: 'Shop.Row.Cells' list (exactly 4) of Int32, was list (exactly 3) of Int32; what is stored has another length and is refused.", string.Join(" ", changes.Breaking));
        Equal("Shop.Cells: 'Shop.Cells.Cells' list (exactly 4) of Int32, was list of Int32; a list of another length is refused. Shop.List: 'Shop.List.Tags' list (no two equal) of String, was list of String; elements that are equal are refused. Shop.Nulls: 'Shop.Nulls.Cells' list (never null) of Int32, was list of Int32; null is refused. Shop.Text: 'Shop.Text.Release' String (as System.Version), was String; what 'System.Version' does not take is refused.", string.Join(" ", changes.Narrowing));
        Equal("", string.Join(" ", changes.Compatible));
        NinoSchemaChanges back = NinoSchemaFile.Compare(NinoSchemaFile.Describe(now), was);
        Equal((1, 0, 4), (back.Breaking.Count, back.Narrowing.Count, back.Compatible.Count));

        Equal(true, Refuses<Was.HasRow, Now.HasRow>(new Was.HasRow()));
        Equal(true, Refuses<Was.HasCells, Now.HasCells>(new Was.HasCells { Cells = new int[3] }));
        Equal(false, Refuses<Was.HasCells, Now.HasCells>(new Was.HasCells { Cells = new int[4] }));
        Equal(true, Refuses<Was.HasText, Now.HasText>(new Was.HasText { Release = "newest" }));
        Equal(false, Refuses<Was.HasText, Now.HasText>(new Was.HasText { Release = "1.2" }));
        Equal(true, Refuses<Was.HasList, Now.HasList>(new Was.HasList { Tags = ["a", "a"] }));
        Equal(false, Refuses<Was.HasList, Now.HasList>(new Was.HasList { Tags = ["a", "b"] }));
        Equal(true, Refuses<Was.HasNulls, Now.HasNulls>(new Was.HasNulls()));
        Equal(false, Refuses<Was.HasNulls, Now.HasNulls>(new Was.HasNulls { Cells = [] }));

        static bool Refuses<TWas, TNow>(TWas value)
        {
            Copy(value);
            try { NinoCodec<TNow>.Default.Decode(Records[^1].Bytes, Records[^1].Schema); return false; }
            catch (NinoSerializationException) { return true; }
        }
        """);

    [Fact]
    public void ANewProjectStartsWithAnEmptyFile()
    {
        NinoSchemaChanges changes = NinoSchemaFile.Compare("", "Shop", [Item]);
        Assert.False(changes.IsUpToDate);
        Assert.Empty(changes.Breaking);
        Assert.Equal("Shop.Item: the type is new.", Assert.Single(changes.Compatible));
    }

    [Fact]
    public void ACompatibleChangeIsToldMemberByMember()
    {
        NinoSchema now = NinoSchema.Create(Class("Shop.Item", ("Id", Of(SchemaKind.Int64)), ("Color", Enum("Shop.Color", SchemaKind.Byte, false, [("Red", 1), ("Blue", 2)])), ("Size", Of(SchemaKind.Int32))));
        NinoSchemaChanges changes = Change(Item, now);
        Assert.Empty(changes.Breaking);
        Assert.Equal(["Shop.Item: 'Shop.Item.Id' Int64, was Int32.", "Shop.Item: 'Shop.Item.Size' added, Int32.", "Shop.Item: 'Shop.Item.Name' removed; what is stored of it is left out."], changes.Compatible);
        Assert.Contains("NinoSchemaFile.Describe(assembly)", changes.ToString(), StringComparison.Ordinal);
    }

    /// <summary>All arrays of two dimensions are one type, but of several the one of the same elements is compared.</summary>
    [Fact]
    public void ArraysOfSeveralDimensionsAreComparedWithTheirLike()
    {
        static NinoSchema Of(params (string, SchemaNode)[] more) => NinoSchema.Create(Class("Shop.Grids", [("Cells", Grid("Int32", SchemaKind.Int32)), ("Names", Grid("String", SchemaKind.String)), .. more]));
        static SchemaNode Grid(string element, SchemaKind kind) => Class($"{element}[,]", ("X", SchemaNode.Primitive(kind)));
        NinoSchemaChanges changes = Change(Of(), Of(("Size", SchemaNode.Primitive(SchemaKind.Int32))));
        Assert.Empty(changes.Breaking);
        Assert.Equal(["Shop.Grids: 'Shop.Grids.Size' added, Int32."], changes.Compatible);
    }

    [Fact]
    public void AChangeThatReadingRefusesIsBreaking()
    {
        NinoSchema now = NinoSchema.Create(Class("Shop.Item", ("Id", Of(SchemaKind.Guid)), ("Name", Of(SchemaKind.String))));
        NinoSchemaChanges changes = Change(Item, now);
        Assert.Contains("stored as Int32", Assert.Single(changes.Breaking), StringComparison.Ordinal);
        Assert.StartsWith("BREAKING", changes.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public void ATypeThatIsGoneIsBreakingUnlessItHasANewName()
    {
        Assert.Contains("the type is gone", Assert.Single(NinoSchemaFile.Compare(NinoSchemaFile.Describe("Shop", [Item]), "Shop", []).Breaking), StringComparison.Ordinal);
        NinoSchemaChanges renamed = NinoSchemaFile.Compare(NinoSchemaFile.Describe("T", [NinoSerializer.SchemaOf<Before.Small>()]), "T", [NinoSerializer.SchemaOf<After.Renamed>()]);
        Assert.Empty(renamed.Breaking);
    }

    [Fact]
    public void AnEnumMemberWithAnotherNumberIsBreakingThoughTheFingerprintIsTheSame()
    {
        NinoSchema now = NinoSchema.Create(Class("Shop.Item", ("Id", Of(SchemaKind.Int32)), ("Name", Of(SchemaKind.String)), ("Color", Enum("Shop.Color", SchemaKind.Byte, false, [("Red", 1), ("Green", 2), ("Blue", 3)]))));
        Assert.Equal(Item.Fingerprint, now.Fingerprint);
        Assert.Contains("'Shop.Color.Blue' was 2 and is 3", Assert.Single(Change(Item, now).Breaking), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("Shop.Shade", new[] { "Shop.Color" })]
    [InlineData("Shop.Shade", new string[0])]
    public void AnEnumThatWasRenamedIsComparedWithWhatItWasCalled(string name, string[] formerNames)
    {
        SchemaNode shade = Enum(name, SchemaKind.Int16, false, [("Red", 2), ("Blue", 1)]);
        shade.Definition!.FormerNames = formerNames;
        NinoSchema now = NinoSchema.Create(Class("Shop.Item", ("Id", Of(SchemaKind.Int32)), ("Name", Of(SchemaKind.String)), ("Color", shade)));
        Assert.Equal(
            ["Shop.Item: 'Shop.Color.Red' was 1 and is 2: stored numbers would change their meaning. Give it its old number back.", "Shop.Item: 'Shop.Color.Blue' was 2 and is 1: stored numbers would change their meaning. Give it its old number back."],
            Change(Item, now).Breaking);
    }

    [Fact]
    public void TagsThatWereExchangedAreBreaking()
    {
        NinoSchema before = Account((1, "Deposited", "Amount"), (2, "Withdrawn", "Amount")), now = Account((1, "Withdrawn", "Amount"), (2, "Deposited", "Amount"));
        Assert.Equal(
            [
                "Shop.Account: the tag 1 of 'Shop.Event' was 'Deposited' and is 'Withdrawn': what is stored of the one would be read as the other. Give 'Withdrawn' a tag that was never used, or put [NinoFormerName(\"Deposited\")] on it if it is the same type under a new name.",
                "Shop.Account: the tag 2 of 'Shop.Event' was 'Withdrawn' and is 'Deposited': what is stored of the one would be read as the other. Give 'Deposited' a tag that was never used, or put [NinoFormerName(\"Withdrawn\")] on it if it is the same type under a new name.",
            ],
            Change(before, now).Breaking);
    }

    [Fact]
    public void ATagThatAnotherTypeHasNowIsBreaking()
    {
        NinoSchema before = Account((1, "Opened", "Owner"), (2, "Closed", "Reason"));
        Assert.Contains("the tag 2 of 'Shop.Event' was 'Closed' and is 'Renamed'", Assert.Single(Change(before, Account((1, "Opened", "Owner"), (2, "Renamed", "NewOwner"))).Breaking), StringComparison.Ordinal);

        // Nothing tells two types without members apart but their names.
        Assert.Contains("'Closed' and is 'Frozen'", Assert.Single(Change(Account((1, "Opened", "Owner"), (2, "Closed", null)), Account((1, "Opened", "Owner"), (2, "Frozen", null))).Breaking), StringComparison.Ordinal);

        // Nor is a type that has a place of its own another one under a new name.
        Assert.Contains("'Closed' and is 'Ended'", Assert.Single(Change(before, Account((1, "Opened", "Owner"), (2, "Ended", "Reason"), (3, "Closed", "Reason"))).Breaking), StringComparison.Ordinal);
    }

    [Fact]
    public void ACaseThatIsCalledOtherwiseUnderItsTagIsListed()
    {
        NinoSchema before = Account((1, "Opened", "Owner"), (2, "Closed", "Reason"));
        NinoSchemaChanges renamed = Change(before, Account((1, "Opened", "Owner"), (2, "Ended", "Reason")));
        Assert.Empty(renamed.Breaking);
        Assert.Contains("Shop.Account: the tag 2 of 'Shop.Event' was 'Closed' and is 'Ended', with the same members; what is stored of the one is read as the other.", renamed.Compatible);

        // Told to be the same, it may have other members.
        NinoSchema told = Account((1, "Opened", "Owner"), (2, "Ended", "Because"));
        told.Definitions.Single(static type => type.Name == "Ended").FormerNames = ["Closed"];
        Assert.Empty(Change(before, told).Breaking);
        Assert.Contains(Change(before, told).Compatible, static change => change.Contains("the tag 2 of 'Shop.Event' was 'Closed' and is 'Ended'", StringComparison.Ordinal));
        Assert.Equal(["Shop.Account: 'Closed' is no case of 'Shop.Event' any more; what is stored of it is refused."], Change(before, Account((1, "Opened", "Owner"))).Narrowing);
    }

    [Fact]
    public void ATagIsComparedUnderABaseThatWasRenamedToo()
    {
        NinoSchema before = Account((1, "Opened", "Owner"), (2, "Closed", "Reason"));
        var union = new UnionDefinition("Shop.Change", UnionForm.ExplicitTags);
        union.Add(new UnionCase(1, Class("Closed", ("Reason", Of(SchemaKind.String)))));
        union.Add(new UnionCase(2, Class("Opened", ("Owner", Of(SchemaKind.String)))));
        Assert.Equal(2, Change(before, NinoSchema.Create(Class("Shop.Account", ("Last", SchemaNode.Reference(union))))).Breaking.Count);
    }

    [Fact]
    public void EverySchemaOfThisAssemblyIsReadAsItWasWritten()
    {
        IReadOnlyList<NinoSchema> schemas = NinoRegistry.SchemasOf(typeof(SchemaFileTests).Assembly, out _);
        string text = NinoSchemaFile.Describe("Tests", schemas);
        Assert.True(schemas.Count > 500, schemas.Count.ToString());
        Assert.Equal(schemas.Select(SchemaIdentity.Of).Order(), SchemaFileReader.Read(text).Select(SchemaIdentity.Of).Order());
    }

    [Fact]
    public void NoNameIsTakenForAnythingElse()
    {
        foreach (string name in (string[])["A, keeps references", "A on Byte", "A\"B", "A\\", "\"", "nullable Int32", "list of Int32", "(as A)", "A: Int32, id 3", "Map<String, Int32>", "# A", "A = 1", "A,", "A,B", ",", "A[,]", "A\u2028B", "end", "Ä😀", " "])
        {
            SchemaNode color = Enum(name, SchemaKind.Byte, true, [(name, 1), (name + "2", 2)]);
            var union = new UnionDefinition(name, UnionForm.ExplicitTags | UnionForm.SkipsUnknown);
            union.Add(new UnionCase(1, Class(name + "3", (name, SchemaNode.List(SchemaNode.Nullable(color))))));
            SchemaNode type = Class(name, (name, color), (name + "2", SchemaNode.Map(Struct(name + "4", (name, color)), SchemaNode.Reference(union))), (name + "5", Of(SchemaKind.String).WithRule(SchemaRule.Parse("as " + name, Of(SchemaKind.String))!.Value)));
            NinoSchema[] all = [NinoSchema.Create(type), NinoSchema.Create(SchemaNode.List(SchemaNode.List(Of(SchemaKind.Int32))))];
            string text = NinoSchemaFile.Describe("Shop", all);
            List<NinoSchema> read = SchemaFileReader.Read(text);
            Assert.Equal(all.Select(SchemaIdentity.Of).Order(), read.Select(SchemaIdentity.Of).Order());
            Assert.True(NinoSchemaFile.Compare(text, "Shop", all).IsUpToDate);
        }
    }

    /// <summary>Two assemblies have a type of one name, or know different cases of a base.</summary>
    [Fact]
    public void WhereRecordsHaveDifferentTypesOfOneNameEachHasItsOwn()
    {
        static NinoSchema Holder(string name, params (string, SchemaNode)[] fields) => NinoSchema.Create(Class(name, ("Item", Class("Shop.Item", fields)), ("Like", Class("Shop.Like", ("X", Of(SchemaKind.Int32))))));
        NinoSchema[] all = [Holder("A", ("Id", Of(SchemaKind.Int32))), Holder("B", ("Id", Of(SchemaKind.Int64))), Holder("C", ("Id", Of(SchemaKind.Int32)))];
        string text = NinoSchemaFile.Describe("Shop", all);
        Assert.Equal(2, text.Split("\nrecords\n").Length - 1);
        Assert.Equal(2, text.Split("\nclass Shop.Item\n").Length - 1);
        Assert.Equal(all.Select(SchemaIdentity.Of).Order(), SchemaFileReader.Read(text).Select(SchemaIdentity.Of).Order());
        Assert.Equal(["B: 'Shop.Item.Id' Int64, was Int32."], NinoSchemaFile.Compare(NinoSchemaFile.Describe("Shop", [all[0], Holder("B", ("Id", Of(SchemaKind.Int32))), all[2]]), "Shop", all).Compatible);
    }

    [Fact]
    public void AChangeOfATypeThatManyReachIsToldOnce()
    {
        static NinoSchema[] All(SchemaKind id) => [.. Enumerable.Range(0, 9).Select(i => NinoSchema.Create(Class($"Shop.Holder{i}", ("Item", Class("Shop.Item", ("Id", Of(id)), ("Own", i == 5 ? Of(id) : Of(SchemaKind.String)))))))];
        NinoSchemaChanges changes = NinoSchemaFile.Compare(NinoSchemaFile.Describe("Shop", All(SchemaKind.Int32)), "Shop", All(SchemaKind.Int64));
        Assert.Equal(["Shop.Holder0, Shop.Holder1, Shop.Holder2 and 6 more: 'Shop.Item.Id' Int64, was Int32.", "Shop.Holder5: 'Shop.Item.Own' Int64, was Int32."], changes.Compatible);
    }

    /// <summary>Otherwise the file of a few hundred types that reach one another would be one of many megabytes.</summary>
    [Fact]
    public void ATypeThatManyReachStandsOnce()
    {
        SchemaNode item = Class("Shop.Item", ("Id", Of(SchemaKind.Int32)));
        string text = NinoSchemaFile.Describe("Shop", [.. Enumerable.Range(0, 100).Select(i => NinoSchema.Create(Class($"Shop.Holder{i}", ("Item", item))))]);
        Assert.Single(text.Split('\n'), "class Shop.Item");
        Assert.Equal(100, text.Split(", fingerprint ").Length - 1);
        Assert.InRange(text.Length, 0, 100 * 120);
    }

    [Fact]
    public void AnAssemblyIsComparedWithItsOwnRecordTypes()
    {
        Assembly sample = Assembly.Load(new AssemblyName("Quickstart"));
        string text = NinoSchemaFile.Describe(sample);
        Assert.Contains(", fingerprint ", text, StringComparison.Ordinal);
        NinoSchemaFile.Verify(text, sample);
        Assert.Throws<InvalidOperationException>(() => NinoSchemaFile.Verify("", sample));
    }

    private static NinoSchema Account(params (uint Tag, string Case, string? Member)[] cases)
    {
        var union = new UnionDefinition("Shop.Event", UnionForm.ExplicitTags);
        foreach ((uint tag, string name, string? member) in cases) union.Add(new UnionCase(tag, member is null ? Class(name) : Class(name, (member, Of(SchemaKind.String)))));
        return NinoSchema.Create(Class("Shop.Account", ("Last", SchemaNode.Reference(union))));
    }

    private static NinoSchemaChanges Change(NinoSchema from, NinoSchema to) => NinoSchemaFile.Compare(NinoSchemaFile.Describe("Shop", [from]), "Shop", [to]);

    /// <summary>It is the codec's fault, which every run has, and not that of what is loaded beside it.</summary>
    [Fact]
    public void ACodecThatContradictsItsSchemaIsToldAndNotLeftOut() => Programs.Run("""
        using Store.Serialization.Codecs;
        [NinoType] public class A { public B B { get; set; } }
        [NinoCodec(typeof(Odd))] public struct B;
        public struct Odd : INinoCodec<B>
        {
            public static CodecForm Form => CodecForm.Fixed;
            public static int FixedSize => 3;
            public static int MinSize => 3;
            public static SchemaNode Describe(SchemaBuilder builder) => Int64Codec.Describe(builder);
            public void Write(ref NinoWriter writer, in B value) { }
            public B Read(ref NinoReader reader) => default;
        }
        """, """
        Copy(1);
        try { NinoSchemaFile.Describe(typeof(A).Assembly); }
        catch (InvalidOperationException error) when (error.Message.Contains("contradicts the schema")) { return; }
        throw new InvalidOperationException("It was described.");
        """);
}
