using System.Collections.Frozen;
using System.Collections.Immutable;
using System.Runtime.CompilerServices;
using System.Text;
using Store.Serialization;
using Store.Serialization.Codecs;
using static Store.Tests.Values.Shapes;

namespace Store.Tests.Evolution;

/// <summary>What a type demands beyond its encoding: no part of the schema, and of what its records can be read as.</summary>
public class SchemaFileRuleTests
{
    private static readonly Dictionary<string, Func<SchemaNode>> Types = new()
    {
        ["int"] = Of<int, Int32Codec>,
        ["int?"] = Of<int?, NullableCodec<int, Int32Codec>>,
        ["int[]"] = Of<int[], ArrayCodec<int, Int32Codec>>,
        ["List<int>"] = Of<List<int>, ListCodec<int, Int32Codec>>,
        ["HashSet<int>"] = Of<HashSet<int>, HashSetCodec<int, Int32Codec>>,
        ["SortedSet<int>"] = Of<SortedSet<int>, SortedSetCodec<int, Int32Codec>>,
        ["FrozenSet<int>"] = Of<FrozenSet<int>, FrozenSetCodec<int, Int32Codec>>,
        ["ISet<int>"] = Of<ISet<int>, SetInterfaceCodec<ISet<int>, int, Int32Codec>>,
        ["ImmutableHashSet<int>"] = Of<ImmutableHashSet<int>, ImmutableHashSetCodec<ImmutableHashSet<int>, int, Int32Codec>>,
        ["ImmutableSortedSet<int>"] = Of<ImmutableSortedSet<int>, ImmutableSortedSetCodec<int, Int32Codec>>,
        ["HashSet<short>"] = Of<HashSet<short>, HashSetCodec<short, Int16Codec>>,
        ["HashSet<int>[]"] = Of<HashSet<int>[], ArrayCodec<HashSet<int>, HashSetCodec<int, Int32Codec>>>,
        ["List<int>[]"] = Of<List<int>[], ArrayCodec<List<int>, ListCodec<int, Int32Codec>>>,
        ["IGrouping<int, int>[]"] = Of<IGrouping<int, int>[], ArrayCodec<IGrouping<int, int>, GroupingCodec<int, int, Int32Codec, Int32Codec>>>,
        ["ILookup<int, int>"] = Of<ILookup<int, int>, LookupCodec<int, int, Int32Codec, Int32Codec>>,
        ["Memory<int>"] = Of<Memory<int>, SequenceCodec<Memory<int>, int, Int32Codec, MemoryForm<int>>>,
        ["Labels"] = Of<Labels, OwnCollectionCodec<Labels, int, Int32Codec>>,
        ["OwnList"] = Of<OwnList, OwnCollectionCodec<OwnList, int, Int32Codec>>,
        ["One"] = Of<One, InlineArrayCodec<One, int, Int32Codec>>,
        ["Three"] = Of<Three, InlineArrayCodec<Three, int, Int32Codec>>,
        ["Four"] = Of<Four, InlineArrayCodec<Four, int, Int32Codec>>,
        ["Three?"] = Of<Three?, NullableCodec<Three, InlineArrayCodec<Three, int, Int32Codec>>>,
        ["Four?"] = Of<Four?, NullableCodec<Four, InlineArrayCodec<Four, int, Int32Codec>>>,
        ["Three[]"] = Of<Three[], ArrayCodec<Three, InlineArrayCodec<Three, int, Int32Codec>>>,
        ["Four[]"] = Of<Four[], ArrayCodec<Four, InlineArrayCodec<Four, int, Int32Codec>>>,
        ["string"] = Of<string, StringCodec>,
        ["char"] = Of<char, CharCodec>,
        ["StringBuilder"] = Of<StringBuilder, TextCodec<StringBuilder, StringBuilderText>>,
        ["Version"] = Of<Version, TextCodec<Version, VersionText>>,
        ["Uri"] = Of<Uri, TextCodec<Uri, UriText>>,
        ["Email"] = Of<string, CustomCodec<string, EmailCodec>>,
        ["cents"] = Of<decimal, CustomCodec<decimal, CentsCodec<long, Int64Codec>>>,
        ["cents?"] = Of<decimal?, NullableCodec<decimal, CustomCodec<decimal, CentsCodec<long, Int64Codec>>>>,
        ["cents[]"] = Of<decimal[], ArrayCodec<decimal, CustomCodec<decimal, CentsCodec<long, Int64Codec>>>>,
        ["few cents"] = Of<decimal, CustomCodec<decimal, CentsCodec<int, Int32Codec>>>,
        ["long"] = Of<long, Int64Codec>,
        ["decimal"] = Of<decimal, DecimalCodec>,
        ["decimal[]"] = Of<decimal[], ArrayCodec<decimal, DecimalCodec>>,
        ["map"] = Of<Dictionary<string, int>, DictionaryCodec<string, int, StringCodec, Int32Codec>>,
        ["map of Version"] = Of<Dictionary<Version, int>, DictionaryCodec<Version, int, TextCodec<Version, VersionText>, Int32Codec>>,
        ["Prices"] = Of<Prices, OwnMapCodec<Prices, string, int, StringCodec, Int32Codec>>,
    };

