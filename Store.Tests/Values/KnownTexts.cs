using System.Drawing;
using System.Globalization;
using System.Net;
using System.Text;
using System.Text.Json;
using System.Text.Json.Nodes;
using Store.Serialization;

namespace Store.Tests.Values;

/// <summary>Texts of types that are stored as text: of those that a schema's strings can be, hardly any is one.</summary>
internal static class KnownTexts
{
    private static readonly string[] s_json = ["{\"a\" : [1, null]}", "[]", "\"\u20AC\"", "1.50"];

    private static readonly Dictionary<SchemaRule, string[]> s_texts = new()
    {
        [SchemaRule.As(typeof(Version))] = ["1.2", "1.2.3", "1.2.3.4", "0.0", "2147483647.0"],
        [SchemaRule.As(typeof(Uri))] = ["https://example.org/a?b=c#d", "/a b", "mailto:a@example.org", "", "http://[::1]:80/\u20AC"],
        [SchemaRule.As(typeof(CultureInfo))] = [""],
        [SchemaRule.As(typeof(CompareInfo))] = [""],
        [SchemaRule.As(typeof(TimeZoneInfo))] = ["UTC", "x;60;X;Y;Y;;", "t;60;X;Y;Y;[01:01:0001;12:31:9999;60;[1;02:00:00;3;2;];[1;02:00:00;1;1;];];"],
        [SchemaRule.As(typeof(Encoding))] = ["utf-8", "utf-8 no-bom strict", "utf-16BE", "iso-8859-1"],
        [SchemaRule.As(typeof(StringComparer))] = ["Ordinal", "OrdinalIgnoreCase", "InvariantCulture", "InvariantCultureIgnoreCase"],
        [SchemaRule.As(typeof(IEqualityComparer<string>))] = ["Default", "Ordinal", "OrdinalIgnoreCase", "InvariantCulture", "InvariantCultureIgnoreCase"],
        [SchemaRule.As(typeof(IComparer<string>))] = ["Default", "Ordinal", "OrdinalIgnoreCase", "InvariantCulture", "InvariantCultureIgnoreCase"],
        [SchemaRule.As(typeof(IPAddress))] = ["127.0.0.1", "::1", "fe80::1%3"],
        [SchemaRule.As(typeof(IPEndPoint))] = ["127.0.0.1:80", "[::1]:443"],
        [SchemaRule.As(typeof(Color))] = ["Red", "#01020304", ""],
        [SchemaRule.As(typeof(JsonElement))] = s_json,
        [SchemaRule.As(typeof(JsonDocument))] = s_json,
        [SchemaRule.As(typeof(JsonNode))] = ["{\"a\":[1,null]}", "[]", "\"x\"", "1.50"],
        [SchemaRule.As(typeof(JsonArray))] = ["[1,\"b\"]", "[]"],
        [SchemaRule.As(typeof(JsonObject))] = ["{\"a\":1.50}", "{}"],
        [SchemaRule.As(typeof(JsonValue))] = ["\"x\"", "1.50", "true"],
        [SchemaRule.As(typeof(Type))] = ["System.Int32", "System.String", "System.Byte[]"],
    };

    /// <summary>The types.</summary>
    public static IReadOnlyCollection<SchemaRule> Rules => s_texts.Keys;

    /// <summary>Texts that the type takes; none where the schema says of no such type.</summary>
    public static string[] Of(SchemaNode node)
    {
        foreach (SchemaRule rule in node.Rules)
        {
            if (s_texts.TryGetValue(rule, out string[]? texts)) return texts;
        }

        return [];
    }
}
