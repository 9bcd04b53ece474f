namespace Store.Serialization.Evolution;

/// <summary>Which case of an own union a stored type is: by its name, else type arguments aside and by former names.</summary>
internal sealed class CaseNames
{
    private readonly Dictionary<string, UnionCase> _byName = new(StringComparer.Ordinal);
    private readonly Dictionary<string, UnionCase> _byBareName = new(StringComparer.Ordinal);

    public CaseNames(UnionDefinition union)
    {
        foreach (UnionCase one in union.Cases)
        {
            var type = (ObjectDefinition)one.Node.Definition!;
            _byName.TryAdd(type.Name, one);
            _byBareName.TryAdd(FieldMatch.WithoutArguments(type.Name), one);
            foreach (string former in type.FormerNames) _byBareName.TryAdd(FieldMatch.WithoutArguments(former), one);
        }
    }

    public UnionCase? Find(ObjectDefinition stored) => _byName.GetValueOrDefault(stored.Name) ?? _byBareName.GetValueOrDefault(FieldMatch.WithoutArguments(stored.Name));
}
