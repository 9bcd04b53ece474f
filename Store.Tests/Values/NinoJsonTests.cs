using System.Buffers;
using System.Globalization;
using System.Text;
using System.Text.Json;
using Store.Serialization;
using static Store.Tests.Values.Shapes;

namespace Store.Tests.Values;

public sealed class NinoJsonTests
{
    private static RecordBytes Bytes => new();

    [Theory]
    [InlineData(SchemaKind.Boolean, 1, 1, "true")]
    [InlineData(SchemaKind.Boolean, 0, 1, "false")]
    [InlineData(SchemaKind.SByte, -128, 1, "-128")]
    [InlineData(SchemaKind.Byte, 255, 1, "255")]
    [InlineData(SchemaKind.Int16, -32768, 2, "-32768")]
    [InlineData(SchemaKind.UInt16, 65535, 2, "65535")]
    [InlineData(SchemaKind.Int32, int.MinValue, 4, "-2147483648")]
    [InlineData(SchemaKind.UInt32, uint.MaxValue, 4, "4294967295")]
    [InlineData(SchemaKind.Int64, long.MinValue, 8, "-9223372036854775808")]
    [InlineData(SchemaKind.UInt64, -1L, 8, "18446744073709551615")]
    [InlineData(SchemaKind.Char, 'a', 2, "\"a\"")]
    [InlineData(SchemaKind.Char, 0xD800, 2, "\"\\uD800\"")]
    [InlineData(SchemaKind.Rune, 0x1F600, 4, "\"\\uD83D\\uDE00\"")]
    [InlineData(SchemaKind.TimeSpan, -1L, 8, "\"-00:00:00.0000001\"")]
    [InlineData(SchemaKind.TimeSpan, 10_000_000L * 86_400, 8, "\"1.00:00:00\"")]
    [InlineData(SchemaKind.DateOnly, 0, 4, "\"0001-01-01\"")]
    [InlineData(SchemaKind.DateOnly, 3_652_058, 4, "\"9999-12-31\"")]
    [InlineData(SchemaKind.TimeOnly, 863_999_999_999, 8, "\"23:59:59.9999999\"")]
    public void EveryFixedKindIsWrittenWhole(SchemaKind kind, long bits, int size, string json) =>
        Assert.Equal(json, JsonOf(Of(kind), Bytes.Number(bits, size)));

    /// <summary>What JSON says of an object besides its members has names of its own: a member of such a name has a $ more, as has one that had it already.</summary>
    [Fact]
    public void AMemberIsNeverTakenForWhatIsSaidOfItsObject()
    {
        Assert.Equal("""{"X":{"$$type":1,"$$$type":2,"a$":3}}""", Json(Schema(Class("N", ("$type", Of(SchemaKind.Int32)), ("$$type", Of(SchemaKind.Int32)), ("a$", Of(SchemaKind.Int32)))), Bytes.Raw(1).Int32(1).Int32(2).Int32(3)));

        var union = new UnionDefinition("B", UnionForm.ExplicitTags);
        union.Add(new UnionCase(1, Class("N", ("$type", Of(SchemaKind.Int32)))));
        Assert.Equal("""{"X":{"$type":"N","$$type":5}}""", Json(Schema(SchemaNode.Reference(union)), Bytes.Raw(2).Int32(5)));

        var numbered = new ObjectDefinition("N", isReference: true, keepsReferences: true);
        numbered.Add(new SchemaField("$id", 0, Of(SchemaKind.Int32)));
        numbered.Add(new SchemaField("$ref", 0, Of(SchemaKind.Int32)));
        Assert.Equal("""{"X":{"$id":"1","$$id":7,"$$ref":8}}""", Json(Schema(SchemaNode.Reference(numbered)), Bytes.Raw(1).Int32(7).Int32(8)));
    }

    [Fact]
    public void WideIntegersAreStringsOfDigits()
    {
        Assert.Equal("\"-170141183460469231731687303715884105728\"", JsonOf(Of(SchemaKind.Int128), Bytes.Int128(Int128.MinValue)));
        Assert.Equal("\"340282366920938463463374607431768211455\"", JsonOf(Of(SchemaKind.UInt128), Bytes.Int128(-1)));
    }

