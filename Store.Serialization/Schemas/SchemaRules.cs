// The rules of a schema's nodes as lines of a schema file. A node is called by its number: those of the root come first, then those of the fields of each type in the order of the definitions, a
// node before those inside of it.

using System.Globalization;

namespace Store.Serialization;

/// <summary>All rules of one schema.</summary>
internal static class SchemaRules
{
    /// <summary>A line of each rule: the number of the node, a blank, the rule. In the order of the numbers, then of the texts.</summary>
    public static IEnumerable<string> Lines(NinoSchema schema)
    {
        List<SchemaNode> nodes = NodesOf(schema);
        for (int i = 0; i < nodes.Count; i++)
        {
            foreach (string text in nodes[i].Rules.Select(static rule => rule.Text).Order(StringComparer.Ordinal)) yield return $"{i.ToString(CultureInfo.InvariantCulture)} {text}";
        }
    }

    /// <summary>Equal for schemas that are the same, with the same rules.</summary>
    public static string Identity(NinoSchema schema) => string.Join("\n", Lines(schema).Prepend(Convert.ToBase64String(schema.CanonicalBytes.Span)));

    /// <summary>Gives the nodes of a schema that was just read their rules.</summary>
    /// <returns>The index of the first line that can be no rule of it; -1 where all are.</returns>
    public static int Add(NinoSchema schema, IReadOnlyList<string> lines)
    {
        List<SchemaNode> nodes = NodesOf(schema);
        (int Node, string Text) last = (-1, "");
        for (int i = 0; i < lines.Count; i++)
        {
            string line = lines[i];
            int space = line.IndexOf(' ', StringComparison.Ordinal);
            if (space < 0 || !int.TryParse(line.AsSpan(0, space), NumberStyles.None, CultureInfo.InvariantCulture, out int number) || number >= nodes.Count) return i;
            string text = line[(space + 1)..];
            if (SchemaRule.Parse(text, nodes[number]) is not { } rule || line[..space] != number.ToString(CultureInfo.InvariantCulture)) return i;

            // In their order, and so each once.
            if (number < last.Node || (number == last.Node && string.CompareOrdinal(text, last.Text) <= 0)) return i;
            nodes[number].Demand(rule);
            last = (number, text);
        }

        return -1;
    }

    private static List<SchemaNode> NodesOf(NinoSchema schema)
    {
        var nodes = new List<SchemaNode>();
        Add(schema.Root);
        foreach (ObjectDefinition type in schema.Definitions.OfType<ObjectDefinition>())
        {
            foreach (SchemaField field in type.Fields) Add(field.Node);
        }

        return nodes;

        void Add(SchemaNode node)
        {
            nodes.Add(node);
            if (node.Key is { } key) Add(key);
            if (node.Element is { } element) Add(element);
        }
    }
}
