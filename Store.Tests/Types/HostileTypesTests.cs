using System.Buffers;
using System.Collections;
using System.Collections.Specialized;
using System.Globalization;
using System.Numerics;
using System.Text;
using System.Text.Json;
using System.Text.Json.Nodes;
using Store.Serialization;
using Store.Serialization.Codecs;
using AbsentArray = Store.Serialization.Codecs.ArrayCodec<Store.Tests.Types.Thousand?, Store.Serialization.Codecs.NullableCodec<Store.Tests.Types.Thousand, Store.Serialization.Codecs.InlineArrayCodec<Store.Tests.Types.Thousand, long, Store.Serialization.Codecs.Int64Codec>>>;
using AbsentThousand = Store.Serialization.Codecs.NullableCodec<Store.Tests.Types.Thousand, Store.Serialization.Codecs.InlineArrayCodec<Store.Tests.Types.Thousand, long, Store.Serialization.Codecs.Int64Codec>>;
using Xunit.Abstractions;

namespace Store.Tests.Types;

#nullable disable // codecs do not distinguish string from string?

/// <summary>Bytes made to harm: claims that cost memory or time, and forms that no writer produces.</summary>
public sealed class HostileTypesTests(ITestOutputHelper output)
{
    private const int CheapBytes = 100_000;

    [Theory]
    [InlineData("03 FFFFFF7F FFFFFF7F 01", "more elements than an array can have")]
    [InlineData("03 00000100 00000100 01", "more elements than an array can have")]
    [InlineData("03 FFFFFFFF 01000000 01", "length of a dimension is -1")]
    [InlineData("03 02000000 02000000 04 010000000200000003000000", "3 elements and its lengths make 4")]
    [InlineData("03 00000000 05000000 02 01000000", "1 elements and its lengths make 0")]
    [InlineData("02 01000000 02 01000000", "1 lengths and must have 2")]
    [InlineData("00 01", "0 lengths and must have 2")]
    [InlineData("03 01000000 01000000 00", "0 elements and its lengths make 1")]
    [InlineData("FEFFFFFF7F", "does not fit")]
    [InlineData("03 FFFF0000 FF7F0000 FE01800080", "does not fit")]
    public void AGridThatIsNoneIsRefusedBeforeItCostsMemory(string hex, string message) => AssertRefused<int[,], GridCodec<int[,], int, Int32Codec>>(hex, message);

    [Theory]
    [InlineData("FF00 02 0361", "comparer number 0")]
    [InlineData("FF05 02 0361", "comparer number 5")]
    [InlineData("FF01 00", "null has a comparer")]
    [InlineData("FF01 FF01 02 0361", "starts with the byte 255")]
    [InlineData("FF", "ends too early")]
    [InlineData("FF02 03 0361 0341", "Element 1 of a set is equal")]
    public void AComparerThatIsNoneIsRefusedByCodecsAndTools(string hex, string message)
    {
        AssertRefused<HashSet<string>, HashSetCodec<string, StringCodec>>(hex, message);
        if (message.StartsWith("Element", StringComparison.Ordinal)) return;
        byte[] bytes = Bytes(hex);
        Assert.Throws<NinoSerializationException>(() => NinoValue.Decode(NinoSchema.Create(SchemaNode.List(SchemaNode.Primitive(SchemaKind.String))), bytes));
    }

    [Fact]
    public void AComparerOfStringsIsRefusedWhereThereAreNone()
    {
        AssertRefused<HashSet<int>, HashSetCodec<int, Int32Codec>>("FF01 02 01000000", "other things than strings");
        AssertRefused<Dictionary<int, int>, DictionaryCodec<int, int, Int32Codec, Int32Codec>>("FF01 02 01000000 01000000", "other things than strings");
        AssertRefused<SortedDictionary<int, int>, MapFormCodec<SortedDictionary<int, int>, int, int, Int32Codec, Int32Codec, SortedDictionaryForm<int, int>>>("FF01 02 01000000 01000000", "other things than strings");
        byte[] map = Bytes("FF01 02 01000000 01000000"), list = Bytes("FF01 02 01000000");
        SchemaNode number = SchemaNode.Primitive(SchemaKind.Int32);
        Assert.Throws<NinoSerializationException>(() => NinoValue.Decode(NinoSchema.Create(SchemaNode.Map(number, number)), map));
        Assert.Throws<NinoSerializationException>(() => NinoValue.Decode(NinoSchema.Create(SchemaNode.List(number)), list));
    }

