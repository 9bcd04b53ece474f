using System.Buffers;
using Store.Serialization;
using Store.Serialization.Codecs;
using Store.Tests.Serialization;

namespace Store.Tests.Values;

public sealed class KnownTextsTests
{
    [Fact]
    public void EveryTypeThatIsStoredAsTextHasTextsThatItTakes()
    {
        HashSet<SchemaRule> met = [];
        foreach (Sample sample in Samples.All.Where(static sample => sample.CodecType.IsGenericType && sample.CodecType.GetGenericTypeDefinition() == typeof(TextCodec<,>) && sample.Schema.Root.Rules.Count > 0))
        {
            met.UnionWith(sample.Schema.Root.Rules);
            string[] texts = KnownTexts.Of(sample.Schema.Root);
            Assert.True(texts.Length > 0, $"No text of '{sample.Type}'");
            Assert.All(texts, text => sample.Recode(Encoded(text)));
        }

        Assert.Equal(KnownTexts.Rules.Select(static rule => rule.Text).Order(), met.Select(static rule => rule.Text).Order());
    }

    private static byte[] Encoded(string text)
    {
        var output = new ArrayBufferWriter<byte>();
        var writer = new NinoWriter(output);
        default(StringCodec).Write(ref writer, text);
        writer.Flush();
        return output.WrittenSpan.ToArray();
    }
}
