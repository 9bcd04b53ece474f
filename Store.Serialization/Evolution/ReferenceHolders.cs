namespace Store.Serialization.Evolution;

/// <summary>The types of two schemas that hold objects to which references are kept, at any depth.</summary>
internal static class ReferenceHolders
{
    public static HashSet<SchemaDefinition> Of(params ReadOnlySpan<NinoSchema> schemas)
    {
        var holders = new HashSet<SchemaDefinition>(ReferenceEqualityComparer.Instance);
        foreach (NinoSchema schema in schemas)
        {
            if (!schema.Definitions.Any(static type => type is ObjectDefinition { KeepsReferences: true } or UnionDefinition { KeepsReferences: true })) continue;
            var users = new Dictionary<SchemaDefinition, List<SchemaDefinition>>(ReferenceEqualityComparer.Instance);
            var unseen = new Queue<SchemaDefinition>();
            foreach (SchemaDefinition type in schema.Definitions)
            {
                if (type is ObjectDefinition { KeepsReferences: true } or UnionDefinition { KeepsReferences: true } && holders.Add(type)) unseen.Enqueue(type);
                foreach (SchemaNode node in NodesOf(type)) Use(type, node, users);
            }

            while (unseen.TryDequeue(out SchemaDefinition? held))
            {
                foreach (SchemaDefinition user in users.GetValueOrDefault(held) ?? [])
                {
                    if (holders.Add(user)) unseen.Enqueue(user);
                }
            }
        }

        return holders;
    }

    public static bool Holds(HashSet<SchemaDefinition> holders, SchemaNode node) =>
        holders.Count > 0 && ((node.Definition is { } type && holders.Contains(type)) || (node.Key is { } key && Holds(holders, key)) || (node.Element is { } element && Holds(holders, element)));

    private static IEnumerable<SchemaNode> NodesOf(SchemaDefinition type) => type switch
    {
        ObjectDefinition body => body.Fields.Select(static field => field.Node),
        UnionDefinition union => union.Cases.Select(static one => one.Node),
        _ => [],
    };

    private static void Use(SchemaDefinition user, SchemaNode node, Dictionary<SchemaDefinition, List<SchemaDefinition>> users)
    {
        if (node.Key is { } key) Use(user, key, users);
        if (node.Element is { } element) Use(user, element, users);
        if (node.Definition is not { } held) return;
        if (!users.TryGetValue(held, out List<SchemaDefinition>? list)) users.Add(held, list = []);
        list.Add(user);
    }
}