    [Fact]
    public void KeysThatAreEqualUnderTheComparerOfTheMarkAreRefused()
    {
        AssertRefused<Dictionary<string, int>, DictionaryCodec<string, int, StringCodec, Int32Codec>>("FF02 03 0361 01000000 0341 02000000", "Key 1");
        AssertRefused<OrderedDictionary<string, int>, MapFormCodec<OrderedDictionary<string, int>, string, int, StringCodec, Int32Codec, OrderedDictionaryForm<string, int>>>("FF02 03 0361 01000000 0341 02000000", "1 keys of a dictionary");
        AssertRefused<SortedSet<string>, SortedSetCodec<string, StringCodec>>("FF02 03 0361 0341", "1 elements of a set");
        AssertRefused<ILookup<int, int>, LookupCodec<int, int, Int32Codec, Int32Codec>>("05 01000000 01 01000000 01", "Key 1");
    }

    [Fact]
    public void NumbersOfAnySizeHaveOneForm()
    {
        AssertRefused<BigInteger, BigIntegerCodec>("00", "longer or shorter");
        AssertRefused<BigInteger, BigIntegerCodec>("02 0100", "shortest form");
        AssertRefused<BigInteger, BigIntegerCodec>("02 FFFF", "shortest form");
        AssertRefused<BigInteger, BigIntegerCodec>("FEFFFFFFFF 00", "longer or shorter");
        AssertRefused<BigInteger, BigIntegerCodec>("FE00000008 00", "ends too early");
    }

    [Fact]
    public void AHugeNumberIsShownWithoutWorkingOutItsDigits()
    {
        BigInteger value = (BigInteger.One << 80_000_000) - 1;
        byte[] bytes = NinoSerializer.Serialize(value);
        NinoValue shown = NinoValue.Decode(NinoSerializer.SchemaOf<BigInteger>(), bytes);
        Assert.Equal(value, shown.AsBigInteger());
        Assert.StartsWith("0x00FFFF", shown.ToString());
    }

    [Theory]
    [InlineData("02", "ends too early")]
    [InlineData("03 FF", "not valid UTF-8")]
    [InlineData("07 EDA080", "not valid UTF-8")]
    [InlineData("05 C080", "not valid UTF-8")]
    [InlineData("06 6100", "two bytes a char")]
    [InlineData("08 3DD800", "two bytes a char")]
    [InlineData("FEFFFFFFFF", "ends too early")]
    public void TextThatIsNotUtf8IsRefused(string hex, string message) => AssertRefused<string, Utf8StringCodec>(hex, message == "ends too early" && hex == "02" ? "two bytes a char" : message);

    [Fact]
    public void AnyStringIsTheSameAfterUtf8()
    {
        int seed = Effort.DrawnSeed(quick: 20261123);
        output.WriteLine($"seed {seed}");
        var random = new Random(seed);
        var codec = new CodecAdapter<string, Utf8StringCodec>();
        for (int i = 0; i < 20_000; i++)
        {
            char[] chars = new char[random.Next(i % 500 == 0 ? 100_000 : 40)];
            int kind = random.Next(5);
            for (int at = 0; at < chars.Length; at++)
                chars[at] = kind switch { 0 => (char)random.Next(128), 1 => (char)random.Next(256), 2 => (char)random.Next(0xD800), 3 => (char)random.Next(0x10000), _ => at % 2 == 0 ? '\uD83D' : '\uDE00' };
            string text = new(chars);
            var bytes = new ArrayBufferWriter<byte>();
            codec.Encode(bytes, text);
            Assert.True(text == codec.Decode(bytes.WrittenSpan), $"seed {seed}, string {i}");
            Assert.Equal(text, NinoValue.Decode(codec.Schema, bytes.WrittenSpan).AsString());
        }
    }