    [Theory]
    [InlineData("79228162514264337593543950335")]
    [InlineData("-0.0000000000000000000000000001")]
    [InlineData("10.50")]
    public void DecimalsKeepAllDigitsAndTheirScale(string number) =>
        Assert.Equal(number, JsonOf(Of(SchemaKind.Decimal), Bytes.Decimal(decimal.Parse(number, CultureInfo.InvariantCulture))));

    [Theory]
    [InlineData(0.1, "0.1")]
    [InlineData(-0.0, "-0")]
    [InlineData(double.MaxValue, "1.7976931348623157E+308")]
    [InlineData(double.Epsilon, "5E-324")]
    [InlineData(double.NaN, "\"NaN\"")]
    [InlineData(double.PositiveInfinity, "\"Infinity\"")]
    [InlineData(double.NegativeInfinity, "\"-Infinity\"")]
    public void FloatingPointNumbersReadBackTheSame(double number, string json) =>
        Assert.Equal(json, JsonOf(Of(SchemaKind.Double), Bytes.Int64(BitConverter.DoubleToInt64Bits(number))));

    [Fact]
    public void NarrowFloatingPointNumbersHaveTheirOwnShortestForm()
    {
        Assert.Equal("0.1", JsonOf(Of(SchemaKind.Single), Bytes.Int32(BitConverter.SingleToInt32Bits(0.1f))));
        Assert.Equal("0.1", JsonOf(Of(SchemaKind.Half), Bytes.Int16(BitConverter.HalfToInt16Bits((Half)0.1f))));
        Assert.Equal("\"NaN\"", JsonOf(Of(SchemaKind.Half), Bytes.Int16(BitConverter.HalfToInt16Bits(Half.NaN))));
        Assert.Equal("\"-Infinity\"", JsonOf(Of(SchemaKind.Single), Bytes.Int32(BitConverter.SingleToInt32Bits(float.NegativeInfinity))));
    }

    [Theory]
    [InlineData(DateTimeKind.Utc, "\"2026-11-21T13:05:06.0000007Z\"")]
    [InlineData(DateTimeKind.Local, "\"2026-11-21T13:05:06.0000007\"")]
    [InlineData(DateTimeKind.Unspecified, "\"2026-11-21T13:05:06.0000007\"")]
    public void TimesNeverTakeTheOffsetOfTheReadingMachine(DateTimeKind kind, string json) =>
        Assert.Equal(json, JsonOf(Of(SchemaKind.DateTime), Bytes.DateTime(new DateTime(2026, 11, 21, 13, 5, 6, kind).AddTicks(7))));

    [Fact]
    public void OffsetsAndGuidsAreWrittenInTheirStandardForms()
    {
        Assert.Equal("\"2026-11-21T13:05:06.0000000-03:30\"", JsonOf(Of(SchemaKind.DateTimeOffset), Bytes.DateTimeOffset(new DateTimeOffset(2026, 11, 21, 13, 5, 6, new TimeSpan(-3, -30, 0)))));
        var guid = new Guid("00112233-4455-6677-8899-aabbccddeeff");
        Assert.Equal("\"00112233-4455-6677-8899-aabbccddeeff\"", JsonOf(Of(SchemaKind.Guid), Bytes.Guid(guid)));
    }

    [Theory]
    [InlineData(null, "null")]
    [InlineData("", "\"\"")]
    [InlineData("plain", "\"plain\"")]
    [InlineData("\"\\\n", "\"\\\"\\\\\\n\"")]
    [InlineData("München", "\"München\"")]
    [InlineData("Ωmega", "\"Ωmega\"")]
    public void StringsSurvive(string? text, string json) =>
        Assert.Equal(json, JsonOf(Of(SchemaKind.String), Bytes.Text(text)));

    [Fact]
    public void SurrogatesSurviveWholeAndHalved()
    {
        // Not as InlineData: attributes are stored as UTF-8, which has no half surrogate pairs.
        (string Text, string Json)[] cases = [("\uD83D\uDE00", "\"\\uD83D\\uDE00\""), ("\uD83D\uDE00\uD83D", "\"\\uD83D\\uDE00\\uD83D\""), ("\uDE00 a\"", "\"\\uDE00 a\\u0022\"")];
        foreach ((string text, string json) in cases) Assert.Equal(json, JsonOf(Of(SchemaKind.String), Bytes.Text(text)));
    }

