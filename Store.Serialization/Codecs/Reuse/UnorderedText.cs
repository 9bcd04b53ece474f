using System.Text;

namespace Store.Serialization;

/// <summary>What the encoding of a map holds, whatever order its pairs are in: two texts are the same where the encodings differ in nothing else. Maps in its values have an order.</summary>
internal static class UnorderedText
{
    /// <param name="schema">The member's type.</param>
    /// <param name="encoding">Its value.</param>
    /// <param name="limits">The limits of reading.</param>
    public static string Of(NinoSchema schema, ReadOnlySpan<byte> encoding, NinoLimits limits)
    {
        var text = new StringBuilder();
        // As a record, an object is never null.
        if (schema.Root is { HasPresenceByte: true, Definition: ObjectDefinition { KeepsReferences: false } })
        {
            if (encoding[0] == 0) return "";
            encoding = encoding[1..];
        }

        Add(text, NinoValue.Decode(schema, encoding, limits), isOrdered: false);
        return text.ToString();
    }

    private static void Add(StringBuilder text, NinoValue value, bool isOrdered = true)
    {
        if (value.Pairs is { Count: > 0 } pairs)
        {
            List<string> entries = [.. pairs.Select(static pair => OfPair(pair))];
            if (!isOrdered) entries.Sort(StringComparer.Ordinal);
            text.Append('{').AppendJoin(',', entries).Append('}');
        }
        else if (value.Fields is { Count: > 0 } fields)
        {
            text.Append(value.TypeName).Append('(');
            foreach (NinoField field in fields) Add(text, field.Value);
            text.Append(')');
        }
        else if (value.Items is { Count: > 0 } items)
        {
            text.Append('[');
            foreach (NinoValue item in items) Add(text, item);
            text.Append(']');
        }
        else
        {
            string end = value.IsNull ? "" : value.ToString();
            text.Append(value.IsNull ? -1 : end.Length).Append(':').Append(end);
        }
    }

    private static string OfPair(KeyValuePair<NinoValue, NinoValue> pair)
    {
        var text = new StringBuilder();
        Add(text, pair.Key);
        text.Append(':');
        Add(text, pair.Value);
        return text.ToString();
    }
}
