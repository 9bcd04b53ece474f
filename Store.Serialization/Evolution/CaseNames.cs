namespace Store.Serialization.Evolution;

/// <summary>
/// Which case of an own union, or which own object, a stored type is: by its name, else by a former one, else by one without type arguments. Those are left aside only
/// where no other case, stored or own, could be meant: <c>Deleted&lt;Invoice&gt;</c> that is gone is not <c>Deleted&lt;Order&gt;</c>.
/// </summary>
internal sealed class CaseNames
{
    private readonly Dictionary<string, ObjectDefinition> _byName = new(StringComparer.Ordinal);

    // Null where several have it.
    private readonly Dictionary<string, ObjectDefinition?> _byBareName = new(StringComparer.Ordinal);
    private readonly Dictionary<ObjectDefinition, uint> _tags = new(ReferenceEqualityComparer.Instance);

    public CaseNames(SchemaDefinition own)
    {
        if (own is UnionDefinition union)
        {
            foreach (UnionCase one in union.Cases) _tags.TryAdd((ObjectDefinition)one.Node.Definition!, one.Tag);
        }

        ObjectDefinition[] types = own is ObjectDefinition only ? [only] : [.. _tags.Keys];
        foreach (ObjectDefinition type in types) Add(type, type.Name);
        foreach (ObjectDefinition type in types)
        {
            foreach (string former in type.FormerNames) Add(type, former);
        }

        void Add(ObjectDefinition type, string name)
        {
            _byName.TryAdd(name, type);
            string bare = FieldMatch.WithoutArguments(name);
            if (!_byBareName.TryAdd(bare, type) && _byBareName[bare] != type) _byBareName[bare] = null;
        }
    }

    /// <summary>The tag of an own type; 0 for an object.</summary>
    public uint TagOf(ObjectDefinition type) => _tags.GetValueOrDefault(type);

    /// <summary>Which own type each of the types that are stored side by side is; null where it is none.</summary>
    public ObjectDefinition?[] Find(IReadOnlyList<ObjectDefinition> stored)
    {
        var found = new ObjectDefinition?[stored.Count];
        var claims = new Dictionary<ObjectDefinition, int>(ReferenceEqualityComparer.Instance);
        for (int i = 0; i < found.Length; i++)
        {
            found[i] = _byBareName.GetValueOrDefault(FieldMatch.WithoutArguments(stored[i].Name));
            if (found[i] is { } type) claims[type] = claims.GetValueOrDefault(type) + 1;
        }

        for (int i = 0; i < found.Length; i++)
        {
            if (_byName.TryGetValue(stored[i].Name, out ObjectDefinition? named)) found[i] = named;
            else if (found[i] is { } type && claims[type] > 1) found[i] = null;
        }

        return found;
    }
}
