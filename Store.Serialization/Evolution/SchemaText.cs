namespace Store.Serialization;

/// <summary>What a schema node is called in messages and schema files: <c>Int32</c>, <c>Int32?</c>, <c>list of String</c>, <c>map from String to Shop.Item</c>.</summary>
internal static class SchemaText
{
    public static string Of(SchemaNode node) => node.Kind switch
    {
        SchemaKind.Nullable => Of(node.Element!) + "?",
        SchemaKind.List => "list of " + Of(node.Element!),
        SchemaKind.Map => $"map from {Of(node.Key!)} to {Of(node.Element!)}",
        _ => node.Definition switch
        {
            EnumDefinition type => $"{type.Name} (enum on {type.Underlying})",
            { } type => type.Name,
            null => node.Kind.ToString(),
        },
    };
}
