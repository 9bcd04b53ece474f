// Golden bytes of what is stored as text. Part of the table that Samples.cs joins.

using System.Collections.Specialized;
using System.Drawing;
using System.Globalization;
using System.Net;
using System.Text;
using System.Text.Json;
using System.Text.Json.Nodes;
using Store.Serialization.Codecs;
using Store.Tests.Serialization;

namespace Store.Tests.Types;

#nullable disable // codecs do not distinguish string from string?

public static class TextSamples
{
    public static IReadOnlyList<Sample> All { get; } =
    [
        new Sample<string, Utf8StringCodec>("UTF-8 empty", "", "01"),
        new Sample<string, Utf8StringCodec>("UTF-8 ASCII", "ab", "05 6162"),
        new Sample<string, Utf8StringCodec>("UTF-8 two, three and four bytes", "\u00E9\u20AC\U0001F600", "13 C3A9 E282AC F09F9880"),
        new Sample<string, Utf8StringCodec>("UTF-8 with half a pair", "a\uD83D", "0A 6100 3DD8"),
        new Sample<string, Utf8StringCodec>("UTF-8 of 126", new string('x', 126), "FDFD00" + Convert.ToHexString(Encoding.ASCII.GetBytes(new string('x', 126)))),
        new Sample<List<string>, ListCodec<string, Utf8StringCodec>>("List of UTF-8", ["a", null], "03 0361 00"),

        Text<StringBuilder, StringBuilderText>("StringBuilder", new StringBuilder("ab"), "ab", static (a, b) => a.Equals(b)),
        Text<Version, VersionText>("Version of two", new Version(1, 2), "1.2"),
        Text<Version, VersionText>("Version of four", new Version(1, 2, 3, 4), "1.2.3.4"),
        Text<Uri, UriText>("Uri absolute", new Uri("https://example.org/a?b=c#d"), "https://example.org/a?b=c#d"),
        Text<Uri, UriText>("Uri relative", new Uri("/a b", UriKind.Relative), "/a b"),
        Text<CultureInfo, CultureText>("CultureInfo invariant", CultureInfo.InvariantCulture, ""),
        Text<CompareInfo, CompareText>("CompareInfo invariant", CultureInfo.InvariantCulture.CompareInfo, ""),
        Text<TimeZoneInfo, TimeZoneText>("TimeZoneInfo UTC", TimeZoneInfo.Utc, "UTC"),
        Text<TimeZoneInfo, TimeZoneText>("TimeZoneInfo custom", TimeZoneInfo.CreateCustomTimeZone("x", TimeSpan.FromHours(1), "X", "Y"), "x;60;X;Y;Y;;"),
        Text<Encoding, EncodingText>("Encoding UTF-8", Encoding.UTF8, "utf-8"),
        Text<Encoding, EncodingText>("Encoding UTF-8, strict, without mark", new UTF8Encoding(false, true), "utf-8 no-bom strict"),
        Text<Encoding, EncodingText>("Encoding UTF-16", Encoding.BigEndianUnicode, "utf-16BE"),
        Text<Encoding, EncodingText>("Encoding Latin-1", Encoding.Latin1, "iso-8859-1"),
        Text<StringComparer, ComparerText>("StringComparer ordinal", StringComparer.Ordinal, "Ordinal"),
        Text<StringComparer, ComparerText>("StringComparer ordinal, without case", StringComparer.OrdinalIgnoreCase, "OrdinalIgnoreCase"),
        Text<StringComparer, ComparerText>("StringComparer invariant", StringComparer.InvariantCulture, "InvariantCulture"),
        Text<StringComparer, ComparerText>("StringComparer invariant, without case", StringComparer.InvariantCultureIgnoreCase, "InvariantCultureIgnoreCase"),
        Text<IEqualityComparer<string>, ComparerText>("IEqualityComparer default", EqualityComparer<string>.Default, "Default", ReferenceEquals),
        Text<IEqualityComparer<string>, ComparerText>("IEqualityComparer ordinal", StringComparer.Ordinal, "Ordinal", ReferenceEquals),
        Text<IComparer<string>, ComparerText>("IComparer default", Comparer<string>.Default, "Default", ReferenceEquals),
        Text<IComparer<string>, ComparerText>("IComparer ordinal", StringComparer.Ordinal, "Ordinal", ReferenceEquals),
        Text<IPAddress, IPAddressText>("IPAddress 4", IPAddress.Loopback, "127.0.0.1"),
        Text<IPAddress, IPAddressText>("IPAddress 6 with scope", new IPAddress([0xFE, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1], 3), "fe80::1%3"),
        Text<IPEndPoint, IPEndPointText>("IPEndPoint 4", new IPEndPoint(IPAddress.Loopback, 80), "127.0.0.1:80"),
        Text<IPEndPoint, IPEndPointText>("IPEndPoint 6", new IPEndPoint(IPAddress.IPv6Loopback, 443), "[::1]:443"),
        Text<Color, ColorText>("Color named", Color.Red, "Red"),
        Text<Color, ColorText>("Color by number", Color.FromArgb(1, 2, 3, 4), "#01020304"),
        Text<Color, ColorText>("Color empty", Color.Empty, ""),
        Text<JsonElement, JsonElementText>("JsonElement", JsonElement.Parse("{\"a\" : [1, null]}"), "{\"a\" : [1, null]}", static (a, b) => JsonElement.DeepEquals(a, b)),
        new Sample<JsonElement?, NullableCodec<JsonElement, TextCodec<JsonElement, JsonElementText>>>("JsonElement? null", null, "00", static (a, b) => a is null && b is null),
        Text<JsonDocument, JsonDocumentText>("JsonDocument", JsonDocument.Parse("[1]"), "[1]", static (a, b) => JsonElement.DeepEquals(a.RootElement, b.RootElement)),
        Text<JsonNode, JsonNodeText<JsonNode>>("JsonNode", JsonNode.Parse("{\"a\":1.50}"), "{\"a\":1.50}", static (a, b) => JsonNode.DeepEquals(a, b)),
        Text<JsonArray, JsonNodeText<JsonArray>>("JsonArray", new JsonArray(1, "b"), "[1,\"b\"]", static (a, b) => JsonNode.DeepEquals(a, b)),
        Text<JsonObject, JsonNodeText<JsonObject>>("JsonObject", new JsonObject { ["a"] = true }, "{\"a\":true}", static (a, b) => JsonNode.DeepEquals(a, b)),
        Text<JsonValue, JsonNodeText<JsonValue>>("JsonValue", JsonValue.Create("a"), "\"a\"", static (a, b) => JsonNode.DeepEquals(a, b)),
        new Sample<Exception, ExceptionCodec>(
            "Exception",
            new TimeoutException("late", new ArgumentException("b", "a")) { Data = { ["k"] = 1 } },
            "05151380 2F53797374656D2E54696D656F7574457863657074696F6E 096C617465 00 00 00 00 03 57000780 3153797374656D2E417267756D656E74457863657074696F6E 23622028506172616D657465722027612729 00 00 00 0361 00 00 02 036B 0331",
            static (a, b) => a.ToString() == b.ToString() && Equals(b.Data["k"], "1")),
        new Sample<NameValueCollection, NameValueCodec>(
            "NameValueCollection",
            new NameValueCollection { { "a", "1" }, { "a", "2" }, { "b", null }, { null, "c" } },
            "04 0361 03 0331 0332 0362 00 00 02 0363",
            static (a, b) => a.AllKeys.SequenceEqual(b.AllKeys) && a.AllKeys.All(k => Equals(a[k], b[k]))),
    ];

    private static Sample<T, TextCodec<T, TForm>> Text<T, TForm>(string name, T value, string text, Func<T, T, bool> same = null) where TForm : struct, ITextForm<T> =>
        new(name, value, Convert.ToHexString([(byte)((text.Length << 1) + 1), .. Encoding.Latin1.GetBytes(text)]), same ?? (static (a, b) => a.Equals(b)));
}