    [Theory]
    [InlineData("Three", "Four", "list (exactly 4) of Int32, was list (exactly 3) of Int32; what is stored has another length and is refused.")]
    [InlineData("Three?", "Four?", "list (exactly 4) of Int32?, was list (exactly 3) of Int32?; what is stored has another length and is refused.")]
    [InlineData("Three?", "Four", "list (exactly 4) of Int32, was list (exactly 3) of Int32?; what is stored has another length and is refused.")]
    [InlineData("Three[]", "Four[]", "list of list (exactly 4) of Int32, was list of list (exactly 3) of Int32; what is stored has another length and is refused.")]
    [InlineData("int", "Four", "list (exactly 4) of Int32, was Int32; what is stored has another length and is refused.")]
    [InlineData("Three", "int", "Int32, was list (exactly 3) of Int32; what is stored has another length and is refused.")]
    public void AnInlineArrayOfAnotherLengthIsBreaking(string was, string now, string expected) => AssertOne(was, now, static changes => changes.Breaking, expected);

    [Theory]
    [InlineData("int[]", "Four", "list (exactly 4) of Int32, was list of Int32; a list of another length is refused.")]
    [InlineData("int?", "One", "list (exactly 1) of Int32, was Int32?; a list of another length is refused.")]
    [InlineData("List<int>", "HashSet<int>", "list (no two equal) of Int32, was list of Int32; elements that are equal are refused.")]
    [InlineData("List<int>", "SortedSet<int>", "list (no two equal) of Int32, was list of Int32; elements that are equal are refused.")]
    [InlineData("List<int>", "FrozenSet<int>", "list (no two equal) of Int32, was list of Int32; elements that are equal are refused.")]
    [InlineData("List<int>", "ISet<int>", "list (no two equal) of Int32, was list of Int32; elements that are equal are refused.")]
    [InlineData("List<int>", "ImmutableHashSet<int>", "list (no two equal) of Int32, was list of Int32; elements that are equal are refused.")]
    [InlineData("List<int>", "ImmutableSortedSet<int>", "list (no two equal) of Int32, was list of Int32; elements that are equal are refused.")]
    [InlineData("List<int>", "HashSet<short>", "list (no two equal) of Int16, was list of Int32; elements that are equal are refused, a number that does not fit is refused.")]
    [InlineData("List<int>[]", "HashSet<int>[]", "list of list (no two equal) of Int32, was list of list of Int32; elements that are equal are refused.")]
    [InlineData("IGrouping<int, int>[]", "ILookup<int, int>", "list (no two equal) of Grouping<Int32, Int32>, was list of Grouping<Int32, Int32>; elements that are equal are refused.")]
    [InlineData("List<int>", "Memory<int>", "list (never null) of Int32, was list of Int32; null is refused.")]
    [InlineData("List<int>", "Labels", "list (as Store.Tests.Evolution.SchemaFileRuleTests+Labels, no two equal) of Int32, was list of Int32; what 'Store.Tests.Evolution.SchemaFileRuleTests+Labels' does not take is refused, elements that are equal are refused.")]
    [InlineData("HashSet<int>", "Labels", "list (as Store.Tests.Evolution.SchemaFileRuleTests+Labels, no two equal) of Int32, was list (no two equal) of Int32; what 'Store.Tests.Evolution.SchemaFileRuleTests+Labels' does not take is refused.")]
    [InlineData("string", "Version", "String (as System.Version), was String; what 'System.Version' does not take is refused.")]
    [InlineData("char", "Version", "String (as System.Version), was Char; what 'System.Version' does not take is refused.")]
    [InlineData("Uri", "Version", "String (as System.Version), was String (as System.Uri); what 'System.Version' does not take is refused.")]
    [InlineData("string", "Email", "String (as Store.Tests.Evolution.SchemaFileRuleTests+EmailCodec), was String; what 'Store.Tests.Evolution.SchemaFileRuleTests+EmailCodec' does not take is refused.")]
    [InlineData("map", "map of Version", "map from String (as System.Version) to Int32, was map from String to Int32; what 'System.Version' does not take is refused.")]
    [InlineData("map", "Prices", "map (as Store.Tests.Evolution.SchemaFileRuleTests+Prices) from String to Int32, was map from String to Int32; what 'Store.Tests.Evolution.SchemaFileRuleTests+Prices' does not take is refused.")]
    public void ANewRuleIsNarrowing(string was, string now, string expected) => AssertOne(was, now, static changes => changes.Narrowing, expected);