    [Fact]
    public void ACountOfInlineArraysIsHeldAgainstTheBytesOfEachBeforeItCostsMemory()
    {
        // 8,000 bytes an element in memory, of which there would be 20,000: one byte each is left.
        byte[] bytes = [0xFD, 0x21, 0x4E, .. new byte[20_000]];
        AssertRefused<List<Thousand>, ListCodec<Thousand, InlineArrayCodec<Thousand, long, Int64Codec>>>(Convert.ToHexString(bytes), "20000 elements of at least 8001 bytes");
        AssertRefused<HoldsThousand[], ArrayCodec<HoldsThousand, CustomCodec<HoldsThousand, RegisteredCodec<HoldsThousand, DeclaredChoice>>>>(Convert.ToHexString(bytes), "20000 elements of at least 8002 bytes");
    }

    [Fact]
    public void AbsentStructsCostNoMoreMemoryThanTheLimit()
    {
        // One byte in the record and 8,008 in memory: a thousand are eight times the limit.
        var limits = new NinoLimits { MaxRecordBytes = 1 << 20 };
        byte[] list = [0xFD, 0xE9, 0x03, .. new byte[1_000]], map = [0xFD, 0xE9, 0x03, .. Enumerable.Range(0, 1_000).SelectMany(static key => (byte[])[.. BitConverter.GetBytes(key), 0])];
        byte[] lists = [51, .. Enumerable.Repeat((byte[])[21, .. new byte[20]], 50).SelectMany(static one => one)];
        long before = GC.GetAllocatedBytesForCurrentThread();
        Refused<Thousand?[], AbsentArray>(list, limits);
        Refused<List<Thousand?>, ListCodec<Thousand?, AbsentThousand>>(list, limits);
        Refused<LinkedList<Thousand?>, SequenceCodec<LinkedList<Thousand?>, Thousand?, AbsentThousand, LinkedListForm<Thousand?>>>(list, limits);
        Refused<Dictionary<int, Thousand?>, DictionaryCodec<int, Thousand?, Int32Codec, AbsentThousand>>(map, limits);
        Refused<SortedList<int, Thousand?>, MapFormCodec<SortedList<int, Thousand?>, int, Thousand?, Int32Codec, AbsentThousand, SortedListForm<int, Thousand?>>>(map, limits);
        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, 1 << 19);
        // All of a record's count, wherever they are.
        Refused<Thousand?[][], ArrayCodec<Thousand?[], AbsentArray>>(lists, limits);
        Assert.Equal(50, Read<Thousand?[][], ArrayCodec<Thousand?[], AbsentArray>>(lists, limits with { MaxGrowth = 8_008 }).Length);
        Assert.Equal(100, Read<Thousand?[], AbsentArray>([101, .. new byte[100]], limits).Length);
        Assert.Equal(1_000, Read<Dictionary<int, Thousand?>, DictionaryCodec<int, Thousand?, Int32Codec, AbsentThousand>>(map, limits with { MaxGrowth = 8_008 }).Count);

        static void Refused<T, TCodec>(byte[] bytes, NinoLimits limits) where TCodec : struct, INinoCodec<T> =>
            Assert.Contains("NinoLimits.MaxGrowth", Assert.Throws<NinoSerializationException>(() => Read<T, TCodec>(bytes, limits)).Message, StringComparison.Ordinal);

