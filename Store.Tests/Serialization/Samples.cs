// One row a kind and edge: the value and its bytes. The table pins the format; a change here is a new format version.

using System.Text;
using Store.Serialization.Codecs;
using Store.Tests.Serialization.HandWritten;

namespace Store.Tests.Serialization;

#nullable disable // codecs do not distinguish string from string?

public static class Samples
{
    private const string Int32Min = "00000080";

    private static readonly IReadOnlyList<Sample> Own =
    [
        new Sample<bool, BooleanCodec>("bool false", false, "00"),
        new Sample<bool, BooleanCodec>("bool true", true, "01"),
        new Sample<sbyte, SByteCodec>("sbyte min", sbyte.MinValue, "80"),
        new Sample<byte, ByteCodec>("byte max", byte.MaxValue, "FF"),
        new Sample<short, Int16Codec>("short min", short.MinValue, "0080"),
        new Sample<ushort, UInt16Codec>("ushort", 0x0102, "0201"),
        new Sample<int, Int32Codec>("int", 1, "01000000"),
        new Sample<int, Int32Codec>("int min", int.MinValue, Int32Min),
        new Sample<uint, UInt32Codec>("uint max", uint.MaxValue, "FFFFFFFF"),
        new Sample<long, Int64Codec>("long", -2, "FEFFFFFFFFFFFFFF"),
        new Sample<ulong, UInt64Codec>("ulong", 0x0102030405060708, "0807060504030201"),
        new Sample<Int128, Int128Codec>("Int128 min", Int128.MinValue, "0000000000000000 0000000000000080"),
        new Sample<UInt128, UInt128Codec>("UInt128", new UInt128(1, 2), "0200000000000000 0100000000000000"),
        new Sample<Half, HalfCodec>("Half one", (Half)1, "003C"),
        new Sample<float, SingleCodec>("float one", 1f, "0000803F"),
        new Sample<double, DoubleCodec>("double minus zero", -0.0, "0000000000000080"),
        new Sample<double, DoubleCodec>("double NaN with payload", BitConverter.UInt64BitsToDouble(0x7FF8_0000_0000_1234), "341200000000F87F"),
        new Sample<decimal, DecimalCodec>("decimal 10.5", 10.5m, "69000000 00000000 00000000 00000100"),
        new Sample<decimal, DecimalCodec>("decimal -1.00", -1.00m, "64000000 00000000 00000000 00000280"),
        new Sample<decimal, DecimalCodec>("decimal max", decimal.MaxValue, "FFFFFFFF FFFFFFFF FFFFFFFF 00000000"),
        new Sample<char, CharCodec>("char lone surrogate", '\uD800', "00D8"),
        new Sample<Rune, RuneCodec>("Rune max", new Rune(0x10FFFF), "FFFF1000"),
        new Sample<Guid, GuidCodec>("Guid", new Guid("00112233-4455-6677-8899-aabbccddeeff"), "33221100 5544 7766 8899AABBCCDDEEFF"),
        new Sample<DateTime, DateTimeCodec>("DateTime UTC", new DateTime(1, DateTimeKind.Utc), "0100000000000040"),
        new Sample<DateTime, DateTimeCodec>("DateTime max, local", DateTime.SpecifyKind(DateTime.MaxValue, DateTimeKind.Local), "FF3F37F47528CAAB"),
        new Sample<DateTime, DateTimeCodec>("DateTime local, the first of two", System.Runtime.CompilerServices.Unsafe.BitCast<ulong, DateTime>((3UL << 62) | 1), "01000000000000C0"),
        new Sample<DateTimeOffset, DateTimeOffsetCodec>("DateTimeOffset +14:00", new DateTimeOffset(504_000_000_001, TimeSpan.FromHours(14)), "01B0BD5875000000 4803"),
        new Sample<DateTimeOffset, DateTimeOffsetCodec>("DateTimeOffset -00:01", new DateTimeOffset(0, TimeSpan.FromMinutes(-1)), "0000000000000000 FFFF"),
        new Sample<TimeSpan, TimeSpanCodec>("TimeSpan min", TimeSpan.MinValue, "0000000000000080"),
        new Sample<DateOnly, DateOnlyCodec>("DateOnly max", DateOnly.MaxValue, "DAB93700"),
        new Sample<TimeOnly, TimeOnlyCodec>("TimeOnly", new TimeOnly(256), "0001000000000000"),
        new Sample<Side, EnumCodec<Side>>("enum", Side.Sell, "02"),
        new Sample<int?, NullableCodec<int, Int32Codec>>("int? 7", 7, "01 07000000"),
        new Sample<Label?, NullableCodec<Label, LabelCodec>>("struct? of variable width", new Label(1, "a"), "01 01000000 0361"),

        new Sample<string, StringCodec>("string empty", "", "01"),
        new Sample<string, StringCodec>("string one char", "a", "03 61"),
        new Sample<string, StringCodec>("string Latin-1", "h\u00E9\u00FF", "07 68E9FF"),
        new Sample<string, StringCodec>("string UTF-16", "a\u0100", "06 6100 0001"),
        new Sample<string, StringCodec>("string lone surrogate", "\uDC00", "04 00DC"),
        new Sample<string, StringCodec>("string of 125", new string('x', 125), "FB" + new string('x', 125).ToHex()),
        new Sample<string, StringCodec>("string of 126", new string('x', 126), "FDFD00" + new string('x', 126).ToHex()),

        new Sample<byte[], ArrayCodec<byte, ByteCodec>>("byte[]", [1, 2], "03 0102"),
        new Sample<int[], ArrayCodec<int, Int32Codec>>("int[] empty", [], "01"),
        new Sample<int[], ArrayCodec<int, Int32Codec>>("int[]", [1, int.MinValue], "03 01000000" + Int32Min),
        new Sample<bool[], ArrayCodec<bool, BooleanCodec>>("bool[]", [true, false], "03 0100"),
        new Sample<List<DateTime>, ListCodec<DateTime, DateTimeCodec>>("List<DateTime>", [new DateTime(1), new DateTime(2)], "03 0100000000000000 0200000000000000"),
        new Sample<List<int?>, ListCodec<int?, NullableCodec<int, Int32Codec>>>("List<int?>", [null, 7], "03 0000000000 0107000000"),
        new Sample<List<string>, ListCodec<string, StringCodec>>("List<string>", ["a", null, ""], "04 0361 00 01"),
        new Sample<int[][], ArrayCodec<int[], ArrayCodec<int, Int32Codec>>>("int[][]", [[1], null], "03 0201000000 00"),
        new Sample<Side[], ArrayCodec<Side, EnumCodec<Side>>>("enum[]", [Side.Buy, (Side)255], "03 01FF"),
        new Sample<Label[], ArrayCodec<Label, LabelCodec>>("struct[] of variable width", [new Label(1, null), new Label(2, "b")], "03 0100000000 020000000362"),
        new Sample<Point[], ArrayCodec<Point, PointCodec>>("struct[] packed", [new Point(1, 2, true)], "02 000000000000F03F 00000040 01"),
        new Sample<Nothing[], ArrayCodec<Nothing, NothingCodec>>("class[] without nulls", [new(), new()], "05 00 00"),
        new Sample<Nothing[], ArrayCodec<Nothing, NothingCodec>>("class[] with nulls", [new(), null], "06 0100 00"),
        new Sample<HashSet<int>, HashSetCodec<int, Int32Codec>>("HashSet<int>", [2, 1], "03 02000000 01000000"),
        new Sample<HashSet<string>, HashSetCodec<string, StringCodec>>("HashSet<string> with null", ["a", null], "03 0361 00"),
        new Sample<IReadOnlyList<int>, CollectionCodec<IReadOnlyList<int>, int, Int32Codec>>("IReadOnlyList<int>", new List<int> { 5 }, "02 05000000"),
        new Sample<Dictionary<int, int>, DictionaryCodec<int, int, Int32Codec, Int32Codec>>("Dictionary<int, int>", new() { [2] = 3, [1] = 4 }, "03 02000000 03000000 01000000 04000000"),
        new Sample<Dictionary<string, Nothing>, DictionaryCodec<string, Nothing, StringCodec, NothingCodec>>("Dictionary<string, class>", new() { ["a"] = null, ["b"] = new() }, "03 0361 00 0362 0100"),
        new Sample<IReadOnlyDictionary<int, string>, MapCodec<IReadOnlyDictionary<int, string>, int, string, Int32Codec, StringCodec>>("IReadOnlyDictionary", new Dictionary<int, string> { [1] = "x" }, "02 01000000 0378"),

        new Sample<Nothing, NothingCodec>("class without members", new Nothing(), "00"),
        new Sample<Point, PointCodec>("struct", new Point(1, 2, true), "000000000000F03F 00000040 01"),
        new Sample<Node, NodeCodec>(
            "recursive class",
            new Node { Name = "a", Next = new Node(), Children = [new Node { Name = "b" }, null] },
            "0361 01 00 00 00 06 01 0362 00 00 00"),
        new Sample<Figure, FigureUnion>("case of a base", new Dot { X = 7 }, "7E5620B5 07000000"),
        new Sample<List<Figure>, ListCodec<Figure, FigureUnion>>("cases of a base with null", [new Dot { X = 1 }, null, new Ring { Name = "r", Inside = new Dot { X = 2 } }], "04 7E5620B5 01000000 00000000 C8ADBBE6 0372 7E5620B5 02000000"),
        new Sample<Quote, QuoteCodec>(
            "record",
            new Quote(7, "ABC", 10.5m, new DateTime(1, DateTimeKind.Utc), Side.Sell, ["x", null], new Point(1, 2, true), new() { ["k"] = 9 }),
            "07000000 69000000000000000000000000000100 0100000000000040 02 01000000000000F03F0000004001 07414243 03037800 02036B09000000"),
        new Sample<Quote, QuoteCodec>(
            "record of nulls",
            new Quote(0, null, 0, default, 0, null, null, null),
            "00000000 00000000000000000000000000000000 0000000000000000 00 0000000000000000000000000000 00 00 00"),
    ];

    private static readonly IReadOnlyList<Sample> Everything = [.. Own, .. Types.ScalarSamples.All, .. Types.TextSamples.All, .. Types.CollectionSamples.All, .. Types.LooseSamples.All, .. FSharp.FSharpSamples.All];

    public static IReadOnlyList<Sample> All => Everything;

    public static TheoryData<string> Names { get; } = new(All.Select(static sample => sample.Name));

    public static Sample Get(string name) => All.Single(sample => sample.Name == name);

    private static string ToHex(this string latin1) => Convert.ToHexString(Encoding.Latin1.GetBytes(latin1));
}
