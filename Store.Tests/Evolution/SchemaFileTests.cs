using System.Reflection;
using Store.Serialization;
using static Store.Tests.Values.Shapes;

namespace Store.Tests.Evolution;

public class SchemaFileTests
{
    private static readonly NinoSchema Item = NinoSchema.Create(Class("Shop.Item", ("Id", Of(SchemaKind.Int32)), ("Name", Of(SchemaKind.String)), ("Color", Enum("Shop.Color", SchemaKind.Byte, false, [("Red", 1), ("Blue", 2)]))));

    [Fact]
    public void TheTextIsReadableAndHasTheSchemaItself()
    {
        string text = NinoSchemaFile.Describe("Shop", [Item]);
        Assert.Contains("\ntype Shop.Item fingerprint " + Item.Fingerprint.ToString("x16"), text, StringComparison.Ordinal);
        Assert.Contains("    Color: Shop.Color (enum on Byte)\n", text, StringComparison.Ordinal);
        Assert.Contains("    Blue = 2\n", text, StringComparison.Ordinal);
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
        Equal((true, true), (ours.Contains("\ntype Lib.Money "), theirs.Contains("\ntype Lib.Money ")));
        Equal((true, false), (ours.Contains("\ntype Order "), theirs.Contains("\ntype Order ")));
        NinoSchemaFile.Verify(ours, typeof(Order).Assembly);
        NinoSchemaFile.Verify(theirs, typeof(Lib.Money).Assembly);
        """, """
        [assembly: NinoSerializable(typeof(Lib.Money))]
        namespace Lib { public sealed class Money { public decimal Amount { get; set; } } }
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

    [Fact]
    public void AnEnumThatWasRenamedIsComparedWithWhatItWasCalled()
    {
        SchemaNode shade = Enum("Shop.Shade", SchemaKind.Int16, false, [("Red", 2), ("Blue", 1)]);
        shade.Definition!.FormerNames = ["Shop.Color"];
        NinoSchema now = NinoSchema.Create(Class("Shop.Item", ("Id", Of(SchemaKind.Int32)), ("Name", Of(SchemaKind.String)), ("Color", shade)));
        Assert.Equal(
            ["Shop.Item: 'Shop.Color.Red' was 1 and is 2: stored numbers would change their meaning. Give it its old number back.", "Shop.Item: 'Shop.Color.Blue' was 2 and is 1: stored numbers would change their meaning. Give it its old number back."],
            Change(Item, now).Breaking);
    }

    [Fact]
    public void ADamagedFileIsToldWithItsLine()
    {
        string text = NinoSchemaFile.Describe("Shop", [Item]).Replace("  schema A", "  schema B");
        Assert.Contains("Line ", Assert.Throws<FormatException>(() => NinoSchemaFile.Compare(text, "Shop", [Item])).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void AnAssemblyIsComparedWithItsOwnRecordTypes()
    {
        Assembly sample = Assembly.Load(new AssemblyName("Quickstart"));
        string text = NinoSchemaFile.Describe(sample);
        Assert.Contains("\ntype ", text, StringComparison.Ordinal);
        NinoSchemaFile.Verify(text, sample);
        Assert.Throws<InvalidOperationException>(() => NinoSchemaFile.Verify("", sample));
    }

    private static NinoSchemaChanges Change(NinoSchema from, NinoSchema to) => NinoSchemaFile.Compare(NinoSchemaFile.Describe("Shop", [from]), "Shop", [to]);
}