    [Theory]
    [InlineData(1023)]
    [InlineData(1024)]
    [InlineData(1025)]
    [InlineData(5000)]
    public void LongStringsOfEveryKindOfCharacterSurvive(int length)
    {
        string[] texts = [new('x', length), new('ü', length), string.Concat(Enumerable.Repeat("😀", length / 2)) + "y", "z" + string.Concat(Enumerable.Repeat("😀", length / 2)), new string('x', length) + "\uD800"];
        foreach (string text in texts)
        {
            string json = JsonOf(Of(SchemaKind.String), Bytes.Text(text));
            Assert.Equal(text.Length, Unescape(json).Length);
            Assert.True(Unescape(json).AsSpan().SequenceEqual(text));
        }
    }

    [Theory]
    [InlineData(0)]
    [InlineData(5)]
    [InlineData(12_288)]
    [InlineData(12_289)]
    [InlineData(50_000)]
    public void ListsOfBytesAreBase64(int length)
    {
        byte[] bytes = new byte[length];
        new Random(7).NextBytes(bytes);
        string json = JsonOf(SchemaNode.List(Of(SchemaKind.Byte)), Bytes.Count(length).Raw(bytes));
        Assert.Equal(bytes, JsonSerializer.Deserialize<byte[]>(json));
    }

    [Fact]
    public void EnumsAreNamesAndUnknownNumbersAreNumbers()
    {
        SchemaNode color = Enum(SchemaKind.SByte, isFlags: false, ("Red", 1), ("Rot", 1), ("Below", -1));
        Assert.Equal("\"Red\"", JsonOf(color, Bytes.Raw(1)));
        Assert.Equal("\"Below\"", JsonOf(color, Bytes.Raw(0xFF)));
        Assert.Equal("-2", JsonOf(color, Bytes.Raw(0xFE)));
        Assert.Equal("0", JsonOf(color, Bytes.Raw(0)));
    }

    [Fact]
    public void FlagsAreCombinedAsEnumToStringDoes()
    {
        SchemaNode flags = Enum(SchemaKind.UInt64, isFlags: true, ("None", 0), ("A", 1), ("B", 2), ("AB", 3), ("C", 4), ("Top", long.MinValue));
        Assert.Equal("\"None\"", JsonOf(flags, Bytes.Int64(0)));
        Assert.Equal("\"AB\"", JsonOf(flags, Bytes.Int64(3)));
        Assert.Equal("\"A, C\"", JsonOf(flags, Bytes.Int64(5)));
        Assert.Equal("\"AB, C, Top\"", JsonOf(flags, Bytes.Int64(7 | long.MinValue)));
        Assert.Equal("9223372036854775816", JsonOf(flags, Bytes.Int64(8 | long.MinValue)));
    }

    [Fact]
    public void AnEnumNameThatAnotherNumberCouldBeMistakenForIsNotUsed()
    {
        SchemaNode hostile = Enum(SchemaKind.Int32, isFlags: true, ("A", 1), ("A", 2), ("3", 1), ("A, B", 4), ("8", 8));
        Assert.Equal("\"A\"", JsonOf(hostile, Bytes.Int32(1)));
        foreach (int number in (int[])[2, 4, 8]) Assert.Equal($"{number}", JsonOf(hostile, Bytes.Int32(number)));
    }

    [Fact]
    public void AnAbsentValueKeepsItsPlaceAndIsNull()
    {
        SchemaNode nullable = SchemaNode.Nullable(Of(SchemaKind.Int32));
        Assert.Equal("{\"X\":null,\"Y\":7,\"Z\":5}", Json(Schema(nullable, nullable, Of(SchemaKind.Int32)), Bytes.Raw(0).Int32(0).Raw(1).Int32(7).Int32(5)));
        Assert.Throws<NinoSerializationException>(() => JsonOf(nullable, Bytes.Raw(0).Int32(1)));
        Assert.Throws<NinoSerializationException>(() => JsonOf(nullable, Bytes.Raw(2).Int32(1)));
    }

    [Fact]
    public void AnAbsentStructOfVariableWidthTakesOneByte()
    {
        SchemaNode named = SchemaNode.Nullable(Struct("Named", ("Name", Of(SchemaKind.String))));
        Assert.Equal("{\"X\":null,\"Y\":{\"Name\":\"n\"}}", Json(Schema(named, named), Bytes.Raw(0).Raw(1).Text("n")));
    }