        static T Read<T, TCodec>(byte[] bytes, NinoLimits limits) where TCodec : struct, INinoCodec<T>
        {
            var reader = new NinoReader(bytes, limits);
            return default(TCodec).Read(ref reader);
        }
    }

    [Fact]
    public void ObjectsWithAbsentStructsCostNoMoreMemoryThanTheLimit()
    {
        // One byte of the record and 1.6 KB of memory each: a thousand are more than the limit, however they are held and in whatever they are read.
        var limits = new NinoLimits { MaxRecordBytes = 1 << 20 };
        var generous = limits with { MaxGrowth = 2_000 };
        byte[] lazy = NinoSerializer.Serialize(Enumerable.Range(0, 1_000).Select(static _ => new MayHoldManyLater { Held = new((Many?)null) }).ToList());
        byte[] bytes = NinoSerializer.Serialize(Enumerable.Range(0, 1_000).Select(static _ => new MayHoldMany()).ToList());
        Assert.Equal(3 + 1_000, bytes.Length);
        long before = GC.GetAllocatedBytesForCurrentThread();
        Refused(bytes, static (bytes, limits) => NinoSerializer.Deserialize<List<MayHoldMany>>(bytes, limits));
        Refused(bytes, static (bytes, limits) => NinoSerializer.Deserialize<MayHoldMany[]>(bytes, limits));
        Refused(lazy, static (bytes, limits) => NinoSerializer.Deserialize<List<MayHoldManyLater>>(bytes, limits));
        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, 3 * (5 << 18));
        Assert.Equal(1_000, NinoSerializer.Deserialize<List<MayHoldMany>>(bytes, generous).Count);
        Assert.Equal(1_000, NinoSerializer.Deserialize<List<MayHoldManyLater>>(lazy, generous).Count);
        // What is there takes its bytes, and is not counted.
        byte[] full = NinoSerializer.Serialize(Enumerable.Range(0, 600).Select(static _ => new MayHoldMany { Held = default(Many) }).ToList());
        Assert.Equal(600, NinoSerializer.Deserialize<List<MayHoldMany>>(full, limits with { MaxRecordBytes = full.Length }).Count);

        void Refused(byte[] bytes, Action<byte[], NinoLimits> read) => Assert.Contains("NinoLimits.MaxGrowth", Assert.Throws<NinoSerializationException>(() => read(bytes, limits)).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void TheMemoryOfAbsentStructsIsCountedForEachRecordThatOneReaderReads()
    {
        // 800,800 bytes of memory each: one is within the limit, and two together are not.
        byte[] record = [101, .. new byte[100]];
        var codec = new CodecAdapter<Thousand?[], AbsentArray>();
        var reader = new NinoReader((byte[])[.. record, .. record, .. record], new NinoLimits { MaxRecordBytes = 1 << 20 });
        for (int i = 0; i < 3; i++) Assert.Equal(100, codec.ReadRecord(ref reader).Length);
    }

    [Fact]
    public void JsonWithTwoMembersOfOneNameIsRefusedWhereItCouldNotBeLookedInto()
    {
        const string Twice = """{"a":1,"b":{"c":1,"c":2}}""";
        AssertText<JsonNode, JsonNodeText<JsonNode>>(Twice);
        AssertText<JsonObject, JsonNodeText<JsonObject>>(Twice);
        AssertUnwritable(JsonNode.Parse(Twice), "two members of one name");
        // An element and a document are their text, and can be looked into.
        JsonElement element = JsonElement.Parse(Twice);
        Assert.Equal(Twice, NinoSerializer.Deserialize<JsonElement>(NinoSerializer.Serialize(element)).GetRawText());
    }

    [Fact]
    public void BitsThatAreNotThereAreRefused()
    {
        AssertRefused<BitArray, BitArrayCodec>("FFFFFF7F 02 00", "not 2147483647 bits");
        AssertRefused<BitArray, BitArrayCodec>("FFFFFFFF 01", "-1 bits");
        AssertRefused<BitArray, BitArrayCodec>("01000000 02 02", "not 1 bits");
        AssertRefused<BitArray, BitArrayCodec>("01000000 00", "not 1 bits");
    }

    [Fact]
    public void NamesThatNoWriterProducesAreRefused()
    {
        AssertRefused<NameValueCollection, NameValueCodec>("03 0361 00 0341 00", "Key 1");
        AssertRefused<NameValueCollection, NameValueCodec>("02 0361 01", "empty list");
        AssertRefused<NameValueCollection, NameValueCodec>("02 0361 03 0331 00", "null");
        AssertRefused<NameValueCollection, NameValueCodec>("FE00000010", "does not fit");
    }

    [Fact]
    public void TextThatMakesNoValueIsRefused()
    {
        AssertText<Version, VersionText>("1");
        AssertText<Version, VersionText>("01.2");
        AssertText<Uri, UriText>("http://[");
        AssertText<CultureInfo, CultureText>("xx-made-up");
        AssertText<TimeZoneInfo, TimeZoneText>("x");
        AssertText<TimeZoneInfo, TimeZoneText>("x;99999999999;X;Y;Z;[");
        AssertText<Encoding, EncodingText>("made-up");
        AssertText<Encoding, EncodingText>("utf-8  strict");
        AssertText<Encoding, EncodingText>("iso-8859-1 strict");
        AssertText<StringComparer, ComparerText>("Default");
        AssertText<StringComparer, ComparerText>("1");
        AssertText<StringComparer, ComparerText>("");
        AssertText<IEqualityComparer<string>, ComparerText>("ordinal");
        AssertText<IEqualityComparer<string>, ComparerText>("Ordinal ");
        AssertText<IComparer<string>, ComparerText>("System.StringComparer");
        AssertText<System.Net.IPAddress, IPAddressText>("1");
        AssertText<System.Net.IPEndPoint, IPEndPointText>("1.2.3.4");
        AssertText<System.Drawing.Color, ColorText>("#12");
        AssertText<JsonElement, JsonElementText>("");
        AssertText<JsonElement, JsonElementText>("{]");
        AssertText<JsonElement, JsonElementText>(new string('[', 50_000));
        AssertText<JsonNode, JsonNodeText<JsonNode>>(new string('[', 50_000));
        AssertText<JsonObject, JsonNodeText<JsonObject>>("[1]");
        AssertText<JsonNode, JsonNodeText<JsonNode>>("null");
    }

    [Fact]
    public void WhatCouldNotBeReadAgainIsRefusedOnWriting()
    {
        AssertUnwritable<JsonElement>(default, "undefined");
        AssertUnwritable(System.Drawing.Color.FromName("#x"), "no encoding");
        AssertUnwritable(System.Drawing.Color.FromName("#11223344"), "no encoding");
        AssertUnwritable(System.Drawing.Color.FromName(""), "no encoding");
        AssertUnwritable(JsonDocument.Parse("[1,]", new JsonDocumentOptions { AllowTrailingCommas = true }).RootElement, "trailing commas");
        AssertUnwritable(JsonDocument.Parse(new string('[', 65) + new string(']', 65), new JsonDocumentOptions { MaxDepth = 100 }).RootElement, "deeper than 64");
        AssertUnwritable(JsonDocument.Parse("[1 /* one */]", new JsonDocumentOptions { CommentHandling = JsonCommentHandling.Skip }).RootElement, "comments");
        AssertUnwritable(Encoding.GetEncoding("utf-8", new EncoderReplacementFallback("x"), DecoderFallback.ReplacementFallback), "fallbacks");
        AssertUnwritable(StringComparer.Create(System.Globalization.CultureInfo.InvariantCulture, System.Globalization.CompareOptions.IgnoreWidth), "has no encoding");
        AssertUnwritable<IEqualityComparer<string>>(EqualityComparer<string>.Create(static (a, b) => a == b, static s => s.Length), "has no encoding");
        AssertUnwritable<IComparer<string>>(Comparer<string>.Create(static (a, b) => 0), "Comparer");
        JsonNode deep = new JsonArray();
        for (int i = 0; i < 70; i++) deep = new JsonArray(deep);
        AssertUnwritable(deep, "nests deeper");
        AssertUnwritable(new NameValueCollection(StringComparer.Ordinal) { { "a", "1" }, { "A", "2" } }, "comparer");
        var odd = (int[,])Array.CreateInstance(typeof(int), [1, 1], [1, 0]);
        Assert.Contains("from 0", Assert.Throws<NinoSerializationException>(() => new CodecAdapter<int[,], GridCodec<int[,], int, Int32Codec>>().Encode(new ArrayBufferWriter<byte>(), odd)).Message);
    }

    [Theory]
    [InlineData(" http://a ")]
    [InlineData("\tHTTP://A/%7e#x y\n")]
    [InlineData("mailto:a@b")]
    public void AUriKeepsItsSpelling(string spelling)
    {
        Uri copy = NinoSerializer.Deserialize<Uri>(NinoSerializer.Serialize(new Uri(spelling)));
        Assert.Equal((new Uri(spelling).OriginalString, new Uri(spelling), true), (copy.OriginalString, copy, copy.IsAbsoluteUri));
    }

    [Fact]
    public void AFilePathIsReadAsTheSameAbsoluteUri()
    {
        var path = new Uri("/tmp/a b", UriKind.RelativeOrAbsolute);
        Assert.Equal(path.IsAbsoluteUri ? new Uri("file:///tmp/a%20b") : path, NinoSerializer.Deserialize<Uri>(NinoSerializer.Serialize(path)));
        Assert.Equal("/tmp", NinoSerializer.Deserialize<Uri>(NinoSerializer.Serialize(new Uri("/tmp", UriKind.Relative))).OriginalString);
    }

    [Theory]
    [InlineData("http://a/%41/%2e%2e/b")]
    [InlineData("http://a/b?c=%zz")]
    [InlineData("http://a")]
    public void AUriThatLeadsElsewhereThanItsSpellingIsRefused(string spelling)
    {
        Assert.True(Uri.TryCreate(spelling, new UriCreationOptions { DangerousDisablePathAndQueryCanonicalization = true }, out Uri asItIs));
        AssertUnwritable(asItIs, "would not be read back as the same");
        Assert.Equal(new Uri(spelling).AbsoluteUri, NinoSerializer.Clone(new Uri(spelling)).AbsoluteUri);
    }

    private static void AssertRefused<T, TCodec>(string hex, string message) where TCodec : struct, INinoCodec<T>
    {
        byte[] bytes = Bytes(hex);
        var codec = new CodecAdapter<T, TCodec>();
        Assert.Throws<NinoSerializationException>(() => codec.Decode(bytes));
        long before = GC.GetAllocatedBytesForCurrentThread();
        var error = Assert.Throws<NinoSerializationException>(() => codec.Decode(bytes));
        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, CheapBytes);
        Assert.Contains(message, error.Message, StringComparison.Ordinal);
    }

    private static void AssertText<T, TForm>(string text) where TForm : struct, ITextForm<T>
    {
        byte[] bytes = NinoSerializer.Serialize(text);
        Assert.Throws<NinoSerializationException>(() => new CodecAdapter<T, TextCodec<T, TForm>>().Decode(bytes));
    }

    private static void AssertUnwritable<T>(T value, string message) =>
        Assert.Contains(message, Assert.Throws<NinoSerializationException>(() => NinoSerializer.Serialize(value)).Message, StringComparison.Ordinal);

    private static byte[] Bytes(string hex) => Convert.FromHexString(hex.Replace(" ", ""));
}

[System.Runtime.CompilerServices.InlineArray(1000)]
public struct Thousand
{
    private long _first;
}

[NinoType]
public struct HoldsThousand
{
    public bool IsFull;
    public Thousand All;
}

[System.Runtime.CompilerServices.InlineArray(200)]
public struct Many
{
    private long _first;
}

[NinoType]
public sealed class MayHoldMany
{
    public Many? Held;
}

[NinoType]
public sealed class MayHoldManyLater
{
    public Lazy<Many?> Held;
}