    [Theory]
    [InlineData("Four", "int[]", "list of Int32, was list (exactly 4) of Int32.")]
    [InlineData("int", "One", "list (exactly 1) of Int32, was Int32.")]
    [InlineData("One", "int", "Int32, was list (exactly 1) of Int32.")]
    [InlineData("Three", "Memory<int>", "list (never null) of Int32, was list (exactly 3) of Int32.")]
    [InlineData("int?", "Memory<int>", "list (never null) of Int32, was Int32?.")]
    [InlineData("HashSet<int>", "List<int>", "list of Int32, was list (no two equal) of Int32.")]
    [InlineData("Labels", "HashSet<int>", "list (no two equal) of Int32, was list (as Store.Tests.Evolution.SchemaFileRuleTests+Labels, no two equal) of Int32.")]
    [InlineData("int", "HashSet<int>", "list (no two equal) of Int32, was Int32.")]
    [InlineData("Version", "string", "String, was String (as System.Version).")]
    [InlineData("Prices", "map", "map from String to Int32, was map (as Store.Tests.Evolution.SchemaFileRuleTests+Prices) from String to Int32.")]
    public void ARuleThatIsGoneIsCompatible(string was, string now, string expected) => AssertOne(was, now, static changes => changes.Compatible, expected);

    /// <summary>An attribute taken away, and 1.25 is read as 125: no plan knows what the codec made of the number.</summary>
    [Theory]
    [InlineData("cents", "decimal", "Decimal, was Int64 (as CENTS<System.Int64, INTEGER64>)")]
    [InlineData("cents?", "decimal", "Decimal, was Int64 (as CENTS<System.Int64, INTEGER64>)?")]
    [InlineData("cents[]", "decimal[]", "list of Decimal, was list of Int64 (as CENTS<System.Int64, INTEGER64>)")]
    [InlineData("cents", "decimal[]", "list of Decimal, was Int64 (as CENTS<System.Int64, INTEGER64>)")]
    public void ANumberOfACodecThatBecomesAnotherKindIsNarrowing(string was, string now, string expected) =>
        AssertOne(was, now, static changes => changes.Narrowing, Spelled(expected + "; what is stored is converted as it is, whatever the codec meant by it (as CENTS<System.Int64, INTEGER64>)."));