    [Fact]
    public void ObjectsInListsHavePresenceBytesOnlyWhenTheListHoldsNulls()
    {
        SchemaNode list = SchemaNode.List(Class("Line", ("N", Of(SchemaKind.Byte))));
        Assert.Equal("[{\"N\":1},{\"N\":2}]", JsonOf(list, Bytes.ObjectCount(2, hasNulls: false).Raw(1, 2)));
        Assert.Equal("[{\"N\":1},null]", JsonOf(list, Bytes.ObjectCount(2, hasNulls: true).Raw(1, 1, 0)));
        Assert.Equal("[]", JsonOf(list, Bytes.ObjectCount(0, hasNulls: false)));
        Assert.Equal("null", JsonOf(list, Bytes.Null()));
    }

    [Fact]
    public void AnObjectWithoutFieldsTakesOneZeroByte()
    {
        Assert.Equal("{}", Json(NinoSchema.Create(Class("Empty")), [0]));
        Assert.Throws<NinoSerializationException>(() => Json(NinoSchema.Create(Class("Empty")), [1]));
        Assert.Throws<NinoSerializationException>(() => Json(NinoSchema.Create(Class("Empty")), []));
    }

    [Fact]
    public void MapsWithNamesAsKeysAreObjectsInTheirOrder()
    {
        SchemaNode map = SchemaNode.Map(Of(SchemaKind.String), Of(SchemaKind.Byte));
        Assert.Equal("{\"b\":1,\"ä\":2,\"Ω\":3}", JsonOf(map, Bytes.Count(3).Text("b").Raw(1).Text("ä").Raw(2).Text("Ω").Raw(3)));
        Assert.Equal("{\"-5\":1}", JsonOf(SchemaNode.Map(Of(SchemaKind.Int32), Of(SchemaKind.Byte)), Bytes.Count(1).Int32(-5).Raw(1)));
        Assert.Equal("{\"x\":1}", JsonOf(SchemaNode.Map(Of(SchemaKind.Char), Of(SchemaKind.Byte)), Bytes.Count(1).Int16((short)'x').Raw(1)));
        SchemaNode byEnum = SchemaNode.Map(Enum(SchemaKind.Byte, isFlags: false, ("Red", 1)), Of(SchemaKind.Byte));
        Assert.Equal("{\"Red\":1,\"2\":2}", JsonOf(byEnum, Bytes.Count(2).Raw(1, 1).Raw(2, 2)));
        Assert.Equal("{}", JsonOf(map, Bytes.Count(0)));
    }

    [Fact]
    public void MapsThatWouldLoseAKeyAsAnObjectAreArraysOfPairs()
    {
        SchemaNode map = SchemaNode.Map(Of(SchemaKind.String), Of(SchemaKind.Byte));
        Assert.Equal("[{\"key\":\"a\",\"value\":1},{\"key\":\"a\",\"value\":2}]", JsonOf(map, Bytes.Count(2).Text("a").Raw(1).Text("a").Raw(2)));
        Assert.Equal("[{\"key\":null,\"value\":1}]", JsonOf(map, Bytes.Count(1).Null().Raw(1)));
        Assert.Equal("[{\"key\":\"\\uD800\",\"value\":1}]", JsonOf(map, Bytes.Count(1).Text("\uD800").Raw(1)));
        Assert.Equal("[{\"key\":1.5,\"value\":1}]", JsonOf(SchemaNode.Map(Of(SchemaKind.Double), Of(SchemaKind.Byte)), Bytes.Count(1).Int64(BitConverter.DoubleToInt64Bits(1.5)).Raw(1)));
    }

    [Fact]
    public void RecursiveTypesCountAgainstTheDepthLimitAndOthersDoNot()
    {
        NinoSchema schema = NinoSchema.Create(Recursive("Node", node => [("Next", node), ("Box", Class("Box", ("V", Of(SchemaKind.Byte))))]));
        byte[] Chain(int depth)
        {
            var bytes = new RecordBytes();
            for (int i = 1; i < depth; i++) bytes.Raw(1);
            bytes.Raw(0);
            for (int i = 0; i < depth; i++) bytes.Raw(1, 9);
            return bytes;
        }

        var limits = new NinoLimits { MaxDepth = 5 };
        Assert.Contains("{\"V\":9}", Json(schema, Chain(5), limits), StringComparison.Ordinal);
        var e = Assert.Throws<NinoSerializationException>(() => Json(schema, Chain(6), limits));
        Assert.Equal("Next.Next.Next.Next.Next", e.MemberPath);
        Assert.Equal("Node", e.TypeName);
    }

