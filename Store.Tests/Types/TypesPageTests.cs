using System.Text.RegularExpressions;
using Microsoft.CodeAnalysis;
using Store.Serialization;
using Store.Serialization.Generator.Parser;
using Store.Tests.Generator;

namespace Store.Tests.Types;

/// <summary>Holds docs/types.md against the generator and the engine.</summary>
public sealed partial class TypesPageTests
{
    private const string Page = "docs/types.md";

    /// <summary>Every type that the page says can be stored, as C# spells it.</summary>
    internal static string[] Stored() => [.. Rows("## Numbers", "## Never").SelectMany(static row => Code().Matches(row)).Select(static match => match.Groups[1].Value).Where(static name => name != "[InlineArray]")];

    /// <summary>The rows of the same tables that tell kinds of types in words.</summary>
    internal static string[] KindsOfTypes() => [.. Lines("## Numbers", "## Never").Where(static line => line.StartsWith("| ", StringComparison.Ordinal) && !line.StartsWith("| `", StringComparison.Ordinal) && !line.StartsWith("| ---", StringComparison.Ordinal) && !line.StartsWith("| type |", StringComparison.Ordinal)).Select(static line => line.Split('|')[1].Trim())];

    private static string[] Refused() => [.. Rows("## Never", "## A codec").SelectMany(static row => Code().Matches(row)).Select(static match => match.Groups[1].Value)];

    [Fact]
    public void EveryTypeOfThePageIsAMemberAnElementAKeyAndARecord()
    {
        string[] types = Stored();
        Assert.True(types.Length > 100);
        string members = string.Join("\n", types.Select(static (type, i) => $"public {type} M{i} = default!; public List<{type}> L{i} = []; public Dictionary<{type}, {type}> D{i} = []; public {type}[][] J{i} = default!;"));
        string records = string.Join("\n", types.Select(static type => $"[assembly: NinoSerializable(typeof({type}))]"));
        GeneratorHarness.Generate($"{records}\n[NinoType] public sealed class Everything {{ {members} }}");
    }

    [Fact]
    public void EveryTypeThatThePageRefusesIsAnError()
    {
        foreach (string type in Refused())
            Assert.Equal("NINO002", Assert.Single(GeneratorHarness.Diagnose($"[NinoType] public sealed class A {{ public {type}? X; }}")).Id);
    }

    [Fact]
    public void ThePageLeavesOutNoTypeOfTheGenerator()
    {
        HashSet<string> page = [.. Names(Stored())], never = [.. Names(Refused())];
        foreach (string name in FrameworkTypes.Simple.Keys) Assert.Contains(FullName(name), page);
        foreach (string name in FrameworkTypes.Generic.Keys) Assert.Contains(name, page);
        foreach (string name in FrameworkTypes.OfObjects.Keys) Assert.Contains(name, page);
        Assert.Contains(FullName(FrameworkTypes.Type.Name), page);
        foreach (string name in FSharpTypes.Special) Assert.Contains(name, page);
        Assert.Equal(FrameworkTypes.Refused.Keys.Order(), never.Order());
    }

    [Fact]
    public void ThePageNamesTheCollectionsThatAreFilledWithoutASetter()
    {
        string text = Repository.Read(Page);
        int start = text.IndexOf("It can be done with", StringComparison.Ordinal);
        IEnumerable<string> page = Code().Matches(text[start..text.IndexOf("and classes of yours", start, StringComparison.Ordinal)]).Select(static match => match.Groups[1].Value);
        Assert.Equal(Store.Serialization.Generator.Parser.Filling.FrameworkTypes.Select(static name => name[(name.LastIndexOf('.') + 1)..]).Order(), page.Select(static name => $"{name.Split('<')[0]}`{name.Split(',').Length}").Order());
    }

    [Fact]
    public void TheEngineRegistersByItselfExactlyTheTypesThatTheGeneratorKnowsByName()
    {
        string[] generator = [.. FrameworkTypes.Simple.Keys.Select(static name => TypeNames.Schema(TypeOf(name))).Distinct().Order()];
        Assert.Equal(generator, Store.Serialization.Codecs.BuiltInCodecs.Types.Select(SchemaNames.Of).Order());
    }

    [Fact]
    public void TheCodecsOfThePageAreCompiledAndKeepWhatTheyAreGiven()
    {
        Programs.Run(Example("## A codec of your own").Replace("using Store.Serialization;\n", ""), """
            Price copy = Copy(new Price { Amount = -12.5m, Tag = new Tag("x") });
            Equal((-12.5m, "x"), (copy.Amount, copy.Tag!.Text));
            Equal((0m, null), (Copy(new Price()).Amount, Copy(new Price()).Tag));
            Equal("0:Amount:Int64 0:Tag:String", Fields<Price>());
            try { Copy(new Price { Amount = 0.001m }); }
            catch (NinoSerializationException error) when (error.Message.Contains("parts of a cent")) { return; }
            throw new InvalidOperationException("written");
            """);
    }