    [Fact]
    public void ANumberOfACodecThatStaysTheSameNumberIsCompatible() =>
        AssertOne("cents", "long", static changes => changes.Compatible, Spelled("Int64, was Int64 (as CENTS<System.Int64, INTEGER64>)."));

    [Fact]
    public void ACodecThatWritesAnotherKindNowIsNarrowing() =>
        Assert.Contains("; what is stored is converted as it is, whatever the codec meant by it (as ", Assert.Single(Change("few cents", "cents").Narrowing), StringComparison.Ordinal);

    [Theory]
    [InlineData("int[]", "List<int>")]
    [InlineData("List<int>", "OwnList")]
    [InlineData("HashSet<int>", "ImmutableSortedSet<int>")]
    [InlineData("string", "StringBuilder")]
    public void WhereBothTakeTheSameThereIsNoChange(string was, string now) => Assert.True(Change(was, now).IsUpToDate);

    [Fact]
    public void RulesAreNoPartOfTheSchemaAndOfItsFingerprint()
    {
        NinoSchema list = Holding("List<int>"), set = Holding("HashSet<int>");
        Assert.Equal(list.Fingerprint, set.Fingerprint);
        Assert.Equal(list.CanonicalBytes.ToArray(), set.CanonicalBytes.ToArray());
    }

    [Fact]
    public void EveryTypeOfThisTestIsTheSameAsItIs()
    {
        foreach (string type in Types.Keys) Assert.True(Change(type, type).IsUpToDate, type);
        NinoSchema root = NinoSchema.Create(Types["Three"]());
        Assert.Contains("\n  list (exactly 3) of Int32, fingerprint ", NinoSchemaFile.Describe("Shop", [root]), StringComparison.Ordinal);
        Assert.Equal(["List<Int32>: the record is list (exactly 4) of Int32, was list (exactly 3) of Int32; what is stored has another length and is refused."], NinoSchemaFile.Compare(NinoSchemaFile.Describe("Shop", [root]), "Shop", [NinoSchema.Create(Types["Four"]())]).Breaking);
    }

    /// <summary>A grid of sets and one of lists are one type of the schema: what either demands is told.</summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void TypesOfOneStructureHaveTheRulesOfAll(bool isTurned)
    {
        Func<SchemaBuilder, SchemaNode> lists = GridCodec<List<int>[,], List<int>, ListCodec<int, Int32Codec>>.Describe, sets = GridCodec<HashSet<int>[,], HashSet<int>, HashSetCodec<int, Int32Codec>>.Describe;
        NinoSchema before = Both(lists, lists), now = isTurned ? Both(sets, lists) : Both(lists, sets);
        Assert.Equal(before.Fingerprint, now.Fingerprint);
        Assert.Contains("elements that are equal are refused", Assert.Single(Change(before, now).Narrowing), StringComparison.Ordinal);

        static NinoSchema Both(Func<SchemaBuilder, SchemaNode> first, Func<SchemaBuilder, SchemaNode> second)
        {
            var builder = new SchemaBuilder();
            return NinoSchema.Create(Class("T", ("A", first(builder)), ("B", second(builder))));
        }
    }

