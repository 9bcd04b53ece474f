using Newtonsoft.Json.Linq;
using Store.Tests.Generator;

namespace Store.Tests.Types;

/// <summary>The codec that docs/models-of-others.md has for trees of Newtonsoft.Json.</summary>
public sealed class JsonTreeCodecTests
{
    [Fact]
    public void TreesOfNewtonsoftAreStoredByTheCodecOfThePage()
    {
        string text = Repository.Read("docs/models-of-others.md");
        int start = text.IndexOf("```csharp\n", text.IndexOf("## Trees of Newtonsoft.Json", StringComparison.Ordinal), StringComparison.Ordinal) + "```csharp\n".Length;
        string code = text[start..text.IndexOf("```", start, StringComparison.Ordinal)].Replace("using Store.Serialization;\n", "");
        (string usings, string rest) = (code[..code.IndexOf("[assembly", StringComparison.Ordinal)], code[code.IndexOf("[assembly", StringComparison.Ordinal)..]);
        GeneratorHarness.RunIsolatedWith(typeof(JToken), usings + Programs.Source("""
            [assembly: NinoSerializable(typeof(Answer))]
            """ + rest + """
            public class Answer
            {
                [JsonProperty("id")] public int Id { get; set; }
                [JsonExtensionData] public IDictionary<string, JToken> Rest { get; set; } = new Dictionary<string, JToken>();
                public JObject? Head { get; set; }
                public JArray[]? Rows { get; set; }
            }
            [NinoType] public class Text { public string? Of { get; set; } }
            [NinoType] public class Tree { [NinoCodec(typeof(JsonTreeCodec<JArray>))] public JArray? Of { get; set; } }
            """, """
            var answer = JsonConvert.DeserializeObject<Answer>("{\"id\":3,\"name\":\"n\",\"none\":null,\"when\":\"2026-11-30T10:00:00Z\",\"deep\":{\"a\":[1,2.5,true,\"\\u00e9\"]},\"Head\":{\"b\":{}},\"Rows\":[[1],[]]}")!;
            Answer copy = Copy(answer);
            Equal(JsonConvert.SerializeObject(answer), JsonConvert.SerializeObject(copy));
            Equal((true, true, JTokenType.Null), (JToken.DeepEquals(answer.Rest["deep"], copy.Rest["deep"]), JToken.DeepEquals(answer.Rest["when"], copy.Rest["when"]), copy.Rest["none"].Type));
            Equal((null, null, 0), (Copy(new Answer()).Head, Copy(new Answer()).Rows, Copy(new Answer()).Rest.Count));
            Equal("[1]", NinoSerializer.Deserialize<Tree>(NinoSerializer.Serialize(new Text { Of = " [1] " })).Of!.ToString(Formatting.None));
            Refused(() => NinoSerializer.Deserialize<Tree>(NinoSerializer.Serialize(new Text { Of = "[1" })), "The text is no JSON", "Of");
            Refused(() => NinoSerializer.Deserialize<Tree>(NinoSerializer.Serialize(new Text { Of = "{}" })), "no JArray", "Of");
            """));
    }
}
