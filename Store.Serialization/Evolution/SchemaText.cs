namespace Store.Serialization;

/// <summary>What a schema node is called in messages and schema files: <c>Int32</c>, <c>Int32?</c>, <c>list of String</c>, <c>map from String to Shop.Item</c>.</summary>
internal static class SchemaText
{
    public static string Of(SchemaNode node) => Of(node, static _ => "");

    /// <summary>As <see cref="Of(SchemaNode)"/>, with what the type demands in parentheses: <c>list (no two equal) of String</c>. For schema files: a record's own schema does not have it.</summary>
    public static string WithRules(SchemaNode node) => Of(node, static node => node.Rules.Count == 0 ? "" : $" ({string.Join(", ", node.Rules.Select(static rule => rule.Text).Order(StringComparer.Ordinal))})");

    private static string Of(SchemaNode node, Func<SchemaNode, string> rulesOf) => node.Kind switch
    {
        SchemaKind.Nullable => Of(node.Element!, rulesOf) + "?",
        SchemaKind.List => $"list{rulesOf(node)} of {Of(node.Element!, rulesOf)}",
        SchemaKind.Map => $"map{rulesOf(node)} from {Of(node.Key!, rulesOf)} to {Of(node.Element!, rulesOf)}",
        _ => node.Definition switch
        {
            EnumDefinition type => $"{type.Name} (enum on {type.Underlying})",
            { } type => type.Name,
            null => node.Kind + rulesOf(node),
        },
    };
}