    [Theory]
    [InlineData("(exactly 5, exactly 3, exactly 3)")]
    [InlineData("(exactly)")]
    [InlineData("(exactly three)")]
    [InlineData("(exactly -3)")]
    [InlineData("(exactly 03)")]
    [InlineData("(exactly 99999999999)")]
    [InlineData("(as )")]
    [InlineData("(as)")]
    [InlineData("(sorted)")]
    [InlineData("()")]
    [InlineData("(exactly 3")]
    [InlineData("(exactly 3,no two equal)")]
    [InlineData("(exactly 3) (no two equal)")]
    public void ARuleThatThereCannotBeIsToldWithItsLine(string edited)
    {
        string text = NinoSchemaFile.Describe("Shop", [Holding("Three")]);
        Assert.Contains("  M: list (exactly 3) of Int32\n", text, StringComparison.Ordinal);
        string message = Assert.Throws<FormatException>(() => NinoSchemaFile.Compare(text.Replace("(exactly 3)", edited, StringComparison.Ordinal), "Shop", [Holding("Three")])).Message;
        Assert.Contains("cannot be read from line 7 on, 'M: list ", message, StringComparison.Ordinal);
        Assert.Throws<FormatException>(() => NinoSchemaFile.Compare(text.Replace("of Int32", "of Int32 (exactly 3)", StringComparison.Ordinal), "Shop", [Holding("Three")]));
    }

    // One line, and the other two lists are empty.
    private static void AssertOne(string was, string now, Func<NinoSchemaChanges, IReadOnlyList<string>> list, string expected)
    {
        NinoSchemaChanges changes = Change(was, now);
        Assert.Equal(["T: 'T.M' " + expected], list(changes));
        Assert.Single(changes.Breaking.Concat(changes.Narrowing).Concat(changes.Compatible));
    }

    private static string Spelled(string text) =>
        text.Replace("CENTS", "Store.Tests.Evolution.SchemaFileRuleTests+CentsCodec", StringComparison.Ordinal).Replace("INTEGER64", "Store.Serialization.Codecs.Int64Codec", StringComparison.Ordinal);

    private static SchemaNode Of<T, TCodec>() where TCodec : struct, INinoCodec<T> => TCodec.Describe(new SchemaBuilder());

    private static NinoSchema Holding(string type) => NinoSchema.Create(Class("T", ("M", Types[type]())));

    private static NinoSchemaChanges Change(string was, string now) => Change(Holding(was), Holding(now));

    private static NinoSchemaChanges Change(NinoSchema was, NinoSchema now) => NinoSchemaFile.Compare(NinoSchemaFile.Describe("Shop", [was]), "Shop", [now]);

    [InlineArray(1)]
    private struct One
    {
        private int _first;
    }

    [InlineArray(3)]
    private struct Three
    {
        private int _first;
    }

    [InlineArray(4)]
    private struct Four
    {
        private int _first;
    }

    private sealed class Labels : HashSet<int>;

    private sealed class OwnList : List<int>;

    private sealed class Prices : Dictionary<string, int>;

    private readonly struct EmailCodec : INinoCodec<string>
    {
        public static int MinSize => 1;

        public static SchemaNode Describe(SchemaBuilder builder) => StringCodec.Describe(builder);

        public void Write(ref NinoWriter writer, in string value) => default(StringCodec).Write(ref writer, in value);

        public string Read(ref NinoReader reader) => default(StringCodec).Read(ref reader);
    }

    /// <summary>An amount as whole cents, in a number of either width.</summary>
    private readonly struct CentsCodec<T, TCodec> : INinoCodec<decimal> where T : System.Numerics.INumber<T> where TCodec : struct, INinoCodec<T>
    {
        public static CodecForm Form => CodecForm.Fixed;

        public static int FixedSize => TCodec.FixedSize;

        public static int MinSize => TCodec.MinSize;

        public static SchemaNode Describe(SchemaBuilder builder) => TCodec.Describe(builder);

        public void WriteFixed(ref byte destination, in decimal value) => default(TCodec).WriteFixed(ref destination, T.CreateChecked(value * 100));

        public decimal ReadFixed(ref readonly byte source) => decimal.CreateChecked(default(TCodec).ReadFixed(in source)) / 100;

        public void Write(ref NinoWriter writer, in decimal value) => WriteFixed(ref writer.Take(FixedSize), in value);

        public decimal Read(ref NinoReader reader) => ReadFixed(in reader.Take(FixedSize));
    }
}
