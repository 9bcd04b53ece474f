using System.Text;

namespace Store.Serialization;

/// <summary>What a schema node is called in messages and schema files: <c>Int32</c>, <c>Int32?</c>, <c>list of String</c>, <c>map from String to Shop.Item</c>.</summary>
internal static class SchemaText
{
    // Two of the longest names.
    private const int MaxShown = 8192;

    public static string Of(SchemaNode node) => Of(node, static _ => "", int.MaxValue).ToString();

    /// <summary>As <see cref="Of(SchemaNode)"/>, for messages: of a node with very many parts, as a hostile schema may have, only the beginning.</summary>
    public static string Shown(SchemaNode node)
    {
        StringBuilder text = Of(node, static _ => "", MaxShown);
        return text.Length <= MaxShown ? text.ToString() : text.ToString(0, MaxShown) + "…";
    }

    /// <summary>As <see cref="Of(SchemaNode)"/>, with what the type demands in parentheses: <c>list (no two equal) of String</c>. For schema files: a record's own schema does not have it.</summary>
    public static string WithRules(SchemaNode node) =>
        Of(node, static node => node.Rules.Count == 0 ? "" : $" ({string.Join(", ", node.Rules.Select(static rule => rule.Text).Order(StringComparer.Ordinal))})", int.MaxValue).ToString();

    private static StringBuilder Of(SchemaNode node, Func<SchemaNode, string> rulesOf, int enough)
    {
        var text = new StringBuilder();
        Append(node);
        return text;

        void Append(SchemaNode node)
        {
            if (text.Length > enough) return;
            switch (node.Kind)
            {
                case SchemaKind.Nullable:
                    Append(node.Element!);
                    text.Append('?');
                    break;
                case SchemaKind.List:
                    text.Append("list").Append(rulesOf(node)).Append(" of ");
                    Append(node.Element!);
                    break;
                case SchemaKind.Map:
                    text.Append("map").Append(rulesOf(node)).Append(" from ");
                    Append(node.Key!);
                    text.Append(" to ");
                    Append(node.Element!);
                    break;
                default:
                    if (node.Definition is not { } type) text.Append(node.Kind).Append(rulesOf(node));
                    else text.Append(type.Name).Append(type is EnumDefinition number ? $" (enum on {number.Underlying})" : "");
                    break;
            }
        }
    }
}