    [Fact]
    public void ThePaymentsOfThePageAreReadAsWhatTheyWere() => Programs.Run(Example("## Polymorphic bases"), """
        var receipt = new Receipt(1, [new Cash(5m), new Card(7.5m, "4111"), new Cash(1m)]);
        Receipt copy = Copy(receipt);
        Equal(1, copy.Id);
        for (int i = 0; i < 3; i++) Equal(receipt.Payments[i], copy.Payments[i]);
        Equal<Payment>(new Card(2m, "x"), Copy<Payment>(new Card(2m, "x")));
        Equal("0:Id:Int32 0:Payments:List", Fields<Receipt>());
        """);

    [Fact]
    public void TheBookingOfThePageIsMadeByItsHeadAndItsCurrencyByTheFactory() => Programs.Run(Example("## Constructors"), """
        Booking copy = Copy(new Booking("Ann", new DateOnly(2026, 1, 2), 3) { PaidIn = Currency.Of("EUR") });
        Equal(("Ann", new DateOnly(2026, 1, 2), 3), (copy.Guest, copy.From, copy.Nights));
        Equal(true, ReferenceEquals(Currency.Of("EUR"), copy.PaidIn));
        Equal(-1, Copy(new Booking("Ann", default) { PaidIn = Currency.Of("CHF"), Nights = -1 }).Nights);
        """);

    [Fact]
    public void TheCatalogOfThePageCountsAndIndexesByItsCallbacks() => Programs.Run("using System.Linq;\n" + Example("## Callbacks"), """
        var catalog = new Catalog { Articles = [new("a", 1m), new("b", 2.5m)] };
        Catalog copy = Copy(catalog);
        Equal((1, 1, 2.5m), (catalog.Saves, copy.Saves, copy.PriceOf("b")));
        """);

    [Fact]
    public void TheEnumsOfThePageTakeFiveBytesAndAreShownByTheirNames() => Programs.Run(Example("## Enums"), """
        var standing = new Standing(Side.Sell, Days.Monday | Days.Tuesday);
        byte[] bytes = NinoSerializer.Serialize(standing);
        Equal("02 03 00 00 00", BitConverter.ToString(bytes).Replace('-', ' '));
        Equal(standing, Copy(standing));
        NinoValue value = NinoValue.Decode(NinoSerializer.SchemaOf<Standing>(), bytes);
        Equal(("Sell", "Monday, Tuesday"), (value["Side"].ToString(), value["Days"].ToString()));
        """);

    /// <summary>The first block of C# below a heading of the page.</summary>
    private static string Example(string heading)
    {
        string text = Repository.Read(Page);
        int start = text.IndexOf("```csharp\n", text.IndexOf(heading + "\n", StringComparison.Ordinal), StringComparison.Ordinal) + "```csharp\n".Length;
        return text[start..text.IndexOf("```", start, StringComparison.Ordinal)];
    }

    /// <summary>Metadata names, found by the compiler.</summary>
    private static IEnumerable<string> Names(IEnumerable<string> types)
    {
        Compilation compilation = GeneratorHarness.Compile(string.Concat(types.Select(static (type, i) => $"public class C{i} {{ public {type} X = default!; }}\n")));
        int count = types.Count();
        for (int i = 0; i < count; i++)
        {
            ITypeSymbol type = ((IFieldSymbol)compilation.GetTypeByMetadataName($"C{i}")!.GetMembers("X").Single()).Type;
            yield return TypeNames.Metadata(type.OriginalDefinition);
        }
    }

    private static string FullName(string source) => TypeNames.Metadata(TypeOf(source).OriginalDefinition);

    private static ITypeSymbol TypeOf(string source) => ((IFieldSymbol)GeneratorHarness.Compile($"public class C {{ public {source} X = default!; }}").GetTypeByMetadataName("C")!.GetMembers("X").Single()).Type;

    private static IEnumerable<string> Rows(string from, string to) => Lines(from, to).Where(static line => line.StartsWith("| `", StringComparison.Ordinal)).Select(static line => line.Split('|')[1]);

    private static string[] Lines(string from, string to)
    {
        string text = Repository.Read(Page);
        int start = text.IndexOf(from, StringComparison.Ordinal);
        return text[start..text.IndexOf(to, start, StringComparison.Ordinal)].Split('\n');
    }

    [GeneratedRegex("`([^`]+)`")]
    private static partial Regex Code();
}