    [Fact]
    public void AWriterThatAllowsLessDepthThanTheRecordHasIsAClearError()
    {
        SchemaNode node = Of(SchemaKind.Int32);
        var bytes = new RecordBytes();
        for (int i = 0; i < 9; i++)
        {
            node = SchemaNode.List(node);
            bytes.Count(1);
        }

        using var writer = new Utf8JsonWriter(new ArrayBufferWriter<byte>(), new JsonWriterOptions { MaxDepth = 5 });
        byte[] record = bytes.Int32(1);
        var e = Assert.Throws<NinoSerializationException>(() => NinoJson.Write(writer, Schema(node), record));
        Assert.Contains("MaxDepth", e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void AFailureNamesTypePathAndOffset()
    {
        SchemaNode line = Class("Line", ("Name", Of(SchemaKind.String)), ("Ok", Of(SchemaKind.Boolean)));
        NinoSchema schema = NinoSchema.Create(Class("Order", ("Lines", SchemaNode.List(line)), ("ByName", SchemaNode.Map(Of(SchemaKind.String), line))));
        var e = Assert.Throws<NinoSerializationException>(() => Json(schema, Bytes.ObjectCount(2, hasNulls: false).Text("a").Raw(1).Text("b").Raw(7)));
        Assert.Equal(("Order", "Lines[1].Ok", 6L), (e.TypeName, e.MemberPath, e.ByteOffset));
        Assert.Contains("member Lines[1].Ok, byte 6", e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void BytesAfterTheRecordAreAnError()
    {
        var e = Assert.Throws<NinoSerializationException>(() => Json(Schema(Of(SchemaKind.Byte)), [1, 2]));
        Assert.Equal(1, e.ByteOffset);
    }

    [Fact]
    public void ARecordCanBeAnyValue()
    {
        Assert.Equal("5", Json(NinoSchema.Create(Of(SchemaKind.Int32)), Bytes.Int32(5)));
        Assert.Equal("\"t\"", Json(NinoSchema.Create(Of(SchemaKind.String)), Bytes.Text("t")));
        Assert.Equal("[1]", Json(NinoSchema.Create(SchemaNode.List(Of(SchemaKind.Int16))), Bytes.Count(1).Int16(1)));
    }

    [Fact]
    public void WritingAllocatesNothing()
    {
        SchemaNode line = Class("Line", ("Price", Of(SchemaKind.Decimal)), ("At", Of(SchemaKind.DateTime)), ("Name", Of(SchemaKind.String)));
        NinoSchema schema = NinoSchema.Create(Class("Order", ("Color", Enum(SchemaKind.Int32, isFlags: true, ("A", 1), ("B", 2))), ("Lines", SchemaNode.List(line)), ("Map", SchemaNode.Map(Of(SchemaKind.String), Of(SchemaKind.Half)))));
        byte[] record = Bytes.Int32(3).ObjectCount(1, hasNulls: false).Decimal(1.5m).DateTime(DateTime.UnixEpoch).Text("Müller").Count(2).Text("k").Int16(1).Text("ü").Int16(2);
        var output = new ArrayBufferWriter<byte>(4096);
        using var writer = new Utf8JsonWriter(output);
        void WriteOnce()
        {
            output.ResetWrittenCount();
            writer.Reset();
            NinoJson.Write(writer, schema, record);
            writer.Flush();
        }

        for (int i = 0; i < 100; i++) WriteOnce();
        Assert.Equal(0, Allocated.Least(() =>
        {
            for (int i = 0; i < 1000; i++) WriteOnce();
        }));
    }

    /// <summary>Reads a JSON string that System.Text.Json would refuse for its half surrogate pairs.</summary>
    private static string Unescape(string json)
    {
        var text = new StringBuilder();
        for (int i = 1; i < json.Length - 1; i++)
        {
            if (json[i] != '\\')
            {
                text.Append(json[i]);
                continue;
            }

            Assert.Equal('u', json[i + 1]);
            text.Append((char)ushort.Parse(json.AsSpan(i + 2, 4), NumberStyles.HexNumber, CultureInfo.InvariantCulture));
            i += 5;
        }

        return text.ToString();
    }
}
